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

#[derive(Template)]
#[template(path = "refunds.html")]
struct RefundsPage {
    shell: Shell,
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
    let number = Fields(query.into_inner()).number("page").unwrap_or(1);
    let list = signed.session.flights().refunds().per_page(ROWS);
    let (shell, page) = futures_util::try_join!(signed.shell("Refunds", "bookings"), list.page(number))?;
    page::html(&RefundsPage {
        shell,
        rows: page.items.iter().map(Row::of).collect(),
        pager: Pager::of(&page, &format!("{BASE}/refunds?")),
    })
}
