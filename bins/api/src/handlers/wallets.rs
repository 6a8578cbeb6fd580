//! Wallets.

use wayfare_domain::Faults;
use wayfare_operations::{Admin, Caller, wallets};

use super::App;
use crate::{
    extract::{Ask, Nothing, QueryPairs},
    reply::{Replied, data, list},
    views::wallet::{Transaction, Wallet},
};

/// `GET /wallet`.
///
/// # Errors
/// As the error table says.
pub async fn own(app: App, ask: Ask<Caller, Nothing>) -> Replied {
    data(Wallet::from(wallets::own(&app, &ask.who).await?))
}

/// `GET /wallet/transactions`.
///
/// # Errors
/// As the error table says.
pub async fn own_transactions(app: App, ask: Ask<Caller, QueryPairs>) -> Replied {
    let mut faults = Faults::default();
    let page = ask.what.page(&mut faults);
    let page = faults.or(page)?;
    list(
        wallets::own_transactions(&app, &ask.who, page).await?,
        Transaction::from,
    )
}

/// `GET /org/wallet`.
///
/// # Errors
/// As the error table says.
pub async fn of_organization(app: App, ask: Ask<Admin, Nothing>) -> Replied {
    data(Wallet::from(wallets::of_organization(&app, &ask.who).await?))
}
