//! The referee: plays one game between two players on the program's own board.
//!
//! Whatever a player does wrong costs it that game and nothing else. Time is judged before legality: a late move is late
//! whatever it is.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::claim;
use super::openings::Opening;
use super::player::{Fault, FaultKind, Player, Situation};
use super::record::{GameResult, MoveRecord, Termination};
use super::spec::{Control, TimeControl};
use crate::board::game::LossReason;
use crate::board::movegen::legal_moves;
use crate::board::{DrawReason, Outcome, Rules, Side};
use crate::engine::command::{Clocks, PlayerClock};
use crate::notation::{Squares, Style, Suffixes, fen, moves};
use crate::search::{Limits, Score, Signals};

/// When a game is decided before its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Resignation.
    pub resign: Option<Resign>,
    /// Draws by score.
    pub draw: Option<DrawByScore>,
    /// Moves of each side after which a game is a draw.
    pub max_moves: Option<usize>,
}

/// An engine loses whose scores have been bad for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resign {
    /// Moves in succession.
    pub moves: u32,
    /// How bad, in hundredths of a man.
    pub score: i32,
    /// Whether the opponent's scores must be as good.
    pub two_sided: bool,
}

/// A game is drawn in which both engines' scores have been near 0 for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawByScore {
    /// From this move of a side on.
    pub from_move: usize,
    /// Moves of each side in succession.
    pub moves: u32,
    /// How near, in hundredths of a man.
    pub score: i32,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The result.
    pub result: GameResult,
    /// Why.
    pub termination: Termination,
    /// The same in words.
    pub reason: String,
    /// The side that failed.
    pub failed: Option<Side>,
    /// What to show of the failure: the position, the moves and the last lines exchanged.
    pub evidence: Vec<String>,
}

/// A played game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The moves of the players.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub end: End,
}

/// A player in a game.
pub struct Seat<'a, R: Rules> {
    /// Its name.
    pub name: &'a str,
    /// How much it may think.
    pub control: &'a Control,
    /// Who plays.
    pub player: &'a mut dyn Player<R>,
}

/// A clock that runs in a game.
#[derive(Clone, Copy, Debug)]
struct RunningClock {
    control: TimeControl,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl RunningClock {
    fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: control.time,
            moves_to_go: control.moves,
        }
    }

    /// Takes the time of a move, which may have been late within the margin, and adds what is gained by it.
    fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time) + self.control.increment;
        if let (Some(left), Some(moves)) = (&mut self.moves_to_go, self.control.moves) {
            *left -= 1;
            if *left == 0 {
                *left = moves;
                self.left += self.control.time;
            }
        }
    }
}

/// The scores that decide games early.
#[derive(Debug, Default)]
pub(super) struct Scores {
    /// Bad scores in succession, by side.
    bad: [u32; 2],
    /// Good scores in succession, by side.
    good: [u32; 2],
    /// Scores near 0 in succession, by side.
    level: [u32; 2],
}

impl Scores {
    pub(super) fn note(&mut self, side: Side, score: Option<Score>, rules: &Adjudication) {
        let value = match score {
            Some(Score::Cp(cp)) => Some(cp),
            Some(Score::Mate(moves)) => Some(if moves > 0 { i32::MAX } else { i32::MIN }),
            None => None,
        };
        let count =
            |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        let resign = rules.resign.map_or(i32::MAX, |resign| resign.score);
        let draw = rules.draw.map_or(0, |draw| draw.score);
        count(&mut self.bad[side], value.is_some_and(|v| v <= -resign));
        count(&mut self.good[side], value.is_some_and(|v| v >= resign));
        let near = |v: i32| v.unsigned_abs() <= draw.unsigned_abs();
        count(&mut self.level[side], value.is_some_and(near));
    }

    /// Counts a claim of a draw as scores near 0.
    pub(super) fn claim_draw(&mut self, side: Side) {
        self.level[side] = u32::MAX;
    }

    /// Counts a claim of the game as good scores.
    pub(super) fn claim_win(&mut self, side: Side) {
        self.good[side] = u32::MAX;
    }

    /// What the scores say after a move of `side`, `moves` having been played by it.
    pub(super) fn verdict(
        &self,
        side: Side,
        moves: usize,
        rules: &Adjudication,
    ) -> Option<(GameResult, String)> {
        if let Some(resign) = rules.resign {
            let agreed = !resign.two_sided || self.good[!side] >= resign.moves;
            if self.bad[side] >= resign.moves && agreed {
                return Some((GameResult::win(!side), format!("{} resigns", name_of(side))));
            }
        }
        if let Some(draw) = rules.draw {
            let level = self.level.iter().all(|&count| count >= draw.moves);
            if moves >= draw.from_move && level {
                return Some((GameResult::Draw, "both scores near 0".into()));
            }
        }
        None
    }
}

pub(super) fn name_of(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// The words for a draw by rule.
pub(super) fn draw_words(reason: DrawReason) -> &'static str {
    match reason {
        DrawReason::Repetition => "third occurrence of the position",
        DrawReason::NoProgress => "too many moves without progress",
        DrawReason::KingEndgame => "the king ending's number of moves is used up",
        DrawReason::OneEach => "one piece each",
    }
}

/// What the rules say, if they end the game.
fn by_rule(outcome: Outcome) -> Option<(GameResult, String)> {
    match outcome {
        Outcome::Ongoing => None,
        Outcome::Draw(reason) => Some((GameResult::Draw, draw_words(reason).into())),
        Outcome::Win(side, reason) => {
            let why = match reason {
                LossReason::NoPieces => "has no pieces left",
                LossReason::Blocked => "cannot move",
            };
            Some((GameResult::win(side), format!("{} {why}", name_of(!side))))
        }
    }
}

impl End {
    fn plain(result: GameResult, termination: Termination, reason: String) -> End {
        End {
            result,
            termination,
            reason,
            failed: None,
            evidence: Vec::new(),
        }
    }

    /// The loss of a side that failed.
    pub fn fault(side: Side, name: &str, fault: Fault) -> End {
        End {
            result: GameResult::win(!side),
            termination: Termination::Fault(fault.kind),
            reason: format!("{name} {}", fault.what),
            failed: Some(side),
            evidence: fault.lines,
        }
    }
}

/// Plays a game from an opening; `None` if `signals` ended it.
pub fn play<R: Rules>(
    opening: &Opening<R>,
    seats: &mut [Seat<'_, R>; 2],
    rules: &Adjudication,
    signals: &Signals,
) -> Option<Played> {
    let mut game = opening.game.clone();
    let mut texts = game_texts(opening);
    let mut records = Vec::new();
    let done = |moves, end| Some(Played { moves, end });
    for side in Side::ALL {
        let seat = &mut seats[side];
        if let Err(fault) = seat.player.new_game() {
            return done(records, End::fault(side, seat.name, fault));
        }
    }
    let mut clocks = Side::ALL.map(|side| seats[side].control.clock.map(RunningClock::new));
    let limits = Side::ALL.map(|side| {
        let control = seats[side].control;
        Limits {
            movetime: control.move_time,
            depth: control.depth,
            nodes: control.nodes,
            ..Limits::default()
        }
    });
    let mut scores = Scores::default();
    let mut moves_made = [0; 2];
    loop {
        if let Some((result, reason)) = by_rule(game.outcome()) {
            return done(records, End::plain(result, Termination::Rules, reason));
        }
        let side = game.board().side;
        if let Some(most) = rules.max_moves.filter(|&most| moves_made[side] >= most) {
            let reason = format!("{most} moves of each side");
            let end = End::plain(GameResult::Draw, Termination::Adjudication, reason);
            return done(records, end);
        }
        if signals.is_stopped() {
            return None;
        }
        let seat = &mut seats[side];
        let legal = legal_moves::<R>(game.board());
        let mut record = MoveRecord::default();
        let mv = match legal.as_slice() {
            // Nothing is decided by an only move, and without a clock nothing is gained by it either.
            [only] if clocks[side].is_none() => *only,
            _ => {
                let allowed = match (clocks[side], seat.control.move_time) {
                    (Some(clock), Some(time)) => Some(clock.left.min(time)),
                    (Some(clock), None) => Some(clock.left),
                    (None, time) => time,
                };
                let situation = Situation {
                    game: &game,
                    fen: opening.fen.as_deref(),
                    moves: &texts,
                    clocks: told(&clocks, side),
                    limits: &limits[side],
                    allowed,
                    patience: seat.control.patience,
                    signals,
                };
                let margin = seat.control.margin;
                let late = |time| allowed.filter(|&allowed| time > allowed + margin);
                let mut answer = seat.player.think(&situation);
                if let Some(claim) = answer.claim
                    && late(answer.time).is_none()
                    && !signals.is_stopped()
                {
                    let made = moves_made[side];
                    if let Some((result, reason)) =
                        claim::judge(claim, &game, side, made, &mut scores, rules)
                    {
                        return done(records, End::plain(result, Termination::Claim, reason));
                    }
                    let mut again = seat.player.think(&situation);
                    again.time += answer.time;
                    if !matches!(&again.mv, Err(fault) if fault.kind == FaultKind::Crash) {
                        answer = again;
                    }
                }
                if signals.is_stopped() {
                    return None;
                }
                let late = late(answer.time);
                let verdict = match (answer.mv, late) {
                    // No answer at all is worse than a late one.
                    (Err(fault), _) if fault.kind == FaultKind::Hang => Err(fault),
                    (Err(fault), _) if fault.kind == FaultKind::Crash => Err(fault),
                    (answered, Some(allowed)) => Err(Fault {
                        kind: FaultKind::Time,
                        what: format!(
                            "loses on time: {:.3} s with {:.3} s allowed and a margin of {:.3} s",
                            answer.time.as_secs_f64(),
                            allowed.as_secs_f64(),
                            margin.as_secs_f64()
                        ),
                        lines: answered.err().map_or_else(Vec::new, |fault| fault.lines),
                    }),
                    (answered, None) => answered,
                };
                let mv = match verdict {
                    Ok(mv) => mv,
                    Err(fault) => {
                        let mut end = End::fault(side, seat.name, fault);
                        let position =
                            fen::write::<R>(game.board(), Squares::Native, Suffixes::default());
                        end.evidence.insert(0, format!("position {position}"));
                        let first = opening.fen.as_deref().unwrap_or("startpos");
                        let line = format!("from {first} by {}", texts.join(" "));
                        end.evidence.insert(1, line);
                        return done(records, end);
                    }
                };
                if let Some(clock) = &mut clocks[side] {
                    clock.spend(answer.time);
                    record.clock = Some(clock.left.as_secs_f64());
                }
                let thought = answer.thought;
                scores.note(side, thought.score, rules);
                record.time = Some(answer.time.as_secs_f64());
                record.score = thought.score.map(Into::into);
                record.depth = thought.depth;
                record.nodes = thought.nodes;
                record.complaint = thought.complaint;
                mv
            }
        };
        record.text = moves::write::<R>(game.board(), &mv, Style::default());
        texts.push(record.text.clone());
        records.push(record);
        game.play(mv);
        moves_made[side] += 1;
        // What the rules say of the new position comes before what the scores say.
        if game.outcome() == Outcome::Ongoing
            && let Some((result, reason)) = scores.verdict(side, moves_made[side], rules)
        {
            let end = End::plain(result, Termination::Adjudication, reason);
            return done(records, end);
        }
    }
}

/// The moves of an opening in short notation.
pub fn game_texts<R: Rules>(opening: &Opening<R>) -> Vec<String> {
    let positions = opening.game.positions().iter();
    positions
        .zip(opening.game.moves())
        .map(|(position, mv)| moves::write::<R>(&position.board, mv, Style::default()))
        .collect()
}

/// The clocks as players are told them.
fn told(clocks: &[Option<RunningClock>; 2], side: Side) -> Clocks {
    let milliseconds = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    // A player without a clock is not told of its opponent's.
    if clocks[side].is_none() {
        return Clocks::default();
    }
    let [white, black] = clocks.map(|clock| PlayerClock {
        time: clock.map(|clock| milliseconds(clock.left)),
        increment: clock.map(|clock| milliseconds(clock.control.increment)),
    });
    Clocks {
        white,
        black,
        moves_to_go: clocks[side].and_then(|clock| clock.moves_to_go),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(moves: Option<u32>) -> RunningClock {
        RunningClock::new(TimeControl {
            moves,
            time: 1000 * MS,
            increment: 100 * MS,
        })
    }

    #[test]
    fn clocks_gain_their_increment_and_are_filled_up() {
        let mut running = clock(None);
        running.spend(300 * MS);
        assert_eq!(running.left, 800 * MS);
        running.spend(900 * MS);
        assert_eq!(running.left, 100 * MS, "late within the margin");
        let mut running = clock(Some(2));
        running.spend(500 * MS);
        assert_eq!((running.left, running.moves_to_go), (600 * MS, Some(1)));
        running.spend(500 * MS);
        assert_eq!((running.left, running.moves_to_go), (1200 * MS, Some(2)));
    }

    #[test]
    fn players_without_a_clock_are_told_of_none() {
        let clocks = [Some(clock(None)), None];
        assert!(told(&clocks, Side::White).of(Side::White).is_some());
        assert!(told(&clocks, Side::Black).of(Side::Black).is_none());
    }

    fn verdict(rules: &Adjudication, notes: &[(Side, i32)]) -> Option<GameResult> {
        let mut scores = Scores::default();
        for &(side, cp) in notes {
            scores.note(side, Some(Score::Cp(cp)), rules);
        }
        let (side, _) = *notes.last().unwrap();
        scores.verdict(side, 10, rules).map(|(result, _)| result)
    }

    #[test]
    fn scores_decide_when_they_stay_so() {
        use Side::{Black, White};
        let mut rules = Adjudication {
            resign: Some(Resign {
                moves: 2,
                score: 300,
                two_sided: false,
            }),
            ..Adjudication::default()
        };
        let bad = [(White, -300), (Black, 10), (White, -500)];
        assert_eq!(verdict(&rules, &bad), Some(GameResult::BlackWins));
        assert_eq!(
            verdict(&rules, &[(White, -300), (White, -299), (White, -300)]),
            None
        );
        rules.resign = rules.resign.map(|resign| Resign {
            two_sided: true,
            ..resign
        });
        assert_eq!(verdict(&rules, &bad), None);
        let agreed = [(Black, 300), (White, -300), (Black, 300), (White, -300)];
        assert_eq!(verdict(&rules, &agreed), Some(GameResult::BlackWins));

        let draw = |from_move| Adjudication {
            draw: Some(DrawByScore {
                from_move,
                moves: 2,
                score: 5,
            }),
            ..Adjudication::default()
        };
        let level = [(White, 5), (Black, -5), (White, 0), (Black, 1)];
        assert_eq!(verdict(&draw(10), &level), Some(GameResult::Draw));
        assert_eq!(verdict(&draw(11), &level), None);
        assert_eq!(verdict(&draw(0), &level[1..]), None);
    }
}
