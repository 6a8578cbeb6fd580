//! Whom a booking is for, and what its suppliers answered: read only where somebody asks for it, and written down each time.

use serde_json::Value;

use super::{
    bookings::{DeskRow, column},
    evidence,
    signed::OperatorSigned,
};
use crate::prelude::*;

#[derive(Template)]
#[template(path = "operator/travellers.html")]
struct TravellersPage {
    shell: Shell,
    reference: String,
    people: Vec<(String, String)>,
    papers: Vec<(String, String)>,
    answers: Vec<(String, String)>,
}

/// An answer of a supplier: which one, and its text.
fn answer(row: &DeskRow) -> (String, String) {
    let at = column(row, "at");
    let at = evidence::moment(&at).map_or(at, |at| at.text);
    let said = row.get("answer").unwrap_or(&Value::Null);
    let text = serde_json::to_string_pretty(said).unwrap_or_default();
    (format!("Order {}, {at}", column(row, "order")), text)
}

/// `POST /operator/bookings/{ref}/people`: it changes the audit log, so it is no `GET`.
pub async fn read(signed: OperatorSigned, reference: Path<String>) -> Answer {
    let shell = signed.shell("Travellers", Area::Bookings).await?;
    let read = signed.session.booking_people(&reference).await?;
    let facts = |name: &str| {
        let value = read.get(name).unwrap_or(&Value::Null);
        evidence::facts(value, "")
    };
    let answers = read.get("supplier_answers").and_then(Value::as_array);
    let answers = answers.into_iter().flatten().filter_map(Value::as_object);
    page::html(&TravellersPage {
        shell,
        reference: reference.into_inner(),
        people: facts("people"),
        papers: facts("papers"),
        answers: answers.map(answer).collect(),
    })
}
