//! A ruling is whole or was never made, whoever dies while it is written, and is made once under its key.

use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, one_way};

use crate::{fixture::Fixture, play::quote};

/// Who dies while a ruling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dies {
    Nobody,
    Api,
    Postgres,
}

const KINDS: [&str; 4] = ["supplier_cancelled", "refund", "debit_note", "write_off"];

async fn booked(fixture: &Fixture, agent: &Person) -> String {
    let agent = agent.at(&fixture.crash_target.url);
    let trip = one_way("DEL", "BOM").by("ZZ");
    let order = agent.order(&quote(&agent, SupplierKind::Duffel, &trip).await, &trip);
    let booked = agent.book(&order).await.ok();
    booked["booking_ref"].as_str().unwrap().to_owned()
}

/// How many rulings, transfers of rulings, and rows of the fare ledger but of sales there are.
async fn made(fixture: &Fixture) -> String {
    let query = "select concat_ws(' ', (select count(*) from rulings),
        (select count(*) from transfers where key like 'ruling:%'),
        (select count(*) from fare_transactions where kind <> 'sale'))";
    fixture.books.lines(query).await.concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_is_whole_or_absent_whoever_dies() {
    let mut fixture = Fixture::new(&[]).await;
    let agent = fixture.agent("arjun").await;
    let mut count = 0;
    for kind in KINDS {
        for dies in [Dies::Nobody, Dies::Api, Dies::Postgres] {
            let when = format!("{kind}, {dies:?}");
            let booking = booked(&fixture, &agent).await;
            if kind == "supplier_cancelled" {
                let orders = fixture.supplier.orders().await;
                let order = orders.last().unwrap()["id"].as_str().unwrap().to_owned();
                fixture.supplier.duffel_cancels(&order).await;
            }
            let what = format!("{booking} {kind} 100");
            let before = made(&fixture).await;
            if dies != Dies::Nobody {
                fixture.crash_target.arm("ruling:written").await;
                fixture.crash_target.begin_to_rule(&what).await;
                fixture.crash_target.reached().await;
                match dies {
                    Dies::Postgres => {
                        fixture.kill_postgres().await;
                        fixture.crash_target.go().await;
                        assert_eq!(fixture.crash_target.ruled().await, "nothing", "{when}");
                        fixture.revive_postgres().await;
                    }
                    Dies::Api | Dies::Nobody => fixture.crash_target.kill().await,
                }
                fixture.restart().await;
                assert_eq!(made(&fixture).await, before, "{when}");
                if kind != "supplier_cancelled" {
                    fixture.is_well(&when).await;
                }
            }
            for outcome in ["once", "again"] {
                fixture.crash_target.begin_to_rule(&what).await;
                assert_eq!(fixture.crash_target.ruled().await, outcome, "{when}");
            }
            count += 1;
            assert_eq!(made(&fixture).await, format!("{count} {count} {count}"), "{when}");
            fixture.is_well(&when).await;
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_without_its_fare_row_is_found() {
    let mut fixture = Fixture::new(&["bug:ruling-without-fare"]).await;
    let booking = booked(&fixture, &fixture.agent("arjun").await).await;
    fixture.is_well("before").await;
    fixture.crash_target.begin_to_rule(&format!("{booking} refund 100")).await;
    assert_eq!(fixture.crash_target.ruled().await, "once");
    let wrongs = fixture.books.wrongs().await;
    assert!(wrongs.iter().any(|wrong| wrong.contains("has no row of the fare ledger")), "{wrongs:?}");
    fixture.end().await;
}
