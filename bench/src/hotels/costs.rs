//! What reading and pricing of one search's answer costs, and what is kept of it, by the functions that production uses.

use std::time::{Duration, Instant};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region};
use wayfare_domain::{Clock, Currency, OrganizationId, SearchId, UserId};
use wayfare_hotels::{HotelResults, liteapi};
use wayfare_operations::{
    SupplierReport, SupplierState, Tariff,
    hotels::{Criteria, Location, SearchSession},
};
use wayfare_supply::Answer;

use super::{HOTELS, RATES, Recording, StubSupplier, stub_supplier::CODE};
use crate::{
    Result,
    searches::{Cost, tariff},
};

/// Each part is timed so often; the median counts.
const ROUNDS: usize = 9;

/// What a search allocates, and how long its parts take on one core. Nothing is allocated unless the program's allocator
/// is [`INSTRUMENTED_SYSTEM`].
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// From bytes to hotels and their rates.
    pub read: (Cost, Duration),
    /// From rates to the caller's prices, with which they are frozen.
    pub price: (Cost, Duration),
    /// To the bytes that other processes read, where there is Redis.
    pub share: (Cost, Duration),
    /// How many bytes these are.
    pub shared: usize,
    /// Bytes that stay with the kept search.
    pub kept: usize,
}

impl Costs {
    /// Counts. Nothing else may be done by the process meanwhile.
    pub async fn of(recording: &Recording, supplier: &StubSupplier) -> Result<Self> {
        let tariff = tariff(&Clock::system());
        let now = Clock::system().now();
        let read = || liteapi::read::search(&recording.body, supplier.query(), Currency::INR, now);
        // Asks what the hotels are, which is known from then on.
        drop(supplier.find().await?);

        let before = Region::new(&INSTRUMENTED_SYSTEM);
        let snapshot = priced(empty(supplier), supplier.find().await?, &tariff);
        let change = before.change();
        let kept = change.bytes_allocated.saturating_sub(change.bytes_deallocated);
        let rates: usize = snapshot.hotels.iter().map(|kept| kept.prices.len()).sum();
        if (snapshot.hotels.len(), rates) != (HOTELS, RATES) {
            let errors: Vec<_> = snapshot.reports.iter().map(|report| &report.errors).collect();
            return Err(format!("{} hotels, {rates} rates: {errors:?}", snapshot.hotels.len()).into());
        }
        let shared = serde_json::to_vec(&snapshot)?.len();

        let [mut reads, mut prices, mut shares] = [const { Vec::new() }; 3];
        for _ in 0..ROUNDS {
            let (read, found) = timed(read);
            let found = found?;
            let empty = empty(supplier);
            let (price, priced) = timed(|| priced(empty, found, &tariff));
            let (share, bytes) = timed(|| serde_json::to_vec(&priced));
            bytes?;
            reads.push(read);
            prices.push(price);
            shares.push(share);
        }
        Ok(Self {
            read: median(reads),
            price: median(prices),
            share: median(shares),
            shared,
            kept,
        })
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> ((Cost, Duration), T) {
    let begun = Instant::now();
    let (cost, done) = Cost::of(work);
    ((cost, begun.elapsed()), done)
}

/// What is allocated is the same each time.
fn median(mut rounds: Vec<(Cost, Duration)>) -> (Cost, Duration) {
    rounds.sort_unstable_by_key(|(_, took)| *took);
    rounds.get(rounds.len() / 2).copied().unwrap_or_default()
}

fn priced(mut snapshot: SearchSession, found: HotelResults, tariff: &Tariff) -> SearchSession {
    let report = SupplierReport {
        code: CODE.to_owned(),
        state: SupplierState::Error,
        duration: Duration::ZERO,
        results: 0,
        errors: Vec::new(),
        searched: Vec::new(),
    };
    snapshot.add(tariff, report, Some(Answer::Done(found)));
    snapshot
}

fn empty(supplier: &StubSupplier) -> SearchSession {
    let (clock, query) = (Clock::system(), supplier.query());
    SearchSession {
        id: SearchId::new(&clock).to_string(),
        organization: OrganizationId::new(&clock),
        user: UserId::new(&clock),
        criteria: Criteria {
            check_in: query.check_in,
            check_out: query.check_out,
            rooms: query.rooms.clone(),
            location: Location::Place(query.area.clone(), None),
            nationality: query.nationality.clone(),
            language: query.language.clone(),
            currency: Currency::INR,
        },
        created_at: clock.now(),
        expires_at: clock.now() + Duration::from_secs(20 * 60),
        reports: Vec::new(),
        hotels: Vec::new(),
    }
}
