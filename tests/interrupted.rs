//! Long work that is interrupted from the terminal or asked to end leaves whole files, says so, and is gone on with by the
//! same command.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |info| info.len())
}

/// Waits until a file is longer than it was, sends a signal, and waits for the end.
fn interrupt(mut child: Child, file: &Path, before: u64, signal: &str) -> Output {
    while length(file) <= before {
        let ended = child.try_wait().expect("a child of this process");
        assert_eq!(ended, None, "it ended by itself");
        sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill runs").success());
    child.wait_with_output().expect("it ends")
}

/// The number after a word of the last line that begins with it.
fn number(text: &str, word: &str) -> u64 {
    let lines = text.lines().rev();
    let mut rest = lines.filter_map(|line| line.strip_prefix(word)?.split_whitespace().next());
    let number = rest.next().and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no {word}N in {text}"))
}

#[test]
fn selfplay_keeps_whole_games_and_goes_on() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, whole] = ["games", "whole"].map(|name| folder.path().join(name));
        let run = |file: &Path, games: u64| {
            let (games, file) = (games.to_string(), file.to_string_lossy());
            let variant = ["--variant", "russian", "selfplay", "--depth", "3"];
            let rest = ["--threads", "2", "--games", &games, "--out", &file];
            start(&[&variant[..], &rest[..]].concat())
        };
        // The head of the file takes less than that, a few games more.
        let output = interrupt(run(&file, 1_000_000), &file, 1_000, signal);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{output:?}");
        assert!(text.starts_with("interrupted"), "{text}");
        let games = number(&text, "games ");
        assert!((1..1_000_000).contains(&games), "{text}");

        for file in [&file, &whole] {
            let output = run(file, games + 3).wait_with_output().expect("it ends");
            assert!(output.status.success(), "{output:?}");
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(number(&text, "games "), games + 3);
            // Nothing had to be cut off.
            assert!(output.stderr.is_empty(), "{output:?}");
        }
        assert!(fs::read(&file).expect("there") == fs::read(&whole).expect("there"));
    }
}

#[test]
fn generations_keep_their_games_and_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("gen-00.games");
    let mut before = 1_000;
    for _ in 0..2 {
        let path = folder.path().to_string_lossy();
        let args = ["--budget", "10h", "--threads", "2", "--eval", "material"];
        let child = start(&[&["generations", "--dir", &path], &args[..]].concat());
        let output = interrupt(child, &games, before, "-INT");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{output:?}");
        assert!(text.starts_with("interrupted"), "{text}");
        assert!(folder.path().join("state.json").exists());
        assert!(length(&games) > before);
        before = length(&games);
    }
}
