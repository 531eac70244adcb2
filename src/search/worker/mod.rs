//! One thread's search: everything below the root.

mod quiesce;
mod value;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::board::movegen::{can_capture, captures, has_moves, legal_moves, quiets};
use crate::board::{DrawTable, Move, MoveList, Position, Rules};
use crate::eval::Evaluator;
use crate::search::clock::Budget;
use crate::search::history::History;
use crate::search::limits::{Limits, Signals};
use crate::search::order::Picker;
use crate::search::params::Params;
use crate::search::score::{EVAL_LIMIT, INFINITE, MATE_BOUND, MAX_PLY, Value, lost, won_by_tables};
use crate::search::tables::Tables;
use crate::search::tt::{Entry, MoveCode, NO_EVAL, Table};
use crate::search::values::Values;
use crate::search::{Bound, Report, Score};
use crate::tablebase::Verdict;

/// Nodes between two looks at the clock and the outside.
const POLL_INTERVAL: u64 = 1024;

/// The first thread finishes its first iteration whatever the limits, but for positions that take more nodes for it.
const FIRST_ANSWER_NODES: u64 = 20_000;

/// What the threads of one search share.
pub(super) struct Shared<'a, R: Rules> {
    pub(super) table: &'a Table,
    pub(super) tables: &'a Tables<'a, R>,
    pub(super) draws: &'a DrawTable,
    pub(super) signals: &'a Signals,
    pub(super) limits: &'a Limits,
    pub(super) overhead: Duration,
    pub(super) contempt: Value,
    pub(super) start: Instant,
    pub(super) evaluator: &'a Evaluator<R>,
    pub(super) params: &'a Params,
    /// Ends the search of all threads, whatever the reason.
    pub(super) over: &'a Signals,
    /// Nodes of all threads, brought up to date at each poll.
    pub(super) nodes: &'a AtomicU64,
}

/// What a thread keeps from one search to the next.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) history: History,
    killers: Vec<[MoveCode; 2]>,
    values: Values,
}

impl Memory {
    pub(super) fn new() -> Self {
        Memory {
            history: History::new(),
            killers: vec![[MoveCode::default(); 2]; MAX_PLY + 2],
            values: Values::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.killers.fill([MoveCode::default(); 2]);
        self.forget_values();
    }

    /// Forgets the evaluations, as is due where the evaluator changes.
    pub(super) fn forget_values(&mut self) {
        self.values.clear();
    }

    /// Makes ready for a new search.
    pub(super) fn fade(&mut self) {
        self.history.fade();
        self.killers.fill([MoveCode::default(); 2]);
    }
}

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// What endgame tables say of it, if they know.
    pub(super) verdict: Option<Verdict>,
    pub(super) value: Value,
    pub(super) pv: Vec<Move>,
}

/// The state of one thread's search.
pub(super) struct Worker<'a, R: Rules> {
    pub(super) shared: &'a Shared<'a, R>,
    pub(super) memory: &'a mut Memory,
    pub(super) params: Params,
    /// The first thread watches clock and node count.
    pub(super) leads: bool,
    pub(super) root: Position<R>,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) nodes: u64,
    /// Endgame table hits that are not among those of all threads yet.
    hits: u64,
    counted: u64,
    next_poll: u64,
    pub(super) seldepth: usize,
    /// Positions evaluated in this iteration, and the sum of their plies.
    pub(super) leaves: [u64; 2],
    stopped: bool,
    /// The first iteration is done.
    pub(super) has_answer: bool,
    /// When the limits began to hold, and what they are: unset while pondering.
    pub(super) budget: Option<(Instant, Budget)>,
    /// Hashes of the game's positions up to the root and of the line below it.
    keys: Vec<u64>,
    /// The best line from each ply on.
    pv: Vec<Vec<Move>>,
}

impl<'a, R: Rules> Worker<'a, R> {
    pub(super) fn new(
        shared: &'a Shared<'a, R>,
        memory: &'a mut Memory,
        leads: bool,
        positions: &[Position<R>],
    ) -> Self {
        let root = positions[positions.len() - 1];
        let first = positions.len() - 1 - usize::from(root.reversible).min(positions.len() - 1);
        let budget = (!shared.limits.ponder)
            .then(|| (shared.start, Budget::new(shared.limits, shared.overhead)));
        Worker {
            shared,
            memory,
            params: *shared.params,
            leads,
            root,
            root_moves: shared
                .tables
                .moves()
                .iter()
                .map(|&(mv, verdict)| RootMove {
                    mv,
                    verdict,
                    value: -INFINITE,
                    pv: vec![mv],
                })
                .collect(),
            nodes: 0,
            hits: 0,
            counted: 0,
            next_poll: 0,
            seldepth: 0,
            leaves: [0, 0],
            stopped: false,
            has_answer: false,
            budget,
            keys: positions[first..positions.len() - 1]
                .iter()
                .map(|position| position.key)
                .collect(),
            pv: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Whether the search has to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.shared.start.elapsed()
    }

    /// Looks at the clock, the node limit and the outside.
    pub(super) fn poll(&mut self) {
        let total = self
            .shared
            .nodes
            .fetch_add(self.nodes - self.counted, Ordering::Relaxed)
            + self.nodes
            - self.counted;
        self.counted = self.nodes;
        self.shared.tables.count(std::mem::take(&mut self.hits));
        self.next_poll = self.nodes + POLL_INTERVAL;
        if self.leads {
            if self.budget.is_none() && self.shared.signals.is_ponderhit() {
                self.budget = Some((
                    Instant::now(),
                    Budget::new(self.shared.limits, self.shared.overhead),
                ));
            }
            let late = |(start, budget): &(Instant, Budget)| {
                budget.hard.is_some_and(|hard| start.elapsed() >= hard)
            };
            if self.shared.signals.is_stopped() || self.budget.as_ref().is_some_and(late) {
                self.shared.over.stop();
            }
        }
        // Every thread watches the nodes: while the first one waits for a processor the others would go far beyond.
        if let (Some(limit), true) = (self.shared.limits.nodes, self.budget.is_some()) {
            self.next_poll = self.nodes + limit.saturating_sub(total).clamp(1, POLL_INTERVAL);
            if total >= limit {
                self.shared.over.stop();
            }
        }
        let unanswered = self.leads && !self.has_answer && self.nodes < FIRST_ANSWER_NODES;
        self.stopped = self.shared.over.is_stopped() && !unanswered;
    }

    #[inline(always)]
    fn count_node(&mut self, ply: usize) {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Whether the position at `ply` counts as a repetition: a second time within the line, a third time in the game.
    fn repeats(&self, position: &Position<R>, ply: usize) -> bool {
        let here = self.keys.len();
        let span = usize::from(position.reversible).min(here);
        let mut before = 0;
        for back in (4..=span).step_by(2) {
            if self.keys[here - back] == position.key {
                before += 1;
                if back <= ply || before == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the position is drawn by rule, the side to move not having lost.
    fn is_draw(&self, position: &Position<R>, ply: usize) -> bool {
        (self.repeats(position, ply)
            || position
                .counters
                .draw::<R>(&position.board, self.shared.draws)
                .is_some())
            && has_moves::<R>(&position.board)
    }

    fn take_pv(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&tail[0]);
    }

    /// One iteration at the root over the moves from `first` on, within a window. Afterwards these moves are in order:
    /// the best first, the others as they were.
    pub(super) fn search_root(
        &mut self,
        first: usize,
        depth: i32,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        let root = self.root;
        let mut best = -INFINITE;
        self.keys.push(root.key);
        // Moves that the tables tell apart do not compete.
        let verdict = self.root_moves[first].verdict;
        let alike = |root_move: &&RootMove| root_move.verdict == verdict;
        let count = self.root_moves[first..].iter().take_while(alike).count();
        for index in first..first + count {
            let mv = self.root_moves[index].mv;
            let next = root.after(&mv, self.shared.draws);
            let new_depth = depth - 1;
            let reduction = if mv.is_capture() || mv.promotes {
                0
            } else {
                self.params.reduction(true, depth, index - first)
            };
            let window = (alpha, beta);
            let value =
                self.child_value::<true>(&next, window, new_depth, reduction, 1, index == first);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
            }
            if index == first || value > alpha {
                let line = self.pv[1].clone();
                let root_move = &mut self.root_moves[index];
                root_move.value = value;
                root_move.pv.truncate(1);
                root_move.pv.extend(line);
                self.root_moves[first..=index].rotate_right(1);
            }
            if value > alpha {
                alpha = value;
                if value >= beta {
                    break;
                }
            }
        }
        self.keys.pop();
        best
    }

    /// The value of a move for its mover, from the position after it at `ply`. All but the first move of a node of the
    /// principal variation are scouted with an empty window, `reduction` plies less deep at first; the whole window is
    /// for a move of such a node that the scout finds better.
    #[inline(always)]
    fn child_value<const PV: bool>(
        &mut self,
        next: &Position<R>,
        (alpha, beta): (Value, Value),
        depth: i32,
        reduction: i32,
        ply: usize,
        first: bool,
    ) -> Value {
        if PV {
            self.pv[ply].clear();
        }
        let mut value = 0;
        let scout = !PV || !first;
        if scout {
            let reduced = depth - reduction;
            value = -self.search::<false>(next, -alpha - 1, -alpha, reduced, ply, true);
            if value > alpha && reduction > 0 {
                value = -self.search::<false>(next, -alpha - 1, -alpha, depth, ply, true);
            }
        }
        if PV && (!scout || value > alpha) {
            value = -self.search::<true>(next, -beta, -alpha, depth, ply, true);
        }
        value
    }

    /// The value of a position for its side to move, at `depth` plies.
    fn search<const PV: bool>(
        &mut self,
        position: &Position<R>,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        prune: bool,
    ) -> Value {
        if depth <= 0 {
            return self.quiesce::<PV>(position, alpha, beta, ply);
        }
        self.count_node(ply);
        if PV {
            self.pv[ply].clear();
        }
        if self.stopped {
            return 0;
        }
        if self.is_draw(position, ply) {
            return self.drawn(ply);
        }
        if ply >= MAX_PLY {
            return self.evaluate(position, ply);
        }
        // What tables know bounds the value. Where that does not settle it, a finish is looked for within the bound.
        let (mut least, mut most) = (-INFINITE, INFINITE);
        match self.verdict(position) {
            Some((Verdict::Draw, _)) => return self.drawn_by_tables(position, ply),
            Some((Verdict::Win, plies)) => least = won_by_tables(ply + usize::from(plies)),
            Some((Verdict::Loss, plies)) => most = -won_by_tables(ply + usize::from(plies)),
            None => (),
        }
        if least >= beta {
            return least;
        }
        if most <= alpha {
            return most;
        }
        alpha = alpha.max(least);
        beta = beta.min(most);
        // No line from here can be better than winning with the next move, or worse than having lost.
        alpha = alpha.max(lost(ply));
        beta = beta.min(-lost(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let key = self.shared.tables.key(position);
        let known = self.shared.table.probe(key, ply);
        if let Some(entry) = known {
            // A proven end of the game is believed whatever the depth at which it was found.
            let deep_enough = entry.depth >= depth;
            let cuts = match entry.bound {
                Bound::Exact => deep_enough,
                Bound::Lower => entry.value >= beta && (deep_enough || entry.value > MATE_BOUND),
                Bound::Upper => entry.value <= alpha && (deep_enough || entry.value < -MATE_BOUND),
            };
            if !PV && cuts {
                return entry.value;
            }
        }
        let table_move = known.map_or(MoveCode::default(), |entry| entry.best);

        let board = &position.board;
        let mut moves = MoveList::new();
        let capturing = can_capture::<R>(board);
        if capturing {
            captures::<R>(board, &mut moves);
        } else {
            quiets::<R>(board, |mv| moves.push(mv));
        }
        if moves.is_empty() {
            return lost(ply);
        }
        let forced = moves.len() == 1;

        let mut eval = NO_EVAL;
        if !capturing && !PV && !forced {
            eval = match known {
                Some(entry) if entry.eval != NO_EVAL => entry.eval,
                _ => self.plain_value(position),
            };
            // A shallower search that clears a raised bar is trusted: nearly always the full one would clear the bar.
            let bar = beta + self.params.probcut_margin * depth;
            if prune
                && depth >= self.params.probcut_depth
                && beta.abs() < EVAL_LIMIT
                && eval + self.lean(board, ply) >= beta
            {
                let value = self.search::<false>(
                    position,
                    bar - 1,
                    bar,
                    self.params.probcut_reduced(depth),
                    ply,
                    false,
                );
                if self.stopped {
                    return 0;
                }
                if value >= bar {
                    return if value > MATE_BOUND {
                        value
                    } else {
                        value - self.params.probcut_margin * depth
                    };
                }
            }
        }

        let killers = self.memory.killers[ply];
        let mut picker = Picker::new(
            board,
            &mut moves,
            table_move,
            &killers,
            &self.memory.history,
        );
        let mut best = least;
        let mut best_move = None;
        let old_alpha = alpha;
        self.keys.push(position.key);
        for (count, mv) in picker.by_ref().enumerate() {
            let next = position.after(&mv, self.shared.draws);
            self.shared.table.prefetch(self.shared.tables.key(&next));
            // A forced reply is no decision, and captures are what a combination consists of: neither costs depth.
            let new_depth = depth - 1 + i32::from(forced || capturing);
            let reduction = if capturing || mv.promotes {
                0
            } else {
                self.params.reduction(PV, depth, count)
            };
            let window = (alpha, beta);
            let value =
                self.child_value::<PV>(&next, window, new_depth, reduction, ply + 1, count == 0);
            if self.stopped {
                self.keys.pop();
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if PV {
                        self.take_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.keys.pop();
        best = best.min(most);

        if let Some(mv) = best_move.filter(|_| best >= beta && !capturing && picker.len() > 1) {
            self.reward(position, mv, depth, ply, picker.tried());
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best_code = best_move
            .as_ref()
            .map_or(MoveCode::default(), MoveCode::new);
        self.shared.table.store(
            key,
            ply,
            Entry {
                best: best_code,
                value: best,
                eval,
                depth,
                bound,
            },
        );
        best
    }

    /// Credits the move that cut off and debits those tried before it.
    fn reward(&mut self, position: &Position<R>, mv: Move, depth: i32, ply: usize, tried: &[Move]) {
        let bonus = (32 * depth * depth).min(2048);
        self.memory.history.update(&position.board, &mv, bonus);
        for other in tried {
            self.memory.history.update(&position.board, other, -bonus);
        }
        let code = MoveCode::new(&mv);
        let killers = &mut self.memory.killers[ply];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }

    /// The static evaluation of the root.
    pub(super) fn static_value(&self) -> Value {
        self.shared.evaluator.evaluate(&self.root.board)
    }

    /// The table's move in a position, if it is legal there.
    pub(super) fn table_move(&self, position: &Position<R>) -> Option<Move> {
        let key = self.shared.tables.key(position);
        let entry = self.shared.table.probe(key, 0)?;
        legal_moves::<R>(&position.board)
            .into_iter()
            .find(|mv| MoveCode::new(mv) == entry.best)
    }

    /// What to tell of the line at `rank` (from 0).
    pub(super) fn report(&self, rank: usize, depth: i32, bound: Bound) -> Report {
        let root_move = &self.root_moves[rank];
        Report {
            depth: depth as u32,
            seldepth: self.seldepth as u32,
            mean_depth: self.leaves[1] as f64 / self.leaves[0].max(1) as f64,
            multi_pv: rank + 1,
            score: Score::new(
                self.shared
                    .tables
                    .agreed(root_move.verdict, root_move.value),
            ),
            bound,
            nodes: self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.counted,
            time: self.elapsed(),
            hashfull: self.shared.table.hashfull(),
            tbhits: self.shared.tables.hits() + self.hits,
            pv: root_move.pv.clone(),
        }
    }
}
