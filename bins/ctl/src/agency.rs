//! `wayfarectl agency`: a new agency, money into its wallets, what it may do.

mod change;
mod settle;
mod state;

use chrono_tz::Tz;
use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use rust_decimal::Decimal;
use secrecy::SecretString;
use serde::Serialize;
use wayfare_domain::{
    AccountStatus, AgencyCode, Amount, Currency, OrganizationId, Role, Tier, UserId, parse_currency,
};
use wayfare_operations::{
    Error,
    operator::{self, NewAgency, NewUser},
};

use crate::{
    installation::Installation,
    output::{Failure, Line, Output, Report},
    user,
};

/// What can be done with agencies.
#[derive(Subcommand)]
pub enum Command {
    /// Makes an agency with its wallet and its first admin
    Create(Create),
    /// Puts money into an agency's wallet, or into that of one of its agents
    Topup(Topup),
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
    pub async fn run(self, installation: Installation, output: Output) -> Result<(), Failure> {
        match self {
            Self::Create(create) => create.run(installation, output).await,
            Self::Topup(topup) => topup.run(installation, output).await,
            Self::Settle(settle) => settle.run(installation, output).await,
            Self::List => state::list(installation, output).await,
            Self::Show(show) => show.run(installation, output).await,
            Self::Set(set) => set.run(installation, output).await,
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
        value_parser = PossibleValuesParser::new(["full", "api_only"]).try_map(|tier| tier.parse::<Tier>())
    )]
    tier: Tier,
    /// The currency of its wallets
    #[arg(long, value_name = "CODE", default_value = "INR", value_parser = currency)]
    currency: Currency,
    /// Its calendar
    #[arg(long, value_name = "ZONE", default_value = "Asia/Kolkata", value_parser = time_zone)]
    timezone: Tz,
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
    #[arg(
        long,
        value_name = "PASSWORD",
        env = "WAYFARE_PASSWORD",
        hide_env_values = true
    )]
    admin_password: Option<SecretString>,
}

/// A currency's code, in either case.
pub fn currency(code: &str) -> Result<Currency, &'static str> {
    parse_currency(&code.to_ascii_uppercase()).ok_or("must be a 3-letter currency code, like INR")
}

fn time_zone(name: &str) -> Result<Tz, &'static str> {
    name.parse()
        .map_err(|_| "must be a time zone by its IANA name, like Asia/Kolkata")
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
    fn lines(&self) -> Vec<Line<'_>> {
        vec![
            ("agent_id", self.agent_id.as_str().into()),
            ("org_id", self.org_id.to_string().into()),
            ("admin.id", self.admin.id.to_string().into()),
            ("admin.username", self.admin.username.as_str().into()),
        ]
    }
}

impl Create {
    /// Makes it.
    async fn run(self, installation: Installation, output: Output) -> Result<(), Failure> {
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
                password: user::password(self.admin_password, "--admin-password")?,
                role: Role::OrgAdmin,
            },
        };
        let work = installation.with_platform(async |platform| {
            let (agency, admin) = operator::create_agency(platform, new).await?;
            output.print(&Created {
                agent_id: agency.code.to_string(),
                org_id: agency.id,
                admin: Admin {
                    id: admin.id,
                    username: admin.username,
                },
            })
        });
        work.await
    }
}

/// Money from outside.
#[derive(Args)]
pub struct Topup {
    /// The agency
    agent_id: AgencyCode,
    /// How much, in the currency of the agency
    #[arg(value_parser = amount, allow_negative_numbers = true)]
    amount: Decimal,
    /// The agent whose wallet it goes to, instead of the agency's
    #[arg(long, value_name = "USERNAME")]
    user: Option<String>,
}

/// Digits and a point: no float stands between, and no other way of writing numbers is guessed at.
pub fn amount(text: &str) -> Result<Decimal, &'static str> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
    Decimal::from_str_exact(text)
        .ok()
        .filter(|_| plain)
        .ok_or("must be a decimal number, like 2500.50")
}

#[derive(Serialize)]
struct ToppedUp {
    agent_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    balance: Amount,
    currency: Currency,
}

impl Report for ToppedUp {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = vec![("agent_id", self.agent_id.as_str().into())];
        lines.extend(self.user.as_deref().map(|user| ("user", user.into())));
        lines.push(("balance", self.balance.0.to_string().into()));
        lines.push(("currency", self.currency.code().into()));
        lines
    }
}

impl Topup {
    /// Puts it there.
    async fn run(self, installation: Installation, output: Output) -> Result<(), Failure> {
        let Self {
            agent_id,
            amount,
            user,
        } = self;
        let work = installation.with_platform(async |platform| {
            let topped_up = operator::top_up(platform, &agent_id, user.as_deref(), amount).await;
            let balance = found(topped_up, &agent_id, user.as_deref())?;
            output.print(&ToppedUp {
                agent_id: agent_id.to_string(),
                user,
                balance: balance.number(),
                currency: balance.currency(),
            })
        });
        work.await
    }
}

/// What was done to an agency, or that there is none.
pub fn known<T>(done: Result<T, Error>, agent_id: &AgencyCode) -> Result<T, Failure> {
    done.map_err(|error| match error {
        Error::NotFound => unknown(agent_id),
        other => other.into(),
    })
}

/// What was done to a wallet, or that there is none.
pub fn found<T>(done: Result<T, Error>, agent_id: &AgencyCode, user: Option<&str>) -> Result<T, Failure> {
    done.map_err(|error| match (error, user) {
        (Error::NotFound, None) => unknown(agent_id),
        (Error::NotFound, Some(user)) => Failure::Failed(format!(
            "no agency {agent_id:?} has an agent {user:?} (an org_admin has no wallet of their own)",
            agent_id = agent_id.as_ref()
        )),
        (other, _) => other.into(),
    })
}

/// That there is no such agency.
fn unknown(agent_id: &AgencyCode) -> Failure {
    Failure::Failed(format!("there is no agency {:?}", agent_id.as_ref()))
}
