//! The fare ledger: one row when a booking is confirmed, one negative row when it is refunded.

use chrono::{DateTime, Utc};
use wayfare_domain::{BookingId, BookingRef, FareTransactionId, Money, OrganizationId, ProductKind, UserId};

/// One row; amounts in the wallet's currency, negative on a refund (decisions, details 24 and 84).
#[derive(Clone, Debug)]
pub struct FareTransaction {
    /// Its id.
    pub id: FareTransactionId,
    /// The agency.
    pub organization: OrganizationId,
    /// The booking.
    pub booking: BookingId,
    /// Its reference.
    pub reference: BookingRef,
    /// What was bought.
    pub product: ProductKind,
    /// The record locator.
    pub pnr: String,
    /// The supplier's code.
    pub provider: String,
    /// Who booked.
    pub user: UserId,
    /// Their name then.
    pub user_name: String,
    /// What the travellers' bill says.
    pub public_fare: Money,
    /// What the wallet paid or got back.
    pub agent_fare: Money,
    /// What the agency earned or lost again.
    pub agent_commission: Money,
    /// What the package added or took.
    pub markup: Money,
    /// When, UTC.
    pub issued_at: DateTime<Utc>,
}
