//! Journeys of a return that are moved one by one, or together: what nobody named is flown at the end.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_tests::{MONEY, Person, Reply, Seller, Trip, World, WorldOptions, amount, money, round_trip};

use super::new_booking;

const WHOLE: &str = "the supplier does not change a part of this order";

/// A return that was bought, and that money comes back of.
struct Return {
    world: World,
    agent: Person,
    reference: String,
    fare: Decimal,
    /// To where from Delhi.
    to: &'static str,
}

/// By whom its halves are sold; whole where nobody is named.
type Halves = Option<[&'static str; 2]>;

impl Return {
    async fn sold_by(halves: Halves, party: (u8, u8, u8)) -> Self {
        let options = match halves {
            None => WorldOptions::default(),
            Some(_) => {
                WorldOptions::of(["first", "second"].map(|code| Seller::of(code, SupplierKind::TripJack)))
            }
        };
        Self::at(options, halves, party, "BOM").await
    }

    /// One order of both ways at TripJack: of one fare, or of a half for each way.
    async fn of_one_order(halves: bool, party: (u8, u8, u8)) -> Self {
        match halves {
            true => Self::sold_by(Some(["first", "first"]), party).await,
            false => Self::at(WorldOptions::of([Seller::tripjack()]), None, party, "DXB").await,
        }
    }

    async fn at(options: WorldOptions, halves: Halves, party: (u8, u8, u8), to: &'static str) -> Self {
        let (world, _, agent) = World::with(options.frozen()).await.and_agent(MONEY).await;
        let trip = round_trip("DEL", to).party(party.0, party.1, party.2);
        let priced = match halves {
            None => agent.quote_dearest(&trip).await,
            Some(sellers) => halves_of(&agent, &trip, sellers).await,
        };
        let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
        let reference = booked["booking_ref"].as_str().unwrap().to_owned();
        Self { fare: amount(&booked["total_amount"]), reference, to, world, agent }
    }

    async fn post(&self, what: &str, body: &Value) -> Reply {
        self.agent.post(&format!("/flights/bookings/{}/{what}", self.reference), body).await
    }

    /// The cheapest that could be flown instead of a journey: its key, and what it costs.
    async fn instead_of(&self, journey: usize) -> (Value, Decimal) {
        let (from, to, days) = [("del", self.to, 33), (self.to, "del", 44)][journey];
        let day = (self.world.now() + chrono::Duration::days(days)).date_naive();
        let body = json!({ "origin": from, "destination": to, "new_date": day, "journey": journey });
        let found = self.post("reschedule-avail", &body).await.ok();
        (found[0]["fare_key"].clone(), amount(&found[0]["pricing"]["provider_agent_fare"]))
    }

    async fn at_the_suppliers(&self) -> Vec<String> {
        let orders = self.world.supplier_orders().await;
        orders.iter().map(|order| order["status"].as_str().unwrap().to_owned()).collect()
    }

    /// That it is as it was, and nothing was booked or held.
    async fn is_untouched(&self, orders: usize) {
        assert_eq!(self.at_the_suppliers().await, vec!["confirmed"; orders]);
        assert_eq!(self.agent.balance().await, money() - self.fare);
        assert!(self.world.held().await.is_zero());
        assert_eq!(self.world.line("select count(*) from bookings").await, "1");
        self.world.is_settled().await;
    }
}

async fn halves_of(agent: &Person, trip: &Trip, sellers: [&str; 2]) -> Value {
    let found = agent.search(trip).await;
    let ids = [0, 1].map(|route_index| {
        let mut dearest_first = found["offers"].as_array().unwrap().iter().rev();
        let half = dearest_first.find(|offer| {
            offer["route_index"] == route_index
                && offer["type"] == "one_way"
                && offer["supplier"] == sellers[route_index]
        });
        half.unwrap()["offer_id"].clone()
    });
    agent.post("/flights/price", &json!({ "offer_ids": ids })).await.ok()
}

/// Requests for these journeys: named, and known by their cities.
fn requests(fields: &Value, moved: &[usize]) -> [Value; 2] {
    let mut named = fields.clone();
    named["journeys"] = json!(moved);
    [named, fields.clone()]
}

#[tokio::test(flavor = "multi_thread")]
async fn one_way_of_an_order_of_both_is_not_moved_alone() {
    {
        let bought = Return::sold_by(None, (1, 0, 0)).await;
        for moved in [0, 1] {
            let (key, _) = bought.instead_of(moved).await;
            let penalties = requests(&json!({ "fare_key": key }), &[moved]);
            let moves = requests(&json!({ "fare_keys": [key] }), &[moved]);
            for (what, bodies) in [("reschedule-penalty", penalties), ("reschedule", moves)] {
                for body in bodies {
                    let refused = bought.post(what, &body).await;
                    refused.is(409, WHOLE);
                    let orders = &refused.json()["data"]["orders"];
                    assert_eq!(*orders, json!([{ "order": 1, "journeys": [0, 1] }]), "{body}");
                }
            }
        }
        bought.is_untouched(1).await;
        // Both together are.
        let ((out, one), (back, other)) = (bought.instead_of(0).await, bought.instead_of(1).await);
        let keys = json!({ "fare_keys": [out, back] });
        let penalty = bought.post("reschedule-penalty", &keys).await.ok();
        assert_eq!(penalty["journeys"], json!([0, 1]));
        assert_eq!(amount(&penalty["original_agent_fare"]), bought.fare);
        assert_eq!(amount(&penalty["new_agent_fare"]), one + other);
        bought.post("reschedule", &keys).await.says(200, "booking rescheduled");
        assert_eq!(bought.agent.booking(&bought.reference).await["status"], "cancelled");
        let charge = amount(&penalty["total_reschedule_charge"]);
        assert_eq!(bought.agent.balance().await, money() - bought.fare - charge);
        bought.world.is_settled().await;
    }
}

/// Moves one way of two that their supplier takes back one by one: what it answers, and what is charged.
async fn moves_one_way(bought: &Return, moved: usize, named: bool) -> (Value, Decimal) {
    let (key, cost) = bought.instead_of(moved).await;
    let choose = |fields: Value| {
        let [by_name, by_cities] = requests(&fields, &[moved]);
        if named { by_name } else { by_cities }
    };
    let penalty = bought.post("reschedule-penalty", &choose(json!({ "fare_key": key }))).await.ok();
    let amount_of = |field: &str| amount(&penalty[field]);
    assert_eq!(penalty["journeys"], json!([moved]));
    assert_eq!(amount_of("new_agent_fare"), cost);
    let original = amount_of("original_agent_fare");
    assert!(original < bought.fare, "of one way: {penalty}");
    assert_eq!(amount_of("penalty") + amount_of("refund_to_wallet"), original, "{penalty}");
    let before = bought.agent.balance().await;
    let path = format!("/flights/bookings/{}/reschedule", bought.reference);
    let body = choose(json!({ "fare_keys": [key] }));
    let done = bought.agent.post_with_key(&path, "later", &body).await.says(200, "booking rescheduled");
    let refund = &penalty["refund_to_wallet"];
    assert_has!(done["cancellation"], { "status": "cancelled", "journeys": [moved], "refund_to_wallet": refund });
    assert_eq!(bought.agent.post_with_key(&path, "later", &body).await.json()["data"], done);
    let charge = amount_of("total_reschedule_charge");
    assert_eq!(before - bought.agent.balance().await, charge);
    (done, charge)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_way_of_an_order_is_moved_where_its_supplier_takes_it_back_alone() {
    for (halves, moved, named) in [(false, 0, true), (false, 1, false), (true, 0, false), (true, 1, true)] {
        let bought = Return::of_one_order(halves, (2, 0, 1)).await;
        let (_, charge) = moves_one_way(&bought, moved, named).await;
        assert_eq!(bought.at_the_suppliers().await, ["confirmed", "confirmed"]);
        let detail = bought.agent.booking(&bought.reference).await;
        assert_eq!(detail["status"], "confirmed");
        let own = |leg: usize| {
            let first = &detail["itinerary"]["legs"][leg]["segment_refs"][0];
            let flights = detail["itinerary"]["segments"].as_array().unwrap().iter();
            let mut own = flights.filter(|flight| flight["segment_id"] == *first);
            own.next().unwrap()["status"].clone()
        };
        assert_eq!((own(moved), own(1 - moved)), (json!("cancelled"), json!("confirmed")));
        bought.world.is_settled().await;
        // It can't be moved twice; what stands can be cancelled, and that alone comes back.
        let day = (bought.world.now() + chrono::Duration::days(33)).date_naive();
        let (from, to) = [("DEL", bought.to), (bought.to, "DEL")][moved];
        let gone = json!({ "origin": from, "destination": to, "new_date": day, "journey": moved });
        let refused = bought.post("reschedule-avail", &gone).await;
        refused.is_invalid("{journey is no journey of the booking that stands}");
        let left = bought.agent.penalty(&bought.reference).await.ok();
        let cancelled = bought.agent.cancels(&bought.reference).await;
        assert_eq!(cancelled["refund_to_wallet"], left["refund_amount"]);
        let paid = bought.fare + charge - amount(&cancelled["refund_to_wallet"]);
        assert_eq!(bought.agent.balance().await, money() - paid);
        assert_eq!(bought.at_the_suppliers().await, ["cancelled", "confirmed"]);
        bought.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_whose_supplier_refuses_or_is_silent_stands_or_comes_back_once() {
    for (call, fault, message, status, became) in [
        ("cancel", "status:400", "booking rescheduled", 200, "confirmed"),
        ("cancel", "drop_after", "booking cancellation is pending", 202, "cancelled"),
        ("cancel", "drop_before", "booking cancellation is pending", 202, "confirmed"),
        ("book", "drop_after", "booking reschedule is pending", 202, "cancelled"),
    ] {
        let bought = Return::of_one_order(false, (1, 0, 0)).await;
        let (key, _) = bought.instead_of(1).await;
        bought.world.next_at("tripjack", call, fault).await;
        let path = format!("/flights/bookings/{}/reschedule", bought.reference);
        let body = json!({ "fare_keys": [key] });
        let answered = bought.agent.post_with_key(&path, "later", &body).await.says(status, message);
        if status == 202 {
            for _ in 0..6 {
                bought.world.recover_in(140).await;
            }
        } else {
            assert_eq!(answered["cancellation"]["status"], "failed");
        }
        let detail = bought.agent.booking(&bought.reference).await;
        assert_eq!(detail["status"], "confirmed", "{call} {fault}");
        let flights = detail["itinerary"]["segments"].as_array().unwrap();
        let (first, last) = (flights.first().unwrap(), flights.last().unwrap());
        assert_eq!(first["status"], "confirmed", "{call} {fault}");
        assert_eq!(last["status"], became, "{call} {fault}");
        assert_eq!(bought.at_the_suppliers().await, ["confirmed", "confirmed"]);
        let again = bought.agent.post_with_key(&path, "later", &body).await;
        if fault == "drop_before" {
            // TripJack has no evidence that it did not take an amendment: what came of it the operator finds out.
            let told = again.says(202, "booking cancellation is pending");
            assert_eq!(told["cancellation"]["status"], "pending");
            continue;
        }
        let said = if became == "cancelled" { became } else { "failed" };
        assert_eq!(again.ok()["cancellation"]["status"], said, "{call} {fault}");
        bought.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_orders_only_the_named_journey_is_given_back() {
    for (moved, after) in [(0, ["cancelled", "confirmed"]), (1, ["confirmed", "cancelled"])] {
        for named in [true, false] {
            let bought = Return::sold_by(Some(["first", "second"]), (2, 0, 0)).await;
            let (done, charge) = moves_one_way(&bought, moved, named).await;
            assert_eq!(bought.at_the_suppliers().await, [after[0], after[1], "confirmed"]);
            assert_eq!(bought.agent.balance().await, money() - bought.fare - charge);
            let detail = bought.agent.booking(&bought.reference).await;
            assert_eq!(detail["status"], "confirmed");
            assert_eq!([0, 1].map(|order| detail["pnr_details"][order]["status"].clone()), after);
            bought.world.is_settled().await;

            // What stands can be cancelled: that alone comes back, and is told.
            let left = bought.agent.penalty(&bought.reference).await.ok();
            let cancelled = bought.agent.cancels(&bought.reference).await;
            assert_eq!(cancelled["refund_to_wallet"], left["refund_amount"]);
            assert_eq!(bought.at_the_suppliers().await, ["cancelled", "cancelled", "confirmed"]);
            assert_eq!(bought.agent.booking(&new_booking(&done)).await["status"], "confirmed");
            bought.world.is_settled().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_after_the_other_both_halves_are_moved() {
    let bought = Return::sold_by(Some(["first", "second"]), (1, 0, 0)).await;
    let mut paid = bought.fare;
    for (moved, status) in [(1, "confirmed"), (0, "cancelled")] {
        let (key, _) = bought.instead_of(moved).await;
        let penalty = bought.post("reschedule-penalty", &json!({ "fare_key": key })).await.ok();
        paid += amount(&penalty["total_reschedule_charge"]);
        let done = bought.post("reschedule", &json!({ "fare_keys": [key] })).await.ok();
        assert_eq!(done["cancellation"]["journeys"], json!([moved]));
        assert_eq!(bought.agent.booking(&bought.reference).await["status"], status);
        assert_eq!(bought.agent.balance().await, money() - paid);
        bought.world.is_settled().await;
        // The ids of events are in order of time: at one and the same instant they are in none.
        bought.world.pass(1);
    }
    let events = "select action from events where action like 'booking.%cancelled'
        or action = 'booking.rescheduled' order by id";
    assert_eq!(bought.world.lines(events).await, ["booking.partly_cancelled", "booking.rescheduled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_half_whose_supplier_refuses_or_is_silent_leaves_the_other_alone() {
    for (call, fault, message, status, after) in [
        ("cancel", "status:400", "booking rescheduled", 200, "confirmed"),
        ("cancel", "drop_after", "booking cancellation is pending", 202, "cancelled"),
        ("book", "drop_after", "booking reschedule is pending", 202, "cancelled"),
    ] {
        let bought = Return::sold_by(Some(["first", "second"]), (1, 0, 0)).await;
        let (key, _) = bought.instead_of(1).await;
        bought.world.next_at("tripjack", call, fault).await;
        let path = format!("/flights/bookings/{}/reschedule", bought.reference);
        let body = json!({ "fare_keys": [key] });
        let told = bought.agent.post_with_key(&path, "later", &body).await.says(status, message);
        if status == 202 {
            assert_eq!(bought.world.recover_in(2).await, 1, "{call} {fault}");
        } else {
            assert_eq!(told["cancellation"]["status"], "failed");
        }
        assert_eq!(bought.at_the_suppliers().await, ["confirmed", after, "confirmed"], "{call} {fault}");
        assert_eq!(bought.agent.booking(&bought.reference).await["status"], "confirmed");
        let again = bought.agent.post_with_key(&path, "later", &body).await.ok();
        assert_eq!(again["cancellation"]["status"], if status == 202 { "cancelled" } else { "failed" });
        bought.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn journeys_that_are_not_those_of_the_new_flights_are_refused() {
    let bought = Return::sold_by(None, (1, 0, 0)).await;
    let day = (bought.world.now() + chrono::Duration::days(33)).date_naive();
    let elsewhere = json!({ "origin": "DEL", "destination": "BLR", "new_date": day });
    let found = bought.post("reschedule-avail", &elsewhere).await.ok();
    let (other, (out, _)) = (&found[0]["fare_key"], bought.instead_of(0).await);
    let cities = "must go between the cities of the new flights, one for each of them";
    for (keys, journeys, faults) in [
        (json!([other]), json!(null), "{journeys this field is required}".to_owned()),
        (json!([other]), json!([]), "{journeys must have at least 1 item}".to_owned()),
        (json!([other]), json!([0]), format!("{{journeys {cities}}}")),
        (json!([out]), json!([1]), format!("{{journeys {cities}}}")),
        (json!([out]), json!([0, 1]), format!("{{journeys {cities}}}")),
        (json!([out]), json!([0, 0]), "{journeys[1] must be named once}".to_owned()),
        (json!([out]), json!([2]), "{journeys[0] is no journey of the booking that stands}".to_owned()),
    ] {
        for what in ["reschedule", "reschedule-penalty"] {
            bought.post(what, &json!({ "fare_keys": keys, "journeys": journeys })).await.is_invalid(&faults);
        }
    }
    for (journey, from, to, faults) in [
        (2, "DEL", "BOM", "{journey is no journey of the booking that stands}"),
        (0, "DEL", "BLR", "{destination must be of the city to which the journey goes}"),
        (
            1,
            "DEL",
            "BOM",
            "{origin must be of the city from which the journey leaves} {destination must be of the city to which the journey goes}",
        ),
    ] {
        let body = json!({ "origin": from, "destination": to, "new_date": day, "journey": journey });
        bought.post("reschedule-avail", &body).await.is_invalid(faults);
    }
    bought.is_untouched(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fare_for_other_people_is_refused_and_so_is_a_part_of_those_who_travel() {
    let bought = Return::sold_by(Some(["first", "second"]), (2, 1, 0)).await;
    // The same caller's, for one adult.
    let alone = bought.agent.buy(wayfare_tests::one_way("DEL", "BOM")).await;
    let day = (bought.world.now() + chrono::Duration::days(33)).date_naive();
    let journey = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
    let path = format!("/flights/bookings/{}/reschedule-avail", alone.reference);
    let key = bought.agent.post(&path, &journey).await.ok()[0]["fare_key"].clone();
    let faults = "{passengers must have 1 of type ADT but has 2}";
    let faults = format!("{faults} {{passengers must have 0 of type CHD but has 1}}");
    bought.post("reschedule", &json!({ "fare_keys": [key] })).await.is_invalid(&faults);
    bought.post("reschedule-penalty", &json!({ "fare_key": key })).await.is_invalid(&faults);
    let (key, _) = bought.instead_of(0).await;
    let one = json!({ "fare_keys": [key], "passengers": [{ "pax_index": 1 }] });
    bought.post("reschedule", &one).await.is_invalid("{passengers must be all 3 of the booking}");
    assert_eq!(bought.world.line("select count(*) from bookings").await, "2");
    bought.world.is_settled().await;
}
