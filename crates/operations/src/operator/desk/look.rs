//! The command `look`: has a booking's orders polled now by the running server.

use std::time::Duration;

use wayfare_boxed::boxed;
use wayfare_contract::operator::Looked;
use wayfare_domain::{BookingRef, Faults};
use wayfare_store::booking::desk;

use crate::{Platform, Result, core::shared_time, operator};

/// How often it is asked whether the server has polled them.
const PAUSE: Duration = Duration::from_millis(250);

/// Makes the orders of a booking that stand due now, and waits until a running server has polled them.
///
/// # Errors
/// [`crate::Error::NotFound`]; [`crate::Error::Invalid`] where no order stands.
#[boxed]
pub async fn look(
    platform: &Platform,
    reference: &BookingRef,
    number: Option<u16>,
    patience: Duration,
) -> Result<Looked> {
    let booking = operator::booking(platform, reference).await?;
    let (organization, id) = (booking.organization, booking.id);
    shared_time::read(&platform.core).await?;
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    let due = desk::look_now(&mut connection, organization, id, number, now).await?;
    if due.is_empty() {
        let (field, problem) = match number {
            Some(_) => ("order", "stands with no supplier: there is nothing to look at"),
            None => ("booking", "has no order that stands with a supplier: there is nothing to look at"),
        };
        return Err(Faults::of(field, problem).into());
    }
    let orders = due.len();
    let until = tokio::time::Instant::now() + patience;
    loop {
        // Whoever takes an order says until when it is theirs, and then when the next poll is: it is not due any more.
        let still_due =
            desk::still_due(&mut connection, organization, id, platform.core.shared_time.now()).await?;
        let looked = due.iter().filter(|number| !still_due.contains(number)).count();
        if looked >= orders || tokio::time::Instant::now() >= until {
            return Ok(Looked { orders, looked });
        }
        tokio::time::sleep(PAUSE).await;
    }
}
