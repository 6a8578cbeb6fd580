//! The audit log as an agency's admins read it, and the operator.

use chrono::{DateTime, NaiveDate, Utc};
use diesel_async::AsyncPgConnection;
use wayfare_boxed::boxed;
use wayfare_contract::AuditEntry;
use wayfare_domain::{ActorKind, Faults, ListRequest, OrganizationId, Page, UserId, Zone};
use wayfare_store::events::audit_log;

use crate::{Admin, Core, Result, tools::calendar::kept_days};

/// Which entries; nothing means all.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    pub actor: Option<UserId>,
    /// Those that concern things of this kind; one that there is not has none.
    pub entity_type: Option<String>,
    /// Those that concern this thing: its id or public reference.
    pub entity_id: Option<String>,
    /// Those of this name; one that there is not has none.
    pub action: Option<String>,
    /// The first day, in the agency's calendar.
    pub from: Option<NaiveDate>,
    /// The last day, whole, in the agency's calendar.
    pub to: Option<NaiveDate>,
}

/// A page of the agency's entries, newest first: two statements.
///
/// # Errors
/// [`crate::Error::Invalid`] when `from` is after `to`.
#[boxed]
pub async fn list(
    core: &Core,
    admin: &Admin,
    filter: AuditFilter,
    request: impl Into<ListRequest>,
) -> Result<Page<AuditEntry>> {
    let mut connection = core.database.connection().await?;
    let caller = admin.caller();
    let clock = (caller.time_zone(), core.clock.now());
    Ok(page(&mut connection, caller.organization(), clock, filter, request).await?.map(shown))
}

/// A page of the entries of the agency in this time zone.
pub(crate) async fn page(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    clock: (Zone, DateTime<Utc>),
    filter: AuditFilter,
    request: impl Into<ListRequest>,
) -> Result<Page<audit_log::AuditEntry>> {
    let mut faults = Faults::default();
    let days = (filter.from, filter.to);
    let (since, before) = kept_days(connection, days, clock, &mut faults).await?;
    faults.or(())?;
    let filter = audit_log::Filter {
        user: filter.actor,
        entity_type: filter.entity_type,
        entity_id: filter.entity_id,
        action: filter.action,
        since,
        before,
    };
    Ok(audit_log::list(connection, organization, &filter, request).await?)
}

/// What is shown of an entry. The operator and the service itself are of no agency and have no id (P-72).
pub(crate) fn shown(entry: audit_log::AuditEntry) -> AuditEntry {
    let organization = match entry.actor {
        ActorKind::OrgUser => entry.organization.to_string(),
        ActorKind::Operator | ActorKind::System => String::new(),
    };
    AuditEntry {
        id: entry.id.uuid(),
        actor_id: entry.user.map(|user| user.to_string()).unwrap_or_default(),
        actor_type: entry.actor.as_ref().to_owned(),
        actor_org_id: organization,
        action: entry.action,
        entity_type: entry.entity_type,
        entity_id: entry.entity_id,
        old_value: entry.old_value,
        new_value: entry.new_value,
        ip_address: entry.address.map(|address| address.to_string()).unwrap_or_default(),
        user_agent: entry.user_agent,
        created_at: entry.at,
    }
}
