//! What a command says: an answer to standard output, for people or programs, or one line to standard error.

use std::{
    borrow::Cow,
    io::{self, Write},
    process::ExitCode,
};

use serde::Serialize;
use wayfare_operations::{Error, StoreError};

/// A key and what it holds.
pub type Line<'a> = (&'static str, Cow<'a, str>);

/// An answer. Programs get it serialized, people get its lines.
pub trait Report: Serialize {
    /// It, for people.
    fn lines(&self) -> Vec<Line<'_>>;
}

/// How to answer.
#[derive(Clone, Copy)]
pub struct Output {
    /// For programs.
    pub json: bool,
}

impl Output {
    /// Answers.
    pub fn print(self, report: &impl Report) -> Result<(), Failure> {
        let written = self.write(report, io::stdout().lock());
        written.map_err(|error| {
            Failure::Failed(format!(
                "it is done, but the answer could not be written: {error}"
            ))
        })
    }

    fn write(self, report: &impl Report, mut to: impl Write) -> io::Result<()> {
        if self.json {
            let text = serde_json::to_string(report)?;
            writeln!(to, "{text}")?;
            return to.flush();
        }
        let lines = report.lines();
        let width = lines.iter().map(|(key, _)| key.len()).max().unwrap_or_default();
        for (key, value) in lines {
            writeln!(to, "{key:width$}  {value}")?;
        }
        to.flush()
    }
}

/// Why a command ends without success.
#[derive(Debug)]
pub enum Failure {
    /// It was called wrongly.
    Usage(String),
    /// It could not be done.
    Failed(String),
}

impl Failure {
    /// Says why, and gives the exit code for it.
    pub fn report(self) -> ExitCode {
        let (code, reason) = match self {
            Self::Usage(reason) => (2, reason),
            Self::Failed(reason) => (1, reason),
        };
        // Where even this can't be written, the exit code still tells.
        let _ = writeln!(io::stderr(), "wayfarectl: {reason}");
        ExitCode::from(code)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<wayfare_launch::Error> for Failure {
    fn from(error: wayfare_launch::Error) -> Self {
        Self::Failed(error.to_string())
    }
}
