//! What the engine tells its user when it cannot do as it was asked: a code for programs, a sentence for people.

use std::fmt;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $word:literal;)+) => {
        /// The kinds of errors; the one list of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Code] = &[$(Code::$name),+];

            /// The word that stands for the code in the protocol.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Code::$name => $word,)+
                }
            }

            /// When it happens, as the documentation says it.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Code::$name => concat!($($doc),+).trim_ascii(),)+
                }
            }
        }
    };
}

codes! {
    /// No word of the line is a command. Nothing was done.
    UnknownCommand = "unknown-command";
    /// A command lacks a part or has a wrong one. Nothing was done.
    BadCommand = "bad-command";
    /// The line is longer than 64 MiB. It was skipped whole.
    LineTooLong = "line-too-long";
    /// A search is running. The command was not obeyed.
    Busy = "busy";
    /// `setoption` names an option that does not exist. Nothing was changed.
    NoSuchOption = "no-such-option";
    /// `setoption` gives a value the option does not take. Nothing was changed.
    BadValue = "bad-value";
    /// The hash table does not fit in memory. A smaller one is in force, as the text says.
    OutOfMemory = "out-of-memory";
    /// The file of `EvalFile` holds no weights for the set. Nothing was changed.
    EvalFile = "eval-file";
    /// The folder of `TablebasePath` cannot be read, or its tables for the set are damaged. Nothing was changed.
    TablebasePath = "tablebase-path";
    /// The file of `BookFile` holds no book of the set. Nothing was changed.
    BookFile = "book-file";
    /// The file of `Debug Log File` cannot be opened. Nothing was changed.
    LogFile = "log-file";
    /// `position` has neither `startpos`, `fen` nor `hub`. There is no position now.
    BadPosition = "bad-position";
    /// `position fen` gives what is not a position of the set. There is no position now.
    BadFen = "bad-fen";
    /// `position hub` gives what is not a position of the set. There is no position now.
    BadHub = "bad-hub";
    /// A move cannot be read. After `position ... moves` there is no position now; in `searchmoves` it is left out.
    BadMove = "bad-move";
    /// A move is not legal. Consequences as for `bad-move`.
    IllegalMove = "illegal-move";
    /// A move fits several legal moves, which the text lists. Consequences as for `bad-move`.
    AmbiguousMove = "ambiguous-move";
    /// `go` has a limit that is missing its value, is no whole number or is out of range. It is answered `bestmove (none)`.
    BadLimit = "bad-limit";
    /// `go` came while there is no position. It is answered `bestmove (none)`.
    NoPosition = "no-position";
    /// A perft was stopped before its end, or `quit` overtook a waiting `go`.
    Stopped = "stopped";
    /// The engine itself or the system failed; please report it.
    Internal = "internal";
}

/// An error as it is told to the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Failure {
    /// What kind of error it is.
    pub code: Code,
    /// The value, what was expected, and where: one sentence without a line break.
    pub what: String,
}

impl Failure {
    /// An error with its sentence.
    pub fn new(code: Code, what: impl Into<String>) -> Self {
        Self {
            code,
            what: what.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code.word(), self.what)
    }
}

/// Quotes a user's text for an error, cut to a length that can be read.
pub fn quote(text: &str) -> String {
    const MOST: usize = 60;
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut quoted: String = text.chars().take(MOST).map(clean).collect();
    if text.chars().nth(MOST).is_some() {
        quoted.push_str("...");
    }
    format!("\"{quoted}\"")
}
