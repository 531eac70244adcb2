//! The one implementation of [`Engine`]: a game, a searcher and settings of one rule set.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::command::{Best, Counter, DrawState, Event, Info, Order, Origin, Setting};
use super::error::{Code, Failure};
use super::options::Settings;
use super::{Engine, Job, Started, count};
use crate::board::{Board, DrawReason, DrawRules, DrawTable, Game, Outcome, Rules};
use crate::eval::{Evaluator, Source, Wdl};
use crate::notation::moves::MoveError;
use crate::notation::{Setup, Style, Suffixes, diagram, fen, hub, moves};
use crate::search::{Answer, HashError, Report, Request, Score, Searcher};

/// One rule set's engine.
#[derive(Debug)]
pub(super) struct Session<R: Rules> {
    settings: Settings,
    searcher: Arc<Mutex<Searcher<R>>>,
    /// That of the searcher, which a running search keeps to itself.
    evaluator: Evaluator<R>,
    table: Option<Table<R>>,
}

/// What is on the table: the game, and the counters its FEN came with.
#[derive(Clone, Debug)]
struct Table<R: Rules> {
    game: Game<R>,
    suffixes: Suffixes,
}

impl<R: Rules> Table<R> {
    fn new(setup: Setup, draws: DrawTable) -> Self {
        let no_progress = setup.suffixes.half_moves.unwrap_or(0);
        Self {
            game: Game::new(setup.board, no_progress, draws),
            suffixes: setup.suffixes,
        }
    }

    fn start(draws: DrawTable) -> Self {
        let setup = Setup {
            board: Board::start::<R>(),
            suffixes: Suffixes::default(),
        };
        Self::new(setup, draws)
    }

    /// The same game under other draw rules.
    fn under(&self, draws: DrawTable) -> Self {
        let first = self.game.positions().first();
        let setup = Setup {
            board: first.map_or_else(Board::start::<R>, |position| position.board),
            suffixes: self.suffixes,
        };
        let mut table = Self::new(setup, draws);
        for mv in self.game.moves() {
            table.game.play(*mv);
        }
        table
    }

    /// The counters to print with the current position: those that were given, advanced by the moves played.
    fn suffixes(&self) -> Suffixes {
        let later = self.game.positions().iter().skip(1);
        let rounds = later.filter(|p| p.board.side == R::FIRST_MOVER).count();
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        let no_progress = self.game.position().counters.no_progress;
        Suffixes {
            half_moves: self.suffixes.half_moves.map(|_| no_progress),
            full_move: self.suffixes.full_move.map(|n| n.saturating_add(rounds)),
        }
    }
}

impl From<HashError> for Failure {
    fn from(error: HashError) -> Self {
        Failure::new(Code::OutOfMemory, error.to_string())
    }
}

/// A move that could not be read, and where it stands.
fn move_failure(place: &str, error: &MoveError) -> Failure {
    let code = match error {
        MoveError::Unreadable { .. } => Code::BadMove,
        MoveError::Illegal { .. } => Code::IllegalMove,
        MoveError::Ambiguous { .. } => Code::AmbiguousMove,
    };
    Failure::new(code, format!("{place}: {error}"))
}

/// The evaluator that the settings ask for.
fn evaluator<R: Rules>(settings: &Settings) -> Result<Evaluator<R>, Failure> {
    let source = Source::read::<R>(&settings.eval_file);
    let source = source.map_err(|error| Failure::new(Code::EvalFile, error.to_string()))?;
    Ok(source.evaluator())
}

impl<R: Rules> Session<R> {
    /// An engine in the start position; see [`super::build`].
    pub(super) fn new(mut settings: Settings) -> Result<Self, Failure> {
        let evaluator = evaluator::<R>(&settings)?;
        let mut searcher = loop {
            match Searcher::new(settings.hash, settings.threads) {
                Ok(searcher) => break searcher,
                Err(_) if settings.hash > 1 => settings.hash /= 2,
                Err(error) => return Err(error.into()),
            }
        };
        searcher.set_evaluator(evaluator.clone());
        let table = Table::start(R::draw_table(settings.draw_rules));
        Ok(Self {
            settings,
            searcher: Arc::new(Mutex::new(searcher)),
            evaluator,
            table: Some(table),
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

    fn read_position(&self, setting: &Setting) -> Result<Table<R>, Failure> {
        let mut table = match &setting.origin {
            Origin::Start => Table::start(self.draws()),
            Origin::Fen(text) => {
                let setup = fen::parse::<R>(text)
                    .map_err(|error| Failure::new(Code::BadFen, error.to_string()))?;
                Table::new(setup, self.draws())
            }
            Origin::Hub(text) => {
                let board = hub::parse::<R>(text)
                    .map_err(|error| Failure::new(Code::BadHub, error.to_string()))?;
                let suffixes = Suffixes::default();
                Table::new(Setup { board, suffixes }, self.draws())
            }
        };
        for (index, text) in setting.moves.split_whitespace().enumerate() {
            let mv = moves::parse::<R>(table.game.board(), text)
                .map_err(|error| move_failure(&format!("move {}", index + 1), &error))?;
            table.game.play(mv);
        }
        Ok(table)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A search that panicked leaves a table whose entries are checked on use like any others.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a search's reports become text.
#[derive(Clone, Copy, Debug)]
struct Teller {
    style: Style,
    wdl: Wdl,
    show_wdl: bool,
}

/// A report of the search as text.
fn info<R: Rules>(board: &Board, report: Report, teller: Teller) -> Info {
    let wdl = match report.score {
        Score::Cp(cp) => teller.wdl.thousandths(cp),
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
    };
    Info {
        depth: report.depth,
        seldepth: report.seldepth,
        multi_pv: report.multi_pv,
        score: report.score,
        bound: report.bound,
        wdl,
        show_wdl: teller.show_wdl,
        nodes: report.nodes,
        time: report.time,
        hashfull: report.hashfull,
        tbhits: report.tbhits,
        pv: moves::write_line::<R>(board, &report.pv, teller.style),
    }
}

/// The answer of a search as text.
fn best<R: Rules>(board: &Board, answer: &Answer, style: Style) -> Best {
    let line: Vec<_> = answer.best.into_iter().chain(answer.ponder).collect();
    let mut texts = moves::write_line::<R>(board, &line, style).into_iter();
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
        if settings.eval_file != self.settings.eval_file {
            self.evaluator = evaluator::<R>(&settings)?;
            let mut searcher = lock(&self.searcher);
            searcher.set_evaluator(self.evaluator.clone());
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
        self.table = Some(self.read_position(setting)?);
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
        let game = table.game.clone();
        let outcome = game.outcome();
        if let Outcome::Win(..) = outcome {
            return Ok(Started {
                job: Job::done(Event::Best(Best::default())),
                outcome,
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
        // Without a limit of its own a search goes on until it is stopped.
        limits.infinite |= !limits.is_bounded();
        let request = Request {
            limits,
            root_moves,
            multi_pv: self.settings.multi_pv,
            overhead: self.settings.overhead,
            level: self.settings.level(),
        };
        let searcher = Arc::clone(&self.searcher);
        let style = self.settings.style;
        let teller = Teller {
            style,
            wdl: self.evaluator.wdl(),
            show_wdl: self.settings.show_wdl,
        };
        let job = Job::start("search", move |signals, events| {
            // Events may find no listener when the program ends.
            let mut report = |report| {
                let _ = events.send(Event::Info(info::<R>(game.board(), report, teller)));
            };
            let answer = lock(&searcher).search(&game, &request, signals, &mut report);
            let _ = events.send(Event::Best(best::<R>(game.board(), &answer, style)));
        })?;
        Ok(Started {
            job,
            outcome,
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

    fn evaluate(&self) -> Option<i32> {
        Some(self.evaluator.evaluate(self.board()?))
    }
}
