//! Hotel bookings: list, detail, voucher, penalty, cancellation.

mod views;

use actix_web::web::Path;
use wayfare_contract::hotels::{
    HotelBooking, HotelBookingRow, HotelCancel, HotelCancelled, HotelPending, StayPenalty, Voucher,
};
use wayfare_domain::{BookingRef, ListRequest, Page, Remarks};
use wayfare_hotels::Stay;
use wayfare_operations::{
    Caller, Error, Note,
    access::idempotency::IdempotencyKey,
    bookings::{
        self, BookingSearch,
        cancel::{self, Cancelled},
    },
    hotels::{self, Booked},
};

use self::views::CANCELLED;
use crate::{
    http::{
        App,
        extract::{Ask, Keyed, Maybe, Nothing, Query},
        idempotent::idempotent,
        json_body::{FromJson, JsonObject},
        reply::{DataReply, Either, Paged, Replied, WithMessage, data, left, paged, right, with_message},
    },
    resources::common::{LONGEST_REMARKS, booking_ref},
};

/// `GET /hotels/bookings`.
pub async fn bookings(
    app: App,
    ask: Ask<Caller, Query<(ListRequest, BookingSearch)>>,
) -> Replied<Paged<HotelBookingRow>> {
    let Query((page, search)) = ask.what;
    let found = hotels::list(&app.engine, &ask.who, &search, page).await?;
    let mut pending = bookings::pending(&app.core, found.items.iter().map(|(booking, _)| booking)).await?;
    let listed = found.items.iter().map(|(booking, _)| booking);
    let mut costs = bookings::costs(&app.core, listed).await?;
    let mut items = Vec::with_capacity(found.items.len());
    for (booking, id) in &found.items {
        let pending = pending.remove(&booking.id).unwrap_or_default();
        let cost = costs.remove(&booking.id);
        let view = views::row(booking, id.as_deref(), pending, cost);
        items.push(view.map_err(Error::from)?);
    }
    let (request, total) = (found.request, found.total);
    let page = Page { items, request, total };
    paged(page)
}

/// `GET /hotels/bookings/{ref}`.
pub async fn booking(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> DataReply<HotelBooking> {
    let booked: Booked = bookings::detail(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    let mut pending = bookings::pending(&app.core, [&booked.booking]).await?;
    let pending = pending.remove(&booked.booking.id).unwrap_or_default();
    let cost = bookings::cost(&app.core, &booked.booking).await?;
    data(views::detail(booked, pending, cost)?)
}

/// `GET /hotels/bookings/{ref}/voucher`.
pub async fn voucher(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> DataReply<Voucher> {
    let booked = hotels::vouched(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    data(views::voucher(booked)?)
}

/// `POST /hotels/bookings/{ref}/penalty`.
pub async fn penalty(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> DataReply<StayPenalty> {
    let penalty = cancel::penalty::<Stay>(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    data(views::penalty(penalty)?)
}

/// `POST /hotels/bookings/{ref}/cancel`.
pub async fn cancel(
    app: App,
    ask: Ask<Caller, Keyed<Maybe<CancelBody>>>,
    reference: Path<String>,
) -> Replied<Either<WithMessage<HotelCancelled>, WithMessage<HotelPending, 202>>> {
    let Ask { who: caller, what: Keyed { body: Maybe(body), key } } = ask;
    let reference = booking_ref(&reference)?;
    let note = body.and_then(|body| body.reason).map(Note::Reason);
    let carry_out = async |key: Option<&IdempotencyKey>| {
        let cancelled = cancel::cancel::<Stay>(&app.engine, &caller, &reference, note, key).await?;
        self::cancelled(&app, &caller, cancelled, &reference).await
    };
    let rebuild = async |reference: BookingRef| {
        let cancelled = cancel::cancellation::<Stay>(&app.core, &caller, &reference).await?;
        self::cancelled(&app, &caller, cancelled, &reference).await
    };
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

async fn cancelled(
    app: &App,
    caller: &Caller,
    cancelled: Cancelled,
    reference: &BookingRef,
) -> Replied<Either<WithMessage<HotelCancelled>, WithMessage<HotelPending, 202>>> {
    match cancelled {
        Cancelled::Done(terms) | Cancelled::Part(terms, _) => {
            let booked: Booked = bookings::detail(&app.engine, caller, reference).await?;
            left(with_message(CANCELLED, views::cancelled(&booked, &terms)))
        }
        Cancelled::Pending => {
            right(with_message("booking cancellation is pending", views::outcome_pending(reference)))
        }
    }
}

/// `POST /hotels/bookings/{ref}/cancel`.
pub struct CancelBody {
    /// Why, for the audit log.
    pub reason: Option<Remarks>,
}

impl FromJson for CancelBody {
    const NAME: &str = "CancelHotelBookingRequest";
    type Declared = HotelCancel;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let reason = body.free_text("reason", LONGEST_REMARKS).map(Remarks::new);
        // Nobody tells guests: the answer says so (P-81).
        body.boolean("notify_guest");
        Some(Self { reason })
    }
}
