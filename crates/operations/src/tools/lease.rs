//! The lease: how long a claim on work lasts when its holder dies, and how it is kept while the holder works.

use std::{convert::Infallible, future::pending, pin::pin, time::Duration};

use futures_util::future::{BoxFuture, Either, select};

use crate::Result;

/// How long a taken step, order or report is out of reach of other takers when nobody renews the claim.
pub(crate) const LEASE: chrono::Duration = chrono::Duration::seconds(30);

/// How often a claim is renewed. Two renewals may fail before it ends.
const RENEWED_EVERY: Duration = Duration::from_secs(10);

/// Does the work, and renews the claim on it until the work is done. `renew` says whether the claim was still the holder's:
/// what somebody else has taken meanwhile is not taken back, and whoever is done first wins.
pub(crate) async fn renewing<T, R>(what: &str, work: BoxFuture<'_, T>, renew: impl Fn() -> R) -> T
where
    R: Future<Output = Result<bool>>,
{
    renewing_every(RENEWED_EVERY, what, work, renew).await
}

async fn renewing_every<T, R>(
    period: Duration,
    what: &str,
    work: BoxFuture<'_, T>,
    renew: impl Fn() -> R,
) -> T
where
    R: Future<Output = Result<bool>>,
{
    let kept = async {
        loop {
            tokio::time::sleep(period).await;
            match renew().await {
                Ok(true) => {}
                Ok(false) => return pending::<Infallible>().await,
                Err(error) => tracing::warn!(%error, what, "a lease could not be renewed"),
            }
        }
    };
    match select(work, pin!(kept)).await {
        Either::Left((done, _)) => done,
        Either::Right((never, _)) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::FutureExt;
    use tokio::sync::Notify;

    use super::*;
    use crate::Error;

    const PERIOD: Duration = Duration::from_millis(5);

    /// How often the claim on work is renewed that ends with so many renewals, whatever comes of each.
    async fn renewals(most: u32, renew: impl Fn(u32) -> Result<bool>) -> u32 {
        let (count, enough) = (Cell::new(0), Notify::new());
        let renew = async || {
            count.set(count.get() + 1);
            if count.get() == most {
                enough.notify_one();
            }
            renew(count.get())
        };
        renewing_every(PERIOD, "a test", enough.notified().boxed(), renew).await;
        count.get()
    }

    #[tokio::test]
    async fn a_claim_is_renewed_while_the_work_goes_on_and_no_longer() {
        assert_eq!(renewals(3, |_| Ok(true)).await, 3);
        let renew = async || Err(Error::Internal("the work was done before".to_owned()));
        assert_eq!(renewing_every(PERIOD, "a test", async { 7 }.boxed(), renew).await, 7);
    }

    #[tokio::test]
    async fn one_that_could_not_be_renewed_is_tried_again() {
        let failing = renewals(3, |_| Err(Error::Internal("no database".to_owned())));
        assert_eq!(failing.await, 3);
    }

    #[tokio::test]
    async fn a_claim_that_is_lost_is_not_taken_back() {
        let lost = tokio::time::timeout(PERIOD * 20, renewals(3, |count| Ok(count < 2)));
        assert!(lost.await.is_err(), "it was renewed a third time");
    }
}
