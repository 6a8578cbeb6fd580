//! Who buys what and when, and what becomes of it: drawn once, from a seed.

use chrono::{DateTime, Duration, Utc};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rust_decimal::Decimal;
use wayfare_tests::{StaySearch, Trip, one_way, round_trip, stay_at};

/// How long is played, and how much is sold meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub days: i64,
    pub bookings: usize,
}

#[derive(Clone, Debug)]
pub enum Wanted {
    Flight { supplier: &'static str, trip: Trip },
    Stay(StaySearch),
}

/// What becomes of a booking after its sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    AsSold,
    GivenBack,
    /// The agent gives a part of it back, and where it says so the rest some hours later.
    PartGivenBack {
        part: Part,
        then_rest: bool,
    },
    /// The agent has its flights changed at their supplier.
    Moved,
    /// The airline puts it off by so many minutes, and the agent decides so.
    PutOff {
        minutes: u32,
        decision: Decision,
    },
    /// Its supplier ends it and gives back so many hundredths of what was paid.
    EndedBySupplier {
        percent: u8,
    },
    HotelTells,
    /// The supplier charges this afterwards, and the wallet pays where it can.
    Charged {
        amount: Decimal,
        is_covered: bool,
    },
    /// The supplier charges this afterwards, and the operator bears it.
    WrittenOff(Decimal),
    /// The supplier gives this back afterwards.
    Goodwill(Decimal),
}

/// Which part of a booking is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Journey,
    Traveller,
}

/// What an agent does about a change of an airline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Accept,
    Refund,
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Sale {
    pub at: DateTime<Utc>,
    pub agency: usize,
    pub wanted: Wanted,
    pub has_bag: bool,
    pub fate: Fate,
    pub fated_at: DateTime<Utc>,
}

const FLIGHTS: [(&str, &str); 4] = [("DEL", "BOM"), ("BOM", "BLR"), ("BLR", "HYD"), ("HYD", "DEL")];
/// A booking is for so many days later at most.
const AHEAD: i64 = 120;

/// The sales of that time, the earliest first.
pub fn sales(size: Size, agencies: usize, from: DateTime<Utc>, seed: u64) -> Vec<Sale> {
    let mut random = StdRng::seed_from_u64(seed);
    // What is sold last is flown before the end.
    let selling = Duration::days((size.days - 6).max(1));
    let mut at: Vec<DateTime<Utc>> = (0..size.bookings)
        .map(|_| from + Duration::seconds(random.random_range(0..selling.num_seconds())))
        .collect();
    at.sort();
    let end = from + Duration::days(size.days);
    at.into_iter()
        .enumerate()
        .map(|(index, at)| {
            let left = (end - at).num_days() - 4;
            // Most are sold for soon.
            let ahead = random.random_range(2..=left.clamp(3, AHEAD));
            let ahead = random.random_range(2..=ahead.max(3));
            let wanted = wanted(&mut random, index, ahead);
            let fate = fate(&mut random, &wanted);
            let wanted = fit(wanted, fate, ahead);
            let until = Duration::days(ahead) - Duration::hours(30);
            Sale {
                at,
                agency: random.random_range(0..agencies),
                has_bag: is_at(&wanted, "duffel") && fate != Fate::Moved && random.random_bool(0.3),
                wanted,
                fate,
                fated_at: at + Duration::seconds(random.random_range(3_600..=until.num_seconds().max(3_601))),
            }
        })
        .collect()
}

/// Each supplier sells as often as the others.
fn wanted(random: &mut StdRng, index: usize, ahead: i64) -> Wanted {
    let (origin, destination) = *FLIGHTS.choose(random).unwrap();
    let mut trip = one_way(origin, destination).party(random.random_range(1..=3), 0, 0);
    trip.slices[0].2 = ahead;
    let stay = |supplier| StaySearch { in_days: ahead, nights: 1 + ahead % 3, ..stay_at(supplier) };
    match index % 4 {
        0 => Wanted::Flight { supplier: "duffel", trip },
        1 => Wanted::Stay(stay("liteapi")),
        2 => Wanted::Flight { supplier: "tripjack", trip },
        _ => Wanted::Stay(stay("hotelbeds")),
    }
}

/// A part can be given back only of what has parts: a return that is one order, or more than one traveller.
fn fit(wanted: Wanted, fate: Fate, ahead: i64) -> Wanted {
    match (wanted, fate) {
        (Wanted::Flight { supplier, .. }, Fate::PartGivenBack { part: Part::Journey, .. }) => {
            let mut trip = round_trip("DEL", "DXB");
            for (slice, days) in trip.slices.iter_mut().zip([ahead, ahead + 2]) {
                slice.2 = days;
            }
            Wanted::Flight { supplier, trip }
        }
        (Wanted::Flight { supplier, trip }, Fate::PartGivenBack { .. }) => {
            Wanted::Flight { supplier, trip: trip.party(2, 0, 0) }
        }
        (wanted, _) => wanted,
    }
}

fn is_at(wanted: &Wanted, code: &str) -> bool {
    matches!(wanted, Wanted::Flight { supplier, .. } if *supplier == code)
}

fn fate(random: &mut StdRng, wanted: &Wanted) -> Fate {
    let amount = Decimal::new(random.random_range(5_000..250_000), 2);
    let [is_duffel, is_tripjack] = ["duffel", "tripjack"].map(|code| is_at(wanted, code));
    match random.random_range(0..100) {
        // Each at the one supplier that can do it.
        0..16 if is_duffel => Fate::Moved,
        0..16 if is_tripjack => Fate::PartGivenBack {
            part: [Part::Journey, Part::Traveller].choose(random).copied().unwrap(),
            then_rest: random.random_bool(0.5),
        },
        0..45 => Fate::AsSold,
        45..50 => Fate::GivenBack,
        // Only Duffel says what its airlines have changed.
        50..69 if is_duffel => Fate::PutOff {
            minutes: [20, 55, 90, 180].choose(random).copied().unwrap(),
            decision: [Decision::Accept, Decision::Refund, Decision::Nothing]
                .choose(random)
                .copied()
                .unwrap(),
        },
        50..57 => Fate::GivenBack,
        57..69 if matches!(wanted, Wanted::Stay(_)) => Fate::HotelTells,
        57..69 => Fate::AsSold,
        69..80 => Fate::EndedBySupplier { percent: [100, 100, 60, 0].choose(random).copied().unwrap() },
        80..90 => Fate::Charged { amount, is_covered: random.random_bool(0.6) },
        90..94 => Fate::WrittenOff(amount),
        _ => Fate::Goodwill(Decimal::new(random.random_range(5_000..100_000), 2)),
    }
}
