//! The one implementation of [`Engine`]: a game, a searcher and settings of one rule set.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::command::{Best, Counter, DrawState, Evaluation, Event, Info, Order, Origin, Setting};
use super::error::{Code, Failure};
use super::options::Settings;
use super::table::{Table, hub_table, move_failure};
use super::{Engine, Job, Started, count};
use crate::board::movegen::count_moves;
use crate::board::{Board, DrawReason, DrawRules, DrawTable, Outcome, Rules};
use crate::eval::{Evaluator, Source, Wdl};
use crate::notation::hub::{Convention, Numbering};
use crate::notation::{Style, diagram, fen, moves};
use crate::opening::book::Book;
use crate::search::{Answer, Bound, HashError, Report, Request, Score, Searcher};
use crate::tablebase::Tablebase;

/// One rule set's engine.
#[derive(Debug)]
pub(super) struct Session<R: Rules> {
    settings: Settings,
    searcher: Arc<Mutex<Searcher<R>>>,
    /// That of the searcher, which a running search keeps to itself.
    evaluator: Evaluator<R>,
    book: Arc<Book>,
    table: Option<Table<R>>,
    /// How the user numbers squares, as far as an earlier position has told.
    numbering: Option<Numbering>,
}

impl From<HashError> for Failure {
    fn from(error: HashError) -> Self {
        Failure::new(Code::OutOfMemory, error.to_string())
    }
}

/// The evaluator that the settings ask for.
fn evaluator<R: Rules>(settings: &Settings) -> Result<Evaluator<R>, Failure> {
    let source = Source::read::<R>(&settings.eval_file);
    let source = source.map_err(|error| Failure::new(Code::EvalFile, error.to_string()))?;
    Ok(source.evaluator())
}

/// The endgame tables that the settings ask for.
fn tablebase<R: Rules>(settings: &Settings) -> Result<Tablebase<R>, Failure> {
    let tablebase = Tablebase::read(&settings.tablebase_path);
    tablebase.map_err(|error| Failure::new(Code::TablebasePath, error.to_string()))
}

/// The book that the settings ask for.
fn book<R: Rules>(settings: &Settings) -> Result<Arc<Book>, Failure> {
    let book = Book::read(&settings.book_file, R::VARIANT);
    book.map_err(|error| Failure::new(Code::BookFile, error.to_string()))
}

impl<R: Rules> Session<R> {
    /// An engine in the start position; see [`super::build`].
    pub(super) fn new(mut settings: Settings) -> Result<Self, Failure> {
        let evaluator = evaluator::<R>(&settings)?;
        let tablebase = tablebase::<R>(&settings)?;
        let book = book::<R>(&settings)?;
        let mut searcher = loop {
            match Searcher::new(settings.hash, settings.threads) {
                Ok(searcher) => break searcher,
                Err(_) if settings.hash > 1 => settings.hash /= 2,
                Err(error) => return Err(error.into()),
            }
        };
        searcher.set_evaluator(evaluator.clone());
        searcher.set_tablebase(tablebase);
        let table = Table::start(R::draw_table(settings.draw_rules));
        Ok(Self {
            settings,
            searcher: Arc::new(Mutex::new(searcher)),
            evaluator,
            book,
            table: Some(table),
            numbering: None,
        })
    }

    fn searcher(&self) -> MutexGuard<'_, Searcher<R>> {
        lock(&self.searcher)
    }

    fn board(&self) -> Option<&Board> {
        self.table.as_ref().map(|table| table.game.board())
    }

    fn draws(&self) -> DrawTable {
        R::draw_table(self.settings.draw_rules)
    }

    fn read_position(&mut self, setting: &Setting) -> Result<Table<R>, Failure> {
        let draws = self.draws();
        let mut table = match &setting.origin {
            Origin::Start => Table::start(draws),
            Origin::Fen(text) => {
                let setup = fen::parse::<R>(text)
                    .map_err(|error| Failure::new(Code::BadFen, error.to_string()))?;
                Table::new(setup, draws)
            }
            Origin::Hub(text) => hub_table(text, Convention::default(), draws)?,
            Origin::Numbered { board, numbering } => {
                return self.read_numbered(board.as_deref(), *numbering, &setting.moves);
            }
        };
        table.play(&setting.moves)?;
        Ok(table)
    }

    /// Reads a position of somebody who numbers squares in one of several ways.
    ///
    /// Where it is to be found out which one, it is that in which the position and all moves make sense. Where both do, it
    /// is the one that was found before; or else that of PDN, but for boards of sets that write letters: nobody but the one
    /// library is known to have put these into numbers, and it does so its own way.
    fn read_numbered(
        &mut self,
        board: Option<&str>,
        numbering: Option<Numbering>,
        moves: &str,
    ) -> Result<Table<R>, Failure> {
        let draws = self.draws();
        let read = |numbering| {
            let convention = Convention::of::<R>(numbering);
            let mut table = match board {
                None => Table::start(draws),
                Some(text) => hub_table(text, convention, draws)?,
            };
            table.convention = convention;
            table.play(moves)?;
            Ok(table)
        };
        let foreign = Convention::of::<R>(Numbering::Pydraughts);
        if let Some(numbering) = numbering {
            return read(numbering);
        }
        if foreign == Convention::default() {
            return read(Numbering::Pdn);
        }
        match (read(Numbering::Pdn), read(Numbering::Pydraughts)) {
            (Ok(own), Ok(theirs)) => {
                // Of two start positions the one with the right side to move is meant.
                let starts = |table: &Table<R>| {
                    let first = table.game.positions().first();
                    first.is_some_and(|p| p.board == Board::start::<R>())
                };
                let given_away = foreign.is_turned() && starts(&theirs);
                if given_away {
                    self.numbering = Some(Numbering::Pydraughts);
                }
                let likely = board.is_some() && foreign.is_renumbered();
                let guess = if likely {
                    Numbering::Pydraughts
                } else {
                    Numbering::Pdn
                };
                Ok(match self.numbering.unwrap_or(guess) {
                    Numbering::Pdn => own,
                    Numbering::Pydraughts => theirs,
                })
            }
            (Err(_), Ok(theirs)) => {
                self.numbering = Some(Numbering::Pydraughts);
                Ok(theirs)
            }
            (own, Err(_)) => {
                self.numbering = own.is_ok().then_some(Numbering::Pdn).or(self.numbering);
                own
            }
        }
    }

    fn teller(&self) -> Teller {
        Teller {
            style: self.settings.style,
            wdl: self.evaluator.wdl(),
            show_wdl: self.settings.show_wdl,
        }
    }

    /// The answer of the book to an order, if it is to answer and knows the position: one line, and the move.
    fn book_answer(&self, order: &Order, table: &Table<R>) -> Option<[Event; 2]> {
        let settings = &self.settings;
        let asked = settings.own_book && order.book && !order.limits.ponder;
        let restricted = settings.multi_pv > 1 || !order.moves.trim().is_empty();
        let late = table.game.moves().len() >= settings.book_depth as usize;
        if !asked || restricted || late || table.game.outcome() != Outcome::Ongoing {
            return None;
        }
        let board = table.game.board();
        let mut rng = fastrand::Rng::new();
        let chosen = (self.book).choose::<R>(board, settings.book_margin, &mut rng)?;
        let mut pv = vec![chosen.mv];
        pv.extend(self.book.line::<R>(&board.after(&chosen.mv), BOOK_LINE));
        let answer = Answer {
            best: Some(chosen.mv),
            ponder: pv.get(1).copied(),
        };
        let report = Report {
            depth: 0,
            seldepth: 0,
            mean_depth: 0.0,
            multi_pv: 1,
            score: Score::Cp(chosen.score),
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv,
        };
        let line = Info {
            book: true,
            ..info::<R>(table, report, self.teller())
        };
        let best = best::<R>(table, &answer, settings.style);
        Some([Event::Info(line), Event::Best(best)])
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A search that panicked leaves a table whose entries are checked on use like any others.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Moves of the book that follow the one it plays, in the line that is told.
const BOOK_LINE: usize = 8;

/// How a search's reports become text.
#[derive(Clone, Copy, Debug)]
struct Teller {
    style: Style,
    wdl: Wdl,
    show_wdl: bool,
}

/// A report of the search as text.
fn info<R: Rules>(table: &Table<R>, report: Report, teller: Teller) -> Info {
    let wdl = match report.score {
        Score::Cp(cp) => teller.wdl.thousandths(cp),
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
    };
    Info {
        book: false,
        depth: report.depth,
        seldepth: report.seldepth,
        mean_depth: report.mean_depth,
        multi_pv: report.multi_pv,
        score: report.score,
        bound: report.bound,
        wdl,
        show_wdl: teller.show_wdl,
        nodes: report.nodes,
        time: report.time,
        hashfull: report.hashfull,
        tbhits: report.tbhits,
        pv: table.write_line(&report.pv, teller.style),
    }
}

/// The answer of a search as text.
fn best<R: Rules>(table: &Table<R>, answer: &Answer, style: Style) -> Best {
    let line: Vec<_> = answer.best.into_iter().chain(answer.ponder).collect();
    let mut texts = table.write_line(&line, style).into_iter();
    Best {
        mv: texts.next(),
        ponder: texts.next(),
    }
}

impl<R: Rules> Engine for Session<R> {
    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn apply(&mut self, settings: Settings) -> Result<(), Failure> {
        if settings.book_file != self.settings.book_file {
            self.book = book::<R>(&settings)?;
        }
        if settings.eval_file != self.settings.eval_file {
            self.evaluator = evaluator::<R>(&settings)?;
            let mut searcher = lock(&self.searcher);
            searcher.set_evaluator(self.evaluator.clone());
            searcher.clear();
        }
        if settings.tablebase_path != self.settings.tablebase_path {
            let tablebase = tablebase::<R>(&settings)?;
            let mut searcher = lock(&self.searcher);
            searcher.set_tablebase(tablebase);
            searcher.clear();
        }
        let old = std::mem::replace(&mut self.settings, settings);
        if self.settings.draw_rules != old.draw_rules {
            let draws = self.draws();
            self.table = self.table.take().map(|table| table.under(draws));
        }
        if self.settings.threads != old.threads {
            self.searcher().set_threads(self.settings.threads);
        }
        if self.settings.hash != old.hash {
            let resized = self.searcher().resize(self.settings.hash);
            resized.inspect_err(|error| self.settings.hash = error.now)?;
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.searcher().clear();
    }

    fn set_position(&mut self, setting: &Setting) -> Result<(), Failure> {
        self.table = None;
        let table = self.read_position(setting)?;
        self.table = Some(table);
        Ok(())
    }

    fn drop_position(&mut self) {
        self.table = None;
    }

    fn go(&mut self, order: &Order) -> Result<Started, Failure> {
        let Some(table) = &self.table else {
            let what = "there is no position to search: send a good position command first";
            return Err(Failure::new(Code::NoPosition, what));
        };
        let table = table.clone();
        let game = &table.game;
        let outcome = game.outcome();
        let choice = count_moves::<R>(game.board());
        let instant = order.instant.is_some_and(|most| choice <= most);
        if let Outcome::Win(..) = outcome {
            return Ok(Started {
                job: Job::done([Event::Best(Best::default())]),
                outcome,
                instant,
                failures: Vec::new(),
            });
        }
        if let Some(events) = self.book_answer(order, &table) {
            return Ok(Started {
                job: Job::done(events),
                outcome,
                instant: true,
                failures: Vec::new(),
            });
        }
        let mut failures = Vec::new();
        let mut root_moves = Vec::new();
        for text in order.moves.split_whitespace() {
            match moves::parse::<R>(game.board(), text) {
                Ok(mv) => root_moves.push(mv),
                Err(error) => failures.push(move_failure("searchmoves", &error)),
            }
        }
        let mut limits = order.limits.clone();
        limits.clock = order.clocks.of(game.board().side);
        if instant {
            // Deep enough for the reply that is expected.
            limits.depth = Some(limits.depth.map_or(2, |depth| depth.min(2)));
            limits.infinite = false;
        }
        // Without a limit of its own a search goes on until it is stopped.
        limits.infinite |= !limits.is_bounded();
        let request = Request {
            limits,
            root_moves,
            multi_pv: self.settings.multi_pv,
            overhead: self.settings.overhead,
            strength: self.settings.strength().less(order.handicap),
            contempt: self.settings.contempt,
            tables: true,
        };
        let searcher = Arc::clone(&self.searcher);
        let teller = self.teller();
        let style = teller.style;
        let job = Job::start("search", move |signals, events| {
            // Events may find no listener when the program ends.
            let mut report = |report| {
                let _ = events.send(Event::Info(info::<R>(&table, report, teller)));
            };
            let answer = lock(&searcher).search(&table.game, &request, signals, &mut report);
            let _ = events.send(Event::Best(best::<R>(&table, &answer, style)));
        })?;
        Ok(Started {
            job,
            outcome,
            instant,
            failures,
        })
    }

    fn perft(&mut self, depth: u32) -> Option<Result<Job, Failure>> {
        let board = *self.board()?;
        let (style, threads) = (self.settings.style, self.settings.threads);
        Some(Job::start("perft", move |signals, events| {
            let counts = count::divide::<R>(&board, depth, threads, signals).map(|counts| {
                let text = |mv| moves::write::<R>(&board, &mv, style);
                counts.into_iter().map(|(mv, n)| (text(mv), n)).collect()
            });
            let _ = events.send(Event::Count(counts));
        }))
    }

    fn fen(&self) -> Option<String> {
        let table = self.table.as_ref()?;
        let squares = self.settings.style.squares;
        Some(fen::write::<R>(
            table.game.board(),
            squares,
            table.suffixes(),
        ))
    }

    fn diagram(&self) -> Option<String> {
        Some(diagram::draw::<R>(
            self.board()?,
            self.settings.style.squares,
        ))
    }

    fn legal(&self) -> Option<Vec<String>> {
        let legal = moves::write_legal::<R>(self.board()?, self.settings.style);
        Some(legal.into_iter().map(|(_, text)| text).collect())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.table.as_ref().map(|table| table.game.outcome())
    }

    fn draw_state(&self) -> Option<DrawState> {
        let game = &self.table.as_ref()?.game;
        let counters = game.position().counters;
        let occurrences = u16::try_from(game.occurrences()).unwrap_or(u16::MAX);
        let mut list = vec![Counter {
            reason: DrawReason::Repetition,
            value: Some(occurrences),
            limit: 3,
        }];
        list.extend(game.table.no_progress.map(|limit| Counter {
            reason: DrawReason::NoProgress,
            value: Some(counters.no_progress),
            limit,
        }));
        list.extend(
            game.table
                .clocks
                .iter()
                .enumerate()
                .map(|(index, clock)| Counter {
                    reason: DrawReason::KingEndgame,
                    value: counters.clock(index).map(u16::from),
                    limit: clock.limit.into(),
                }),
        );
        let name = |(rules, _): &&(DrawRules, _)| *rules == self.settings.draw_rules;
        Some(DrawState {
            rules: DrawRules::ALL.iter().find(name).map_or("", |(_, n)| *n),
            counters: list,
            one_each: game.table.one_each,
        })
    }

    fn evaluate(&self) -> Option<Evaluation> {
        let board = self.board()?;
        let trace = self.evaluator.trace(board);
        let worth = |square| {
            let of = trace.worth.iter().find(|(at, _)| *at == square);
            of.map(|(_, cp)| *cp)
        };
        Some(Evaluation {
            picture: diagram::draw_worth::<R>(board, self.settings.style.squares, worth),
            counts: trace.counts,
            patterns: trace.patterns,
            network: trace.network,
            head: trace.head,
            divisor: trace.divisor,
            value: trace.value,
        })
    }
}
