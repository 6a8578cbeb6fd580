//! Detached tasks: work that goes on when whoever asked for it hangs up.

use tokio::{runtime::Handle, task::JoinSet};
use tracing::Instrument;
use wayfare_supply::Answer;

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
