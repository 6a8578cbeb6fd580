//! Erasures are noted beside the database, and a restored one is erased again by them.

use std::{fs, path::PathBuf};

use serde_json::json;
use wayfare_operations::worker;
use wayfare_tests::{Person, World, WorldOptions, one_way};

use crate::installation::{Installation, refused, succeeded};

/// What a backup has of people.
const TABLES: [&str; 4] = ["booking_people", "booking_names", "supplier_answers", "people_erasures"];

fn lines(log: &PathBuf) -> Vec<String> {
    let text = fs::read_to_string(log).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

async fn last_name(agent: &Person, reference: &str) -> String {
    let shown = agent.booking(reference).await;
    shown["passengers"][0]["last_name"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_erased_is_noted_and_erased_again_after_a_restore() {
    let here = Installation::new();
    fs::create_dir_all(here.data()).unwrap();
    let log = here.data().join("erasures.log");
    let options = WorldOptions { erasure_log: Some(log.clone()), ..WorldOptions::default().frozen() };
    let world = World::with(options.clone()).await;
    let agency = world.agency().await;
    agency.admin("0").await;
    let agent = agency.agent("arjun", "1000000").await;
    let mut bookings = Vec::new();
    for _ in 0..3 {
        bookings.push(agent.buy(one_way("DEL", "BOM")).await.reference);
    }
    for table in TABLES {
        world.sql(&format!("create table backup_of_{table} as select * from {table}")).await;
    }
    assert_eq!(lines(&log), [""; 0]);
    world.pass(90 * 86_400);
    let (admin, agent) = (agency.log_in("asha").await, agency.log_in("arjun").await);
    for reference in &bookings[..2] {
        let erase = format!("/org/bookings/{reference}/people/erase");
        admin.post(&erase, &json!({})).await.says(200, "people erased");
        // Asked for again, it is neither erased nor noted again.
        admin.post(&erase, &json!({})).await.says(200, "people erased");
    }
    let noted = lines(&log);
    assert_eq!(noted.len(), 4, "{noted:?}");
    let told = succeeded(&here.beside(&world, &["people", "erasures"]).output().unwrap());
    for line in &noted {
        let (what, _) = line.rsplit_once(' ').unwrap();
        let words: Vec<&str> = what.split(' ').collect();
        let is_told = |told: &str| told.split_whitespace().take(3).eq(words.iter().copied());
        assert!(told.lines().any(is_told), "{line}: {told}");
    }

    // A server that died in the middle of a line, before it could note the rest, is caught up with by the next one.
    fs::write(&log, format!("{}\n{}", noted[0], &noted[1][..60])).unwrap();
    let next = options.platform(world.database.database.clone(), world.sandbox_url());
    worker::remove_old(&next).await.unwrap();
    let mut caught_up = lines(&log);
    assert_eq!(caught_up.len(), 4, "{caught_up:?}");
    let key = |line: &String| line.rsplit_once(' ').map(|(what, _)| what.to_owned());
    caught_up.sort_by_key(key);
    let mut expected = noted.clone();
    expected.sort_by_key(key);
    assert!(caught_up.iter().map(key).eq(expected.iter().map(key)), "{caught_up:?}");

    for table in TABLES {
        world.sql(&format!("delete from {table}; insert into {table} select * from backup_of_{table}")).await;
    }
    assert_eq!(last_name(&agent, &bookings[0]).await, "Sharma");
    let replay = |file: &PathBuf| here.beside(&world, &["people", "replay", file.to_str().unwrap()]);
    let said = succeeded(&replay(&log).output().unwrap());
    assert!(said.contains("erased") && said.contains('4'), "{said}");
    for (reference, name) in bookings.iter().zip(["", "", "Sharma"]) {
        assert_eq!(last_name(&agent, reference).await, name, "{reference}");
    }
    let again = succeeded(&replay(&log).output().unwrap());
    assert!(again.contains('0'), "{again}");

    // A last line that was not ended is left out, any other that is none is an error.
    let other = here.data().join("other");
    fs::write(&other, format!("{}\n{}", noted[0], &noted[1][..60])).unwrap();
    succeeded(&replay(&other).output().unwrap());
    fs::write(&other, format!("{}\nx\n{}\n", noted[0], noted[1])).unwrap();
    let why = refused(&mut replay(&other), 1);
    assert!(why.contains("line 2 is no erasure"), "{why}");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn how_long_people_are_kept_is_the_operators_word_until_an_agency_has_its_own() {
    let options = WorldOptions {
        kept_days: wayfare_domain::KeptDays { people: 77, papers: 9, ..wayfare_domain::KeptDays::default() },
        ..WorldOptions::default().frozen()
    };
    let (world, _, admin, agent) = World::with(options).await.and_people("0", "1000000").await;
    agent.buy(one_way("DEL", "BOM")).await;
    let setting = json!({ "key": "people_kept_days", "value": "45" });
    admin.put("/org/settings", &setting).await.ok();
    agent.buy(one_way("DEL", "BOM")).await;
    let apart = "select max(erase_after) - min(erase_after) from booking_people";
    assert_eq!(world.line(apart).await, "32");
    let last_day = "select min(erase_after) - (select max(arrival) from (
             select (jsonb_path_query(product_content, '$.**.arrival') #>> '{}')::timestamp::date as arrival from bookings) a)
         from booking_people";
    assert_eq!(world.line(last_day).await, "45");
}
