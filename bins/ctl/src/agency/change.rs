//! `wayfarectl agency set`, `suspend` and `activate`: what the operator changes of an agency. All of it holds for the
//! very next request.

use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use rust_decimal::Decimal;
use secrecy::SecretString;
use wayfare_domain::{AccountStatus, AgencyCode, Currency, Network, Tier, Zone};
use wayfare_operations::{
    access::operators::By,
    operator::{self, AgencyChange, Suppliers, TicketPassword},
};

use crate::{
    answers::known,
    arguments::{amount, currency, password, time_zone},
    installation::Installation,
    output::{Done, Output},
    suppliers::KnownSuppliers,
};

/// What is to change.
#[derive(Args)]
pub struct Set {
    /// The agency
    agent_id: AgencyCode,
    #[command(flatten)]
    changes: Changes,
}

/// At least one of these; what is not named stays.
#[derive(Args)]
#[group(required = true, multiple = true)]
struct Changes {
    /// Its name
    #[arg(long)]
    name: Option<String>,
    /// Its subscription: API and portal, or the API alone
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(Tier::WORDS).try_map(|tier| tier.parse::<Tier>())
    )]
    tier: Option<Tier>,
    /// Its calendar
    #[arg(long, value_name = "ZONE", value_parser = time_zone)]
    timezone: Option<Zone>,
    /// The currency of its wallets, only while nothing was ever held, moved or lent in them and no terms, contracts and
    /// packages state amounts in it
    #[arg(long, value_name = "CODE", value_parser = currency)]
    currency: Option<Currency>,
    /// What its wallet may spend beyond its balance
    #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
    credit_limit: Option<Decimal>,
    /// Whether only whitelisted addresses are accepted
    #[arg(long, value_name = "ON|OFF", value_enum)]
    ip_whitelist: Option<Switch>,
    /// An address or a CIDR range to put on the whitelist; may be given several times
    #[arg(long, value_name = "NETWORK")]
    whitelist_add: Vec<Network>,
    /// An address or a CIDR range to take off the whitelist; may be given several times
    #[arg(long, value_name = "NETWORK")]
    whitelist_remove: Vec<Network>,
    /// The suppliers it may buy from, by their codes with commas between; or `all`, or `none`
    #[arg(long, value_name = "CODES", value_parser = suppliers)]
    suppliers: Option<Suppliers>,
    /// The password that each flight booking is asked for from now on; `-` reads a line from standard input
    #[arg(long, value_name = "PASSWORD", conflicts_with = "no_ticket_password")]
    ticket_password: Option<SecretString>,
    /// Asks flight bookings for no password any more
    #[arg(long)]
    no_ticket_password: bool,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

fn suppliers(text: &str) -> Result<Suppliers, &'static str> {
    let codes: Vec<String> = match text {
        "all" => return Ok(Suppliers::All),
        "none" => Vec::new(),
        codes => codes.split(',').map(|code| code.trim().to_owned()).collect(),
    };
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    match codes.iter().all(|code| !code.is_empty() && code.bytes().all(letter)) {
        true => Ok(Suppliers::These(codes)),
        false => Err("must be `all`, `none`, or codes like duffel with commas between"),
    }
}

impl Set {
    /// Changes it, and shows what it has become.
    pub async fn run(self, suppliers: &KnownSuppliers, installation: Installation, output: Output) -> Done {
        let Self { agent_id, changes } = self;
        if let Some(Suppliers::These(codes)) = &changes.suppliers {
            suppliers.check("--suppliers", codes)?;
        }
        let ticket_password = match (changes.ticket_password, changes.no_ticket_password) {
            (given @ Some(_), _) => Some(TicketPassword::Asked(password(given, "--ticket-password")?)),
            (None, true) => Some(TicketPassword::NotAsked),
            (None, false) => None,
        };
        let change = AgencyChange {
            name: changes.name,
            tier: changes.tier,
            time_zone: changes.timezone,
            currency: changes.currency,
            credit_limit: changes.credit_limit,
            whitelist_enabled: changes.ip_whitelist.map(|switch| switch == Switch::On),
            whitelisted: changes.whitelist_add,
            unlisted: changes.whitelist_remove,
            suppliers: changes.suppliers,
            ticket_password,
        };
        let work = installation.with_platform(async |platform| {
            known(operator::change_agency(platform, By::command_line(), &agent_id, change).await, &agent_id)?;
            output.print(&operator::agency(platform, &agent_id).await?)
        });
        work.await
    }
}

/// An agency that is let in or not.
#[derive(Args)]
pub struct Stand {
    /// The agency
    agent_id: AgencyCode,
}

impl Stand {
    /// Suspends or activates it, and shows what it has become.
    pub async fn run(self, status: AccountStatus, installation: Installation, output: Output) -> Done {
        let agent_id = self.agent_id;
        let work = installation.with_platform(async |platform| {
            let done = operator::set_agency_status(platform, By::command_line(), &agent_id, status).await;
            known(done, &agent_id)?;
            output.print(&operator::agency(platform, &agent_id).await?)
        });
        work.await
    }
}
