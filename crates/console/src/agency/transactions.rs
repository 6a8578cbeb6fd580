//! What moved the agency's wallet, or an agent's: filtered, with the balance after each row, and as a file.

use actix_web::{
    HttpResponse,
    http::header,
    web::{self, Query, ServiceConfig},
};
use askama::Template;
use futures_util::TryStreamExt;
use uuid::Uuid;
use wayfare_client::{
    CsvStyle, Download, TransactionFilter, WalletTransaction,
    enums::{RefType, TransactionType},
};

use super::{Choice, ROWS, amount, choices, day, query, refused, says_something};
use crate::{
    BASE,
    day::Moment,
    failure::Failure,
    form::{Fields, Wrongs},
    is_booking,
    money::money,
    page::{self, Pager, Shell},
    session::Signed,
};

const PLACE: &str = "transactions";
const KINDS: [(&str, &str); 2] = [("credit", "In"), ("debit", "Out")];
const REASONS: [(&str, &str); 4] = [
    ("topup", "Top-up or allocation"),
    ("booking", "Booking"),
    ("refund", "Refund"),
    ("deduction", "Deduction"),
];
const FILTERS: [&str; 8] = ["agent", "type", "ref_type", "from", "to", "min_amount", "max_amount", "search"];

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agency/transactions").get(show))
        .service(web::resource("/agency/transactions.csv").get(export));
}

#[derive(Template)]
#[template(path = "agency/transactions.html")]
struct TransactionsPage {
    shell: Shell,
    place: &'static str,
    typed: Fields,
    agents: Vec<Choice>,
    kinds: Vec<Choice>,
    reasons: Vec<Choice>,
    is_filtered: bool,
    /// Where the same is as a file; an agent's wallet has none.
    file: Option<String>,
    rows: Vec<Row>,
    pager: Option<Pager>,
    wrongs: Wrongs,
}

struct Row {
    at: Moment,
    text: String,
    why: &'static str,
    booking: Option<String>,
    agent: Option<String>,
    amount: String,
    is_credit: bool,
    after: String,
}

fn row(one: &WalletTransaction, currency: &str) -> Row {
    let is_credit = one.kind == TransactionType::Credit;
    let sign = if is_credit { "+" } else { "−" };
    let why = REASONS.iter().find(|(word, _)| *word == one.ref_type.as_str());
    Row {
        at: Moment::of(one.created_at),
        text: one.description.clone(),
        why: why.map_or("Other", |(_, name)| name),
        booking: one.ref_id.clone().filter(|reference| is_booking(reference)),
        agent: one.agent_name.clone(),
        amount: format!("{sign}{}", money(one.amount, currency)),
        is_credit,
        after: money(one.balance_after, currency),
    }
}

fn filter(fields: &Fields, wrongs: &mut Wrongs) -> TransactionFilter {
    TransactionFilter {
        kind: fields.given("type").map(|word| TransactionType::from(word.as_str())),
        ref_type: fields.given("ref_type").map(|word| RefType::from(word.as_str())),
        from: day(fields, "from", wrongs),
        to: day(fields, "to", wrongs),
        min_amount: amount(fields, "min_amount", wrongs),
        max_amount: amount(fields, "max_amount", wrongs),
        search: fields.given("search"),
    }
}

/// `GET /console/agency/transactions`.
async fn show(signed: Signed, sent: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let typed = Fields(sent.into_inner());
    let mut wrongs = Wrongs::default();
    let filter = filter(&typed, &mut wrongs);
    let agent: Option<Uuid> = typed.number("agent");
    let wallet = signed.session.organization_wallet();
    let (shell, own, agents) =
        futures_util::try_join!(signed.shell("Transactions", "agency"), wallet.read(), wallet.agents())?;
    let mut found = None;
    if wrongs.is_empty() {
        let list = match agent {
            Some(agent) => wallet.transactions_of_agent(agent, &filter),
            None => wallet.transactions(&filter),
        };
        match list.per_page(ROWS).page(typed.number("page").unwrap_or(1)).await {
            Ok(page) => found = Some(page),
            Err(error) => wrongs = refused(&error, "type", str::to_owned).ok_or(error)?,
        }
    }
    let query = query(&typed, &FILTERS);
    let rows = found.iter().flat_map(|page| &page.items);
    let status = wrongs.status();
    let names = agents.iter().map(|agent| (agent.agent_id.to_string(), agent.name.clone()));
    let shown = TransactionsPage {
        shell,
        place: PLACE,
        agents: choices(names, typed.get("agent")),
        kinds: choices(KINDS, typed.get("type")),
        reasons: choices(REASONS, typed.get("ref_type")),
        is_filtered: says_something(&typed, &FILTERS),
        file: agent.is_none().then(|| format!("{BASE}/agency/transactions.csv?{query}")),
        rows: rows.map(|one| row(one, &own.currency)).collect(),
        pager: found.as_ref().map(|page| Pager::of(page, &format!("{BASE}/agency/transactions?{query}"))),
        typed,
        wrongs,
    };
    page::html_with(status, &shown)
}

/// `GET /console/agency/transactions.csv`: as it comes.
async fn export(signed: Signed, sent: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(sent.into_inner());
    let mut wrongs = Wrongs::default();
    let filter = filter(&fields, &mut wrongs);
    if !wrongs.is_empty() {
        return Err(Failure::NoPage);
    }
    let wallet = signed.session.organization_wallet();
    let style = CsvStyle::for_spreadsheets();
    Ok(file(wallet.export_as(&filter, style).await?))
}

/// A file of the API's, passed on as it comes.
pub fn file(download: Download) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    // What a file is called is for the browser to keep; whoever opens it here sees a text at most.
    let name = download.file_name.as_deref().unwrap_or("wayfare.csv");
    let name: String =
        name.chars().filter(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(*letter)).collect();
    response
        .content_type("text/csv; charset=utf-8")
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
    response.streaming(download.into_stream().map_err(Failure::from))
}
