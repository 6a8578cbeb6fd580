//! Bookings of the same people on the same flights, made within minutes of each other.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, QueryDsl, sql_types::Bytea};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingRef, BookingStatus, OrganizationId};

use crate::{Result, schema::bookings, statements::row_value_in::row_value_in};

/// By what another booking of the same people on the same flights is known: hashes, and those that the release before stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    pub present: Fingerprint,
    /// What servers of the release before store of the same people and flights (D-571).
    pub former: Fingerprint,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    pub by_name: [u8; 32],
    /// Of names, birth dates and flights; none where somebody's birth date is not known.
    pub by_birth_date: Option<[u8; 32]>,
}

impl Fingerprint {
    /// Whether both are of the same people, or may be: a birth date tells people of one name apart where both have it.
    pub fn is_like(&self, other: &Self) -> bool {
        let birth_dates = self.by_birth_date.zip(other.by_birth_date);
        self.by_name == other.by_name && birth_dates.is_none_or(|(one, two)| one == two)
    }
}

/// Bookings that another one may be a duplicate of, from old to new.
#[derive(Debug, Default)]
pub struct Duplicates(HashMap<ByName, Vec<(Fingerprint, BookingRef)>>);

/// An agency, and a hash of names and flights.
type ByName = (OrganizationId, [u8; 32]);

/// A booking's agency, its hashes and its reference.
type Row = (Uuid, Option<Vec<u8>>, Option<Vec<u8>>, String);

impl Duplicates {
    /// The agency's newest booking that is like this one.
    pub fn newest(&self, organization: OrganizationId, fingerprints: &Fingerprints) -> Option<&BookingRef> {
        let of = |fingerprint: &Fingerprint| {
            let of_name = self.0.get(&(organization, fingerprint.by_name))?;
            let mut newest_first = of_name.iter().rev();
            let found = newest_first.find(|(theirs, _)| theirs.is_like(fingerprint));
            found.map(|(_, reference)| reference)
        };
        of(&fingerprints.present).or_else(|| of(&fingerprints.former))
    }

    /// Another one, newer than those before it.
    pub fn add(&mut self, organization: OrganizationId, fingerprint: Fingerprint, reference: BookingRef) {
        let of_name = self.0.entry((organization, fingerprint.by_name)).or_default();
        of_name.push((fingerprint, reference));
    }
}

/// Bookings of the names and flights of these, each of its agency, that were made since and stand or may yet.
#[boxed]
pub async fn duplicates(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, Fingerprints)],
    since: DateTime<Utc>,
) -> Result<Duplicates> {
    let mut duplicates = Duplicates::default();
    if of.is_empty() {
        return Ok(duplicates);
    }
    let both = of.iter().flat_map(|(organization, of)| {
        [of.present, of.former].map(|one| (organization.uuid(), one.by_name.to_vec()))
    });
    let (organizations, hashes): (Vec<Uuid>, Vec<Vec<u8>>) = both.unzip();
    let live = [BookingStatus::Pending, BookingStatus::Confirmed].map(|status| status.as_ref().to_owned());
    let rows: Vec<Row> = bookings::table
        .filter(row_value_in::<Bytea, _>("bookings.org_id, bookings.name_likeness", organizations, hashes))
        .filter(bookings::created_at.gt(since))
        .filter(bookings::status.eq_any(live))
        .order(bookings::created_at)
        .select((bookings::org_id, bookings::name_fingerprint, bookings::fingerprint, bookings::booking_ref))
        .load(&mut connection)
        .await?;
    let hash = |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes).ok();
    for (organization, by_name, by_birth_date, reference) in rows {
        let Some(by_name) = by_name.and_then(hash) else { continue };
        let fingerprint = Fingerprint { by_name, by_birth_date: by_birth_date.and_then(hash) };
        let organization = OrganizationId::from_uuid(organization);
        duplicates.add(organization, fingerprint, BookingRef::from(reference));
    }
    Ok(duplicates)
}

#[cfg(test)]
mod tests {
    use wayfare_domain::Clock;

    use super::*;

    /// Servers of the release before run beside this one while it is rolled out, and store hashes of their own.
    #[test]
    fn what_a_server_of_the_release_before_stored_is_found() {
        let of = |name: u8| Fingerprint { by_name: [name; 32], by_birth_date: Some([name; 32]) };
        let organization = OrganizationId::new(&Clock::frozen_at(DateTime::UNIX_EPOCH));
        let fingerprints = Fingerprints { present: of(1), former: of(2) };
        for (stored, is_found) in [(1, true), (2, true), (3, false)] {
            let mut duplicates = Duplicates::default();
            let reference = BookingRef::from("FA-7K2M9Q4X".to_owned());
            duplicates.add(organization, of(stored), reference.clone());
            let found = duplicates.newest(organization, &fingerprints);
            assert_eq!(found, Some(&reference).filter(|_| is_found), "{stored}");
        }
    }

    #[test]
    fn birth_dates_tell_people_of_one_name_apart_where_both_are_known() {
        let one = |name, birth: Option<u8>| Fingerprint {
            by_name: [name; 32],
            by_birth_date: birth.map(|birth| [birth; 32]),
        };
        let known = one(1, Some(1));
        for (other, is_like) in [
            (one(1, Some(1)), true),
            (one(1, Some(2)), false),
            (one(1, None), true),
            (one(2, Some(1)), false),
            (one(2, None), false),
        ] {
            assert_eq!(known.is_like(&other), is_like, "{other:?}");
            assert_eq!(other.is_like(&known), is_like, "{other:?}");
        }
        assert!(one(1, None).is_like(&one(1, None)));
    }
}
