//! What the design forbids and no compiler does: arrows that point upwards, and rule sets named where they should be
//! asked about.

use std::fs;
use std::path::{Path, PathBuf};

use warcab::board::Variant;

/// The folders of `src` with their floor: a folder may use those on lower floors only, and itself.
const FLOORS: &[(&str, usize)] = &[
    ("board", 0),
    ("eval", 1),
    ("tablebase", 1),
    ("search", 2),
    ("notation", 2),
    ("opening", 3),
    ("engine", 4),
    ("protocol", 5),
    ("arena", 5),
    ("analysis", 5),
    ("training", 5),
    ("cli", 6),
];

fn sources(folder: &Path, list: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, list);
        } else if path.extension().is_some_and(|e| e == "rs") {
            list.push(path);
        }
    }
}

/// All source files below `src` with their code: no comments, no unit tests.
fn code() -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&src, &mut paths);
    let strip = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a source file");
        let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        let name = path.strip_prefix(&src).expect("below src");
        let name = name.to_string_lossy().replace('\\', "/");
        (name, lines.collect::<Vec<_>>().join("\n"))
    };
    paths.iter().map(strip).collect()
}

fn floor(folder: &str) -> Option<usize> {
    let found = FLOORS.iter().find(|(name, _)| *name == folder);
    found.map(|(_, floor)| *floor)
}

/// The words after each `crate::` and `warcab::`.
fn used(code: &str) -> impl Iterator<Item = &str> {
    let roots = ["crate::", "warcab::"];
    roots.into_iter().flat_map(move |root| {
        code.split(root).skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            rest.split_at(end.unwrap_or(rest.len())).0
        })
    })
}

#[test]
fn arrows_point_down() {
    for (file, code) in code() {
        let Some((folder, _)) = file.split_once('/') else {
            continue;
        };
        let own = floor(folder).unwrap_or_else(|| panic!("{file}: src/{folder} has no floor"));
        for target in used(&code) {
            if target == folder {
                continue;
            }
            // What is no folder is a macro or an item at the root.
            if let Some(other) = floor(target) {
                assert!(other < own, "{file} uses {target}, which is not below it");
            }
        }
    }
}

#[test]
fn rule_sets_are_named_in_two_files() {
    for (file, code) in code() {
        if ["board/rules.rs", "board/variant.rs"].contains(&file.as_str()) {
            continue;
        }
        // An order of precedence may be called after the set it comes from.
        let code = code.replace("Precedence::Italian", "");
        let words = code.split(|c: char| !c.is_alphanumeric());
        for word in words {
            let named = Variant::ALL
                .iter()
                .find(|v| v.name().eq_ignore_ascii_case(word));
            assert_eq!(named, None, "{file} names a rule set");
        }
    }
}
