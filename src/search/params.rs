//! The numbers the search is tuned by. Values in hundredths of a man, depths in plies.
//!
//! They are declared once, in the list below: name, default, range and meaning. Each searcher has a set of its own, so that
//! two sets can play each other in one process; a worker holds its set by value.

use super::score::Value;

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal, $least:literal..=$most:literal;)+) => {
        /// A set of the search's parameters; by default those it plays best with.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $doc])+ pub(super) $name: i32,)+
        }

        impl Default for Params {
            fn default() -> Self {
                Params { $($name: $default,)+ }
            }
        }

        impl Params {
            /// All parameters.
            pub const LIST: &'static [Param] = &[$(Param {
                name: stringify!($name),
                default: $default,
                least: $least,
                most: $most,
                meaning: concat!($($doc),+),
            },)+];

            /// Sets the parameter of a name. On an error, which says what is accepted, nothing is changed.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
                match name {
                    $(stringify!($name) => {
                        let number = value.parse().ok().filter(|n| ($least..=$most).contains(n));
                        self.$name = number.ok_or_else(|| format!(
                            "search parameter {name} is \"{value}\", expected a number from {} to {}",
                            $least, $most
                        ))?;
                        Ok(())
                    })+
                    _ => {
                        let names: Vec<_> = Self::LIST.iter().map(|param| param.name).collect();
                        Err(format!("search parameter \"{name}\" is unknown, expected one of {}", names.join(", ")))
                    }
                }
            }
        }
    };
}

/// What is known of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// The value it has unless it is set.
    pub default: i32,
    /// The least value it takes.
    pub least: i32,
    /// The greatest value it takes.
    pub most: i32,
    /// What it does.
    pub meaning: &'static str,
}

params! {
    /// Half of the first aspiration window; it doubles with each failure.
    aspiration: 15, 1..=1000;
    /// Half a window wider than this is opened altogether.
    aspiration_limit: 400, 1..=10000;
    /// The first iteration with a window.
    aspiration_depth: 4, 1..=100;
    /// The shallowest node in which a reduced search with a raised window may cut off.
    probcut_depth: 3, 1..=100;
    /// How far the window is raised for each ply of depth.
    probcut_margin: 10, 0..=500;
    /// The depth of such a search in hundredths of the node's depth.
    probcut_share: 40, 0..=90;
    /// The shallowest node in which late quiet moves are searched less deep.
    reduction_depth: 2, 1..=100;
    /// The quiet moves searched in full in a node of the principal variation; beyond them a ply is left out.
    reduction_pv: 3, 0..=100;
    /// The quiet moves searched in full in another node.
    reduction_first: 1, 0..=100;
    /// From this number of moves on, two plies are left out in another node.
    reduction_second: 4, 0..=100;
}

impl Params {
    /// The reduced depth of a search with a raised window.
    pub(super) const fn probcut_reduced(&self, depth: i32) -> i32 {
        depth * self.probcut_share / 100
    }

    /// By how many plies a late quiet move is searched less deep; `count` moves came before it.
    pub(super) const fn reduction(&self, pv: bool, depth: i32, count: usize) -> i32 {
        let count = count as Value;
        let first = if pv {
            self.reduction_pv
        } else {
            self.reduction_first
        };
        if depth < self.reduction_depth || count < first {
            0
        } else if pv || count < self.reduction_second {
            1
        } else {
            2
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range_and_can_be_set() {
        let mut params = Params::default();
        for param in Params::LIST {
            params.set(param.name, &param.default.to_string()).unwrap();
            assert!(
                params
                    .set(param.name, &(param.most + 1).to_string())
                    .is_err()
            );
            assert!(params.set(param.name, "x").is_err());
        }
        assert_eq!(params, Params::default());
        params.set("probcut_margin", "11").unwrap();
        assert_eq!(params.probcut_margin, 11);
        assert!(
            params
                .set("margin", "11")
                .unwrap_err()
                .contains("probcut_margin")
        );
    }
}
