//! Reads an answer of Duffel's without a network, then searches at Duffel as the sandbox plays it, in this very process.

use std::error::Error;

use wayfare_domain::{Clock, Party};
use wayfare_flights::{
    Cabin, FlightSupplier, Offers, Query, Slice, TripType,
    duffel::{Duffel, read},
};
use wayfare_sandbox::{Sandbox, Settings};
use wayfare_supply::{Answer, SupplierConfig, SupplierHttp};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Bytes in, our types out: of an answer that was stored, or that an HTTP client of yours fetched.
    let found = read::search(include_bytes!("duffel_answer.json"), true)?;
    show(&found);

    // Time comes from outside, so that it can stand still: this prints the same tomorrow. `Clock::system()` is the machine's.
    let clock = Clock::frozen_at("2026-03-01T12:00:00Z".parse()?);
    let sandbox = Sandbox::start_at(Settings::of_seed(42), clock.clone()).await?;
    // The real one is at another address, and wants a token of yours; nothing else differs.
    let address = format!("{}/duffel", sandbox.base_url());
    let config = SupplierConfig::new("duffel", address, "duffel_test_any");
    // It knows when the supplier wants to be left alone, and how much may be under way there: one for the whole program.
    let duffel = Duffel::new(SupplierHttp::new(config, clock)?);

    let query = Query {
        trip_type: TripType::OneWay,
        party: Party { adults: 1, children: 0, infants: 0 },
        cabin: Cabin::Economy,
        slices: vec![Slice::between(("LHR", None), ("LIS", None), "2026-04-01".parse()?)],
        direct_only: false,
        airline: None,
    };
    let answer = duffel.search(&query).await;
    // A supplier may also refuse, be away, or fall silent; an effect that ended in silence may have happened.
    let Answer::Done(found) = answer else {
        return Err(answer.problem().unwrap_or("no answer").into());
    };
    show(&found);
    sandbox.stop().await;
    Ok(())
}

fn show(found: &Offers) {
    println!("offers: {}", found.offers.len());
    for offer in found.offers.iter().take(3) {
        // Of the whole party, in the supplier's currency.
        print!("{:?}", offer.charge.total);
        for flight in offer.segments() {
            let (from, to) = (&flight.origin, &flight.destination);
            print!(", {}{} {from}-{to} at {}", flight.airline, flight.flight_number, flight.departure);
        }
        // None is not "no": the supplier doesn't say.
        println!(", refundable: {:?}", offer.fare.refund.refundable);
    }
    // What can't be used costs no other offer, and is named.
    for reason in &found.unusable {
        println!("left out: {reason}");
    }
}
