//! What was sold and what it cost: the fare ledger of a period, of the agency or of one user, with sums by supplier.

use uuid::Uuid;
use wayfare_client::{
    FareLedger, FareSummary, FinanceSummary,
    enums::{FareKind, Period},
};

use super::{ROWS, people::People};
use crate::prelude::*;

pub const PERIODS: [(&str, &str); 2] = [("monthly", "This month"), ("weekly", "This week")];
/// What the operator bears, agencies never see.
pub const KINDS: [(&str, &str); 5] = [
    ("sale", "Sale"),
    ("refund", "Refund"),
    ("adjustment", "More came back"),
    ("change", "Change"),
    ("debit_note", "Debit note"),
];

pub fn mount(config: &mut ServiceConfig) {
    config.service(web::resource("/agency/fares").get(show));
}

#[derive(Template)]
#[template(path = "agency/fares.html")]
struct FaresPage {
    shell: Shell,
    period: &'static str,
    user: String,
    people: People,
    /// From what customers pay to what wallets paid.
    paid: Sums,
    earned: Sums,
    currency: String,
    summary: FinanceSummary,
    ledger: FareLedger,
    pager: Pager,
}

fn kind(kind: Option<&FareKind>) -> &str {
    kind.map_or("Booking", |kind| name_of(&KINDS, kind.as_str()))
}

/// `GET /console/agency/fares`.
async fn show(signed: Signed, fields: Fields) -> Answer {
    let word = fields.one_of("period", &PERIODS).unwrap_or("monthly");
    let (period, user) = (Period::from(word), fields.number::<Uuid>("user"));
    let number = fields.number("page").filter(|page| *page > 0).unwrap_or(1);
    let fares = signed.session.fares();
    let ledger = async {
        match user {
            Some(user) => fares.of_user(user, &period, number, ROWS).await,
            None => fares.of_organization(&period, number, ROWS).await,
        }
    };
    let wallet = signed.session.organization_wallet();
    let (shell, own, ledger, summary, people) = futures_util::try_join!(
        signed.shell("Fares", Area::Fares),
        wallet.read(),
        ledger,
        fares.summary(&period),
        People::of(&signed)
    )?;
    let user = user.map(|user| user.to_string()).unwrap_or_default();
    page::html(&FaresPage {
        shell,
        period: word,
        people,
        paid: paid(&ledger.summary, &own.currency),
        earned: earned(&ledger.summary, &own.currency),
        pager: pager(&ledger, &format!("{BASE}/agency/fares?period={word}&user={user}")),
        currency: own.currency,
        user,
        summary,
        ledger,
    })
}

/// What wallets paid: what customers pay less the commission, with fees and charges, and what was bought beside the fares.
fn paid(summary: &FareSummary, currency: &str) -> Sums {
    let extras = summary.total_ancillary;
    let sums = Sums::of(currency)
        .line("Gross sales", summary.total_public_fare)
        .line("Commission", -summary.total_agent_commission.0)
        .part("Platform fees and refund differences", summary.total_charges)
        .total("Net cost", summary.total_agent_fare);
    match extras.0.is_zero() {
        true => sums,
        false => sums
            .line("Seats, bags and meals", extras)
            .total("Paid from wallets", summary.total_agent_fare.0 + extras.0),
    }
}

/// What is left to the agency: gross sales less their net cost, and its markups, which come with the next payout.
fn earned(summary: &FareSummary, currency: &str) -> Sums {
    let markup = summary.total_markup;
    let at_once = summary.total_public_fare.0 - summary.total_agent_fare.0;
    Sums::of(currency)
        .line("Gross sales", summary.total_public_fare)
        .line("Net cost", -summary.total_agent_fare.0)
        .line("Markups", markup)
        .with_note("Paid by your wallet at booking, and credited to it at settlement.")
        .total("Your earnings", at_once + markup.0)
}

/// The ledger counts its pages itself.
fn pager(ledger: &FareLedger, address: &str) -> Pager {
    let per_page = i64::from(ledger.per_page.max(1));
    let pages = ((ledger.total + per_page - 1) / per_page).max(1);
    let at = |number: u32| format!("{address}&page={number}");
    Pager {
        page: ledger.page,
        pages,
        total: ledger.total,
        before: (ledger.page > 1).then(|| at(ledger.page - 1)),
        next: (i64::from(ledger.page) < pages).then(|| at(ledger.page + 1)),
    }
}
