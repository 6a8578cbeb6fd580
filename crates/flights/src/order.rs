//! What a supplier holds for us, and what it is asked to do with it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{
    BookingPapers, Contact, Money, MoneyError, OrderReference, OrderStatus, TicketStatus, Traveller,
};

use crate::{AncillaryChoice, Segment};

/// Whether the supplier is paid at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderMode {
    /// Paid and ticketed.
    Instant,
    /// Space is held, to be paid before a deadline.
    Hold,
}

/// One order to be made at a supplier. Steps store it: a new field may be missing, and is left out while it is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderRequest {
    /// Our own reference, by which the order can be found again.
    pub reference: OrderReference,
    /// The supplier's name of the offer, the first one of several.
    pub offer_token: String,
    /// What the adapter remembered when it priced the offer ([`crate::PricedOrder::supplier_context`]).
    #[serde(rename = "memory")]
    pub supplier_context: Value,
    /// Paid at once or held.
    pub mode: OrderMode,
    /// T as it was priced, in the supplier's currency: the supplier must refuse to charge another amount for the fare.
    pub total: Money,
    /// Who travels, in order of their index.
    pub travellers: Vec<Traveller>,
    /// How they are reached.
    pub contact: Contact,
    /// What is bought with the fare.
    #[serde(rename = "extras", default, skip_serializing_if = "Vec::is_empty")]
    pub ancillaries: Vec<AncillaryChoice>,
    /// Whether papers were given with the booking: the order is not made without them then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_papers: bool,
    /// The papers of everybody on the booking. No step stores them: they are added when the order is sent.
    #[serde(skip)]
    pub papers: BookingPapers,
}

impl OrderRequest {
    /// What the supplier is to charge: the fare and what is bought with it.
    pub fn due(&self) -> Result<Money, MoneyError> {
        self.ancillaries
            .iter()
            .try_fold(self.total, |sum, choice| sum.plus(choice.cost()?))
    }
}

/// Which order is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup<'a> {
    /// Our own reference.
    pub reference: &'a OrderReference,
    /// The supplier's id of the order, where it is known already.
    pub order_id: Option<&'a str>,
    /// What was sent.
    pub request: &'a OrderRequest,
}

/// What the supplier holds for us now. Bookings store it: a new field may be missing, and is left out while it is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupplierOrder {
    /// The supplier's id of it.
    pub id: String,
    /// Held, confirmed or cancelled.
    pub status: OrderStatus,
    /// The record locator; empty when there is none.
    pub pnr: String,
    /// The airline's own locator, of the first route where there are several; empty when there is none.
    pub airline_pnr: String,
    /// The airlines' own locators by route, in order of travel as far as the supplier tells it; empty where one is good for all routes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locators: Vec<Locator>,
    /// In order of the travellers.
    pub tickets: Vec<Ticket>,
    /// What the supplier charges for it.
    pub total: Money,
    /// Until when a held order must be paid, UTC.
    pub payment_required_by: Option<DateTime<Utc>>,
    /// Until when a held order keeps its price, UTC.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
    /// When the supplier made it, UTC.
    pub created_at: Option<DateTime<Utc>>,
    /// What its airlines have changed by themselves, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub airline_changes: Vec<AirlineChange>,
    /// The supplier's answer as it came.
    pub raw: Value,
}

/// A ticket of one traveller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// The ticket's number.
    pub number: String,
    /// The traveller's index.
    pub traveller: u32,
    /// Where it stands.
    pub status: TicketStatus,
}

/// Under which name an airline knows a part of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locator {
    /// From where to where: `DEL-BOM`.
    pub route: String,
    /// The airline's own locator.
    pub pnr: String,
}

/// A change of its flights that an airline has made by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AirlineChange {
    /// The supplier's id of it.
    pub id: String,
    /// Flights that are no longer flown.
    pub removed: Vec<Segment>,
    /// What is flown in their place.
    pub added: Vec<Segment>,
    /// What was done about it, in the supplier's word; none while nothing was.
    pub action_taken: Option<String>,
    /// What can be done about it, in the supplier's words.
    pub available_actions: Vec<String>,
    /// When the supplier told, UTC.
    pub told_at: Option<DateTime<Utc>>,
}
