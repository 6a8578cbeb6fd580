//! Tests that can't run where they are: each says so on standard error, past the test harness, which keeps what a test that
//! passes prints to itself.

use std::{
    collections::BTreeSet,
    io::Write,
    sync::{Mutex, PoisonError},
};

/// With this variable set a test that can't run fails: CI has all that tests need.
pub const MUST_RUN: &str = "WAYFARE_TESTS_MUST_RUN";

/// Says that this thread's test did not run, and why.
pub fn did_not_run(reason: &str) {
    static TESTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    assert!(std::env::var_os(MUST_RUN).is_none(), "{test} DID NOT RUN, and {MUST_RUN} is set: {reason}");
    let mut tests = TESTS.lock().unwrap_or_else(PoisonError::into_inner);
    if !tests.insert(test.to_owned()) {
        return;
    }
    let count = tests.len();
    // A macro's line would be captured. Best effort: it is only told.
    let line = format!("DID NOT RUN, {count} so far in this program: {test}: {reason}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// What the tests of this program say that run it again by themselves.
    fn said(must_run: Option<&str>) -> (bool, String) {
        let mut run = Command::new(std::env::current_exe().unwrap());
        run.args(["--ignored", "--exact", "did_not_run::tests::one_that_cannot_run"]);
        run.env_remove(MUST_RUN);
        if let Some(value) = must_run {
            run.env(MUST_RUN, value);
        }
        let output = run.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    }

    #[test]
    #[ignore = "the other test of this module runs it"]
    fn one_that_cannot_run() {
        did_not_run("there is no moon");
    }

    #[test]
    fn a_test_that_cannot_run_says_so_past_the_harness_or_fails() {
        let (passed, said_of_it) = said(None);
        assert!(passed);
        let line = "DID NOT RUN, 1 so far in this program: did_not_run::tests::one_that_cannot_run: there is no moon";
        assert!(said_of_it.contains(line), "{said_of_it}");
        assert!(!said(Some("1")).0);
    }
}
