//! Flight bookings: list, detail, penalty, cancellation, tickets.

mod itinerary;
mod locators;
pub mod views;

use actix_web::web::Path;
use serde_json::json;
use wayfare_domain::{BookingRef, PageRequest};
use wayfare_flights::Itinerary;
use wayfare_operations::{
    Caller, Error,
    bookings::{
        self,
        cancel::{self, Cancelled},
    },
    flights::{self, StatedFare, Ticketed},
    tools::idempotency::IdempotencyKey,
};

use self::views::{CancelledView, DetailView, IssuedView, ListItem, PenaltyView, PendingView};
use crate::{
    http::{
        App,
        extract::{Ask, Body, Keyed, Nothing, Query},
        idempotent::once,
        json_body::{Example, Form, FromForm},
        reply::{Data, Either, Listed, Replied, Told, data, first, list, second, told},
    },
    resources::common::{InState, booking_ref},
};

/// `GET /flights/bookings`.
///
/// # Errors
/// As the error table says.
pub async fn bookings(
    app: App,
    ask: Ask<Caller, Query<(PageRequest, InState)>>,
) -> Replied<Listed<ListItem>> {
    let Query((page, InState(status))) = ask.what;
    list(
        bookings::list(&app, &ask.who, status, page).await?,
        ListItem::from,
    )
}

/// `GET /flights/bookings/{ref}`.
///
/// # Errors
/// As the error table says.
pub async fn booking(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<DetailView>> {
    let booked = bookings::detail(&app, &ask.who, &booking_ref(&reference)?).await?;
    data(DetailView::of(booked, app.clock.now()).map_err(Error::from)?)
}

/// `POST /flights/bookings/{ref}/penalty`.
///
/// # Errors
/// As the error table says.
pub async fn penalty(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<PenaltyView>> {
    let penalty = cancel::penalty(&app, &ask.who, &booking_ref(&reference)?).await?;
    data(PenaltyView::from(penalty))
}

/// `POST /flights/bookings/{ref}/cancel`.
///
/// # Errors
/// As the error table says.
pub async fn cancel(
    app: App,
    ask: Ask<Caller, Keyed<Nothing>>,
    reference: Path<String>,
) -> Replied<Either<Told<CancelledView>, Told<PendingView, 202>>> {
    let Ask {
        who: caller,
        what: Keyed { key, .. },
    } = ask;
    let reference = booking_ref(&reference)?;
    let first = async |key: Option<&IdempotencyKey>| {
        cancelled(
            cancel::cancel::<Itinerary>(&app, &caller, &reference, None, key).await?,
            &reference,
        )
    };
    let look = async |reference: BookingRef| {
        cancelled(
            cancel::cancellation::<Itinerary>(&app, &caller, &reference).await?,
            &reference,
        )
    };
    once(&app, &caller, key, first, look).await
}

fn cancelled(
    cancelled: Cancelled,
    reference: &BookingRef,
) -> Replied<Either<Told<CancelledView>, Told<PendingView, 202>>> {
    match cancelled {
        Cancelled::Done(terms) => first(told(
            "booking cancelled",
            CancelledView::of(reference.clone(), &terms),
        )),
        Cancelled::Pending => second(told(
            "booking cancellation is pending",
            PendingView::of(reference),
        )),
    }
}

/// `POST /flights/bookings/{ref}/issue-ticket`.
///
/// # Errors
/// As the error table says.
pub async fn issue_ticket(
    app: App,
    ask: Ask<Caller, Keyed<Body<IssueTicketBody>>>,
    reference: Path<String>,
) -> Replied<Either<Told<IssuedView>, Told<IssuedView, 202>>> {
    let Ask {
        who: caller,
        what: Keyed {
            body: Body(IssueTicketBody(stated)),
            key,
        },
    } = ask;
    let reference = booking_ref(&reference)?;
    let first = async |key: Option<&IdempotencyKey>| {
        ticketed(flights::issue_ticket(&app, &caller, &reference, stated, key).await?)
    };
    let look = async |reference: BookingRef| ticketed(flights::ticket(&app, &caller, &reference).await?);
    once(&app, &caller, key, first, look).await
}

fn ticketed(ticketed: Ticketed) -> Replied<Either<Told<IssuedView>, Told<IssuedView, 202>>> {
    match ticketed {
        Ticketed::Done(tickets) => first(told("ticket issued", IssuedView::of(tickets))),
        Ticketed::Pending => second(told("ticket issue is pending", IssuedView::pending())),
    }
}

/// `POST /flights/bookings/{ref}/issue-ticket`.
pub struct IssueTicketBody(pub StatedFare);

impl FromForm for IssueTicketBody {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let amount = form.positive("amount");
        for name in ["public_fare", "agent_commission"] {
            form.decimal(name);
        }
        let agent_fare = form.decimal("agent_fare");
        Some(Self(StatedFare {
            amount: amount?,
            agent_fare,
        }))
    }

    fn examples() -> Vec<Example> {
        let body =
            json!({ "amount": 4810.5, "agent_fare": 4810.5, "public_fare": 4931, "agent_commission": 120.5 });
        vec![("what it costs", body)]
    }
}
