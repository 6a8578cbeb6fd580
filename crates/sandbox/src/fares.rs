//! What a bundle costs, what it includes and what it forgives: worked out from the bundle, never rolled per call.

use chrono::{DateTime, Datelike, TimeDelta, Utc, Weekday};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::airlines::{Cabin, Style};
use crate::itinerary::{Brand, Bundle, Flight, Journey, PassengerType, RouteScenario, Search, Traveller};
use crate::rng::Rng;
use crate::tariff::Tariff;

/// The price and terms of a bundle for a whole party.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fare {
    pub(crate) base: Decimal,
    pub(crate) tax: Decimal,
    pub(crate) refund: Rule,
    pub(crate) change: Rule,
    /// Some airlines do not say what their fares forgive; the rules hold all the same.
    #[serde(rename = "rules_are_told")]
    pub(crate) discloses_rules: bool,
    /// How long the seats are held unpaid, where they are.
    pub(crate) hold: Option<Hold>,
    pub(crate) brand_name: String,
    pub(crate) emissions_kg: u32,
}

impl Fare {
    pub(crate) fn total(&self) -> Decimal {
        self.base + self.tax
    }

    /// The fare after its price moved by so many percent.
    pub(crate) fn moved(self, tariff: &Tariff, percent: Decimal) -> Self {
        let total = tariff.moved(self.total(), percent);
        let tax = tariff.moved(self.tax, percent);
        Self { base: total - tax, tax, ..self }
    }
}

/// What happens on a cancellation or a change before departure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) allowed: bool,
    /// For the whole party; nothing is said where it is not allowed.
    pub(crate) penalty: Option<Decimal>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hold {
    pub(crate) hours_to_pay: u16,
    /// How long the price is guaranteed; less than the seats, or not at all.
    pub(crate) hours_of_price: Option<u16>,
}

impl Hold {
    /// Until when to pay and how long the price is guaranteed, for seats found at `found_at`; none where the departure is
    /// too close to wait for money.
    pub(crate) fn deadlines(&self, found_at: DateTime<Utc>, departure: DateTime<Utc>) -> Option<Deadlines> {
        let last = departure - TimeDelta::hours(4);
        let after = |hours: u16| (found_at + TimeDelta::hours(i64::from(hours))).min(last);
        (last > found_at + TimeDelta::hours(2)).then(|| Deadlines {
            pay_by: after(self.hours_to_pay),
            price_until: self.hours_of_price.map(after),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deadlines {
    pub(crate) pay_by: DateTime<Utc>,
    pub(crate) price_until: Option<DateTime<Utc>>,
}

/// Pieces of baggage that a fare includes for one traveller on one flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bags {
    pub(crate) carry_on: u8,
    pub(crate) checked: u8,
}

pub(crate) fn fare(seed: u64, tariff: &Tariff, bundle: &Bundle, search: &Search) -> Fare {
    let (mut base, mut tax) = (tariff.zero(), tariff.zero());
    for traveller in &search.party {
        let charges = charges(seed, tariff, bundle, traveller.kind);
        base += charges.base;
        tax += charges.sales_tax + charges.airport_tax;
    }
    let mut rng = Rng::of(seed, &format!("terms/{}", bundle.name()));
    let (refund, change) = rules(tariff, bundle.brand, base);
    Fare {
        base,
        tax,
        refund,
        change,
        discloses_rules: bundle.airline.style == Style::Everywhere || !rng.one_in(6),
        hold: hold(&mut rng, bundle, search.scenario),
        brand_name: brand_name(bundle),
        emissions_kg: emissions_kg(bundle, search),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Charges {
    pub(crate) base: Decimal,
    pub(crate) sales_tax: Decimal,
    /// What the airports take of who sits on a seat.
    pub(crate) airport_tax: Decimal,
}

/// What a traveller of that kind pays for a bundle.
pub(crate) fn charges(seed: u64, tariff: &Tariff, bundle: &Bundle, kind: PassengerType) -> Charges {
    let journeys = || bundle.journeys.iter();
    let adult_cents: u64 = journeys().map(|journey| adult_base_cents(seed, bundle, journey)).sum();
    let airport_cents: u64 = journeys().flat_map(Journey::flights).map(airport_tax_cents).sum();
    let (share_permille, uses_a_seat) = share(kind);
    let base = tariff.permille(tariff.of_cents(adult_cents), share_permille);
    let sales_tax_permille = if bundle.cabin == Cabin::Economy { 50 } else { 120 };
    Charges {
        base,
        sales_tax: tariff.permille(base, sales_tax_permille),
        airport_tax: if uses_a_seat { tariff.of_cents(airport_cents) } else { tariff.zero() },
    }
}

/// One adult's base fare for one journey, in US cents.
fn adult_base_cents(seed: u64, bundle: &Bundle, journey: &Journey) -> u64 {
    let direct_km = u64::from(journey.first.from.distance_km(journey.last().to));
    // The longer the way, the cheaper the kilometre: in tenths of a cent.
    let by_distance = direct_km.min(1_500) * 36
        + direct_km.saturating_sub(1_500).min(3_000) * 33
        + direct_km.saturating_sub(4_500) * 30;
    let by_class = match bundle.cabin {
        Cabin::Economy => 1000,
        Cabin::PremiumEconomy => 1650,
        Cabin::Business => 3400,
        Cabin::First => 5600,
    };
    let by_brand = match bundle.brand {
        Brand::Basic => 1000,
        Brand::Standard => 1170,
        Brand::Flex => 1410,
    };
    let by_style = match bundle.airline.style {
        Style::LowCost => 860,
        Style::Network => 1080,
        Style::Everywhere => 1000,
    };
    let by_day = match journey.first.departs.date().weekday() {
        Weekday::Fri | Weekday::Sun => 1120,
        Weekday::Tue | Weekday::Wed => 930,
        _ => 1000,
    };
    let by_connection = if journey.then.is_empty() { 1000 } else { 890 };
    // The seats left in one flight have one price, whatever the brand or class.
    let flight = format!("{}{}{}", journey.first.airline.code, journey.first.number, journey.first.departs);
    let by_demand = u64::from(Rng::of(seed, &flight).between(860, 1240));
    [by_class, by_brand, by_style, by_day, by_connection, by_demand]
        .into_iter()
        .fold(2_000 + by_distance / 10, |cents, permille: u64| cents * permille / 1000)
}

fn airport_tax_cents(flight: &Flight) -> u64 {
    let international = flight.from.iso_country != flight.to.iso_country;
    let letters: u64 = flight.from.iata.bytes().map(u64::from).sum();
    let dear = if international { 2_400 } else { 780 };
    dear + letters % 37 * 31
}

/// What a traveller pays of an adult's base fare, in thousandths, and whether on a seat.
fn share(kind: PassengerType) -> (u32, bool) {
    match kind {
        PassengerType::Adult => (1000, true),
        PassengerType::Child => (750, true),
        PassengerType::Infant => (100, false),
    }
}

/// What a brand forgives, of a base fare: cancelling, then changing.
pub(crate) fn rules(tariff: &Tariff, brand: Brand, base: Decimal) -> (Rule, Rule) {
    let no = Rule { allowed: false, penalty: None };
    let at = |permille| Rule { allowed: true, penalty: Some(tariff.permille(base, permille)) };
    match brand {
        Brand::Basic => (no.clone(), no),
        Brand::Standard => (at(300), at(180)),
        Brand::Flex => (at(0), at(0)),
    }
}

fn hold(rng: &mut Rng, bundle: &Bundle, scenario: RouteScenario) -> Option<Hold> {
    if bundle.airline.style == Style::Everywhere || scenario.only_holds {
        return Some(Hold { hours_to_pay: 72, hours_of_price: Some(48) });
    }
    let terms = [
        Hold { hours_to_pay: 24, hours_of_price: Some(24) },
        Hold { hours_to_pay: 48, hours_of_price: Some(24) },
        Hold { hours_to_pay: 72, hours_of_price: None },
    ];
    (rng.between(1, 5) > 2).then(|| rng.pick(&terms).copied()).flatten()
}

fn brand_name(bundle: &Bundle) -> String {
    let class = cabin_name(bundle.cabin);
    match (bundle.airline.style, bundle.brand) {
        (Style::Everywhere, Brand::Basic) => "Basic".to_owned(),
        (Style::Everywhere, Brand::Standard) => "Comfort".to_owned(),
        (Style::LowCost, Brand::Basic) => "Saver".to_owned(),
        (Style::LowCost, Brand::Standard) => "Flexi Plus".to_owned(),
        (Style::LowCost, Brand::Flex) => "Super 6".to_owned(),
        (_, Brand::Basic) => format!("{class} Light"),
        (_, Brand::Standard) => format!("{class} Standard"),
        (_, Brand::Flex) => format!("{class} Flex"),
    }
}

pub(crate) fn cabin_name(cabin: Cabin) -> &'static str {
    match cabin {
        Cabin::Economy => "Economy",
        Cabin::PremiumEconomy => "Premium Economy",
        Cabin::Business => "Business",
        Cabin::First => "First",
    }
}

fn emissions_kg(bundle: &Bundle, search: &Search) -> u32 {
    let km: u32 = bundle.journeys.iter().map(Journey::km).sum();
    let seats = search.party.iter().filter(|traveller| share(traveller.kind).1).count();
    let grams_a_km = match bundle.cabin {
        Cabin::Economy => 82,
        Cabin::PremiumEconomy => 120,
        Cabin::Business => 210,
        Cabin::First => 290,
    };
    km.saturating_mul(grams_a_km) / 1000 * u32::try_from(seats).unwrap_or(1)
}

pub(crate) fn bags(bundle: &Bundle, flight: &Flight, traveller: Traveller, scenario: RouteScenario) -> Bags {
    if scenario.no_bags || traveller.kind == PassengerType::Infant {
        return Bags { carry_on: 0, checked: 0 };
    }
    let light = bundle.airline.style == Style::LowCost || flight.km < 1_500;
    let checked = match (bundle.cabin, bundle.brand, bundle.airline.style) {
        (_, _, Style::Everywhere) => 1,
        (Cabin::Economy, Brand::Basic, _) => u8::from(!light),
        (Cabin::Economy, Brand::Standard, _) => 1,
        _ => 2,
    };
    Bags { carry_on: 1, checked }
}

/// The fare's code, as airlines write it: a letter of the class, then a name for the fare.
pub(crate) fn fare_basis(seed: u64, bundle: &Bundle, traveller: Traveller) -> String {
    let letter = match (bundle.cabin, bundle.brand) {
        (Cabin::Economy, Brand::Basic) => 'Q',
        (Cabin::Economy, Brand::Standard) => 'L',
        (Cabin::Economy, Brand::Flex) => 'Y',
        (Cabin::PremiumEconomy, _) => 'W',
        (Cabin::Business, _) => 'J',
        (Cabin::First, _) => 'F',
    };
    let number = Rng::of(seed, &format!("basis/{}", bundle.name())).between(10, 99);
    let ending = match traveller.kind {
        PassengerType::Adult => "",
        PassengerType::Child => "CH",
        PassengerType::Infant => "IN",
    };
    format!("{letter}{number}{}{ending}", bundle.airline.code)
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;

    use super::*;
    use crate::inventory::Inventory;
    use crate::itinerary::{Location, Slice};

    fn search(party: &[PassengerType]) -> Search {
        let date = chrono::NaiveDate::from_ymd_opt(2027, 3, 1).unwrap();
        let slice = Slice { from: Location::of("DEL").unwrap(), to: Location::of("BOM").unwrap(), date };
        let party = party.iter().map(|kind| Traveller { kind: *kind, age: None }).collect();
        Search {
            slices: vec![slice],
            party,
            cabin: Some(Cabin::Economy),
            max_connections: 1,
            scenario: RouteScenario::default(),
        }
    }

    #[test]
    fn a_family_pays_less_than_as_many_adults_and_every_amount_has_two_decimals() {
        let tariff = Tariff::in_currency("INR").unwrap();
        let family = search(&[PassengerType::Adult, PassengerType::Child, PassengerType::Infant]);
        let adults = search(&[PassengerType::Adult, PassengerType::Adult, PassengerType::Adult]);
        for bundle in Inventory::of(1).bundles(&family) {
            let fare = |search| fare(1, &tariff, &bundle, search);
            assert!(fare(&family).total() < fare(&adults).total());
            assert_eq!(fare(&family).total().scale(), 2);
            assert!(fare(&family).base > dec!(1500), "{:?}", fare(&family));
        }
    }

    #[test]
    fn better_brands_cost_more_and_forgive_more() {
        let tariff = Tariff::in_currency("INR").unwrap();
        let search = search(&[PassengerType::Adult]);
        let bundles = Inventory::of(1).bundles(&search);
        let fares: Vec<Fare> = bundles.iter().map(|bundle| fare(1, &tariff, bundle, &search)).collect();
        for brands in fares.chunks(3) {
            assert!(brands[0].total() < brands[1].total() && brands[1].total() < brands[2].total());
            assert!(!brands[0].refund.allowed && brands[0].refund.penalty.is_none());
            assert!(brands[1].refund.penalty.unwrap() > Decimal::ZERO);
            assert_eq!(brands[2].refund.penalty, Some(dec!(0.00)));
        }
    }
}
