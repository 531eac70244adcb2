//! Draws by rule: the tables that the option `DrawRules` chooses from, and the clocks they run.
//!
//! A draw rule never makes a move illegal; it is asked of a position. The third occurrence of a position is a draw in
//! every table and is kept by [`Game`](super::game::Game), since it needs the whole game.

use super::geometry::{Bits, Geometry, bit};
use super::movegen::can_capture;
use super::moves::Move;
use super::position::{Board, Side};
use super::rules::Rules;

/// The choice of a draw table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawRules {
    /// The numbers of the two rule sites the engine was built for.
    #[default]
    Club,
    /// As `Club`, with the second site's italian rule: 80 plies without capture or promotion.
    Club40,
    /// The federations' own tables.
    Federation,
    /// Only repetition.
    None,
}

impl DrawRules {
    /// All choices with their names, in the order they are listed to users.
    pub const ALL: [(DrawRules, &'static str); 4] = [
        (DrawRules::Club, "club"),
        (DrawRules::Club40, "club-40"),
        (DrawRules::Federation, "federation"),
        (DrawRules::None, "none"),
    ];
}

/// What sets the no-progress counter back to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A capture or any move of a man, a promotion included.
    CaptureOrManMove,
    /// A capture or a promotion.
    CaptureOrPromotion,
}

/// The material that starts a clock; either side may be the stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A lone king against `least` to `most` pieces with a king among them.
    LoneKingAgainst {
        /// Fewest pieces.
        least: u8,
        /// Most pieces.
        most: u8,
    },
    /// `least` or more kings, and nothing else, against one king.
    KingsAgainstLoneKing {
        /// Fewest kings.
        least: u8,
    },
    /// A king or more on each side and `least` to `most` pieces in all.
    KingsOnBothSides {
        /// Fewest pieces.
        least: u8,
        /// Most pieces.
        most: u8,
    },
    /// Three pieces against a lone king that stands on the main road (a1-h8).
    ThreeAgainstMainRoad,
}

/// What stops a running clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Nothing.
    Never,
    /// A capture or a promotion.
    Material,
    /// A capture, a promotion, or a position in which the condition fails.
    MaterialOrConditionLost,
}

/// A clock: it starts at 0 in the first position that meets its condition; the position in which it shows `limit` plies
/// is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What starts it.
    pub when: Condition,
    /// Plies until the draw.
    pub limit: u8,
    /// What stops it.
    pub reset: Reset,
}

/// The draw rules of one set under one choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawTable {
    /// Plies without progress until the draw.
    pub no_progress: Option<u16>,
    /// What counts as progress.
    pub progress: Progress,
    /// Further clocks; at most [`MOST_CLOCKS`].
    pub clocks: &'static [Clock],
    /// One piece each is drawn unless the side to move can capture.
    pub one_each: bool,
}

/// The longest list of clocks a table may have.
pub const MOST_CLOCKS: usize = 5;

impl DrawTable {
    /// No rule beyond repetition.
    pub const NONE: DrawTable = DrawTable {
        no_progress: None,
        progress: Progress::CaptureOrManMove,
        clocks: &[],
        one_each: false,
    };
}

/// Why a position is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The third occurrence with the same side to move.
    Repetition,
    /// Too long without progress.
    NoProgress,
    /// A clock of a king ending ran out.
    KingEndgame,
    /// One piece each and nothing to capture.
    OneEach,
}

impl DrawReason {
    /// The word the protocol uses.
    pub const fn word(self) -> &'static str {
        match self {
            DrawReason::Repetition => "repetition",
            DrawReason::NoProgress => "no-progress",
            DrawReason::KingEndgame => "king-endgame",
            DrawReason::OneEach => "one-each",
        }
    }
}

/// A clock that is not running.
const STOPPED: u8 = u8::MAX;

/// The state of a game's draw clocks, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Plies since the last progress.
    pub no_progress: u16,
    clocks: [u8; MOST_CLOCKS],
}

impl Counters {
    /// The clocks in the first position of a game.
    pub fn start<R: Rules>(board: &Board, table: &DrawTable) -> Counters {
        let mut clocks = [STOPPED; MOST_CLOCKS];
        for (clock, value) in table.clocks.iter().zip(&mut clocks) {
            if clock.when.holds::<R::Geo>(board) {
                *value = 0;
            }
        }
        Counters {
            no_progress: 0,
            clocks,
        }
    }

    /// The clocks after a move, `board` being the position after it and `man` telling that a man made it.
    #[inline]
    #[must_use]
    pub fn after<R: Rules>(
        &self,
        mv: &Move,
        man: bool,
        board: &Board,
        table: &DrawTable,
    ) -> Counters {
        let progress = match table.progress {
            Progress::CaptureOrManMove => man,
            Progress::CaptureOrPromotion => mv.promotes,
        };
        let mut next = *self;
        next.no_progress = if progress || mv.is_capture() {
            0
        } else {
            self.no_progress.saturating_add(1)
        };
        if !table.clocks.is_empty() && board.kings != 0 {
            let material = mv.is_capture() || mv.promotes;
            for (clock, value) in table.clocks.iter().zip(&mut next.clocks) {
                let holds = clock.when.holds::<R::Geo>(board);
                let stops = match clock.reset {
                    Reset::Never => false,
                    Reset::Material => material,
                    Reset::MaterialOrConditionLost => material || !holds,
                };
                *value = match *value {
                    STOPPED if holds => 0,
                    STOPPED => STOPPED,
                    _ if stops && holds => 0,
                    _ if stops => STOPPED,
                    running => (running + 1).min(STOPPED - 1),
                };
            }
        }
        next
    }

    /// The value of the clock at `index` of the table, if it runs.
    pub fn clock(&self, index: usize) -> Option<u8> {
        self.clocks
            .get(index)
            .copied()
            .filter(|&value| value != STOPPED)
    }

    /// Whether there is time for an ending that is won without clocks: none runs, and at most a quarter of the plies
    /// without progress is gone. From there on no win of four pieces takes longer to its next progress than there is left.
    pub fn leaves_time(&self, table: &DrawTable) -> bool {
        let early = |limit| self.no_progress <= limit / 4;
        table.no_progress.is_none_or(early) && self.clocks == [STOPPED; MOST_CLOCKS]
    }

    /// Whether a capture that comes after so many plies without one, or a man's move, is in time: the position in which a
    /// clock of `table` shows its limit is drawn already.
    pub fn leaves_plies(&self, table: &DrawTable, plies: u8) -> bool {
        let in_time = |(clock, value): (&Clock, &u8)| {
            *value == STOPPED || u16::from(*value) + u16::from(plies) < u16::from(clock.limit)
        };
        let progress = self.no_progress.saturating_add(plies.into());
        table.no_progress.is_none_or(|limit| progress < limit)
            && table.clocks.iter().zip(&self.clocks).all(in_time)
    }

    /// The rule, if any, by which the position is drawn. The caller makes sure that the side to move has not lost.
    #[inline]
    pub fn draw<R: Rules>(&self, board: &Board, table: &DrawTable) -> Option<DrawReason> {
        if table
            .no_progress
            .is_some_and(|limit| self.no_progress >= limit)
        {
            return Some(DrawReason::NoProgress);
        }
        let expired = |(clock, &value): (&Clock, &u8)| value != STOPPED && value >= clock.limit;
        if table.clocks.iter().zip(&self.clocks).any(expired) {
            return Some(DrawReason::KingEndgame);
        }
        let single = |side: Side| board.pieces[side].is_power_of_two();
        (table.one_each && single(Side::White) && single(Side::Black) && !can_capture::<R>(board))
            .then_some(DrawReason::OneEach)
    }
}

impl Condition {
    /// Whether a position meets the condition.
    pub fn holds<G: Geometry>(self, board: &Board) -> bool {
        Side::ALL
            .iter()
            .any(|&strong| self.holds_for::<G>(board, strong))
    }

    fn holds_for<G: Geometry>(self, board: &Board, strong: Side) -> bool {
        let (ours, theirs) = (board.pieces[strong], board.pieces[!strong]);
        let count = ours.count_ones();
        let lone_king = theirs.is_power_of_two() && theirs & board.kings != 0;
        let has_king = ours & board.kings != 0;
        match self {
            Condition::LoneKingAgainst { least, most } => {
                lone_king && has_king && (u32::from(least)..=u32::from(most)).contains(&count)
            }
            Condition::KingsAgainstLoneKing { least } => {
                lone_king && ours & !board.kings == 0 && count >= u32::from(least)
            }
            Condition::KingsOnBothSides { least, most } => {
                let all = board.occupied().count_ones();
                has_king
                    && theirs & board.kings != 0
                    && (u32::from(least)..=u32::from(most)).contains(&all)
            }
            Condition::ThreeAgainstMainRoad => {
                lone_king && count == 3 && theirs & main_road::<G>() != 0
            }
        }
    }
}

/// The long diagonal from White's left corner.
fn main_road<G: Geometry>() -> Bits {
    let corner = bit(G::square(G::SQUARES - G::WIDTH));
    let mut road = 0;
    let mut square = corner;
    while square & G::ALL != 0 {
        road |= square;
        square = G::shift(square, 1);
    }
    road
}

#[cfg(test)]
mod tests {
    use super::super::rules::{International, Russian};
    use super::*;

    /// A king of each side and as many more of White's as wanted.
    fn kings<R: Rules>(more: usize) -> Board {
        let square = |index: usize| bit(R::Geo::square(index));
        let white = (0..=more).fold(0, |set, index| set | square(index));
        let black = square(R::Geo::SQUARES - 1);
        Board {
            pieces: [white, black],
            kings: white | black,
            side: Side::White,
        }
    }

    #[test]
    fn the_position_that_shows_the_limit_comes_too_late_for_a_capture() {
        let table = Russian::draw_table(DrawRules::Club);
        let board = kings::<Russian>(2);
        for gone in [0, 10, 29] {
            let mut counters = Counters::start::<Russian>(&board, &table);
            counters.no_progress = gone;
            for plies in 0..40u8 {
                let mut then = counters;
                then.no_progress += u16::from(plies);
                let drawn = then.draw::<Russian>(&board, &table).is_some();
                assert_eq!(
                    counters.leaves_plies(&table, plies),
                    !drawn,
                    "{gone} {plies}"
                );
            }
        }
    }

    #[test]
    fn clocks_leave_as_many_plies_as_they_have_to_run() {
        // A king against one is drawn after ten plies, against three after 32 (FMJD 6.4, 6.3).
        let table = International::draw_table(DrawRules::Federation);
        for (more, limit) in [(0, 10), (2, 32)] {
            let counters = Counters::start::<International>(&kings::<International>(more), &table);
            assert!(counters.leaves_plies(&table, limit - 1), "{more}");
            assert!(!counters.leaves_plies(&table, limit), "{more}");
            assert!(!counters.leaves_time(&table), "a clock runs");
        }
    }

    #[test]
    fn a_counter_at_its_end_leaves_no_time() {
        let table = Russian::draw_table(DrawRules::Club);
        let mut counters = Counters::start::<Russian>(&kings::<Russian>(1), &table);
        assert!(counters.leaves_time(&table));
        counters.no_progress = u16::MAX;
        assert!(!counters.leaves_time(&table) && !counters.leaves_plies(&table, u8::MAX));
    }
}
