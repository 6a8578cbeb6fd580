//! Work on steps that goes on when whoever asked for it hangs up.

use tracing::Instrument;
use wayfare_domain::BookingRef;

use crate::{Core, Error, Result};

/// Lets steps that are written run in a task of their own, so that nobody's hanging up or impatience stops them, and
/// waits for them as long as the caller's patience lasts. From here on a step may have been carried out: whatever breaks
/// on our side, the caller is answered that it is pending, never an error after which it might be asked for again.
pub(crate) async fn within_patience<A: Send + 'static>(
    core: &Core,
    reference: &BookingRef,
    pending: A,
    steps: impl Future<Output = Result<A>> + Send + 'static,
) -> Result<A> {
    let span = tracing::error_span!("booking", booking = %reference);
    let task = core.runtime.spawn(steps.instrument(span));
    let broken = match tokio::time::timeout(core.durations.patience, task).await {
        Err(_) => return Ok(pending),
        Ok(Ok(Err(broken @ (Error::Store(_) | Error::Internal(_))))) => broken.to_string(),
        Ok(Ok(decided)) => return decided,
        Ok(Err(lost)) => lost.to_string(),
    };
    tracing::error!(broken, booking = %reference, "a step could not be completed");
    Ok(pending)
}
