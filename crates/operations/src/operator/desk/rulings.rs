//! What the operator rules about a booking's money.

use diesel_async::AsyncConnection;
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{
    BookingRef, Currency, EventKind, Faults, FeesRuling, IncidentId, IncidentKind, Money, RulingId,
    RulingKind, RulingState,
};
use wayfare_store::booking::{
    bookings::{self, Booking},
    incidents::{Incident, open_of},
    rulings::{self, Ruling},
};

use crate::{
    Error, Platform, Result,
    access::operators::{By, ConfirmedDesk, Desk},
    engine::{
        incidents::{self, TakeOver},
        note,
        ruling::{self, LONGEST_NOTE, NewRuling, RulingMade},
    },
    order_content::order_content,
    tools::audit_event::{self, Change},
};

/// A ruling as the operator asks for it.
#[derive(Clone, Debug)]
pub struct RulingRequest {
    /// The number of the supplier order.
    pub number: u16,
    pub kind: RulingKind,
    /// How much: of an order that its supplier cancelled what this gives back, in the currency in which it charged; else in
    /// the wallet's (D-385).
    pub amount: Decimal,
    /// What becomes of the operator's own fees, of an order that its supplier cancelled.
    pub fees: FeesRuling,
    /// Whether the operator bears a refund.
    pub from_loss: bool,
    /// The amount once more, where it is more than the order cost (D-613, D-585).
    pub amount_again: Option<Decimal>,
    /// Whether it is made though another operator works on an incident of the order: the one that it settles is taken over.
    pub take_over: TakeOver,
    pub note: String,
    pub incident: Option<IncidentId>,
    /// Unique in the agency, so that it can be asked again safely; none: it is asked once.
    pub key: Option<String>,
}

/// Rules about an order of a booking. An operator's debit note is [`debit`]'s.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names what does not fit; [`Error::KeyMismatch`] when something else was ruled
/// under the key; [`Error::Claimed`] when another operator works on the incident that it settles, or on another of the order; [`Error::NotConfirmed`] of an
/// operator's debit note.
#[boxed]
pub async fn rule(
    platform: &Platform,
    by: By<Desk>,
    reference: &BookingRef,
    request: RulingRequest,
) -> Result<RulingMade> {
    // Whoever has the database's keys gives no password here.
    if request.kind == RulingKind::DebitNote && by.operator().is_some() {
        return Err(Error::NotConfirmed);
    }
    made(platform, by, reference, request).await
}

/// Rules that a wallet pays what a supplier has charged after the sale: by somebody who has given their password lately (D-613).
///
/// # Errors
/// As of [`rule`]; [`Error::Invalid`] for more than the order cost that is not said twice.
#[boxed]
pub async fn debit(
    platform: &Platform,
    by: By<ConfirmedDesk>,
    reference: &BookingRef,
    request: RulingRequest,
) -> Result<RulingMade> {
    made(platform, by, reference, request).await
}

async fn made<P>(
    platform: &Platform,
    by: By<P>,
    reference: &BookingRef,
    request: RulingRequest,
) -> Result<RulingMade> {
    let booking = crate::operator::booking(platform, reference).await?;
    let currency = currency(platform, &booking, &request).await?;
    let amount = Money::exact(request.amount, currency);
    let amount = amount.map_err(|error| Error::Invalid(Faults::of("amount", error.to_string())))?;
    if request.amount_again.is_some_and(|again| again != request.amount) {
        return Err(Faults::of("amount_again", "is not the same amount").into());
    }
    let of = (booking.organization, booking.id);
    let mut connection = platform.core.database.connection().await?;
    let open = open_of(&mut connection, of).await?;
    let made = rulings::of(&mut connection, of.0, of.1, request.key.as_deref()).await?;
    drop(connection);
    let incident = match request.kind {
        // Ruling on that is what it waits for.
        RulingKind::SupplierCancelled => request.incident.or_else(|| waiting(&open, request.number)),
        RulingKind::Refund | RulingKind::DebitNote | RulingKind::WriteOff => request.incident,
    };
    let key = request.key.unwrap_or_else(|| format!("desk:{}", RulingId::new(&platform.core.clock)));
    let is_repeated = made.iter().any(|made| made.key == key);
    let new = NewRuling {
        number: request.number,
        kind: request.kind,
        amount,
        fees: request.fees,
        from_loss: request.from_loss,
        beyond_cost: request.amount_again.is_some(),
        note: request.note,
        incident,
        passes_claims: request.take_over == TakeOver::Yes,
        key,
    };
    ruling::check(&new).or(())?;
    // Others of the order are looked at when it is decided.
    if let Some(named) = open.iter().find(|open| Some(open.id) == incident)
        && !is_repeated
    {
        incidents::claimed_by_none_else(&platform.core, &by, named, request.take_over).await?;
    }
    ruling::rule(&platform.engine, by.actor().clone(), of, new).await
}

/// The incident that a ruling settles that its supplier cancelled an order: that this was seen, or else that nobody could tell.
fn waiting(open: &[Incident], number: u16) -> Option<IncidentId> {
    use IncidentKind::{CancelledBySupplier, OrderUnsettled, RefundUnclear};
    let kinds = [CancelledBySupplier, OrderUnsettled, RefundUnclear];
    let of_order = open.iter().filter(|incident| incident.is_about(number));
    let of_order = of_order.filter_map(|incident| {
        let kind = kinds.iter().position(|kind| *kind == incident.kind)?;
        // What a step met may be a part of the order only.
        Some(((kind, incident.step.is_some()), incident.id))
    });
    of_order.min_by_key(|(order, _)| *order).map(|(_, id)| id)
}

/// Withdraws a debit note that is due: it is not collected any more, and nothing moves.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] where it is not due.
#[boxed]
pub async fn withdraw(
    platform: &Platform,
    by: By<Desk>,
    reference: &BookingRef,
    id: RulingId,
    note: &str,
) -> Result<Ruling> {
    note::check("note", note, LONGEST_NOTE).or(())?;
    let booking = crate::operator::booking(platform, reference).await?;
    let (organization, booking_id) = (booking.organization, booking.id);
    let note = note::without_people(&platform.core, (organization, booking_id), note).await?;
    let now = platform.core.clock.now();
    let mut connection = platform.core.database.connection().await?;
    let withdrawn = connection.transaction(async |connection| {
        // Whoever collects it holds this lock.
        bookings::lock(connection, organization, booking_id).await?;
        let all = rulings::of(connection, organization, booking_id, None).await?;
        let mut all = all.into_iter();
        let ruling = all.find(|ruling| ruling.id == id && ruling.booking == booking_id);
        let ruling = ruling.ok_or(Error::NotFound)?;
        if ruling.state != RulingState::Due || !rulings::withdraw(connection, organization, id, now).await? {
            return Err(Faults::of("ruling", "is no debit note that is due").into());
        }
        let change = Change {
            new_value: Some(json!({
                "product": booking.kind,
                "ruling_id": id,
                "amount": ruling.amount.number(),
                "currency": ruling.amount.currency(),
                "user_id": booking.user,
                "note": note,
            })),
            ..Change::of(organization, by.actor(), EventKind::BookingDebitWithdrawn, &booking.reference)
        };
        audit_event::write(connection, &audit_event::event(&platform.core, change)).await?;
        Ok::<_, Error>(Ruling { state: RulingState::Withdrawn, ..ruling })
    });
    withdrawn.await
}

async fn currency(platform: &Platform, booking: &Booking<()>, request: &RulingRequest) -> Result<Currency> {
    if request.kind != RulingKind::SupplierCancelled {
        return Ok(booking.amount.currency());
    }
    let connection = platform.core.database.connection().await?;
    let of = (booking.organization, booking.id);
    let mut orders = bookings::orders_of(&connection, &[of]).await?;
    drop(connection);
    let orders = orders.remove(&booking.id).unwrap_or_default();
    let missing = || Faults::of("order", "is no order of this booking");
    let order = orders.iter().find(|order| order.number == request.number);
    let order = order.ok_or_else(missing)?;
    if let Some(content) = &order.content {
        return Ok((order_content(booking.kind).charged)(content)?.currency());
    }
    let sale = booking.sale(request.number).ok_or_else(missing)?;
    Ok(sale.supplier_total.currency())
}

/// Collects the debit notes that are due and that their wallets cover by now: of one booking, or of all agencies.
///
/// # Errors
/// [`Error::NotFound`]; when the database can't be asked.
#[boxed]
pub async fn collect(platform: &Platform, reference: Option<&BookingRef>) -> Result<Vec<RulingMade>> {
    let of = match reference {
        Some(reference) => Some(crate::operator::booking(platform, reference).await?.id),
        None => None,
    };
    let mut connection = platform.core.database.connection().await?;
    let due = rulings::due(&mut connection).await?;
    drop(connection);
    let mut tried = Vec::new();
    for one in due {
        if of.is_none_or(|booking| booking == one.booking) {
            tried.push(ruling::collect(&platform.engine, one).await?);
        }
    }
    Ok(tried)
}
