//! What [`FlightSupplier`] promises, as a table that is run against an adapter. `examples/own_supplier.rs` shows how.

use std::{cmp::Reverse, collections::HashSet};

use async_trait::async_trait;
use chrono::{Days, Months, NaiveDate};
use serde_json::Value;
use wayfare_domain::{
    BookingPapers, Contact, Gender, Money, OrderReference, Party, PassengerType, Title, Traveller,
};
use wayfare_supply::Answer;
use wayfare_supply::conformance::{self, Row, SeenOrder, is};

use crate::{
    AddedServices, FlightSupplier, HoldTerms, Lookup, Offer, OrderMode, OrderRequest, PricedOrder, Query,
    Requirements, SupplierOrder,
};

pub use wayfare_supply::conformance::{Port, Report, Trouble, World, done};

const FIRST_NAMES: [&str; 9] = ["Anna", "Bela", "Cato", "Dora", "Emil", "Fina", "Gita", "Hugo", "Ines"];

/// So many offers are priced to find one that wants no papers.
const MOST_PRICED: usize = 8;

/// Runs the table. Infants of the query's party are no more than its adults, and it has nine people at most.
pub async fn run(world: &dyn World<dyn FlightSupplier>) -> Report {
    conformance::run(world).await
}

#[async_trait]
impl Port for dyn FlightSupplier {
    type Query = Query;
    type Request = OrderRequest;

    async fn searched(&self, query: &Query) -> Answer<Result<(), String>> {
        self.search(query).await.map(|found| adds_up(&found.offers))
    }

    async fn priced_unknown(&self, query: &Query) -> Answer<()> {
        self.price(&["no_such_offer"], query.party).await.map(drop)
    }

    async fn request(&self, query: &Query, reference: OrderReference) -> Result<OrderRequest, String> {
        priced(self, query, reference).await.map(|(_, request)| request)
    }

    async fn booked(&self, request: &OrderRequest) -> Answer<SeenOrder> {
        self.book(request).await.map(seen)
    }

    async fn found(&self, id: Option<&str>, request: &OrderRequest) -> Answer<Option<SeenOrder>> {
        let lookup = Lookup { order_id: id, is_named_by_operator: false, request };
        self.find(lookup).await.map(|found| found.map(seen))
    }

    async fn lacks(&self, query: &Query, reference: OrderReference) -> Row {
        let (priced, request) = priced(self, query, reference).await?;
        let (id, order) = ("no_such_order", Lookup::by_id("no_such_order", &request));
        let mut ends = Vec::new();
        if HoldTerms::together(priced.offers.iter()).can_hold == Some(false) {
            let hold = OrderRequest { mode: OrderMode::Hold, ..request.clone() };
            ends.push(("hold", self.book(&hold).await.map(drop)));
        }
        if !self.sells_services_later() {
            let (ancillaries, supplier_context) = (Vec::new(), Value::Null);
            let added = AddedServices { ancillaries, supplier_context, total: request.total };
            ends.push(("services", self.services(id, &request).await.map(drop)));
            ends.push(("add_services", self.add_services(id, &request, &added).await.map(drop)));
        }
        if !self.accepts_changes() {
            ends.push(("accept_change", self.accept_change("no_such_change").await));
        }
        if !self.changes_journeys() {
            ends.push(("change_offers", self.change_offers(id, &request, &[]).await.map(drop)));
            ends.push(("prepare_change", self.prepare_change(order, "no_such_change").await.map(drop)));
        }
        is(ends.iter().all(|(_, end)| matches!(end, Answer::Refused(_))), &ends)?;
        Ok(!ends.is_empty())
    }
}

fn seen(order: SupplierOrder) -> SeenOrder {
    SeenOrder { id: order.id, status: order.status, total: order.total }
}

/// That each offer's parts are its price, and no two have one token.
fn adds_up(offers: &[Offer]) -> Result<(), String> {
    let mut tokens = HashSet::new();
    for offer in offers {
        let charge = offer.charge;
        let is_right = charge.base.plus(charge.taxes) == Ok(charge.total) && charge.total.is_positive();
        is(is_right && !offer.journeys.is_empty() && tokens.insert(&offer.token), offer)?;
    }
    is(!offers.is_empty(), &"nothing was found").map(drop)
}

/// What can be booked at once, and what is sent to book it: rather what can be given back, and what wants no papers.
async fn priced(
    supplier: &dyn FlightSupplier,
    query: &Query,
    reference: OrderReference,
) -> Result<(PricedOrder, OrderRequest), String> {
    let found = done(supplier.search(query).await)?.offers;
    let is_whole = |offer: &&Offer| {
        offer.instant && !offer.needs_partner() && offer.journeys.len() == query.slices.len()
    };
    let mut fits: Vec<&Offer> = found.iter().filter(is_whole).collect();
    fits.sort_by_key(|offer| Reverse(offer.fare.refund.refundable));
    let mut request = Err("nothing can be booked at once".to_owned());
    for offer in fits.into_iter().take(MOST_PRICED) {
        let priced = done(supplier.price(&[&offer.token], query.party).await)?;
        adds_up(&priced.offers)?;
        let (sent, wanted) = composed(query, offer, &priced, reference.clone())?;
        let is_free = wanted.check(&sent.travellers, &sent.papers, None).or(()).is_ok();
        request = Ok((priced, sent));
        if is_free {
            break;
        }
    }
    request
}

/// What is sent to book an order of one offer, and what is wanted of it.
fn composed(
    query: &Query,
    offer: &Offer,
    priced: &PricedOrder,
    reference: OrderReference,
) -> Result<(OrderRequest, Requirements), String> {
    let totals = priced.offers.iter().map(|offer| offer.charge.total);
    let total = Money::sum(offer.charge.total.currency(), totals).map_err(|error| error.to_string())?;
    let day = query.slices.first().map(|slice| slice.date).unwrap_or_default();
    let request = OrderRequest {
        reference,
        offer_token: offer.token.clone(),
        supplier_context: priced.supplier_context.clone(),
        mode: OrderMode::Instant,
        total,
        travellers: travellers(query.party, day),
        contact: Contact {
            email: "agent@example.com".to_owned(),
            country_code: "91".to_owned(),
            phone: "9812345678".to_owned(),
        },
        papers: BookingPapers::default(),
        ancillaries: Vec::new(),
    };
    Ok((request, Requirements::together(priced.offers.iter().map(|offer| &offer.requires))))
}

/// A party that flies on this day.
fn travellers(party: Party, day: NaiveDate) -> Vec<Traveller> {
    let infants_from = u32::from(party.adults) + u32::from(party.children);
    let people = (1..).zip(party.types()).zip(FIRST_NAMES);
    let traveller = |((index, kind), first_name): ((u32, PassengerType), &str)| Traveller {
        index,
        kind,
        title: if kind == PassengerType::Adult { Title::Ms } else { Title::Miss },
        first_name: first_name.to_owned(),
        last_name: "Rao".to_owned(),
        gender: Gender::Female,
        born_on: match kind {
            PassengerType::Adult => day.checked_sub_months(Months::new(30 * 12)),
            PassengerType::Child => day.checked_sub_months(Months::new(8 * 12)),
            PassengerType::Infant => day.checked_sub_days(Days::new(300)),
        },
        held_by: (kind == PassengerType::Infant).then(|| index - infants_from),
        loyalty: Vec::new(),
    };
    people.map(traveller).collect()
}
