//! Booking of rooms.

mod bodies;
mod views;

use wayfare_contract::hotels::HotelBooked;
use wayfare_domain::{BookingRef, BookingStatus};
use wayfare_operations::{
    Caller, Error,
    access::idempotency::IdempotencyKey,
    bookings,
    hotels::{self, Booked, HotelOrder},
};

use crate::http::{
    App,
    extract::{Ask, Body, Keyed},
    idempotent::idempotent,
    reply::{Data, Either, Replied, data, left, right},
};

/// `POST /hotels/book`.
pub async fn book(
    app: App,
    ask: Ask<Caller, Keyed<Body<HotelOrder>>>,
) -> Replied<Either<Data<HotelBooked, 201>, Data<HotelBooked, 202>>> {
    let Ask { who: caller, what: Keyed { body: Body(order), key } } = ask;
    let carry_out =
        async |key: Option<&IdempotencyKey>| confirmed(hotels::book(&app.engine, &caller, order, key).await?);
    let rebuild =
        async |reference: BookingRef| confirmed(bookings::detail(&app.engine, &caller, &reference).await?);
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn confirmed(booked: Booked) -> Replied<Either<Data<HotelBooked, 201>, Data<HotelBooked, 202>>> {
    if booked.booking.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(booked.booking.failure.unwrap_or_default()).into());
    }
    let is_pending = booked.booking.status == BookingStatus::Pending;
    let confirmation = views::booked(booked)?;
    match is_pending {
        true => right(data(confirmation)),
        false => left(data(confirmation)),
    }
}
