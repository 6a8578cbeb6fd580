//! Crates that others link can grow without breaking them: what may get a variant is open, and what is closed says why.

use crate::{fail_if_any, metadata, shipped, short, sources};

const LINKED: [&str; 9] =
    ["client", "domain", "flights", "hotels", "ledger", "pricing", "reference", "supply", "webhooks"];

/// The enums that stay as they are, each with the reason. No error is one of them.
const CLOSED: [(&str, &str); 13] = [
    ("client::Outcome", "either it is known or it is not"),
    ("domain::Anchor", "a list goes in two directions"),
    ("domain::FeesRuling", "either they come back or they do not"),
    ("domain::Gender", "adapters have a word for each, and none for another"),
    ("domain::PassengerType", "the age groups leave nobody out"),
    ("domain::Title", "adapters have a word for each, and none for another"),
    ("flights::Cabin", "adapters have a word for each, and none for another"),
    ("flights::OrderMode", "either the supplier is paid at once or it is not"),
    ("flights::TripType", "one journey, there and back, or any other"),
    ("hotels::GuestKind", "either a guest is grown up or not"),
    ("ledger::Side", "accounts have two sides"),
    ("supply::Answer", "whoever asks treats each end of a call"),
    ("supply::CityCodes", "a city is asked for as it is, by its airports, or not at all"),
];

#[test]
fn what_others_link_is_open_unless_it_is_closed_by_nature() {
    let mut problems = Vec::new();
    for source in sources() {
        // Words say themselves that there may be others; answers and bodies are written by whoever links them.
        if source.package == "contract" && !source.path.ends_with("/word_list.rs") {
            problems.extend(
                source.text.contains("non_exhaustive").then(|| format!("{} closes a type", source.path)),
            );
        }
        for (place, start) in
            source.text.match_indices("pub enum ").filter(|_| LINKED.contains(&source.package.as_str()))
        {
            let (before, after) = (&source.text[..place], &source.text[place + start.len()..]);
            let name = after.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
            let attributes = before.rsplit("\n\n").next().unwrap_or_default();
            let item = before.rsplit("\n}\n").next().unwrap_or_default();
            let is_open = match item.rsplit_once("word_enum! {") {
                Some((_, words)) => !words.starts_with(" closed"),
                None => attributes.contains("non_exhaustive"),
            };
            let path = format!("{}::{name}", source.package);
            let is_closed =
                CLOSED.iter().any(|(closed, _)| *closed == path) && !attributes.contains("Error)");
            // The macro that writes enums of words names none.
            if !is_open && !is_closed && !name.is_empty() {
                problems.push(format!("{path} is neither #[non_exhaustive] nor in CLOSED"));
            }
        }
    }
    for package in metadata().packages.iter().filter(|package| LINKED.contains(&short(&package.name))) {
        let asks =
            shipped(package).any(|dependency| dependency.features.iter().any(|one| one == "exhaustive"));
        problems.extend(
            asks.then(|| format!("{} may not ask for `exhaustive`: others build it without", package.name)),
        );
    }
    fail_if_any(&problems);
}
