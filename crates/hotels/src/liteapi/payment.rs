//! How bookings are paid: by what we have with LiteAPI. No card passes through us, so the ways for guests' cards are not taken.

use std::sync::{Arc, Mutex, PoisonError};

use wayfare_supply::AccountBalance;

/// How bookings are paid. There is no default: each takes the operator's money from somewhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Payment {
    /// On a credit line, which needs a contract. Always a real booking: a sandbox key has none.
    #[strum(serialize = "CREDIT")]
    Credit,
    /// From money that was paid in before.
    #[strum(serialize = "WALLET")]
    Wallet,
    /// By the card that is kept with the account there. A sandbox key only simulates it.
    #[strum(serialize = "ACC_CREDIT_CARD")]
    AccountCard,
}

impl Payment {
    /// As LiteAPI calls it.
    pub(super) fn method(self) -> &'static str {
        self.into()
    }

    /// Whether it is paid from an account that can be empty.
    pub(super) fn is_from_account(self) -> bool {
        match self {
            Self::Credit | Self::Wallet => true,
            Self::AccountCard => false,
        }
    }

    /// Whether it can be used with a key.
    ///
    /// # Errors
    /// Why it can't.
    pub fn check(self, key: &str) -> Result<(), &'static str> {
        let is_sandbox = ["sand_", "liteapi_test_"].iter().any(|begin| key.starts_with(begin));
        match self {
            Self::Credit if is_sandbox => Err(
                "CREDIT needs a contract and always books for real: with a sandbox key it must be WALLET or ACC_CREDIT_CARD",
            ),
            _ => Ok(()),
        }
    }
}

/// The credit line as a price told of it last, until somebody asks.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenCredit(Arc<Mutex<Option<AccountBalance>>>);

impl SeenCredit {
    /// Remembers it, where it was told.
    pub fn see(&self, told: Option<AccountBalance>) {
        if let Some(told) = told {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
        }
    }

    /// What was seen since somebody asked.
    pub fn take(&self) -> Option<AccountBalance> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_key_has_no_credit() {
        for (payment, key, is_good) in [
            (Payment::Credit, "prod_1234", true),
            (Payment::Credit, "sand_1234", false),
            (Payment::Credit, "liteapi_test_sandbox", false),
            (Payment::Wallet, "sand_1234", true),
            (Payment::AccountCard, "sand_1234", true),
        ] {
            assert_eq!(payment.check(key).is_ok(), is_good, "{payment:?} {key}");
        }
    }
}
