//! Duffel Flights API v2: the calls.
//!
//! `wire` has their JSON; `offers`, `journey`, `conditions`, `catalog`, `order`, `airline_changes` and `added_services` turn theirs into
//! ours, `ancillary_ids` ours into theirs; `errors` judges their errors; and [`read`] is all of it without a network.
//! `booking`, `lookup`, `order_services` and `changes` are the calls that take more than one step. Nothing is ever sent twice: Duffel knows no idempotency key, and
//! warns that an order may stand although its answer was an error. Only the confirmation of a cancellation may be, since its
//! id says which one it is (D-130); whoever calls decides on it.
//!
//! Choices that the API leaves open:
//! * A search allows Duffel's own default of one change; none when only direct flights are wanted.
//! * An offer's price is the party's; shares for each passenger are unknown.
//! * A price is two calls at once, of which that for the seats may fail.
//! * Our reference travels as an order's `metadata.reference`. Lists show it but can't be filtered by it.

pub mod added_services;
mod airline_changes;
mod ancillary_ids;
mod booking;
mod catalog;
mod change_wire;
mod changes;
mod conditions;
mod errors;
mod fault_source;
mod hooks;
mod journey;
mod listed;
mod lookup;
mod money;
mod names;
mod offers;
mod order;
mod order_services;
mod papers;
mod parts;
pub(crate) mod passed_on;
mod payment;
pub mod read;

/// What is passed on of an order in the supplier's own words, whichever connection it was made by.
pub fn order_passed_on(raw: Value) -> PassedOn {
    crate::passed_on::passed_on(raw, passed_on::ORDER)
}

#[cfg(test)]
mod read_alike;
mod unasked;
mod wire;

use std::pin::pin;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures_util::future::{Either, select};
use secrecy::ExposeSecret;
use serde_json::Value;
use tokio::time::{Instant, timeout};
use wayfare_domain::{Faults, Money, OrderStatus, Party, Traveller};
use wayfare_supply::{
    AfterSales, Answer, CancellationQuote, Hook, HookProof, ListedOrder, Method, OrderToCancel, PartToCancel,
    PendingChange, Refusal, RefusalEvidence, RefusalKind, Request, SupplierConfig, SupplierHttp, SweptOrder,
    UnaskedRefund,
};
use wayfare_supply::{done_or_return, id_or_refused, is_id, read_exchange, reading::read_tree};

use crate::ancillary::SEATS_WAIT;
use crate::{
    AddedServices, AncillaryChoice, ChangeOffer, FareRules, FlightSupplier, JourneyChange, Lookup, Offer,
    Offers, OrderRequest, PassedOn, PricedOrder, Query, SoldServices, SupplierOrder, spread,
};
use ancillary_ids::OrderableServices;
use errors::Call;
use order::SupplierContext;
use payment::PaymentState;

/// The types of identity documents that an order can have, in Duffel's words.
pub const DOCUMENT_KINDS: &[&str] = wire::DocumentKind::WORDS;

/// Duffel's largest.
const PAGE_SIZE: &str = "200";
/// Duffel refuses an offer request for more, infants included.
const MOST_PASSENGERS: usize = 9;

/// Duffel as a supplier.
#[derive(Clone, Debug)]
pub struct Duffel {
    http: SupplierHttp,
    test_mode: bool,
}

impl Duffel {
    /// Duffel at the end of this way. A token that begins with `duffel_test_` is of its test mode. The way's clock
    /// tells that an offer or a hold is over.
    pub fn new(http: SupplierHttp) -> Self {
        let test_mode = http.config().token.expose_secret().starts_with("duffel_test_");
        Self { http, test_mode }
    }

    fn now(&self) -> DateTime<Utc> {
        self.http.clock().now()
    }

    fn request(&self, method: Method, path: &str) -> Request {
        self.http
            .request(method, path)
            .bearer(&self.http.config().token)
            .header("Duffel-Version", "v2")
            .header("Accept", "application/json")
    }

    async fn ask(&self, request: Request, call: Call) -> Answer<Vec<u8>> {
        let token = self.http.config().token.expose_secret();
        let answer = self.http.send(request, call.purpose()).await;
        answer.and_then(|exchange| errors::judge(exchange, call, token))
    }

    /// The airlines get a second less than we wait, so that Duffel can answer with those that made it.
    fn supplier_timeout(&self) -> String {
        let patience = self.http.config().read_deadline.saturating_sub(Duration::from_secs(1));
        patience.as_millis().clamp(2_000, 60_000).to_string()
    }

    async fn offer(&self, token: &str) -> Answer<Vec<u8>> {
        let request = self
            .request(Method::GET, &format!("/air/offers/{token}"))
            .query(&[("return_available_services", "true")]);
        self.ask(request, Call::Offer).await
    }

    /// None where they can't be had, whatever the reason.
    async fn seat_maps(&self, token: &str) -> Option<Vec<u8>> {
        let request = self.request(Method::GET, "/air/seat_maps").query(&[("offer_id", token)]);
        match self.ask(request, Call::SeatMaps).await {
            Answer::Done(body) => Some(body),
            failed => {
                let reason = failed.problem().unwrap_or_default();
                tracing::warn!(offer = token, reason, "an offer is priced without seats");
                None
            }
        }
    }

    /// Both are asked for at once. Nothing that becomes of the seats costs the offer, which is first in line where only
    /// one call gets through, or more than a little time.
    async fn offer_and_seat_maps(&self, token: &str) -> (Answer<Vec<u8>>, Option<Vec<u8>>) {
        match select(pin!(self.offer(token)), pin!(self.seat_maps(token))).await {
            Either::Left((offer @ Answer::Done(_), seat_maps)) => {
                let seat_maps = timeout(SEATS_WAIT, seat_maps).await.unwrap_or_else(|_| {
                    tracing::warn!(offer = token, "an offer is priced without seats: they take too long");
                    None
                });
                (offer, seat_maps)
            }
            Either::Left((failed, _)) => (failed, None),
            Either::Right((seat_maps, offer)) => (offer.await, seat_maps),
        }
    }

    async fn search_once(&self, query: Query) -> Answer<Offers> {
        let request = self
            .request(Method::POST, "/air/offer_requests")
            .query(&[("return_offers", "true"), ("supplier_timeout", &self.supplier_timeout())])
            .json(&wire::Envelope { data: new_offer_request(&query) });
        let exchange = self.http.send(request, Call::Read.purpose()).await;
        let this = self.clone();
        read_exchange(exchange, move |exchange| {
            let token = this.http.config().token.expose_secret();
            let body = exchange.and_then(|exchange| errors::judge(exchange, Call::Read, token));
            body.and_read(|body| this.http.reading(|| read::search(&body, this.test_mode)))
        })
        .await
    }

    /// Pays for a held order; that it is paid already is the same answer.
    async fn pay(&self, order_id: &str, total: Money) -> Answer<PaymentState> {
        let body = wire::Envelope { data: payment::NewPayment::of(order_id, total) };
        let request = self.request(Method::POST, "/air/payments").json(&body);
        let answer = self.http.send(request, Call::Payment.purpose()).await;
        if let Answer::Done(exchange) = &answer
            && errors::says_paid(exchange)
        {
            return Answer::Done(PaymentState::Paid);
        }
        let token = self.http.config().token.expose_secret();
        answer
            .and_then(|exchange| errors::judge(exchange, Call::Payment, token))
            .and_read(|body| payment::state(&body))
    }

    /// Pays for a held order. After its price's guarantee Duffel takes no payment until the order was priced again: that is
    /// done, and what costs as much as before is paid for.
    async fn pay_at_its_price(&self, order_id: &str, total: Money) -> Answer<PaymentState> {
        let asked_at = Instant::now();
        match self.pay(order_id, total).await {
            // Refused surely took nothing.
            Answer::Refused(refusal) if refusal.kind == RefusalKind::PriceChanged => {
                let left = booking::FOLLOWED_WITHIN.saturating_sub(asked_at.elapsed());
                match timeout(left, self.price_held(order_id)).await {
                    Ok(Answer::Done(now)) if now == total => self.pay(order_id, total).await,
                    _ => Answer::Refused(refusal),
                }
            }
            answer => answer,
        }
    }

    /// What a held order costs now, which its airline is asked for; the order shows it from then on.
    async fn price_held(&self, order_id: &str) -> Answer<Money> {
        let path = format!("/air/orders/{order_id}/actions/price");
        let body = wire::Envelope { data: payment::PayingFromBalance::default() };
        let answer = self.ask(self.request(Method::POST, &path).json(&body), Call::Read);
        answer.await.and_read(|body| self.http.reading(|| payment::total(&body)))
    }

    /// The order after its payment was taken: whatever stands in the way of reading it, it may be paid.
    async fn paid_order(&self, order_id: &str, request: &OrderRequest) -> Answer<SupplierOrder> {
        let reason = match self.find(Lookup::by_id(order_id, request)).await {
            Answer::Done(Some(order)) if order.status == OrderStatus::Confirmed => {
                return Answer::Done(order);
            }
            Answer::Done(Some(order)) => format!("the order is {}", order.status.as_ref()),
            Answer::Done(None) => "the order is not found".to_owned(),
            failed => failed.problem().unwrap_or_default().to_owned(),
        };
        Answer::Unknown(format!("paid, but {reason}"))
    }

    /// All payments of an order, as far as they have come.
    async fn payments(&self, order_id: &str) -> Answer<Vec<PaymentState>> {
        let request =
            self.request(Method::GET, "/air/payments").query(&[("order_id", order_id), ("limit", PAGE_SIZE)]);
        self.ask(request, Call::Lookup).await.and_read(|body| payment::states(&body))
    }

    /// What was priced, if it can still be bought by this party.
    fn for_party(&self, priced: PricedOrder, party: Party) -> Answer<PricedOrder> {
        if priced.expires_at.is_some_and(|end| end <= self.now()) {
            return Answer::Refused(Refusal::of(RefusalKind::Expired, "the offer has expired"));
        }
        let read = SupplierContext::read(&priced.supplier_context);
        let passengers = done_or_return!(Answer::or_unknown(read)).passengers;
        let mut theirs: Vec<_> = passengers.into_iter().map(|passenger| passenger.kind).collect();
        theirs.sort();
        // Party::types comes sorted: adults, children, infants.
        if !party.types().eq(theirs) {
            return Answer::Refused(Refusal::new("the offer is for other passengers"));
        }
        Answer::Done(priced)
    }
}

#[async_trait]
impl AfterSales for Duffel {
    fn config(&self) -> &SupplierConfig {
        self.http.config()
    }

    fn http(&self) -> Option<&SupplierHttp> {
        Some(&self.http)
    }

    async fn quote_cancellation(&self, order: OrderToCancel<'_>) -> Answer<CancellationQuote> {
        let body = wire::Envelope { data: wire::NewCancellation { order_id: order.id } };
        let request = self.request(Method::POST, "/air/order_cancellations").json(&body);
        let answer = self.ask(request, Call::Read).await;
        answer.map(|body| self.http.reading(|| read::cancellation_quote(&body)))
    }

    async fn cancel(
        &self,
        _order_id: &str,
        cancellation_id: &str,
        _remarks: Option<&str>,
        _part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        done_or_return!(id_or_refused(cancellation_id, "cancellation"));
        let path = format!("/air/order_cancellations/{cancellation_id}/actions/confirm");
        let request = self.request(Method::POST, &path);
        let answer = self.ask(request, Call::Cancel).await;
        answer.and_read(|body| self.http.reading(|| read::cancellation(&body)))
    }

    async fn find_cancellation(
        &self,
        _order_id: &str,
        cancellation_id: &str,
        _part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        done_or_return!(id_or_refused(cancellation_id, "cancellation"));
        let request = self.request(Method::GET, &format!("/air/order_cancellations/{cancellation_id}"));
        match self.ask(request, Call::Lookup).await {
            // A cancellation that Duffel doesn't know was never carried out.
            Answer::Refused(Refusal { kind: RefusalKind::Gone, text, .. }) => {
                Answer::Refused(Refusal::new(text))
            }
            answer => {
                answer.unless_refused().and_read(|body| self.http.reading(|| read::cancellation(&body)))
            }
        }
    }

    fn swept_every(&self) -> Option<Duration> {
        Some(Duration::from_secs(300))
    }

    async fn sweep(&self) -> Answer<Vec<SweptOrder>> {
        unasked::requiring_action(self).await
    }

    async fn orders_since(&self, since: DateTime<Utc>) -> Answer<Option<Vec<ListedOrder>>> {
        listed::orders_since(self, since).await.map(Some)
    }

    fn hook_proof(&self) -> Option<HookProof<'_>> {
        hooks::proof(self.config())
    }

    fn read_hook(&self, body: &[u8]) -> Option<Hook> {
        hooks::read(body)
    }

    async fn unasked_refund(&self, order_id: &str, _charged: Money) -> Answer<Option<UnaskedRefund>> {
        unasked::refund(self, order_id).await
    }

    fn refusal_evidence(&self, _cancellation_id: &str) -> RefusalEvidence {
        RefusalEvidence::QuoteExpired
    }
}

#[async_trait]
impl FlightSupplier for Duffel {
    fn offers_are_single_use(&self) -> bool {
        // `offer_request_already_booked`.
        true
    }

    fn declines(&self, query: &Query) -> Option<String> {
        if let Some(reason) = spread::declined(query, self.config().city_codes) {
            return Some(reason);
        }
        (query.party.size() > MOST_PASSENGERS).then(|| format!("takes at most {MOST_PASSENGERS} passengers"))
    }

    fn check_travellers(&self, travellers: &[Traveller]) -> Faults {
        names::SPELLING.check(travellers)
    }

    async fn search(&self, query: &Query) -> Answer<Offers> {
        spread::search(self.searches(query), |query| self.search_once(query)).await
    }

    async fn price(&self, tokens: &[&str], party: Party) -> Answer<PricedOrder> {
        let [token] = tokens else {
            return Answer::Refused(Refusal::new("offers of this supplier are booked one by one"));
        };
        if !is_id(token) {
            return Answer::Refused(Refusal::of(RefusalKind::Gone, "there is no such offer"));
        }
        let (offer, seat_maps) = self.offer_and_seat_maps(token).await;
        let read = |body: Vec<u8>| read::offer(&body, seat_maps.as_deref(), self.test_mode);
        let priced = offer.and_read(|body| self.http.reading(|| read(body)));
        priced.and_then(|priced| self.for_party(priced, party))
    }

    async fn fare_rules(&self, offer: &Offer, priced: Option<&PricedOrder>) -> Answer<FareRules> {
        // Duffel has no call for them: an offer's conditions are all that it tells, those of its slices where it was
        // priced.
        let ancillary_catalog = priced.map(|priced| read_tree(&priced.ancillary_catalog));
        match ancillary_catalog.transpose() {
            Ok(ancillary_catalog) => Answer::Done(match ancillary_catalog {
                Some(order::AncillaryCatalog { rules, .. }) => rules,
                None => offer.fare.refund.rules(),
            }),
            Err(error) => Answer::Unknown(format!("what was kept of the price is unreadable: {error}")),
        }
    }

    fn order_wire_format(
        &self,
        supplier_context: &Value,
        ancillary_catalog: &Value,
        travellers: &[Traveller],
        choices: &[AncillaryChoice],
    ) -> Result<Vec<Value>, (usize, String)> {
        let ancillary_catalog = read_tree::<OrderableServices>(ancillary_catalog);
        let ancillary_catalog = ancillary_catalog
            .map_err(|error| (0, format!("was offered in words that are unreadable: {error}")))?;
        let supplier_context = SupplierContext::read(supplier_context).map_err(|reason| (0, reason))?;
        ancillary_ids::order_wire_format(&supplier_context, &ancillary_catalog.services, travellers, choices)
    }

    async fn book(&self, order: &OrderRequest) -> Answer<SupplierOrder> {
        booking::book(self, order).await
    }

    async fn find(&self, lookup: Lookup<'_>) -> Answer<Option<SupplierOrder>> {
        lookup::find(self, lookup).await
    }

    fn passed_on(&self, raw: Value) -> PassedOn {
        order_passed_on(raw)
    }

    async fn ticket(&self, order_id: &str, request: &OrderRequest, total: Money) -> Answer<SupplierOrder> {
        done_or_return!(id_or_refused(order_id, "order"));
        match done_or_return!(self.pay_at_its_price(order_id, total).await) {
            PaymentState::Paid => self.paid_order(order_id, request).await,
            PaymentState::Pending => Answer::Unknown("the payment is under way".to_owned()),
            PaymentState::Failed(reason) => Answer::Refused(Refusal::new(reason)),
        }
    }

    async fn find_ticketed(&self, order_id: &str, request: &OrderRequest) -> Answer<Option<SupplierOrder>> {
        let Some(order) = done_or_return!(self.find(Lookup::by_id(order_id, request)).await) else {
            return Answer::Unknown("the order is not found".to_owned());
        };
        match order.status {
            OrderStatus::Confirmed => return Answer::Done(Some(order)),
            OrderStatus::Cancelled | OrderStatus::Failed => return Answer::Done(None),
            // Only a status that is an end tells something: of any other the payments are asked.
            _ => {}
        }
        // The order is not paid. That a payment of it is under way is only told by the payment.
        let payments = done_or_return!(self.payments(order_id).await.unless_refused());
        let failed = |payment: &PaymentState| matches!(payment, PaymentState::Failed(_));
        if payments.iter().all(failed) {
            Answer::Done(None)
        } else {
            Answer::Unknown("the payment is under way".to_owned())
        }
    }

    fn sells_services_later(&self) -> bool {
        true
    }

    fn accepts_changes(&self) -> bool {
        true
    }

    async fn accept_change(&self, change_id: &str) -> Answer<()> {
        done_or_return!(id_or_refused(change_id, "change"));
        let path = format!("/air/airline_initiated_changes/{change_id}/actions/accept");
        let request = self.request(Method::POST, &path);
        let answer = self.ask(request, Call::AcceptChange).await;
        answer.and_read(|body| read::accepted(&body))
    }

    fn changes_journeys(&self) -> bool {
        true
    }

    async fn change_offers(
        &self,
        order_id: &str,
        request: &OrderRequest,
        wanted: &[JourneyChange],
    ) -> Answer<Vec<ChangeOffer>> {
        changes::offers(self, order_id, request, wanted).await
    }

    async fn prepare_change(&self, _order: Lookup<'_>, token: &str) -> Answer<PendingChange> {
        changes::prepare(self, token).await
    }

    async fn confirm_change(&self, _order: Lookup<'_>, change: &PendingChange) -> Answer<PendingChange> {
        changes::confirm(self, change).await
    }

    fn confirms_changes_again(&self) -> bool {
        true
    }

    async fn find_pending_change(&self, change_id: &str) -> Answer<PendingChange> {
        changes::find(self, change_id).await
    }

    async fn services(&self, order_id: &str, request: &OrderRequest) -> Answer<SoldServices> {
        order_services::services(self, order_id, request).await
    }

    async fn add_services(
        &self,
        order_id: &str,
        request: &OrderRequest,
        added: &AddedServices,
    ) -> Answer<SupplierOrder> {
        order_services::add_services(self, order_id, request, added).await
    }

    async fn find_added(
        &self,
        order_id: &str,
        request: &OrderRequest,
        added: &AddedServices,
    ) -> Answer<Option<SupplierOrder>> {
        order_services::find_added(self, order_id, request, added).await
    }
}

fn new_offer_request(query: &Query) -> wire::NewOfferRequest<'_> {
    wire::NewOfferRequest {
        slices: query
            .slices
            .iter()
            .map(|slice| wire::NewSlice {
                origin: &slice.origin,
                destination: &slice.destination,
                departure_date: slice.date,
            })
            .collect(),
        passengers: query
            .party
            .types()
            .map(|kind| wire::NewPassenger { kind: order::passenger_word(kind) })
            .collect(),
        cabin_class: journey::cabin_class(query.cabin),
        max_connections: query.direct_only.then_some(0),
    }
}
