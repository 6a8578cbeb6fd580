//! Uses the console in Chromium without a window, as agents do, on a world with real servers and databases and the suppliers'
//! sandbox. Each check prints a line; ends with 0 when all passed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "only its caller waits for it"
)]

mod accessibility;
mod budgets;
mod crash;
mod journey;
mod keyboard;
mod operator;
mod other_sites;
mod pictures;
mod sale;
mod screens;
mod sessions;
mod stage;
mod streaming;
mod supplier_texts;

use std::{path::PathBuf, process::ExitCode, sync::LazyLock, time::Instant};

use clap::Parser;
use wayfare_tests::browser::{Browser, Looked};

use crate::stage::Stage;

/// Uses the console in Chromium and says what it found
#[derive(Parser)]
pub struct Options {
    /// Only these checks: `A1,A4`
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The server program that one check kills; `wayfare` beside this program unless given
    #[arg(long)]
    program: Option<PathBuf>,
    /// The file `axe.min.js`; without it nobody looks for violations of WCAG
    #[arg(long)]
    axe: Option<PathBuf>,
    /// Checks nothing, but takes pictures of the main screens into this folder
    #[arg(long)]
    pictures: Option<PathBuf>,
    /// With pictures: only these screens, tall and with all that can be unfolded: `cancel,voucher`
    #[arg(long, value_delimiter = ',', requires = "pictures")]
    screens: Vec<String>,
}

/// When the program began.
static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What is found out: what was seen, or what was wrong.
type Check = fn(&Stage) -> Looked<String>;

/// In the order in which they run.
const CHECKS: [(&str, &str, Check); 11] = [
    ("A1", "a sale from log-in to ticket, by the mouse", sale::check),
    ("A2", "WCAG 2.2 AA by axe-core, every screen", accessibility::check),
    ("A3", "a sale by keyboard alone", keyboard::check),
    ("A4", "no card moves while suppliers answer", streaming::check),
    ("A5", "kill -9 between Book and its answer", crash::check),
    ("A6", "two tabs of one session", sessions::check),
    ("A7", "forms of other sites", other_sites::check),
    ("A8", "suppliers' texts stay texts", supplier_texts::check),
    ("A9", "an operator rules on what is not known", operator::check),
    ("A11", "bytes, requests, hosts, paint and shift", budgets::check),
    ("320 px", "no screen scrolls sideways", accessibility::check_width),
];

fn main() -> ExitCode {
    let options = Options::parse();
    LazyLock::force(&BEGUN);
    if Browser::name().is_none() {
        println!("There is no Chromium on this machine: apt-get install chromium-headless-shell");
        return ExitCode::FAILURE;
    }
    let stage = Stage::set(options);
    if let Some(folder) = &stage.options.pictures {
        return told("pictures", "main screens", pictures::take(&stage, folder));
    }
    let is_wanted =
        |name: &str| stage.options.only.is_empty() || stage.options.only.iter().any(|one| one == name);
    let mut failed = false;
    for (name, what, check) in CHECKS {
        if is_wanted(name) {
            failed |= told(name, what, check(&stage)) == ExitCode::FAILURE;
        }
    }
    ExitCode::from(u8::from(failed))
}

/// Prints what came of a check.
fn told(name: &str, what: &str, looked: Looked<String>) -> ExitCode {
    let at = BEGUN.elapsed().as_secs();
    match looked {
        Ok(seen) => {
            println!("{name:<7} passed  {what}: {seen} [{at} s]");
            ExitCode::SUCCESS
        }
        Err(wrong) => {
            println!("{name:<7} FAILED  {what}: {wrong} [{at} s]");
            ExitCode::FAILURE
        }
    }
}
