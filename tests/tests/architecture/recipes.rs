//! What developers and releasers call: the recipes of the justfile, and what `deploy/release/release` refuses.

use std::process::Command;

use wayfare_stub_server::did_not_run;

use crate::root;

/// Ends well, or says by 77 what the machine lacks for it.
fn passes(script: &str) {
    let output = Command::new(root().join("tests/recipes").join(script)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(77) => did_not_run(said.trim()),
        code => assert_eq!(code, Some(0), "{said}{}", String::from_utf8_lossy(&output.stderr)),
    }
}

#[test]
fn every_recipe_is_listed_in_a_group_and_comes_to_a_script() {
    passes("recipes");
}

#[test]
fn a_release_names_each_thing_that_is_missing() {
    passes("release");
}
