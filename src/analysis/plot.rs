//! The evaluation over the moves of a game, for a terminal or as a picture.

use super::annotate::{CLAMP, Grade, Judged, score_text, worth};
use crate::board::Side;
use crate::notation::svg::{Anchor, Canvas};

/// Columns of a terminal plot on each side of its middle.
const HALF: usize = 20;

/// The score after a move, from White's side, as far as it counts.
fn height(judged: &Judged) -> i32 {
    match judged.score {
        Some((score, _)) => worth(score),
        // The game was lost for the side to move.
        None if judged.side == Side::White => CLAMP,
        None => -CLAMP,
    }
}

/// A place on a scale that gives the scores around 0 most of the room, from -1 to 1.
fn scaled(cp: i32) -> f64 {
    (f64::from(cp) / 200.0).tanh()
}

fn label(judged: &Judged) -> String {
    judged
        .score
        .map_or_else(|| "end".to_owned(), |(score, _)| score_text(score))
}

/// A line a move: the move, the score after it from White's side, and a bar to the right where White is better.
pub fn text(game: &[Judged]) -> String {
    let widest = game
        .iter()
        .map(|judged| judged.text.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (ply, judged) in game.iter().enumerate() {
        let length = (scaled(height(judged)) * HALF as f64).round() as i64;
        let bar = "█".repeat(usize::try_from(length.abs()).unwrap_or(0));
        let (left, right) = if length < 0 {
            (bar.as_str(), "")
        } else {
            ("", bar.as_str())
        };
        let side = match judged.side {
            Side::White => 'w',
            Side::Black => 'b',
        };
        let line = format!(
            "{:>3} {side} {:<widest$} {:<2} {:>7} {left:>HALF$}│{right}",
            ply + 1,
            judged.text,
            judged.grade.sign(),
            label(judged),
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// The same as a picture, mistakes and blunders marked; White is better above the middle.
pub fn svg(game: &[Judged], title: &str) -> String {
    let step = (900.0 / game.len().max(1) as f64).clamp(4.0, 24.0);
    let (left, top, height_of_half) = (50.0, 40.0, 130.0);
    let width = left + step * game.len() as f64 + 30.0;
    let middle = top + height_of_half;
    let mut canvas = Canvas::new(
        width.max(320.0),
        top + 2.0 * height_of_half + 40.0,
        "#ffffff",
    );
    canvas.text((left, 22.0), 15.0, Anchor::Start, "#222", title);
    for men in [-5, -2, -1, 0, 1, 2, 5] {
        let y = middle - scaled(men * 100) * height_of_half;
        let colour = if men == 0 { "#888" } else { "#ddd" };
        canvas.lines(&[(left, y), (width - 20.0, y)], 1.0, colour);
        canvas.text(
            (left - 6.0, y + 4.0),
            11.0,
            Anchor::End,
            "#555",
            &format!("{men:+}"),
        );
    }
    let at = |ply: usize, judged: &Judged| {
        let x = left + step * (ply as f64 + 1.0);
        (x, middle - scaled(height(judged)) * height_of_half)
    };
    let points: Vec<_> = std::iter::once((left, middle))
        .chain(game.iter().enumerate().map(|(ply, judged)| at(ply, judged)))
        .collect();
    canvas.lines(&points, 2.0, "#2a5caa");
    for (ply, judged) in game.iter().enumerate() {
        let fill = match judged.grade {
            Grade::Blunder => "#c62828",
            Grade::Mistake => "#ef8f1c",
            Grade::Fine | Grade::Inaccuracy => continue,
        };
        let title = format!(
            "{}. {}{}: {}",
            ply + 1,
            judged.text,
            judged.grade.sign(),
            judged.comment()
        );
        canvas.disc(at(ply, judged), 5.0, fill, "#ffffff", &title);
    }
    for ply in (10..=game.len()).step_by(10) {
        let x = left + step * ply as f64;
        let below = (x, top + 2.0 * height_of_half + 20.0);
        canvas.text(below, 11.0, Anchor::Middle, "#555", &ply.to_string());
    }
    canvas.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;

    fn judged(side: Side, cp: i32, grade: Grade) -> Judged {
        Judged {
            text: "32-28".into(),
            side,
            score: Some((Score::Cp(cp), 5)),
            loss: 0,
            grade,
            better: None,
        }
    }

    #[test]
    fn bars_point_to_the_better_side_and_blunders_are_marked() {
        let game = [
            judged(Side::White, 0, Grade::Fine),
            judged(Side::Black, 300, Grade::Blunder),
            judged(Side::White, -1_000, Grade::Mistake),
        ];
        let plot = text(&game);
        let lines: Vec<_> = plot.lines().collect();
        assert!(lines[0].ends_with("+0.00                     │"), "{plot}");
        assert!(
            lines[1].contains("32-28 ??   +3.00") && lines[1].contains("│████"),
            "{plot}"
        );
        assert!(lines[2].ends_with("████│"), "{plot}");
        let picture = svg(&game, "a < b");
        assert_eq!(picture.matches("<circle ").count(), 2);
        assert!(
            picture.contains("a &lt; b") && picture.contains("#c62828"),
            "{picture}"
        );
        assert!(!svg(&[], "").contains("NaN"));
    }
}
