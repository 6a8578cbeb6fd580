//! The ids of spans that are exported: the exporter gives them.

use opentelemetry::{
    Context,
    trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState},
};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::TraceParent;

/// Puts the span below the caller's, if there is one, and returns its own ids; none where spans are not exported.
pub(crate) fn begin(span: &Span, caller: Option<TraceParent>) -> Option<TraceParent> {
    if let Some(caller) = caller {
        let (trace_id, parent_id, is_sampled) = caller.parts();
        let caller = SpanContext::new(
            TraceId::from_bytes(trace_id.to_be_bytes()),
            SpanId::from_bytes(parent_id.to_be_bytes()),
            TraceFlags::default().with_sampled(is_sampled),
            true,
            TraceState::default(),
        );
        // It fails where spans are not exported, or the span has begun: then it has a trace of its own.
        let _ = span.set_parent(Context::new().with_remote_span_context(caller));
    }
    of(span)
}

/// The ids of a span.
pub(crate) fn of(span: &Span) -> Option<TraceParent> {
    let context = span.context();
    let span = context.span();
    let ids = span.span_context();
    ids.is_valid().then(|| {
        TraceParent::of(
            u128::from_be_bytes(ids.trace_id().to_bytes()),
            u64::from_be_bytes(ids.span_id().to_bytes()),
            ids.is_sampled(),
        )
    })
}
