//! Requests: a line of JSON becomes a query or an action, or an error that names the field.
//!
//! One table says each field's name, form, meaning and how it is read; one lists the actions.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::engine::command::Origin;
use crate::engine::error::quote;
use crate::engine::options::{Opt, Settings};
use crate::search::Limits;

/// The largest whole number every JSON reader keeps exactly: 2^53 - 1.
const MOST: u64 = (1 << 53) - 1;

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field; empty where it is the line as a whole.
    pub field: String,
    /// The value and what was expected.
    pub what: String,
}

impl Fault {
    pub(super) fn new(field: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            what: what.into(),
        }
    }
}

/// Positions to be analysed: a game and some of its turns.
#[derive(Clone, Debug)]
pub struct Query {
    /// What the answers are called by.
    pub id: String,
    /// Rule set, draw rules, notation and number of lines.
    pub settings: Settings,
    /// The first position.
    pub origin: Origin,
    /// The moves played from there.
    pub moves: Vec<String>,
    /// After how many of the moves the positions stand; none means after the last.
    pub turns: Turns,
    /// When each search ends.
    pub limits: Limits,
    /// The moves to choose from, with blanks between them; empty means all.
    pub search_moves: String,
    /// Queries of higher priority are begun first.
    pub priority: i64,
    /// How often a running search reports.
    pub report_every: Option<Duration>,
    /// Whether the legal moves are listed.
    pub include_moves: bool,
}

impl Query {
    /// A query that says nothing.
    pub fn new(settings: Settings, limits: Limits) -> Self {
        Self {
            id: String::new(),
            settings,
            origin: Origin::Start,
            moves: Vec::new(),
            turns: Turns::Last,
            limits,
            search_moves: String::new(),
            priority: 0,
            report_every: None,
            include_moves: false,
        }
    }
}

/// Which positions of a game are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// The one after all moves.
    #[default]
    Last,
    /// All, the first position included.
    All,
    /// Those after so many moves.
    List(Vec<usize>),
}

/// What is to be done at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Ends the queries with this id, or these turns of them.
    Terminate {
        /// Their id.
        id: String,
        /// Their turns; all where none are named.
        turns: Turns,
    },
    /// Ends all queries.
    TerminateAll,
    /// Tells the version.
    QueryVersion,
    /// Forgets what searches have found.
    ClearCache,
}

/// A line of input.
#[derive(Clone, Debug)]
pub enum Input {
    /// Positions to analyse.
    Query(Box<Query>),
    /// Something to be done at once.
    Action {
        /// The id of the line.
        id: String,
        /// What is to be done.
        action: Action,
    },
}

/// What a line says.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Its id, if it has one.
    pub id: Option<String>,
    /// Fields that mean nothing.
    pub warnings: Vec<Fault>,
    /// What it asks.
    pub input: Result<Input, Fault>,
}

/// A field of a query.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub form: &'static str,
    /// What it means.
    pub help: &'static str,
    read: fn(&mut Query, &Value) -> Result<(), Fault>,
}

/// The fields of a query, in the order of the documentation.
pub const FIELDS: &[Field] = &[
    Field {
        name: "id",
        form: "string",
        help: "Required: every answer to the query has it.",
        read: |query, value| {
            query.id = text("id", value)?.to_owned();
            Ok(())
        },
    },
    Field {
        name: "variant",
        form: "string",
        help: "The rule set, by any of its names.",
        read: |query, value| option(query, "variant", "UCI_Variant", value),
    },
    Field {
        name: "drawRules",
        form: "string",
        help: "The draw rules, as the option `DrawRules`.",
        read: |query, value| option(query, "drawRules", "DrawRules", value),
    },
    Field {
        name: "fen",
        form: "string",
        help: "The first position; without it, or as `startpos`, the start position of the set.",
        read: |query, value| {
            let text = text("fen", value)?;
            query.origin = match text.trim() {
                "startpos" => Origin::Start,
                fen => Origin::Fen(fen.to_owned()),
            };
            Ok(())
        },
    },
    Field {
        name: "moves",
        form: "list of strings, or one string",
        help: "The moves played from there, in any notation; in one string blanks part them and move numbers are skipped.",
        read: |query, value| {
            query.moves = moves("moves", value)?;
            Ok(())
        },
    },
    Field {
        name: "turns",
        form: "list of numbers, or `\"all\"`",
        help: "After how many of the moves to analyse; without it after all of them.",
        read: |query, value| {
            query.turns = turns(value)?;
            Ok(())
        },
    },
    Field {
        name: "limits",
        form: "object",
        help: "When each search ends: `depth` (plies), `nodes`, `movetime` (milliseconds), all that are given holding at once. \
               Without any, the limits of the command line.",
        // Read by `limits`, which warns of what it does not know.
        read: |_, _| Ok(()),
    },
    Field {
        name: "multipv",
        form: "number",
        help: "How many best moves to report, each with its line.",
        read: |query, value| option(query, "multipv", "MultiPV", value),
    },
    Field {
        name: "searchmoves",
        form: "list of strings, or one string",
        help: "Only these moves are searched; each must be legal.",
        read: |query, value| {
            query.search_moves = moves("searchmoves", value)?.join(" ");
            Ok(())
        },
    },
    Field {
        name: "priority",
        form: "number",
        help: "Of the queries that wait, those of the highest priority are begun first; 0 where it is missing.",
        read: |query, value| {
            query.priority = value
                .as_i64()
                .ok_or_else(|| refuse("priority", value, "a whole number"))?;
            Ok(())
        },
    },
    Field {
        name: "reportEvery",
        form: "number",
        help: "Milliseconds between reports of a running search.",
        read: |query, value| {
            let every = number("reportEvery", value, 1)?;
            query.report_every = Some(Duration::from_millis(every));
            Ok(())
        },
    },
    Field {
        name: "evalFile",
        form: "string",
        help: "A file of weights for the evaluation of the set, as the option `EvalFile`.",
        read: |query, value| option(query, "evalFile", "EvalFile", value),
    },
    Field {
        name: "notation",
        form: "string",
        help: "The notation of moves in the answers, as the option `Notation`.",
        read: |query, value| option(query, "notation", "Notation", value),
    },
    Field {
        name: "squares",
        form: "string",
        help: "The names of squares in the answers, as the option `Squares`.",
        read: |query, value| option(query, "squares", "Squares", value),
    },
    Field {
        name: "includeMoves",
        form: "true or false",
        help: "Whether answers list the legal moves.",
        read: |query, value| {
            query.include_moves = value
                .as_bool()
                .ok_or_else(|| refuse("includeMoves", value, "true or false"))?;
            Ok(())
        },
    },
];

/// The actions with their meaning, in the order of the documentation.
pub const ACTIONS: &[(&str, &str)] = &[
    (
        "terminate",
        "Ends the queries whose id is `terminateId`, or their `turns` if those are given.",
    ),
    ("terminate_all", "Ends all queries."),
    ("query_version", "Answers with the program's `version`."),
    (
        "clear_cache",
        "Forgets what searches have found, which matters only with `--keep-table`.",
    ),
];

/// The fields an action may have.
const ACTION_FIELDS: &[&str] = &["id", "action", "terminateId", "turns"];

/// The entries of `limits`.
const LIMITS: &[&str] = &["depth", "nodes", "movetime"];

/// What a line asks; `defaults` is a query with nothing but what the command line said.
pub fn parse(line: &str, defaults: &Query) -> Parsed {
    let mut parsed = Parsed {
        id: None,
        warnings: Vec::new(),
        input: Err(Fault::new("", "")),
    };
    let object = match serde_json::from_str(line) {
        Ok(Value::Object(object)) => object,
        Ok(other) => {
            let what = format!(
                "{} is no JSON object: expected {{\"id\": ...}}",
                shown(&other)
            );
            parsed.input = Err(Fault::new("", what));
            return parsed;
        }
        Err(error) => {
            let what = format!("the line is not JSON: {error}");
            parsed.input = Err(Fault::new("", what));
            return parsed;
        }
    };
    parsed.id = object.get("id").and_then(Value::as_str).map(str::to_owned);
    parsed.input = match &parsed.id {
        None => {
            let value = object.get("id").unwrap_or(&Value::Null);
            Err(refuse("id", value, "a string"))
        }
        Some(id) if object.contains_key("action") => {
            action(&object, &mut parsed.warnings).map(|action| Input::Action {
                id: id.clone(),
                action,
            })
        }
        Some(_) => query(&object, defaults, &mut parsed.warnings)
            .map(|query| Input::Query(Box::new(query))),
    };
    parsed
}

fn query(
    object: &Map<String, Value>,
    defaults: &Query,
    warnings: &mut Vec<Fault>,
) -> Result<Query, Fault> {
    let mut query = defaults.clone();
    let known = |name: &str| FIELDS.iter().any(|field| field.name == name);
    let names = || FIELDS.iter().map(|field| field.name);
    warn_of_unknown(object, known, names().collect(), "", warnings);
    for field in FIELDS {
        // A field without a value is one that is missing: tables written as JSON are full of them.
        if let Some(value) = object.get(field.name).filter(|value| !value.is_null()) {
            (field.read)(&mut query, value)?;
        }
    }
    if let Some(value) = object.get("limits").filter(|value| !value.is_null()) {
        query.limits = limits(value, &defaults.limits, warnings)?;
    }
    Ok(query)
}

fn limits(value: &Value, defaults: &Limits, warnings: &mut Vec<Fault>) -> Result<Limits, Fault> {
    let Value::Object(object) = value else {
        let expected = format!("an object with {}", LIMITS.join(", "));
        return Err(refuse("limits", value, &expected));
    };
    let known = |name: &str| LIMITS.contains(&name);
    warn_of_unknown(object, known, LIMITS.to_vec(), "limits.", warnings);
    let entry = |name: &str, least| {
        let value = object.get(name).filter(|value| !value.is_null());
        value
            .map(|value| number(&format!("limits.{name}"), value, least))
            .transpose()
    };
    let limits = Limits {
        depth: entry("depth", 1)?.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        nodes: entry("nodes", 1)?,
        movetime: entry("movetime", 0)?.map(Duration::from_millis),
        ..Limits::default()
    };
    Ok(if limits.is_bounded() {
        limits
    } else {
        defaults.clone()
    })
}

fn action(object: &Map<String, Value>, warnings: &mut Vec<Fault>) -> Result<Action, Fault> {
    let known = |name: &str| ACTION_FIELDS.contains(&name);
    warn_of_unknown(object, known, ACTION_FIELDS.to_vec(), "", warnings);
    let null = Value::Null;
    let get = |name: &str| object.get(name).unwrap_or(&null);
    match get("action").as_str() {
        Some("terminate") => Ok(Action::Terminate {
            id: text("terminateId", get("terminateId"))?.to_owned(),
            turns: match get("turns") {
                Value::Null => Turns::All,
                value => turns(value)?,
            },
        }),
        Some("terminate_all") => Ok(Action::TerminateAll),
        Some("query_version") => Ok(Action::QueryVersion),
        Some("clear_cache") => Ok(Action::ClearCache),
        _ => {
            let names: Vec<_> = ACTIONS.iter().map(|(name, _)| *name).collect();
            let expected = format!("one of {}", names.join(", "));
            Err(refuse("action", get("action"), &expected))
        }
    }
}

fn warn_of_unknown(
    object: &Map<String, Value>,
    known: impl Fn(&str) -> bool,
    names: Vec<&str>,
    prefix: &str,
    warnings: &mut Vec<Fault>,
) {
    for name in object.keys().filter(|name| !known(name)) {
        let what = format!(
            "{} is unknown and ignored: expected {}",
            quote(name),
            names.join(", ")
        );
        warnings.push(Fault::new(format!("{prefix}{name}"), what));
    }
}

/// A value in an error.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => quote(text),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

fn refuse(field: &str, value: &Value, expected: &str) -> Fault {
    let what = format!("{} for {field}: expected {expected}", shown(value));
    Fault::new(field, what)
}

fn text<'a>(field: &str, value: &'a Value) -> Result<&'a str, Fault> {
    value
        .as_str()
        .ok_or_else(|| refuse(field, value, "a string"))
}

fn number(field: &str, value: &Value, least: u64) -> Result<u64, Fault> {
    let number = value.as_u64().filter(|n| (least..=MOST).contains(n));
    number.ok_or_else(|| {
        let expected = format!("a whole number from {least} to {MOST}");
        refuse(field, value, &expected)
    })
}

/// Reads a value as that of one of the program's options.
fn option(query: &mut Query, field: &str, name: &str, value: &Value) -> Result<(), Fault> {
    let word = match value {
        Value::String(word) => word.clone(),
        Value::Number(number) => number.to_string(),
        other => return Err(refuse(field, other, "a string or a number")),
    };
    let Some(option) = Opt::find(name) else {
        return Ok(());
    };
    let read = option.read(&mut query.settings, Some(&word));
    read.map_err(|failure| Fault::new(field, failure.what))
}

fn moves(field: &str, value: &Value) -> Result<Vec<String>, Fault> {
    let expected = "a list of strings, or a string with blanks between the moves";
    match value {
        Value::String(text) => Ok(parse_moves(text)),
        Value::Array(list) => list
            .iter()
            .map(|value| match value.as_str() {
                Some(text) => {
                    let words: Vec<_> = text.split_whitespace().collect();
                    // A list knows where a move ends, so blanks inside it are separators like any other.
                    Ok(words.join("-"))
                }
                None => Err(refuse(field, value, expected)),
            })
            .collect(),
        other => Err(refuse(field, other, expected)),
    }
}

/// The moves of a text: blanks part them, and move numbers are skipped.
pub fn parse_moves(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(without_number)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A word of movetext without a move number before it: `12.` and `12...` are nothing, `12.32-28` is `32-28`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

fn turns(value: &Value) -> Result<Turns, Fault> {
    let expected = "a list of whole numbers from 0, or \"all\"";
    match value {
        Value::String(word) if word == "all" => Ok(Turns::All),
        Value::Array(list) if !list.is_empty() => {
            let mut turns = Vec::with_capacity(list.len());
            for value in list {
                let turn = value.as_u64().and_then(|turn| usize::try_from(turn).ok());
                turns.push(turn.ok_or_else(|| refuse("turns", value, expected))?);
            }
            turns.sort_unstable();
            turns.dedup();
            Ok(Turns::List(turns))
        }
        other => Err(refuse("turns", other, expected)),
    }
}
