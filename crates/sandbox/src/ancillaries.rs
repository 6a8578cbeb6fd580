//! What can be bought besides the fare: a bag more, a seat of one's choice.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::airlines::{Cabin, Style};
use crate::itinerary::{Bundle, Flight, PassengerType, Search};
use crate::rng::Rng;
use crate::tariff::Tariff;

/// Something for one traveller on some flights of one journey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ancillary {
    pub(crate) kind: AncillaryKind,
    pub(crate) price: Decimal,
    pub(crate) most: u32,
    /// Whose, counted in the party's order.
    pub(crate) traveller: usize,
    pub(crate) journey: usize,
    pub(crate) flights: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AncillaryKind {
    CheckedBag { kilograms: u32 },
    Seat { designator: String },
}

/// The cabin of one flight: rows of seats, and what each seat costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeatPlan {
    pub(crate) journey: usize,
    pub(crate) flight: usize,
    pub(crate) aisles: u8,
    pub(crate) rows: Vec<Row>,
    /// The rows over the wings, by their place in the list.
    pub(crate) wings: (usize, usize),
}

impl SeatPlan {
    pub(crate) fn seats_mut(&mut self) -> impl Iterator<Item = &mut PlannedSeat> {
        let sections = self.rows.iter_mut().filter_map(|row| match row {
            Row::Seats { sections } => Some(sections),
            Row::Exits | Row::Services => None,
        });
        sections.flatten().flatten()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Row {
    Exits,
    Services,
    Seats { sections: Vec<Vec<PlannedSeat>> },
}

/// A seat, and its price where it is free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedSeat {
    pub(crate) designator: String,
    pub(crate) price: Option<Decimal>,
    /// Beside an exit: for adults only.
    pub(crate) adults_only: bool,
}

/// Bags that can be bought with a bundle: for every traveller with a seat, on every journey.
pub(crate) fn bags(seed: u64, tariff: &Tariff, bundle: &Bundle, search: &Search) -> Vec<Ancillary> {
    if search.scenario.no_extras {
        return Vec::new();
    }
    let most = if bundle.airline.style == Style::Everywhere { 1 } else { 2 };
    let mut bags = Vec::new();
    for (at, journey) in bundle.journeys.iter().enumerate() {
        let name =
            format!("bag/{}/{}{}", bundle.airline.code, journey.first.from.iata, journey.last().to.iata);
        let cents = Rng::of(seed, &name).between(1_800, 2_600) + journey.km() / 5;
        let price = tariff.of_cents(u64::from(cents));
        for (traveller, _) in with_a_seat(search) {
            let flights = (0..=journey.then.len()).collect();
            let kind = AncillaryKind::CheckedBag { kilograms: 23 };
            bags.push(Ancillary { kind, price, most, traveller, journey: at, flights });
        }
    }
    bags
}

/// The seats of every flight of a bundle; some airlines have none.
pub(crate) fn seat_plans(seed: u64, tariff: &Tariff, bundle: &Bundle, search: &Search) -> Vec<SeatPlan> {
    let shows_none = ["SA", "ET", "GF"].contains(&bundle.airline.code);
    if search.scenario.no_extras || shows_none {
        return Vec::new();
    }
    let flights = bundle.journeys.iter().enumerate().flat_map(|(journey, flown)| {
        flown.flights().enumerate().map(move |(flight, segment)| (journey, flight, segment))
    });
    flights
        .map(|(journey, flight, segment)| seat_plan(seed, tariff, bundle, (journey, flight), segment))
        .collect()
}

fn seat_plan(
    seed: u64,
    tariff: &Tariff,
    bundle: &Bundle,
    place: (usize, usize),
    flight: &Flight,
) -> SeatPlan {
    let (letters, rows): (&[&str], u32) = match (bundle.cabin, flight.aircraft.wide) {
        (Cabin::Economy, false) => (&["ABC", "DEF"], 28),
        (Cabin::Economy, true) => (&["ABC", "DEFG", "HJK"], 36),
        (Cabin::PremiumEconomy, false) => (&["AC", "DF"], 5),
        (Cabin::PremiumEconomy, true) => (&["AC", "DEFG", "HK"], 6),
        (Cabin::Business | Cabin::First, false) => (&["AC", "DF"], 4),
        (Cabin::Business | Cabin::First, true) => (&["A", "DG", "K"], 8),
    };
    let name = format!("seats/{}{}{}/{:?}", flight.airline.code, flight.number, flight.departs, bundle.cabin);
    let mut rng = Rng::of(seed, &name);
    let exit = rows / 2;
    let mut plan = vec![Row::Services];
    for number in 1..=rows {
        if number == exit {
            plan.push(Row::Exits);
        }
        let by_exit = number == exit || number + 1 == exit;
        let cents = match (number, by_exit) {
            (_, true) => 2_200,
            (1..=4, _) => 1_500,
            (..=12, _) => 900,
            _ => 550,
        };
        let price = tariff.of_cents(cents);
        let seat = |letter: char, rng: &mut Rng| PlannedSeat {
            designator: format!("{number}{letter}"),
            price: (rng.between(1, 5) > 2).then_some(price),
            adults_only: by_exit,
        };
        let sections =
            letters.iter().map(|row| row.chars().map(|letter| seat(letter, &mut rng)).collect()).collect();
        plan.push(Row::Seats { sections });
    }
    plan.push(Row::Services);
    let middle = plan.len() / 2;
    let aisles = if letters.len() > 2 { 2 } else { 1 };
    SeatPlan {
        journey: place.0,
        flight: place.1,
        aisles,
        rows: plan,
        wings: (middle.saturating_sub(2), middle + 2),
    }
}

/// Travellers who sit on a seat of their own, by their place in the party.
pub(crate) fn with_a_seat(search: &Search) -> impl Iterator<Item = (usize, PassengerType)> {
    let kinds = search.party.iter().map(|traveller| traveller.kind).enumerate();
    kinds.filter(|(_, kind)| *kind != PassengerType::Infant)
}

/// The seat of that name as something to buy for a traveller, where it is free and fits.
pub(crate) fn seat(
    plan: &SeatPlan,
    designator: &str,
    traveller: usize,
    kind: PassengerType,
) -> Option<Ancillary> {
    let seats = plan.rows.iter().filter_map(|row| match row {
        Row::Seats { sections } => Some(sections.iter().flatten()),
        Row::Exits | Row::Services => None,
    });
    let seat = seats.flatten().find(|seat| seat.designator == designator)?;
    let price = seat.price.filter(|_| may_sit(seat, kind))?;
    let kind = AncillaryKind::Seat { designator: designator.to_owned() };
    Some(Ancillary { kind, price, most: 1, traveller, journey: plan.journey, flights: vec![plan.flight] })
}

pub(crate) fn may_sit(seat: &PlannedSeat, kind: PassengerType) -> bool {
    kind == PassengerType::Adult || (kind == PassengerType::Child && !seat.adults_only)
}
