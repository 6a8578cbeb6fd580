//! `wayfarectl wallet statement`: what happened in a wallet, from one balance to the other.

use chrono::NaiveDate;
use clap::Args;
use wayfare_contract::{Amount, operator::WalletStatement};
use wayfare_domain::Zone;
use wayfare_operations::operator;

use super::Which;
use crate::{
    installation::Installation,
    output::{Done, Output, Row, Table},
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

impl Table for WalletStatement {
    const HEAD: &str = "date type amount balance ref_type description";

    fn rows(&self) -> Vec<Row<'_>> {
        let balance = |amount: Amount, what: &'static str| -> Row<'_> {
            vec!["".into(), "".into(), "".into(), amount.to_string().into(), "".into(), what.into()]
        };
        let zone: Zone = self.timezone.parse().unwrap_or(Zone::UTC);
        let mut rows = vec![balance(self.opening_balance, "opening balance")];
        rows.extend(self.transactions.iter().map(|transaction| {
            let local = transaction.created_at.with_timezone(&zone);
            vec![
                local.format("%Y-%m-%d %H:%M:%S").to_string().into(),
                transaction.kind.as_str().into(),
                transaction.amount.to_string().into(),
                transaction.balance_after.to_string().into(),
                transaction.ref_type.as_str().into(),
                transaction.description.as_str().into(),
            ]
        }));
        rows.push(balance(self.closing_balance, "closing balance"));
        rows
    }

    fn foot(&self) -> Option<String> {
        let WalletStatement { total_credits, total_debits, currency, timezone, .. } = self;
        Some(format!("{total_credits} in, {total_debits} out, {currency}, times of {timezone}"))
    }
}

impl Statement {
    /// Shows it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let found = operator::statement(platform, &self.of.wallet(), self.from, self.to).await;
            output.print_table(&self.of.known(found)?)
        });
        work.await
    }
}
