//! The calls that a client of LiteAPI makes.

use reqwest::{Method, RequestBuilder};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::harness::*;

impl Answer {
    /// The body of a success.
    #[track_caller]
    pub(crate) fn good(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        assert!(self.body.get("error").is_none(), "{}", self.text);
        self.body
    }

    /// The error of an answer that must have this status and code.
    #[track_caller]
    pub(crate) fn bad(self, status: u16, code: u32) -> Value {
        let error = self.body["error"].clone();
        assert_eq!((self.status, &error["code"]), (status, &json!(code)), "{}", self.text);
        assert!(error["message"].is_string());
        error
    }
}

impl Stage {
    pub(crate) fn liteapi_request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/liteapi/v3.0{path}", self.sandbox.base_url());
        self.client.request(method, url).header("X-API-Key", "liteapi_test_abc")
    }

    pub(crate) async fn liteapi(&self, path: &str, body: &Value) -> Answer {
        self.try_liteapi(path, body).await.unwrap()
    }

    pub(crate) async fn try_liteapi(&self, path: &str, body: &Value) -> Result<Answer, reqwest::Error> {
        sent(self.liteapi_request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn liteapi_get(&self, path: &str) -> Answer {
        sent(self.liteapi_request(Method::GET, path)).await.unwrap()
    }

    /// The hotels of a search.
    pub(crate) async fn hotels(&self, query: &Value) -> Vec<Value> {
        self.liteapi("/hotels/rates", query).await.good()["data"].as_array().unwrap().clone()
    }

    /// The first offer of a search that fits.
    pub(crate) async fn hotel_offer(&self, query: &Value, fits: impl Fn(&Value) -> bool) -> Value {
        let hotels = self.hotels(query).await;
        let mut offers = hotels.iter().flat_map(|hotel| list(&hotel["roomTypes"]));
        offers.find(|offer| fits(offer)).expect("an offer that fits").clone()
    }

    pub(crate) async fn prebook(&self, offer: &Value) -> Answer {
        let body =
            json!({ "offerId": offer["offerId"], "usePaymentSdk": false, "includeCreditBalance": true });
        self.liteapi("/rates/prebook", &body).await
    }

    /// A booking of an offer under a reference.
    pub(crate) async fn book_rooms(&self, offer: &Value, reference: &str) -> Answer {
        let prebook = self.prebook(offer).await.good();
        self.liteapi("/rates/book", &booking_request(&prebook, reference)).await
    }

    /// The bookings under a reference.
    pub(crate) async fn under(&self, reference: &str) -> Vec<Value> {
        let found = self.liteapi_get(&format!("/bookings?clientReference={reference}")).await;
        found.good()["data"].as_array().unwrap().clone()
    }

    pub(crate) async fn cancel_rooms(&self, booking_id: &Value) -> Answer {
        let path = format!("/bookings/{}", booking_id.as_str().unwrap());
        sent(self.liteapi_request(Method::PUT, &path)).await.unwrap()
    }
}

/// Two adults in one room in Mumbai for three nights.
pub(crate) fn query() -> Value {
    json!({
        "countryCode": "IN", "cityName": "Mumbai",
        "checkin": "2027-02-21", "checkout": "2027-02-24",
        "currency": "INR", "guestNationality": "IN",
        "occupancies": [{ "adults": 2 }],
    })
}

/// The booking of a prebook, with a guest for each room.
pub(crate) fn booking_request(prebook: &Value, reference: &str) -> Value {
    let rooms = list(&prebook["data"]["roomTypes"][0]["rates"]);
    let guest = |room: &Value| {
        json!({
            "occupancyNumber": room["occupancyNumber"], "firstName": "Asha", "lastName": "Rao",
            "email": "asha@example.com", "remarks": "quiet room please",
        })
    };
    json!({
        "prebookId": prebook["data"]["prebookId"],
        "clientReference": reference,
        "holder": {
            "firstName": "Ravi", "lastName": "Rao", "email": "ravi@example.com", "phone": "+919812345678",
        },
        "guests": rooms.iter().map(guest).collect::<Vec<_>>(),
        "payment": { "method": "WALLET" },
    })
}

pub(crate) fn is_refundable(offer: &Value) -> bool {
    offer["rates"][0]["cancellationPolicies"]["refundableTag"] == "RFN"
}

/// The price of an offer.
#[track_caller]
pub(crate) fn price(offer: &Value) -> Decimal {
    number(&offer["offerRetailRate"]["amount"])
}
