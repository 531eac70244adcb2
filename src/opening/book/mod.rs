//! Opening books: how they are kept, what they know of a position ([`Book`]), how they grow ([`grow`]) and whether they are
//! sound ([`inspect`]).
//!
//! A book is a list of positions with a score each, from the side to move. Moves are not kept: that of a legal move is the
//! score of the position after it with the sign changed. A position is *known* if all of its legal moves lead to positions
//! of the book; only then the best of them is certain to be among them, and only then the book is asked for a move. The
//! score of a known position is that of its best move, so scores are backed up from the ends of the lines, which were searched.
//!
//! In the envelope of [`crate::sealed`] with the mark `WARCABBK`, numbers little-endian, lie the number of positions (u32)
//! and for each, in ascending order of its [`key()`], the key (u64) and the score (i16). Positions are found by their key
//! alone; that a position which is not in the book has the key of one that is, is next to impossible, and that all those
//! after its moves have, even more so.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod games;
mod grow;
mod key;
mod tree;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fastrand::Rng;

use crate::board::movegen::legal_moves;
use crate::board::{Board, Move, Rules, Variant};
use crate::part;
use crate::per_set::PerSet;
use crate::sealed::{self, Kind, Reason};
use crate::search::Value;
use crate::search::score::EVAL_LIMIT;

pub use games::Games;
pub use grow::{Enough, GrowError, Progress, Recipe, grow};
pub use key::key;
pub use tree::{Summary, inspect};

/// Files of books.
const KIND: Kind = Kind {
    mark: "WARCABBK",
    version: 1,
};

/// Bytes of an entry: key and score.
const ENTRY: usize = 10;

/// The score of a won position; that of a lost one has the other sign.
pub const WON: Value = EVAL_LIMIT;

/// A side that is no worse than this, in hundredths of a man, has kept the balance. As moves that lose something must, no number
/// of them adds up to more.
pub const EVEN: Value = 20;

/// The name of the book that the program embeds for a set.
pub const EMBEDDED: &str = "<embedded>";

macro_rules! embedded {
    ($name:literal) => {
        include_bytes!(concat!("../../../openings/", $name, ".book"))
    };
}
/// The files of the books that are embedded, by set.
const FILES: [&[u8]; Variant::ALL.len()] = crate::board::variant::for_each_name!(embedded);

/// The books that are embedded.
static BOOKS: PerSet = PerSet::new();

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("book {}: {reason}", file.display())]
pub struct BookError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: Reason,
}

/// A move that a book knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its score from the side that makes it.
    pub score: Value,
    /// How much less that is than the best move's.
    pub loss: Value,
}

impl BookMove {
    /// How often it is chosen within a margin, against other moves: the less it loses, the more often. A move that loses
    /// something must keep the balance.
    pub fn weight(&self, margin: Value) -> u32 {
        if self.loss > 0 && self.score < -EVEN {
            return 0;
        }
        let within = margin.saturating_sub(self.loss).saturating_add(1);
        u32::try_from(within).unwrap_or(0)
    }
}

/// A book of one rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    variant: Variant,
    /// Keys and scores, in ascending order of the keys.
    entries: Vec<(u64, i16)>,
}

impl Book {
    /// A book of keys and scores, which may come in any order; of equal keys the first one counts.
    fn new(variant: Variant, mut entries: Vec<(u64, i16)>) -> Self {
        entries.sort_by_key(|(key, _)| *key);
        entries.dedup_by_key(|(key, _)| *key);
        Self { variant, entries }
    }

    /// The book that is embedded for a set.
    pub fn embedded(variant: Variant) -> Arc<Book> {
        BOOKS.get(variant, || {
            // A test reads all of them.
            let file = FILES.get(variant.place()).copied().unwrap_or_default();
            Book::from_bytes(file, variant).unwrap_or_else(|_| Book::new(variant, Vec::new()))
        })
    }

    /// Reads [`EMBEDDED`] (also without its brackets, or nothing) or the name of a file for a set.
    ///
    /// # Errors
    ///
    /// Why the file cannot be used.
    pub fn read(text: &str, variant: Variant) -> Result<Arc<Book>, BookError> {
        match text {
            "" | "embedded" | EMBEDDED => Ok(Self::embedded(variant)),
            file => Self::load(file.as_ref(), variant).map(Arc::new),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Why the file cannot be used.
    pub fn load(file: &Path, variant: Variant) -> Result<Book, BookError> {
        let read = std::fs::read(file).map_err(Reason::from);
        read.and_then(|bytes| Self::from_bytes(&bytes, variant))
            .map_err(|reason| BookError {
                file: file.to_owned(),
                reason,
            })
    }

    /// Writes a file; an old one is replaced only once the new one is complete.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn save(&self, file: &Path) -> Result<(), BookError> {
        part::write(file, &self.to_bytes()).map_err(|error| BookError {
            file: file.to_owned(),
            reason: error.into(),
        })
    }

    /// The content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let mut content = count.to_le_bytes().to_vec();
        for (key, score) in &self.entries {
            content.extend(key.to_le_bytes());
            content.extend(score.to_le_bytes());
        }
        sealed::seal(KIND, self.variant, &content)
    }

    /// The book in the content of a file.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn from_bytes(bytes: &[u8], variant: Variant) -> Result<Book, Reason> {
        let complain = |what: String| Reason::Content(what);
        let content = sealed::open(KIND, variant, bytes)?;
        let (count, rest) = content
            .split_first_chunk()
            .ok_or_else(|| complain("the number of positions is missing".into()))?;
        let count = u32::from_le_bytes(*count) as usize;
        if count.checked_mul(ENTRY) != Some(rest.len()) {
            let found = rest.len();
            let what = format!("{found} bytes are no {count} positions of {ENTRY} bytes each");
            return Err(complain(what));
        }
        let mut entries: Vec<(u64, i16)> = Vec::with_capacity(count);
        for entry in rest.chunks_exact(ENTRY) {
            let parts = entry.split_first_chunk().zip(entry.last_chunk());
            let Some(((key, _), score)) = parts else {
                return Err(complain("a position is cut off".into()));
            };
            let (key, score) = (u64::from_le_bytes(*key), i16::from_le_bytes(*score));
            if entries.last().is_some_and(|(last, _)| *last >= key) {
                let number = entries.len() + 1;
                return Err(complain(format!("position {number} is out of order")));
            }
            if Value::from(score).abs() > WON {
                let what = format!("the score {score} lies beyond {WON}");
                return Err(complain(what));
            }
            entries.push((key, score));
        }
        Ok(Book { variant, entries })
    }

    /// The rule set.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The score of a position from its side to move.
    pub fn score<R: Rules>(&self, board: &Board) -> Option<Value> {
        self.score_of(key::<R>(board))
    }

    /// The score of the position with a key.
    fn score_of(&self, key: u64) -> Option<Value> {
        let place = self.entries.binary_search_by_key(&key, |(key, _)| *key);
        let (_, score) = self.entries.get(place.ok()?)?;
        Some((*score).into())
    }

    /// All legal moves of a known position, the best first; of others, and of positions without a move, nothing.
    pub fn moves<R: Rules>(&self, board: &Board) -> Vec<BookMove> {
        let legal = legal_moves::<R>(board);
        let scored = legal
            .iter()
            .map(|mv| Some((*mv, -self.score::<R>(&board.after(mv))?)));
        let scored: Option<Vec<(Move, Value)>> = scored.collect();
        let mut scored = scored.unwrap_or_default();
        // Equal ones in an order of their own, not in that of the generator.
        scored.sort_by_key(|(mv, score)| (-score, mv.from, mv.to, mv.captured));
        let best = scored.first().map_or(0, |(_, score)| *score);
        let known = |(mv, score)| BookMove {
            mv,
            score,
            loss: best - score,
        };
        scored.into_iter().map(known).collect()
    }

    /// A move of a known position, at random among those that lose at most `margin` hundredths of a man against the best and
    /// keep the balance ([`EVEN`]), the less they lose the likelier.
    pub fn choose<R: Rules>(
        &self,
        board: &Board,
        margin: Value,
        rng: &mut Rng,
    ) -> Option<BookMove> {
        let moves = self.moves::<R>(board);
        let weight = |known: &BookMove| known.weight(margin.max(0));
        let total: u32 = moves.iter().map(weight).sum();
        let mut rest = rng.u32(0..total.max(1));
        moves.into_iter().find(|known| {
            let found = rest < weight(known);
            rest = rest.saturating_sub(weight(known));
            found
        })
    }

    /// The best moves from a position on, as far as it is known, at most so many.
    pub fn line<R: Rules>(&self, board: &Board, most: usize) -> Vec<Move> {
        let mut board = *board;
        let best = || {
            let known = *self.moves::<R>(&board).first()?;
            board = board.after(&known.mv);
            Some(known.mv)
        };
        std::iter::from_fn(best).take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{International, Turkish};
    use crate::with_rules;

    /// A book that knows the start, in which the n-th move of the generator loses n hundredths of a man.
    fn sample<R: Rules>() -> Book {
        let start = Board::start::<R>();
        let mut entries = vec![(key::<R>(&start), 0)];
        for (loss, mv) in (0..).zip(legal_moves::<R>(&start)) {
            entries.push((key::<R>(&start.after(&mv)), loss));
        }
        Book::new(R::VARIANT, entries)
    }

    #[test]
    fn what_is_written_is_read_again() {
        for variant in Variant::ALL {
            let book = with_rules!(variant, R => sample::<R>());
            let bytes = book.to_bytes();
            assert_eq!(Book::from_bytes(&bytes, variant).unwrap(), book);
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("a.book");
            book.save(&file).unwrap();
            assert_eq!(Book::load(&file, variant).unwrap(), book);
        }
    }

    #[test]
    fn every_damage_is_told_with_the_file() {
        let book = sample::<International>();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bad.book");
        let refusal = |bytes: &[u8], variant| {
            std::fs::write(&file, bytes).unwrap();
            let error = Book::load(&file, variant).unwrap_err().to_string();
            assert!(
                error.starts_with("book ") && error.contains("bad.book: "),
                "{error}"
            );
            error
        };
        let own = Variant::International;
        let bytes = book.to_bytes();
        for length in 0..bytes.len() {
            let told = format!("cut off after {length} bytes");
            assert!(refusal(&bytes[..length], own).ends_with(&told));
        }
        // Behind mark, version and length every bit is under the checksum.
        for at in 14..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << (at % 8);
            assert!(refusal(&bytes, own).contains("checksum"), "byte {at}");
        }
        let long = [&bytes[..], &[0]].concat();
        assert!(refusal(&long, own).contains("checksum"));
        assert!(refusal(b"#!/bin/sh and more", own).contains("WARCABBK"));
        assert!(refusal(&bytes, Variant::Russian).contains("for international, expected russian"));
        let mut old = bytes.clone();
        old[8] += 1;
        assert!(refusal(&old, own).contains("version 2, expected 1"));
        // Well-formed files whose content makes no sense.
        let content = |content: &[u8]| refusal(&sealed::seal(KIND, own, content), own);
        assert!(content(&[1]).contains("number of positions is missing"));
        assert!(content(&[1, 0, 0, 0, 7]).contains("1 bytes are no 1 positions"));
        let entry = |key: u64, score: i16| [&key.to_le_bytes()[..], &score.to_le_bytes()].concat();
        let two = |first: Vec<u8>, second| content(&[vec![2, 0, 0, 0], first, second].concat());
        assert!(two(entry(5, 0), entry(5, 0)).contains("position 2 is out of order"));
        assert!(two(entry(5, 0), entry(6, 20_001)).contains("20001 lies beyond"));
        let missing = Book::load(&folder.path().join("none.book"), own).unwrap_err();
        assert!(missing.to_string().contains("none.book"), "{missing}");
    }

    #[test]
    fn moves_are_chosen_within_the_margin_and_the_better_ones_more_often() {
        let book = sample::<International>();
        let start = Board::start::<International>();
        let moves = book.moves::<International>(&start);
        assert_eq!(moves.len(), 9);
        assert!(moves.is_sorted_by_key(|known| known.loss));
        let draw = |margin, seed| {
            let mut rng = Rng::with_seed(seed);
            let mut counts = vec![0; moves.len()];
            for _ in 0..2000 {
                let chosen = book.choose::<International>(&start, margin, &mut rng);
                let chosen = chosen.unwrap();
                counts[moves.iter().position(|known| *known == chosen).unwrap()] += 1;
            }
            counts
        };
        let none = draw(0, 1);
        assert_eq!(none[0], 2000, "the best one only");
        let some = draw(3, 1);
        assert!(some[4..].iter().all(|&count| count == 0), "{some:?}");
        // Weights 4, 3, 2 and 1.
        assert!(some[..4].is_sorted_by(|a, b| a > b), "{some:?}");
        assert!((120..280).contains(&some[3]), "{some:?}");
        assert_eq!(some, draw(3, 1), "by the seed alone");
        assert_ne!(some, draw(3, 2));
    }

    #[test]
    fn moves_that_lose_the_balance_are_left_out_but_for_the_best() {
        let known = |score, loss| {
            let start = Board::start::<International>();
            let mv = legal_moves::<International>(&start)[0];
            BookMove { mv, score, loss }.weight(10)
        };
        assert_eq!((known(-20, 10), known(-21, 10), known(-21, 1)), (1, 0, 0));
        assert_eq!((known(-500, 0), known(5, 11)), (11, 0));
    }

    #[test]
    fn a_position_is_known_if_all_its_moves_are() {
        let mut book = sample::<International>();
        let start = Board::start::<International>();
        assert_eq!(book.line::<International>(&start, 9).len(), 1);
        let after = start.after(&book.moves::<International>(&start)[3].mv);
        assert_eq!(book.score::<International>(&after), Some(3));
        let gone = key::<International>(&after);
        book.entries.retain(|(key, _)| *key != gone);
        assert!(book.moves::<International>(&start).is_empty());
        let mut rng = Rng::with_seed(1);
        assert_eq!(book.choose::<International>(&start, 100, &mut rng), None);
        // Another set's positions are none of the book's.
        assert!(book.moves::<Turkish>(&Board::start::<Turkish>()).is_empty());
    }
}
