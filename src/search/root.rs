//! Iterative deepening: what each thread does from the root, and the answer the first of them gives.

use std::time::Duration;

use super::limits::Request;
use super::score::{INFINITE, MATE, MATE_BOUND, MAX_PLY, Value};
use super::worker::Worker;
use super::{Bound, Report};
use crate::board::Rules;

/// The deepest iteration.
const MAX_DEPTH: i32 = MAX_PLY as i32 - 20;

/// From this time on, results that are only bounds are reported too.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// How settled the search is: stretches and shrinks the soft time limit.
#[derive(Debug, Default)]
struct Settledness {
    best: Option<crate::board::Move>,
    stable: u32,
    value: Value,
    fall: Value,
}

impl Settledness {
    fn note(&mut self, best: crate::board::Move, value: Value) {
        self.stable = if self.best == Some(best) {
            self.stable + 1
        } else {
            0
        };
        self.fall = if self.best.is_some() {
            self.value - value
        } else {
            0
        };
        self.best = Some(best);
        self.value = value;
    }

    /// The share of the soft time to use.
    fn factor(&self) -> f64 {
        let settled = [1.6, 1.2, 1.0, 0.85, 0.75, 0.7][self.stable.min(5) as usize];
        settled * (1.0 + f64::from(self.fall.clamp(0, 60)) / 60.0)
    }
}

/// Runs the iterations of one thread. Only the first thread reports and decides when to stop.
pub(super) fn deepen<R: Rules>(
    worker: &mut Worker<'_, R>,
    request: &Request,
    thread: usize,
    report: &mut dyn FnMut(Report),
) {
    let lines = request.multi_pv.clamp(1, worker.root_moves.len());
    let deepest = request
        .limits
        .depth
        .map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH as u32) as i32);
    let mut settledness = Settledness::default();
    let mut told = None;
    worker.poll();
    // Helpers start at different depths, so that the threads spread over the tree.
    for depth in 1 + (thread % 2) as i32..=deepest {
        worker.seldepth = 0;
        worker.leaves = [0, 0];
        for line in 0..lines {
            iterate(worker, line, depth, report);
            if worker.is_stopped() {
                // A move better than the one reported last may have been found before the iteration was cut off.
                if worker.leads && told.is_some_and(|mv| mv != worker.root_moves[0].mv) {
                    complete_pv(worker, 0);
                    report(worker.report(0, depth, Bound::Exact));
                }
                if worker.leads && told.is_none() {
                    // Nothing is known of any move yet: the position speaks for the first of them.
                    worker.root_moves[0].value = worker.static_value();
                    report(worker.report(0, depth, Bound::Exact));
                }
                return;
            }
        }
        worker.root_moves[..lines]
            .sort_by_key(|root_move| std::cmp::Reverse((root_move.verdict, root_move.value)));
        if !worker.leads {
            continue;
        }
        for line in 0..lines {
            complete_pv(worker, line);
            report(worker.report(line, depth, Bound::Exact));
        }
        let best = &worker.root_moves[0];
        told = Some(best.mv);
        worker.has_answer = true;
        settledness.note(best.mv, best.value);
        if is_enough(worker, request, depth, &settledness) {
            worker.shared.over.stop();
            return;
        }
    }
}

/// One iteration of one line, with a window around the last value that opens until the value fits.
fn iterate<R: Rules>(
    worker: &mut Worker<'_, R>,
    line: usize,
    depth: i32,
    report: &mut dyn FnMut(Report),
) {
    let last = worker.root_moves[line].value;
    let (mut alpha, mut beta) = (-INFINITE, INFINITE);
    let mut margin = worker.params.aspiration;
    if depth >= worker.params.aspiration_depth && last.abs() < MATE_BOUND {
        (alpha, beta) = (last - margin, last + margin);
    }
    loop {
        let value = worker.search_root(line, depth, alpha, beta);
        if worker.is_stopped() {
            return;
        }
        let bound = if value <= alpha {
            Bound::Upper
        } else if value >= beta {
            Bound::Lower
        } else {
            return;
        };
        if worker.leads && worker.elapsed() > REPORT_BOUNDS_AFTER {
            report(worker.report(line, depth, bound));
        }
        margin *= 2;
        let open = margin > worker.params.aspiration_limit || value.abs() > MATE_BOUND;
        match bound {
            Bound::Upper => alpha = if open { -INFINITE } else { value - margin },
            _ => beta = if open { INFINITE } else { value + margin },
        }
    }
}

/// Whether the finished iteration is the last one.
fn is_enough<R: Rules>(
    worker: &Worker<'_, R>,
    request: &Request,
    depth: i32,
    settledness: &Settledness,
) -> bool {
    let Some((start, budget)) = worker.budget else {
        return false;
    };
    let best = &worker.root_moves[0];
    if request
        .limits
        .mate
        .is_some_and(|moves| best.value >= MATE - 2 * moves as Value)
    {
        return true;
    }
    // To a proven end there is nothing to add, and on the clock there is nothing to decide where there is one move. Who
    // asks for a depth or for several lines gets them.
    let proven = best.value.abs() > MATE_BOUND && depth > MATE - best.value.abs() + 2;
    let effort = budget.hard.is_some() || request.limits.nodes.is_some();
    if proven && effort && request.limits.depth.is_none() && request.multi_pv <= 1 {
        return true;
    }
    let Some(soft) = budget.soft else {
        return false;
    };
    let only = worker.root_moves.len() == 1 && depth >= 2;
    only || proven || start.elapsed() >= soft.mul_f64(settledness.factor())
}

/// Appends what the table knows to a line that a cut shortened, so that a won line is shown to its end.
fn complete_pv<R: Rules>(worker: &mut Worker<'_, R>, line: usize) {
    let value = worker.root_moves[line].value;
    let wanted = if value.abs() > MATE_BOUND {
        (MATE - value.abs()) as usize
    } else {
        2
    };
    let mut pv = std::mem::take(&mut worker.root_moves[line].pv);
    let mut position = worker.root;
    for mv in &pv {
        position = position.after(mv, worker.shared.draws);
    }
    while pv.len() < wanted {
        let Some(mv) = worker.table_move(&position) else {
            break;
        };
        position = position.after(&mv, worker.shared.draws);
        pv.push(mv);
    }
    worker.root_moves[line].pv = pv;
}
