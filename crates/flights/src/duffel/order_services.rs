//! The calls about services for an order that stands.

use std::time::Duration;

use futures_util::future::join;
use tokio::time::timeout;
use wayfare_domain::OrderStatus;
use wayfare_supply::{Answer, Method, Outage, Refusal, done_or_return, id_or_refused};

use super::added_services::{self, Before};
use super::ancillary_ids::new_services;
use super::errors::Call;
use super::{Duffel, lookup, wire};
use crate::{AddedServices, Lookup, OrderRequest, SoldServices, SupplierOrder};

/// Services leave so soon after they were asked for, or never: who asked counts the supplier's longest processing time
/// from then on, and takes them for not added when it is over.
const LATEST_ADDITION: Duration = Duration::from_secs(2);

/// What can still be bought, by the order and the list of its services, asked for at once.
pub(super) async fn services(duffel: &Duffel, id: &str, request: &OrderRequest) -> Answer<SoldServices> {
    done_or_return!(id_or_refused(id, "order"));
    let path = format!("/air/orders/{id}/available_services");
    let services = duffel.ask(duffel.request(Method::GET, &path), Call::Read);
    let (order, services) = join(duffel.present_order(id, request, Call::Read), services).await;
    order.and_then(|order| {
        let read = |body: Vec<u8>| added_services::services(&body, &order, &request.supplier_context);
        services.and_read(|body| duffel.http.reading(|| read(body)))
    })
}

/// Adds them to the order, if that is still as it was when they were told: what was added by others meanwhile could
/// not be told from these.
pub(super) async fn add_services(
    duffel: &Duffel,
    id: &str,
    request: &OrderRequest,
    added: &AddedServices,
) -> Answer<SupplierOrder> {
    done_or_return!(id_or_refused(id, "order"));
    let services = done_or_return!(Answer::or_refused(new_services(&added.ancillaries)));
    let before = done_or_return!(Answer::or_refused(Before::remembered(added)));
    let order = match timeout(LATEST_ADDITION, duffel.present_order(id, request, Call::Lookup)).await {
        Ok(Answer::Done(order)) => order,
        Ok(Answer::Refused(refusal)) => return Answer::Refused(refusal),
        Ok(Answer::Unavailable(outage)) => return Answer::Unavailable(outage),
        Ok(Answer::Unknown(reason)) => return not_sent(reason),
        Err(_) => return not_sent("the order could not be read in time".to_owned()),
    };
    match Before::of(&order) {
        Ok(now) if now == before => {}
        Ok(_) => {
            return Answer::Refused(Refusal::new(
                "the order has changed since: ask again what can be bought",
            ));
        }
        Err(reason) => return not_sent(reason),
    }
    let payment = match order.status {
        OrderStatus::Confirmed => Some(wire::NewPayment::from_balance(added.total)),
        OrderStatus::Held => None,
        // Any other status, one of a later version, too: nothing is added to what is not known to stand.
        _ => {
            return Answer::Refused(Refusal::new("the order does not stand any more"));
        }
    };
    let body = wire::Envelope { data: wire::NewServices { add_services: services, payment } };
    let path = format!("/air/orders/{id}/services");
    let answer = duffel.ask(duffel.request(Method::POST, &path).json(&body), Call::AddServices);
    let order = answer.await.and_then(|body| duffel.read_order(&body, request));
    order.and_then(|order| match added_services::are_on(&order, request, added) {
        Ok(true) => Answer::Done(order),
        Ok(false) => Answer::Unknown("answered, but the order has no new service".to_owned()),
        Err(reason) => Answer::Unknown(format!("answered, but {reason}")),
    })
}

/// The order, if they are on it; none while nothing is new there.
pub(super) async fn find_added(
    duffel: &Duffel,
    id: &str,
    request: &OrderRequest,
    added: &AddedServices,
) -> Answer<Option<SupplierOrder>> {
    let order = lookup::find(duffel, Lookup::by_id(id, request)).await;
    order.and_then(|order| match order {
        Some(order) => match added_services::are_on(&order, request, added) {
            Ok(true) => Answer::Done(Some(order)),
            Ok(false) => Answer::Done(None),
            Err(reason) => Answer::Unknown(reason),
        },
        None => Answer::Unknown("the order is not found".to_owned()),
    })
}

fn not_sent<T>(reason: String) -> Answer<T> {
    Answer::Unavailable(Outage::new(reason))
}
