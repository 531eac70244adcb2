//! Writing games in PDN 3.0, strictly: tags one a line, then moves with numbers, comments in braces, the result last.

use crate::board::{Rules, Side, Variant};

/// The columns a line of moves may have.
const WIDTH: usize = 100;

/// A game to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Tags but for Result, GameType and FEN, in order.
    pub tags: Vec<(String, String)>,
    /// The first position as a FEN; `None` for the start position of the set.
    pub fen: Option<String>,
    /// The moves, as the set writes them.
    pub moves: Vec<Move>,
    /// A remark on the end of the game.
    pub remark: Option<String>,
    /// The result from White's side in half points, 0 to 2; `None` while the game goes on.
    pub white_half_points: Option<usize>,
}

/// A move with a remark on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// The move.
    pub text: String,
    /// The remark.
    pub comment: Option<String>,
}

/// The text of a result.
fn result(variant: Variant, white_half_points: Option<usize>) -> &'static str {
    white_half_points
        .and_then(|points| variant.labels().results.get(points))
        .copied()
        .unwrap_or("*")
}

/// Writes a game of a rule set, `first` making the first move; an empty line ends it.
pub fn write<R: Rules>(game: &Game, first: Side) -> String {
    let result = result(R::VARIANT, game.white_half_points);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        text += &format!("[{name} \"{}\"]\n", escaped(value));
    };
    let (before, after) = game.tags.split_at(
        game.tags
            .iter()
            .position(|(name, _)| !is_roster(name))
            .unwrap_or(game.tags.len()),
    );
    before.iter().for_each(|(name, value)| tag(name, value));
    tag("Result", result);
    tag("GameType", R::VARIANT.labels().game_type_tag);
    if let Some(fen) = &game.fen {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    after.iter().for_each(|(name, value)| tag(name, value));
    text.push('\n');

    let mut lines = Lines { text, column: 0 };
    let mut number = 1;
    let mut opens = first == R::FIRST_MOVER;
    let mut numbered = false;
    for mv in &game.moves {
        if opens {
            lines.add(&format!("{number}."));
        } else if !numbered {
            lines.add(&format!("{number}..."));
        }
        numbered = mv.comment.is_none();
        lines.add(&mv.text);
        if let Some(comment) = &mv.comment {
            lines.comment(comment);
        }
        number += usize::from(!opens);
        opens = !opens;
    }
    if let Some(remark) = &game.remark {
        lines.comment(remark);
    }
    lines.add(result);
    lines.text + "\n\n"
}

/// The tags every game has, which come first.
fn is_roster(name: &str) -> bool {
    ["Event", "Site", "Date", "Round", "White", "Black"].contains(&name)
}

/// A tag's value: quotes and backslashes escaped, on one line.
fn escaped(value: &str) -> String {
    value
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => [Some('\\'), Some(c)],
            c if c.is_control() => [Some(' '), None],
            c => [Some(c), None],
        })
        .flatten()
        .collect()
}

/// Lines of words, broken before they grow too long.
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn add(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + length <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text += word;
        self.column += length;
    }

    /// A comment, which must not hold a brace of its own.
    fn comment(&mut self, text: &str) {
        let text: String = text
            .chars()
            .map(|c| match c {
                '{' => '(',
                '}' => ')',
                c if c.is_control() => ' ',
                c => c,
            })
            .collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        for (index, word) in words.iter().enumerate() {
            let open = if index == 0 { "{" } else { "" };
            let close = if index + 1 == words.len() { "}" } else { "" };
            self.add(&format!("{open}{word}{close}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{English, International, Russian};

    fn game(moves: &[(&str, &str)], white_half_points: Option<usize>) -> Game {
        let moves = moves.iter().map(|(text, comment)| Move {
            text: (*text).into(),
            comment: (!comment.is_empty()).then(|| (*comment).into()),
        });
        Game {
            moves: moves.collect(),
            white_half_points,
            ..Game::default()
        }
    }

    #[test]
    fn a_game_with_comments() {
        let mut game = game(
            &[("32-28", ""), ("19x23", "a {b}\nc"), ("28x19", "")],
            Some(0),
        );
        game.tags = vec![
            ("Event", "a \"b\""),
            ("White", "A\\B"),
            ("Termination", "normal"),
        ]
        .into_iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
        game.remark = Some("White resigns".into());
        assert_eq!(
            write::<International>(&game, Side::White),
            "[Event \"a \\\"b\\\"\"]\n[White \"A\\\\B\"]\n[Result \"0-2\"]\n[GameType \"20,W,10,10,N2,0\"]\n\
             [Termination \"normal\"]\n\n\
             1. 32-28 19x23 {a (b) c} 2. 28x19 {White resigns} 0-2\n\n"
        );
    }

    #[test]
    fn the_set_decides_who_opens_and_how_results_look() {
        let text = write::<English>(&game(&[("11-15", ""), ("22-18", "")], Some(1)), Side::Black);
        assert!(text.ends_with("1. 11-15 22-18 1/2-1/2\n\n"), "{text}");
        let mut late = game(&[("22-18", "x"), ("15x22", ""), ("25x18", "")], None);
        late.fen = Some("W:W22:B11".into());
        let text = write::<English>(&late, Side::White);
        assert!(
            text.contains("[SetUp \"1\"]\n[FEN \"W:W22:B11\"]\n"),
            "{text}"
        );
        assert!(
            text.ends_with("1... 22-18 {x} 2. 15x22 25x18 *\n\n"),
            "{text}"
        );
        let text = write::<Russian>(&game(&[], Some(2)), Side::White);
        assert!(text.ends_with("\n\n1-0\n\n"), "{text}");
    }

    #[test]
    fn lines_are_not_too_long() {
        let moves = vec![("32-28", "a comment of some words"); 60];
        let text = write::<International>(&game(&moves, None), Side::White);
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        assert!(text.lines().count() > 10);
    }
}
