//! Flight bookings: list, detail, penalty, cancellation, tickets.

mod cancel_views;
pub mod change_views;
pub mod hold;
mod itinerary;
mod locators;
pub mod views;

use std::str::FromStr;

use actix_web::web::Path;
use serde_json::json;
use uuid::Uuid;
use wayfare_contract::flights::{
    self as contract, FlightBooking, FlightBookingRow, FlightCancelled, FlightPenalty, FlightPending,
    TicketsIssued,
};
use wayfare_domain::{BookingRef, ChangeId, ListRequest, Remarks};
use wayfare_flights::Itinerary;
use wayfare_operations::{
    Caller, Error, Note,
    access::idempotency::IdempotencyKey,
    bookings::{
        self, BookingSearch,
        cancel::{self, Cancelled},
    },
    flights::{self, NamedPart, StatedFare, Ticketed},
};

use crate::{
    http::{
        App,
        extract::{Ask, Body, Keyed, Maybe, Nothing, Query},
        idempotent::idempotent,
        json_body::{FromJson, JsonObject},
        reply::{DataReply, Either, Paged, Replied, WithMessage, data, left, paged, right, with_message},
    },
    resources::common::{booking_ref, remarks},
};

/// The last place that a journey of a booking can have: six journeys by nine orders, from 0.
pub(super) const LAST_JOURNEY: usize = 53;

/// So many flights, or travellers, can be named.
const MOST_NAMES: usize = 200;

/// `GET /flights/bookings`.
pub async fn bookings(
    app: App,
    ask: Ask<Caller, Query<(ListRequest, BookingSearch)>>,
) -> Replied<Paged<FlightBookingRow>> {
    let Query((page, search)) = ask.what;
    let page = bookings::list(&app.engine, &ask.who, &search, page).await?;
    let mut holds = flights::holds(&app.core, &page.items).await?;
    let (open, mut pending) = flights::open_changes(&app.core, &page.items).await?;
    let mut costs = bookings::costs(&app.core, &page.items).await?;
    paged(page.map(|booking| {
        let id = booking.id;
        let pending = pending.remove(&id).unwrap_or_default();
        let cost = costs.remove(&id);
        views::row(booking, holds.remove(&id), open.contains(&id), pending, cost)
    }))
}

/// `GET /flights/bookings/{ref}`.
pub async fn booking(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> DataReply<FlightBooking> {
    let booked = bookings::detail(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    let shown = flights::shown(&app.engine, booked).await?;
    data(views::detail(shown, app.core.clock.now()).map_err(Error::from)?)
}

/// `POST /flights/bookings/{ref}/penalty`.
pub async fn penalty(
    app: App,
    ask: Ask<Caller, Maybe<PenaltyBody>>,
    reference: Path<String>,
) -> DataReply<FlightPenalty> {
    let Maybe(body) = ask.what;
    let reference = booking_ref(&reference)?;
    data(match body.unwrap_or_default() {
        PenaltyBody::Part(part) => {
            let penalty = flights::part_penalty(&app.engine, &ask.who, &reference, &part).await?;
            cancel_views::penalty(penalty)?
        }
        PenaltyBody::Change(change) => {
            let quote = flights::refusal_quote(&app.engine, &ask.who, &reference, change).await?;
            cancel_views::refusal(quote)?
        }
    })
}

/// `POST /flights/bookings/{ref}/cancel`.
pub async fn cancel(
    app: App,
    ask: Ask<Caller, Keyed<Maybe<CancelBody>>>,
    reference: Path<String>,
) -> Replied<Either<WithMessage<FlightCancelled>, WithMessage<FlightPending, 202>>> {
    let Ask { who: caller, what: Keyed { body: Maybe(body), key } } = ask;
    let reference = booking_ref(&reference)?;
    let CancelBody { part, remarks } = body.unwrap_or_default();
    let note = remarks.map(Note::Remarks);
    let carry_out = async |key: Option<&IdempotencyKey>| {
        cancelled(flights::cancel_part(&app.engine, &caller, &reference, &part, note, key).await?, &reference)
    };
    let rebuild = async |reference: BookingRef| {
        cancelled(cancel::cancellation::<Itinerary>(&app.core, &caller, &reference).await?, &reference)
    };
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn cancelled(
    cancelled: Cancelled,
    reference: &BookingRef,
) -> Replied<Either<WithMessage<FlightCancelled>, WithMessage<FlightPending, 202>>> {
    match cancelled {
        Cancelled::Done(terms) => {
            left(with_message("booking cancelled", cancel_views::cancelled(reference, &terms, None)))
        }
        Cancelled::Part(terms, part) => left(with_message(
            "part of the booking cancelled",
            cancel_views::cancelled(reference, &terms, Some(&part)),
        )),
        Cancelled::Pending => {
            right(with_message("booking cancellation is pending", views::outcome_pending(reference)))
        }
    }
}

/// `POST /flights/bookings/{ref}/cancel`.
#[derive(Default)]
pub struct CancelBody {
    /// What is given back.
    pub part: NamedPart,
    /// What is said beside it.
    pub remarks: Option<Remarks>,
}

/// `POST /flights/bookings/{ref}/penalty`.
pub enum PenaltyBody {
    /// What giving this part back would cost.
    Part(NamedPart),
    /// What refusing this change would give back.
    Change(ChangeId),
}

impl Default for PenaltyBody {
    fn default() -> Self {
        Self::Part(NamedPart::default())
    }
}

impl FromJson for PenaltyBody {
    const NAME: &str = "FlightPenaltyRequest";
    type Declared = contract::PenaltyRequest;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let part = part(body);
        body.note("change", || json!({ "format": "uuid" }));
        let Some(change) = body.optional_text("change") else { return part.map(Self::Part) };
        let change = Uuid::try_parse(&change).ok();
        if change.is_none() {
            body.fault("change", "must be a UUID");
        } else if part.is_some_and(|part| part != NamedPart::default()) {
            body.fault("change", "must be named alone");
        }
        change.map(|id| Self::Change(ChangeId::from_uuid(id)))
    }
}

/// Which part of the booking is meant; all of it where nothing is said.
fn part(body: &mut JsonObject<'_>) -> Option<NamedPart> {
    let journeys = journeys(body);
    let segments = numbered(body, "segments", |name| name.strip_prefix('s'), "must be a segment_id: s1");
    let travellers = numbered(body, "passengers", |name| Some(name), "must be a pax_id");
    Some(NamedPart { journeys: journeys?, segments: segments?, travellers: travellers? })
}

/// Which journeys of the booking are meant, where it is said; none is at fault.
#[expect(clippy::option_option, reason = "the outer one says that nothing is at fault")]
pub(super) fn journeys(body: &mut JsonObject<'_>) -> Option<Option<Vec<usize>>> {
    body.choice("journeys", |body| body.numbers("journeys", 0..=LAST_JOURNEY, LAST_JOURNEY + 1))
}

/// A list of names, each of which has a number, where it is said; none is at fault.
#[expect(clippy::option_option, reason = "the outer one says that nothing is at fault")]
fn numbered<T: FromStr>(
    body: &mut JsonObject<'_>,
    field: &str,
    number_of: fn(&str) -> Option<&str>,
    problem: &'static str,
) -> Option<Option<Vec<T>>> {
    body.choice(field, |body| numbers_of(body, field, number_of, problem))
}

fn numbers_of<T: FromStr>(
    body: &mut JsonObject<'_>,
    field: &str,
    number_of: fn(&str) -> Option<&str>,
    problem: &'static str,
) -> Option<Vec<T>> {
    let names = body.texts(field, MOST_NAMES)?;
    let mut numbers = Vec::new();
    let mut is_at_fault = false;
    for (index, name) in names.iter().enumerate() {
        match number_of(name).and_then(|digits| digits.parse().ok()) {
            Some(number) => numbers.push(number),
            None => {
                is_at_fault = true;
                body.fault(&format!("{field}[{index}]"), problem);
            }
        }
    }
    (!is_at_fault).then_some(numbers)
}

impl FromJson for CancelBody {
    const NAME: &str = "CancelFlightBookingRequest";
    type Declared = contract::FlightCancel;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let part = part(body);
        let remarks = remarks(body);
        Some(Self { part: part?, remarks })
    }
}

/// `POST /flights/bookings/{ref}/issue-ticket`.
pub async fn issue_ticket(
    app: App,
    ask: Ask<Caller, Keyed<Body<StatedFare>>>,
    reference: Path<String>,
) -> Replied<Either<WithMessage<TicketsIssued>, WithMessage<TicketsIssued, 202>>> {
    let Ask { who: caller, what: Keyed { body: Body(stated), key } } = ask;
    let reference = booking_ref(&reference)?;
    let carry_out = async |key: Option<&IdempotencyKey>| {
        ticketed(flights::issue_ticket(&app.engine, &caller, &reference, stated, key).await?)
    };
    let rebuild =
        async |reference: BookingRef| ticketed(flights::ticket(&app.core, &caller, &reference).await?);
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn ticketed(
    ticketed: Ticketed,
) -> Replied<Either<WithMessage<TicketsIssued>, WithMessage<TicketsIssued, 202>>> {
    match ticketed {
        Ticketed::Done(tickets) => left(with_message("ticket issued", views::issued(tickets, false))),
        Ticketed::Already(tickets) => left(with_message("ticket issued", views::issued(tickets, true))),
        Ticketed::Pending => right(with_message("ticket issue is pending", views::issued(Vec::new(), false))),
    }
}

/// `POST /flights/bookings/{ref}/issue-ticket`.
impl FromJson for StatedFare {
    const NAME: &str = "IssueTicketRequest";
    type Declared = contract::TicketRequest;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let amount = body.positive("amount");
        for name in ["public_fare", "agent_commission"] {
            body.decimal(name);
        }
        let agent_fare = body.decimal("agent_fare");
        Some(Self { amount: amount?, agent_fare })
    }
}
