//! Duffel's words for an offer and for the search it answers.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::Value;

use super::offers::Offered;
use super::places::{AirlineBody, PlaceBody};
use super::service_body::ServiceBody;
use super::slice_body::{SliceBody, Trip};
use super::wire::{self, ConditionsBody};
use crate::airlines::Cabin;
use crate::itinerary::Search;
use crate::search_ids::StampedSearch;
use crate::server::World;

/// A search.
#[derive(Serialize)]
pub(super) struct OfferRequestBody {
    id: String,
    live_mode: bool,
    created_at: String,
    cabin_class: Option<Cabin>,
    slices: Vec<RequestedSliceBody>,
    passengers: Vec<OfferPassengerBody>,
    airline_credit_ids: [(); 0],
    /// Left out where the caller asked for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    offers: Option<Vec<OfferBody>>,
}

#[derive(Serialize)]
struct RequestedSliceBody {
    origin: PlaceBody,
    origin_type: &'static str,
    destination: PlaceBody,
    destination_type: &'static str,
    departure_date: NaiveDate,
    created_at: String,
}

/// Somebody who is to fly, before there is a name.
#[derive(Serialize)]
struct OfferPassengerBody {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    age: Option<u8>,
    given_name: Option<()>,
    family_name: Option<()>,
    fare_type: Option<()>,
    loyalty_programme_accounts: [(); 0],
}

impl OfferRequestBody {
    /// A search, with its offers where they are asked for.
    pub(super) fn of(world: &World, stamped: &StampedSearch, offers: Option<Vec<OfferBody>>) -> Self {
        let created_at = wire::instant(stamped.at);
        let slices = stamped.search.slices.iter().filter_map(|leg| {
            let (origin, origin_type) = PlaceBody::of(&leg.from)?;
            let (destination, destination_type) = PlaceBody::of(&leg.to)?;
            let (departure_date, created_at) = (leg.date, created_at.clone());
            Some(RequestedSliceBody {
                origin,
                origin_type,
                destination,
                destination_type,
                departure_date,
                created_at,
            })
        });
        Self {
            id: stamped.request_id(world.seed),
            live_mode: false,
            cabin_class: stamped.search.cabin,
            slices: slices.collect(),
            passengers: passengers(&stamped.search, stamped.passenger_ids(world.seed)),
            airline_credit_ids: [],
            offers,
            created_at,
        }
    }
}

fn passengers(search: &Search, ids: Vec<String>) -> Vec<OfferPassengerBody> {
    let of = |(traveller, id): (&crate::itinerary::Traveller, String)| OfferPassengerBody {
        id,
        kind: wire::passenger_type(traveller.kind),
        age: traveller.age,
        given_name: None,
        family_name: None,
        fare_type: None,
        loyalty_programme_accounts: [],
    };
    search.party.iter().zip(ids).map(of).collect()
}

/// An offer.
#[derive(Serialize)]
pub(super) struct OfferBody {
    id: String,
    live_mode: bool,
    partial: bool,
    created_at: String,
    updated_at: String,
    expires_at: String,
    owner: AirlineBody,
    total_amount: String,
    total_currency: &'static str,
    base_amount: String,
    base_currency: &'static str,
    tax_amount: String,
    tax_currency: &'static str,
    total_emissions_kg: String,
    payment_requirements: PaymentRequirementsBody,
    conditions: ConditionsBody,
    passenger_identity_documents_required: bool,
    supported_passenger_identity_document_types: [&'static str; 1],
    allowed_passenger_identity_document_types: [&'static str; 1],
    supported_loyalty_programmes: [(); 0],
    available_airline_credit_ids: [(); 0],
    private_fares: [(); 0],
    passengers: Vec<OfferPassengerBody>,
    slices: Vec<SliceBody>,
    available_services: Option<Vec<ServiceBody>>,
    /// Where the offer was priced for a purchase.
    #[serde(flatten)]
    intended: Option<Intended>,
}

#[derive(Serialize)]
struct PaymentRequirementsBody {
    requires_instant_payment: bool,
    price_guarantee_expires_at: Option<String>,
    payment_required_by: Option<String>,
}

/// What a price was asked for.
#[derive(Serialize)]
pub(super) struct Intended {
    pub(super) intended_payment_methods: Vec<Value>,
    pub(super) intended_services: Vec<Value>,
    /// What the services cost together.
    #[serde(skip)]
    pub(super) services_cost: Decimal,
}

impl OfferBody {
    /// An offer at its present price, without extras.
    pub(super) fn of(world: &World, offered: &Offered, passenger_ids: &[String]) -> Self {
        let currency = world.tariff.currency;
        let (search, fare) = (&offered.stamped.search, &offered.fare);
        let trip = Trip {
            seed: world.seed,
            id: &offered.id,
            offer_id: &offered.id,
            bundle: &offered.bundle,
            fare,
            currency,
            party: &search.party,
            passenger_ids,
            scenario: search.scenario,
            bought: None,
            changes: &[],
        };
        let deadlines = offered.deadlines();
        Self {
            live_mode: false,
            partial: false,
            created_at: wire::instant(offered.stamped.at),
            updated_at: wire::instant(world.clock.now()),
            expires_at: wire::instant(offered.stamped.expires_at()),
            owner: offered.bundle.airline.into(),
            total_amount: fare.total().to_string(),
            total_currency: currency,
            base_amount: fare.base.to_string(),
            base_currency: currency,
            tax_amount: fare.tax.to_string(),
            tax_currency: currency,
            total_emissions_kg: fare.emissions_kg.to_string(),
            payment_requirements: PaymentRequirementsBody {
                requires_instant_payment: deadlines.is_none(),
                price_guarantee_expires_at: deadlines
                    .and_then(|deadlines| deadlines.price_until)
                    .map(wire::deadline),
                payment_required_by: deadlines.map(|deadlines| wire::deadline(deadlines.pay_by)),
            },
            conditions: ConditionsBody::of(fare, currency),
            passenger_identity_documents_required: false,
            supported_passenger_identity_document_types: ["passport"],
            allowed_passenger_identity_document_types: ["passport"],
            supported_loyalty_programmes: [],
            available_airline_credit_ids: [],
            private_fares: [],
            passengers: passengers(search, passenger_ids.to_vec()),
            slices: trip.slices(),
            available_services: None,
            intended: None,
            id: offered.id.clone(),
        }
    }

    /// The offer with what can be bought besides it.
    pub(super) fn with_services(self, services: Vec<ServiceBody>) -> Self {
        Self {
            available_services: Some(services),
            ..self
        }
    }

    /// The offer at the price of what is intended.
    pub(super) fn intended(self, offered: &Offered, intended: Intended) -> Self {
        Self {
            total_amount: (offered.fare.total() + intended.services_cost).to_string(),
            base_amount: (offered.fare.base + intended.services_cost).to_string(),
            intended: Some(intended),
            ..self
        }
    }
}
