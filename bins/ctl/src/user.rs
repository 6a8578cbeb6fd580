//! `wayfarectl user`: the users of agencies.

mod change;

use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use secrecy::SecretString;
use wayfare_contract::operator::AgencyUser;
use wayfare_domain::{AccountStatus, AgencyCode, Role};
use wayfare_operations::{
    access::operators::By,
    operator::{self, NewUser},
};

use crate::{
    answers::known,
    arguments::password,
    installation::Installation,
    output::{Done, Output, Report},
};

/// What can be done with users.
#[derive(Subcommand)]
pub enum Command {
    /// Adds a user to an agency; an agent gets a wallet
    Create(Create),
    /// Shows an agency's users
    List(change::List),
    /// Shuts a user out, from their very next request on
    Suspend(change::Somebody),
    /// Lets a suspended user in again
    Activate(change::Somebody),
    /// Gives a user another password and logs them out everywhere
    ResetPassword(change::ResetPassword),
}

impl Command {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        match self {
            Self::Create(create) => create.run(installation, output).await,
            Self::List(list) => list.run(installation, output).await,
            Self::Suspend(somebody) => somebody.stand(AccountStatus::Suspended, installation, output).await,
            Self::Activate(somebody) => somebody.stand(AccountStatus::Active, installation, output).await,
            Self::ResetPassword(reset) => reset.run(installation, output).await,
        }
    }
}

/// A new user.
#[derive(Args)]
pub struct Create {
    /// The agency
    agent_id: AgencyCode,
    /// With what they log in
    #[arg(long)]
    username: String,
    /// Their e-mail address
    #[arg(long)]
    email: String,
    /// Their name
    #[arg(long)]
    name: String,
    /// What they may do: all of the agency, or their own bookings
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(Role::WORDS).try_map(|role| role.parse::<Role>())
    )]
    role: Role,
    /// Their password; `-` reads a line from standard input
    #[arg(long, env = "WAYFARE_PASSWORD", hide_env_values = true)]
    password: Option<SecretString>,
    /// Their telephone number
    #[arg(long, value_name = "NUMBER", default_value = "", hide_default_value = true)]
    phone: String,
}

impl Report for AgencyUser {
    const NAMES: &str = "id username role sub_agent_id";
}

impl Create {
    /// Adds them.
    async fn run(self, installation: Installation, output: Output) -> Done {
        let agent_id = self.agent_id;
        let new = NewUser {
            username: self.username,
            email: self.email,
            name: self.name,
            phone: self.phone,
            password: password(self.password, "--password")?,
            role: self.role,
        };
        let work = installation.with_platform(async |platform| {
            let user =
                known(operator::create_user(platform, By::command_line(), &agent_id, new).await, &agent_id)?;
            output.print(&operator::shown_user(user))
        });
        work.await
    }
}
