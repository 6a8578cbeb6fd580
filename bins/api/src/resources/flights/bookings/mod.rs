//! Flight bookings: list, detail, penalty, cancellation, tickets.

pub mod change_views;
pub mod changes;
pub mod hold;
mod itinerary;
mod locators;
pub mod views;

use actix_web::web::Path;
use serde_json::json;
use wayfare_domain::{BookingRef, PageRequest, Remarks};
use wayfare_flights::Itinerary;
use wayfare_operations::{
    Caller, Error, Note,
    access::idempotency::IdempotencyKey,
    bookings::{
        self,
        cancel::{self, Cancelled},
    },
    flights::{self, StatedFare, Ticketed},
};

use self::views::{CancelledView, DetailView, IssuedView, ListItem, PenaltyView, PendingView};
use crate::{
    http::{
        App,
        extract::{Ask, Body, Keyed, Maybe, Nothing, Query},
        idempotent::idempotent,
        json_body::{Example, FromJson, JsonObject},
        reply::{Data, Either, Paged, Replied, WithMessage, data, left, paged, right, with_message},
    },
    resources::common::{InState, booking_ref, remarks},
};

/// `GET /flights/bookings`.
pub async fn bookings(app: App, ask: Ask<Caller, Query<(PageRequest, InState)>>) -> Replied<Paged<ListItem>> {
    let Query((page, InState(status))) = ask.what;
    let page = bookings::list(&app, &ask.who, status, page).await?;
    let mut holds = flights::holds(&app, &page.items).await?;
    let (open, mut pending) = flights::open_changes(&app, &page.items).await?;
    paged(page, |booking| {
        let id = booking.id;
        let pending = pending.remove(&id).unwrap_or_default();
        ListItem::of(booking, holds.remove(&id), open.contains(&id), pending)
    })
}

/// `GET /flights/bookings/{ref}`.
pub async fn booking(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<DetailView>> {
    let booked = bookings::detail(&app, &ask.who, &booking_ref(&reference)?).await?;
    let shown = flights::shown(&app, booked).await?;
    data(DetailView::of(shown, app.clock.now()).map_err(Error::from)?)
}

/// `POST /flights/bookings/{ref}/penalty`.
pub async fn penalty(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<PenaltyView>> {
    let penalty = cancel::penalty(&app, &ask.who, &booking_ref(&reference)?).await?;
    data(PenaltyView::from(penalty))
}

/// `POST /flights/bookings/{ref}/cancel`.
pub async fn cancel(
    app: App,
    ask: Ask<Caller, Keyed<Maybe<CancelBody>>>,
    reference: Path<String>,
) -> Replied<Either<WithMessage<CancelledView>, WithMessage<PendingView, 202>>> {
    let Ask {
        who: caller,
        what: Keyed {
            body: Maybe(body),
            key,
        },
    } = ask;
    let reference = booking_ref(&reference)?;
    let note = body.and_then(|body| body.remarks).map(Note::Remarks);
    let carry_out = async |key: Option<&IdempotencyKey>| {
        cancelled(
            cancel::cancel::<Itinerary>(&app, &caller, &reference, note, key).await?,
            &reference,
        )
    };
    let rebuild = async |reference: BookingRef| {
        cancelled(
            cancel::cancellation::<Itinerary>(&app, &caller, &reference).await?,
            &reference,
        )
    };
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn cancelled(
    cancelled: Cancelled,
    reference: &BookingRef,
) -> Replied<Either<WithMessage<CancelledView>, WithMessage<PendingView, 202>>> {
    match cancelled {
        Cancelled::Done(terms) => left(with_message(
            "booking cancelled",
            CancelledView::of(reference.clone(), &terms),
        )),
        Cancelled::Pending => right(with_message(
            "booking cancellation is pending",
            PendingView::of(reference),
        )),
    }
}

/// `POST /flights/bookings/{ref}/cancel`.
pub struct CancelBody {
    /// What is said beside it.
    pub remarks: Option<Remarks>,
}

impl FromJson for CancelBody {
    const NAME: &str = "CancelFlightBookingRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self {
            remarks: remarks(body),
        })
    }

    fn examples() -> Vec<Example> {
        vec![(
            "a remark",
            json!({ "remarks": "the airline moved the flight by three hours" }),
        )]
    }
}

/// `POST /flights/bookings/{ref}/issue-ticket`.
pub async fn issue_ticket(
    app: App,
    ask: Ask<Caller, Keyed<Body<StatedFare>>>,
    reference: Path<String>,
) -> Replied<Either<WithMessage<IssuedView>, WithMessage<IssuedView, 202>>> {
    let Ask {
        who: caller,
        what: Keyed {
            body: Body(stated),
            key,
        },
    } = ask;
    let reference = booking_ref(&reference)?;
    let carry_out = async |key: Option<&IdempotencyKey>| {
        ticketed(flights::issue_ticket(&app, &caller, &reference, stated, key).await?)
    };
    let rebuild = async |reference: BookingRef| ticketed(flights::ticket(&app, &caller, &reference).await?);
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn ticketed(ticketed: Ticketed) -> Replied<Either<WithMessage<IssuedView>, WithMessage<IssuedView, 202>>> {
    match ticketed {
        Ticketed::Done(tickets) => left(with_message("ticket issued", IssuedView::of(tickets, false))),
        Ticketed::Already(tickets) => left(with_message("ticket issued", IssuedView::of(tickets, true))),
        Ticketed::Pending => right(with_message("ticket issue is pending", IssuedView::pending())),
    }
}

/// `POST /flights/bookings/{ref}/issue-ticket`.
impl FromJson for StatedFare {
    const NAME: &str = "IssueTicketRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let amount = body.positive("amount");
        for name in ["public_fare", "agent_commission"] {
            body.decimal(name);
        }
        let agent_fare = body.decimal("agent_fare");
        Some(Self {
            amount: amount?,
            agent_fare,
        })
    }

    fn examples() -> Vec<Example> {
        let body =
            json!({ "amount": 4810.5, "agent_fare": 4810.5, "public_fare": 4931, "agent_commission": 120.5 });
        vec![("what it costs", body)]
    }
}
