//! Scores: whole numbers in hundredths of a man, with the ends of games in bands of their own.

/// A score inside the search, in hundredths of a man from the side to move.
///
/// Beyond ±[`MATE_BOUND`] it tells how many plies a game lasts: `MATE - n` wins in `n` plies, `-MATE + n` loses in `n`.
/// Between ±[`TABLE_BOUND`] and that, endgame tables know who wins, and not how soon.
pub type Value = i32;

/// A win on the spot.
pub const MATE: Value = 30_000;
/// More than any value.
pub const INFINITE: Value = 31_000;
/// The longest line the search can follow, in plies.
pub const MAX_PLY: usize = 240;
/// Values beyond this are ends of games.
pub const MATE_BOUND: Value = MATE - 1_000;
/// A win at the root that endgame tables know of; one that a line of `n` plies leads to is worth `n` less.
pub const TABLE_WIN: Value = MATE_BOUND - 1_000;
/// Values beyond this are ends of games, or known from endgame tables.
pub const TABLE_BOUND: Value = TABLE_WIN - 1_000;
/// A static evaluation stays within plus or minus this.
pub const EVAL_LIMIT: Value = 20_000;

/// The value of having lost at `ply` plies from the root.
pub const fn lost(ply: usize) -> Value {
    -MATE + ply as Value
}

/// The value of a position `ply` plies from the root that endgame tables know to be won.
pub const fn won_by_tables(ply: usize) -> Value {
    TABLE_WIN - ply as Value
}

/// A score as users see it, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a man.
    Cp(i32),
    /// The side to move wins in so many moves of its own, or, when negative, loses after so many of the opponent's.
    Mate(i32),
}

impl Score {
    /// The score of a search value.
    pub const fn new(value: Value) -> Score {
        if value > MATE_BOUND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value < -MATE_BOUND {
            // A side without a move has lost already; zero would have no sign.
            let moves = (MATE + value + 1) / 2;
            Score::Mate(if moves == 0 { -1 } else { -moves })
        } else {
            Score::Cp(value)
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Score::Cp(cp) => write!(f, "cp {cp}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_winner() {
        assert_eq!(Score::new(MATE - 1), Score::Mate(1));
        assert_eq!(Score::new(MATE - 2), Score::Mate(1));
        assert_eq!(Score::new(MATE - 3), Score::Mate(2));
        assert_eq!(Score::new(lost(2)), Score::Mate(-1));
        assert_eq!(Score::new(lost(0)), Score::Mate(-1));
        assert_eq!(Score::new(lost(4)), Score::Mate(-2));
        assert_eq!(Score::new(-250), Score::Cp(-250));
    }
}
