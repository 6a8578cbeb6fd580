//! The wallet: what there is to spend, how it got there, and what moved it.

use chrono::Days;
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_client::{
    Amount, BalanceSeries, Error, TransactionFilter, WalletEntry, WalletTransaction,
    enums::{RefType, TransactionType},
};

use crate::{prelude::*, today::Money};

const ROWS: u32 = 25;
/// Points of the plot: more than a screen has columns for would not be seen.
const POINTS: u32 = 240;
const RANGES: [(&str, u64); 4] = [("7", 7), ("30", 30), ("90", 90), ("365", 365)];

pub fn mount(config: &mut ServiceConfig) {
    config.service(web::resource("/wallet").get(show));
}

#[derive(Template)]
#[template(path = "wallet.html")]
struct WalletPage {
    shell: Shell,
    money: Money,
    plot: Option<Plot>,
    typed: Fields,
    listed: Listed,
    pager: Pager,
    currency: String,
}

/// What moved the wallet.
enum Listed {
    /// The agency's, which can be searched.
    Agencys(Vec<WalletTransaction>),
    Own(Vec<WalletEntry>),
}

impl Listed {
    fn is_empty(&self) -> bool {
        match self {
            Self::Agencys(rows) => rows.is_empty(),
            Self::Own(rows) => rows.is_empty(),
        }
    }
}

/// The balance over time: for the script, and in words.
struct Plot {
    data: String,
    /// How many days, where that is found, and whether it is this one.
    ranges: Vec<(&'static str, String, bool)>,
    first: String,
    last: String,
    lowest: String,
    highest: String,
    days: Vec<PlotDay>,
}

struct PlotDay {
    at: Moment,
    low: String,
    high: String,
    close: String,
}

/// `GET /console/wallet`.
async fn show(signed: Signed, fields: Fields) -> Answer {
    let (shell, wallet) = {
        let wallet = signed.session.wallet();
        futures_util::try_join!(signed.shell("Wallet", Area::Wallet), wallet.read())?
    };
    let currency = wallet.currency.clone();
    let days = RANGES.into_iter().find(|(name, _)| *name == fields.get("days"));
    let (range, days) = days.unwrap_or(("30", 30));
    let plot = match shell.is_admin() {
        true => Some(plot(&signed, &fields, (range, days), &currency).await?),
        false => None,
    };
    let (listed, pager) = listed(&signed, &fields, shell.is_admin()).await?;
    page::html(&WalletPage { money: Money::of(&wallet), shell, plot, typed: fields, listed, pager, currency })
}

async fn plot(signed: &Signed, fields: &Fields, (range, days): (&str, u64), currency: &str) -> Result<Plot> {
    // Days of UTC: where the agency's day has begun already, the period is a day longer.
    let from = crate::day::now().date_naive().checked_sub_days(Days::new(days - 1));
    let series = signed.session.organization_wallet().balance_series(from, None, POINTS).await?;
    let address = |days: &str| {
        let query = [("days", days), ("kind", fields.get("kind")), ("search", fields.get("search"))];
        let query = serde_urlencoded::to_string(query).unwrap_or_default();
        format!("{BASE}/wallet?{query}")
    };
    let ranges = RANGES.into_iter().map(|(name, _)| (name, address(name), name == range));
    Ok(Plot { ranges: ranges.collect(), ..of_series(&series, currency) })
}

fn of_series(series: &BalanceSeries, currency: &str) -> Plot {
    let points = &series.points;
    let column = |value: fn(&wayfare_client::BalancePoint) -> Decimal| -> Vec<String> {
        points.iter().map(|point| value(point).to_string()).collect()
    };
    let times: Vec<i64> = points.iter().map(|point| point.at.timestamp()).collect();
    // Numbers as texts: the script draws them, nobody computes with them.
    let data = json!({
        "currency": currency,
        "times": times,
        "close": column(|point| point.close.0),
        "low": column(|point| point.min.0),
        "high": column(|point| point.max.0),
    });
    let text = |amount: Decimal| money(amount.into(), currency);
    let lows = points.iter().map(|point| point.min.0);
    let highs = points.iter().map(|point| point.max.0);
    // As a table a dozen rows are enough.
    let step = points.len().div_ceil(12).max(1);
    let rows = points.chunks(step).filter_map(|part| {
        let (first, last) = (part.first()?, part.last()?);
        Some(PlotDay {
            at: Moment::of(first.at),
            low: text(part.iter().map(|point| point.min.0).min()?),
            high: text(part.iter().map(|point| point.max.0).max()?),
            close: text(last.close.0),
        })
    });
    Plot {
        data: script_json(&data.to_string()),
        ranges: Vec::new(),
        first: text(points.first().map(|point| point.open.0).unwrap_or_default()),
        last: text(points.last().map(|point| point.close.0).unwrap_or_default()),
        lowest: text(lows.min().unwrap_or_default()),
        highest: text(highs.max().unwrap_or_default()),
        days: rows.collect(),
    }
}

/// JSON that can stand in a page's script element: nothing in it ends the element.
pub fn script_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

async fn listed(signed: &Signed, fields: &Fields, is_admin: bool) -> Result<(Listed, Pager)> {
    let number = fields.number("page").unwrap_or(1);
    let query =
        [("days", fields.get("days")), ("kind", fields.get("kind")), ("search", fields.get("search"))];
    let address = format!("{BASE}/wallet?{}", serde_urlencoded::to_string(query).unwrap_or_default());
    if is_admin {
        let filter = TransactionFilter {
            kind: fields.given("kind").map(|kind| TransactionType::from(kind.as_str())),
            search: fields.given("search"),
            ..TransactionFilter::default()
        };
        let list = signed.session.organization_wallet().transactions(&filter).per_page(ROWS);
        match list.page(number).await {
            Ok(page) => {
                let pager = Pager::of(&page, &address);
                return Ok((Listed::Agencys(page.items), pager));
            }
            // An agency without the portal has its list without filters.
            Err(Error::Refused { status: 403, .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let page = signed.session.wallet().transactions().per_page(ROWS).page(number).await?;
    let pager = Pager::of(&page, &address);
    Ok((Listed::Own(page.items), pager))
}

/// What moved, with its sign.
pub fn signed_amount(kind: &TransactionType, amount: &Amount, currency: &str) -> String {
    let sign = if *kind == TransactionType::Credit { "+" } else { "−" };
    format!("{sign}{}", money(*amount, currency))
}

pub fn why(reason: &RefType) -> &'static str {
    match reason {
        RefType::Booking => "Booking",
        RefType::Refund => "Refund",
        RefType::Topup => "Top-up",
        RefType::Deduction => "Deduction",
        _ => "Other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_the_script_element() {
        assert_eq!(
            script_json(r#"{"a":"</script><b>&"}"#),
            r#"{"a":"\u003c/script\u003e\u003cb\u003e\u0026"}"#
        );
    }
}
