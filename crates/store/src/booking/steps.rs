//! Calls to suppliers that change something there: written before they are sent, open until their outcome is
//! known. One loop recovers all of them.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, SelectableHelper,
    TextExpressionMethods,
    dsl::sql,
    sql_types::{Nullable, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, CancelledPart, OrganizationId, StepId, StepKind, UserId,
};

use crate::{
    JsonText, Result,
    error::{corrupt_json, number_from, word},
    schema::{bookings, effects},
    service::leases::CANDIDATES,
    statements::{Write as _, row_value_in::pairs_in, stored},
};

stored! {
    #[derive(Clone, Debug)]
    pub struct Step of effects {
        pub id: StepId,
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        /// The number of the supplier order it acts on.
        pub number: u16,
        /// The saga it is part of, by the id of its first step. One begins when the one before it is done, and is refused
        /// with it; a saga may go on at another booking.
        pub saga: StepId,
        /// Its place in the saga, from 1.
        pub position: u16 = step,
        pub saga_length: u16 = steps,
        /// It begins when the one before it is done; else it is open.
        pub planned: bool = state as |state: String| state == "planned",
        pub kind: StepKind,
        pub supplier: String,
        /// Who asked for it; none for the operator and the service itself.
        pub requested_by: Option<UserId>,
        pub request: JsonText,
        /// When it was sent at the earliest, UTC.
        pub sent_at: DateTime<Utc>,
        /// When it should be looked up if nobody has completed it, UTC.
        pub due_at: DateTime<Utc>,
        pub attempts: i32,
        /// What stood in the way of knowing its outcome; none while whoever sent it still waits.
        pub problem: Option<String>,
    }
}

/// The steps of a booking that are under way: open, or planned to follow one that is.
#[boxed]
pub async fn under_way_on(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<Step>> {
    Ok(effects::table
        .filter(effects::org_id.eq(organization.uuid()))
        .filter(effects::booking_id.eq(booking.uuid()))
        .filter(effects::state.eq_any(["planned", "open"]))
        .order(effects::number)
        .select(Step::as_select())
        .load(connection)
        .await?)
}

/// What is under way on these bookings, and since when, in order of time.
#[boxed]
pub async fn pending_on(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, Vec<(StepKind, DateTime<Utc>)>>> {
    let rows: Vec<(Uuid, String, DateTime<Utc>)> = effects::table
        .filter(pairs_in("effects.org_id, effects.booking_id", of))
        .filter(effects::state.eq_any(["planned", "open"]))
        .order((effects::booking_id, effects::sent_at))
        .select((effects::booking_id, effects::kind, effects::sent_at))
        .load(&mut connection)
        .await?;
    let mut pending: HashMap<_, Vec<_>> = HashMap::new();
    for (booking, kind, since) in rows {
        let kind = word("effects.kind", &kind)?;
        let of_booking = pending.entry(BookingId::from_uuid(booking)).or_default();
        of_booking.push((kind, since));
    }
    Ok(pending)
}

/// An order that is given back because another booking takes its place.
#[derive(Clone, Debug)]
pub struct ReplacedOrder {
    pub number: u16,
    pub by: BookingRef,
    pub done: bool,
    /// What of it is, where that is not the order as it was sold.
    pub part: Option<CancelledPart>,
}

/// The orders of a booking that other bookings take the place of, in order of their numbers.
#[boxed]
pub async fn replaced_orders(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<ReplacedOrder>> {
    let replaced_by = sql::<Nullable<Text>>("effects.request->>'replaced_by'");
    let part = sql::<Nullable<Text>>("effects.request->>'part'");
    let rows: Vec<(i16, Option<String>, String, Option<String>)> = effects::table
        .filter(effects::org_id.eq(organization.uuid()))
        .filter(effects::booking_id.eq(booking.uuid()))
        .filter(effects::kind.eq(StepKind::Cancel.as_ref()))
        .order(effects::number)
        .select((effects::number, replaced_by, effects::state, part))
        .load(connection)
        .await?;
    let replaced = rows.into_iter().filter_map(|(number, by, state, part)| {
        let by = by?.into();
        let part = part.map(|part| serde_json::from_str(&part)).transpose();
        let replaced =
            part.map(|part| ReplacedOrder { number: number_from(number), by, done: state == "done", part });
        Some(replaced.map_err(corrupt_json("effects.request")))
    });
    replaced.collect()
}

/// What is planned in these sagas, by saga and in order: none of it is locked, since only who closes the step before
/// it changes it, and that one is.
#[boxed]
pub async fn planned_in(
    mut connection: &AsyncPgConnection,
    sagas: &[(OrganizationId, StepId)],
) -> Result<HashMap<StepId, Vec<Step>>> {
    if sagas.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Step> = effects::table
        .filter(pairs_in("effects.org_id, effects.saga", sagas))
        .filter(effects::state.eq("planned"))
        .order(effects::step)
        .select(Step::as_select())
        .load(&mut connection)
        .await?;
    let mut planned: HashMap<_, Vec<_>> = HashMap::new();
    for step in rows {
        planned.entry(step.saga).or_default().push(step);
    }
    Ok(planned)
}

/// What was sent to make this order of a booking.
#[boxed]
pub async fn original_request(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    number: u16,
) -> Result<Option<JsonText>> {
    Ok(effects::table
        .filter(effects::org_id.eq(organization.uuid()))
        .filter(effects::booking_id.eq(booking.uuid()))
        .filter(effects::number.eq(i16::try_from(number).unwrap_or(i16::MAX)))
        .filter(effects::kind.eq(StepKind::Book.as_ref()))
        .select(effects::request)
        .first(connection)
        .await
        .optional()?)
}

/// Of a step that is looked up by its id. No condition of a partial index: PostgreSQL might enter that instead of the key, and
/// read all open steps.
#[diesel::dsl::auto_type(no_type_alias)]
fn is_open() -> _ {
    effects::state.concat("").eq("open")
}

/// Takes one open step that is due, out of reach of other takers until `leased_until`; it is returned as it was before. None
/// also where others take all that are due.
#[boxed]
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<Step>> {
    let due: Vec<(Uuid, Uuid, DateTime<Utc>, i32)> = effects::table
        .filter(effects::state.eq("open"))
        .filter(effects::due_at.le(now))
        .order(effects::due_at)
        .select((effects::org_id, effects::id, effects::due_at, effects::attempts))
        .limit(CANDIDATES)
        .load(connection)
        .await?;
    for (organization, id, due_at, attempts) in due {
        let unchanged = effects::table
            .find((organization, id))
            .filter(is_open())
            .filter(effects::due_at.eq(due_at))
            .filter(effects::attempts.eq(attempts));
        let taken: Option<Step> = diesel::update(unchanged)
            .set((effects::due_at.eq(leased_until), effects::attempts.eq(attempts + 1)))
            .returning(Step::as_returning())
            .get_result(connection)
            .await
            .optional()?;
        if let Some(taken) = taken {
            return Ok(Some(Step { due_at, attempts, ..taken }));
        }
    }
    Ok(None)
}

/// Keeps an open step out of reach of others until then, for whoever has sent it or taken it: it was taken so often by
/// then. False when somebody else has taken or completed it meanwhile.
#[boxed]
pub async fn renew(
    connection: &mut AsyncPgConnection,
    (organization, id): (OrganizationId, StepId),
    attempts: i32,
    leased_until: DateTime<Utc>,
) -> Result<bool> {
    let held = effects::table
        .find((organization.uuid(), id.uuid()))
        .filter(is_open())
        .filter(effects::attempts.eq(attempts));
    diesel::update(held).set(effects::due_at.eq(leased_until)).write_one(connection).await
}

/// Says when an open step should be looked up again, and what stood in the way.
#[boxed]
pub async fn postpone(
    connection: &mut AsyncPgConnection,
    step: &Step,
    due_at: DateTime<Utc>,
    problem: &str,
) -> Result<()> {
    let open = effects::table.find((step.organization.uuid(), step.id.uuid())).filter(is_open());
    diesel::update(open)
        .set((effects::due_at.eq(due_at), effects::problem.eq(problem)))
        .write(connection)
        .await
}

/// Takes an open step for the operator, who has ruled on it: it is due now, and whoever looks it up has lost it. False when
/// somebody has changed its request since it was read.
#[boxed]
pub async fn take_for_ruling(
    connection: &mut AsyncPgConnection,
    step: &Step,
    now: DateTime<Utc>,
) -> Result<bool> {
    let unchanged = effects::table
        .find((step.organization.uuid(), step.id.uuid()))
        .filter(is_open())
        .filter(effects::request.eq(&step.request));
    diesel::update(unchanged)
        .set((
            effects::due_at.eq(now),
            effects::problem.eq("the operator has ruled"),
            effects::attempts.eq(effects::attempts + 1),
        ))
        .write_one(connection)
        .await
}

/// Writes what became known about a step that is under way: its request, when it is sent, when it is due. False when
/// somebody has completed or changed it since it was read, and then it must not be sent.
#[boxed]
pub async fn update_request(connection: &mut AsyncPgConnection, step: &Step, read: &Step) -> Result<bool> {
    let under_way = effects::table
        .find((step.organization.uuid(), step.id.uuid()))
        .filter(effects::closed_at.is_null())
        .filter(effects::sent_at.eq(read.sent_at));
    diesel::update(under_way)
        .set((
            effects::request.eq(&step.request),
            effects::sent_at.eq(step.sent_at),
            effects::due_at.eq(step.due_at),
        ))
        .write_one(connection)
        .await
}

/// Writes what became known about a step that is being sent into its request. False when somebody has completed it, or looks it
/// up already: whoever does so believes what the request says, and what follows upon the change must not be sent.
#[boxed]
pub async fn note_while_sending(
    connection: &mut AsyncPgConnection,
    step: &Step,
    request: &JsonText,
) -> Result<bool> {
    note(connection, step, step.attempts, request).await
}

/// Writes what became known about a step that is looked up into its request. False when somebody has completed it, taken
/// it or changed its request since it was taken: then what follows upon the change must not be sent.
#[boxed]
pub async fn note_request(
    connection: &mut AsyncPgConnection,
    step: &Step,
    request: &JsonText,
) -> Result<bool> {
    // Read before it was taken.
    note(connection, step, step.attempts + 1, request).await
}

async fn note(
    connection: &mut AsyncPgConnection,
    step: &Step,
    attempts: i32,
    request: &JsonText,
) -> Result<bool> {
    let under_way = effects::table
        .find((step.organization.uuid(), step.id.uuid()))
        .filter(effects::closed_at.is_null())
        .filter(effects::sent_at.eq(step.sent_at))
        .filter(effects::attempts.eq(attempts))
        .filter(effects::request.eq(&step.request));
    diesel::update(under_way).set(effects::request.eq(request)).write_one(connection).await
}

/// Takes this open step as [`take_due`] does, if it is due or was never looked up. False when it is not to be
/// looked up now.
#[boxed]
pub async fn take(
    connection: &mut AsyncPgConnection,
    step: &Step,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<bool> {
    let never_looked_up = effects::attempts.eq(0).and(effects::problem.is_not_null());
    let open = effects::table
        .find((step.organization.uuid(), step.id.uuid()))
        .filter(is_open())
        .filter(effects::due_at.le(now).or(never_looked_up));
    diesel::update(open)
        .set((effects::due_at.eq(leased_until), effects::attempts.eq(effects::attempts + 1)))
        .write_one(connection)
        .await
}

/// The problem of a step that was never sent, because one before it was refused.
pub const SKIPPED: &str = "skipped: an earlier step was refused";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    Refused,
}

/// Whether money of this user's may still be held: the outcome of a booking of theirs isn't known yet, or of a service
/// that is added to one.
#[boxed]
pub async fn any_pending(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
) -> Result<bool> {
    let pending = bookings::table
        .filter(bookings::org_id.eq(organization.uuid()))
        .filter(bookings::user_id.eq(user.uuid()))
        .filter(bookings::status.eq(BookingStatus::Pending.as_ref()));
    let adding = effects::table
        .inner_join(
            bookings::table
                .on(bookings::org_id.eq(effects::org_id).and(bookings::id.eq(effects::booking_id))),
        )
        .filter(effects::state.eq("open"))
        .filter(effects::kind.eq_any([StepKind::AddService.as_ref(), StepKind::Change.as_ref()]))
        .filter(bookings::org_id.eq(organization.uuid()))
        .filter(bookings::user_id.eq(user.uuid()));
    let any = diesel::dsl::exists(pending).or(diesel::dsl::exists(adding));
    Ok(diesel::select(any).get_result(connection).await?)
}
