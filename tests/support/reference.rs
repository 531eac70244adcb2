//! A second move generator, slow and plain, written from the rules alone: a mailbox of rows and files, rules as run-time
//! flags, every route of every capture followed, then precedence, then equal moves merged.
//!
//! Routes grow exponentially where kings stand among many pieces, so [`Reference::captures`] gives up after [`MOST_JUMPS`].

use std::collections::BTreeSet;

use super::Spot;

/// Jumps after which a position is given up.
const MOST_JUMPS: usize = 10_000;

/// The choice among captures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Free,
    Quantity,
    QuantityThenQuality,
    Italian,
}

/// A man on the last row during a capture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastRow {
    /// Crowned, the move ends.
    Ends,
    /// Goes on as a man, is crowned if it ends there.
    Passes,
    /// Goes on as a king.
    Crowned,
}

/// The rules of a set.
#[derive(Clone, Copy)]
pub(crate) struct Flags {
    pub(crate) size: i32,
    /// Moves along ranks and files instead of diagonals.
    pub(crate) orthogonal: bool,
    pub(crate) flying: bool,
    pub(crate) men_back: bool,
    pub(crate) men_take_kings: bool,
    pub(crate) choice: Choice,
    pub(crate) last_row: LastRow,
    pub(crate) removed_at_once: bool,
}

/// The rules of a set by its name.
pub(crate) fn flags(name: &str) -> Flags {
    let english = Flags {
        size: 8,
        orthogonal: false,
        flying: false,
        men_back: false,
        men_take_kings: true,
        choice: Choice::Free,
        last_row: LastRow::Ends,
        removed_at_once: false,
    };
    let brazilian = Flags {
        flying: true,
        men_back: true,
        choice: Choice::Quantity,
        last_row: LastRow::Passes,
        ..english
    };
    match name {
        "english" => english,
        "brazilian" => brazilian,
        "international" => Flags {
            size: 10,
            ..brazilian
        },
        "spanish" => Flags {
            flying: true,
            choice: Choice::QuantityThenQuality,
            ..english
        },
        "italian" => Flags {
            men_take_kings: false,
            choice: Choice::Italian,
            ..english
        },
        "russian" => Flags {
            choice: Choice::Free,
            last_row: LastRow::Crowned,
            ..brazilian
        },
        "turkish" => Flags {
            orthogonal: true,
            men_back: false,
            removed_at_once: true,
            ..brazilian
        },
        _ => panic!("no rules for {name}"),
    }
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) white: bool,
    pub(crate) king: bool,
}

/// A move, its captured squares in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Play {
    pub(crate) from: Spot,
    pub(crate) to: Spot,
    pub(crate) captured: BTreeSet<Spot>,
    pub(crate) promotes: bool,
}

/// One route of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) play: Play,
    /// Every square stood on: the start, then for each jump where the piece came down and turned or stopped.
    pub(crate) landings: Vec<Spot>,
    /// The pieces taken, in order.
    pub(crate) victims: Vec<Spot>,
    /// For each of them, whether it was a king.
    kinds: Vec<bool>,
    by_king: bool,
}

impl Line {
    /// The route as PDN 3.0 writes it: the start, then for each jump where the piece turned or stopped or, where it went
    /// straight on, the square right behind the piece taken.
    pub(crate) fn route(&self) -> Vec<Spot> {
        let heading = |jump: usize| {
            let (a, b) = (self.landings[jump], self.landings[jump + 1]);
            (b.row.cmp(&a.row), b.file.cmp(&a.file))
        };
        let mut route = vec![self.play.from];
        for (jump, &victim) in self.victims.iter().enumerate() {
            let straight = jump + 1 < self.victims.len() && heading(jump) == heading(jump + 1);
            let (rows, files) = heading(jump);
            route.push(if straight {
                Spot {
                    row: (victim.row as i32 + rows as i32) as usize,
                    file: (victim.file as i32 + files as i32) as usize,
                }
            } else {
                self.landings[jump + 1]
            });
        }
        route
    }
}

/// A position.
#[derive(Clone)]
pub(crate) struct Reference {
    flags: Flags,
    white_moves: bool,
    cells: Vec<Vec<Option<Piece>>>,
}

/// The piece that captures, on its way.
#[derive(Clone, Copy)]
struct Walker {
    at: Spot,
    king: bool,
    heading: Option<(i32, i32)>,
}

impl Reference {
    pub(crate) fn new(flags: Flags, white_moves: bool, pieces: &[(Spot, Piece)]) -> Self {
        let size = flags.size as usize;
        let mut cells = vec![vec![None; size]; size];
        for (spot, piece) in pieces {
            cells[spot.row][spot.file] = Some(*piece);
        }
        Reference {
            flags,
            white_moves,
            cells,
        }
    }

    /// All legal routes of all legal captures; `None` if there are too many.
    pub(crate) fn captures(&self) -> Option<Vec<Line>> {
        Some(self.best_of(self.complete_captures()?))
    }

    /// Those of the complete captures that the choice among captures leaves.
    pub(crate) fn best_of(&self, mut lines: Vec<Line>) -> Vec<Line> {
        let rank = |line: &Line| {
            let count = line.victims.len();
            let kings = line.kinds.iter().filter(|&&king| king).count();
            match self.flags.choice {
                Choice::Free => (0, false, 0, vec![]),
                Choice::Quantity => (count, false, 0, vec![]),
                Choice::QuantityThenQuality => (count, false, kings, vec![]),
                Choice::Italian => (count, line.by_king, kings, line.kinds.clone()),
            }
        };
        if let Some(best) = lines.iter().map(rank).max() {
            lines.retain(|line| rank(line) == best);
        }
        lines
    }

    /// All routes that run to their end, whatever the choice among captures; `None` if there are too many.
    pub(crate) fn complete_captures(&self) -> Option<Vec<Line>> {
        let mut lines = Vec::new();
        let mut jumps = 0;
        for (spot, piece) in self.own_pieces() {
            let mut board = self.clone();
            board.cells[spot.row][spot.file] = None;
            let walker = Walker {
                at: spot,
                king: piece.king,
                heading: None,
            };
            let line = Line {
                play: Play {
                    from: spot,
                    to: spot,
                    captured: BTreeSet::new(),
                    promotes: false,
                },
                landings: vec![spot],
                victims: Vec::new(),
                kinds: Vec::new(),
                by_king: piece.king,
            };
            board.follow(walker, line, &mut lines, &mut jumps)?;
        }
        Some(lines)
    }

    /// Follows every way on of a chain; adds the chain itself to `lines` where it cannot go on.
    fn follow(
        &self,
        walker: Walker,
        line: Line,
        lines: &mut Vec<Line>,
        jumps: &mut usize,
    ) -> Option<bool> {
        let mut goes_on = false;
        for heading in self.capture_headings(walker) {
            let Some((victim, landings)) = self.jump(walker, heading, &line.victims) else {
                continue;
            };
            goes_on = true;
            let mut stops = Vec::new();
            let mut any_further = false;
            for landing in landings {
                *jumps += 1;
                if *jumps > MOST_JUMPS {
                    return None;
                }
                let mut board = self.clone();
                let mut line = line.clone();
                line.victims.push(victim);
                line.landings.push(landing);
                line.kinds
                    .push(self.cell(victim).is_some_and(|piece| piece.king));
                line.play.to = landing;
                line.play.captured.insert(victim);
                if self.flags.removed_at_once {
                    board.cells[victim.row][victim.file] = None;
                }
                let mut walker = Walker {
                    at: landing,
                    king: walker.king,
                    heading: Some(heading),
                };
                let on_last_row = !walker.king && landing.row == self.last_row();
                if on_last_row && self.flags.last_row == LastRow::Crowned {
                    walker.king = true;
                    line.play.promotes = true;
                }
                let stopped = on_last_row && self.flags.last_row == LastRow::Ends;
                let further = !stopped && board.follow(walker, line.clone(), lines, jumps)?;
                any_further |= further;
                if !further {
                    line.play.promotes |= on_last_row;
                    stops.push(line);
                }
            }
            // Where some landing square lets the chain go on, one of those has to be taken.
            if !any_further {
                lines.append(&mut stops);
            }
        }
        Some(goes_on)
    }

    /// The piece taken in one direction and the squares where the jump may come down.
    fn jump(
        &self,
        walker: Walker,
        heading: (i32, i32),
        taken: &[Spot],
    ) -> Option<(Spot, Vec<Spot>)> {
        let flies = walker.king && self.flags.flying;
        let mut victim = self.step(walker.at, heading)?;
        while flies && self.cell(victim).is_none() {
            victim = self.step(victim, heading)?;
        }
        let piece = self.cell(victim)?;
        let still_there = self.flags.removed_at_once || !taken.contains(&victim);
        let edible = walker.king || self.flags.men_take_kings || !piece.king;
        if piece.white == self.white_moves || !still_there || !edible {
            return None;
        }
        let mut landings = Vec::new();
        let mut next = self.step(victim, heading);
        while let Some(landing) = next.filter(|&spot| self.cell(spot).is_none()) {
            landings.push(landing);
            next = if flies {
                self.step(landing, heading)
            } else {
                None
            };
        }
        (!landings.is_empty()).then_some((victim, landings))
    }

    /// The moves where there is no capture.
    pub(crate) fn quiet_moves(&self) -> BTreeSet<Play> {
        let mut moves = BTreeSet::new();
        for (from, piece) in self.own_pieces() {
            let headings = if piece.king {
                self.all_headings()
            } else {
                self.forward_headings()
            };
            for heading in headings {
                let mut next = self.step(from, heading);
                while let Some(to) = next.filter(|&spot| self.cell(spot).is_none()) {
                    moves.insert(Play {
                        from,
                        to,
                        captured: BTreeSet::new(),
                        promotes: !piece.king && to.row == self.last_row(),
                    });
                    next = if piece.king && self.flags.flying {
                        self.step(to, heading)
                    } else {
                        None
                    };
                }
            }
        }
        moves
    }

    fn own_pieces(&self) -> Vec<(Spot, Piece)> {
        let mut list = Vec::new();
        for (row, cells) in self.cells.iter().enumerate() {
            for (file, cell) in cells.iter().enumerate() {
                if let Some(piece) = cell.filter(|piece| piece.white == self.white_moves) {
                    list.push((Spot { row, file }, piece));
                }
            }
        }
        list
    }

    fn capture_headings(&self, walker: Walker) -> Vec<(i32, i32)> {
        let mut headings = if walker.king || self.flags.men_back {
            self.all_headings()
        } else {
            self.forward_headings()
        };
        // No turn by 180 degrees between two captures.
        if let Some((rows, files)) = walker.heading {
            headings.retain(|&heading| heading != (-rows, -files));
        }
        headings
    }

    fn all_headings(&self) -> Vec<(i32, i32)> {
        if self.flags.orthogonal {
            vec![(-1, 0), (1, 0), (0, -1), (0, 1)]
        } else {
            vec![(-1, -1), (-1, 1), (1, -1), (1, 1)]
        }
    }

    fn forward_headings(&self) -> Vec<(i32, i32)> {
        let up = if self.white_moves { -1 } else { 1 };
        if self.flags.orthogonal {
            vec![(up, 0), (0, -1), (0, 1)]
        } else {
            vec![(up, -1), (up, 1)]
        }
    }

    fn last_row(&self) -> usize {
        if self.white_moves {
            0
        } else {
            self.flags.size as usize - 1
        }
    }

    fn step(&self, spot: Spot, (rows, files): (i32, i32)) -> Option<Spot> {
        let row = spot.row as i32 + rows;
        let file = spot.file as i32 + files;
        let inside = (0..self.flags.size).contains(&row) && (0..self.flags.size).contains(&file);
        inside.then_some(Spot {
            row: row as usize,
            file: file as usize,
        })
    }

    fn cell(&self, spot: Spot) -> Option<Piece> {
        self.cells[spot.row][spot.file]
    }
}
