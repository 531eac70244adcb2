//! Captures. One walker follows every chain of jumps; what it does with them is up to a [`Visitor`]: collect the legal
//! moves (here) or rebuild the route of one (in `route`).
//!
//! Two chains that agree in start, end and captured set are one move. A king among many pieces can reach the same state
//! by a great many routes, so once a walk grows long the walker remembers the states it has been in and does not walk
//! them again: positions full of kings cost thousands of states where the routes would be millions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use super::jumps::{Jumps, man_directions, men_prey, sources};
use super::quiet::ahead;
use crate::board::geometry::{Bits, Geometry, Square, across, bit, lowest, squares};
use crate::board::moves::{Move, MoveList};
use crate::board::position::{Black, Board, Mover, Side, White};
use crate::board::rules::crown_row;
use crate::board::rules::{Crowning, Precedence, Removal, Rules};

/// Jumps after which a walk starts to remember the states it has been in; walks in games hardly ever get there.
const MEMORY_FROM: u32 = 40;

/// One jump of a chain: squares as one-bit sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// The piece jumped.
    pub(super) victim: Bits,
    /// The square right behind it.
    pub(super) behind: Bits,
    /// Where the piece turns or stops; the last empty square in line when it goes straight on.
    pub(super) landing: Bits,
    /// The next jump goes straight on.
    pub(super) straight: bool,
}

/// How a finished chain ranks among the others: higher is better, and only the best are legal.
type Rank = u64;

/// What becomes of the chains a walk finds.
pub(super) trait Visitor {
    /// Whether chains through `victim` are of interest.
    fn wants(&self, victim: Bits) -> bool;
    /// Whether the walk may stop.
    fn satisfied(&self) -> bool;
    /// The chain grows by a jump.
    fn push(&mut self, jump: Jump);
    /// The last jump is taken back.
    fn pop(&mut self);
    /// The chain ends here.
    fn finish(&mut self, mv: Move, rank: Rank);
    /// Whether equal states reached by other routes may be passed over.
    const MERGES: bool;
}

/// The state of a chain: what has been taken, and in which order kings were among it.
#[derive(Clone, Copy)]
struct Chain {
    captured: Bits,
    /// One bit a jump, first jump highest, 1 for a king: only kept where precedence asks for it.
    kinds: u32,
}

/// A walk from one piece.
pub(super) struct Walker<'a, R: Rules, V: Visitor> {
    visitor: &'a mut V,
    from: Bits,
    from_king: bool,
    /// What men may capture, and from where they could before the first piece leaves.
    prey: Bits,
    sources: [Bits; 4],
    /// The opponent's pieces, and the kings among them.
    targets: Bits,
    target_kings: Bits,
    /// Empty squares, the start square among them.
    empty: Bits,
    jumps: u32,
    /// States already walked from, and whether the chain went on; empty, and so free, but in the longest walks.
    memory: HashMap<(Square, u8, Bits, u32), bool, BuildHasherDefault<DefaultHasher>>,
    rules: std::marker::PhantomData<R>,
}

impl<'a, R: Rules, V: Visitor> Walker<'a, R, V> {
    /// Walks all chains of the piece on `from`.
    pub(super) fn walk(board: &Board, from: Bits, visitor: &'a mut V) {
        let side = board.side;
        let empty = board.empty::<R::Geo>() | from;
        let prey = men_prey::<R>(board, side);
        let mut walker = Walker::<R, V> {
            visitor,
            from,
            from_king: board.kings & from != 0,
            prey,
            sources: sources::<R>(side, prey, empty),
            targets: board.pieces[!side],
            target_kings: board.pieces[!side] & board.kings,
            empty,
            jumps: 0,
            memory: HashMap::default(),
            rules: std::marker::PhantomData,
        };
        let chain = Chain {
            captured: 0,
            kinds: 0,
        };
        if walker.from_king {
            for direction in 0..4 {
                walker.king(from, direction, chain);
            }
        } else {
            match side {
                Side::White => walker.man::<White>(from, chain),
                Side::Black => walker.man::<Black>(from, chain),
            };
        }
    }

    #[inline(always)]
    fn empty_after(&self, captured: Bits) -> Bits {
        match R::REMOVAL {
            Removal::AtEnd => self.empty,
            Removal::AtOnce => self.empty | captured,
        }
    }

    #[inline(always)]
    fn extend(&self, chain: Chain, victim: Bits) -> Chain {
        let kinds = match R::PRECEDENCE {
            Precedence::Italian => chain.kinds << 1 | u32::from(self.target_kings & victim != 0),
            _ => 0,
        };
        Chain {
            captured: chain.captured | victim,
            kinds,
        }
    }

    /// Follows a man's chain from `at`; returns whether it can be followed.
    fn man<M: Mover>(&mut self, at: Bits, chain: Chain) -> bool {
        let sources = match R::REMOVAL {
            Removal::AtEnd => self.sources,
            Removal::AtOnce => {
                let prey = self.prey & !chain.captured;
                sources::<R>(M::SIDE, prey, self.empty | chain.captured)
            }
        };
        let crown = crown_row::<R>(M::SIDE);
        if let Some(known) = self.recall(at, 4, chain) {
            return known;
        }
        let mut goes_on = false;
        #[expect(
            clippy::needless_range_loop,
            reason = "the compiler unrolls this form only"
        )]
        for index in 0..man_directions::<R>() {
            let direction = ahead(M::SIDE, index);
            let victim = R::Geo::shift(at & sources[index], direction) & !chain.captured;
            if victim == 0 {
                continue;
            }
            let landing = R::Geo::shift(victim, direction);
            goes_on = true;
            if !self.visitor.wants(victim) || self.visitor.satisfied() {
                continue;
            }
            let next = self.extend(chain, victim);
            self.visitor.push(Jump {
                victim,
                behind: landing,
                landing,
                straight: false,
            });
            let further = match R::CROWNING {
                Crowning::EndsMove if landing & crown != 0 => false,
                Crowning::AtOnce if landing & crown != 0 => {
                    // The back row leaves no way on but along it or back, so only the crosswise lines and the line
                    // behind the landing square matter, and the latter is blocked by the piece just taken.
                    let [left, right] = across(direction);
                    self.king(landing, left, next) | self.king(landing, right, next)
                }
                _ => self.man::<M>(landing, next),
            };
            if !further {
                let promotes = landing & crown != 0;
                self.finish(landing, next, promotes);
            }
            self.visitor.pop();
        }
        self.remember(at, 4, chain, goes_on);
        goes_on
    }

    /// Follows a king's chain from `at` in one direction; returns whether there is a piece to take.
    fn king(&mut self, at: Bits, direction: usize, chain: Chain) -> bool {
        let empty = self.empty_after(chain.captured);
        let mut victim = R::Geo::shift(at, direction);
        if R::FLYING_KINGS {
            while victim & empty != 0 {
                victim = R::Geo::shift(victim, direction);
            }
        }
        victim &= self.targets & !chain.captured;
        let behind = R::Geo::shift(victim, direction) & empty;
        if behind == 0 {
            return false;
        }
        if !self.visitor.wants(victim) || self.visitor.satisfied() {
            return true;
        }
        if let Some(known) = self.recall(at, direction as u8, chain) {
            return known;
        }
        let next = self.extend(chain, victim);
        let empty = self.empty_after(next.captured);
        let sideways = across(direction);
        let mut goes_on = false;
        let mut landing = behind;
        let mut last = behind;
        while landing != 0 {
            self.visitor.push(Jump {
                victim,
                behind,
                landing,
                straight: false,
            });
            goes_on |= self.king(landing, sideways[0], next);
            goes_on |= self.king(landing, sideways[1], next);
            self.visitor.pop();
            last = landing;
            if !R::FLYING_KINGS {
                break;
            }
            landing = R::Geo::shift(landing, direction) & empty;
        }
        self.visitor.push(Jump {
            victim,
            behind,
            landing: last,
            straight: true,
        });
        goes_on |= self.king(last, direction, next);
        self.visitor.pop();
        if !goes_on {
            let mut landing = behind;
            while landing != 0 {
                self.visitor.push(Jump {
                    victim,
                    behind,
                    landing,
                    straight: false,
                });
                self.finish(landing, next, !self.from_king);
                self.visitor.pop();
                if !R::FLYING_KINGS {
                    break;
                }
                landing = R::Geo::shift(landing, direction) & empty;
            }
        }
        self.remember(at, direction as u8, chain, true);
        true
    }

    /// What is known of a state; counts the jump that led to it.
    #[inline(always)]
    fn recall(&mut self, at: Bits, direction: u8, chain: Chain) -> Option<bool> {
        self.jumps += 1;
        if V::MERGES && self.jumps >= MEMORY_FROM {
            self.look_up(at, direction, chain)
        } else {
            None
        }
    }

    #[inline(always)]
    fn remember(&mut self, at: Bits, direction: u8, chain: Chain, goes_on: bool) {
        if V::MERGES && self.jumps >= MEMORY_FROM {
            self.note(at, direction, chain, goes_on);
        }
    }

    #[cold]
    fn look_up(&self, at: Bits, direction: u8, chain: Chain) -> Option<bool> {
        let state = (lowest(at), direction, chain.captured, chain.kinds);
        self.memory.get(&state).copied()
    }

    #[cold]
    fn note(&mut self, at: Bits, direction: u8, chain: Chain, goes_on: bool) {
        let state = (lowest(at), direction, chain.captured, chain.kinds);
        self.memory.insert(state, goes_on);
    }

    #[inline(always)]
    fn finish(&mut self, to: Bits, chain: Chain, promotes: bool) {
        let rank = rank::<R>(chain, self.target_kings, self.from_king);
        let mv = Move {
            captured: chain.captured,
            from: lowest(self.from),
            to: lowest(to),
            promotes,
        };
        self.visitor.finish(mv, rank);
    }
}

/// Ranks a chain of a king or a man among pieces of which `kings` are kings.
#[inline(always)]
fn rank<R: Rules>(chain: Chain, kings: Bits, by_king: bool) -> Rank {
    let count = Rank::from(chain.captured.count_ones());
    let kings = Rank::from((chain.captured & kings).count_ones());
    match R::PRECEDENCE {
        Precedence::Free => 0,
        Precedence::Most => count,
        Precedence::MostThenKings => count << 8 | kings,
        Precedence::Italian => {
            count << 48 | Rank::from(by_king) << 40 | kings << 32 | Rank::from(chain.kinds)
        }
    }
}

/// Collects the legal captures.
struct Collector<'a> {
    list: &'a mut MoveList,
    best: Rank,
}

impl Visitor for Collector<'_> {
    const MERGES: bool = true;

    #[inline(always)]
    fn wants(&self, _: Bits) -> bool {
        true
    }

    #[inline(always)]
    fn satisfied(&self) -> bool {
        false
    }

    #[inline(always)]
    fn push(&mut self, _: Jump) {}

    #[inline(always)]
    fn pop(&mut self) {}

    #[inline(always)]
    fn finish(&mut self, mv: Move, rank: Rank) {
        if rank < self.best {
            return;
        }
        if rank > self.best {
            self.best = rank;
            self.list.clear();
        }
        // Two routes to one move differ in the order of two jumps at least, and one jump has but one route.
        if mv.captured.is_power_of_two() || !self.list.contains(&mv) {
            self.list.push(mv);
        }
    }
}

/// Appends the legal captures to an empty list.
pub fn captures<R: Rules>(board: &Board, list: &mut MoveList) {
    match board.side {
        Side::White => {
            let jumps = Jumps::of::<R>(board, Side::White);
            collect::<R>(board, Side::White, &jumps, list);
        }
        Side::Black => {
            let jumps = Jumps::of::<R>(board, Side::Black);
            collect::<R>(board, Side::Black, &jumps, list);
        }
    }
}

/// Appends the legal captures that begin with `jumps`, those of `side`, to an empty list.
#[inline(always)]
pub(super) fn collect<R: Rules>(board: &Board, side: Side, jumps: &Jumps, list: &mut MoveList) {
    let mut collector = Collector { list, best: 0 };
    let chains = jumps.chains::<R>(side);
    for from in squares(chains | jumps.kings) {
        Walker::<R, _>::walk(board, bit(from), &mut collector);
    }
    // Most jumps count before all else in every precedence but one: a longer capture rules single jumps out.
    let longer = collector
        .list
        .first()
        .is_some_and(|mv| !mv.captured.is_power_of_two());
    if longer && R::PRECEDENCE != Precedence::Free {
        return;
    }
    let kings = board.kings_of(!side);
    for index in 0..man_directions::<R>() {
        let step = R::Geo::STEP[ahead(side, index)];
        for from in squares(jumps.men_towards(index) & !chains) {
            let victim = bit(from.wrapping_add_signed(step));
            let to = from.wrapping_add_signed(2 * step);
            let chain = Chain {
                captured: victim,
                kinds: u32::from(victim & kings != 0),
            };
            let mv = Move {
                captured: victim,
                from,
                to,
                promotes: bit(to) & crown_row::<R>(side) != 0,
            };
            collector.finish(mv, rank::<R>(chain, kings, false));
        }
    }
}
