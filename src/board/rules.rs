//! The seven rule sets, each a page of constants. Generator, search, evaluation and tablebases are generic over [`Rules`]
//! and compiled once a set, so a rule costs nothing at run time.
//!
//! Sources: FMJD Annex 1 (international), FMJD-64 (russian, brazilian), WCDF rules (english), FID "Regolamento tecnico"
//! (italian), the Spanish federation's "ley de cantidad" and "ley de calidad" (spanish), Turkish federation TUDAF (turkish).

use super::draw::{Clock, Condition, DrawRules, DrawTable, Progress, Reset};
use super::geometry::{Bits, Dark8, Dark10, Full8, Geometry};
use super::position::Side;
use super::variant::Variant;

/// Which captures are legal when there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// Any.
    Free,
    /// Those that take the most pieces.
    Most,
    /// The most pieces, then the most kings among them.
    MostThenKings,
    /// The most pieces; then by a king; then the most kings; then kings as early as possible in the chain.
    Italian,
}

/// What happens to a man that reaches the last row while it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crowning {
    /// It is crowned and its move ends.
    EndsMove,
    /// It goes on as a man if it can and is crowned only if it stops there.
    IfItStops,
    /// It is crowned at once, goes on as a king and stays one.
    AtOnce,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// After the move: until then they block, and none is jumped twice.
    AtEnd,
    /// One by one, as they are jumped: their squares may be crossed later in the same move.
    AtOnce,
}

/// A rule set. Every constant cites the rule it states.
pub trait Rules: Copy + Default + Send + Sync + std::fmt::Debug + 'static {
    /// The board.
    type Geo: Geometry;
    /// The set's name outside.
    const VARIANT: Variant;
    /// The side that makes the first move.
    const FIRST_MOVER: Side;
    /// Rows of men each side starts with.
    const MEN_ROWS: usize;
    /// The pieces on the board at the start, of both sides.
    const PIECES: usize = 2 * Self::MEN_ROWS * Self::Geo::WIDTH;
    /// How far from a player's edge the first of these rows is.
    const FIRST_MEN_ROW: usize = 0;
    /// Kings move and capture over any distance.
    const FLYING_KINGS: bool;
    /// Men capture backwards too.
    const MEN_CAPTURE_BACKWARDS: bool;
    /// Men may capture kings.
    const MEN_CAPTURE_KINGS: bool = true;
    /// The choice among captures.
    const PRECEDENCE: Precedence;
    /// Men on the last row during a capture.
    const CROWNING: Crowning;
    /// When captured pieces leave.
    const REMOVAL: Removal = Removal::AtEnd;

    /// What ends a game as a draw beyond repetition.
    fn draw_table(rules: DrawRules) -> DrawTable;
}

/// The row on which a side's men are crowned, and so never stand.
#[inline(always)]
pub fn crown_row<R: Rules>(side: Side) -> Bits {
    match side {
        Side::White => R::Geo::TOP,
        Side::Black => R::Geo::BOTTOM,
    }
}

/// A table whose only rule is a number of plies without capture or man move.
const fn no_progress(limit: u16) -> DrawTable {
    DrawTable {
        no_progress: Some(limit),
        ..DrawTable::NONE
    }
}

/// English draughts, or checkers (WCDF "Rules of Draughts").
#[derive(Clone, Copy, Debug, Default)]
pub struct English;

impl Rules for English {
    type Geo = Dark8;
    const VARIANT: Variant = Variant::English;
    const FIRST_MOVER: Side = Side::Black; // WCDF 1.9
    const MEN_ROWS: usize = 3; // WCDF 1.6
    const FLYING_KINGS: bool = false; // WCDF 1.15, 1.17
    const MEN_CAPTURE_BACKWARDS: bool = false; // WCDF 1.16
    const PRECEDENCE: Precedence = Precedence::Free; // WCDF 1.19
    const CROWNING: Crowning = Crowning::EndsMove; // WCDF 1.14, 1.18

    fn draw_table(rules: DrawRules) -> DrawTable {
        match rules {
            DrawRules::None => DrawTable::NONE,
            _ => no_progress(80), // WCDF 1.32: forty moves of each side
        }
    }
}

/// International draughts on 10x10 (FMJD Annex 1).
#[derive(Clone, Copy, Debug, Default)]
pub struct International;

impl Rules for International {
    type Geo = Dark10;
    const VARIANT: Variant = Variant::International;
    const FIRST_MOVER: Side = Side::White; // FMJD 3.2
    const MEN_ROWS: usize = 4; // FMJD 2.6
    const FLYING_KINGS: bool = true; // FMJD 3.9, 4.3
    const MEN_CAPTURE_BACKWARDS: bool = true; // FMJD 4.2
    const PRECEDENCE: Precedence = Precedence::Most; // FMJD 4.13; 4.14: kings count as one piece
    const CROWNING: Crowning = Crowning::IfItStops; // FMJD 4.15

    fn draw_table(rules: DrawRules) -> DrawTable {
        const FEDERATION: &[Clock] = &[
            Clock {
                when: Condition::LoneKingAgainst { least: 3, most: 3 },
                limit: 32,
                reset: Reset::Never,
            }, // FMJD 6.3
            Clock {
                when: Condition::LoneKingAgainst { least: 1, most: 2 },
                limit: 10,
                reset: Reset::Never,
            }, // FMJD 6.4
        ];
        match rules {
            DrawRules::None => DrawTable::NONE,
            DrawRules::Club | DrawRules::Club40 => no_progress(120),
            DrawRules::Federation => DrawTable {
                clocks: FEDERATION,
                ..no_progress(50)
            }, // FMJD 6.2
        }
    }
}

/// What russian and brazilian draughts share (FMJD-64 rules, article 7.2).
fn draw_table_64(rules: DrawRules, club: u16) -> DrawTable {
    const fn kings_on_both_sides(least: u8, most: u8, limit: u8) -> Clock {
        Clock {
            when: Condition::KingsOnBothSides { least, most },
            limit,
            reset: Reset::Material,
        }
    }
    const FEDERATION: &[Clock] = &[
        Clock {
            when: Condition::KingsAgainstLoneKing { least: 3 },
            limit: 30,
            reset: Reset::Material,
        },
        kings_on_both_sides(2, 3, 10),
        kings_on_both_sides(4, 5, 60),
        kings_on_both_sides(6, 7, 120),
        Clock {
            when: Condition::ThreeAgainstMainRoad,
            limit: 10,
            reset: Reset::MaterialOrConditionLost,
        },
    ];
    match rules {
        DrawRules::None => DrawTable::NONE,
        DrawRules::Club | DrawRules::Club40 => no_progress(club),
        DrawRules::Federation => DrawTable {
            clocks: FEDERATION,
            ..no_progress(30)
        },
    }
}

/// Brazilian draughts: the international rules on 8x8 (FMJD-64).
#[derive(Clone, Copy, Debug, Default)]
pub struct Brazilian;

impl Rules for Brazilian {
    type Geo = Dark8;
    const VARIANT: Variant = Variant::Brazilian;
    const FIRST_MOVER: Side = Side::White; // FMJD-64 2.5
    const MEN_ROWS: usize = 3; // FMJD-64 2.4
    const FLYING_KINGS: bool = true; // FMJD-64 3.7
    const MEN_CAPTURE_BACKWARDS: bool = true; // FMJD-64 4.2
    const PRECEDENCE: Precedence = Precedence::Most; // FMJD-64 4.8 (brazilian)
    const CROWNING: Crowning = Crowning::IfItStops; // FMJD-64 4.9 (brazilian)

    fn draw_table(rules: DrawRules) -> DrawTable {
        draw_table_64(rules, 120)
    }
}

/// Spanish draughts, with the laws of quantity and of quality.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spanish;

impl Rules for Spanish {
    type Geo = Dark8;
    const VARIANT: Variant = Variant::Spanish;
    const FIRST_MOVER: Side = Side::White; // salida: las blancas
    const MEN_ROWS: usize = 3;
    const FLYING_KINGS: bool = true; // la dama corre
    const MEN_CAPTURE_BACKWARDS: bool = false; // el peón captura hacia delante
    const PRECEDENCE: Precedence = Precedence::MostThenKings; // ley de cantidad, ley de calidad
    const CROWNING: Crowning = Crowning::EndsMove; // coronación

    fn draw_table(rules: DrawRules) -> DrawTable {
        match rules {
            DrawRules::None => DrawTable::NONE,
            // No source gives a number; fifty moves of each side are the project's choice.
            _ => no_progress(100),
        }
    }
}

/// Turkish draughts (TUDAF).
#[derive(Clone, Copy, Debug, Default)]
pub struct Turkish;

impl Rules for Turkish {
    type Geo = Full8;
    const VARIANT: Variant = Variant::Turkish;
    const FIRST_MOVER: Side = Side::White;
    const MEN_ROWS: usize = 2;
    const FIRST_MEN_ROW: usize = 1; // the second and third ranks
    const FLYING_KINGS: bool = true;
    const MEN_CAPTURE_BACKWARDS: bool = false;
    const PRECEDENCE: Precedence = Precedence::Most;
    const CROWNING: Crowning = Crowning::IfItStops;
    const REMOVAL: Removal = Removal::AtOnce;

    fn draw_table(rules: DrawRules) -> DrawTable {
        match rules {
            DrawRules::None => DrawTable::NONE,
            // One piece each is drawn at once, as TUDAF has it; other texts let a king beat a man.
            _ => DrawTable {
                one_each: true,
                ..no_progress(100)
            },
        }
    }
}

/// Italian draughts (FID "Regolamento tecnico").
#[derive(Clone, Copy, Debug, Default)]
pub struct Italian;

impl Rules for Italian {
    type Geo = Dark8;
    const VARIANT: Variant = Variant::Italian;
    const FIRST_MOVER: Side = Side::White; // FID 3.2
    const MEN_ROWS: usize = 3; // FID 2.5
    const FLYING_KINGS: bool = false; // FID 4.5
    const MEN_CAPTURE_BACKWARDS: bool = false; // FID 5.2
    const MEN_CAPTURE_KINGS: bool = false; // FID 5.3
    const PRECEDENCE: Precedence = Precedence::Italian; // FID 6.6 to 6.9
    const CROWNING: Crowning = Crowning::EndsMove; // FID 4.6

    fn draw_table(rules: DrawRules) -> DrawTable {
        match rules {
            DrawRules::None => DrawTable::NONE,
            DrawRules::Club => no_progress(100),
            DrawRules::Club40 => DrawTable {
                progress: Progress::CaptureOrPromotion,
                ..no_progress(80)
            },
            DrawRules::Federation => no_progress(80), // FID 10.4
        }
    }
}

/// Russian draughts, or shashki (FMJD-64).
#[derive(Clone, Copy, Debug, Default)]
pub struct Russian;

impl Rules for Russian {
    type Geo = Dark8;
    const VARIANT: Variant = Variant::Russian;
    const FIRST_MOVER: Side = Side::White; // FMJD-64 2.5
    const MEN_ROWS: usize = 3; // FMJD-64 2.4
    const FLYING_KINGS: bool = true; // FMJD-64 3.7
    const MEN_CAPTURE_BACKWARDS: bool = true; // FMJD-64 4.2
    const PRECEDENCE: Precedence = Precedence::Free; // FMJD-64 4.8 (russian)
    const CROWNING: Crowning = Crowning::AtOnce; // FMJD-64 4.9 (russian)

    fn draw_table(rules: DrawRules) -> DrawTable {
        draw_table_64(rules, 30)
    }
}
