//! The parameters: one table of names, with what each of them sets.

use crate::board::Variant;
use crate::engine::command::Command;
use crate::engine::error::{Code, Failure, quote};
use crate::engine::options::{Kind, Opt, Settings};
use crate::notation::hub::Numbering;
use crate::notation::hub::line::quoted;

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it sets.
    pub target: Target,
    /// What it does, in one sentence.
    pub help: &'static str,
}

/// What a parameter sets.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The rule set, in Hub's names.
    Variant,
    /// How squares of 8x8 boards are numbered.
    Numbering,
    /// The option of that name, in its own values.
    Option(&'static str),
    /// The size of the hash table: the logarithm to base 2 of its entries, of 16 bytes each.
    TableSize,
    /// Nothing yet: clients set it unasked.
    Idle {
        /// Its value, type and bounds, as they are declared.
        declared: &'static str,
    },
}

/// The word for a numbering that is to be found out.
const AUTO: &str = "auto";

/// Bounds of `tt-size`.
const TABLE_SIZES: std::ops::RangeInclusive<u32> = 16..=30;

/// A table of 2^this entries of 16 bytes takes one MiB.
const ENTRIES_OF_A_MIB: u32 = 16;

/// All parameters, in the order they are listed.
pub const PARAMS: &[Param] = &[
    Param {
        name: "variant",
        target: Target::Variant,
        help: "The rule set; every name and number of a set is read. A change gives the set's start position.",
    },
    Param {
        name: "notation",
        target: Target::Numbering,
        help: "How squares of 8x8 boards are numbered, see below.",
    },
    Param {
        name: "book",
        target: Target::Option("OwnBook"),
        help: "The option `OwnBook`: `go think` may be answered from the book.",
    },
    Param {
        name: "book-ply",
        target: Target::Option("BookDepth"),
        help: "The option `BookDepth`, in plies of a game.",
    },
    Param {
        name: "book-margin",
        target: Target::Option("BookMargin"),
        help: "The option `BookMargin`, in hundredths of a man.",
    },
    Param {
        name: "book-file",
        target: Target::Option("BookFile"),
        help: "The option `BookFile`.",
    },
    Param {
        name: "ponder",
        target: Target::Option("Ponder"),
        help: "The option `Ponder`.",
    },
    Param {
        name: "threads",
        target: Target::Option("Threads"),
        help: "The option `Threads`.",
    },
    Param {
        name: "tt-size",
        target: Target::TableSize,
        help: "The option `Hash`: a table of 2^N entries of 16 bytes each, 1 MiB for 16, 256 MiB for 24.",
    },
    Param {
        name: "bb-size",
        target: Target::Idle {
            declared: "value=0 type=int min=0 max=7",
        },
        help: "Without effect: tables of up to 4 pieces are always there, and `tablebase-path` names a folder with more.",
    },
    Param {
        name: "draw-rules",
        target: Target::Option("DrawRules"),
        help: "The option `DrawRules`.",
    },
    Param {
        name: "skill-level",
        target: Target::Option("Skill Level"),
        help: "The option `Skill Level`.",
    },
    Param {
        name: "move-overhead",
        target: Target::Option("Move Overhead"),
        help: "The option `Move Overhead`, in milliseconds.",
    },
    Param {
        name: "contempt",
        target: Target::Option("Contempt"),
        help: "The option `Contempt`.",
    },
    Param {
        name: "eval-file",
        target: Target::Option("EvalFile"),
        help: "The option `EvalFile`.",
    },
    Param {
        name: "tablebase-path",
        target: Target::Option("TablebasePath"),
        help: "The option `TablebasePath`.",
    },
    Param {
        name: "log-file",
        target: Target::Option("Debug Log File"),
        help: "The option `Debug Log File`.",
    },
];

/// The names of all sets in Hub, the default first.
fn variants() -> Vec<&'static str> {
    let mut list = Variant::ALL.to_vec();
    list.sort_by_key(|&variant| variant != Variant::default());
    list.iter().map(|variant| variant.labels().hub).collect()
}

/// The names of all numberings, the default first.
fn numberings() -> Vec<&'static str> {
    let names = Numbering::ALL.iter().map(|(_, name)| *name);
    std::iter::once(AUTO).chain(names).collect()
}

impl Param {
    /// The parameter of a name.
    pub fn find(name: &str) -> Option<&'static Param> {
        PARAMS.iter().find(|param| param.name == name)
    }

    /// The parameter as it is declared with what is set now; `values` come last.
    pub fn declaration(&self, settings: &Settings) -> String {
        let choice = |value: &str, values: &[&str]| {
            let values = values.join(" ");
            format!("value={value} type=enum values={}", quoted(&values))
        };
        let declared = match self.target {
            Target::Variant => choice(settings.variant.labels().hub, &variants()),
            Target::Numbering => choice(AUTO, &numberings()),
            Target::TableSize => {
                let size = settings.hash.max(1).ilog2() + ENTRIES_OF_A_MIB;
                let (min, max) = (TABLE_SIZES.start(), TABLE_SIZES.end());
                format!("value={size} type=int min={min} max={max}")
            }
            Target::Idle { declared } => declared.to_owned(),
            Target::Option(name) => match Opt::find(name).map(|option| option.kind) {
                Some(Kind::Check { get, .. }) => format!("value={} type=bool", get(settings)),
                Some(Kind::Spin { get, min, max, .. }) => {
                    format!("value={} type=int min={min} max={max}", get(settings))
                }
                Some(Kind::Combo { get, choices, .. }) => choice(get(settings), &choices()),
                Some(Kind::Text { get, .. }) => {
                    format!("value={} type=string", quoted(get(settings)))
                }
                Some(Kind::Button { .. }) | None => String::new(),
            },
        };
        format!("param name={} {declared}", self.name)
    }

    /// The command that sets it to a value. A numbering is for the parser itself to note.
    pub(super) fn set(&self, value: &str, numbering: &mut Option<Numbering>) -> Command {
        let set = |name: &str, value: String| Command::SetOption {
            name: name.to_owned(),
            value: Some(value),
        };
        let refuse = |expected: String| {
            let given = quote(value);
            let what = format!("{given} for parameter {}: expected {expected}", self.name);
            Command::Bad(Failure::new(Code::BadValue, what))
        };
        match self.target {
            Target::Variant if Variant::from_name(value).is_none() => {
                refuse(format!("one of {}", variants().join(", ")))
            }
            Target::Variant => set("UCI_Variant", value.to_owned()),
            Target::Option(name) => set(name, value.to_owned()),
            Target::TableSize => match value.parse() {
                Ok(size) if TABLE_SIZES.contains(&size) => {
                    set("Hash", (1_u64 << (size - ENTRIES_OF_A_MIB)).to_string())
                }
                _ => {
                    let (min, max) = (TABLE_SIZES.start(), TABLE_SIZES.end());
                    refuse(format!("a whole number from {min} to {max}"))
                }
            },
            Target::Numbering => {
                let found = Numbering::from_name(value);
                if found.is_none() && value != AUTO {
                    return refuse(format!("one of {}", numberings().join(", ")));
                }
                *numbering = found;
                Command::Ignore
            }
            Target::Idle { .. } => Command::Ignore,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_exist_and_take_what_is_declared() {
        let settings = Settings::default();
        for param in PARAMS {
            let line = param.declaration(&settings);
            assert!(
                line.starts_with(&format!("param name={} value=", param.name)),
                "{line}"
            );
            assert!(!line.contains("values=") || line.ends_with('"'), "{line}");
            let Target::Option(name) = param.target else {
                continue;
            };
            assert!(Opt::find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn sizes_of_the_table_are_those_of_the_option() {
        let hash = |value| match Param::find("tt-size").unwrap().set(value, &mut None) {
            Command::SetOption { name, value } => Some((name, value.unwrap())),
            _ => None,
        };
        assert_eq!(hash("24"), Some(("Hash".into(), "256".into())));
        assert_eq!(hash("16"), Some(("Hash".into(), "1".into())));
        for bad in ["15", "31", "", "-1", "1e3", "99999999999"] {
            assert_eq!(hash(bad), None, "{bad}");
        }
    }
}
