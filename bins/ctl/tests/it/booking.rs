//! The booking desk at the command line: the rows of `docs/OPERATIONS.md`, *The booking desk*, each run as it stands there.

use std::{fs, path::Path};

use serde_json::Value;
use wayfare_tests::{World, one_way};

use crate::installation::{Installation, refused, succeeded};

/// The commands of the section's table, in order: `booking …`.
fn documented() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/OPERATIONS.md");
    let docs = fs::read_to_string(path).unwrap();
    let (_, section) = docs.split_once("\n## The booking desk\n").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let commands = rows.filter_map(|row| row.split('`').find(|part| part.starts_with("booking ")));
    commands.map(str::to_owned).collect()
}

/// The words of a command; a text in quotes is one.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_commands_settle_what_they_say() {
    let world = World::start().await;
    let agent = world.agent("1000000").await;
    let here = Installation::new();
    let json = |arguments: &[String]| -> Value {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        here.json_beside(&world, &arguments)
    };
    let commands = documented();
    assert_eq!(commands.len(), 4, "{commands:?}");
    for command in commands {
        let booking = agent.buy(one_way("DEL", "BOM")).await.reference;
        let is_cancelled = command.contains("supplier_cancelled");
        if is_cancelled {
            let order = world.supplier_orders().await.pop().unwrap();
            world.duffel_cancels(order["id"].as_str().unwrap()).await;
        }
        let raise = format!(
            "insert into exceptions (org_id, id, booking_id, kind, problem, details, raised_at)
             select org_id, gen_random_uuid(), id, 'cancelled_by_supplier', 'gone', '{{}}', now() from bookings
             where booking_ref = '{booking}'"
        );
        world.sql(&raise).await;
        let incident = world.line("select id::text from exceptions where closed_at is null").await;
        let told = command
            .replace("REF", &booking)
            .replace("--note …", "--note said")
            .replace("--exception ID", &format!("--exception {incident}"));
        let mut arguments = words(&told);
        arguments.extend(["--key".to_owned(), format!("key of {booking}")]);
        let ruled = json(&arguments);
        assert_eq!((&ruled["state"], &ruled["repeated"]), (&"done".into(), &false.into()), "{ruled}");
        let again = json(&arguments);
        assert_eq!((&again["id"], &again["repeated"]), (&ruled["id"], &true.into()));
        let shown = json(&["booking", "show", &booking].map(str::to_owned));
        let happened = shown["happened"].as_array().unwrap();
        assert_eq!(happened.iter().filter(|one| one["what"] == "ruling").count(), 1);
        assert_eq!(shown["booking"]["status"], if is_cancelled { "cancelled" } else { "confirmed" });
        world
            .sql("update exceptions set closed_at = now(), closed_by = 'operator' where closed_at is null")
            .await;
    }
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_found_shown_and_corrected_at_the_command_line() {
    let world = World::start().await;
    let agent = world.agent("1000000").await;
    let booking = agent.buy(one_way("DEL", "BOM")).await.reference;
    let here = Installation::new();
    let say = |arguments: &[&str]| succeeded(&here.beside(&world, arguments).output().unwrap());
    let correct = ["booking", "correct", &booking, "--order", "1", "--pnr", "ZZTOP1", "--note", "their desk"];
    assert!(say(&correct).contains("ZZTOP1"));
    let found = say(&["booking", "find", "--pnr", "zztop1"]);
    assert!(found.contains(&booking) && found.contains("1 in all, page 1 of 1"), "{found}");
    let shown = say(&["booking", "show", &booking]);
    for told in ["booking  ", "order ", "happened ", "transfer", "booking.corrected"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(say(&["people", "index"]).contains('1'));
    assert!(say(&["booking", "rule", "--collect"]).starts_with("id"));
    let refuse = |arguments: &[&str], code| refused(&mut here.beside(&world, arguments), code);
    assert!(refuse(&["booking", "show", "FA-NOTHERE1"], 1).contains("there is no booking"));
    refuse(&["booking", "find", "--status", "confirmed"], 2);
    refuse(&["booking", "find", "--travel", "2027-02-30"], 2);
    refuse(&["booking", "rule", &booking, "--order", "1"], 2);
    let too_much = [
        "booking", "rule", &booking, "--order", "1", "--kind", "refund", "--amount", "9999999", "--note", "n",
    ];
    assert!(refuse(&too_much, 1).contains("of what was paid are left"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reference_is_read_in_small_letters_and_a_look_says_why_it_has_nothing_to_look_at() {
    let world = World::start().await;
    let agent = world.agent("1000000").await;
    let booking = agent.buy(one_way("DEL", "BOM")).await.reference;
    let here = Installation::new();
    let typed = booking.to_lowercase();
    let shown = succeeded(&here.beside(&world, &["booking", "show", &typed]).output().unwrap());
    assert!(shown.contains(&booking), "{shown}");
    agent.cancel(&booking).await.ok();
    let account = here.beside(&world, &["suppliers", "show", "Duffel"]).output().unwrap();
    assert!(succeeded(&account).contains("duffel"));
    let look = refused(&mut here.beside(&world, &["booking", "look", &typed]), 1);
    assert!(look.contains("has no order that stands with a supplier"), "{look}");
    assert!(!look.contains("--order"), "{look}");
    let look = refused(&mut here.beside(&world, &["booking", "look", &typed, "--order", "1"]), 1);
    assert!(look.contains("--order stands with no supplier"), "{look}");
}
