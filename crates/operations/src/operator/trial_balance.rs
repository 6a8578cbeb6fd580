//! The trial balance: what was debited and credited on each account, added up for each currency.

use rust_decimal::Decimal;
use wayfare_boxed::boxed;
use wayfare_contract::{
    Amount,
    operator::{TrialBalance, TrialBalanceAccount, TrialBalanceTotal},
};
use wayfare_domain::{AgencyCode, Currency, MoneyError};
use wayfare_store::money::trial_balance::{self, AccountSums};

use super::agency_of;
use crate::{Platform, Result};

/// The accounts of a currency together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CurrencySums {
    currency: Currency,
    debits: Decimal,
    /// Of all credits: as much, or the books are wrong.
    credits: Decimal,
}

impl CurrencySums {
    fn shown(self) -> TrialBalanceTotal {
        TrialBalanceTotal {
            currency: self.currency.code().to_owned(),
            debits: Amount(self.debits),
            credits: Amount(self.credits),
        }
    }
}

/// The trial balance of every agency or of this one. All of it is read: an audit, not a list.
///
/// # Errors
/// [`crate::Error::NotFound`] for an unknown agency.
#[boxed]
pub async fn trial_balance(platform: &Platform, agency: Option<&AgencyCode>) -> Result<TrialBalance> {
    let mut connection = platform.core.database.connection().await?;
    let organization = match agency {
        Some(agency) => Some(agency_of(&mut connection, agency).await?.id),
        None => None,
    };
    let accounts = trial_balance::account_sums(&mut connection, organization).await?;
    let totals = added_up(&accounts)?;
    Ok(TrialBalance {
        problems: problems(&accounts, &totals),
        accounts: accounts.into_iter().map(shown).collect(),
        totals: totals.into_iter().map(CurrencySums::shown).collect(),
    })
}

fn shown(of: AccountSums) -> TrialBalanceAccount {
    TrialBalanceAccount {
        currency: of.debits.currency().code().to_owned(),
        count: of.accounts,
        debits: Amount(of.debits.amount()),
        credits: Amount(of.credits.amount()),
        balance: Amount(of.credits.amount() - of.debits.amount()),
        account: of.account,
    }
}

fn added_up(accounts: &[AccountSums]) -> Result<Vec<CurrencySums>> {
    let mut totals: Vec<CurrencySums> = Vec::new();
    for of in accounts {
        let (currency, debits, credits) = (of.debits.currency(), of.debits.amount(), of.credits.amount());
        match totals.iter_mut().find(|total| total.currency == currency) {
            Some(total) => {
                let sum = |one: Decimal, more| one.checked_add(more).ok_or(MoneyError::TooLarge);
                total.debits = sum(total.debits, debits)?;
                total.credits = sum(total.credits, credits)?;
            }
            None => totals.push(CurrencySums { currency, debits, credits }),
        }
    }
    Ok(totals)
}

fn problems(accounts: &[AccountSums], totals: &[CurrencySums]) -> Vec<String> {
    let unequal = totals.iter().filter(|total| total.debits != total.credits);
    let unequal = unequal.map(|total| format!("debits and credits in {} differ", total.currency.code()));
    let wallets = accounts.iter().filter_map(|of| {
        let (balance, entries) = (of.balance?.amount(), of.credits.amount() - of.debits.amount());
        let currency = of.credits.currency().code();
        (balance != entries)
            .then(|| format!("wallets hold {balance} {currency}, their entries say {entries}"))
    });
    unequal.chain(wallets).collect()
}

#[cfg(test)]
mod tests {
    use wayfare_domain::Money;

    use super::*;

    fn account(
        name: &str,
        currency: Currency,
        debits: i64,
        credits: i64,
        balance: Option<i64>,
    ) -> AccountSums {
        let money = |units: i64| Money::rounded(Decimal::from(units), currency);
        AccountSums {
            account: name.to_owned(),
            accounts: 1,
            debits: money(debits),
            credits: money(credits),
            balance: balance.map(money),
        }
    }

    #[test]
    fn each_currency_is_added_up_and_what_differs_is_named() {
        let (inr, gbp) = (Currency::INR, Currency::GBP);
        let good = [
            account("funding", inr, 300, 0, None),
            account("wallets", inr, 100, 400, Some(300)),
            account("supplier:duffel", inr, 0, 0, None),
        ];
        let totals = added_up(&good).unwrap();
        let expected =
            CurrencySums { currency: inr, debits: Decimal::from(400), credits: Decimal::from(400) };
        assert_eq!(totals, [expected]);
        assert_eq!(problems(&good, &totals), Vec::<String>::new());
        let bad = [
            account("funding", gbp, 5, 0, None),
            account("wallets", inr, 0, 400, Some(399)),
            account("funding", inr, 400, 0, None),
        ];
        assert_eq!(
            problems(&bad, &added_up(&bad).unwrap()),
            ["debits and credits in GBP differ", "wallets hold 399.00 INR, their entries say 400.00",]
        );
    }
}
