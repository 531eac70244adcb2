//! Annotating a game: every position is searched, and a move is judged by what it gives away.
//!
//! The loss of a move is the score of the position before it less that of the position after it, both from its mover's
//! side and each from a search of its own with an empty table. Scores beyond [`CLAMP`] are taken for it: who throws away a
//! man in a won game has lost nothing that matters.

use rayon::prelude::*;

use super::analyst::{Analyst, Found};
use super::request::{Fault, Query};
use crate::board::{Outcome, Side};
use crate::search::Score;

/// The largest score that counts, in hundredths of a man.
pub const CLAMP: i32 = 1_000;

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Nothing to be said.
    Fine,
    /// It gives away a quarter of a blunder or more.
    Inaccuracy,
    /// It gives away half of a blunder or more.
    Mistake,
    /// It gives away as much as the threshold or more.
    Blunder,
}

impl Grade {
    /// The grade of a loss, with the loss of a blunder given; both in hundredths of a man.
    pub const fn new(loss: i32, blunder: i32) -> Self {
        if loss <= 0 {
            Grade::Fine
        } else if loss >= blunder {
            Grade::Blunder
        } else if 2 * loss >= blunder {
            Grade::Mistake
        } else if 4 * loss >= blunder {
            Grade::Inaccuracy
        } else {
            Grade::Fine
        }
    }

    /// The sign behind a move.
    pub const fn sign(self) -> &'static str {
        match self {
            Grade::Fine => "",
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }

    /// The word.
    pub const fn word(self) -> &'static str {
        match self {
            Grade::Fine => "fine",
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }
}

/// A move that was judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The move, as PDN writes it.
    pub text: String,
    /// Who made it.
    pub side: Side,
    /// The score after it, from White's side, and the depth in plies it was found at; none where the game is over by loss.
    pub score: Option<(Score, u32)>,
    /// What it gave away, in hundredths of a man; 0 or more.
    pub loss: i32,
    /// How bad that is.
    pub grade: Grade,
    /// The line that was better, as PDN writes it, with its score from White's side; none where the move was the best.
    pub better: Option<(Vec<String>, Score)>,
}

impl Judged {
    /// What is said of it, as a comment in PDN.
    pub fn comment(&self) -> String {
        let mut text = match self.score {
            Some((score, depth)) => format!("{}/{depth}", score_text(score)),
            None => "the end".to_owned(),
        };
        if self.grade > Grade::Fine {
            text += &format!(" {} {}", self.grade.sign(), self.grade.word());
            if let Some((line, score)) = &self.better {
                text += &format!(", better {} {}", line.join(" "), score_text(*score));
            }
        }
        text
    }
}

/// A score as annotators write it: in men, or `+W3` for a win in three moves.
pub fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+W{moves}"),
        Score::Mate(moves) => format!("-W{}", -moves),
    }
}

/// A score from one side turned to the other.
const fn turned(score: Score) -> Score {
    match score {
        Score::Cp(cp) => Score::Cp(-cp),
        Score::Mate(moves) => Score::Mate(-moves),
    }
}

/// A score of `side` from White's side.
const fn from_white(score: Score, side: Side) -> Score {
    match side {
        Side::White => score,
        Side::Black => turned(score),
    }
}

/// What a score counts, in hundredths of a man.
pub fn worth(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp.clamp(-CLAMP, CLAMP),
        Score::Mate(moves) if moves > 0 => CLAMP,
        Score::Mate(_) => -CLAMP,
    }
}

/// The score of a position from the side to move: what the rules say of it, or else what the search does.
fn score_of(found: &Found) -> Score {
    match found.known.outcome {
        Outcome::Win(..) => Score::Mate(-1),
        Outcome::Draw(_) => Score::Cp(0),
        Outcome::Ongoing => found.lines.first().map_or(Score::Cp(0), |line| line.score),
    }
}

/// Searches all positions of a game, `workers` at a time, and judges its moves. The query's turns, notation and number of
/// lines do not matter; its moves must be legal and are written as PDN writes them.
pub fn annotate(query: &Query, workers: usize, blunder: i32) -> Result<Vec<Judged>, AnnotateError> {
    let mut query = query.clone();
    query.settings.style = super::answer::PDN;
    query.settings.multi_pv = 1;
    query.report_every = None;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(workers.max(1))
        .build()?;
    let never = crossbeam_channel::never();
    let search = |analyst: &mut Analyst, turn| analyst.search(&query, turn, &never, &mut |_, _| ());
    let found: Result<Vec<Found>, Fault> = pool.install(|| {
        (0..=query.moves.len())
            .into_par_iter()
            .map_init(|| Analyst::new(false), search)
            .collect()
    });
    let found = found.map_err(AnnotateError::Search)?;
    Ok(found
        .windows(2)
        .zip(&query.moves)
        .filter_map(|(pair, text)| match pair {
            [before, after] => Some(judge(before, after, text, blunder)),
            _ => None,
        })
        .collect())
}

/// Why a game cannot be annotated.
#[derive(Debug, thiserror::Error)]
pub enum AnnotateError {
    /// A position cannot be searched.
    #[error("{}: {}", .0.field, .0.what)]
    Search(Fault),
    /// The system has no threads.
    #[error("the workers cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

fn judge(before: &Found, after: &Found, text: &str, blunder: i32) -> Judged {
    let side = before.known.side;
    let best = before.lines.first();
    let is_best = best
        .and_then(|line| line.pv.first())
        .is_some_and(|mv| mv == text);
    let loss = if is_best {
        0
    } else {
        (worth(score_of(before)) + worth(score_of(after))).max(0)
    };
    let better = best.filter(|_| !is_best);
    let depth = after.lines.first().map(|line| line.depth);
    let score = from_white(score_of(after), after.known.side);
    Judged {
        text: text.to_owned(),
        side,
        score: depth.map(|depth| (score, depth)),
        loss,
        grade: Grade::new(loss, blunder),
        better: better.map(|line| (line.pv.clone(), from_white(line.score, side))),
    }
}

/// What a side did wrong in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Its moves.
    pub moves: usize,
    /// Moves of the grades inaccuracy, mistake and blunder.
    pub grades: [usize; 3],
    /// What all its moves gave away, in hundredths of a man.
    pub loss: i64,
}

impl Tally {
    /// The tally of a side.
    pub fn of(side: Side, game: &[Judged]) -> Self {
        let mut tally = Tally::default();
        for judged in game.iter().filter(|judged| judged.side == side) {
            tally.moves += 1;
            tally.loss += i64::from(judged.loss);
            let [inaccuracies, mistakes, blunders] = &mut tally.grades;
            match judged.grade {
                Grade::Fine => {}
                Grade::Inaccuracy => *inaccuracies += 1,
                Grade::Mistake => *mistakes += 1,
                Grade::Blunder => *blunders += 1,
            }
        }
        tally
    }

    /// Mean loss of a move, in hundredths of a man.
    pub fn mean_loss(&self) -> f64 {
        self.loss as f64 / self.moves.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_shares_of_a_blunder() {
        use Grade::*;
        for (loss, grade) in [
            (0, Fine),
            (24, Fine),
            (25, Inaccuracy),
            (50, Mistake),
            (99, Mistake),
            (100, Blunder),
        ] {
            assert_eq!(Grade::new(loss, 100), grade, "{loss}");
        }
        assert_eq!(Grade::new(0, 0), Fine);
    }

    #[test]
    fn a_comment_tells_score_grade_and_what_was_better() {
        let judged = Judged {
            text: "32-28".into(),
            side: Side::White,
            score: Some((Score::Cp(-120), 9)),
            loss: 130,
            grade: Grade::Blunder,
            better: Some((vec!["31-27".into(), "19-23".into()], Score::Mate(3))),
        };
        assert_eq!(
            judged.comment(),
            "-1.20/9 ?? blunder, better 31-27 19-23 +W3"
        );
        let tally = Tally::of(Side::White, &[judged]);
        assert_eq!((tally.moves, tally.grades, tally.loss), (1, [0, 0, 1], 130));
    }
}
