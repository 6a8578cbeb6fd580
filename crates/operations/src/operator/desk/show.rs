//! One booking with everything that happened to it, in order of time.

use serde::Serialize;
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_domain::{Actor, BookingRef, EventKind};
use wayfare_store::booking::desk::{self, DeskRow};

use crate::{
    Platform, Result,
    access::operators::{By, Desk},
    operator,
    people::{export::ExportedPeople, sealed},
    tools::audit_event::{self, Change},
};

/// What of a booking is shown beside what happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Also {
    pub people: bool,
    pub answers: bool,
}

/// A booking as the operator sees it.
#[derive(Debug, Serialize)]
pub struct ShownBooking {
    /// It, with its orders, as they stand.
    pub booking: DeskRow,
    /// What happened, in order of time: each with `at`, `what` and the rest.
    pub happened: Vec<DeskRow>,
    /// Whom it is for, and all of what its suppliers answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<ExportedPeople>,
    /// What its suppliers answered, as far as their lists name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<Value>>,
}

/// A booking with everything that happened to it, without whom it is for and what its suppliers answered.
///
/// # Errors
/// [`crate::Error::NotFound`].
#[boxed]
pub async fn overview(platform: &Platform, reference: &BookingRef) -> Result<ShownBooking> {
    let found = operator::booking(platform, reference).await?;
    let mut connection = platform.core.database.connection().await?;
    let (booking, happened) =
        desk::show(&mut connection, found.organization, found.id, found.created_at).await?;
    Ok(ShownBooking { booking, happened, people: None, answers: None })
}

/// A booking with everything that happened to it. Whom it is for, and what suppliers answered, is shown only where that is
/// asked for, and each time it is written down (`people.read`). Without people answers have only what their suppliers'
/// lists name, by `passed_on`: nothing of a supplier that has no list.
///
/// # Errors
/// [`crate::Error::NotFound`].
pub async fn show(
    platform: &Platform,
    by: By<Desk>,
    reference: &BookingRef,
    also: Also,
    passed_on: impl Fn(&str, Value) -> Option<(Value, usize)>,
) -> Result<ShownBooking> {
    let found = operator::booking(platform, reference).await?;
    let (organization, id) = (found.organization, found.id);
    let mut connection = platform.core.database.connection().await?;
    let (booking, happened) = desk::show(&mut connection, organization, id, found.created_at).await?;
    drop(connection);
    let (people, answers) = match (also.people, also.answers) {
        (true, _) => (Some(operator::people::show(platform, by, reference).await?), None),
        (false, true) => (None, Some(answers(platform, by.actor(), &found, passed_on).await?)),
        (false, false) => (None, None),
    };
    Ok(ShownBooking { booking, happened, people, answers })
}

/// The suppliers' answers, by their lists.
async fn answers(
    platform: &Platform,
    actor: &Actor,
    booking: &wayfare_store::booking::bookings::Booking<()>,
    passed_on: impl Fn(&str, Value) -> Option<(Value, usize)>,
) -> Result<Vec<Value>> {
    let (organization, id) = (booking.organization, booking.id);
    let people = sealed::load(&platform.core, organization, id).await?;
    let mut connection = platform.core.database.connection().await?;
    let change = Change {
        new_value: Some(json!({ "product": booking.kind, "kinds": ["answers"] })),
        ..Change::of(organization, actor, EventKind::PeopleRead, &booking.reference)
    };
    audit_event::write(&connection, &audit_event::event(&platform.core, change)).await?;
    let mut shown = Vec::new();
    for one in wayfare_store::booking::people::answers(&mut connection, organization, id).await? {
        let Some(answer) = people.open_answer(one.id, &one.sealed)? else { continue };
        let sale = booking.sale(one.number);
        let supplier = sale.map(|sale| sale.supplier.as_str()).unwrap_or_default();
        let (answer, omitted) = match passed_on(supplier, answer) {
            Some((order, omitted)) => (order, json!(omitted)),
            None => (Value::Null, json!("all: this supplier has no list")),
        };
        shown.push(json!({
            "order": one.number, "step": one.step, "at": one.at, "answer": answer, "omitted": omitted,
        }));
    }
    Ok(shown)
}
