//! A child that speaks Hub 2.

use std::time::Instant;

use super::{
    Answer, Fault, FaultKind, Player, Process, READY, STARTUP, Silence, Situation, check_line,
    deadline, read_move,
};
use crate::arena::spec::{EngineSpec, Numbering};
use crate::board::variant::SquareStyle;
use crate::board::{Board, Game, Geometry, Move, Rules, Side, Variant};
use crate::notation::{Notation, Squares, Style, hub, moves};
use crate::search::Score;

/// A player in a process of its own.
pub(super) struct Hub {
    process: Process,
    numbering: Numbering,
}

/// The arguments of a Hub line: `name=value` or a bare name, values in double quotes where they have blanks.
pub fn arguments(line: &str) -> Vec<(String, String)> {
    let mut list = Vec::new();
    let mut text = String::new();
    let mut quoted = false;
    for c in line.chars().chain([' ']) {
        if c == '"' {
            quoted = !quoted;
        } else if c.is_whitespace() && !quoted {
            if !text.is_empty() {
                let (name, value) = text.split_once('=').unwrap_or((&text, ""));
                list.push((name.to_owned(), value.to_owned()));
                text.clear();
            }
        } else {
            text.push(c);
        }
    }
    list
}

/// The value of an argument.
fn argument<'a>(list: &'a [(String, String)], name: &str) -> Option<&'a str> {
    list.iter()
        .find(|(n, _)| n == name)
        .map(|(_, value)| value.as_str())
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

/// The value for the parameter `variant` of an engine that said these lines; `None` where it has no such parameter.
pub fn variant_value(said: &[String], variant: Variant) -> Option<Result<String, String>> {
    let of_variant = |line: &String| {
        let list = arguments(line);
        let found = line.starts_with("param") && argument(&list, "name") == Some("variant");
        found.then(|| argument(&list, "values").unwrap_or_default().to_owned())
    };
    let values = said.iter().find_map(of_variant)?;
    let own = |value: &&str| Variant::from_name(value) == Some(variant);
    let found = values.split_whitespace().find(own).map(str::to_owned);
    Some(found.ok_or_else(|| format!("does not play {variant}: it offers {values}")))
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
        match variant_value(&said, R::VARIANT) {
            None => {}
            Some(Ok(value)) => process.send(&format!("set-param name=variant value={value}")),
            Some(Err(what)) => return Err(process.fault(FaultKind::Protocol, what)),
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

fn quoted(value: &str) -> String {
    if value.is_empty() || value.contains([' ', '=']) {
        format!("\"{value}\"")
    } else {
        value.into()
    }
}

/// The conversion of squares between ours and the engine's.
#[derive(Clone, Copy, Debug)]
struct Convention {
    /// Boards are seen by the side that moves second, with exchanged colours.
    turned: bool,
    /// Rows of move numbers run upwards, of `width` squares each, on a board of `squares`.
    upwards: Option<(usize, usize)>,
}

impl Convention {
    fn of<R: Rules>(numbering: Numbering) -> Self {
        let foreign = numbering == Numbering::Pydraughts && R::Geo::ROWS == 8;
        let letters = R::VARIANT.labels().squares == SquareStyle::Algebraic;
        Convention {
            turned: foreign && R::FIRST_MOVER == Side::Black,
            upwards: (foreign && letters).then_some((R::Geo::WIDTH, R::Geo::SQUARES)),
        }
    }

    fn board<R: Rules>(self, board: &Board) -> String {
        if self.turned {
            hub::write::<R>(&board.flipped::<R::Geo>())
        } else {
            hub::write::<R>(board)
        }
    }

    /// A square's number turned into the other side's; its own inverse.
    fn number(self, number: usize) -> usize {
        match self.upwards {
            Some((width, squares)) if (1..=squares).contains(&number) => {
                let (row, place) = ((number - 1) / width, (number - 1) % width);
                (squares / width - 1 - row) * width + place + 1
            }
            _ => number,
        }
    }

    /// A move's text turned into the other side's.
    fn text(self, text: &str) -> String {
        if self.upwards.is_none() {
            return text.into();
        }
        let mut out = String::new();
        let mut digits = String::new();
        for c in text.chars().chain(['\0']) {
            if c.is_ascii_digit() {
                digits.push(c);
                continue;
            }
            match digits.parse() {
                Ok(number) => out += &self.number(number).to_string(),
                Err(_) => out += &digits,
            }
            digits.clear();
            out.push(c);
        }
        out.pop();
        out
    }

    fn write<R: Rules>(self, board: &Board, mv: &Move) -> String {
        let style = Style {
            notation: Notation::Hub,
            squares: Squares::Numeric,
        };
        self.text(&moves::write::<R>(board, mv, style))
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
        .map(|(position, mv)| convention.write::<R>(&position.board, mv))
        .collect();
    let mut text = format!("pos pos={}", convention.board::<R>(&positions[first].board));
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
        let start = Instant::now();
        self.process.send("go think");
        let deadline = deadline(situation, start);
        answer.mv = loop {
            let (moment, line) = match self.process.receive(deadline) {
                Ok(heard) if heard.0 <= deadline => heard,
                other => {
                    answer.time = start.elapsed();
                    let silence = other.err().unwrap_or(Silence::TimedOut);
                    let time = deadline - start;
                    break Err(self.process.silence(silence, "done", time));
                }
            };
            match line.split_whitespace().next() {
                Some("info") => {
                    let list = arguments(&line);
                    let thought = &mut answer.thought;
                    let get = |name| argument(&list, name);
                    thought.nodes = get("nodes").and_then(|n| n.parse().ok()).or(thought.nodes);
                    thought.depth = get("depth").and_then(|n| n.parse().ok()).or(thought.depth);
                    thought.score = get("score").and_then(score).or(thought.score);
                    pv = get("pv").map_or(pv, str::to_owned);
                }
                Some("done") => {
                    answer.time = moment.saturating_duration_since(start);
                    let list = arguments(&line);
                    break match argument(&list, "move") {
                        Some(text) => {
                            read_move(situation.game, &convention.text(text), &self.process)
                        }
                        None => Err(self.process.fault(
                            FaultKind::Protocol,
                            format!("answers \"{line}\" where there is a legal move"),
                        )),
                    };
                }
                Some("error") => {
                    answer.time = moment.saturating_duration_since(start);
                    break Err(self
                        .process
                        .fault(FaultKind::Protocol, format!("answers \"{line}\"")));
                }
                _ => {}
            }
        };
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
    use crate::board::DrawRules;
    use crate::board::rules::{English, International, Italian, Russian, Turkish};

    fn pydraughts<R: Rules>() -> Convention {
        Convention::of::<R>(Numbering::Pydraughts)
    }

    #[test]
    fn lines_are_cut_into_arguments() {
        let list = arguments("info depth=9 score=-0.10 pv=\"32-28 19-23\" bare");
        assert_eq!(argument(&list, "depth"), Some("9"));
        assert_eq!(argument(&list, "pv"), Some("32-28 19-23"));
        assert_eq!(argument(&list, "bare"), Some(""));
        assert_eq!(argument(&list, "nodes"), None);
    }

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
    fn the_parameter_variant_gets_a_name_the_engine_knows() {
        let said = ["param name=variant value=normal type=enum values=\"normal bt\"".to_owned()];
        let value = |variant| variant_value(&said, variant);
        assert_eq!(value(Variant::International), Some(Ok("normal".into())));
        assert!(
            value(Variant::Turkish)
                .unwrap()
                .unwrap_err()
                .contains("normal bt")
        );
        assert_eq!(variant_value(&[], Variant::Turkish), None);
    }

    #[test]
    fn pydraughts_numbers_squares_its_own_way() {
        // a1 = 1, c1 = 2, a3 = 9 for sets that write letters; rows of eight in the set that uses all squares.
        for (ours, theirs) in [(29, 1), (30, 2), (21, 9), (4, 32)] {
            assert_eq!(pydraughts::<Russian>().number(ours), theirs);
            assert_eq!(pydraughts::<Russian>().number(theirs), ours);
        }
        assert_eq!(pydraughts::<Turkish>().number(41), 17);
        assert_eq!(pydraughts::<Russian>().text("22x15x18"), "10x19x14");
        for text in ["22-18", "1x12x7"] {
            assert_eq!(pydraughts::<English>().text(text), text);
            assert_eq!(pydraughts::<Italian>().text(text), text);
        }
        // Its board has White to start, on the high numbers, whoever starts.
        let start = pydraughts::<English>().board::<English>(&Board::start::<English>());
        let expected = format!("W{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
        assert_eq!(start, expected);
        let own = Convention::of::<English>(Numbering::Pdn);
        assert!(
            own.board::<English>(&Board::start::<English>())
                .starts_with('B')
        );
        let large = pydraughts::<International>();
        assert_eq!(large.text("32-28"), "32-28");
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
