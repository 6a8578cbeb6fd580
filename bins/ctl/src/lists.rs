//! Lists over all agencies, each a table for people and an object for programs: what waits, what failed, who is here.

use std::borrow::Cow;

use clap::{Args, Subcommand};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;
use wayfare_domain::AgencyCode;
use wayfare_operations::{ListRow, OperatorList, operator};

use crate::{
    answers::known,
    installation::Installation,
    output::{Done, Output, Row, Table},
};

/// A cell is no longer for people; programs get all of it.
const LONGEST_CELL: usize = 60;

/// What of a list is wanted.
#[derive(Args)]
pub struct Which {
    /// Of one agency; of all unless given
    #[arg(long, value_name = "AGENT_ID")]
    agency: Option<AgencyCode>,
    /// So many rows at most
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

/// Bookings over all agencies.
#[derive(Subcommand)]
pub enum Bookings {
    /// Those whose outcome is not known, the oldest first
    Pending {
        #[command(flatten)]
        which: Which,
        /// Only those that this supplier has to answer for
        #[arg(long, value_name = "CODE")]
        supplier: Option<String>,
    },
}

/// Refunds over all agencies.
#[derive(Subcommand)]
pub enum Refunds {
    /// Those that are not in a wallet yet, the oldest first
    Pending {
        #[command(flatten)]
        which: Which,
    },
}

/// Reports that agencies asked for.
#[derive(Subcommand)]
pub enum Reports {
    /// Lists them, the newest first
    List {
        #[command(flatten)]
        which: Which,
        /// Only those of this status
        #[arg(long, value_parser = ["queued", "processing", "ready", "failed"])]
        status: Option<String>,
    },
}

/// Agencies' webhooks.
#[derive(Subcommand)]
pub enum Webhooks {
    /// Lists them with what waits for them, the newest first
    List {
        #[command(flatten)]
        which: Which,
    },
    /// Lists what was sent, the newest first
    Deliveries {
        #[command(flatten)]
        which: Which,
        /// Only those in this state
        #[arg(long, value_parser = ["pending", "delivered", "failed"])]
        state: Option<String>,
    },
}

/// Log-ins that last.
#[derive(Args)]
pub struct Sessions {
    #[command(flatten)]
    which: Which,
    /// Only those of this user
    #[arg(long, value_name = "USERNAME")]
    user: Option<String>,
}

/// The audit log, the newest first.
#[derive(Args)]
pub struct AuditLog {
    #[command(flatten)]
    which: Which,
    /// Only events of this name, such as booking.confirmed
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
}

/// Wallets that owe, by currency, those that owe most first.
#[derive(Args)]
pub struct Debts {
    #[command(flatten)]
    which: Which,
    /// Only those in this currency
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
}

/// A list that is to be shown.
pub struct Wanted {
    list: OperatorList,
    name: &'static str,
    which: Which,
    word: Option<String>,
}

impl From<Bookings> for Wanted {
    fn from(Bookings::Pending { which, supplier }: Bookings) -> Self {
        Self::new(OperatorList::PendingBookings, "bookings", which, supplier)
    }
}

impl From<Refunds> for Wanted {
    fn from(Refunds::Pending { which }: Refunds) -> Self {
        Self::new(OperatorList::PendingRefunds, "refunds", which, None)
    }
}

impl From<Reports> for Wanted {
    fn from(Reports::List { which, status }: Reports) -> Self {
        Self::new(OperatorList::Reports, "reports", which, status)
    }
}

impl From<Webhooks> for Wanted {
    fn from(command: Webhooks) -> Self {
        match command {
            Webhooks::List { which } => Self::new(OperatorList::Webhooks, "webhooks", which, None),
            Webhooks::Deliveries { which, state } => {
                Self::new(OperatorList::Deliveries, "deliveries", which, state)
            }
        }
    }
}

impl From<Sessions> for Wanted {
    fn from(Sessions { which, user }: Sessions) -> Self {
        Self::new(OperatorList::Sessions, "sessions", which, user)
    }
}

impl From<AuditLog> for Wanted {
    fn from(AuditLog { which, action }: AuditLog) -> Self {
        Self::new(OperatorList::AuditLog, "events", which, action)
    }
}

impl From<Debts> for Wanted {
    fn from(Debts { which, currency }: Debts) -> Self {
        let currency = currency.map(|code| code.to_ascii_uppercase());
        Self::new(OperatorList::Debts, "debts", which, currency)
    }
}

impl Wanted {
    fn new(list: OperatorList, name: &'static str, which: Which, word: Option<String>) -> Self {
        Self { list, name, which, word }
    }

    pub async fn show(self, installation: Installation, output: Output) -> Done {
        let Self { list, name, which, word } = self;
        let work = installation.with_platform(async |platform| {
            let rows = operator::list(platform, list, which.agency.as_ref(), word, which.limit).await;
            let rows = match &which.agency {
                Some(agency) => known(rows, agency)?,
                None => rows?,
            };
            output.print_table(&Listed { list, name, rows })
        });
        work.await
    }
}

/// Rows of a list, under its name.
pub struct Listed {
    pub list: OperatorList,
    /// How programs call it.
    pub name: &'static str,
    pub rows: Vec<ListRow>,
}

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(1))?;
        object.serialize_entry(self.name, &self.rows)?;
        object.end()
    }
}

impl Table for Listed {
    fn head(&self) -> Cow<'_, str> {
        self.list.columns().into()
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let cells = |row: &ListRow| -> Row<'static> {
            let columns = self.list.columns().split(' ');
            columns.map(|column| cell(row.get(column)).into()).collect()
        };
        self.rows.iter().map(cells).collect()
    }
}

/// A value as people read it: times to the second, nothing as `-`, long texts cut off.
fn cell(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => "-".to_owned(),
        Some(Value::String(text)) => match chrono::DateTime::parse_from_rfc3339(text) {
            Ok(at) => crate::output::time(at.to_utc()),
            Err(_) => text.clone(),
        },
        Some(other) => other.to_string(),
    };
    let printable = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut shown: String = printable.take(LONGEST_CELL).collect();
    if text.chars().count() > LONGEST_CELL {
        shown.push('…');
    }
    shown
}
