//! DXP with the real binary: raw dialogues, and two of them against each other.

#[path = "support/odd_book.rs"]
mod odd_book;
#[path = "support/session.rs"]
mod session;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use session::Session;

use warcab::notation::dxp::{Frames, Message};

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
        let stream = TcpStream::connect(address).expect("it waits");
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
        let mut bytes = [0; 512];
        loop {
            while !self.inbox.is_empty() {
                let message = self.inbox.remove(0);
                if !message.starts_with('C') {
                    return Some(message);
                }
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
