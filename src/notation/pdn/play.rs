//! Replays a game by the rules of its set: its set, its first position, its moves and what is said between them.

use super::played::{PlayedGame, Remark, RemarkKind};
use super::problem::{Finding, Problem};
use super::replay::{Act, Replay, Step};
use super::{GameResult, RawGame, Token, TokenKind};
use crate::board::{Move, Rules, Variant};
use crate::notation::moves::is_separator;
use crate::notation::{Setup, excerpt, fen};
use crate::with_rules;

/// Replays a game; `default` is its set if it does not say.
///
/// What cannot be read is a problem of the game, and its moves up to there are kept.
pub fn play(raw: &RawGame, default: Variant) -> PlayedGame {
    let (variant, unknown) = match variant_of(raw, default) {
        Ok(variant) => (variant, None),
        Err(problem) => (default, Some(problem)),
    };
    let known = unknown.is_none();
    let mut game = with_rules!(variant, R => {
        if known { replay::<R>(raw) } else {
            let mut game = PlayedGame::new(raw, variant, Setup::start::<R>());
            game.unread = rest_of(raw, 0);
            game
        }
    });
    game.problems.extend(unknown);
    for problem in &mut game.problems {
        if let Finding::Move { fitting, .. } = &mut problem.finding {
            *fitting = fitting_sets(raw, variant);
        }
    }
    settle_result(raw, &mut game);
    game.problems.sort_by_key(|problem| problem.line);
    game
}

/// The set of a game by its tag.
fn variant_of(raw: &RawGame, default: Variant) -> Result<Variant, Problem> {
    let Some(tag) = raw.tag("GameType") else {
        return Ok(default);
    };
    let value = tag.value.trim();
    if value.is_empty() || value == "?" {
        return Ok(default);
    }
    let rest = value.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = value.get(..value.len() - rest.len()).unwrap_or_default();
    let variant = match number.parse() {
        Ok(number) => Variant::from_game_type(number),
        Err(_) => Variant::from_name(value),
    };
    variant.ok_or_else(|| Problem {
        line: tag.line,
        finding: Finding::GameType(excerpt(value.chars())),
    })
}

/// The sets but `variant` by whose rules all moves of the game are legal.
fn fitting_sets(raw: &RawGame, variant: Variant) -> Vec<Variant> {
    let others = Variant::ALL.into_iter().filter(|v| *v != variant);
    others
        .filter(|&other| {
            let game = with_rules!(other, R => replay::<R>(raw));
            game.unread.is_none() && !game.moves.is_empty()
        })
        .collect()
}

/// The result is that of the last word, or the tag's if that says nothing.
fn settle_result(raw: &RawGame, game: &mut PlayedGame) {
    let tag = raw.tag("Result");
    let said = tag.map_or(GameResult::Unknown, |tag| GameResult::read(&tag.value));
    match &raw.end {
        None | Some(GameResult::Unknown) => game.result = said,
        Some(end) => {
            if let Some(tag) = tag.filter(|_| said != GameResult::Unknown && said != *end) {
                game.problems.push(Problem {
                    line: tag.line,
                    finding: Finding::Results {
                        tag: excerpt(tag.value.chars()),
                        end: end.tag(game.variant).to_owned(),
                    },
                });
            }
            game.result = end.clone();
        }
    }
}

fn replay<R: Rules>(raw: &RawGame) -> PlayedGame {
    let start = match start_of::<R>(raw) {
        Ok(start) => start,
        Err(problem) => {
            let mut game = PlayedGame::new(raw, R::VARIANT, Setup::start::<R>());
            game.unread = rest_of(raw, 0);
            game.problems.push(problem);
            return game;
        }
    };
    let replayed = Replay::<R>::new(raw, start).run();
    let mut game = PlayedGame::new(raw, R::VARIANT, start);
    game.problems.extend(replayed.problems);
    fill(raw, &replayed.steps, replayed.stop, &mut game);
    game
}

/// The first position, by the tag FEN, or by SetUp where that has one.
fn start_of<R: Rules>(raw: &RawGame) -> Result<Setup, Problem> {
    let set_up = || raw.tag("SetUp").filter(|tag| tag.value.contains(':'));
    let tag = raw.tag("FEN").or_else(set_up);
    let Some(tag) = tag.filter(|tag| !tag.value.trim().is_empty()) else {
        return Ok(Setup::start::<R>());
    };
    fen::parse::<R>(&tag.value).map_err(|error| Problem {
        line: tag.line,
        finding: Finding::Fen(error),
    })
}

/// Fills in what the steps say, and the remarks between them; `stop` is the first token that is not read.
fn fill(raw: &RawGame, steps: &[Step], stop: Option<usize>, game: &mut PlayedGame) {
    let end = stop.unwrap_or(raw.tokens.len());
    let mut signs = (0, None);
    let mut steps = steps.iter().peekable();
    for (index, token) in raw.tokens.iter().enumerate().take(end) {
        if let Some(step) = steps.next_if(|step| step.token == index) {
            match step.act {
                Act::Move(mv) => {
                    if has_wrong_sign(raw.text(token), &mv) {
                        signs = (signs.0 + 1, signs.1.or(Some(token)));
                    }
                    game.moves.push(mv);
                }
                Act::SetUp(setup) => {
                    let (ply, kind) = (game.moves.len(), RemarkKind::SetUp(setup));
                    game.remarks.push(Remark { ply, kind });
                }
                Act::Nothing => {}
            }
        }
        if let Some(kind) = remark(raw, token) {
            let ply = game.moves.len();
            game.remarks.push(Remark { ply, kind });
        }
    }
    if let (count, Some(token)) = signs {
        game.problems.push(Problem {
            line: token.line,
            finding: Finding::Signs {
                count,
                first: excerpt(raw.text(token).chars()),
            },
        });
    }
    game.unread = stop.and_then(|stop| rest_of(raw, stop));
}

fn remark(raw: &RawGame, token: &Token) -> Option<RemarkKind> {
    let text = raw.text(token);
    match token.kind {
        TokenKind::Word | TokenKind::SetUp => None,
        TokenKind::Comment => Some(RemarkKind::Comment(text.to_owned())),
        TokenKind::Variation => Some(RemarkKind::Variation(text.to_owned())),
        TokenKind::Nag => text.parse().ok().map(RemarkKind::Nag),
    }
}

/// Whether a capture has the sign of a quiet move, or the other way round.
fn has_wrong_sign(text: &str, mv: &Move) -> bool {
    let sign = text.chars().find(|&c| is_separator(c));
    sign.is_some_and(|sign| matches!(sign, 'x' | 'X' | ':' | '×' | '✕') != mv.is_capture())
}

/// The tokens from `stop` on as text; `None` if there are none.
fn rest_of(raw: &RawGame, stop: usize) -> Option<String> {
    let mut rest = String::new();
    for token in raw.tokens.iter().skip(stop) {
        let text = raw.text(token);
        if !rest.is_empty() {
            rest.push(' ');
        }
        match token.kind {
            TokenKind::Word => rest += text,
            TokenKind::Comment => rest.extend(["{", text, "}"]),
            TokenKind::Variation => rest.extend(["(", text, ")"]),
            TokenKind::Nag => rest.extend(["$", text]),
            TokenKind::SetUp => rest.extend(["/FEN \"", text, "\"/"]),
        }
    }
    (!rest.is_empty()).then_some(rest)
}
