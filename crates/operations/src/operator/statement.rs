//! A wallet's statement: what stood in it, each transaction, what stands in it then.

use chrono::NaiveDate;
use wayfare_boxed::boxed;
use wayfare_contract::{
    Amount,
    operator::{StatementLine, WalletStatement},
};
use wayfare_domain::{Faults, Money};
use wayfare_ledger::Side;
use wayfare_store::money::{
    entries::{self, TransactionFilter, WalletTransaction},
    wallets,
};

use super::money::{WalletOf, find};
use crate::{Error, Platform, Result, tools::calendar::kept_days};

/// Transactions that are read at a time.
const CHUNK: i64 = 2_000;

/// The statement of these days, both included; a bound that is none is none. All of it is held in memory.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency or user; [`Error::Invalid`] for days in the wrong order;
/// [`Error::Internal`] when the transactions don't lead from one balance to the other.
#[boxed]
pub async fn statement(
    platform: &Platform,
    of: &WalletOf,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
) -> Result<WalletStatement> {
    let mut connection = platform.core.database.connection().await?;
    let (agency, owner) = find(&mut connection, of).await?;
    let mut faults = Faults::default();
    let clock = (agency.time_zone, platform.core.clock.now());
    let (since, before) = kept_days(&mut connection, (from, to), clock, &mut faults).await?;
    faults.or(())?;
    let wallet = wallets::of(&mut connection, owner).await?.ok_or(Error::NotFound)?;
    let filter = TransactionFilter { since, before, ..TransactionFilter::default() };
    let (mut transactions, mut last) = (Vec::new(), None);
    loop {
        let chunk =
            entries::transactions_after(&mut connection, agency.id, &wallet, &filter, last, CHUNK).await?;
        let Some((place, _)) = chunk.last() else { break };
        last = Some(*place);
        transactions.extend(chunk.into_iter().map(|(_, transaction)| transaction));
    }
    transactions.reverse();
    let zero = Money::zero(wallet.balance.currency());
    let opening_balance = match (transactions.first(), since) {
        (Some(first), _) => first.balance_before,
        (None, None) => zero,
        (None, Some(since)) => {
            let earlier = TransactionFilter { before: Some(since), ..TransactionFilter::default() };
            let newest =
                entries::transactions_after(&mut connection, agency.id, &wallet, &earlier, None, 1).await?;
            newest.first().map_or(zero, |(_, transaction)| transaction.balance_after)
        }
    };
    let (mut credits, mut debits) = (zero, zero);
    for transaction in &transactions {
        match transaction.side {
            Side::Credit => credits = credits.plus(transaction.amount)?,
            Side::Debit => debits = debits.plus(transaction.amount)?,
        }
    }
    let closing_balance = transactions.last().map_or(opening_balance, |last| last.balance_after);
    if opening_balance.plus(credits)?.minus(debits)? != closing_balance {
        let reason = "the transactions don't lead from the opening to the closing balance: verify the ledger";
        return Err(Error::Internal(reason.to_owned()));
    }
    Ok(WalletStatement {
        agent_id: agency.code.to_string(),
        username: of.username.clone(),
        currency: agency.currency.code().to_owned(),
        timezone: agency.time_zone.name().to_owned(),
        from,
        to,
        opening_balance: amount(opening_balance),
        transactions: transactions.into_iter().map(line).collect(),
        total_credits: amount(credits),
        total_debits: amount(debits),
        closing_balance: amount(closing_balance),
    })
}

fn line(transaction: WalletTransaction) -> StatementLine {
    StatementLine {
        id: transaction.id.uuid(),
        created_at: transaction.at,
        kind: <&str>::from(transaction.side).into(),
        amount: amount(transaction.amount),
        balance_after: amount(transaction.balance_after),
        ref_type: <&str>::from(transaction.reason).to_owned(),
        ref_id: transaction.reference,
        description: transaction.description,
    }
}

fn amount(money: Money) -> Amount {
    Amount(money.amount())
}
