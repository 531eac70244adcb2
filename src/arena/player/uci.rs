//! A child that speaks the UCI-like protocol.

use super::{Answer, Fault, Player, Process, READY, STARTUP, Situation, check_line, read_move};
use crate::arena::spec::EngineSpec;
use crate::board::{DrawRules, Rules};
use crate::notation::moves;
use crate::search::Score;

/// A player in a process of its own.
pub(super) struct Uci {
    process: Process,
}

impl Uci {
    /// Shakes hands and sets the options.
    pub(super) fn start<R: Rules>(
        mut process: Process,
        spec: &EngineSpec,
        draws: DrawRules,
    ) -> Result<Self, Fault> {
        let mut declared = Vec::new();
        process.send("uci");
        process.expect("uciok", STARTUP, |line| {
            declared.extend(option_name(line).map(str::to_lowercase));
        })?;
        let names = DrawRules::ALL.iter().find(|(rules, _)| *rules == draws);
        let of_match = [
            ("UCI_Variant", R::VARIANT.name()),
            ("DrawRules", names.map_or("", |(_, name)| name)),
        ];
        for (name, value) in of_match {
            if declared.contains(&name.to_lowercase()) {
                process.send(&format!("setoption name {name} value {value}"));
            }
        }
        for (name, value) in &spec.options {
            process.send(&format!("setoption name {name} value {value}"));
        }
        let mut player = Self { process };
        player.settle()?;
        Ok(player)
    }

    /// Waits until the engine has nothing more to say: a `bestmove` nobody waits for is dropped here.
    fn settle(&mut self) -> Result<(), Fault> {
        self.process.send("isready");
        self.process.expect("readyok", READY, |_| ()).map(|_| ())
    }
}

/// The name in an `option name N type T ...` line.
fn option_name(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("option name ")?;
    Some(rest.split(" type ").next().unwrap_or(rest).trim())
}

/// `position` with all moves from the first position.
fn position<R: Rules>(situation: &Situation<'_, R>) -> String {
    let mut text = match situation.fen {
        Some(fen) => format!("position fen {fen}"),
        None => "position startpos".into(),
    };
    if !situation.moves.is_empty() {
        text += " moves ";
        text += &situation.moves.join(" ");
    }
    text
}

/// `go` with the limits of the player to move.
fn go<R: Rules>(situation: &Situation<'_, R>) -> String {
    let (clocks, limits) = (&situation.clocks, situation.limits);
    let mut text = String::from("go");
    let mut add = |word: &str, value: Option<String>| {
        if let Some(value) = value {
            text += &format!(" {word} {value}");
        }
    };
    let string = |value: Option<i64>| value.map(|n| n.to_string());
    let [white, black] = [&clocks.white, &clocks.black];
    add("wtime", string(white.time));
    add("btime", string(black.time));
    add("winc", string(white.increment));
    add("binc", string(black.increment));
    add("movestogo", clocks.moves_to_go.map(|n| n.to_string()));
    add(
        "movetime",
        limits.movetime.map(|t| t.as_millis().to_string()),
    );
    add("depth", limits.depth.map(|n| n.to_string()));
    add("nodes", limits.nodes.map(|n| n.to_string()));
    text
}

/// What an `info` line says.
#[derive(Debug, Default, PartialEq)]
struct Info<'a> {
    score: Option<Score>,
    depth: Option<u32>,
    nodes: Option<u64>,
    pv: Option<&'a str>,
}

/// Reads an `info` line; `None` for a line of words, or of another rank than the first.
fn info(line: &str) -> Option<Info<'_>> {
    let mut rest = line.trim().strip_prefix("info")?;
    let mut info = Info::default();
    let mut next = || {
        rest = rest.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        (word, after)
    };
    let mut bound = false;
    loop {
        let (word, after) = next();
        match word {
            "" => break,
            "string" => return None,
            "multipv" if next().0 != "1" => return None,
            "depth" => info.depth = next().0.parse().ok(),
            "nodes" => info.nodes = next().0.parse().ok(),
            "score" => {
                info.score = match (next().0, next().0) {
                    ("cp", value) => value.parse().ok().map(Score::Cp),
                    ("mate", value) => value.parse().ok().map(Score::Mate),
                    _ => None,
                }
            }
            "lowerbound" | "upperbound" => bound = true,
            "pv" => {
                info.pv = Some(after.trim());
                break;
            }
            _ => {}
        }
    }
    if bound {
        (info.score, info.pv) = (None, None);
    }
    Some(info)
}

impl<R: Rules> Player<R> for Uci {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.process.send("ucinewgame");
        self.settle()
    }

    fn think(&mut self, situation: &Situation<'_, R>) -> Answer {
        let mut answer = Answer::none();
        self.process.send(&position(situation));
        if let Err(fault) = self.settle() {
            answer.mv = Err(fault);
            return answer;
        }
        let mut pv = String::new();
        let thought = &mut answer.thought;
        self.process.send(&go(situation));
        let said = self.process.answer(situation, "bestmove", |line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => {
                    if let Some(info) = info(line) {
                        thought.nodes = info.nodes.or(thought.nodes);
                        if info.score.is_some() {
                            thought.score = info.score;
                            thought.depth = info.depth;
                            pv = info.pv.unwrap_or_default().into();
                        }
                    }
                    None
                }
                Some("bestmove") => Some(match words.next() {
                    None | Some("(none)" | "0000") => {
                        Err(format!("answers \"{line}\" where there is a legal move"))
                    }
                    Some(text) => Ok(text.to_owned()),
                }),
                _ => None,
            }
        });
        answer.time = said.time;
        answer.mv = said.word.and_then(|text| {
            read_move(situation.game, &text, |kind, what| {
                self.process.fault(kind, what)
            })
        });
        if let Ok(mv) = answer.mv {
            let read = |board: &_, text: &str| moves::parse::<R>(board, text).ok();
            answer.thought.complaint = check_line(situation.game, mv, pv.split_whitespace(), read);
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infos_are_read_in_any_order_and_bounds_are_left_out() {
        let read = info("info depth 9 nodes 77 score cp -12 time 3 pv 32-28 19-23").unwrap();
        assert_eq!(read.score, Some(Score::Cp(-12)));
        assert_eq!((read.depth, read.nodes), (Some(9), Some(77)));
        assert_eq!(read.pv, Some("32-28 19-23"));
        let mate = info("info score mate -3 depth 4 pv a").unwrap();
        assert_eq!(mate.score, Some(Score::Mate(-3)));
        let bound = info("info depth 4 score cp 5 lowerbound nodes 9 pv a").unwrap();
        assert_eq!((bound.score, bound.nodes, bound.pv), (None, Some(9), None));
        assert_eq!(info("info multipv 2 score cp 1 pv a"), None);
        assert_eq!(info("info string score cp 5"), None);
        assert_eq!(info("bestmove a"), None);
    }

    #[test]
    fn option_names_may_have_blanks() {
        let name = option_name("option name Skill Level type spin default 20 min 0 max 20");
        assert_eq!(name, Some("Skill Level"));
        assert_eq!(option_name("id name x"), None);
    }
}
