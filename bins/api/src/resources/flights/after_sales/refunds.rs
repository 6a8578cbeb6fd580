//! Refunds, and how one stands.

use actix_web::web::Path;
use wayfare_contract::{RefundRow, flights::RefundState};
use wayfare_domain::{PageRequest, Product, RefundStatus};
use wayfare_operations::{Caller, RefundTerms, bookings, flights};

use crate::{
    http::{
        App,
        extract::{Ask, Nothing, Query},
        query::{FromQuery, Parameters},
        reply::{DataReply, Paged, Replied, data, paged},
    },
    resources::{common::booking_ref, flights::refund_amounts::refund_amounts},
};

/// In which state the refunds of a list are to be, where it is said.
pub struct OfRefundStatus(pub Option<RefundStatus>);

impl FromQuery for OfRefundStatus {
    fn read(query: &mut Parameters) -> Self {
        Self(query.word("status"))
    }
}

/// `GET /flights/refunds`, `GET /hotels/refunds`.
pub async fn refunds<P: Product>(
    app: App,
    ask: Ask<Caller, Query<(PageRequest, OfRefundStatus)>>,
) -> Replied<Paged<RefundRow>> {
    let Query((page, OfRefundStatus(status))) = ask.what;
    let page = bookings::refunds::<P>(&app.core, &ask.who, status, page).await?;
    paged(page.map(row))
}

/// `POST /flights/bookings/{ref}/refund-status`.
pub async fn refund_status(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> DataReply<RefundState> {
    let state = flights::refund_state(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    data(self::state(state))
}

/// A refund: one for each supplier order that was given back.
fn row(row: flights::RefundRow) -> RefundRow {
    let refund = row.refund;
    let amounts = refund_amounts(&RefundTerms::from(&refund));
    RefundRow {
        booking_ref: row.booking_ref.to_string(),
        pnr: row.pnr,
        booking_status: row.booking_status.as_ref().into(),
        refund_status: refund.status.as_ref().into(),
        provider_refund_id: refund.provider_refund_id.unwrap_or_default(),
        amounts,
        agent_name: row.user_name,
        cancelled_at: row.cancelled_at,
        refunded_at: refund.refunded_at,
    }
}

/// How a booking's refund stands.
fn state(state: flights::RefundState) -> RefundState {
    let amounts = refund_amounts(&state.terms);
    RefundState {
        booking_ref: state.booking.reference.to_string(),
        status: state.status.as_ref().into(),
        provider: state.booking.summary.provider,
        amounts,
        refund_id: state.provider_refund_ids.join(", "),
        // No supplier tells one.
        credit_note_no: String::new(),
        refunded_at: state.refunded_at,
        message: match state.status {
            RefundStatus::Pending => "the supplier has not been asked to carry the cancellation out yet",
            RefundStatus::Processing => "the supplier is at it",
            RefundStatus::Refunded => "the refund is in the wallet",
            RefundStatus::Failed => "the supplier did not cancel; nothing was refunded",
        }
        .to_owned(),
    }
}
