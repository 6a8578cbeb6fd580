//! The agency's own profile, as its admins read and change it.

use diesel_async::AsyncConnection;
use serde_json::{Map, Value, json};
use wayfare_boxed::boxed;
use wayfare_contract::{OrganizationChange, OrganizationFunds, OrganizationProfile};
use wayfare_domain::{EventKind, Faults, Organization};
use wayfare_store::{
    access::organizations,
    money::wallets::{self, Owner},
};

use crate::{
    Admin, Core, Error, Result,
    tools::audit_event::{self, Change},
};

/// The agency and its wallet as they stand.
#[boxed]
pub async fn profile(core: &Core, admin: &Admin) -> Result<OrganizationProfile> {
    let mut connection = core.database.connection().await?;
    let organization = admin.caller().agency().clone();
    let owner = Owner::Organization(organization.id);
    let wallet = wallets::of(&mut connection, owner).await?.ok_or(Error::NotFound)?;
    Ok(OrganizationProfile {
        id: organization.id.uuid(),
        agent_id: organization.code.to_string(),
        name: organization.name,
        slug: organization.slug,
        email: organization.email,
        phone: organization.phone,
        address: organization.address,
        country: organization.country,
        subscription_type: organization.tier.as_ref().into(),
        status: organization.status.as_ref().into(),
        ip_whitelist_enabled: organization.ip_whitelist_enabled,
        timezone: organization.time_zone.name().to_owned(),
        wallet: OrganizationFunds {
            id: wallet.id.uuid(),
            balance: wallet.balance.amount().into(),
            currency: wallet.balance.currency().code().to_owned(),
            credit_limit: wallet.credit_limit.amount().into(),
            is_active: wallet.is_active,
        },
    })
}

/// Changes what is given, in one transaction with its event; without a difference nothing is written.
///
/// # Errors
/// [`Error::Invalid`] for a country that there is not.
#[boxed]
pub async fn change_profile(core: &Core, admin: &Admin, change: OrganizationChange) -> Result<()> {
    if let Some(country) = &change.country
        && wayfare_reference::country_name(country).is_none()
    {
        return Err(Faults::of("country", "must be a 2-letter country code").into());
    }
    let mut connection = core.database.connection().await?;
    connection
        .transaction(async |connection| {
            let id = admin.caller().organization();
            let before = organizations::lock(connection, id).await?.ok_or(Error::NotFound)?;
            let mut after = before.clone();
            replace(&mut after.name, change.name);
            replace(&mut after.email, change.email);
            replace(&mut after.phone, change.phone);
            replace(&mut after.address, change.address);
            replace(&mut after.country, change.country);
            let Some((old_value, new_value)) = difference(&before, &after) else { return Ok(()) };
            let actor = admin.caller().actor();
            let change = Change {
                old_value: Some(old_value),
                new_value: Some(new_value),
                ..Change::of(id, &actor, EventKind::OrganizationUpdated, id)
            };
            let event = audit_event::event(core, change);
            organizations::update(connection, &after, event.at).await?;
            audit_event::write(connection, &event).await
        })
        .await
}

/// Puts what is given in the place of what was there.
pub(crate) fn replace<T>(place: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *place = given;
    }
}

/// What differs between two states of an agency, before and after, by the API's names; none when nothing does.
pub(crate) fn difference(before: &Organization, after: &Organization) -> Option<(Value, Value)> {
    let (mut old, mut new) = (Map::new(), Map::new());
    for ((name, before), (_, after)) in fields(before).into_iter().zip(fields(after)) {
        if before != after {
            old.insert(name.to_owned(), before);
            new.insert(name.to_owned(), after);
        }
    }
    (!new.is_empty()).then_some((old.into(), new.into()))
}

/// Everything about an agency that can change.
fn fields(agency: &Organization) -> [(&'static str, Value); 11] {
    let whitelist: Vec<String> = agency.whitelist.iter().map(ToString::to_string).collect();
    [
        ("name", json!(agency.name)),
        ("email", json!(agency.email)),
        ("phone", json!(agency.phone)),
        ("address", json!(agency.address)),
        ("country", json!(agency.country)),
        ("subscription_type", json!(agency.tier)),
        ("ip_whitelist_enabled", json!(agency.ip_whitelist_enabled)),
        ("whitelist", json!(whitelist)),
        ("suppliers", json!(agency.suppliers)),
        ("currency", json!(agency.currency)),
        ("timezone", json!(agency.time_zone.name())),
    ]
}
