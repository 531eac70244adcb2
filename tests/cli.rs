//! The command line, as a user types it.

use assert_cmd::Command;

fn warcab(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(args)
        .timeout(std::time::Duration::from_secs(120))
        .output()
        .expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.code().expect("a status"),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn version_and_help() {
    let (status, out, _) = warcab(&["--version"]);
    assert_eq!(
        (status, out.as_str()),
        (0, concat!("warcab ", env!("CARGO_PKG_VERSION"), "\n"))
    );
    let (status, out, _) = warcab(&["--help"]);
    assert_eq!(status, 0);
    for word in ["perft", "bench", "--variant"] {
        assert!(out.contains(word), "{word} in {out}");
    }
}

#[test]
fn perft_counts_and_divides() {
    for (args, nodes) in [
        (&["perft", "6", "--variant", "russian"][..], 37_986),
        (
            &["--variant", "21", "perft", "7", "--threads", "1"],
            179_740,
        ),
        (&["perft", "0"], 1),
        (&["perft", "1", "--fen", "W:WK4:B13,20,32,37"], 2),
        (
            &["perft", "--variant", "turkish", "--threads", "3", "5"],
            85_090,
        ),
    ] {
        let (status, out, err) = warcab(args);
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        assert_eq!(
            out.lines().last(),
            Some(format!("nodes {nodes}").as_str()),
            "{args:?}"
        );
    }
    let (_, out, _) = warcab(&["perft", "--divide", "3", "--variant", "english"]);
    let counts: Vec<u64> = out
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(_, count)| count.parse().expect("a count"))
        .collect();
    assert_eq!((counts.len(), counts.iter().sum()), (7, 302_u64));
    assert!(out.contains("11-15: "), "{out}");
}

#[test]
fn wrong_arguments_are_usage_errors_that_say_what_is_expected() {
    for (args, said) in [
        (&["--variant", "chess"][..], "turkish"),
        (&["perft"], "DEPTH"),
        (&["perft", "x"], "x"),
        (&["perft", "3", "--fen", "W:W99:B1"], "99"),
        (&["perft", "3", "--threads", "0"], "1..=256"),
        (&["frobnicate"], "frobnicate"),
    ] {
        let (status, out, err) = warcab(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(said), "{args:?}: {err}");
    }
}

#[test]
fn bench_counts_the_same_nodes_twice() {
    let (status, first, _) = warcab(&["bench"]);
    assert_eq!(status, 0);
    let (_, second, _) = warcab(&["bench"]);
    let count = |out: &str| out.lines().last().map(str::to_owned);
    let nodes = count(&first).and_then(|line| line.strip_prefix("bench ")?.parse::<u64>().ok());
    assert!(nodes > Some(0), "{first}");
    assert_eq!(count(&first), count(&second));
}

#[test]
fn selfplay_takes_its_starts_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let selfplay = |openings: &str| {
        let out = file("out.games");
        let fixed = [
            "selfplay",
            "--variant",
            "russian",
            "--depth",
            "2",
            "--games",
            "8",
        ];
        warcab(&[&fixed[..], &["--out", &out, "--openings", openings]].concat())
    };
    let good = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/russian-uneven.txt");
    let (status, out, err) = selfplay(good);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("games 8 positions "), "{out}");
    let (status, _, err) = selfplay(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/openings/russian-balanced.txt"
    ));
    assert_eq!(status, 1);
    assert!(
        err.contains("another seed, shard, limit, teacher or openings"),
        "{err}"
    );

    std::fs::write(file("empty.txt"), "# nothing\n").expect("written");
    std::fs::write(file("bad.txt"), "W:W99:B1\n").expect("written");
    for (name, what) in [
        ("empty.txt", "no position"),
        ("bad.txt", "line 1"),
        ("none.txt", ""),
    ] {
        let (status, out, err) = selfplay(&file(name));
        assert_eq!((status, out.as_str()), (1, ""), "{name}");
        assert!(err.contains(name) && err.contains(what), "{name}: {err}");
    }
}
