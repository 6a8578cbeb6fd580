//! Bookings and their supplier orders, whatever was bought.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, Insertable, OptionalExtension, QueryDsl, Queryable, Selectable, SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, HoldId, Money, OrderReference, OrderStatus, OrganizationId, Page,
    PageRequest, Product, QuoteId, Scope, UserId, WalletId,
};
use wayfare_pricing::Sale;

use crate::{
    StoreError,
    error::{currency, money, word},
    schema::{bookings, supplier_orders},
};

/// One purchase of a `P`.
#[derive(Clone, Debug)]
pub struct Booking<P> {
    /// Its id.
    pub id: BookingId,
    /// Its public reference.
    pub reference: BookingRef,
    /// The agency.
    pub organization: OrganizationId,
    /// Who booked.
    pub user: UserId,
    /// Their name then.
    pub user_name: String,
    /// The wallet that pays.
    pub wallet: WalletId,
    /// The money set aside for it.
    pub hold: HoldId,
    /// The promise it rests on.
    pub quote: QuoteId,
    /// Where it stands.
    pub status: BookingStatus,
    /// What lists show of it.
    pub summary: Summary,
    /// What the wallet pays.
    pub amount: Money,
    /// B.
    pub base_fare: Money,
    /// What the travellers' bill says.
    pub public_fare: Money,
    /// What was bought.
    pub product: P,
    /// How the price came about: one sale for each supplier order.
    pub sales: Vec<Sale>,
    /// Why it failed.
    pub failure: Option<String>,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// When the supplier confirmed it, UTC.
    pub booked_at: Option<DateTime<Utc>>,
    /// When it was cancelled, UTC.
    pub cancelled_at: Option<DateTime<Utc>>,
}

/// What lists show of a booking.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The supplier's code; the first one's of several.
    pub provider: String,
    /// The first record locator; empty until there is one.
    pub pnr: String,
    /// Where the journey starts, or the city of a stay.
    pub origin: String,
    /// Where its first leg ends.
    pub destination: String,
    /// How many people.
    pub passenger_count: i32,
}

/// One supplier order of a booking.
#[derive(Clone, Debug)]
pub struct Order<O> {
    /// Its number in the booking, from 1.
    pub number: u16,
    /// Our own reference of it.
    pub reference: OrderReference,
    /// The supplier's code.
    pub supplier: String,
    /// Where it stands.
    pub status: OrderStatus,
    /// The supplier's id of it, once known.
    pub supplier_order_id: Option<String>,
    /// The supplier's last answer about it.
    pub content: Option<O>,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = bookings, check_for_backend(diesel::pg::Pg))]
struct Row {
    org_id: Uuid,
    id: Uuid,
    booking_ref: String,
    product: String,
    user_id: Uuid,
    user_name: String,
    wallet_id: Uuid,
    hold_id: Uuid,
    quote_id: Uuid,
    status: String,
    provider: String,
    pnr: String,
    origin: String,
    destination: String,
    passenger_count: i32,
    currency: String,
    base_fare: Decimal,
    public_fare: Decimal,
    amount: Decimal,
    product_content: Value,
    pricing: Value,
    failure: Option<String>,
    created_at: DateTime<Utc>,
    booked_at: Option<DateTime<Utc>>,
    cancelled_at: Option<DateTime<Utc>>,
}

fn json<T: serde::Serialize>(what: &'static str, value: &T) -> Result<Value, StoreError> {
    serde_json::to_value(value).map_err(|error| StoreError::Corrupt {
        what,
        value: error.to_string(),
    })
}

fn from_json<T: serde::de::DeserializeOwned>(what: &'static str, value: Value) -> Result<T, StoreError> {
    serde_json::from_value(value).map_err(|error| StoreError::Corrupt {
        what,
        value: error.to_string(),
    })
}

impl<P: Product> Booking<P> {
    fn row(&self) -> Result<Row, StoreError> {
        Ok(Row {
            org_id: self.organization.uuid(),
            id: self.id.uuid(),
            booking_ref: self.reference.to_string(),
            product: P::KIND.as_ref().to_owned(),
            user_id: self.user.uuid(),
            user_name: self.user_name.clone(),
            wallet_id: self.wallet.uuid(),
            hold_id: self.hold.uuid(),
            quote_id: self.quote.uuid(),
            status: self.status.as_ref().to_owned(),
            provider: self.summary.provider.clone(),
            pnr: self.summary.pnr.clone(),
            origin: self.summary.origin.clone(),
            destination: self.summary.destination.clone(),
            passenger_count: self.summary.passenger_count,
            currency: self.amount.currency().code().to_owned(),
            base_fare: self.base_fare.amount(),
            public_fare: self.public_fare.amount(),
            amount: self.amount.amount(),
            product_content: json("bookings.product_content", &self.product)?,
            pricing: json("bookings.pricing", &self.sales)?,
            failure: self.failure.clone(),
            created_at: self.created_at,
            booked_at: self.booked_at,
            cancelled_at: self.cancelled_at,
        })
    }

    fn read(row: Row) -> Result<Self, StoreError> {
        let unit = currency(&row.currency)?;
        Ok(Self {
            id: BookingId::from_uuid(row.id),
            reference: BookingRef::from(row.booking_ref),
            organization: OrganizationId::from_uuid(row.org_id),
            user: UserId::from_uuid(row.user_id),
            user_name: row.user_name,
            wallet: WalletId::from_uuid(row.wallet_id),
            hold: HoldId::from_uuid(row.hold_id),
            quote: QuoteId::from_uuid(row.quote_id),
            status: word("bookings.status", &row.status)?,
            summary: Summary {
                provider: row.provider,
                pnr: row.pnr,
                origin: row.origin,
                destination: row.destination,
                passenger_count: row.passenger_count,
            },
            amount: money("bookings.amount", row.amount, unit)?,
            base_fare: money("bookings.base_fare", row.base_fare, unit)?,
            public_fare: money("bookings.public_fare", row.public_fare, unit)?,
            product: from_json("bookings.product_content", row.product_content)?,
            sales: from_json("bookings.pricing", row.pricing)?,
            failure: row.failure,
            created_at: row.created_at,
            booked_at: row.booked_at,
            cancelled_at: row.cancelled_at,
        })
    }
}

/// Writes a new booking with its orders: two statements.
///
/// # Errors
/// A unique violation when the reference is taken.
pub async fn insert<P: Product>(
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
    orders: &[Order<P::Order>],
) -> Result<(), StoreError> {
    diesel::insert_into(bookings::table)
        .values(booking.row()?)
        .execute(connection)
        .await?;
    let rows: Vec<_> = orders
        .iter()
        .map(|order| {
            (
                supplier_orders::org_id.eq(booking.organization.uuid()),
                supplier_orders::booking_id.eq(booking.id.uuid()),
                supplier_orders::number.eq(number_of(order.number)),
                supplier_orders::reference.eq(order.reference.as_ref()),
                supplier_orders::supplier.eq(&order.supplier),
                supplier_orders::status.eq(order.status.as_ref()),
                supplier_orders::updated_at.eq(booking.created_at),
            )
        })
        .collect();
    diesel::insert_into(supplier_orders::table)
        .values(rows)
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) fn number_of(number: u16) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}

pub(crate) fn number_from(number: i16) -> u16 {
    u16::try_from(number).unwrap_or_default()
}

/// The booking of this reference, if it is in scope.
///
/// # Errors
/// When the database can't be asked.
pub async fn find<P: Product>(
    connection: &mut AsyncPgConnection,
    scope: Scope,
    reference: &BookingRef,
) -> Result<Option<Booking<P>>, StoreError> {
    // No text of PostgreSQL's has a NUL, so that asking for one is an error and not an empty answer.
    if reference.as_ref().contains('\0') {
        return Ok(None);
    }
    let mut query = bookings::table
        .filter(bookings::org_id.eq(scope.organization().uuid()))
        .filter(bookings::booking_ref.eq(reference.as_ref()))
        .filter(bookings::product.eq(P::KIND.as_ref()))
        .into_boxed();
    if let Some(user) = scope.user() {
        query = query.filter(bookings::user_id.eq(user.uuid()));
    }
    let row = query
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    row.map(Booking::read).transpose()
}

/// The booking, locked until the transaction ends: nobody else opens or closes anything on it meanwhile.
///
/// # Errors
/// When the database can't be asked or there is no such booking.
pub async fn lock<P: Product>(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: BookingId,
) -> Result<Booking<P>, StoreError> {
    let row: Row = bookings::table
        .find((organization.uuid(), id.uuid()))
        .select(Row::as_select())
        .for_update()
        .first(connection)
        .await?;
    Booking::read(row)
}

/// The booking's supplier orders in order of their numbers.
///
/// # Errors
/// When the database can't be asked.
pub async fn orders<P: Product>(
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
) -> Result<Vec<Order<P::Order>>, StoreError> {
    type OrderRow = (i16, String, String, String, Option<String>, Option<Value>);
    let rows: Vec<OrderRow> = supplier_orders::table
        .filter(supplier_orders::org_id.eq(booking.organization.uuid()))
        .filter(supplier_orders::booking_id.eq(booking.id.uuid()))
        .order(supplier_orders::number)
        .select((
            supplier_orders::number,
            supplier_orders::reference,
            supplier_orders::supplier,
            supplier_orders::status,
            supplier_orders::supplier_order_id,
            supplier_orders::content,
        ))
        .load(connection)
        .await?;
    rows.into_iter()
        .map(
            |(number, reference, supplier, status, supplier_order_id, content)| {
                Ok(Order {
                    number: number_from(number),
                    reference: OrderReference::from(reference),
                    supplier,
                    status: word("supplier_orders.status", &status)?,
                    supplier_order_id,
                    content: content
                        .map(|content| from_json("supplier_orders.content", content))
                        .transpose()?,
                })
            },
        )
        .collect()
}

/// Writes where a locked booking stands now.
///
/// # Errors
/// When the database can't be asked.
pub async fn save<P: Product>(
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
) -> Result<(), StoreError> {
    diesel::update(bookings::table.find((booking.organization.uuid(), booking.id.uuid())))
        .set((
            bookings::status.eq(booking.status.as_ref()),
            bookings::pnr.eq(&booking.summary.pnr),
            bookings::failure.eq(&booking.failure),
            bookings::booked_at.eq(booking.booked_at),
            bookings::cancelled_at.eq(booking.cancelled_at),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes where an order of a locked booking stands now.
///
/// # Errors
/// When the database can't be asked.
pub async fn save_order<P: Product>(
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
    order: &Order<P::Order>,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let content = order
        .content
        .as_ref()
        .map(|content| json("supplier_orders.content", content))
        .transpose()?;
    let key = (
        booking.organization.uuid(),
        booking.id.uuid(),
        number_of(order.number),
    );
    diesel::update(supplier_orders::table.find(key))
        .set((
            supplier_orders::status.eq(order.status.as_ref()),
            supplier_orders::supplier_order_id.eq(&order.supplier_order_id),
            supplier_orders::content.eq(content),
            supplier_orders::updated_at.eq(at),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// A page of the bookings in scope, newest first: two statements.
///
/// # Errors
/// When the database can't be asked.
pub async fn list<P: Product>(
    connection: &mut AsyncPgConnection,
    scope: Scope,
    status: Option<BookingStatus>,
    request: PageRequest,
) -> Result<Page<Booking<P>>, StoreError> {
    let in_scope = || {
        let mut query = bookings::table
            .filter(bookings::org_id.eq(scope.organization().uuid()))
            .filter(bookings::product.eq(P::KIND.as_ref()))
            .into_boxed();
        if let Some(user) = scope.user() {
            query = query.filter(bookings::user_id.eq(user.uuid()));
        }
        if let Some(status) = status {
            query = query.filter(bookings::status.eq(status.as_ref().to_owned()));
        }
        query
    };
    let total = in_scope().count().get_result(connection).await?;
    let rows: Vec<Row> = in_scope()
        .order(bookings::id.desc())
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(Row::as_select())
        .load(connection)
        .await?;
    let items = rows.into_iter().map(Booking::read).collect::<Result<_, _>>()?;
    Ok(Page {
        items,
        request,
        total,
    })
}
