//! `wayfarectl agency`: a new agency, money into its wallets, what it may do.

mod change;
mod settle;
mod state;

use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use secrecy::SecretString;
use serde::Serialize;
use wayfare_domain::{AccountStatus, Currency, OrganizationId, Role, Tier, UserId, Zone};
use wayfare_operations::{
    access::operators::By,
    operator::{self, NewAgency, NewUser, Transfer},
};

use crate::{
    arguments::{currency, password, time_zone},
    installation::Installation,
    output::{Done, Output, Report},
    suppliers::KnownSuppliers,
    wallet::Money,
};

/// What can be done with agencies.
#[derive(Subcommand)]
pub enum Command {
    /// Makes an agency with its wallet and its first admin
    Create(Create),
    /// Puts money into an agency's wallet, or into that of one of its agents: `wallet topup` by another name
    Topup(Money),
    /// Pays what stands on an agency's markup account into its wallet
    Settle(settle::Settle),
    /// Shows all agencies
    List,
    /// Shows an agency
    Show(state::Show),
    /// Changes what an agency is and may do
    Set(change::Set),
    /// Shuts an agency out, from its very next request on
    Suspend(change::Stand),
    /// Lets a suspended agency in again
    Activate(change::Stand),
}

impl Command {
    /// Does it.
    pub async fn run(self, suppliers: &KnownSuppliers, installation: Installation, output: Output) -> Done {
        match self {
            Self::Create(create) => create.run(installation, output).await,
            Self::Topup(money) => money.run(Transfer::TopUp, installation, output).await,
            Self::Settle(settle) => settle.run(installation, output).await,
            Self::List => state::list(installation, output).await,
            Self::Show(show) => show.run(installation, output).await,
            Self::Set(set) => set.run(suppliers, installation, output).await,
            Self::Suspend(stand) => stand.run(AccountStatus::Suspended, installation, output).await,
            Self::Activate(stand) => stand.run(AccountStatus::Active, installation, output).await,
        }
    }
}

/// A new agency.
#[derive(Args)]
pub struct Create {
    /// The agency's name
    #[arg(long)]
    name: String,
    /// The agency's e-mail address
    #[arg(long)]
    email: String,
    /// Where it is, as a 2-letter code
    #[arg(long, value_name = "CODE", value_parser = |code: &str| Ok::<_, String>(code.to_ascii_uppercase()))]
    country: String,
    /// Its subscription: API and portal, or the API alone
    #[arg(
        long,
        default_value = "full",
        value_parser = PossibleValuesParser::new(Tier::WORDS).try_map(|tier| tier.parse::<Tier>())
    )]
    tier: Tier,
    /// The currency of its wallets
    #[arg(long, value_name = "CODE", default_value = "INR", value_parser = currency)]
    currency: Currency,
    /// Its calendar
    #[arg(long, value_name = "ZONE", default_value = "Asia/Kolkata", value_parser = time_zone)]
    timezone: Zone,
    /// With what its first admin logs in
    #[arg(long, value_name = "USERNAME")]
    admin_username: String,
    /// The admin's e-mail address
    #[arg(long, value_name = "EMAIL")]
    admin_email: String,
    /// The admin's name; the username unless given
    #[arg(long, value_name = "NAME")]
    admin_name: Option<String>,
    /// The admin's password; `-` reads a line from standard input
    #[arg(long, value_name = "PASSWORD", env = "WAYFARE_PASSWORD", hide_env_values = true)]
    admin_password: Option<SecretString>,
}

#[derive(Serialize)]
struct Created {
    agent_id: String,
    org_id: OrganizationId,
    admin: Admin,
}

#[derive(Serialize)]
struct Admin {
    id: UserId,
    username: String,
}

impl Report for Created {
    const NAMES: &str = "agent_id org_id admin.id admin.username";
}

impl Create {
    /// Makes it.
    async fn run(self, installation: Installation, output: Output) -> Done {
        let new = NewAgency {
            name: self.name,
            email: self.email,
            country: self.country,
            tier: self.tier,
            currency: self.currency,
            time_zone: self.timezone,
            admin: NewUser {
                name: self.admin_name.unwrap_or_else(|| self.admin_username.clone()),
                username: self.admin_username,
                email: self.admin_email,
                phone: String::new(),
                password: password(self.admin_password, "--admin-password")?,
                role: Role::OrgAdmin,
            },
        };
        let work = installation.with_platform(async |platform| {
            let (agency, admin) = operator::create_agency(platform, By::command_line(), new).await?;
            output.print(&Created {
                agent_id: agency.code.to_string(),
                org_id: agency.id,
                admin: Admin { id: admin.id, username: admin.username },
            })
        });
        work.await
    }
}
