//! `wayfarectl people`: whom bookings are for: read, erased, sealed.

use std::{
    borrow::Cow,
    fs,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use clap::Subcommand;
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::{BookingId, BookingRef, OrganizationId, SealedKind};
use wayfare_operations::{
    Erasure,
    access::operators::By,
    operator::people,
    people::{ExportedAnswer, ExportedPeople, read_erasure},
};

use crate::{
    booking::failure,
    installation::Installation,
    output::{Done, Failure, Line, Output, Report, Row, Table, time},
};

/// So many rows that are due are counted at most.
const MOST_DUE: i64 = 100_000;

/// What can be done with people.
#[derive(Subcommand)]
pub enum Command {
    /// Shows whom a booking is for; the agency's audit log tells it
    Show {
        /// The booking
        booking_ref: BookingRef,
    },
    /// Prints all that is stored of whom a booking is for as one JSON object, suppliers' answers included
    Export {
        /// The booking
        booking_ref: BookingRef,
    },
    /// Erases whom a booking is for, for ever
    Erase {
        /// The booking
        booking_ref: BookingRef,
    },
    /// Counts what is to be erased now; the server does so by itself
    Due,
    /// Prints what was erased, a line each: keep it apart from the database, for `replay`
    Erasures,
    /// Erases again what such lines tell, after a backup was restored
    Replay {
        /// The file with the lines
        file: PathBuf,
    },
    /// Seals bookings that were written before people were sealed; the server does so by itself
    Seal {
        /// Only say how many are left
        #[arg(long)]
        status: bool,
    },
    /// Has bookings of before found by e-mail address and by names without accents; run it once after the upgrade
    Index,
    /// Writes everything as it was before people were sealed, so that the tables can be taken back; stop all servers first.
    /// Papers are forgotten
    Unseal,
}

impl Command {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| match self {
            Self::Show { booking_ref } => {
                let shown = people::show(platform, By::command_line(), &booking_ref).await;
                output.print(&ReadPeople(shown.map_err(|error| failure(error, &booking_ref))?))
            }
            Self::Export { booking_ref } => {
                let shown = people::show(platform, By::command_line(), &booking_ref).await;
                let json = Output { json: true };
                json.print(&ReadPeople(shown.map_err(|error| failure(error, &booking_ref))?))
            }
            Self::Erase { booking_ref } => {
                let erased = people::erase(platform, &booking_ref).await;
                erased.map_err(|error| failure(error, &booking_ref))?;
                output.print(&Counted::of("erased", 1))
            }
            Self::Due => {
                let due = people::due(platform, MOST_DUE).await?;
                output.print(&Counted::of("due", due.len() as u64))
            }
            Self::Erasures => output.print_table(&Erasures {
                erasures: people::erasures(platform).await?.into_iter().map(Erased::from).collect(),
            }),
            Self::Replay { file } => {
                let erasures = read(&file)?;
                output.print(&Counted::of("erased", people::replay(platform, &erasures).await?))
            }
            Self::Seal { status: true } => {
                let left = people::unsealed(platform).await?;
                output.print(&Counted::of("left", left.unsigned_abs()))
            }
            Self::Seal { status: false } => {
                output.print(&Counted::of("sealed", people::seal_all(platform).await?))
            }
            Self::Index => output.print(&Counted::of("indexed", people::index_names(platform).await?)),
            Self::Unseal => output.print(&Counted::of("unsealed", people::unseal_all(platform).await?)),
        });
        work.await
    }
}

/// A number of rows.
#[derive(Serialize)]
struct Counted {
    #[serde(skip)]
    what: &'static str,
    count: u64,
}

impl Counted {
    fn of(what: &'static str, count: u64) -> Self {
        Self { what, count }
    }
}

impl Report for Counted {
    fn lines(&self) -> Vec<Line<'_>> {
        vec![(self.what, self.count.to_string().into())]
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct ReadPeople(ExportedPeople);

impl Report for ReadPeople {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = vec![("booking_ref", Cow::from(self.0.booking_ref.as_ref()))];
        let mut add = |name, value: Value| lines.push((name, value.to_string().into()));
        for name in ["travellers", "rooms", "contact"] {
            if let Some(value) = self.0.people.get(name) {
                add(name, value.clone());
            }
        }
        if !self.0.papers.is_empty() {
            add("papers", serde_json::to_value(&self.0.papers).unwrap_or_default());
        }
        let answer = |answer: &ExportedAnswer| format!("order {} at {}", answer.order, time(answer.at));
        let answers = self.0.supplier_answers.iter();
        lines.extend(answers.map(|one| ("supplier_answer", answer(one).into())));
        lines
    }
}

#[derive(Serialize)]
struct Erasures {
    erasures: Vec<Erased>,
}

#[derive(Serialize)]
struct Erased {
    organization_id: OrganizationId,
    booking_id: BookingId,
    kind: SealedKind,
    at: DateTime<Utc>,
}

impl From<Erasure> for Erased {
    fn from(erasure: Erasure) -> Self {
        Self {
            organization_id: erasure.organization,
            booking_id: erasure.booking,
            kind: erasure.kind,
            at: erasure.at,
        }
    }
}

impl Table for Erasures {
    const HEAD: &str = "organization_id booking_id kind at";

    fn rows(&self) -> Vec<Row<'_>> {
        fn row(erased: &Erased) -> Row<'_> {
            vec![
                erased.organization_id.to_string().into(),
                erased.booking_id.to_string().into(),
                erased.kind.as_ref().into(),
                time(erased.at).into(),
            ]
        }
        self.erasures.iter().map(row).collect()
    }
}

/// The lines that [`Erasures`] has, without its head, and those of `erasures.log`.
fn read(file: &Path) -> Result<Vec<Erasure>, Failure> {
    let bad = |what: &str| Failure::Failed(format!("{}: {what}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| bad(&error.to_string()))?;
    // A line that a dead process did not end is in the table, too, and was noted again.
    let is_torn = |place: usize| !text.ends_with('\n') && place + 1 == text.lines().count();
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with("organization_id"))
        .filter_map(|(place, line)| match read_erasure(line) {
            None if is_torn(place) => None,
            None => Some(Err(bad(&format!("line {} is no erasure", place + 1)))),
            Some(erasure) => Some(Ok(erasure)),
        })
        .collect()
}
