//! The operator's guide lists every setting with its default.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clap::{Args, Command};
use wayfare_launch::{Common, ServerSettings};

/// A default that depends on the machine, or is said in fewer words.
const IN_WORDS: [&str; 2] = ["WAYFARE_DATA_DIR", "WAYFARE_LOG"];

/// The variables of `docs/OPERATIONS.md`, *Starting*, each with what its row says of its default.
fn documented() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/OPERATIONS.md");
    let guide = fs::read_to_string(path).unwrap();
    let (_, section) = guide.split_once("\n## Starting\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let named = rows.flat_map(|row| {
        let mut cells = row.trim_matches('|').split(" | ").map(str::trim);
        let (names, default) = (cells.next().unwrap(), cells.next().unwrap());
        let names: Vec<&str> = names.split(", ").map(|name| name.trim_matches('`')).collect();
        let defaults: Vec<&str> = match default.split(", ").collect::<Vec<_>>() {
            each if each.len() == names.len() => each,
            _ => vec![default; names.len()],
        };
        let pairs: Vec<(String, String)> = names
            .into_iter()
            .zip(defaults)
            .map(|(name, default)| (name.to_owned(), default.trim_matches('`').to_owned()))
            .collect();
        pairs
    });
    // Other rows are of the file's tables alone.
    let is_variable = |name: &str| name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    named.filter(|(name, _)| is_variable(name)).collect()
}

#[test]
fn the_guide_has_every_setting_with_its_default() {
    let documented = documented();
    let command = ServerSettings::augment_args(Common::augment_args(Command::new("wayfare")));
    let mut settings = Vec::new();
    for argument in command.get_arguments() {
        let Some(variable) = argument.get_env().and_then(|name| name.to_str()) else { continue };
        settings.push(variable.to_owned());
        let said = documented.get(variable);
        if variable == "WAYFARE_CONFIG" {
            continue;
        }
        let said = said.unwrap_or_else(|| panic!("{variable} is not in the table of settings"));
        let defaults: Vec<&str> =
            argument.get_default_values().iter().map(|value| value.to_str().unwrap()).collect();
        if !defaults.is_empty() && !IN_WORDS.contains(&variable) {
            assert_eq!(*said, defaults.join(","), "the default of {variable}");
        }
    }
    let gone: Vec<&String> = documented.keys().filter(|name| !settings.contains(name)).collect();
    assert!(gone.is_empty(), "no settings: {gone:?}");
}
