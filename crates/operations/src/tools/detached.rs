//! Questions to suppliers that change nothing there, and what their answers come to for whoever asked.

use tokio::{runtime::Handle, task::JoinSet};
use wayfare_supply::{Answer, RefusalKind};

use crate::{Error, Result};

/// Works at once, whether anybody waits yet or not, on a runtime that lives as long as the process: that of a request may
/// end before the work does. It ends when the result is let go; one that broke off is told why.
pub(crate) fn apart<T: Send + 'static>(
    runtime: &Handle,
    work: impl Future<Output = T> + Send + 'static,
) -> impl Future<Output = std::result::Result<T, String>> + Send + 'static {
    // Its one task ends with the set.
    let mut task = JoinSet::new();
    task.spawn_on(work, runtime);
    async move {
        match task.join_next().await {
            Some(Ok(done)) => Ok(done),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("it was not begun".to_owned()),
        }
    }
}

/// Asks at once, as work [`apart`]. The supplier is left in peace when the result is let go.
pub(crate) fn begin<T: Send + 'static>(
    runtime: &Handle,
    asking: impl Future<Output = Answer<T>> + Send + 'static,
) -> impl Future<Output = Answer<T>> + Send + 'static {
    let asked = apart(runtime, asking);
    async move {
        match asked.await {
            Ok(answer) => answer,
            Err(reason) => Answer::Unknown(format!("the search broke off: {reason}")),
        }
    }
}

/// What was asked for, or the error that P-76 names: nothing that matters has changed at the supplier,
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

/// What a supplier says an offer costs now, or the error that P-76 names.
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
