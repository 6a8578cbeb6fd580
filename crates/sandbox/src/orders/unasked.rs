//! What suppliers and hotels do with orders, asked by nobody.

use std::io;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::{Orders, Status};

/// What its supplier gives back for an order that it ends by itself.
#[derive(Debug)]
pub(crate) struct SupplierEnd {
    /// In the order's currency, whatever it is said to be in.
    pub(crate) refund: Decimal,
    /// Whether the supplier says so, where it can end an order without a word about money.
    pub(crate) is_told: bool,
    /// In which currency it says that it is, where that is another.
    pub(crate) currency: Option<String>,
}

/// Why nothing is done with an order.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnaskedError {
    #[error("there is no order {0}")]
    NoOrder(String),
    #[error("the order has ended")]
    Ended,
    #[error("the order is no hotel's")]
    NoHotel,
    #[error("the refund must be from 0 to {0}")]
    Refund(Decimal),
    #[error("the order log cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}

impl Orders {
    /// Ends an order for its supplier; what was paid comes back where nothing else is said.
    pub(crate) fn end_by_supplier(
        &self,
        id: &str,
        refund: Option<Decimal>,
        (is_told, currency): (bool, Option<String>),
        now: DateTime<Utc>,
    ) -> Result<(), UnaskedError> {
        let mut stored = self.stored();
        let missing = || UnaskedError::NoOrder(id.to_owned());
        let order = stored.by_id.get(id).cloned().ok_or_else(missing)?;
        let outline = order.booking.outline(now);
        let paid = match outline.status {
            Status::Held => Decimal::ZERO,
            Status::Confirmed => outline.amount,
            Status::Cancelled => return Err(UnaskedError::Ended),
        };
        let refund = refund.unwrap_or(paid);
        if refund < Decimal::ZERO || refund > paid {
            return Err(UnaskedError::Refund(paid));
        }
        let end = SupplierEnd { refund, is_told, currency };
        let ended = order.booking.ended_by_supplier(&end, now);
        stored.put(order.with(ended))?;
        tracing::info!(order = id, "a supplier ends an order by itself");
        Ok(())
    }

    /// The hotel tells its own numbers of the rooms.
    pub(crate) fn tell_hotel_numbers(&self, id: &str, numbers: Vec<String>) -> Result<(), UnaskedError> {
        let mut stored = self.stored();
        let missing = || UnaskedError::NoOrder(id.to_owned());
        let order = stored.by_id.get(id).cloned().ok_or_else(missing)?;
        let told = order.booking.with_hotel_numbers(numbers);
        stored.put(order.with(told.ok_or(UnaskedError::NoHotel)?))?;
        Ok(())
    }
}
