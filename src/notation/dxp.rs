//! DXP's messages (Damexchange, Mesander): one letter and fields of fixed width in ASCII, each message ended by a NUL.
//!
//! Pure text, for both roles: [`Message::encode`] and [`Message::decode`] are each other's inverse, and [`Frames`] cuts what
//! comes over a connection into messages, whatever packets it comes in, keeping no more than one of them.

use thiserror::Error;

use super::excerpt;
use crate::board::Side;

/// The only version of the protocol.
pub const VERSION: &str = "01";
/// The port DXP has by custom.
pub const PORT: u16 = 27531;
/// The longest message in bytes, its NUL aside.
pub const LONGEST: usize = 127;
/// Squares of the board.
pub const SQUARES: usize = 50;
/// Width of a name.
const NAME: usize = 32;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// GAMEREQ: the initiator asks for a game.
    Request(Request),
    /// GAMEACC: the follower answers.
    Accept {
        /// The follower's name.
        name: String,
        /// Its answer.
        answer: Acceptance,
    },
    /// MOVE.
    Move(Move),
    /// GAMEEND: the sender ends the game, or acknowledges its end.
    End {
        /// Why.
        reason: Reason,
        /// No game follows.
        stop: bool,
    },
    /// CHAT.
    Chat(String),
    /// BACKREQ: may the game go back to where this side makes this move?
    BackRequest {
        /// The move's number, from 1.
        number: u32,
        /// The side.
        side: Side,
    },
    /// BACKACC: the answer.
    BackAnswer(Back),
}

/// What the initiator asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The version of the protocol, two characters.
    pub version: String,
    /// The initiator's name.
    pub name: String,
    /// The side the follower is to play.
    pub follower: Side,
    /// Minutes each side has for the game; 0 for none to speak of.
    pub minutes: u32,
    /// Moves of each side after which the game ends; 0 for no limit.
    pub moves: u32,
    /// The first position in Hub's letters; `None` for the start position.
    pub board: Option<String>,
}

/// A move by its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Seconds the move took.
    pub seconds: u32,
    /// Square it starts from.
    pub from: u32,
    /// Square it ends on.
    pub to: u32,
    /// Captured squares, in any order.
    pub captured: Vec<u32>,
}

/// Declares an enumeration with the digit that stands for each choice.
macro_rules! digits {
    ($(#[$doc:meta])+ $name:ident { $($(#[$choice_doc:meta])+ $choice:ident = $digit:literal,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$choice_doc])+ $choice,)+
        }

        impl $name {
            const fn digit(self) -> char {
                match self {
                    $(Self::$choice => $digit,)+
                }
            }

            fn of(digit: char) -> Option<Self> {
                match digit {
                    $($digit => Some(Self::$choice),)+
                    _ => None,
                }
            }
        }
    };
}

digits! {
    /// The follower's answer to a request.
    Acceptance {
        /// The game begins.
        Yes = '0',
        /// Another version of the protocol.
        Version = '1',
        /// Not this game.
        NotThis = '2',
        /// No more games.
        NoMore = '3',
    }
}

digits! {
    /// Why the sender ends the game.
    Reason {
        /// No reason given: the result is unknown.
        Unknown = '0',
        /// The sender loses.
        Lost = '1',
        /// A draw.
        Draw = '2',
        /// The sender wins.
        Won = '3',
    }
}

digits! {
    /// The answer to a request to go back.
    Back {
        /// Yes.
        Yes = '0',
        /// No.
        No = '1',
        /// The sender would rather go on.
        Continue = '2',
    }
}

/// Why bytes are no message.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DxpError {
    /// More bytes than any message has came without a NUL.
    #[error("a message is longer than {LONGEST} bytes")]
    TooLong,
    /// A byte is no printable ASCII.
    #[error("\"{text}\" holds a byte that is no printable ASCII")]
    NotAscii {
        /// The message.
        text: String,
    },
    /// The first letter is none of the seven.
    #[error("\"{text}\" begins with none of R A M E C B K")]
    Letter {
        /// The message.
        text: String,
    },
    /// A field is missing, wrong, or too much.
    #[error("\"{text}\" has no good {field} at its place")]
    Field {
        /// The message.
        text: String,
        /// The field.
        field: &'static str,
    },
}

/// The letter of a side.
const fn letter(side: Side) -> char {
    match side {
        Side::White => 'W',
        Side::Black => 'Z',
    }
}

/// Pairs of letters of boards: DXP's and Hub's.
const PIECES: [(char, char); 5] = [('w', 'w'), ('z', 'b'), ('W', 'W'), ('Z', 'B'), ('e', 'e')];

/// Printable ASCII only, and no more of it than so many characters.
fn ascii(text: &str, most: usize) -> String {
    let printable = |c: char| if (' '..='~').contains(&c) { c } else { '?' };
    text.chars().map(printable).take(most).collect()
}

impl Message {
    /// The message as text, without its NUL. Numbers and texts that are too large for their fields are cut to size.
    pub fn encode(&self) -> String {
        match self {
            Message::Request(request) => {
                let board = match &request.board {
                    None => "A".to_owned(),
                    Some(board) => {
                        let theirs = |(index, c): (usize, char)| match c {
                            'B' if index == 0 => 'Z',
                            _ => PIECES
                                .iter()
                                .find(|(_, own)| *own == c)
                                .map_or('e', |p| p.0),
                        };
                        std::iter::once('B')
                            .chain(board.chars().enumerate().map(theirs))
                            .collect()
                    }
                };
                format!(
                    "R{:<2.2}{:<NAME$}{}{:03}{:03}{board}",
                    request.version,
                    ascii(&request.name, NAME),
                    letter(request.follower),
                    request.minutes.min(999),
                    request.moves.min(999),
                )
            }
            Message::Accept { name, answer } => {
                format!("A{:<NAME$}{}", ascii(name, NAME), answer.digit())
            }
            Message::Move(mv) => {
                let mut text = format!(
                    "M{:04}{:02}{:02}{:02}",
                    mv.seconds.min(9999),
                    mv.from.min(99),
                    mv.to.min(99),
                    mv.captured.len().min(SQUARES),
                );
                for square in mv.captured.iter().take(SQUARES) {
                    text += &format!("{:02}", square.min(&99));
                }
                text
            }
            Message::End { reason, stop } => {
                format!("E{}{}", reason.digit(), u8::from(*stop))
            }
            Message::Chat(text) => {
                let text = ascii(text, LONGEST - 1);
                format!("C{}", if text.is_empty() { " " } else { &text })
            }
            Message::BackRequest { number, side } => {
                format!("B{:03}{}", number.min(&999), letter(*side))
            }
            Message::BackAnswer(answer) => format!("K{}", answer.digit()),
        }
    }

    /// Reads a message without its NUL.
    ///
    /// # Errors
    ///
    /// Bytes that are no printable ASCII, an unknown letter, a field that is too short, too long or wrong.
    pub fn decode(bytes: &[u8]) -> Result<Message, DxpError> {
        let text = String::from_utf8_lossy(bytes);
        let shown = || excerpt(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
        if bytes.len() > LONGEST {
            return Err(DxpError::TooLong);
        }
        if !bytes.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            return Err(DxpError::NotAscii { text: shown() });
        }
        let mut fields = Fields(&text);
        let message = match fields.take(1) {
            Some("R") => request(&mut fields),
            Some("A") => accept(&mut fields),
            Some("M") => a_move(&mut fields),
            Some("E") => end(&mut fields),
            Some("C") => chat(&mut fields),
            Some("B") => back_request(&mut fields),
            Some("K") => fields
                .digit(Back::of)
                .map(Message::BackAnswer)
                .ok_or("answer"),
            _ => return Err(DxpError::Letter { text: shown() }),
        };
        let message = match message {
            Ok(_) if !fields.0.is_empty() => Err("end"),
            other => other,
        };
        message.map_err(|field| DxpError::Field {
            text: shown(),
            field,
        })
    }
}

/// The rest of a message; it is ASCII, so that a byte is a character.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    fn take(&mut self, width: usize) -> Option<&'a str> {
        let (field, rest) = self.0.split_at_checked(width)?;
        self.0 = rest;
        Some(field)
    }

    fn number(&mut self, width: usize) -> Option<u32> {
        let field = self.take(width)?;
        let digits = field.bytes().all(|byte| byte.is_ascii_digit());
        field.parse().ok().filter(|_| digits)
    }

    fn digit<T>(&mut self, of: fn(char) -> Option<T>) -> Option<T> {
        self.take(1)?.chars().next().and_then(of)
    }

    fn side(&mut self) -> Option<Side> {
        match self.take(1)? {
            "W" => Some(Side::White),
            "Z" => Some(Side::Black),
            _ => None,
        }
    }
}

/// A message, or the name of the field that is wrong.
type Read = Result<Message, &'static str>;

fn request(fields: &mut Fields<'_>) -> Read {
    let version = fields.take(2).ok_or("version")?.to_owned();
    let name = fields.take(NAME).ok_or("name")?.trim().to_owned();
    let follower = fields.side().ok_or("colour")?;
    let minutes = fields.number(3).ok_or("time")?;
    let moves = fields.number(3).ok_or("number of moves")?;
    let board = match fields.take(1).ok_or("kind of position")? {
        "A" => None,
        "B" => {
            let side = fields.side().ok_or("side to move")?;
            let own = |c: char| PIECES.iter().find(|(theirs, _)| *theirs == c).map(|p| p.1);
            let letters = fields.take(SQUARES).ok_or("board")?;
            let letters: Option<String> = letters.chars().map(own).collect();
            let first = if side == Side::White { 'W' } else { 'B' };
            Some(format!("{first}{}", letters.ok_or("board")?))
        }
        _ => return Err("kind of position"),
    };
    Ok(Message::Request(Request {
        version,
        name,
        follower,
        minutes,
        moves,
        board,
    }))
}

fn accept(fields: &mut Fields<'_>) -> Read {
    let name = fields.take(NAME).ok_or("name")?.trim().to_owned();
    let answer = fields.digit(Acceptance::of).ok_or("answer")?;
    Ok(Message::Accept { name, answer })
}

fn a_move(fields: &mut Fields<'_>) -> Read {
    let seconds = fields.number(4).ok_or("time")?;
    let from = fields.number(2).ok_or("start")?;
    let to = fields.number(2).ok_or("end")?;
    let count = fields.number(2).ok_or("number of captures")?;
    let captured = (0..count).map(|_| fields.number(2).ok_or("captured square"));
    Ok(Message::Move(Move {
        seconds,
        from,
        to,
        captured: captured.collect::<Result<_, _>>()?,
    }))
}

fn end(fields: &mut Fields<'_>) -> Read {
    let reason = fields.digit(Reason::of).ok_or("reason")?;
    let stop = match fields.take(1) {
        Some("0") => false,
        Some("1") => true,
        _ => return Err("stop code"),
    };
    Ok(Message::End { reason, stop })
}

fn chat(fields: &mut Fields<'_>) -> Read {
    match fields.take(fields.0.len()) {
        Some(text) if !text.is_empty() => Ok(Message::Chat(text.to_owned())),
        _ => Err("text"),
    }
}

fn back_request(fields: &mut Fields<'_>) -> Read {
    let number = fields.number(3).ok_or("number")?;
    let side = fields.side().ok_or("colour")?;
    Ok(Message::BackRequest { number, side })
}

/// Cuts a stream of bytes into messages.
#[derive(Debug, Default)]
pub struct Frames {
    /// The beginning of a message.
    begun: Vec<u8>,
    /// The message is too long: the rest of it is skipped.
    skipping: bool,
}

impl Frames {
    /// Takes bytes as they come and gives the messages they complete. What is too long is one error; nothing between two
    /// NULs is no message.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<Message, DxpError>> {
        let mut messages = Vec::new();
        for &byte in bytes {
            if byte != 0 {
                if self.begun.len() == LONGEST && !self.skipping {
                    self.skipping = true;
                    messages.push(Err(DxpError::TooLong));
                }
                if !self.skipping {
                    self.begun.push(byte);
                }
                continue;
            }
            if !self.skipping && !self.begun.is_empty() {
                messages.push(Message::decode(&self.begun));
            }
            self.begun.clear();
            self.skipping = false;
        }
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn request(board: Option<&str>) -> Message {
        Message::Request(Request {
            version: VERSION.into(),
            name: "Warcab".into(),
            follower: Side::Black,
            minutes: 5,
            moves: 75,
            board: board.map(str::to_owned),
        })
    }

    #[test]
    fn messages_read_back() {
        let name = format!("Warcab{}", " ".repeat(26));
        let board = format!("B{}W{}b{}B", "e".repeat(20), "e".repeat(26), "e");
        let dxp = format!("Z{}W{}z{}Z", "e".repeat(20), "e".repeat(26), "e");
        for (message, text) in [
            (request(None), format!("R01{name}Z005075A")),
            (request(Some(&board)), format!("R01{name}Z005075B{dxp}")),
            (
                Message::Accept {
                    name: "Warcab".into(),
                    answer: Acceptance::NoMore,
                },
                format!("A{name}3"),
            ),
            (
                Message::Move(Move {
                    seconds: 12,
                    from: 32,
                    to: 28,
                    captured: vec![],
                }),
                "M0012322800".into(),
            ),
            (
                Message::Move(Move {
                    seconds: 0,
                    from: 4,
                    to: 15,
                    captured: vec![13, 20, 32],
                }),
                "M0000041503132032".into(),
            ),
            (
                Message::End {
                    reason: Reason::Lost,
                    stop: true,
                },
                "E11".into(),
            ),
            (Message::Chat("Good luck!".into()), "CGood luck!".into()),
            (
                Message::BackRequest {
                    number: 7,
                    side: Side::White,
                },
                "B007W".into(),
            ),
            (Message::BackAnswer(Back::No), "K1".into()),
        ] {
            assert_eq!(message.encode(), text);
            assert_eq!(Message::decode(text.as_bytes()), Ok(message));
        }
    }

    #[test]
    fn lengths_and_fields_are_strict() {
        let name = " ".repeat(32);
        for (text, words) in [
            ("", "begins with none"),
            ("X", "begins with none"),
            ("R01", "name"),
            (&format!("R01{name}X005075A"), "colour"),
            (&format!("R01{name}Z 05075A"), "time"),
            (&format!("R01{name}Z+05075A"), "time"),
            (&format!("R01{name}Z005075A "), "end"),
            (&format!("R01{name}Z005075BW{}", "e".repeat(49)), "board"),
            (&format!("R01{name}Z005075BW{}", "x".repeat(50)), "board"),
            (&format!("A{name}4"), "answer"),
            ("M00123228", "number of captures"),
            ("M0012322801", "captured square"),
            ("M001232280013", "end"),
            ("E1", "stop code"),
            ("E40", "reason"),
            ("C", "text"),
            ("B07W", "number"),
            ("K3", "answer"),
            ("C\u{e9}", "printable"),
        ] {
            let sentence = Message::decode(text.as_bytes()).unwrap_err().to_string();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
        let long = format!("C{}", "x".repeat(200));
        assert_eq!(Message::decode(long.as_bytes()), Err(DxpError::TooLong));
        assert_eq!(Message::Chat(long).encode().len(), LONGEST);
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_packets(
            bytes in prop::collection::vec(prop_oneof![Just(0), Just(b'M'), b'0'..=b'9', any::<u8>()], 0..600),
            cut in 1_usize..50,
        ) {
            let mut whole = Frames::default();
            let expected = whole.push(&bytes);
            let mut parts = Frames::default();
            let messages: Vec<_> = bytes.chunks(cut).flat_map(|part| parts.push(part)).collect();
            prop_assert_eq!(&messages, &expected);
            prop_assert!(parts.begun.len() <= LONGEST);
            for message in messages.into_iter().flatten() {
                prop_assert_eq!(Message::decode(message.encode().as_bytes()), Ok(message));
            }
            // A whole message is read after anything, once a NUL has ended what came before.
            let next = parts.push(b"\0E10\0");
            let end = Message::End { reason: Reason::Lost, stop: false };
            prop_assert_eq!(next.last(), Some(&Ok(end)));
        }
    }
}
