//! Messages to text.

use std::fmt::Write;

use super::parse::COMMANDS;
use crate::engine::command::{Best, DrawState, Evaluation, Info, Message, Reply, outcome_words};
use crate::engine::options::{Kind, OPTIONS, Opt, Settings};
use crate::search::Bound;

/// The lines of a message, each ended by a line feed or, for the last one, by nothing.
pub fn format(message: &Message) -> String {
    match message {
        Message::Hello(_) => hello(),
        Message::Ready | Message::Pong => "readyok".to_owned(),
        // A move of the book looks like any other to whoever skips remarks.
        Message::Info(line) if line.book => format!("info string book\n{}", info(line)),
        Message::Info(line) => info(line),
        Message::Decided(outcome) => format!("info string result {}", outcome_words(*outcome)),
        Message::Best(best) => best_move(best),
        Message::Reply(answer) => reply(answer),
        Message::Remark(text) => format!("info string {}", one_line(text)),
        Message::Error(failure) => format!("info string error {}", one_line(&failure.to_string())),
    }
}

/// A text that may hold pieces of the user's input, as one line.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn hello() -> String {
    let mut text = format!(
        "id name Warcab {}\nid author the Warcab authors\n",
        env!("CARGO_PKG_VERSION")
    );
    for option in OPTIONS {
        text += &declaration(option);
        text.push('\n');
    }
    text + "uciok"
}

/// An option as `uci` lists it.
fn declaration(option: &Opt) -> String {
    let defaults = Settings::default();
    let mut text = format!("option name {} type ", option.name);
    match option.kind {
        Kind::Check { get, .. } => text += &format!("check default {}", get(&defaults)),
        Kind::Spin { min, max, get, .. } => {
            text += &format!("spin default {} min {min} max {max}", get(&defaults));
        }
        Kind::Combo { choices, get, .. } => {
            text += &format!("combo default {}", get(&defaults));
            for choice in choices() {
                text += &format!(" var {choice}");
            }
        }
        Kind::Text { get, .. } => {
            let default = Some(get(&defaults)).filter(|text| !text.is_empty());
            text += &format!("string default {}", default.unwrap_or("<empty>"));
        }
        Kind::Button { .. } => text += "button",
    }
    text
}

fn info(info: &Info) -> String {
    let micros = info.time.as_micros().max(1);
    let nps = u128::from(info.nodes) * 1_000_000 / micros;
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth, info.seldepth, info.multi_pv, info.score
    );
    text += match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if info.show_wdl {
        let [win, draw, loss] = info.wdl;
        text += &format!(" wdl {win} {draw} {loss}");
    }
    text += &format!(
        " nodes {} nps {nps} hashfull {} tbhits {} time {} pv",
        info.nodes,
        info.hashfull,
        info.tbhits,
        info.time.as_millis()
    );
    for mv in &info.pv {
        text.push(' ');
        text += mv;
    }
    text
}

fn best_move(best: &Best) -> String {
    let mut text = format!("bestmove {}", best.mv.as_deref().unwrap_or("(none)"));
    if let Some(ponder) = &best.ponder {
        text += &format!(" ponder {ponder}");
    }
    text
}

fn reply(reply: &Reply) -> String {
    match reply {
        Reply::Board(Some((picture, fen))) => format!("{picture}fen {fen}"),
        Reply::Fen(Some(fen)) => format!("fen {fen}"),
        Reply::Board(None) | Reply::Fen(None) => "fen none".to_owned(),
        Reply::Legal(Some(moves)) => {
            let mut text = format!("legal {}", moves.len());
            for mv in moves {
                text.push(' ');
                text += mv;
            }
            text
        }
        Reply::Legal(None) => "legal none".to_owned(),
        Reply::Result(Some(outcome)) => format!("result {}", outcome_words(*outcome)),
        Reply::Result(None) => "result none".to_owned(),
        Reply::Rules(Some(state)) => rules(state),
        Reply::Rules(None) => "rules none".to_owned(),
        Reply::Eval(Some(evaluation)) => eval(evaluation),
        Reply::Eval(None) => "eval none".to_owned(),
        Reply::Perft(Some((counts, nodes))) => {
            let mut text = String::new();
            for (mv, count) in counts {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{mv}: {count}");
            }
            text + &format!("nodes {nodes}")
        }
        Reply::Perft(None) => "nodes none".to_owned(),
        Reply::Help => help(),
    }
}

/// The board with the worth of each piece, the parts of the value, and `eval cp N`.
fn eval(evaluation: &Evaluation) -> String {
    let Evaluation {
        picture,
        counts,
        patterns,
        network,
        head,
        divisor,
        value,
    } = evaluation;
    format!(
        "{picture}  men, kings and move {counts:+}\n  patterns {patterns:+}\n  network {network:+} (head {head})\n  \
         divided by {divisor}\neval cp {value}"
    )
}

/// `rules TABLE` and, for each counter, its rule, its value (`-` while it does not run) and its limit.
fn rules(state: &DrawState) -> String {
    let mut text = format!("rules {}", state.rules);
    for counter in &state.counters {
        let value = counter
            .value
            .map_or_else(|| "-".to_owned(), |value| value.to_string());
        text += &format!(" {} {value} {}", counter.reason.word(), counter.limit);
    }
    if state.one_each {
        text += " one-each";
    }
    text
}

fn help() -> String {
    // Indented, so that no line but the last begins with the question's word.
    let mut text = String::new();
    for command in COMMANDS {
        text += &format!("  {}\n      {}\n", command.form, command.help);
    }
    for option in OPTIONS {
        text += &format!("  {}\n      {}\n", declaration(option), option.help);
    }
    text + "help is specified in full in protocol.md"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;

    #[test]
    fn an_info_line_has_all_fields_in_order() {
        let mut line = Info {
            multi_pv: 2,
            ..Info::sample(7, &["32-28", "19-23"])
        };
        assert_eq!(
            info(&line),
            "info depth 7 seldepth 12 multipv 2 score cp -13 nodes 3000000000 nps 2000000000 hashfull 5 tbhits 0 time 1500 pv 32-28 19-23"
        );
        (line.bound, line.show_wdl, line.score) = (Bound::Lower, true, Score::Mate(3));
        assert!(info(&line).contains(" score mate 3 lowerbound wdl 500 300 200 nodes "));
    }

    #[test]
    fn an_error_is_one_line() {
        use crate::engine::error::{Code, Failure};
        let message = Message::Error(Failure::new(Code::BadFen, "a\nb\u{0}c"));
        assert_eq!(format(&message), "info string error bad-fen a b c");
    }
}
