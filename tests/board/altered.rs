//! Rule sets with one constant changed, to show that a position notices the change.

use std::marker::PhantomData;

use warcab::board::draw::{DrawRules, DrawTable};
use warcab::board::rules::{Crowning, Precedence, Removal};
use warcab::board::{Rules, Side, Variant};

/// What is changed: every constant that is `Some`.
pub(crate) trait Change: Copy + Default + Send + Sync + std::fmt::Debug + 'static {
    const FIRST_MOVER: Option<Side> = None;
    const MEN_ROWS: Option<usize> = None;
    const FIRST_MEN_ROW: Option<usize> = None;
    const FLYING_KINGS: Option<bool> = None;
    const MEN_CAPTURE_BACKWARDS: Option<bool> = None;
    const MEN_CAPTURE_KINGS: Option<bool> = None;
    const PRECEDENCE: Option<Precedence> = None;
    const CROWNING: Option<Crowning> = None;
    const REMOVAL: Option<Removal> = None;
}

/// The rules `R` with the change `C`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Altered<R, C>(PhantomData<(R, C)>);

macro_rules! constants {
    ($($name:ident: $kind:ty),* $(,)?) => {
        $(const $name: $kind = match C::$name {
            Some(value) => value,
            None => R::$name,
        };)*
    };
}

impl<R: Rules, C: Change> Rules for Altered<R, C> {
    type Geo = R::Geo;
    const VARIANT: Variant = R::VARIANT;
    constants! {
        FIRST_MOVER: Side,
        MEN_ROWS: usize,
        FIRST_MEN_ROW: usize,
        FLYING_KINGS: bool,
        MEN_CAPTURE_BACKWARDS: bool,
        MEN_CAPTURE_KINGS: bool,
        PRECEDENCE: Precedence,
        CROWNING: Crowning,
        REMOVAL: Removal,
    }

    fn draw_table(rules: DrawRules) -> DrawTable {
        R::draw_table(rules)
    }
}

/// A type that changes one constant to a value.
#[macro_export]
macro_rules! change {
    ($name:ident, $constant:ident: $kind:ty = $value:expr) => {
        #[derive(Clone, Copy, Debug, Default)]
        struct $name;

        impl $crate::altered::Change for $name {
            const $constant: Option<$kind> = Some($value);
        }
    };
}
