//! What holds for all games and for all bytes.

use proptest::prelude::*;
use warcab::board::movegen::legal_moves;
use warcab::board::{Rules, Side, Variant};
use warcab::notation::pdn::{GameResult, PlayedGame, Remark, RemarkKind, Tag};
use warcab::notation::{Notation, Setup, Squares, Style};
use warcab::with_rules;

use super::{game, games};

/// A game of random moves; now and then the position is set up anew.
fn random_game<R: Rules>(choices: &[u16], late: bool) -> PlayedGame {
    let mut start = Setup::start::<R>();
    if late {
        start.board.side = !start.board.side;
        start.suffixes.full_move = Some(7);
    }
    let mut board = start.board;
    let (mut moves, mut remarks) = (Vec::new(), Vec::new());
    for &choice in choices {
        let legal = legal_moves::<R>(&board);
        if choice % 40 == 0 || legal.is_empty() {
            let mut setup = Setup::start::<R>();
            if choice % 3 == 0 {
                setup.board.side = !setup.board.side;
            }
            board = setup.board;
            let ply = moves.len();
            let kind = RemarkKind::SetUp(setup);
            remarks.push(Remark { ply, kind });
        } else {
            let mv = legal[usize::from(choice) % legal.len()];
            board = board.after(&mv);
            moves.push(mv);
        }
    }
    PlayedGame {
        number: 1,
        line: 1,
        variant: R::VARIANT,
        tags: Vec::new(),
        start,
        moves,
        remarks,
        unread: None,
        result: GameResult::Unknown,
        problems: Vec::new(),
    }
}

fn variants() -> impl Strategy<Value = Variant> {
    proptest::sample::select(Variant::ALL.to_vec())
}

fn results() -> impl Strategy<Value = GameResult> {
    use GameResult::*;
    proptest::sample::select(vec![
        WhiteWins,
        Draw,
        BlackWins,
        BothLose,
        Unknown,
        Other("12-8".into()),
    ])
}

fn remark_kinds() -> impl Strategy<Value = RemarkKind> {
    let variations = vec![
        "1. 32-28",
        "a (b {)} (c)) d",
        "{x} 1. 31-26 {[Event \"y\"]}",
        "? !",
    ];
    prop_oneof![
        "\\PC{1,60}".prop_map(RemarkKind::Comment),
        "[\\[\\]%;{}(): a-c\"]{1,90}".prop_map(RemarkKind::Comment),
        any::<u16>().prop_map(RemarkKind::Nag),
        proptest::sample::select(variations).prop_map(|text| RemarkKind::Variation(text.into())),
    ]
}

/// A remark as it reads back: single blanks, no braces in comments; `None` if nothing is left.
fn normal(kind: &RemarkKind) -> Option<RemarkKind> {
    let RemarkKind::Comment(text) = kind else {
        return Some(kind.clone());
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace('{', "(").replace('}', ")");
    (!text.is_empty()).then_some(RemarkKind::Comment(text))
}

fn named(tags: &[Tag]) -> Vec<(&str, &str)> {
    let own = ["Result", "GameType", "SetUp", "FEN"];
    let tags = tags.iter().filter(|tag| !own.contains(&tag.name.as_str()));
    tags.map(|tag| (tag.name.as_str(), tag.value.as_str()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(
        choices in proptest::collection::vec(any::<u16>(), 0..120),
        variant in variants(),
        late in any::<bool>(),
        result in results(),
        remarks in proptest::collection::vec((0usize..130, remark_kinds()), 0..12),
        values in proptest::collection::vec("\\PC{0,30}", 4),
        squares in proptest::sample::select(Squares::ALL.to_vec()),
        notation in proptest::sample::select(Notation::ALL.to_vec()),
    ) {
        let mut written = with_rules!(variant, R => random_game::<R>(&choices, late));
        written.result = result;
        let names = ["Event", "White", "Annotator", "X_1"];
        written.tags = names.iter().zip(&values).map(|(name, value)| Tag {
            name: (*name).into(),
            value: value.clone(),
            line: 0,
        }).collect();
        let plies = written.moves.len();
        written.remarks.extend(remarks.into_iter().map(|(ply, kind)| Remark { ply: ply.min(plies), kind }));
        written.remarks.sort_by_key(|remark| remark.ply);
        let style = Style { notation: notation.0, squares: squares.0 };
        let text = written.write(style);
        let read = game(&text, Variant::default());
        prop_assert_eq!(&read.problems, &[], "{}", text);
        prop_assert_eq!(read.variant, variant);
        prop_assert_eq!(read.start, written.start);
        prop_assert_eq!(&read.moves, &written.moves, "{}", text);
        prop_assert_eq!(&read.result, &written.result);
        prop_assert_eq!(named(&read.tags), named(&written.tags), "{}", text);
        let kept: Vec<Remark> = written.remarks.iter().filter_map(|remark| {
            normal(&remark.kind).map(|kind| Remark { ply: remark.ply, kind })
        }).collect();
        prop_assert_eq!(&read.remarks, &kept, "{}", text);
        prop_assert_eq!(read.write(style), text);
    }

    #[test]
    fn moves_are_written_in_lines_of_80_columns(
        choices in proptest::collection::vec(any::<u16>(), 0..200),
        variant in variants(),
    ) {
        let game = with_rules!(variant, R => random_game::<R>(&choices, false));
        let text = game.plain_moves(Style::default());
        let long = |line: &&str| line.len() > 80 && !line.contains("/FEN");
        prop_assert_eq!(text.lines().find(long), None);
    }

    #[test]
    fn arbitrary_bytes_are_read_to_their_end(bytes in proptest::collection::vec(any::<u8>(), 0..3000), variant in variants()) {
        // The mark of UTF-16, which is refused.
        prop_assume!(!bytes.starts_with(&[0xff, 0xfe]) && !bytes.starts_with(&[0xfe, 0xff]));
        for game in games(&bytes, variant) {
            let text = game.write(Style::default());
            prop_assert_eq!(games(&text, variant).len(), 1, "{}", text);
        }
    }

    #[test]
    fn whatever_is_made_of_the_parts_of_games_reads_back_when_written(
        parts in proptest::collection::vec(proptest::sample::select(PARTS.to_vec()), 0..60),
        variant in variants(),
    ) {
        let soup: String = parts.concat();
        for first in games(&soup, variant) {
            let text = first.write(Style::default());
            let second = game(&text, Variant::default());
            prop_assert!(!second.has_error(), "{soup:?}\n{text}\n{:?}", second.problems);
            prop_assert_eq!(&second.moves, &first.moves, "{:?}\n{}", soup, text);
            prop_assert_eq!(&second.result, &first.result, "{:?}\n{}", soup, text);
            prop_assert_eq!(second.write(Style::default()), text, "{:?}", soup);
        }
    }
}

/// What files are made of.
const PARTS: &[&str] = &[
    "[Event \"a\"]\n",
    "[Result \"2-0\"]\n",
    "[Result \"32-28\"]\n",
    "[White \"",
    "[Result \"",
    "\0",
    "\u{7}",
    "\u{85}",
    "[GameType \"20\"]",
    "[GameType \"25\"]\n",
    "[FEN \"W:WK4:B13,20,32,37\"]\n",
    "[FEN \"B:W18,14:BKc1\"]\n",
    "\"]",
    "\\",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "(?)",
    ";",
    "%",
    "$",
    "$5",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "-",
    "x",
    ":",
    "1.",
    "2...",
    "12",
    "32-28 ",
    " 19-23",
    "28x19",
    "14x23x5",
    "c3-d4 ",
    "f6-g5",
    "11-15 ",
    "4x15",
    "15x24",
    "1-0",
    "1/2-1/2",
    "2-0 ",
    "*",
    "!",
    "/FEN \"W:W32:B28\"/ ",
    "/FEN",
    "é",
    "\u{2013}",
    "\u{a0}",
    "\u{feff}",
    "Game 1 of 3",
    "--",
];

#[test]
fn both_sides_can_begin() {
    for variant in Variant::ALL {
        for late in [false, true] {
            let game = with_rules!(variant, R => random_game::<R>(&[1, 2, 3], late));
            let first = game.start.board.side == Side::White;
            let opens = game.write(Style::default()).contains("\n1. ");
            assert_eq!(opens, first == (variant != Variant::English), "{variant}");
        }
    }
}
