//! What giving a stay back costs at which time, by the clocks of the hotel and of the agency.

use std::error::Error;

use chrono::{DateTime, NaiveDateTime, TimeZone, Utc};
use rust_decimal::dec;
use wayfare_domain::{Currency, Money, Zone};
use wayfare_hotels::{CancellationPolicy, Deadline, arrival};

fn main() -> Result<(), Box<dyn Error>> {
    let lisbon: Zone = "Europe/Lisbon".parse()?;
    let euros = |amount| Money::rounded(amount, Currency::EUR);
    let (some, total) = (euros(dec!(80)), euros(dec!(240)));
    // As suppliers write it: moments by the hotel's clocks, which go back an hour early on the 25th.
    let policy = CancellationPolicy {
        refundable: Some(true),
        deadlines: vec![
            deadline("2026-10-24T18:00:00", lisbon, some)?,
            deadline("2026-10-26T00:00:00", lisbon, total)?,
        ],
        ..CancellationPolicy::default()
    };
    for at in ["2026-10-24T16:59:59Z", "2026-10-24T17:00:00Z", "2026-10-26T00:00:00Z"] {
        let at: DateTime<Utc> = at.parse()?;
        println!("{}: {:?} is kept", told(at, lisbon), policy.fee_at(at, total)?);
    }
    if let Some(end) = policy.free_until() {
        println!("free until {}", told(end, lisbon));
    }

    // Refundable, without a word about until when: free until the day of arrival begins there. What is kept from then on
    // the supplier alone knows, so that the fee is a range.
    let silent = CancellationPolicy { refundable: Some(true), ..CancellationPolicy::default() };
    let begins = arrival("2026-10-26".parse()?, Some(lisbon));
    let kept = silent.arriving_at(begins, total).kept_at(begins, total)?;
    println!("{}: {} to {:?} is kept", told(begins, lisbon), kept.least, kept.most);

    // Of what nobody says that it is refundable, everything is kept.
    let unknown = CancellationPolicy::default();
    println!("at any time: {:?} is kept", unknown.fee_at(begins, total)?);
    Ok(())
}

fn deadline(local: &str, zone: Zone, fee: Money) -> Result<Deadline, Box<dyn Error>> {
    let moment: NaiveDateTime = local.parse()?;
    // Of an hour that clocks show twice the first counts: nobody is told that something is free which is not.
    let from = zone.from_local_datetime(&moment).earliest().ok_or("the clocks never show that")?;
    Ok(Deadline { from: from.to_utc(), text: local.to_owned(), fee, is_arrival: false })
}

fn told(at: DateTime<Utc>, hotel: Zone) -> String {
    let (there, here) = (at.with_timezone(&hotel), at.with_timezone(&Zone::KOLKATA));
    format!("{} in {hotel}, {} in India", there.format("%d %b %H:%M:%S"), here.format("%d %b %H:%M:%S"))
}
