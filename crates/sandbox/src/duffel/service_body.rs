//! Duffel's words for what can be bought, or was, besides the fare.

use serde_json::{Value, json};

use crate::ancillaries::{Ancillary, AncillaryKind};

pub(super) enum Quantity {
    AtMost(u32),
    Bought(u32),
}

pub(super) fn seat(extra: &Ancillary) -> Option<Value> {
    match &extra.kind {
        AncillaryKind::Seat { designator } => {
            Some(json!({ "designator": designator, "name": null, "disclosures": [] }))
        }
        AncillaryKind::CheckedBag { .. } => None,
    }
}

pub(super) fn service(
    id: &str,
    extra: &Ancillary,
    quantity: Quantity,
    currency: &str,
    passenger_ids: &[String],
    segment_id: impl Fn(usize, usize) -> String,
) -> Value {
    let (kind, metadata) = match &extra.kind {
        AncillaryKind::Seat { .. } => ("seat", seat(extra)),
        AncillaryKind::CheckedBag { kilograms } => {
            let bag = json!({
                "type": "checked", "maximum_weight_kg": kilograms,
                "maximum_length_cm": null, "maximum_height_cm": null, "maximum_depth_cm": null,
            });
            ("baggage", Some(bag))
        }
    };
    let (name, quantity) = match quantity {
        Quantity::AtMost(quantity) => ("maximum_quantity", quantity),
        Quantity::Bought(quantity) => ("quantity", quantity),
    };
    let segments = extra.flights.iter().map(|flight| segment_id(extra.journey, *flight));
    json!({
        "id": id,
        "type": kind,
        "total_amount": extra.price,
        "total_currency": currency,
        "passenger_ids": passenger_ids.get(extra.traveller).into_iter().collect::<Vec<_>>(),
        "segment_ids": segments.collect::<Vec<_>>(),
        "metadata": metadata,
        name: quantity,
    })
}
