//! Hub, as the clients that exist speak it: each test is the dialogue of one of them.

#[path = "support/session.rs"]
mod session;

use session::{Session, batch, unheard};

use warcab::board::{Board, Game, Outcome, Rules, Side, Variant};
use warcab::notation::hub::line::{self, Argument, value};
use warcab::notation::hub::{Convention, Numbering, write};
use warcab::notation::moves;
use warcab::with_rules;

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

fn arguments(line: &str) -> Vec<Argument<'_>> {
    line::arguments(line::command(line).1).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// An argument of a line.
fn get(line: &str, name: &str) -> Option<String> {
    value(&arguments(line), name).map(str::to_owned)
}

/// Checks a line as the most exacting of the clients reads it.
fn lint(line: &str) {
    let (command, _) = line::command(line);
    let list = arguments(line);
    for argument in &list {
        let value = argument
            .value
            .unwrap_or_else(|| panic!("a bare name in {line}"));
        assert!(!value.contains('=') || command == "error", "{line}");
        let needs_quotes = value.is_empty() || value.contains(' ');
        let has_quotes = line.contains(&format!("{}=\"{value}\"", argument.name));
        assert_eq!(needs_quotes, has_quotes, "{line}");
    }
    let names: Vec<&str> = list.iter().map(|argument| argument.name).collect();
    match command {
        "info" => {
            let order = ["depth", "mean-depth", "score", "nodes", "time", "nps", "pv"];
            assert_eq!(names, order, "{line}");
            let get = |name| value(&list, name).expect("it is there");
            for name in ["depth", "nodes"] {
                assert!(get(name).parse::<u64>().is_ok(), "{line}");
            }
            for name in ["mean-depth", "score", "time", "nps"] {
                assert!(get(name).parse::<f64>().is_ok_and(f64::is_finite), "{line}");
                assert!(!get(name).contains(['e', 'E']), "{line}");
            }
        }
        "done" => assert!(["move", "ponder"].starts_with(&names), "{line}"),
        "param" => {
            assert_eq!(names[..2], ["name", "value"], "{line}");
            let values = names.iter().position(|name| *name == "values");
            assert!(values.is_none_or(|at| at + 1 == names.len()), "{line}");
        }
        "id" => assert_eq!(names, ["name", "version", "author", "country"], "{line}"),
        "error" => assert_eq!(names, ["message"], "{line}"),
        "wait" | "ready" | "pong" => assert_eq!(line, command),
        _ => panic!("{line}"),
    }
}

/// Sends a line and gives all up to the first line that begins with a word.
fn ask(session: &mut Session, line: &str, word: &str) -> Vec<String> {
    session.send(line);
    let lines = session.until(word);
    lines.iter().for_each(|line| lint(line));
    lines
}

/// Sends a `go` and gives its infos and its `done`.
fn go(session: &mut Session, line: &str) -> (Vec<String>, String) {
    let mut lines = ask(session, line, "done");
    let done = lines.pop().expect("until gives a line");
    assert!(
        lines.iter().all(|line| line.starts_with("info ")),
        "{lines:#?}"
    );
    if let Some(mv) = get(&done, "move") {
        let pv = get(lines.last().expect("an info"), "pv").expect("a pv");
        assert_eq!(pv.split(' ').next(), Some(&*mv), "{lines:#?}");
    }
    (lines, done)
}

/// What comes before the answer to a ping: nothing, or errors.
fn errors(session: &mut Session, line: &str) -> Vec<String> {
    session.send(line);
    let mut lines = ask(session, "ping", "pong");
    lines.pop();
    lines
        .iter()
        .map(|line| get(line, "message").unwrap_or_else(|| panic!("{line}")))
        .collect()
}

/// Starts the engine and shakes hands.
fn hub(args: &[&str], parameters: &[&str]) -> Session {
    let mut session = Session::start(args);
    let lines = ask(&mut session, "hub", "wait");
    assert!(lines[0].starts_with("id name=Warcab version="), "{lines:?}");
    for parameter in parameters {
        session.send(&format!("set-param {parameter}"));
    }
    assert_eq!(ask(&mut session, "init", "ready"), ["ready"]);
    session
}

fn quit(mut session: Session) {
    session.send("quit");
    let (lines, status) = session.finish();
    assert!(lines.is_empty() && status.success(), "{lines:?} {status}");
}

/// The length of the game that the moves make from the start, in the numbers of a client.
fn replay(variant: Variant, numbering: Numbering, texts: &[String]) -> Outcome {
    with_rules!(variant, R => {
        let convention = Convention::of::<R>(numbering);
        let mut game = Game::<R>::new(Board::start::<R>(), 0, <R as Rules>::draw_table(Default::default()));
        for text in texts {
            let mv = moves::parse::<R>(game.board(), &convention.text(text));
            game.play(mv.unwrap_or_else(|error| panic!("{variant} {texts:?}: {error}")));
        }
        game.outcome()
    })
}

#[test]
fn a_whole_session() {
    let mut s = hub(
        &["hub"],
        &["name=variant value=normal", "name=book value=false"],
    );
    s.send("new-game");
    for (position, level, order) in [
        (format!("pos pos={START}"), "depth=7", "think"),
        (
            "pos start moves=\"32-28 19-23 28x19x23\"".into(),
            "nodes=20000",
            "think",
        ),
        (
            format!("pos pos={START} moves=\"32-28 17-22 28x17x22\""),
            "move-time=0.1",
            "analyze",
        ),
        (format!("pos pos={START}"), "time=3 inc=0.1", "think"),
        (format!("pos pos={START}"), "moves=40 time=6", "think"),
        (format!("pos pos={START}"), "time=-0.4 inc=1", "think"),
        (
            "pos pos=WeeeWeeeeeeeebeeeeeebeeeeeeeeeeebeeeebeeeeeeeeeeeee".into(),
            "depth=3",
            "analyze",
        ),
        ("level foo=1 depth=2 bar".into(), "", "think"),
    ] {
        s.send(&position);
        s.send(&format!("level {level}"));
        let (_, done) = go(&mut s, &format!("go {order}"));
        assert!(done.starts_with("done move="), "{position} {level}: {done}");
    }
    s.send(&format!("pos pos={START}"));
    s.send("level infinite");
    s.send("go analyze");
    ask(&mut s, "ping", "pong");
    go(&mut s, "stop");
    for end in ["ponder-hit", "stop"] {
        s.send("pos start moves=\"33-28 17-21\"");
        s.send("level time=1 inc=0");
        s.send("go ponder");
        ask(&mut s, "ping", "pong");
        go(&mut s, end);
    }
    for (line, message) in [
        ("", "missing command"),
        ("frobnicate a=1", "bad command"),
        ("pos pos=Wbb", "bad position"),
        ("pos start moves=\"32-29\"", "illegal move"),
        ("pos start moves=\"xyz\"", "bad move"),
        ("pos pos=\"W", "missing quote"),
        ("level depth=abc", "bad level"),
        ("level move-time=1e9999", "bad level"),
        ("set-param name=threads value=", "missing value"),
        (
            "set-param name=threads value=many",
            "'many' for option Threads",
        ),
        (
            "set-param name=variant value=chess",
            "'chess' for parameter variant",
        ),
        ("set-param value=3", "missing name"),
    ] {
        let said = errors(&mut s, line);
        assert!(
            said.len() == 1 && said[0].starts_with(message),
            "{line}: {said:?}"
        );
    }
    for quiet in [
        "set-param name=nosuch value=1",
        "stop",
        "ponder-hit",
        "go_nowhere=1 x",
    ] {
        let said = errors(&mut s, quiet);
        assert_eq!(
            said.len(),
            usize::from(quiet.starts_with("go_")),
            "{quiet}: {said:?}"
        );
    }
    quit(s);
}

#[test]
fn what_is_refused_is_not_searched() {
    let mut s = hub(&["hub"], &[]);
    for refused in [
        &["pos pos=Wbb"][..],
        &["pos start moves=\"32-29\""],
        &["pos pos=\"W"],
        &["pos start", "level depth=x"],
        &["pos start", "level depth=1", "level nodes="],
    ] {
        s.send("pos start");
        s.send("level depth=2");
        for line in refused {
            assert!(errors(&mut s, line).len() <= 1);
        }
        let lines = ask(&mut s, "go think", "done");
        assert_eq!(lines.last().unwrap(), "done", "{refused:?}");
        assert!(
            lines[0].starts_with("error message="),
            "{refused:?}: {lines:?}"
        );
        assert_eq!(lines.len(), 2, "{refused:?}: {lines:?}");
    }
    s.send("pos start");
    s.send("level depth=2");
    assert!(go(&mut s, "go think").1.starts_with("done move="));
    quit(s);
}

#[test]
fn the_first_line_decides_and_init_is_not_needed() {
    let mut s = Session::start(&[]);
    ask(&mut s, "hub", "wait");
    s.send("level depth=2");
    assert!(go(&mut s, "go think").1.starts_with("done move="));
    quit(s);
    let (lines, status) = batch(
        &["hub"],
        b"level depth=3\r\npos start\nlevel depth=1\ngo think",
    );
    assert!(lines.last().unwrap().starts_with("done move="), "{lines:?}");
    assert!(status.success());
    let (lines, status) = batch(&["hub"], b"go analyze\n");
    assert!(lines.last().unwrap().starts_with("done move="), "{lines:?}");
    assert!(status.success());
    assert!(unheard(&["hub"], b"hub\n").expect("it ends").success());
}

#[test]
fn one_move_is_answered_at_once_and_none_by_a_bare_done() {
    let mut s = hub(&["hub"], &[]);
    // One capture only; thinking has no limit at all.
    s.send("pos start moves=\"32-28 19-23\"");
    let (infos, done) = go(&mut s, "go think");
    assert!(done.starts_with("done move=28x19x23"), "{done}");
    assert_eq!(get(infos.last().unwrap(), "depth").unwrap(), "2");
    // But an analysis goes on.
    s.send("level infinite");
    s.send("go analyze");
    assert!(
        ask(&mut s, "ping", "pong")
            .iter()
            .all(|line| !line.starts_with("done"))
    );
    go(&mut s, "stop");
    let lost = format!("pos pos=B{}w{}", "e".repeat(45), "e".repeat(4));
    for order in ["think", "analyze"] {
        s.send(&lost);
        assert_eq!(go(&mut s, &format!("go {order}")).1, "done");
    }
    quit(s);
}

/// The scores that clients take for the ends of games.
#[test]
fn wins_and_losses_have_their_band() {
    let mut s = hub(&["hub"], &[]);
    s.send(&format!(
        "pos pos=W{}b{}w{}",
        "e".repeat(21),
        "e".repeat(5),
        "e".repeat(22)
    ));
    s.send("level depth=3");
    let (infos, _) = go(&mut s, "go think");
    assert_eq!(get(infos.last().unwrap(), "score").unwrap(), "99.99");
    assert!(infos.last().unwrap().ends_with(" pv=28x17x22"), "{infos:?}");
    quit(s);
}

/// pydraughts: the whole game from the first position each time, boards and numbers of its own, and clocks of which it
/// takes the increment itself.
#[test]
fn pydraughts_plays_every_set() {
    for variant in Variant::ALL {
        for (numbering, named) in [
            (Numbering::Pydraughts, false),
            (Numbering::Pydraughts, true),
            (Numbering::Pdn, true),
        ] {
            let set = format!("name=variant value={}", variant.labels().hub);
            let choice = match numbering {
                Numbering::Pdn => "name=notation value=pdn",
                Numbering::Pydraughts => "name=notation value=pydraughts",
            };
            let mut parameters = vec![
                "name=book value=False",
                "name=initial-time value=60000",
                &set,
            ];
            if named {
                parameters.push(choice);
            }
            let mut s = hub(&["hub"], &parameters);
            let board = with_rules!(variant, R => {
                Convention::of::<R>(numbering).write_board::<R>(&Board::start::<R>())
            });
            let mut game: Vec<String> = Vec::new();
            for ply in 0..8 {
                let mut line = format!("pos pos={board}");
                if !game.is_empty() {
                    line += &format!(" moves=\"{}\"", game.join(" "));
                }
                s.send(&line);
                s.send(if ply % 2 == 0 {
                    "level time=-0.4 inc=0.5"
                } else {
                    "level depth=4"
                });
                let (_, done) = go(&mut s, "go think");
                game.push(get(&done, "move").expect("a move"));
                if let Some(expected) = get(&done, "ponder") {
                    let line = [&game[..], &[expected]].concat();
                    replay(variant, numbering, &line);
                }
            }
            replay(variant, numbering, &game);
            quit(s);
        }
    }
}

/// A client that says nothing of its numbers is understood by its moves.
#[test]
fn numbers_are_recognised_by_the_first_move() {
    let board = |variant| with_rules!(variant, R => write::<R>(&Board::start::<R>()));
    for variant in Variant::ALL {
        let set = format!("name=variant value={variant}");
        let mut s = hub(&["hub"], &[&set]);
        let first = with_rules!(variant, R => {
            Convention::default().write_move::<R>(
                &Board::start::<R>(),
                &warcab::board::movegen::legal_moves::<R>(&Board::start::<R>())[0],
            )
        });
        s.send(&format!("pos pos={} moves={first}", board(variant)));
        s.send("level depth=3");
        let (_, done) = go(&mut s, "go think");
        replay(
            variant,
            Numbering::Pdn,
            &[first, get(&done, "move").unwrap()],
        );
        // From now on it is known.
        s.send(&format!("pos pos={}", board(variant)));
        s.send("level depth=3");
        let (_, done) = go(&mut s, "go think");
        replay(variant, Numbering::Pdn, &[get(&done, "move").unwrap()]);
        quit(s);
    }
}

/// py-draughts: a position without moves and a depth or a time, and it gives up at any error.
#[test]
fn py_draughts() {
    let mut s = hub(&["hub"], &[]);
    let mut board = Board::start::<warcab::board::rules::International>();
    for level in ["depth=6", "move-time=0.05", "depth=3", "move-time=0.05"] {
        s.send(&format!(
            "pos pos={}",
            write::<warcab::board::rules::International>(&board)
        ));
        s.send(&format!("level {level}"));
        let (_, done) = go(&mut s, "go think");
        let mv = moves::parse::<warcab::board::rules::International>(
            &board,
            &get(&done, "move").unwrap(),
        );
        board = board.after(&mv.expect("a legal move"));
    }
    assert_eq!(board.side, Side::White);
    quit(s);
}

/// draughtsnet: levels in pieces, parameters between them, and `stop` when the search is over already.
#[test]
fn draughtsnet() {
    let mut s = Session::start(&["hub"]);
    let lines = ask(&mut s, "hub", "wait");
    let variant = lines
        .iter()
        .find(|line| line.starts_with("param name=variant"));
    let (head, values) = variant.unwrap().rsplit_once('=').unwrap();
    assert!(
        head.contains("type=enum") && values.starts_with("\"normal "),
        "{lines:?}"
    );
    for line in [
        "set-param name=threads value=1",
        "set-param name=tt-size value=22",
        "set-param name=variant value=normal",
        "set-param name=bb-size value=0",
    ] {
        s.send(line);
    }
    assert_eq!(ask(&mut s, "init", "ready"), ["ready"]);
    s.send("new-game");
    for (moves, levels, order) in [
        (
            "",
            &["level handicap=3", "level nodes=50", "level move-time=0.05"][..],
            "think",
        ),
        (
            " moves=\"32-28 19-23 28x19x23\"",
            &["level ply=3", "level depth=21", "level move-time=0.2"],
            "think",
        ),
        ("", &["level move-time=4", "level nodes=30000"], "analyze"),
    ] {
        s.send(&format!("pos pos={START}{moves}"));
        for level in levels {
            s.send(level);
            s.send("set-param name=eval value=pst");
            s.send("set-param name=book-margin value=100");
            s.send("set-param name=book-ply value=4");
        }
        let (infos, _) = go(&mut s, &format!("go {order}"));
        s.send("stop");
        s.send("stop");
        let depth: u32 = get(infos.last().unwrap(), "depth")
            .unwrap()
            .parse()
            .unwrap();
        assert!(!levels.contains(&"level ply=3") || depth <= 3, "{infos:?}");
    }
    quit(s);
}

/// lidraughts-bot: options for other engines, pondering in one thread, hits and stops from another.
#[test]
fn lidraughts_bot() {
    let parameters = [
        "name=book-ply value=20",
        "name=tt-size value=18",
        "name=bb-size value=auto",
        "name=initial-time value=60000",
        "name=variant value=normal",
    ];
    let mut s = hub(&["hub"], &parameters);
    let mut game: Vec<String> = Vec::new();
    for end in ["", "ponder-hit", "", "stop", "", "ponder-hit"] {
        let moves = format!("moves=\"{}\"", game.join(" "));
        s.send(&format!(
            "pos pos={START} {}",
            if game.is_empty() { "" } else { &moves }
        ));
        s.send("level time=1.4 inc=0.1");
        if end.is_empty() {
            let (_, done) = go(&mut s, "go think");
            game.extend(get(&done, "move"));
            game.extend(get(&done, "ponder"));
        } else {
            s.send("go ponder");
            let (_, done) = go(&mut s, end);
            game.extend(get(&done, "move"));
        }
    }
    replay(Variant::International, Numbering::Pdn, &game);
    s.send("stop");
    quit(s);
}

/// The GUI of Hub's author: all parameters back as they came, a new game, a ping before the first position.
#[test]
fn hub_gui() {
    let mut s = Session::start(&["hub"]);
    let params = ask(&mut s, "hub", "wait");
    for line in params.iter().filter(|line| line.starts_with("param ")) {
        let (name, value) = (get(line, "name").unwrap(), get(line, "value").unwrap());
        s.send(&format!(
            "set-param name={name} value={}",
            line::quoted(&value)
        ));
    }
    assert_eq!(ask(&mut s, "init", "ready"), ["ready"]);
    s.send("new-game");
    assert_eq!(ask(&mut s, "ping", "pong"), ["pong"]);
    let mut game: Vec<String> = Vec::new();
    for _ in 0..4 {
        s.send(&format!("pos pos={START} moves=\"{}\"", game.join(" ")));
        s.send("level moves=75 time=3.0 inc=0.0");
        let (_, done) = go(&mut s, "go think");
        game.extend(get(&done, "move"));
        assert_eq!(ask(&mut s, "ping", "pong"), ["pong"]);
    }
    s.send(&format!("pos pos={START} moves=\"{}\"", game.join(" ")));
    s.send("level infinite");
    s.send("go analyze");
    go(&mut s, "stop");
    replay(Variant::International, Numbering::Pdn, &game);
    quit(s);
}

#[test]
fn options_of_the_command_line() {
    let args = [
        "--variant",
        "russian",
        "hub",
        "--option",
        "Hash=4",
        "--option",
        "skill level=3",
    ];
    let mut s = Session::start(&args);
    let lines = ask(&mut s, "hub", "wait");
    for declared in [
        "param name=variant value=russian ",
        "param name=tt-size value=18 ",
        "param name=skill-level value=3 ",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(declared)),
            "{lines:#?}"
        );
    }
    quit(s);
    for bad in ["Hash", "Hash=0", "Nosuch=1"] {
        let (_, status) = batch(&["hub", "--option", bad], b"");
        assert_eq!(status.code(), Some(2), "{bad}");
    }
}
