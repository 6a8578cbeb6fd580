//! Flights after they were booked: what suppliers say of them, services, refunds, rescheduling.

mod bodies;
pub mod changes;
pub mod refunds;
mod reschedule;
mod retrieve;
mod services;

use actix_web::{HttpRequest, web::Path};
use wayfare_contract::{
    RefundRow,
    flights::{
        FlightBooking, FlightPending, NewItinerary, RefundState, ReschedulePenalty, Rescheduled, Retrieved,
        Services, Tracked,
    },
};
use wayfare_domain::{BookingRef, BookingStatus, PageRequest};
use wayfare_flights::Itinerary;
use wayfare_operations::{
    Caller, Error,
    access::idempotency::IdempotencyKey,
    bookings,
    flights::{self, Added, NewJourney, OriginalState},
};

use self::{
    bodies::{OfLocator, RescheduleBody, ReschedulePenaltyBody, ServicesBody},
    refunds::OfRefundStatus,
    reschedule::new_itineraries,
};
use super::{
    bookings::views::{detail, outcome_pending},
    ticket_password,
};
use crate::{
    http::{
        App,
        extract::{self, Ask, Body, Keyed, Nothing, Query},
        idempotent::idempotent,
        reply::{DataReply, Either, Paged, Replied, WithMessage, data, left, paged, right, with_message},
    },
    resources::common::booking_ref,
};

/// `GET /flights/bookings/{ref}/retrieve`.
pub async fn retrieve(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> DataReply<Retrieved> {
    let retrieved = flights::retrieve(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    data(retrieve::retrieved(retrieved))
}

/// `GET /flights/bookings/{ref}/track`.
pub async fn track(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> DataReply<Tracked> {
    let tracked = flights::track(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    data(retrieve::tracked(tracked))
}

/// `GET /flights/bookings/{ref}/ssr`.
pub async fn services(
    app: App,
    ask: Ask<Caller, Query<OfLocator>>,
    reference: Path<String>,
) -> DataReply<Services> {
    let Query(OfLocator(airline_pnr)) = ask.what;
    let (booked, sold) =
        flights::services(&app.engine, &ask.who, &booking_ref(&reference)?, airline_pnr.as_deref()).await?;
    data(services::services(&booked.booking, sold))
}

/// `POST /flights/bookings/{ref}/ssr`.
pub async fn add_services(
    app: App,
    ask: Ask<Caller, Keyed<Body<ServicesBody>>>,
    reference: Path<String>,
) -> Replied<Either<WithMessage<FlightBooking>, WithMessage<FlightPending, 202>>> {
    let Ask { who: caller, what: Keyed { body: Body(ServicesBody { requested, remarks }), key } } = ask;
    let reference = booking_ref(&reference)?;
    let carry_out = async |key: Option<&IdempotencyKey>| {
        let added = flights::add_services(&app.engine, &caller, &reference, &requested, remarks, key).await?;
        self::added(&app, added, &reference).await
    };
    let rebuild = async |reference: BookingRef| {
        let added = flights::added(&app.core, &caller, &reference).await?;
        self::added(&app, added, &reference).await
    };
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

async fn added(
    app: &App,
    added: Added,
    reference: &BookingRef,
) -> Replied<Either<WithMessage<FlightBooking>, WithMessage<FlightPending, 202>>> {
    match added {
        Added::Done(booked) => {
            let shown = flights::shown(&app.engine, *booked).await?;
            let detail = detail(shown, app.core.clock.now()).map_err(Error::from)?;
            left(with_message("SSR added", detail))
        }
        Added::Pending => {
            let pending = outcome_pending(reference);
            right(with_message("adding of SSR is pending", pending))
        }
    }
}

/// `GET /flights/refunds`.
pub async fn refunds(
    app: App,
    ask: Ask<Caller, Query<(PageRequest, OfRefundStatus)>>,
) -> Replied<Paged<RefundRow>> {
    let Query((page, OfRefundStatus(status))) = ask.what;
    let page = bookings::refunds::<Itinerary>(&app.core, &ask.who, status, page).await?;
    paged(page.map(refunds::row))
}

/// `POST /flights/bookings/{ref}/refund-status`.
pub async fn refund_status(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> DataReply<RefundState> {
    let state = flights::refund_state(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    data(refunds::state(state))
}

/// `POST /flights/bookings/{ref}/reschedule-avail`.
pub async fn reschedule_avail(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<NewJourney>>,
    reference: Path<String>,
) -> DataReply<Vec<NewItinerary>> {
    let logos = &extract::options(&request)?.airline_logos;
    let Body(journey) = ask.what;
    let both = journey.include_changes;
    let (changes, found) =
        flights::new_flights(&app.flights, &ask.who, &booking_ref(&reference)?, journey).await?;
    let views = new_itineraries(changes, found, both, logos).map_err(Error::from)?;
    data(views)
}

/// `POST /flights/bookings/{ref}/reschedule-penalty`.
pub async fn reschedule_penalty(
    app: App,
    ask: Ask<Caller, Body<ReschedulePenaltyBody>>,
    reference: Path<String>,
) -> DataReply<ReschedulePenalty> {
    let Body(ReschedulePenaltyBody(flights)) = ask.what;
    let penalty =
        flights::reschedule_penalty(&app.flights, &ask.who, &booking_ref(&reference)?, &flights).await?;
    data(reschedule::penalty(&penalty)?)
}

/// `POST /flights/bookings/{ref}/reschedule`.
pub async fn reschedule(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Keyed<Body<RescheduleBody>>>,
    reference: Path<String>,
) -> Replied<Either<WithMessage<Rescheduled>, WithMessage<Rescheduled, 202>>> {
    let Ask { who: caller, what: Keyed { body: Body(RescheduleBody { order, ticket_password }), key } } = ask;
    let original = booking_ref(&reference)?;
    let carry_out = async |key: Option<&IdempotencyKey>| {
        let (booked, settings) = flights::original(&app.core, &caller, &original).await?;
        let passed = ticket_password::pass(&app, &request, &caller, settings, ticket_password).await?;
        rescheduled(flights::reschedule(&app.flights, &caller, booked, order, passed, key).await?)
    };
    let rebuild =
        async |new: BookingRef| rescheduled(flights::rescheduled(&app.core, &caller, &original, &new).await?);
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn rescheduled(
    rescheduled: flights::Rescheduled,
) -> Replied<Either<WithMessage<Rescheduled>, WithMessage<Rescheduled, 202>>> {
    let new = &rescheduled.new.booking;
    if new.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(new.failure.clone().unwrap_or_default()).into());
    }
    let pending = matches!(rescheduled.cancellation, OriginalState::Pending);
    let changed = match rescheduled.cancellation {
        OriginalState::NotNeeded(_) => Some(false),
        OriginalState::ChangePending => Some(true),
        OriginalState::Cancelled(_) | OriginalState::Pending | OriginalState::Refused(_) => None,
    };
    let status = new.status;
    let view = reschedule::rescheduled(rescheduled);
    if let Some(is_pending) = changed {
        return match is_pending {
            true => right(with_message("booking change is pending", view)),
            false => left(with_message("booking changed", view)),
        };
    }
    match (status, pending) {
        (BookingStatus::Pending, _) => right(with_message("booking reschedule is pending", view)),
        (_, true) => right(with_message("booking cancellation is pending", view)),
        _ => left(with_message("booking rescheduled", view)),
    }
}
