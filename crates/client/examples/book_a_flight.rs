//! Searches, prices, books, reads and cancels a flight at a server that is running.
//!
//! ```sh
//! cargo run --release &                                        # prints where its data folder is
//! cargo run -p wayfare-client --example book_a_flight -- <data folder>/demo.json
//! ```
//!
//! Without a file it reads `WAYFARE_URL`, `WAYFARE_AGENT_ID`, `WAYFARE_USERNAME` and `WAYFARE_PASSWORD`.

use std::{env, error::Error, fs, time::Duration};

use chrono::{Days, NaiveDate, Utc};
use futures_util::TryStreamExt;
use serde::Deserialize;
use wayfare_client::{Client, Outcome, Session, enums::*, flights::*};

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
        println!("{} offers", snapshot.found.offers.len());
        found = Some(snapshot.found);
    }
    // The dearest gives most back.
    let found = found.ok_or("no search")?;
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
    // Who runs the example twice wants the same flight twice.
    let order = FlightOrder::of(&priced, contact, vec![traveller]).allow_duplicate(true);
    let booking_ref = match flights.book(&order).await?.answer {
        Outcome::Done(booked) => booked.booking_ref,
        Outcome::Pending(pending) => pending.booking_ref,
    };
    let booking = flights.wait_until_settled(&booking_ref, Duration::from_secs(120)).await?;
    println!("{booking_ref} is {}: {} paid", booking.status, booking.pricing.total_payable);

    match flights.cancel(&booking_ref).await?.answer {
        Outcome::Done(cancelled) => println!("{} came back", cancelled.amounts.refund_to_wallet),
        Outcome::Pending(_) => println!("the supplier has not said yet what comes back"),
    }
    session.log_out().await?;
    Ok(())
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
