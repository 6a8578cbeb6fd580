//! Orders as they are made at their suppliers, and looked up there.

use wayfare_domain::ProductKind;
use wayfare_flights::Itinerary;
use wayfare_hotels::Stay;
use wayfare_store::booking::steps::Step;
use wayfare_supply::Answer;

use crate::{
    Error, Platform, Result,
    engine::{
        product::Supplied,
        purchase::{self, Outcome},
        run::Sent,
    },
    tools::failpoints::{moment, seeded_bug},
};

/// Makes the order.
///
/// # Errors
/// When what is to be sent can't be read.
pub(crate) async fn send(platform: &Platform, step: &Step) -> Result<Sent> {
    moment("book:opened");
    let sent = match platform.product_of(&step.supplier)? {
        ProductKind::Flight => ask::<Itinerary>(platform, step).await,
        ProductKind::Hotel => ask::<Stay>(platform, step).await,
    };
    moment("book:answered");
    sent
}

async fn ask<P: Supplied>(platform: &Platform, step: &Step) -> Result<Sent> {
    let request: P::Request = serde_json::from_value(step.request.clone())?;
    if !purchase::in_time(platform, step) {
        return Ok(Sent::too_late(Outcome::NotBooked));
    }
    let mut answer = P::book(platform, &step.supplier, &request).await?;
    if seeded_bug("bug:retry-blindly") && matches!(answer, Answer::Unknown(_)) {
        answer = P::book(platform, &step.supplier, &request).await?;
    }
    if let Answer::Unknown(reason) = &answer
        && seeded_bug("bug:silence-is-refusal")
    {
        let outcome = Outcome::NotBooked(reason.clone());
        return Ok(Sent::refused(outcome, Error::SupplierUnavailable(None)));
    }
    Sent::of(answer, Some(Error::FareChanged), Outcome::NotBooked, shown::<P>)
}

/// What the order that a supplier shows comes to.
fn shown<P: Supplied>(order: P::Order) -> Result<Sent> {
    Ok(match purchase::ending::<P>(&order)? {
        Some(Outcome::NotBooked(reason)) => {
            let error = Error::SupplierRefused(reason.clone());
            Sent::refused(Outcome::NotBooked(reason), error)
        }
        Some(booked) => Sent::ended(booked),
        None => Sent::Open("supplier still processing".to_owned()),
    })
}

/// Finds out whether the order was made; by its id at the supplier, where the operator has told it.
///
/// # Errors
/// When what was sent can't be read.
pub(crate) async fn look_up(
    platform: &Platform,
    step: &Step,
    order_id: Option<&str>,
    too_late: bool,
) -> Result<Sent> {
    match platform.product_of(&step.supplier)? {
        ProductKind::Flight => look::<Itinerary>(platform, step, order_id, too_late).await,
        ProductKind::Hotel => look::<Stay>(platform, step, order_id, too_late).await,
    }
}

async fn look<P: Supplied>(
    platform: &Platform,
    step: &Step,
    order_id: Option<&str>,
    too_late: bool,
) -> Result<Sent> {
    let request: P::Request = serde_json::from_value(step.request.clone())?;
    match P::find(platform, &step.supplier, order_id, &request).await? {
        // The operator's word against the supplier's: neither a refusal nor an order.
        Answer::Done(None) if order_id.is_some() => {
            Ok(Sent::Open("not found under the operator's order id".to_owned()))
        }
        found => Sent::found(found, too_late, Outcome::NotBooked, shown::<P>),
    }
}
