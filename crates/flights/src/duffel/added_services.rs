//! Theirs to ours: what can be added to an order, the order before that, and whether it is on it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::Money;
use wayfare_supply::reading::{Unreadable, parse, read_tree};

use super::ancillary_ids::OrderableServices;
use super::catalog::{all_places, described, places, still_sold};
use super::order::SupplierContext;
use super::wire::{self, Text};
use crate::{AddedServices, AncillaryChoice, OrderRequest, SoldServices, SupplierOrder};

/// What must be known of an order to tell later what was added to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Before {
    /// The ids of the services on it.
    services: Vec<String>,
    /// What it costs with them.
    total: Money,
}

impl Before {
    /// The order as it is now.
    pub fn of(order: &SupplierOrder) -> Result<Self, String> {
        let text = services_text(&order.raw.tree())?;
        let mut services: Vec<String> =
            services_of(&text)?.iter().map(|service| service.id.to_string()).collect();
        services.sort();
        Ok(Self { services, total: order.total })
    }

    /// The order as it was when it was asked what can be bought for it.
    pub fn remembered(added: &AddedServices) -> Result<Self, String> {
        read_tree(&added.supplier_context)
            .map_err(|error| format!("what was kept of the order is unreadable: {error}"))
    }
}

/// What can still be bought for the order, by the list of its services. `supplier_context` is that of the priced order.
pub fn services(
    body: &[u8],
    order: &SupplierOrder,
    supplier_context: &Value,
) -> Result<SoldServices, Unreadable> {
    let supplier_context = SupplierContext::read(supplier_context).map_err(Unreadable::new)?;
    let before = Before::of(order).map_err(Unreadable::new)?;
    let raw = order.raw.tree();
    let passengers = &supplier_context.passengers;
    let sold = still_sold(body, segment_ids(&raw), passengers, order.total.currency())?;
    let ancillary_catalog = OrderableServices { services: sold.services };
    Ok(SoldServices {
        ancillaries: sold.ancillaries,
        ancillary_catalog: serde_json::to_value(ancillary_catalog).map_err(Unreadable::new)?,
        supplier_context: serde_json::to_value(before).map_err(Unreadable::new)?,
    })
}

/// The ids of the flights of an order as it came, in order.
fn segment_ids(order: &Value) -> impl Iterator<Item = Option<&str>> {
    let slices = order.get("slices").and_then(Value::as_array).into_iter().flatten();
    let segments = slices.filter_map(|slice| slice.get("segments")?.as_array()).flatten();
    segments.map(|segment| segment.get("id")?.as_str())
}

fn services_text(order: &Value) -> Result<String, String> {
    Ok(order.get("services").ok_or("services is missing")?.to_string())
}

fn services_of(text: &str) -> Result<Vec<wire::BoughtService<Text<'_>>>, String> {
    parse(text.as_bytes()).map_err(|error| format!("services: {error}"))
}

/// Whether the order has all of these and had none of them before; that it has none is only said where nothing speaks
/// against it.
///
/// # Errors
/// Why that can't be told.
pub(super) fn are_on(
    order: &SupplierOrder,
    request: &OrderRequest,
    added: &AddedServices,
) -> Result<bool, String> {
    let before = Before::remembered(added)?;
    let raw = order.raw.tree();
    let text = services_text(&raw)?;
    let mut new = services_of(&text)?;
    new.retain(|service| !before.services.iter().any(|known| **known == *service.id));
    if new.is_empty() {
        return if order.total == before.total {
            Ok(false)
        } else {
            Err("the order has no new service, but costs another amount than before".to_owned())
        };
    }
    let supplier_context = SupplierContext::read(&request.supplier_context)?;
    let seated = supplier_context.seat(&request.travellers)?;
    let flights = places(segment_ids(&raw));
    for choice in &added.ancillaries {
        let passenger = seated.iter().find(|(_, traveller)| traveller.index == choice.traveller);
        let &(passenger_id, _) = passenger.ok_or("a service is for nobody who travels")?;
        let mut missing = choice.quantity;
        for service in &mut new {
            let ids: Vec<&str> = service.segment_ids.iter().map(|id| &**id).collect();
            let on_its_flights = all_places(&flights, &ids, "segment")
                .is_ok_and(|segments| segments == choice.ancillary.segments);
            if on_its_flights && is_for(service, passenger_id) && is_alike(service, choice) {
                let taken = missing.min(service.quantity);
                missing -= taken;
                service.quantity -= taken;
            }
        }
        if missing > 0 {
            return Err("the order has new services, and they are not all of these".to_owned());
        }
    }
    Ok(true)
}

fn is_for(service: &wire::BoughtService<Text<'_>>, passenger_id: &str) -> bool {
    service.passenger_ids.iter().any(|id| **id == *passenger_id)
}

/// By kind and code, but for the number that a code has where somebody was offered two of one description.
fn is_alike(service: &wire::BoughtService<Text<'_>>, choice: &AncillaryChoice) -> bool {
    let (kind, code, _) = described(&service.kind, service.metadata.as_ref());
    let rest = choice.ancillary.code.strip_prefix(code.as_str());
    let is_number = |rest: &str| {
        let number = rest.strip_prefix('-').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit())
    };
    kind == choice.ancillary.kind && rest.is_some_and(|rest| rest.is_empty() || is_number(rest))
}
