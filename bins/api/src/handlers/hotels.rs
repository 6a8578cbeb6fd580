//! Hotels.

use std::time::Instant;

use actix_web::web::Path;
use wayfare_domain::{BookingRef, BookingStatus, Page, PageRequest};
use wayfare_hotels::Stay;
use wayfare_operations::{
    Caller, Error,
    bookings::{
        self,
        cancel::{self, Cancelled},
    },
    hotels::{self, Booked},
    tools::idempotency::IdempotencyKey,
};
use wayfare_reference::find_cities;

use super::{App, flights::read};
use crate::{
    bodies::hotels as bodies,
    extract::{Ask, Body, Keyed, Maybe, Nothing, Query},
    once::once,
    queries::{InState, Typed},
    reply::{Data, Either, Listed, Replied, Reply, Told, data, first, list, second, told},
    views::{
        hotel_price::PriceResult,
        hotel_search::{CityView, DetailsView, SearchResult},
        stay::{
            CANCELLED, CancelledView, Confirmation, DetailView, PenaltyView, PendingView, StayView,
            VoucherView,
        },
    },
};

/// `POST /hotels/search`.
///
/// # Errors
/// As the error table says.
pub async fn search(
    app: App,
    ask: Ask<Caller, Body<bodies::Search>>,
) -> Replied<Told<SearchResult<'static>>> {
    let began = Instant::now();
    let asked = &ask.what.0;
    let criteria = asked.criteria(&app)?;
    let snapshot = hotels::search(&app, &ask.who, asked.id.as_deref(), criteria).await?;
    let page = snapshot.page(&asked.filters, asked.sort, asked.page);
    let result = SearchResult::of(&snapshot, page, began.elapsed());
    // What it borrows is printed now.
    let replied: Replied<Told<SearchResult<'_>>> = told("hotels found", result);
    replied.map(|reply| Reply::of(reply.into_response()))
}

/// `GET /hotels/cities`.
///
/// # Errors
/// As the error table says.
pub async fn cities(_app: App, ask: Ask<Caller, Query<Typed>>) -> Replied<Data<Vec<CityView>>> {
    let Query(Typed { text, limit }) = ask.what;
    let found = find_cities(&text, usize::try_from(limit).unwrap_or(usize::MAX));
    data(found.into_iter().map(CityView::from).collect::<Vec<_>>())
}

/// `POST /hotels/details`.
///
/// # Errors
/// As the error table says.
pub async fn details(app: App, ask: Ask<Caller, Body<bodies::Details>>) -> Replied<Data<Vec<DetailsView>>> {
    let bodies::Details { hotel_ids, language } = &ask.what.0;
    let told = hotels::details(&app, &ask.who, hotel_ids, language).await?;
    data(told.into_iter().map(DetailsView::from).collect::<Vec<_>>())
}

/// `POST /hotels/price`.
///
/// # Errors
/// As the error table says.
pub async fn price(app: App, ask: Ask<Caller, Body<bodies::Price>>) -> Replied<Data<PriceResult>> {
    let priced = hotels::price(&app, &ask.who, &ask.what.0.0).await?;
    data(PriceResult::try_from(priced)?)
}

/// `POST /hotels/book`.
///
/// # Errors
/// As the error table says.
pub async fn book(
    app: App,
    ask: Ask<Caller, Keyed<Body<bodies::Book>>>,
) -> Replied<Either<Data<Confirmation, 201>, Data<Confirmation, 202>>> {
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

fn confirmed(booked: Booked) -> Replied<Either<Data<Confirmation, 201>, Data<Confirmation, 202>>> {
    if booked.booking.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(booked.booking.failure.unwrap_or_default()).into());
    }
    let confirmation = Confirmation::try_from(booked)?;
    match confirmation.is_pending() {
        true => second(data(confirmation)),
        false => first(data(confirmation)),
    }
}

/// `GET /hotels/bookings`.
///
/// # Errors
/// As the error table says.
pub async fn bookings(
    app: App,
    ask: Ask<Caller, Query<(PageRequest, InState)>>,
) -> Replied<Listed<StayView>> {
    let Query((page, InState(status))) = ask.what;
    let found = hotels::list(&app, &ask.who, status, page).await?;
    let mut items = Vec::with_capacity(found.items.len());
    for (booking, id) in &found.items {
        items.push(StayView::of(booking, id.as_deref()).map_err(Error::from)?);
    }
    let (request, total) = (found.request, found.total);
    let page = Page {
        items,
        request,
        total,
    };
    list(page, |item| item)
}

/// `GET /hotels/bookings/{ref}`.
///
/// # Errors
/// As the error table says.
pub async fn booking(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<DetailView>> {
    let booked: Booked = bookings::detail(&app, &ask.who, &read(&reference)?).await?;
    data(DetailView::try_from(booked)?)
}

/// `GET /hotels/bookings/{ref}/voucher`.
///
/// # Errors
/// As the error table says.
pub async fn voucher(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<VoucherView>> {
    let booked = hotels::vouched(&app, &ask.who, &read(&reference)?).await?;
    data(VoucherView::from(booked))
}

/// `POST /hotels/bookings/{ref}/penalty`.
///
/// # Errors
/// As the error table says.
pub async fn penalty(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> Replied<Data<PenaltyView>> {
    let penalty = cancel::penalty::<Stay>(&app, &ask.who, &read(&reference)?).await?;
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
) -> Replied<Either<Told<CancelledView>, Told<PendingView, 202>>> {
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
        let cancelled = cancel::cancel::<Stay>(&app, &caller, &reference, reason, key).await?;
        self::cancelled(&app, &caller, cancelled, &reference).await
    };
    let look = async |reference: BookingRef| {
        let cancelled = cancel::cancellation::<Stay>(&app, &caller, &reference).await?;
        self::cancelled(&app, &caller, cancelled, &reference).await
    };
    once(&app, &caller, key, first, look).await
}

async fn cancelled(
    app: &App,
    caller: &Caller,
    cancelled: Cancelled,
    reference: &BookingRef,
) -> Replied<Either<Told<CancelledView>, Told<PendingView, 202>>> {
    match cancelled {
        Cancelled::Done(terms) => {
            let booked: Booked = bookings::detail(app, caller, reference).await?;
            first(told(CANCELLED, CancelledView::of(&booked, &terms)))
        }
        Cancelled::Pending => second(told(
            "booking cancellation is pending",
            PendingView::of(reference),
        )),
    }
}
