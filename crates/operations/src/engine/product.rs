//! What can be bought, as its suppliers are asked for it: the one place that tells flights from hotels for the spine.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use wayfare_domain::{Money, Product, ProductKind};
use wayfare_flights::{Itinerary, OrderRequest};
use wayfare_hotels::{Stay, StayRequest};
use wayfare_supply::Answer;

use crate::{Platform, Result};

/// A product that suppliers are asked to book.
pub(crate) trait Supplied: Product {
    /// What is sent, kept with the step.
    type Request: DeserializeOwned + Send + Sync;

    /// Makes the order.
    fn book(
        platform: &Platform,
        supplier: &str,
        request: &Self::Request,
    ) -> impl Future<Output = Result<Answer<Self::Order>>> + Send;

    /// The order as it stands; by its id at the supplier, where it is known.
    fn find(
        platform: &Platform,
        supplier: &str,
        order_id: Option<&str>,
        request: &Self::Request,
    ) -> impl Future<Output = Result<Answer<Option<Self::Order>>>> + Send;
}

impl Supplied for Itinerary {
    type Request = OrderRequest;

    async fn book(
        platform: &Platform,
        supplier: &str,
        request: &OrderRequest,
    ) -> Result<Answer<Self::Order>> {
        Ok(platform.flight_supplier(supplier)?.book(request).await)
    }

    async fn find(
        platform: &Platform,
        supplier: &str,
        order_id: Option<&str>,
        request: &OrderRequest,
    ) -> Result<Answer<Option<Self::Order>>> {
        let lookup = wayfare_flights::Lookup {
            reference: &request.reference,
            order_id,
            request,
        };
        Ok(platform.flight_supplier(supplier)?.find(lookup).await)
    }
}

impl Supplied for Stay {
    type Request = StayRequest;

    async fn book(platform: &Platform, supplier: &str, request: &StayRequest) -> Result<Answer<Self::Order>> {
        Ok(platform.hotel_supplier(supplier)?.book(request).await)
    }

    async fn find(
        platform: &Platform,
        supplier: &str,
        order_id: Option<&str>,
        request: &StayRequest,
    ) -> Result<Answer<Option<Self::Order>>> {
        let lookup = wayfare_hotels::Lookup { order_id, request };
        Ok(platform.hotel_supplier(supplier)?.find(lookup).await)
    }
}

/// What the supplier charges for an order, out of what it said of it.
///
/// # Errors
/// When that can't be read.
pub(crate) fn charged(kind: ProductKind, content: &Value) -> Result<Money> {
    fn of<P: Product>(content: &Value) -> Result<Money> {
        let order = P::Order::deserialize(content)?;
        Ok(P::facts(&order).total)
    }
    match kind {
        ProductKind::Flight => of::<Itinerary>(content),
        ProductKind::Hotel => of::<Stay>(content),
    }
}

/// Marks what a supplier said of an order as given back.
pub(crate) fn mark_given_back(kind: ProductKind) -> fn(Value) -> Result<Value> {
    fn mark<P: Product>(content: Value) -> Result<Value> {
        let mut order: P::Order = serde_json::from_value(content)?;
        P::give_back(&mut order);
        Ok(serde_json::to_value(order)?)
    }
    match kind {
        ProductKind::Flight => mark::<Itinerary>,
        ProductKind::Hotel => mark::<Stay>,
    }
}
