//! Changes of dates: what instead of some slices would cost, choosing it, and confirming that with its payment.

use actix_web::HttpRequest;
use actix_web::web::{Data, Path};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::World;
use super::bookings::{Action, AirlineChange, Booking, OrderChange, Replaced, Taken, present};
use super::create_order::{money, wrong_amount};
use super::errors::{ApiError, ApiResult, INCLUSION, LENGTH, Problem, REQUIRED};
use super::fields::{Fields, Sent};
use super::order_change_body::{amounts, body, slices};
use super::order_trip::trip;
use super::slice_body::slice_id;
use super::{ids, orders, paging, wire};
use crate::airlines::Cabin;
use crate::fares::{self, Fare};
use crate::fault_injection::InjectedFault;
use crate::faults::Complaint;
use crate::inventory::{Inventory, in_order};
use crate::itinerary::{Bundle, Journey, Location, Search, Slice};
use crate::orders::Order;
use crate::search_ids::{opened, sealed};
use crate::test_routes;

/// A request for other flights, wholly in its id.
#[derive(Clone, Serialize, Deserialize)]
struct Wanted {
    order_id: String,
    at: DateTime<Utc>,
    removed: Vec<usize>,
    /// What is to be flown instead, one for each of them.
    added: Vec<(String, String, NaiveDate)>,
}

impl Wanted {
    fn id(&self, seed: u64) -> String {
        format!("ocr_{}", sealed(seed, self))
    }

    fn offer_id(&self, seed: u64, place: usize) -> String {
        format!("oco_{}", sealed(seed, &(self, place)))
    }

    fn of_id(seed: u64, id: &str) -> Option<Self> {
        opened(seed, id.strip_prefix("ocr_")?)
    }

    fn of_offer_id(seed: u64, id: &str) -> Option<(Self, usize)> {
        opened(seed, id.strip_prefix("oco_")?)
    }

    fn expires_at(&self) -> DateTime<Utc> {
        self.at + TimeDelta::minutes(30)
    }
}

/// Other flights, and what the order costs with them.
struct ChangeOffer {
    replaced: Vec<Replaced>,
    fare: Fare,
    penalty: Decimal,
    change_total: Decimal,
    refund_to: Option<String>,
}

/// `POST /air/order_change_requests`.
pub(super) async fn request(world: Data<World>, sent: Sent) -> ApiResult {
    let fields = sent.fields();
    let order_id = fields.text("order_id");
    let slices = fields.optional_object("slices");
    if slices.is_none() {
        fields.wrong("slices", REQUIRED, "can't be blank");
    }
    let removed: Vec<&str> = slices
        .iter()
        .flat_map(|slices| slices.list("remove"))
        .filter_map(|each| each.text("slice_id"))
        .collect();
    let added: Vec<_> =
        slices.iter().flat_map(|slices| slices.list("add")).filter_map(|each| added_slice(&each)).collect();
    if removed.len() != added.len() {
        fields.wrong("slices/add", LENGTH, "must have as many items as 'remove'");
    }
    let order_id = order_id.filter(|_| sent.is_right()).ok_or_else(|| sent.error())?;
    let missing = || ApiError::linked_record_not_found("/order_id");
    let order = orders::visible(&world, order_id).ok_or_else(missing)?;
    let now = world.clock.now();
    check_changeable(&order.booking, now)?;
    let place = |wanted: &&str| {
        let ids = order.booking.bundle.journeys.iter().enumerate().map(|(at, sold)| {
            let (_, moves) = present(&order.booking.airline_changes, at, sold);
            slice_id(world.seed, &order.id, at, moves)
        });
        ids.into_iter().position(|id| id == **wanted)
    };
    let removed: Option<Vec<usize>> = removed.iter().map(place).collect();
    let wanted = Wanted {
        order_id: order.id.clone(),
        at: now,
        removed: removed.ok_or_else(|| ApiError::linked_record_not_found("/slices/remove/0/slice_id"))?,
        added: added.iter().map(|(from, to, date, _)| (from.clone(), to.clone(), *date)).collect(),
    };
    if added.iter().any(|(.., cabin)| *cabin != order.booking.bundle.cabin) {
        let message = "All slices must be of the order's cabin";
        return Err(Problem::invalid(INCLUSION, "/slices/add/0/cabin_class", message).into());
    }
    Ok(wire::created(request_body(&world, &order, &wanted)))
}

fn added_slice(fields: &Fields<'_>) -> Option<(String, String, NaiveDate, Cabin)> {
    let place = |name: &str| {
        let code = fields.text(name)?;
        if Location::of(code).is_none() {
            fields.wrong(name, INCLUSION, "must be the IATA code of an airport or a city");
        }
        Some(code.to_owned())
    };
    let (from, to) = (place("origin"), place("destination"));
    let date = fields.date("departure_date");
    let cabin = fields.choice("cabin_class", &super::offer_requests::CABINS);
    Some((from?, to?, date?, cabin?))
}

fn check_changeable(booking: &Booking, now: DateTime<Utc>) -> Result<(), ApiError> {
    if booking.is_changeable(now) { Ok(()) } else { Err(ApiError::complaint(Complaint::NotChangeable)) }
}

/// `GET /air/order_change_requests/{id}`.
pub(super) async fn show_request(world: Data<World>, id: Path<String>) -> ApiResult {
    let wanted = Wanted::of_id(world.seed, &id).ok_or_else(ApiError::not_found)?;
    let order = orders::visible(&world, &wanted.order_id).ok_or_else(ApiError::not_found)?;
    Ok(wire::ok(request_body(&world, &order, &wanted)))
}

/// `GET /air/order_change_offers?order_change_request_id=`.
pub(super) async fn list_offers(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let id = paging::required(&parameters, "order_change_request_id")?;
    let wanted = Wanted::of_id(world.seed, id).ok_or_else(ApiError::not_found)?;
    let order = orders::visible(&world, &wanted.order_id).ok_or_else(ApiError::not_found)?;
    let offers = offers(&world, &order.booking, &wanted).into_iter().enumerate();
    let named = offers.map(|(place, offer)| (wanted.offer_id(world.seed, place), place, offer));
    let (page, meta) = paging::page(named.collect(), |(id, ..)| id, &parameters)?;
    let page = page.into_iter().map(|(_, place, offer)| offer_body(&world, &order, &wanted, place, &offer));
    Ok(wire::listed(meta, page.collect()))
}

/// `GET /air/order_change_offers/{id}`.
pub(super) async fn show_offer(world: Data<World>, id: Path<String>) -> ApiResult {
    let (wanted, place) = Wanted::of_offer_id(world.seed, &id).ok_or_else(ApiError::not_found)?;
    let order = orders::visible(&world, &wanted.order_id).ok_or_else(ApiError::not_found)?;
    let offer = offers(&world, &order.booking, &wanted).into_iter().nth(place);
    let offer = offer.ok_or_else(ApiError::not_found)?;
    Ok(wire::ok(offer_body(&world, &order, &wanted, place, &offer)))
}

/// `POST /air/order_changes`: a change that is pending, and costs nothing yet.
pub(super) async fn create(world: Data<World>, injected: InjectedFault, sent: Sent) -> ApiResult {
    let fields = sent.fields();
    let offer_id = fields.text("selected_order_change_offer").ok_or_else(|| sent.error())?;
    let missing = || ApiError::linked_record_not_found("/selected_order_change_offer");
    let (wanted, place) = Wanted::of_offer_id(world.seed, offer_id).ok_or_else(missing)?;
    let id = ids::fresh("oce");
    let order = orders::change(&world, &wanted.order_id, missing, |booking, now| {
        check_changeable(booking, now)?;
        let offer = offers(&world, booking, &wanted).into_iter().nth(place);
        let mut offer = offer.filter(|_| now < wanted.expires_at()).ok_or_else(expired)?;
        if let Some(percent) = injected.price_changed {
            let before = offer.fare.total();
            offer.fare = offer.fare.moved(&world.tariff, percent);
            offer.change_total += offer.fare.total() - before;
        }
        booking.order_changes.push(OrderChange {
            id: id.clone(),
            created_at: now,
            expires_at: wanted.expires_at(),
            replaced: offer.replaced,
            fare: offer.fare,
            penalty: offer.penalty,
            change_total: offer.change_total,
            refund_to: offer.refund_to,
            confirmed_at: None,
        });
        Ok(())
    })?;
    answer(&world, &order, &id).map(wire::created)
}

fn expired() -> ApiError {
    ApiError::complaint(Complaint::Expired)
}

/// `GET /air/order_changes/{id}`.
pub(super) async fn show(world: Data<World>, id: Path<String>) -> ApiResult {
    answer(&world, &order_of(&world, &id)?, &id).map(wire::ok)
}

fn order_of(world: &World, id: &str) -> Result<Order<Booking>, ApiError> {
    let has_it = |order: &Order<Booking>| order.booking.order_changes.iter().any(|each| each.id == id);
    let mut orders = world.orders.of().into_iter();
    orders.find(has_it).ok_or_else(ApiError::not_found)
}

/// `POST /air/order_changes/{id}/actions/confirm`: the flights are changed and paid. A change that is confirmed is answered
/// again as it is.
pub(super) async fn confirm(world: Data<World>, id: Path<String>, sent: Sent) -> ApiResult {
    let fields = sent.fields();
    let given: Vec<Fields<'_>> = fields.optional_object("payment").into_iter().collect();
    let payment = money(&fields, &given, world.tariff.currency, world.clock.now());
    sent.check()?;
    let order_id = &order_of(&world, &id)?.id;
    let order = orders::change(&world, order_id, ApiError::not_found, |booking, now| {
        let found = booking.order_changes.iter().position(|each| each.id == *id);
        let place = found.ok_or_else(ApiError::not_found)?;
        let change = booking.order_changes.get(place).cloned().ok_or_else(ApiError::not_found)?;
        if change.confirmed_at.is_some() {
            return Ok(());
        }
        check_changeable(booking, now)?;
        if change.expires_at <= now {
            return Err(expired());
        }
        match payment {
            Some(payment) if payment.amount == change.change_total => booking.payments.push(payment),
            None if change.change_total <= Decimal::ZERO => {}
            _ => return Err(wrong_amount("/payment/amount")),
        }
        apply(booking, &change, now);
        if let Some(change) = booking.order_changes.get_mut(place) {
            change.confirmed_at = Some(now);
        }
        Ok(())
    })?;
    answer(&world, &order, &id).map(wire::ok)
}

/// The buyer flies something else from now on; what the airline had changed there is settled.
fn apply(booking: &mut Booking, change: &OrderChange, now: DateTime<Utc>) {
    for replaced in &change.replaced {
        let taken = Taken { action: Action::Changed, at: now };
        let open = booking.airline_changes.iter_mut();
        for settled in open.filter(|each| each.slice == replaced.slice) {
            settled.taken.get_or_insert(taken);
        }
        booking.airline_changes.push(AirlineChange {
            id: change.id.clone(),
            created_at: now,
            slice: replaced.slice,
            before: replaced.before.clone(),
            after: replaced.after.clone(),
            taken: Some(taken),
            is_wanted: true,
        });
    }
    booking.fare = change.fare.clone();
}

/// Flights of the same airline, cabin and brand, with which the journey still makes sense.
fn offers(world: &World, booking: &Booking, wanted: &Wanted) -> Vec<ChangeOffer> {
    let slices = wanted.added.iter().map(|(from, to, date)| {
        Some(Slice { from: Location::of(from)?, to: Location::of(to)?, date: *date })
    });
    let Some(slices) = slices.collect::<Option<Vec<Slice>>>() else { return Vec::new() };
    let search = Search { scenario: test_routes::scenario(&slices), slices, ..booking.search() };
    let bundles = world.inventory.bundles(&search).into_iter();
    bundles
        .filter(|bundle| {
            bundle.airline.code == booking.bundle.airline.code
                && bundle.brand == booking.bundle.brand
                && Inventory::is_sold_at(bundle, wanted.at)
        })
        .filter_map(|bundle| change_offer(world, booking, wanted, bundle.journeys))
        .collect()
}

fn change_offer(
    world: &World,
    booking: &Booking,
    wanted: &Wanted,
    journeys: Vec<Journey>,
) -> Option<ChangeOffer> {
    let mut flown = booking.flown();
    let mut replaced = Vec::new();
    for (slice, after) in wanted.removed.iter().zip(journeys) {
        let place = flown.get_mut(*slice)?;
        let before = std::mem::replace(place, after.clone());
        replaced.push(Replaced { slice: *slice, before, after });
    }
    if !in_order(&flown) {
        return None;
    }
    let bundle = Bundle { journeys: flown, ..booking.bundle.clone() };
    let fare = fares::fare(world.seed, &world.tariff, &bundle, &booking.search());
    let penalty = booking.fare.change.penalty.unwrap_or_else(|| world.tariff.zero());
    let change_total = fare.total() - booking.fare.total() + penalty;
    let refund_to = (change_total < Decimal::ZERO).then(|| refund_to(booking));
    Some(ChangeOffer { replaced, fare, penalty, change_total, refund_to })
}

/// To where it was paid from, but on LTN→SYD.
fn refund_to(booking: &Booking) -> String {
    let journey = booking.bundle.journeys.first();
    let route = journey.map(|journey| (journey.first.from.iata, journey.last().to.iata));
    match route {
        Some(("LTN", "SYD")) => "airline_credits".to_owned(),
        _ => "original_form_of_payment".to_owned(),
    }
}

fn request_body(world: &World, order: &Order<Booking>, wanted: &Wanted) -> Value {
    let offers = offers(world, &order.booking, wanted);
    let offers =
        offers.iter().enumerate().map(|(place, offer)| offer_body(world, order, wanted, place, offer));
    let removed = wanted.removed.iter().filter_map(|at| {
        let sold = order.booking.bundle.journeys.get(*at)?;
        let (_, moves) = present(&order.booking.airline_changes, *at, sold);
        Some(json!({ "slice_id": slice_id(world.seed, &order.id, *at, moves) }))
    });
    let cabin = fares::cabin_name(order.booking.bundle.cabin);
    let added = wanted.added.iter().map(|(from, to, date)| {
        json!({ "origin": from, "destination": to, "departure_date": date, "cabin_class": cabin })
    });
    json!({
        "id": wanted.id(world.seed),
        "live_mode": false,
        "order_id": order.id,
        "created_at": wire::instant(wanted.at),
        "updated_at": wire::instant(wanted.at),
        "slices": { "remove": removed.collect::<Vec<_>>(), "add": added.collect::<Vec<_>>() },
        "order_change_offers": offers.collect::<Vec<_>>(),
    })
}

fn offer_body(
    world: &World,
    order: &Order<Booking>,
    wanted: &Wanted,
    place: usize,
    offer: &ChangeOffer,
) -> Value {
    let trip = trip(world, order, &[], wanted.at);
    let mut body = amounts(&trip, order.booking.total_with(&offer.fare), offer.penalty, offer.change_total);
    body.extend([
        ("id".to_owned(), wanted.offer_id(world.seed, place).into()),
        ("live_mode".to_owned(), false.into()),
        ("order_change_id".to_owned(), Value::Null),
        ("refund_to".to_owned(), offer.refund_to.clone().into()),
        ("created_at".to_owned(), wire::instant(wanted.at).into()),
        ("updated_at".to_owned(), wire::instant(wanted.at).into()),
        ("expires_at".to_owned(), wire::deadline(wanted.expires_at()).into()),
        ("slices".to_owned(), slices(&order.booking, &trip, &offer.replaced)),
    ]);
    Value::Object(body)
}

fn answer(world: &World, order: &Order<Booking>, id: &str) -> Result<Value, ApiError> {
    let mut changes = order.booking.order_changes.iter();
    let change = changes.find(|each| each.id == id).ok_or_else(ApiError::not_found)?;
    let trip = trip(world, order, &[], world.clock.now());
    Ok(body(&order.id, &order.booking, &trip, change))
}
