//! Games of a match in PDN.

use super::record::{GameRecord, MoveRecord, StoredScore, Termination};
use crate::board::{Rules, Side, Variant};
use crate::notation::Squares;
use crate::notation::pdn::{Game, GameResult, Item, write};
use crate::with_rules;

/// Writes a game. `names` are the names of all engines.
pub fn game(
    variant: Variant,
    names: &[String],
    event: &str,
    round: usize,
    record: &GameRecord,
) -> String {
    with_rules!(variant, R => text::<R>(names, event, round, record))
}

fn text<R: Rules>(names: &[String], event: &str, round: usize, record: &GameRecord) -> String {
    let name = |side: Side| {
        let name = names.get(record.engines[side]);
        name.cloned().unwrap_or_else(|| "?".into())
    };
    let mut tags = vec![
        ("Event", event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", record.date.clone()),
        ("Round", format!("{round}.{}", record.number)),
        ("White", name(Side::White)),
        ("Black", name(Side::Black)),
        ("Termination", record.termination.tag().to_owned()),
        ("TerminationDetails", record.reason.clone()),
    ];
    if record.termination == Termination::Rules {
        tags.retain(|(name, _)| *name != "TerminationDetails");
    }
    let mut items: Vec<Item> = record.book.iter().cloned().map(Item::Move).collect();
    if !items.is_empty() {
        items.push(Item::Comment("end of the opening".into()));
    }
    for mv in &record.moves {
        items.push(Item::Move(mv.text.clone()));
        items.push(Item::Comment(comment(mv)));
    }
    items.push(Item::Comment(record.reason.clone()));
    let game = Game {
        tags: tags
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .collect(),
        fen: record.fen.clone(),
        first: record.first.into(),
        items,
        result: match record.result.half_points(Side::White) {
            0 => GameResult::BlackWins,
            1 => GameResult::Draw,
            _ => GameResult::WhiteWins,
        },
    };
    write::<R>(&game, Squares::Native)
}

/// What an engine said of a move: `+0.31/14 0.020s 41822n clk 8.250s`, score from its own side in men and depth in plies first.
fn comment(mv: &MoveRecord) -> String {
    let Some(time) = mv.time else {
        return "only move".into();
    };
    let mut parts = Vec::new();
    let score = mv.score.map_or_else(
        || "?".into(),
        |score| match score {
            StoredScore::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
            StoredScore::Mate(moves) if moves > 0 => format!("+M{moves}"),
            StoredScore::Mate(moves) => format!("-M{}", -moves),
        },
    );
    let depth = mv
        .depth
        .map_or_else(|| "?".into(), |depth| depth.to_string());
    parts.push(format!("{score}/{depth}"));
    parts.push(format!("{time:.3}s"));
    parts.extend(mv.nodes.map(|nodes| format!("{nodes}n")));
    parts.extend(mv.clock.map(|left| format!("clk {left:.3}s")));
    parts.extend(mv.complaint.clone());
    parts.join(" ")
}

/// The day, as PDN writes it, of a number of seconds since 1970.
pub fn date(seconds: u64) -> String {
    // Days are counted from 1 March of year 0, so that the leap day is the last of its year (Richards 2013).
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}.{month:02}.{day:02}", year_of_era + 400 * era + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_735_689_599, "2024.12.31"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }

    #[test]
    fn comments() {
        let mv = MoveRecord {
            score: Some(StoredScore::Cp(-31)),
            depth: Some(14),
            nodes: Some(41_822),
            time: Some(0.0204),
            clock: Some(8.25),
            ..MoveRecord::default()
        };
        assert_eq!(comment(&mv), "-0.31/14 0.020s 41822n clk 8.250s");
        let mate = MoveRecord {
            score: Some(StoredScore::Mate(-3)),
            time: Some(1.0),
            ..MoveRecord::default()
        };
        assert_eq!(comment(&mate), "-M3/? 1.000s");
        assert_eq!(comment(&MoveRecord::default()), "only move");
    }
}
