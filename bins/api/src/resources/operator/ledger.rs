//! Proofs of the ledger, and the trial balance.

use actix_web::web::Path;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{AgencyCode, Amount, Currency, PageRequest, VerificationId, VerificationState};
use wayfare_operations::{
    AccountSums,
    access::operators::{Finance, Viewer},
    operator::{self, CurrencySums, TrialBalance, Verification},
};

use crate::{
    http::{
        App,
        extract::{Ask, Nothing, Query},
        query::{FromQuery, Parameters},
        reply::{Data, Paged, Replied, data, paged},
    },
    resources::common::{CurrencyCode, record_id},
};

/// `POST /ledger/verifications`.
pub async fn begin(app: App, ask: Ask<Finance, Nothing>) -> Replied<Data<VerificationView, 202>> {
    let begun = operator::begin_verification(&app, &ask.who).await?;
    data(VerificationView::from(begun))
}

/// `GET /ledger/verifications`.
pub async fn list(app: App, ask: Ask<Viewer, Query<PageRequest>>) -> Replied<Paged<VerificationView>> {
    let Query(page) = ask.what;
    paged(operator::verifications(&app, page).await?, VerificationView::from)
}

/// `GET /ledger/verifications/{id}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, id: Path<String>) -> Replied<Data<VerificationView>> {
    let found = operator::verification(&app, record_id(&id)?).await?;
    data(VerificationView::from(found))
}

/// `GET /trial-balance`.
pub async fn trial_balance(app: App, ask: Ask<Finance, Query<OfAgency>>) -> Replied<Data<TrialBalanceView>> {
    let Query(OfAgency(agency)) = ask.what;
    let found = operator::trial_balance(&app, agency.as_ref()).await?;
    data(TrialBalanceView::from(found))
}

/// Of which agency; of all where none is named.
pub struct OfAgency(Option<AgencyCode>);

impl FromQuery for OfAgency {
    fn read(query: &mut Parameters) -> Self {
        Self(query.text("agency").map(AgencyCode::from))
    }
}

/// A proof of the ledger.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LedgerVerification")]
pub struct VerificationView {
    /// Its id.
    id: VerificationId,
    /// How far it is.
    state: VerificationState,
    /// The username of the operator who asked for it; null at the command line.
    by: Option<String>,
    /// When it began, UTC: it sees what was committed then.
    started_at: DateTime<Utc>,
    /// What the program was built from that proves; `unknown` where nobody has said so.
    commit: String,
    /// Entries that need not be looked at any more: checked, or behind a wrong one of their wallet.
    read: i64,
    /// All entries that there should be, by what the wallets say; 0 until that is known.
    total: i64,
    /// How long it took up to its end, or to the last word of it.
    elapsed_ms: i64,
    /// Wallets that were added up again; null until it is done.
    wallets: Option<i64>,
    /// How much does not agree; null until it is done.
    found: Option<i64>,
    /// The first of what does not agree; null where all does, or it is not known.
    first_fault: Option<String>,
    /// When it ended, UTC. Of a lost one: until when its server was believed to live.
    ended_at: Option<DateTime<Utc>>,
}

impl From<Verification> for VerificationView {
    fn from(of: Verification) -> Self {
        Self {
            id: of.id,
            state: of.state,
            by: of.by,
            started_at: of.started_at,
            commit: of.commit,
            read: of.read,
            total: of.total,
            elapsed_ms: of.elapsed_ms,
            wallets: of.wallets,
            found: of.found,
            first_fault: of.first_fault,
            ended_at: of.ended_at,
        }
    }
}

/// What stands on the accounts of the books.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrialBalance")]
pub struct TrialBalanceView {
    /// Each account, by currency and name; the customers' wallets as one.
    accounts: Vec<AccountView>,
    /// All accounts of each currency.
    totals: Vec<CurrencyTotal>,
    /// What does not agree, for people; empty when all does.
    problems: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrialBalanceAccount")]
struct AccountView {
    /// Its name: `funding`, `supplier:duffel`; `wallets` for all customers' wallets together.
    account: String,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    /// How many accounts these are.
    count: i64,
    /// Of all its debits.
    debits: Amount,
    /// Of all its credits.
    credits: Amount,
    /// Credits less debits.
    balance: Amount,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrialBalanceTotal")]
struct CurrencyTotal {
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    /// Of all debits.
    debits: Amount,
    /// Of all credits: as much, or the books are wrong.
    credits: Amount,
}

impl From<TrialBalance> for TrialBalanceView {
    fn from(of: TrialBalance) -> Self {
        Self {
            accounts: of.accounts.into_iter().map(AccountView::from).collect(),
            totals: of.totals.into_iter().map(CurrencyTotal::from).collect(),
            problems: of.problems,
        }
    }
}

impl From<AccountSums> for AccountView {
    fn from(of: AccountSums) -> Self {
        Self {
            currency: of.debits.currency(),
            count: of.accounts,
            debits: of.debits.number(),
            credits: of.credits.number(),
            balance: Amount(of.credits.amount() - of.debits.amount()),
            account: of.account,
        }
    }
}

impl From<CurrencySums> for CurrencyTotal {
    fn from(of: CurrencySums) -> Self {
        Self { currency: of.currency, debits: Amount(of.debits), credits: Amount(of.credits) }
    }
}
