//! Hotels.

use std::time::Instant;

use actix_web::{http::StatusCode, web::Path};
use serde_json::json;
use wayfare_domain::{BookingRef, BookingStatus, Faults};
use wayfare_hotels::Stay;
use wayfare_operations::{
    Caller, Error, bookings,
    cancellation::{self, Cancelled},
    hotels::{self, Booked},
    idempotency::IdempotencyKey,
};
use wayfare_reference::find_cities;

use super::{App, flights::read};
use crate::{
    bodies::hotels as bodies,
    extract::{Ask, Body, Keyed, Maybe, Nothing, QueryPairs},
    once::once,
    reply::{Replied, data, list, told},
    views::{
        hotel_price::PriceResult,
        hotel_search::{CityView, DetailsView, SearchResult},
        stay::{CANCELLED, CancelledView, Confirmation, DetailView, PenaltyView, StayView, VoucherView},
    },
};

/// `POST /hotels/search`.
///
/// # Errors
/// As the error table says.
pub async fn search(app: App, ask: Ask<Caller, Body<bodies::Search>>) -> Replied {
    let began = Instant::now();
    let asked = &ask.what.0;
    let criteria = asked.criteria(&app)?;
    let snapshot = hotels::search(&app, &ask.who, asked.id.as_deref(), criteria).await?;
    let page = snapshot.page(&asked.filters, asked.sort, asked.page);
    let result = SearchResult::of(&snapshot, page, began.elapsed());
    told(StatusCode::OK, Some("hotels found"), result)
}

/// `GET /hotels/cities`.
///
/// # Errors
/// As the error table says.
pub async fn cities(_app: App, ask: Ask<Caller, QueryPairs>) -> Replied {
    let mut faults = Faults::default();
    let typed = ask.what.get("q").unwrap_or_default().trim();
    if typed.is_empty() {
        faults.add("q", "this field is required");
    } else if typed.chars().count() > 100 {
        faults.add("q", "must have at most 100 characters");
    }
    let limit = match ask.what.get("limit").map(str::parse::<usize>) {
        None => 10,
        Some(Ok(limit)) if (1..=100).contains(&limit) => limit,
        Some(_) => {
            faults.add("limit", "must be between 1 and 100");
            0
        }
    };
    faults.or(())?;
    let found = find_cities(typed, limit);
    data(found.into_iter().map(CityView::from).collect::<Vec<_>>())
}

/// `POST /hotels/details`.
///
/// # Errors
/// As the error table says.
pub async fn details(app: App, ask: Ask<Caller, Body<bodies::Details>>) -> Replied {
    let bodies::Details { hotel_ids, language } = &ask.what.0;
    let told = hotels::details(&app, &ask.who, hotel_ids, language).await?;
    data(told.into_iter().map(DetailsView::from).collect::<Vec<_>>())
}

/// `POST /hotels/price`.
///
/// # Errors
/// As the error table says.
pub async fn price(app: App, ask: Ask<Caller, Body<bodies::Price>>) -> Replied {
    let priced = hotels::price(&app, &ask.who, &ask.what.0.0).await?;
    data(PriceResult::try_from(priced)?)
}

/// `POST /hotels/book`.
///
/// # Errors
/// As the error table says.
pub async fn book(app: App, ask: Ask<Caller, Keyed<Body<bodies::Book>>>) -> Replied {
    let Ask {
        who: caller,
        what: Keyed {
            body: Body(bodies::Book(order)),
            key,
        },
    } = ask;
    let first =
        async |key: Option<&IdempotencyKey>| confirmed(hotels::book(&app, &caller, order, key).await?);
    let look = async |reference: BookingRef| confirmed(bookings::detail(&app, &caller, &reference).await?);
    once(&app, &caller, key, first, look).await
}

fn confirmed(booked: Booked) -> Replied {
    if booked.booking.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(booked.booking.failure.unwrap_or_default()).into());
    }
    let confirmation = Confirmation::try_from(booked)?;
    let status = match confirmation.is_pending() {
        true => StatusCode::ACCEPTED,
        false => StatusCode::CREATED,
    };
    told(status, None, confirmation)
}

/// `GET /hotels/bookings`.
///
/// # Errors
/// As the error table says.
pub async fn bookings(app: App, ask: Ask<Caller, QueryPairs>) -> Replied {
    let mut faults = Faults::default();
    let page = ask.what.page(&mut faults);
    let status = super::flights::status(&ask.what, &mut faults);
    let page = faults.or(page)?;
    let found = hotels::list(&app, &ask.who, status, page).await?;
    let mut items = Vec::with_capacity(found.items.len());
    for (booking, id) in &found.items {
        items.push(StayView::of(booking, id.as_deref()).map_err(Error::from)?);
    }
    let mut items = items.into_iter();
    list(found.map(|_| items.next()), |item| item)
}

/// `GET /hotels/bookings/{ref}`.
///
/// # Errors
/// As the error table says.
pub async fn booking(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> Replied {
    let booked: Booked = bookings::detail(&app, &ask.who, &read(&reference)?).await?;
    data(DetailView::try_from(booked)?)
}

/// `GET /hotels/bookings/{ref}/voucher`.
///
/// # Errors
/// As the error table says.
pub async fn voucher(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> Replied {
    let booked = hotels::vouched(&app, &ask.who, &read(&reference)?).await?;
    data(VoucherView::from(booked))
}

/// `POST /hotels/bookings/{ref}/penalty`.
///
/// # Errors
/// As the error table says.
pub async fn penalty(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> Replied {
    let penalty = cancellation::penalty::<Stay>(&app, &ask.who, &read(&reference)?).await?;
    data(PenaltyView::from(penalty))
}

/// `POST /hotels/bookings/{ref}/cancel`.
///
/// # Errors
/// As the error table says.
pub async fn cancel(
    app: App,
    ask: Ask<Caller, Keyed<Maybe<bodies::Cancel>>>,
    reference: Path<String>,
) -> Replied {
    let Ask {
        who: caller,
        what: Keyed {
            body: Maybe(body),
            key,
        },
    } = ask;
    let reference = read(&reference)?;
    let reason = body.and_then(|body| body.reason);
    let first = async |key: Option<&IdempotencyKey>| {
        let cancelled = cancellation::cancel::<Stay>(&app, &caller, &reference, reason, key).await?;
        self::cancelled(&app, &caller, cancelled, &reference).await
    };
    let look = async |reference: BookingRef| {
        let cancelled = cancellation::cancellation::<Stay>(&app, &caller, &reference).await?;
        self::cancelled(&app, &caller, cancelled, &reference).await
    };
    once(&app, &caller, key, first, look).await
}

async fn cancelled(app: &App, caller: &Caller, cancelled: Cancelled, reference: &BookingRef) -> Replied {
    match cancelled {
        Cancelled::Done(terms) => {
            let booked: Booked = bookings::detail(app, caller, reference).await?;
            told(
                StatusCode::OK,
                Some(CANCELLED),
                CancelledView::of(&booked, &terms),
            )
        }
        Cancelled::Pending => {
            let pending = json!({ "booking_id": reference, "booking_ref": reference, "status": "PENDING" });
            told(
                StatusCode::ACCEPTED,
                Some("booking cancellation is pending"),
                pending,
            )
        }
    }
}
