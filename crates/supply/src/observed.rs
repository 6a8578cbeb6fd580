//! What is sent to suppliers and answered, word by word, for somebody who wants to keep it: the operator who tries one out.

use std::sync::{Arc, Mutex, PoisonError};

tokio::task_local! {
    static OBSERVED: Arc<Mutex<Vec<ObservedExchange>>>;
}

/// A call that was sent. Headers are not among it: they have our keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedExchange {
    /// `POST`
    pub method: String,
    /// Of the address, without host and query.
    pub path: String,
    /// Names and values of the address's query.
    pub query: Vec<(String, String)>,
    /// The body that was sent; empty where there was none.
    pub sent: Vec<u8>,
    /// The status and the whole body, as [`crate::Exchange`] has them; else why no body was read, such as a status of which nobody
    /// reads one.
    pub answer: Result<(u16, Vec<u8>), String>,
}

/// Does this, and has each call to a supplier in it with its answer, in the order in which they ended; what another task sends is
/// not among them.
pub async fn observed<T>(work: impl Future<Output = T>) -> (T, Vec<ObservedExchange>) {
    let seen = Arc::<Mutex<Vec<ObservedExchange>>>::default();
    let done = OBSERVED.scope(seen.clone(), work).await;
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    (done, std::mem::take(&mut *seen))
}

/// The call that is about to be sent; none where nobody observes.
pub(crate) fn begin(request: &reqwest::Request) -> Option<ObservedExchange> {
    OBSERVED.try_with(|_| ()).ok()?;
    let url = request.url();
    Some(ObservedExchange {
        method: request.method().to_string(),
        path: url.path().to_owned(),
        query: url.query_pairs().into_owned().collect(),
        sent: request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default().to_vec(),
        answer: Err("nobody waited for its end".to_owned()),
    })
}

/// Keeps it with its end.
pub(crate) fn end(exchange: ObservedExchange) {
    // Who began it observes still: both are of one call.
    let _ = OBSERVED.try_with(|seen| seen.lock().unwrap_or_else(PoisonError::into_inner).push(exchange));
}
