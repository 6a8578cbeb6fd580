//! LiteAPI's words for money, times, boards, houses and terms; written from here, read by nobody in this project.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;

use crate::hotels::{Board, BookedRoom, Rate, Style};

/// An amount as a JSON number, exact.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Number(#[serde(with = "rust_decimal::serde::arbitrary_precision")] pub(super) Decimal);

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Amount<'a> {
    amount: Number,
    currency: &'a str,
    /// Where it is asked, if that is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
}

impl<'a> Amount<'a> {
    pub(super) fn of(amount: Decimal, currency: &'a str) -> Self {
        Self {
            amount: Number(amount),
            currency,
            source: None,
        }
    }

    /// What the public is asked elsewhere.
    pub(super) fn elsewhere(amount: Decimal, currency: &'a str) -> Self {
        Self {
            source: Some("booking.com"),
            ..Self::of(amount, currency)
        }
    }
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

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Policies<'a> {
    cancel_policy_infos: Vec<PolicyInfo<'a>>,
    hotel_remarks: [&'static str; 0],
    refundable_tag: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PolicyInfo<'a> {
    cancel_time: String,
    amount: Number,
    currency: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    timezone: &'static str,
}

impl<'a> Policies<'a> {
    pub(super) fn of(rate: &Rate, currency: &'a str, at: DateTime<Utc>) -> Self {
        Self::of_all(&[rate], currency, at)
    }

    /// Of the rooms of a booking together, as told when it was made.
    pub(super) fn of_rooms(rooms: &[BookedRoom], currency: &'a str, at: DateTime<Utc>) -> Self {
        let rates: Vec<&Rate> = rooms.iter().map(|room| &room.rate).collect();
        Self::of_all(&rates, currency, at)
    }

    /// Rooms of one booking have the same deadlines, so that what they keep adds up.
    fn of_all(rates: &[&Rate], currency: &'a str, at: DateTime<Utc>) -> Self {
        let mut moments: Vec<DateTime<Utc>> = rates
            .iter()
            .flat_map(|rate| &rate.steps)
            .map(|step| step.from)
            .collect();
        moments.sort_unstable();
        moments.dedup();
        if moments.is_empty() {
            moments.push(at);
        }
        let info = |moment: &DateTime<Utc>| PolicyInfo {
            cancel_time: cancel_time(*moment),
            amount: Number(rates.iter().map(|rate| rate.kept_at(*moment)).sum()),
            currency,
            kind: "amount",
            timezone: "GMT",
        };
        Self {
            cancel_policy_infos: moments.iter().map(info).collect(),
            hotel_remarks: [],
            refundable_tag: refundable_tag(rates.iter().any(|rate| rate.is_refundable(at))),
        }
    }
}
