//! `warcab dxp`: games over TCP with programs that speak DXP.

use std::fs::OpenOptions;
use std::io::{self, BufRead, IsTerminal, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Sender, bounded};

use warcab::arena::pdn::date;
use warcab::board::{Side, Variant};
use warcab::engine::build;
use warcab::engine::options::Settings;
use warcab::notation::dxp::PORT;
use warcab::notation::{Notation, Squares, Style, fen, hub};
use warcab::protocol::dxp::{Link, Notice, Party, Plan, run as play};
use warcab::with_rules;

use super::Trouble;
use super::options::Options;

/// Arguments of `warcab dxp`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Wait for connections on this port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = PORT, conflicts_with = "connect")]
    port: u16,
    /// Wait for connections on this address; the default takes them from this machine only
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1",
        conflicts_with = "connect"
    )]
    host: String,
    /// Connect to a program that waits, instead of waiting
    #[arg(long, value_name = "HOST:PORT")]
    connect: Option<String>,
    /// Ask for games instead of being asked
    #[arg(long)]
    initiator: bool,
    /// Games to play; by default 1 as initiator, any number otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Minutes of each side for a game to ask for; 0 for as fast as is sensible
    #[arg(long, value_name = "M", default_value_t = 5, value_parser = clap::value_parser!(u32).range(..=999))]
    minutes: u32,
    /// Moves of each side after which a game to ask for ends; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 75, value_parser = clap::value_parser!(u32).range(..=999))]
    moves: u32,
    /// Play Black in the first game to ask for, and White in the second
    #[arg(long)]
    black: bool,
    /// First position of the games to ask for
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Name to go by
    #[arg(long, default_value = concat!("Warcab ", env!("CARGO_PKG_VERSION")))]
    name: String,
    /// Append all games to this file, those that were broken off too
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Seconds the other side may be silent where it is to speak
    #[arg(long, value_name = "S", default_value_t = 900)]
    patience: u64,
    #[command(flatten)]
    options: Options,
}

fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.map_or(0, |since| since.as_secs()))
}

/// Plays until the games are over, or a signal, `quit` or the end of the input.
pub(super) fn run(args: &Args, settings: Settings) -> Result<(), Trouble> {
    let mut settings = args.options.apply(settings)?;
    settings.style = Style {
        notation: Notation::Hub,
        squares: Squares::Numeric,
    };
    let variant = settings.variant;
    let plan = Plan {
        name: args.name.clone(),
        initiator: args.initiator,
        games: args.games.or(args.initiator.then_some(1)),
        minutes: args.minutes,
        moves: args.moves,
        board: args
            .fen
            .as_deref()
            .map(|fen| board(variant, fen))
            .transpose()?,
        side: if args.black { Side::Black } else { Side::White },
        today,
    };
    let mut party = Party::new(plan, build(settings)?).ok_or_else(|| {
        Trouble::Usage(format!(
            "--variant {variant}: DXP has boards of 50 squares only"
        ))
    })?;
    let link = match &args.connect {
        Some(address) => Link::Connect(address.clone()),
        None => {
            let place = (args.host.as_str(), args.port);
            let listener = TcpListener::bind(place).map_err(|error| {
                anyhow::anyhow!("cannot wait on {}:{}: {error}", args.host, args.port)
            })?;
            tell(&format!("waiting on {}", listener.local_addr()?));
            Link::Listen(listener)
        }
    };
    let (sender, quit) = bounded(1);
    let signalled = sender.clone();
    ctrlc::set_handler(move || {
        let _ = signalled.try_send(());
    })?;
    let input = sender.clone();
    thread::spawn(move || heed_input(&input));
    let patience = Duration::from_secs(args.patience);
    let mut kept = Ok(());
    let played = play(
        &mut party,
        link,
        patience,
        &quit,
        &mut |notice| match notice {
            Notice::Words(words) => tell(words),
            Notice::Game(game) => {
                if let (Some(path), true) = (&args.pdn, kept.is_ok()) {
                    let file = OpenOptions::new().append(true).create(true).open(path);
                    kept = file.and_then(|mut file| file.write_all(game.as_bytes()));
                    if let Err(error) = &kept {
                        tell(&format!(
                            "cannot keep the game in {}: {error}",
                            path.display()
                        ));
                    }
                }
            }
        },
    );
    drop(sender);
    played?;
    Ok(kept?)
}

/// A line for whoever watches; nobody has to.
fn tell(words: &str) {
    let _ = writeln!(io::stdout(), "{words}");
}

/// A FEN as Hub's letters.
fn board(variant: Variant, text: &str) -> Result<String, Trouble> {
    with_rules!(variant, R => match fen::parse::<R>(text) {
        Ok(setup) => Ok(hub::write::<R>(&setup.board)),
        Err(error) => Err(Trouble::Usage(format!("--fen {text}: {error}"))),
    })
}

/// Quits at a line `quit` and at the end of the input, unless there never was one: who starts a program in the background
/// gives it an input that is empty.
fn heed_input(quit: &Sender<()>) {
    for line in io::stdin().lock().lines() {
        match line {
            Ok(line) if line.trim() == "quit" => {
                let _ = quit.try_send(());
                return;
            }
            Ok(_) => {}
            Err(_) => return,
        }
    }
    if !is_empty_device() {
        let _ = quit.try_send(());
    }
}

/// Whether the input is a device that has nothing to give.
#[cfg(unix)]
fn is_empty_device() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let stdin = io::stdin();
    let kind = || {
        let file = std::fs::File::from(stdin.as_fd().try_clone_to_owned().ok()?);
        Some(file.metadata().ok()?.file_type().is_char_device())
    };
    !stdin.is_terminal() && kind().unwrap_or(true)
}

/// Whether the input is a device that has nothing to give: who can tell?
#[cfg(not(unix))]
fn is_empty_device() -> bool {
    !io::stdin().is_terminal()
}
