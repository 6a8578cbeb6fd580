//! The walkthroughs of `docs` and its guides, each pasted into one shell against a fresh start, and into another one right after: they print what they say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use wayfare_stub_server::did_not_run;

use crate::place::{Place, operators_program};

const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
/// What stands before a line that is printed.
const SAYS: &str = "# => ";
/// Printed after each step; no answer of the service has it.
const MARK: &str = "--- end of step ---";
/// `cargo run -q -p CRATE --example NAME -- ARGUMENT…`: what it would run was built with the tests.
const CARGO: &str = r#"cargo() { "$EXAMPLES/$6" "${@:8}"; }"#;

/// Commands, and what the document says that they print.
#[derive(Default)]
struct Step {
    /// The line at which it begins, from 1.
    line: usize,
    commands: Vec<String>,
    says: Vec<String>,
}

#[tokio::test]
async fn the_walkthrough_of_flights_prints_what_it_says() {
    walk("WALKTHROUGH.md").await;
}

#[tokio::test]
async fn the_walkthrough_of_hotels_prints_what_it_says() {
    walk("WALKTHROUGH_HOTELS.md").await;
}

#[tokio::test]
async fn the_guide_for_integrators_prints_what_it_says() {
    walk("INTEGRATING.md").await;
}

#[tokio::test]
async fn the_programs_that_link_the_crates_print_what_is_said() {
    let text = fs::read_to_string(Path::new(DOCUMENTS).join("LINKING.md")).unwrap();
    let mut named = text.split(" --example ").skip(1).filter_map(|rest| rest.split_whitespace().next());
    match named.find(|name| !examples().join(name).exists()) {
        None => walk("LINKING.md").await,
        Some(name) => did_not_run(&format!("cargo build --workspace --examples builds {name}")),
    }
}

/// With `WAYFARE_RENEW_LINKING` the document is written anew.
#[test]
fn the_programs_that_link_the_crates_are_shown_as_they_are() {
    let root = Path::new(DOCUMENTS).parent().unwrap();
    let text = fs::read_to_string(root.join("docs/LINKING.md")).unwrap();
    let mut parts = text.split("\n```rust\n");
    let mut renewed = parts.next().unwrap().to_owned();
    assert!(text.matches("\n```rust\n").count() >= 6, "programs are missing");
    for part in parts {
        // The last link before it names its file.
        let file = renewed.rsplit_once("](../").and_then(|(_, link)| link.split_once(')')).unwrap().0;
        let program = fs::read_to_string(root.join(file)).unwrap();
        let (_, behind) = part.split_once("\n```\n").unwrap();
        renewed = format!("{renewed}\n```rust\n{program}```\n{behind}");
    }
    if std::env::var_os("WAYFARE_RENEW_LINKING").is_some() {
        return fs::write(root.join("docs/LINKING.md"), &renewed).unwrap();
    }
    let differing = text.lines().zip(renewed.lines()).find(|(shown, is)| shown != is);
    assert!(text == renewed, "WAYFARE_RENEW_LINKING=1 writes docs/LINKING.md anew: {differing:?}");
}

async fn walk(document: &str) {
    if let Some(missing) = missing() {
        println!("did not run: there is no {missing}");
        return;
    }
    let document = Path::new(DOCUMENTS).join(document);
    let steps = steps(&fs::read_to_string(document).unwrap());
    let said: usize = steps.iter().map(|step| step.says.len()).sum();
    assert!(said >= 20, "only {said} lines are said to be printed");
    let (place, _server) = Place::started().await;
    // What waits for a minute waits once: it is what a document ends with.
    let waits = |step: &Step| step.commands.iter().any(|command| command.starts_with("sleep "));
    let until_it_waits = steps.iter().position(waits).unwrap_or(steps.len());
    // The second time within the ten minutes in which the same people are not booked on the same flights again.
    for (time, steps) in [("first", &steps[..]), ("second", &steps[..until_it_waits])] {
        let begun = Instant::now();
        let ended = paste(steps, &place.data());
        println!("{said} lines within {:?}, the {time} time", begun.elapsed());
        ended.unwrap_or_else(|wrong| panic!("the {time} time {wrong}"));
    }
}

#[test]
fn a_walkthrough_that_is_wrong_is_found_out() {
    if let Some(missing) = missing() {
        println!("did not run: there is no {missing}");
        return;
    }
    let right = "Text.\n```bash\nONE=1\necho $ONE\n# => 1\n```\n# => no block\n```bash\necho $((ONE + 1))\n# => 2\n```\n";
    let ended = |document: &str| paste(&steps(document), Path::new("/nowhere"));
    assert_eq!(ended(right), Ok(()));
    assert_eq!(ended(&right.replace("# => 2", "# => …").replace("2))", "200))")), Ok(()));
    for (wrong, found) in [
        // Another text, nothing said of what is printed, something said of nothing, a command that fails.
        (right.replace("# => 2", "# => 3"), "line 9 prints [\"2\"]"),
        (right.replace("# => 2", ""), "line 9 prints [\"2\"]"),
        (right.replace("# => 2", "# => 2…"), "line 9 prints [\"2\"]"),
        (right.replace("# => 2", "# => …3"), "line 9 prints [\"2\"]"),
        (right.replace("echo $ONE", ":"), "line 3 prints []"),
        (right.replace("echo $ONE", "false"), "line 3 fails"),
        (right.replace("$((ONE + 1))", "$TWO"), "line 9 fails"),
    ] {
        let ended = ended(&wrong).unwrap_err();
        assert!(ended.starts_with(found), "{ended}\n{wrong}");
    }
}

/// Where the examples of all crates are built.
fn examples() -> PathBuf {
    operators_program().with_file_name("examples")
}

/// A program of those it needs that is not there.
fn missing() -> Option<&'static str> {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !operators_program().exists() {
        return Some("wayfarectl beside wayfare: cargo build -p wayfare-ctl");
    }
    ["bash", "curl", "jq", "python3"].into_iter().find(|program| !there(program))
}

/// The steps of the document's bash blocks: one ends with what it prints, or with its block.
fn steps(document: &str) -> Vec<Step> {
    let (mut steps, mut in_block) = (Vec::new(), false);
    let mut step = Step::default();
    for (number, line) in (1..).zip(document.lines()) {
        match line {
            "```bash" => in_block = true,
            "```" if in_block => {
                in_block = false;
                steps.push(std::mem::take(&mut step));
            }
            _ if !in_block => {}
            _ => {
                let says = line.strip_prefix(SAYS);
                if says.is_none() && !step.says.is_empty() {
                    steps.push(std::mem::take(&mut step));
                }
                if step.commands.is_empty() {
                    step.line = number;
                }
                match says {
                    Some(says) => step.says.push(says.to_owned()),
                    None => step.commands.push(line.to_owned()),
                }
            }
        }
    }
    steps
}

/// Whether this line is what the document says, where `…` is whatever differs from run to run.
fn is_said(said: &str, shown: &str) -> bool {
    let Some((begin, end)) = said.split_once('…') else { return said == shown };
    let ends = |rest: &str| rest.char_indices().skip(1).any(|(at, _)| is_said(end, &rest[at..]));
    shown.strip_prefix(begin).is_some_and(|rest| (end.is_empty() && !rest.is_empty()) || ends(rest))
}

/// Gives all steps to one shell that ends at the first failure; the first step that does not do as it says.
fn paste(steps: &[Step], data: &Path) -> Result<(), String> {
    let mut script = format!("set -euo pipefail\n{CARGO}\n");
    for step in steps {
        script += &format!("{}\necho '{MARK}'\n", step.commands.join("\n"));
    }
    let shell = Command::new("bash")
        .args(["-c", &script])
        .env("WAYFARE_DATA_DIR", data)
        .env("WAYFARECTL", operators_program())
        .env("EXAMPLES", examples())
        .env("no_proxy", "127.0.0.1")
        .output()
        .unwrap();
    let printed = String::from_utf8(shell.stdout).unwrap();
    let mut printed = printed.lines();
    for step in steps {
        let mut shown = Vec::new();
        loop {
            match printed.next() {
                Some(MARK) => break,
                Some(line) => shown.push(line),
                None => {
                    let errors = String::from_utf8_lossy(&shell.stderr);
                    return Err(format!("line {} fails after {shown:?}: {errors}", step.line));
                }
            }
        }
        let mut lines = step.says.iter().zip(&shown);
        if shown.len() != step.says.len() || !lines.all(|(said, shown)| is_said(said, shown)) {
            return Err(format!("line {} prints {shown:?}, not {:?}", step.line, step.says));
        }
    }
    assert!(shell.status.success(), "every step ended well");
    Ok(())
}
