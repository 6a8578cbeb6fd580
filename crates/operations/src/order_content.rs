//! What has to be known of stored orders where nobody knows of which product they are.

use serde_json::Value;
use wayfare_domain::{Money, OrderPart, Product, ProductKind};
use wayfare_flights::Itinerary;
use wayfare_hotels::Stay;
use wayfare_store::JsonText;

use crate::Result;

/// What has to be known of this product's.
pub(crate) fn order_content(kind: ProductKind) -> OrderContent {
    match kind {
        ProductKind::Flight => OrderContent::of::<Itinerary>(),
        ProductKind::Hotel => OrderContent::of::<Stay>(),
    }
}

#[derive(Clone, Copy)]
pub(crate) struct OrderContent {
    pub charged: fn(&JsonText) -> Result<Money>,
    /// Its record locator; empty where there is none.
    pub locator: fn(&JsonText) -> Result<String>,
    pub mark_cancelled: fn(&JsonText) -> Result<JsonText>,
    pub mark_part_cancelled: fn(&JsonText, &OrderPart) -> Result<JsonText>,
    /// Whom a booking is for that was stored before people were sealed.
    pub people_of_old: fn(Value) -> Result<Option<JsonText>>,
}

impl OrderContent {
    pub(crate) fn of<P: Product>() -> Self {
        Self {
            charged: |content| Ok(P::facts(&content.parse()?).total),
            locator: |content| Ok(P::facts(&content.parse()?).locator.to_owned()),
            mark_cancelled: |content| {
                let mut order: P::Order = content.parse()?;
                P::give_back(&mut order);
                Ok(JsonText::of(&order)?)
            },
            mark_part_cancelled: |content, part| {
                let mut order: P::Order = content.parse()?;
                P::give_back_part(&mut order, part);
                Ok(JsonText::of(&order)?)
            },
            people_of_old: |product| {
                let product: P = serde_json::from_value(product)?;
                Ok(product.parts().people.map(JsonText::keeping).transpose()?)
            },
        }
    }
}
