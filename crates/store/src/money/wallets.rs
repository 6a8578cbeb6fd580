//! Customer wallets as they are read: whose they are and what stands in them.

use std::collections::HashMap;

use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, QueryResult, Queryable,
    QueryableByName, Selectable, SelectableHelper, dsl,
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{Array, Nullable, Text, Untyped, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{Currency, Money, Organization, OrganizationId, ProductKind, UserId, WalletId};
use wayfare_ledger::{Seal, Wallet};

use crate::{
    Result, StoreError,
    access::{organizations::Row as OrganizationRow, settings::LOW_BALANCE_ALERT},
    booking::steps::Step,
    error::{currency, money, word},
    schema::{bookings, organizations, users, wallets},
    statements::{Write as _, row_value_in::pairs_in},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The organization itself; its admins pay from it.
    Organization(OrganizationId),
    User(OrganizationId, UserId),
}

impl Owner {
    pub fn organization(self) -> OrganizationId {
        match self {
            Self::Organization(organization) | Self::User(organization, _) => organization,
        }
    }

    /// `owner_type` in the API.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Organization(_) => "org",
            Self::User(..) => "user",
        }
    }

    /// `owner_id` in the API.
    pub fn uuid(self) -> Uuid {
        match self {
            Self::Organization(organization) => organization.uuid(),
            Self::User(_, user) => user.uuid(),
        }
    }
}

#[derive(Queryable, QueryableByName, Selectable)]
#[diesel(table_name = wallets, check_for_backend(diesel::pg::Pg))]
pub(crate) struct Row {
    pub(crate) id: Uuid,
    currency: String,
    balance: Decimal,
    held: Decimal,
    credit_limit: Decimal,
    is_active: bool,
    pub(crate) sequence: i64,
    head: Vec<u8>,
}

impl TryFrom<Row> for Wallet {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self> {
        let currency = currency(&row.currency)?;
        Ok(Self {
            id: WalletId::from_uuid(row.id),
            balance: money("wallets.balance", row.balance, currency)?,
            held: money("wallets.held", row.held, currency)?,
            credit_limit: money("wallets.credit_limit", row.credit_limit, currency)?,
            is_active: row.is_active,
            sequence: row.sequence,
            head: seal(&row.head)?,
        })
    }
}

pub(crate) fn seal(bytes: &[u8]) -> Result<Seal> {
    let bytes: [u8; 32] = bytes
        .try_into()
        .map_err(|_| StoreError::Corrupt { what: "seal", value: format!("{} bytes", bytes.len()) })?;
    Ok(Seal(bytes))
}

/// Opens an empty wallet for the owner.
///
/// # Errors
/// A unique violation when the owner has one.
#[boxed]
pub async fn open(
    connection: &mut AsyncPgConnection,
    owner: Owner,
    id: WalletId,
    currency: Currency,
) -> Result<()> {
    diesel::insert_into(wallets::table)
        .values((
            wallets::org_id.eq(owner.organization().uuid()),
            wallets::id.eq(id.uuid()),
            wallets::owner_type.eq(owner.kind()),
            wallets::owner_id.eq(owner.uuid()),
            wallets::currency.eq(currency.code()),
            wallets::balance.eq(Decimal::ZERO),
            wallets::held.eq(Decimal::ZERO),
            wallets::credit_limit.eq(Decimal::ZERO),
            wallets::is_active.eq(true),
            wallets::sequence.eq(0),
            wallets::head.eq(Seal::START.0.as_slice()),
        ))
        .write(connection)
        .await
}

/// Gives all wallets of the agency this currency, and locks them until the transaction ends.
#[boxed]
pub async fn set_currency(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    currency: Currency,
) -> Result<()> {
    diesel::update(wallets::table.filter(wallets::org_id.eq(organization.uuid())))
        .set(wallets::currency.eq(currency.code()))
        .write(connection)
        .await
}

/// Whether money was ever moved or set aside in a wallet of the agency, or may be spent on credit.
#[boxed]
pub async fn were_used(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<bool> {
    let organization = organization.uuid();
    let moved_or_lent = wallets::table
        .filter(wallets::org_id.eq(organization))
        .filter(wallets::sequence.gt(0).or(wallets::credit_limit.gt(Decimal::ZERO)));
    // Money is set aside for bookings only.
    let products = [ProductKind::Flight, ProductKind::Hotel].map(|kind| kind.as_ref().to_owned());
    let booked =
        bookings::table.filter(bookings::org_id.eq(organization)).filter(bookings::product.eq_any(products));
    let used = dsl::exists(moved_or_lent).or(dsl::exists(booked));
    Ok(diesel::select(used).get_result(connection).await?)
}

/// Writes what the owner's locked wallet may spend now: its credit limit, and whether it may at all.
///
/// # Errors
/// When the wallet owes more than the limit.
#[boxed]
pub async fn set_terms(connection: &mut AsyncPgConnection, owner: Owner, wallet: &Wallet) -> Result<()> {
    diesel::update(owned(owner))
        .set((
            wallets::credit_limit.eq(wallet.credit_limit.amount()),
            wallets::is_active.eq(wallet.is_active),
        ))
        .write(connection)
        .await
}

#[dsl::auto_type(no_type_alias)]
fn owned(owner: Owner) -> _ {
    let organization: Uuid = owner.organization().uuid();
    let kind: &'static str = owner.kind();
    let id: Uuid = owner.uuid();
    wallets::table.filter(
        wallets::org_id.eq(organization).and(wallets::owner_type.eq(kind)).and(wallets::owner_id.eq(id)),
    )
}

/// The owner's wallet as it stands.
#[boxed]
pub async fn of(connection: &mut AsyncPgConnection, owner: Owner) -> Result<Option<Wallet>> {
    let row = owned(owner).select(Row::as_select()).first(connection).await.optional()?;
    row.map(Wallet::try_from).transpose()
}

/// The owner's wallet, locked until the transaction ends: nobody else moves its money meanwhile.
#[boxed]
pub async fn lock(connection: &AsyncPgConnection, owner: Owner) -> Result<Option<Wallet>> {
    Ok(lock_all(connection, &[owner]).await?.remove(&owner))
}

/// The owners' wallets, locked until the transaction ends, in an order that is always the same. An owner without a
/// wallet is not among them.
#[boxed]
pub async fn lock_all(connection: &AsyncPgConnection, owners: &[Owner]) -> Result<HashMap<Owner, Wallet>> {
    let locked = lock_for(connection, owners, &[]).await?.into_iter();
    Ok(locked.map(|(owner, locked)| (owner, locked.wallet)).collect())
}

/// A wallet that is locked, with all else on which a decision about its money hangs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locked {
    pub wallet: Wallet,
    /// What it may spend is low when it is less than this.
    pub low_balance: Option<LowBalance>,
}

/// The setting `low_balance_alert` of an agency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowBalance {
    /// In the wallet's currency.
    pub threshold: Money,
    text: String,
}

impl LowBalance {
    pub fn stored(&self) -> &str {
        &self.text
    }
}

/// Every agency with its wallet, the oldest first. A wallet whose row makes no sense says so: it must not hide the others.
#[boxed]
pub async fn with_organizations(
    connection: &mut AsyncPgConnection,
) -> Result<Vec<(Organization, Result<Wallet>)>> {
    let rows: Vec<(OrganizationRow, Row)> = organizations::table
        .inner_join(
            wallets::table.on(wallets::org_id
                .eq(organizations::id)
                .and(wallets::owner_id.eq(organizations::id))
                .and(wallets::owner_type.eq("org"))),
        )
        .order(organizations::id)
        .select((OrganizationRow::as_select(), Row::as_select()))
        .load(connection)
        .await?;
    rows.into_iter().map(|(agency, wallet)| Ok((agency.try_into()?, wallet.try_into()))).collect()
}

/// The owners' wallets and those that paid for the bookings of these steps, locked until the transaction ends, in an
/// order that is always the same: two who lock several wait for each other and not both for ever.
#[boxed]
pub async fn lock_for(
    mut connection: &AsyncPgConnection,
    owners: &[Owner],
    closing: &[&Step],
) -> Result<HashMap<Owner, Locked>> {
    #[derive(QueryableByName)]
    #[diesel(table_name = wallets, check_for_backend(diesel::pg::Pg))]
    struct Owned {
        org_id: Uuid,
        owner_type: String,
        owner_id: Uuid,
        #[diesel(sql_type = Nullable<Text>)]
        low_balance: Option<String>,
        #[diesel(embed)]
        row: Row,
    }
    let rows: Vec<Owned> = Lock {
        organizations: owners.iter().map(|owner| owner.organization().uuid()).collect(),
        kinds: owners.iter().map(|owner| owner.kind()).collect(),
        ids: owners.iter().map(|owner| owner.uuid()).collect(),
        closing_organizations: closing.iter().map(|step| step.organization.uuid()).collect(),
        closing: closing.iter().map(|step| step.id.uuid()).collect(),
    }
    .load(&mut connection)
    .await?;
    let mut locked = HashMap::with_capacity(rows.len());
    for owned in rows {
        let owner = owner(owned.org_id, &owned.owner_type, owned.owner_id);
        let wallet = Wallet::try_from(owned.row)?;
        let currency = wallet.balance.currency();
        let low_balance = match owned.low_balance {
            Some(text) => Some(LowBalance { threshold: low_balance(&text, currency)?, text }),
            None => None,
        };
        locked.insert(owner, Locked { wallet, low_balance });
    }
    Ok(locked)
}

#[boxed]
pub async fn owner_by_id(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: WalletId,
) -> Result<Option<Owner>> {
    let row: Option<(String, Uuid)> = wallets::table
        .find((organization.uuid(), wallet.uuid()))
        .select((wallets::owner_type, wallets::owner_id))
        .first(connection)
        .await
        .optional()?;
    Ok(row.map(|(kind, id)| owner(organization.uuid(), &kind, id)))
}

fn owner(organization: Uuid, kind: &str, id: Uuid) -> Owner {
    let organization = OrganizationId::from_uuid(organization);
    match kind {
        "org" => Owner::Organization(organization),
        _ => Owner::User(organization, UserId::from_uuid(id)),
    }
}

/// The setting as money; the agency's currency may have had more decimals when it was set.
fn low_balance(text: &str, currency: Currency) -> Result<Money> {
    Ok(Money::rounded(word("settings.low_balance_alert", text)?, currency))
}

/// The statement of [`lock_for`]: diesel can't say it, and keeps no plan of a text of our own unless it is told so.
struct Lock {
    organizations: Vec<Uuid>,
    kinds: Vec<&'static str>,
    ids: Vec<Uuid>,
    closing_organizations: Vec<Uuid>,
    closing: Vec<Uuid>,
}

impl QueryFragment<Pg> for Lock {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "select w.org_id, w.id, w.owner_type, w.owner_id, w.currency, w.balance, w.held, w.credit_limit, w.is_active, \
             w.sequence, w.head, (select s.value from settings s where s.org_id = w.org_id \
             and s.key = 'low_balance_alert') as low_balance \
             from wallets w where (w.org_id, w.id) in (select o.org_id, o.id from unnest(",
        );
        out.push_bind_param::<Array<SqlUuid>, _>(&self.organizations)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.kinds)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.ids)?;
        out.push_sql(
            ") as a (org_id, owner_type, owner_id) join wallets o using (org_id, owner_type, owner_id)",
        );
        // Two texts rather than one that also looks for nothing: the tables of steps and bookings stay closed.
        if !self.closing.is_empty() {
            out.push_sql(" union select b.org_id, b.wallet_id from unnest(");
            out.push_bind_param::<Array<SqlUuid>, _>(&self.closing_organizations)?;
            out.push_sql(", ");
            out.push_bind_param::<Array<SqlUuid>, _>(&self.closing)?;
            out.push_sql(
                ") as c (org_id, id) join effects e using (org_id, id) \
                 join bookings b on (b.org_id, b.id) = (e.org_id, e.booking_id)",
            );
        }
        out.push_sql(") order by w.id for update");
        Ok(())
    }
}

impl QueryId for Lock {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Lock {
    type SqlType = Untyped;
}

/// This wallet, locked until the transaction ends.
///
/// # Errors
/// When there is no such wallet.
#[boxed]
pub async fn lock_one(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WalletId,
) -> Result<Wallet> {
    let row: Row = wallets::table
        .find((organization.uuid(), id.uuid()))
        .select(Row::as_select())
        .for_update()
        .first(connection)
        .await?;
    row.try_into()
}

/// Whose wallet this is, and under which amount what it may spend is low.
///
/// # Errors
/// When there is no such wallet.
#[boxed]
pub async fn owner_of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
) -> Result<(Owner, Option<Money>)> {
    let (kind, id): (String, Uuid) = wallets::table
        .find((organization.uuid(), wallet.id.uuid()))
        .select((wallets::owner_type, wallets::owner_id))
        .first(connection)
        .await?;
    let set = crate::access::settings::value(connection, organization, LOW_BALANCE_ALERT).await?;
    let set = set.map(|text| low_balance(&text, wallet.balance.currency()));
    Ok((owner(organization.uuid(), &kind, id), set.transpose()?))
}

/// Closes a wallet for good: it pays for nothing any more, not on credit either.
#[boxed]
pub async fn close(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WalletId,
) -> Result<()> {
    diesel::update(wallets::table.find((organization.uuid(), id.uuid())))
        .set(wallets::is_active.eq(false))
        .write(connection)
        .await
}

/// Where money for these wallets goes whose users are deleted: to their organizations' wallets, which are locked
/// until the transaction ends. A wallet whose owner is still there is not among them.
#[boxed]
pub async fn lock_redirects(
    connection: &mut AsyncPgConnection,
    of: &[(OrganizationId, WalletId)],
) -> Result<HashMap<WalletId, Wallet>> {
    let orphans: Vec<(Uuid, Uuid)> = wallets::table
        .inner_join(users::table.on(users::org_id.eq(wallets::org_id).and(users::id.eq(wallets::owner_id))))
        .filter(pairs_in("wallets.org_id, wallets.id", of))
        .filter(users::deleted_at.is_not_null())
        .select((wallets::id, wallets::org_id))
        .load(connection)
        .await?;
    if orphans.is_empty() {
        return Ok(HashMap::new());
    }
    let owner = |organization: Uuid| Owner::Organization(OrganizationId::from_uuid(organization));
    let owners: Vec<Owner> = orphans.iter().map(|(_, organization)| owner(*organization)).collect();
    let locked = lock_all(connection, &owners).await?;
    let redirect = |(orphan, organization): (Uuid, Uuid)| {
        let wallet = locked.get(&owner(organization))?;
        Some((WalletId::from_uuid(orphan), wallet.clone()))
    };
    Ok(orphans.into_iter().filter_map(redirect).collect())
}
