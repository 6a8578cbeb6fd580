//! Searches, prices, books, reads and cancels a flight at a server that is running, and buys it once whatever gets lost.
//!
//! ```sh
//! cargo run --release &                                        # prints where its data folder is
//! cargo run -p wayfare-client --example book_a_flight -- <data folder>/demo.json
//! ```
//!
//! Without a file it reads `WAYFARE_URL`, `WAYFARE_AGENT_ID`, `WAYFARE_USERNAME` and `WAYFARE_PASSWORD`.

use std::{collections::BTreeSet, env, error::Error, fs, time::Duration};

use chrono::{Days, NaiveDate, Utc};
use futures_util::TryStreamExt;
use serde::Deserialize;
use uuid::Uuid;
use wayfare_client::{Client, Effect, Error::Unknown, Outcome, Session, enums::*, flights::*};

/// What the example needs of `demo.json` (docs/OPERATIONS.md).
#[derive(Deserialize)]
struct Demo {
    base_url: String,
    agent_id: String,
    users: Vec<DemoUser>,
}

#[derive(Deserialize)]
struct DemoUser {
    role: Role,
    username: String,
    password: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let session = log_in().await?;
    let flights = session.flights();
    let day = today() + Days::new(30);

    // Each snapshot takes the place of the one before.
    let search = FlightSearch::one_way("DEL", "BOM", day);
    let mut snapshots = flights.search_stream(&search).await?;
    let mut found = None;
    while let Some(snapshot) = snapshots.try_next().await? {
        found = Some(snapshot.found);
    }
    let found = found.ok_or("no search")?;
    let suppliers: BTreeSet<&str> = found.offers.iter().map(|offer| offer.supplier.as_str()).collect();
    println!("{} offers of {suppliers:?}", found.offers.len());

    // The dearest gives most back.
    let offer = found.offers.last().ok_or("no offers")?;
    let priced = flights.price(&PriceRequest::of([&offer.offer_id])).await?;
    println!("{} at {}", priced.price_summary.total_payable, offer.supplier);

    let born = NaiveDate::from_ymd_opt(1990, 4, 12).ok_or("no date")?;
    let name = (Title::Ms, "Meera", "Shah");
    let traveller = Passenger::new(1, PassengerType::Adult, name, Gender::Female, born);
    let contact = Contact {
        email: "traveller@agency.example".to_owned(),
        phone: "9812345678".to_owned(),
        country_code: "91".to_owned(),
    };
    let order = FlightOrder {
        // Who runs the example twice wants the same flight twice.
        allow_duplicate: true,
        ..FlightOrder::of(&priced, contact, vec![traveller])
    };
    // To be stored with the order before it is sent: whoever crashes sends the same order again under it.
    let key = Uuid::new_v4().to_string();
    let booking_ref = match book(&session, &key, &order).await?.answer {
        Outcome::Done(booked) => booked.booking_ref,
        // It is no refusal: the money is held, and the service asks the supplier until it knows.
        Outcome::Pending(pending) => {
            println!("the supplier has not said yet");
            pending.booking_ref
        }
    };
    let booking = flights.wait_until_settled(&booking_ref, Duration::from_secs(120)).await?;
    println!("{booking_ref} is {}: {} paid", booking.status, booking.pricing.total_payable);

    // As after a crash: nothing is bought a second time.
    let again = book(&session, &key, &order).await?;
    println!("the same key once more: replayed is {}", again.replayed);

    match flights.cancel(&booking_ref).await?.answer {
        Outcome::Done(cancelled) => println!("{} came back", cancelled.amounts.refund_to_wallet),
        Outcome::Pending(_) => println!("the supplier has not said yet what comes back"),
    }
    session.log_out().await?;
    Ok(())
}

/// Books under this key. The client has tried several times when it says that nobody knows what became of it. Under the same
/// key it is safe to ask again, however late and from wherever.
async fn book(session: &Session, key: &str, order: &FlightOrder) -> Effect<FlightBooked> {
    let session = session.keyed(key);
    for pause in [5, 30, 120].map(Duration::from_secs) {
        match session.flights().book(order).await {
            Err(Unknown { because, .. }) => eprintln!("asked again in {pause:?}: {because}"),
            answered => return answered,
        }
        tokio::time::sleep(pause).await;
    }
    session.flights().book(order).await
}

async fn log_in() -> Result<Session, Box<dyn Error>> {
    let Some(path) = env::args().nth(1) else {
        let (agency, username) = (env::var("WAYFARE_AGENT_ID")?, env::var("WAYFARE_USERNAME")?);
        let client = Client::new(env::var("WAYFARE_URL")?)?;
        return Ok(client.log_in(&agency, &username, env::var("WAYFARE_PASSWORD")?).await?);
    };
    let demo: Demo = serde_json::from_slice(&fs::read(path)?)?;
    let agent = demo.users.into_iter().find(|user| user.role == Role::Agent).ok_or("no agent")?;
    let client = Client::new(demo.base_url)?;
    Ok(client.log_in(&demo.agent_id, &agent.username, agent.password).await?)
}

#[allow(clippy::disallowed_methods, reason = "the day of travel is after a person's today")]
fn today() -> NaiveDate {
    Utc::now().date_naive()
}
