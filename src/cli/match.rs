//! `warcab match`: plays engines against each other.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use warcab::arena::record::GameRecord;
use warcab::arena::referee::{Adjudication, DrawByScore, Resign};
use warcab::arena::runner::{self, Finished, Identity, Listener, Match, MatchError, OpeningSource};
use warcab::arena::schedule::Tournament;
use warcab::arena::spec::EngineSpec;
use warcab::arena::sprt::Sprt;
use warcab::arena::state::State;
use warcab::arena::{pdn, report};
use warcab::board::{DrawRules, Variant};

use super::Trouble;

/// The description of `--engine`, which is long.
const ENGINE_HELP: &str = "\
An engine, as entries KEY=VALUE separated by blanks; give the option once for each engine. A word that begins no entry \
continues the value before it, and quotes protect blanks.
  cmd=COMMAND        the program and its arguments, or self for this program's own searcher in this process
  name=NAME          its name in reports
  dir=FOLDER arg=ARG where it runs, and further arguments
  proto=uci|hub|dxp  what it speaks [uci]
  address=HOST:PORT  where a DXP engine waits [127.0.0.1:27531]; without cmd= it runs already. {port} in cmd= stands for a \
free port. DXP has whole minutes of tc= and no other limit
  notation=pdn|pydraughts  how a Hub engine numbers an 8x8 board [pdn]
  hash=MIB           size of its hash table, for cmd=self [16] or as option Hash
  option.NAME=VALUE  an option of the engine (a parameter of a Hub engine; Skill Level, UCI_Elo, Contempt, \
EvalFile, TablebasePath or a parameter of the search of cmd=self)
  tc=[MOVES/][MIN:]SEC[+INC]  st=SEC  depth=N  nodes=N   how much it may think; at least one of them
  timemargin=MS      by how much it may be late [100; 2000 for cmd=self]
  patience=SEC       how long beyond its time it is waited for before it is killed [30]";

/// Arguments of `warcab match`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// An engine: cmd=COMMAND name=NAME tc=60+0.5 option.NAME=VALUE ...
    #[arg(long, value_name = "ENTRIES", required_unless_present = "self_params", long_help = ENGINE_HELP)]
    engine: Vec<String>,
    /// Entries for all engines, which an engine's own override
    #[arg(long, value_name = "ENTRIES")]
    each: Vec<String>,
    /// Two sets of search parameters of this program, `NAME=VALUE ...`, to play each other in this process; one set plays
    /// the default
    #[arg(long, value_name = "PARAMETERS", num_args = 1..=2, conflicts_with = "engine")]
    self_params: Vec<String>,
    /// Who plays whom
    #[arg(long, value_enum, default_value_t = Form::RoundRobin)]
    tournament: Form,
    /// Games of each pairing of engines, an even number; with --rounds, games of each round
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Rounds: in each, every pairing plays two games from one opening with colours exchanged
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// File of openings: lines `FEN | moves that lead to it`, FENs, or games in PDN; random ones if not given
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t = Order::Sequential)]
    order: Order,
    /// Most moves taken of each game of a PDN file of openings
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Random moves of an opening where there is no file
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8,
        conflicts_with = "openings"
    )]
    random_plies: usize,
    /// Seed of the order of openings and of random ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Stop as soon as a sequential test decides: elo0 elo1 [alpha beta] [normalized|logistic]
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// An engine loses after scores of -score or worse: movecount=N score=CP [twosided=true]
    #[arg(long, value_name = "RULE", value_parser = read_resign)]
    resign: Option<Resign>,
    /// A game is drawn after scores of both sides within ±score: movenumber=N movecount=N score=CP
    #[arg(long, value_name = "RULE", value_parser = read_draw)]
    draw: Option<DrawByScore>,
    /// A game is drawn after so many moves of each side
    #[arg(long, value_name = "N", value_parser = positive)]
    max_moves: Option<usize>,
    /// What is drawn by rule: club, club-40, federation or none
    #[arg(long, value_name = "TABLE", default_value = "club", value_parser = read_rules)]
    draw_rules: DrawRules,
    /// Add the games to this file, in PDN
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Write the report to this file, in JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Keep the match in this file, and go on with it where it was
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// The match's name in PDN
    #[arg(long, value_name = "NAME", default_value = "Warcab match")]
    event: String,
    /// End the match with the first failure of an engine
    #[arg(long)]
    stop_on_failure: bool,
    /// Report after so many games, beside the end; 0 for never
    #[arg(long, value_name = "N", default_value_t = 0)]
    report_every: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Everybody plays everybody
    RoundRobin,
    /// The first engine plays all others
    Gauntlet,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Order {
    /// As in the file
    Sequential,
    /// Shuffled
    Random,
}

/// The options whose value is a list of entries, which may follow as words of their own.
const GROUPS: [&str; 6] = [
    "--engine",
    "--each",
    "--sprt",
    "--resign",
    "--draw",
    "--openings",
];

/// Rewrites what is spelt as in cutechess-cli: `-engine cmd=x name=y` becomes `--engine "cmd=x name=y"`, `-openings file=F
/// order=random` becomes `--openings F --order random`, `-pgnout F` becomes `--pdn F`. Arguments of other commands stay.
pub(super) fn respell(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut own = arguments.iter().skip(1).peekable();
    while own.next_if(|word| *word == "--variant").is_some() {
        own.next();
    }
    let is_match = own.next().is_some_and(|word| word == "match");
    let texts: Vec<String> = arguments
        .iter()
        .filter_map(|word| word.to_str().map(str::to_owned))
        .collect();
    // What is not UTF-8 can only be the name of a file, and is left alone with all the rest.
    if is_match && texts.len() == arguments.len() {
        respell_match(texts).into_iter().map(Into::into).collect()
    } else {
        arguments
    }
}

fn respell_match(arguments: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut words = arguments.into_iter().peekable();
    while let Some(word) = words.next() {
        let single = word.starts_with('-') && !word.starts_with("--");
        let long = single && word.len() > 2 && word[1..].starts_with(|c: char| c.is_alphabetic());
        let name = match word.as_str() {
            "-pgnout" | "-pdnout" => "--pdn".to_owned(),
            "-maxmoves" => "--max-moves".to_owned(),
            "-srand" => "--seed".to_owned(),
            _ if long => format!("-{word}"),
            _ => word,
        };
        let grouped = GROUPS.contains(&name.as_str());
        out.push(name);
        if !grouped {
            continue;
        }
        let mut entries = Vec::new();
        let is_entry = |word: &String| {
            !word.starts_with('-')
                || word[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.')
        };
        while let Some(entry) = words.next_if(is_entry) {
            entries.push(entry);
        }
        if out.last().is_some_and(|name| name == "--openings") {
            for entry in entries {
                match entry.split_once('=') {
                    Some(("file", file)) => out.push(file.to_owned()),
                    Some((key @ ("order" | "plies"), value)) => {
                        out.extend([format!("--{key}"), value.to_owned()]);
                    }
                    _ => out.push(entry),
                }
            }
        } else if !entries.is_empty() {
            out.push(entries.join(" "));
        }
    }
    out
}

fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&n| n > 0);
    number.ok_or_else(|| "expected a number from 1".to_owned())
}

fn read_rules(name: &str) -> Result<DrawRules, String> {
    let found = DrawRules::ALL.iter().find(|(_, n)| *n == name);
    found.map(|(rules, _)| *rules).ok_or_else(|| {
        let names: Vec<_> = DrawRules::ALL.iter().map(|(_, name)| *name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// The values of `KEY=NUMBER` entries, in the order of `keys`.
fn numbers<const N: usize>(text: &str, keys: [&str; N]) -> Result<[Option<u32>; N], String> {
    let mut values = [None; N];
    for word in text.split_whitespace() {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let place = keys.iter().position(|k| *k == key);
        let value = match value {
            "true" => Some(1),
            "false" => Some(0),
            _ => value.parse().ok(),
        };
        match (place.and_then(|place| values.get_mut(place)), value) {
            (Some(slot), Some(value)) => *slot = Some(value),
            _ => {
                return Err(format!(
                    "\"{word}\", expected {}=NUMBER",
                    keys.join("=NUMBER ")
                ));
            }
        }
    }
    Ok(values)
}

fn read_resign(text: &str) -> Result<Resign, String> {
    let [moves, score, two_sided] = numbers(text, ["movecount", "score", "twosided"])?;
    Ok(Resign {
        moves: moves.filter(|&n| n > 0).ok_or("movecount= is missing")?,
        score: score
            .and_then(|n| i32::try_from(n).ok())
            .ok_or("score= is missing")?,
        two_sided: two_sided == Some(1),
    })
}

fn read_draw(text: &str) -> Result<DrawByScore, String> {
    let [from, moves, score] = numbers(text, ["movenumber", "movecount", "score"])?;
    Ok(DrawByScore {
        from_move: from.unwrap_or(0) as usize,
        moves: moves.filter(|&n| n > 0).ok_or("movecount= is missing")?,
        score: score
            .and_then(|n| i32::try_from(n).ok())
            .ok_or("score= is missing")?,
    })
}

impl Args {
    /// The engines that are described, with names that tell them apart.
    fn engines(&self) -> Result<Vec<EngineSpec>, Trouble> {
        let sets = self.self_params.iter().map(|set| {
            let options: Vec<_> = set
                .split_whitespace()
                .map(|p| format!("option.{p}"))
                .collect();
            format!("name=\"{set}\" cmd=self {}", options.join(" "))
        });
        let mut texts: Vec<String> = self.engine.iter().cloned().chain(sets).collect();
        if self.self_params.len() == 1 {
            texts.push("name=default cmd=self".into());
        }
        let each = self.each.join(" ");
        let mut engines = Vec::new();
        for text in &texts {
            let spec = EngineSpec::read(text, &each);
            engines.push(spec.map_err(|error| Trouble::Usage(error.to_string()))?);
        }
        if engines.len() < 2 {
            let what = "there is one engine, expected --engine twice or more";
            return Err(Trouble::Usage(what.into()));
        }
        for index in 1..engines.len() {
            let base = engines[index].name.clone();
            let mut count = 1;
            while engines[..index]
                .iter()
                .any(|other| other.name == engines[index].name)
            {
                count += 1;
                engines[index].name = format!("{base} ({count})");
            }
        }
        Ok(engines)
    }

    fn rounds(&self) -> Result<usize, Trouble> {
        let games = match (self.games, self.rounds) {
            (None, None) => 2 * 50,
            (Some(games), None) => games,
            (None, Some(rounds)) => 2 * rounds,
            (Some(games), Some(rounds)) => games * rounds,
        };
        if games == 0 || games % 2 != 0 {
            let what = format!("{games} games for each pairing: expected an even number from 2");
            return Err(Trouble::Usage(what));
        }
        Ok(games / 2)
    }

    fn setup(&self, variant: Variant) -> Result<Match, Trouble> {
        let engines = self.engines()?;
        if self.sprt.is_some() && engines.len() != 2 {
            let what = format!("--sprt with {} engines: expected two", engines.len());
            return Err(Trouble::Usage(what));
        }
        let openings = match &self.openings {
            Some(path) => {
                let text = fs::read_to_string(path)
                    .map_err(|error| anyhow::anyhow!("openings {}: {error}", path.display()))?;
                OpeningSource::File(text, self.plies)
            }
            None => OpeningSource::Random(self.random_plies),
        };
        Ok(Match {
            variant,
            draw_rules: self.draw_rules,
            engines,
            tournament: match self.tournament {
                Form::RoundRobin => Tournament::RoundRobin,
                Form::Gauntlet => Tournament::Gauntlet,
            },
            rounds: self.rounds()?,
            openings,
            shuffled: self.order == Order::Random,
            seed: self.seed,
            concurrency: self.concurrency,
            adjudication: Adjudication {
                resign: self.resign,
                draw: self.draw,
                max_moves: self.max_moves,
            },
            sprt: self.sprt,
            stop_on_failure: self.stop_on_failure,
        })
    }
}

/// Plays the match and prints its report.
pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let setup = args.setup(variant)?;
    let mut desk = Desk {
        args,
        setup: &setup,
        names: setup
            .engines
            .iter()
            .map(|engine| engine.name.clone())
            .collect(),
        state: None,
        pdn: None,
        live: io::stderr().is_terminal(),
        start: Instant::now(),
        shown: None,
        fresh: 0,
    };
    let played = runner::run(&setup, &mut desk);
    desk.clear_line();
    let (standings, ended) = played.map_err(|error| match error {
        MatchError::Openings(error) => {
            let file = args
                .openings
                .as_ref()
                .map_or_else(String::new, |p| p.display().to_string());
            anyhow::anyhow!("{file}: {error}")
        }
        MatchError::Listener(error) => error.into(),
    })?;
    io::stdout().write_all(report::text(&setup, &standings, Some(ended)).as_bytes())?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report::json(&setup, &standings, ended))?;
        fs::write(path, text + "\n")
            .map_err(|error| anyhow::anyhow!("report {}: {error}", path.display()))?;
    }
    Ok(())
}

/// Keeps the files of a match and tells the user how it goes.
struct Desk<'a> {
    args: &'a Args,
    setup: &'a Match,
    names: Vec<String>,
    state: Option<State>,
    pdn: Option<File>,
    /// Whether somebody watches the progress line.
    live: bool,
    start: Instant,
    /// When the progress line was last written.
    shown: Option<Instant>,
    /// Games of this run.
    fresh: u64,
}

impl Desk<'_> {
    fn clear_line(&mut self) {
        if self.live && self.shown.is_some() {
            // Nobody is hurt if it fails.
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn write_pdn(&mut self, record: &GameRecord) -> io::Result<()> {
        let round = self.round(record.number);
        let Some(file) = &mut self.pdn else {
            return Ok(());
        };
        let event = &self.args.event;
        let text = pdn::game(self.setup.variant, &self.names, event, round, record);
        file.write_all(text.as_bytes())
    }

    /// The round of a game, from 1.
    fn round(&self, number: usize) -> usize {
        let (engines, form) = (self.setup.engines.len(), self.setup.tournament);
        let schedule = warcab::arena::schedule::Schedule::new(form, engines, self.setup.rounds);
        schedule.game(number).map_or(0, |game| game.round + 1)
    }
}

impl Listener for Desk<'_> {
    fn begin(&mut self, identity: &Identity) -> io::Result<Vec<GameRecord>> {
        let mut done = Vec::new();
        if let Some(path) = &self.args.state {
            let (state, games) = State::open(path, identity).map_err(io::Error::other)?;
            self.state = Some(state);
            done = games;
        }
        if let Some(path) = &self.args.pdn {
            // With a state file the games are all at hand: writing them anew leaves out whatever was half written.
            let mut options = fs::OpenOptions::new();
            let anew = self.state.is_some();
            let options = options
                .create(true)
                .write(true)
                .truncate(anew)
                .append(!anew);
            let file = options.open(path);
            let named = |error| io::Error::other(format!("games {}: {error}", path.display()));
            self.pdn = Some(file.map_err(named)?);
            for record in &done {
                self.write_pdn(record)?;
            }
        }
        if !done.is_empty() {
            writeln!(io::stderr(), "{} games were played before", done.len())?;
        }
        self.start = Instant::now();
        Ok(done)
    }

    fn finished(&mut self, game: &Finished<'_>) -> io::Result<()> {
        self.fresh += 1;
        if let Some(state) = &mut self.state {
            state.add(game.record)?;
        }
        self.write_pdn(game.record)?;
        let mut err = io::stderr().lock();
        if game.record.failed.is_some() {
            if self.live && self.shown.is_some() {
                write!(err, "\r\x1b[K")?;
            }
            let record = game.record;
            writeln!(err, "game {}: {}", record.number, record.reason)?;
            for line in game.evidence {
                writeln!(err, "    {line}")?;
            }
        }
        let games = game.standings.games();
        let every = self.args.report_every;
        if every > 0 && games.is_multiple_of(every) {
            let text = report::text(self.setup, game.standings, None);
            io::stdout().write_all(text.as_bytes())?;
        }
        let due = self
            .shown
            .is_none_or(|at| at.elapsed() > Duration::from_millis(100));
        if self.live && due {
            let elapsed = self.start.elapsed();
            let line = report::progress(self.setup, game.standings, self.fresh, elapsed);
            write!(err, "\r\x1b[K{line}")?;
            err.flush()?;
            self.shown = Some(Instant::now());
        }
        Ok(())
    }
}
