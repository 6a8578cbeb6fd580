//! Itineraries that could be flown instead, what they would cost, and the rescheduling.

use wayfare_contract::{
    flights::{
        Carrier, ChangePrice, NewBooking, NewItinerary, NewItineraryPrice, NewPlace, NewSegment, NewSlice,
        OriginalCancelled, ReschedulePenalty, Rescheduled,
    },
    vocabulary::{OriginalStatus, RescheduleWay},
};
use wayfare_domain::{Money, MoneyError};
use wayfare_flights::{HoldTerms, Journey, Segment, SharedText};
use wayfare_operations::{
    Error, RefundTerms,
    flights::{self, JourneyOffer, OriginalState},
};
use wayfare_reference::airport;
use wayfare_search_response::flights::{AirlineLogos, airline_logo, airline_name, hold_terms, requirements};

use crate::resources::{
    common::{amount, code, local},
    flights::after_sales::services::segment_id,
};

/// Changes at the supplier, then what can be booked instead; how each is had is said where both were asked for.
///
/// # Errors
/// When amounts don't add up.
pub fn new_itineraries(
    changes: Vec<JourneyOffer>,
    found: Vec<flights::NewItinerary>,
    both: bool,
    logos: &AirlineLogos,
) -> Result<Vec<NewItinerary>, MoneyError> {
    let way = both.then_some(RescheduleWay::Rebook);
    let changes = changes.into_iter().map(|change| change_itinerary(change, logos));
    let found = found.into_iter().map(|itinerary| Ok(new_itinerary(itinerary, way.clone(), logos)));
    changes.chain(found).collect()
}

/// This one, with logos from there where the supplier has none.
fn new_itinerary(
    found: flights::NewItinerary,
    way: Option<RescheduleWay>,
    logos: &AirlineLogos,
) -> NewItinerary {
    let (offer, price) = (&found.offer, &found.price.sale.price);
    let zero = Money::zero(price.total().currency());
    // S + G + P; what can't be added up is not shown.
    let fees = price.service_fee().plus(price.gst()).and_then(|fees| fees.plus(price.platform_charge()));
    let mut flights = 0;
    NewItinerary {
        validating_carrier: Carrier {
            name: airline_name(&found.carrier, found.airline.as_ref()).to_owned(),
            logo_url: airline_logo(&found.carrier, found.airline.as_ref(), logos),
            code: found.carrier,
        },
        pricing: NewItineraryPrice {
            currency: code(price.total().currency()),
            total: amount(price.total()),
            base: amount(price.base()),
            taxes: amount(price.taxes()),
            fees: amount(fees.unwrap_or(zero)),
            is_refundable: offer.fare.refund.refundable,
            provider_agent_fare: amount(price.agent_fare()),
            change: None,
        },
        slices: (1..).zip(&offer.journeys).map(|(number, leg)| slice(number, leg, &mut flights)).collect(),
        requires: requirements(&offer.requires),
        itinerary_id: found.price.id,
        source: found.supplier,
        fare_key: found.fare_key,
        hold: hold_terms(HoldTerms::from(offer)),
        way,
    }
}

/// A change at the supplier: nothing is bought anew, so its price is what the change comes to.
///
/// # Errors
/// When amounts don't add up.
fn change_itinerary(found: JourneyOffer, logos: &AirlineLogos) -> Result<NewItinerary, MoneyError> {
    let (cost, total) = (found.cost, found.cost.total()?);
    Ok(NewItinerary {
        validating_carrier: Carrier {
            name: airline_name(&found.carrier, None).to_owned(),
            logo_url: airline_logo(&found.carrier, None, logos),
            code: found.carrier,
        },
        pricing: NewItineraryPrice {
            currency: code(total.currency()),
            total: amount(total),
            base: amount(cost.difference),
            taxes: amount(Money::zero(total.currency())),
            fees: amount(cost.penalty),
            is_refundable: None,
            provider_agent_fare: amount(total),
            change: Some(ChangePrice {
                penalty: amount(cost.penalty),
                difference: amount(cost.difference),
                total: amount(total),
            }),
        },
        slices: vec![slice(1, &found.journey, &mut 0)],
        requires: Vec::new(),
        itinerary_id: found.key.clone(),
        source: found.supplier,
        fare_key: found.key,
        hold: hold_terms(HoldTerms { can_hold: Some(false), pay_by: None, price_guaranteed_until: None }),
        way: Some(RescheduleWay::Change),
    })
}

fn slice(number: usize, leg: &Journey, flights: &mut usize) -> NewSlice {
    let segment = |segment: &Segment| {
        *flights += 1;
        NewSegment {
            id: segment_id(*flights - 1),
            flight_number: segment.flight_number.to_string(),
            airline: segment.airline.to_string(),
            operating_carrier: segment.operating_carrier.clone().map(String::from),
            origin: place(&segment.origin, segment.departure_terminal.as_ref()),
            destination: place(&segment.destination, segment.arrival_terminal.as_ref()),
            departure: local(segment.departure),
            arrival: local(segment.arrival),
            duration_minutes: segment.duration_minutes,
            seats_available: segment.seats_available,
            cabin: segment.cabin.map(|cabin| cabin.as_ref().into()),
        }
    };
    NewSlice {
        slice_id: format!("slice{number}"),
        duration_minutes: leg.duration_minutes,
        segments: leg.segments.iter().map(segment).collect(),
    }
}

fn place(code: &str, terminal: Option<&SharedText>) -> NewPlace {
    let known = airport(code);
    NewPlace {
        code: code.to_owned(),
        name: known.map(|airport| airport.name.to_owned()),
        city: known.map(|airport| airport.city.to_owned()),
        country: known.map(|airport| airport.country.to_owned()),
        terminal: terminal.map(SharedText::to_string),
    }
}

/// What rescheduling would come to.
///
/// # Errors
/// When amounts don't add up.
pub fn penalty(penalty: &flights::ReschedulePenalty) -> Result<ReschedulePenalty, Error> {
    let (old, new) = (&penalty.original_totals, &penalty.new_totals);
    let booking = &penalty.original.booking;
    let has_several = booking.product.journeys().nth(1).is_some();
    Ok(ReschedulePenalty {
        booking_ref: booking.reference.to_string(),
        pnr: booking.summary.pnr.clone(),
        original_agent_fare: amount(old.agent_fare),
        original_public_fare: amount(old.public_fare),
        new_agent_fare: amount(new.agent_fare),
        new_public_fare: amount(new.public_fare),
        fare_difference_agent: amount(new.agent_fare.minus(old.agent_fare)?),
        fare_difference_public: amount(new.public_fare.minus(old.public_fare)?),
        penalty: amount(penalty.terms.cancellation_charge),
        refund_to_wallet: amount(penalty.terms.refund_to_wallet),
        currency: code(booking.amount.currency()),
        total_reschedule_charge: amount(penalty.total_charge()?),
        way: match penalty.change {
            Some(_) => RescheduleWay::Change,
            None => RescheduleWay::Rebook,
        },
        note: match penalty.change {
            Some(_) => "the supplier changes the flights; the booking stays, and nothing of it is cancelled",
            None => {
                "the new itinerary is booked and paid first; then the original is cancelled and its refund \
                     returns to the wallet"
            }
        }
        .to_owned(),
        journeys: has_several.then(|| penalty.journeys.clone()),
    })
}

/// A rescheduling.
pub fn rescheduled(rescheduled: flights::Rescheduled) -> Rescheduled {
    let refunded = |terms: RefundTerms| Some(amount(terms.refund_to_wallet));
    let (status, refund_to_wallet, message) = match rescheduled.cancellation {
        OriginalState::Cancelled(terms) => (OriginalStatus::Cancelled, refunded(terms), None),
        OriginalState::Pending => (OriginalStatus::Pending, None, None),
        OriginalState::Refused(reason) => (OriginalStatus::Failed, None, Some(reason)),
        OriginalState::NotNeeded(refund) => (OriginalStatus::NotNeeded, Some(amount(refund)), None),
        OriginalState::ChangePending => (OriginalStatus::NotNeeded, None, None),
    };
    let new = rescheduled.new.booking;
    Rescheduled {
        new_booking: NewBooking {
            booking_ref: new.reference.to_string(),
            pnr: new.summary.pnr,
            status: new.status.as_ref().into(),
        },
        cancellation: OriginalCancelled {
            booking_ref: rescheduled.original.to_string(),
            status,
            refund_to_wallet,
            message,
            journeys: rescheduled.journeys,
        },
    }
}
