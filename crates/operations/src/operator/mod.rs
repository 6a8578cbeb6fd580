//! What the operator does, at the operator's API and with `wayfarectl`: agencies, users, prices, money into wallets, the booking
//! desk, suppliers, proof of the ledger.

mod agencies;
mod agency_users;
mod audit_logs;
pub mod desk;
mod exchange;
mod lists;
pub mod metrics;
mod money;
mod overview;
pub mod people;
mod prices;
mod reconcile;
pub(crate) mod seal;
mod statement;
mod supplier_health;
mod suppliers;
mod trial_balance;
mod verifications;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_domain::{
    Account, AccountStatus, Actor, AgencyCode, BookingRef, Currency, EventKind, Faults, Organization,
    OrganizationId, Tier, WalletId, is_email, random_code,
};
use wayfare_store::{
    access::organizations,
    booking::bookings::{self, Booking},
    money::{
        audit::chain,
        wallets::{self, Owner},
    },
};

use crate::{
    Error, Platform, Result,
    access::{
        operators::{By, ConfirmedAdmin},
        password, users,
    },
    tools::audit_event::{self, Change},
};

pub use crate::{access::users::NewUser, money::markup_payout::MarkupPaid};
pub use agencies::{
    AgencyChange, ListedAgency, Suppliers, TicketPassword, agencies, agency, change_agency, set_agency_status,
};
pub use agency_users::{reset_password, set_user_status, shown as shown_user, users};
pub use audit_logs::{OperatorEventFilter, audit_log, operator_events};
pub use exchange::{
    LONGEST_DAILY_FILE, import_rates, preview_import, preview_rate, rate, rates, remove_rate, set_rate,
    stored_rates,
};
pub use lists::{list, waiting};
pub use money::{Transfer, WalletOf, set_active, set_credit_limit, settle_markup, top_up, transfer};
pub use overview::overview;
pub use prices::{
    ContractDraft, Covered, PriceDraft, TermsChange, contracts, preview_price, remove_contract, set_contract,
    set_terms, terms,
};
pub use reconcile::{DifferentOrder, Disagreement, Reconciled, reconcile};
pub use statement::statement;
pub use supplier_health::{look_to_book, look_to_book_row, supplier, suppliers};
pub use suppliers::{
    AccountAtSupplier, Alarm, close_supplier, open_supplier, set_supplier_limits, state_balance,
    supplier_account, supplier_alarms,
};
pub use trial_balance::trial_balance;
pub use verifications::{begin_verification, verification, verifications, verify_ledger};

/// The booking of this reference, whichever agency's it is, with everything that it is charged by.
///
/// # Errors
/// [`Error::NotFound`].
#[boxed]
pub async fn booking(platform: &Platform, reference: &BookingRef) -> Result<Booking<()>> {
    let mut connection = platform.core.database.connection().await?;
    let found = bookings::of_any_agency(&mut connection, reference).await?;
    found.ok_or(Error::NotFound)
}

pub struct NewAgency {
    pub name: String,
    pub email: String,
    /// ISO 3166 alpha-2.
    pub country: String,
    pub tier: Tier,
    pub currency: Currency,
    pub time_zone: wayfare_domain::Zone,
    /// Its first user, an `org_admin`.
    pub admin: NewUser,
}

/// Makes an agency with its wallet and its first admin.
///
/// # Errors
/// [`Error::Invalid`] names the fields at fault.
#[boxed]
pub async fn create_agency(
    platform: &Platform,
    by: By<ConfirmedAdmin>,
    new: NewAgency,
) -> Result<(Organization, Account)> {
    let mut faults = Faults::default();
    if new.name.trim().is_empty() {
        faults.add("name", "this field is required");
    }
    if !is_email(&new.email) {
        faults.add("email", "must be an e-mail address");
    }
    if wayfare_reference::country_name(&new.country).is_none() {
        faults.add("country", "must be a 2-letter country code");
    }
    faults.append(new.admin.check("admin."));
    faults.or(())?;
    let code = AgencyCode::random();
    let organization = Organization {
        id: OrganizationId::new(&platform.core.clock),
        slug: slug(&new.name),
        code,
        name: new.name,
        email: new.email,
        phone: String::new(),
        address: String::new(),
        country: new.country,
        tier: new.tier,
        status: AccountStatus::Active,
        ip_whitelist_enabled: false,
        whitelist: Vec::new(),
        suppliers: None,
        currency: new.currency,
        time_zone: new.time_zone,
        created_at: platform.core.clock.now(),
    };
    let hash = password::hash(&platform.access, new.admin.password.clone()).await?;
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            organizations::insert(connection, &organization).await?;
            let owner = Owner::Organization(organization.id);
            let wallet = WalletId::new(&platform.core.clock);
            wallets::open(connection, owner, wallet, organization.currency).await?;
            let value = json!({ "name": organization.name, "agent_id": organization.code.as_ref() });
            let entity_id = organization.id.to_string();
            let values = (None, value);
            note(
                platform,
                by.actor(),
                connection,
                organization.id,
                EventKind::OrganizationCreated,
                entity_id,
                values,
            )
            .await?;
            let actor = by.actor();
            let admin = users::add(&platform.core, connection, &organization, actor, new.admin, hash).await?;
            Ok::<_, Error>((organization, admin))
        })
        .await
}

/// Adds a user to an agency; an agent gets a wallet.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency, [`Error::Invalid`], [`Error::Taken`].
#[boxed]
pub async fn create_user(
    platform: &Platform,
    by: By<ConfirmedAdmin>,
    agency: &AgencyCode,
    new: NewUser,
) -> Result<Account> {
    new.check("").or(())?;
    let hash = password::hash(&platform.access, new.password.clone()).await?;
    let mut connection = platform.core.database.connection().await?;
    let organization = agency_of(&mut connection, agency).await?;
    connection
        .transaction(async |connection| {
            users::add(&platform.core, connection, &organization, by.actor(), new, hash).await
        })
        .await
}

/// That the ledger's key is the one that sealed what is there: under another one each new entry would break a chain.
///
/// # Errors
/// [`Error::Internal`] says what to do; else when the database can't be asked.
#[boxed]
pub async fn check_ledger_key(platform: &Platform) -> Result<()> {
    let mut connection = platform.core.database.connection().await?;
    match chain::is_key(&mut connection, &platform.core.secrets.chain).await? {
        true => Ok(()),
        false => Err(Error::Internal(
            "the ledger was sealed by another key: bring back WAYFARE_LEDGER_KEY, or `ledger_key` of keys.toml, from its backup"
                .to_owned(),
        )),
    }
}

async fn agency_of(connection: &mut AsyncPgConnection, code: &AgencyCode) -> Result<Organization> {
    let found = organizations::by_code(connection, code).await?;
    found.ok_or(Error::NotFound)
}

async fn user_of(
    connection: &mut AsyncPgConnection,
    agency: &Organization,
    username: &str,
) -> Result<Account> {
    let found = wayfare_store::access::users::by_username(connection, agency, username).await?;
    found.ok_or(Error::NotFound)
}

/// Writes the operator's event of a change, with what was, if anything was, and what is.
async fn note(
    platform: &Platform,
    actor: &Actor,
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    action: EventKind,
    entity_id: String,
    (old_value, new_value): (Option<Value>, Value),
) -> Result<()> {
    let change = Change { organization, actor, action, entity_id, old_value, new_value: Some(new_value) };
    audit_event::write(connection, &audit_event::event(&platform.core, change)).await
}

/// The name, URL-friendly, with a random end that makes it unique.
fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    format!("{}-{}", words.join("-"), random_code(6).to_ascii_lowercase()).trim_matches('-').to_owned()
}
