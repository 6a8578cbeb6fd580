//! `wayfarectl wallet statement`: what happened in a wallet, from one balance to the other.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, Utc};
use clap::Args;
use serde::Serialize;
use wayfare_domain::{Amount, Currency, TransferId, Zone};
use wayfare_operations::operator;

use super::Which;
use crate::{
    installation::Installation,
    output::{Failure, Output, Row, Table},
};

/// Which days of which wallet.
#[derive(Args)]
pub struct Statement {
    #[command(flatten)]
    of: Which,
    /// The first day, in the agency's calendar; from the beginning unless given
    #[arg(long, value_name = "YYYY-MM-DD")]
    from: Option<NaiveDate>,
    /// The last day, in the agency's calendar; until now unless given
    #[arg(long, value_name = "YYYY-MM-DD")]
    to: Option<NaiveDate>,
}

#[derive(Serialize)]
struct Told {
    agent_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    currency: Currency,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    opening_balance: Amount,
    transactions: Vec<Transaction>,
    total_credits: Amount,
    total_debits: Amount,
    closing_balance: Amount,
    #[serde(skip)]
    zone: Zone,
}

#[derive(Serialize)]
struct Transaction {
    id: TransferId,
    created_at: DateTime<Utc>,
    #[serde(rename = "type")]
    side: &'static str,
    amount: Amount,
    balance_after: Amount,
    ref_type: &'static str,
    ref_id: Option<String>,
    description: String,
}

impl Table for Told {
    fn head(&self) -> Cow<'_, str> {
        "date type amount balance ref_type description".into()
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let balance = |amount: Amount, what: &'static str| -> Row<'_> {
            vec!["".into(), "".into(), "".into(), amount.0.to_string().into(), "".into(), what.into()]
        };
        let mut rows = vec![balance(self.opening_balance, "opening balance")];
        rows.extend(self.transactions.iter().map(|transaction| {
            let local = transaction.created_at.with_timezone(&self.zone);
            vec![
                local.format("%Y-%m-%d %H:%M:%S").to_string().into(),
                transaction.side.into(),
                transaction.amount.0.to_string().into(),
                transaction.balance_after.0.to_string().into(),
                transaction.ref_type.into(),
                transaction.description.as_str().into(),
            ]
        }));
        rows.push(balance(self.closing_balance, "closing balance"));
        rows
    }

    fn foot(&self) -> Option<String> {
        Some(format!(
            "{} in, {} out, {}, times of {}",
            self.total_credits.0,
            self.total_debits.0,
            self.currency.code(),
            self.zone.name()
        ))
    }
}

impl Statement {
    /// Shows it.
    pub async fn run(self, installation: Installation, output: Output) -> Result<(), Failure> {
        let work = installation.with_platform(async |platform| {
            let found = operator::statement(platform, &self.of.wallet(), self.from, self.to).await;
            let statement = self.of.known(found)?;
            let transactions = statement.transactions.into_iter().map(|transaction| Transaction {
                id: transaction.id,
                created_at: transaction.at,
                side: transaction.side.into(),
                amount: transaction.amount.number(),
                balance_after: transaction.balance_after.number(),
                ref_type: transaction.reason.into(),
                ref_id: transaction.reference,
                description: transaction.description,
            });
            output.print_table(&Told {
                agent_id: self.of.agent_id.to_string(),
                user: self.of.user.clone(),
                currency: statement.agency.currency,
                from: self.from,
                to: self.to,
                opening_balance: statement.opening_balance.number(),
                transactions: transactions.collect(),
                total_credits: statement.credits.number(),
                total_debits: statement.debits.number(),
                closing_balance: statement.closing_balance.number(),
                zone: statement.agency.time_zone,
            })
        });
        work.await
    }
}
