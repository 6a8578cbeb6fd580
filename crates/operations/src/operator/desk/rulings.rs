//! What the operator rules about a booking's money.

use rust_decimal::Decimal;
use wayfare_domain::{BookingRef, Currency, Faults, FeesRuling, IncidentId, Money, RulingId, RulingKind};
use wayfare_store::booking::{
    bookings::{self, Booking},
    rulings,
};

use crate::{
    Error, Platform, Result,
    access::operators::{By, Desk},
    engine::ruling::{self, NewRuling, RulingMade},
    platform::order_content,
};

/// A ruling as the operator asks for it.
#[derive(Clone, Debug)]
pub struct RulingRequest {
    /// The number of the supplier order.
    pub number: u16,
    /// What is ruled.
    pub kind: RulingKind,
    /// How much: of an order that its supplier cancelled what this gives back, in the currency in which it charged; else in
    /// the wallet's (D-385).
    pub amount: Decimal,
    /// What becomes of the operator's own fees, of an order that its supplier cancelled.
    pub fees: FeesRuling,
    /// Whether the operator bears a refund.
    pub from_loss: bool,
    /// Why.
    pub note: String,
    /// The incident that it settles.
    pub incident: Option<IncidentId>,
    /// Unique in the agency, so that it can be asked again safely; none: it is asked once.
    pub key: Option<String>,
}

/// Rules about an order of a booking.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names what does not fit; [`Error::KeyMismatch`] when something else was ruled
/// under the key.
pub async fn rule<'a>(
    by: impl Into<By<'a, Desk>>,
    reference: &BookingRef,
    request: RulingRequest,
) -> Result<RulingMade> {
    let by = by.into();
    let platform = by.platform();
    let booking = crate::operator::booking(platform, reference).await?;
    let currency = currency(platform, &booking, &request).await?;
    let amount = Money::exact(request.amount, currency);
    let amount = amount.map_err(|error| Error::Invalid(Faults::of("amount", error.to_string())))?;
    let key = request
        .key
        .unwrap_or_else(|| format!("desk:{}", RulingId::new(&platform.clock)));
    let new = NewRuling {
        number: request.number,
        kind: request.kind,
        amount,
        fees: request.fees,
        from_loss: request.from_loss,
        note: request.note,
        incident: request.incident,
        key,
    };
    ruling::rule(
        platform,
        by.actor().clone(),
        (booking.organization, booking.id),
        new,
    )
    .await
}

async fn currency(platform: &Platform, booking: &Booking<()>, request: &RulingRequest) -> Result<Currency> {
    if request.kind != RulingKind::SupplierCancelled {
        return Ok(booking.amount.currency());
    }
    let connection = platform.database.connection().await?;
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
pub async fn collect(platform: &Platform, reference: Option<&BookingRef>) -> Result<Vec<RulingMade>> {
    let of = match reference {
        Some(reference) => Some(crate::operator::booking(platform, reference).await?.id),
        None => None,
    };
    let mut connection = platform.database.connection().await?;
    let due = rulings::due(&mut connection).await?;
    drop(connection);
    let mut tried = Vec::new();
    for one in due {
        if of.is_none_or(|booking| booking == one.booking) {
            tried.push(ruling::collect(platform, one).await?);
        }
    }
    Ok(tried)
}
