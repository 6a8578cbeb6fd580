//! The trial balance: what was debited and credited on each account.

use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{Money, OrganizationId};

use crate::{
    Result,
    statements::{by_name, statement},
};

by_name! {
    /// One account in one currency.
    #[derive(Clone, Debug)]
    pub struct AccountSums {
        /// Its name: `supplier:duffel`, `funding`; `wallets` for all customers' wallets together.
        pub account: String,
        /// How many accounts these are: more than one of wallets only.
        pub accounts: i64,
    } in currency {
        pub debits: Money,
        pub credits: Money,
        /// Of wallets: the sum of their balances. It is credits less debits, or the books are wrong.
        pub balance: Option<Money>,
    }
}

const SUMS: &str = "with sums as (
        select case when e.wallet_id is null then e.account else 'wallets' end as account, t.currency,
            count(distinct e.account) as accounts,
            coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debits,
            coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credits
        from entries e join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
        where $1 is null or e.org_id = $1 group by 1, 2),
    held as (select 'wallets' as account, currency, sum(balance) as balance from wallets
        where ($1 is null or org_id = $1) and sequence > 0 group by 2)
    select coalesce(s.account, 'wallets') as account, coalesce(s.currency, w.currency) as currency,
        coalesce(accounts, 0) as accounts, coalesce(debits, 0) as debits, coalesce(credits, 0) as credits,
        case when coalesce(s.account, 'wallets') = 'wallets' then coalesce(balance, 0) end as balance
    from sums s full join held w on (w.account, w.currency) = (s.account, s.currency)
    order by 2, 1";

/// Every account of the agency, or of all agencies, by currency and name. All of it is read: an audit, not a list.
#[boxed]
pub async fn account_sums(
    connection: &mut AsyncPgConnection,
    organization: Option<OrganizationId>,
) -> Result<Vec<AccountSums>> {
    Ok(statement(SUMS, organization).load(connection).await?)
}
