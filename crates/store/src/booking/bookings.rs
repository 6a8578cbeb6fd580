//! Bookings and their supplier orders, whatever was bought.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, PgExpressionMethods, QueryDsl,
    Queryable, Selectable, SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, HoldId, Money, MoneyError, OrderPart, OrderReference, OrderStatus,
    OrganizationId, Product, ProductKind, QuoteId, Scope, StepId, UserId, WalletId,
};
use wayfare_pricing::{Paid, Sale};

use crate::{
    JsonText, Result, StoreError,
    booking::{
        order_holds::{self, HoldRow, OrderHold},
        people::{self, SealedRow},
        steps::Step,
    },
    error::{currency, money, number_from, word},
    schema::{booking_people, bookings, effects, supplier_orders},
    statements::row_value_in::pairs_in,
};

/// One purchase of a `P`; of `()` where what was bought doesn't matter.
#[derive(Clone, Debug)]
pub struct Booking<P> {
    pub id: BookingId,
    pub reference: BookingRef,
    pub kind: ProductKind,
    pub organization: OrganizationId,
    pub user: UserId,
    pub user_name: String,
    pub wallet: WalletId,
    pub hold: HoldId,
    pub quote: QuoteId,
    pub status: BookingStatus,
    pub summary: Summary,
    pub amount: Money,
    pub base_fare: Money,
    pub public_fare: Money,
    pub product: P,
    /// How the price came about: one sale for each supplier order.
    pub sales: Vec<Sale>,
    pub failure: Option<String>,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// When the supplier confirmed it, UTC.
    pub booked_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    /// When it was forgotten whom it was for, UTC.
    pub people_erased_at: Option<DateTime<Utc>>,
}

/// A booking as it is stored: what was bought, and the sealed row of whom it is for.
#[derive(Debug)]
pub struct StoredBooking {
    pub booking: Booking<()>,
    /// What was bought, as it stands there.
    pub product: JsonText,
    /// None of one that was written before people were sealed: then `product` names them.
    pub people: Option<SealedRow>,
}

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
    pub passenger_count: i32,
}

#[derive(Clone, Debug)]
pub struct Order<O> {
    /// Its number in the booking, from 1.
    pub number: u16,
    pub reference: OrderReference,
    pub supplier: String,
    pub status: OrderStatus,
    /// The supplier's id of it, once known.
    pub supplier_order_id: Option<String>,
    /// The supplier's last answer about it.
    pub content: Option<O>,
    /// When it should be polled, UTC; none when nothing is awaited.
    pub next_poll_at: Option<DateTime<Utc>>,
    /// What became of its hold; none of one that was never held.
    pub hold: Option<OrderHold>,
    /// The travel that it is watched for next, UTC; none while something else is awaited of it.
    pub travel_at: Option<DateTime<Utc>>,
    /// When its travel ends, UTC; none of one that was made before orders were watched.
    pub travel_ends: Option<DateTime<Utc>>,
    /// What was given back of it, part by part; of an order that was given back whole, nothing.
    pub given_back: Vec<GivenBackPart>,
}

/// A part of an order that was given back while more of the order stood, and what was paid for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenBackPart {
    pub part: OrderPart,
    pub paid: Paid,
}

impl<O> Order<O> {
    /// What stands of it, which was sold as this.
    pub fn remaining(&self, whole: &OrderPart) -> OrderPart {
        whole.without(self.given_back.iter().map(|given_back| &given_back.part))
    }

    /// What was paid for what stands of it, which was sold for this.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn left_of(&self, sale: &Sale) -> Result<Paid, MoneyError> {
        Paid::of(sale)?.without(self.given_back.iter().map(|given_back| &given_back.paid))
    }

    /// The same order before the supplier has said anything of it.
    pub fn without_content<Q>(&self) -> Order<Q> {
        Order {
            number: self.number,
            reference: self.reference.clone(),
            supplier: self.supplier.clone(),
            status: self.status,
            supplier_order_id: self.supplier_order_id.clone(),
            content: None,
            next_poll_at: self.next_poll_at,
            hold: self.hold,
            travel_at: self.travel_at,
            travel_ends: self.travel_ends,
            given_back: self.given_back.clone(),
        }
    }
}

impl Order<JsonText> {
    /// The same order with its content read.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when it is not what the code writes.
    pub fn read<O: DeserializeOwned + Clone + 'static>(self) -> Result<Order<O>> {
        let order = self.without_content();
        let content = self.content.map(|content| content.read("supplier_orders.content"));
        Ok(Order { content: content.transpose()?, ..order })
    }
}

/// The columns that a new booking is written with and each is read from: name, type, and what it is written from.
macro_rules! columns {
    ($name:ident of ($from:ident: $from_type:ty) { $($column:ident: $type:ty = $value:expr,)* }) => {
        #[derive(Queryable, Selectable, Serialize)]
        #[diesel(table_name = bookings, check_for_backend(diesel::pg::Pg))]
        pub(crate) struct $name {
            $($column: $type,)*
        }

        impl $name {
            /// Their names, each with a comma behind it.
            pub(crate) const NAMES: &'static str = concat!($(stringify!($column), ", "),*);

            pub(crate) fn of($from: &$from_type) -> Self {
                Self { $($column: $value,)* }
            }
        }
    };
}

columns! {
    BookingColumns of (booking: Booking<()>) {
        org_id: Uuid = booking.organization.uuid(),
        id: Uuid = booking.id.uuid(),
        booking_ref: String = booking.reference.to_string(),
        product: String = booking.kind.as_ref().to_owned(),
        user_id: Uuid = booking.user.uuid(),
        user_name: String = booking.user_name.clone(),
        wallet_id: Uuid = booking.wallet.uuid(),
        hold_id: Uuid = booking.hold.uuid(),
        quote_id: Uuid = booking.quote.uuid(),
        status: String = booking.status.as_ref().to_owned(),
        provider: String = booking.summary.provider.clone(),
        pnr: String = booking.summary.pnr.clone(),
        origin: String = booking.summary.origin.clone(),
        destination: String = booking.summary.destination.clone(),
        passenger_count: i32 = booking.summary.passenger_count,
        currency: String = booking.amount.currency().code().to_owned(),
        base_fare: Decimal = booking.base_fare.amount(),
        public_fare: Decimal = booking.public_fare.amount(),
        amount: Decimal = booking.amount.amount(),
        failure: Option<String> = booking.failure.clone(),
        created_at: DateTime<Utc> = booking.created_at,
        booked_at: Option<DateTime<Utc>> = booking.booked_at,
        cancelled_at: Option<DateTime<Utc>> = booking.cancelled_at,
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = bookings, check_for_backend(diesel::pg::Pg))]
pub(super) struct Row {
    #[diesel(embed)]
    columns: BookingColumns,
    pricing: JsonText,
}

impl<P> Booking<P> {
    /// What its `number`-th supplier order (from 1) is sold for.
    pub fn sale(&self, number: u16) -> Option<&Sale> {
        self.sales.get(usize::from(number).checked_sub(1)?)
    }

    /// The same booking of something else, which was what was bought all along.
    pub fn with<Q>(self, product: Q) -> Booking<Q> {
        Booking {
            id: self.id,
            reference: self.reference,
            kind: self.kind,
            organization: self.organization,
            user: self.user,
            user_name: self.user_name,
            wallet: self.wallet,
            hold: self.hold,
            quote: self.quote,
            status: self.status,
            summary: self.summary,
            amount: self.amount,
            base_fare: self.base_fare,
            public_fare: self.public_fare,
            product,
            sales: self.sales,
            failure: self.failure,
            created_at: self.created_at,
            booked_at: self.booked_at,
            cancelled_at: self.cancelled_at,
            people_erased_at: self.people_erased_at,
        }
    }
}

impl TryFrom<Row> for Booking<()> {
    type Error = StoreError;
    fn try_from(Row { columns: row, pricing }: Row) -> Result<Self> {
        let unit = currency(&row.currency)?;
        Ok(Self {
            id: BookingId::from_uuid(row.id),
            reference: BookingRef::from(row.booking_ref),
            kind: word("bookings.product", &row.product)?,
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
            product: (),
            sales: pricing.read("bookings.pricing")?,
            failure: row.failure,
            created_at: row.created_at,
            booked_at: row.booked_at,
            cancelled_at: row.cancelled_at,
            people_erased_at: None,
        })
    }
}

pub(super) type StoredRow = (Row, JsonText, Option<people::Row>);

/// Bookings, each with its sealed row of people.
#[diesel::dsl::auto_type(no_type_alias)]
pub(super) fn with_people() -> _ {
    bookings::table.left_join(
        booking_people::table.on(booking_people::org_id
            .eq(bookings::org_id)
            .and(booking_people::booking_id.eq(bookings::id))
            .and(booking_people::kind.eq("people"))),
    )
}

pub(super) fn stored((row, product, people): StoredRow) -> Result<StoredBooking> {
    Ok(StoredBooking { booking: row.try_into()?, product, people: people.map(SealedRow::from) })
}

/// The booking of this reference, if it is in scope.
#[boxed]
pub async fn find(
    connection: &mut AsyncPgConnection,
    product: ProductKind,
    scope: Scope,
    reference: &BookingRef,
) -> Result<Option<StoredBooking>> {
    // No text of PostgreSQL's has a NUL, so that asking for one is an error and not an empty answer.
    if reference.as_ref().contains('\0') {
        return Ok(None);
    }
    // It is found by its reference: what else must be so is said in a way that no index of lists is entered by.
    let mut query = with_people()
        .filter(bookings::org_id.eq(scope.organization().uuid()))
        .filter(bookings::booking_ref.eq(reference.as_ref()))
        .filter(bookings::product.is_not_distinct_from(product.as_ref()))
        .into_boxed();
    if let Some(user) = scope.user() {
        query = query.filter(bookings::user_id.is_not_distinct_from(user.uuid()));
    }
    let row = query
        .select((Row::as_select(), bookings::product_content, Option::<people::Row>::as_select()))
        .first(connection)
        .await
        .optional()?;
    row.map(stored).transpose()
}

/// The booking of this reference, whichever agency's it is: only the operator may ask so.
#[boxed]
pub async fn of_any_agency(
    connection: &mut AsyncPgConnection,
    reference: &BookingRef,
) -> Result<Option<Booking<()>>> {
    if reference.as_ref().contains('\0') {
        return Ok(None);
    }
    let row: Option<Row> = bookings::table
        .filter(bookings::booking_ref.eq(reference.as_ref()))
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    row.map(TryInto::try_into).transpose()
}

/// The booking of this id.
///
/// # Errors
/// When there is no such booking.
#[boxed]
pub async fn by_id(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: BookingId,
) -> Result<Booking<()>> {
    let row: Row = bookings::table
        .find((organization.uuid(), id.uuid()))
        .select(Row::as_select())
        .first(connection)
        .await?;
    row.try_into()
}

/// The booking of this id with what was bought.
///
/// # Errors
/// When there is no such booking.
#[boxed]
pub async fn whole_by_id(
    connection: &mut AsyncPgConnection,
    product: ProductKind,
    organization: OrganizationId,
    id: BookingId,
) -> Result<StoredBooking> {
    let row = with_people()
        .filter(bookings::org_id.eq(organization.uuid()))
        .filter(bookings::id.eq(id.uuid()))
        .filter(bookings::product.eq(product.as_ref()))
        .select((Row::as_select(), bookings::product_content, Option::<people::Row>::as_select()))
        .first(connection)
        .await?;
    stored(row)
}

/// The booking, locked until the transaction ends: nobody else opens or closes anything on it meanwhile.
///
/// # Errors
/// When there is no such booking.
#[boxed]
pub async fn lock(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: BookingId,
) -> Result<Booking<()>> {
    let row: Row = bookings::table
        .find((organization.uuid(), id.uuid()))
        .select(Row::as_select())
        .for_update()
        .first(connection)
        .await?;
    row.try_into()
}

/// A step that is to be closed, with its booking.
#[derive(Clone, Debug)]
pub struct Locked {
    pub step: StepId,
    /// Whether nobody has closed it yet.
    pub open: bool,
    pub booking: Booking<()>,
}

/// These steps with their bookings, locked until the transaction ends: nobody else closes them. Their wallets are
/// locked before ([`crate::money::wallets::lock_for`]).
#[boxed]
pub async fn lock_for(mut connection: &AsyncPgConnection, closing: &[&Step]) -> Result<Vec<Locked>> {
    if closing.is_empty() {
        return Ok(Vec::new());
    }
    let steps: Vec<_> = closing.iter().map(|step| (step.organization, step.id)).collect();
    let rows: Vec<(Uuid, String, Row)> = effects::table
        .inner_join(
            bookings::table
                .on(bookings::org_id.eq(effects::org_id).and(bookings::id.eq(effects::booking_id))),
        )
        .filter(pairs_in("effects.org_id, effects.id", &steps))
        // Always in the same order, so that two who lock several wait for each other and not both for ever.
        .order((bookings::id, effects::id))
        .select((effects::id, effects::state, Row::as_select()))
        .for_update()
        .load(&mut connection)
        .await?;
    rows.into_iter()
        .map(|(step, state, booking)| {
            Ok(Locked { step: StepId::from_uuid(step), open: state == "open", booking: booking.try_into()? })
        })
        .collect()
}

type OrderRow = (
    Uuid,
    i16,
    String,
    String,
    String,
    Option<String>,
    Option<JsonText>,
    Option<DateTime<Utc>>,
    HoldRow,
    (Option<DateTime<Utc>>, Option<DateTime<Utc>>, Option<JsonText>),
);

/// The supplier orders of these bookings in order of their numbers.
#[boxed]
pub async fn orders_of(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, Vec<Order<JsonText>>>> {
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<OrderRow> = supplier_orders::table
        .filter(pairs_in("supplier_orders.org_id, supplier_orders.booking_id", of))
        .order((supplier_orders::booking_id, supplier_orders::number))
        .select((
            supplier_orders::booking_id,
            supplier_orders::number,
            supplier_orders::reference,
            supplier_orders::supplier,
            supplier_orders::status,
            supplier_orders::supplier_order_id,
            supplier_orders::content,
            supplier_orders::next_poll_at,
            order_holds::COLUMNS,
            (supplier_orders::travel_at, supplier_orders::travel_ends, supplier_orders::given_back),
        ))
        .load(&mut connection)
        .await?;
    let mut orders: HashMap<_, Vec<_>> = HashMap::new();
    for (
        booking,
        number,
        reference,
        supplier,
        status,
        supplier_order_id,
        content,
        next_poll_at,
        hold,
        travel,
    ) in rows
    {
        let (travel_at, travel_ends, given_back) = travel;
        let given_back = given_back.map(|parts| parts.read("supplier_orders.given_back"));
        let order = Order {
            number: number_from(number),
            reference: OrderReference::from(reference),
            supplier,
            status: word("supplier_orders.status", &status)?,
            supplier_order_id,
            content,
            next_poll_at,
            hold: OrderHold::of_row(hold)?,
            travel_at,
            travel_ends,
            given_back: given_back.transpose()?.unwrap_or_default(),
        };
        let booking = BookingId::from_uuid(booking);
        orders.entry(booking).or_default().push(order);
    }
    Ok(orders)
}

/// The booking's supplier orders in order of their numbers.
pub async fn orders<P: Product>(
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
) -> Result<Vec<Order<P::Order>>> {
    let mut orders = orders_of(connection, &[(booking.organization, booking.id)]).await?;
    let orders = orders.remove(&booking.id).unwrap_or_default();
    orders.into_iter().map(Order::read).collect()
}
