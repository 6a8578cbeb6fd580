//! What the operator sees and changes of agencies.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use rust_decimal::Decimal;
use secrecy::SecretString;
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_contract::{
    Amount,
    operator::{Agency, AgencyRow},
};
use wayfare_domain::{
    AccountStatus, AgencyCode, Currency, EventKind, Faults, Money, Network, Organization, OrganizationId,
    Tier, Zone,
};
use wayfare_ledger::Wallet;
use wayfare_store::{
    StoreError,
    access::organizations,
    money::{
        wallet_summary::users_funds,
        wallets::{self, Owner},
    },
};

use super::{agency_of, money::limit_credit, note};
use crate::{
    Error, Platform, Result,
    access::operators::{By, ConfirmedAdmin},
    agency::{
        profile::{difference, replace},
        settings,
    },
};

/// Every request reads its agency's whitelist: it has at most so many networks.
const LONGEST_WHITELIST: usize = 200;

/// What the operator changes of an agency; what is none or empty stays.
#[derive(Debug, Default)]
pub struct AgencyChange {
    pub name: Option<String>,
    pub tier: Option<Tier>,
    pub time_zone: Option<Zone>,
    /// The currency of its wallets, only while nothing was ever held or moved in them and no price states an amount in it.
    pub currency: Option<Currency>,
    /// What the organization's wallet may spend beyond its balance, in its currency.
    pub credit_limit: Option<Decimal>,
    /// Whether only whitelisted addresses are accepted.
    pub whitelist_enabled: Option<bool>,
    pub whitelisted: Vec<Network>,
    pub unlisted: Vec<Network>,
    /// The codes of the suppliers it may buy from, or all of them.
    pub suppliers: Option<Suppliers>,
    /// Whether a flight booking asks for a password.
    pub ticket_password: Option<TicketPassword>,
}

/// Which suppliers an agency may buy from.
#[derive(Clone, Debug)]
pub enum Suppliers {
    All,
    These(Vec<String>),
}

/// Whether a flight booking asks for a password.
#[derive(Debug)]
pub enum TicketPassword {
    Asked(SecretString),
    NotAsked,
}

/// An agency in the list of all; of one whose wallet can't be read, why.
#[derive(Debug)]
pub struct ListedAgency {
    pub row: AgencyRow,
    pub problem: Option<StoreError>,
}

/// Every agency with its wallets, the oldest first: two statements.
#[boxed]
pub async fn agencies(platform: &Platform) -> Result<Vec<ListedAgency>> {
    let mut connection = platform.core.database.connection().await?;
    let all = wallets::with_organizations(&mut connection).await?;
    let mut users = users_funds(&mut connection, None).await?;
    let listed = |(agency, wallet): (Organization, std::result::Result<Wallet, StoreError>)| {
        let users = users.remove(&agency.id).unwrap_or_default();
        let (wallet, problem) = match wallet {
            Ok(wallet) => (Some(wallet), None),
            Err(problem) => (None, Some(problem)),
        };
        let row = AgencyRow {
            users_balance: amount(Money::rounded(users.balance, agency.currency)),
            users_held: amount(Money::rounded(users.held, agency.currency)),
            agent_id: agency.code.to_string(),
            name: agency.name,
            subscription_type: agency.tier.as_ref().into(),
            status: agency.status.as_ref().into(),
            currency: agency.currency.code().to_owned(),
            balance: wallet.as_ref().map(|wallet| amount(wallet.balance)),
            held: wallet.as_ref().map(|wallet| amount(wallet.held)),
            credit_limit: wallet.as_ref().map(|wallet| amount(wallet.credit_limit)),
            created_at: agency.created_at,
        };
        ListedAgency { row, problem }
    };
    Ok(all.into_iter().map(listed).collect())
}

fn amount(money: Money) -> Amount {
    Amount(money.amount())
}

/// The agency of this code.
///
/// # Errors
/// [`Error::NotFound`].
#[boxed]
pub async fn agency(platform: &Platform, code: &AgencyCode) -> Result<Agency> {
    let mut connection = platform.core.database.connection().await?;
    let agency = agency_of(&mut connection, code).await?;
    let wallet =
        wallets::of(&mut connection, Owner::Organization(agency.id)).await?.ok_or(Error::NotFound)?;
    let asks_ticket_password = settings::asks(&mut connection, agency.id).await?;
    let users = users_funds(&mut connection, Some(agency.id)).await?.remove(&agency.id).unwrap_or_default();
    let currency = wallet.balance.currency();
    Ok(Agency {
        agent_id: agency.code.to_string(),
        org_id: agency.id.uuid(),
        name: agency.name,
        email: agency.email,
        phone: agency.phone,
        address: agency.address,
        country: agency.country,
        timezone: agency.time_zone.name().to_owned(),
        subscription_type: agency.tier.as_ref().into(),
        status: agency.status.as_ref().into(),
        currency: currency.code().to_owned(),
        balance: amount(wallet.balance),
        held: amount(wallet.held),
        credit_limit: amount(wallet.credit_limit),
        users_balance: amount(Money::rounded(users.balance, currency)),
        users_held: amount(Money::rounded(users.held, currency)),
        wallet_is_active: wallet.is_active,
        ip_whitelist_enabled: agency.ip_whitelist_enabled,
        whitelist: agency.whitelist.iter().map(ToString::to_string).collect(),
        suppliers: agency.suppliers,
        ticket_password_enabled: asks_ticket_password,
        created_at: agency.created_at,
    })
}

/// Suspends or activates an agency: its people are out, or in again, from their very next request.
///
/// # Errors
/// [`Error::NotFound`].
#[boxed]
pub async fn set_agency_status(
    platform: &Platform,
    by: By<ConfirmedAdmin>,
    code: &AgencyCode,
    status: AccountStatus,
) -> Result<()> {
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            let mut agency = lock(connection, code).await?;
            let before = std::mem::replace(&mut agency.status, status);
            if before == status {
                return Ok(());
            }
            let action = match status {
                AccountStatus::Active => EventKind::OrganizationActivated,
                AccountStatus::Suspended => EventKind::OrganizationSuspended,
            };
            let values = (Some(json!({ "status": before })), json!({ "status": status }));
            organizations::update(connection, &agency, platform.core.clock.now()).await?;
            let entity_id = agency.id.to_string();
            note(platform, by.actor(), connection, agency.id, action, entity_id, values).await
        })
        .await
}

/// Changes an agency, all of it or nothing.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names what can't be.
#[boxed]
pub async fn change_agency(
    platform: &Platform,
    by: By<ConfirmedAdmin>,
    code: &AgencyCode,
    change: AgencyChange,
) -> Result<()> {
    let ticket_password = match change.ticket_password {
        None => None,
        Some(TicketPassword::NotAsked) => Some(None),
        Some(TicketPassword::Asked(secret)) => {
            Some(Some(settings::ticket_password(&platform.access, secret).await?))
        }
    };
    let change = AgencyChange { ticket_password: None, ..change };
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            let before = lock(connection, code).await?;
            let id = before.id;
            let credit_limit = change.credit_limit;
            let after = changed(&before, change)?;
            if after.currency != before.currency {
                change_currency(connection, id, after.currency).await?;
            }
            if let Some((old, new)) = difference(&before, &after) {
                organizations::update(connection, &after, platform.core.clock.now()).await?;
                let (entity_id, values) = (id.to_string(), (Some(old), new));
                note(platform, by.actor(), connection, id, EventKind::OrganizationUpdated, entity_id, values)
                    .await?;
            }
            if let Some(limit) = credit_limit {
                limit_credit(platform, by.actor(), connection, Owner::Organization(id), limit).await?;
            }
            if let Some(hash) = ticket_password {
                settings::set_ticket_password(&platform.core, connection, id, by.actor(), hash).await?;
            }
            Ok::<_, Error>(())
        })
        .await
}

/// The agency of this code, locked until the transaction ends.
pub(super) async fn lock(connection: &mut AsyncPgConnection, code: &AgencyCode) -> Result<Organization> {
    let found = agency_of(connection, code).await?;
    organizations::lock(connection, found.id).await?.ok_or(Error::NotFound)
}

fn changed(before: &Organization, change: AgencyChange) -> Result<Organization, Faults> {
    let mut faults = Faults::default();
    let mut after = before.clone();
    if change.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
        faults.add("name", "must not be empty");
    }
    replace(&mut after.name, change.name);
    replace(&mut after.tier, change.tier);
    replace(&mut after.time_zone, change.time_zone);
    replace(&mut after.currency, change.currency);
    replace(&mut after.ip_whitelist_enabled, change.whitelist_enabled);
    for network in change.unlisted {
        if !after.whitelist.contains(&network) {
            faults.add("whitelist", format!("does not have {network}"));
        }
        after.whitelist.retain(|listed| *listed != network);
    }
    after.whitelist.extend(change.whitelisted);
    after.whitelist.sort();
    after.whitelist.dedup();
    if after.whitelist.len() > LONGEST_WHITELIST {
        faults.add("whitelist", format!("must have at most {LONGEST_WHITELIST} networks"));
    }
    match change.suppliers {
        None => {}
        Some(Suppliers::All) => after.suppliers = None,
        Some(Suppliers::These(codes)) => after.suppliers = Some(codes),
    }
    faults.or(after)
}

/// Gives all wallets of the agency another currency. Whoever moves money in one locks it: what is found then is all.
async fn change_currency(
    connection: &mut AsyncPgConnection,
    agency: OrganizationId,
    currency: Currency,
) -> Result<()> {
    wallets::set_currency(connection, agency, currency).await?;
    if wallets::were_used(connection, agency).await? {
        let reason = "can't change any more: money was held, moved or lent in it";
        return Err(Faults::of("currency", reason).into());
    }
    let stated = organizations::stated_amounts(connection, agency).await?;
    let places = [
        (stated.terms, "terms"),
        (stated.contracts, "flat contracts"),
        (stated.packages, "flat packages or price bands"),
    ];
    let places: Vec<&str> = places.into_iter().filter_map(|(is, name)| is.then_some(name)).collect();
    if !places.is_empty() {
        let reason = format!("can't change while amounts are stated in it: {}", places.join(", "));
        return Err(Faults::of("currency", reason).into());
    }
    Ok(())
}
