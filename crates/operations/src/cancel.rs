//! Giving a booking back: the supplier's cancellation as an effect, the refund as money.

use diesel_async::AsyncConnection;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{Actor, Product, RefundId, RefundStatus};
use wayfare_store::{
    bookings::Booking,
    effects::{self, Effect},
    refunds::{self, Refund},
};

use crate::{
    Error, Platform, RefundTerms, Result,
    purchase::{self, Closing, due},
};

/// What is kept of a cancellation's request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CancelRequest {
    pub order_id: String,
    /// The supplier's quote that is confirmed; none until it has given one.
    pub cancellation_id: Option<String>,
    /// The supplier has taken it and carries it out later: it is never taken for refused.
    pub accepted: bool,
}

/// Writes what the supplier has quoted, before it is asked to carry it out.
///
/// # Errors
/// [`Error::SupplierUnavailable`] when the effect was given up meanwhile; nothing may be carried out then.
pub(crate) async fn quoted<P>(
    platform: &Platform,
    booking: &Booking<P>,
    effect: &Effect,
    request: &CancelRequest,
    terms: RefundTerms,
    deadline: std::time::Duration,
) -> Result<Effect> {
    let refund = Refund {
        id: RefundId::new(&platform.clock),
        organization: booking.organization,
        booking: booking.id,
        wallet: booking.wallet,
        status: RefundStatus::Processing,
        cancellation_charge: terms.cancellation_charge,
        provider_refund_amount: terms.provider_refund_amount,
        platform_charges: terms.platform_charges,
        refund_to_wallet: terms.refund_to_wallet,
        provider_refund_id: request.cancellation_id.clone(),
        requested_at: platform.clock.now(),
        refunded_at: None,
    };
    let now = platform.clock.now();
    let noted = Effect {
        request: serde_json::to_value(request)?,
        sent_at: now,
        due_at: due(now, deadline),
        ..effect.clone()
    };
    let mut connection = platform.database.connection().await?;
    let written = connection.transaction(async |connection| {
        if !effects::note(connection, &noted).await? {
            // It took so long that it was given up: nothing was carried out, and nothing will be.
            return Err(Error::SupplierUnavailable(None));
        }
        Ok::<_, Error>(refunds::insert(connection, &refund).await?)
    });
    written.await?;
    Ok(noted)
}

/// What became of a cancellation.
pub(crate) enum Ending {
    /// The supplier carried it out.
    Done,
    /// It did not, and why.
    Refused(String),
}

/// Why a cancellation that its supplier had taken was not carried out.
pub(crate) const REJECTED: &str = "the supplier has rejected the cancellation";

/// Closes a cancellation: the refund goes to the wallet that paid, or the booking stands as before and there is
/// none. A second close of the same effect changes nothing.
///
/// # Errors
/// When the database can't be asked: the effect stays open and the worker closes it later.
pub(crate) async fn close<P: Product>(
    platform: &Platform,
    actor: &Actor,
    effect: &Effect,
    ending: Ending,
) -> Result<Option<Refund>> {
    let ending = match ending {
        Ending::Done => purchase::Outcome::Cancelled(given_back::<P>),
        Ending::Refused(reason) => purchase::Outcome::NotCancelled(reason),
    };
    let closing = Closing {
        effect: effect.clone(),
        actor: actor.clone(),
        ending,
    };
    Ok(platform.writers.close(closing).await?.refund)
}

fn given_back<P: Product>(content: Value) -> Result<Value> {
    let mut order: P::Order = serde_json::from_value(content)?;
    P::give_back(&mut order);
    Ok(serde_json::to_value(order)?)
}
