//! What nobody can do without: the same bytes read by `serde_json` into types of their own, with all text that a search
//! uses.
#![expect(dead_code, reason = "read to be kept, and not looked at")]

use rust_decimal::Decimal;
use serde::Deserialize;
use wayfare_domain::exact_number;

use crate::Result;

#[derive(Deserialize)]
struct Event {
    rates: Option<Vec<Hotel>>,
    hotels: Option<Vec<Facts>>,
}

#[derive(Deserialize)]
struct Facts {
    id: String,
    name: Option<String>,
    address: Option<String>,
    main_photo: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hotel {
    hotel_id: String,
    room_types: Vec<Offer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Offer {
    offer_id: String,
    room_type_id: Option<String>,
    rates: Vec<Rate>,
    offer_retail_rate: Option<Price>,
    suggested_selling_price: Option<Price>,
    rate_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rate {
    occupancy_number: usize,
    name: Option<String>,
    max_occupancy: Option<u32>,
    adult_count: Option<u32>,
    child_count: Option<u32>,
    board_type: Option<String>,
    board_name: Option<String>,
    remarks: Option<String>,
    commission: Vec<Price>,
    retail_rate: RetailRate,
    cancellation_policies: Option<Policies>,
    payment_types: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RetailRate {
    total: Vec<Price>,
    #[serde(default)]
    suggested_selling_price: Vec<Price>,
    #[serde(default)]
    initial_price: Vec<Price>,
    #[serde(default)]
    taxes_and_fees: Vec<TaxOrFee>,
}

#[derive(Deserialize)]
struct Price {
    #[serde(with = "exact_number")]
    amount: Decimal,
    currency: String,
}

#[derive(Deserialize)]
struct TaxOrFee {
    included: bool,
    description: Option<String>,
    #[serde(with = "exact_number")]
    amount: Decimal,
    currency: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Policies {
    cancel_policy_infos: Vec<Penalty>,
    hotel_remarks: Vec<String>,
    refundable_tag: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Penalty {
    cancel_time: String,
    timezone: Option<String>,
    #[serde(with = "exact_number")]
    amount: Decimal,
    currency: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// Reads a whole stream and keeps it until its end; how many rates it has.
pub(super) fn read(body: &[u8]) -> Result<usize> {
    let text = std::str::from_utf8(body)?;
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    let events = data.filter(|data| *data != "[DONE]").map(serde_json::from_str);
    let events: Vec<Event> = events.collect::<serde_json::Result<_>>()?;
    let hotels = events.iter().filter_map(|event| event.rates.as_ref()).flatten();
    Ok(hotels.map(|hotel| hotel.room_types.len()).sum())
}
