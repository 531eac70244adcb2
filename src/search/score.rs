//! Scores: whole numbers in hundredths of a man, with the ends of games in bands of their own.

/// A score inside the search, in hundredths of a man from the side to move.
///
/// Beyond ±[`MATE_BOUND`] it tells how many plies a game lasts: `MATE - n` wins in `n` plies, `-MATE + n` loses in `n`.
pub type Value = i32;

/// A win on the spot.
pub const MATE: Value = 30_000;
/// More than any value.
pub const INFINITE: Value = 31_000;
/// The longest line the search can follow, in plies.
pub const MAX_PLY: usize = 240;
/// Values beyond this are ends of games.
pub const MATE_BOUND: Value = MATE - 1_000;
/// A static evaluation stays within plus or minus this.
pub const EVAL_LIMIT: Value = 20_000;

/// The value of having lost at `ply` plies from the root.
pub const fn lost(ply: usize) -> Value {
    -MATE + ply as Value
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

/// The score at which half of all games are taken to be won, in hundredths of a man; a guess until it is fitted.
pub const WDL_DRAW_CP: f64 = 100.0;
/// How fast that share changes around it, in hundredths of a man; a guess until it is fitted.
pub const WDL_SCALE_CP: f64 = 40.0;

/// Win, draw and loss in thousandths for a score: `win = 1 / (1 + exp((WDL_DRAW_CP - cp) / WDL_SCALE_CP))`, the loss the
/// same of `-cp`, the draw what is left.
pub fn wdl(score: Score) -> [u32; 3] {
    let wins = |cp: i32| {
        let odds = ((WDL_DRAW_CP - f64::from(cp)) / WDL_SCALE_CP).exp();
        (1000.0 / (1.0 + odds)).round() as u32
    };
    match score {
        Score::Cp(cp) => {
            let (win, loss) = (wins(cp), wins(-cp));
            [win, 1000_u32.saturating_sub(win + loss), loss]
        }
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
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

    #[test]
    fn win_draw_and_loss_are_thousandths_and_symmetric() {
        for cp in [-20_000, -150, -1, 0, 77, 100, 20_000] {
            let [win, draw, loss] = wdl(Score::Cp(cp));
            assert_eq!(win + draw + loss, 1000, "{cp}");
            assert_eq!(wdl(Score::Cp(-cp)), [loss, draw, win], "{cp}");
        }
        assert_eq!(wdl(Score::Cp(100))[0], 500);
        assert_eq!(wdl(Score::Mate(-1)), [0, 0, 1000]);
    }
}
