//! The numbers under which hotels know their guests: a list of them, and a push of each to whoever has agreed on an address.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::{Value, json};

use super::World;
use super::audit::Audit;
use super::auth;
use super::bookings::{self, Booking};
use super::errors::ApiResult;
use super::paging;
use crate::faults::Supplier;
use crate::orders::{Order, Reservation};
use crate::webhooks::Message;
use crate::world;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    from: Option<usize>,
    to: Option<usize>,
    /// References of bookings, with commas between them.
    references: Option<String>,
}

/// `GET /bookings/reconfirmations`: the key's bookings whose hotels have told their own numbers, the oldest first.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let wanted: Wanted = paging::query(&request)?;
    let page = paging::Page::of(wanted.from, wanted.to)?;
    let key = auth::key(&request);
    let orders: Vec<Order<Booking>> = world.orders.of();
    let is_wanted = |order: &&Order<Booking>| {
        let references = wanted.references.as_deref();
        bookings::is_visible(&world, key, order)
            && !order.booking.reservation.hotel_numbers.is_empty()
            && references.is_none_or(|all| all.split(',').any(|each| each.trim() == order.id))
    };
    let found = orders.iter().filter(is_wanted);
    let here = found.skip(page.skip()).take(page.size());
    let found: Vec<Value> = here.map(|order| reconfirmed(&order.id, &order.booking.reservation)).collect();
    let body = json!({
        "auditData": Audit::of_booking(&world),
        "bookings": { "bookings": found, "from": page.from, "to": page.to, "total": found.len() },
    });
    Ok(HttpResponse::Ok().json(body))
}

/// Tells the numbers of this order, where it is one of theirs.
pub(crate) fn push_reconfirmation(world: &world::World, id: &str) {
    let Some(order) = world.orders.find::<Booking>(id) else { return };
    let body = json!({
        "type": "NEW_BOOKING_RECONFIRMATION",
        "notificationDate": world.clock.now().to_rfc3339(),
        "booking": reconfirmed(&order.id, &order.booking.reservation),
    });
    world.tell(&Message { supplier: Supplier::Hotelbeds, body: body.to_string(), header: None });
}

fn reconfirmed(id: &str, reservation: &Reservation) -> Value {
    let rooms = reservation.hotel_numbers.iter().zip(1..);
    let rooms: Vec<Value> =
        rooms.map(|(number, room)| json!({ "id": room, "supplierConfirmationCode": [number] })).collect();
    json!({
        "reference": id,
        "clientReference": reservation.client_reference,
        "hotel": { "rooms": rooms },
    })
}
