//! Answers: what is found of a position, as a line of JSON.

use serde::Serialize;

use crate::board::{Outcome, Side, Variant};
use crate::engine::command::{Info, outcome_words};
use crate::notation::{Notation, Squares, Style, moves};
use crate::search::{Bound, Score};
use crate::with_rules;

/// How PDN writes a move.
pub(super) const PDN: Style = Style {
    notation: Notation::Short,
    squares: Squares::Native,
};

/// A score, in hundredths of a man or as the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Worth {
    /// Hundredths of a man.
    Cp { cp: i32 },
    /// Moves and plies until the game is won; negative until it is lost.
    Win { win: i32, plies: i32 },
}

impl Worth {
    /// A score from the side that has it.
    pub(super) const fn new(score: Score) -> Self {
        match score {
            Score::Cp(cp) => Worth::Cp { cp },
            // The winner makes the last move, so a win takes a move of the opponent's less.
            Score::Mate(win) if win > 0 => Worth::Win {
                win,
                plies: 2 * win - 1,
            },
            Score::Mate(win) => Worth::Win {
                win,
                plies: 2 * win,
            },
        }
    }

    /// The same from White's side, where `side` has it.
    const fn for_white(self, side: Side) -> Self {
        match (side, self) {
            (Side::White, worth) => worth,
            (Side::Black, Worth::Cp { cp }) => Worth::Cp { cp: -cp },
            (Side::Black, Worth::Win { win, plies }) => Worth::Win {
                win: -win,
                plies: -plies,
            },
        }
    }
}

/// What the rules say of a position that is decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Termination {
    /// `white-wins`, `black-wins` or `draw`.
    result: String,
    /// The rule.
    reason: String,
}

impl Termination {
    /// `None` while the game goes on.
    pub(super) fn new(outcome: Outcome) -> Option<Self> {
        let words = outcome_words(outcome);
        let (result, reason) = words.split_once(' ')?;
        Some(Self {
            result: result.to_owned(),
            reason: reason.to_owned(),
        })
    }
}

/// A move in all forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Best {
    /// In the notation that was asked for.
    #[serde(rename = "move")]
    mv: String,
    pdn: String,
    path: String,
    hub: String,
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Line {
    multipv: usize,
    score: Worth,
    score_white: Worth,
    bound: &'static str,
    wdl: [u32; 3],
    depth: u32,
    seldepth: u32,
    nodes: u64,
    pv: Vec<String>,
    pdn: String,
}

/// What is known of a position before it is searched.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) variant: Variant,
    pub(super) style: Style,
    pub(super) fen: String,
    pub(super) side: Side,
    pub(super) legal: Vec<String>,
    pub(super) outcome: Outcome,
}

/// An answer. Its form is that of `protocol.md`; a field that does not apply is null.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer<'a> {
    id: &'a str,
    turn: usize,
    is_during_search: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    terminated: bool,
    variant: &'static str,
    fen: &'a str,
    side: &'static str,
    legal: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a [String]>,
    termination: Option<Termination>,
    best: Option<Best>,
    score: Option<Worth>,
    score_white: Option<Worth>,
    bound: Option<&'static str>,
    wdl: Option<[u32; 3]>,
    depth: Option<u32>,
    seldepth: Option<u32>,
    nodes: u64,
    time: u64,
    nps: u64,
    tbhits: u64,
    lines: Vec<Line>,
}

/// Where an answer belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    pub(super) id: &'a str,
    pub(super) turn: usize,
    pub(super) is_during_search: bool,
    pub(super) terminated: bool,
    pub(super) include_moves: bool,
}

impl<'a> Answer<'a> {
    /// The answer for a position of which the search has reported `lines`, best first.
    pub(super) fn new(head: Head<'a>, known: &'a Known, lines: &[Info]) -> Self {
        let lines_json: Vec<Line> = lines
            .iter()
            .enumerate()
            .map(|(index, info)| known.line(index + 1, info))
            .collect();
        let first = lines.first();
        let best = first.and_then(|info| known.best(&info.pv));
        let top = lines_json.first();
        // What concerns the search as a whole was told last with whichever line came last.
        let latest = lines.iter().max_by_key(|info| (info.nodes, info.time));
        let nodes = latest.map_or(0, |info| info.nodes);
        let time = latest.map_or(std::time::Duration::ZERO, |info| info.time);
        let micros = time.as_micros().max(1);
        let lost = matches!(known.outcome, Outcome::Win(..));
        Answer {
            id: head.id,
            turn: head.turn,
            is_during_search: head.is_during_search,
            terminated: head.terminated,
            variant: known.variant.name(),
            fen: &known.fen,
            side: side_word(known.side),
            legal: known.legal.len(),
            moves: head.include_moves.then_some(known.legal.as_slice()),
            termination: Termination::new(known.outcome),
            best,
            score: top.map(|line| line.score),
            score_white: top.map(|line| line.score_white),
            bound: top.map(|line| line.bound),
            wdl: top.map(|line| line.wdl).or(lost.then_some([0, 0, 1000])),
            depth: top.map(|line| line.depth),
            seldepth: top.map(|line| line.seldepth),
            nodes,
            time: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            nps: u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX),
            tbhits: latest.map_or(0, |info| info.tbhits),
            lines: lines_json,
        }
    }
}

/// The word for a side.
pub(super) const fn side_word(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

impl Known {
    fn line(&self, multipv: usize, info: &Info) -> Line {
        let score = Worth::new(info.score);
        Line {
            multipv,
            score,
            score_white: score.for_white(self.side),
            bound: match info.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            wdl: info.wdl,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            pdn: self.rewritten(&info.pv, PDN).join(" "),
            pv: info.pv.clone(),
        }
    }

    /// The first move of a line in all forms.
    fn best(&self, line: &[String]) -> Option<Best> {
        let first = line.get(..1)?;
        let form = |notation, squares| {
            self.rewritten(first, Style { notation, squares })
                .into_iter()
                .next()
        };
        Some(Best {
            mv: first.first()?.clone(),
            pdn: form(PDN.notation, PDN.squares)?,
            path: form(Notation::Path, self.style.squares)?,
            hub: form(Notation::Hub, self.style.squares)?,
        })
    }

    /// A line of play in another style.
    fn rewritten(&self, line: &[String], style: Style) -> Vec<String> {
        if style == self.style {
            return line.to_vec();
        }
        with_rules!(self.variant, R => moves::rewrite::<R>(&self.fen, line, style))
    }
}
