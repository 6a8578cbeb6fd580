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
        assert_eq!((self.status, error["errCode"].as_str()), (status, Some(code)), "{}", self.text);
        assert_eq!(self.body["status"], json!({ "success": false, "httpStatus": status }));
        assert!(error["message"].is_string() && error["details"].is_string());
        error
    }
}

impl Stage {
    pub(crate) fn tripjack_request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/tripjack{path}", self.sandbox.base_url());
        self.client.request(method, url).header("apikey", "tripjack_test_abc")
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
        self.tripjack("/fms/v1/review", json!({ "priceIds": price_ids })).await
    }

    /// The review of the first fare of a one-way search.
    pub(crate) async fn first_review(&self, from: &str, to: &str) -> Value {
        let trips = self.trips(query(&[(from, to, DAY)])).await;
        self.review(&[&trips["ONWARD"][0]["totalPriceList"][0]["id"]]).await.done()
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

/// All fares of all trips of a list.
pub(crate) fn fares(trips: &Value) -> Vec<Value> {
    list(trips).iter().flat_map(|trip| list(&trip["totalPriceList"]).clone()).collect()
}

/// The first fare of a kind.
#[track_caller]
pub(crate) fn fare_of(trips: &Value, identifier: &str) -> Value {
    let mut all = fares(trips).into_iter();
    all.find(|fare| fare["fareIdentifier"] == identifier).unwrap_or_else(|| panic!("no {identifier} fare"))
}

/// What is due for a review.
#[track_caller]
pub(crate) fn due(review: &Value) -> Decimal {
    number(&review["totalPriceInfo"]["totalFareDetail"]["fC"]["TF"])
}

/// Money, as a JSON number.
pub(crate) fn payment(amount: Decimal) -> Value {
    let amount: Value = serde_json::from_str(&amount.to_string()).unwrap();
    json!([{ "amount": amount }])
}

/// The body that books a review, paid at once, for people who fit it.
pub(crate) fn paid(review: &Value) -> Value {
    let mut body = unpaid(review);
    body["paymentInfos"] = payment(due(review));
    body
}

/// The body that holds the seats of a review.
pub(crate) fn unpaid(review: &Value) -> Value {
    let pax = &review["searchQuery"]["paxInfo"];
    let kinds =
        [("ADULT", "Mr", "1988-05-17"), ("CHILD", "Master", "2019-03-02"), ("INFANT", "Ms", "2026-06-30")];
    let mut names = ["Asha", "Ravi", "Meera", "Kabir", "Tara"].iter();
    let takes_passports = review["conditions"].get("pcs").is_some();
    let people: Vec<Value> = kinds
        .iter()
        .flat_map(|kind| vec![kind; usize::try_from(pax[kind.0].as_u64().unwrap()).unwrap()])
        .map(|(kind, title, born_on)| {
            let mut person = json!({
                "ti": title, "pt": kind, "fN": names.next().unwrap(), "lN": "Rao", "dob": born_on,
            });
            if takes_passports {
                person["pNum"] = json!("Z1234567");
                person["eD"] = json!("2031-01-01");
                person["pNat"] = json!("IN");
            }
            person
        })
        .collect();
    json!({
        "bookingId": review["bookingId"],
        "deliveryInfo": { "emails": ["asha@example.com"], "contacts": ["+919812345678"] },
        "contactInfo": { "emails": ["dev@example.com"], "contacts": ["+919812345679"], "ecn": "Dev Rao" },
        "travellerInfo": people,
    })
}

impl Stage {
    pub(crate) async fn book(&self, body: Value) -> Answer {
        self.tripjack("/oms/v1/air/book", body).await
    }

    /// What has become of a booking.
    pub(crate) async fn details(&self, booking_id: &Value) -> Answer {
        let body = json!({ "bookingId": booking_id, "requirePaxPricing": true });
        self.tripjack("/oms/v1/booking-details", body).await
    }

    /// TripJack's word for what has become of a booking.
    pub(crate) async fn order_status(&self, booking_id: &Value) -> Value {
        self.details(booking_id).await.done()["order"]["status"].take()
    }

    /// A review of a one-way fare that fits, of all that there are.
    pub(crate) async fn review_that(&self, to: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let trips = self.trips(query(&[("DEL", to, DAY)])).await;
        for fare in fares(&trips["ONWARD"]) {
            let review = self.review(&[&fare["id"]]).await.done();
            if fits(&review) {
                return review;
            }
        }
        panic!("no review that fits")
    }
}

pub(crate) fn is_holdable(review: &Value) -> bool {
    review["conditions"]["isBA"] == true
}

/// Whether a review's first fare gives back so much: 0 nothing, 1 all, 2 a part.
pub(crate) fn refunds(review: &Value, how_much: u8) -> bool {
    review["tripInfos"][0]["totalPriceList"][0]["fd"]["ADULT"]["rT"] == how_much
}
