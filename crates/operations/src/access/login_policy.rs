//! Whether somebody who has proven who they are may come in now, and the record of those who may not.

use serde_json::json;
use tracing::Instrument;
use wayfare_domain::{
    AccountStatus, Actor, ActorKind, AgencyCode, AuditEvent, EventId, EventKind, Organization, Origin,
};
use wayfare_store::{
    access::{organizations, users::Identity},
    batch::writes::Writes,
    events::audit_log,
};

use crate::{Core, Error};

/// The audit event of a refused log-in.
const REFUSED: EventKind = EventKind::AuthLoginRefused;

/// Of one account, or of all the names that an agency does not have, at most one refused log-in a minute is recorded:
/// a flood of log-ins does not flood the database.
const ONE_REFUSAL_PER: chrono::Duration = chrono::Duration::minutes(1);

/// Why somebody may not come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Refused {
    Password,
    /// The user or the agency is suspended.
    Suspended,
    /// The agency does not accept this address.
    Address,
}

/// Nobody learns that an account is suspended (P-39).
impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Password | Refused::Suspended => Self::Unauthenticated,
            Refused::Address => Self::AccessDenied,
        }
    }
}

/// Whether this person may act from there: every log-in, refresh and request asks this anew.
pub(crate) fn check(identity: &Identity, origin: &Origin) -> Result<(), Refused> {
    let (account, organization) = (&identity.account, &identity.organization);
    if account.status != AccountStatus::Active || organization.status != AccountStatus::Active {
        return Err(Refused::Suspended);
    }
    if organization.ip_whitelist_enabled && !lists(organization, origin) {
        return Err(Refused::Address);
    }
    Ok(())
}

fn lists(organization: &Organization, origin: &Origin) -> bool {
    let listed = |address| organization.whitelist.iter().any(|network| network.contains(address));
    origin.address.is_some_and(listed)
}

/// Records a refused log-in at an agency that exists. A name that nobody has is not written down: it may be a password in
/// the wrong field. The caller does not wait for it, so that the time of an answer reveals nothing.
pub(crate) fn record_refusal(
    core: &Core,
    agency: &str,
    identity: Option<Identity>,
    refused: Refused,
    origin: Origin,
) {
    let code = AgencyCode::from(agency.to_owned());
    let (database, clock) = (core.database.clone(), core.clock.clone());
    let write = async move {
        let mut connection = database.connection().await?;
        let organization = match &identity {
            Some(identity) => identity.organization.id,
            None => match organizations::by_code(&mut connection, &code).await? {
                Some(organization) => organization.id,
                None => return Ok(()),
            },
        };
        let user = identity.map(|identity| identity.account.id.to_string());
        let user = user.unwrap_or_default();
        let (at, reason): (_, &str) = (clock.now(), refused.into());
        if audit_log::has_recent(&mut connection, organization, REFUSED, &user, at - ONE_REFUSAL_PER).await? {
            return Ok(());
        }
        let mut writes = Writes::default();
        writes.event(&AuditEvent {
            id: EventId::at(at),
            organization,
            // Whoever it was has not proven to be the user.
            actor: Actor { kind: ActorKind::System, user: None, operator: None, origin },
            action: REFUSED,
            entity_id: user,
            old_value: None,
            new_value: Some(json!({ "reason": reason })),
            at,
        });
        writes.send(&connection).await
    };
    let write = async move {
        if let Err(error) = write.await {
            tracing::error!(%error, "a refused log-in was not recorded");
        }
    };
    core.runtime.spawn(write.in_current_span());
}
