//! Duffel's words for what can be bought, or was, besides the fare.

use serde::Serialize;

use crate::ancillaries::{Ancillary, AncillaryKind};

/// A seat.
#[derive(Serialize)]
pub(super) struct SeatBody {
    designator: String,
    name: Option<()>,
    disclosures: [(); 0],
}

impl SeatBody {
    pub(super) fn of(extra: &Ancillary) -> Option<Self> {
        match &extra.kind {
            AncillaryKind::Seat { designator } => Some(Self {
                designator: designator.clone(),
                name: None,
                disclosures: [],
            }),
            AncillaryKind::CheckedBag { .. } => None,
        }
    }
}

/// What can be bought, or was, besides the fare.
#[derive(Serialize)]
pub(super) struct ServiceBody {
    pub(super) id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    total_amount: String,
    total_currency: String,
    passenger_ids: Vec<String>,
    segment_ids: Vec<String>,
    metadata: MetadataBody,
    /// Where it can be bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum_quantity: Option<u32>,
    /// Where it was bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<u32>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum MetadataBody {
    Baggage {
        #[serde(rename = "type")]
        kind: &'static str,
        maximum_weight_kg: Option<u32>,
        maximum_length_cm: Option<u32>,
        maximum_height_cm: Option<u32>,
        maximum_depth_cm: Option<u32>,
    },
    Seat(SeatBody),
}

/// How many of a service.
pub(super) enum Quantity {
    /// So many at most.
    AtMost(u32),
    /// So many were bought.
    Bought(u32),
}

impl ServiceBody {
    /// A service of an offer or an order.
    pub(super) fn of(
        id: String,
        extra: &Ancillary,
        quantity: Quantity,
        currency: &str,
        passenger_ids: &[String],
        segment_id: impl Fn(usize, usize) -> String,
    ) -> Self {
        let (kind, metadata) = match (&extra.kind, SeatBody::of(extra)) {
            (_, Some(seat)) => ("seat", MetadataBody::Seat(seat)),
            (kind, None) => {
                let maximum_weight_kg = match kind {
                    AncillaryKind::CheckedBag { kilograms } => Some(*kilograms),
                    AncillaryKind::Seat { .. } => None,
                };
                let bag = MetadataBody::Baggage {
                    kind: "checked",
                    maximum_weight_kg,
                    maximum_length_cm: None,
                    maximum_height_cm: None,
                    maximum_depth_cm: None,
                };
                ("baggage", bag)
            }
        };
        let (maximum_quantity, quantity) = match quantity {
            Quantity::AtMost(quantity) => (Some(quantity), None),
            Quantity::Bought(quantity) => (None, Some(quantity)),
        };
        Self {
            id,
            kind,
            total_amount: extra.price.to_string(),
            total_currency: currency.to_owned(),
            passenger_ids: passenger_ids.get(extra.traveller).cloned().into_iter().collect(),
            segment_ids: extra
                .flights
                .iter()
                .map(|flight| segment_id(extra.journey, *flight))
                .collect(),
            metadata,
            maximum_quantity,
            quantity,
        }
    }
}
