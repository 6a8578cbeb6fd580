//! Bookings that were written before people were sealed, on their way into the sealed form and back.

use diesel::{OptionalExtension, sql_query};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{BookingId, OrganizationId, ProductKind, StepId, StepKind};

use crate::{
    Result,
    statements::{Columns, Write as _, statement, values},
};

/// Of the rest: `b` has no sealed row.
const UNSEALED: &str = "not exists (select from booking_people p where p.org_id = b.org_id and p.booking_id = b.id \
    and p.kind = 'people')";
/// The other way round: also what is erased.
const SEALED: &str = "exists (select from booking_people p where p.org_id = b.org_id and p.booking_id = b.id \
    and p.kind = 'people')";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Those that name people where everybody may read.
    Unsealed,
    Sealed,
}

impl Form {
    fn condition(self) -> &'static str {
        match self {
            Self::Unsealed => UNSEALED,
            Self::Sealed => SEALED,
        }
    }
}

/// How many bookings there are of this form.
#[boxed]
pub async fn count(connection: &mut AsyncPgConnection, form: Form) -> Result<i64> {
    let query = format!("select count(*) as count from bookings b where {}", form.condition());
    let Columns(count) = sql_query(query).get_result(connection).await?;
    Ok(count)
}

#[boxed]
pub async fn some(
    connection: &mut AsyncPgConnection,
    form: Form,
    most: i64,
) -> Result<Vec<(OrganizationId, BookingId)>> {
    let query = format!("select b.org_id, b.id from bookings b where {} limit $1", form.condition());
    Ok(values(statement(query, most).load(connection).await?))
}

/// What of a booking may name people.
#[derive(Clone, Debug)]
pub struct Contents {
    pub kind: ProductKind,
    pub product: Value,
    pub failure: Option<String>,
    /// What was asked of suppliers: the step, its kind, its request, what stood in its way.
    pub steps: Vec<(StepId, StepKind, Value, Option<String>)>,
    /// What suppliers said of its orders, by their numbers.
    pub orders: Vec<(u16, Value)>,
    pub incidents: Vec<(Uuid, String)>,
}

/// Locks a booking and reads all of it that may name people; none when it has not this form any more. Runs in a transaction
/// of the caller's.
#[boxed]
pub async fn lock(
    connection: &mut AsyncPgConnection,
    form: Form,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Option<Contents>> {
    let (org_id, id) = (organization.uuid(), booking.uuid());
    // As everybody does who ends a step: first the booking.
    let query = "select b.product, b.product_content, b.failure from bookings b where b.org_id = $1 and b.id = $2 for update";
    let row: Option<Columns<_>> = statement(query, (org_id, id)).get_result(connection).await.optional()?;
    let query = format!(
        "select count(*) as count from bookings b where b.org_id = $1 and b.id = $2 and {}",
        form.condition()
    );
    let Columns(still): Columns<i64> = statement(query, (org_id, id)).get_result(connection).await?;
    let Some(Columns((kind, product, failure))) = row.filter(|_| still == 1) else { return Ok(None) };
    let steps = statement(
        "select id, kind, request, problem from effects where org_id = $1 and booking_id = $2",
        (org_id, id),
    )
    .load(connection)
    .await?;
    let orders = statement(
        "select number, content from supplier_orders where org_id = $1 and booking_id = $2 and content is not null",
        (org_id, id),
    )
    .load(connection)
    .await?;
    let incidents =
        statement("select id, problem from exceptions where org_id = $1 and booking_id = $2", (org_id, id))
            .load(connection)
            .await?;
    Ok(Some(Contents {
        kind,
        product,
        failure,
        steps: values(steps),
        orders: values(orders),
        incidents: values(incidents),
    }))
}

/// Writes what a locked booking says now. Kept answers of its idempotency keys are forgotten: who asks again is told how it
/// stands.
#[boxed]
pub async fn write(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    contents: &Contents,
) -> Result<()> {
    let (org_id, id) = (organization.uuid(), booking.uuid());
    statement(
        "update bookings set product_content = $3, failure = $4 where org_id = $1 and id = $2",
        (org_id, id, &contents.product, contents.failure.as_deref()),
    )
    .execute(connection)
    .await?;
    for (step, _, request, problem) in &contents.steps {
        statement(
            "update effects set request = $3, problem = $4 where org_id = $1 and id = $2",
            (org_id, *step, request, problem.as_deref()),
        )
        .execute(connection)
        .await?;
    }
    for (number, content) in &contents.orders {
        statement(
            "update supplier_orders set content = $4 where org_id = $1 and booking_id = $2 and number = $3",
            (org_id, id, *number, content),
        )
        .execute(connection)
        .await?;
    }
    for (incident, problem) in &contents.incidents {
        statement(
            "update exceptions set problem = $3 where org_id = $1 and id = $2",
            (org_id, incident, problem),
        )
        .execute(connection)
        .await?;
    }
    statement(
        "update idempotency_keys k set answer = null, sealed_answer = null from bookings b \
         where b.org_id = $1 and b.id = $2 and k.org_id = b.org_id and k.booking_ref = b.booking_ref \
        and k.user_id in (select u.id from users u where u.org_id = b.org_id)",
        (org_id, id),
    )
    .write(connection)
    .await
}

/// Removes what is sealed of a booking, which is written in the old form again.
#[boxed]
pub async fn remove(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<()> {
    for table in ["supplier_answers", "booking_names", "booking_people"] {
        statement(
            format!("delete from {table} where org_id = $1 and booking_id = $2"),
            (organization, booking),
        )
        .execute(connection)
        .await?;
    }
    Ok(())
}
