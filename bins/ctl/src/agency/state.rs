//! `wayfarectl agency list` and `show`: agencies as they stand.

use std::borrow::Cow;

use clap::Args;
use serde::Serialize;
use wayfare_domain::{AccountStatus, AgencyCode, Amount, Currency, Organization, OrganizationId, Tier};
use wayfare_operations::operator::{self, AgencyState};

use crate::{
    answers::known,
    installation::Installation,
    output::{Failure, Line, Output, Report, Row, Table},
};

#[derive(Serialize)]
struct Agencies {
    agencies: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    agent_id: String,
    name: String,
    subscription_type: Tier,
    status: AccountStatus,
    /// Null where the wallet can't be read, as its `problem` says.
    balance: Option<Amount>,
    credit_limit: Option<Amount>,
    currency: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl Table for Agencies {
    fn head(&self) -> Cow<'_, str> {
        "agent_id name tier status balance credit_limit currency".into()
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let stated = |amount: Option<Amount>| amount.map_or_else(|| "?".to_owned(), |it| it.0.to_string());
        let row = |agency: &Listed| {
            vec![
                agency.agent_id.clone().into(),
                agency.name.clone().into(),
                agency.subscription_type.as_ref().to_owned().into(),
                agency.status.as_ref().to_owned().into(),
                stated(agency.balance).into(),
                stated(agency.credit_limit).into(),
                agency.currency.code().into(),
            ]
        };
        self.agencies.iter().map(row).collect()
    }
}

/// Shows all agencies.
pub async fn list(installation: Installation, output: Output) -> Result<(), Failure> {
    let work = installation.with_platform(async |platform| {
        let found = operator::agencies(platform).await?;
        let listed = found.into_iter().map(|found| {
            let (agency, wallet) = (found.organization, found.wallet);
            Listed {
                agent_id: agency.code.to_string(),
                name: agency.name,
                subscription_type: agency.tier,
                status: agency.status,
                balance: wallet.as_ref().ok().map(|wallet| wallet.balance.number()),
                credit_limit: wallet.as_ref().ok().map(|wallet| wallet.credit_limit.number()),
                currency: agency.currency,
                problem: wallet.err().map(|error| error.to_string()),
            }
        });
        let table = Agencies { agencies: listed.collect() };
        output.print_table(&table)?;
        let unreadable = table.agencies.iter().filter_map(|agency| {
            let problem = agency.problem.as_deref()?;
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
    pub async fn run(self, installation: Installation, output: Output) -> Result<(), Failure> {
        let work = installation.with_platform(async |platform| {
            let found = operator::agency(platform, &self.agent_id).await;
            output.print(&AgencyView::from(known(found, &self.agent_id)?))
        });
        work.await
    }
}

/// An agency as it stands.
#[derive(Serialize)]
pub struct AgencyView {
    agent_id: String,
    org_id: OrganizationId,
    name: String,
    email: String,
    country: String,
    timezone: &'static str,
    subscription_type: Tier,
    status: AccountStatus,
    currency: Currency,
    balance: Amount,
    held: Amount,
    credit_limit: Amount,
    ip_whitelist_enabled: bool,
    whitelist: Vec<String>,
    /// Null: all of them.
    suppliers: Option<Vec<String>>,
    ticket_password_enabled: bool,
}

impl From<AgencyState> for AgencyView {
    fn from(state: AgencyState) -> Self {
        let Organization {
            id,
            code,
            name,
            email,
            country,
            time_zone,
            tier,
            status,
            ip_whitelist_enabled,
            whitelist,
            suppliers,
            ..
        } = state.organization;
        Self {
            agent_id: code.to_string(),
            org_id: id,
            name,
            email,
            country,
            timezone: time_zone.name(),
            subscription_type: tier,
            status,
            currency: state.wallet.balance.currency(),
            balance: state.wallet.balance.number(),
            held: state.wallet.held.number(),
            credit_limit: state.wallet.credit_limit.number(),
            ip_whitelist_enabled,
            whitelist: whitelist.iter().map(ToString::to_string).collect(),
            suppliers,
            ticket_password_enabled: state.asks_ticket_password,
        }
    }
}

impl Report for AgencyView {
    fn lines(&self) -> Vec<Line<'_>> {
        let switch = |on: bool| if on { "on" } else { "off" };
        let some = |list: &[String]| match list {
            [] => "none".to_owned(),
            list => list.join(", "),
        };
        vec![
            ("agent_id", self.agent_id.as_str().into()),
            ("org_id", self.org_id.to_string().into()),
            ("name", self.name.as_str().into()),
            ("email", self.email.as_str().into()),
            ("country", self.country.as_str().into()),
            ("timezone", self.timezone.into()),
            ("tier", self.subscription_type.as_ref().to_owned().into()),
            ("status", self.status.as_ref().to_owned().into()),
            ("currency", self.currency.code().into()),
            ("balance", self.balance.0.to_string().into()),
            ("held", self.held.0.to_string().into()),
            ("credit_limit", self.credit_limit.0.to_string().into()),
            ("ip_whitelist", switch(self.ip_whitelist_enabled).into()),
            ("whitelist", some(&self.whitelist).into()),
            ("suppliers", self.suppliers.as_deref().map_or_else(|| "all".to_owned(), some).into()),
            ("ticket_password", switch(self.ticket_password_enabled).into()),
        ]
    }
}
