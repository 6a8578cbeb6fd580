//! What people are told: their notifications, made of events in the transactions of these (P-124).

use chrono::Duration;
use wayfare_boxed::boxed;
use wayfare_domain::{EventId, ListRequest, Page};
use wayfare_store::events::notifications;

pub use wayfare_store::events::notifications::Notification;

use crate::{Core, Error, Person, Result};

/// So long they are kept, read or not.
pub(crate) const KEPT: Duration = Duration::days(90);

/// A person's notifications, newest first.
#[boxed]
pub async fn list(
    core: &Core,
    person: &Person,
    request: impl Into<ListRequest>,
) -> Result<Page<Notification>> {
    let mut connection = core.database.connection().await?;
    let (organization, user) = (person.organization(), person.user());
    Ok(notifications::list(&mut connection, organization, user, request).await?)
}

/// How many of a person's notifications they have not read.
#[boxed]
pub async fn unread(core: &Core, person: &Person) -> Result<i64> {
    let mut connection = core.database.connection().await?;
    Ok(notifications::unread(&mut connection, person.organization(), person.user()).await?)
}

/// Marks one of a person's notifications as read; one that was read before stays as it is.
///
/// # Errors
/// [`Error::NotFound`] for somebody else's.
#[boxed]
pub async fn read(core: &Core, person: &Person, id: EventId) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let (organization, user) = (person.organization(), person.user());
    match notifications::read(&mut connection, organization, user, id, core.clock.now()).await? {
        true => Ok(()),
        false => Err(Error::NotFound),
    }
}

/// Marks all of a person's notifications as read.
#[boxed]
pub async fn read_all(core: &Core, person: &Person) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let (organization, user) = (person.organization(), person.user());
    Ok(notifications::read_all(&mut connection, organization, user, core.clock.now()).await?)
}
