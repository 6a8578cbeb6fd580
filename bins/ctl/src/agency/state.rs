//! `wayfarectl agency list` and `show`: agencies as they stand.

use clap::Args;
use serde::Serialize;
use wayfare_contract::{
    Amount,
    operator::{Agency, AgencyRow},
};
use wayfare_domain::AgencyCode;
use wayfare_operations::operator;

use crate::{
    answers::known,
    installation::Installation,
    output::{Done, Failure, Line, Output, Report, Row, Table, lines_of},
};

#[derive(Serialize)]
struct Agencies {
    agencies: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    agency: AgencyRow,
    /// Why its wallet can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl Table for Agencies {
    const HEAD: &str = "agent_id name tier status balance credit_limit currency";

    fn rows(&self) -> Vec<Row<'_>> {
        let stated = |amount: Option<Amount>| amount.map_or_else(|| "?".to_owned(), |it| it.to_string());
        let row = |Listed { agency, .. }: &Listed| -> Row<'static> {
            vec![
                agency.agent_id.clone().into(),
                agency.name.clone().into(),
                agency.subscription_type.to_string().into(),
                agency.status.to_string().into(),
                stated(agency.balance).into(),
                stated(agency.credit_limit).into(),
                agency.currency.clone().into(),
            ]
        };
        self.agencies.iter().map(row).collect()
    }
}

/// Shows all agencies.
pub async fn list(installation: Installation, output: Output) -> Done {
    let work = installation.with_platform(async |platform| {
        let found = operator::agencies(platform).await?;
        let listed = found
            .into_iter()
            .map(|found| Listed { agency: found.row, problem: found.problem.map(|error| error.to_string()) });
        let table = Agencies { agencies: listed.collect() };
        output.print_table(&table)?;
        let unreadable = table.agencies.iter().filter_map(|Listed { agency, problem }| {
            let problem = problem.as_deref()?;
            Some(format!("the wallet of {} can't be read: {problem}", agency.agent_id))
        });
        match unreadable.collect::<Vec<_>>() {
            problems if problems.is_empty() => Ok(()),
            problems => Err(Failure::Failed(problems.join("; "))),
        }
    });
    work.await
}

/// One agency.
#[derive(Args)]
pub struct Show {
    /// The agency
    agent_id: AgencyCode,
}

impl Show {
    /// Shows it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let found = operator::agency(platform, &self.agent_id).await;
            output.print(&known(found, &self.agent_id)?)
        });
        work.await
    }
}

impl Report for Agency {
    fn lines(&self) -> Vec<Line<'_>> {
        let switch = |on: bool| if on { "on" } else { "off" };
        let some = |list: &[String]| match list {
            [] => "none".to_owned(),
            list => list.join(", "),
        };
        let mut lines: Vec<Line<'_>> = lines_of(self, "agent_id org_id name email country timezone");
        lines.push(("tier", self.subscription_type.as_str().into()));
        lines.extend(lines_of(self, "status currency balance held credit_limit"));
        lines.extend([
            ("ip_whitelist", switch(self.ip_whitelist_enabled).into()),
            ("whitelist", some(&self.whitelist).into()),
            ("suppliers", self.suppliers.as_deref().map_or_else(|| "all".to_owned(), some).into()),
            ("ticket_password", switch(self.ticket_password_enabled).into()),
        ]);
        lines
    }
}
