//! `wayfarectl user list`, `suspend`, `activate` and `reset-password`: the people of an agency and their access.

use clap::Args;
use secrecy::SecretString;
use serde::Serialize;
use wayfare_contract::operator::AgencyUser;
use wayfare_domain::{AccountStatus, AgencyCode};
use wayfare_operations::{Error, access::operators::By, operator};

use super::password;
use crate::{
    answers::known,
    installation::Installation,
    output::{Done, Failure, Line, Output, Report, Row, Table, rows_of},
};

/// An agency's people.
#[derive(Args)]
pub struct List {
    /// The agency
    agent_id: AgencyCode,
}

#[derive(Serialize)]
struct Users {
    users: Vec<AgencyUser>,
}

impl Table for Users {
    const HEAD: &str = "sub_agent_id username role status email name";

    fn rows(&self) -> Vec<Row<'_>> {
        rows_of(Self::HEAD, &self.users, "")
    }
}

impl List {
    /// Shows them.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let users = known(operator::users(platform, &self.agent_id).await, &self.agent_id)?;
            output.print_table(&Users { users })
        });
        work.await
    }
}

/// Somebody of an agency.
#[derive(Args)]
pub struct Somebody {
    /// The agency
    agent_id: AgencyCode,
    /// With what they log in
    username: String,
}

impl Somebody {
    /// Suspends or activates them.
    pub async fn stand(self, status: AccountStatus, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let done = operator::set_user_status(
                platform,
                By::command_line(),
                &self.agent_id,
                &self.username,
                status,
            )
            .await;
            self.told(done)?;
            output.print(&Changed {
                agent_id: self.agent_id.to_string(),
                username: &self.username,
                what: ("status", status.as_ref()),
            })
        });
        work.await
    }

    fn told(&self, done: Result<(), Error>) -> Done {
        done.map_err(|error| match error {
            Error::NotFound => Failure::Failed(format!(
                "no agency {:?} has a user {:?}",
                self.agent_id.as_ref(),
                self.username
            )),
            other => other.into(),
        })
    }
}

/// Another password for somebody.
#[derive(Args)]
pub struct ResetPassword {
    #[command(flatten)]
    somebody: Somebody,
    /// Their new password; `-` reads a line from standard input
    #[arg(long, env = "WAYFARE_PASSWORD", hide_env_values = true)]
    password: Option<SecretString>,
}

impl ResetPassword {
    /// Gives them another password; they are logged out everywhere.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let somebody = self.somebody;
        let new = password(self.password, "--password")?;
        let work = installation.with_platform(async |platform| {
            let (agent_id, username) = (&somebody.agent_id, &somebody.username);
            somebody.told(
                operator::reset_password(platform, By::command_line(), agent_id, username, new).await,
            )?;
            output.print(&Changed { agent_id: agent_id.to_string(), username, what: ("password", "reset") })
        });
        work.await
    }
}

struct Changed<'a> {
    agent_id: String,
    username: &'a str,
    what: (&'static str, &'a str),
}

impl Serialize for Changed<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, value) = self.what;
        serializer.collect_map([
            ("agent_id", self.agent_id.as_str()),
            ("username", self.username),
            (key, value),
        ])
    }
}

impl Report for Changed<'_> {
    fn lines(&self) -> Vec<Line<'_>> {
        let (key, value) = self.what;
        vec![
            ("agent_id", self.agent_id.as_str().into()),
            ("username", self.username.into()),
            (key, value.into()),
        ]
    }
}
