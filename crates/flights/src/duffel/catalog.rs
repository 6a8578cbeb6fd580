//! Theirs to ours: what is sold beside the fare. At Duffel it is one service for each traveller; here all who can have
//! the same at the same price find it under one code, which stays the same when the services get new ids.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::value::RawValue;
use wayfare_domain::{Currency, Money};
use wayfare_supply::{
    lenient::parse_leniently,
    plain_text::{self, name_of},
    reading::{Unreadable, parse},
};

use super::journey::filled;
use super::money::price;
use super::order::{Remembered, Services};
use super::parts::OFFERED;
use super::wire::{self, Text};
use crate::{Ancillary, AncillaryKind};

/// What can be bought, and what must be remembered to order it.
#[derive(Debug, Default)]
pub(super) struct Sold {
    pub ancillaries: Vec<Ancillary>,
    pub services: Vec<Services>,
}

/// What an offer that was read alone sells to these passengers, seats by the maps of its flights where there are any.
/// What can't be used is left out with a warning: it must not cost the offer.
pub(super) fn sold(
    offer: &[u8],
    seat_maps: Option<&[u8]>,
    passengers: &[Remembered],
    currency: Currency,
) -> Sold {
    let shop = match parse_leniently::<wire::Envelope<wire::Shop<Text, &RawValue>>>(offer, "", &OFFERED) {
        Ok(envelope) => envelope.data,
        Err(error) => {
            tracing::warn!(%error, "what an offer sells beside the fare can't be read");
            return Sold::default();
        }
    };
    let segments = shop.slices.iter().flat_map(|slice| &slice.segments);
    let segments = segments.map(|segment| segment.id.as_deref());
    let services = shop.available_services.unwrap_or_default();
    fill(segments, passengers, currency, &services, seat_maps)
}

/// What an order sells to these passengers on its flights, whose ids these are.
pub(super) fn still_sold<'a>(
    body: &[u8],
    segments: impl Iterator<Item = Option<&'a str>>,
    passengers: &'a [Remembered],
    currency: Currency,
) -> Result<Sold, Unreadable> {
    let services = parse::<wire::Envelope<Vec<&RawValue>>>(body)?.data;
    Ok(fill(segments, passengers, currency, &services, None))
}

/// Everything that can be used. What is sold in another currency can't: it is paid for together with the rest.
fn fill<'a>(
    segments: impl Iterator<Item = Option<&'a str>>,
    passengers: &'a [Remembered],
    currency: Currency,
    services: &[&RawValue],
    seat_maps: Option<&[u8]>,
) -> Sold {
    let mut ancillary_catalog = CatalogBuilder {
        segments: places(segments),
        passengers: places(passengers.iter().map(|passenger| Some(passenger.id.as_str()))),
        currency,
        sold: Sold::default(),
        same_terms: HashMap::new(),
        taken: HashSet::new(),
        unusable: Vec::new(),
    };
    for text in services {
        match parse_leniently::<wire::Service<Text>>(text.get().as_bytes(), "available_services[]", &OFFERED)
        {
            Ok(service) => ancillary_catalog.put_service(&service),
            Err(error) => ancillary_catalog.unusable.push(error.to_string()),
        }
    }
    if let Some(body) = seat_maps {
        match parse::<wire::Envelope<Vec<&RawValue>>>(body) {
            Ok(maps) => maps.data.iter().for_each(|map| ancillary_catalog.put_map(map)),
            Err(error) => tracing::warn!(%error, "seat maps that can't be read are left out"),
        }
    }
    if let Some(first) = ancillary_catalog.unusable.first() {
        tracing::warn!(
            count = ancillary_catalog.unusable.len(),
            first,
            "services that can't be used are left out"
        );
    }
    ancillary_catalog.sold
}

/// The place of each id in its list.
pub(super) fn places<'a>(ids: impl Iterator<Item = Option<&'a str>>) -> HashMap<&'a str, u16> {
    (0..).zip(ids).filter_map(|(place, id)| Some((id?, place))).collect()
}

/// What alike things have in common beside their codes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Terms {
    kind: AncillaryKind,
    segments: Vec<u16>,
    price: Money,
    most: u32,
    /// For how many travellers one purchase is.
    shared_by: usize,
}

struct CatalogBuilder<'a> {
    segments: HashMap<&'a str, u16>,
    passengers: HashMap<&'a str, u16>,
    currency: Currency,
    sold: Sold,
    /// Where among the services of `sold` those are that are sold so.
    same_terms: HashMap<Terms, usize>,
    /// Under which codes who is sold something on which flights.
    taken: HashSet<(AncillaryKind, String, Vec<u16>, u16)>,
    /// Why something is not in `sold`.
    unusable: Vec<String>,
}

impl CatalogBuilder<'_> {
    fn put_service(&mut self, service: &wire::Service<Text>) {
        let (kind, code, name) = described(&service.kind, service.metadata.as_ref());
        let offered = Offered {
            id: &service.id,
            kind,
            code,
            name,
            price: (service.total_amount, service.total_currency),
            segment_ids: service.segment_ids.iter().map(|id| &**id).collect(),
            passenger_ids: service.passenger_ids.iter().map(|id| &**id).collect(),
            most: service.maximum_quantity.unwrap_or(1),
        };
        self.put(offered);
    }

    fn put_map(&mut self, text: &RawValue) {
        match parse_leniently::<wire::SeatMap<Text>>(text.get().as_bytes(), "seat_maps[]", &OFFERED) {
            Ok(map) => self.put_seats(&map),
            Err(error) => self.unusable.push(error.to_string()),
        }
    }

    fn put_seats(&mut self, map: &wire::SeatMap<Text>) {
        let rows = map.cabins.iter().flat_map(|cabin| &cabin.rows);
        let elements = rows.flat_map(|row| &row.sections).flat_map(|section| &section.elements);
        for seat in elements {
            let Some(designator) = filled(&seat.designator) else { continue };
            for service in seat.available_services.iter().flatten() {
                self.put(Offered {
                    id: &service.id,
                    kind: AncillaryKind::Seat,
                    code: designator.to_owned(),
                    name: seat_name(designator, seat),
                    price: (service.total_amount, service.total_currency),
                    segment_ids: vec![&*map.segment_id],
                    passenger_ids: vec![&*service.passenger_id],
                    most: 1,
                });
            }
        }
    }

    fn put(&mut self, offered: Offered<'_>) {
        if let Err(reason) = self.try_put(&offered) {
            self.unusable.push(format!("{}: {reason}", offered.id));
        }
    }

    fn try_put(&mut self, offered: &Offered<'_>) -> Result<(), String> {
        let segments = all_places(&self.segments, &offered.segment_ids, "segment")?;
        let passengers = all_places(&self.passengers, &offered.passenger_ids, "passenger")?;
        if offered.most == 0 {
            return Err("none can be bought".to_owned());
        }
        let (amount, wire::Iso(currency)) = offered.price;
        if currency != self.currency {
            return Err(format!("it is sold in {}", currency.code()));
        }
        let price = price("total_amount", amount, currency)?;
        let code = self.free_code(offered, &segments, &passengers);
        for passenger in &passengers {
            let name = (offered.kind, code.clone(), segments.clone(), *passenger);
            self.taken.insert(name);
        }
        let terms =
            Terms { kind: offered.kind, segments, price, most: offered.most, shared_by: passengers.len() };
        let ids = passengers.into_iter().map(|place| (place, offered.id.to_owned())).collect();
        self.add(terms, code, &offered.name, ids);
        Ok(())
    }

    /// The code, with a number where somebody is sold something else of this description already.
    fn free_code(&self, offered: &Offered<'_>, segments: &[u16], passengers: &[u16]) -> String {
        let numbered = |number: u32| match number {
            1 => offered.code.clone(),
            more => format!("{}-{more}", offered.code),
        };
        let is_free = |code: &String| {
            passengers.iter().all(|passenger| {
                let named = (offered.kind, code.clone(), segments.to_vec(), *passenger);
                !self.taken.contains(&named)
            })
        };
        (1..).map(numbered).find(is_free).unwrap_or_else(|| offered.id.to_owned())
    }

    fn add(&mut self, terms: Terms, code: String, name: &str, ids: BTreeMap<u16, String>) {
        let Sold { ancillaries, services } = &mut self.sold;
        let place = *self.same_terms.entry(terms.clone()).or_insert_with(|| {
            services.push(Services {
                kind: terms.kind,
                segments: terms.segments.clone(),
                most: terms.most,
                price: terms.price,
                ids: BTreeMap::new(),
            });
            services.len() - 1
        });
        let Some(same_terms) = services.get_mut(place) else { return };
        if let Some(known) = same_terms.ids.get_mut(&code) {
            known.extend(ids);
            return;
        }
        let together = match terms.shared_by {
            1 => String::new(),
            more => format!(", for {more} travellers together"),
        };
        ancillaries.push(Ancillary {
            kind: terms.kind,
            code: code.clone(),
            name: format!("{name}{together}"),
            price: terms.price,
            segments: terms.segments,
            most: terms.most,
        });
        same_terms.ids.insert(code, ids);
    }
}

/// One service of theirs, a seat or anything else.
struct Offered<'a> {
    id: &'a str,
    kind: AncillaryKind,
    code: String,
    name: String,
    price: (wire::Number, wire::Iso),
    segment_ids: Vec<&'a str>,
    passenger_ids: Vec<&'a str>,
    most: u32,
}

/// In order; one that the offer or order doesn't have, or none at all, is an error.
pub(super) fn all_places(known: &HashMap<&str, u16>, ids: &[&str], what: &str) -> Result<Vec<u16>, String> {
    let place = |id: &&str| {
        let place = known.get(id).copied();
        place.ok_or_else(|| format!("there is no {what} {id}"))
    };
    let mut places = ids.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    places.sort_unstable();
    places.dedup();
    if places.is_empty() {
        return Err(format!("it is for no {what}"));
    }
    Ok(places)
}

/// What a service is, its code and its name.
pub(super) fn described(
    kind: &str,
    metadata: Option<&wire::ServiceMetadata<Text>>,
) -> (AncillaryKind, String, String) {
    let designator = metadata.and_then(|metadata| filled(&metadata.designator));
    let kind = &*kind.trim().to_ascii_lowercase();
    match (kind, designator) {
        ("baggage", _) => bag(metadata),
        ("seat", Some(seat)) => (AncillaryKind::Seat, seat.to_owned(), format!("Seat {seat}")),
        ("seat", None) => (AncillaryKind::Seat, kind.to_owned(), spoken(kind)),
        ("meal", _) => (AncillaryKind::Meal, kind.to_owned(), spoken(kind)),
        (other, _) => (AncillaryKind::Other, other.to_owned(), spoken(other)),
    }
}

/// A bag is known by what may be in it: `checked-23kg`, `carry_on-10kg-55x40x20cm`.
fn bag(metadata: Option<&wire::ServiceMetadata<Text>>) -> (AncillaryKind, String, String) {
    let kind = metadata.and_then(|metadata| filled(&metadata.kind)).unwrap_or("extra");
    let kind = &*kind.trim().to_ascii_lowercase();
    let (mut code, mut name) = (kind.to_owned(), format!("{} bag", spoken(kind)));
    if let Some(weight) = metadata.and_then(|metadata| metadata.maximum_weight_kg.as_ref()) {
        code.push_str(&format!("-{weight}kg"));
        name.push_str(&format!(" {weight} kg"));
    }
    let size = metadata.and_then(|metadata| {
        let (length, height) = (metadata.maximum_length_cm.as_ref()?, metadata.maximum_height_cm.as_ref()?);
        Some((length, height, metadata.maximum_depth_cm.as_ref()?))
    });
    if let Some((length, height, depth)) = size {
        code.push_str(&format!("-{length}x{height}x{depth}cm"));
        name.push_str(&format!(", {length} x {height} x {depth} cm"));
    }
    (AncillaryKind::Baggage, code, name)
}

/// `Seat 28C, EXTRA LEGROOM. Passenger must be an adult.`
fn seat_name(designator: &str, seat: &wire::SeatElement<Text>) -> String {
    let mut name = format!("Seat {designator}");
    if let Some(theirs) = name_of(&seat.name) {
        name.push_str(&format!(", {theirs}"));
    }
    for disclosure in seat.disclosures.iter().flatten() {
        let said = plain_text::name(disclosure).map(|said| format!(". {said}"));
        name.push_str(&said.unwrap_or_default());
    }
    name
}

/// Their word for people: `cancel_for_any_reason` is "Cancel for any reason".
fn spoken(word: &str) -> String {
    let mut text = word.replace('_', " ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
