//! What suppliers offer, in our words and their currency, without any caller's prices.

use std::sync::Arc;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, VariantNames};
use wayfare_domain::Money;
use wayfare_supply::held_bytes;

use crate::{Cabin, FareFee, FareRules, FeeKind, PassengerShare, Requirements, SharedText, TaxPart};

/// How an offer may be bought (docs/API.md, Searches).
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, VariantNames, Serialize, Deserialize)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum OfferKind {
    /// With other combinable offers of the same airline and route.
    Combinable,
    /// As it is, all legs together.
    Bundled,
    /// One leg; the way back is another offer.
    OneWay,
    /// As it is, native to the supplier.
    Offer,
}

/// With what an offer may be paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combination {
    /// The offer's own group.
    pub group: SharedText,
    /// The groups it goes with.
    pub with: Vec<SharedText>,
}

/// What the supplier asks for the whole party, in its currency. Base and taxes always add up to the total:
/// where the supplier's own parts don't, its total wins (P-102).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// B: the base fare.
    pub base: Money,
    /// X: taxes and the supplier's fees.
    pub taxes: Money,
    /// T: everything.
    pub total: Money,
    /// K: what the supplier leaves to the platform, where it says so.
    pub commission: Option<Money>,
}

/// What may be carried, in words; none = the supplier doesn't say.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Baggage {
    /// Checked baggage: `1 piece`, `15 kg`, `none`.
    pub check_in: Option<SharedText>,
    /// Cabin baggage.
    pub cabin: Option<SharedText>,
}

/// What giving it back or changing it costs; none = the supplier doesn't say, which is not "no".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RefundPolicy {
    /// Whether anything comes back before departure.
    pub refundable: Option<bool>,
    /// What the supplier keeps of a refund, in the currency in which it says so, which may be another than the fare's.
    pub cancel_fee: Option<Money>,
    /// Whether it may be changed.
    pub changeable: Option<bool>,
    /// What a change costs, in the currency in which the supplier says so; none where it doesn't.
    pub change_fee: Option<Money>,
    /// What not showing up costs, in the currency in which the supplier says so; none where it doesn't.
    pub no_show_fee: Option<Money>,
    /// The highest fee in each currency, where those of the journeys are in several: nobody can tell the highest of all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomparable_fees: Vec<(FeeKind, Money)>,
}

impl RefundPolicy {
    /// All of it as lines of rules; what is not known is no line.
    pub fn rules(&self) -> FareRules {
        let lines = [
            (FeeKind::Cancellation, self.refundable, self.cancel_fee),
            (FeeKind::DateChange, self.changeable, self.change_fee),
        ];
        let incomparable = &self.incomparable_fees;
        let known = |(kind, allowed, fee): (FeeKind, Option<bool>, Option<Money>)| {
            let allowed = allowed.filter(|_| !incomparable.iter().any(|(of, _)| *of == kind))?;
            Some(FareFee::of(kind, allowed, fee))
        };
        let in_several = |(kind, fee): &(FeeKind, Money)| FareFee::of(*kind, true, Some(*fee));
        let fees = lines.into_iter().filter_map(known);
        FareRules { fees: fees.chain(incomparable.iter().map(in_several)).collect(), text: String::new() }
    }
}

/// What kind of fare it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FareDetails {
    /// The booking class (RBD).
    pub fare_class: Option<SharedText>,
    /// The bundle of conditions that the airline sells (brand): `Economy Flex`; none where the supplier doesn't say.
    pub fare_family: Option<SharedText>,
    /// The airline's name of the fare.
    pub fare_name: Option<SharedText>,
    /// `published`, or the kind of private fare.
    pub fare_type: Option<SharedText>,
    /// Seats left at this fare.
    pub seats_left: Option<u32>,
    /// Of the first segment.
    pub baggage: Baggage,
    /// Of the whole offer.
    pub refund: RefundPolicy,
}

/// One flight: take-off to landing. Times are local to the airport, without zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Marketing carrier, IATA code.
    pub airline: SharedText,
    /// Marketing flight number, digits.
    pub flight_number: SharedText,
    /// IATA airport code.
    pub origin: SharedText,
    /// IATA airport code.
    pub destination: SharedText,
    /// Local at the origin.
    pub departure: NaiveDateTime,
    /// Local at the destination.
    pub arrival: NaiveDateTime,
    /// In the air and at stops.
    pub duration_minutes: Option<u32>,
    /// At the origin; none where the supplier doesn't say.
    pub departure_terminal: Option<SharedText>,
    /// At the destination; none where the supplier doesn't say.
    pub arrival_terminal: Option<SharedText>,
    /// Airports at which it lands without a change of flight.
    pub stops: Vec<SharedText>,
    /// The aircraft's name or code.
    pub aircraft: Option<SharedText>,
    /// The class sold.
    pub cabin: Option<Cabin>,
    /// Operating carrier, IATA code.
    pub operating_carrier: Option<SharedText>,
    /// Seats left in the class.
    pub seats_available: Option<u32>,
    /// The booking class (RBD).
    pub booking_class: Option<SharedText>,
    /// The fare basis code.
    pub fare_basis: Option<SharedText>,
    /// What may be carried.
    pub baggage: Baggage,
}

impl Segment {
    /// A flight of this airline and number between these airports, by their clocks. Nothing else is known of it.
    pub fn new(
        airline: impl Into<SharedText>,
        flight_number: impl Into<SharedText>,
        [origin, destination]: [&str; 2],
        [departure, arrival]: [NaiveDateTime; 2],
    ) -> Self {
        Self {
            airline: airline.into(),
            flight_number: flight_number.into(),
            origin: origin.into(),
            destination: destination.into(),
            departure,
            arrival,
            duration_minutes: None,
            departure_terminal: None,
            arrival_terminal: None,
            stops: Vec::new(),
            aircraft: None,
            cabin: None,
            operating_carrier: None,
            seats_available: None,
            booking_class: None,
            fare_basis: None,
            baggage: Baggage::default(),
        }
    }
}

/// One journey of an offer: the flights from a slice's origin to its destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journey {
    /// In order of departure; never empty.
    pub segments: Vec<Segment>,
    /// Door to door, changes included.
    pub duration_minutes: Option<u32>,
}

impl Journey {
    /// The airports where it begins and where it ends.
    pub fn ends(&self) -> Option<[&str; 2]> {
        let (first, last) = (self.segments.first()?, self.segments.last()?);
        Some([&first.origin, &last.destination])
    }

    /// Changes of flight and landings without one.
    pub fn stops(&self) -> usize {
        self.segments.len().saturating_sub(1)
            + self.segments.iter().map(|segment| segment.stops.len()).sum::<usize>()
    }

    /// Airports between origin and destination, in order.
    pub fn stop_airports(&self) -> Vec<&str> {
        let count = self.segments.len();
        let mut airports = Vec::new();
        for (index, segment) in self.segments.iter().enumerate() {
            airports.extend(segment.stops.iter().map(SharedText::as_str));
            if index + 1 < count {
                airports.push(&segment.destination);
            }
        }
        airports
    }
}

/// One supplier's offer for the whole party.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The supplier's own name of it, with which it is priced and booked.
    pub token: String,
    /// How it may be bought.
    pub kind: OfferKind,
    /// The first slice that it covers: 0 outbound or all, 1 return.
    pub route_index: u8,
    /// With what it may be paired.
    pub combination: Option<Combination>,
    /// The journeys it covers, in order; never empty.
    #[serde(rename = "legs")]
    pub journeys: Vec<Journey>,
    /// The airline that sells it (the validating carrier), IATA code, where the supplier says so.
    #[serde(default)]
    pub owner: Option<SharedText>,
    /// What the supplier asks.
    pub charge: Charge,
    /// By passenger type; none where the supplier tells the party's total only.
    pub shares: Option<Vec<PassengerShare>>,
    /// The kind of fare.
    pub fare: Arc<FareDetails>,
    /// When the supplier forgets it, UTC.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether it can be bought at once.
    pub instant: bool,
    /// Whether it can be held and paid later; none where only pricing tells ([`crate::HoldTerms`]).
    #[serde(rename = "holdable")]
    pub can_hold: Option<bool>,
    /// Until when a hold of it must be paid, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when the price of a hold is guaranteed, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_guaranteed_until: Option<DateTime<Utc>>,
    /// What is wanted of the travellers beside their names.
    #[serde(default, skip_serializing_if = "Requirements::is_empty")]
    pub requires: Requirements,
}

impl Offer {
    /// These journeys at this price, bought as they are and at once. Nothing else is known of them.
    pub fn new(token: impl Into<String>, journeys: Vec<Journey>, charge: Charge) -> Self {
        Self {
            token: token.into(),
            kind: OfferKind::Offer,
            route_index: 0,
            combination: None,
            journeys,
            owner: None,
            charge,
            shares: None,
            fare: Arc::default(),
            expires_at: None,
            instant: true,
            can_hold: Some(false),
            pay_by: None,
            price_guaranteed_until: None,
            requires: Requirements::default(),
        }
    }

    /// Every flight in order.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.journeys.iter().flat_map(|journey| &journey.segments)
    }

    /// Whether it is only sold together with an offer of another group.
    pub fn needs_partner(&self) -> bool {
        self.combination.as_ref().is_some_and(|pair| !pair.with.is_empty())
    }
}

held_bytes! {
    Offer { token, combination, journeys, owner, shares, fare, requires }
    Combination { group, with }
    Journey { segments }
    Segment {
        airline, flight_number, origin, destination, departure_terminal, arrival_terminal, stops, aircraft,
        operating_carrier, booking_class, fare_basis, baggage
    }
    Baggage { check_in, cabin }
    FareDetails { fare_class, fare_family, fare_name, fare_type, baggage }
    PassengerShare { tax_parts }
    TaxPart { code }
}
