//! Bookings that were written before people were sealed, on their way into the sealed form and back.

use diesel::{
    OptionalExtension, QueryableByName, sql_query,
    sql_types::{BigInt, Jsonb, Nullable, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{BookingId, OrganizationId, ProductKind, StepId, StepKind};

use crate::{
    StoreError,
    error::{number_from, word},
};

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(QueryableByName)]
struct Named {
    #[diesel(sql_type = SqlUuid)]
    org_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

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
pub async fn count(connection: &mut AsyncPgConnection, form: Form) -> Result<i64, StoreError> {
    let query = format!("select count(*) as count from bookings b where {}", form.condition());
    let counted: Counted = sql_query(query).get_result(connection).await?;
    Ok(counted.count)
}

#[boxed]
pub async fn some(
    connection: &mut AsyncPgConnection,
    form: Form,
    most: i64,
) -> Result<Vec<(OrganizationId, BookingId)>, StoreError> {
    let query = format!("select b.org_id, b.id from bookings b where {} limit $1", form.condition());
    let rows: Vec<Named> = sql_query(query).bind::<BigInt, _>(most).load(connection).await?;
    let id = |row: Named| (OrganizationId::from_uuid(row.org_id), BookingId::from_uuid(row.id));
    Ok(rows.into_iter().map(id).collect())
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

#[derive(QueryableByName)]
struct ProductRow {
    #[diesel(sql_type = Text)]
    product: String,
    #[diesel(sql_type = Jsonb)]
    product_content: Value,
    #[diesel(sql_type = Nullable<Text>)]
    failure: Option<String>,
}

#[derive(QueryableByName)]
struct StepRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Jsonb)]
    request: Value,
    #[diesel(sql_type = Nullable<Text>)]
    problem: Option<String>,
}

#[derive(QueryableByName)]
struct OrderRow {
    #[diesel(sql_type = SmallInt)]
    number: i16,
    #[diesel(sql_type = Jsonb)]
    content: Value,
}

#[derive(QueryableByName)]
struct IncidentRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    problem: String,
}

/// Locks a booking and reads all of it that may name people; none when it has not this form any more. Runs in a transaction
/// of the caller's.
#[boxed]
pub async fn lock(
    connection: &mut AsyncPgConnection,
    form: Form,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Option<Contents>, StoreError> {
    let (org_id, id) = (organization.uuid(), booking.uuid());
    // As everybody does who ends a step: first the booking.
    let query = "select b.product, b.product_content, b.failure from bookings b where b.org_id = $1 and b.id = $2 for update";
    let row: Option<ProductRow> = sql_query(query)
        .bind::<SqlUuid, _>(org_id)
        .bind::<SqlUuid, _>(id)
        .get_result(connection)
        .await
        .optional()?;
    let query = format!(
        "select count(*) as count from bookings b where b.org_id = $1 and b.id = $2 and {}",
        form.condition()
    );
    let still: Counted =
        sql_query(query).bind::<SqlUuid, _>(org_id).bind::<SqlUuid, _>(id).get_result(connection).await?;
    let Some(row) = row.filter(|_| still.count == 1) else {
        return Ok(None);
    };
    let steps: Vec<StepRow> =
        sql_query("select id, kind, request, problem from effects where org_id = $1 and booking_id = $2")
            .bind::<SqlUuid, _>(org_id)
            .bind::<SqlUuid, _>(id)
            .load(connection)
            .await?;
    let orders: Vec<OrderRow> = sql_query(
        "select number, content from supplier_orders where org_id = $1 and booking_id = $2 and content is not null",
    )
    .bind::<SqlUuid, _>(org_id)
    .bind::<SqlUuid, _>(id)
    .load(connection)
    .await?;
    let incidents: Vec<IncidentRow> =
        sql_query("select id, problem from exceptions where org_id = $1 and booking_id = $2")
            .bind::<SqlUuid, _>(org_id)
            .bind::<SqlUuid, _>(id)
            .load(connection)
            .await?;
    let step = |row: StepRow| {
        let kind = word("effects.kind", &row.kind)?;
        Ok((StepId::from_uuid(row.id), kind, row.request, row.problem))
    };
    Ok(Some(Contents {
        kind: word("bookings.product", &row.product)?,
        product: row.product_content,
        failure: row.failure,
        steps: steps.into_iter().map(step).collect::<Result<_, StoreError>>()?,
        orders: orders.into_iter().map(|row| (number_from(row.number), row.content)).collect(),
        incidents: incidents.into_iter().map(|row| (row.id, row.problem)).collect(),
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
) -> Result<(), StoreError> {
    let (org_id, id) = (organization.uuid(), booking.uuid());
    sql_query("update bookings set product_content = $3, failure = $4 where org_id = $1 and id = $2")
        .bind::<SqlUuid, _>(org_id)
        .bind::<SqlUuid, _>(id)
        .bind::<Jsonb, _>(&contents.product)
        .bind::<Nullable<Text>, _>(&contents.failure)
        .execute(connection)
        .await?;
    for (step, _, request, problem) in &contents.steps {
        sql_query("update effects set request = $3, problem = $4 where org_id = $1 and id = $2")
            .bind::<SqlUuid, _>(org_id)
            .bind::<SqlUuid, _>(step.uuid())
            .bind::<Jsonb, _>(request)
            .bind::<Nullable<Text>, _>(problem)
            .execute(connection)
            .await?;
    }
    for (number, content) in &contents.orders {
        sql_query(
            "update supplier_orders set content = $4 where org_id = $1 and booking_id = $2 and number = $3",
        )
        .bind::<SqlUuid, _>(org_id)
        .bind::<SqlUuid, _>(id)
        .bind::<SmallInt, _>(i16::try_from(*number).unwrap_or(i16::MAX))
        .bind::<Jsonb, _>(content)
        .execute(connection)
        .await?;
    }
    for (incident, problem) in &contents.incidents {
        sql_query("update exceptions set problem = $3 where org_id = $1 and id = $2")
            .bind::<SqlUuid, _>(org_id)
            .bind::<SqlUuid, _>(incident)
            .bind::<Text, _>(problem)
            .execute(connection)
            .await?;
    }
    sql_query(
        "update idempotency_keys k set answer = null, sealed_answer = null from bookings b \
         where b.org_id = $1 and b.id = $2 and k.org_id = b.org_id and k.booking_ref = b.booking_ref \
        and k.user_id in (select u.id from users u where u.org_id = b.org_id)",
    )
    .bind::<SqlUuid, _>(org_id)
    .bind::<SqlUuid, _>(id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes what is sealed of a booking, which is written in the old form again.
#[boxed]
pub async fn remove(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<(), StoreError> {
    for table in ["supplier_answers", "booking_names", "booking_people"] {
        sql_query(format!("delete from {table} where org_id = $1 and booking_id = $2"))
            .bind::<SqlUuid, _>(organization.uuid())
            .bind::<SqlUuid, _>(booking.uuid())
            .execute(connection)
            .await?;
    }
    Ok(())
}
