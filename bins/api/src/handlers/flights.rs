//! Flights.

use actix_web::{HttpRequest, http::StatusCode, web::Path};
use serde_json::json;
use wayfare_domain::{BookingRef, BookingStatus, Faults};
use wayfare_flights::Itinerary;
use wayfare_operations::{
    Caller, Error, bookings,
    cancellation::{self, Cancelled},
    flights::{self, Booked, Ticketed},
    idempotency::IdempotencyKey,
    settings,
};

use super::App;
use crate::{
    bodies,
    extract::{self, Ask, Body, Keyed, Nothing, QueryPairs},
    once::once,
    rate_limit::Limited,
    reply::{self, Replied, data, list, told},
    stream,
    views::{
        booking::{CancelledView, Confirmation, DetailView, IssuedView, ListItem, PenaltyView},
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
pub async fn search(app: App, ask: Ask<Caller, Body<bodies::Search>>) -> Replied {
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
) -> Replied {
    let stopping = extract::options(&request)?.stopping.clone();
    let search = flights::Search::begin(&app, &ask.who, ask.what.0.0).await?;
    Ok(stream::events(search, stopping))
}

/// `POST /flights/fare-rules`.
///
/// # Errors
/// As the error table says.
pub async fn fare_rules(app: App, ask: Ask<Caller, Body<bodies::FareRules>>) -> Replied {
    let rules = flights::fare_rules(&app, &ask.who, &ask.what.0.0).await?;
    data(FareRulesView::from(rules))
}

/// `POST /flights/price`.
///
/// # Errors
/// As the error table says.
pub async fn price(app: App, ask: Ask<Caller, Body<bodies::Price>>) -> Replied {
    let priced = flights::price(&app, &ask.who, &ask.what.0.0).await?;
    data(PriceResult::from(priced))
}

/// `POST /flights/book`.
///
/// # Errors
/// As the error table says.
pub async fn book(app: App, request: HttpRequest, ask: Ask<Caller, Keyed<Body<bodies::Book>>>) -> Replied {
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
        if settings::asks_ticket_password(&app, &caller).await? {
            let limits = &extract::options(&request)?.limits;
            limits.check(&request, Limited::Secret(caller.user())).await?;
            settings::check_ticket_password(&app, &caller, ticket_password).await?;
        }
        confirmed(flights::book(&app, &caller, order, key).await?, &caller)
    };
    let look =
        async |reference: BookingRef| confirmed(bookings::detail(&app, &caller, &reference).await?, &caller);
    once(&app, &caller, key, first, look).await
}

fn confirmed(booked: Booked, caller: &Caller) -> Replied {
    if booked.booking.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(booked.booking.failure.unwrap_or_default()).into());
    }
    let confirmation = Confirmation::of(booked, caller.time_zone());
    let status = if confirmation.is_pending() {
        StatusCode::ACCEPTED
    } else {
        StatusCode::OK
    };
    told(status, None, confirmation)
}

/// `GET /flights/bookings`.
///
/// # Errors
/// As the error table says.
pub async fn bookings(app: App, ask: Ask<Caller, QueryPairs>) -> Replied {
    let mut faults = Faults::default();
    let page = ask.what.page(&mut faults);
    let status = status(&ask.what, &mut faults);
    let page = faults.or(page)?;
    list(
        bookings::list(&app, &ask.who, status, page).await?,
        ListItem::from,
    )
}

/// In which state the bookings of a list are to be, where it is said.
pub(super) fn status(query: &QueryPairs, faults: &mut Faults) -> Option<BookingStatus> {
    match query.get("status").map(str::parse) {
        None => None,
        Some(Ok(status)) => Some(status),
        Some(Err(_)) => {
            faults.add("status", "must be one of pending, confirmed, cancelled, failed");
            None
        }
    }
}

/// `GET /flights/bookings/{ref}`.
///
/// # Errors
/// As the error table says.
pub async fn booking(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> Replied {
    let booked = bookings::detail(&app, &ask.who, &read(&reference)?).await?;
    data(DetailView::of(booked, app.clock.now()).map_err(Error::from)?)
}

/// `POST /flights/bookings/{ref}/penalty`.
///
/// # Errors
/// As the error table says.
pub async fn penalty(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> Replied {
    let penalty = cancellation::penalty(&app, &ask.who, &read(&reference)?).await?;
    data(PenaltyView::from(penalty))
}

/// `POST /flights/bookings/{ref}/cancel`.
///
/// # Errors
/// As the error table says.
pub async fn cancel(app: App, ask: Ask<Caller, Keyed<Nothing>>, reference: Path<String>) -> Replied {
    let Ask {
        who: caller,
        what: Keyed { key, .. },
    } = ask;
    let reference = read(&reference)?;
    let first = async |key: Option<&IdempotencyKey>| {
        cancelled(
            cancellation::cancel::<Itinerary>(&app, &caller, &reference, None, key).await?,
            &reference,
        )
    };
    let look = async |reference: BookingRef| {
        cancelled(
            cancellation::cancellation::<Itinerary>(&app, &caller, &reference).await?,
            &reference,
        )
    };
    once(&app, &caller, key, first, look).await
}

fn cancelled(cancelled: Cancelled, reference: &BookingRef) -> Replied {
    match cancelled {
        Cancelled::Done(terms) => told(
            StatusCode::OK,
            Some("booking cancelled"),
            CancelledView::of(reference.clone(), &terms),
        ),
        Cancelled::Pending => {
            let pending = json!({ "booking_ref": reference, "status": "PENDING" });
            told(
                StatusCode::ACCEPTED,
                Some("booking cancellation is pending"),
                pending,
            )
        }
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
) -> Replied {
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

fn ticketed(ticketed: Ticketed) -> Replied {
    match ticketed {
        Ticketed::Done(tickets) => told(StatusCode::OK, Some("ticket issued"), IssuedView::of(tickets)),
        Ticketed::Pending => told(
            StatusCode::ACCEPTED,
            Some("ticket issue is pending"),
            IssuedView::pending(),
        ),
    }
}
