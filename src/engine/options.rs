//! The options: one table says each option's name, kind, bounds and meaning; listing, parsing and documentation walk it.
//! Defaults are those of [`Settings::default`].

use std::time::Duration;

use super::Engine;
use super::elo::{self, MAX_ELO, MIN_ELO};
use super::error::{Code, Failure, quote};
use crate::board::{DrawRules, Variant};
use crate::notation::{Notation, Squares, Style};
use crate::opening::book;
use crate::search::{FULL_LEVEL, Strength};

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The rule set.
    pub variant: Variant,
    /// The draw table.
    pub draw_rules: DrawRules,
    /// How moves are printed.
    pub style: Style,
    /// Size of the hash table, in MiB.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// Lines to report.
    pub multi_pv: usize,
    /// Whether the GUI means to ponder.
    pub ponder: bool,
    /// Time kept back for the way to the GUI and back.
    pub overhead: Duration,
    /// Playing strength, 0 to [`FULL_LEVEL`].
    pub skill: u8,
    /// Whether `elo` rules the strength.
    pub limit_strength: bool,
    /// The strength asked for, from [`MIN_ELO`] to [`MAX_ELO`].
    pub elo: u32,
    /// Whether win, draw and loss are shown.
    pub show_wdl: bool,
    /// File of weights of the evaluation; empty means the embedded ones.
    pub eval_file: String,
    /// By how much a draw is worth less than an even position, in hundredths of a man.
    pub contempt: i32,
    /// Folder of endgame tables with more pieces than the embedded ones; empty means the embedded ones, `none` no tables.
    pub tablebase_path: String,
    /// Whether the book may answer.
    pub own_book: bool,
    /// File of the book, or [`book::EMBEDDED`].
    pub book_file: String,
    /// Plies of a game in which the book may answer.
    pub book_depth: u32,
    /// How much a move of the book may lose against the best one, in hundredths of a man.
    pub book_margin: i32,
    /// Where input and output are logged; empty means nowhere.
    pub log_file: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            variant: Variant::default(),
            draw_rules: DrawRules::default(),
            style: Style::default(),
            hash: 64,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            overhead: Duration::from_millis(10),
            skill: FULL_LEVEL,
            limit_strength: false,
            elo: MAX_ELO,
            show_wdl: false,
            eval_file: String::new(),
            contempt: 0,
            tablebase_path: String::new(),
            own_book: false,
            book_file: book::EMBEDDED.to_owned(),
            book_depth: 20,
            book_margin: 15,
            log_file: String::new(),
        }
    }
}

impl Settings {
    /// The playing strength the options ask for: that of `UCI_Elo` in the set if it limits, else that of `Skill Level`.
    pub fn strength(&self) -> Strength {
        if self.limit_strength {
            elo::strength(self.variant, self.elo)
        } else {
            Strength::level(self.skill)
        }
    }
}

/// What an option is, and how it reads and sets its setting.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// True or false.
    Check {
        /// Reads the setting.
        get: fn(&Settings) -> bool,
        /// Sets it.
        set: fn(&mut Settings, bool),
    },
    /// A whole number.
    Spin {
        /// The least value.
        min: u32,
        /// The greatest value.
        max: u32,
        /// Reads the setting.
        get: fn(&Settings) -> u32,
        /// Sets it.
        set: fn(&mut Settings, u32),
    },
    /// One of several words.
    Combo {
        /// The words.
        choices: fn() -> Vec<&'static str>,
        /// Reads the setting.
        get: fn(&Settings) -> &'static str,
        /// Sets it; false if the word is none of the choices, nor an alias of one.
        set: fn(&mut Settings, &str) -> bool,
    },
    /// Any text.
    Text {
        /// Reads the setting.
        get: fn(&Settings) -> &str,
        /// Sets it.
        set: fn(&mut Settings, &str),
    },
    /// An action.
    Button {
        /// Does it.
        press: fn(&mut dyn Engine),
    },
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Opt {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// What it does, in one sentence.
    pub help: &'static str,
}

/// The name of a choice in a list of choices.
fn name_of<T: PartialEq>(list: &[(T, &'static str)], wanted: T) -> &'static str {
    list.iter()
        .find(|(value, _)| *value == wanted)
        .map_or("", |(_, name)| name)
}

/// Sets `target` to the choice of that name; false if there is none.
fn choose<T: Copy>(list: &[(T, &'static str)], name: &str, target: &mut T) -> bool {
    let found = list.iter().find(|(_, n)| n.eq_ignore_ascii_case(name));
    if let Some((value, _)) = found {
        *target = *value;
    }
    found.is_some()
}

fn names<T>(list: &[(T, &'static str)]) -> Vec<&'static str> {
    list.iter().map(|(_, name)| *name).collect()
}

/// All options, in the order they are listed.
pub const OPTIONS: &[Opt] = &[
    Opt {
        name: "UCI_Variant",
        kind: Kind::Combo {
            choices: || Variant::ALL.iter().map(|v| v.name()).collect(),
            get: |s| s.variant.name(),
            set: |s, name| {
                let variant = Variant::from_name(name);
                s.variant = variant.unwrap_or(s.variant);
                variant.is_some()
            },
        },
        help: "The rule set. A change gives the set's start position.",
    },
    Opt {
        name: "DrawRules",
        kind: Kind::Combo {
            choices: || names(&DrawRules::ALL),
            get: |s| name_of(&DrawRules::ALL, s.draw_rules),
            set: |s, name| choose(&DrawRules::ALL, name, &mut s.draw_rules),
        },
        help: "What is drawn beyond the third occurrence of a position.",
    },
    Opt {
        name: "Notation",
        kind: Kind::Combo {
            choices: || names(&Notation::ALL),
            get: |s| name_of(&Notation::ALL, s.style.notation),
            set: |s, name| choose(&Notation::ALL, name, &mut s.style.notation),
        },
        help: "The form in which moves are printed; every form is read.",
    },
    Opt {
        name: "Squares",
        kind: Kind::Combo {
            choices: || names(&Squares::ALL),
            get: |s| name_of(&Squares::ALL, s.style.squares),
            set: |s, name| choose(&Squares::ALL, name, &mut s.style.squares),
        },
        help: "How squares are printed: as the set does, as numbers or as letters; both are read.",
    },
    Opt {
        name: "Hash",
        kind: Kind::Spin {
            min: 1,
            max: 262_144,
            get: |s| u32::try_from(s.hash).unwrap_or(u32::MAX),
            set: |s, n| s.hash = n as usize,
        },
        help: "Size of the hash table in MiB. A change clears it.",
    },
    Opt {
        name: "Clear Hash",
        kind: Kind::Button {
            press: |engine| engine.clear(),
        },
        help: "Forgets all that earlier searches have found.",
    },
    Opt {
        name: "Threads",
        kind: Kind::Spin {
            min: 1,
            max: 256,
            get: |s| u32::try_from(s.threads).unwrap_or(u32::MAX),
            set: |s, n| s.threads = n as usize,
        },
        help: "Threads that search or count.",
    },
    Opt {
        name: "MultiPV",
        kind: Kind::Spin {
            min: 1,
            max: 500,
            get: |s| u32::try_from(s.multi_pv).unwrap_or(u32::MAX),
            set: |s, n| s.multi_pv = n as usize,
        },
        help: "How many best moves to report with their lines.",
    },
    Opt {
        name: "Ponder",
        kind: Kind::Check {
            get: |s| s.ponder,
            set: |s, on| s.ponder = on,
        },
        help: "Tells that the GUI may send `go ponder`, which works in any case.",
    },
    Opt {
        name: "Move Overhead",
        kind: Kind::Spin {
            min: 0,
            max: 10_000,
            get: |s| u32::try_from(s.overhead.as_millis()).unwrap_or(u32::MAX),
            set: |s, n| s.overhead = Duration::from_millis(n.into()),
        },
        help: "Milliseconds of each move's time kept back for the way to the GUI and back.",
    },
    Opt {
        name: "Skill Level",
        kind: Kind::Spin {
            min: 0,
            max: FULL_LEVEL as u32,
            get: |s| s.skill.into(),
            set: |s, n| s.skill = u8::try_from(n).unwrap_or(FULL_LEVEL),
        },
        help: "Playing strength from a beginner's to the full one.",
    },
    Opt {
        name: "UCI_LimitStrength",
        kind: Kind::Check {
            get: |s| s.limit_strength,
            set: |s, on| s.limit_strength = on,
        },
        help: "Lets `UCI_Elo` set the strength instead of `Skill Level`.",
    },
    Opt {
        name: "UCI_Elo",
        kind: Kind::Spin {
            min: MIN_ELO,
            max: MAX_ELO,
            get: |s| s.elo,
            set: |s, n| s.elo = n,
        },
        help: "The strength when `UCI_LimitStrength` is on; the scale was measured and is the set's own.",
    },
    Opt {
        name: "UCI_ShowWDL",
        kind: Kind::Check {
            get: |s| s.show_wdl,
            set: |s, on| s.show_wdl = on,
        },
        help: "Adds `wdl W D L` after each score, in thousandths.",
    },
    Opt {
        name: "Contempt",
        kind: Kind::Spin {
            min: 0,
            max: 100,
            get: |s| s.contempt.unsigned_abs(),
            set: |s, n| s.contempt = i32::try_from(n).unwrap_or(0),
        },
        help: "By how many hundredths of a man a draw is worth less than an even position, to play on against a weaker opponent.",
    },
    Opt {
        name: "EvalFile",
        kind: Kind::Text {
            get: |s| &s.eval_file,
            set: |s, path| s.eval_file = path.to_owned(),
        },
        help: "A file of weights for the evaluation of the set; empty means the embedded ones.",
    },
    Opt {
        name: "TablebasePath",
        kind: Kind::Text {
            get: |s| &s.tablebase_path,
            set: |s, path| s.tablebase_path = path.to_owned(),
        },
        help: "A folder of endgame tables, of which those of the set with the most pieces are used; empty means the embedded ones, of up to 4 pieces; `none` means no tables.",
    },
    Opt {
        name: "OwnBook",
        kind: Kind::Check {
            get: |s| s.own_book,
            set: |s, on| s.own_book = on,
        },
        help: "Lets the opening book answer instead of a search.",
    },
    Opt {
        name: "BookFile",
        kind: Kind::Text {
            get: |s| &s.book_file,
            set: |s, path| s.book_file = path.to_owned(),
        },
        help: "A file with a book of the set; `<embedded>` or empty means the embedded one.",
    },
    Opt {
        name: "BookDepth",
        kind: Kind::Spin {
            min: 0,
            max: 100,
            get: |s| s.book_depth,
            set: |s, n| s.book_depth = n,
        },
        help: "Plies of a game after which the book is not asked any more.",
    },
    Opt {
        name: "BookMargin",
        kind: Kind::Spin {
            min: 0,
            max: 100,
            get: |s| s.book_margin.unsigned_abs(),
            set: |s, n| s.book_margin = i32::try_from(n).unwrap_or(0),
        },
        help: "Hundredths of a man that a move of the book may lose against the best one, by chance.",
    },
    Opt {
        name: "Debug Log File",
        kind: Kind::Text {
            get: |s| &s.log_file,
            set: |s, path| s.log_file = path.to_owned(),
        },
        help: "Appends all input and output to this file; empty stops it.",
    },
];

impl Opt {
    /// The option of a name; case does not matter.
    pub fn find(name: &str) -> Option<&'static Opt> {
        OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Reads a value into the settings, which stay as they were on an error. A button leaves them alone.
    pub fn read(&self, settings: &mut Settings, value: Option<&str>) -> Result<(), Failure> {
        let refuse = |expected: String| {
            let given = value.map_or_else(|| "no value".to_owned(), quote);
            let what = format!("{given} for option {}: expected {expected}", self.name);
            Failure::new(Code::BadValue, what)
        };
        let word = value.unwrap_or_default();
        match self.kind {
            Kind::Check { set, .. } => {
                let on = ["false", "true"]
                    .iter()
                    .position(|name| name.eq_ignore_ascii_case(word))
                    .ok_or_else(|| refuse("true or false".to_owned()))?;
                set(settings, on == 1);
            }
            Kind::Spin { min, max, set, .. } => {
                let number = word.parse().ok().filter(|n| (min..=max).contains(n));
                let number =
                    number.ok_or_else(|| refuse(format!("a whole number from {min} to {max}")))?;
                set(settings, number);
            }
            Kind::Combo { choices, set, .. } => {
                if !set(settings, word) {
                    return Err(refuse(format!("one of {}", choices().join(", "))));
                }
            }
            Kind::Text { set, .. } => set(settings, if word == "<empty>" { "" } else { word }),
            Kind::Button { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_the_option_takes() {
        let defaults = Settings::default();
        for option in OPTIONS {
            let value = match option.kind {
                Kind::Check { get, .. } => get(&defaults).to_string(),
                Kind::Spin { get, .. } => get(&defaults).to_string(),
                Kind::Combo { get, .. } => get(&defaults).to_owned(),
                Kind::Text { get, .. } => get(&defaults).to_owned(),
                Kind::Button { .. } => continue,
            };
            let mut settings = defaults.clone();
            assert_eq!(option.read(&mut settings, Some(&value)), Ok(()));
            assert_eq!(settings, defaults, "{}", option.name);
        }
    }

    #[test]
    fn a_bad_value_changes_nothing_and_names_what_is_accepted() {
        let cases = [
            ("Hash", Some("0"), "from 1 to 262144"),
            ("Hash", Some("-5"), "from 1 to 262144"),
            ("Hash", Some("99999999999999999999"), "from 1 to 262144"),
            ("Threads", None, "no value"),
            ("Ponder", Some("maybe"), "true or false"),
            ("DrawRules", Some("chess"), "club-40"),
            ("UCI_Variant", Some("go"), "turkish"),
        ];
        for (name, value, said) in cases {
            let mut settings = Settings::default();
            let failure = Opt::find(name).unwrap().read(&mut settings, value);
            let failure = failure.unwrap_err();
            assert_eq!(failure.code, Code::BadValue);
            assert!(failure.what.contains(said), "{failure}");
            assert_eq!(settings, Settings::default());
        }
    }

    #[test]
    fn strength_options_map_to_strengths() {
        let mut settings = Settings {
            skill: 3,
            elo: MIN_ELO,
            ..Settings::default()
        };
        assert_eq!(settings.strength(), Strength::level(3));
        settings.limit_strength = true;
        assert_eq!(settings.strength(), Strength::level(0));
        for variant in Variant::ALL {
            settings.variant = variant;
            settings.elo = MAX_ELO;
            assert_eq!(settings.strength(), Strength::FULL);
            settings.elo = 1_200;
            assert_eq!(settings.strength(), elo::strength(variant, 1_200));
        }
    }
}
