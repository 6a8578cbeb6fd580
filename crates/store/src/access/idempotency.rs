//! Idempotency-Keys: what was asked under them, what it made, what was answered.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{
    BookingRef, OrganizationId, PackageId, ReportId, StepId, TransferId, UserId, WebhookId,
};

use crate::{
    Result, StoreError,
    schema::idempotency_keys,
    statements::{Write as _, row_value_in::row_value_in, stored},
};

type CreatedResourceRow =
    (Option<String>, Option<Uuid>, Option<Uuid>, Option<Uuid>, Option<Uuid>, Option<Uuid>, Option<Uuid>);

/// What a key is tied to: what its request made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreatedResource {
    Step(BookingRef, StepId),
    User(UserId),
    Transfer(TransferId),
    /// A package: that it was made, or that it was assigned.
    Package(PackageId),
    /// A webhook: that it was made, or that something was asked of it.
    Webhook(WebhookId),
    Report(ReportId),
}

impl CreatedResource {
    fn read(row: CreatedResourceRow) -> Result<Self> {
        match row {
            (Some(booking), Some(step), None, None, None, None, None) => {
                Ok(Self::Step(BookingRef::from(booking), StepId::from_uuid(step)))
            }
            (None, None, Some(user), None, None, None, None) => Ok(Self::User(UserId::from_uuid(user))),
            (None, None, None, Some(transfer), None, None, None) => {
                Ok(Self::Transfer(TransferId::from_uuid(transfer)))
            }
            (None, None, None, None, Some(package), None, None) => {
                Ok(Self::Package(PackageId::from_uuid(package)))
            }
            (None, None, None, None, None, Some(webhook), None) => {
                Ok(Self::Webhook(WebhookId::from_uuid(webhook)))
            }
            (None, None, None, None, None, None, Some(report)) => {
                Ok(Self::Report(ReportId::from_uuid(report)))
            }
            created => Err(StoreError::Corrupt {
                what: "what was made under an Idempotency-Key",
                value: format!("{created:?}"),
            }),
        }
    }

    fn mistaken_for(self, what: &'static str) -> StoreError {
        StoreError::Corrupt { what, value: format!("{self:?}") }
    }
}

/// What a key has to be tied to for whoever asks.
macro_rules! expected {
    ($($type:ty: $made:pat => $found:ident, $what:literal;)*) => {
        $(impl TryFrom<CreatedResource> for $type {
            type Error = StoreError;

            fn try_from(created: CreatedResource) -> Result<Self> {
                match created {
                    $made => Ok($found),
                    other => Err(other.mistaken_for($what)),
                }
            }
        })*
    };
}

expected! {
    BookingRef: CreatedResource::Step(booking, _) => booking, "the booking of an Idempotency-Key";
    UserId: CreatedResource::User(user) => user, "the user of an Idempotency-Key";
    TransferId: CreatedResource::Transfer(transfer) => transfer, "the transfer of an Idempotency-Key";
    PackageId: CreatedResource::Package(package) => package, "the package of an Idempotency-Key";
    WebhookId: CreatedResource::Webhook(webhook) => webhook, "the webhook of an Idempotency-Key";
    ReportId: CreatedResource::Report(report) => report, "the report of an Idempotency-Key";
}

#[derive(Clone, Debug)]
pub enum StoredAnswer {
    Plain(String),
    /// Of a key that is tied to a booking: under its key of answers.
    Sealed(Vec<u8>),
}

stored! {
    #[derive(Clone, Debug)]
    pub struct StoredKey of idempotency_keys {
        /// Keyed hash of the request that first used it.
        pub fingerprint: Vec<u8>,
        pub created: CreatedResource = (
            booking_ref, effect_id, made_user_id, made_transfer_id, made_package_id, made_webhook_id, made_report_id
        ) as |created: CreatedResourceRow| CreatedResource::read(created)?,
        /// Status and body of the answer, once there was one.
        pub answer: Option<(u16, StoredAnswer)> = (status, answer, sealed_answer) as |answer: AnswerRow| answer_of(answer),
    }
}

type AnswerRow = (Option<i16>, Option<String>, Option<Vec<u8>>);

fn answer_of((status, plain, sealed): AnswerRow) -> Option<(u16, StoredAnswer)> {
    let answer = sealed.map(StoredAnswer::Sealed).or(plain.map(StoredAnswer::Plain));
    status.and_then(|status| u16::try_from(status).ok()).zip(answer)
}

/// What is known of this user's key, if it was used after `since`.
#[boxed]
pub async fn find(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    key: &str,
    since: DateTime<Utc>,
) -> Result<Option<StoredKey>> {
    Ok(idempotency_keys::table
        .find((organization.uuid(), user.uuid(), key))
        .filter(idempotency_keys::created_at.gt(since))
        .select(StoredKey::as_select())
        .first(connection)
        .await
        .optional()?)
}

/// A key to be tied to what its request makes.
#[derive(Clone, Copy, Debug)]
pub struct NewKey<'a> {
    pub organization: OrganizationId,
    pub user: UserId,
    pub key: &'a str,
    pub fingerprint: &'a [u8; 32],
}

/// Which of these users' keys have been used since `since`.
#[boxed]
pub async fn used(
    mut connection: &AsyncPgConnection,
    keys: &[(OrganizationId, UserId, &str)],
    since: DateTime<Utc>,
) -> Result<HashSet<(UserId, String)>> {
    if keys.is_empty() {
        return Ok(HashSet::new());
    }
    let organizations: Vec<Uuid> = keys.iter().map(|(organization, ..)| organization.uuid()).collect();
    let users: Vec<Uuid> = keys.iter().map(|(_, user, _)| user.uuid()).collect();
    let texts: Vec<&str> = keys.iter().map(|(.., key)| *key).collect();
    let rows: Vec<(Uuid, String)> = idempotency_keys::table
        .filter(idempotency_keys::org_id.eq_any(organizations))
        .filter(row_value_in::<diesel::sql_types::Text, _>(
            "idempotency_keys.user_id, idempotency_keys.key",
            users,
            texts,
        ))
        .filter(idempotency_keys::created_at.gt(since))
        .select((idempotency_keys::user_id, idempotency_keys::key))
        .load(&mut connection)
        .await?;
    Ok(rows.into_iter().map(|(user, key)| (UserId::from_uuid(user), key)).collect())
}

/// Keeps what the caller was answered under a key that is tied to a booking, sealed.
#[boxed]
pub async fn store_sealed_answer(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    key: &str,
    status: u16,
    answer: &[u8],
) -> Result<()> {
    let id: (Uuid, Uuid, &str) = (organization.uuid(), user.uuid(), key);
    diesel::update(idempotency_keys::table.find(id))
        .set((
            idempotency_keys::status.eq(i16::try_from(status).ok()),
            idempotency_keys::sealed_answer.eq(answer),
        ))
        .write(connection)
        .await
}

/// Keeps what the caller was answered. Nothing is kept so of a key that is tied to a booking.
#[boxed]
pub async fn store_answer(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    key: &str,
    status: u16,
    answer: &str,
) -> Result<()> {
    let id: (Uuid, Uuid, &str) = (organization.uuid(), user.uuid(), key);
    let not_of_a_booking = idempotency_keys::table.find(id).filter(idempotency_keys::effect_id.is_null());
    diesel::update(not_of_a_booking)
        .set((idempotency_keys::status.eq(i16::try_from(status).ok()), idempotency_keys::answer.eq(answer)))
        .write(connection)
        .await
}
