//! What is said of every booking, whatever was bought.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Money,
    code::{random_code, text_type},
};

/// What can be bought: a booking is one thing, whatever it is (an itinerary, a stay).
pub trait Product: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// Which kind it is.
    const KIND: ProductKind;
    /// What the supplier says of its order.
    type Order: Serialize + DeserializeOwned + Clone + Send + Sync + 'static;
    /// What every booking needs to know of a supplier's order.
    fn facts(order: &Self::Order) -> OrderFacts<'_>;
    /// Marks what the supplier said of its order as given back.
    fn give_back(order: &mut Self::Order);
}

/// What every booking needs to know of a supplier's order.
#[derive(Clone, Copy, Debug)]
pub struct OrderFacts<'a> {
    /// The supplier's id of it.
    pub id: &'a str,
    /// Held, confirmed or cancelled.
    pub status: OrderStatus,
    /// The record locator or confirmation number; empty when there is none.
    pub locator: &'a str,
    /// What the supplier charges, in its currency.
    pub total: Money,
    /// What is still to come of it.
    pub awaited: Awaited,
}

/// What is still to come of an order without anybody's asking for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// Nothing.
    Nothing,
    /// It lapses unless it is paid in time, UTC; none where the supplier does not say until when.
    Payment(Option<DateTime<Utc>>),
    /// Its supplier still has to issue its documents.
    Documents,
}

crate::word_enum! {
    /// What kind of thing was bought.
    pub enum ProductKind {
        /// An itinerary.
        Flight,
        /// A stay.
        Hotel,
    }
}

text_type! {
    /// The public reference of a booking: `FA-` or `HTL-` and eight characters of Crockford's base 32.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(transparent)]
    #[schemars(extend("pattern" = "^(FA|HTL)-[0-9A-Z]{8}$"))]
    BookingRef
}

text_type! {
    /// Our own reference of one supplier order, `FA-7K2M9Q4X-1`, sent with each effect so that it can be found.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(transparent)]
    #[schemars(extend("pattern" = "^(FA|HTL)-[0-9A-Z]{8}-[0-9]+$"))]
    OrderReference
}

impl BookingRef {
    /// A fresh reference; that it is unique is guarded by the database.
    pub fn random(product: ProductKind) -> Self {
        let prefix = match product {
            ProductKind::Flight => "FA",
            ProductKind::Hotel => "HTL",
        };
        Self(format!("{prefix}-{}", random_code(8)))
    }

    /// The reference of the booking's `number`-th supplier order, counted from 1.
    pub fn order(&self, number: u16) -> OrderReference {
        OrderReference(format!("{}-{number}", self.0))
    }

    /// The reference that this text is; none for a text that can't be one.
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.strip_prefix("FA-").or_else(|| text.strip_prefix("HTL-"))?;
        let plain = code.len() == 8
            && code
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        plain.then(|| Self(text.to_owned()))
    }
}

crate::word_enum! {
    /// Where a booking stands.
    #[derive(JsonSchema)]
    pub enum BookingStatus {
        /// The money is held and the supplier's answer is not known yet.
        Pending,
        /// The supplier has it and it is paid.
        Confirmed,
        /// It was confirmed and is no more.
        Cancelled,
        /// The supplier refused it; the hold was given back.
        Failed,
    }

    /// Where one supplier order stands.
    #[derive(JsonSchema)]
    pub enum OrderStatus {
        /// Asked for; nothing known yet.
        Pending,
        /// Space is held, not paid at the supplier.
        Held,
        /// Bought.
        Confirmed,
        /// Given back.
        Cancelled,
        /// Refused.
        Failed,
    }

    /// Where a ticket stands.
    #[derive(JsonSchema)]
    pub enum TicketStatus in "UPPERCASE" {
        /// Not issued yet.
        Pending,
        /// Good for travel.
        Issued,
        /// Taken back on the day of issue.
        Voided,
        /// Taken back later.
        Refunded,
    }

    /// Where a refund stands.
    #[derive(JsonSchema)]
    pub enum RefundStatus {
        /// Asked for.
        Pending,
        /// The supplier is at it.
        Processing,
        /// In the wallet.
        Refunded,
        /// The supplier refused.
        Failed,
    }

    /// What a call to a supplier is to change there.
    pub enum StepKind {
        /// Make the order.
        Book,
        /// Give the order back.
        Cancel,
        /// Pay for the held order and have its tickets issued.
        Ticket,
        /// Give an order back whose booking failed because another of its orders was refused.
        #[strum(serialize = "undo")]
        #[serde(rename = "undo")]
        Compensate,
        /// Buy something for an order that stands.
        AddService,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_booking_reference_names_the_product_and_its_orders() {
        let flight = BookingRef::random(ProductKind::Flight);
        assert!(flight.as_ref().starts_with("FA-"));
        assert_eq!(flight.as_ref().len(), 11);
        assert_eq!(flight.order(2).as_ref(), format!("{flight}-2"));
        assert!(
            BookingRef::random(ProductKind::Hotel)
                .as_ref()
                .starts_with("HTL-")
        );
    }
}
