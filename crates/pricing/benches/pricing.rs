//! What prices cost: 1,000 offers under a package with bands, fees, bounds and contracts, beside a loop that only copies
//! what suppliers ask, which is the baseline of the same run. In processor time, so that what others do meanwhile on the
//! machine doesn't count.

#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

#[path = "../../../bins/api/benches/search/time.rs"]
mod time;

use std::hint::black_box;

use criterion::{Criterion, Throughput, measurement::WallTime};
use rust_decimal::{Decimal, dec};
use wayfare_domain::{Currency, Money, PackageId};
use wayfare_pricing::{
    ApplyOn, Asked, Contract, Fee, Level, Markup, MarkupKind, Package, PriceRange, Rules, Sale, Terms,
};

const OFFERS: usize = 1_000;

fn rules() -> Rules {
    let money = |amount| Money::rounded(amount, Currency::INR);
    let range = |min: i64, max: Option<i64>, value| PriceRange {
        min_amount: min.into(),
        max_amount: max.map(Decimal::from),
        kind: MarkupKind::Percent,
        value,
        sort_order: 0,
    };
    let contract = |airline: Option<&str>, cabin: Option<&str>, value| Contract {
        supplier: "duffel".to_owned(),
        airline: airline.map(str::to_owned),
        cabin: cabin.map(str::to_owned),
        kind: MarkupKind::Percent,
        value,
    };
    Rules {
        package: Some(Package {
            id: PackageId::from_uuid(uuid::Uuid::nil()),
            name: "Monsoon".to_owned(),
            level: Level::Agency,
            markup: Markup { kind: MarkupKind::Percent, value: dec!(4.5), apply_on: ApplyOn::Fare },
            price_ranges: vec![
                range(0, Some(5_000), dec!(6)),
                range(5_000, Some(20_000), dec!(5)),
                range(20_000, None, dec!(3.75)),
            ],
        }),
        terms: Terms {
            service_fee: Fee::Percent(dec!(1.25)),
            gst_percent: dec!(18),
            platform_charge: money(dec!(10)),
            min_commission: money(dec!(1)),
            max_commission: money(dec!(5000)),
        },
        contracts: vec![
            contract(None, None, dec!(2)),
            contract(Some("BA"), None, dec!(3)),
            contract(Some("AI"), Some("ECONOMY"), dec!(4)),
        ],
    }
}

fn asked(currency: Currency) -> Vec<Asked<'static>> {
    (0..OFFERS as i64)
        .map(|offer| Asked {
            supplier: "duffel",
            airline: Some(if offer % 2 == 0 { "BA" } else { "AI" }),
            cabin: Some("ECONOMY"),
            together: None,
            base: Money::rounded(Decimal::new(123_456 + offer * 3_217, 2), currency),
            taxes: Money::rounded(Decimal::new(34_567 + offer * 517, 2), currency),
            commission: None,
        })
        .collect()
}

fn main() {
    let mut criterion =
        Criterion::default().with_measurement(time::Processor(WallTime)).configure_from_args();
    let mut group = criterion.benchmark_group("1,000 offers");
    group.throughput(Throughput::Elements(OFFERS as u64));
    let (rules, rupees, pounds) = (rules(), asked(Currency::INR), asked(Currency::GBP));
    let rate = dec!(112.4375);
    group.bench_function("baseline: copied", |b| {
        b.iter(|| {
            for asked in &rupees {
                black_box(*asked);
            }
        });
    });
    group.bench_function("priced", |b| {
        b.iter(|| {
            for asked in &rupees {
                let _ = black_box(rules.price(asked));
            }
        });
    });
    group.bench_function("converted, priced and kept as sales", |b| {
        b.iter(|| {
            for asked in &pounds {
                let _ = black_box(Sale::new(&rules, asked, rate));
            }
        });
    });
    group.bench_function("explained", |b| {
        b.iter(|| {
            for asked in &pounds {
                let _ = black_box(Sale::explained(&rules, asked, rate));
            }
        });
    });
    group.finish();
}
