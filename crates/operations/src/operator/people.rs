//! Whom bookings are for, for the operator: what is stored of them, erasure, and the keys that open it.

use diesel_async::AsyncConnection;
use wayfare_boxed::boxed;
use wayfare_domain::{Actor, BookingRef, EventKind, Product, ProductKind, SealedKind};
use wayfare_flights::Itinerary;
use wayfare_hotels::Stay;
use wayfare_store::booking::{
    bookings,
    people::{self, Erasure},
    people_keys,
};

use crate::{
    Error, Platform, Result,
    access::operators::{By, Desk},
    people::{
        cipher::{DataKey, Place},
        erase,
        export::{ExportedPeople, export},
        sealed,
    },
    tools::failpoints::moment,
};

pub use super::seal::{seal_all, unseal_all, unsealed};

/// So many rows are rewrapped in one transaction.
const PART: i64 = 500;

/// All that is stored of whom a booking is for. The agency's audit log tells that the operator read it.
///
/// # Errors
/// [`crate::Error::NotFound`].
#[boxed]
pub async fn show(platform: &Platform, by: By<Desk>, reference: &BookingRef) -> Result<ExportedPeople> {
    let booking = super::booking(platform, reference).await?;
    export(&platform.core, by.actor(), &booking, EventKind::PeopleRead).await
}

/// Erases whom a booking is for, for ever.
///
/// # Errors
/// [`Error::NotFound`], [`Error::NotErasable`] with the reason.
#[boxed]
pub async fn erase(platform: &Platform, reference: &BookingRef) -> Result<()> {
    let booking = super::booking(platform, reference).await?;
    let (organization, id) = (booking.organization, booking.id);
    let mut connection = platform.core.database.connection().await?;
    let stored = bookings::whole_by_id(&mut connection, booking.kind, organization, id).await?;
    let ends_on = match booking.kind {
        ProductKind::Flight => {
            sealed::open_if_it_opens::<Itinerary>(&platform.core, stored)?.product.ends_on()
        }
        ProductKind::Hotel => sealed::open_if_it_opens::<Stay>(&platform.core, stored)?.product.ends_on(),
    };
    drop(connection);
    erase::erase(&platform.core, &Actor::operator(), organization, id, ends_on).await
}

/// How many rows are to be erased now, at most `most` of them.
#[boxed]
pub async fn due(platform: &Platform, most: i64) -> Result<Vec<SealedKind>> {
    let today = platform.core.clock.now().date_naive();
    let mut connection = platform.core.database.connection().await?;
    let due = people::due(&mut connection, today, most).await?;
    Ok(due.into_iter().map(|(.., kind)| kind).collect())
}

/// Everything that was erased, the oldest first: to be kept apart from the database, for [`replay`].
#[boxed]
pub async fn erasures(platform: &Platform) -> Result<Vec<Erasure>> {
    let mut connection = platform.core.database.connection().await?;
    Ok(people::erasures(&mut connection).await?)
}

/// Erases again what was erased before, after a backup was restored. How many rows there were to erase.
#[boxed]
pub async fn replay(platform: &Platform, erasures: &[Erasure]) -> Result<u64> {
    let mut erased = 0;
    for erasure in erasures {
        erased += u64::from(erase::replay(&platform.core, erasure).await?);
    }
    Ok(erased)
}

/// That the keys of people open what is stored: of each key one row.
///
/// # Errors
/// [`Error::Internal`] names the key that is not there, or is another.
#[boxed]
pub async fn check_keys(platform: &Platform) -> Result<()> {
    let mut connection = platform.core.database.connection().await?;
    for (kek_id, rows) in people_keys::in_use(&mut connection).await? {
        let Some(row) = people_keys::example(&mut connection, &kek_id).await? else { continue };
        if DataKey::unwrap(&platform.core.secrets.people, place(&row), &row.key).is_err() {
            let lost = format!(
                "the key {kek_id} of people, which {rows} rows need, is not there or is another: bring back `[people_keys]` from a backup of keys.toml or WAYFARE_PEOPLE_KEY_FILE"
            );
            return Err(Error::Internal(lost));
        }
    }
    Ok(())
}

fn place(row: &people_keys::KeyOfRow) -> Place {
    Place { organization: row.organization, booking: row.booking, kind: row.kind }
}

/// Writes by what bookings are found that were sealed before e-mail addresses and folded names were, a part at a time. It may be
/// run again, beside running servers. How many bookings there were.
///
/// # Errors
/// When a row does not open, or the database can't be asked.
#[boxed]
pub async fn index_names(platform: &Platform) -> Result<u64> {
    let (mut indexed, mut after) = (0, None);
    loop {
        let mut connection = platform.core.database.connection().await?;
        let part = people::readable_after(&mut connection, after, PART).await?;
        let Some((_, last, _)) = part.last() else { return Ok(indexed) };
        after = Some(*last);
        drop(connection);
        for (organization, booking, kind) in part {
            let people = sealed::load(&platform.core, organization, booking).await?.all();
            let names = match kind {
                ProductKind::Flight => keys_of::<Itinerary>(platform, people)?,
                ProductKind::Hotel => keys_of::<Stay>(platform, people)?,
            };
            let mut connection = platform.core.database.connection().await?;
            people::add_names(&mut connection, organization, booking, &names).await?;
            indexed += 1;
        }
    }
}

fn keys_of<P: Product>(platform: &Platform, people: serde_json::Value) -> Result<Vec<[u8; 32]>> {
    let people: Option<P::People> = serde_json::from_value(people).map_err(sealed::unreadable)?;
    let names = people.map(|people| sealed::names::<P>(&platform.core, &people));
    Ok(names.unwrap_or_default())
}

/// How many rows each key of people wraps that wraps any.
#[boxed]
pub async fn keys_in_use(platform: &Platform) -> Result<Vec<(String, i64)>> {
    let mut connection = platform.core.database.connection().await?;
    Ok(people_keys::in_use(&mut connection).await?)
}

/// Wraps all keys under the newest key of people, a part at a time: whoever dies meanwhile leaves each row under one key or the
/// other. How many there were.
///
/// # Errors
/// When a row does not open, or the database can't be asked.
#[boxed]
pub async fn rewrap_all(platform: &Platform) -> Result<u64> {
    let mut rewrapped = 0;
    loop {
        let newest = platform.core.secrets.people.newest();
        let mut connection = platform.core.database.connection().await?;
        let part = connection.transaction(async |connection| {
            let part = people_keys::lock_others(connection, &newest, PART).await?;
            for row in &part {
                let key = DataKey::unwrap(&platform.core.secrets.people, place(row), &row.key)?;
                let wrapped = key.wrap(&platform.core.secrets.people)?;
                people_keys::rewrap(connection, row, &wrapped).await?;
                moment("people:rewrapped");
            }
            Ok::<_, Error>(part.len())
        });
        match part.await? {
            0 => return Ok(rewrapped),
            part => rewrapped += part as u64,
        }
    }
}
