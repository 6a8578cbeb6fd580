//! The port: what every flight supplier can be asked, whoever it is.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{Faults, Money, OrderStatus, Party, Traveller};
use wayfare_supply::{AfterSales, Answer, PendingChange, Refusal};

use crate::{
    AddedServices, Ancillary, AncillaryChoice, ChangeOffer, FareRules, JourneyChange, Lookup, Offer, Offers,
    OrderRequest, PassedOn, Query, SoldServices, SupplierOrder, passed_on, spread,
};

/// Offers read again with their supplier, to be booked as one order: what will be charged for it if it is booked now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricedOrder {
    /// The offers as they stand now, in the order in which they were asked for; never empty.
    pub offers: Vec<Offer>,
    /// What the adapter needs again to book them, such as the supplier's passenger ids; opaque to others.
    #[serde(rename = "memory")]
    pub supplier_context: Value,
    /// When the supplier's price ends, UTC.
    pub expires_at: Option<DateTime<Utc>>,
    /// What can be bought with the fare.
    pub ancillaries: Vec<Ancillary>,
    /// What the adapter needs to sell ancillaries and to tell the rules; opaque to others. It may be much, and no booking
    /// carries it.
    #[serde(rename = "shelf")]
    pub ancillary_catalog: Value,
}

impl PricedOrder {
    /// Offers as they stand now, with nothing to be bought beside and nothing to be remembered.
    pub fn of(offers: Vec<Offer>) -> Self {
        let (supplier_context, ancillary_catalog) = (Value::Null, Value::Null);
        Self { offers, supplier_context, expires_at: None, ancillaries: Vec::new(), ancillary_catalog }
    }
}

/// One flight supplier. Each call is sent at most once; no implementation retries. A supplier has to search, price, book, look up and
/// cancel; what has a default is for one that can't do it, or does not tell. [`crate::conformance`] tests one.
#[async_trait]
pub trait FlightSupplier: AfterSales {
    /// Whether the supplier makes only one order of all that one search answer offers. Whoever buys of an answer that
    /// others were given too needs an answer of their own then.
    fn offers_are_single_use(&self) -> bool {
        false
    }

    /// Why it can't be asked this at all, if it can't: a party that it never takes, a trip of which nothing could be bought. By default
    /// cities, where it is not to be asked for any.
    fn declines(&self, query: &Query) -> Option<String> {
        spread::declined(query, self.config().city_codes)
    }

    /// What this supplier would refuse of the travellers, so that it is told before anything is held. Fields
    /// are named by the travellers' places: `passengers[0].first_name`.
    fn check_travellers(&self, _travellers: &[Traveller]) -> Faults {
        Faults::default()
    }

    /// What it is asked for this query: the query itself, or where a city is spread, one for each pair of airports. Each is a
    /// call.
    fn searches(&self, query: &Query) -> Vec<Query> {
        spread::searches(query, self.config().city_codes)
    }

    /// Everything it sells for this query: the answers to its [`FlightSupplier::searches`] together ([`crate::search_each`]).
    async fn search(&self, query: &Query) -> Answer<Offers>;

    /// These offers read again with the airline, to be booked together as one order, in the order of their
    /// journeys. More than one are halves that this supplier itself sells together ([`crate::OfferKind::Combinable`], [`crate::OfferKind::OneWay`]).
    async fn price(&self, tokens: &[&str], party: Party) -> Answer<PricedOrder>;

    /// What giving the offer back or changing it costs, as far as this supplier tells. `priced` is the order that it was
    /// priced in, where it was. By default what the offer itself tells.
    async fn fare_rules(&self, offer: &Offer, _priced: Option<&PricedOrder>) -> Answer<FareRules> {
        Answer::Done(offer.fare.refund.rules())
    }

    /// The [`AncillaryChoice::wire_format`] of each choice, from the catalog of what was sold to these travellers
    /// ([`PricedOrder::ancillary_catalog`], [`SoldServices::ancillary_catalog`]); `supplier_context` is the priced order's.
    ///
    /// # Errors
    /// The index of a choice that can't be had and the reason, worded to follow its field's name: `is not for infants`.
    fn order_wire_format(
        &self,
        _supplier_context: &Value,
        _ancillary_catalog: &Value,
        _travellers: &[Traveller],
        choices: &[AncillaryChoice],
    ) -> Result<Vec<Value>, (usize, String)> {
        if choices.is_empty() { Ok(Vec::new()) } else { Err((0, "is not sold by this supplier".to_owned())) }
    }

    /// Makes the order: an effect.
    async fn book(&self, order: &OrderRequest) -> Answer<SupplierOrder>;

    /// The order as it stands; none when the supplier knows of no such order (yet).
    async fn find(&self, lookup: Lookup<'_>) -> Answer<Option<SupplierOrder>>;

    /// What is passed on of an order in this supplier's own words ([`SupplierOrder::raw`]): what its list names. Without a list it
    /// is nothing.
    fn passed_on(&self, raw: Value) -> PassedOn {
        passed_on::passed_on(raw, passed_on::Allowed::Members("", &[]))
    }

    /// Pays for a held order, which issues its tickets: an effect. `request` is what was sent when it was booked,
    /// and `total` what the order says it costs ([`SupplierOrder::total`]): of another amount the supplier takes
    /// nothing, [`wayfare_supply::RefusalKind::PriceChanged`]. An order that is paid already is told as it is.
    ///
    /// What is answered is confirmed. Its tickets may come later: then a look-up has them.
    async fn ticket(&self, _order_id: &str, _request: &OrderRequest, _total: Money) -> Answer<SupplierOrder> {
        Answer::Refused(Refusal::new("this supplier holds nothing that could be paid later"))
    }

    /// The order, if it is paid; none while it is not (yet). None is the proof that it won't be only when the
    /// supplier's longest processing time ([`wayfare_supply::SupplierConfig::processing_time`]) has passed since the order was given
    /// to [`FlightSupplier::ticket`]. While a payment is under way the answer is unknown, however long that takes; and so it is by
    /// default of an order that still stands unpaid.
    async fn find_ticketed(&self, order_id: &str, request: &OrderRequest) -> Answer<Option<SupplierOrder>> {
        let found = self.find(Lookup::by_id(order_id, request)).await.unless_refused();
        found.and_then(|order| match order.as_ref().map(|order| order.status) {
            Some(OrderStatus::Confirmed) => Answer::Done(order),
            Some(OrderStatus::Cancelled | OrderStatus::Failed) => Answer::Done(None),
            // Only a status that is an end tells something.
            _ => Answer::Unknown("this supplier does not tell whether a payment is under way".to_owned()),
        })
    }

    /// Whether anything can be bought for an order that stands.
    fn sells_services_later(&self) -> bool {
        false
    }

    /// What can still be bought for the order, which was made by this request.
    async fn services(&self, _order_id: &str, _request: &OrderRequest) -> Answer<SoldServices> {
        Answer::Refused(Refusal::new(NOTHING_LATER))
    }

    /// Buys these for the order: an effect. For [`AddedServices::total`] or not at all.
    async fn add_services(
        &self,
        _order_id: &str,
        _request: &OrderRequest,
        _added: &AddedServices,
    ) -> Answer<SupplierOrder> {
        Answer::Refused(Refusal::new(NOTHING_LATER))
    }

    /// The order, if these were added to it; none while they are not (yet). None is the proof that they won't be only
    /// when the supplier's longest processing time has passed since they were asked for. By default nobody knows.
    async fn find_added(
        &self,
        _order_id: &str,
        _request: &OrderRequest,
        _added: &AddedServices,
    ) -> Answer<Option<SupplierOrder>> {
        Answer::Unknown("this supplier does not tell what was added to an order".to_owned())
    }

    /// Whether what airlines have changed of its orders can be accepted there.
    fn accepts_changes(&self) -> bool {
        false
    }

    /// Accepts what an airline has changed ([`crate::AirlineChange::id`]): an effect. A newer change in its place is
    /// [`wayfare_supply::RefusalKind::Superseded`]. What became of it is told by the order.
    async fn accept_change(&self, _change_id: &str) -> Answer<()> {
        Answer::Refused(Refusal::new(NO_ACCEPTING))
    }

    /// Whether journeys of its orders can be changed there one by one.
    fn changes_journeys(&self) -> bool {
        false
    }

    /// Other flights for journeys of a paid order, which was made by this request.
    async fn change_offers(
        &self,
        _order_id: &str,
        _request: &OrderRequest,
        _wanted: &[JourneyChange],
    ) -> Answer<Vec<ChangeOffer>> {
        Answer::Refused(Refusal::new(NO_CHANGES))
    }

    /// Has the change of the order made ready that this token names ([`ChangeOffer::token`]). It is nothing until it is
    /// confirmed, and lapses.
    async fn prepare_change(&self, _order: Lookup<'_>, _token: &str) -> Answer<PendingChange> {
        Answer::Refused(Refusal::new(NO_CHANGES))
    }

    /// Whether a change to whose confirmation no answer came may be confirmed once more: its id makes both one to the supplier.
    fn confirms_changes_again(&self) -> bool {
        false
    }

    /// Carries a change of the order out for its price: an effect. It is asked for once, and once more at most where
    /// [`FlightSupplier::confirms_changes_again`] says so.
    async fn confirm_change(&self, _order: Lookup<'_>, _change: &PendingChange) -> Answer<PendingChange> {
        Answer::Refused(Refusal::new(NO_CHANGES))
    }

    /// A change that was made ready, as it stands. One that is not confirmed when it has expired never will be.
    async fn find_pending_change(&self, _change_id: &str) -> Answer<PendingChange> {
        Answer::Refused(Refusal::new(NO_CHANGES))
    }

    /// The order as it stands after the change of this id was confirmed: it may have another id since
    /// ([`SupplierOrder::id`]).
    async fn find_changed(&self, order: Lookup<'_>, _change_id: &str) -> Answer<Option<SupplierOrder>> {
        self.find(order).await
    }
}

/// Of a supplier whose orders fly as they were sold.
const NO_CHANGES: &str = "this supplier changes no journeys";
/// Of a supplier that asks nobody.
const NO_ACCEPTING: &str = "this supplier takes no answers to schedule changes";
/// Of a supplier that sells everything with the order.
const NOTHING_LATER: &str = "nothing can be added to an order of this supplier";
