//! Money into wallets and out of them, what they may spend, and their statements.

use actix_web::web::Path;
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use wayfare_domain::{AgencyCode, Amount, Currency, MoneyError, TransferId, WalletId};
use wayfare_operations::{
    Error, Wallet, WalletTransaction,
    access::operators::{ConfirmedFinance, OperatorProof, Viewer},
    money::wallets::LONGEST_REASON,
    operator::{self, Statement, Transfer, WalletOf},
};

use crate::{
    http::{
        App,
        extract::{Ask, Body, Keyed, Maybe, Query},
        json_body::{Example, FromJson, JsonObject},
        query::{FromQuery, Parameters},
        reply::{Data, Replied, data},
    },
    resources::common::CurrencyCode,
};

/// `POST /agencies/{code}/wallet/topup`.
pub async fn top_up(
    app: App,
    ask: Ask<ConfirmedFinance, Keyed<Body<MoveBody>>>,
    code: Path<String>,
) -> Replied<Data<Moved>> {
    carry_out(app, ask, code, Transfer::TopUp).await
}

/// `POST /agencies/{code}/wallet/deduct`.
pub async fn deduct(
    app: App,
    ask: Ask<ConfirmedFinance, Keyed<Body<MoveBody>>>,
    code: Path<String>,
) -> Replied<Data<Moved>> {
    carry_out(app, ask, code, Transfer::Deduct).await
}

async fn carry_out(
    app: App,
    ask: Ask<ConfirmedFinance, Keyed<Body<MoveBody>>>,
    code: Path<String>,
    transfer: Transfer,
) -> Replied<Data<Moved>> {
    let (Body(body), key) = (ask.what.body, ask.what.key);
    let of = WalletOf { agency: AgencyCode::from(code.into_inner()), username: body.username };
    let moved = operator::transfer(
        &app,
        ask.who.by(),
        &of,
        transfer,
        body.amount,
        Some(&body.reason),
        key.as_ref().map(|key| key.text()),
    );
    let moved = moved.await?;
    let balance = match transfer {
        Transfer::TopUp => moved.to,
        Transfer::Deduct | Transfer::Deallocate => moved.from,
    };
    let balance = balance.ok_or_else(|| Error::Internal("money was moved in no wallet".to_owned()))?;
    let reply =
        data(Moved { transfer_id: moved.transfer, balance: balance.number(), currency: balance.currency() })?;
    Ok(match moved.repeated {
        true => reply.replayed(),
        false => reply,
    })
}

/// `PUT /agencies/{code}/wallet/credit-limit`.
pub async fn set_credit_limit(
    app: App,
    ask: Ask<ConfirmedFinance, Body<CreditLimitBody>>,
    code: Path<String>,
) -> Replied<Data<WalletView>> {
    let Body(body) = ask.what;
    let of = WalletOf { agency: AgencyCode::from(code.into_inner()), username: body.username };
    let wallet = operator::set_credit_limit(&app, ask.who.by(), &of, body.credit_limit).await?;
    data(WalletView::try_from(wallet).map_err(Error::from)?)
}

/// `POST /agencies/{code}/wallet/freeze`.
pub async fn freeze(
    app: App,
    ask: Ask<ConfirmedFinance, Maybe<WhoseBody>>,
    code: Path<String>,
) -> Replied<Data<WalletView>> {
    set_active(app, ask, code, false).await
}

/// `POST /agencies/{code}/wallet/unfreeze`.
pub async fn unfreeze(
    app: App,
    ask: Ask<ConfirmedFinance, Maybe<WhoseBody>>,
    code: Path<String>,
) -> Replied<Data<WalletView>> {
    set_active(app, ask, code, true).await
}

async fn set_active(
    app: App,
    ask: Ask<ConfirmedFinance, Maybe<WhoseBody>>,
    code: Path<String>,
    active: bool,
) -> Replied<Data<WalletView>> {
    let Maybe(body) = ask.what;
    let of = WalletOf {
        agency: AgencyCode::from(code.into_inner()),
        username: body.and_then(|WhoseBody(username)| username),
    };
    let wallet = operator::set_active(&app, ask.who.by(), &of, active).await?;
    data(WalletView::try_from(wallet).map_err(Error::from)?)
}

/// `GET /agencies/{code}/statement`.
pub async fn statement(
    app: App,
    ask: Ask<Viewer, Query<StatementQuery>>,
    code: Path<String>,
) -> Replied<Data<StatementView>> {
    let Query(wanted) = ask.what;
    let of = WalletOf { agency: AgencyCode::from(code.into_inner()), username: wanted.username };
    let statement = operator::statement(&app, &of, wanted.from, wanted.to).await?;
    data(StatementView::of(statement, of.username, (wanted.from, wanted.to)))
}

/// `POST …/topup` and `…/deduct`.
pub struct MoveBody {
    amount: Decimal,
    reason: String,
    username: Option<String>,
}

impl FromJson for MoveBody {
    const NAME: &str = "MoveMoneyRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let amount = body.decimal("amount");
        let amount = body.required("amount", amount);
        let reason = body.label("reason", LONGEST_REASON);
        let username = whose(body);
        Some(Self { amount: amount?, reason: reason?, username })
    }

    fn examples() -> Vec<Example> {
        vec![
            ("organization", json!({ "amount": 250000, "reason": "NEFT N123 of 4 January" })),
            ("agent", json!({ "amount": 5000.50, "reason": "cash at the desk", "username": "bina" })),
        ]
    }
}

/// `PUT …/credit-limit`.
pub struct CreditLimitBody {
    credit_limit: Decimal,
    username: Option<String>,
}

impl FromJson for CreditLimitBody {
    const NAME: &str = "SetCreditLimitRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let limit = body.decimal("credit_limit");
        let credit_limit = body.required("credit_limit", limit);
        let username = whose(body);
        Some(Self { credit_limit: credit_limit?, username })
    }

    fn examples() -> Vec<Example> {
        vec![
            ("organization", json!({ "credit_limit": 100000 })),
            ("agent", json!({ "credit_limit": 0, "username": "bina" })),
        ]
    }
}

/// `POST …/freeze` and `…/unfreeze`.
pub struct WhoseBody(Option<String>);

impl FromJson for WhoseBody {
    const NAME: &str = "WhoseWalletRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self(whose(body)))
    }

    fn examples() -> Vec<Example> {
        vec![("organization", json!({})), ("agent", json!({ "username": "bina" }))]
    }
}

/// Whose wallet is meant; the organization's where nobody is named.
fn whose(body: &mut JsonObject<'_>) -> Option<String> {
    match body.has("username") {
        true => body.text("username", 64),
        false => None,
    }
}

/// Which statement is wanted.
pub struct StatementQuery {
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    username: Option<String>,
}

impl FromQuery for StatementQuery {
    fn read(query: &mut Parameters) -> Self {
        Self { from: query.date("from"), to: query.date("to"), username: query.text("username") }
    }
}

/// Money that was moved.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MovedMoney")]
pub struct Moved {
    transfer_id: TransferId,
    balance: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
}

/// A wallet as the operator sees it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OperatorWallet")]
pub struct WalletView {
    id: WalletId,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    balance: Amount,
    held: Amount,
    credit_limit: Amount,
    spendable: Amount,
    is_active: bool,
}

impl TryFrom<Wallet> for WalletView {
    type Error = MoneyError;

    fn try_from(wallet: Wallet) -> Result<Self, MoneyError> {
        Ok(Self {
            id: wallet.id,
            currency: wallet.balance.currency(),
            balance: wallet.balance.number(),
            held: wallet.held.number(),
            credit_limit: wallet.credit_limit.number(),
            spendable: wallet.available()?.number(),
            is_active: wallet.is_active,
        })
    }
}

/// What happened in a wallet in some days of the agency's calendar.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WalletStatement")]
pub struct StatementView {
    agent_id: String,
    username: Option<String>,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    timezone: &'static str,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    opening_balance: Amount,
    transactions: Vec<StatementLine>,
    total_credits: Amount,
    total_debits: Amount,
    closing_balance: Amount,
}

#[derive(Serialize, JsonSchema)]
struct StatementLine {
    id: TransferId,
    created_at: DateTime<Utc>,
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["debit", "credit"]))]
    side: &'static str,
    amount: Amount,
    balance_after: Amount,
    #[schemars(extend("enum" = ["topup", "booking", "refund", "deduction"]))]
    ref_type: &'static str,
    ref_id: Option<String>,
    description: String,
}

impl StatementView {
    fn of(
        statement: Statement,
        username: Option<String>,
        (from, to): (Option<NaiveDate>, Option<NaiveDate>),
    ) -> Self {
        Self {
            agent_id: statement.agency.code.to_string(),
            username,
            currency: statement.agency.currency,
            timezone: statement.agency.time_zone.name(),
            from,
            to,
            opening_balance: statement.opening_balance.number(),
            transactions: statement.transactions.into_iter().map(StatementLine::from).collect(),
            total_credits: statement.credits.number(),
            total_debits: statement.debits.number(),
            closing_balance: statement.closing_balance.number(),
        }
    }
}

impl From<WalletTransaction> for StatementLine {
    fn from(transaction: WalletTransaction) -> Self {
        Self {
            id: transaction.id,
            created_at: transaction.at,
            side: transaction.side.into(),
            amount: transaction.amount.number(),
            balance_after: transaction.balance_after.number(),
            ref_type: transaction.reason.into(),
            ref_id: transaction.reference,
            description: transaction.description,
        }
    }
}
