//! What stands for [`export`](crate::export) in a program that was built without the feature `otlp`.

use tracing_subscriber::layer::Identity;

/// None is ever made.
#[derive(Debug)]
pub enum Exporter {}

impl Exporter {
    /// Never called.
    ///
    /// # Errors
    /// None.
    pub fn shut_down(&self) -> Result<(), String> {
        match *self {}
    }
}

/// Refuses to export.
///
/// # Errors
/// Always: nothing here sends spans.
pub fn layer(_: &str, _: (&'static str, &'static str)) -> Result<(Identity, Exporter), String> {
    Err("this program was built without the feature `otlp`".to_owned())
}
