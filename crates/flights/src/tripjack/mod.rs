//! TripJack Air API v1: the calls.
//!
//! `wire` and `order_wire` have their JSON; `map`, `journey`, `review`, `rules` and `order` turn theirs into ours, `order` and
//! `ancillaries` ours into theirs; `errors` judges their errors; [`read`] is what changes nothing there, without a network.
//! `booking`, `cancellation` and `changes` are the calls that make orders, give them back and reissue their tickets. Nothing is
//! ever sent twice.
//!
//! Choices that the API leaves open:
//! * Prices are rupees: no body names a currency.
//! * A domestic return is two lists of halves that are reviewed together; any other trip with a way back is one piece.
//! * A review opens a session and gives the order its id, long before it is booked.

mod account;
mod ancillaries;
mod booking;
mod cancellation;
mod change_wire;
mod changes;
mod errors;
mod fare_rules;
mod journey;
mod names;
mod offers;
mod order;
mod order_wire;
mod papers;
mod parts;
pub(crate) mod passed_on;
pub mod read;
pub mod read_after_sale;

/// What is passed on of an order in the supplier's own words, whichever connection it was made by.
pub fn order_passed_on(raw: Value) -> PassedOn {
    crate::passed_on::passed_on(raw, passed_on::ORDER)
}

#[cfg(test)]
mod read_alike;
mod review;
mod wire;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;
use serde::Serialize;
use serde_json::Value;
use tokio::time::timeout;
use wayfare_domain::{Faults, Money, Party, Traveller};
use wayfare_supply::{
    AccountBalance, AfterSales, Answer, CancellationQuote, Exchange, Method, OrderToCancel, PartToCancel,
    PartsTaken, PendingChange, Refusal, RefusalEvidence, RefusalKind, Request, SupplierConfig, SupplierHttp,
};
use wayfare_supply::{done_or_return, read_exchange, reading::read_tree};

use crate::ancillary::SEATS_WAIT;
use crate::{
    AncillaryChoice, ChangeOffer, FareRules, FlightSupplier, JourneyChange, Lookup, Offer, Offers,
    OrderRequest, PassedOn, PricedOrder, Query, SupplierOrder, spread,
};
use errors::Call;
use read::{Reviewed, Unreadable};
use review::SupplierContext;

/// Airlines sell no more seats at once; infants have none.
const MOST_SEATS: u8 = 9;
/// A domestic trip of several cities is reviewed by a price id for each.
const MOST_PRICE_IDS: usize = 6;

/// TripJack as a supplier.
#[derive(Clone, Debug)]
pub struct TripJack {
    http: SupplierHttp,
}

impl TripJack {
    /// TripJack at the end of this way, whose token is the API key. The way's clock tells when a price is over.
    pub fn new(http: SupplierHttp) -> Self {
        Self { http }
    }

    fn now(&self) -> DateTime<Utc> {
        self.http.clock().now()
    }

    async fn ask<T>(
        &self,
        path: &str,
        body: &impl Serialize,
        call: Call,
        read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
    ) -> Answer<T> {
        let request = self.http.request(Method::POST, path).json(body);
        self.send(request, call, read).await
    }

    async fn send<T>(
        &self,
        request: Request,
        call: Call,
        read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
    ) -> Answer<T> {
        let exchange = self.exchange(request, call).await;
        self.judged(exchange, call, read)
    }

    async fn exchange(&self, request: Request, call: Call) -> Answer<Exchange> {
        let request = request.header("apikey", self.http.config().token.expose_secret());
        self.http.send(request, call.purpose()).await
    }

    fn judged<T>(
        &self,
        exchange: Answer<Exchange>,
        call: Call,
        read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
    ) -> Answer<T> {
        let key = self.http.config().token.expose_secret();
        exchange.and_then(|exchange| self.http.reading(|| errors::judge(&exchange, call, key, read)))
    }

    async fn search_once(&self, query: Query) -> Answer<Offers> {
        let body = wire::NewSearch { search_query: new_query(&query) };
        let request = self.http.request(Method::POST, "/fms/v1/air-search-all").json(&body);
        let exchange = self.exchange(request, Call::Read).await;
        let this = self.clone();
        read_exchange(exchange, move |exchange| {
            let read = |body: &[u8]| read::search(body, query.party, this.now());
            this.judged(exchange, Call::Read, read)
        })
        .await
    }

    /// Seats are an extra: whatever goes wrong with them costs only themselves and a little time.
    async fn add_seats(&self, reviewed: &mut Reviewed) {
        if !reviewed.has_seats {
            return;
        }
        let booking_id = reviewed.supplier_context.booking_id.clone();
        let body = wire::OfBooking { booking_id: &booking_id };
        let answer = self.ask("/fms/v1/seat", &body, Call::Seats, |body| read::seats(body, reviewed));
        let answer = timeout(SEATS_WAIT, answer).await;
        let answer = answer.unwrap_or_else(|_| Answer::Unknown("they take too long".to_owned()));
        if let Some(problem) = answer.problem() {
            tracing::warn!(order = booking_id, problem, "a review goes without seats");
        }
    }
}

#[async_trait]
impl AfterSales for TripJack {
    fn config(&self) -> &SupplierConfig {
        self.http.config()
    }

    fn http(&self) -> Option<&SupplierHttp> {
        Some(&self.http)
    }

    async fn quote_cancellation(&self, order: OrderToCancel<'_>) -> Answer<CancellationQuote> {
        cancellation::quote_cancellation(self, order).await
    }

    async fn cancel(
        &self,
        order_id: &str,
        cancellation_id: &str,
        remarks: Option<&str>,
        part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        cancellation::cancel(self, order_id, cancellation_id, remarks, part).await
    }

    async fn find_cancellation(
        &self,
        order_id: &str,
        cancellation_id: &str,
        part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        cancellation::find_cancellation(self, order_id, cancellation_id, part).await
    }

    fn parts_taken(&self) -> PartsTaken {
        let parts = self.config().parts;
        PartsTaken { journeys: parts, travellers: parts }
    }

    async fn balance(&self) -> Answer<Option<AccountBalance>> {
        let request = self.http.request(Method::GET, "/ums/v1/user-detail");
        self.send(request, Call::Read, account::balance).await
    }

    fn refusal_evidence(&self, cancellation_id: &str) -> RefusalEvidence {
        cancellation::refusal_evidence(cancellation_id)
    }
}

#[async_trait]
impl FlightSupplier for TripJack {
    fn declines(&self, query: &Query) -> Option<String> {
        if let Some(reason) = spread::declined(query, self.config().city_codes) {
            return Some(reason);
        }
        let seats = query.party.adults.saturating_add(query.party.children);
        (seats > MOST_SEATS).then(|| format!("takes at most {MOST_SEATS} passengers beside infants"))
    }

    fn check_travellers(&self, travellers: &[Traveller]) -> Faults {
        names::SPELLING.check(travellers)
    }

    async fn search(&self, query: &Query) -> Answer<Offers> {
        spread::search(self.searches(query), |query| self.search_once(query)).await
    }

    async fn price(&self, tokens: &[&str], party: Party) -> Answer<PricedOrder> {
        if tokens.is_empty() || tokens.len() > MOST_PRICE_IDS {
            return Answer::Refused(Refusal::new("so many offers can't be booked together"));
        }
        let body = wire::NewReview { price_ids: tokens };
        let read = |body: &[u8]| read::review(body, tokens, self.now());
        let answer = self.ask("/fms/v1/review", &body, Call::Offer, read).await;
        let mut reviewed = done_or_return!(answer.and_then(|reviewed| sellable(reviewed, party)));
        self.add_seats(&mut reviewed).await;
        Answer::Done(reviewed).and_read(priced)
    }

    async fn fare_rules(&self, offer: &Offer, priced: Option<&PricedOrder>) -> Answer<FareRules> {
        let supplier_context = priced.map(|priced| remembered(&priced.supplier_context)).transpose();
        let supplier_context = done_or_return!(Answer::or_unknown(supplier_context));
        let body = match &supplier_context {
            Some(supplier_context) => {
                wire::NewRulesQuestion { flow_type: "REVIEW", id: &supplier_context.booking_id }
            }
            None => wire::NewRulesQuestion { flow_type: "SEARCH", id: &offer.token },
        };
        self.ask("/fms/v2/farerule", &body, Call::Offer, read::fare_rules).await
    }

    fn order_wire_format(
        &self,
        _memory: &Value,
        ancillary_catalog: &Value,
        travellers: &[Traveller],
        choices: &[AncillaryChoice],
    ) -> Result<Vec<Value>, (usize, String)> {
        ancillaries::order_wire_format(ancillary_catalog, travellers, choices)
    }

    async fn book(&self, order: &OrderRequest) -> Answer<SupplierOrder> {
        booking::book(self, order).await
    }

    async fn find(&self, lookup: Lookup<'_>) -> Answer<Option<SupplierOrder>> {
        booking::find(self, lookup).await
    }

    fn passed_on(&self, raw: Value) -> PassedOn {
        order_passed_on(raw)
    }

    async fn ticket(&self, order_id: &str, request: &OrderRequest, total: Money) -> Answer<SupplierOrder> {
        booking::ticket(self, order_id, request, total).await
    }

    async fn find_ticketed(&self, order_id: &str, request: &OrderRequest) -> Answer<Option<SupplierOrder>> {
        booking::find_ticketed(self, order_id, request).await
    }

    fn changes_journeys(&self) -> bool {
        self.config().reissue
    }

    async fn change_offers(
        &self,
        order_id: &str,
        request: &OrderRequest,
        wanted: &[JourneyChange],
    ) -> Answer<Vec<ChangeOffer>> {
        changes::offers(self, order_id, request, wanted).await
    }

    async fn prepare_change(&self, order: Lookup<'_>, token: &str) -> Answer<PendingChange> {
        changes::prepare(self, order, token).await
    }

    async fn confirm_change(&self, order: Lookup<'_>, change: &PendingChange) -> Answer<PendingChange> {
        changes::confirm(self, order, change).await
    }

    async fn find_pending_change(&self, change_id: &str) -> Answer<PendingChange> {
        changes::find(self, change_id).await
    }

    async fn find_changed(&self, order: Lookup<'_>, change_id: &str) -> Answer<Option<SupplierOrder>> {
        changes::find_changed(self, order.request, change_id).await
    }
}

fn new_query(query: &Query) -> wire::NewQuery<'_> {
    let code = |code| wire::Code { code };
    wire::NewQuery {
        cabin_class: query.cabin.as_ref(),
        pax_info: wire::Passengers {
            adult: Some(query.party.adults),
            child: Some(query.party.children),
            infant: Some(query.party.infants),
        },
        route_infos: query
            .slices
            .iter()
            .map(|slice| wire::NewRoute {
                from_city_or_airport: code(&slice.origin),
                to_city_or_airport: code(&slice.destination),
                travel_date: slice.date,
            })
            .collect(),
        preferred_airline: query.airline.as_deref().map(|airline| [code(airline)]),
        search_modifiers: query
            .direct_only
            .then_some(wire::NewModifiers { is_direct_flight: true, is_connecting_flight: false }),
    }
}

/// What was reviewed, if it can be sold to this party.
fn sellable(reviewed: Option<Reviewed>, party: Party) -> Answer<Reviewed> {
    let Some(reviewed) = reviewed else {
        let text = "other flights are offered than were asked for";
        return Answer::Refused(Refusal::of(RefusalKind::Gone, text));
    };
    if reviewed.party != party {
        return Answer::Refused(Refusal::new("the offer is for other passengers"));
    }
    Answer::Done(reviewed)
}

fn priced(reviewed: Reviewed) -> serde_json::Result<PricedOrder> {
    Ok(PricedOrder {
        supplier_context: serde_json::to_value(reviewed.supplier_context)?,
        offers: reviewed.offers,
        expires_at: reviewed.expires_at,
        ancillaries: reviewed.ancillaries,
        ancillary_catalog: serde_json::to_value(reviewed.ancillary_catalog)?,
    })
}

fn remembered(supplier_context: &Value) -> Result<SupplierContext, String> {
    read_tree(supplier_context).map_err(|error| format!("the review's memory is unreadable: {error}"))
}
