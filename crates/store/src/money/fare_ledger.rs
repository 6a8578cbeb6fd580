//! The fare ledger: a row for each supplier order when its booking is confirmed, and one for whatever becomes of it later.

use chrono::{DateTime, Utc};
use diesel::{
    AggregateExpressionMethods, BoolExpressionMethods, ExpressionMethods, PgExpressionMethods, QueryDsl,
    SelectableHelper,
    dsl::{self, count, count_star, sum},
    pg::Pg,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use wayfare_domain::{
    BookingId, BookingRef, Currency, FareKind, FareTransactionId, Money, MoneyError, OrganizationId, Page,
    PageRequest, ProductKind, Scope, TransferId, UserId,
};

use crate::{
    Result,
    error::money,
    schema::fare_transactions::{self, table},
    statements::stored,
};

stored! {
    /// One row; amounts in the wallet's currency, negative on a refund (P-24, P-84).
    #[derive(Clone, Debug)]
    pub struct FareTransaction of fare_transactions {
        pub id: FareTransactionId,
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        pub reference: BookingRef = booking_ref,
        pub product: ProductKind,
        /// What the row stands for; none in rows of before.
        pub kind: Option<FareKind>,
        /// The number of the supplier order; none in rows of before, which are of the whole booking.
        pub number: Option<u16>,
        pub pnr: String,
        pub provider: String,
        pub user: UserId = user_id,
        pub user_name: String,
        pub issued_at: DateTime<Utc>,
        /// The movement on the wallet that it stands for; none where nothing moved.
        pub transfer: Option<TransferId> = transfer_id,
    } in currency {
        pub public_fare: Money,
        /// What the wallet paid or got back.
        pub agent_fare: Money,
        /// What was bought beside the fare, later too, or came back of it: in no sum of the ledger (D-75).
        pub ancillary: Money,
        /// What the agency earned or lost again.
        pub agent_commission: Money,
        pub markup: Money,
        /// What the supplier's account in the ledger got, or gave below zero; none in rows of before.
        pub supplier_amount: Option<Money>,
    }
}

/// Whose rows, from this instant on until before that one.
#[derive(Clone, Copy, Debug)]
pub struct FareFilter {
    pub scope: Scope,
    pub since: DateTime<Utc>,
    /// Until before when.
    pub before: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug)]
pub struct FareSums {
    /// What the travellers' bills said, less what was refunded.
    pub public_fare: Money,
    /// What wallets paid, less what they got back.
    pub agent_fare: Money,
    /// What wallets paid beside the fares, less what came back.
    pub ancillary: Money,
    pub agent_commission: Money,
    /// What packages added or took, less what refunds took back.
    pub markup: Money,
    pub count: i64,
}

impl FareSums {
    /// What the agency paid beyond the public fares less its commission: the platform's fees, and what of cancelled bookings
    /// stayed with suppliers.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn charges(&self) -> Result<Money, MoneyError> {
        self.agent_fare.plus(self.agent_commission)?.minus(self.public_fare)
    }
}

#[derive(Clone, Debug)]
pub struct SupplierFares {
    pub provider: String,
    /// What the travellers' bills said, less what was refunded.
    pub public_fare: Money,
    /// What wallets paid, less what they got back.
    pub agent_fare: Money,
    pub markup: Money,
    /// How many bookings the rows are of.
    pub bookings: i64,
}

/// From this instant on until before that one, without what is the operator's alone: losses that were written off.
#[dsl::auto_type(no_type_alias)]
fn within(since: DateTime<Utc>, before: DateTime<Utc>) -> _ {
    let operators: &'static str = FareKind::WriteOff.into();
    fare_transactions::issued_at
        .ge(since)
        .and(fare_transactions::issued_at.lt(before))
        .and(fare_transactions::kind.is_distinct_from(operators))
}

fn filtered(filter: FareFilter) -> fare_transactions::BoxedQuery<'static, Pg> {
    let query = table
        .filter(fare_transactions::org_id.eq(filter.scope.organization().uuid()))
        .filter(within(filter.since, filter.before))
        .into_boxed();
    match filter.scope.user() {
        Some(user) => query.filter(fare_transactions::user_id.eq(user.uuid())),
        None => query,
    }
}

/// A page of rows, newest first, and the sums of all pages, in this currency: two statements, which the caller's
/// transaction holds together.
#[boxed]
pub async fn page(
    connection: &mut AsyncPgConnection,
    filter: FareFilter,
    unit: Currency,
    request: PageRequest,
) -> Result<(FareSums, Page<FareTransaction>)> {
    type Sum = Option<Decimal>;
    type Sums = (Sum, Sum, Sum, Sum, Sum, i64);
    let (public_fare, agent_fare, ancillary, agent_commission, markup, total): Sums = filtered(filter)
        .select((
            sum(fare_transactions::public_fare),
            sum(fare_transactions::agent_fare),
            sum(fare_transactions::ancillary),
            sum(fare_transactions::agent_commission),
            sum(fare_transactions::markup),
            count_star(),
        ))
        .first(connection)
        .await?;
    let items = filtered(filter)
        .order((fare_transactions::issued_at.desc(), fare_transactions::id.desc()))
        .limit(i64::from(request.per_page))
        .offset(request.offset())
        .select(FareTransaction::as_select())
        .load(connection)
        .await?;
    let summed = |amount: Option<Decimal>| money("fare_transactions", amount.unwrap_or_default(), unit);
    let sums = FareSums {
        public_fare: summed(public_fare)?,
        agent_fare: summed(agent_fare)?,
        ancillary: summed(ancillary)?,
        agent_commission: summed(agent_commission)?,
        markup: summed(markup)?,
        count: total,
    };
    Ok((sums, Page { items, request, total }))
}

/// What the agency bought at each supplier from `since` until before `before`, in order of their codes, in this
/// currency: one statement.
#[boxed]
pub async fn by_supplier(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    (since, before): (DateTime<Utc>, DateTime<Utc>),
    unit: Currency,
) -> Result<Vec<SupplierFares>> {
    type Sums = (String, Option<Decimal>, Option<Decimal>, Option<Decimal>, i64);
    let mut rows: Vec<Sums> = table
        .filter(fare_transactions::org_id.eq(organization.uuid()))
        .filter(within(since, before))
        .group_by(fare_transactions::provider)
        .select((
            fare_transactions::provider,
            sum(fare_transactions::public_fare),
            sum(fare_transactions::agent_fare),
            sum(fare_transactions::markup),
            count(fare_transactions::booking_id).aggregate_distinct(),
        ))
        .load(connection)
        .await?;
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    let summed = |amount: Option<Decimal>| money("fare_transactions", amount.unwrap_or_default(), unit);
    let read = |(provider, public_fare, agent_fare, markup, bookings): Sums| {
        Ok(SupplierFares {
            provider,
            public_fare: summed(public_fare)?,
            agent_fare: summed(agent_fare)?,
            markup: summed(markup)?,
            bookings,
        })
    };
    rows.into_iter().map(read).collect()
}
