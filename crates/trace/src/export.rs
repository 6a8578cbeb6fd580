//! Spans are sent to a collector, in OTLP over HTTP.

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{SdkTracer, SdkTracerProvider},
};
use tracing::Subscriber;
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::registry::LookupSpan;

/// What sends spans, and has to be told to send the last of them.
#[derive(Debug)]
pub struct Exporter(SdkTracerProvider);

impl Exporter {
    /// Sends what was not sent yet, for some seconds at most, and nothing after it.
    ///
    /// # Errors
    /// Why the last spans were lost.
    pub fn shut_down(&self) -> Result<(), String> {
        self.0.shutdown().map_err(|error| error.to_string())
    }
}

/// What hands finished spans of this program, named with its version, to an exporter, which sends them to this collector in a
/// thread of its own.
///
/// # Errors
/// When the collector's address can't be used.
pub fn layer<S>(
    endpoint: &str,
    (program, version): (&'static str, &'static str),
) -> Result<(OpenTelemetryLayer<S, SdkTracer>, Exporter), String>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let exporter = SpanExporter::builder()
        .with_http()
        .with_endpoint(format!("{endpoint}/v1/traces"))
        .build()
        .map_err(|error| error.to_string())?;
    let resource = Resource::builder()
        .with_service_name(program)
        .with_attribute(opentelemetry::KeyValue::new("service.version", version))
        .build();
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    let layer = OpenTelemetryLayer::new(provider.tracer(program));
    Ok((layer, Exporter(provider)))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use crate::TraceParent;
    use tracing_subscriber::layer::{Layered, SubscriberExt};
    use tracing_subscriber::{EnvFilter, Layer, Registry, registry};

    const PROGRAM: (&str, &str) = ("wayfare", env!("CARGO_PKG_VERSION"));

    /// A collector that takes one request: its first line and its body.
    fn collector() -> (String, thread::JoinHandle<(String, Vec<u8>)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let taken = thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut stream = BufReader::new(stream);
            let (mut first, mut length) = (String::new(), 0);
            stream.read_line(&mut first).unwrap();
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                if let Some(given) = line.to_lowercase().strip_prefix("content-length:") {
                    length = given.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            stream.get_mut().write_all(answer).unwrap();
            (first, body)
        });
        (endpoint, taken)
    }

    fn has(body: &[u8], part: &[u8]) -> bool {
        body.windows(part.len()).any(|window| window == part)
    }

    #[test]
    fn a_collector_is_sent_the_spans_of_a_callers_trace() {
        let (endpoint, taken) = collector();
        let (layer, exporter) = super::layer(&endpoint, PROGRAM).unwrap();
        let caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let passed_on = tracing::subscriber::with_default(registry().with(layer), || {
            let span = tracing::error_span!("request", trace_id = tracing::field::Empty);
            crate::begin(&span, TraceParent::read(caller));
            let _inside = span.enter();
            let call = tracing::error_span!("supplier_call", supplier = "duffel");
            let _inside = call.enter();
            crate::current().unwrap().to_string()
        });
        exporter.shut_down().unwrap();
        let (first, body) = taken.join().unwrap();
        assert!(first.starts_with("POST /v1/traces "), "{first}");
        for word in ["request", "supplier_call", "duffel", "wayfare", "service.version"] {
            assert!(has(&body, word.as_bytes()), "no {word}");
        }
        let trace = 0x0af7651916cd43dd8448eb211c80319c_u128.to_be_bytes();
        assert!(has(&body, &trace), "another trace");
        assert!(has(&body, &0xb7ad6b7169203331_u64.to_be_bytes()), "not below the caller's span");
        // A supplier is called in the same trace, from the span of its own call.
        let parts: Vec<&str> = passed_on.split('-').collect();
        assert_eq!((parts[1], parts[3]), ("0af7651916cd43dd8448eb211c80319c", "01"));
        let call = u64::from_str_radix(parts[2], 16).unwrap().to_be_bytes();
        assert!(has(&body, &call), "{passed_on} is no span that was sent");
        assert_ne!(parts[2], "b7ad6b7169203331");
    }

    /// Where launch puts it: behind the filter of the log. Nothing else is compiled with this feature by the checks.
    #[test]
    fn it_stands_behind_a_filter() {
        fn behind_a_filter(_: impl Layer<Layered<EnvFilter, Registry>> + Send + Sync) {}
        let (layer, exporter) = super::layer("http://127.0.0.1:9", PROGRAM).unwrap();
        behind_a_filter(layer);
        exporter.shut_down().unwrap();
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        let refused = super::layer::<Registry>("here, or there", PROGRAM);
        assert!(refused.is_err());
    }
}
