//! Customer wallets as they are read: whose they are and what stands in them.

use diesel::{BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, Selectable};
use diesel::{SelectableHelper, dsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{Currency, OrganizationId, UserId, WalletId};
use wayfare_ledger::{Seal, Wallet};

use crate::{
    StoreError,
    error::{currency, money},
    schema::wallets,
};

/// Whose wallet it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The organization itself; its admins pay from it.
    Organization(OrganizationId),
    /// An agent.
    User(OrganizationId, UserId),
}

impl Owner {
    /// The agency.
    pub fn organization(self) -> OrganizationId {
        match self {
            Self::Organization(organization) | Self::User(organization, _) => organization,
        }
    }

    /// The contract's `owner_type`.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Organization(_) => "org",
            Self::User(..) => "user",
        }
    }

    /// The contract's `owner_id`.
    pub fn uuid(self) -> Uuid {
        match self {
            Self::Organization(organization) => organization.uuid(),
            Self::User(_, user) => user.uuid(),
        }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = wallets, check_for_backend(diesel::pg::Pg))]
pub(crate) struct Row {
    pub(crate) id: Uuid,
    currency: String,
    balance: Decimal,
    held: Decimal,
    credit_limit: Decimal,
    is_active: bool,
    sequence: i64,
    head: Vec<u8>,
}

impl TryFrom<Row> for Wallet {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self, StoreError> {
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

pub(crate) fn seal(bytes: &[u8]) -> Result<Seal, StoreError> {
    let bytes: [u8; 32] = bytes.try_into().map_err(|_| StoreError::Corrupt {
        what: "seal",
        value: format!("{} bytes", bytes.len()),
    })?;
    Ok(Seal(bytes))
}

/// Opens an empty wallet for the owner.
///
/// # Errors
/// A unique violation when the owner has one.
pub async fn open(
    connection: &mut AsyncPgConnection,
    owner: Owner,
    id: WalletId,
    currency: Currency,
) -> Result<(), StoreError> {
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
        .execute(connection)
        .await?;
    Ok(())
}

#[dsl::auto_type(no_type_alias)]
fn owned(owner: Owner) -> _ {
    let organization: Uuid = owner.organization().uuid();
    let kind: &'static str = owner.kind();
    let id: Uuid = owner.uuid();
    wallets::table.filter(
        wallets::org_id
            .eq(organization)
            .and(wallets::owner_type.eq(kind))
            .and(wallets::owner_id.eq(id)),
    )
}

/// The owner's wallet as it stands.
///
/// # Errors
/// When the database can't be asked.
pub async fn of(connection: &mut AsyncPgConnection, owner: Owner) -> Result<Option<Wallet>, StoreError> {
    let row = owned(owner)
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    row.map(Wallet::try_from).transpose()
}

/// The owner's wallet, locked until the transaction ends: nobody else moves its money meanwhile.
///
/// # Errors
/// When the database can't be asked.
pub async fn lock(connection: &mut AsyncPgConnection, owner: Owner) -> Result<Option<Wallet>, StoreError> {
    let row = owned(owner)
        .select(Row::as_select())
        .for_update()
        .first(connection)
        .await
        .optional()?;
    row.map(Wallet::try_from).transpose()
}

/// This wallet, locked until the transaction ends.
///
/// # Errors
/// When the database can't be asked or there is no such wallet.
pub async fn lock_by_id(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WalletId,
) -> Result<Wallet, StoreError> {
    let row: Row = wallets::table
        .find((organization.uuid(), id.uuid()))
        .select(Row::as_select())
        .for_update()
        .first(connection)
        .await?;
    Wallet::try_from(row)
}

/// Writes what a locked wallet has become.
///
/// # Errors
/// When the database can't be asked, or its own guard against overspending refuses.
pub async fn save(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
) -> Result<(), StoreError> {
    diesel::update(wallets::table.find((organization.uuid(), wallet.id.uuid())))
        .set((
            wallets::balance.eq(wallet.balance.amount()),
            wallets::held.eq(wallet.held.amount()),
            wallets::sequence.eq(wallet.sequence),
            wallets::head.eq(wallet.head.0.as_slice()),
        ))
        .execute(connection)
        .await?;
    Ok(())
}
