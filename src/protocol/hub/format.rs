//! Messages to text.
//!
//! The form is the one that the known clients read: `values` last, quotes only where they are needed, infos with all of
//! their fields in one order, whole numbers without an exponent.

use super::params::PARAMS;
use crate::engine::command::{Best, Info, Message};
use crate::engine::error::{Code, Failure};
use crate::engine::options::Settings;
use crate::notation::hub::line::quoted;
use crate::search::Score;

/// An evaluation stays within plus or minus so many men: what is beyond tells the end of the game.
const MOST_MEN: f64 = 80.0;
/// The score of a win, in men, from which a hundredth is taken for each ply up to the end of the game.
const WIN: f64 = 100.0;

/// The lines of a message, none where Hub has no words for it.
pub fn format(message: &Message) -> Vec<String> {
    match message {
        Message::Hello(settings) => hello(settings),
        Message::Ready => vec!["ready".into()],
        Message::Pong => vec!["pong".into()],
        Message::Info(line) => vec![info(line)],
        Message::Best(best) => vec![done(best)],
        Message::Error(failure) => vec![error(failure)],
        Message::Decided(_) | Message::Reply(_) | Message::Remark(_) => Vec::new(),
    }
}

fn hello(settings: &Settings) -> Vec<String> {
    let id = format!(
        "id name=Warcab version={} author=\"Warcab authors\" country=unknown",
        env!("CARGO_PKG_VERSION")
    );
    let params = PARAMS.iter().map(|param| param.declaration(settings));
    std::iter::once(id)
        .chain(params)
        .chain(["wait".to_owned()])
        .collect()
}

/// A score in men from the side to move.
fn score(score: Score) -> f64 {
    match score {
        Score::Cp(cp) => (f64::from(cp) / 100.0).clamp(-MOST_MEN, MOST_MEN),
        // The winner has the last move.
        Score::Mate(moves) if moves > 0 => WIN - f64::from(2 * moves - 1) / 100.0,
        Score::Mate(moves) => -WIN - f64::from(2 * moves) / 100.0,
    }
}

fn info(info: &Info) -> String {
    let (score, pv) = (score(info.score), quoted(&info.pv.join(" ")));
    if info.book {
        return format!("info score={score:.2} pv={pv}");
    }
    let seconds = info.time.as_secs_f64();
    // The mean is a figure of the iteration, which a search that is cut off may not have.
    let mean = if info.mean_depth > 0.0 {
        info.mean_depth
    } else {
        f64::from(info.depth)
    };
    format!(
        "info depth={} mean-depth={mean:.1} score={score:.2} nodes={} time={seconds:.3} nps={:.2} pv={pv}",
        info.depth,
        info.nodes,
        info.nodes as f64 / seconds.max(1e-6) / 1e6,
    )
}

fn done(best: &Best) -> String {
    let mut text = "done".to_owned();
    if let Some(mv) = &best.mv {
        text += &format!(" move={mv}");
    }
    if let Some(mv) = &best.ponder {
        text += &format!(" ponder={mv}");
    }
    text
}

/// An error: the words that Hub engines use, if they have some, and then what is wrong.
fn error(failure: &Failure) -> String {
    let words = match failure.code {
        Code::UnknownCommand => "bad command: ",
        Code::BadHub | Code::BadFen | Code::BadPosition => "bad position: ",
        Code::BadMove => "bad move: ",
        Code::IllegalMove => "illegal move: ",
        Code::AmbiguousMove => "ambiguous move: ",
        _ => "",
    };
    let text = format!("{words}{}", failure.what);
    let text = text.replace(char::is_control, " ").replace('"', "'");
    format!("error message=\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_has_all_fields_in_order() {
        let mut line = Info::sample(7, &["32-28", "19-23"]);
        assert_eq!(
            info(&line),
            "info depth=7 mean-depth=7.5 score=-0.13 nodes=3000000000 time=1.500 nps=2000.00 pv=\"32-28 19-23\""
        );
        line.pv.pop();
        assert!(info(&line).ends_with(" pv=32-28"));
        line.book = true;
        assert_eq!(info(&line), "info score=-0.13 pv=32-28");
    }

    #[test]
    fn scores_have_their_bands() {
        for (from, men) in [
            (Score::Cp(0), 0.0),
            (Score::Cp(-250), -2.5),
            (Score::Cp(20_000), 80.0),
            (Score::Cp(-20_000), -80.0),
            // One ply to the end, and two.
            (Score::Mate(1), 99.99),
            (Score::Mate(-1), -99.98),
            (Score::Mate(3), 99.95),
        ] {
            assert_eq!(score(from), men, "{from}");
        }
        assert_eq!(std::format!("{:.2}", score(Score::Cp(0))), "0.00");
    }

    #[test]
    fn the_end_is_a_move_and_an_expected_one_or_bare() {
        assert_eq!(done(&Best::default()), "done");
        let best = |ponder: Option<&str>| Best {
            mv: Some("28x19x23".into()),
            ponder: ponder.map(str::to_owned),
        };
        assert_eq!(done(&best(None)), "done move=28x19x23");
        assert_eq!(done(&best(Some("1-6"))), "done move=28x19x23 ponder=1-6");
    }

    #[test]
    fn an_error_is_one_value() {
        let failure = Failure::new(Code::BadMove, "move 1: cannot read \"x\ny\"");
        assert_eq!(
            error(&failure),
            "error message=\"bad move: move 1: cannot read 'x y'\""
        );
    }
}
