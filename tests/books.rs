//! The books that are shipped, the engine that plays from one, and `warcab book build`, `show` and `check`.

#[path = "support/odd_book.rs"]
mod odd_book;
#[path = "support/session.rs"]
mod session;

use std::collections::HashSet;
use std::path::Path;

use assert_cmd::Command;
use session::{Session, errors};

use warcab::board::{Board, Rules, Variant};
use warcab::engine::options::Settings;
use warcab::notation::{Squares, Style, Suffixes, fen, moves};
use warcab::opening::book::{Book, EVEN, inspect};
use warcab::with_rules;

/// Plays all that a book may play, for both sides.
fn explore<R: Rules>(book: &Book) -> usize {
    let Settings {
        book_margin,
        book_depth,
        ..
    } = Settings::default();
    let mut met = HashSet::new();
    let mut boards = vec![Board::start::<R>()];
    for _ in 0..book_depth {
        for board in std::mem::take(&mut boards) {
            let known = book.moves::<R>(&board);
            let score = book.score::<R>(&board);
            assert!(score.is_some());
            for known in known.iter().filter(|known| known.weight(book_margin) > 0) {
                let place = fen::write::<R>(&board, Squares::Native, Suffixes::default());
                let text = moves::write::<R>(&board, &known.mv, Style::default());
                let read = moves::parse::<R>(&board, &text);
                assert_eq!(read.as_ref(), Ok(&known.mv), "{place} {text}");
                assert_eq!(Some(known.score + known.loss), score, "{place} {text}");
                assert!(
                    known.score >= -EVEN && known.loss <= book_margin,
                    "{place} {text}: {known:?}"
                );
                let after = board.after(&known.mv);
                assert_eq!(book.score::<R>(&after), Some(-known.score));
                if met.insert(after) {
                    boards.push(after);
                }
            }
        }
    }
    met.len()
}

#[test]
fn shipped_books_are_sound_and_keep_the_balance() {
    for variant in Variant::ALL {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("openings/{variant}.book"));
        let book = Book::load(&path, variant).expect("a book");
        assert!(
            *Book::embedded(variant) == book,
            "{variant}: not as embedded"
        );
        assert!(std::fs::metadata(&path).unwrap().len() <= 100_000);
        let summary = inspect(&book);
        assert_eq!(summary.complaint(), None, "{variant}");
        assert!(summary.positions >= 2_000, "{summary:?}");
        let start = summary.start.expect("it is there");
        assert!(start.abs() <= EVEN, "{variant}: {start}");
        let played = with_rules!(variant, R => explore::<R>(&book));
        assert!(
            played >= 40,
            "{variant}: only {played} positions are played"
        );
        let moves = with_rules!(variant, R => {
            let known = book.moves::<R>(&Board::start::<R>());
            known.iter().filter(|known| known.weight(Settings::default().book_margin) > 0).count()
        });
        assert!(moves >= 2, "{variant}: always the same first move");
    }
}

/// The best moves of the start by the shipped book, as Hub writes them.
fn best_moves(variant: Variant) -> Vec<String> {
    let hub = Style {
        notation: warcab::notation::Notation::Hub,
        squares: Squares::Numeric,
    };
    with_rules!(variant, R => {
        let start = Board::start::<R>();
        let known = Book::embedded(variant).moves::<R>(&start);
        let best = known.iter().filter(|known| known.loss == 0);
        best.map(|known| moves::write::<R>(&start, &known.mv, hub)).collect()
    })
}

/// Whether the infos of a `go` are those of the book.
fn from_book(infos: &[String]) -> bool {
    let told = infos.iter().any(|line| line == "info string book");
    if told {
        let [_, info] = infos else {
            panic!("{infos:?}");
        };
        assert!(
            info.starts_with("info depth 0 seldepth 0 multipv 1 score cp "),
            "{info}"
        );
        assert!(
            info.contains(" nodes 0 nps 0 hashfull 0 tbhits 0 time 0 pv "),
            "{info}"
        );
    } else {
        assert!(
            infos.iter().any(|line| line.starts_with("info depth 1 ")),
            "{infos:?}"
        );
    }
    told
}

#[test]
fn the_engine_plays_from_its_book_only_where_a_move_is_wanted() {
    for variant in Variant::ALL {
        let mut s = Session::of(variant.name());
        s.send("setoption name Squares value numeric");
        s.send("setoption name BookMargin value 0");
        let (infos, _) = s.go("go depth 3");
        assert!(!from_book(&infos), "the book is off at first");
        s.send("setoption name OwnBook value true");
        for limit in [
            "depth 3",
            "movetime 50",
            "wtime 1000 btime 1000",
            "nodes 500",
        ] {
            let (infos, best) = s.go(&format!("go {limit}"));
            assert!(from_book(&infos), "{variant} {limit}");
            assert!(best_moves(variant).contains(&best), "{variant} {best}");
            let pv = infos[1].split(" pv ").nth(1).expect("a line");
            assert_eq!(pv.split(' ').next(), Some(&*best));
        }
        let legal = s.legal().join(" ");
        for order in ["mate 1 depth 2", &format!("depth 2 searchmoves {legal}")] {
            assert!(!from_book(&s.go(&format!("go {order}")).0), "{order}");
        }
        for order in ["go infinite", "go ponder depth 3", "go"] {
            s.send(order);
            std::thread::sleep(std::time::Duration::from_millis(20));
            s.send("stop");
            let lines = s.until("bestmove");
            assert!(
                !lines.iter().any(|line| line == "info string book"),
                "{order}"
            );
        }
        for (option, back) in [
            ("BookDepth value 0", "BookDepth value 20"),
            ("MultiPV value 2", "MultiPV value 1"),
        ] {
            s.send(&format!("setoption name {option}"));
            assert!(!from_book(&s.go("go depth 2").0), "{option}");
            s.send(&format!("setoption name {back}"));
        }
        assert!(from_book(&s.go("go depth 2").0));
        s.send("position startpos");
        s.send("setoption name BookDepth value 1");
        let first = &s.legal()[0];
        s.send(&format!("position startpos moves {first}"));
        assert!(!from_book(&s.go("go depth 2").0), "a ply later");
    }
}

#[test]
fn a_margin_of_more_than_nothing_brings_other_moves() {
    let mut s = Session::of("international");
    s.send("setoption name OwnBook value true");
    s.send("setoption name BookMargin value 100");
    let mut met = HashSet::new();
    // All nine first moves are possible: that only one of them comes in so many tries is not.
    for _ in 0..60 {
        let (infos, best) = s.go("go depth 1");
        assert!(from_book(&infos));
        met.insert(best);
    }
    assert!(met.len() > 1, "{met:?}");
}

#[test]
fn a_file_that_is_no_book_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.book");
    Book::embedded(Variant::Russian).save(&file).unwrap();
    let mut s = Session::of("english");
    s.send("setoption name OwnBook value true");
    for (path, told) in [
        (file.display().to_string(), "for russian, expected english"),
        (format!("{}/none", folder.path().display()), "none: "),
    ] {
        s.send(&format!("setoption name BookFile value {path}"));
        let lines = s.settle();
        assert_eq!(errors(&lines), ["book-file"], "{lines:?}");
        assert!(lines[0].contains(told), "{lines:?}");
        assert!(
            from_book(&s.go("go depth 2").0),
            "the book before is in force"
        );
    }
    // The file is good for its own set, and is let go before another set comes.
    s.send("setoption name UCI_Variant value russian");
    s.send(&format!("setoption name BookFile value {}", file.display()));
    assert_eq!(s.settle(), [""; 0]);
    assert!(from_book(&s.go("go depth 2").0));
    s.send("setoption name UCI_Variant value english");
    assert_eq!(errors(&s.settle()), ["book-file"]);
    s.send("setoption name BookFile value <empty>");
    s.send("setoption name UCI_Variant value english");
    assert_eq!(s.settle(), [""; 0]);
    assert!(from_book(&s.go("go depth 2").0));
}

#[test]
fn hub_thinks_with_the_book_and_analyses_without() {
    let mut s = Session::start(&["hub"]);
    s.send("hub");
    let declared = s.until("wait");
    for param in [
        "param name=book value=false type=bool",
        "param name=book-ply value=20 type=int min=0 max=100",
        "param name=book-margin value=15 type=int min=0 max=100",
    ] {
        assert!(declared.iter().any(|line| line == param), "{declared:#?}");
    }
    s.send("init");
    s.until("ready");
    let mut go = |lines: &[&str]| {
        lines.iter().for_each(|line| s.send(line));
        let mut said = s.until("done");
        let done = said.pop().unwrap();
        (said, done)
    };
    let (infos, _) = go(&["pos start", "level depth=2", "go think"]);
    assert!(infos[0].starts_with("info depth="), "{infos:?}");
    // After the position, as some clients do.
    let on = [
        "set-param name=book value=true",
        "set-param name=book-margin value=0",
    ];
    let (infos, done) = go(&[on[0], on[1], "go think"]);
    let [info] = &infos[..] else {
        panic!("{infos:?}");
    };
    let pv = info.split(" pv=").nth(1).expect("a line").trim_matches('"');
    assert!(info.starts_with("info score="), "{info}");
    let pv: Vec<&str> = pv.split(' ').collect();
    assert_eq!(done, format!("done move={} ponder={}", pv[0], pv[1]));
    assert!(
        best_moves(Variant::International)
            .iter()
            .any(|mv| mv == pv[0])
    );
    // The fifth move of that line is the book's, and none of its business with four plies.
    let line = format!("pos start moves=\"{}\"", pv[..4].join(" "));
    let (infos, _) = go(&[&line, "level depth=2", "go think"]);
    assert!(infos[0].starts_with("info score="), "{infos:?}");
    for lines in [
        &["go analyze"][..],
        &["set-param name=book-ply value=4", "go think"],
    ] {
        let (infos, _) = go(lines);
        assert!(infos[0].starts_with("info depth="), "{lines:?} {infos:?}");
    }
    let (infos, _) = go(&["pos start", "go think"]);
    assert!(
        infos[0].starts_with("info score="),
        "without any level: {infos:?}"
    );
    s.send("quit");
    assert!(s.finish().1.success());
}

#[test]
fn play_has_the_book_unless_it_is_told_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.book");
    std::fs::write(&file, odd_book::file("35-30")).unwrap();
    let file = format!("BookFile={}", file.display());
    let opens = |more: &[&str]| {
        let played = Command::new(env!("CARGO_BIN_EXE_warcab"))
            .args([
                "--option", &file, "play", "--side", "black", "--level", "20",
            ])
            .args(["--movetime", "50"])
            .args(more)
            .write_stdin("quit\n")
            .timeout(std::time::Duration::from_secs(60))
            .output()
            .expect("it runs");
        let said = String::from_utf8(played.stdout).expect("text");
        said.contains("White plays 35-30")
    };
    assert!(opens(&[]));
    assert!(!opens(&["--no-book"]));
}

/// Runs `warcab book`: exit status, output and what it said.
fn book(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(args)
        .timeout(std::time::Duration::from_secs(300))
        .output()
        .expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let status = output.status.code().expect("a status");
    (status, text(output.stdout), text(output.stderr))
}

/// Builds a small book: its file.
fn build(folder: &Path, variant: &str, args: &[&str]) -> Vec<u8> {
    let file = folder.join("made.book");
    let path = file.display().to_string();
    let base = [
        "--variant",
        variant,
        "book",
        "build",
        "--nodes",
        "300",
        "--out",
        &path,
    ];
    let (status, out, said) = book(&[&base[..], args].concat());
    assert_eq!(status, 0, "{out}{said}");
    assert!(out.starts_with(&format!("{variant}: positions ")), "{out}");
    let (status, checked, said) = book(&["--variant", variant, "book", "check", &path]);
    assert_eq!((status, &*said), (0, ""), "{checked}");
    assert_eq!(checked, out);
    std::fs::read(&file).expect("a book")
}

#[test]
fn a_book_grows_the_same_for_any_threads_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    for variant in Variant::ALL {
        let grown = |args: &[&str]| build(folder.path(), variant.name(), args);
        let one = grown(&["--expand", "120", "--threads", "1"]);
        assert_eq!(
            one,
            grown(&["--expand", "120", "--threads", "2"]),
            "{variant}"
        );
        let small = grown(&["--expand", "40"]);
        let count = |bytes: &[u8]| Book::from_bytes(bytes, variant).expect("a book").len();
        assert!(
            (40..70).contains(&count(&small)),
            "{variant} {}",
            count(&small)
        );
        let seed = folder.path().join("small.book");
        std::fs::write(&seed, &small).unwrap();
        let more = grown(&["--expand", "40", "--from", &seed.display().to_string()]);
        assert!(count(&more) >= count(&small) + 40, "{variant}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_book_is_made_from_games() {
    let folder = tempfile::tempdir().unwrap();
    let pdn = folder.path().join("games.pdn");
    let games = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 13x24 *\n\n\
                 [GameType \"20\"]\n1. 34-29 *\n\n[GameType \"21\"]\n1. 11-15 *\n";
    std::fs::write(&pdn, games).unwrap();
    let path = pdn.display().to_string();
    let bytes = build(folder.path(), "international", &["--pdn", &path]);
    let made = Book::from_bytes(&bytes, Variant::International).unwrap();
    type R = warcab::board::rules::International;
    let mut board = Board::start::<R>();
    for text in ["32-28", "19-23", "28x19"] {
        assert!(!made.moves::<R>(&board).is_empty(), "before {text}");
        board = board.after(&moves::parse::<R>(&board, text).unwrap());
    }
    assert!(!made.moves::<R>(&board).is_empty(), "both games came here");
    let other = Board::start::<R>();
    let other = other.after(&moves::parse::<R>(&other, "34-29").unwrap());
    assert!(made.score::<R>(&other).is_some() && made.moves::<R>(&other).is_empty());

    let file = folder.path().join("made.book").display().to_string();
    let (status, out, _) = book(&["book", "show", &file, "--moves", "32-28 19-23"]);
    assert_eq!(status, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("fen W:W28,31,33"), "{out}");
    assert_eq!(lines.len(), 3, "one move: {out}");
    assert!(
        lines[2].starts_with("28x19 ") && lines[2].ends_with(" 100 %"),
        "{out}"
    );
    let (status, _, said) = book(&["book", "show", &file, "--moves", "34-29"]);
    assert_eq!(status, 1);
    assert!(said.contains("does not know the moves of B:W29"), "{said}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.book").display().to_string();
    let other = folder.path().join("other.book");
    Book::embedded(Variant::Turkish).save(&other).unwrap();
    let other = other.display().to_string();
    let missing = folder
        .path()
        .join("no")
        .join("x.book")
        .display()
        .to_string();
    for (args, status, expected) in [
        (
            &["build", "--out", &out][..],
            2,
            "expected --pdn, --expand or --time",
        ),
        (
            &["build", "--out", &out, "--expand", "9", "--from", &other],
            1,
            "for turkish, expected international",
        ),
        (
            &["build", "--out", &out, "--pdn", &missing],
            1,
            "cannot read",
        ),
        (
            &[
                "build", "--out", &missing, "--expand", "1", "--nodes", "100",
            ],
            1,
            "x.book: ",
        ),
        (&["check", &other], 1, "for turkish, expected international"),
        (&["show", "embedded", "W:W99:B1"], 2, "square 99"),
        (&["show", "embedded", "--moves", "32-26"], 2, "32-26"),
    ] {
        let (code, said, error) = book(&[&["book"], args].concat());
        assert_eq!(code, status, "{args:?}: {said}{error}");
        assert!(error.contains(expected), "{args:?}: {error}");
    }
    assert!(!Path::new(&out).exists());
}
