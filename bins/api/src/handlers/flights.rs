//! Flights.

use actix_web::{http::StatusCode, web::Path};
use serde_json::json;
use wayfare_domain::{BookingRef, BookingStatus, Faults};
use wayfare_operations::{
    Caller, Error,
    flights::{self, Cancelled},
};

use super::App;
use crate::{
    bodies,
    extract::{Ask, Body, Nothing, QueryPairs},
    reply::{Replied, data, list, told},
    views::{
        booking::{CancelledView, Confirmation, DetailView, ListItem, PenaltyView},
        price::PriceResult,
        search::SearchResult,
    },
};

/// `POST /flights/search`.
///
/// # Errors
/// As the error table says.
pub async fn search(app: App, ask: Ask<Caller, Body<bodies::Search>>) -> Replied {
    let found = flights::search(&app, &ask.who, ask.what.0.0).await?;
    let result = SearchResult::from(found);
    told(
        StatusCode::OK,
        Some(&format!("{} offers found", result.count())),
        result,
    )
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
pub async fn book(app: App, ask: Ask<Caller, Body<bodies::Book>>) -> Replied {
    let booked = flights::book(&app, &ask.who, ask.what.0.0).await?;
    let confirmation = Confirmation::of(booked, ask.who.time_zone());
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
    let status: Option<BookingStatus> = match ask.what.get("status").map(str::parse) {
        None => None,
        Some(Ok(status)) => Some(status),
        Some(Err(_)) => {
            faults.add("status", "must be one of pending, confirmed, cancelled, failed");
            None
        }
    };
    let page = faults.or(page)?;
    list(flights::list(&app, &ask.who, status, page).await?, ListItem::from)
}

/// `GET /flights/bookings/{ref}`.
///
/// # Errors
/// As the error table says.
pub async fn booking(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> Replied {
    let detail = flights::detail(&app, &ask.who, &BookingRef::from(reference.into_inner())).await?;
    data(DetailView::of(detail, app.clock.now()).map_err(Error::from)?)
}

/// `POST /flights/bookings/{ref}/penalty`.
///
/// # Errors
/// As the error table says.
pub async fn penalty(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> Replied {
    let penalty = flights::penalty(&app, &ask.who, &BookingRef::from(reference.into_inner())).await?;
    data(PenaltyView::from(penalty))
}

/// `POST /flights/bookings/{ref}/cancel`.
///
/// # Errors
/// As the error table says.
pub async fn cancel(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> Replied {
    let reference = BookingRef::from(reference.into_inner());
    match flights::cancel(&app, &ask.who, &reference).await? {
        Cancelled::Done(refund) => told(
            StatusCode::OK,
            Some("booking cancelled"),
            CancelledView::of(reference, &refund),
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
