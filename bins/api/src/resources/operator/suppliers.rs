//! Suppliers: how each server sees them, our accounts there, what is wrong with them, and whether anything new is sold of them. And
//! how often agencies search there for each order.

use actix_web::web::Path;
use rust_decimal::Decimal;
use wayfare_contract::{
    Amount,
    operator::{
        CloseSupplier, LookToBook, OpenSupplier, StateSupplierBalance, Supplier, SupplierDetail,
        SupplierLimits,
    },
};
use wayfare_domain::Currency;
use wayfare_operations::{
    access::operators::{ConfirmedDesk, ConfirmedFinance, OperatorProof, Viewer},
    operator,
};

use super::agencies::currency;
use crate::http::{
    App,
    extract::{Ask, Body, Maybe, Nothing, Query},
    json_body::{FromJson, JsonObject},
    query::{FromQuery, Parameters},
    reply::{DataReply, Message, Replied, data, message},
};

/// More characters than this are no reason and no note.
const LONGEST_TEXT: usize = 500;
/// Look-to-book is told of so many days at most.
const MOST_DAYS: u32 = 366;

/// `GET /suppliers`.
pub async fn list(app: App, _: Ask<Viewer, Nothing>) -> DataReply<Vec<Supplier>> {
    data(operator::suppliers(&app).await?)
}

// Codes are in small letters, and people type them as they are used to.

/// `GET /suppliers/{code}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, code: Path<String>) -> DataReply<SupplierDetail> {
    data(operator::supplier(&app, &code.to_ascii_lowercase()).await?)
}

/// `POST /suppliers/{code}/close`.
pub async fn close(
    app: App,
    ask: Ask<ConfirmedDesk, Body<CloseSupplier>>,
    code: Path<String>,
) -> Replied<Message> {
    let Body(CloseSupplier { reason }) = ask.what;
    operator::close_supplier(&app, ask.who.by(), &code.to_ascii_lowercase(), &reason).await?;
    message("supplier closed for new sales")
}

/// `POST /suppliers/{code}/open`.
pub async fn open(
    app: App,
    ask: Ask<ConfirmedDesk, Maybe<OpenSupplier>>,
    code: Path<String>,
) -> Replied<Message> {
    let Maybe(body) = ask.what;
    let note = body.and_then(|body| body.note);
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
    ask: Ask<ConfirmedFinance, Body<SupplierLimits>>,
    code: Path<String>,
) -> Replied<Message> {
    let Body(body) = ask.what;
    operator::set_supplier_limits(
        &app,
        ask.who.by(),
        &code.to_ascii_lowercase(),
        body.warn_below.map(Decimal::from),
        body.stop_below.map(Decimal::from),
    )
    .await?;
    message("limits set")
}

/// `GET /look-to-book`.
pub async fn look_to_book(app: App, ask: Ask<Viewer, Query<DaysQuery>>) -> DataReply<LookToBook> {
    let Query(DaysQuery(days)) = ask.what;
    data(operator::look_to_book(&app, days).await?)
}

impl FromJson for CloseSupplier {
    const NAME: &str = "CloseSupplierRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self { reason: body.label("reason", LONGEST_TEXT)? })
    }
}

impl FromJson for OpenSupplier {
    const NAME: &str = "OpenSupplierRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self { note: body.free_text("note", LONGEST_TEXT) })
    }
}

/// [`StateSupplierBalance`] as it was read.
pub struct BalanceBody {
    balance: Decimal,
    currency: Currency,
}

impl FromJson for BalanceBody {
    const NAME: &str = "StateSupplierBalanceRequest";
    type Declared = StateSupplierBalance;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let balance = body.decimal("balance");
        let balance = body.required("balance", balance);
        let currency = currency(body);
        Some(Self { balance: balance?, currency: currency? })
    }
}

impl FromJson for SupplierLimits {
    const NAME: &str = "SetSupplierLimitsRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self {
            warn_below: body.decimal("warn_below").map(Amount),
            stop_below: body.decimal("stop_below").map(Amount),
        })
    }
}

/// Of how many days.
pub struct DaysQuery(u32);

impl FromQuery for DaysQuery {
    fn read(query: &mut Parameters) -> Self {
        Self(query.number("days", 30, MOST_DAYS))
    }
}
