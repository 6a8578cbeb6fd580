//! The lease: how long a claim on work lasts when its holder dies, and how it is kept while the holder works.

use std::{convert::Infallible, future::pending, pin::pin, time::Duration};

use futures_util::future::{Either, select};

use crate::Result;

/// How long a taken step, order or report is out of reach of other takers when nobody renews the claim.
pub(crate) const LEASE: chrono::Duration = chrono::Duration::seconds(30);

/// How often a claim is renewed. Two renewals may fail before it ends.
const RENEWED_EVERY: Duration = Duration::from_secs(10);

/// Does the work, and renews the claim on it until the work is done. `renew` says whether the claim was still the holder's:
/// what somebody else has taken meanwhile is not taken back, and whoever is done first wins.
pub(crate) async fn renewing<T, R>(what: &str, work: impl Future<Output = T>, renew: impl Fn() -> R) -> T
where
    R: Future<Output = Result<bool>>,
{
    let kept = async {
        loop {
            tokio::time::sleep(RENEWED_EVERY).await;
            match renew().await {
                Ok(true) => {}
                Ok(false) => return pending::<Infallible>().await,
                Err(error) => tracing::warn!(%error, what, "a lease could not be renewed"),
            }
        }
    };
    match select(pin!(work), pin!(kept)).await {
        Either::Left((done, _)) => done,
        Either::Right((never, _)) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::Error;

    async fn renewals(work: Duration, renew: impl Fn(u32) -> Result<bool>) -> u32 {
        let count = Cell::new(0);
        let done = renewing("a test", tokio::time::sleep(work), || {
            count.set(count.get() + 1);
            let renewed = renew(count.get());
            async { renewed }
        });
        done.await;
        count.get()
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_is_renewed_while_the_work_goes_on_and_no_longer() {
        for (work, expected) in [(1, 0), (9, 0), (11, 1), (25, 2), (240, 23)] {
            let count = renewals(Duration::from_secs(work), |_| Ok(true)).await;
            assert!((expected..=expected + 1).contains(&count), "{work} s: {count}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_that_is_lost_is_not_taken_back_and_one_that_could_not_be_renewed_is_tried_again() {
        let lost = renewals(Duration::from_secs(100), |count| Ok(count < 3)).await;
        assert_eq!(lost, 3);
        let failing = renewals(Duration::from_secs(45), |_| {
            Err(Error::Internal("no database".to_owned()))
        });
        assert_eq!(failing.await, 4);
    }
}
