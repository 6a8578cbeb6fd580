//! Rescheduling: other flights in the place of those that are booked.

pub mod bodies;
pub mod views;

use actix_web::{HttpRequest, web::Path};
use wayfare_contract::flights::{NewItinerary, ReschedulePenalty, Rescheduled};
use wayfare_domain::{BookingRef, BookingStatus};
use wayfare_operations::{
    Caller, Error,
    access::idempotency::IdempotencyKey,
    flights::{self, NewFlights, NewJourney, OriginalState},
};

use self::{bodies::RescheduleBody, views::new_itineraries};
use crate::{
    http::{
        App,
        extract::{self, Ask, Body, Keyed},
        idempotent::idempotent,
        reply::{DataReply, Either, Replied, WithMessage, data, left, right, with_message},
    },
    resources::{common::booking_ref, flights::ticket_password},
};

/// `POST /flights/bookings/{ref}/reschedule-avail`.
pub async fn reschedule_avail(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<NewJourney>>,
    reference: Path<String>,
) -> DataReply<Vec<NewItinerary>> {
    let logos = &extract::options(&request)?.airline_logos;
    let Body(journey) = ask.what;
    let both = journey.include_changes;
    let (changes, found) =
        flights::new_flights(&app.flights, &ask.who, &booking_ref(&reference)?, journey).await?;
    let views = new_itineraries(changes, found, both, logos).map_err(Error::from)?;
    data(views)
}

/// `POST /flights/bookings/{ref}/reschedule-penalty`.
pub async fn reschedule_penalty(
    app: App,
    ask: Ask<Caller, Body<NewFlights>>,
    reference: Path<String>,
) -> DataReply<ReschedulePenalty> {
    let penalty =
        flights::reschedule_penalty(&app.flights, &ask.who, &booking_ref(&reference)?, &ask.what.0).await?;
    data(views::penalty(&penalty)?)
}

/// `POST /flights/bookings/{ref}/reschedule`.
pub async fn reschedule(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Keyed<Body<RescheduleBody>>>,
    reference: Path<String>,
) -> Replied<Either<WithMessage<Rescheduled>, WithMessage<Rescheduled, 202>>> {
    let Ask { who: caller, what: Keyed { body: Body(RescheduleBody { order, ticket_password }), key } } = ask;
    let original = booking_ref(&reference)?;
    let carry_out = async |key: Option<&IdempotencyKey>| {
        let (booked, settings) = flights::original(&app.core, &caller, &original).await?;
        let passed = ticket_password::pass(&app, &request, &caller, settings, ticket_password).await?;
        rescheduled(flights::reschedule(&app.flights, &caller, booked, order, passed, key).await?)
    };
    let rebuild =
        async |new: BookingRef| rescheduled(flights::rescheduled(&app.core, &caller, &original, &new).await?);
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn rescheduled(
    rescheduled: flights::Rescheduled,
) -> Replied<Either<WithMessage<Rescheduled>, WithMessage<Rescheduled, 202>>> {
    let new = &rescheduled.new.booking;
    if new.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(new.failure.clone().unwrap_or_default()).into());
    }
    let (is_pending, message) = match (&rescheduled.cancellation, new.status) {
        (OriginalState::NotNeeded(_), _) => (false, "booking changed"),
        (OriginalState::ChangePending, _) => (true, "booking change is pending"),
        (_, BookingStatus::Pending) => (true, "booking reschedule is pending"),
        (OriginalState::Pending, _) => (true, "booking cancellation is pending"),
        (OriginalState::Cancelled(_) | OriginalState::Refused(_), _) => (false, "booking rescheduled"),
    };
    let view = views::rescheduled(rescheduled);
    match is_pending {
        true => right(with_message(message, view)),
        false => left(with_message(message, view)),
    }
}
