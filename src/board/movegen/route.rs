//! The way a capture goes: needed only to print moves and to read those that are written with intermediate squares.

use super::capture::{Jump, Visitor, Walker};
use crate::board::geometry::{Bits, Geometry, Square, bit, lowest};
use crate::board::moves::Move;
use crate::board::position::Board;
use crate::board::rules::Rules;

/// Jumps that a search for a route follows before it gives up; positions of play need fewer than a hundred.
pub const MOST_ROUTE_STEPS: u32 = 200_000;

/// The squares a capture visits: start, one square a jump, the end.
///
/// Between two jumps it names the square where the piece turns or, where it goes straight on, the square right behind
/// the captured piece, as PDN 3.0 asks.
pub type Route = Vec<Square>;

struct Tracer<'a, G: Geometry> {
    wanted: Move,
    waypoints: &'a [Square],
    /// Waypoints before a turn must be the turn itself, not squares crossed on the way to it.
    stops: bool,
    jumps: Vec<Jump>,
    best: Option<(u64, Route)>,
    steps: u32,
    geometry: std::marker::PhantomData<G>,
}

impl<G: Geometry> Tracer<'_, G> {
    /// Whether the chain passes the waypoints in their order.
    fn passes(&self) -> bool {
        let mut waypoints = self.waypoints.iter().map(|&square| bit(square)).peekable();
        for jump in &self.jumps {
            let direction = (0..4)
                .find(|&d| G::shift(jump.victim, d) == jump.behind)
                .expect("the square behind a victim is next to it");
            let mut at = if self.stops && !jump.straight {
                jump.landing
            } else {
                jump.behind
            };
            loop {
                while waypoints.peek() == Some(&at) {
                    waypoints.next();
                }
                if at == jump.landing {
                    break;
                }
                at = G::shift(at, direction);
            }
        }
        waypoints.peek().is_none()
    }

    fn route(&self) -> Route {
        let named = self.jumps.iter().map(|jump| {
            lowest(if jump.straight {
                jump.behind
            } else {
                jump.landing
            })
        });
        std::iter::once(self.wanted.from).chain(named).collect()
    }
}

impl<G: Geometry> Visitor for Tracer<'_, G> {
    const MERGES: bool = false;

    fn wants(&self, victim: Bits) -> bool {
        self.wanted.captured & victim != 0
    }

    fn satisfied(&self) -> bool {
        self.steps > MOST_ROUTE_STEPS
    }

    fn push(&mut self, jump: Jump) {
        self.steps += 1;
        self.jumps.push(jump);
    }

    fn pop(&mut self) {
        self.jumps.pop();
    }

    fn finish(&mut self, mv: Move, rank: u64) {
        // A better rank later on means that this route was not the legal one (italian: kings earlier in the chain).
        let better = self.best.as_ref().is_none_or(|(best, _)| rank > *best);
        if mv == self.wanted && better && self.passes() {
            self.best = Some((rank, self.route()));
        }
    }
}

/// The first route, in a fixed order, by which a legal capture passes `waypoints` in turn; `None` if there is none.
///
/// A quiet move has the route from, to, and passes no waypoint.
pub fn find_route<R: Rules>(board: &Board, mv: &Move, waypoints: &[Square]) -> Option<Route> {
    trace::<R>(board, mv, waypoints, false)
}

/// Whether a legal capture can stop on `waypoints` in turn: it turns there, or goes straight on over the square.
pub fn stops_at<R: Rules>(board: &Board, mv: &Move, waypoints: &[Square]) -> bool {
    trace::<R>(board, mv, waypoints, true).is_some()
}

fn trace<R: Rules>(board: &Board, mv: &Move, waypoints: &[Square], stops: bool) -> Option<Route> {
    if !mv.is_capture() {
        return waypoints.is_empty().then(|| vec![mv.from, mv.to]);
    }
    let mut tracer = Tracer::<R::Geo> {
        wanted: *mv,
        waypoints,
        stops,
        jumps: Vec::new(),
        best: None,
        steps: 0,
        geometry: std::marker::PhantomData,
    };
    Walker::<R, _>::walk(board, bit(mv.from), &mut tracer);
    tracer.best.map(|(_, route)| route)
}
