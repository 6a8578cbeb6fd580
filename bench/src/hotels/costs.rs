//! What reading and pricing of one search's answer costs, by the functions that production uses, beside what `serde_json`
//! takes to read the same bytes.

use std::{sync::Arc, time::Duration};

use rustix::time::{ClockId, clock_gettime};
use wayfare_domain::{Clock, Currency, OrganizationId, SearchId, UserId};
use wayfare_hotels::{HotelResults, Query, liteapi};
use wayfare_operations::{
    SupplierReport, Tariff,
    hotels::{CachedHotels, Criteria, Location, SearchSession},
};
use wayfare_supply::Answer;

use super::{HOTELS, RATES, Recording, StubSupplier, floor, stub_supplier::CODE};
use crate::{Result, searches::tariff};

/// Each part is timed so often, in turns; the median counts.
const ROUNDS: usize = 9;

/// How long the parts of a search take on one core.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// `serde_json` reads the same bytes into types of its own.
    pub floor: Duration,
    /// From bytes to hotels and their rates.
    pub read: Duration,
    /// From rates to the caller's prices, with which they are frozen.
    pub price: Duration,
    /// To the bytes that other processes read, where there is Redis.
    pub share: Duration,
    /// How many bytes these are.
    pub shared: usize,
}

impl Costs {
    /// Measures this thread.
    pub async fn of(recording: &Recording, supplier: &StubSupplier) -> Result<Self> {
        let clock = Clock::system();
        let tariff = tariff(&clock);
        let now = clock.now();
        let read = || liteapi::read::search(&recording.body, supplier.query(), Currency::INR, now);
        let snapshot = priced(empty(supplier.query(), &clock), supplier.find().await?, &tariff);
        let rates: usize = snapshot.hotels.iter().map(|kept| kept.prices.len()).sum();
        if (snapshot.hotels.len(), rates) != (HOTELS, RATES) {
            let errors: Vec<_> = snapshot.reports.iter().map(|report| &report.errors).collect();
            return Err(format!("{} hotels, {rates} rates: {errors:?}", snapshot.hotels.len()).into());
        }
        let shared = serde_json::to_vec(&snapshot)?.len();

        let [mut floors, mut reads, mut prices, mut shares] = [const { Vec::new() }; 4];
        for _ in 0..ROUNDS {
            let (floor, count) = timed(|| floor::read(&recording.body))?;
            if count? != RATES {
                return Err("the floor reads something else".into());
            }
            let (read, found) = timed(read)?;
            let found = found?;
            let empty = empty(supplier.query(), &clock);
            let (price, priced) = timed(|| priced(empty, found, &tariff))?;
            let (share, bytes) = timed(|| serde_json::to_vec(&priced))?;
            bytes?;
            floors.push(floor);
            reads.push(read);
            prices.push(price);
            shares.push(share);
        }
        Ok(Self {
            floor: median(floors),
            read: median(reads),
            price: median(prices),
            share: median(shares),
            shared,
        })
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Result<(Duration, T)> {
    let begun = spent()?;
    let done = work();
    Ok((spent()?.saturating_sub(begun), done))
}

/// What this thread has spent on a core.
fn spent() -> Result<Duration> {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Ok(Duration::new(time.tv_sec.try_into()?, time.tv_nsec.try_into()?))
}

fn median(mut rounds: Vec<Duration>) -> Duration {
    rounds.sort_unstable();
    rounds.get(rounds.len() / 2).copied().unwrap_or_default()
}

fn priced(mut snapshot: SearchSession, found: HotelResults, tariff: &Tariff) -> SearchSession {
    let report = SupplierReport::unanswered(CODE, Duration::ZERO);
    snapshot.add(tariff, report, Some(Answer::Done(Arc::new(CachedHotels::from(found)))));
    snapshot
}

/// A session of this search to which nothing was added yet.
pub fn empty(query: &Query, clock: &Clock) -> SearchSession {
    let criteria = Criteria {
        check_in: query.check_in,
        check_out: query.check_out,
        rooms: query.rooms.clone(),
        location: Location::Place(query.area.clone(), None),
        nationality: query.nationality.clone(),
        language: query.language.clone(),
        currency: Currency::INR,
    };
    let whose = (OrganizationId::new(clock), UserId::new(clock));
    let lives = (clock.now(), clock.now() + Duration::from_secs(20 * 60));
    SearchSession::new(SearchId::new(clock).to_string(), whose, criteria, lives)
}
