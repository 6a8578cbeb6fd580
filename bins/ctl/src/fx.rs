//! `wayfarectl fx`: the exchange rates that the operator sets by hand, or imports from the European Central Bank.

mod daily_file;

use clap::{Args, Subcommand};
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_contract::{
    Amount,
    operator::{ExchangeRate, ImportedRates, RemovedRate, SkippedRate},
};
use wayfare_domain::Currency;
use wayfare_operations::{ExchangeRate as StoredRate, access::operators::By, operator};

use crate::{
    arguments::{amount, currency},
    installation::Installation,
    output::{Done, Failure, Line, Output, Report, Row, Table, rows_of, time},
};

/// What can be done with exchange rates. What changes holds for the very next request; quotes keep the rate they have.
#[derive(Subcommand)]
pub enum Command {
    /// Sets a rate: so many units of the second currency for one of the first. The way back is not implied
    Set {
        #[command(flatten)]
        pair: Pair,
        /// Units of the second currency for one of the first
        #[arg(value_parser = amount, allow_negative_numbers = true)]
        rate: Decimal,
    },
    /// Takes a rate away that was set
    Remove(Pair),
    /// Shows the rate that counts between two currencies
    Show(Pair),
    /// Lists the rates that were set or imported
    List,
    /// Imports the European Central Bank's daily file, XML or CSV, in the place of the one before
    Import(Import),
}

/// Two currencies.
#[derive(Args)]
pub struct Pair {
    /// From, like GBP
    #[arg(value_parser = currency)]
    from: Currency,
    /// To, like INR
    #[arg(value_parser = currency)]
    to: Currency,
}

/// A daily file.
#[derive(Args)]
pub struct Import {
    /// The file, or the address (http or https) where it is
    #[arg(value_name = "FILE|URL")]
    place: String,
    /// Takes it though it is of an earlier day than the one before
    #[arg(long)]
    force: bool,
}

impl Report for ExchangeRate {
    const NAMES: &str = "from to rate source day";
}

impl Report for RemovedRate {
    const NAMES: &str = "from to removed";
}

#[derive(Serialize)]
struct Listed {
    from: Currency,
    to: Currency,
    rate: Amount,
    source: String,
    day: String,
    updated_at: String,
}

impl From<StoredRate> for Listed {
    fn from(rate: StoredRate) -> Self {
        Self {
            from: rate.from,
            to: rate.to,
            rate: Amount(rate.rate),
            source: rate.origin.as_ref().to_owned(),
            day: rate.day.to_string(),
            updated_at: time(rate.updated_at),
        }
    }
}

#[derive(Serialize)]
struct Rates {
    rates: Vec<Listed>,
}

impl Table for Rates {
    const HEAD: &str = "from to rate source day updated_at";

    fn rows(&self) -> Vec<Row<'_>> {
        rows_of(Self::HEAD, &self.rates, "")
    }
}

impl Report for ImportedRates {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = vec![
            ("day", self.day.to_string().into()),
            ("before", self.before.map_or_else(|| "none".into(), |day| day.to_string().into())),
            ("rates", self.rates.to_string().into()),
        ];
        lines.extend(self.skipped.iter().map(|SkippedRate { line, code }| {
            let said = format!("line {line}: {code} is no currency that is known here");
            ("skipped", said.into())
        }));
        lines
    }
}

impl Command {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        // Read before a database is opened for it.
        let text = match &self {
            Self::Import(import) => daily_file::read(&import.place).await?,
            _ => String::new(),
        };
        let work = installation.with_platform(async |platform| match self {
            Self::Set { pair, rate } => {
                operator::set_rate(platform, By::command_line(), pair.from, pair.to, rate).await?;
                output.print(&counting(platform, &pair).await?)
            }
            Self::Remove(Pair { from, to }) => {
                let removed = operator::remove_rate(platform, By::command_line(), from, to)
                    .await?
                    .ok_or_else(|| {
                        let (from, to) = (from.code(), to.code());
                        Failure::Failed(format!("no rate was set from {from} to {to}"))
                    })?;
                output.print(&removed)
            }
            Self::Show(pair) => output.print(&counting(platform, &pair).await?),
            Self::List => {
                let rates = operator::stored_rates(platform).await?;
                output.print_table(&Rates { rates: rates.into_iter().map(Listed::from).collect() })
            }
            Self::Import(Import { force, .. }) => {
                output.print(&operator::import_rates(platform, By::command_line(), &text, force).await?)
            }
        });
        work.await
    }
}

async fn counting(platform: &wayfare_operations::Platform, pair: &Pair) -> Result<ExchangeRate, Failure> {
    operator::rate(platform, pair.from, pair.to).await?.ok_or_else(|| {
        let (from, to) = (pair.from.code(), pair.to.code());
        Failure::Failed(format!("no exchange rate from {from} to {to}"))
    })
}
