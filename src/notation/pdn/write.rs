//! Writing games in PDN 3.0, strictly: tags one a line, then moves with numbers, comments in braces, the result last.

use super::GameResult;
use crate::board::variant::SquareStyle;
use crate::board::{Rules, Side, Variant};
use crate::notation::Squares;

/// The columns a line of moves has at most; only a single word longer than that makes a longer one.
const WIDTH: usize = 80;

/// The tags that come first, in this order; Result, GameType, SetUp and FEN follow them.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// A game to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Tags but for Result, GameType, SetUp and FEN; of those with one name the first is written.
    pub tags: Vec<(String, String)>,
    /// The first position as a FEN; `None` for the start position of the set.
    pub fen: Option<String>,
    /// The side that makes the first move.
    pub first: Side,
    /// The moves, as the set writes them, and what is said of them.
    pub items: Vec<Item>,
    /// The result.
    pub result: GameResult,
}

/// Something among the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A move.
    Move(String),
    /// A comment; braces in it are written as parentheses.
    Comment(String),
    /// A glyph by its number.
    Nag(u16),
    /// A variation without its parentheses; written as a comment where its own brackets do not pair.
    Variation(String),
    /// A FEN from which the moves go on, and the side to move in it.
    SetUp(String, Side),
}

/// The value of the tag GameType of a set whose squares are written so.
fn game_type<R: Rules>(squares: Squares) -> String {
    let labels = R::VARIANT.labels();
    let style = squares.style::<R>();
    if style == labels.squares {
        return labels.game_type_tag.to_owned();
    }
    // The letter of the style, and the corner of square 1 or a1 as the side sees it that begins.
    let black = R::FIRST_MOVER == Side::Black;
    let notation = match style {
        SquareStyle::Algebraic if black => "A3",
        SquareStyle::Algebraic => "A0",
        SquareStyle::Numeric if black => "N1",
        SquareStyle::Numeric => "N2",
    };
    let fields = labels.game_type_tag.split(',').enumerate();
    let fields = fields.map(|(index, field)| if index == 4 { notation } else { field });
    fields.collect::<Vec<_>>().join(",")
}

/// Writes a game of a rule set; an empty line ends it. `squares` are those its moves are written with.
pub fn write<R: Rules>(game: &Game, squares: Squares) -> String {
    let mut text = tags(game, R::VARIANT, &game_type::<R>(squares));
    text.push('\n');
    let mut lines = Lines { text, column: 0 };
    let mut number = 1;
    let mut opens = game.first == R::FIRST_MOVER;
    let mut numbered = false;
    for item in &game.items {
        let before = lines.text.len();
        match item {
            Item::Move(text) => {
                if opens {
                    lines.add(&format!("{number}."));
                } else if !numbered {
                    lines.add(&format!("{number}..."));
                }
                lines.add(text);
                number += usize::from(!opens);
                opens = !opens;
            }
            Item::Comment(text) => lines.comment(text),
            Item::Nag(nag) => lines.add(&format!("${nag}")),
            Item::Variation(text) if is_sound(text) => lines.bracketed('(', text, ')'),
            Item::Variation(text) => lines.comment(text),
            Item::SetUp(fen, side) => {
                lines.add(&format!("/FEN \"{}\"/", fen.replace(['"', '/'], "")));
                let next = *side == R::FIRST_MOVER;
                number += usize::from(next && !opens);
                opens = next;
            }
        }
        // After anything but a move and its glyphs the second side's move has its number again.
        numbered = match item {
            Item::Move(_) => true,
            Item::Nag(_) => numbered,
            _ => numbered && lines.text.len() == before,
        };
    }
    lines.add(game.result.terminator(R::VARIANT));
    lines.text + "\n\n"
}

/// The lines of the tags.
fn tags(game: &Game, variant: Variant, game_type: &str) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        text += &format!("[{name} \"{}\"]\n", escaped(value));
    };
    for name in ROSTER {
        if let Some((_, value)) = game.tags.iter().find(|(other, _)| other == name) {
            tag(name, value);
        }
    }
    tag("Result", game.result.tag(variant));
    tag("GameType", game_type);
    if let Some(fen) = &game.fen {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    for (index, (name, value)) in game.tags.iter().enumerate() {
        let mut before = game.tags.iter().take(index);
        if !ROSTER.contains(&name.as_str()) && !before.any(|(other, _)| other == name) {
            tag(name, value);
        }
    }
    text
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

/// Whether a variation can stand in parentheses: its own brackets pair, and it has no comment to the end of a line.
fn is_sound(variation: &str) -> bool {
    let (mut depth, mut in_comment) = (0usize, false);
    for c in variation.chars() {
        match c {
            '{' if !in_comment => in_comment = true,
            '}' if in_comment => in_comment = false,
            _ if in_comment => {}
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' | '}' | ';' => return false,
            _ => {}
        }
    }
    // Marks alone in parentheses are no variation.
    let only_marks = variation
        .trim_matches(is_gap)
        .chars()
        .all(|c| matches!(c, '!' | '?' | '*'));
    depth == 0 && !in_comment && !only_marks
}

/// Whether a character only stands between words.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || c.is_control()
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
        // At the start of a line these would begin a tag or an escaped line, even in a comment.
        if self.column == 0 && word.starts_with(['[', '%']) {
            self.text.push(' ');
            self.column = 1;
        }
        self.text += word;
        self.column += length;
    }

    /// A comment, which must not hold a brace of its own.
    fn comment(&mut self, text: &str) {
        let replaced = |c| match c {
            '{' => '(',
            '}' => ')',
            c => c,
        };
        let text: String = text.chars().map(replaced).collect();
        self.bracketed('{', &text, '}');
    }

    /// Words in brackets; nothing if there are none.
    fn bracketed(&mut self, open: char, text: &str, close: char) {
        let mut words = text
            .split(is_gap)
            .filter(|word| !word.is_empty())
            .peekable();
        let mut begins = true;
        while let Some(word) = words.next() {
            let mut piece = String::with_capacity(word.len() + 2);
            piece.extend(begins.then_some(open));
            piece += word;
            piece.extend(words.peek().is_none().then_some(close));
            self.add(&piece);
            begins = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{English, International, Russian};

    fn game(moves: &[(&str, &str)], result: GameResult, first: Side) -> Game {
        let items = moves.iter().flat_map(|(text, comment)| {
            let comment = (!comment.is_empty()).then(|| Item::Comment((*comment).into()));
            std::iter::once(Item::Move((*text).into())).chain(comment)
        });
        Game {
            tags: Vec::new(),
            fen: None,
            first,
            items: items.collect(),
            result,
        }
    }

    fn text<R: Rules>(game: &Game) -> String {
        write::<R>(game, Squares::Native)
    }

    #[test]
    fn a_game_with_comments() {
        let moves = [("32-28", ""), ("19x23", "a {b}\nc"), ("28x19", "")];
        let mut game = game(&moves, GameResult::BlackWins, Side::White);
        game.tags = vec![
            ("Termination", "normal"),
            ("White", "A\\B"),
            ("Event", "a \"b\""),
            ("Event", "again"),
        ]
        .into_iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
        game.items.push(Item::Comment("White resigns".into()));
        assert_eq!(
            text::<International>(&game),
            "[Event \"a \\\"b\\\"\"]\n[White \"A\\\\B\"]\n[Result \"0-2\"]\n[GameType \"20,W,10,10,N2,0\"]\n\
             [Termination \"normal\"]\n\n\
             1. 32-28 19x23 {a (b) c} 2. 28x19 {White resigns} 0-2\n\n"
        );
    }

    #[test]
    fn the_set_decides_who_opens_and_how_results_look() {
        let moves = [("11-15", ""), ("22-18", "")];
        let written = text::<English>(&game(&moves, GameResult::Draw, Side::Black));
        assert!(written.ends_with("1. 11-15 22-18 1/2-1/2\n\n"), "{written}");
        let moves = [("22-18", "x"), ("15x22", ""), ("25x18", "")];
        let mut late = game(&moves, GameResult::Unknown, Side::White);
        late.fen = Some("W:W22:B11".into());
        let written = text::<English>(&late);
        assert!(
            written.contains("[SetUp \"1\"]\n[FEN \"W:W22:B11\"]\n"),
            "{written}"
        );
        assert!(
            written.ends_with("1... 22-18 {x} 2. 15x22 25x18 *\n\n"),
            "{written}"
        );
        let written = text::<Russian>(&game(&[], GameResult::WhiteWins, Side::White));
        assert!(written.ends_with("\n\n1-0\n\n"), "{written}");
        let other = GameResult::Other("12-8".into());
        let written = text::<International>(&game(&[], other, Side::White));
        assert!(
            written.contains("[Result \"12-8\"]") && written.ends_with("\n\n*\n\n"),
            "{written}"
        );
    }

    #[test]
    fn the_game_type_says_how_squares_are_written() {
        assert_eq!(game_type::<Russian>(Squares::Native), "25,W,8,8,A0,0");
        assert_eq!(game_type::<Russian>(Squares::Numeric), "25,W,8,8,N2,0");
        assert_eq!(game_type::<English>(Squares::Algebraic), "21,B,8,8,A3,0");
    }

    #[test]
    fn glyphs_variations_and_set_ups_keep_the_numbers_right() {
        let mut game = game(&[], GameResult::Unknown, Side::White);
        let mv = |text: &str| Item::Move(text.into());
        game.items = vec![
            mv("32-28"),
            Item::Nag(1),
            mv("19-23"),
            mv("28x19"),
            Item::Variation("2. 28x19 {or not} (x)".into()),
            mv("14x23"),
            Item::SetUp("B:W31:B20".into(), Side::Black),
            mv("20-25"),
            mv("31-27"),
            Item::Variation("a ) b".into()),
            Item::Variation("\0*".into()),
        ];
        let written = text::<International>(&game);
        assert!(
            written.replace('\n', " ").ends_with(
                "1. 32-28 $1 19-23 2. 28x19 (2. 28x19 {or not} (x)) 2... 14x23 /FEN \"B:W31:B20\"/ \
                 3... 20-25 4. 31-27 {a ) b} {*} *  "
            ),
            "{written}"
        );
    }

    #[test]
    fn lines_are_not_too_long() {
        let moves = vec![("32-28", "a comment of some [Event \"x\"] words"); 60];
        let written = text::<International>(&game(&moves, GameResult::Unknown, Side::White));
        assert!(written.lines().all(|line| line.len() <= WIDTH));
        assert!(written.lines().count() > 10);
        let moves = written.split_once("\n\n").map(|(_, moves)| moves);
        assert!(moves.is_some_and(|m| !m.lines().any(|l| l.starts_with('['))));
    }
}
