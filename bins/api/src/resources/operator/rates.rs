//! Exchange rates: which ones count, those that the operator sets, and the European Central Bank's file.

use actix_web::web::Path;
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use wayfare_domain::{Amount, Currency, OperatorId, parse_currency};
use wayfare_operations::{
    Error,
    access::operators::{ConfirmedFinance, Finance, OperatorProof, Viewer},
    operator::{
        self, ChangedRate, CountingRate, ExampleFare, ImportedRates, LONGEST_DAILY_FILE, RateChange,
        RemovedRate,
    },
    pricing::exchange_rates::{QuotedRate, Quoter},
};

use super::incidents::YesNo;
use crate::{
    http::{
        App,
        extract::{Ask, Body, File, FromFile, Nothing, With},
        json_body::{Example, FromJson, JsonObject},
        query::{FromQuery, Parameters},
        reply::{Data, Replied, data},
    },
    resources::common::CurrencyCode,
};

/// `GET /rates`.
pub async fn list(app: App, _: Ask<Viewer, Nothing>) -> Replied<Data<Vec<RateView>>> {
    let today = app.clock.now().date_naive();
    let all = operator::rates(&app).await?;
    let rows = all.into_iter().map(|rate| RateView::of(rate, today));
    data(rows.collect::<Vec<_>>())
}

/// `GET /rates/{from}/{to}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, pair: Path<(String, String)>) -> Replied<Data<RateView>> {
    let (from, to) = currencies(pair)?;
    let found = operator::rate(&app, from, to).await?;
    let rate = found.ok_or(Error::NotFound)?;
    data(RateView::of(rate, app.clock.now().date_naive()))
}

/// `PUT /rates/{from}/{to}`.
pub async fn set(
    app: App,
    ask: Ask<Finance, With<PreviewQuery, Body<RateBody>>>,
    pair: Path<(String, String)>,
) -> Replied<Data<RateChangeView>> {
    let With { query: PreviewQuery(is_preview), what: Body(RateBody(rate)) } = ask.what;
    let (from, to) = currencies(pair)?;
    let change: RateChange = match is_preview {
        true => operator::preview_rate(&app, from, to, rate).await?,
        false => {
            let who = ask.who.confirmed(&app)?;
            operator::set_rate(&app, who.by(), from, to, rate).await?
        }
    };
    data(RateChangeView {
        from,
        to,
        before: change.before.map(QuotedView::from),
        after: change.after.into(),
        fare: change.fare.map(FareView::from),
        written: !is_preview,
    })
}

/// `DELETE /rates/{from}/{to}`.
pub async fn remove(
    app: App,
    ask: Ask<ConfirmedFinance, Nothing>,
    pair: Path<(String, String)>,
) -> Replied<Data<RemovedRateView>> {
    let (from, to) = currencies(pair)?;
    let removed = operator::remove_rate(&app, ask.who.by(), from, to).await?;
    let RemovedRate { rate, after } = removed.ok_or(Error::NotFound)?;
    data(RemovedRateView { from, to, removed: Amount(rate), after: after.map(QuotedView::from) })
}

/// `POST /rates/import`.
pub async fn import(
    app: App,
    ask: Ask<Finance, With<ImportQuery, File<DailyFile>>>,
) -> Replied<Data<ImportView>> {
    let With { query: ImportQuery { is_preview, force }, what: File(DailyFile(text)) } = ask.what;
    let imported = match is_preview {
        true => operator::preview_import(&app, &text, force).await?,
        false => {
            let who = ask.who.confirmed(&app)?;
            operator::import_rates(&app, who.by(), &text, force).await?
        }
    };
    data(ImportView::of(imported, !is_preview))
}

/// The pair that the path names; a text that is no currency's code names none.
fn currencies(pair: Path<(String, String)>) -> Result<(Currency, Currency), Error> {
    let (from, to) = pair.into_inner();
    let currency = |code: String| parse_currency(&code.to_ascii_uppercase()).ok_or(Error::NotFound);
    Ok((currency(from)?, currency(to)?))
}

/// `PUT /rates/{from}/{to}`.
pub struct RateBody(Decimal);

impl FromJson for RateBody {
    const NAME: &str = "SetRateRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        body.positive("rate").map(Self)
    }

    fn examples() -> Vec<Example> {
        vec![("rupees for one pound", json!({ "rate": 105.25 }))]
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

/// A rate and who quotes it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "QuotedRate")]
pub struct QuotedView {
    /// Units of the second currency for one of the first.
    rate: Amount,
    /// Who quotes it: the operator, the configuration, or the European Central Bank.
    #[schemars(extend("enum" = ["operator", "configuration", "ecb"]))]
    source: &'static str,
    /// The day that it is of; null for the configuration's.
    day: Option<NaiveDate>,
}

impl QuotedView {
    fn of(rate: Decimal, quoter: Quoter) -> Self {
        let (source, day) = match quoter {
            Quoter::Operator(day) => ("operator", Some(day)),
            Quoter::Configuration => ("configuration", None),
            Quoter::CentralBank(day) => ("ecb", Some(day)),
        };
        Self { rate: Amount(rate), source, day }
    }
}

impl From<QuotedRate> for QuotedView {
    fn from(QuotedRate { rate, quoter }: QuotedRate) -> Self {
        Self::of(rate, quoter)
    }
}

/// The rate that counts from one currency to another.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ExchangeRate")]
pub struct RateView {
    #[schemars(with = "CurrencyCode")]
    from: Currency,
    #[schemars(with = "CurrencyCode")]
    to: Currency,
    #[serde(flatten)]
    quoted: QuotedView,
    /// So many days ago its day was; null for the configuration's.
    age_days: Option<i64>,
    /// When it was written, UTC; null for the configuration's.
    updated_at: Option<DateTime<Utc>>,
    /// Which operator set or imported it; null at the command line, and for the configuration's.
    set_by: Option<SetBy>,
}

/// An operator who set a rate.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RateSetter")]
struct SetBy {
    id: OperatorId,
    name: String,
}

impl RateView {
    fn of(rate: CountingRate, today: NaiveDate) -> Self {
        let quoted = QuotedView::of(rate.rate, rate.quoter);
        Self {
            from: rate.from,
            to: rate.to,
            age_days: quoted.day.map(|day| (today - day).num_days()),
            quoted,
            updated_at: rate.updated_at,
            set_by: rate.set_by.map(|(id, name)| SetBy { id, name }),
        }
    }
}

/// What a rate of the operator's own does.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RateChange")]
pub struct RateChangeView {
    #[schemars(with = "CurrencyCode")]
    from: Currency,
    #[schemars(with = "CurrencyCode")]
    to: Currency,
    /// What counts without it; null when nobody quotes one.
    before: Option<QuotedView>,
    /// What counts with it.
    after: QuotedView,
    /// What it does to a fare; null where that would be no money.
    fare: Option<FareView>,
    /// False of a preview.
    written: bool,
}

/// A fare at two rates.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FareAtRates")]
struct FareView {
    /// What a supplier asks.
    asked: Amount,
    #[schemars(with = "CurrencyCode")]
    asked_currency: Currency,
    /// What that comes to before; null without a rate.
    before: Option<Amount>,
    /// What it comes to then.
    after: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
}

impl From<ExampleFare> for FareView {
    fn from(fare: ExampleFare) -> Self {
        Self {
            asked: fare.asked.number(),
            asked_currency: fare.asked.currency(),
            before: fare.before.map(|before| before.number()),
            after: fare.after.number(),
            currency: fare.after.currency(),
        }
    }
}

/// A rate of the operator's own that was taken back.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RemovedRate")]
pub struct RemovedRateView {
    #[schemars(with = "CurrencyCode")]
    from: Currency,
    #[schemars(with = "CurrencyCode")]
    to: Currency,
    /// What it was.
    removed: Amount,
    /// What counts without it; null when nobody quotes one.
    after: Option<QuotedView>,
}

/// What came of an import, or would.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ImportedRates")]
pub struct ImportView {
    /// The day that the rates are of.
    day: NaiveDate,
    /// The day of those that they take the place of; null when there were none.
    before: Option<NaiveDate>,
    /// How many there are, each against the euro.
    rates: usize,
    /// Those that differ from the ones before, by currency.
    changes: Vec<ChangedRateView>,
    /// Those of currencies that are none here.
    skipped: Vec<SkippedView>,
    /// False of a preview.
    written: bool,
}

/// A rate that is another one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ChangedRate")]
struct ChangedRateView {
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    /// Units for one euro before; null where there was no rate.
    before: Option<Amount>,
    /// Units for one euro then; null where there is no rate any more.
    after: Option<Amount>,
    /// By how many per cent it differs, to two decimals; null where there is nothing to compare.
    percent: Option<Amount>,
}

impl From<ChangedRate> for ChangedRateView {
    fn from(change: ChangedRate) -> Self {
        Self {
            currency: change.currency,
            before: change.before.map(Amount),
            after: change.after.map(Amount),
            percent: change.percent().map(Amount),
        }
    }
}

/// A line that is left out.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SkippedRate")]
struct SkippedView {
    /// Its number, from 1.
    line: u32,
    /// What is written there for a currency.
    code: String,
}

impl ImportView {
    fn of(imported: ImportedRates, written: bool) -> Self {
        let skipped = imported
            .skipped
            .into_iter()
            .map(|skipped| SkippedView { line: skipped.line, code: skipped.code });
        Self {
            day: imported.day,
            before: imported.before,
            rates: imported.count,
            changes: imported.changes.into_iter().map(ChangedRateView::from).collect(),
            skipped: skipped.collect(),
            written,
        }
    }
}
