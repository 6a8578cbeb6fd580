//! What is kept of a cancellation, whatever was bought: its request, its suppliers' quotes, its refunds.

use chrono::{DateTime, Utc};
use diesel_async::AsyncConnection;
use serde::{Deserialize, Serialize};
use wayfare_domain::{
    BookingId, BookingRef, CancelledPart, ChangeId, Money, OrganizationId, RefundId, RefundStatus, Remarks,
};
use wayfare_pricing::{Paid, Sale};
use wayfare_store::{
    JsonText,
    booking::{
        bookings::{self, Booking, Order},
        refunds::{self, Refund},
        steps::{self, Step},
    },
};
use wayfare_supply::{CancellationQuote, OrderToCancel, PartToCancel};

use crate::{
    Core, Engine, Error, RefundTerms, Result, engine::step::due, people::sealed, reason::Moment,
    suppliers::answers::read_result,
};

/// What is stored of a cancellation's request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CancelRequest {
    pub order_id: String,
    /// The supplier's quote that is confirmed; none until it has given one.
    pub cancellation_id: Option<String>,
    /// The supplier has taken it and carries it out later: it is never taken for refused.
    pub accepted: bool,
    /// When the supplier, which had kept silent, was asked to carry it out once more (D-130).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_again_at: Option<DateTime<Utc>>,
    /// It was held and not paid at the supplier when the quote was given.
    #[serde(default)]
    pub held: bool,
    /// What the supplier has quoted that it would give back.
    #[serde(default)]
    pub quoted: Option<Money>,
    /// What comes back at most, where what was quoted was worked out from terms ([`CancellationQuote::at_most`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Money>,
    /// The supplier has given the order back by itself: there is nothing to be asked.
    #[serde(default)]
    pub lapsed: bool,
    /// Nobody waits for it and it has to be done. Whoever carries it out asks for a quote, and for another when that has lapsed.
    #[serde(default, rename = "insists")]
    pub requote_until_done: bool,
    /// The booking that has taken the place of the one whose order it is.
    #[serde(default)]
    pub replaced_by: Option<BookingRef>,
    /// What its airline changed, where the agency gives it back because it refuses that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_change: Option<ChangeId>,
    /// What whoever wants it says to the supplier, without what it says of people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remarks: Option<Remarks>,
    /// What of the order is given back, where that is not the order as it was sold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<CancelledPart>,
    /// What is given back is what the terms say under which it was sold: the supplier's quote does not tell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_terms: bool,
    /// What that part had cost us, as the supplier has said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_total: Option<Money>,
}

impl CancelRequest {
    /// One that somebody waits for.
    pub(crate) fn of(order_id: &str) -> Self {
        Self {
            order_id: order_id.to_owned(),
            cancellation_id: None,
            accepted: false,
            confirmed_again_at: None,
            held: false,
            quoted: None,
            at_most: None,
            lapsed: false,
            requote_until_done: false,
            replaced_by: None,
            refused_change: None,
            remarks: None,
            part: None,
            by_terms: false,
            part_total: None,
        }
    }

    /// The same with what is said beside it.
    pub(crate) fn saying(self, remarks: Option<&Remarks>) -> Self {
        Self { remarks: remarks.cloned(), ..self }
    }

    /// The same of this part of the order, where it is not the order as it was sold.
    pub(crate) fn part(self, part: Option<CancelledPart>) -> Self {
        Self { part, ..self }
    }

    /// What the supplier is told to give back, with names; none where it is all of the order.
    ///
    /// # Errors
    /// When the database can't be asked, [`Error::NotSupported`] when nobody knows any more whom it is for.
    pub(crate) async fn part_to_cancel(&self, engine: &Engine, step: &Step) -> Result<Option<PartToCancel>> {
        let of = (step.organization, step.booking);
        part_to_cancel(engine, of, &step.supplier, self.part.as_ref()).await
    }

    pub(crate) fn requoting(order_id: &str) -> Self {
        Self { requote_until_done: true, ..Self::of(order_id) }
    }

    /// Of an order that its supplier does not hold any more.
    pub(crate) fn of_expired_hold(order_id: &str) -> Self {
        Self { lapsed: true, held: true, ..Self::of(order_id) }
    }
}

/// A part of an order of this supplier's as it is told of it, with names.
///
/// # Errors
/// As [`CancelRequest::part_to_cancel`].
pub(crate) async fn part_to_cancel(
    engine: &Engine,
    (organization, booking): (OrganizationId, BookingId),
    supplier: &str,
    part: Option<&CancelledPart>,
) -> Result<Option<PartToCancel>> {
    let Some(cancelled) = part.filter(|cancelled| !cancelled.is_whole) else { return Ok(None) };
    let people = sealed::load(&engine.core, organization, booking).await?;
    let supplier = engine.after_sale(supplier)?;
    Ok(Some(supplier.part_to_cancel(&cancelled.part, &people)?))
}

/// What is to be written before a supplier is asked to carry a cancellation out.
pub(crate) struct Quoted {
    pub step: Step,
    pub request: CancelRequest,
    /// What returns to the wallet; none of an order that nobody has paid for.
    pub terms: Option<RefundTerms>,
}

/// Writes what suppliers have quoted, before any is asked to carry it out.
///
/// # Errors
/// [`Error::SupplierUnavailable`] when a step was given up or taken over meanwhile; nothing may be carried out then.
pub(crate) async fn write_quotes<P: Sync>(
    engine: &Engine,
    booking: &Booking<P>,
    quoted: Vec<Quoted>,
) -> Result<Vec<Step>> {
    let (now, requested_at) = (engine.core.shared_time.now(), engine.core.clock.now());
    let mut connection = engine.core.database.connection().await?;
    let written = connection.transaction(async |connection| {
        // As everybody does who writes on a booking: first the booking, then what belongs to it.
        bookings::lock(connection, booking.organization, booking.id).await?;
        let mut written_steps = Vec::new();
        for one in quoted {
            let step = Step {
                request: JsonText::keeping(one.request.clone())?,
                sent_at: now,
                due_at: due(now, engine.suppliers.step_deadline(&one.step.supplier)),
                ..one.step.clone()
            };
            if !steps::update_request(connection, &step, &one.step).await? {
                return Err(Error::SupplierUnavailable(None));
            }
            if let Some(terms) = one.terms {
                let refund =
                    Refund { requested_at, ..refund(&engine.core, booking, &step, &one.request, terms) };
                refunds::put(connection, &refund).await?;
            }
            written_steps.push(step);
        }
        Ok::<_, Error>(written_steps)
    });
    written.await
}

fn refund<P>(
    core: &Core,
    booking: &Booking<P>,
    step: &Step,
    request: &CancelRequest,
    terms: RefundTerms,
) -> Refund {
    Refund {
        id: RefundId::new(&core.clock),
        organization: booking.organization,
        booking: booking.id,
        number: step.number,
        wallet: booking.wallet,
        // One that follows upon another waits for that one's supplier.
        status: match step.planned {
            true => RefundStatus::Pending,
            false => RefundStatus::Processing,
        },
        cancellation_charge: terms.cancellation_charge,
        provider_refund_amount: terms.provider_refund_amount,
        platform_charges: terms.platform_charges,
        refund_to_wallet: terms.refund_to_wallet,
        provider_refund_id: request.cancellation_id.clone(),
        requested_at: core.clock.now(),
        refunded_at: None,
        part: request.part.clone(),
    }
}

/// What the supplier would give back now.
///
/// # Errors
/// Its refusal or outage.
pub(crate) async fn quote(
    engine: &Engine,
    supplier: &str,
    order: OrderToCancel<'_>,
) -> Result<CancellationQuote> {
    let quoted = engine.suppliers.supplier(supplier)?.quote_cancellation(order).await;
    read_result(&engine.suppliers, supplier, Moment::AfterSale, quoted)
}

/// What was paid for what is given back of an order: for the order as it was sold, for what is left of it, or for the part
/// that had cost this at its supplier.
///
/// # Errors
/// [`Error::SupplierRefused`] when nobody says what a part had cost, or more than is left.
pub(crate) fn paid_for<O>(
    sale: &Sale,
    order: &Order<O>,
    part: Option<&CancelledPart>,
    part_total: Option<Money>,
) -> Result<Paid> {
    let left = order.left_of(sale)?;
    if part.is_none_or(|cancelled| cancelled.is_last) {
        return Ok(left);
    }
    let untold =
        || Error::SupplierRefused("the supplier does not say what this part of the order cost".to_owned());
    let total = part_total.filter(|total| total.currency() == left.supplier_due.currency());
    let total = total.filter(|total| total.is_positive()).ok_or_else(untold)?;
    match left.supplier_due.minus(total)?.is_negative() {
        true => Err(untold()),
        false => Ok(Paid::of(sale)?.part(total, &left)?),
    }
}

pub(crate) fn sale_of<'a, P, O>(booking: &'a Booking<P>, order: &Order<O>) -> Result<&'a Sale> {
    let sale = booking.sale(order.number);
    sale.ok_or_else(|| Error::Internal(format!("order {} has no price", order.reference)))
}

/// The booking and the order that a step acts on.
pub(crate) async fn acted_on(core: &Core, step: &Step) -> Result<(Booking<()>, Order<JsonText>)> {
    let mut connection = core.database.connection().await?;
    let (organization, id) = (step.organization, step.booking);
    let booking = bookings::by_id(&mut connection, organization, id).await?;
    let mut orders = bookings::orders_of(&connection, &[(organization, id)]).await?;
    let mut orders = orders.remove(&id).unwrap_or_default().into_iter();
    let order = orders.find(|order| order.number == step.number);
    let order = order.ok_or_else(|| Error::Internal(format!("step {} has no order", step.id)))?;
    Ok((booking, order))
}
