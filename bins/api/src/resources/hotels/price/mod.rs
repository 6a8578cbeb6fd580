//! Prices of chosen rooms.

mod views;

use wayfare_contract::hotels::{HotelPrice, HotelPriceRequest, RoomSelection};
use wayfare_operations::{
    Caller,
    hotels::{self, MOST_ROOMS},
};

use super::common::LONGEST_KEY;
use crate::http::{
    App,
    extract::{Ask, Body},
    json_body::{FromJson, JsonObject},
    reply::{DataReply, data},
};

/// `POST /hotels/price`.
pub async fn price(app: App, ask: Ask<Caller, Body<HotelPriceRequest>>) -> DataReply<HotelPrice> {
    let priced = hotels::price(&app.hotels, &ask.who, &ask.what.0).await?;
    data(views::price(priced)?)
}

/// `POST /hotels/price`.
impl FromJson for HotelPriceRequest {
    const NAME: &str = "PriceHotelRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let search_id = body.text("search_id", 128);
        let hotel_id = body.text("hotel_id", LONGEST_KEY);
        let room_selections = body.list("room_selections", 1..=MOST_ROOMS, |selection| {
            let room_id = selection.text("room_id", LONGEST_KEY);
            let rate_id = selection.text("rate_id", LONGEST_KEY);
            let quantity = selection.number("quantity", 1..=9_u16);
            Some(RoomSelection { room_id: room_id?, rate_id: rate_id?, quantity })
        });
        Some(Self { search_id: search_id?, hotel_id: hotel_id?, room_selections: room_selections? })
    }
}
