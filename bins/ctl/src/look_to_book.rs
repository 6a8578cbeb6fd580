//! `wayfarectl look-to-book`: supplier searches of each agency, beside the orders that it made there.

use chrono::{Days, NaiveDate};
use clap::Args;
use serde::Serialize;
use wayfare_contract::operator::LookToBookRow;
use wayfare_domain::{AgencyCode, Clock};
use wayfare_operations::{operator, suppliers::look_to_book};

use crate::{
    answers::known,
    installation::Installation,
    output::{Done, Failure, Output, Row, Table, rows_of},
};

/// So many days unless told otherwise.
const DAYS: u64 = 30;

/// Whose searches, and of which days.
#[derive(Args)]
pub struct LookToBookCommand {
    /// The agency; all unless given
    agent_id: Option<AgencyCode>,
    /// The first day (UTC); 30 days with the last one unless given
    #[arg(long, value_name = "YYYY-MM-DD")]
    from: Option<NaiveDate>,
    /// The last day (UTC); today unless given
    #[arg(long, value_name = "YYYY-MM-DD")]
    to: Option<NaiveDate>,
}

#[derive(Serialize)]
struct SearchTable {
    from: NaiveDate,
    to: NaiveDate,
    /// The word of the first release.
    looks: Vec<LookToBookRow>,
}

impl Table for SearchTable {
    const HEAD: &str = "agent_id name supplier asked shared booked look_to_book";

    fn rows(&self) -> Vec<Row<'_>> {
        rows_of(Self::HEAD, &self.looks, "-")
    }

    fn foot(&self) -> Option<String> {
        Some(format!("{} to {}, days of UTC", self.from, self.to))
    }
}

impl LookToBookCommand {
    /// Shows them.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let to = self.to.unwrap_or_else(|| Clock::system().now().date_naive());
        let month = || to.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(to);
        let from = self.from.unwrap_or_else(month);
        if from > to {
            return Err(Failure::Usage(format!("--from {from} is after the last day, {to}")));
        }
        let work = installation.with_platform(async |platform| {
            if let Some(agent_id) = &self.agent_id {
                known(operator::agency(platform, agent_id).await, agent_id)?;
            }
            let mut found = look_to_book::between(&platform.core, from, to).await?;
            if let Some(agent_id) = &self.agent_id {
                found.retain(|counts| counts.agent_id == agent_id.as_ref());
            }
            output.print_table(&SearchTable {
                from,
                to,
                looks: found.into_iter().map(operator::look_to_book_row).collect(),
            })
        });
        work.await
    }
}
