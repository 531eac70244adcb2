//! DXP with the real binary: raw dialogues, and two of them against each other.

#[path = "support/odd_book.rs"]
mod odd_book;
#[path = "support/session.rs"]
mod session;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Command;
use std::time::Duration;

use session::Session;

use warcab::engine::build;
use warcab::engine::command::{Origin, Setting};
use warcab::engine::options::Settings;
use warcab::notation::dxp::{Frames, Message};
use warcab::notation::{Notation, Squares, Style};

/// How long any answer may take.
const DEADLINE: Duration = Duration::from_secs(60);

/// Starts a program that waits for connections, and tells where.
fn listening(args: &[&str]) -> (Session, String) {
    let mut session = Session::start(&[&["dxp", "--port", "0"], args].concat());
    let line = session.until("waiting").pop().expect("until gives a line");
    let address = line.rsplit(' ').next().expect("an address").to_owned();
    (session, address)
}

/// A connection that says what it is told to.
struct Peer {
    stream: TcpStream,
    frames: Frames,
    inbox: Vec<String>,
}

impl Peer {
    fn connect(address: &str) -> Peer {
        Peer::over(TcpStream::connect(address).expect("it waits"))
    }

    fn over(stream: TcpStream) -> Peer {
        stream.set_read_timeout(Some(DEADLINE)).expect("a time");
        Peer {
            stream,
            frames: Frames::default(),
            inbox: Vec::new(),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("it reads");
    }

    fn send(&mut self, text: &str) {
        self.bytes(&[text.as_bytes(), &[0]].concat());
    }

    /// The next message but for chat; `None` at the end of the connection.
    fn next(&mut self) -> Option<String> {
        loop {
            let message = self.message()?;
            if !message.starts_with('C') {
                return Some(message);
            }
        }
    }

    /// The next message; `None` at the end of the connection.
    fn message(&mut self) -> Option<String> {
        let mut bytes = [0; 512];
        loop {
            if !self.inbox.is_empty() {
                return Some(self.inbox.remove(0));
            }
            let count = self.stream.read(&mut bytes).expect("an answer in time");
            if count == 0 {
                return None;
            }
            let heard = self.frames.push(&bytes[..count]);
            let text = |message: Result<Message, _>| message.expect("a good message").encode();
            self.inbox.extend(heard.into_iter().map(text));
        }
    }

    #[track_caller]
    fn ask(&mut self, text: &str, answer: &str) -> String {
        self.send(text);
        let message = self.next().expect("an answer");
        assert!(message.starts_with(answer), "{text}: {message}");
        message
    }
}

fn request(version: &str, follower: char, position: &str) -> String {
    format!("R{version}{:<32}{follower}000075{position}", "Peer")
}

#[test]
fn a_follower_in_two_games_with_split_and_glued_packets() {
    let (mut session, address) = listening(&["--name", "Test"]);
    let mut peer = Peer::connect(&address);
    peer.send("CHello");
    assert!(peer.ask(&request("02", 'Z', "A"), "ATest ").ends_with('1'));
    assert!(peer.ask(&request("01", 'Z', "A"), "ATest ").ends_with('0'));
    let first = peer.ask("M0001322800", "M");
    assert!(first.len() >= 11, "{first}");
    peer.send("CWhat do you think?");
    peer.ask("B001Z", "K0");
    assert!(peer.next().expect("a move again").starts_with('M'));
    peer.ask("E00", "E0");

    // White of the second game is the follower. The request comes in pieces, its end glued to what comes next.
    let board = format!("BW{}z{}W{}", "e".repeat(4), "e".repeat(40), "e".repeat(4));
    let bytes = [request("01", 'W', &board).as_bytes(), b"\0Cgo\0"].concat();
    for part in bytes.chunks(7) {
        peer.bytes(part);
    }
    assert!(peer.next().expect("an answer").ends_with('0'));
    let said = peer.next().expect("a move");
    assert!(said.starts_with('M') || said.starts_with('E'), "{said}");
    peer.bytes(b"Cbye\0E01\0");
    assert_eq!(peer.next().as_deref(), Some("E01"));
    assert_eq!(peer.next(), None);

    session.send("quit");
    let (lines, status) = session.finish();
    assert!(status.success(), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("game 2: ")),
        "{lines:?}"
    );
}

/// pydraughts asks for the start position as for any other and for no time to speak of, and closes its side with its last word.
#[test]
fn pydraughts_as_initiator() {
    let (_session, address) = listening(&[]);
    for follower in ['Z', 'W'] {
        let mut peer = Peer::connect(&address);
        let start = format!("BW{}{}{}", "z".repeat(20), "e".repeat(10), "w".repeat(20));
        let mut said = peer.ask(&request("01", follower, &start), "A");
        assert!(said.ends_with('0'), "{said}");
        if follower == 'W' {
            said = peer.next().expect("a move");
            // Black's answer to any first move.
            peer.send("M0000202500");
        } else {
            peer.send("M0000322800");
        }
        said = peer.next().unwrap_or(said);
        assert!(said.starts_with("M"), "{said}");
        peer.send("E01");
        peer.stream.shutdown(Shutdown::Write).expect("it is open");
        let rest: Vec<String> = std::iter::from_fn(|| peer.next()).collect();
        assert_eq!(rest.last().map(String::as_str), Some("E01"), "{rest:?}");
    }
}

#[test]
fn a_follower_plays_from_a_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("odd.book");
    std::fs::write(&file, odd_book::file("35-30")).expect("written");
    let file = format!("BookFile={}", file.display());
    let (mut session, address) = listening(&["--option", "OwnBook=true", "--option", &file]);
    let mut peer = Peer::connect(&address);
    assert!(peer.ask(&request("01", 'W', "A"), "A").ends_with('0'));
    assert_eq!(peer.next().as_deref(), Some("M0000353000"));
    session.send("quit");
    assert!(session.finish().1.success());
}

#[test]
fn the_next_connection_is_served_after_one_that_broke() {
    let folder = tempfile::tempdir().expect("a folder");
    let pdn = folder.path().join("games.pdn");
    let (mut session, address) = listening(&["--pdn", pdn.to_str().expect("a path")]);
    {
        let mut peer = Peer::connect(&address);
        assert!(peer.ask(&request("01", 'Z', "A"), "A").ends_with('0'));
        peer.ask("M0000322800", "M");
        peer.bytes(b"\xff\xfe no message\0M00\0\0\0R01");
        peer.bytes(&[b'x'; 5000]);
    }
    session.until_beginning(&["connection", "over:"]);
    let mut peer = Peer::connect(&address);
    assert!(peer.ask(&request("01", 'Z', "A"), "A").ends_with('0'));
    peer.ask("M0000322800", "M");
    session.send("quit");
    assert_eq!(peer.next().as_deref(), Some("E01"));
    let (_, status) = session.finish();
    assert!(status.success());
    let text = std::fs::read_to_string(&pdn).expect("two games");
    assert_eq!(text.matches("[Event \"DXP\"]").count(), 2, "{text}");
    assert_eq!(text.matches("1. 32-28 ").count(), 2, "{text}");
    assert!(text.contains("{connection over: "), "{text}");
    assert!(text.contains("{broken off} *"), "{text}");
}

#[test]
fn an_initiator_plays_a_follower() {
    let (mut follower, address) = listening(&["--name", "Follower", "--games", "2"]);
    let args = [
        "dxp",
        "--connect",
        &address,
        "--initiator",
        "--games",
        "2",
        "--minutes",
        "0",
        "--moves",
        "5",
        "--name",
        "Initiator",
        "--fen",
        "W:W31-50:B1-20",
    ];
    let mut initiator = Session::start(&args);
    let (lines, status) = initiator.finish();
    assert!(status.success(), "{lines:?}");
    for said in [
        "game 1: White against Follower",
        "game 2: Black against Follower",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(said)), "{lines:?}");
    }
    let (lines, status) = follower.finish();
    assert!(status.success(), "{lines:?}");
    assert!(
        lines.iter().any(|line| line == "game 2: *, limit of moves"),
        "{lines:?}"
    );
}

#[test]
fn one_that_waits_may_ask_and_one_that_connects_may_follow() {
    let (mut initiator, address) =
        listening(&["--initiator", "--minutes", "0", "--moves", "3", "--black"]);
    let mut peer = Peer::connect(&address);
    let asked = peer.next().expect("a request");
    assert!(
        asked.starts_with("R01Warcab") && asked.ends_with("W000003A"),
        "{asked}"
    );
    peer.send(&format!("A{:<32}0", "Peer"));
    peer.ask("M0000322800", "M");
    // No answer but the end is due to a move that is none.
    peer.ask("M0000322700", "E0");
    peer.send("E00");
    assert_eq!(peer.next(), None);
    let (lines, status) = initiator.finish();
    assert!(status.success(), "{lines:?}");

    let (mut refused, address) = listening(&["--initiator"]);
    let mut peer = Peer::connect(&address);
    peer.next().expect("a request");
    peer.send(&format!("A{:<32}3", "Peer"));
    assert_eq!(peer.next(), None);
    assert!(refused.finish().1.success());
}

#[test]
fn silence_and_bad_arguments_end_it() {
    let (mut session, address) = listening(&["--patience", "1"]);
    let mut peer = Peer::connect(&address);
    peer.bytes(b"R01");
    session.until_beginning(&["connection", "over:"]);
    assert_eq!(peer.next(), None);
    session.close();
    assert!(session.finish().1.success());
    for args in [
        &["--variant", "russian", "dxp"][..],
        &["dxp", "--fen", "nothing"],
        &["dxp", "--port", "x"],
        &["dxp", "--option", "Hash=x"],
    ] {
        assert_eq!(Session::start(args).finish().1.code(), Some(2), "{args:?}");
    }
}

/// Plays a match of two games against a follower that says the parts of `script`, one at each of its turns, again and again:
/// `M` for a move, anything else as it stands. Gives the games in PDN, in one line.
fn match_with(script: &'static [&'static str], more: &[&str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let follower = std::thread::spawn(move || {
        let mut script = script.iter().cycle();
        for stream in listener.incoming() {
            if !follow(Peer::over(stream.expect("a connection")), &mut script) {
                break;
            }
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let pdn = folder.path().join("games.pdn");
    let engine = format!("name=peer proto=dxp tc=60 address={address}");
    let output = Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(["match", "--engine", &engine, "--engine"])
        .args(["name=own cmd=self depth=2", "--games", "2", "--pdn"])
        .arg(&pdn)
        .args(more)
        .output()
        .expect("warcab runs");
    assert!(output.status.success(), "{output:?}");
    // The follower waits for connections until one tells it that there are no more.
    Peer::connect(&address).send("CBye");
    follower.join().expect("a dialogue as it should be");
    let text = std::fs::read_to_string(&pdn).expect("two games");
    assert_eq!(text.matches("[Event ").count(), 2, "{text}");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Follows over a connection, and tells whether there may be another one.
fn follow<'a>(mut peer: Peer, script: &mut impl Iterator<Item = &'a &'a str>) -> bool {
    let mut engine = build(Settings {
        hash: 1,
        style: Style {
            notation: Notation::Hub,
            squares: Squares::Numeric,
        },
        ..Settings::default()
    })
    .expect("an engine");
    let (mut origin, mut moves) = (Origin::Start, Vec::new());
    let (mut its_turn, mut playing) = (false, false);
    while let Some(text) = peer.message() {
        match Message::decode(text.as_bytes()).expect("a good message") {
            Message::Chat(text) => return text != "Bye",
            Message::Request(request) => {
                peer.send(&format!("A{:<32}0", "Scripted"));
                let board = request.board;
                // Games are asked for where it is the follower's turn.
                (its_turn, playing) = (true, true);
                origin = board.map_or(Origin::Start, Origin::Hub);
                moves.clear();
            }
            Message::Move(_) => {
                moves.push(hub_text(&text));
                its_turn = true;
            }
            Message::End { .. } if playing => {
                peer.send("E00");
                playing = false;
            }
            _ => {}
        }
        if !playing || !std::mem::take(&mut its_turn) {
            continue;
        }
        match *script.next().expect("it has no end") {
            "M" => {
                let setting = Setting {
                    origin: origin.clone(),
                    moves: moves.join(" "),
                };
                engine.set_position(&setting).expect("a position");
                let best = engine.legal().expect("a position").swap_remove(0);
                peer.send(&message_of(&best));
                moves.push(best);
            }
            end => {
                playing = false;
                peer.send(end);
            }
        }
    }
    true
}

/// A move's message as Hub writes the move.
fn hub_text(message: &str) -> String {
    let digits = &message[5..];
    let pair = |at: usize| digits[at..at + 2].parse::<u32>().expect("a number");
    let captured: String = (0..pair(4) as usize)
        .map(|n| format!("x{}", pair(6 + 2 * n)))
        .collect();
    let sign = if captured.is_empty() { '-' } else { 'x' };
    format!("{}{sign}{}{captured}", pair(0), pair(2))
}

/// The other way round.
fn message_of(hub: &str) -> String {
    let squares: Vec<&str> = hub.split(['-', 'x']).collect();
    let captured: String = squares[2..].iter().map(|s| format!("{s:0>2}")).collect();
    let count = squares.len() - 2;
    format!(
        "M0000{:0>2}{:0>2}{count:02}{captured}",
        squares[0], squares[1]
    )
}

#[test]
fn who_gives_a_game_of_a_match_up_has_lost_it() {
    let text = match_with(&["M", "M", "E10"], &[]);
    assert_eq!(
        text.matches("[Termination \"normal\"]").count(),
        2,
        "{text}"
    );
    assert!(text.contains("{White resigns} 0-2"), "{text}");
    assert!(text.contains("{Black resigns} 2-0"), "{text}");
}

#[test]
fn a_claimed_draw_is_granted_where_the_other_scores_agree() {
    let agrees = ["--draw", "movenumber=1 movecount=2 score=2000"];
    let text = match_with(&["M", "M", "M", "E20"], &agrees);
    let claims = text
        .matches(" claims a draw: both scores near 0} 1-1")
        .count();
    assert_eq!(claims, 2, "{text}");
    assert_eq!(
        text.matches("[Termination \"normal\"]").count(),
        2,
        "{text}"
    );
}

#[test]
fn after_a_claim_that_is_refused_the_game_goes_on() {
    // A draw and a win that do not hold, no reason, and one after which the connection is made anew.
    let script = &["M", "E20", "M", "E30", "M", "E00", "M", "E21", "M", "E10"];
    let text = match_with(script, &[]);
    assert_eq!(text.matches(" resigns} ").count(), 2, "{text}");
    // Only its own moves have a clock.
    assert_eq!(text.matches(" clk ").count(), 10, "{text}");
}

#[test]
fn who_does_not_play_on_after_a_refused_claim_loses() {
    let text = match_with(&["M", "E20", "E20"], &[]);
    let tag = "[Termination \"rules infraction\"]";
    assert_eq!(text.matches(tag).count(), 2, "{text}");
    let words = "peer takes the game for drawn and plays no further";
    assert!(text.contains(&format!("{{{words}}} 0-2")), "{text}");
    assert!(text.contains(&format!("{{{words}}} 2-0")), "{text}");
}
