//! LiteAPI's words for money, times, boards, houses and terms; written from here, read by nobody in this project.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::hotels::{Board, Rate, Style};
use crate::json::Number;

pub(super) fn money(amount: Decimal, currency: &str) -> Value {
    json!({ "amount": Number(amount), "currency": currency })
}

fn cancel_time(instant: DateTime<Utc>) -> String {
    instant.format("%Y-%m-%d %H:%M:%S").to_string()
}

pub(super) fn board_name(board: Board) -> &'static str {
    match board {
        Board::RoomOnly => "Room Only",
        Board::Breakfast => "Bed and Breakfast",
        Board::HalfBoard => "Half Board",
        Board::FullBoard => "Full Board",
        Board::AllInclusive => "All Inclusive",
    }
}

pub(super) fn hotel_type(style: Style) -> (u32, &'static str) {
    match style {
        Style::Apartments => (201, "Apartments"),
        Style::Hotel => (204, "Hotels"),
        Style::Resort => (206, "Resorts"),
        Style::GuestHouse => (216, "Guest houses"),
    }
}

/// LiteAPI's word for terms under which something comes back.
pub(super) fn refundable_tag(is_refundable: bool) -> &'static str {
    if is_refundable { "RFN" } else { "NRFN" }
}

/// What giving these rooms of one booking back costs, as of an instant. They have the same deadlines, so that their
/// penalties add up. Penalties are told of the price less `commission`: none where they are of the price itself. Where all that is
/// lost is lost on the day of arrival no penalty is told.
pub(super) fn policies(rates: &[&Rate], commission: Decimal, currency: &str, at: DateTime<Utc>) -> Value {
    let price: Decimal = rates.iter().map(|rate| rate.total()).sum();
    let net = |penalty: Decimal| match price.is_zero() {
        true => penalty,
        false => (penalty * (price - commission) / price).round_dp(9).normalize(),
    };
    let steps = rates.iter().flat_map(|rate| &rate.steps);
    let mut moments: Vec<DateTime<Utc>> = steps.map(|step| step.from).collect();
    moments.sort_unstable();
    moments.dedup();
    if moments.is_empty() {
        moments.push(at);
    }
    if rates.iter().all(|rate| rate.is_undated()) && moments.iter().all(|moment| at < *moment) {
        moments.clear();
    }
    let infos = moments.iter().map(|moment| {
        json!({
            "cancelTime": cancel_time(*moment),
            "amount": Number(net(rates.iter().map(|rate| rate.penalty_at(*moment)).sum())),
            "currency": currency,
            "type": "amount",
            "timezone": "GMT",
        })
    });
    json!({
        "cancelPolicyInfos": infos.collect::<Vec<_>>(),
        "hotelRemarks": [],
        "refundableTag": refundable_tag(rates.iter().any(|rate| rate.is_refundable(at))),
    })
}
