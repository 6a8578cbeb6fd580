//! Looking for an order.

use serde_json::{Value, value::to_raw_value};
use wayfare_domain::{Money, OrderReference};
use wayfare_supply::reading::is_word;
use wayfare_supply::{Answer, Method, Refusal, RefusalKind, done_or_return, id_or_unknown};

use super::errors::Call;
use super::names::SPELLING;
use super::order::{self, SupplierContext};
use super::read::{self, OrderPage};
use super::{Duffel, PAGE_SIZE};
use crate::{Lookup, OrderRequest, SupplierOrder};

/// Reading the list of orders gives up after so many pages; that is then "nobody knows".
const MOST_PAGES: usize = 5;

/// The order by its id, else by our reference.
pub(super) async fn find(duffel: &Duffel, lookup: Lookup<'_>) -> Answer<Option<SupplierOrder>> {
    let read = SupplierContext::read(&lookup.request.supplier_context);
    let supplier_context = done_or_return!(Answer::or_unknown(read));
    let seated = supplier_context.seat(&lookup.request.travellers);
    let seated = order::indices(&done_or_return!(Answer::or_unknown(seated)));
    let answer = match lookup.order_id {
        Some(id) => {
            duffel.find_by_id(id, &seated, lookup.request.due().ok()).await.and_then(|order| match order {
                Some(order) => ours(order, &lookup.request.reference).map(Some),
                None => Answer::Done(None),
            })
        }
        None => {
            let found = duffel.find_by_reference(lookup.request, &supplier_context).await;
            found.and_read(|raw| {
                let raw = raw.map(|raw| to_raw_value(&raw)).transpose();
                let raw = raw.map_err(|error| error.to_string())?;
                let read = |raw| {
                    duffel
                        .http
                        .reading(|| order::order(raw, &seated, lookup.request.due().ok(), duffel.now()))
                };
                raw.map(read).transpose()
            })
        }
    };
    answer.unless_refused()
}

impl Duffel {
    /// The order as it stands: for answers, or read before something is done with it.
    pub(super) async fn present_order(
        &self,
        id: &str,
        request: &OrderRequest,
        call: Call,
    ) -> Answer<SupplierOrder> {
        let look = self.request(Method::GET, &format!("/air/orders/{id}"));
        let order = self.ask(look, call).await.and_then(|body| self.read_order(&body, request));
        order.and_then(|order| ours(order, &request.reference))
    }

    /// The order in an answer, which was made by this request.
    pub(super) fn read_order(&self, body: &[u8], request: &OrderRequest) -> Answer<SupplierOrder> {
        let order = SupplierContext::read(&request.supplier_context).and_then(|supplier_context| {
            let seated = order::indices(&supplier_context.seat(&request.travellers)?);
            let order = self.http.reading(|| read::sold_order(body, &seated, request.due().ok(), self.now()));
            order.map_err(|error| format!("unreadable answer: {error}"))
        });
        Answer::or_unknown(order)
    }

    async fn find_by_id(
        &self,
        id: &str,
        seated: &[(&str, u32)],
        due: Option<Money>,
    ) -> Answer<Option<SupplierOrder>> {
        done_or_return!(id_or_unknown(id, "an order"));
        let request = self.request(Method::GET, &format!("/air/orders/{id}"));
        match self.ask(request, Call::Lookup).await {
            Answer::Refused(Refusal { kind: RefusalKind::Gone, .. }) => Answer::Done(None),
            answer => answer
                .and_read(|body| self.http.reading(|| read::sold_order(&body, seated, due, self.now())))
                .map(Some),
        }
    }

    /// First among the orders with the first traveller's name, which are few. How Duffel compares names is not
    /// documented, so that there is no such order is only believed after all since the offer were read.
    async fn find_by_reference(
        &self,
        request: &OrderRequest,
        supplier_context: &SupplierContext,
    ) -> Answer<Option<Value>> {
        let name = request.travellers.first().map(|traveller| SPELLING.spelled(traveller.family_name()));
        if let Some(name) = name {
            match self.look_through(Some(&name), request, supplier_context).await {
                Answer::Done(None) => {}
                found_or_failed => return found_or_failed,
            }
        }
        self.look_through(None, request, supplier_context).await
    }

    async fn look_through(
        &self,
        name: Option<&str>,
        request: &OrderRequest,
        supplier_context: &SupplierContext,
    ) -> Answer<Option<Value>> {
        let mut filters = vec![("sort", "-created_at")];
        filters.extend(name.map(|name| ("passenger_name[]", name)));
        let mut after = None;
        for _ in 0..MOST_PAGES {
            let page = done_or_return!(self.page(&filters, after.as_deref()).await);
            if let Some(order) = page.with_reference(request.reference.as_ref()) {
                return Answer::Done(Some(order.clone()));
            }
            let seen_all = supplier_context.offer_created_at.is_some_and(|instant| page.reaches(instant));
            after = page.after;
            if seen_all || after.is_none() {
                return Answer::Done(None);
            }
        }
        Answer::Unknown(format!("not among the newest {MOST_PAGES} pages of orders, and there are more"))
    }

    /// A page of all orders with these filters, after that which ended so.
    pub(super) async fn page(&self, filters: &[(&str, &str)], after: Option<&str>) -> Answer<OrderPage> {
        let mut query = vec![("limit", PAGE_SIZE)];
        query.extend(filters);
        query.extend(after.map(|after| ("after", after)));
        let request = self.request(Method::GET, "/air/orders").query(&query);
        self.ask(request, Call::Lookup).await.and_read(|body| read::orders(&body))
    }
}

/// An id may come from a person: an order that carries another reference than ours was made for another booking.
fn ours(order: SupplierOrder, reference: &OrderReference) -> Answer<SupplierOrder> {
    let raw = order.raw.tree();
    match raw.pointer("/metadata/reference").and_then(Value::as_str) {
        Some(other) if !is_word(other, reference.as_ref()) => {
            Answer::Unknown(format!("order {} belongs to {other}", order.id))
        }
        _ => Answer::Done(order),
    }
}
