//! The enum [`Variant`], the only thing that names a rule set outside this folder, and the macro that turns it into a type.

/// A rule set by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// English draughts, or checkers.
    English,
    /// International draughts, 10x10.
    #[default]
    International,
    /// Brazilian draughts.
    Brazilian,
    /// Spanish draughts.
    Spanish,
    /// Turkish draughts.
    Turkish,
    /// Italian draughts.
    Italian,
    /// Russian draughts.
    Russian,
}

/// How a set writes its squares in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareStyle {
    /// Numbers from 1.
    Numeric,
    /// A letter and a rank, a1 at White's left.
    Algebraic,
}

/// Results as most sets write them.
const ONE_POINT: [&str; 3] = ["0-1", "1/2-1/2", "1-0"];
/// Results as the international game writes them.
const TWO_POINTS: [&str; 3] = ["0-2", "1-1", "2-0"];

/// A set's labels: everything about it that is not a rule of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labels {
    /// The canonical name.
    pub name: &'static str,
    /// The name of the set in Hub.
    pub hub: &'static str,
    /// Other names that are understood, lower case.
    pub aliases: &'static [&'static str],
    /// GameType of PDN 3.0: its number.
    pub game_type: u8,
    /// GameType of PDN 3.0: the whole value.
    pub game_type_tag: &'static str,
    /// The set's own way to write squares.
    pub squares: SquareStyle,
    /// The playable corner is at each player's right, so that files run mirrored.
    pub mirrored: bool,
    /// Square 1 is White's: numbers run from the bottom right upwards.
    pub numbers_from_bottom: bool,
    /// What PDN writes between the squares of a capture.
    pub capture_sign: char,
    /// The results of PDN: Black wins, draw, White wins.
    pub results: [&'static str; 3],
}

impl Variant {
    /// All sets, in the order they are listed to users.
    pub const ALL: [Variant; 7] = [
        Variant::English,
        Variant::International,
        Variant::Brazilian,
        Variant::Spanish,
        Variant::Turkish,
        Variant::Italian,
        Variant::Russian,
    ];

    /// Where the set stands in [`ALL`](Self::ALL), which lists them as they are declared.
    pub const fn place(self) -> usize {
        self as usize
    }

    /// The set's labels.
    pub const fn labels(self) -> &'static Labels {
        match self {
            Variant::English => &Labels {
                name: "english",
                hub: "english",
                aliases: &["checkers", "american", "english draughts", "klasyczne"],
                game_type: 21,
                game_type_tag: "21,B,8,8,N1,0",
                squares: SquareStyle::Numeric,
                mirrored: false,
                numbers_from_bottom: false,
                capture_sign: 'x',
                results: ONE_POINT,
            },
            Variant::International => &Labels {
                name: "international",
                hub: "normal",
                aliases: &["standard", "normal", "polish", "10x10", "100-polowe"],
                game_type: 20,
                game_type_tag: "20,W,10,10,N2,0",
                squares: SquareStyle::Numeric,
                mirrored: false,
                numbers_from_bottom: false,
                capture_sign: 'x',
                results: TWO_POINTS,
            },
            Variant::Brazilian => &Labels {
                name: "brazilian",
                hub: "brazilian",
                aliases: &["brazylijskie"],
                game_type: 26,
                game_type_tag: "26,W,8,8,A0,0",
                squares: SquareStyle::Algebraic,
                mirrored: false,
                numbers_from_bottom: false,
                capture_sign: 'x',
                results: ONE_POINT,
            },
            Variant::Spanish => &Labels {
                name: "spanish",
                hub: "spanish",
                aliases: &["damas", "hiszpańskie", "hiszpanskie"],
                game_type: 24,
                game_type_tag: "24,W,8,8,N1,1",
                squares: SquareStyle::Numeric,
                mirrored: true,
                numbers_from_bottom: true,
                capture_sign: 'x',
                results: ONE_POINT,
            },
            Variant::Turkish => &Labels {
                name: "turkish",
                hub: "turkish",
                aliases: &["dama", "tureckie"],
                game_type: 30,
                game_type_tag: "30,W,8,8,A0,0",
                squares: SquareStyle::Algebraic,
                mirrored: false,
                numbers_from_bottom: false,
                capture_sign: 'x',
                results: ONE_POINT,
            },
            Variant::Italian => &Labels {
                name: "italian",
                hub: "italian",
                aliases: &["dama italiana", "włoskie", "wloskie"],
                game_type: 22,
                game_type_tag: "22,W,8,8,N2,1",
                squares: SquareStyle::Numeric,
                mirrored: true,
                numbers_from_bottom: false,
                capture_sign: 'x',
                results: ONE_POINT,
            },
            Variant::Russian => &Labels {
                name: "russian",
                hub: "russian",
                aliases: &[
                    "shashki",
                    "szaszki",
                    "ukrainian",
                    "ukraińskie",
                    "ukrainskie",
                ],
                game_type: 25,
                game_type_tag: "25,W,8,8,A0,0",
                squares: SquareStyle::Algebraic,
                mirrored: false,
                numbers_from_bottom: false,
                capture_sign: ':',
                results: ONE_POINT,
            },
        }
    }

    /// The canonical name.
    pub const fn name(self) -> &'static str {
        self.labels().name
    }

    /// The set of a GameType of PDN, by its number; 99 is what lidraughts writes for games from a position.
    pub fn from_game_type(number: u32) -> Option<Variant> {
        const FROM_POSITION: u32 = 99;
        if number == FROM_POSITION {
            return Some(Variant::International);
        }
        Variant::ALL
            .into_iter()
            .find(|variant| u32::from(variant.labels().game_type) == number)
    }

    /// The set of a name, an alias or a GameType number; case does not matter.
    pub fn from_name(name: &str) -> Option<Variant> {
        let name = name.trim().to_lowercase();
        Variant::ALL.into_iter().find(|variant| {
            let labels = variant.labels();
            labels.name == name
                || labels.aliases.contains(&name.as_str())
                || name.parse() == Ok(labels.game_type)
        })
    }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Calls an expression with the type of a rule set: `with_rules!(variant, R => perft::<R>(...))`.
///
/// The one place where a run-time [`Variant`] becomes a type.
#[macro_export]
macro_rules! with_rules {
    ($variant:expr, $rules:ident => $body:expr) => {
        match $variant {
            $crate::board::Variant::English => {
                type $rules = $crate::board::rules::English;
                $body
            }
            $crate::board::Variant::International => {
                type $rules = $crate::board::rules::International;
                $body
            }
            $crate::board::Variant::Brazilian => {
                type $rules = $crate::board::rules::Brazilian;
                $body
            }
            $crate::board::Variant::Spanish => {
                type $rules = $crate::board::rules::Spanish;
                $body
            }
            $crate::board::Variant::Turkish => {
                type $rules = $crate::board::rules::Turkish;
                $body
            }
            $crate::board::Variant::Italian => {
                type $rules = $crate::board::rules::Italian;
                $body
            }
            $crate::board::Variant::Russian => {
                type $rules = $crate::board::rules::Russian;
                $body
            }
        }
    };
}

/// The results of a macro for the name of each set, in the order of [`Variant::ALL`].
macro_rules! for_each_name {
    ($made:ident) => {
        [
            $made!("english"),
            $made!("international"),
            $made!("brazilian"),
            $made!("spanish"),
            $made!("turkish"),
            $made!("italian"),
            $made!("russian"),
        ]
    };
}
pub(crate) use for_each_name;
