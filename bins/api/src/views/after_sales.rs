//! Bookings as their suppliers show them, services, refunds, rescheduling.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::{
    Amount, BookingRef, BookingStatus, Currency, Money, OrderReference, OrderStatus, RefundStatus,
    TicketStatus,
};
use wayfare_flights::{AirlineChange, AncillaryKind, Cabin, Itinerary, Leg, Segment, SupplierOrder};
use wayfare_operations::{
    Booking, Error, Order, RefundTerms,
    flights::{
        NewItinerary, OrderServices, OriginalState, RefundRow, RefundState, ReschedulePenalty, Rescheduled,
        Retrieved, Tracked,
    },
};
use wayfare_reference::airport;

use super::{CurrencyCode, local};

/// A booking as we hold it beside what its suppliers show.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Retrieved")]
pub struct RetrievedView {
    local: LocalView,
    /// Of the first order; null when its supplier does not say.
    provider: Option<ShownOrder>,
    /// Of each order, in order of their numbers.
    orders: Vec<Option<ShownOrder>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookingHeld")]
struct LocalView {
    booking_ref: BookingRef,
    pnr: String,
    status: BookingStatus,
    provider: String,
}

#[derive(Clone, Serialize, JsonSchema)]
struct ShownOrder {
    booking_ref: OrderReference,
    provider: String,
    pnr: String,
    status: OrderStatus,
    provider_booking_id: String,
    ticket_status: TicketStatus,
    airline_changes: Vec<AirlineChangeView>,
}

/// Flights that an airline has changed by itself.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "AirlineChange")]
struct AirlineChangeView {
    id: String,
    removed: Vec<FlightView>,
    added: Vec<FlightView>,
    action_taken: Option<String>,
    available_actions: Vec<String>,
    told_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "FlightOfChange")]
struct FlightView {
    airline: String,
    flight_number: String,
    origin: String,
    destination: String,
    departure: String,
    arrival: String,
}

impl From<Retrieved> for RetrievedView {
    fn from(Retrieved { booked, shown }: Retrieved) -> Self {
        let orders: Vec<Option<ShownOrder>> = booked
            .orders
            .iter()
            .zip(shown)
            .map(|(order, shown)| shown.map(|shown| ShownOrder::of(order, shown)))
            .collect();
        Self {
            provider: orders.first().cloned().flatten(),
            orders,
            local: LocalView {
                booking_ref: booked.booking.reference,
                pnr: booked.booking.summary.pnr,
                status: booked.booking.status,
                provider: booked.booking.summary.provider,
            },
        }
    }
}

impl ShownOrder {
    fn of(order: &Order<SupplierOrder>, shown: SupplierOrder) -> Self {
        let status = shown.tickets.first().map(|ticket| ticket.status);
        Self {
            booking_ref: order.reference.clone(),
            provider: order.supplier.clone(),
            pnr: shown.pnr,
            status: shown.status,
            provider_booking_id: shown.id,
            ticket_status: status.unwrap_or(TicketStatus::Pending),
            airline_changes: shown.airline_changes.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<AirlineChange> for AirlineChangeView {
    fn from(change: AirlineChange) -> Self {
        Self {
            id: change.id,
            removed: change.removed.iter().map(FlightView::of).collect(),
            added: change.added.iter().map(FlightView::of).collect(),
            action_taken: change.action_taken,
            available_actions: change.available_actions,
            told_at: change.told_at,
        }
    }
}

impl FlightView {
    fn of(segment: &Segment) -> Self {
        Self {
            airline: segment.airline.clone(),
            flight_number: segment.flight_number.clone(),
            origin: segment.origin.clone(),
            destination: segment.destination.clone(),
            departure: local(segment.departure),
            arrival: local(segment.arrival),
        }
    }
}

/// What suppliers say of a booking's orders, in their own words.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Tracked")]
pub struct TrackedView {
    /// The first order's supplier.
    provider: String,
    /// What it says.
    order: Value,
    /// Of each order, in order of their numbers.
    orders: Vec<TrackedOrder>,
}

#[derive(Serialize, JsonSchema)]
struct TrackedOrder {
    booking_track_id: OrderReference,
    provider: String,
    order: Value,
}

impl TrackedView {
    /// What was told of each order.
    pub fn of(tracked: Vec<Tracked>) -> Self {
        let first = tracked.first();
        Self {
            provider: first.map(|order| order.supplier.clone()).unwrap_or_default(),
            order: first.map(|order| order.raw.clone()).unwrap_or_default(),
            orders: tracked
                .into_iter()
                .map(|order| TrackedOrder {
                    booking_track_id: order.reference,
                    provider: order.supplier,
                    order: order.raw,
                })
                .collect(),
        }
    }
}

/// What can be bought for a booking that stands.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Services")]
pub struct ServicesView {
    #[serde(rename = "SsrDetails")]
    details: SegmentsView,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SegmentsWithServices")]
struct SegmentsView {
    #[serde(rename = "Segments")]
    segments: Vec<SegmentServices>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct SegmentServices {
    segment_no: usize,
    /// What a service for this flight is asked for with.
    segment_id: String,
    origin: String,
    destination: String,
    meals: Vec<ServiceView>,
    baggage: Vec<ServiceView>,
    seats: Vec<ServiceView>,
    others: Vec<ServiceView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Service")]
#[serde(rename_all = "PascalCase")]
struct ServiceView {
    code: String,
    description: String,
    price: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    /// All flights that it covers.
    segment_ids: Vec<String>,
    max_quantity: u32,
}

impl ServicesView {
    /// Each flight of these orders with what is sold for it.
    pub fn of(booking: &Booking<Itinerary>, orders: Vec<OrderServices>) -> Self {
        let flights: Vec<&Segment> = booking.product.legs().flat_map(|leg| &leg.segments).collect();
        let mut segments = Vec::new();
        for order in orders {
            let own = flights
                .iter()
                .enumerate()
                .skip(order.first_segment)
                .take(order.segments);
            for (place, flight) in own {
                let sold = |kind| {
                    let here = order.sold.iter().filter(|(ancillary, _)| {
                        let covers = |covered: &u16| order.first_segment + usize::from(*covered) == place;
                        ancillary.kind == kind && ancillary.segments.iter().any(covers)
                    });
                    here.map(|(ancillary, price)| ServiceView {
                        code: ancillary.code.clone(),
                        description: ancillary.name.clone(),
                        price: price.number(),
                        currency: price.currency(),
                        segment_ids: ancillary
                            .segments
                            .iter()
                            .map(|covered| segment_id(order.first_segment + usize::from(*covered)))
                            .collect(),
                        max_quantity: ancillary.most,
                    })
                    .collect()
                };
                segments.push(SegmentServices {
                    segment_no: place + 1,
                    segment_id: segment_id(place),
                    origin: flight.origin.clone(),
                    destination: flight.destination.clone(),
                    meals: sold(AncillaryKind::Meal),
                    baggage: sold(AncillaryKind::Baggage),
                    seats: sold(AncillaryKind::Seat),
                    others: sold(AncillaryKind::Other),
                });
            }
        }
        Self {
            details: SegmentsView { segments },
        }
    }
}

fn segment_id(place: usize) -> String {
    format!("s{}", place + 1)
}

/// A refund: one for each supplier order that was given back.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Refund")]
pub struct RefundRowView {
    booking_ref: BookingRef,
    pnr: String,
    booking_status: BookingStatus,
    refund_status: RefundStatus,
    provider_refund_id: String,
    cancellation_charge: Amount,
    provider_refund_amount: Amount,
    platform_charges: Amount,
    refund_to_wallet: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    agent_name: String,
    cancelled_at: Option<DateTime<Utc>>,
    refunded_at: Option<DateTime<Utc>>,
}

impl From<RefundRow> for RefundRowView {
    fn from(row: RefundRow) -> Self {
        let refund = row.refund;
        Self {
            booking_ref: row.booking_ref,
            pnr: row.pnr,
            booking_status: row.booking_status,
            refund_status: refund.status,
            provider_refund_id: refund.provider_refund_id.unwrap_or_default(),
            cancellation_charge: refund.cancellation_charge.number(),
            provider_refund_amount: refund.provider_refund_amount.number(),
            platform_charges: refund.platform_charges.number(),
            refund_to_wallet: refund.refund_to_wallet.number(),
            currency: refund.refund_to_wallet.currency(),
            agent_name: row.user_name,
            cancelled_at: row.cancelled_at,
            refunded_at: refund.refunded_at,
        }
    }
}

/// How a booking's refund stands.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RefundState")]
pub struct RefundStateView {
    booking_ref: BookingRef,
    status: RefundStatus,
    provider: String,
    cancellation_charge: Amount,
    provider_refund_amount: Amount,
    platform_charges: Amount,
    refund_to_wallet: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    refund_id: String,
    /// No supplier tells one.
    credit_note_no: &'static str,
    refunded_at: Option<DateTime<Utc>>,
    message: &'static str,
}

impl From<RefundState> for RefundStateView {
    fn from(state: RefundState) -> Self {
        let terms = state.terms;
        Self {
            booking_ref: state.booking.reference,
            status: state.status,
            provider: state.booking.summary.provider,
            cancellation_charge: terms.cancellation_charge.number(),
            provider_refund_amount: terms.provider_refund_amount.number(),
            platform_charges: terms.platform_charges.number(),
            refund_to_wallet: terms.refund_to_wallet.number(),
            currency: terms.refund_to_wallet.currency(),
            refund_id: state.provider_refund_ids.join(", "),
            credit_note_no: "",
            refunded_at: state.refunded_at,
            message: match state.status {
                RefundStatus::Pending => "the supplier has not been asked to carry the cancellation out yet",
                RefundStatus::Processing => "the supplier is at it",
                RefundStatus::Refunded => "the refund is in the wallet",
                RefundStatus::Failed => "the supplier did not cancel; nothing was refunded",
            },
        }
    }
}

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
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Carrier")]
struct CarrierView {
    code: String,
    name: Option<String>,
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
    flight_number: String,
    airline: String,
    operating_carrier: Option<String>,
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
    terminal: Option<String>,
}

impl From<NewItinerary> for NewItineraryView {
    fn from(found: NewItinerary) -> Self {
        let (offer, price) = (&found.offer, &found.price.sale.price);
        let zero = Money::zero(price.total().currency());
        // S + G + P; what can't be added up is not shown.
        let fees = price
            .service_fee()
            .plus(price.gst())
            .and_then(|fees| fees.plus(price.platform_charge()));
        let mut flights = 0;
        Self {
            validating_carrier: CarrierView {
                code: found.carrier,
                name: found.airline.as_ref().map(|airline| airline.name.clone()),
                logo_url: found.airline.and_then(|airline| airline.logo_url),
            },
            pricing: PricingView {
                currency: price.total().currency(),
                total: price.total().number(),
                base: price.base().number(),
                taxes: price.taxes().number(),
                fees: fees.unwrap_or(zero).number(),
                is_refundable: offer.fare.refund.refundable,
                provider_agent_fare: price.agent_fare().number(),
            },
            slices: (1..)
                .zip(&offer.legs)
                .map(|(number, leg)| SliceView::of(number, leg, &mut flights))
                .collect(),
            itinerary_id: found.price.id,
            source: found.supplier,
            fare_key: found.fare_key,
        }
    }
}

impl SliceView {
    fn of(number: usize, leg: &Leg, flights: &mut usize) -> Self {
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
    fn of(code: &str, terminal: Option<String>) -> Self {
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
    note: &'static str,
}

impl ReschedulePenaltyView {
    /// This one.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of(penalty: &ReschedulePenalty) -> Result<Self, Error> {
        let (old, new) = (&penalty.original_totals, &penalty.new_totals);
        let booking = &penalty.original.booking;
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
            note: "the new itinerary is booked and paid first; then the original is cancelled and its refund \
                   returns to the wallet",
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
    status: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Cancellation")]
struct CancellationView {
    booking_ref: BookingRef,
    /// `cancelled`, `pending` or `failed`.
    status: &'static str,
    /// Null until it is known.
    refund_to_wallet: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl From<Rescheduled> for RescheduledView {
    fn from(rescheduled: Rescheduled) -> Self {
        let refunded = |terms: RefundTerms| Some(terms.refund_to_wallet.number());
        let (status, refund_to_wallet, message) = match rescheduled.cancellation {
            OriginalState::Cancelled(terms) => ("cancelled", refunded(terms), None),
            OriginalState::Pending => ("pending", None, None),
            OriginalState::Refused(reason) => ("failed", None, Some(reason)),
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
            },
        }
    }
}
