//! Money on its way back: a row for each supplier order that was given back.

use actix_web::{HttpResponse, web::Query};
use askama::Template;
use wayfare_client::{enums::RefundStatus, flights::RefundRow};

use crate::{
    BASE,
    day::Moment,
    failure::Failure,
    form::Fields,
    money::money,
    page::{self, Pager, Shell, Status},
    session::Signed,
};

/// Rows of a page.
const ROWS: u32 = 25;

/// In which state, with the name of its tab.
const TABS: [(&str, &str); 5] = [
    ("", "All"),
    ("pending", "Waiting"),
    ("processing", "At the supplier"),
    ("refunded", "In the wallet"),
    ("failed", "Refused"),
];

#[derive(Template)]
#[template(path = "refunds.html")]
struct RefundsPage {
    shell: Shell,
    tabs: Vec<(String, &'static str, bool)>,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    reference: String,
    pnr: String,
    who: String,
    supplier_keeps: String,
    platform_keeps: String,
    back: String,
    cancelled: Option<Moment>,
    refunded: Option<Moment>,
    status: Status,
}

impl Row {
    fn of(refund: &RefundRow) -> Self {
        let text = |amount| money(amount, &refund.currency);
        Self {
            reference: refund.booking_ref.clone(),
            pnr: refund.pnr.clone(),
            who: refund.agent_name.clone(),
            supplier_keeps: text(refund.cancellation_charge),
            platform_keeps: text(refund.platform_charges),
            back: text(refund.refund_to_wallet),
            cancelled: refund.cancelled_at.map(Moment::of),
            refunded: refund.refunded_at.map(Moment::of),
            status: status(&refund.refund_status),
        }
    }
}

fn status(refund: &RefundStatus) -> Status {
    match refund {
        RefundStatus::Pending => Status::new("warn", "◐", "Waits for its turn"),
        RefundStatus::Processing => Status::new("warn", "◐", "The supplier is asked"),
        RefundStatus::Refunded => Status::new("ok", "●", "In the wallet"),
        RefundStatus::Failed => Status::new("bad", "✕", "Refused, nothing came back"),
        other => Status::new("", "?", other.as_str()),
    }
}

/// `GET /console/refunds`.
pub async fn show(signed: Signed, query: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(query.into_inner());
    let number = fields.number("page").unwrap_or(1);
    let wanted = TABS.into_iter().find(|(word, _)| *word == fields.get("status"));
    let wanted = wanted.map_or("", |(word, _)| word);
    let flights = signed.session.flights();
    let list = match wanted {
        "" => flights.refunds(),
        word => flights.refunds_in(&RefundStatus::from(word)),
    };
    let list = list.per_page(ROWS);
    let (shell, page) = futures_util::try_join!(signed.shell("Refunds", "bookings"), list.page(number))?;
    let address = |word: &str| format!("{BASE}/refunds?status={word}");
    page::html(&RefundsPage {
        shell,
        tabs: TABS
            .into_iter()
            .map(|(word, name)| (address(word), name, word == wanted))
            .collect(),
        rows: page.items.iter().map(Row::of).collect(),
        pager: Pager::of(&page, &address(wanted)),
    })
}
