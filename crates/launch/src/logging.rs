//! The log, to standard error: standard output is for answers.

use std::fmt::{self, Debug};
use std::io::{self, IsTerminal, stderr};

use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::layer::{Layered, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, registry};

use crate::renamed;
use crate::settings::{Common, LogFormat, ServerSettings};

/// Starts logging as the settings say. A second call changes nothing.
pub fn init_logging(common: &Common) {
    start(common, None::<tracing_subscriber::layer::Identity>);
}

/// The same, and has spans sent to the collector of these settings, if they name one.
///
/// # Errors
/// When the collector's address can't be used.
pub fn init_logging_and_export(common: &Common, server: &ServerSettings) -> Result<Export, String> {
    let program = ("wayfare", crate::VERSION);
    let export = server.otlp_endpoint.as_deref();
    let export = export.map(|endpoint| wayfare_trace::export::layer(endpoint, program));
    let export =
        export.transpose().map_err(|reason| format!("--otlp-endpoint (WAYFARE_OTLP_ENDPOINT): {reason}"))?;
    let (layer, exporter) = export.unzip();
    start(common, layer);
    Ok(Export { exporter })
}

/// The way of spans to their collector. When it is dropped the last ones are sent, for some seconds at most.
#[must_use]
#[derive(Debug)]
pub struct Export {
    exporter: Option<wayfare_trace::export::Exporter>,
}

impl Drop for Export {
    fn drop(&mut self) {
        if let Some(exporter) = self.exporter.take()
            && let Err(error) = exporter.shut_down()
        {
            tracing::warn!(%error, "the last spans could not be sent to their collector");
        }
    }
}

fn start(common: &Common, export: Option<impl Layer<Filtered> + Send + Sync>) {
    // The filter was checked when the settings were read.
    let filter = EnvFilter::new(&common.log);
    let lines = lines(common.log_format, stderr().is_terminal(), stderr);
    let _ = registry().with(filter).with(export).with(lines).try_init();
    renamed::log_hints();
}

/// Spans as far as the settings let them be logged.
type Filtered = Layered<EnvFilter, Registry>;

fn lines<S, W>(format: LogFormat, colours: bool, writer: fn() -> W) -> Box<dyn Layer<S> + Send + Sync>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
    W: io::Write + 'static,
{
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    match format {
        LogFormat::Text => lines.fmt_fields(Printable).with_ansi(colours).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    }
}

/// Writes `name=value`, and the message by itself, with every control character escaped: an event is one line
/// whatever was put into it, and moves no terminal's cursor. What the subscriber does by itself (0.3.23) leaves line
/// breaks in messages, and everything in fields that are logged with `%`.
struct Printable;

impl<'writer> FormatFields<'writer> for Printable {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut line = Line { writer, is_empty: true, written: Ok(()) };
        fields.record(&mut line);
        line.written
    }
}

struct Line<'writer> {
    writer: Writer<'writer>,
    is_empty: bool,
    written: fmt::Result,
}

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Where a record of the `log` crate came from is the event's target.
        if self.written.is_ok() && !field.name().starts_with("log.") {
            self.written = self.write(field.name(), value);
        }
    }
}

impl Line<'_> {
    fn write(&mut self, name: &str, value: &dyn Debug) -> fmt::Result {
        if !std::mem::take(&mut self.is_empty) {
            self.writer.write_char(' ')?;
        }
        if name != "message" {
            write!(self.writer, "{name}=")?;
        }
        for character in format!("{value:?}").chars() {
            match character.is_control() {
                true => write!(self.writer, "{}", character.escape_default())?,
                false => self.writer.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    static LOGGED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

    struct Kept;

    impl io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            LOGGED.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_event_is_one_line_whatever_is_in_it() {
        let forged = "x\n2026-01-01T00:00:00Z ERROR forged\r\nagain\x1b[2J\u{9b}2J";
        for (format, colours) in [(LogFormat::Text, false), (LogFormat::Text, true), (LogFormat::Json, false)]
        {
            LOGGED.lock().unwrap().clear();
            let subscriber = registry().with(lines(format, colours, || Kept));
            tracing::subscriber::with_default(subscriber, || {
                let span = tracing::info_span!("request", id = forged, shown = %forged);
                let _inside = span.enter();
                tracing::info!(text = forged, shown = %forged, debug = ?forged, "{forged}");
                tracing::warn!(count = 7, "second");
            });
            let logged = String::from_utf8(LOGGED.lock().unwrap().clone()).unwrap();
            let lines: Vec<&str> = logged.split(['\n', '\r']).collect();
            assert_eq!(lines.len(), 3, "{logged}");
            assert!(lines[0].contains("forged") && lines[1].contains("second"), "{logged}");
            assert_eq!(lines[2], "");
            assert!(!logged.contains("\x1b[2J"), "{logged:?}");
            if let (LogFormat::Text, false) = (format, colours) {
                let (_, shown) = lines[1].split_once("}: ").unwrap();
                assert_eq!(shown, "wayfare_launch::logging::tests: second count=7");
                assert!(!logged.contains('\u{9b}'), "{logged:?}");
            }
        }
    }
}
