//! Idempotency-Keys: what was asked under them, which effect it became, what was answered.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingRef, EffectId, OrganizationId, UserId};

use crate::{StoreError, effects::Effect, schema::idempotency_keys};

/// What is known of a key.
#[derive(Clone, Debug)]
pub struct KeptKey {
    /// SHA-256 of the request that first used it.
    pub fingerprint: Vec<u8>,
    /// The booking that the request made or changed.
    pub booking: BookingRef,
    /// Status and body of the answer, once there was one.
    pub answer: Option<(u16, String)>,
}

/// What is known of this user's key, if it was used after `since`.
///
/// # Errors
/// When the database can't be asked.
pub async fn find(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    key: &str,
    since: DateTime<Utc>,
) -> Result<Option<KeptKey>, StoreError> {
    type Row = (Vec<u8>, String, Option<i16>, Option<String>);
    let row: Option<Row> = idempotency_keys::table
        .find((organization.uuid(), user.uuid(), key))
        .filter(idempotency_keys::created_at.gt(since))
        .select((
            idempotency_keys::fingerprint,
            idempotency_keys::booking_ref,
            idempotency_keys::status,
            idempotency_keys::answer,
        ))
        .first(connection)
        .await
        .optional()?;
    Ok(row.map(|(fingerprint, booking, status, answer)| KeptKey {
        fingerprint,
        booking: BookingRef::from(booking),
        answer: status.and_then(|status| u16::try_from(status).ok()).zip(answer),
    }))
}

/// A key to be tied to an effect.
#[derive(Clone, Copy, Debug)]
pub struct NewKey<'a> {
    /// Who uses it.
    pub user: UserId,
    /// The key.
    pub key: &'a str,
    /// SHA-256 of the request.
    pub fingerprint: &'a [u8; 32],
}

/// Ties a key to the effect that its request becomes, in the transaction that writes the effect. False when the
/// key has been used since `since`.
///
/// # Errors
/// When the database can't be asked.
pub async fn claim(
    connection: &mut AsyncPgConnection,
    new: NewKey<'_>,
    booking: &BookingRef,
    effect: &Effect,
    since: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let id = (effect.organization.uuid(), new.user.uuid(), new.key);
    diesel::delete(
        idempotency_keys::table
            .find(id)
            .filter(idempotency_keys::created_at.le(since)),
    )
    .execute(connection)
    .await?;
    let written = diesel::insert_into(idempotency_keys::table)
        .values((
            idempotency_keys::org_id.eq(effect.organization.uuid()),
            idempotency_keys::user_id.eq(new.user.uuid()),
            idempotency_keys::key.eq(new.key),
            idempotency_keys::fingerprint.eq(new.fingerprint.as_slice()),
            idempotency_keys::booking_ref.eq(booking.as_ref()),
            idempotency_keys::effect_id.eq(effect.id.uuid()),
            idempotency_keys::created_at.eq(effect.sent_at),
        ))
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    Ok(written == 1)
}

/// Frees the key of an effect that the supplier refused: the request may be made again under it.
///
/// # Errors
/// When the database can't be asked.
pub async fn free(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    effect: EffectId,
) -> Result<(), StoreError> {
    let tied = idempotency_keys::table
        .filter(idempotency_keys::org_id.eq(organization.uuid()))
        .filter(idempotency_keys::effect_id.eq(effect.uuid()));
    diesel::delete(tied).execute(connection).await?;
    Ok(())
}

/// Keeps what the caller was answered.
///
/// # Errors
/// When the database can't be asked.
pub async fn answered(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    key: &str,
    status: u16,
    answer: &str,
) -> Result<(), StoreError> {
    let id: (Uuid, Uuid, &str) = (organization.uuid(), user.uuid(), key);
    diesel::update(idempotency_keys::table.find(id))
        .set((
            idempotency_keys::status.eq(i16::try_from(status).ok()),
            idempotency_keys::answer.eq(answer),
        ))
        .execute(connection)
        .await?;
    Ok(())
}
