//! What a booking wants besides the fares: whether it is sold, to whom, and for how much.

use std::collections::HashSet;

use serde::Deserialize;

use super::World;
use super::bookings::Bought;
use super::errors::ApiError;
use super::reviews::Review;
use super::seats;
use super::ssr::{Offering, Ssr, SsrKind};
use super::travellers::Person;
use crate::ancillaries::{self, SeatPlan};
use crate::itinerary::PassengerType;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SsrRequests {
    #[serde(default)]
    ssr_baggage_infos: Vec<SsrRequest>,
    #[serde(default)]
    ssr_meal_infos: Vec<SsrRequest>,
    #[serde(default)]
    ssr_seat_infos: Vec<SsrRequest>,
    #[serde(default)]
    ssr_fast_forward_infos: Vec<SsrRequest>,
    #[serde(default)]
    ssr_extra_service_infos: Vec<SsrRequest>,
}

#[derive(Deserialize)]
struct SsrRequest {
    key: String,
    code: String,
}

impl SsrRequest {
    fn refused(&self, message: &str) -> ApiError {
        let details = format!("SSR code {} of segment {}", self.code, self.key);
        ApiError::refused(400, message).about(details)
    }
}

impl SsrRequests {
    fn of(&self, kind: SsrKind) -> &[SsrRequest] {
        match kind {
            SsrKind::Bag => &self.ssr_baggage_infos,
            SsrKind::Meal => &self.ssr_meal_infos,
            SsrKind::Seat => &self.ssr_seat_infos,
            SsrKind::FastForward => &self.ssr_fast_forward_infos,
        }
    }
}

/// What these people want, in their order, where all of it is sold to them.
pub(super) fn bought(
    world: &World,
    review: &Review,
    people: &[Person],
    requests: &[SsrRequests],
) -> Result<Vec<Bought>, ApiError> {
    let catalog = SsrCatalog::of(world, review, requests);
    let mut bought: Vec<Bought> = Vec::new();
    for (at, (person, requests)) in people.iter().zip(requests).enumerate() {
        if let Some(request) = requests.ssr_extra_service_infos.first() {
            return Err(request.refused("Invalid SSR"));
        }
        for kind in SsrKind::ALL {
            let mut flights = HashSet::new();
            for request in requests.of(kind) {
                if !flights.insert(&request.key) {
                    return Err(request.refused("A traveller can have one SSR of a kind on a segment"));
                }
                bought.push(Bought {
                    person: at,
                    segment_id: request.key.clone(),
                    kind,
                    ssr: catalog.find(kind, request, person).ok_or_else(|| request.refused("Invalid SSR"))?,
                });
            }
        }
    }
    let mut taken = HashSet::new();
    let seats = bought.iter().filter(|bought| bought.kind == SsrKind::Seat);
    let is_taken_twice = seats.map(|seat| (&seat.segment_id, &seat.ssr.code)).any(|seat| !taken.insert(seat));
    if is_taken_twice {
        return Err(ApiError::refused(400, "A seat can have one traveller only"));
    }
    Ok(bought)
}

/// All that can be bought with a review, by segment.
struct SsrCatalog {
    offerings: Vec<(Vec<String>, Offering)>,
    seats: Vec<(String, SeatPlan)>,
}

impl SsrCatalog {
    /// Without seats where nobody wants one.
    fn of(world: &World, review: &Review, requests: &[SsrRequests]) -> Self {
        let offerings = review.sold().map(|sold| {
            let ids = (0..sold.flights().count()).map(|flight| sold.segment_id(flight));
            (ids.collect(), Offering::of(world, sold))
        });
        let wants_seats = requests.iter().any(|requests| !requests.ssr_seat_infos.is_empty());
        Self {
            offerings: offerings.collect(),
            seats: if wants_seats { seats::free(world, review.sold()) } else { Vec::new() },
        }
    }

    fn find(&self, kind: SsrKind, request: &SsrRequest, person: &Person) -> Option<Ssr> {
        let traveller = person.kind().filter(|kind| *kind != PassengerType::Infant)?;
        if kind == SsrKind::Seat {
            let (_, plan) = self.seats.iter().find(|(id, _)| *id == request.key)?;
            let designator = seats::designator(&request.code)?;
            let seat = ancillaries::seat(plan, designator, 0, traveller)?;
            return Some(Ssr {
                code: request.code.clone(),
                description: designator.to_owned(),
                amount: seat.price,
            });
        }
        let (flight, offering) = self
            .offerings
            .iter()
            .find_map(|(ids, offering)| Some((ids.iter().position(|id| *id == request.key)?, offering)))?;
        let mut codes = offering.sold(kind, flight).iter();
        codes.find(|ssr| ssr.code == request.code).cloned()
    }
}
