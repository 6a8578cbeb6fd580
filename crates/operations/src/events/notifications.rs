//! What a caller is told: their notifications, made of events in the transactions of these (P-124).

use chrono::Duration;
use wayfare_boxed::boxed;
use wayfare_domain::{EventId, ListRequest, Page};
use wayfare_store::events::notifications;

pub use wayfare_store::events::notifications::Notification;

use crate::{Caller, Core, Error, Result};

/// So long they are kept, read or not.
pub(crate) const KEPT: Duration = Duration::days(90);

/// The caller's notifications, newest first.
#[boxed]
pub async fn list(
    core: &Core,
    caller: &Caller,
    request: impl Into<ListRequest>,
) -> Result<Page<Notification>> {
    let mut connection = core.database.connection().await?;
    let (organization, user) = (caller.organization(), caller.user());
    Ok(notifications::list(&mut connection, organization, user, request).await?)
}

/// How many of the caller's notifications they have not read.
#[boxed]
pub async fn unread(core: &Core, caller: &Caller) -> Result<i64> {
    let mut connection = core.database.connection().await?;
    Ok(notifications::unread(&mut connection, caller.organization(), caller.user()).await?)
}

/// Marks one of the caller's notifications as read; one that was read before stays as it is.
///
/// # Errors
/// [`Error::NotFound`] for somebody else's.
#[boxed]
pub async fn read(core: &Core, caller: &Caller, id: EventId) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let (organization, user) = (caller.organization(), caller.user());
    match notifications::read(&mut connection, organization, user, id, core.clock.now()).await? {
        true => Ok(()),
        false => Err(Error::NotFound),
    }
}

/// Marks all of the caller's notifications as read.
#[boxed]
pub async fn read_all(core: &Core, caller: &Caller) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let (organization, user) = (caller.organization(), caller.user());
    Ok(notifications::read_all(&mut connection, organization, user, core.clock.now()).await?)
}
