//! What a search allocates and keeps for each offer or rate, compared with the committed `counts.txt`: counts that don't hang on
//! the machine. It fails when one is more than a tenth above; `WAYFARE_RENEW_COUNTS=1 cargo test -p wayfare-bench --test
//! search_counts` writes the file anew.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::panic,
    reason = "a test may panic and compares counts"
)]

#[path = "../../../bins/api/benches/search/agency.rs"]
mod agency;
#[path = "../../../bins/api/benches/search/answer.rs"]
mod duffel_answer;
mod hotelbeds_answer;
mod hotels;
mod liteapi_answer;
mod tripjack_answer;

use std::{alloc::System, collections::BTreeMap, fmt::Write, fs, sync::Arc, time::Duration};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use wayfare_domain::Currency;
use wayfare_flights::{Offers, duffel, tripjack};

use agency::{Agency, cached};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// As many as are in the answer of one of ten suppliers.
const OFFERS: usize = 100;
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/search_counts/counts.txt");
/// A count that grows by more of itself fails.
const TOLERANCE: f64 = 0.1;

/// By what is counted, for each offer.
type Counts = BTreeMap<String, f64>;

/// Does the work, and notes how often and how much it allocates.
fn counted<T>(counts: &mut Counts, name: &str, work: impl FnOnce() -> T) -> T {
    let region = Region::new(&INSTRUMENTED_SYSTEM);
    let done = work();
    let change = region.change();
    let mut note = |what: &str, count: usize| {
        *counts.entry(format!("{name} {what}")).or_default() += count as f64 / OFFERS as f64;
    };
    note("allocations", change.allocations + change.reallocations);
    note("bytes", change.bytes_allocated);
    done
}

fn count(counts: &mut Counts, supplier: &str, read: impl FnOnce(&Agency) -> Offers) {
    let agency = Agency::paying_in(Currency::INR);
    let before = Region::new(&INSTRUMENTED_SYSTEM);
    let found = counted(counts, &format!("{supplier} read"), || read(&agency));
    assert_eq!(found.offers.len(), OFFERS, "{:?}", found.unusable);
    let (arrival, part) = counted(counts, &format!("{supplier} price"), || agency.price(cached(found)));
    assert_eq!(arrival.offers().count(), OFFERS);
    let snapshot = counted(counts, &format!("{supplier} print"), || agency.arrange(arrival));
    let written = counted(counts, &format!("{supplier} write"), || {
        let mut out = Vec::new();
        snapshot.write(Duration::from_millis(950), &mut out).unwrap();
        out
    });
    drop((snapshot, written));
    let change = before.change();
    let kept = change.bytes_allocated - change.bytes_deallocated;
    counts.insert(format!("{supplier} kept bytes"), kept as f64 / OFFERS as f64);
    drop(part);
}

fn committed() -> Counts {
    let text = fs::read_to_string(FILE).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let count = |line: &str| {
        let (name, count) = line.rsplit_once(' ').unwrap();
        (name.to_owned(), count.parse().unwrap())
    };
    lines.map(count).collect()
}

fn write(counts: &Counts) {
    let mut text = String::from(
        "# For each offer or rate of a search. `WAYFARE_RENEW_COUNTS=1 cargo test -p wayfare-bench --test search_counts` writes it anew.\n",
    );
    for (name, count) in counts {
        writeln!(text, "{name} {count:.1}").unwrap();
    }
    fs::write(FILE, text).unwrap();
}

#[test]
fn a_search_allocates_and_keeps_no_more_for_an_offer_than_it_did() {
    let mut counts = Counts::new();
    let (duffel_body, tripjack_body) = (duffel_answer::of(OFFERS), tripjack_answer::of(OFFERS));
    for turn in 0..2 {
        // In the first turn tables are filled that stay.
        counts.clear();
        count(&mut counts, "duffel", |_| duffel::read::search(&duffel_body, true).unwrap());
        count(&mut counts, "tripjack", |agency| {
            let context = agency.context();
            let party = Arc::clone(&context.query).party;
            tripjack::read::search(&tripjack_body, party, context.created_at).unwrap()
        });
        hotels::count(&mut counts, &Agency::paying_in(Currency::INR).context().tariff);
        println!("turn {turn}: {counts:#?}");
    }
    if std::env::var_os("WAYFARE_RENEW_COUNTS").is_some() {
        write(&counts);
    }
    let committed = committed();
    let names = |counts: &Counts| counts.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&counts), names(&committed), "other things are counted");
    for (name, count) in &counts {
        let most = committed[name] * (1.0 + TOLERANCE) + 0.1;
        assert!(*count <= most, "{name}: {count:.1}, which was {}", committed[name]);
    }
}
