#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

#[cfg_attr(not(feature = "otlp"), path = "unexported.rs")]
pub mod export;
#[cfg(feature = "otlp")]
mod exported;
mod parent;

use tracing::{Span, field::display};
use tracing_subscriber::registry::{LookupSpan, Registry, SpanRef};

pub use parent::TraceParent;

/// The header that carries a trace from one program to the next.
pub const HEADER: &str = "traceparent";

/// Begins a trace in this span: the caller's, or a new one. A field `trace_id` of the span gets its id.
pub fn begin(span: &Span, caller: Option<TraceParent>) {
    let trace = given_or_new(span, caller);
    span.record("trace_id", display(trace.trace_id()));
    let store = |found: SpanRef<'_, Registry>| found.extensions_mut().replace(trace);
    in_registry(span, store);
}

#[cfg(feature = "otlp")]
fn given_or_new(span: &Span, caller: Option<TraceParent>) -> TraceParent {
    let exported = exported::begin(span, caller);
    exported.or(caller).unwrap_or_else(TraceParent::random)
}

#[cfg(not(feature = "otlp"))]
fn given_or_new(_: &Span, caller: Option<TraceParent>) -> TraceParent {
    caller.unwrap_or_else(TraceParent::random)
}

/// The trace of what is done now, as the header of a call has it; none outside of a trace.
pub fn current() -> Option<TraceParent> {
    let span = Span::current();
    #[cfg(feature = "otlp")]
    if let Some(exported) = exported::of(&span) {
        return Some(exported);
    }
    let find = |found: SpanRef<'_, Registry>| {
        let mut around = found.scope();
        around.find_map(|span| span.extensions().get::<TraceParent>().copied())
    };
    in_registry(&span, find).flatten()
}

/// Does something with what is stored of a span; nothing where nobody listens to it.
fn in_registry<T>(span: &Span, work: impl FnOnce(SpanRef<'_, Registry>) -> T) -> Option<T> {
    let found = span.with_subscriber(|(id, dispatch)| {
        let registry: &Registry = dispatch.downcast_ref()?;
        registry.span(id).map(work)
    });
    found.flatten()
}

#[cfg(test)]
mod tests {
    use tracing::{Instrument, error_span, subscriber::with_default};

    use super::*;

    const GIVEN: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn what_is_done_in_a_span_belongs_to_its_trace() {
        with_default(tracing_subscriber::registry(), || {
            assert_eq!(current(), None);
            let outer = error_span!("request", trace_id = tracing::field::Empty);
            begin(&outer, TraceParent::read(GIVEN));
            outer.in_scope(|| {
                assert_eq!(current().unwrap().to_string(), GIVEN);
                let inner = error_span!("booking").entered();
                assert_eq!(current().unwrap().to_string(), GIVEN);
                drop(inner);
            });
            let other = error_span!("other");
            begin(&other, None);
            let trace = other.in_scope(current).unwrap();
            assert_ne!(trace.trace_id(), TraceParent::read(GIVEN).unwrap().trace_id());
            assert_eq!(TraceParent::read(&trace.to_string()), Some(trace));
            assert_eq!(current(), None);
        });
    }

    #[test]
    fn work_takes_its_trace_along() {
        with_default(tracing_subscriber::registry(), || {
            let span = error_span!("request");
            begin(&span, TraceParent::read(GIVEN));
            let work = span.in_scope(|| async { current() }.in_current_span());
            let done = futures_executor(work);
            assert_eq!(done.unwrap().to_string(), GIVEN);
        });
    }

    fn futures_executor<T>(work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match work.as_mut().poll(&mut context) {
            std::task::Poll::Ready(done) => done,
            std::task::Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn without_a_subscriber_there_is_no_trace() {
        let span = error_span!("request");
        begin(&span, TraceParent::read(GIVEN));
        assert_eq!(span.in_scope(current), None);
    }
}
