//! Quiescence: what is searched below the last ply until nothing hangs.

use super::Worker;
use crate::board::movegen::{can_capture, captures, has_moves};
use crate::board::{Move, MoveList, Position, Rules};
use crate::search::score::{INFINITE, MAX_PLY, Value, lost, won_by_tables};
use crate::tablebase::Verdict;

impl<R: Rules> Worker<'_, R> {
    /// Resolves captures to the end before a static evaluation is believed. What the opponent threatens is left to the
    /// evaluation, which learns from such positions too: a ply of replies to every threat costs more depth than it saves.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position<R>,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        self.count_node(ply);
        if PV {
            self.pv[ply].clear();
        }
        if self.stopped {
            return 0;
        }
        let board = &position.board;
        let capturing = can_capture::<R>(board);
        if !capturing && self.is_draw(position, ply) {
            return self.drawn(ply);
        }
        if ply >= MAX_PLY {
            return self.evaluate(position, ply);
        }
        match self.verdict(position) {
            Some((Verdict::Draw, _)) => return self.drawn_by_tables(position, ply),
            Some((Verdict::Win, plies)) => return won_by_tables(ply + usize::from(plies)),
            Some((Verdict::Loss, plies)) => return -won_by_tables(ply + usize::from(plies)),
            None => (),
        }
        if !capturing {
            if !has_moves::<R>(board) {
                return lost(ply);
            }
            self.leaves[0] += 1;
            self.leaves[1] += ply as u64;
            return self.evaluate(position, ply);
        }
        let mut moves = MoveList::new();
        captures::<R>(board, &mut moves);
        if moves.len() > 1 {
            let taken =
                |mv: &Move| mv.captured.count_ones() + 2 * (mv.captured & board.kings).count_ones();
            moves.sort_by_key(|mv| std::cmp::Reverse(taken(mv)));
        }
        let mut best = -INFINITE;
        self.keys.push(position.key);
        for mv in &moves {
            let next = position.after(mv, self.shared.draws);
            if PV {
                self.pv[ply + 1].clear();
            }
            let value = -self.quiesce::<PV>(&next, -beta, -alpha, ply + 1);
            if self.stopped {
                best = 0;
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if PV {
                        self.take_pv(ply, *mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.keys.pop();
        best
    }
}
