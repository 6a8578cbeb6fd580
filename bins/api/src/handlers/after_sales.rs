//! Flights after they were booked: what suppliers say of them, services, refunds, rescheduling.

use actix_web::web::Path;
use wayfare_domain::{BookingRef, BookingStatus, PageRequest};
use wayfare_operations::{
    Caller, Error,
    flights::{self, Added, OriginalState, Rescheduled},
    tools::idempotency::IdempotencyKey,
};

use super::{App, flights::read};
use crate::{
    bodies,
    extract::{Ask, Body, Keyed, Nothing, Query},
    once::once,
    queries::OfLocator,
    reply::{Data, Either, Listed, Replied, Told, data, first, list, second, told},
    views::{
        after_sales::{
            NewItineraryView, RefundRowView, RefundStateView, ReschedulePenaltyView, RescheduledView,
            RetrievedView, ServicesView, TrackedView,
        },
        booking::{DetailView, PendingView},
    },
};

/// `GET /flights/bookings/{ref}/retrieve`.
///
/// # Errors
/// As the error table says.
pub async fn retrieve(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<RetrievedView>> {
    let retrieved = flights::retrieve(&app, &ask.who, &read(&reference)?).await?;
    data(RetrievedView::from(retrieved))
}

/// `GET /flights/bookings/{ref}/track`.
///
/// # Errors
/// As the error table says.
pub async fn track(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<TrackedView>> {
    let tracked = flights::track(&app, &ask.who, &read(&reference)?).await?;
    data(TrackedView::of(tracked))
}

/// `GET /flights/bookings/{ref}/ssr`.
///
/// # Errors
/// As the error table says.
pub async fn services(
    app: App,
    ask: Ask<Caller, Query<OfLocator>>,
    reference: Path<String>,
) -> Replied<Data<ServicesView>> {
    let Query(OfLocator(airline_pnr)) = ask.what;
    let (booked, sold) =
        flights::services(&app, &ask.who, &read(&reference)?, airline_pnr.as_deref()).await?;
    data(ServicesView::of(&booked.booking, sold))
}

/// `POST /flights/bookings/{ref}/ssr`.
///
/// # Errors
/// As the error table says.
pub async fn add_services(
    app: App,
    ask: Ask<Caller, Keyed<Body<bodies::AddServices>>>,
    reference: Path<String>,
) -> Replied<Either<Told<DetailView>, Told<PendingView, 202>>> {
    let Ask {
        who: caller,
        what: Keyed {
            body: Body(bodies::AddServices(wishes)),
            key,
        },
    } = ask;
    let reference = read(&reference)?;
    let first = async |key: Option<&IdempotencyKey>| {
        let added = flights::add_services(&app, &caller, &reference, &wishes, key).await?;
        self::added(&app, added, &reference)
    };
    let look = async |reference: BookingRef| {
        let added = flights::added(&app, &caller, &reference).await?;
        self::added(&app, added, &reference)
    };
    once(&app, &caller, key, first, look).await
}

fn added(
    app: &App,
    added: Added,
    reference: &BookingRef,
) -> Replied<Either<Told<DetailView>, Told<PendingView, 202>>> {
    match added {
        Added::Done(booked) => {
            let detail = DetailView::of(*booked, app.clock.now()).map_err(Error::from)?;
            first(told("SSR added", detail))
        }
        Added::Pending => {
            let pending = PendingView::of(reference);
            second(told("adding of SSR is pending", pending))
        }
    }
}

/// `GET /flights/refunds`.
///
/// # Errors
/// As the error table says.
pub async fn refunds(app: App, ask: Ask<Caller, Query<PageRequest>>) -> Replied<Listed<RefundRowView>> {
    let Query(page) = ask.what;
    list(flights::refunds(&app, &ask.who, page).await?, RefundRowView::from)
}

/// `POST /flights/bookings/{ref}/refund-status`.
///
/// # Errors
/// As the error table says.
pub async fn refund_status(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<RefundStateView>> {
    let state = flights::refund_state(&app, &ask.who, &read(&reference)?).await?;
    data(RefundStateView::from(state))
}

/// `POST /flights/bookings/{ref}/reschedule-avail`.
///
/// # Errors
/// As the error table says.
pub async fn reschedule_avail(
    app: App,
    ask: Ask<Caller, Body<bodies::RescheduleAvail>>,
    reference: Path<String>,
) -> Replied<Data<Vec<NewItineraryView>>> {
    let Body(bodies::RescheduleAvail(journey)) = ask.what;
    let found = flights::itineraries(&app, &ask.who, &read(&reference)?, journey).await?;
    let views = found.into_iter().map(NewItineraryView::from);
    data(views.collect::<Vec<_>>())
}

/// `POST /flights/bookings/{ref}/reschedule-penalty`.
///
/// # Errors
/// As the error table says.
pub async fn reschedule_penalty(
    app: App,
    ask: Ask<Caller, Body<bodies::ReschedulePenalty>>,
    reference: Path<String>,
) -> Replied<Data<ReschedulePenaltyView>> {
    let Body(bodies::ReschedulePenalty(fare_key)) = ask.what;
    let penalty = flights::reschedule_penalty(&app, &ask.who, &read(&reference)?, &fare_key).await?;
    data(ReschedulePenaltyView::of(&penalty)?)
}

/// `POST /flights/bookings/{ref}/reschedule`.
///
/// # Errors
/// As the error table says.
pub async fn reschedule(
    app: App,
    ask: Ask<Caller, Keyed<Body<bodies::Reschedule>>>,
    reference: Path<String>,
) -> Replied<Either<Told<RescheduledView>, Told<RescheduledView, 202>>> {
    let Ask {
        who: caller,
        what: Keyed {
            body: Body(bodies::Reschedule(order)),
            key,
        },
    } = ask;
    let original = read(&reference)?;
    let first = async |key: Option<&IdempotencyKey>| {
        rescheduled(flights::reschedule(&app, &caller, &original, order, key).await?)
    };
    let look =
        async |new: BookingRef| rescheduled(flights::rescheduled(&app, &caller, &original, &new).await?);
    once(&app, &caller, key, first, look).await
}

fn rescheduled(
    rescheduled: Rescheduled,
) -> Replied<Either<Told<RescheduledView>, Told<RescheduledView, 202>>> {
    let new = &rescheduled.new.booking;
    if new.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(new.failure.clone().unwrap_or_default()).into());
    }
    let pending = matches!(rescheduled.cancellation, OriginalState::Pending);
    let status = new.status;
    let view = RescheduledView::from(rescheduled);
    match (status, pending) {
        (BookingStatus::Pending, _) => second(told("booking reschedule is pending", view)),
        (_, true) => second(told("booking cancellation is pending", view)),
        _ => first(told("booking rescheduled", view)),
    }
}
