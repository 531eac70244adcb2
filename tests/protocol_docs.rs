//! `protocol.md` says what the code does: its tables are those of the code, and its worked session really happens.

#[path = "support/session.rs"]
mod session;

use std::fmt::Write;

use session::Session;

use warcab::analysis::request::{ACTIONS, FIELDS};
use warcab::board::Variant;
use warcab::engine::command::Command;
use warcab::engine::elo::ladder;
use warcab::engine::error::Code;
use warcab::engine::options::{Kind, OPTIONS, Settings};
use warcab::eval::embedded;
use warcab::protocol::hub::PARAMS;
use warcab::protocol::uci::{COMMANDS, parse};
use warcab::search::{FULL_LEVEL, Strength};

fn protocol_md() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol.md");
    std::fs::read_to_string(path).expect("protocol.md is there")
}

/// A table of Markdown.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = line(head.iter().map(|&cell| cell.to_owned()).collect());
    let _ = writeln!(text, "|{}", "---|".repeat(head.len()));
    text.extend(rows.into_iter().map(line));
    text
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

#[track_caller]
fn contains(table: &str) {
    assert!(
        protocol_md().contains(table),
        "protocol.md should have this table:\n{table}"
    );
}

#[test]
fn commands_and_questions() {
    let is_question = |word: &str| matches!(parse(word), Some(Command::Ask(_)));
    for (head, questions) in [("Command", false), ("Question", true)] {
        let list = COMMANDS.iter().filter(|c| is_question(c.word) == questions);
        let rows = list.map(|c| vec![code(c.form), c.help.to_owned()]);
        contains(&table(&[head, "Effect"], rows));
    }
}

#[test]
fn options() {
    let defaults = Settings::default();
    let rows = OPTIONS.iter().map(|option| {
        let (kind, default, values) = match option.kind {
            Kind::Check { get, .. } => ("check", get(&defaults).to_string(), String::new()),
            Kind::Spin { min, max, get, .. } => (
                "spin",
                get(&defaults).to_string(),
                format!("{min} to {max}"),
            ),
            Kind::Combo { choices, get, .. } => {
                ("combo", get(&defaults).to_owned(), choices().join(", "))
            }
            Kind::Text { get, .. } => ("string", get(&defaults).to_owned(), "any text".to_owned()),
            Kind::Button { .. } => ("button", String::new(), String::new()),
        };
        vec![
            code(option.name),
            kind.to_owned(),
            default,
            values,
            option.help.to_owned(),
        ]
    });
    contains(&table(
        &["Option", "Type", "Default", "Values", "Meaning"],
        rows,
    ));
}

#[test]
fn error_codes() {
    let rows = Code::ALL
        .iter()
        .map(|c| vec![code(c.word()), c.meaning().to_owned()]);
    contains(&table(&["Code", "Meaning"], rows));
}

#[test]
fn fields_and_actions_of_the_analysis() {
    let fields = FIELDS
        .iter()
        .map(|f| vec![code(f.name), f.form.to_owned(), f.help.to_owned()]);
    contains(&table(&["Field", "Form", "Meaning"], fields));
    let actions = ACTIONS
        .iter()
        .map(|(name, help)| vec![code(name), (*help).to_owned()]);
    contains(&table(&["Action", "Effect"], actions));
}

#[test]
fn rule_sets() {
    let rows = Variant::ALL.iter().map(|variant| {
        let labels = variant.labels();
        vec![
            code(labels.name),
            labels.aliases.join(", "),
            code(labels.game_type_tag),
        ]
    });
    contains(&table(&["Set", "Also read", "PDN GameType"], rows));
}

#[test]
fn chances_of_win_draw_and_loss() {
    let rows = Variant::ALL.iter().map(|variant| {
        let wdl = embedded(*variant).wdl;
        let number = |number: f64| format!("{number:.0}");
        vec![code(variant.name()), number(wdl.margin), number(wdl.scale)]
    });
    contains(&table(&["Set", "M", "S"], rows));
}

#[test]
fn strength_of_the_levels() {
    let names = Variant::ALL.map(|variant| code(variant.name()));
    let head: Vec<_> = ["Level"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    let ladders = Variant::ALL.map(|variant| ladder(variant).collect::<Vec<_>>());
    let rows = (0..=usize::from(FULL_LEVEL)).map(|level| {
        let points = ladders.iter().map(|ladder| ladder[level].to_string());
        [level.to_string()].into_iter().chain(points).collect()
    });
    contains(&table(&head, rows));
    let nodes = Strength::FULL.nodes();
    let nodes = format!("{},{:03} nodes", nodes / 1_000, nodes % 1_000);
    assert!(protocol_md().contains(&nodes), "{nodes}");
}

#[test]
fn hub_parameters() {
    let rows = PARAMS.iter().map(|p| vec![code(p.name), p.help.to_owned()]);
    contains(&table(&["Parameter", "Meaning"], rows));
}

#[test]
fn the_worked_sessions() {
    happens("session");
    happens("hub");
}

/// In the session `>` goes in and `<` comes out. Lines of a search differ from build to build, so only their beginning is
/// compared; `< ...` stands for any lines.
fn happens(fence: &str) {
    let text = protocol_md();
    let sessions: Vec<&str> = text.split(&format!("```{fence}\n")).skip(1).collect();
    assert!(!sessions.is_empty(), "no {fence}");
    for session in sessions {
        replay(session.split("```").next().expect("its end"));
    }
}

fn replay(session: &str) {
    let mut engine = Session::start(&[]);
    let mut lines = session.lines().peekable();
    while let Some(command) = lines.next() {
        let command = command
            .strip_prefix("> ")
            .unwrap_or_else(|| panic!("{command}"));
        engine.send(command);
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with('<')) {
            expected.push(line.trim_start_matches("< "));
        }
        let Some(last) = expected.last() else {
            continue;
        };
        let words: Vec<_> = last.split(' ').collect();
        let length = if words.starts_with(&["info"]) { 3 } else { 1 };
        let said = engine.until_beginning(&words[..length]);
        for line in expected {
            let word = line.split(' ').next().expect("a word");
            let varies = ["info", "bestmove", "done", "id", "eval"].contains(&word)
                && !line.starts_with("info string");
            let found = match line {
                "..." => true,
                _ if varies => said.iter().any(|s| s.split(' ').next() == Some(word)),
                _ => said.iter().any(|s| s.trim_end() == line),
            };
            assert!(found, "after {command}: no \"{line}\" in {said:#?}");
        }
    }
    let (_, status) = engine.finish();
    assert!(status.success());
}
