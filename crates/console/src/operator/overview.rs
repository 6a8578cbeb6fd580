//! The first page of the operator: what needs a person.

use actix_web::HttpResponse;
use askama::Template;
use rust_decimal::Decimal;
use wayfare_client::{
    Error,
    enums::Standing,
    operator::{AgencyRow, IncidentFilter, OperatorSession},
};

use super::{
    incidents::{KINDS, age},
    signed::OperatorSigned,
};
use crate::{
    failure::Failure,
    money::money,
    page::{self, Shell, Status},
};

/// Agencies that are listed at most.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "operator/overview.html")]
struct OverviewPage {
    shell: Shell,
    figures: Vec<(&'static str, String)>,
    kinds: Vec<Kind>,
    stopped: Vec<Stopped>,
}

/// The open incidents of a kind.
struct Kind {
    word: &'static str,
    name: &'static str,
    count: u64,
    oldest: String,
}

/// An agency that can't buy.
struct Stopped {
    code: String,
    name: String,
    spendable: String,
    status: Status,
}

/// How many are open of a kind, and since when the oldest is: the first of a list whose oldest comes first.
async fn kind(session: &OperatorSession, (word, name): (&'static str, &'static str)) -> Result<Kind, Error> {
    let filter = IncidentFilter {
        kind: Some(word.to_owned()),
        ..IncidentFilter::default()
    };
    let page = session.incidents(&filter).per_page(1).page(1).await?;
    Ok(Kind {
        word,
        name,
        count: page.total,
        oldest: page
            .items
            .first()
            .map(|oldest| age(oldest.raised_at))
            .unwrap_or_default(),
    })
}

/// An agency that is suspended or has nothing to spend; nothing for others.
fn stopped(agency: &AgencyRow) -> Option<Stopped> {
    let zero = Decimal::ZERO;
    let of = |amount: Option<wayfare_client::Amount>| amount.map_or(zero, |amount| amount.0);
    let is_readable = agency.balance.is_some();
    // Amounts of one wallet, which the service adds up as well.
    let spendable = of(agency.balance) + of(agency.credit_limit) - of(agency.held);
    let status = match (&agency.status, is_readable) {
        (Standing::Active, false) => Status::new("bad", "!", "Its wallet can't be read"),
        (Standing::Active, true) if spendable > zero => return None,
        (Standing::Active, true) => Status::new("warn", "!", "Nothing to spend"),
        _ => Status::new("bad", "✕", "Suspended"),
    };
    Some(Stopped {
        code: agency.agent_id.clone(),
        name: agency.name.clone(),
        spendable: match is_readable {
            true => money(spendable.into(), &agency.currency),
            false => String::new(),
        },
        status,
    })
}

/// `GET /operator`.
pub async fn show(signed: OperatorSigned) -> Result<HttpResponse, Failure> {
    let session = &signed.session;
    let kinds = futures_util::future::try_join_all(KINDS.map(|one| kind(session, one)));
    let (shell, kinds, agencies) =
        futures_util::try_join!(signed.shell("Overview", "overview"), kinds, session.agencies())?;
    let stopped: Vec<_> = agencies.iter().filter_map(stopped).collect();
    let open: u64 = kinds.iter().map(|kind| kind.count).sum();
    page::html(&OverviewPage {
        shell,
        figures: vec![
            ("Open incidents", open.to_string()),
            ("Agencies", agencies.len().to_string()),
            ("Agencies that can't buy", stopped.len().to_string()),
        ],
        kinds: kinds.into_iter().filter(|kind| kind.count > 0).collect(),
        stopped: stopped.into_iter().take(SHOWN).collect(),
    })
}
