//! What reading, pricing and printing of suppliers' answers allocates, by the functions that production uses.

use std::{sync::Arc, time::Duration};

use chrono::Days;
use rust_decimal::dec;
use secrecy::SecretSlice;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region};
use wayfare_domain::{AnswerId, Clock, Currency, Money, OrganizationId, PackageId, Party, SearchId, UserId};
use wayfare_flights::{Cabin, Offers, Query, Slice, TripType, duffel, tripjack};
use wayfare_operations::{
    Secrets, SigningKey, SigningKeys, Tariff,
    flights::{CachedOffers, SearchContext, SessionPart},
    people::PeopleKeys,
};
use wayfare_pricing::{ApplyOn, Fee, Level, Markup, MarkupKind, Package, RateTable, Rules, Terms};
use wayfare_search_response::flights::SearchResponseBuilder;
use wayfare_supply::Answer;

use super::{Recording, Wire};
use crate::Result;

#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// How often, each enlargement included.
    pub allocations: usize,
    /// How much, whether it is freed later or not.
    pub bytes: usize,
}

/// What a search over the suppliers of one wire allocates. All is nothing unless the program's allocator is
/// [`INSTRUMENTED_SYSTEM`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    pub offers: usize,
    /// From bytes to offers.
    pub read: Cost,
    /// From offers to the caller's prices and ids.
    pub price: Cost,
    /// From prices to our bytes.
    pub print: Cost,
    /// Bytes that stay with the kept search.
    pub kept: usize,
}

impl Cost {
    fn of<T>(work: impl FnOnce() -> T) -> (Self, T) {
        let region = Region::new(&INSTRUMENTED_SYSTEM);
        let done = work();
        let change = region.change();
        let cost =
            Self { allocations: change.allocations + change.reallocations, bytes: change.bytes_allocated };
        (cost, done)
    }

    fn add(&mut self, other: Self) {
        self.allocations += other.allocations;
        self.bytes += other.bytes;
    }
}

impl Costs {
    /// Counts. Nothing else may be done by the process meanwhile.
    pub fn of(recordings: &[Recording], wire: Wire) -> Result<Self> {
        let agency = Agency::new()?;
        let mut costs = Self::default();
        let before = Region::new(&INSTRUMENTED_SYSTEM);
        let mut snapshot = SearchResponseBuilder::new(agency.context.clone(), None, Vec::new());
        let mut kept: Vec<SessionPart> = Vec::new();
        for recording in recordings.iter().filter(|recording| recording.wire == wire) {
            let (read, found) = Cost::of(|| agency.read(recording));
            let found = found?;
            if found.offers.len() != recording.offers {
                return Err(format!(
                    "{} of {} offers: {:?}",
                    found.offers.len(),
                    recording.offers,
                    found.unusable
                )
                .into());
            }
            let (price, (arrival, part)) = Cost::of(|| agency.price(found, costs.offers));
            let (print, printed) = Cost::of(|| snapshot.add(arrival));
            printed?;
            costs.offers += recording.offers;
            costs.read.add(read);
            costs.price.add(price);
            costs.print.add(print);
            kept.extend(part);
        }
        let (print, written) = Cost::of(|| {
            let mut body = Vec::new();
            snapshot.write(Duration::from_millis(700), &mut body).map(|()| body)
        });
        written?;
        costs.print.add(print);
        drop(snapshot);
        let change = before.change();
        costs.kept = change.bytes_allocated.saturating_sub(change.bytes_deallocated);
        drop(kept);
        Ok(costs)
    }
}

/// What counts for somebody whose rules are of every sort.
pub(crate) fn tariff(clock: &Clock) -> Tariff {
    let money = |amount| Money::rounded(amount, Currency::INR);
    let rules = Rules {
        package: Some(Package {
            id: PackageId::new(clock),
            name: "Monsoon".to_owned(),
            level: Level::Agency,
            markup: Markup { kind: MarkupKind::Percent, value: dec!(4.5), apply_on: ApplyOn::Fare },
            price_ranges: Vec::new(),
        }),
        terms: Terms {
            service_fee: Fee::Percent(dec!(1.25)),
            gst_percent: dec!(18),
            platform_charge: money(dec!(10)),
            min_commission: money(dec!(1)),
            max_commission: money(dec!(5000)),
        },
        contracts: Vec::new(),
    };
    Tariff { rules, rates: Box::new(RateTable::default()) }
}

struct Agency {
    secrets: Secrets,
    context: SearchContext,
}

impl Agency {
    fn new() -> Result<Self> {
        let clock = Clock::system();
        let key = SecretSlice::from(vec![7; 32]);
        let signing = SigningKeys::new(vec![SigningKey::new(key.clone(), None)?], Box::new(|| None))?;
        let query = Query {
            trip_type: TripType::OneWay,
            party: Party { adults: 1, children: 0, infants: 0 },
            cabin: Cabin::Economy,
            slices: vec![Slice::between(
                ("DEL", None),
                ("BOM", None),
                clock.now().date_naive() + Days::new(30),
            )],
            direct_only: false,
            airline: None,
        };
        Ok(Self {
            secrets: Secrets::new(signing, &key, PeopleKeys::only(key.clone())?)?,
            context: SearchContext {
                id: SearchId::new(&clock),
                organization: OrganizationId::new(&clock),
                user: UserId::new(&clock),
                query: Arc::new(query),
                created_at: clock.now(),
                expires_at: clock.now() + Duration::from_secs(20 * 60),
                currency: Currency::INR,
                tariff: Arc::new(tariff(&clock)),
            },
        })
    }

    fn read(&self, recording: &Recording) -> Result<Offers> {
        let (party, now) = (self.context.query.party, self.context.created_at);
        Ok(match recording.wire {
            Wire::Duffel => duffel::read::search(&recording.body, true)?,
            Wire::TripJack => tripjack::read::search(&recording.body, party, now)?,
        })
    }

    fn price(
        &self,
        found: Offers,
        first: usize,
    ) -> (wayfare_operations::flights::PricedSupplierResult, Option<SessionPart>) {
        let cached =
            Arc::new(CachedOffers::new(AnswerId::new(&Clock::system()), "supplier".to_owned(), found));
        let (code, duration) = (cached.supplier.clone(), Duration::from_millis(700));
        self.context.price_supplier_result(&self.secrets, first, code, duration, Answer::Done(cached))
    }
}
