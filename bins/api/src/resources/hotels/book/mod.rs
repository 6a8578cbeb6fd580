//! Booking of rooms.

mod bodies;
mod views;

use wayfare_domain::{BookingRef, BookingStatus};
use wayfare_operations::{
    Caller, Error, bookings,
    hotels::{self, Booked},
    tools::idempotency::IdempotencyKey,
};

use self::{bodies::BookBody, views::Confirmation};
use crate::http::{
    App,
    extract::{Ask, Body, Keyed},
    idempotent::once,
    reply::{Data, Either, Replied, data, first, second},
};

/// `POST /hotels/book`.
///
/// # Errors
/// As the error table says.
pub async fn book(
    app: App,
    ask: Ask<Caller, Keyed<Body<BookBody>>>,
) -> Replied<Either<Data<Confirmation, 201>, Data<Confirmation, 202>>> {
    let Ask {
        who: caller,
        what: Keyed {
            body: Body(BookBody(order)),
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
