//! Suppliers' answers to what changes nothing there: what was asked for, or the error that P-76 names.

use wayfare_domain::ReasonCode;
use wayfare_supply::{Answer, Outage, RefusalKind};

use crate::{
    Error, Reason, Result, Suppliers,
    reason::{Moment, shown},
    scrub::NamedPeople,
};

/// What a supplier answered to a read, or the error that P-76 names. A supplier that is silent may be asked again: nothing
/// has changed there.
///
/// # Errors
/// [`Error::SupplierRefused`], [`Error::SupplierUnavailable`], with the reason.
pub(crate) fn read_result<T>(
    suppliers: &Suppliers,
    supplier: &str,
    moment: Moment,
    answer: Answer<T>,
) -> Result<T> {
    match answer {
        Answer::Done(done) => Ok(done),
        Answer::Refused(refusal) => {
            let reason = Reason::of_refusal(supplier, &refusal, moment, &NamedPeople::default());
            suppliers.accounts.count_refusal(supplier, reason.code);
            Err(Error::SupplierRefused(shown(refusal.text)).because(reason))
        }
        Answer::Unavailable(outage) => {
            suppliers.accounts.note(supplier, &outage, None);
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
pub(crate) fn price_result<T>(suppliers: &Suppliers, supplier: &str, answer: Answer<T>) -> Result<T> {
    match answer {
        Answer::Refused(refusal) => {
            let reason = Reason::of_refusal(supplier, &refusal, Moment::Sale, &NamedPeople::default());
            suppliers.accounts.count_refusal(supplier, reason.code);
            let error = match refusal.kind {
                RefusalKind::Expired => Error::OfferExpired,
                _ => Error::OfferGone,
            };
            Err(error.because(reason))
        }
        other => read_result(suppliers, supplier, Moment::Sale, other),
    }
}

pub(crate) fn unavailable(supplier: &str, outage: &Outage) -> Error {
    Error::SupplierUnavailable(outage.retry_after).because(Reason::at(ReasonCode::Unavailable, supplier))
}
