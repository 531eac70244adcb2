//! Scores of many positions: each is searched alone, by one thread with nothing in its memory, to a fixed number of nodes, so
//! that a score hangs on nothing but the position and that number.

use rayon::prelude::*;

use crate::board::{Board, DrawRules, Game, Rules};
use crate::search::{HashError, Limits, Request, Score, Searcher, Signals};

/// Those who search, one a thread; they are kept only to spare the memory allocator.
#[derive(Debug)]
pub(super) struct Judge<R: Rules> {
    searchers: Vec<Searcher<R>>,
    nodes: u64,
}

/// The size of a table, in MiB, that holds what a search of so many nodes stores.
fn table_size(nodes: u64) -> usize {
    const BYTES_A_NODE: u64 = 32;
    (nodes.saturating_mul(BYTES_A_NODE) >> 20).clamp(1, 256) as usize
}

impl<R: Rules> Judge<R> {
    /// A judge with `threads` threads, 1 or more, who looks at `nodes` nodes of each position.
    pub(super) fn new(threads: usize, nodes: u64) -> Result<Self, HashError> {
        let searcher = |_| Searcher::new(table_size(nodes), 1);
        Ok(Self {
            searchers: (0..threads.max(1))
                .map(searcher)
                .collect::<Result<_, _>>()?,
            nodes,
        })
    }

    /// The number of threads.
    pub(super) fn threads(&self) -> usize {
        self.searchers.len()
    }

    /// The scores of positions from their sides to move; `None` where there is no move, or no time for a single iteration.
    pub(super) fn scores(&mut self, boards: &[Board]) -> Vec<Option<Score>> {
        let nodes = self.nodes;
        let share = boards.len().div_ceil(self.searchers.len()).max(1);
        let shares = self.searchers.par_iter_mut().zip(boards.par_chunks(share));
        shares
            .flat_map_iter(|(searcher, share)| {
                share.iter().map(|board| score(searcher, board, nodes))
            })
            .collect()
    }
}

fn score<R: Rules>(searcher: &mut Searcher<R>, board: &Board, nodes: u64) -> Option<Score> {
    searcher.clear();
    let game = Game::new(*board, 0, R::draw_table(DrawRules::default()));
    let request = Request {
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        ..Request::default()
    };
    let judged = searcher.judge(&game, &request, &Signals::default());
    judged.and_then(|(_, score)| score)
}
