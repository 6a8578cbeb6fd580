//! `wayfarectl suppliers show|alarms|open|close|limits|balance`: the operator's accounts with suppliers.

use chrono::{DateTime, Utc};
use clap::Subcommand;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::Value;
use wayfare_contract::{
    Amount,
    operator::{SupplierAccount, SupplierRefusals},
};
use wayfare_domain::Currency;
use wayfare_operations::{
    Platform,
    access::operators::By,
    operator::{self, AccountAtSupplier, Alarm},
};

use crate::{
    arguments::{amount, currency},
    hooks::HookRequest,
    installation::Installation,
    output::{Done, Line, Output, Report, Row, Table, rows_of, time, to_the_second},
    suppliers::{self, KnownSuppliers},
    trial::TrialRequest,
};

/// What can be done with suppliers.
#[derive(Subcommand)]
pub enum Command {
    /// Lists them
    List,
    /// Shows what is known of the account with one, and what it refused in the last seven days
    Show {
        /// The supplier, by its code
        #[arg(value_parser = suppliers::code)]
        supplier: String,
    },
    /// Lists what is wrong with suppliers, the newest first
    Alarms {
        /// Those that are over as well
        #[arg(long)]
        all: bool,
    },
    /// Prints where a supplier posts its hooks. Duffel's webhook is made, and where it is made already pinged
    Hooks(HookRequest),
    /// Tries a supplier before a customer does: what is cheapest and refundable is booked with the key of the settings, looked up
    /// and given back; exit code 1 when a step went otherwise
    Try(TrialRequest),
    /// Opens a supplier for sales; running servers know within a second or two
    Open {
        /// The supplier, by its code
        #[arg(value_parser = suppliers::code)]
        supplier: String,
        /// What was done; it is kept with the alarms that this closes
        #[arg(long)]
        note: Option<String>,
    },
    /// Closes a supplier for new sales until it is opened: orders that exist are looked after all the same
    Close {
        /// The supplier, by its code
        #[arg(value_parser = suppliers::code)]
        supplier: String,
        /// Why
        #[arg(long)]
        reason: String,
    },
    /// Sets below what the account is low, and at what nothing new is sold; what is left out is removed
    Limits {
        /// The supplier, by its code
        #[arg(value_parser = suppliers::code)]
        supplier: String,
        /// Below this an alarm is raised, in the account's currency
        #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
        warn_below: Option<Decimal>,
        /// At this or below it nothing new is sold, in the account's currency
        #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
        stop_below: Option<Decimal>,
    },
    /// States what the account holds, where the supplier does not tell; what is ordered from now on is taken off
    Balance {
        /// The supplier, by its code
        #[arg(value_parser = suppliers::code)]
        supplier: String,
        /// How much
        #[arg(value_parser = amount, allow_negative_numbers = true)]
        balance: Decimal,
        /// Of what
        #[arg(value_parser = currency)]
        currency: Currency,
    },
}

#[derive(Serialize)]
struct ShownAccount {
    code: String,
    for_sale: bool,
    /// Null while it is for sale.
    closed_at: Option<DateTime<Utc>>,
    closed_reason: Option<String>,
    #[serde(flatten)]
    account: SupplierAccount,
    /// In the last seven days.
    refusals: Vec<SupplierRefusals>,
}

impl ShownAccount {
    fn of(code: &str, found: AccountAtSupplier) -> Self {
        let account = found.account.unwrap_or_default();
        Self {
            code: code.to_owned(),
            for_sale: found.closed_at.is_none(),
            closed_at: found.closed_at.map(to_the_second),
            closed_reason: found.closed_reason,
            account: SupplierAccount { seen_at: account.seen_at.map(to_the_second), ..account },
            refusals: found.refusals,
        }
    }
}

impl Report for ShownAccount {
    fn lines(&self) -> Vec<Line<'_>> {
        let money = |amount: Option<Amount>| match (amount, &self.account.currency) {
            (Some(amount), Some(currency)) => format!("{amount} {currency}"),
            (Some(amount), None) => amount.to_string(),
            (None, _) => "unknown".to_owned(),
        };
        let limit = |amount: Option<Amount>| amount.map_or("none".to_owned(), |amount| amount.to_string());
        let state = match (self.closed_at, &self.closed_reason) {
            (Some(at), Some(reason)) => format!("closed since {}: {reason}", time(at)),
            _ => "open".to_owned(),
        };
        let account = &self.account;
        let seen = match (account.seen_at.map(time), account.stated) {
            (Some(at), true) => format!("stated at {at}, {} spent since", account.spent),
            (Some(at), false) => format!("read at {at}"),
            (None, _) => "never".to_owned(),
        };
        let mut lines: Vec<Line<'_>> = vec![
            ("supplier", self.code.as_str().into()),
            ("sales", state.into()),
            ("available", money(account.available).into()),
            ("balance", money(account.balance).into()),
            ("credit", money(account.credit).into()),
            ("seen", seen.into()),
            ("warn_below", limit(account.warn_below).into()),
            ("stop_below", limit(account.stop_below).into()),
        ];
        let refusal = |row: &SupplierRefusals| -> Line<'_> {
            ("refused", format!("{} {}", row.refusals, row.reason).into())
        };
        lines.extend(self.refusals.iter().map(refusal));
        lines
    }
}

#[derive(Serialize)]
struct AlarmView {
    supplier: String,
    kind: String,
    raised_at: String,
    details: Value,
    closed_at: Option<String>,
    closed_by: Option<String>,
    note: Option<String>,
}

impl From<Alarm> for AlarmView {
    fn from(alarm: Alarm) -> Self {
        Self {
            supplier: alarm.supplier,
            kind: alarm.kind,
            raised_at: time(alarm.raised_at),
            details: alarm.details,
            closed_at: alarm.closed_at.map(time),
            closed_by: alarm.closed_by,
            note: alarm.note,
        }
    }
}

#[derive(Serialize)]
struct Alarms {
    alarms: Vec<AlarmView>,
}

impl Table for Alarms {
    const HEAD: &str = "supplier kind raised_at closed_at closed_by details";

    fn rows(&self) -> Vec<Row<'_>> {
        rows_of(Self::HEAD, &self.alarms, "-")
    }
}

impl Command {
    /// Does it.
    pub async fn run(self, suppliers: &KnownSuppliers, installation: Installation, output: Output) -> Done {
        if let Some(supplier) = self.supplier() {
            suppliers.check("<SUPPLIER>", [supplier])?;
        }
        let work = installation.with_platform(async |platform| {
            let shown = self.supplier().cloned();
            self.carry_out(platform, output).await?;
            match shown {
                Some(supplier) => {
                    let account = operator::supplier_account(platform, &supplier).await?;
                    output.print(&ShownAccount::of(&supplier, account))
                }
                None => Ok(()),
            }
        });
        work.await
    }

    fn supplier(&self) -> Option<&String> {
        match self {
            Self::List | Self::Alarms { .. } | Self::Hooks(_) | Self::Try(_) => None,
            Self::Show { supplier }
            | Self::Open { supplier, .. }
            | Self::Close { supplier, .. }
            | Self::Limits { supplier, .. }
            | Self::Balance { supplier, .. } => Some(supplier),
        }
    }

    async fn carry_out(self, platform: &Platform, output: Output) -> Done {
        match self {
            // Nothing of it is in the database.
            Self::List | Self::Show { .. } | Self::Hooks(_) | Self::Try(_) => {}
            Self::Alarms { all } => {
                let alarms = operator::supplier_alarms(platform, !all).await?;
                let alarms = alarms.into_iter().map(AlarmView::from).collect();
                output.print_table(&Alarms { alarms })?;
            }
            Self::Open { supplier, note } => {
                operator::open_supplier(platform, By::command_line(), &supplier, note.as_deref()).await?;
            }
            Self::Close { supplier, reason } => {
                operator::close_supplier(platform, By::command_line(), &supplier, &reason).await?;
            }
            Self::Limits { supplier, warn_below, stop_below } => {
                operator::set_supplier_limits(platform, By::command_line(), &supplier, warn_below, stop_below)
                    .await?
            }
            Self::Balance { supplier, balance, currency } => {
                operator::state_balance(platform, By::command_line(), &supplier, balance, currency).await?
            }
        }
        Ok(())
    }
}
