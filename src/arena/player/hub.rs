//! A child that speaks Hub 2.

use super::{
    Answer, Fault, FaultKind, Player, Process, READY, STARTUP, Situation, check_line, read_move,
};
use crate::arena::spec::{EngineSpec, Numbering};
use crate::board::{Game, Rules, Variant};
use crate::notation::hub::Convention;
use crate::notation::hub::line::{self, Argument, quoted, value};
use crate::notation::moves;
use crate::search::Score;

/// A player in a process of its own.
pub(super) struct Hub {
    process: Process,
    numbering: Numbering,
}

/// The arguments of a Hub line; none where it is not one.
pub fn arguments(line: &str) -> Vec<Argument<'_>> {
    line::arguments(line::command(line).1).unwrap_or_default()
}

/// A score of Hub, in men, as ours. Beyond 99 men Hub engines count plies to the end of the game, beyond 80 those to a won
/// endgame table position.
fn score(text: &str) -> Option<Score> {
    let men: f64 = text.parse().ok().filter(|men: &f64| men.is_finite())?;
    let plies = ((100.0 - men.abs()) * 100.0).round();
    Some(if (0.0..=500.0).contains(&plies) {
        let moves = (plies as i32 + 1) / 2;
        Score::Mate(if men > 0.0 { moves.max(1) } else { -moves })
    } else {
        Score::Cp((men * 100.0).round().clamp(-20_000.0, 20_000.0) as i32)
    })
}

/// The values that an engine which said these lines offers for a parameter; `None` where it has none of that name.
fn values<'a>(said: &'a [String], name: &str) -> Option<&'a str> {
    said.iter().find_map(|text| {
        let list = arguments(text);
        let found = text.starts_with("param") && value(&list, "name") == Some(name);
        found.then(|| value(&list, "values").unwrap_or_default())
    })
}

/// The lines that make an engine which introduced itself with `said` play a rule set in a numbering of the squares.
///
/// # Errors
///
/// The engine has a parameter `variant` that does not offer the set.
pub fn settings(
    said: &[String],
    variant: Variant,
    numbering: Numbering,
) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    if let Some(values) = values(said, "variant") {
        let own = |value: &&str| Variant::from_name(value) == Some(variant);
        let found = values.split_whitespace().find(own);
        let value = found.ok_or_else(|| format!("does not play {variant}: it offers {values}"))?;
        lines.push(format!("set-param name=variant value={value}"));
    }
    if let Some(values) = values(said, "notation") {
        let own = |value: &&str| Numbering::from_name(value) == Some(numbering);
        let found = values.split_whitespace().find(own);
        lines.extend(found.map(|value| format!("set-param name=notation value={value}")));
    }
    Ok(lines)
}

impl Hub {
    /// Shakes hands and sets the parameters.
    pub(super) fn start<R: Rules>(
        mut process: Process,
        spec: &EngineSpec,
        numbering: Numbering,
    ) -> Result<Self, Fault> {
        let mut said = Vec::new();
        process.send("hub");
        process.expect("wait", STARTUP, |line| said.push(line.to_owned()))?;
        match settings(&said, R::VARIANT, numbering) {
            Ok(lines) => lines.iter().for_each(|line| process.send(line)),
            Err(what) => return Err(process.fault(FaultKind::Protocol, what)),
        }
        for (name, value) in &spec.options {
            process.send(&format!(
                "set-param name={} value={}",
                quoted(name),
                quoted(value)
            ));
        }
        process.send("init");
        process.expect("ready", READY, |_| ())?;
        Ok(Self { process, numbering })
    }

    /// Waits until the engine has nothing more to say: a `done` nobody waits for is dropped here.
    fn settle(&mut self) -> Result<(), Fault> {
        self.process.send("ping");
        self.process.expect("pong", READY, |_| ()).map(|_| ())
    }
}

/// `pos` from the last position that cannot come back, with the moves since, so that repetitions are seen.
fn position<R: Rules>(game: &Game<R>, convention: Convention) -> String {
    let positions = game.positions();
    let last = positions.len() - 1;
    let first = last - usize::from(game.position().reversible).min(last);
    let texts: Vec<String> = positions[first..]
        .iter()
        .zip(&game.moves()[first..])
        .map(|(position, mv)| convention.write_move::<R>(&position.board, mv))
        .collect();
    let mut text = format!(
        "pos pos={}",
        convention.write_board::<R>(&positions[first].board)
    );
    if !texts.is_empty() {
        text += &format!(" moves=\"{}\"", texts.join(" "));
    }
    text
}

/// `level` with the limits of the player to move. Hub adds the increment before the move and not after it.
fn level<R: Rules>(situation: &Situation<'_, R>) -> String {
    let mut text = String::from("level");
    let limits = situation.limits;
    if let Some(clock) = situation.clocks.of(situation.game.board().side) {
        let (time, increment) = (clock.time as f64 / 1e3, clock.increment as f64 / 1e3);
        if let Some(moves) = clock.moves_to_go {
            text += &format!(" moves={moves}");
        }
        text += &format!(" time={:.3}", time - increment);
        if increment > 0.0 {
            text += &format!(" inc={increment:.3}");
        }
    }
    if let Some(time) = limits.movetime {
        text += &format!(" move-time={:.3}", time.as_secs_f64());
    }
    if let Some(depth) = limits.depth {
        text += &format!(" depth={depth}");
    }
    if let Some(nodes) = limits.nodes {
        text += &format!(" nodes={nodes}");
    }
    text
}

impl<R: Rules> Player<R> for Hub {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.process.send("new-game");
        self.settle()
    }

    fn think(&mut self, situation: &Situation<'_, R>) -> Answer {
        let convention = Convention::of::<R>(self.numbering);
        let mut answer = Answer::none();
        self.process.send(&position(situation.game, convention));
        self.process.send(&level(situation));
        if let Err(fault) = self.settle() {
            answer.mv = Err(fault);
            return answer;
        }
        let mut pv = String::new();
        let thought = &mut answer.thought;
        self.process.send("go think");
        let said = self.process.answer(situation, "done", |line| {
            let list = arguments(line);
            let get = |name| value(&list, name);
            match line.split_whitespace().next() {
                Some("info") => {
                    thought.nodes = get("nodes").and_then(|n| n.parse().ok()).or(thought.nodes);
                    thought.depth = get("depth").and_then(|n| n.parse().ok()).or(thought.depth);
                    thought.score = get("score").and_then(score).or(thought.score);
                    pv = get("pv").map_or_else(|| std::mem::take(&mut pv), str::to_owned);
                    None
                }
                Some("done") => Some(
                    get("move")
                        .map(str::to_owned)
                        .ok_or_else(|| format!("answers \"{line}\" where there is a legal move")),
                ),
                Some("error") => Some(Err(format!("answers \"{line}\""))),
                _ => None,
            }
        });
        answer.time = said.time;
        answer.mv = said.word.and_then(|text| {
            read_move(situation.game, &convention.text(&text), |kind, what| {
                self.process.fault(kind, what)
            })
        });
        if let Ok(mv) = answer.mv {
            let read =
                |board: &_, text: &str| moves::parse::<R>(board, &convention.text(text)).ok();
            answer.thought.complaint = check_line(situation.game, mv, pv.split_whitespace(), read);
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::DrawRules;
    use crate::board::rules::International;

    #[test]
    fn scores_are_men_or_plies_to_the_end() {
        for (text, expected) in [
            ("0.12", Score::Cp(12)),
            ("-1.5", Score::Cp(-150)),
            ("99.95", Score::Mate(3)),
            ("-99.96", Score::Mate(-2)),
            ("85.00", Score::Cp(8500)),
        ] {
            assert_eq!(score(text), Some(expected), "{text}");
        }
        assert_eq!((score("x"), score("inf")), (None, None));
    }

    #[test]
    fn parameters_get_values_the_engine_knows() {
        let said = [
            "param name=variant value=normal type=enum values=\"normal bt\"".to_owned(),
            "param name=notation value=auto type=enum values=\"auto pdn\"".to_owned(),
        ];
        let lines = |variant| settings(&said, variant, Numbering::Pdn);
        assert_eq!(
            lines(Variant::International).unwrap(),
            [
                "set-param name=variant value=normal",
                "set-param name=notation value=pdn"
            ]
        );
        assert!(lines(Variant::Turkish).unwrap_err().contains("normal bt"));
        let none: [String; 0] = [];
        assert_eq!(
            settings(&none, Variant::Turkish, Numbering::Pdn).unwrap(),
            none
        );
    }

    #[test]
    fn positions_begin_where_nothing_can_come_back() {
        let mut game = Game::<International>::new(
            Board::start::<International>(),
            0,
            International::draw_table(DrawRules::Club),
        );
        let convention = Convention::of::<International>(Numbering::Pdn);
        assert!(position(&game, convention).starts_with("pos pos=Wbbb"));
        let play = |game: &mut Game<International>, text: &str| {
            let mv = moves::parse::<International>(game.board(), text).unwrap();
            game.play(mv);
        };
        play(&mut game, "32-28");
        assert!(!position(&game, convention).contains("moves"));
        let board = crate::notation::fen::parse::<International>("W:WK1:BK50,20")
            .unwrap()
            .board;
        let mut game = Game::<International>::new(board, 0, game.table);
        play(&mut game, "1-6");
        play(&mut game, "50-45");
        assert!(position(&game, convention).ends_with("moves=\"1-6 50-45\""));
    }
}
