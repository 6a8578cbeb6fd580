//! Booking of flights.

pub mod bodies;
mod views;

use actix_web::HttpRequest;
use wayfare_contract::flights::FlightBooked;
use wayfare_domain::{BookingRef, BookingStatus};
use wayfare_operations::{
    Caller, Error,
    access::idempotency::IdempotencyKey,
    bookings,
    flights::{self, Booked},
};

use self::{bodies::BookBody, views::confirmation};
use super::ticket_password;
use crate::http::{
    App,
    extract::{Ask, Body, Keyed},
    idempotent::idempotent,
    reply::{Data, Either, Replied, data, left, right},
};

/// `POST /flights/book`.
pub async fn book(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Keyed<Body<BookBody>>>,
) -> Replied<Either<Data<FlightBooked>, Data<FlightBooked, 202>>> {
    let Ask { who: caller, what: Keyed { body: Body(BookBody { order, ticket_password }), key } } = ask;
    let carry_out = async |key: Option<&IdempotencyKey>| {
        let read = flights::read_order(&app.engine, &caller, order).await?;
        let passed = ticket_password::pass(&app, &request, &caller, read.settings, ticket_password).await?;
        let booked = flights::book(&app.flights, &caller, read, passed, key).await?;
        confirmed(&app, booked, &caller).await
    };
    let rebuild = async |reference: BookingRef| {
        confirmed(&app, bookings::detail(&app.engine, &caller, &reference).await?, &caller).await
    };
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

async fn confirmed(
    app: &App,
    booked: Booked,
    caller: &Caller,
) -> Replied<Either<Data<FlightBooked>, Data<FlightBooked, 202>>> {
    if booked.booking.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(booked.booking.failure.unwrap_or_default()).into());
    }
    let hold = flights::hold(&app.core, &booked).await?;
    let is_pending = booked.booking.status == BookingStatus::Pending;
    let confirmation = confirmation(booked, hold, caller.time_zone());
    match is_pending {
        true => right(data(confirmation)),
        false => left(data(confirmation)),
    }
}
