//! From whom a server of the same settings buys; what is agreed for nobody is refused before anything is opened.

use std::fs;

use serde_json::json;

use crate::installation::{Installation, refused, succeeded};

const FILE: &str = "[[suppliers]]
code = 'duffel_eu'
kind = 'duffel'
base_url = 'https://api.duffel.com'
token = 'a secret'
";

#[test]
fn a_supplier_that_nobody_knows_is_refused_with_those_that_are_known() {
    let here = Installation::new();
    let sandboxed =
        "those of these settings (--config, WAYFARE_CONFIG) are duffel, tripjack, liteapi, hotelbeds\n";
    for (arguments, unknown) in [
        (
            &["contract", "set", "WF7K2M9Q", "nosuch", "--percent", "5"][..],
            "<SUPPLIER>: there is no supplier \"nosuch\"",
        ),
        (
            &["agency", "set", "WF7K2M9Q", "--suppliers", "nosuch,duffel,duffle"],
            "--suppliers: there is no supplier \"nosuch\", \"duffle\"",
        ),
    ] {
        assert_eq!(here.misuse(arguments), format!("wayfarectl: {unknown}; {sandboxed}"));
    }
    assert!(!here.data().exists(), "nothing was started");
}

#[test]
fn the_suppliers_of_the_settings_are_listed() {
    let here = Installation::new();
    let listed = here.json(&["suppliers"]);
    assert_eq!(
        listed["suppliers"][1],
        json!({"code": "tripjack", "kind": "tripjack", "sells": "flight", "at": "sandbox"})
    );
    assert_eq!(listed["suppliers"].as_array().unwrap().len(), 4);
    let said = succeeded(&here.ctl(&["suppliers"]).output().unwrap());
    assert!(
        said.starts_with("code       kind       sells    at\nduffel     duffel     flights  sandbox\n"),
        "{said}"
    );

    let file = std::env::temp_dir().join(format!("wayfare-suppliers-{}.toml", std::process::id()));
    fs::write(&file, FILE).unwrap();
    let with_file = |arguments: &[&str]| {
        let mut command = here.ctl(arguments);
        command.env("WAYFARE_CONFIG", &file);
        command
    };
    let said = succeeded(&with_file(&["suppliers"]).output().unwrap());
    assert_eq!(said, "code       kind    sells    at\nduffel_eu  duffel  flights  https://api.duffel.com\n");
    let refusal = refused(&mut with_file(&["contract", "set", "WF1", "duffel", "--percent", "5"]), 2);
    assert!(refusal.ends_with("(--config, WAYFARE_CONFIG) are duffel_eu\n"), "{refusal}");
    let mut both = with_file(&["suppliers", "--json"]);
    let both = succeeded(&both.env("WAYFARE_SANDBOX", "on").output().unwrap());
    assert_eq!(both.matches("\"at\":\"sandbox\"").count(), 4, "{both}");
    fs::remove_file(&file).unwrap();
}

/// Recipes that pass options on, as far as they have no default, do it word for word: `--name "Blue Travels"` is one word.
#[test]
fn recipes_pass_on_what_they_are_given_without_splitting_it() {
    let recipes = include_str!("../../../../justfile");
    assert!(recipes.contains("\nset positional-arguments\n"));
    let mut passing = 0;
    for recipe in recipes.split("\n\n") {
        let head = recipe.lines().find(|line| !line.starts_with(['#', '[']));
        let Some(head) = head else { continue };
        let Some((_, name)) = head.split_once('*').filter(|_| !head.contains('=')) else { continue };
        let name = name.trim_end_matches(':');
        assert!(recipe.contains("\"$@\"") && !recipe.contains(&format!("{{{{{name}}}}}")), "{recipe}");
        passing += 1;
    }
    assert!(passing > 10, "{passing}");
}
