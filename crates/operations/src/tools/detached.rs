//! Detached tasks: work that goes on when whoever asked for it hangs up, and suppliers' answers to what changes nothing
//! there.

use tokio::{runtime::Handle, task::JoinSet};
use tracing::Instrument;
use wayfare_supply::{Answer, Outage, RefusalKind};

use crate::{
    Error, Platform, Reason, Result,
    reason::{Moment, shown},
    scrub::NamedPeople,
};

/// Starts the work at once, whether anybody waits yet or not, on a runtime that lives as long as the process: that of a
/// request may end before the work does. It is logged as part of whoever asked first. The work is cancelled when the result is
/// dropped; the error says why it panicked.
pub(crate) fn spawn_detached<T: Send + 'static>(
    runtime: &Handle,
    work: impl Future<Output = T> + Send + 'static,
) -> impl Future<Output = std::result::Result<T, String>> + Send + 'static {
    // Its one task ends with the set.
    let mut task = JoinSet::new();
    task.spawn_on(work.in_current_span(), runtime);
    async move {
        match task.join_next().await {
            Some(Ok(done)) => Ok(done),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("it was not begun".to_owned()),
        }
    }
}

/// Asks a supplier at once, as [`spawn_detached`] does. The call is cancelled when the result is dropped.
pub(crate) fn query_supplier<T: Send + 'static>(
    runtime: &Handle,
    query: impl Future<Output = Answer<T>> + Send + 'static,
) -> impl Future<Output = Answer<T>> + Send + 'static {
    let answer = spawn_detached(runtime, query);
    async move {
        match answer.await {
            Ok(answer) => answer,
            Err(reason) => Answer::Unknown(format!("the search broke off: {reason}")),
        }
    }
}

/// What a supplier answered to a read, or the error that P-76 names. A supplier that is silent may be asked again: nothing
/// has changed there.
///
/// # Errors
/// [`Error::SupplierRefused`], [`Error::SupplierUnavailable`], with the reason.
pub(crate) fn read_result<T>(
    platform: &Platform,
    supplier: &str,
    moment: Moment,
    answer: Answer<T>,
) -> Result<T> {
    match answer {
        Answer::Done(done) => Ok(done),
        Answer::Refused(refusal) => {
            let reason = Reason::of_refusal(supplier, &refusal, moment, &NamedPeople::default());
            platform.supplier_accounts.count_refusal(supplier, reason.code);
            Err(Error::SupplierRefused(shown(refusal.text)).because(reason))
        }
        Answer::Unavailable(outage) => {
            platform.supplier_accounts.note(supplier, &outage, None);
            Err(unavailable(supplier, &outage))
        }
        Answer::Unknown(reason) => {
            tracing::warn!(supplier, reason, "a supplier did not answer a question");
            let outage = Outage::new(reason);
            Err(unavailable(supplier, &outage))
        }
    }
}

/// What a supplier says an offer costs now, or the error that P-76 names.
///
/// # Errors
/// [`Error::OfferExpired`], [`Error::OfferGone`], [`Error::SupplierUnavailable`], with the reason.
pub(crate) fn price_result<T>(platform: &Platform, supplier: &str, answer: Answer<T>) -> Result<T> {
    match answer {
        Answer::Refused(refusal) => {
            let reason = Reason::of_refusal(supplier, &refusal, Moment::Sale, &NamedPeople::default());
            platform.supplier_accounts.count_refusal(supplier, reason.code);
            let error = match refusal.kind {
                RefusalKind::Expired => Error::OfferExpired,
                _ => Error::OfferGone,
            };
            Err(error.because(reason))
        }
        other => read_result(platform, supplier, Moment::Sale, other),
    }
}

pub(crate) fn unavailable(supplier: &str, outage: &Outage) -> Error {
    let reason = Reason::of_outage(supplier, outage);
    Error::SupplierUnavailable(outage.retry_after).because(reason)
}
