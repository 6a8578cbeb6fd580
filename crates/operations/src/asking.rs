//! Questions to suppliers that change nothing there, and what their answers come to for whoever asked.

use tokio::{runtime::Handle, task::JoinSet};
use wayfare_supply::{Answer, RefusalKind};

use crate::{Error, Result};

/// Asks at once, whether anybody waits yet or not, on a runtime that lives as long as the process: that of a request may
/// end before its answer comes. The supplier is left in peace when the result is let go.
pub(crate) fn begin<T: Send + 'static>(
    runtime: &Handle,
    asking: impl Future<Output = Answer<T>> + Send + 'static,
) -> impl Future<Output = Answer<T>> + Send + 'static {
    // Its one task ends with the set.
    let mut task = JoinSet::new();
    task.spawn_on(asking, runtime);
    async move {
        match task.join_next().await {
            Some(Ok(answer)) => answer,
            Some(Err(error)) => Answer::Unknown(format!("the search broke off: {error}")),
            None => Answer::Unknown("the search was not made".to_owned()),
        }
    }
}

/// What was asked for, or the decided error (decisions, detail 76): nothing that matters has changed at the supplier,
/// so that one who is silent may be asked again.
///
/// # Errors
/// [`Error::SupplierRefused`], [`Error::SupplierUnavailable`].
pub(crate) fn answered<T>(answer: Answer<T>) -> Result<T> {
    match answer {
        Answer::Done(told) => Ok(told),
        Answer::Refused(refusal) => Err(Error::SupplierRefused(refusal.text)),
        Answer::Unavailable(outage) => Err(Error::SupplierUnavailable(outage.retry_after)),
        Answer::Unknown(reason) => {
            tracing::warn!(reason, "a supplier did not answer a question");
            Err(Error::SupplierUnavailable(None))
        }
    }
}

/// What a supplier says an offer costs now, or the decided error (decisions, detail 76).
///
/// # Errors
/// [`Error::OfferExpired`], [`Error::OfferGone`], [`Error::SupplierUnavailable`].
pub(crate) fn judged<T>(answer: Answer<T>) -> Result<T> {
    match answer {
        Answer::Refused(refusal) if refusal.kind == RefusalKind::Expired => Err(Error::OfferExpired),
        Answer::Refused(_) => Err(Error::OfferGone),
        other => answered(other),
    }
}
