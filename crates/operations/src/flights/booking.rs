//! Orders as they are made at their suppliers, and looked up there.

use wayfare_flights::{Itinerary, Lookup, OrderRequest};
use wayfare_store::effects::Effect;
use wayfare_supply::{Answer, RefusalKind};

use crate::{
    Error, Platform, Result,
    effects::Sent,
    purchase::{self, Outcome},
    testing::{moment, planted},
};

/// Makes the order.
///
/// # Errors
/// When what is to be sent can't be read.
pub(crate) async fn send(platform: &Platform, effect: &Effect) -> Result<Sent> {
    moment("book:opened");
    let sent = ask(platform, effect).await;
    moment("book:answered");
    sent
}

async fn ask(platform: &Platform, effect: &Effect) -> Result<Sent> {
    let supplier = platform.flight_supplier(&effect.supplier)?;
    let request: OrderRequest = serde_json::from_value(effect.request.clone())?;
    if !purchase::in_time(platform, effect) {
        let reason = "it could not be sent in time".to_owned();
        return Ok(Sent::refused(
            Outcome::NotBooked(reason),
            Error::SupplierUnavailable(None),
        ));
    }
    let mut answer = supplier.book(&request).await;
    if planted("bug:retry-blindly") && matches!(answer, Answer::Unknown(_)) {
        answer = supplier.book(&request).await;
    }
    Ok(match answer {
        Answer::Done(order) => match purchase::ending::<Itinerary>(&order)? {
            Some(Outcome::NotBooked(reason)) => {
                let error = Error::SupplierRefused(reason.clone());
                Sent::refused(Outcome::NotBooked(reason), error)
            }
            Some(booked) => Sent::ended(booked),
            None => Sent::Open(STILL_AT_IT.to_owned()),
        },
        Answer::Refused(refusal) => {
            let error = match refusal.kind {
                RefusalKind::PriceChanged => Error::FareChanged,
                _ => Error::SupplierRefused(refusal.text.clone()),
            };
            Sent::refused(Outcome::NotBooked(refusal.text), error)
        }
        Answer::Unavailable(outage) => Sent::refused(
            Outcome::NotBooked(outage.reason),
            Error::SupplierUnavailable(outage.retry_after),
        ),
        Answer::Unknown(reason) if planted("bug:silence-is-refusal") => {
            Sent::refused(Outcome::NotBooked(reason), Error::SupplierUnavailable(None))
        }
        Answer::Unknown(reason) => Sent::Open(reason),
    })
}

const STILL_AT_IT: &str = "the supplier is still at it";

/// Finds out whether the order was made; by its id at the supplier, where the operator has told it.
///
/// # Errors
/// When what was sent can't be read.
pub(crate) async fn look_up(
    platform: &Platform,
    effect: &Effect,
    order_id: Option<&str>,
    too_late: bool,
) -> Result<Sent> {
    let supplier = platform.flight_supplier(&effect.supplier)?;
    let request: OrderRequest = serde_json::from_value(effect.request.clone())?;
    let lookup = Lookup {
        reference: &request.reference,
        order_id,
        request: &request,
    };
    Ok(match supplier.find(lookup).await {
        Answer::Done(Some(order)) => purchase::ending::<Itinerary>(&order)?
            .map_or_else(|| Sent::Open(STILL_AT_IT.to_owned()), Sent::ended),
        // The operator's word against the supplier's: neither a refusal nor an order.
        Answer::Done(None) if order_id.is_some() => {
            Sent::Open("not found under the operator's order id".to_owned())
        }
        Answer::Done(None) if too_late => {
            Sent::ended(Outcome::NotBooked("not found at the supplier".to_owned()))
        }
        Answer::Done(None) => Sent::Open("not found yet".to_owned()),
        other => Sent::Open(other.problem().unwrap_or_default().to_owned()),
    })
}
