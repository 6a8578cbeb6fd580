//! What is searched for.

use serde_json::json;
use wayfare_contract::flights::FlightSearch;
use wayfare_domain::{Party, parse_currency};
use wayfare_flights::{Query, QueryParts, Slice, SliceParts, TripType};
use wayfare_operations::flights::SearchRequest;
use wayfare_reference::PlaceKind;

use crate::http::json_body::{FromJson, JsonObject};

/// No search shows more offers where it is limited.
const MOST_RESULTS: usize = 1_000;

/// `POST /flights/search`.
impl FromJson for SearchRequest {
    const NAME: &str = "SearchFlightsRequest";
    type Declared = FlightSearch;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let mut parts = QueryParts::default();
        let params = body.object("search_params", |params| {
            let trip_type = params.word::<TripType>("trip_type");
            parts.trip_type = trip_type;
            let cabin = params.word("cabin_class");
            let party = params.object("passengers", |body| party(body, &mut parts));
            let party = params.required("passengers", party);
            let preferred_currency =
                params.optional_text("preferred_currency").filter(|code| !code.is_empty());
            params.note("preferred_currency", || json!({ "pattern": "^([A-Za-z]{3})?$" }));
            let currency = preferred_currency.as_deref().map(parse_currency);
            if currency == Some(None) {
                params.fault("preferred_currency", "must be a 3-letter currency code");
            }
            let direct_only = params.boolean("direct_flights_only").unwrap_or(false);
            // More than there ever are is as many as there are.
            let max_results = params.number("max_results", 1..=u32::MAX);
            let max_results = max_results
                .map(|most| usize::try_from(most).map_or(MOST_RESULTS, |most| most.min(MOST_RESULTS)));
            let airline = params.optional_text("airline_id").filter(|code| !code.is_empty());
            params.note("airline_id", || json!({ "pattern": "^([A-Za-z0-9]{2})?$" }));
            if airline
                .as_ref()
                .is_some_and(|code| code.len() != 2 || !code.bytes().all(|c| c.is_ascii_alphanumeric()))
            {
                params.fault("airline_id", "must be a 2-character IATA airline code");
            }
            Some((trip_type?, cabin?, party?, currency.flatten(), direct_only, max_results, airline))
        });
        let params = body.required("search_params", params);
        let mut legs = Vec::new();
        let slices = body.list("slices", 1..=6, |body| slice(body, &mut legs));
        parts.slices = body.has("slices").then_some(legs);
        let faults = parts.check(body.now());
        body.append(faults);
        let (trip_type, cabin, party, preferred_currency, direct_only, max_results, airline) = params?;
        let airline = airline.map(|code| code.to_ascii_uppercase());
        let query = Query { trip_type, party, cabin, slices: slices?, direct_only, airline };
        Some(Self { query, preferred_currency, max_results })
    }
}

fn party(body: &mut JsonObject<'_>, parts: &mut QueryParts) -> Option<Party> {
    let adults = body.number("adults", 1..=9);
    let adults = body.required("adults", adults);
    let children = body.number("children", 0..=9).unwrap_or(0);
    let infants = body.number("infants", 0..=9).unwrap_or(0);
    (parts.adults, parts.infants) = (adults, infants);
    Some(Party { adults: adults?, children, infants })
}

fn slice(body: &mut JsonObject<'_>, legs: &mut Vec<SliceParts>) -> Option<Slice> {
    let origin = body.text("origin", 3).map(|code| code.to_ascii_uppercase());
    let destination = body.text("destination", 3).map(|code| code.to_ascii_uppercase());
    let mut kind = |name| match body.has(name) {
        true => body.word::<PlaceKind>(name),
        false => None,
    };
    let (origin_kind, destination_kind) = (kind("origin_type"), kind("destination_type"));
    let date = body.date("departure_date");
    for name in ["origin", "destination"] {
        body.note(name, || json!({ "pattern": "^[A-Za-z]{3}$" }));
    }
    legs.push(SliceParts {
        origin: origin.clone(),
        origin_kind,
        destination: destination.clone(),
        destination_kind,
        date,
    });
    Some(Slice::between((&origin?, origin_kind), (&destination?, destination_kind), date?))
}
