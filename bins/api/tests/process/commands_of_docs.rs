//! The walkthroughs of `docs` and its guide, each pasted into one shell against a fresh start, and into another one right after: they print what they say.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::place::{Place, operators_program};

const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
/// What stands before a line that is printed.
const SAYS: &str = "# => ";
/// Printed after each step; no answer of the service has it.
const MARK: &str = "--- end of step ---";

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

async fn walk(document: &str) {
    if let Some(missing) = missing() {
        println!("did not run: there is no {missing}");
        return;
    }
    let document = Path::new(DOCUMENTS).join(document);
    let steps = steps(&std::fs::read_to_string(document).unwrap());
    let said: usize = steps.iter().map(|step| step.says.len()).sum();
    assert!(said >= 20, "only {said} lines are said to be printed");
    let (place, _server) = Place::started().await;
    // The second time within the ten minutes in which the same people are not booked on the same flights again.
    for time in ["first", "second"] {
        let begun = Instant::now();
        let ended = paste(&steps, &place.data());
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
    for (wrong, found) in [
        // Another text, nothing said of what is printed, something said of nothing, a command that fails.
        (right.replace("# => 2", "# => 3"), "line 9 prints [\"2\"]"),
        (right.replace("# => 2", ""), "line 9 prints [\"2\"]"),
        (right.replace("echo $ONE", ":"), "line 3 prints []"),
        (right.replace("echo $ONE", "false"), "line 3 fails"),
        (right.replace("$((ONE + 1))", "$TWO"), "line 9 fails"),
    ] {
        let ended = ended(&wrong).unwrap_err();
        assert!(ended.starts_with(found), "{ended}\n{wrong}");
    }
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

/// Gives all steps to one shell that ends at the first failure; the first step that does not do as it says.
fn paste(steps: &[Step], data: &Path) -> Result<(), String> {
    let mut script = "set -euo pipefail\n".to_owned();
    for step in steps {
        script += &format!("{}\necho '{MARK}'\n", step.commands.join("\n"));
    }
    let shell = Command::new("bash")
        .args(["-c", &script])
        .env("WAYFARE_DATA_DIR", data)
        .env("WAYFARECTL", operators_program())
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
        if shown != step.says {
            return Err(format!("line {} prints {shown:?}, not {:?}", step.line, step.says));
        }
    }
    assert!(shell.status.success(), "every step ended well");
    Ok(())
}
