//! `GET /air/seat_maps`: the cabin of every flight of an offer, seat by seat.

use actix_web::HttpRequest;
use actix_web::web::Data;
use serde_json::{Value, json};

use super::World;
use super::errors::{ApiError, ApiResult};
use super::ids::segment_id;
use super::offered::{self, Offered};
use super::{ids, offer_services, paging, wire};
use crate::ancillaries::{self, PlannedSeat, Row, SeatPlan};

/// The seat maps of an offer; none where the airline has none.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let offer_id = paging::required(&parameters, "offer_id")?;
    let reading = rand::random();
    let offered = offered::find(&world, offer_id, |state| state.seats_reading = Some(reading));
    let offered = offered.ok_or_else(ApiError::not_found)?;
    if offered.state.changes.sold_out || offered.stamped.expires_at() <= world.clock.now() {
        return Err(offered.gone());
    }
    let search = &offered.stamped.search;
    let plans = ancillaries::seat_plans(world.seed, &world.tariff, &offered.bundle, search);
    let page = Page {
        world: &world,
        offered: &offered,
        reading,
        passenger_ids: offered.stamped.passenger_ids(world.seed),
    };
    Ok(wire::listed(Value::Null, plans.iter().map(|plan| page.map(plan)).collect()))
}

struct Page<'a> {
    world: &'a World,
    offered: &'a Offered,
    reading: u32,
    passenger_ids: Vec<String>,
}

impl Page<'_> {
    fn id(&self, kind: &str, name: &str) -> String {
        ids::named(kind, self.world.seed, name)
    }

    fn map(&self, plan: &SeatPlan) -> Value {
        let offer_id = &self.offered.id;
        let segment_id = segment_id(self.world.seed, offer_id, (plan.journey, plan.flight), 0);
        let rows = plan.rows.iter().enumerate();
        let rows = rows.map(|(at, row)| self.row(plan, &format!("{segment_id}/{at}"), row));
        let (first_row, last_row) = plan.wings;
        let cabin = json!({
            "cabin_class": self.offered.bundle.cabin,
            "deck": 0,
            "aisles": plan.aisles,
            "wings": { "first_row_index": first_row, "last_row_index": last_row },
            "rows": rows.collect::<Vec<_>>(),
        });
        json!({
            "id": self.id("sea", &segment_id),
            "slice_id": self.id("sli", &format!("{offer_id}/{}", plan.journey)),
            "segment_id": segment_id,
            "cabins": [cabin],
        })
    }

    fn row(&self, plan: &SeatPlan, name: &str, row: &Row) -> Value {
        let sections: Vec<Vec<Value>> = match row {
            Row::Seats { sections } => {
                let seats = |section: &Vec<PlannedSeat>| {
                    section.iter().map(|seat| self.seat(plan, name, seat)).collect()
                };
                sections.iter().map(seats).collect()
            }
            Row::Exits => (0..=plan.aisles).map(|at| vec![self.thing(name, at, "exit_row")]).collect(),
            Row::Services => (0..=plan.aisles)
                .map(|at| vec![self.thing(name, at, if at == 0 { "lavatory" } else { "galley" })])
                .collect(),
        };
        let section = |(at, elements): (usize, Vec<Value>)| json!({ "id": self.id("sec", &format!("{name}/section/{at}")), "elements": elements });
        let sections: Vec<Value> = sections.into_iter().enumerate().map(section).collect();
        json!({ "id": self.id("row", name), "sections": sections })
    }

    fn thing(&self, row: &str, at: u8, kind: &str) -> Value {
        json!({
            "id": self.id("ele", &format!("{row}/{at}")), "type": kind,
            "designator": null, "name": null, "disclosures": null, "available_services": null,
        })
    }

    fn seat(&self, plan: &SeatPlan, row: &str, seat: &PlannedSeat) -> Value {
        let place = (plan.journey, plan.flight);
        let sitters = ancillaries::with_a_seat(&self.offered.stamped.search);
        let buyers = sitters.filter(|(_, kind)| ancillaries::may_sit(seat, *kind));
        let service = |(at, _)| {
            let (world, designator) = (self.world, &seat.designator);
            let id = offer_services::seat_id(world, &self.offered.id, self.reading, place, at, designator);
            Some(json!({
                "id": id,
                "passenger_id": self.passenger_ids.get(at)?,
                "total_amount": seat.price?,
                "total_currency": world.tariff.currency,
            }))
        };
        let adults_only = seat.adults_only.then_some("Passenger must be an adult");
        json!({
            "id": self.id("ele", &format!("{row}/{}", seat.designator)),
            "type": "seat",
            "designator": seat.designator,
            "name": null,
            "disclosures": adults_only.into_iter().collect::<Vec<_>>(),
            "available_services": buyers.filter_map(service).collect::<Vec<_>>(),
        })
    }
}
