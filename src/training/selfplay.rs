//! Games of the engine against itself.
//!
//! Game `n` of a seed is always the same: it starts from a clean searcher and a random opening of its own. Shard `i` of `k`
//! plays games `i - 1`, `i - 1 + k`, ...; a file holds them by number, so that any number of threads writes the same file,
//! and an interrupted run goes on where it was.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::data::{DataError, GameData, Header, Sample, Writer};
use crate::board::movegen::{can_capture, legal_moves};
use crate::board::{Board, DrawRules, Game, Move, Outcome, Rules, Side};
use crate::eval::{Evaluator, Source, drawish};
use crate::search::{Limits, Request, Score, Searcher, Signals};
use crate::tablebase::{Tablebase, Verdict};

/// Random plies of an opening, and those after a start that was given.
const OPENING_PLIES: RangeInclusive<usize> = 4..=14;
const PLIES_AFTER_START: RangeInclusive<usize> = 0..=6;
/// One game in so many begins from a start that was given.
const START_SHARE: usize = 4;
/// One game in so many is played this far, then goes on after a few random moves, won or lost: a search looks at what comes
/// of blunders all the time, and games without any have hardly a position from which its value could be learnt.
const BLUNDER_SHARE: usize = 4;
const PLIES_BEFORE_BLUNDERS: RangeInclusive<usize> = 0..=60;
const BLUNDERS: RangeInclusive<usize> = 1..=6;
/// Another game whose first score lies beyond this is not played, in hundredths of a man.
const OPENING_SCORE: i32 = 300;
/// A game is decided once so many searches in a row of each side see one side ahead by so much, in hundredths of a man.
const DECIDED_SCORE: i32 = 600;
const DECIDED_SEARCHES: u32 = 2;
/// A quiet position without a decision in sight is drawn where the evaluation divides an advantage by so much.
const DRAWN_DIVISOR: i32 = 8;
/// Longer games are drawn.
const MOST_PLIES: usize = 400;
/// Scores beyond this teach nothing, in hundredths of a man.
const MOST_SCORE: i32 = 2_000;
/// Size of the table of each searcher in MiB: small enough to be cleared for each game.
const TABLE: usize = 1;

/// When a run has enough; what is in the file already counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Enough {
    /// Games.
    pub games: Option<u64>,
    /// Positions.
    pub positions: Option<u64>,
    /// Time of this run.
    pub time: Option<Duration>,
}

/// A run of self-play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Depth of each search.
    pub depth: Option<u32>,
    /// Nodes of each search.
    pub nodes: Option<u64>,
    /// The seed of all games.
    pub seed: u64,
    /// Which shard of how many this is, from 1.
    pub shard: [u32; 2],
    /// Threads, each with a game of its own.
    pub threads: usize,
    /// When to stop.
    pub enough: Enough,
    /// What judges positions.
    pub teacher: Source,
    /// Positions that one game in four begins from, after a few random moves; all begin from the start of the game if
    /// there are none.
    pub starts: Arc<[Board]>,
}

impl Plan {
    /// What tells files of this plan from those of another teacher or of other starts.
    fn signature<R: Rules>(&self) -> (u32, f64) {
        let (teacher, slope) = self.teacher.signature::<R>();
        let mut hash = crc32fast::Hasher::new();
        for start in self.starts.iter() {
            let [white, black] = start.pieces;
            for number in [white, black, start.kings, start.side as u64] {
                hash.update(&number.to_le_bytes());
            }
        }
        (teacher ^ hash.finalize(), slope)
    }

    /// A random position to begin a game from; `None` if the game is over at once.
    fn opening<R: Rules>(&self, random: &mut fastrand::Rng) -> Option<Game<R>> {
        if self.starts.is_empty() || random.usize(..START_SHARE) > 0 {
            let plies = random.usize(OPENING_PLIES);
            return random_opening(Board::start::<R>(), plies, random);
        }
        let start = *random.choice(self.starts.iter())?;
        let plies = random.usize(PLIES_AFTER_START);
        random_opening(start, plies, random)
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Games that this run has added.
    pub new_games: u64,
    /// Positions that this run has added.
    pub new_positions: u64,
    /// White's wins, draws and losses among the new games.
    pub results: [u64; 3],
    /// Bytes of a torn block that was dropped from the file.
    pub torn: usize,
    /// Time of this run.
    pub time: Duration,
}

impl Progress {
    fn count(&mut self, game: &GameData) {
        self.games += 1;
        self.positions += game.samples.len() as u64;
    }

    fn has(&self, enough: &Enough) -> bool {
        enough.games.is_some_and(|n| self.games >= n)
            || enough.positions.is_some_and(|n| self.positions >= n)
            || enough.time.is_some_and(|time| self.time >= time)
    }
}

/// A searcher that plays fixed-effort moves and forgets everything before each game.
#[derive(Debug)]
pub(super) struct Mover<R: Rules> {
    searcher: Searcher<R>,
    request: Request,
}

impl<R: Rules> Mover<R> {
    pub(super) fn new(evaluator: Evaluator<R>, depth: Option<u32>, nodes: Option<u64>) -> Self {
        let mut searcher = Searcher::new(TABLE, 1).expect("a mebibyte fits in memory");
        searcher.set_evaluator(evaluator);
        let limits = Limits {
            depth,
            nodes,
            ..Limits::default()
        };
        let request = Request {
            limits,
            ..Request::default()
        };
        Self { searcher, request }
    }

    pub(super) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// Plays so many plies of a game, or to its end; `None` if it was stopped.
    fn play_on(&mut self, game: &mut Game<R>, plies: usize, stop: &Signals) -> Option<()> {
        for _ in 0..plies {
            if game.outcome() != Outcome::Ongoing {
                break;
            }
            let (mv, _) = self.think(game, stop)?;
            game.play(mv);
        }
        Some(())
    }

    /// The move to play and its score from the side to move; `None` if it was stopped.
    fn think(&mut self, game: &Game<R>, stop: &Signals) -> Option<(Move, Score)> {
        let (mv, score) = self.searcher.judge(game, &self.request, stop)?;
        (!stop.is_stopped()).then_some((mv, score.unwrap_or(Score::Cp(0))))
    }
}

/// A game from `start` after so many random plies; `None` if it is over at once.
pub(super) fn random_opening<R: Rules>(
    start: Board,
    plies: usize,
    random: &mut fastrand::Rng,
) -> Option<Game<R>> {
    let table = R::draw_table(DrawRules::Federation);
    let mut game = Game::<R>::new(start, 0, table);
    for _ in 0..plies {
        let moves = legal_moves::<R>(game.board());
        game.play(*random.choice(&moves)?);
    }
    (game.outcome() == Outcome::Ongoing).then_some(game)
}

/// Plays a game to its end and returns the half-points of White. `seen` hears of each score that was searched; the game
/// is not played if it does not like the first one, nor to its end if it is stopped.
pub(super) fn play_out<R: Rules>(
    game: &mut Game<R>,
    movers: &mut [&mut Mover<R>],
    stop: &Signals,
    mut seen: impl FnMut(&Board, Score) -> bool,
) -> Option<u8> {
    let points = |side: Side| if side == Side::White { 2 } else { 0 };
    let tablebase = Tablebase::<R>::default();
    // Whom each side's searches have seen far ahead, and how many of them in a row.
    let mut verdicts = [(Side::White, 0); 2];
    let mut first = true;
    for _ in 0..MOST_PLIES {
        match game.outcome() {
            Outcome::Win(side, _) => return Some(points(side)),
            Outcome::Draw(_) => return Some(1),
            Outcome::Ongoing => (),
        }
        let side = game.board().side;
        match tablebase.probe(game.board()) {
            Some(Verdict::Win) => return Some(points(side)),
            Some(Verdict::Draw) => return Some(1),
            Some(Verdict::Loss) => return Some(points(!side)),
            None => (),
        }
        let moves = legal_moves::<R>(game.board());
        if let [only] = moves[..] {
            game.play(only);
            continue;
        }
        let index = side as usize % movers.len();
        let (mv, score) = movers[index].think(game, stop)?;
        if !seen(game.board(), score) && first {
            return None;
        }
        first = false;
        let (ahead, far) = match score {
            Score::Mate(moves) => (moves > 0, true),
            Score::Cp(cp) => (cp > 0, cp.abs() >= DECIDED_SCORE),
        };
        let ahead = if ahead { side } else { !side };
        if !far
            && is_quiet::<R>(game.board())
            && drawish::divisor::<R>(game.board(), ahead) >= DRAWN_DIVISOR
        {
            return Some(1);
        }
        let (leader, since) = verdicts[side];
        verdicts[side] = match far {
            true if ahead == leader => (leader, since + 1),
            true => (ahead, 1),
            false => (ahead, 0),
        };
        let decided = verdicts.map(|(leader, since)| (leader, since >= DECIDED_SEARCHES));
        if decided == [(ahead, true); 2] {
            return Some(points(ahead));
        }
        game.play(mv);
    }
    Some(1)
}

/// Whether neither side can capture.
fn is_quiet<R: Rules>(board: &Board) -> bool {
    let mut passed = *board;
    passed.side = !passed.side;
    !can_capture::<R>(board) && !can_capture::<R>(&passed)
}

/// Game `number` of a plan; `None` if it was stopped.
fn play<R: Rules>(
    mover: &mut Mover<R>,
    plan: &Plan,
    number: u64,
    stop: &Signals,
) -> Option<GameData> {
    let seed = plan.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = fastrand::Rng::with_seed(seed);
    while !stop.is_stopped() {
        let Some(mut game) = plan.opening::<R>(&mut random) else {
            continue;
        };
        mover.clear();
        let mut most = OPENING_SCORE;
        if random.usize(..BLUNDER_SHARE) == 0 {
            mover.play_on(&mut game, random.usize(PLIES_BEFORE_BLUNDERS), stop)?;
            let plies = random.usize(BLUNDERS);
            let Some(blundered) = random_opening(*game.board(), plies, &mut random) else {
                continue;
            };
            game = blundered;
            most = MOST_SCORE;
        }
        let mut samples = Vec::new();
        let result = play_out(&mut game, &mut [mover], stop, |board, score| {
            let Score::Cp(cp) = score else {
                return false;
            };
            // The search evaluates below threats as well, so positions under one are kept.
            if cp.abs() < MOST_SCORE && !can_capture::<R>(board) {
                samples.push(Sample {
                    board: *board,
                    score: cp as i16,
                });
            }
            cp.abs() <= most
        });
        if let Some(result) = result {
            return Some(GameData {
                number,
                result,
                samples,
            });
        }
    }
    None
}

/// Plays until there is enough or it is stopped, and adds the games to `file`; those that are not over by then are left to
/// the next run. `report` hears of the progress now and then.
pub fn run<R: Rules>(
    plan: &Plan,
    file: &Path,
    stop: &Signals,
    report: &mut dyn FnMut(&Progress),
) -> Result<Progress, DataError> {
    let start = Instant::now();
    let (teacher, slope) = plan.signature::<R>();
    let header = Header {
        variant: R::VARIANT,
        seed: plan.seed,
        shard: plan.shard,
        depth: plan.depth.unwrap_or(0),
        nodes: plan.nodes.unwrap_or(0),
        teacher,
        slope,
    };
    let (mut writer, old) = Writer::open::<R>(file, header)?;
    let mut progress = Progress {
        torn: old.torn,
        ..Progress::default()
    };
    old.games.iter().for_each(|game| progress.count(game));
    let evaluator = plan.teacher.evaluator::<R>();
    let [shard, shards] = plan.shard.map(u64::from);
    let number = |index: u64| shard - 1 + index * shards;
    // The next game to begin, and the next to be written.
    let begun = AtomicU64::new(progress.games);
    let over = AtomicBool::new(progress.has(&plan.enough));
    let (sender, receiver) = crossbeam_channel::bounded(64);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let (sender, evaluator, begun, over) = (sender.clone(), &evaluator, &begun, &over);
            scope.spawn(move || {
                let mut mover = Mover::new(evaluator.clone(), plan.depth, plan.nodes);
                while !over.load(Ordering::Relaxed) {
                    let index = begun.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = play(&mut mover, plan, number(index), stop) else {
                        break;
                    };
                    if sender.send((index, game)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for (index, game) in receiver {
            waiting.insert(index, game);
            while let Some(game) = waiting.remove(&progress.games) {
                if progress.has(&plan.enough) {
                    break;
                }
                writer.add::<R>(&game)?;
                progress.count(&game);
                progress.new_games += 1;
                progress.new_positions += game.samples.len() as u64;
                progress.results[2 - usize::from(game.result)] += 1;
            }
            progress.time = start.elapsed();
            over.store(progress.has(&plan.enough), Ordering::Relaxed);
            report(&progress);
        }
        progress.time = start.elapsed();
        Ok(progress)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::with_rules;

    fn plan(threads: usize) -> Plan {
        Plan {
            depth: Some(3),
            nodes: None,
            seed: 11,
            shard: [1, 1],
            threads,
            enough: Enough {
                games: Some(6),
                ..Enough::default()
            },
            teacher: Source::Embedded,
            starts: Arc::default(),
        }
    }

    #[test]
    fn the_file_hangs_on_the_seed_alone() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let folder = tempfile::tempdir().expect("a folder");
                let make = |name: &str, plan: Plan| {
                    let file = folder.path().join(name);
                    let progress = run::<R>(&plan, &file, &Signals::default(), &mut |_| ()).expect("written");
                    assert!(progress.games >= 6 && progress.positions > 60, "{progress:?}");
                    std::fs::read(file).expect("there")
                };
                let one = make("one", plan(1));
                assert!(one == make("two", plan(2)), "{variant}: threads");
                let enough = Enough { games: Some(2), ..Enough::default() };
                let half = Plan { enough, ..plan(1) };
                run::<R>(&half, &folder.path().join("half"), &Signals::default(), &mut |_| ()).expect("written");
                assert!(one == make("half", plan(2)), "{variant}: gone on with");
                assert!(one != make("other", Plan { seed: 12, ..plan(1) }), "{variant}: seed");
                let mut start = Board::start::<R>();
                start.side = !start.side;
                let starts = Plan { starts: Arc::new([start]), ..plan(1) };
                let begun = make("starts", starts.clone());
                assert!(begun == make("starts again", Plan { threads: 2, ..starts.clone() }), "{variant}: starts");
                let other = run::<R>(&starts, &folder.path().join("one"), &Signals::default(), &mut |_| ());
                assert!(other.is_err(), "{variant}: files of other starts do not mix");
            });
        }
    }

    #[test]
    fn shards_are_the_whole() {
        type R = crate::board::rules::Russian;
        let folder = tempfile::tempdir().expect("a folder");
        let games = |shard: [u32; 2], games: u64| {
            let file = folder.path().join(format!("{shard:?}"));
            let enough = Enough {
                games: Some(games),
                ..Enough::default()
            };
            let plan = Plan {
                shard,
                enough,
                ..plan(2)
            };
            run::<R>(&plan, &file, &Signals::default(), &mut |_| ()).expect("written");
            super::super::data::read::<R>(&file).expect("read").games
        };
        let mut pieces = games([1, 2], 3);
        pieces.extend(games([2, 2], 3));
        pieces.sort_by_key(|game| game.number);
        assert!(pieces == games([1, 1], 6));
    }

    #[test]
    fn samples_are_no_captures_but_may_be_under_threat() {
        type R = crate::board::rules::International;
        let mut mover = Mover::<R>::new(Evaluator::default(), Some(4), None);
        let mut threatened = 0;
        for number in 0..10 {
            let game = play(
                &mut mover,
                &Plan { seed: 3, ..plan(1) },
                number,
                &Signals::default(),
            );
            let game = game.expect("nobody stops it");
            let boards = || game.samples.iter().map(|sample| &sample.board);
            assert!(!boards().any(can_capture::<R>));
            threatened += boards().filter(|board| !is_quiet::<R>(board)).count();
            assert!(i32::from(game.samples[0].score).abs() <= 2_000);
            assert!(game.result <= 2);
        }
        assert!(threatened > 0);
    }

    #[test]
    fn a_run_that_is_stopped_keeps_whole_games_and_can_be_gone_on_with() {
        type R = crate::board::rules::Spanish;
        let folder = tempfile::tempdir().expect("a folder");
        let [whole, file] = ["whole", "stopped"].map(|name| folder.path().join(name));
        run::<R>(&plan(1), &whole, &Signals::default(), &mut |_| ()).expect("written");
        let stop = Signals::default();
        let progress = run::<R>(&plan(2), &file, &stop, &mut |progress| {
            if progress.games >= 2 {
                stop.stop();
            }
        });
        let progress = progress.expect("written");
        assert!((2..6).contains(&progress.games), "{progress:?}");
        let games = super::super::data::read::<R>(&file).expect("sound").games;
        assert_eq!(games.len() as u64, progress.games);
        let none = run::<R>(&plan(2), &file, &stop, &mut |_| ()).expect("nothing to do");
        assert_eq!((none.games, none.new_games), (progress.games, 0));
        run::<R>(&plan(2), &file, &Signals::default(), &mut |_| ()).expect("gone on with");
        let [whole, file] = [whole, file].map(|file| std::fs::read(file).expect("there"));
        assert!(whole == file);
    }
}
