//! Exchange rates: which ones count, those that the operator sets, and the European Central Bank's file.

use actix_web::web::Path;
use wayfare_contract::{
    Amount,
    operator::{ExchangeRate, ImportedRates, RateChange, RemovedRate, SetRate},
};
use wayfare_domain::{Currency, parse_currency};
use wayfare_operations::{
    Error,
    access::operators::{ConfirmedFinance, Finance, OperatorProof, Viewer},
    operator::{self, LONGEST_DAILY_FILE},
};

use super::incidents::YesNo;
use crate::http::{
    App,
    extract::{Ask, Body, File, FromFile, Nothing, With},
    json_body::{FromJson, JsonObject},
    query::{FromQuery, Parameters},
    reply::{DataReply, data},
};

/// `GET /rates`.
pub async fn list(app: App, _: Ask<Viewer, Nothing>) -> DataReply<Vec<ExchangeRate>> {
    data(operator::rates(&app).await?)
}

/// `GET /rates/{from}/{to}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, pair: Path<(String, String)>) -> DataReply<ExchangeRate> {
    let (from, to) = currencies(pair)?;
    data(operator::rate(&app, from, to).await?.ok_or(Error::NotFound)?)
}

/// `PUT /rates/{from}/{to}`.
pub async fn set(
    app: App,
    ask: Ask<Finance, With<PreviewQuery, Body<SetRate>>>,
    pair: Path<(String, String)>,
) -> DataReply<RateChange> {
    let With { query: PreviewQuery(is_preview), what: Body(SetRate { rate: Amount(rate) }) } = ask.what;
    let (from, to) = currencies(pair)?;
    data(match is_preview {
        true => operator::preview_rate(&app, from, to, rate).await?,
        false => {
            let who = ask.who.confirmed(&app.core)?;
            operator::set_rate(&app, who.by(), from, to, rate).await?
        }
    })
}

/// `DELETE /rates/{from}/{to}`.
pub async fn remove(
    app: App,
    ask: Ask<ConfirmedFinance, Nothing>,
    pair: Path<(String, String)>,
) -> DataReply<RemovedRate> {
    let (from, to) = currencies(pair)?;
    let removed = operator::remove_rate(&app, ask.who.by(), from, to).await?;
    data(removed.ok_or(Error::NotFound)?)
}

/// `POST /rates/import`.
pub async fn import(
    app: App,
    ask: Ask<Finance, With<ImportQuery, File<DailyFile>>>,
) -> DataReply<ImportedRates> {
    let With { query: ImportQuery { is_preview, force }, what: File(DailyFile(text)) } = ask.what;
    data(match is_preview {
        true => operator::preview_import(&app, &text, force).await?,
        false => {
            let who = ask.who.confirmed(&app.core)?;
            operator::import_rates(&app, who.by(), &text, force).await?
        }
    })
}

/// The pair that the path names; a text that is no currency's code names none.
fn currencies(pair: Path<(String, String)>) -> Result<(Currency, Currency), Error> {
    let (from, to) = pair.into_inner();
    let currency = |code: String| parse_currency(&code.to_ascii_uppercase()).ok_or(Error::NotFound);
    Ok((currency(from)?, currency(to)?))
}

impl FromJson for SetRate {
    const NAME: &str = "SetRateRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self { rate: Amount(body.positive("rate")?) })
    }
}

/// Whether it is only shown what would be done.
pub struct PreviewQuery(bool);

impl FromQuery for PreviewQuery {
    fn read(query: &mut Parameters) -> Self {
        Self(is_true(query, "preview"))
    }
}

/// How a file is taken.
pub struct ImportQuery {
    is_preview: bool,
    /// Though it is of an earlier day than the one before.
    force: bool,
}

impl FromQuery for ImportQuery {
    fn read(query: &mut Parameters) -> Self {
        Self { is_preview: is_true(query, "preview"), force: is_true(query, "force") }
    }
}

fn is_true(query: &mut Parameters, name: &str) -> bool {
    query.word::<YesNo>(name) == Some(YesNo::True)
}

/// The European Central Bank's daily file.
pub struct DailyFile(String);

impl FromFile for DailyFile {
    const CONTENT_TYPES: &[&str] = &["text/xml", "application/xml", "text/csv"];
    const LONGEST: usize = LONGEST_DAILY_FILE;

    fn of(text: String) -> Self {
        Self(text)
    }
}
