//! What a trial asks of a supplier's port, of flights and of stays alike.

use wayfare_domain::{Money, OrderReference, OrderStatus, ProductKind};
use wayfare_supply::{AfterSales, Answer};

/// Who travels: people who never were, at addresses and numbers that are nobody's (RFC 2606, Ofcom's for drama).
pub const FIRST_NAMES: [&str; 2] = ["Ottilie", "Leander"];
pub const LAST_NAME: &str = "Quarrington";
pub const EMAIL: &str = "ottilie.quarrington@example.com";
pub const PHONE: &str = "+447700900142";
pub const COUNTRY: &str = "GB";

/// What comes back of what would be given back soon. What is not known is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComesBack {
    Nothing,
    Part,
    All,
}

/// What a search has found.
pub struct Found<O> {
    pub count: usize,
    pub unusable: usize,
    /// Of which as much comes back as was wanted, or may; each with its price.
    pub refundable: Vec<(Money, O)>,
}

/// An offer as it could be booked now.
pub struct Priced<R> {
    pub request: R,
    pub total: Money,
    pub comes_back: ComesBack,
    /// Until when that much comes back, in words.
    pub until: String,
    pub is_held: bool,
    /// What the supplier wants that a trial has not.
    pub lacks: Option<String>,
}

/// An order as its supplier tells of it.
pub struct Order {
    pub id: String,
    pub status: OrderStatus,
    pub total: Money,
}

/// A supplier, whatever it sells, and what is wanted of it.
pub trait TrialPort {
    type Offer;
    type Request;
    const KIND: ProductKind;

    fn supplier(&self) -> &dyn AfterSales;
    async fn search(&self, wanted: ComesBack) -> Answer<Found<Self::Offer>>;
    async fn price(&self, offer: &Self::Offer, ours: &OrderReference) -> Answer<Priced<Self::Request>>;
    /// The same under another reference.
    fn renamed(&self, request: &Self::Request, reference: OrderReference) -> Self::Request;
    async fn book(&self, request: &Self::Request) -> Answer<Order>;
    /// By its id, else by its reference.
    async fn find(&self, order_id: Option<&str>, request: &Self::Request) -> Answer<Option<Order>>;
}
