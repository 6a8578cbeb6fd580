//! Why an airline can't put an order's flights off, whoever sold them.

use std::io;

/// Why an airline can't change an order's flights.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AirlineChangeError {
    #[error("no supplier of flights has an order {0}")]
    NoOrder(String),
    #[error("the order has no slice {0}")]
    NoSlice(usize),
    #[error("the order is cancelled")]
    Cancelled,
    #[error("the order log cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}
