//! `wayfarectl operator`: who works for the platform at the operator's API.

use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use wayfare_contract::operator::Operator;
use wayfare_domain::{AccountStatus, OperatorRole};
use wayfare_operations::{
    Error,
    access::operators::{
        By,
        accounts::{self, NewOperator, OperatorChange},
    },
};

use crate::{
    installation::Installation,
    output::{Done, Failure, Output, Report, Row, Table, rows_of, to_the_second},
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
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| match self {
            Self::Add(add) => {
                let new = NewOperator {
                    name: add.name.unwrap_or_else(|| add.username.clone()),
                    username: add.username,
                    role: add.role,
                };
                let (operator, password) = accounts::add(&platform.access, By::command_line(), new).await?;
                output.print(&PrintedOperator::of(accounts::shown(operator), Some(&password)))
            }
            Self::List => {
                let all = accounts::list(&platform.core).await?;
                output.print_table(&All {
                    operators: all.into_iter().map(|one| PrintedOperator::of(one, None)).collect(),
                })
            }
            Self::Set(set) => {
                let found = accounts::of_username(&platform.core, &set.username).await;
                let found = found.map_err(|error| failure(error, &set.username))?;
                let change = OperatorChange { role: set.role, status: set.status };
                let changed = accounts::change(&platform.core, By::command_line(), found.id, change).await?;
                output.print(&PrintedOperator::of(accounts::shown(changed), None))
            }
            Self::ResetPassword { username } => {
                let found = accounts::of_username(&platform.core, &username).await;
                let found = found.map_err(|error| failure(error, &username))?;
                let (operator, password) =
                    accounts::reset_password(&platform.access, By::command_line(), found.id).await?;
                output.print(&PrintedOperator::of(accounts::shown(operator), Some(&password)))
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
    #[serde(flatten)]
    operator: Operator,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<String>,
}

impl PrintedOperator {
    fn of(operator: Operator, password: Option<&SecretString>) -> Self {
        let operator = Operator {
            created_at: to_the_second(operator.created_at),
            last_login_at: operator.last_login_at.map(to_the_second),
            ..operator
        };
        Self { operator, password: password.map(|password| password.expose_secret().to_owned()) }
    }
}

impl Report for PrintedOperator {
    const NAMES: &str = "id username name role status password";
}

#[derive(Serialize)]
struct All {
    operators: Vec<PrintedOperator>,
}

impl Table for All {
    const HEAD: &str = "username role status last_login_at name";

    fn rows(&self) -> Vec<Row<'_>> {
        rows_of(Self::HEAD, &self.operators, "")
    }
}
