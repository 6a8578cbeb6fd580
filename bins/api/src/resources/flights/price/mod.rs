//! Prices of chosen offers.

mod breakdown;
mod fare_rules;

mod views;

use wayfare_contract::flights::{FlightPrice, PriceRequest};
use wayfare_operations::{Caller, flights};

use super::book::bodies::MOST_OFFERS;
use crate::http::{
    App,
    extract::{Ask, Body},
    json_body::{FromJson, JsonObject},
    reply::{DataReply, data},
};

/// `POST /flights/price`.
pub async fn price(app: App, ask: Ask<Caller, Body<PriceRequest>>) -> DataReply<FlightPrice> {
    let priced = flights::price(&app.flights, &ask.who, &ask.what.0).await?;
    data(views::price(priced)?)
}

/// `POST /flights/price`; `flight_selection.offer_ids` is taken too.
impl FromJson for PriceRequest {
    const NAME: &str = "PriceFlightRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let wrapped = body.object("flight_selection", |selection| selection.texts("offer_ids", MOST_OFFERS));
        let direct = body.texts("offer_ids", MOST_OFFERS);
        // One of both may be empty.
        let named = |ids: Option<Vec<String>>| ids.filter(|ids| !ids.is_empty());
        let offer_ids = named(direct).or(named(wrapped));
        if offer_ids.is_none() && !body.is_at_fault() {
            body.fault("offer_ids", "this field is required");
        }
        let adults = body.number("adults", 1..=9);
        let children = body.number("children", 0..=9);
        let infants = body.number("infants", 0..=9);
        Some(Self { offer_ids: offer_ids?, flight_selection: None, adults, children, infants })
    }
}
