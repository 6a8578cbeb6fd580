//! Suppliers: how each server sees them, our accounts there, what is wrong with them, and whether anything new is sold of them. And
//! how often agencies search there for each order.

use actix_web::web::Path;
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use wayfare_domain::{Amount, BreakerState, Currency, parse_currency};
use wayfare_operations::{
    access::operators::{ConfirmedDesk, ConfirmedFinance, OperatorProof, Viewer},
    operator::{
        self, Alarm, PresentHealth, ReadLoss, ServerView, SupplierDetail, SupplierEvent, SupplierState,
    },
    suppliers::look_to_book::{self, LookToBook},
};

use crate::http::{
    App,
    extract::{Ask, Body, Maybe, Nothing, Query},
    json_body::{Example, FromJson, JsonObject},
    query::{FromQuery, Parameters},
    reply::{Data, Message, Replied, data, message},
};

/// More characters than this are no reason and no note.
const LONGEST_TEXT: usize = 500;
/// Look-to-book is told of so many days at most.
const MOST_DAYS: u32 = 366;

/// `GET /suppliers`.
pub async fn list(app: App, _: Ask<Viewer, Nothing>) -> Replied<Data<Vec<SupplierView>>> {
    let all = operator::suppliers(&app).await?;
    data(all.into_iter().map(SupplierView::from).collect::<Vec<_>>())
}

// Codes are in small letters, and people type them as they are used to.

/// `GET /suppliers/{code}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, code: Path<String>) -> Replied<Data<SupplierDetailView>> {
    data(SupplierDetailView::from(operator::supplier(&app, &code.to_ascii_lowercase()).await?))
}

/// `POST /suppliers/{code}/close`.
pub async fn close(
    app: App,
    ask: Ask<ConfirmedDesk, Body<CloseBody>>,
    code: Path<String>,
) -> Replied<Message> {
    let Body(CloseBody(reason)) = ask.what;
    operator::close_supplier(&app, ask.who.by(), &code.to_ascii_lowercase(), &reason).await?;
    message("supplier closed for new sales")
}

/// `POST /suppliers/{code}/open`.
pub async fn open(
    app: App,
    ask: Ask<ConfirmedDesk, Maybe<OpenBody>>,
    code: Path<String>,
) -> Replied<Message> {
    let Maybe(body) = ask.what;
    let note = body.and_then(|OpenBody(note)| note);
    operator::open_supplier(&app, ask.who.by(), &code.to_ascii_lowercase(), note.as_deref()).await?;
    message("supplier open for sales")
}

/// `PUT /suppliers/{code}/balance`.
pub async fn state_balance(
    app: App,
    ask: Ask<ConfirmedFinance, Body<BalanceBody>>,
    code: Path<String>,
) -> Replied<Message> {
    let Body(body) = ask.what;
    operator::state_balance(&app, ask.who.by(), &code.to_ascii_lowercase(), body.balance, body.currency)
        .await?;
    message("balance stated")
}

/// `PUT /suppliers/{code}/limits`.
pub async fn set_limits(
    app: App,
    ask: Ask<ConfirmedFinance, Body<LimitsBody>>,
    code: Path<String>,
) -> Replied<Message> {
    let Body(body) = ask.what;
    operator::set_supplier_limits(
        &app,
        ask.who.by(),
        &code.to_ascii_lowercase(),
        body.warn_below,
        body.stop_below,
    )
    .await?;
    message("limits set")
}

/// `GET /look-to-book`.
pub async fn look_to_book(app: App, ask: Ask<Viewer, Query<DaysQuery>>) -> Replied<Data<LookToBookView>> {
    let Query(DaysQuery(days)) = ask.what;
    let found = operator::look_to_book(&app, days).await?;
    data(LookToBookView {
        from: found.from,
        to: found.to,
        rows: found.rows.into_iter().map(SearchesView::from).collect(),
    })
}

/// Why nothing new is to be sold.
pub struct CloseBody(String);

impl FromJson for CloseBody {
    const NAME: &str = "CloseSupplierRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        body.label("reason", LONGEST_TEXT).map(Self)
    }

    fn examples() -> Vec<Example> {
        vec![("reason", json!({ "reason": "they issue tickets under wrong names" }))]
    }
}

/// What was done before it is sold again.
pub struct OpenBody(Option<String>);

impl FromJson for OpenBody {
    const NAME: &str = "OpenSupplierRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self(body.free_text("note", LONGEST_TEXT)))
    }

    fn examples() -> Vec<Example> {
        vec![("note", json!({ "note": "they say that it is mended" })), ("nothing said", json!({}))]
    }
}

/// What our account holds.
pub struct BalanceBody {
    balance: Decimal,
    currency: Currency,
}

impl FromJson for BalanceBody {
    const NAME: &str = "StateSupplierBalanceRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let balance = body.decimal("balance");
        let balance = body.required("balance", balance);
        let code = body.text("currency", 3);
        let currency = code.as_deref().and_then(parse_currency);
        if code.is_some() && currency.is_none() {
            body.fault("currency", "must be a 3-letter currency code");
        }
        Some(Self { balance: balance?, currency: currency? })
    }

    fn examples() -> Vec<Example> {
        vec![("balance", json!({ "balance": 5000, "currency": "GBP" }))]
    }
}

/// When our account is low, and when nothing new is sold; what is left out is removed.
pub struct LimitsBody {
    warn_below: Option<Decimal>,
    stop_below: Option<Decimal>,
}

impl FromJson for LimitsBody {
    const NAME: &str = "SetSupplierLimitsRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self { warn_below: body.decimal("warn_below"), stop_below: body.decimal("stop_below") })
    }

    fn examples() -> Vec<Example> {
        vec![("both", json!({ "warn_below": 2000, "stop_below": 500 })), ("none", json!({}))]
    }
}

/// Of how many days.
pub struct DaysQuery(u32);

impl FromQuery for DaysQuery {
    fn read(query: &mut Parameters) -> Self {
        Self(query.number("days", 30, MOST_DAYS))
    }
}

/// A supplier.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Supplier")]
pub struct SupplierView {
    /// The supplier's code.
    code: String,
    /// `flight` or `hotel`; null where the server that answers does not buy of it.
    sells: Option<&'static str>,
    /// Whether anything new is sold of it. Orders that exist are looked after all the same.
    for_sale: bool,
    /// Since when nothing new is sold; null while it is for sale.
    closed_at: Option<DateTime<Utc>>,
    /// Why: `account_empty`, or what an operator wrote; null while it is for sale.
    closed_reason: Option<String>,
    /// Our account there; null where nothing is known of it.
    account: Option<AccountView>,
    /// What is wrong with it, the newest first.
    alarms: Vec<AlarmView>,
    /// As each server sees it, as it said so last: every 5 seconds. Those that are gone are told for an hour.
    servers: Vec<ServerHealthView>,
    /// Calls of all servers in the last 60 minutes, this one so far, the oldest first.
    minutes: Vec<MinuteView>,
    /// What of its answers could not be read as it came in the last 30 days, at all servers; what came last first.
    read_losses: Vec<ReadLossView>,
}

/// Our account with a supplier.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierAccount")]
struct AccountView {
    /// What can be spent; null where nobody knows.
    available: Option<Amount>,
    /// What was there when it was seen; null where nobody knows.
    balance: Option<Amount>,
    /// What may be owed beyond it.
    credit: Option<Amount>,
    /// Of all amounts, ISO 4217; null where nobody knows.
    currency: Option<String>,
    /// What was ordered since the balance was stated.
    spent: Amount,
    /// When the balance was read or stated.
    seen_at: Option<DateTime<Utc>>,
    /// Whether an operator stated it, because the supplier does not tell.
    stated: bool,
    /// Below this an alarm is raised; null: never.
    warn_below: Option<Amount>,
    /// At this or below it nothing new is sold; null: only where it could not pay.
    stop_below: Option<Amount>,
}

/// Something that is wrong with a supplier and that only the operator can mend.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierAlarm")]
struct AlarmView {
    /// What it is: `account_empty`, `account_low`, `credentials`, `webhook_silent`, `looks_exhausted` or `read_losses`.
    kind: String,
    /// When it was raised.
    raised_at: DateTime<Utc>,
    /// More of it.
    details: Value,
}

/// How one server sees a supplier.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierServer")]
struct ServerHealthView {
    /// The server's name.
    name: String,
    /// Where the server listens; null where it does not say so any more.
    address: Option<String>,
    /// When it said this.
    seen_at: DateTime<Utc>,
    /// Whether it has said nothing for a minute.
    is_gone: bool,
    /// Whether its circuit breaker lets calls through: all, none for a while, or the next one as a probe.
    breaker: BreakerState,
    /// Until when that turns calls away; null where it does not.
    open_until: Option<DateTime<Utc>>,
    /// Until when the supplier is left alone because it is rate limiting; null where it is not.
    paused_until: Option<DateTime<Utc>>,
    /// How many calls may be under way at once.
    permits: i32,
    /// How many are.
    permits_used: i32,
    /// How many wait for a permit.
    permits_waiting: i32,
    /// How many calls ended in the last minute.
    calls: i64,
    /// Within so many milliseconds half of them ended, at most an eighth too much; null without calls.
    p50_ms: Option<i64>,
    /// Within so many milliseconds 99 of a hundred ended, at most an eighth too much; null without calls.
    p99_ms: Option<i64>,
    /// Those of them that brought nothing, by how they ended.
    errors: Vec<ErrorsView>,
}

/// Calls that brought nothing.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierErrors")]
struct ErrorsView {
    /// How they ended: `server_error`, `limited`, `unreachable`, `unknown`, or `not_sent` for want of a permit or at an open breaker.
    kind: String,
    /// How many.
    calls: u64,
}

/// Calls of all servers in a minute.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierMinute")]
struct MinuteView {
    /// When the minute began.
    minute: DateTime<Utc>,
    /// How many calls ended in it.
    calls: i64,
    /// How many of them brought nothing.
    errors: i64,
}

/// What of a supplier's answers could not be read as it came. A part that can't be read costs no more than itself.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierReadLoss")]
struct ReadLossView {
    /// The field, as the supplier names it: `offers[].owner.name`. `[]` is any item of a list, `*` any key of a map.
    field: String,
    /// How: `left_out` (it was left out), `rounded` (an amount with more digits than its currency has), `missing` (it is not there,
    /// where it always was), `unknown_word` (a word that nobody knows), `mismatch` (it comes twice and says two things).
    kind: String,
    /// How often.
    losses: i64,
    /// When it came first.
    first_at: DateTime<Utc>,
    /// When it came last.
    last_at: DateTime<Utc>,
    /// What was wrong the first time; empty where nothing more is known.
    example: String,
}

/// A supplier with what it refused and what operators did about it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierDetail")]
pub struct SupplierDetailView {
    supplier: SupplierView,
    /// What it refused in the last seven days, the most frequent reason first.
    refusals: Vec<RefusalsView>,
    /// What operators did about it, the newest first.
    events: Vec<SupplierEventView>,
}

/// How often a supplier refused something for one reason.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierRefusals")]
struct RefusalsView {
    /// The reason that agencies were told.
    reason: String,
    /// How often.
    refusals: i64,
}

/// What an operator did about a supplier.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierEvent")]
struct SupplierEventView {
    /// When.
    at: DateTime<Utc>,
    /// What: `supplier.closed`, `supplier.opened`, `supplier.balance_stated` or `supplier.limits_set`.
    action: String,
    /// The operator's name; null at the command line.
    by: Option<String>,
    /// What was said with it.
    details: Value,
}

impl From<SupplierState> for SupplierView {
    fn from(state: SupplierState) -> Self {
        let available = state.available();
        let account = state.account.as_ref();
        let closed_at = account.and_then(|account| account.closed_at);
        Self {
            sells: state.sells.map(<&str>::from),
            for_sale: closed_at.is_none(),
            closed_at,
            closed_reason: account.and_then(|account| account.closed_reason.clone()),
            account: account.map(|account| AccountView {
                available: available.map(Amount),
                balance: account.balance.map(Amount),
                credit: account.credit.map(Amount),
                currency: account.currency.clone(),
                spent: Amount(account.spent),
                seen_at: account.seen_at,
                stated: account.stated,
                warn_below: account.warn_below.map(Amount),
                stop_below: account.stop_below.map(Amount),
            }),
            code: state.code,
            alarms: state.alarms.into_iter().map(AlarmView::from).collect(),
            servers: state.servers.into_iter().map(ServerHealthView::from).collect(),
            minutes: state
                .minutes
                .into_iter()
                .map(|counted| MinuteView {
                    minute: counted.minute,
                    calls: counted.calls,
                    errors: counted.errors,
                })
                .collect(),
            read_losses: state.read_losses.into_iter().map(ReadLossView::from).collect(),
        }
    }
}

impl From<ReadLoss> for ReadLossView {
    fn from(loss: ReadLoss) -> Self {
        Self {
            field: loss.field,
            kind: loss.kind,
            losses: loss.losses,
            first_at: loss.first_at,
            last_at: loss.last_at,
            example: loss.example,
        }
    }
}

impl From<Alarm> for AlarmView {
    fn from(alarm: Alarm) -> Self {
        Self { kind: alarm.kind, raised_at: alarm.raised_at, details: alarm.details }
    }
}

impl From<ServerView> for ServerHealthView {
    fn from(server: ServerView) -> Self {
        let seen = server.seen;
        let PresentHealth {
            supplier: _,
            breaker,
            open_until,
            paused_until,
            permits,
            permits_used,
            permits_waiting,
            calls,
            p50_ms,
            p99_ms,
            errors,
        } = seen.health;
        let errors = errors.into_iter();
        Self {
            name: seen.process,
            address: seen.address,
            seen_at: seen.seen_at,
            is_gone: server.is_gone,
            breaker,
            open_until,
            paused_until,
            permits,
            permits_used,
            permits_waiting,
            calls,
            p50_ms,
            p99_ms,
            errors: errors.map(|(kind, calls)| ErrorsView { kind, calls }).collect(),
        }
    }
}

impl From<SupplierDetail> for SupplierDetailView {
    fn from(detail: SupplierDetail) -> Self {
        let refusals =
            detail.refusals.into_iter().map(|row| RefusalsView { reason: row.code, refusals: row.refusals });
        Self {
            supplier: detail.state.into(),
            refusals: refusals.collect(),
            events: detail.events.into_iter().map(SupplierEventView::from).collect(),
        }
    }
}

impl From<SupplierEvent> for SupplierEventView {
    fn from(event: SupplierEvent) -> Self {
        Self { at: event.at, action: event.action, by: event.by, details: event.value }
    }
}

/// How often each agency's searches were put to each supplier, beside its orders there.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LookToBook")]
pub struct LookToBookView {
    /// The first day, UTC.
    from: NaiveDate,
    /// The last day, UTC: today.
    to: NaiveDate,
    /// Most searches first.
    rows: Vec<SearchesView>,
}

/// Searches and orders of one agency at one supplier.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LookToBookRow")]
struct SearchesView {
    agent_id: String,
    /// The agency's name.
    name: String,
    supplier: String,
    /// Searches because of which the supplier was asked.
    asked: i64,
    /// Searches that were served by an answer to somebody else.
    shared: i64,
    /// Orders that were made.
    booked: i64,
    /// Searches for each order; null while nothing is booked.
    look_to_book: Option<Amount>,
}

impl From<LookToBook> for SearchesView {
    fn from(counted: LookToBook) -> Self {
        Self {
            look_to_book: look_to_book::for_each_order(&counted),
            agent_id: counted.agent_id,
            name: counted.name,
            supplier: counted.supplier,
            asked: counted.asked,
            shared: counted.shared,
            booked: counted.booked,
        }
    }
}
