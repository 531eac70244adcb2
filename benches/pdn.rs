//! Reading PDN: cutting a stream into games, and replaying them by the rules; the items are bytes. The text is games of random
//! moves, written as games of matches are, with and without comments.

use divan::Bencher;
use divan::counter::BytesCount;

use warcab::board::movegen::legal_moves;
use warcab::board::{Board, Rules, Variant};
use warcab::notation::moves::write as write_move;
use warcab::notation::pdn::{Game, GameResult, Item, RawGame, Reader, play, write};
use warcab::notation::{Squares, Style};
use warcab::with_rules;

fn main() {
    divan::main();
}

/// The games of a text.
const GAMES: usize = 500;

/// Games of at most 100 random plies.
fn text<R: Rules>(comments: bool) -> String {
    let mut random = fastrand::Rng::with_seed(1);
    let mut text = String::new();
    for number in 0..GAMES {
        let mut board = Board::start::<R>();
        let mut items = Vec::new();
        for _ in 0..100 {
            let legal = legal_moves::<R>(&board);
            let Some(mv) = random.choice(&legal) else {
                break;
            };
            items.push(Item::Move(write_move::<R>(&board, mv, Style::default())));
            if comments {
                let comment = "+0.31/14 0.020s 41822n clk 8.250s";
                items.push(Item::Comment(comment.into()));
            }
            board = board.after(mv);
        }
        let tag = |name: &str, value: &str| (name.to_owned(), format!("{value} {number}"));
        text += &write::<R>(
            &Game {
                tags: vec![
                    tag("Event", "A match"),
                    tag("White", "Somebody"),
                    tag("Black", "Somebody else"),
                ],
                fen: None,
                first: R::FIRST_MOVER,
                items,
                result: GameResult::Draw,
            },
            Squares::Native,
        );
    }
    text
}

fn texts(variant: Variant) -> [String; 2] {
    with_rules!(variant, R => [text::<R>(false), text::<R>(true)])
}

/// Reads all games and replays them if wanted; the number of moves, or of words.
fn read(text: &str, replays: bool) -> usize {
    let mut reader = Reader::new(text.as_bytes());
    let mut raw = RawGame::default();
    let mut count = 0;
    while reader.read(&mut raw).expect("it is read") {
        count += if replays {
            play(&raw, Variant::default()).moves.len()
        } else {
            raw.tokens.len()
        };
    }
    count
}

#[divan::bench(args = Variant::ALL)]
fn cut(bencher: Bencher, variant: Variant) {
    let [plain, _] = texts(variant);
    let bytes = BytesCount::of_str(&plain);
    bencher.counter(bytes).bench(|| read(&plain, false));
}

#[divan::bench(args = Variant::ALL)]
fn cut_and_replay(bencher: Bencher, variant: Variant) {
    let [plain, _] = texts(variant);
    let bytes = BytesCount::of_str(&plain);
    bencher.counter(bytes).bench(|| read(&plain, true));
}

#[divan::bench(args = Variant::ALL)]
fn cut_and_replay_with_comments(bencher: Bencher, variant: Variant) {
    let [_, commented] = texts(variant);
    let bytes = BytesCount::of_str(&commented);
    bencher.counter(bytes).bench(|| read(&commented, true));
}
