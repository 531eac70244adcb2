//! The bench: searches of fixed positions of all rule sets to a fixed depth by one thread. Its node count is the
//! signature of a build: the same on every machine, and changed by any change of search, evaluation or rules.

use std::time::{Duration, Instant};

use super::command::{Event, Order, Origin, Setting};
use super::error::{Code, Failure};
use super::options::Settings;
use super::{Engine, build};
use crate::board::{Outcome, Variant};
use crate::notation::{Notation, Squares, Style};
use crate::search::Limits;

/// How deep each position is searched, in plies.
pub const DEPTH: u32 = 12;
/// After how many plies of a game the positions stand.
const PLIES: [usize; 6] = [0, 6, 14, 22, 32, 44];

/// What the bench found of one rule set.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// The rule set.
    pub variant: Variant,
    /// Positions searched.
    pub positions: u32,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

/// Searches the positions of one rule set.
pub fn bench(variant: Variant) -> Result<Bench, Failure> {
    let settings = Settings {
        variant,
        hash: 16,
        style: Style {
            notation: Notation::Hub,
            squares: Squares::Numeric,
        },
        ..Settings::default()
    };
    let mut engine = build(settings)?;
    let mut result = Bench {
        variant,
        positions: 0,
        nodes: 0,
        time: Duration::ZERO,
    };
    let mut setting = Setting {
        origin: Origin::Start,
        moves: String::new(),
    };
    let mut random = Random(0x5eed);
    for ply in 0.. {
        engine.set_position(&setting)?;
        if engine.outcome() != Some(Outcome::Ongoing) {
            break;
        }
        if PLIES.contains(&ply) {
            engine.clear();
            let start = Instant::now();
            result.nodes += nodes(engine.as_mut())?;
            result.time += start.elapsed();
            result.positions += 1;
        }
        if PLIES.iter().all(|&last| ply >= last) {
            break;
        }
        // Sorted, so that the game does not hang on the order in which moves are generated.
        let mut legal = engine.legal().unwrap_or_default();
        legal.sort_unstable();
        let Some(mv) = legal.get(random.below(legal.len())) else {
            break;
        };
        setting.moves.push_str(mv);
        setting.moves.push(' ');
    }
    Ok(result)
}

/// The nodes of a search of the current position.
fn nodes(engine: &mut dyn Engine) -> Result<u64, Failure> {
    let order = Order {
        limits: Limits {
            depth: Some(DEPTH),
            ..Limits::default()
        },
        ..Order::default()
    };
    let started = engine.go(&order)?;
    let mut nodes = 0;
    for event in started.job.events() {
        match event {
            Event::Info(info) => nodes = info.nodes,
            Event::Best(_) => return Ok(nodes),
            Event::Count(_) => {}
        }
    }
    Err(Failure::new(Code::Internal, "the search broke down"))
}

/// A generator of the game's moves that will never change (a 64-bit linear congruential one, Knuth's constants).
struct Random(u64);

impl Random {
    /// A number below `limit`; 0 if that is 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let number = (self.0 >> 33) as usize;
        number.checked_rem(limit).unwrap_or(0)
    }
}
