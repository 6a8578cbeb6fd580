//! Ancillaries as they are chosen: what a request names, found among what is sold, and what it comes to.

use std::collections::HashSet;

use rust_decimal::Decimal;
use serde_json::Value;
use wayfare_domain::{Currency, Faults};
use wayfare_flights::{Ancillary, AncillaryChoice, AncillaryKind, FlightSupplier, OrderRequest};
use wayfare_pricing::SoldAncillary;

use crate::Result;

/// One ancillary that a client asks for, with a fare or for a booking that stands.
#[derive(Clone, Debug)]
pub struct AncillaryRequest {
    /// Where the client's request names it, for errors.
    pub field: String,
    pub traveller: u32,
    pub kind: AncillaryKind,
    pub code: String,
    /// The flight, by its place among all that were priced or booked, from 0.
    pub segment: usize,
}

impl AncillaryRequest {
    /// As its order counts flights, whose first is at this place among all.
    pub(super) fn within_order(&self, first: usize) -> Self {
        Self { segment: self.segment.saturating_sub(first), ..self.clone() }
    }
}

/// These, as the supplier sells them with the order that this request is for: each once, with its quantity.
///
/// # Errors
/// [`crate::Error::Invalid`] names what is not sold, is asked for too often or can't be had.
pub(super) fn chosen(
    supplier: &dyn FlightSupplier,
    request: &OrderRequest,
    ancillary_catalog: &Value,
    sold: &[Ancillary],
    requested: &[AncillaryRequest],
) -> Result<Vec<AncillaryChoice>> {
    let mut faults = Faults::default();
    let mut wanted: Vec<(AncillaryChoice, &AncillaryRequest)> = Vec::new();
    let (mut seated, mut seats) = (HashSet::new(), HashSet::new());
    for asked in requested {
        if request.travellers.iter().all(|traveller| traveller.index != asked.traveller) {
            faults.add(&asked.field, "is for nobody on the order");
            continue;
        }
        let Some(ancillary) = meant(supplier, request, ancillary_catalog, sold, asked) else {
            faults.add(format!("{}.code", asked.field), "is not sold with this fare");
            continue;
        };
        if asked.kind == AncillaryKind::Seat {
            for segment in &ancillary.segments {
                if !seated.insert((*segment, asked.traveller)) {
                    faults.add(&asked.field, "is a second seat for the same traveller on one flight");
                } else if !seats.insert((*segment, &asked.code)) {
                    faults.add(&asked.field, "is a seat that somebody else is to have");
                }
            }
        }
        let same = |(known, _): &&mut (AncillaryChoice, &AncillaryRequest)| {
            known.traveller == asked.traveller && known.ancillary == *ancillary
        };
        match wanted.iter_mut().find(same) {
            Some((known, _)) if known.quantity >= ancillary.most => {
                faults.add(&asked.field, format!("can be had {} times at most", ancillary.most));
            }
            Some((known, _)) => known.quantity += 1,
            None => wanted.push((AncillaryChoice::new(asked.traveller, ancillary.clone(), 1), asked)),
        }
    }
    faults.or(())?;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut choices: Vec<AncillaryChoice> = wanted.iter().map(|(choice, _)| choice.clone()).collect();
    let wire_formats = supplier
        .order_wire_format(&request.supplier_context, ancillary_catalog, &request.travellers, &choices)
        .map_err(|(place, reason)| {
            let field = wanted.get(place).map_or("ancillaries", |(_, asked)| asked.field.as_str());
            Faults::of(field, reason)
        })?;
    for (choice, wire_format) in choices.iter_mut().zip(wire_formats) {
        choice.wire_format = wire_format;
    }
    Ok(choices)
}

/// What the request names. The same code may be sold at several prices, each to other travellers: the one that this traveller
/// can have is meant.
fn meant<'a>(
    supplier: &dyn FlightSupplier,
    request: &OrderRequest,
    ancillary_catalog: &Value,
    sold: &'a [Ancillary],
    asked: &AncillaryRequest,
) -> Option<&'a Ancillary> {
    let covers = |covered: &u16| usize::from(*covered) == asked.segment;
    let is_named = |ancillary: &&Ancillary| {
        ancillary.kind == asked.kind && ancillary.code == asked.code && ancillary.segments.iter().any(covers)
    };
    let can_have = |ancillary: &&Ancillary| {
        let choice = AncillaryChoice::new(asked.traveller, (*ancillary).clone(), 1);
        supplier
            .order_wire_format(&request.supplier_context, ancillary_catalog, &request.travellers, &[choice])
            .is_ok()
    };
    let named = || sold.iter().filter(is_named);
    named().find(can_have).or_else(|| named().next())
}

/// What they are sold for: each converted once, at this rate.
pub(super) fn sold(
    extras: &[AncillaryChoice],
    rate: Decimal,
    currency: Currency,
) -> Result<Vec<SoldAncillary>> {
    let line = |extra: &AncillaryChoice| {
        let supplier_total = extra.cost()?;
        Ok(SoldAncillary {
            traveller: extra.traveller,
            kind: extra.ancillary.kind.as_ref().to_owned(),
            code: extra.ancillary.code.clone(),
            name: extra.ancillary.name.clone(),
            segments: extra.ancillary.segments.clone(),
            quantity: extra.quantity,
            supplier_total,
            total: supplier_total.converted(rate, currency)?,
        })
    };
    extras.iter().map(line).collect()
}
