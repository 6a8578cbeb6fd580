//! What a supplier holds for us, and what it is asked to do with it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;
use wayfare_domain::{
    BookingPapers, Contact, Money, MoneyError, OrderReference, OrderStatus, RawAnswer, TicketStatus,
    Traveller,
};

use crate::{AncillaryChoice, ItineraryPeople, Segment};

/// Whether the supplier is paid at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderMode {
    /// Paid and ticketed.
    Instant,
    /// Space is held, to be paid before a deadline.
    Hold,
}

/// One order to be made at a supplier, with people. It is composed when it is sent ([`StoredOrder::with`]) and stored nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRequest {
    /// Our own reference, by which the order can be found again.
    pub reference: OrderReference,
    /// The supplier's name of the offer, the first one of several.
    pub offer_token: String,
    /// What the adapter remembered when it priced the offer ([`crate::PricedOrder::supplier_context`]).
    pub supplier_context: Value,
    /// Paid at once or held.
    pub mode: OrderMode,
    /// T as it was priced, in the supplier's currency: the supplier must refuse to charge another amount for the fare.
    pub total: Money,
    /// Who travels, in order of their index.
    pub travellers: Vec<Traveller>,
    /// How they are reached.
    pub contact: Contact,
    /// Their papers, and those of the booking.
    pub papers: BookingPapers,
    /// What is bought with the fare.
    pub ancillaries: Vec<AncillaryChoice>,
}

/// What is stored of an order that was asked for: nothing of people but their indices. Steps store it: a new field may be
/// missing, and is left out while it is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredOrder {
    /// See [`OrderRequest::reference`].
    pub reference: OrderReference,
    /// See [`OrderRequest::offer_token`].
    pub offer_token: String,
    /// See [`OrderRequest::supplier_context`].
    #[serde(rename = "memory")]
    pub supplier_context: Value,
    /// See [`OrderRequest::mode`].
    pub mode: OrderMode,
    /// See [`OrderRequest::total`].
    pub total: Money,
    /// The indices of those who travel, in order.
    #[serde(deserialize_with = "indices")]
    pub travellers: Vec<u32>,
    /// See [`OrderRequest::ancillaries`].
    #[serde(rename = "extras", default, skip_serializing_if = "Vec::is_empty")]
    pub ancillaries: Vec<AncillaryChoice>,
}

/// Indices, or travellers, as steps stored them before people were sealed.
fn indices<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    let index = |named: &Value| {
        let index = named.get("index").unwrap_or(named).as_u64();
        let index = index.and_then(|index| u32::try_from(index).ok());
        index.ok_or_else(|| D::Error::custom("a traveller without an index"))
    };
    Vec::<Value>::deserialize(deserializer)?.iter().map(index).collect()
}

impl StoredOrder {
    /// What is stored of this request.
    pub fn of(request: &OrderRequest) -> Self {
        Self {
            reference: request.reference.clone(),
            offer_token: request.offer_token.clone(),
            supplier_context: request.supplier_context.clone(),
            mode: request.mode,
            total: request.total,
            travellers: request.travellers.iter().map(|traveller| traveller.index).collect(),
            ancillaries: request.ancillaries.clone(),
        }
    }

    /// What is sent for these people; none where one of its travellers is not among them.
    pub fn with(self, people: &ItineraryPeople, papers: &BookingPapers) -> Option<OrderRequest> {
        let of = |index: &u32| people.travellers.iter().find(|traveller| traveller.index == *index);
        let travellers = self.travellers.iter().map(|index| of(index).cloned());
        let mut papers = papers.clone();
        papers.travellers.retain(|index, _| self.travellers.contains(index));
        Some(OrderRequest {
            travellers: travellers.collect::<Option<_>>()?,
            contact: people.contact.clone(),
            papers,
            reference: self.reference,
            offer_token: self.offer_token,
            supplier_context: self.supplier_context,
            mode: self.mode,
            total: self.total,
            ancillaries: self.ancillaries,
        })
    }
}

impl OrderRequest {
    /// What the supplier is to charge: the fare and what is bought with it.
    pub fn due(&self) -> Result<Money, MoneyError> {
        self.ancillaries.iter().try_fold(self.total, |sum, choice| sum.plus(choice.cost()?))
    }
}

/// Which order is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup<'a> {
    /// The supplier's id of the order, where it is known already.
    pub order_id: Option<&'a str>,
    /// Whether the operator has named that id; else the supplier itself has said it.
    pub is_named_by_operator: bool,
    /// What was sent; it has our reference.
    pub request: &'a OrderRequest,
}

impl<'a> Lookup<'a> {
    /// The order that was made by this request, by the id that its supplier has given it.
    pub fn by_id(order_id: &'a str, request: &'a OrderRequest) -> Self {
        Self { order_id: Some(order_id), is_named_by_operator: false, request }
    }
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
    /// In order of the travellers; those of nobody known last.
    pub tickets: Vec<Ticket>,
    /// The indices of travellers of whom nobody knows surely who they are of those whom the supplier names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unclear_travellers: Vec<u32>,
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
    /// Its flights as the supplier shows them, in order; empty where it shows none. They are not stored: what differs from what
    /// was sold is, as a change.
    #[serde(default, skip_serializing)]
    pub flights: Vec<Segment>,
    /// The supplier's answer as it came; it is stored sealed, beside the order.
    #[serde(default, skip_serializing)]
    pub raw: RawAnswer,
}

impl SupplierOrder {
    /// An order of this id that stands so and costs this. The supplier shows nothing else of it.
    pub fn new(id: impl Into<String>, status: OrderStatus, total: Money) -> Self {
        Self {
            id: id.into(),
            status,
            pnr: String::new(),
            airline_pnr: String::new(),
            locators: Vec::new(),
            tickets: Vec::new(),
            unclear_travellers: Vec::new(),
            total,
            payment_required_by: None,
            price_guaranteed_until: None,
            created_at: None,
            airline_changes: Vec::new(),
            flights: Vec::new(),
            raw: RawAnswer::default(),
        }
    }
}

/// A ticket of one traveller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// The ticket's number.
    pub number: String,
    /// The traveller's index; none where nobody knows surely whose it is. Servers of the release before read a number there: 0
    /// is nobody's.
    #[serde(with = "index_or_0")]
    pub traveller: Option<u32>,
    /// Where it stands.
    pub status: TicketStatus,
    /// The routes that it is of, as [`Locator::route`]; empty where the supplier does not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<String>,
}

impl Ticket {
    /// By what tickets are put in the order of their travellers, those of nobody last.
    pub fn place(&self) -> u32 {
        self.traveller.unwrap_or(u32::MAX)
    }
}

/// Indices count from 1.
mod index_or_0 {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it with a reference")]
    pub fn serialize<S: Serializer>(index: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
        index.unwrap_or_default().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
        Ok(Some(u32::deserialize(deserializer)?).filter(|index| *index > 0))
    }
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

impl AirlineChange {
    /// Suppliers' word for what was accepted.
    pub const ACCEPTED: &str = "accepted";
    /// What lets one accept it.
    pub const ACCEPT: &str = "accept";

    /// Whether it waits for somebody's decision.
    pub fn is_open(&self) -> bool {
        let decides = |action: &String| matches!(action.as_str(), Self::ACCEPT | "cancel" | "change");
        self.action_taken.is_none() && self.available_actions.iter().any(decides)
    }
}
