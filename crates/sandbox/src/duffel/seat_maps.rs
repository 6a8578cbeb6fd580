//! `GET /air/seat_maps`: the cabin of every flight of an offer, seat by seat.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

use super::errors::{ApiError, ApiResult, Problem};
use super::offers::{self, Offered};
use super::slice_body::segment_id;
use super::wire::Listed;
use super::{ids, offer_services, paging};
use crate::airlines::Cabin;
use crate::ancillaries::{self, PlannedSeat, Row, SeatPlan};
use crate::server::World;

#[derive(Serialize)]
struct SeatMapBody {
    id: String,
    slice_id: String,
    segment_id: String,
    cabins: [CabinBody; 1],
}

#[derive(Serialize)]
struct CabinBody {
    cabin_class: Cabin,
    deck: u8,
    aisles: u8,
    wings: WingsBody,
    rows: Vec<RowBody>,
}

#[derive(Serialize)]
struct WingsBody {
    first_row_index: usize,
    last_row_index: usize,
}

#[derive(Serialize)]
struct RowBody {
    id: String,
    sections: Vec<SectionBody>,
}

#[derive(Serialize)]
struct SectionBody {
    id: String,
    elements: Vec<ElementBody>,
}

#[derive(Serialize)]
struct ElementBody {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    designator: Option<String>,
    name: Option<()>,
    disclosures: Option<Vec<&'static str>>,
    available_services: Option<Vec<SeatServiceBody>>,
}

#[derive(Serialize)]
struct SeatServiceBody {
    id: String,
    passenger_id: String,
    total_amount: String,
    total_currency: &'static str,
}

/// The seat maps of an offer; none where the airline shows none.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let Some(offer_id) = paging::parameter(&parameters, "offer_id") else {
        let message = "Parameter 'offer_id' can't be blank";
        return Err(Problem::bad_parameter("validation_required", "offer_id", message).into());
    };
    let reading = rand::random();
    let offered = offers::find(&world, offer_id, |moved| moved.seats_reading = Some(reading));
    let offered = offered.ok_or_else(ApiError::not_found)?;
    if offered.moved.gone || offered.stamped.expires_at() <= world.clock.now() {
        return Err(offered.gone());
    }
    let plans = ancillaries::seat_plans(
        world.seed,
        &world.tariff,
        &offered.bundle,
        &offered.stamped.search,
    );
    let page = Page {
        world: &world,
        offered: &offered,
        reading,
        passenger_ids: offered.stamped.passenger_ids(world.seed),
    };
    let maps: Vec<SeatMapBody> = plans.iter().map(|plan| page.map(plan)).collect();
    Ok(HttpResponse::Ok().json(Listed {
        meta: None::<()>,
        data: maps,
    }))
}

/// What all seats of one answer share.
struct Page<'a> {
    world: &'a World,
    offered: &'a Offered,
    reading: u32,
    passenger_ids: Vec<String>,
}

impl Page<'_> {
    fn map(&self, plan: &SeatPlan) -> SeatMapBody {
        let seed = self.world.seed;
        let segment_id = segment_id(seed, &self.offered.id, (plan.journey, plan.flight), 0);
        let rows = plan
            .rows
            .iter()
            .enumerate()
            .map(|(at, row)| self.row(plan, &format!("{segment_id}/{at}"), row));
        SeatMapBody {
            id: ids::named("sea", seed, &segment_id),
            slice_id: ids::named("sli", seed, &format!("{}/{}", self.offered.id, plan.journey)),
            cabins: [CabinBody {
                cabin_class: self.offered.bundle.cabin,
                deck: 0,
                aisles: plan.aisles,
                wings: WingsBody {
                    first_row_index: plan.wings.0,
                    last_row_index: plan.wings.1,
                },
                rows: rows.collect(),
            }],
            segment_id,
        }
    }

    fn row(&self, plan: &SeatPlan, name: &str, row: &Row) -> RowBody {
        let sections: Vec<Vec<ElementBody>> = match row {
            Row::Seats { sections } => {
                let seats = |section: &Vec<PlannedSeat>| {
                    section.iter().map(|seat| self.seat(plan, name, seat)).collect()
                };
                sections.iter().map(seats).collect()
            }
            Row::Exits => (0..=plan.aisles)
                .map(|at| vec![self.thing(name, at, "exit_row")])
                .collect(),
            Row::Services => (0..=plan.aisles)
                .map(|at| vec![self.thing(name, at, if at == 0 { "lavatory" } else { "galley" })])
                .collect(),
        };
        let section = |(at, elements)| {
            let id = ids::named("sec", self.world.seed, &format!("{name}/section/{at}"));
            SectionBody { id, elements }
        };
        RowBody {
            id: ids::named("row", self.world.seed, name),
            sections: sections.into_iter().enumerate().map(section).collect(),
        }
    }

    fn thing(&self, row: &str, at: u8, kind: &'static str) -> ElementBody {
        let id = ids::named("ele", self.world.seed, &format!("{row}/{at}"));
        ElementBody {
            id,
            kind,
            designator: None,
            name: None,
            disclosures: None,
            available_services: None,
        }
    }

    fn seat(&self, plan: &SeatPlan, row: &str, seat: &PlannedSeat) -> ElementBody {
        let place = (plan.journey, plan.flight);
        let sitters = ancillaries::with_a_seat(&self.offered.stamped.search);
        let buyers = sitters.filter(|(_, kind)| ancillaries::may_sit(seat, *kind));
        let services = buyers.filter_map(|(at, _)| Some((at, seat.price?)));
        let service = |(at, price): (usize, rust_decimal::Decimal)| {
            Some(SeatServiceBody {
                id: offer_services::seat_id(
                    self.world,
                    &self.offered.id,
                    self.reading,
                    place,
                    at,
                    &seat.designator,
                ),
                passenger_id: self.passenger_ids.get(at)?.clone(),
                total_amount: price.to_string(),
                total_currency: self.world.tariff.currency,
            })
        };
        ElementBody {
            id: ids::named("ele", self.world.seed, &format!("{row}/{}", seat.designator)),
            kind: "seat",
            designator: Some(seat.designator.clone()),
            name: None,
            disclosures: Some(if seat.adults_only {
                vec!["Passenger must be an adult"]
            } else {
                Vec::new()
            }),
            available_services: Some(services.filter_map(service).collect()),
        }
    }
}
