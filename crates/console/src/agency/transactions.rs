//! What moved the agency's wallet, or an agent's: filtered, with the balance after each row, and as a file.

use actix_web::{HttpResponse, http::header};
use futures_util::TryStreamExt;
use uuid::Uuid;
use wayfare_client::{
    CsvStyle, Download, TransactionFilter, WalletTransaction,
    enums::{RefType, TransactionType},
};

use super::ROWS;
use crate::prelude::*;

pub const KINDS: [(&str, &str); 2] = [("credit", "In"), ("debit", "Out")];
pub const REASONS: [(&str, &str); 4] = [
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
    typed: Fields,
    /// Ids and names of those whose wallets can be seen.
    agents: Vec<(String, String)>,
    is_filtered: bool,
    /// Where the same is as a file; an agent's wallet has none.
    file: Option<String>,
    rows: Vec<WalletTransaction>,
    currency: String,
    pager: Option<Pager>,
    wrongs: Wrongs,
}

/// Why it moved, in words.
fn why(one: &WalletTransaction) -> &str {
    name_of(&REASONS, one.ref_type.as_str())
}

fn filter(fields: &Fields, wrongs: &mut Wrongs) -> TransactionFilter {
    TransactionFilter {
        kind: fields.given("type").map(|word| TransactionType::from(word.as_str())),
        ref_type: fields.given("ref_type").map(|word| RefType::from(word.as_str())),
        from: fields.day("from", wrongs),
        to: fields.day("to", wrongs),
        min_amount: fields.amount("min_amount", wrongs),
        max_amount: fields.amount("max_amount", wrongs),
        search: fields.given("search"),
    }
}

/// `GET /console/agency/transactions`.
async fn show(signed: Signed, typed: Fields) -> Answer {
    let mut wrongs = Wrongs::default();
    let filter = filter(&typed, &mut wrongs);
    let agent: Option<Uuid> = typed.number("agent");
    let wallet = signed.session.organization_wallet();
    let (shell, own, agents) = futures_util::try_join!(
        signed.shell("Transactions", Area::Transactions),
        wallet.read(),
        wallet.agents()
    )?;
    let mut found = None;
    if wrongs.is_empty() {
        let list = match agent {
            Some(agent) => wallet.transactions_of_agent(agent, &filter),
            None => wallet.transactions(&filter),
        };
        match list.per_page(ROWS).page(typed.number("page").unwrap_or(1)).await {
            Ok(page) => found = Some(page),
            Err(error) => wrongs = Wrongs::refused(error, "type")?,
        }
    }
    let query = typed.query(&FILTERS);
    let shown = TransactionsPage {
        shell,
        agents: agents.into_iter().map(|agent| (agent.agent_id.to_string(), agent.name)).collect(),
        is_filtered: typed.says_something(&FILTERS),
        file: agent.is_none().then(|| format!("{BASE}/agency/transactions.csv?{query}")),
        pager: found.as_ref().map(|page| Pager::of(page, &format!("{BASE}/agency/transactions?{query}"))),
        rows: found.map(|page| page.items).unwrap_or_default(),
        currency: own.currency,
        typed,
        wrongs,
    };
    page::html_with(shown.wrongs.status(), &shown)
}

/// `GET /console/agency/transactions.csv`: as it comes.
async fn export(signed: Signed, fields: Fields) -> Answer {
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
