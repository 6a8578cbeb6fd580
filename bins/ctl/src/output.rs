//! What a command says: an answer to standard output, for people or programs, or one line to standard error.

use std::{
    borrow::Cow,
    io::{self, Write},
    process::ExitCode,
};

use chrono::{DateTime, SubsecRound, Utc};
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::Faults;
use wayfare_operations::{Error, StoreError};

use crate::options;

/// A key and what it holds.
pub type Line<'a> = (&'static str, Cow<'a, str>);

/// An answer. Programs get it serialized, people get its lines.
pub trait Report: Serialize + Sized {
    /// What people get of it, with a blank between, where that is what programs get under these names.
    const NAMES: &str = "";

    /// It, for people.
    fn lines(&self) -> Vec<Line<'_>> {
        lines_of(self, Self::NAMES)
    }
}

/// The cells of one line of a table.
pub type Row<'a> = Vec<Cow<'a, str>>;

/// An answer with many of a kind. Programs get it serialized, people get a table.
pub trait Table: Serialize {
    /// The names of its columns, with a blank between, where they are always the same.
    const HEAD: &str = "";

    /// The names of its columns, with a blank between.
    fn head(&self) -> Cow<'_, str> {
        Self::HEAD.into()
    }

    /// It, for people.
    fn rows(&self) -> Vec<Row<'_>>;

    /// What is said below it, if anything is.
    fn foot(&self) -> Option<String> {
        None
    }
}

/// What programs get under a name, of which `step.kind` is a member's member; none where that is nothing.
fn text_of(answer: &Value, name: &str) -> Option<String> {
    match name.split('.').try_fold(answer, |value, member| value.get(member))? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Lines with what programs get under these names, which have a blank between; none of what is nothing.
pub fn lines_of(answer: &impl Serialize, names: &'static str) -> Vec<Line<'static>> {
    let answer = serde_json::to_value(answer).unwrap_or_default();
    let line = |name| -> Option<Line<'static>> { Some((name, text_of(&answer, name)?.into())) };
    names.split(' ').filter_map(line).collect()
}

/// Rows with what programs get under the names of the columns, and this where that is nothing.
pub fn rows_of(head: &str, items: &[impl Serialize], nothing: &str) -> Vec<Row<'static>> {
    let row = |item| -> Row<'static> {
        let item = serde_json::to_value(item).unwrap_or_default();
        let cell = |name| text_of(&item, name).unwrap_or_else(|| nothing.to_owned());
        head.split(' ').map(|name| cell(name).into()).collect()
    };
    items.iter().map(row).collect()
}

/// How to answer.
#[derive(Clone, Copy)]
pub struct Output {
    /// For programs.
    pub json: bool,
}

impl Output {
    /// Answers.
    pub fn print(self, report: &impl Report) -> Done {
        done(self.write(report, io::stdout().lock()))
    }

    /// Answers with a table.
    pub fn print_table(self, table: &impl Table) -> Done {
        done(self.write_table(table, io::stdout().lock()))
    }

    /// An empty line between answers.
    pub fn print_gap(self) -> Done {
        done(writeln!(io::stdout().lock()))
    }

    fn write_table(self, table: &impl Table, mut to: impl Write) -> io::Result<()> {
        if self.json {
            return write_json(table, to);
        }
        let head = table.head();
        let mut lines: Vec<Row<'_>> = vec![head.split(' ').map(Into::into).collect()];
        lines.extend(table.rows());
        let mut widths: Vec<usize> = Vec::new();
        for line in &lines {
            widths.resize(widths.len().max(line.len()), 0);
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for line in lines {
            let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            writeln!(to, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        if let Some(foot) = table.foot() {
            writeln!(to, "{foot}")?;
        }
        to.flush()
    }

    fn write(self, report: &impl Report, mut to: impl Write) -> io::Result<()> {
        if self.json {
            return write_json(report, to);
        }
        let lines = report.lines();
        let width = lines.iter().map(|(key, _)| key.len()).max().unwrap_or_default();
        for (key, value) in lines {
            writeln!(to, "{key:width$}  {value}")?;
        }
        to.flush()
    }
}

fn write_json(answer: &impl Serialize, mut to: impl Write) -> io::Result<()> {
    let text = serde_json::to_string(answer)?;
    writeln!(to, "{text}")?;
    to.flush()
}

/// The same time without a fraction of its second, as programs read it.
pub fn to_the_second(at: DateTime<Utc>) -> DateTime<Utc> {
    at.trunc_subsecs(0)
}

/// A time as people and programs read it: UTC, to the second.
pub fn time(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn done(written: io::Result<()>) -> Done {
    written
        .map_err(|error| Failure::Failed(format!("it is done, but the answer could not be written: {error}")))
}

/// How a command ends.
pub type Done = Result<(), Failure>;

/// Why a command ends without success.
#[derive(Debug)]
pub enum Failure {
    /// It was called wrongly.
    Usage(String),
    /// It could not be done.
    Failed(String),
    /// It could not be done because of what these arguments say.
    Arguments(Faults),
}

impl Failure {
    /// Says why, and gives the exit code for it.
    pub fn report(self) -> ExitCode {
        let (code, reason) = match self {
            Self::Usage(reason) => (2, reason),
            Self::Failed(reason) => (1, reason),
            Self::Arguments(faults) => (1, options::named(&faults)),
        };
        // Where even this can't be written, the exit code still tells.
        let _ = writeln!(io::stderr(), "wayfarectl: {reason}");
        ExitCode::from(code)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(faults) => Self::Arguments(faults),
            other => Self::Failed(other.to_string()),
        }
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
