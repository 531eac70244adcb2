//! Endgame tables: who wins, or that nobody does, for every position of a few pieces.
//!
//! Tables of up to four pieces are embedded in the program for every set; [`Tablebase::open`] reads files with more. The
//! values are those of play without clocks: how long a win takes, how often a position occurred and what the draw rules
//! count does not enter, but that one piece each is drawn where the set has it so. Who plays by draw rules can trust every
//! draw; a win has to be reached in time.
//!
//! * `material`: what stands on the board; a table for each
//! * `index`: the number of a position in its table, and back
//! * `build`: working the values out
//! * `distance`: how far the next capture is, for kings alone
//! * `file`: how they are stored
//! * `verify`: checking every value against those its moves lead to

use std::path::Path;
use std::sync::Arc;

mod build;
mod distance;
mod file;
mod index;
mod material;
mod values;
mod verify;

pub use build::Counts;
pub use file::{TablebaseError, build, file_name};
pub use index::Layout;
pub use material::{MOST_PIECES, Material};
pub use values::Verdict;
pub use verify::{Fault, verify};

use crate::board::movegen::{can_capture, captures, has_moves};
use crate::board::{Board, DrawRules, DrawTable, Move, MoveList, Rules, Side, Variant};
use crate::per_set::PerSet;
use values::Values;

macro_rules! embedded {
    ($name:literal) => {
        include_bytes!(concat!("tables/", $name, ".bin"))
    };
}
/// The tables that the program brings along, by set.
const EMBEDDED: [&[u8]; Variant::ALL.len()] = crate::board::variant::for_each_name!(embedded);

/// The same, ready to be probed.
static READY: PerSet = PerSet::new();

/// The table of one material.
#[derive(Debug)]
struct Table<R: Rules> {
    layout: Layout<R>,
    values: Values,
    /// Plies to the next capture by number, for kings alone.
    distances: Option<Vec<u8>>,
    counts: Counts,
    /// Bytes in the file.
    stored: usize,
}

/// All tables of a set up to some number of pieces.
#[derive(Debug)]
struct Tables<R: Rules> {
    by_code: Vec<Option<Table<R>>>,
    pieces: usize,
}

/// What the tables know of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// How it ends.
    pub verdict: Verdict,
    /// For kings alone, of a position that is won or lost: the plies to the next capture when the winner hurries and the loser
    /// does not; 0 where the side to move captures or cannot move.
    pub distance: Option<u8>,
}

/// The tables of one rule set. Copies share them.
#[derive(Clone, Debug)]
pub struct Tablebase<R: Rules>(Arc<Tables<R>>);

impl<R: Rules> Default for Tablebase<R> {
    /// The embedded tables.
    fn default() -> Self {
        Self(READY.get(R::VARIANT, || {
            let tables = file::read(EMBEDDED[R::VARIANT.place()]);
            tables.expect("a test reads all embedded tables")
        }))
    }
}

impl<R: Rules> Tablebase<R> {
    /// The tables that a user names: `none`, the folder of files to [`open`](Self::open), or nothing for the embedded ones.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub fn read(text: &str) -> Result<Self, TablebaseError> {
        match text {
            "" => Ok(Self::default()),
            "none" => Ok(Self::none()),
            folder => Self::open(folder.as_ref()),
        }
    }

    /// No tables at all.
    pub fn none() -> Self {
        Self(Arc::new(Tables {
            by_code: Vec::new(),
            pieces: 0,
        }))
    }

    /// The tables of the file in `folder` that has the most pieces for this set; the embedded ones if none has more.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read, and a file of this set that is not whole and unharmed.
    pub fn open(folder: &Path) -> Result<Self, TablebaseError> {
        let own = Self::default();
        Ok(match file::largest::<R>(folder, own.pieces())? {
            Some(file) => Self(Arc::new(file::load(&file)?)),
            None => own,
        })
    }

    /// The tables of one file.
    ///
    /// # Errors
    ///
    /// A file that is not whole and unharmed, or of another set.
    pub fn load(file: &Path) -> Result<Self, TablebaseError> {
        Ok(Self(Arc::new(file::load(file)?)))
    }

    /// Up to how many pieces every position is known.
    #[inline(always)]
    pub fn pieces(&self) -> usize {
        self.0.pieces
    }

    /// Whether games under these draw rules end as the tables were built for.
    pub fn fits(draws: &DrawTable) -> bool {
        draws.one_each == one_each::<R>()
    }

    /// How a position ends; `None` if it has too many pieces, if a side has none, or if a man stands where none can have
    /// come.
    #[inline]
    pub fn probe(&self, board: &Board) -> Option<Verdict> {
        self.ending(board).map(|ending| ending.verdict)
    }

    /// As [`probe`](Self::probe), with the distance where it is known.
    pub fn ending(&self, board: &Board) -> Option<Ending> {
        let pieces = board.occupied().count_ones() as usize;
        if pieces > self.0.pieces || board.pieces.contains(&0) {
            return None;
        }
        // Draws and endings with men have no distance.
        let kings_alone = board.occupied() == board.kings;
        let ending = |verdict, plies: Option<u8>| Ending {
            verdict,
            distance: plies.filter(|_| kings_alone && verdict != Verdict::Draw),
        };
        if can_capture::<R>(board) {
            return Some(ending(self.best_capture(board)?, Some(0)));
        }
        let white = match board.side {
            Side::White => *board,
            Side::Black => board.flipped::<R::Geo>(),
        };
        let table = self.0.by_code[Material::of(&white).code()].as_ref()?;
        let index = canonical_index(&table.layout, &white)?;
        let verdict = table.values.get(index);
        let plies = || match table.distances.as_ref()? {
            _ if verdict == Verdict::Loss && !has_moves::<R>(&white) => Some(0),
            distances => distances.get(index as usize).copied(),
        };
        Some(ending(verdict, plies()))
    }

    /// How a move ends for the side that makes it; `None` where [`probe`](Self::probe) does not know the position after it.
    pub fn probe_move(&self, board: &Board, mv: &Move) -> Option<Verdict> {
        let next = board.after(mv);
        match next.pieces[next.side] {
            0 => Some(Verdict::Win),
            _ => self.probe(&next).map(Verdict::reversed),
        }
    }

    /// The best that captures lead to, which are followed to the end.
    fn best_capture(&self, board: &Board) -> Option<Verdict> {
        let mut moves = MoveList::new();
        captures::<R>(board, &mut moves);
        let mut best = Verdict::Loss;
        for mv in &moves {
            best = best.max(self.probe_move(board, mv)?);
            if best == Verdict::Win {
                break;
            }
        }
        Some(best)
    }

    /// The material it has, with the number of positions of each value and the bytes the values take in the file.
    pub fn content(&self) -> impl Iterator<Item = (Material, Counts, usize)> {
        let all = (2..=self.pieces()).flat_map(Material::all);
        all.filter_map(|material| {
            let table = self.0.by_code[material.code()].as_ref()?;
            Some((material, table.counts, table.stored))
        })
    }
}

/// The number under which a position's value is kept: that of the position or of its reflection, whichever is less.
#[inline(always)]
fn canonical_index<R: Rules>(layout: &Layout<R>, board: &Board) -> Option<u64> {
    let index = layout.index(board)?;
    match board.mirrored::<R::Geo>() {
        Some(mirrored) => Some(index.min(layout.index(&mirrored)?)),
        None => Some(index),
    }
}

/// Whether one piece each is drawn in the set.
fn one_each<R: Rules>() -> bool {
    R::draw_table(DrawRules::default()).one_each
}

/// Whether a position is drawn because each side has one piece and there is nothing to capture.
fn ends_one_each<R: Rules>(board: &Board) -> bool {
    let single = board.pieces.iter().all(|set| set.is_power_of_two());
    single && one_each::<R>() && !can_capture::<R>(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{
        Brazilian, English, International, Italian, Russian, Spanish, Turkish,
    };
    use crate::notation::fen;
    use crate::with_rules;

    fn material(own: [u8; 2], other: [u8; 2]) -> Material {
        Material {
            men: [own[0], other[0]],
            kings: [own[1], other[1]],
        }
    }

    /// Won, drawn and lost, men and kings of each side given.
    fn counts<R: Rules>(own: [u8; 2], other: [u8; 2]) -> [u64; 3] {
        let wanted = material(own, other);
        let tablebase = Tablebase::<R>::default();
        let mut content = tablebase.content();
        let (_, counts, _) = content.find(|(material, ..)| *material == wanted).unwrap();
        [counts.wins, counts.draws, counts.losses]
    }

    #[test]
    fn every_set_has_all_material_of_four_pieces_and_it_is_right() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let tablebase = Tablebase::<R>::default();
                assert_eq!(tablebase.pieces(), 4, "{variant}");
                assert_eq!(tablebase.content().count(), 4 + 12 + 25);
                for (material, ..) in tablebase.content() {
                    let step = if material.pieces() < 4 { 7 } else { 1_009 };
                    let checked = verify(&tablebase, material, step).unwrap();
                    assert!(checked > 0, "{variant} {material}");
                }
            });
        }
    }

    #[test]
    fn what_is_embedded_is_what_is_built() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let built = file::read::<R>(&build::<R>(2, &mut |_, _| ())).unwrap();
                assert_eq!(built.pieces, 2);
                let embedded = Tablebase::<R>::default();
                for material in Material::all(2) {
                    let table = built.by_code[material.code()].as_ref().unwrap();
                    let other = embedded.0.by_code[material.code()].as_ref().unwrap();
                    assert_eq!(table.counts, other.counts, "{variant} {material}");
                    let same = |n| table.values.get(n) == other.values.get(n);
                    assert!((0..table.layout.size()).all(same), "{variant} {material}");
                }
            });
        }
    }

    /// English: Trice (damforum.nl, topic 2603) for one king each; the others are theory in numbers. In Italian men cannot
    /// take kings. Russian and brazilian differ first in what a man crowned on its way may do.
    #[test]
    fn the_counts_are_those_others_found() {
        assert_eq!(counts::<English>([0, 1], [0, 1]), [230, 654, 108]);
        assert_eq!(counts::<English>([0, 2], [0, 1]), [14_846, 34, 0]);
        assert_eq!(counts::<English>([0, 3], [0, 1]), [143_840, 0, 0]);
        assert_eq!(counts::<English>([0, 1], [1, 0])[0], 331);
        assert_eq!(counts::<Italian>([0, 1], [1, 0])[0], 525);
        assert_eq!(counts::<Italian>([0, 2], [0, 1])[1], 34);
        for three_kings in [counts::<Russian>, counts::<Brazilian>, counts::<Spanish>] {
            assert_eq!(three_kings([0, 3], [0, 1]), [132_240, 11_600, 0]);
        }
        assert_eq!(counts::<Brazilian>([1, 0], [0, 2])[0], 115);
        assert_eq!(counts::<Russian>([1, 0], [0, 2])[0], 121);
        let [wins, draws, losses] = counts::<International>([0, 1], [0, 1]);
        assert_eq!(wins + draws + losses, 2_450);
    }

    /// Where two kings meet one in turkish every quiet position is won, and a king never forces a man by moves alone.
    #[test]
    fn turkish_kings_trap_a_king_and_not_a_man() {
        let tablebase = Tablebase::<Turkish>::default();
        let mut seen = 0;
        for (own, other, expected) in [
            ([0, 2], [0, 1], Verdict::Win),
            ([0, 1], [1, 0], Verdict::Draw),
        ] {
            let layout = Layout::<Turkish>::new(material(own, other));
            for board in (0..layout.size()).filter_map(|n| layout.board(n)) {
                let mut passed = board;
                passed.side = !passed.side;
                if !can_capture::<Turkish>(&board) && !can_capture::<Turkish>(&passed) {
                    assert_eq!(tablebase.probe(&board), Some(expected), "{board:?}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 50_000, "{seen}");
    }

    /// Positions of the example program of the Kingsrow tables for 10x10 (egdb_intl, `example/main.cpp`).
    #[test]
    fn international_agrees_with_other_tables() {
        let wins = "B:W28:BK26 B:W28:BK30,K36 B:W31:B13,K28 W:WK3:B15,30 B:W34:B17,36 B:W19,20:BK6,K16 \
            B:W21,45:B12,K31 B:W24,26:B9,44 B:W28:BK4,K8,K42 B:W31:BK10,13,K38 B:W34:BK15,19,36 B:W38:B15,37,39";
        let draws = "B:WK2:BK26 W:WK2:BK26 B:W31:B14 W:W31:B14 B:WK28:BK18,K36 W:WK28:BK18,K36 W:WK31:B23,K26 \
            B:WK33:B23,K26 B:WK2:B15,30 B:WK35,K37:BK18,K36 W:WK35,K37:BK18,K36 B:WK3,28:BK30,K36 W:WK3,28:BK30,K36 \
            W:W19,20:BK2,K8 B:WK21,31:B13,K29 W:WK21,31:B13,K29 B:WK3:BK32,K37,K40 W:WK3:BK32,K37,K40 \
            B:WK3:B23,K30,K36 W:WK3:B23,K30,K36 B:WK48:BK1,15,30 W:WK45:BK2,15,30 B:WK12:B20,25,32 W:WK12:B20,25,32";
        let losses = "W:W28:BK26 W:W28:BK30,K36 W:W31:B13,K28 W:W34:B17,36 W:W21,45:B11,K38 W:W24,26:B9,44 \
            W:W28:BK12,K13,K41 W:W31:BK10,13,K38 W:W34:B18,K23,36 W:W38:B15,37,39";
        let tablebase = Tablebase::<International>::default();
        let all = [
            (wins, Verdict::Win),
            (draws, Verdict::Draw),
            (losses, Verdict::Loss),
        ];
        let mut count = 0;
        for (texts, expected) in all {
            for text in texts.split_ascii_whitespace() {
                let board = fen::parse::<International>(text).unwrap().board;
                assert_eq!(tablebase.probe(&board), Some(expected), "{text}");
                count += 1;
            }
        }
        assert_eq!(count, 46);
    }

    /// The furthest capture in endings of three kings against one, and of one against one.
    #[test]
    fn kings_alone_know_the_way() {
        fn furthest<R: Rules>(own: u8, other: u8) -> u8 {
            let tablebase = Tablebase::<R>::default();
            let layout = Layout::<R>::new(material([0, own], [0, other]));
            let boards = (0..layout.size()).filter_map(|n| layout.board(n));
            boards
                .filter_map(|board| tablebase.ending(&board)?.distance)
                .max()
                .unwrap()
        }
        // Three kings with the main road catch one in thirteen moves at most; the first capture comes before that.
        for three in [
            furthest::<Russian>,
            furthest::<Brazilian>,
            furthest::<Spanish>,
        ] {
            assert_eq!(three(3, 1), 21);
        }
        // The longest win takes eleven plies, the last of which captures.
        assert_eq!(furthest::<English>(1, 1), 10);
        let board = fen::parse::<Russian>("W:WKc1,Kd2:BKh2").unwrap().board;
        assert_eq!(Tablebase::<Russian>::none().ending(&board), None);
    }

    #[test]
    fn what_is_not_there_is_not_guessed() {
        let tablebase = Tablebase::<International>::default();
        let probe = |text: &str| tablebase.probe(&fen::parse::<International>(text).unwrap().board);
        assert_eq!(probe("W:WK1,K2,K3,K4:BK50"), None, "five pieces");
        let mut alone = fen::parse::<International>("W:WK1:BK50").unwrap().board;
        alone.pieces[1] = 0;
        alone.kings = alone.pieces[0];
        assert_eq!(tablebase.probe(&alone), None, "one side only");
        let turkish = Tablebase::<Turkish>::default();
        let home = fen::parse::<Turkish>("W:Wa1,Kd4:BKh8");
        if let Ok(home) = home {
            assert_eq!(
                turkish.probe(&home.board),
                None,
                "a man that cannot have come there"
            );
        }
        assert_eq!(Tablebase::<English>::none().pieces(), 0);
    }
}
