//! The calls that a client of TripJack makes.

use reqwest::{Method, RequestBuilder};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::harness::*;

impl Answer {
    /// The body of a success.
    #[track_caller]
    pub(crate) fn done(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        assert_eq!(self.body["status"], json!({ "success": true, "httpStatus": 200 }));
        self.body
    }

    /// The error of an answer that must have this status and code.
    #[track_caller]
    pub(crate) fn declined(self, status: u16, code: &str) -> Value {
        let error = self.body["errors"][0].clone();
        assert_eq!(
            (self.status, error["errCode"].as_str()),
            (status, Some(code)),
            "{}",
            self.text
        );
        assert_eq!(
            self.body["status"],
            json!({ "success": false, "httpStatus": status })
        );
        assert!(error["message"].is_string() && error["details"].is_string());
        error
    }
}

impl Stage {
    pub(crate) fn tripjack_request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/tripjack{path}", self.sandbox.base_url());
        self.client
            .request(method, url)
            .header("apikey", "tripjack_test_abc")
    }

    pub(crate) async fn tripjack(&self, path: &str, body: Value) -> Answer {
        self.try_tripjack(path, body).await.unwrap()
    }

    pub(crate) async fn try_tripjack(&self, path: &str, body: Value) -> Result<Answer, reqwest::Error> {
        sent(self.tripjack_request(Method::POST, path).json(&body)).await
    }

    /// The trips of a search, by key.
    pub(crate) async fn trips(&self, query: Value) -> Value {
        let answer = self.tripjack("/fms/v1/air-search-all", json!({ "searchQuery": query }));
        answer.await.done()["searchResult"]["tripInfos"].take()
    }

    pub(crate) async fn review(&self, price_ids: &[&Value]) -> Answer {
        self.tripjack("/fms/v1/review", json!({ "priceIds": price_ids }))
            .await
    }

    /// The review of the first fare of a one-way search.
    pub(crate) async fn first_review(&self, from: &str, to: &str) -> Value {
        let trips = self.trips(query(&[(from, to, DAY)])).await;
        self.review(&[&trips["ONWARD"][0]["totalPriceList"][0]["id"]])
            .await
            .done()
    }
}

/// A day to fly back on.
pub(crate) const BACK: &str = "2027-02-28";

/// One adult in economy.
pub(crate) fn query(routes: &[(&str, &str, &str)]) -> Value {
    let route = |(from, to, day): &(&str, &str, &str)| {
        json!({
            "fromCityOrAirport": { "code": from },
            "toCityOrAirport": { "code": to },
            "travelDate": day,
        })
    };
    json!({
        "cabinClass": "ECONOMY",
        "paxInfo": { "ADULT": "1", "CHILD": "0", "INFANT": "0" },
        "routeInfos": routes.iter().map(route).collect::<Vec<_>>(),
        "searchModifiers": { "isDirectFlight": false, "isConnectingFlight": false, "pft": "REGULAR" },
    })
}

/// Two adults, a child and an infant.
pub(crate) fn family(mut query: Value) -> Value {
    query["paxInfo"] = json!({ "ADULT": 2, "CHILD": 1, "INFANT": 1 });
    query
}

/// A JSON number, exactly.
#[track_caller]
pub(crate) fn number(value: &Value) -> Decimal {
    assert!(value.is_number(), "no number: {value}");
    value.to_string().parse().unwrap()
}

/// Everything in a list of the answer.
#[track_caller]
pub(crate) fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

/// All fares of all trips of a list.
pub(crate) fn fares(trips: &Value) -> Vec<Value> {
    list(trips)
        .iter()
        .flat_map(|trip| list(&trip["totalPriceList"]).clone())
        .collect()
}

/// The first fare of a kind.
#[track_caller]
pub(crate) fn fare_of(trips: &Value, identifier: &str) -> Value {
    let mut all = fares(trips).into_iter();
    all.find(|fare| fare["fareIdentifier"] == identifier)
        .unwrap_or_else(|| panic!("no {identifier} fare"))
}
