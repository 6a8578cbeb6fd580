//! Hotel suppliers as the booking engine asks them.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::Value;
use wayfare_domain::BookingPapers;
use wayfare_hotels::{HotelSupplier, Lookup, Stay, StayRequest};
use wayfare_supply::Answer;

use crate::{
    Result,
    engine::{
        order_supplier::{OrderSupplier, found, made},
        step::OrderMade,
    },
};

#[async_trait]
impl OrderSupplier for Arc<dyn HotelSupplier> {
    async fn book(&self, request: &Value, _papers: Option<&BookingPapers>) -> Result<Answer<OrderMade>> {
        let request = StayRequest::deserialize(request)?;
        made::<Stay>((**self).book(&request).await)
    }

    async fn find(&self, order_id: Option<&str>, request: &Value) -> Result<Answer<Option<OrderMade>>> {
        let request = StayRequest::deserialize(request)?;
        let lookup = Lookup {
            order_id,
            request: &request,
        };
        found::<Stay>((**self).find(lookup).await)
    }
}
