//! `wayfarectl operator`: who works for the platform at the operator's API.

use std::borrow::Cow;

use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use wayfare_domain::{AccountStatus, OperatorId, OperatorRole};
use wayfare_operations::{
    Error,
    access::operators::{
        By, Operator,
        accounts::{self, NewOperator, OperatorChange},
    },
};

use crate::{
    installation::Installation,
    output::{Failure, Line, Output, Report, Row, Table, time},
};

/// What can be done with operators.
#[derive(Subcommand)]
pub enum Command {
    /// Adds an operator and prints their password, once
    Add(Add),
    /// Shows all operators
    List,
    /// Changes what an operator may do
    Set(Set),
    /// Gives an operator another password, prints it once, and logs them out everywhere
    ResetPassword {
        /// With what they log in
        username: String,
    },
}

/// A new operator.
#[derive(Args)]
pub struct Add {
    /// With what they log in
    username: String,
    /// What they may do: read; decide incidents and rule on bookings; move money and set prices; all of it, and look after
    /// operators and agencies
    #[arg(long, value_parser = role())]
    role: OperatorRole,
    /// Their name; the username unless given
    #[arg(long)]
    name: Option<String>,
}

/// What is changed of an operator.
#[derive(Args)]
pub struct Set {
    /// With what they log in
    username: String,
    /// What they may do
    #[arg(long, value_parser = role())]
    role: Option<OperatorRole>,
    /// Whether they may act; a suspended one is out from their very next request
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(AccountStatus::WORDS).try_map(|status| status.parse::<AccountStatus>())
    )]
    status: Option<AccountStatus>,
}

fn role() -> impl TypedValueParser<Value = OperatorRole> {
    PossibleValuesParser::new(OperatorRole::WORDS).try_map(|role| role.parse::<OperatorRole>())
}

impl Command {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Result<(), Failure> {
        let work = installation.with_platform(async |platform| match self {
            Self::Add(add) => {
                let new = NewOperator {
                    name: add.name.unwrap_or_else(|| add.username.clone()),
                    username: add.username,
                    role: add.role,
                };
                let (operator, password) = accounts::add(platform, By::command_line(), new).await?;
                output.print(&PrintedOperator::of(operator, Some(&password)))
            }
            Self::List => {
                let all = accounts::list(platform).await?;
                output.print_table(&All {
                    operators: all.into_iter().map(|one| PrintedOperator::of(one, None)).collect(),
                })
            }
            Self::Set(set) => {
                let found = accounts::of_username(platform, &set.username).await;
                let found = found.map_err(|error| failure(error, &set.username))?;
                let change = OperatorChange { role: set.role, status: set.status };
                let changed = accounts::change(platform, By::command_line(), found.id, change).await?;
                output.print(&PrintedOperator::of(changed, None))
            }
            Self::ResetPassword { username } => {
                let found = accounts::of_username(platform, &username).await;
                let found = found.map_err(|error| failure(error, &username))?;
                let (operator, password) =
                    accounts::reset_password(platform, By::command_line(), found.id).await?;
                output.print(&PrintedOperator::of(operator, Some(&password)))
            }
        });
        work.await
    }
}

fn failure(error: Error, username: &str) -> Failure {
    match error {
        Error::NotFound => Failure::Failed(format!("there is no operator {username:?}")),
        other => other.into(),
    }
}

#[derive(Serialize)]
struct PrintedOperator {
    id: OperatorId,
    username: String,
    name: String,
    role: OperatorRole,
    status: AccountStatus,
    last_login_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<String>,
}

impl PrintedOperator {
    fn of(operator: Operator, password: Option<&SecretString>) -> Self {
        Self {
            id: operator.id,
            username: operator.username,
            name: operator.name,
            role: operator.role,
            status: operator.status,
            last_login_at: operator.last_login_at.map(time),
            password: password.map(|password| password.expose_secret().to_owned()),
        }
    }
}

impl Report for PrintedOperator {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines: Vec<Line<'_>> = vec![
            ("id", self.id.to_string().into()),
            ("username", self.username.as_str().into()),
            ("name", self.name.as_str().into()),
            ("role", self.role.as_ref().to_owned().into()),
            ("status", self.status.as_ref().to_owned().into()),
        ];
        let password = self.password.as_deref();
        lines.extend(password.map(|password| ("password", password.into())));
        lines
    }
}

#[derive(Serialize)]
struct All {
    operators: Vec<PrintedOperator>,
}

impl Table for All {
    fn head(&self) -> Cow<'_, str> {
        "username role status last_login_at name".into()
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let row = |one: &PrintedOperator| {
            vec![
                one.username.clone().into(),
                one.role.as_ref().to_owned().into(),
                one.status.as_ref().to_owned().into(),
                one.last_login_at.clone().unwrap_or_default().into(),
                one.name.clone().into(),
            ]
        };
        self.operators.iter().map(row).collect()
    }
}
