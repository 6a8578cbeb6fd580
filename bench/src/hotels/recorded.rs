//! A sandbox's answer to one search, cut to so many hotels and rates, as it goes over LiteAPI's wire.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{Days, NaiveDate};
use serde::Deserialize;
use serde_json::{json, value::RawValue};
use wayfare_domain::Clock;

use crate::{Result, sandbox};

pub const HOTELS: usize = 2_000;
/// How many rates, the same number for each hotel.
pub const RATES: usize = 20_000;
pub(super) const KEY: &str = "liteapi_test_bench";
/// So many hotels come in one event of the stream, as in the sandbox's.
const HOTELS_AN_EVENT: usize = 50;
/// So many hotels are described in one call.
const BATCH: usize = 200;

#[derive(Clone, Debug)]
pub struct Recording {
    /// The stream that answers a search.
    pub body: Arc<[u8]>,
    /// What it tells of each hotel by itself, by the hotel's id.
    pub(super) facts: Arc<BTreeMap<String, Box<RawValue>>>,
}

#[derive(Deserialize)]
struct Searched {
    data: Vec<Offered>,
    hotels: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Offered {
    hotel_id: String,
    room_types: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Told {
    data: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

/// Asks a sandbox for all hotels far around a point, and keeps those that have enough to sell.
pub async fn record() -> Result<Recording> {
    let sandbox = sandbox::start(1).await?;
    let recorded = of(&format!("{}/liteapi/v3.0", sandbox.base_url())).await;
    sandbox.stop().await;
    recorded
}

/// The day of arrival that was asked for, and that of departure.
pub(super) fn days() -> (NaiveDate, NaiveDate) {
    let check_in = Clock::system().now().date_naive() + Days::new(30);
    (check_in, check_in + Days::new(3))
}

async fn of(url: &str) -> Result<Recording> {
    let http = reqwest::Client::new();
    let (check_in, check_out) = days();
    let asked = http.post(format!("{url}/hotels/rates")).json(&json!({
        "latitude": 28.6139, "longitude": 77.209, "radius": 2_000_000, "limit": 5_000,
        "occupancies": [{ "adults": 2 }],
        "currency": "INR", "guestNationality": "IN", "checkin": check_in, "checkout": check_out,
        "includeHotelData": true,
    }));
    let asked = asked.header("X-API-Key", KEY).send().await?;
    let mut searched: Searched = serde_json::from_str(&asked.error_for_status()?.text().await?)?;
    let each = RATES / HOTELS;
    searched.data.retain(|hotel| hotel.room_types.len() >= each);
    if searched.data.len() < HOTELS {
        return Err(format!("only {} hotels have {each} rates", searched.data.len()).into());
    }
    searched.data.truncate(HOTELS);
    let mut facts = BTreeMap::new();
    for batch in searched.data.chunks(BATCH) {
        let ids: Vec<&str> = batch.iter().map(|hotel| hotel.hotel_id.as_str()).collect();
        let request = http.get(format!("{url}/data/hotels?hotelIds={}", ids.join(",")));
        let answer = request.header("X-API-Key", KEY).send().await?;
        let told: Told = serde_json::from_str(&answer.error_for_status()?.text().await?)?;
        for hotel in told.data {
            facts.insert(id(&hotel)?, hotel);
        }
    }
    let mut told = Vec::new();
    for hotel in searched.hotels {
        if facts.contains_key(&id(&hotel)?) {
            told.push(hotel);
        }
    }
    Ok(Recording { body: stream(&searched.data, each, &told)?.into_bytes().into(), facts: Arc::new(facts) })
}

fn id(hotel: &RawValue) -> Result<String> {
    Ok(serde_json::from_str::<Named>(hotel.get())?.id)
}

/// Rates event by event, then what is told of all hotels, and the end.
fn stream(offered: &[Offered], each: usize, told: &[Box<RawValue>]) -> Result<String> {
    let mut stream = String::new();
    for hotels in offered.chunks(HOTELS_AN_EVENT) {
        let rates = hotels.iter().map(|hotel| {
            let rates: Vec<&Box<RawValue>> = hotel.room_types.iter().take(each).collect();
            json!({ "hotelId": hotel.hotel_id, "roomTypes": rates })
        });
        stream += &event("rates", &rates.collect::<Vec<_>>())?;
    }
    stream += &event("hotels", &told)?;
    Ok(stream + "data: [DONE]\n\n")
}

fn event(name: &str, content: &impl serde::Serialize) -> Result<String> {
    Ok(format!("data: {{\"{name}\":{}}}\n\n", serde_json::to_string(content)?))
}
