//! Published perft counts of all seven sets, from the start and from positions full of captures.

use rayon::prelude::*;
use serde::Deserialize;
use warcab::board::Variant;
use warcab::board::perft::perft;
use warcab::with_rules;

use crate::support;

#[derive(Deserialize)]
struct Row {
    variant: String,
    name: String,
    fen: String,
    depth: u32,
    nodes: u64,
}

#[test]
fn published_counts() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../data/perft.json")).unwrap();
    for variant in Variant::ALL {
        let of_set = rows.iter().filter(|row| row.variant == variant.name());
        assert!(of_set.count() >= 20, "too few rows for {variant}");
    }
    rows.par_iter().for_each(|row| {
        let variant = Variant::from_name(&row.variant).unwrap();
        let nodes =
            with_rules!(variant, R => perft::<R>(&support::board::<R>(&row.fen), row.depth));
        assert_eq!(
            nodes, row.nodes,
            "{variant}, {}, {} at depth {}",
            row.name, row.fen, row.depth
        );
    });
}
