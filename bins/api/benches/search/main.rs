//! What a search costs us beside its supplier: from the bytes of an answer with 1,000 offers to the bytes of ours.
//!
//! `floor` is what nobody can do without: the same bytes read into their types, with all text, and the finished
//! response written. `whole` is everything that production does, by the same functions. The last lines say how
//! they compare: processor time, measured in turns, so that a busy machine treats both alike.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "a benchmark may panic and compares durations"
)]

mod answer;
mod ready;
mod time;

use std::{hint::black_box, sync::Arc, time::Duration};

use chrono::{DateTime, NaiveDate, Utc};
use criterion::{BatchSize, Criterion, Throughput, measurement::WallTime};
use mimalloc::MiMalloc;
use rust_decimal::{Decimal, dec};
use secrecy::SecretSlice;
use uuid::Uuid;
use wayfare_api::SearchResponseBuilder;
use wayfare_domain::{AnswerId, Currency, Money, OrganizationId, PackageId, Party, SearchId, UserId};
use wayfare_flights::{Cabin, Offers, Query, Slice, TripType, duffel::read};
use wayfare_operations::{
    Secrets, SigningKey, SigningKeys, Tariff,
    flights::{CachedOffers, PricedSupplierResult, SearchContext, SessionPart},
};
use wayfare_pricing::{ApplyOn, Contract, Fee, Level, Markup, MarkupKind, Package, RateTable, Rules, Terms};
use wayfare_supply::Answer;

/// As in the server.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const OFFERS: usize = 1_000;
/// Turns of floor and whole for the comparison.
const TURNS: usize = 200;

/// One agency that searches in one currency.
struct Agency {
    secrets: Secrets,
    tariff: Arc<Tariff>,
    currency: Currency,
}

impl Agency {
    fn paying_in(currency: Currency) -> Self {
        let key = SecretSlice::from(vec![7; 32]);
        let signing = SigningKey::new(key.clone(), None).unwrap();
        let signing = SigningKeys::new(vec![signing], Box::new(|| None)).unwrap();
        let money = |amount: Decimal| Money::rounded(amount, currency);
        let rules = Rules {
            package: Some(Package {
                id: PackageId::from_uuid(Uuid::from_u128(4)),
                name: "Monsoon".to_owned(),
                level: Level::Agency,
                markup: Markup {
                    kind: MarkupKind::Percent,
                    value: dec!(4.5),
                    apply_on: ApplyOn::Fare,
                },
                price_ranges: Vec::new(),
            }),
            terms: Terms {
                service_fee: Fee::Percent(dec!(1.25)),
                gst_percent: dec!(18),
                platform_charge: money(dec!(10)),
                min_commission: money(dec!(1)),
                max_commission: money(dec!(5000)),
            },
            contracts: vec![Contract {
                supplier: "duffel".to_owned(),
                airline: None,
                cabin: None,
                kind: MarkupKind::Percent,
                value: dec!(3),
            }],
        };
        let rates = RateTable::default().with(Currency::GBP, Currency::INR, dec!(112.4375));
        Self {
            secrets: Secrets::new(signing, &key).unwrap(),
            tariff: Arc::new(Tariff {
                rules,
                rates: Box::new(rates.unwrap()),
            }),
            currency,
        }
    }

    /// The offers at the agency's prices.
    fn price(&self, cached: Arc<CachedOffers>) -> (PricedSupplierResult, SessionPart) {
        let (code, duration) = (cached.supplier.clone(), Duration::from_millis(900));
        let (arrival, part) =
            self.context()
                .price_supplier_result(&self.secrets, 0, code, duration, Answer::Done(cached));
        (arrival, part.unwrap())
    }

    /// All of it, printed.
    fn arrange(&self, arrival: PricedSupplierResult) -> SearchResponseBuilder {
        let mut snapshot = SearchResponseBuilder::new(self.context(), None, Vec::new());
        snapshot.add(arrival).unwrap();
        snapshot
    }

    fn context(&self) -> SearchContext {
        let created_at: DateTime<Utc> = "2026-05-02T11:40:15Z".parse().unwrap();
        SearchContext {
            id: SearchId::from_uuid(Uuid::from_u128(1)),
            organization: OrganizationId::from_uuid(Uuid::from_u128(2)),
            user: UserId::from_uuid(Uuid::from_u128(3)),
            query: Arc::new(Query {
                trip_type: TripType::OneWay,
                party: Party {
                    adults: 1,
                    children: 0,
                    infants: 0,
                },
                cabin: Cabin::Economy,
                slices: vec![Slice::between(
                    ("SYD", None),
                    ("MEL", None),
                    NaiveDate::from_ymd_opt(2026, 6, 16).unwrap(),
                )],
                direct_only: false,
                airline: None,
            }),
            created_at,
            expires_at: created_at + Duration::from_secs(20 * 60),
            currency: self.currency,
            tariff: self.tariff.clone(),
        }
    }

    fn whole(&self, body: &[u8]) -> Vec<u8> {
        let (arrival, _kept) = self.price(cached(read::search(body, true).unwrap()));
        written(&self.arrange(arrival))
    }
}

fn cached(found: Offers) -> Arc<CachedOffers> {
    let id = AnswerId::from_uuid(Uuid::from_u128(5));
    Arc::new(CachedOffers::new(id, "duffel".to_owned(), found))
}

fn written(snapshot: &SearchResponseBuilder) -> Vec<u8> {
    let mut out = br#"{"success":true,"message":"1000 offers found","data":"#.to_vec();
    snapshot.write(Duration::from_millis(950), &mut out).unwrap();
    out.push(b'}');
    out
}

/// The bytes read into their types, and the finished response, which is known to be this, written from its types.
fn floor(body: &[u8], ready: &ready::Answer) -> Vec<u8> {
    black_box(read::count(body).unwrap());
    serde_json::to_vec(ready).unwrap()
}

fn main() {
    let body = answer::of(OFFERS);
    let mut criterion = Criterion::default()
        .with_measurement(time::Processor(WallTime))
        .configure_from_args();
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(OFFERS as u64));
    let mut comparisons = Vec::new();
    for (name, currency) in [("one currency", Currency::GBP), ("converted", Currency::INR)] {
        let agency = Agency::paying_in(currency);
        let cached = cached(read::search(&body, true).unwrap());
        let (arrival, _kept) = agency.price(cached.clone());
        assert_eq!(arrival.offers().count(), OFFERS);
        let snapshot = agency.arrange(arrival);
        let printed = written(&snapshot);
        let ready: ready::Answer = serde_json::from_slice(&printed).unwrap();
        assert!(
            serde_json::to_vec(&ready).unwrap() == printed,
            "the floor writes the same answer"
        );
        group.bench_function(format!("{name}/floor"), |b| b.iter(|| floor(&body, &ready)));
        group.bench_function(format!("{name}/whole"), |b| b.iter(|| agency.whole(&body)));
        group.bench_function(format!("{name}/floor: read"), |b| {
            b.iter(|| read::count(&body).unwrap())
        });
        group.bench_function(format!("{name}/floor: write"), |b| {
            b.iter(|| serde_json::to_vec(&ready).unwrap());
        });
        group.bench_function(format!("{name}/whole: read"), |b| {
            b.iter(|| read::search(&body, true).unwrap());
        });
        group.bench_function(format!("{name}/whole: price"), |b| {
            b.iter(|| agency.price(cached.clone()));
        });
        group.bench_function(format!("{name}/whole: arrange"), |b| {
            b.iter_batched(
                || agency.price(cached.clone()).0,
                |arrival| agency.arrange(arrival),
                BatchSize::LargeInput,
            );
        });
        group.bench_function(format!("{name}/whole: write"), |b| b.iter(|| written(&snapshot)));
        comparisons.push((name, compare(|| floor(&body, &ready), || agency.whole(&body))));
    }
    group.finish();
    println!(
        "{OFFERS} offers in {} kB, medians of {TURNS} turns:",
        body.len() / 1_000
    );
    for (name, (floor, whole)) in comparisons {
        let ratio = whole.as_secs_f64() / floor.as_secs_f64();
        println!("{name}: floor {floor:.2?}, whole {whole:.2?}, ratio {ratio:.2}");
    }
}

/// The medians of both, run in turns.
fn compare(floor: impl Fn() -> Vec<u8>, whole: impl Fn() -> Vec<u8>) -> (Duration, Duration) {
    let timed = |run: &dyn Fn() -> Vec<u8>| {
        let before = time::spent();
        black_box(run());
        time::spent() - before
    };
    let (floors, wholes): (Vec<_>, Vec<_>) = (0..TURNS).map(|_| (timed(&floor), timed(&whole))).unzip();
    (median(floors), median(wholes))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
