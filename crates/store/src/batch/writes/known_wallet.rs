//! A wallet that nobody has locked: it is written only if it stands as it is known, in the statement that writes.

use diesel::{
    QueryResult,
    pg::Pg,
    query_builder::{AstPass, QueryFragment},
    sql_types::{BigInt, Binary, Bool, Nullable, Numeric, Text, Uuid as SqlUuid},
};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_ledger::Wallet;

use crate::money::wallets::{Locked, Owner};

/// All that a decision about a wallet's money hangs on, as it is known, and what the wallet becomes.
pub(super) struct KnownWallet {
    organization: Uuid,
    id: Uuid,
    owner_kind: &'static str,
    owner: Uuid,
    currency: &'static str,
    credit_limit: Decimal,
    is_active: bool,
    low_balance: Option<String>,
    known: Figures,
    after: Figures,
}

struct Figures {
    balance: Decimal,
    held: Decimal,
    sequence: i64,
    head: Vec<u8>,
}

impl Figures {
    fn of(wallet: &Wallet) -> Self {
        Self {
            balance: wallet.balance.amount(),
            held: wallet.held.amount(),
            sequence: wallet.sequence,
            head: wallet.head.0.to_vec(),
        }
    }
}

impl KnownWallet {
    pub(super) fn new(owner: Owner, known: &Locked, after: &Wallet) -> Self {
        let wallet = &known.wallet;
        Self {
            organization: owner.organization().uuid(),
            id: wallet.id.uuid(),
            owner_kind: owner.kind(),
            owner: owner.uuid(),
            currency: wallet.balance.currency().code(),
            credit_limit: wallet.credit_limit.amount(),
            is_active: wallet.is_active,
            low_balance: known.low_balance.as_ref().map(|low| low.stored().to_owned()),
            known: Figures::of(wallet),
            after: Figures::of(after),
        }
    }
}

impl QueryFragment<Pg> for KnownWallet {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("wallets_saved as (update wallets t set balance = ");
        self.after.push(&mut out, [", held = ", ", sequence = ", ", head = "])?;
        out.push_sql(" where t.org_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.organization)?;
        out.push_sql(" and t.id = ");
        out.push_bind_param::<SqlUuid, _>(&self.id)?;
        out.push_sql(" and t.owner_type = ");
        out.push_bind_param::<Text, _>(&self.owner_kind)?;
        out.push_sql(" and t.owner_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.owner)?;
        out.push_sql(" and t.currency = ");
        out.push_bind_param::<Text, _>(&self.currency)?;
        out.push_sql(" and t.credit_limit = ");
        out.push_bind_param::<Numeric, _>(&self.credit_limit)?;
        out.push_sql(" and t.is_active = ");
        out.push_bind_param::<Bool, _>(&self.is_active)?;
        out.push_sql(" and t.balance = ");
        let names = [" and t.held = ", " and t.sequence = ", " and t.head = "];
        self.known.push(&mut out, names)?;
        out.push_sql(" and (select s.value from settings s where s.org_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.organization)?;
        out.push_sql(" and s.key = 'low_balance_alert') is not distinct from ");
        out.push_bind_param::<Nullable<Text>, _>(&self.low_balance)?;
        out.push_sql(" returning 1)");
        Ok(())
    }
}

impl Figures {
    /// The balance, and the others behind their names.
    fn push<'b>(
        &'b self,
        out: &mut AstPass<'_, 'b, Pg>,
        [held, sequence, head]: [&str; 3],
    ) -> QueryResult<()> {
        out.push_bind_param::<Numeric, _>(&self.balance)?;
        out.push_sql(held);
        out.push_bind_param::<Numeric, _>(&self.held)?;
        out.push_sql(sequence);
        out.push_bind_param::<BigInt, _>(&self.sequence)?;
        out.push_sql(head);
        out.push_bind_param::<Binary, _>(&self.head)
    }
}
