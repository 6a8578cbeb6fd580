//! Flights.

use actix_web::{HttpRequest, web::Path};
use wayfare_domain::{BookingRef, BookingStatus, PageRequest};
use wayfare_flights::Itinerary;
use wayfare_operations::{
    Caller, Error,
    bookings::{
        self,
        cancel::{self, Cancelled},
    },
    flights::{self, Booked, Ticketed},
    tools::idempotency::IdempotencyKey,
};

use super::App;
use crate::{
    bodies,
    extract::{self, Ask, Body, Keyed, Nothing, Query},
    once::once,
    queries::InState,
    rate_limit::Limited,
    reply::{self, Data, Either, Listed, Replied, Told, data, first, list, second, told},
    stream::{self, Events},
    views::{
        booking::{CancelledView, Confirmation, DetailView, IssuedView, ListItem, PenaltyView, PendingView},
        fare_rules::FareRulesView,
        price::PriceResult,
        snapshot::Snapshot,
    },
};

/// The booking that the path names; a text that can't be a reference names none.
pub(super) fn read(reference: &str) -> Result<BookingRef, Error> {
    BookingRef::parse(reference).ok_or(Error::NotFound)
}

/// `POST /flights/search`.
///
/// # Errors
/// As the error table says.
pub async fn search(app: App, ask: Ask<Caller, Body<bodies::Search>>) -> Replied<Told<Snapshot>> {
    let mut search = flights::Search::begin(&app, &ask.who, ask.what.0.0).await?;
    let mut snapshot = Snapshot::of(&search);
    while let Some(arrival) = search.next().await {
        snapshot.add(arrival).map_err(Error::from)?;
    }
    let found = reply::found(snapshot.count());
    reply::printed(&found, |body| snapshot.write(search.duration(), body))
}

/// `POST /flights/search/stream`.
///
/// # Errors
/// As the error table says, before the first event.
pub async fn search_stream(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<bodies::Search>>,
) -> Replied<Events> {
    let stopping = extract::options(&request)?.stopping.clone();
    let search = flights::Search::begin(&app, &ask.who, ask.what.0.0).await?;
    Ok(stream::events(search, stopping))
}

/// `POST /flights/fare-rules`.
///
/// # Errors
/// As the error table says.
pub async fn fare_rules(app: App, ask: Ask<Caller, Body<bodies::FareRules>>) -> Replied<Data<FareRulesView>> {
    let rules = flights::fare_rules(&app, &ask.who, &ask.what.0.0).await?;
    data(FareRulesView::from(rules))
}

/// `POST /flights/price`.
///
/// # Errors
/// As the error table says.
pub async fn price(app: App, ask: Ask<Caller, Body<bodies::Price>>) -> Replied<Data<PriceResult>> {
    let priced = flights::price(&app, &ask.who, &ask.what.0.0).await?;
    data(PriceResult::from(priced))
}

/// `POST /flights/book`.
///
/// # Errors
/// As the error table says.
pub async fn book(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Keyed<Body<bodies::Book>>>,
) -> Replied<Either<Data<Confirmation>, Data<Confirmation, 202>>> {
    let Ask {
        who: caller,
        what:
            Keyed {
                body:
                    Body(bodies::Book {
                        order,
                        ticket_password,
                    }),
                key,
            },
    } = ask;
    let first = async |key: Option<&IdempotencyKey>| {
        let limit = async || {
            let limits = &extract::options(&request)?.limits;
            limits.check(&request, Limited::Secret(caller.user())).await
        };
        let booked = flights::book(&app, &caller, order, ticket_password, limit, key).await?;
        confirmed(booked, &caller)
    };
    let look =
        async |reference: BookingRef| confirmed(bookings::detail(&app, &caller, &reference).await?, &caller);
    once(&app, &caller, key, first, look).await
}

fn confirmed(
    booked: Booked,
    caller: &Caller,
) -> Replied<Either<Data<Confirmation>, Data<Confirmation, 202>>> {
    if booked.booking.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(booked.booking.failure.unwrap_or_default()).into());
    }
    let confirmation = Confirmation::of(booked, caller.time_zone());
    match confirmation.is_pending() {
        true => second(data(confirmation)),
        false => first(data(confirmation)),
    }
}

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
    let booked = bookings::detail(&app, &ask.who, &read(&reference)?).await?;
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
    let penalty = cancel::penalty(&app, &ask.who, &read(&reference)?).await?;
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
    let reference = read(&reference)?;
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
    ask: Ask<Caller, Keyed<Body<bodies::IssueTicket>>>,
    reference: Path<String>,
) -> Replied<Either<Told<IssuedView>, Told<IssuedView, 202>>> {
    let Ask {
        who: caller,
        what: Keyed {
            body: Body(bodies::IssueTicket(stated)),
            key,
        },
    } = ask;
    let reference = read(&reference)?;
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
