//! What a wallet's transactions come to: sums, the balances of days, what agents were given.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, QueryDsl,
    dsl::{count_star, sum},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{Currency, Money, OrganizationId, Role, UserId};
use wayfare_ledger::{Side, Wallet};

use crate::{
    Result,
    error::{money, word},
    schema::{entries, users, wallets},
    statements::{Columns, by_name, statement},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    pub credits: Money,
    pub debits: Money,
    pub count: i64,
}

/// What moved on the wallet from one instant until before another: one statement, which reads those rows out of
/// `entries_by_time`.
#[boxed]
pub async fn moves(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
    since: DateTime<Utc>,
    before: DateTime<Utc>,
) -> Result<Moves> {
    let sides: Vec<(String, Option<Decimal>, i64)> = entries::table
        .filter(entries::org_id.eq(organization.uuid()))
        .filter(entries::wallet_id.eq(wallet.id.uuid()))
        .filter(entries::at.ge(since))
        .filter(entries::at.lt(before))
        .group_by(entries::side)
        .select((entries::side, sum(entries::amount), count_star()))
        .load(connection)
        .await?;
    let unit = wallet.balance.currency();
    let mut moves = Moves { credits: Money::zero(unit), debits: Money::zero(unit), count: 0 };
    for (side, total, count) in sides {
        let total = money("entries.amount", total.unwrap_or_default(), unit)?;
        match word("entries.side", &side)? {
            Side::Credit => moves.credits = total,
            Side::Debit => moves.debits = total,
        }
        moves.count += count;
    }
    Ok(moves)
}

/// The wallet's balance at each of these instants, as the last transaction before it left it: one statement, which
/// looks that one up in `entries_by_time`, however many there are.
#[boxed]
pub async fn balances_at(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
    instants: &[DateTime<Utc>],
) -> Result<Vec<Money>> {
    let rows = statement(
        "select coalesce(( \
             select e.balance_after from entries e where e.org_id = $1 and e.wallet_id = $2 and e.at < i.at \
             order by e.at desc, e.sequence desc limit 1), 0) as balance \
         from unnest($3) with ordinality as i (at, number) order by i.number",
        (organization, wallet.id, instants),
    )
    .load(connection)
    .await?;
    let unit = wallet.balance.currency();
    let balance = |Columns(balance)| money("entries.balance_after", balance, unit);
    rows.into_iter().map(balance).collect()
}

/// How many agents the agency has, suspended ones included, and what is in their wallets: one statement.
#[boxed]
pub async fn agents_funds(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    currency: Currency,
) -> Result<(i64, Money)> {
    let (count, total): (i64, Option<Decimal>) = users::table
        .inner_join(
            wallets::table.on(wallets::org_id
                .eq(users::org_id)
                .and(wallets::owner_type.eq("user"))
                .and(wallets::owner_id.eq(users::id))),
        )
        .filter(users::org_id.eq(organization.uuid()))
        .filter(users::role.eq(Role::Agent.as_ref()))
        .filter(users::deleted_at.is_null())
        .select((count_star(), sum(wallets::balance)))
        .first(connection)
        .await?;
    Ok((count, money("wallets.balance", total.unwrap_or_default(), currency)?))
}

/// What is in the wallets of agencies' users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsersFunds {
    pub balance: Decimal,
    pub held: Decimal,
}

/// What is in the wallets of each agency's users, in its currency, or of one agency's: one statement. An agency without any is
/// not there.
#[boxed]
pub async fn users_funds(
    connection: &mut AsyncPgConnection,
    only: Option<OrganizationId>,
) -> Result<HashMap<OrganizationId, UsersFunds>> {
    let mut query = wallets::table
        .filter(wallets::owner_type.eq("user"))
        .group_by(wallets::org_id)
        .select((wallets::org_id, sum(wallets::balance), sum(wallets::held)))
        .into_boxed();
    if let Some(organization) = only {
        query = query.filter(wallets::org_id.eq(organization.uuid()));
    }
    let rows: Vec<(Uuid, Option<Decimal>, Option<Decimal>)> = query.load(connection).await?;
    let funds = |(organization, balance, held): (Uuid, Option<Decimal>, Option<Decimal>)| {
        let funds = UsersFunds { balance: balance.unwrap_or_default(), held: held.unwrap_or_default() };
        (OrganizationId::from_uuid(organization), funds)
    };
    Ok(rows.into_iter().map(funds).collect())
}

by_name! {
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct AgentFunds {
        pub agent: UserId = id,
        pub name: String,
        pub username: String,
        /// When the organization's wallet last gave them something, UTC.
        pub last_allocation: Option<DateTime<Utc>> = last,
        /// Whether they can pay: neither they nor their wallet are suspended.
        pub is_active: bool,
    } in currency {
        pub balance: Money,
        /// The sum of all that the organization's wallet ever gave them.
        pub allocated: Money,
    }
}

/// The agents of the agency, newest first, with what they were given: one statement, which reads their top-ups out of
/// `entries_of_topups`.
#[boxed]
pub async fn funds_of_agents(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<Vec<AgentFunds>> {
    // What came from outside has no other wallet.
    Ok(statement(
        "select u.id, u.name, u.username, w.currency, w.balance, coalesce(given.total, 0) as allocated, given.last, \
             w.is_active and u.status = 'active' as is_active \
         from users u join wallets w on (w.org_id, w.owner_type, w.owner_id) = (u.org_id, 'user', u.id) \
         cross join lateral ( \
             select sum(e.amount) as total, max(e.at) as last from entries e \
             where e.org_id = w.org_id and e.wallet_id = w.id and e.reason = 'topup' and e.side = 'credit' \
                 and exists (select from entries other where (other.org_id, other.transfer_id) = \
                     (e.org_id, e.transfer_id) and other.wallet_id <> e.wallet_id)) as given \
         where u.org_id = $1 and u.role = 'agent' and u.deleted_at is null order by u.id desc",
        organization,
    )
    .load(connection)
    .await?)
}
