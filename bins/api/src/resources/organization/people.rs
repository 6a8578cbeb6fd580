//! Whom a booking is for, as its agency's admin is given it.

use actix_web::web::Path;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use wayfare_domain::{BookingRef, StepId};
use wayfare_operations::{
    Admin, Error, bookings,
    people::{ExportedAnswer, ExportedPeople},
};

use crate::{
    http::{
        App,
        extract::{Ask, Nothing},
        reply::{Data, Message, Replied, data, message},
    },
    resources::common::booking_ref,
};

/// All that is stored of whom a booking is for.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookingPeople")]
pub struct PeopleView {
    booking_ref: BookingRef,
    product: &'static str,
    #[schemars(with = "Option<Map<String, Value>>")]
    people: Value,
    #[schemars(with = "Map<String, Value>")]
    papers: Value,
    supplier_answers: Vec<AnswerView>,
}

/// What a supplier said of an order of the booking.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "StoredSupplierAnswer")]
struct AnswerView {
    order_number: u16,
    step_id: Option<StepId>,
    received_at: DateTime<Utc>,
    #[schemars(with = "Map<String, Value>")]
    answer: Value,
}

impl From<ExportedAnswer> for AnswerView {
    fn from(one: ExportedAnswer) -> Self {
        Self { order_number: one.order, step_id: one.step, received_at: one.at, answer: one.answer }
    }
}

impl PeopleView {
    fn of(exported: ExportedPeople) -> Result<Self, Error> {
        let answers = exported.supplier_answers.into_iter();
        Ok(Self {
            booking_ref: exported.booking_ref,
            product: exported.product.into(),
            people: exported.people,
            papers: serde_json::to_value(exported.papers)?,
            supplier_answers: answers.map(AnswerView::from).collect(),
        })
    }
}

/// `GET /org/bookings/{ref}/people`.
pub async fn people(
    app: App,
    ask: Ask<Admin, Nothing>,
    reference: Path<String>,
) -> Replied<Data<PeopleView>> {
    let exported = bookings::people::exported(&app.core, &ask.who, &booking_ref(&reference)?).await?;
    data(PeopleView::of(exported)?)
}

/// `POST /org/bookings/{ref}/people/erase`.
pub async fn erase_people(app: App, ask: Ask<Admin, Nothing>, reference: Path<String>) -> Replied<Message> {
    bookings::people::erase(&app.core, &ask.who, &booking_ref(&reference)?).await?;
    message("people erased")
}
