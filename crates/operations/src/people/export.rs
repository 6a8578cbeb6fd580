//! All that is stored of whom a booking is for, for who has a right to it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use wayfare_domain::{Actor, BookingPapers, BookingRef, EventKind, ProductKind, StepId};
use wayfare_store::booking::{bookings::Booking, people};

use super::sealed;
use crate::{
    Core, Result,
    tools::audit_event::{self, Change},
};

/// All that is stored of whom a booking is for.
#[derive(Debug, Serialize)]
pub struct ExportedPeople {
    pub booking_ref: BookingRef,
    pub product: ProductKind,
    /// Who, and how they are reached; null when that is erased.
    pub people: Value,
    pub papers: BookingPapers,
    /// What suppliers said of its orders, in order of time.
    pub supplier_answers: Vec<ExportedAnswer>,
}

/// What a supplier said of an order.
#[derive(Debug, Serialize)]
pub struct ExportedAnswer {
    pub order: u16,
    /// The step that it was the answer to; none where the order was only polled.
    pub step: Option<StepId>,
    pub at: DateTime<Utc>,
    pub answer: Value,
}

/// All of it. That somebody was given it is written down: who, of which booking, and nothing of whom it is for.
///
/// # Errors
/// [`crate::Error::Internal`] when a row does not open.
pub(crate) async fn export<P>(
    core: &Core,
    actor: &Actor,
    booking: &Booking<P>,
    action: EventKind,
) -> Result<ExportedPeople> {
    let (organization, id) = (booking.organization, booking.id);
    let people = sealed::load(core, organization, id).await?;
    let mut connection = core.database.connection().await?;
    let mut answers = Vec::new();
    for one in people::answers(&mut connection, organization, id).await? {
        if let Some(answer) = people.open_answer(one.id, &one.sealed)? {
            answers.push(ExportedAnswer { order: one.number, step: one.step, at: one.at, answer });
        }
    }
    let change = Change {
        new_value: Some(json!({ "product": booking.kind })),
        ..Change::of(organization, actor, action, &booking.reference)
    };
    audit_event::write(&connection, &audit_event::event(core, change)).await?;
    Ok(ExportedPeople {
        booking_ref: booking.reference.clone(),
        product: booking.kind,
        people: people.all(),
        papers: people.papers().clone(),
        supplier_answers: answers,
    })
}
