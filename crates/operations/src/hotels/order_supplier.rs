//! Hotel suppliers as the booking engine asks them.

use std::sync::Arc;

use async_trait::async_trait;
use wayfare_hotels::{HotelSupplier, Lookup, Stay, StoredStayRequest};
use wayfare_store::JsonText;
use wayfare_supply::Answer;

use crate::{
    Result,
    engine::{
        order_supplier::{OrderSupplier, found, made},
        step::OrderMade,
    },
    people::sealed::BookingPeople,
};

#[async_trait]
impl OrderSupplier for Arc<dyn HotelSupplier> {
    async fn book(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<OrderMade>> {
        let request = request.parse::<StoredStayRequest>()?.with(&people.of()?);
        made::<Stay>((**self).book(&request).await)
    }

    async fn find(
        &self,
        order_id: Option<&str>,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>> {
        let request = request.parse::<StoredStayRequest>()?.with(&people.of()?);
        let lookup = Lookup { order_id, request: &request };
        found::<Stay>((**self).find(lookup).await)
    }
}
