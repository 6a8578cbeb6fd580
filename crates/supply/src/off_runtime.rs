//! Reading of long answers, away from the threads that others wait for.

use tracing::Span;

use crate::{Answer, Exchange};

/// Reading more than this takes so long that others would notice it.
const LONG: usize = 512 * 1024;

/// Reads what came back: a long body as [`off_runtime`], another at once, which is sooner done than the thread changed.
pub async fn read_exchange<T: Send + 'static>(
    exchange: Answer<Exchange>,
    read: impl FnOnce(Answer<Exchange>) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    match &exchange {
        Answer::Done(done) if done.body.len() > LONG => off_runtime(move || read(exchange)).await,
        _ => read(exchange),
    }
}

/// Reads a long answer on a thread that others don't wait for: one with thousands of rates takes longer than a runtime's
/// own threads may be held up.
pub async fn off_runtime<T: Send + 'static>(read: impl FnOnce() -> Answer<T> + Send + 'static) -> Answer<T> {
    let span = Span::current();
    match tokio::task::spawn_blocking(move || span.in_scope(read)).await {
        Ok(answer) => answer,
        Err(error) => Answer::Unknown(format!("the reading broke off: {error}")),
    }
}
