//! The log, to standard error: standard output is for answers.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt, registry};

use crate::settings::{Common, LogFormat};

/// Starts logging as the settings say. A second call changes nothing.
pub fn init_logging(common: &Common) {
    // The filter was checked when the settings were read.
    let filter = EnvFilter::new(&common.log);
    let lines = fmt::layer().with_writer(stderr);
    let lines = match common.log_format {
        LogFormat::Text => lines.with_ansi(stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let _ = registry().with(filter).with(lines).try_init();
}
