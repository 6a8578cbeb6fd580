//! `wayfarectl suppliers try`: a supplier is met by one order, which is booked, looked up and given back, before a customer meets it.

mod course;
mod fields;
mod flights;
mod port;
mod recording;
mod stays;
mod steps;

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use chrono::TimeDelta;
use clap::Args;
use serde::Serialize;
use wayfare_domain::Clock;
use wayfare_launch::{SupplierSettings, Suppliers};
use wayfare_supply::{ObservedExchange, observed};

use crate::{
    output::{Done, Failure, Line, Output, Report},
    suppliers::{self, KnownSuppliers},
};
use course::Remains;
use flights::FlightTrial;
use stays::StayTrial;
use steps::{Step, Steps};

/// What is tried.
#[derive(Args)]
pub struct TrialRequest {
    /// The supplier, by its code
    #[arg(value_parser = suppliers::code)]
    supplier: String,
    /// What is looked for: a route between airports, like DEL-BOM, or the latitude and longitude of hotels, like 39.57,2.65.
    /// Something that the supplier's test environment sells where it is left out
    #[arg(long = "where", value_name = "PLACE", allow_hyphen_values = true)]
    place: Option<String>,
    /// In how many days the travel begins
    #[arg(long, value_name = "DAYS", default_value_t = 120, value_parser = clap::value_parser!(u16).range(2..=330))]
    in_days: u16,
    /// Writes what was sent and answered to this new file, with stand-ins for people and keys
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The key is one that buys for real: nothing is bought that is not refundable in full
    #[arg(long)]
    live: bool,
    /// The supplier may charge for it all the same
    #[arg(long, requires = "live")]
    i_may_be_charged: bool,
}

#[derive(Serialize)]
struct TrialView {
    supplier: String,
    /// `test` or `live`.
    key: &'static str,
    steps: Vec<Step>,
    /// What may stand at the supplier now.
    remains: Option<Remains>,
    recording: Option<PathBuf>,
}

impl Report for TrialView {
    /// Its steps were said when they were done.
    fn lines(&self) -> Vec<Line<'_>> {
        let remains = self.remains.as_ref().map_or("nothing".to_owned(), Remains::text);
        let recording = self.recording.as_ref().map(|file| ("recording", file.display().to_string().into()));
        [("remains", remains.into())].into_iter().chain(recording).collect()
    }
}

impl Remains {
    fn text(&self) -> String {
        let Self { reference, order_id, why } = self;
        let what = match order_id {
            Some(id) => format!("ORDER {id} of reference {reference} STANDS"),
            None => format!("AN ORDER of reference {reference} MAY STAND"),
        };
        format!("{what} at the supplier: {why}. Look it up there, and give it back")
    }
}

impl TrialRequest {
    /// Does it.
    pub async fn run(self, known: &KnownSuppliers, settings: Vec<SupplierSettings>, output: Output) -> Done {
        known.check("<SUPPLIER>", [&self.supplier])?;
        let mut settings = settings.into_iter();
        let settings = settings.find(|settings| settings.config.code == self.supplier).ok_or_else(|| {
            let supplier = &self.supplier;
            Failure::Failed(format!("{supplier} is played by the sandbox: there is nobody to be met"))
        })?;
        let has_test_key = settings.has_test_key();
        if !has_test_key && !self.i_may_be_charged {
            return Err(Failure::Usage(format!(
                "the key of {} is not known to be of a test environment, so it counts as one that buys for real: nothing was \
                 sent. With --live --i-may-be-charged it is tried, and only what is refundable in full is bought",
                self.supplier
            )));
        }
        if let Some(file) = self.record.as_ref().filter(|file| !can_be_made(file)) {
            let file = file.display();
            return Err(Failure::Usage(format!("--record: {file} is there already, or its folder is not")));
        }
        let clock = Clock::system();
        let mut steps = Steps { output, clock: clock.clone(), done: Vec::new() };
        let is_live = !has_test_key || self.live;
        let (remains, exchanges) = self.carried_out(settings.clone(), clock, &mut steps, is_live).await?;
        let recorded =
            self.record.map(|file| record(&file, &settings, &exchanges).map(|()| file)).transpose();
        let failed = steps.done.iter().filter(|step| !step.good).count();
        let reasons = [
            remains.as_ref().map(Remains::text),
            (failed > 0).then(|| format!("steps that did not go as they should: {failed}")),
            recorded.as_ref().err().cloned(),
        ];
        let printed = output.print(&TrialView {
            supplier: self.supplier,
            key: if has_test_key { "test" } else { "live" },
            steps: steps.done,
            remains,
            recording: recorded.ok().flatten(),
        });
        match reasons.into_iter().flatten().collect::<Vec<_>>().join("; ") {
            reasons if reasons.is_empty() => printed,
            reasons => Err(Failure::Failed(reasons)),
        }
    }

    async fn carried_out(
        &self,
        settings: SupplierSettings,
        clock: Clock,
        steps: &mut Steps,
        is_live: bool,
    ) -> Result<(Option<Remains>, Vec<ObservedExchange>), Failure> {
        let place = self.place.as_deref().unwrap_or(settings.kind.place_of_trial());
        let date = clock.now().date_naive() + TimeDelta::days(self.in_days.into());
        let wrong = |reason: String| Failure::Usage(format!("--where {place}: {reason}"));
        let Suppliers { flights, hotels } = Suppliers::of(vec![settings], &clock).map_err(Failure::Failed)?;
        if let Some(supplier) = flights.into_iter().next() {
            let port = FlightTrial::new(supplier, clock, place, date).map_err(wrong)?;
            return Ok(observed(course::run(&port, steps, is_live)).await);
        }
        let supplier = hotels.into_iter().next().ok_or(Failure::Failed("it sells nothing".to_owned()))?;
        let port = StayTrial::new(supplier, clock, place, date).map_err(wrong)?;
        Ok(observed(course::run(&port, steps, is_live)).await)
    }
}

/// Whether there is no such file, and a folder for it: nothing is bought for a recording that can't be written.
fn can_be_made(file: &Path) -> bool {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    !file.exists() && folder.is_dir()
}

/// Writes the recording; nothing where a field is in it that no list names.
fn record(file: &Path, settings: &SupplierSettings, exchanges: &[ObservedExchange]) -> Result<(), String> {
    let text = recording::recording(settings.kind, &settings.config.token, exchanges).map_err(|unknown| {
        format!(
            "no recording was written: nobody has said whether these fields are somebody's (bins/ctl/src/trial/fields): {}",
            unknown.into_iter().collect::<Vec<_>>().join(", ")
        )
    })?;
    let written = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    written().map_err(|error| format!("the recording could not be written to {}: {error}", file.display()))
}
