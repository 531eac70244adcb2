//! A book as a graph: positions and where their moves lead, for growing it and for looking whether it is sound.
//!
//! Positions with one key are one node, so lines that lead to the same position meet. A node is known when its moves have
//! been put in; that is the case exactly where all of them lead to nodes. The first node is the start of the game, and
//! there are no nodes but those that are reached from it.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};
use std::marker::PhantomData;

use super::key::key;
use super::{Book, WON};
use crate::board::movegen::legal_moves;
use crate::board::{Board, Rules};
use crate::search::Value;
use crate::with_rules;

/// What a ply costs a line beside what its moves lose, in hundredths of a man: lines are followed the deeper the less they lose.
const PLY: Value = 8;

/// Passes in which scores are backed up. One is enough where no line comes back to a position; where some do, a few.
const MOST_PASSES: usize = 64;

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) key: u64,
    /// From the side to move.
    pub(super) score: Value,
    /// Where its moves lead; `None` until they are put in.
    next: Option<Vec<usize>>,
}

/// A book as a graph.
#[derive(Debug)]
pub(super) struct Tree<R: Rules> {
    nodes: Vec<Node>,
    places: HashMap<u64, usize>,
    rules: PhantomData<R>,
}

/// How far a node is from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Distance {
    /// Plies on the shortest way.
    pub(super) plies: u32,
    /// What the moves of the cheapest way lose, and [`PLY`] for each of its plies.
    pub(super) cost: Value,
}

impl<R: Rules> Tree<R> {
    /// The start of the game only; its score is missing.
    pub(super) fn new() -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            places: HashMap::new(),
            rules: PhantomData,
        };
        tree.place(Board::start::<R>());
        tree
    }

    /// What of a book is reached from the start; `None` where that is not in it.
    pub(super) fn of(book: &Book) -> Option<Self> {
        let mut tree = Self::new();
        let mut at = 0;
        while let Some(node) = tree.nodes.get_mut(at) {
            node.score = book.score_of(node.key)?;
            let board = node.board;
            let mut moves = legal_moves::<R>(&board).into_iter();
            if moves.all(|mv| book.score::<R>(&board.after(&mv)).is_some()) {
                tree.open(at);
            }
            at += 1;
        }
        Some(tree)
    }

    /// The book of all nodes.
    pub(super) fn book(&self) -> Book {
        let entry = |node: &Node| {
            let score = node.score.clamp(-WON, WON);
            (node.key, i16::try_from(score).unwrap_or(0))
        };
        Book::new(R::VARIANT, self.nodes.iter().map(entry).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    pub(super) fn set_score(&mut self, at: usize, score: Value) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.score = score;
        }
    }

    /// The node of a position, a new one at the end of the list if it is met for the first time.
    fn place(&mut self, board: Board) -> usize {
        let key = key::<R>(&board);
        match self.places.entry(key) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let at = *entry.insert(self.nodes.len());
                self.nodes.push(Node {
                    board,
                    key,
                    score: 0,
                    next: None,
                });
                at
            }
        }
    }

    /// Puts the moves of a node in. The nodes that are new stand at the end of the list, and their scores are missing.
    pub(super) fn open(&mut self, at: usize) {
        let Some(board) = self.nodes.get(at).map(|node| node.board) else {
            return;
        };
        let moves = legal_moves::<R>(&board);
        let next = moves.iter().map(|mv| self.place(board.after(mv))).collect();
        if let Some(node) = self.nodes.get_mut(at) {
            node.next = Some(next);
        }
    }

    /// Puts the moves in of all nodes whose moves lead to nodes that are there.
    pub(super) fn open_known(&mut self) {
        for at in 0..self.nodes.len() {
            let Some(Node {
                board, next: None, ..
            }) = self.nodes.get(at)
            else {
                continue;
            };
            let mut moves = legal_moves::<R>(board).into_iter();
            if moves.all(|mv| self.places.contains_key(&key::<R>(&board.after(&mv)))) {
                self.open(at);
            }
        }
    }

    /// The nodes whose moves are not put in.
    pub(super) fn leaves(&self) -> impl Iterator<Item = (usize, &Node)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, node)| node.next.is_none())
    }

    /// The score of the best move of a node.
    fn best(&self, node: &Node) -> Option<Value> {
        let scores = node.next.iter().flatten();
        scores
            .filter_map(|&at| Some(-self.nodes.get(at)?.score))
            .max()
    }

    /// Backs the scores of the leaves up. Tells whether all of them fit now.
    pub(super) fn back_up(&mut self) -> bool {
        let distances = self.distances();
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&at| Reverse(distances.get(at).map_or(0, |d| d.plies)));
        for _ in 0..MOST_PASSES {
            let mut changed = false;
            for &at in &order {
                let best = self.nodes.get(at).and_then(|node| self.best(node));
                if let (Some(best), Some(node)) = (best, self.nodes.get_mut(at)) {
                    changed |= best != node.score;
                    node.score = best;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// How far each node is from the start.
    pub(super) fn distances(&self) -> Vec<Distance> {
        let far = Distance {
            plies: u32::MAX,
            cost: Value::MAX,
        };
        let mut distances = vec![far; self.nodes.len()];
        let mut shortest = BinaryHeap::from([Reverse((0, 0))]);
        while let Some(Reverse((plies, at))) = shortest.pop() {
            let (Some(node), Some(distance)) = (self.nodes.get(at), distances.get_mut(at)) else {
                continue;
            };
            if distance.plies > plies {
                distance.plies = plies;
                let next = node.next.iter().flatten();
                shortest.extend(next.map(|&at| Reverse((plies + 1, at))));
            }
        }
        let mut cheapest = BinaryHeap::from([Reverse((0, 0))]);
        while let Some(Reverse((cost, at))) = cheapest.pop() {
            let (Some(node), Some(distance)) = (self.nodes.get(at), distances.get_mut(at)) else {
                continue;
            };
            if distance.cost > cost {
                distance.cost = cost;
                let best = self.best(node).unwrap_or(0);
                for &at in node.next.iter().flatten() {
                    let score = self.nodes.get(at).map_or(0, |node| -node.score);
                    // A score that does not fit yet may be better than the best.
                    let loss = (best - score).max(0);
                    cheapest.push(Reverse((cost.saturating_add(PLY).saturating_add(loss), at)));
                }
            }
        }
        distances
    }
}

/// What is in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its positions.
    pub positions: usize,
    /// How many of them cannot be reached from the start of the game.
    pub stray: usize,
    /// Positions all of whose moves it knows.
    pub known: usize,
    /// Plies to the farthest of these.
    pub plies: u32,
    /// Positions whose score is not that of their best move.
    pub unsound: usize,
    /// The score of the start from its side to move; `None` where that is not in it.
    pub start: Option<Value>,
}

impl Summary {
    /// What is wrong with the book, as a sentence.
    pub fn complaint(&self) -> Option<String> {
        if self.start.is_none() {
            Some("the start of the game is not in it".into())
        } else if self.stray > 0 {
            let stray = self.stray;
            Some(format!(
                "{stray} positions are not reached from the start of the game"
            ))
        } else if self.unsound > 0 {
            let unsound = self.unsound;
            Some(format!(
                "{unsound} positions do not have the score of their best move"
            ))
        } else {
            None
        }
    }
}

/// Looks through a book.
pub fn inspect(book: &Book) -> Summary {
    with_rules!(book.variant(), R => inspect_tree::<R>(book))
}

fn inspect_tree<R: Rules>(book: &Book) -> Summary {
    let Some(mut tree) = Tree::<R>::of(book) else {
        return Summary {
            positions: book.len(),
            stray: book.len(),
            known: 0,
            plies: 0,
            unsound: 0,
            start: None,
        };
    };
    let distances = tree.distances();
    let known = || {
        tree.nodes
            .iter()
            .zip(&distances)
            .filter(|(node, _)| node.next.is_some())
    };
    let (count, plies) = (
        known().count(),
        known().map(|(_, d)| d.plies).max().unwrap_or(0),
    );
    let scores: Vec<Value> = tree.nodes.iter().map(|node| node.score).collect();
    tree.back_up();
    let unsound = tree
        .nodes
        .iter()
        .zip(&scores)
        .filter(|(node, score)| node.score != **score);
    Summary {
        positions: book.len(),
        stray: book.len() - tree.len(),
        known: count,
        plies,
        unsound: unsound.count(),
        start: scores.first().copied(),
    }
}
