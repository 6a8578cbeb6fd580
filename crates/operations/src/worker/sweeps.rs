//! Sweeps: reading a supplier's list finds many orders with one call. What it shows changes nothing here; orders of which it
//! shows something new are due now.

use std::time::Duration;

use futures_util::future::join_all;
use wayfare_boxed::boxed;
use wayfare_store::booking::orders_to_poll;
use wayfare_supply::{AfterSales, Answer, watching};

use crate::{Platform, Result, tools::lease::LEASE};

/// How often the loop looks for lists that are due.
pub(super) const LOOKED_EVERY: Duration = Duration::from_secs(10);
/// A list that could not be read is read again so long after.
const AGAIN: Duration = Duration::from_secs(300);

/// Reads each supplier's list that is due. One server of a database does it.
#[boxed]
pub async fn sweep_due(platform: &Platform) -> Result<()> {
    let codes = platform.suppliers.flights.keys().chain(platform.suppliers.hotels.keys());
    let swept = codes.map(|code| async {
        let supplier = platform.suppliers.supplier(code)?;
        match supplier.swept_every() {
            Some(every) => sweep(platform, supplier, every).await,
            None => Ok(()),
        }
    });
    join_all(swept).await.into_iter().collect()
}

async fn sweep(platform: &Platform, supplier: &dyn AfterSales, every: Duration) -> Result<()> {
    let code = supplier.config().code.as_str();
    let leased_until = platform.core.shared_time.now() + LEASE;
    {
        let mut connection = platform.core.database.connection().await?;
        let now = platform.core.shared_time.now();
        if !orders_to_poll::take_sweep(&mut connection, code, now, leased_until).await? {
            return Ok(());
        }
    }
    let found = watching(supplier.sweep()).await;
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    let (news_at, again) = match found {
        Answer::Done(found) => {
            let ids: Vec<&str> = found.iter().map(|swept| swept.order_id.as_str()).collect();
            let marks: Vec<&str> = found.iter().map(|swept| swept.mark.as_str()).collect();
            let rung = orders_to_poll::ring_for_news(&mut connection, code, (&ids, &marks), now).await?;
            if rung > 0 {
                tracing::info!(supplier = code, rung, "a supplier's list shows news of orders");
            }
            ((rung > 0).then_some(now), every)
        }
        failed => {
            let reason = failed.problem().unwrap_or_default();
            tracing::warn!(supplier = code, reason, "a supplier's list could not be read");
            (None, AGAIN.min(every))
        }
    };
    let again = now + chrono::Duration::from_std(again).unwrap_or(chrono::Duration::days(1));
    Ok(orders_to_poll::sweep_again(&mut connection, code, (news_at, again)).await?)
}
