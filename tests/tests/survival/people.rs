//! Whom bookings are for is readable or sealed or gone, and never anything between, whoever dies while it is sealed, its
//! keys are wrapped anew, or it is erased.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, one_way};

use crate::{fixture::Fixture, play::quote, stays};

/// Longer than a restart and some rows take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug)]
enum Dies {
    Api(u8),
    Postgres(u8),
}

impl Dies {
    /// What a process is told, so that the row's work stands at this moment.
    fn at(self, moment: &str) -> String {
        let (Self::Api(row) | Self::Postgres(row)) = self;
        format!("arm={moment}@{row}")
    }

    /// Lets die who is to die, once the work stands, and revives the database. Nothing of ours runs then.
    async fn strike(self, fixture: &mut Fixture) {
        match self {
            Self::Api(_) => fixture.crash_target.kill().await,
            Self::Postgres(_) => {
                fixture.kill_postgres().await;
                fixture.crash_target.go().await;
                fixture.revive_postgres().await;
                fixture.crash_target.kill().await;
            }
        }
    }
}

/// One booking of each state that is settled, by its path, as it is shown.
struct Bookings(Vec<(String, Value)>);

impl Bookings {
    async fn make(fixture: &Fixture, agent: &Person) -> Self {
        let agent = agent.at(&fixture.crash_target.url);
        let trip = one_way("DEL", "BOM").by("ZZ");
        let order = async |at, hold: bool| {
            let mut order = agent.order(&quote(&agent, at, &trip).await, &trip);
            order["hold"] = hold.into();
            order
        };
        let mut paths = Vec::new();
        for (at, hold) in [(SupplierKind::Duffel, false), (SupplierKind::TripJack, true)] {
            paths.push(flight(&agent.book(&order(at, hold).await).await.ok()["booking_ref"]));
        }
        let path = flight(&agent.book(&order(SupplierKind::TripJack, false).await).await.ok()["booking_ref"]);
        agent.post(&format!("{path}/cancel"), &json!({})).await.ok();
        paths.push(path);
        fixture.supplier.next_at("duffel", "book", "sold_out", 1).await;
        agent.book(&order(SupplierKind::Duffel, false).await).await;
        let failed = fixture.books.lines("select booking_ref from bookings where status = 'failed'").await;
        paths.push(flight(&json!(failed[0])));
        let order = stays::order(&agent, SupplierKind::LiteApi, 30).await;
        let stay = agent.post("/hotels/book", &order).await.succeeds(201);
        paths.push(format!("/hotels/bookings/{}", stay["booking_ref"].as_str().unwrap()));
        let mut bookings = Vec::new();
        for path in paths {
            let shown = agent.get(&path).await.ok();
            bookings.push((path, shown));
        }
        Self(bookings)
    }

    async fn are_shown(&self, fixture: &Fixture, agent: &Person, when: &str) {
        let agent = agent.at(&fixture.crash_target.url);
        for (path, shown) in &self.0 {
            assert_eq!(agent.get(path).await.ok(), *shown, "{when}: {path}");
        }
    }

    /// That they are shown without anybody, and with their money.
    async fn are_erased(&self, fixture: &Fixture, agent: &Person, when: &str) {
        let agent = agent.at(&fixture.crash_target.url);
        for (path, before) in &self.0 {
            let shown = agent.get(path).await.ok();
            assert!(shown["people_erased_at"].is_string(), "{when}: {shown}");
            for same in ["status", "pricing", "total_amount"] {
                assert_eq!(shown[same], before[same], "{when}: {path}");
            }
        }
    }
}

fn flight(reference: &Value) -> String {
    format!("/flights/bookings/{}", reference.as_str().unwrap())
}

/// A fixture with an agent and bookings of every state.
async fn stage(bugs: &[&'static str]) -> (Fixture, Person, Bookings) {
    let fixture = Fixture::new(bugs).await;
    let agent = fixture.agent("arjun").await;
    let bookings = Bookings::make(&fixture, &agent).await;
    (fixture, agent, bookings)
}

/// Waits until this query has no row.
async fn until_none(fixture: &Fixture, query: &str, when: &str) {
    let patience = Instant::now() + PATIENCE;
    loop {
        let left = fixture.books.lines(query).await;
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < patience, "{when}: {left:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

const UNSEALED: &str = "select booking_ref from bookings where product_content ? 'contact'";
const NOT_ERASED: &str = "select booking_id || kind from booking_people where erased_at is null";

#[tokio::test(flavor = "multi_thread")]
async fn bookings_of_before_are_sealed_whoever_dies_at_whichever() {
    let (mut fixture, agent, bookings) = stage(&[]).await;
    let mut sold = 0;
    for dies in [Dies::Api(1), Dies::Api(3), Dies::Api(5), Dies::Postgres(1), Dies::Postgres(4)] {
        let when = format!("{dies:?}");
        fixture.unseal().await;
        fixture.is_well(&when).await;
        fixture.restart_with(&[&dies.at("people:sealed")]).await;
        fixture.crash_target.reached().await;
        // They are read in either form, and others are sold.
        bookings.are_shown(&fixture, &agent, &when).await;
        agent.at(&fixture.crash_target.url).buy(one_way("DEL", "BOM").by("ZZ")).await;
        sold += 1;
        dies.strike(&mut fixture).await;
        fixture.is_well(&when).await;
        let left = fixture.books.lines(UNSEALED).await.len();
        assert!(left > 0, "{when}: what was not committed is as before");
        fixture.restart().await;
        until_none(&fixture, UNSEALED, &when).await;
        bookings.are_shown(&fixture, &agent, &when).await;
        fixture.is_well(&when).await;
    }
    assert_eq!(fixture.books.lines("select booking_ref from bookings").await.len(), bookings.0.len() + sold);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_wrapped_anew_whoever_dies_at_whichever() {
    let (mut fixture, agent, bookings) = stage(&[]).await;
    let rows = fixture.books.lines("select kek_id from booking_people").await.len();
    let rows = u8::try_from(rows).unwrap();
    let kills = [Dies::Api(1), Dies::Api(rows / 2), Dies::Api(rows), Dies::Postgres(2), Dies::Postgres(rows)];
    for (number, dies) in (2..).zip(kills) {
        let (when, keys) = (format!("{dies:?}"), format!("keys={number}"));
        fixture.restart_with(&[&keys, &dies.at("people:rewrapped")]).await;
        fixture.crash_target.begin_to_rewrap().await;
        fixture.crash_target.reached().await;
        bookings.are_shown(&fixture, &agent, &when).await;
        dies.strike(&mut fixture).await;
        fixture.is_well(&when).await;
        fixture.restart_with(&[&keys]).await;
        // Each row is under one key or the other, and opens.
        bookings.are_shown(&fixture, &agent, &when).await;
        fixture.crash_target.begin_to_rewrap().await;
        assert_eq!(fixture.crash_target.rewrapped().await, rows.to_string(), "{when}");
        let others = format!("select kek_id from booking_people where kek_id <> '{number}'");
        assert_eq!(fixture.books.lines(&others).await, [""; 0], "{when}");
        bookings.are_shown(&fixture, &agent, &when).await;
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_whose_time_is_over_are_erased_whoever_dies_at_whichever() {
    let (mut fixture, agent, bookings) = stage(&[]).await;
    fixture.sql("update booking_people set erase_after = current_date - 1").await;
    for dies in [Dies::Api(1), Dies::Postgres(2), Dies::Api(4)] {
        let (when, before) = (format!("{dies:?}"), fixture.books.lines(NOT_ERASED).await.len());
        fixture.restart_with(&[&dies.at("erase:key_gone")]).await;
        fixture.crash_target.reached().await;
        dies.strike(&mut fixture).await;
        fixture.is_well(&when).await;
        let (Dies::Api(row) | Dies::Postgres(row)) = dies;
        let left = fixture.books.lines(NOT_ERASED).await.len();
        assert_eq!(left, before + 1 - usize::from(row), "{when}: all before it are gone, and it is not");
    }
    fixture.restart().await;
    until_none(&fixture, NOT_ERASED, "in the end").await;
    bookings.are_erased(&fixture, &agent, "in the end").await;
    fixture.is_well("in the end").await;
    let twice = "select entity_id from events where action = 'people.erased' \
        group by entity_id, new_value having count(*) > 1";
    assert_eq!(fixture.books.lines(twice).await, [""; 0]);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_asked_to_erase_and_dies_has_erased_nothing() {
    let (mut fixture, agent, bookings) = stage(&[]).await;
    let admin = fixture.admin().await;
    // Journeys of long ago.
    fixture
        .sql("update bookings set product_content = regexp_replace(product_content::text, '\"20[0-9]{2}-', '\"2019-', 'g')::jsonb")
        .await;
    let path = &bookings.0[0].0;
    let reference = path.rsplit('/').next().unwrap();
    let erase = format!("/org/bookings/{reference}/people/erase");
    for dies in [Dies::Api(1), Dies::Postgres(1)] {
        let when = format!("{dies:?}");
        fixture.restart().await;
        let asked = admin.at(&fixture.crash_target.url);
        fixture.crash_target.arm("erase:key_gone").await;
        let asking = tokio::spawn({
            let erase = erase.clone();
            async move {
                let request = asked.request(reqwest::Method::POST, &erase).json(&json!({}));
                asked.try_send(request).await.is_ok_and(|reply| reply.status == 200)
            }
        });
        fixture.crash_target.reached().await;
        dies.strike(&mut fixture).await;
        assert!(!asking.await.unwrap(), "{when}");
        fixture.is_well(&when).await;
        fixture.restart().await;
        let shown = agent.at(&fixture.crash_target.url).get(path).await.ok();
        assert_eq!(shown["passengers"], bookings.0[0].1["passengers"], "{when}");
    }
    let asked = admin.at(&fixture.crash_target.url);
    for _ in 0..2 {
        asked.post(&erase, &json!({})).await.says(200, "people erased");
    }
    let told = "select entity_id from events where action = 'people.erased'";
    assert_eq!(fixture.books.lines(told).await, [reference]);
    fixture.is_well("in the end").await;
    fixture.end().await;
}

/// Without a kill all is well with it, but for those who look between the two.
#[tokio::test(flavor = "multi_thread")]
async fn people_that_are_sealed_or_erased_by_halves_are_found() {
    for (moment, found) in
        [("people:sealed", "neither sealed nor readable"), ("erase:key_gone", "not gone, or was not told")]
    {
        let (mut fixture, ..) = stage(&["bug:commit-halfway"]).await;
        match moment {
            "people:sealed" => fixture.unseal().await,
            _ => fixture.sql("update booking_people set erase_after = current_date - 1").await,
        }
        fixture.restart_with(&[&format!("arm={moment}")]).await;
        fixture.crash_target.reached().await;
        fixture.crash_target.kill().await;
        let wrongs = fixture.books.wrongs().await;
        assert!(wrongs.iter().any(|wrong| wrong.contains(found)), "{moment}: {wrongs:?}");
        fixture.end().await;
    }
}
