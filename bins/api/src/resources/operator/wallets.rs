//! Money into wallets and out of them, what they may spend, and their statements.

use actix_web::web::Path;
use chrono::NaiveDate;
use wayfare_contract::{
    Amount,
    operator::{MoveMoney, MovedMoney, OperatorWallet, SetCreditLimit, WalletStatement, WhoseWallet},
};
use wayfare_domain::AgencyCode;
use wayfare_operations::{
    Error,
    access::operators::{ConfirmedFinance, OperatorProof, Viewer},
    engine::allocation::LONGEST_REASON,
    operator::{self, Transfer, WalletOf},
};

use crate::http::{
    App,
    extract::{Ask, Body, Keyed, Maybe, Query},
    json_body::{FromJson, JsonObject},
    query::{FromQuery, Parameters},
    reply::{DataReply, data},
};

type AskToMove = Ask<ConfirmedFinance, Keyed<Body<MoveMoney>>>;
type AskOfWallet = Ask<ConfirmedFinance, Maybe<WhoseWallet>>;

/// `POST /agencies/{code}/wallet/topup`.
pub async fn top_up(app: App, ask: AskToMove, code: Path<String>) -> DataReply<MovedMoney> {
    carry_out(app, ask, code, Transfer::TopUp).await
}

/// `POST /agencies/{code}/wallet/deduct`.
pub async fn deduct(app: App, ask: AskToMove, code: Path<String>) -> DataReply<MovedMoney> {
    carry_out(app, ask, code, Transfer::Deduct).await
}

async fn carry_out(
    app: App,
    ask: AskToMove,
    code: Path<String>,
    transfer: Transfer,
) -> DataReply<MovedMoney> {
    let (Body(body), key) = (ask.what.body, ask.what.key);
    let of = WalletOf { agency: AgencyCode::from(code.into_inner()), username: body.username };
    let moved = operator::transfer(
        &app,
        ask.who.by(),
        &of,
        transfer,
        body.amount.0,
        Some(&body.reason),
        key.as_ref().map(|key| key.text()),
    );
    let moved = moved.await?;
    let balance = match transfer {
        Transfer::TopUp => moved.to,
        Transfer::Deduct | Transfer::Deallocate => moved.from,
    };
    let balance = balance.ok_or_else(|| Error::Internal("money was moved in no wallet".to_owned()))?;
    let reply = data(MovedMoney {
        transfer_id: moved.transfer.uuid(),
        balance: Amount(balance.amount()),
        currency: balance.currency().code().to_owned(),
    })?;
    Ok(match moved.repeated {
        true => reply.replayed(),
        false => reply,
    })
}

/// `PUT /agencies/{code}/wallet/credit-limit`.
pub async fn set_credit_limit(
    app: App,
    ask: Ask<ConfirmedFinance, Body<SetCreditLimit>>,
    code: Path<String>,
) -> DataReply<OperatorWallet> {
    let Body(body) = ask.what;
    let of = WalletOf { agency: AgencyCode::from(code.into_inner()), username: body.username };
    data(operator::set_credit_limit(&app, ask.who.by(), &of, body.credit_limit.0).await?)
}

/// `POST /agencies/{code}/wallet/freeze`.
pub async fn freeze(app: App, ask: AskOfWallet, code: Path<String>) -> DataReply<OperatorWallet> {
    set_active(app, ask, code, false).await
}

/// `POST /agencies/{code}/wallet/unfreeze`.
pub async fn unfreeze(app: App, ask: AskOfWallet, code: Path<String>) -> DataReply<OperatorWallet> {
    set_active(app, ask, code, true).await
}

async fn set_active(
    app: App,
    ask: AskOfWallet,
    code: Path<String>,
    active: bool,
) -> DataReply<OperatorWallet> {
    let Maybe(body) = ask.what;
    let of = WalletOf {
        agency: AgencyCode::from(code.into_inner()),
        username: body.and_then(|body| body.username),
    };
    data(operator::set_active(&app, ask.who.by(), &of, active).await?)
}

/// `GET /agencies/{code}/statement`.
pub async fn statement(
    app: App,
    ask: Ask<Viewer, Query<StatementQuery>>,
    code: Path<String>,
) -> DataReply<WalletStatement> {
    let Query(wanted) = ask.what;
    let of = WalletOf { agency: AgencyCode::from(code.into_inner()), username: wanted.username };
    data(operator::statement(&app, &of, wanted.from, wanted.to).await?)
}

impl FromJson for MoveMoney {
    const NAME: &str = "MoveMoneyRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let amount = body.decimal("amount");
        let amount = body.required("amount", amount);
        let reason = body.label("reason", LONGEST_REASON);
        let username = whose(body);
        Some(Self { amount: Amount(amount?), reason: reason?, username })
    }
}

impl FromJson for SetCreditLimit {
    const NAME: &str = "SetCreditLimitRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let limit = body.decimal("credit_limit");
        let credit_limit = body.required("credit_limit", limit);
        let username = whose(body);
        Some(Self { credit_limit: Amount(credit_limit?), username })
    }
}

impl FromJson for WhoseWallet {
    const NAME: &str = "WhoseWalletRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self { username: whose(body) })
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
