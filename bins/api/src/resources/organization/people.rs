//! Whom a booking is for, as its agency's admin is given it.

use actix_web::web::Path;
use wayfare_contract::{BookingPeople, StoredSupplierAnswer};
use wayfare_operations::{Admin, Error, bookings, people::ExportedAnswer};

use crate::{
    http::{
        App,
        extract::{Ask, Nothing},
        reply::{DataReply, Message, Replied, data, message},
    },
    resources::common::booking_ref,
};

/// `GET /org/bookings/{ref}/people`.
pub async fn people(app: App, ask: Ask<Admin, Nothing>, reference: Path<String>) -> DataReply<BookingPeople> {
    let exported = bookings::people::exported(&app.core, &ask.who, &booking_ref(&reference)?).await?;
    let answer = |one: ExportedAnswer| StoredSupplierAnswer {
        order_number: one.order,
        step_id: one.step.map(|step| step.uuid()),
        received_at: one.at,
        answer: one.answer,
    };
    data(BookingPeople {
        booking_ref: exported.booking_ref.to_string(),
        product: exported.product.as_ref().into(),
        people: exported.people,
        papers: serde_json::to_value(exported.papers).map_err(Error::from)?,
        supplier_answers: exported.supplier_answers.into_iter().map(answer).collect(),
    })
}

/// `POST /org/bookings/{ref}/people/erase`.
pub async fn erase_people(app: App, ask: Ask<Admin, Nothing>, reference: Path<String>) -> Replied<Message> {
    bookings::people::erase(&app.core, &ask.who, &booking_ref(&reference)?).await?;
    message("people erased")
}
