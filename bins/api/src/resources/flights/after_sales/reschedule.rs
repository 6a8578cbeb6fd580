//! Itineraries that could be flown instead, what they would cost, and the rescheduling.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, BookingRef, Currency, Money, MoneyError};
use wayfare_flights::{Cabin, HoldTerms, Journey, Segment, SharedText};
use wayfare_operations::{
    Error, RefundTerms,
    flights::{JourneyOffer, NewItinerary, OriginalState, ReschedulePenalty, Rescheduled},
};
use wayfare_reference::airport;

use super::services::segment_id;
use crate::{
    http::options::AirlineLogos,
    resources::{
        common::{CapitalStatus, CurrencyCode, local},
        flights::{
            airlines,
            requirements::{RequirementView, requirements},
            search::views::HoldTermsView,
        },
    },
};

/// An itinerary that could be flown instead.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NewItinerary")]
pub struct NewItineraryView {
    itinerary_id: String,
    source: String,
    validating_carrier: CarrierView,
    pricing: PricingView,
    slices: Vec<SliceView>,
    fare_key: String,
    hold: HoldTermsView,
    /// What is wanted of the travellers.
    requires: Vec<RequirementView>,
    /// How it is had, where changes were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    way: Option<Way>,
}

/// How other flights are had.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RescheduleWay")]
pub enum Way {
    /// The supplier changes the journey: the booking stays.
    Change,
    /// They are booked, and what they take the place of is given back.
    Rebook,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Carrier")]
struct CarrierView {
    code: String,
    name: String,
    logo_url: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Pricing")]
struct PricingView {
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    total: Amount,
    base: Amount,
    taxes: Amount,
    fees: Amount,
    is_refundable: Option<bool>,
    provider_agent_fare: Amount,
    /// What a change comes to: its `total` is what the wallet pays, or gets below zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ChangePricingView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ChangePricing")]
struct ChangePricingView {
    penalty: Amount,
    difference: Amount,
    total: Amount,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Slice")]
struct SliceView {
    slice_id: String,
    duration_minutes: Option<u32>,
    segments: Vec<NewSegmentView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NewSegment")]
struct NewSegmentView {
    id: String,
    flight_number: SharedText,
    airline: SharedText,
    operating_carrier: Option<SharedText>,
    origin: PlaceView,
    destination: PlaceView,
    departure: String,
    arrival: String,
    duration_minutes: Option<u32>,
    seats_available: Option<u32>,
    cabin: Option<Cabin>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Place")]
struct PlaceView {
    code: String,
    name: Option<&'static str>,
    city: Option<&'static str>,
    country: Option<&'static str>,
    terminal: Option<SharedText>,
}

/// Changes at the supplier, then what can be booked instead; how each is had is said where both were asked for.
///
/// # Errors
/// When amounts don't add up.
pub fn new_itineraries(
    changes: Vec<JourneyOffer>,
    found: Vec<NewItinerary>,
    both: bool,
    logos: &AirlineLogos,
) -> Result<Vec<NewItineraryView>, MoneyError> {
    let way = both.then_some(Way::Rebook);
    let changes = changes.into_iter().map(|change| NewItineraryView::of_change(change, logos));
    let found = found.into_iter().map(|itinerary| Ok(NewItineraryView::of(itinerary, way, logos)));
    changes.chain(found).collect()
}

impl NewItineraryView {
    /// This one, with logos from there where the supplier has none.
    pub fn of(found: NewItinerary, way: Option<Way>, logos: &AirlineLogos) -> Self {
        let (offer, price) = (&found.offer, &found.price.sale.price);
        let zero = Money::zero(price.total().currency());
        // S + G + P; what can't be added up is not shown.
        let fees = price.service_fee().plus(price.gst()).and_then(|fees| fees.plus(price.platform_charge()));
        let mut flights = 0;
        Self {
            validating_carrier: CarrierView {
                name: airlines::name(&found.carrier, found.airline.as_ref()).to_owned(),
                logo_url: airlines::logo(&found.carrier, found.airline.as_ref(), logos),
                code: found.carrier,
            },
            pricing: PricingView {
                currency: price.total().currency(),
                total: price.total().number(),
                base: price.base().number(),
                taxes: price.taxes().number(),
                fees: fees.unwrap_or(zero).number(),
                is_refundable: offer.fare.refund.refundable,
                provider_agent_fare: price.agent_fare().number(),
                change: None,
            },
            slices: (1..)
                .zip(&offer.journeys)
                .map(|(number, leg)| SliceView::of(number, leg, &mut flights))
                .collect(),
            requires: requirements(&offer.requires),
            itinerary_id: found.price.id,
            source: found.supplier,
            fare_key: found.fare_key,
            hold: HoldTerms::from(offer).into(),
            way,
        }
    }

    /// A change at the supplier: nothing is bought anew, so its price is what the change comes to.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of_change(found: JourneyOffer, logos: &AirlineLogos) -> Result<Self, MoneyError> {
        let (cost, total) = (found.cost, found.cost.total()?);
        Ok(Self {
            validating_carrier: CarrierView {
                name: airlines::name(&found.carrier, None).to_owned(),
                logo_url: airlines::logo(&found.carrier, None, logos),
                code: found.carrier,
            },
            pricing: PricingView {
                currency: total.currency(),
                total: total.number(),
                base: cost.difference.number(),
                taxes: Money::zero(total.currency()).number(),
                fees: cost.penalty.number(),
                is_refundable: None,
                provider_agent_fare: total.number(),
                change: Some(ChangePricingView {
                    penalty: cost.penalty.number(),
                    difference: cost.difference.number(),
                    total: total.number(),
                }),
            },
            slices: vec![SliceView::of(1, &found.journey, &mut 0)],
            requires: Vec::new(),
            itinerary_id: found.key.clone(),
            source: found.supplier,
            fare_key: found.key,
            hold: HoldTerms { can_hold: Some(false), pay_by: None, price_guaranteed_until: None }.into(),
            way: Some(Way::Change),
        })
    }
}

impl SliceView {
    fn of(number: usize, leg: &Journey, flights: &mut usize) -> Self {
        let segment = |segment: &Segment| {
            *flights += 1;
            NewSegmentView {
                id: segment_id(*flights - 1),
                flight_number: segment.flight_number.clone(),
                airline: segment.airline.clone(),
                operating_carrier: segment.operating_carrier.clone(),
                origin: PlaceView::of(&segment.origin, segment.departure_terminal.clone()),
                destination: PlaceView::of(&segment.destination, segment.arrival_terminal.clone()),
                departure: local(segment.departure),
                arrival: local(segment.arrival),
                duration_minutes: segment.duration_minutes,
                seats_available: segment.seats_available,
                cabin: segment.cabin,
            }
        };
        Self {
            slice_id: format!("slice{number}"),
            duration_minutes: leg.duration_minutes,
            segments: leg.segments.iter().map(segment).collect(),
        }
    }
}

impl PlaceView {
    fn of(code: &str, terminal: Option<SharedText>) -> Self {
        let known = airport(code);
        Self {
            code: code.to_owned(),
            name: known.map(|airport| airport.name),
            city: known.map(|airport| airport.city),
            country: known.map(|airport| airport.country),
            terminal,
        }
    }
}

/// What rescheduling would come to.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ReschedulePenalty")]
pub struct ReschedulePenaltyView {
    booking_ref: BookingRef,
    pnr: String,
    original_agent_fare: Amount,
    original_public_fare: Amount,
    new_agent_fare: Amount,
    new_public_fare: Amount,
    fare_difference_agent: Amount,
    fare_difference_public: Amount,
    penalty: Amount,
    refund_to_wallet: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    total_reschedule_charge: Amount,
    way: Way,
    note: &'static str,
    /// The journeys that would be given back (`leg_index`), where the booking has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    journeys: Option<Vec<usize>>,
}

impl ReschedulePenaltyView {
    /// This one.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of(penalty: &ReschedulePenalty) -> Result<Self, Error> {
        let (old, new) = (&penalty.original_totals, &penalty.new_totals);
        let booking = &penalty.original.booking;
        let has_several = booking.product.journeys().nth(1).is_some();
        Ok(Self {
            booking_ref: booking.reference.clone(),
            pnr: booking.summary.pnr.clone(),
            original_agent_fare: old.agent_fare.number(),
            original_public_fare: old.public_fare.number(),
            new_agent_fare: new.agent_fare.number(),
            new_public_fare: new.public_fare.number(),
            fare_difference_agent: new.agent_fare.minus(old.agent_fare)?.number(),
            fare_difference_public: new.public_fare.minus(old.public_fare)?.number(),
            penalty: penalty.terms.cancellation_charge.number(),
            refund_to_wallet: penalty.terms.refund_to_wallet.number(),
            currency: booking.amount.currency(),
            total_reschedule_charge: penalty.total_charge()?.number(),
            way: match penalty.change {
                Some(_) => Way::Change,
                None => Way::Rebook,
            },
            note: match penalty.change {
                Some(_) => {
                    "the supplier changes the flights; the booking stays, and nothing of it is cancelled"
                }
                None => {
                    "the new itinerary is booked and paid first; then the original is cancelled and its refund \
                     returns to the wallet"
                }
            },
            journeys: has_several.then(|| penalty.journeys.clone()),
        })
    }
}

/// A rescheduling.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Rescheduled")]
pub struct RescheduledView {
    new_booking: NewBookingView,
    cancellation: CancellationView,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NewBooking")]
struct NewBookingView {
    booking_ref: BookingRef,
    pnr: String,
    #[schemars(with = "CapitalStatus")]
    status: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Cancellation")]
struct CancellationView {
    booking_ref: BookingRef,
    #[schemars(extend("enum" = ["cancelled", "pending", "failed", "not_needed"]))]
    status: &'static str,
    /// Null until it is known.
    refund_to_wallet: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The journeys that are given back (`leg_index`), where the booking has several; others stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    journeys: Option<Vec<usize>>,
}

impl From<Rescheduled> for RescheduledView {
    fn from(rescheduled: Rescheduled) -> Self {
        let refunded = |terms: RefundTerms| Some(terms.refund_to_wallet.number());
        let (status, refund_to_wallet, message) = match rescheduled.cancellation {
            OriginalState::Cancelled(terms) => ("cancelled", refunded(terms), None),
            OriginalState::Pending => ("pending", None, None),
            OriginalState::Refused(reason) => ("failed", None, Some(reason)),
            OriginalState::NotNeeded(refund) => ("not_needed", Some(refund.number()), None),
            OriginalState::ChangePending => ("not_needed", None, None),
        };
        let new = rescheduled.new.booking;
        Self {
            new_booking: NewBookingView {
                booking_ref: new.reference,
                pnr: new.summary.pnr,
                status: new.status.as_ref().to_uppercase(),
            },
            cancellation: CancellationView {
                booking_ref: rescheduled.original,
                status,
                refund_to_wallet,
                message,
                journeys: rescheduled.journeys,
            },
        }
    }
}
