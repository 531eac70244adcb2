//! Dialogues played through without a connection.

use super::*;
use crate::board::{Side, Variant};
use crate::engine::build;
use crate::engine::options::Settings;
use crate::notation::dxp::{Acceptance, Reason, Request, VERSION};
use crate::notation::{Notation, Squares, Style};
use proptest::prelude::*;

fn plan(initiator: bool, games: Option<u32>) -> Plan {
    Plan {
        name: "Test".into(),
        initiator,
        games,
        minutes: 0,
        moves: 20,
        board: None,
        side: Side::White,
        today: || "2026.01.01".into(),
    }
}

fn party(initiator: bool, games: Option<u32>) -> Party {
    let settings = Settings {
        hash: 1,
        style: Style {
            notation: Notation::Hub,
            squares: Squares::Numeric,
        },
        ..Settings::default()
    };
    Party::new(plan(initiator, games), build(settings).unwrap()).unwrap()
}

fn request(board: Option<&str>, follower: Side) -> Message {
    Message::Request(Request {
        version: VERSION.into(),
        name: "Peer".into(),
        follower,
        minutes: 0,
        moves: 75,
        board: board.map(str::to_owned),
    })
}

/// Lets the party think until it has nothing to think about.
fn think(party: &mut Party) -> Vec<Message> {
    let mut messages = party.output().messages;
    while let Some(events) = party.events().cloned() {
        party.event(events.recv().ok());
        messages.extend(party.output().messages);
    }
    messages
}

fn hear(party: &mut Party, message: Message) -> Vec<String> {
    party.hear(Ok(message));
    think(party).iter().map(Message::encode).collect()
}

fn end(reason: Reason, stop: bool) -> Message {
    Message::End { reason, stop }
}

#[test]
fn two_parties_play_their_games() {
    let (mut one, mut two) = (party(true, Some(3)), party(false, None));
    one.connected();
    two.connected();
    let mut games = Vec::new();
    while !one.is_closing() {
        for message in think(&mut one) {
            two.hear(Ok(message));
        }
        let mut back = Vec::new();
        loop {
            let output = two.output();
            games.extend(output.games);
            back.extend(output.messages);
            let Some(events) = two.events().cloned() else {
                break;
            };
            two.event(events.recv().ok());
        }
        for message in back {
            one.hear(Ok(message));
        }
    }
    assert!(one.is_done());
    assert_eq!(games.len(), 3);
    for game in &games {
        assert!(
            game.contains("[White \"Test\"]") && game.contains("\n1. "),
            "{game}"
        );
    }
}

#[test]
fn a_follower_answers_as_it_should() {
    let mut party = party(false, Some(2));
    party.connected();
    let Message::Request(mut old) = request(None, Side::Black) else {
        unreachable!()
    };
    old.version = "02".into();
    let said = hear(&mut party, Message::Request(old));
    assert!(
        said[0].starts_with('A') && said[0].ends_with('1'),
        "{said:?}"
    );
    // Nothing to take back, to move or to end yet.
    assert_eq!(
        hear(
            &mut party,
            Message::BackRequest {
                number: 1,
                side: Side::White
            }
        ),
        ["K1"]
    );
    assert!(hear(&mut party, Message::decode(b"M0000322800").unwrap()).is_empty());
    assert!(hear(&mut party, end(Reason::Unknown, false)).is_empty());
    let bad = format!("Ww{}", "e".repeat(49));
    assert!(hear(&mut party, request(Some(&bad), Side::Black))[0].ends_with('2'));

    assert!(hear(&mut party, request(None, Side::Black))[0].ends_with('0'));
    let first = hear(&mut party, Message::decode(b"M0000322800").unwrap());
    assert!(first.len() == 1 && first[0].starts_with('M'), "{first:?}");
    assert!(hear(&mut party, Message::Chat("hello".into())).is_empty());
    let back = |number, side| Message::BackRequest { number, side };
    assert_eq!(hear(&mut party, back(5, Side::White)), ["K1"]);
    assert_eq!(hear(&mut party, back(0, Side::White)), ["K1"]);
    let again = hear(&mut party, back(1, Side::Black));
    assert!(again[0] == "K0" && again[1].starts_with('M'), "{again:?}");
    assert_eq!(hear(&mut party, back(1, Side::White)), ["K0"]);
    let said = hear(&mut party, Message::decode(b"M0000322900").unwrap());
    assert!(
        said[0].starts_with("CIllegal") && said[1] == "E00",
        "{said:?}"
    );
    assert!(hear(&mut party, end(Reason::Unknown, false)).is_empty());

    // It is lost at once: it has no move.
    let lost = format!("B{}w{}", "e".repeat(45), "e".repeat(4));
    let said = hear(&mut party, request(Some(&lost), Side::Black));
    assert!(said[0].ends_with('0') && said[1] == "E11", "{said:?}");
    assert!(hear(&mut party, end(Reason::Unknown, false)).is_empty());
    assert!(party.is_done() && party.is_closing());
    assert!(hear(&mut party, request(None, Side::Black))[0].ends_with('3'));
}

#[test]
fn a_lost_connection_leaves_the_game_behind() {
    let mut party = party(false, None);
    party.connected();
    hear(&mut party, request(None, Side::White));
    assert!(party.lost("test"));
    let output = party.output();
    assert_eq!(output.games.len(), 1);
    assert!(
        output.games[0].contains("connection over: test} *"),
        "{}",
        output.games[0]
    );
    party.connected();
    assert!(hear(&mut party, request(None, Side::Black))[0].ends_with('0'));
    assert_eq!(hear(&mut party, end(Reason::Draw, true)), ["E01"]);
    assert!(party.is_closing() && !party.is_done());
    assert!(!party.lost("test"));
}

#[test]
fn an_initiator_takes_no_for_an_answer() {
    let mut party = party(true, Some(5));
    party.connected();
    assert!(think(&mut party)[0].encode().starts_with("R01Test"));
    let answer = Acceptance::NotThis;
    hear(
        &mut party,
        Message::Accept {
            name: "Peer".into(),
            answer,
        },
    );
    assert!(party.is_closing() && party.is_done());
    assert!(party.output().games.is_empty());
}

#[test]
fn only_boards_of_its_size() {
    for variant in Variant::ALL {
        let settings = Settings {
            hash: 1,
            variant,
            ..Settings::default()
        };
        let party = Party::new(plan(false, None), build(settings).unwrap());
        assert_eq!(party.is_some(), variant == Variant::default(), "{variant}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Any bytes after the beginning of a game: each message is answered or not, and the party lives.
    #[test]
    fn any_bytes(
        initiator in any::<bool>(),
        parts in prop::collection::vec(
            prop_oneof![
                "R01[ A-Z]{32}[WZ]000[0-9]{3}A\0",
                "R01[ A-Z]{32}[WZ]000[0-9]{3}B[WZ][wzWZe]{50}\0",
                "A[ a-z]{32}[0-3]\0",
                "M0000[0-5][0-9][0-5][0-9]0[0-2]([0-5][0-9]){0,2}\0",
                "E[0-3]0\0",
                "B00[0-9][WZ]\0",
                "K[0-3]\0",
                "C[ -~]{0,130}\0",
                "\\PC{0,40}\0?",
            ],
            0..30,
        )
    ) {
        let mut party = party(initiator, None);
        party.connected();
        let mut frames = Frames::default();
        for part in parts {
            for message in frames.push(part.as_bytes()) {
                party.hear(message);
                for message in party.output().messages {
                    let text = message.encode();
                    prop_assert!(Message::decode(text.as_bytes()).is_ok(), "{text}");
                }
            }
        }
        party.leave();
        prop_assert!(party.is_closing() && party.events().is_none());
        // It can begin anew with the next one.
        party.connected();
        let said = think(&mut party);
        prop_assert_eq!(said.iter().any(|m| matches!(m, Message::Request(_))), initiator);
    }
}
