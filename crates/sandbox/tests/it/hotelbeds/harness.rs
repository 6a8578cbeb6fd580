//! The calls that a client of Hotelbeds makes.

use chrono::{DateTime, Utc};
use reqwest::{Method, RequestBuilder};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::*;

pub(crate) const KEY: &str = "hotelbeds_test_abc";
pub(crate) const API: &str = "/hotel-api/1.0";
pub(crate) const CONTENT: &str = "/hotel-content-api/1.0";
pub(crate) const CHECK_IN: &str = "2027-02-21";
pub(crate) const CHECK_OUT: &str = "2027-02-24";

/// The signature of a key at a second.
pub(crate) fn signature(key: &str, secret: &str, at: DateTime<Utc>) -> String {
    Sha256::digest(format!("{key}{secret}{}", at.timestamp()))
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Answer {
    /// The body of a success.
    #[track_caller]
    pub(crate) fn fine(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        assert!(self.body["auditData"]["processTime"].is_string(), "{}", self.text);
        self.body
    }

    /// The message of a refusal that must have this status and a code that begins so.
    #[track_caller]
    pub(crate) fn denied(self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        let token = text(&self.body["auditData"]["token"]);
        assert_eq!(self.body["error"]["code"], format!("{code}-{token}"), "{}", self.text);
        text(&self.body["error"]["message"]).to_owned()
    }
}

impl Stage {
    pub(crate) fn hotelbeds_request(&self, method: Method, path: &str) -> RequestBuilder {
        self.hotelbeds_request_as(KEY, method, path)
    }

    pub(crate) fn hotelbeds_request_as(&self, key: &str, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/hotelbeds{path}", self.sandbox.base_url());
        self.client
            .request(method, url)
            .header("Api-key", key)
            .header("X-Signature", signature(key, "sandbox", self.clock.now()))
    }

    pub(crate) async fn hotelbeds(&self, path: &str, body: &Value) -> Answer {
        self.try_hotelbeds(path, body).await.unwrap()
    }

    pub(crate) async fn try_hotelbeds(&self, path: &str, body: &Value) -> Result<Answer, reqwest::Error> {
        let request = self.hotelbeds_request(Method::POST, &format!("{API}{path}"));
        sent(request.json(body)).await
    }

    /// A `GET`, with the API's path.
    pub(crate) async fn hotelbeds_get(&self, path: &str) -> Answer {
        sent(self.hotelbeds_request(Method::GET, path)).await.unwrap()
    }

    /// The hotels of a search.
    pub(crate) async fn available(&self, query: &Value) -> Vec<Value> {
        let body = self.hotelbeds("/hotels", query).await.fine();
        let hotels = body["hotels"]["hotels"].as_array();
        let hotels = hotels.cloned().unwrap_or_default();
        assert_eq!(body["hotels"]["total"], json!(hotels.len()));
        hotels
    }

    /// The first rate of a search that fits, with its hotel and its room.
    pub(crate) async fn rate(&self, query: &Value, fits: impl Fn(&Value) -> bool) -> Found {
        let hotels = self.available(query).await;
        let mut all = hotels.iter().flat_map(found_in);
        all.find(|found| fits(&found.rate)).expect("a rate that fits")
    }

    /// A rate that can be booked at once.
    pub(crate) async fn bookable(&self) -> Value {
        self.rate(&query(), is_bookable).await.rate
    }

    pub(crate) async fn check(&self, rates: &[&Value]) -> Answer {
        let rooms: Vec<Value> = rates.iter().map(|rate| json!({ "rateKey": rate["rateKey"] })).collect();
        self.hotelbeds("/checkrates", &json!({ "rooms": rooms, "upselling": false })).await
    }

    pub(crate) async fn book_rate(&self, rate: &Value, reference: &str) -> Answer {
        self.hotelbeds("/bookings", &booking_request(&[rate], reference)).await
    }

    /// The booking of a reference of Hotelbeds'.
    pub(crate) async fn booking(&self, reference: &Value) -> Answer {
        self.hotelbeds_get(&format!("{API}/bookings/{}", reference.as_str().unwrap())).await
    }

    /// The bookings that were made around now under a reference of the client's.
    pub(crate) async fn bookings_under(&self, reference: &str) -> Vec<Value> {
        let path = format!(
            "{API}/bookings?start=2027-01-09&end=2027-01-12&filterType=CREATION&status=ALL&from=1&to=25\
             &clientReference={reference}"
        );
        let body = self.hotelbeds_get(&path).await.fine();
        list(&body["bookings"]["bookings"]).clone()
    }

    pub(crate) async fn end_booking(&self, reference: &Value, flag: &str) -> Answer {
        let reference = reference.as_str().unwrap();
        let path = format!("{API}/bookings/{reference}?cancellationFlag={flag}");
        sent(self.hotelbeds_request(Method::DELETE, &path)).await.unwrap()
    }
}

/// A rate, and whose.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) hotel: Value,
    pub(crate) room: Value,
    pub(crate) rate: Value,
}

/// Every rate of a hotel.
pub(crate) fn found_in(hotel: &Value) -> Vec<Found> {
    let mut all = Vec::new();
    for room in list(&hotel["rooms"]) {
        all.extend(list(&room["rates"]).iter().map(|rate| Found {
            hotel: hotel.clone(),
            room: room.clone(),
            rate: rate.clone(),
        }));
    }
    all
}

/// Two adults in one room in Mumbai for three nights.
pub(crate) fn query() -> Value {
    query_for(json!([{ "rooms": 1, "adults": 2, "children": 0 }]))
}

pub(crate) fn query_for(occupancies: Value) -> Value {
    json!({
        "stay": { "checkIn": CHECK_IN, "checkOut": CHECK_OUT },
        "occupancies": occupancies,
        "destination": { "code": "BOM" },
    })
}

/// A booking of rates, with the first adult of each room.
pub(crate) fn booking_request(rates: &[&Value], reference: &str) -> Value {
    let room = |rate: &&Value| {
        let rooms = rate["rooms"].as_u64().unwrap();
        let paxes: Vec<Value> = (1..=rooms)
            .map(|room| json!({ "roomId": room, "type": "AD", "name": "Asha", "surname": "Rao" }))
            .collect();
        json!({ "rateKey": rate["rateKey"], "paxes": paxes })
    };
    json!({
        "holder": { "name": "Ravi", "surname": "Rao" },
        "clientReference": reference,
        "remark": "A quiet room, please",
        "rooms": rates.iter().map(room).collect::<Vec<_>>(),
    })
}

pub(crate) fn is_bookable(rate: &Value) -> bool {
    rate["rateType"] == "BOOKABLE"
}

pub(crate) fn is_refundable(rate: &Value) -> bool {
    rate["rateClass"] == "NOR"
}

/// The price of a rate.
#[track_caller]
pub(crate) fn net(rate: &Value) -> Decimal {
    amount(&rate["net"])
}
