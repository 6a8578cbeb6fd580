//! Rulings: what the operator decided about money after the sale, each with its transfer.

use chrono::{DateTime, Utc};
use diesel::{BoolExpressionMethods, ExpressionMethods, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use wayfare_domain::{
    ActorKind, BookingId, ClosedBy, FeesRuling, IncidentId, IncidentOutcome, Money, OrganizationId, RulingId,
    RulingKind, RulingState, TransferId,
};

use self::schema::rulings;
use crate::{
    Result,
    error::{currency, money, word},
    schema::exceptions,
    statements::{Write as _, stored},
};

mod schema {
    use diesel::table;

    table! {
        rulings (org_id, id) {
            org_id -> Uuid,
            id -> Uuid,
            booking_id -> Uuid,
            number -> SmallInt,
            exception_id -> Nullable<Uuid>,
            kind -> Text,
            state -> Text,
            amount -> Numeric,
            currency -> Text,
            moved -> Numeric,
            moved_currency -> Text,
            fees -> Nullable<Text>,
            from_loss -> Bool,
            note -> Text,
            key -> Text,
            transfer_id -> Nullable<Uuid>,
            ruled_by -> Text,
            ruled_at -> Timestamptz,
            collected_at -> Nullable<Timestamptz>,
            withdrawn_at -> Nullable<Timestamptz>,
        }
    }
}

stored! {
    /// What was ruled about an order of a booking.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Ruling of rulings {
        pub id: RulingId,
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        pub number: u16,
        pub incident: Option<IncidentId> = exception_id,
        pub kind: RulingKind,
        pub state: RulingState = (state, withdrawn_at) as |stored: (String, Option<DateTime<Utc>>)| match stored {
            (_, Some(_)) => RulingState::Withdrawn,
            (state, None) => word("rulings.state", &state)?,
        },
        /// What the wallet got, or paid below zero; in its currency.
        pub moved: Money = (moved, moved_currency) as |stored: (Decimal, String)| moved_of(stored)?,
        /// What becomes of the operator's own fees, of an order that its supplier cancelled.
        pub fees: Option<FeesRuling>,
        /// Whether the operator bears it, and not the supplier.
        pub from_loss: bool,
        pub note: String,
        /// Unique in the agency: asked again under it, the first answer is repeated.
        pub key: String,
        /// The transfer that it made; none where nothing moved.
        pub transfer: Option<TransferId> = transfer_id,
        /// Who ruled: the operator, or the service by itself.
        pub by: ActorKind = ruled_by,
        pub at: DateTime<Utc> = ruled_at,
        /// When what was due was collected, UTC.
        pub collected_at: Option<DateTime<Utc>>,
    } in currency {
        /// How much, as it was said: in the wallet's currency, or in the supplier's of an order that this cancelled.
        pub amount: Money,
    }
}

fn moved_of((amount, unit): (Decimal, String)) -> Result<Money> {
    money("rulings.moved", amount, currency(&unit)?)
}

#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, ruling: &Ruling) -> Result<()> {
    diesel::insert_into(rulings::table)
        .values((
            (
                rulings::org_id.eq(ruling.organization.uuid()),
                rulings::id.eq(ruling.id.uuid()),
                rulings::booking_id.eq(ruling.booking.uuid()),
                rulings::number.eq(i16::try_from(ruling.number).unwrap_or(i16::MAX)),
                rulings::exception_id.eq(ruling.incident.map(IncidentId::uuid)),
                rulings::kind.eq(ruling.kind.as_ref()),
                rulings::state.eq(ruling.state.as_ref()),
                rulings::amount.eq(ruling.amount.amount()),
                rulings::currency.eq(ruling.amount.currency().code()),
                rulings::moved.eq(ruling.moved.amount()),
                rulings::moved_currency.eq(ruling.moved.currency().code()),
            ),
            (
                rulings::fees.eq(ruling.fees.map(<&str>::from)),
                rulings::from_loss.eq(ruling.from_loss),
                rulings::note.eq(&ruling.note),
                rulings::key.eq(&ruling.key),
                rulings::transfer_id.eq(ruling.transfer.map(TransferId::uuid)),
                rulings::ruled_by.eq(ruling.by.as_ref()),
                rulings::ruled_at.eq(ruling.at),
                rulings::collected_at.eq(ruling.collected_at),
            ),
        ))
        .write(connection)
        .await
}

/// Writes that a debit note which was due is collected.
#[boxed]
pub async fn collected(connection: &mut AsyncPgConnection, ruling: &Ruling) -> Result<()> {
    let due = rulings::table
        .filter(rulings::id.eq(ruling.id.uuid()))
        .filter(rulings::org_id.eq(ruling.organization.uuid()));
    diesel::update(due)
        .set((
            rulings::state.eq(ruling.state.as_ref()),
            rulings::moved.eq(ruling.moved.amount()),
            rulings::transfer_id.eq(ruling.transfer.map(TransferId::uuid)),
            rulings::collected_at.eq(ruling.collected_at),
        ))
        .write(connection)
        .await
}

/// Writes that a debit note which was due waits no more. False where it is not due: nothing changes then.
#[boxed]
pub async fn withdraw(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: RulingId,
    at: DateTime<Utc>,
) -> Result<bool> {
    let due = rulings::table
        .filter(rulings::id.eq(id.uuid()))
        .filter(rulings::org_id.eq(organization.uuid()))
        .filter(rulings::state.eq(RulingState::Due.as_ref()));
    diesel::update(due)
        .set((
            // A server of before knows no other word for what it must not collect.
            rulings::state.eq(RulingState::Done.as_ref()),
            rulings::withdrawn_at.eq(at),
        ))
        .write_one(connection)
        .await
}

/// The rulings about a booking, and one of its agency's about whichever booking under this key, in order of time.
#[boxed]
pub async fn of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    key: Option<&str>,
) -> Result<Vec<Ruling>> {
    let under_key = rulings::key.eq(key.unwrap_or_default().to_owned());
    Ok(rulings::table
        .filter(rulings::org_id.eq(organization.uuid()))
        .filter(rulings::booking_id.eq(booking.uuid()).or(under_key))
        .order((rulings::ruled_at, rulings::id))
        .select(Ruling::as_select())
        .load(connection)
        .await?)
}

/// Debit notes of all agencies that wait until a wallet covers them, the oldest first.
#[boxed]
pub async fn due(connection: &mut AsyncPgConnection) -> Result<Vec<Ruling>> {
    Ok(rulings::table
        .filter(rulings::state.eq(RulingState::Due.as_ref()))
        .order((rulings::ruled_at, rulings::id))
        .select(Ruling::as_select())
        .load(connection)
        .await?)
}

/// Closes the incident that a ruling settles. False when it is closed already, or of another booking: nothing changes then.
#[boxed]
pub async fn settle(connection: &mut AsyncPgConnection, ruling: &Ruling) -> Result<bool> {
    let Some(incident) = ruling.incident else { return Ok(true) };
    let closed_by = match ruling.by {
        ActorKind::Operator => ClosedBy::Operator,
        ActorKind::System | ActorKind::OrgUser => ClosedBy::Itself,
    };
    let open = exceptions::table
        .filter(exceptions::id.eq(incident.uuid()))
        .filter(exceptions::org_id.eq(ruling.organization.uuid()))
        .filter(exceptions::booking_id.eq(ruling.booking.uuid()))
        .filter(exceptions::closed_at.is_null());
    diesel::update(open)
        .set((
            exceptions::outcome.eq(IncidentOutcome::Ruled.as_ref()),
            exceptions::note.eq(&ruling.note),
            exceptions::ruling_id.eq(ruling.id.uuid()),
            exceptions::closed_at.eq(ruling.at),
            exceptions::closed_by.eq(closed_by.as_ref()),
        ))
        .write_one(connection)
        .await
}
