//! One journey: searched, priced, bought, looked at, changed, told of, given back. What came of it is every answer of the
//! API, without what is random in it, and what the books say.

use std::sync::atomic::{AtomicBool, Ordering};

use chrono::Duration;
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use wayfare_oddities::{KEYS, OddRequest, own_keys};
use wayfare_tests::{
    MONEY, Person, Reply, Seller, Supplier, Trip, World, WorldOptions, amount, one_way, redacted, sells_stays,
};

use super::Play;

/// A world with one supplier, whose time stands still, and who buys there.
pub struct Stage {
    world: World,
    agent: Person,
    seller: Seller,
    sandbox: Supplier,
    is_keyed: AtomicBool,
}

/// What is written down on the way, and whether it goes on.
struct Diary<'a> {
    stage: &'a Stage,
    play: &'a Play,
    steps: Map<String, Value>,
}

/// Given and family names that airlines respell.
const NAMES: [(&str, &str); 3] =
    [("Siobhan", "O'Brien-Smith"), ("Anne-Marie", "D'Arcy"), ("Jose Maria", "Venkatanarasimharajuvaripeta")];

impl Stage {
    pub async fn open(seller: Seller) -> Self {
        let options = WorldOptions { hooks: true, ..WorldOptions::of([seller.clone()]).frozen() };
        let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
        if ["duffel", "hotelbeds"].contains(&seller.code) {
            world.takes_hooks_of(seller.code).await;
        }
        let sandbox = Supplier::at(world.sandbox_url().to_owned());
        let stage = Self { world, agent, seller, sandbox, is_keyed: AtomicBool::new(false) };
        // The first journey fills what is kept of hotels.
        stage.journey(&Play::default()).await;
        stage
    }

    /// That nothing is left open, where the supplier still knows its orders by the keys that it told.
    pub async fn is_settled(&self) {
        if !self.is_keyed.load(Ordering::Relaxed) {
            self.world.is_settled().await;
        }
    }

    /// What comes of a journey with these oddities; `ended` where it came to its end.
    pub async fn journey(&self, play: &Play) -> Value {
        if !play.answers.is_empty() {
            self.sandbox.is_odd(&play.body(self.seller.code)).await;
            if play.answers.contains(&KEYS.name) {
                self.is_keyed.store(true, Ordering::Relaxed);
            }
        }
        let before = (self.agent.balance().await, self.incidents().await);
        let mut diary = Diary { stage: self, play, steps: Map::new() };
        let ended = match sells_stays(self.seller.kind) {
            true => diary.stay().await,
            false => diary.flight().await,
        };
        self.sandbox.is_plain().await;
        let mut steps = diary.steps;
        let after = (self.agent.balance().await, self.incidents().await);
        steps.insert("ended".to_owned(), ended.is_some().into());
        steps.insert("paid".to_owned(), (before.0 - after.0).to_string().into());
        steps.insert("incidents".to_owned(), (after.1 - before.1).into());
        steps.insert("held".to_owned(), self.world.held().await.to_string().into());
        Value::Object(steps)
    }

    async fn incidents(&self) -> i64 {
        self.world.line("select count(*) from exceptions").await.parse().unwrap()
    }
}

impl Diary<'_> {
    /// Sends this with what is odd about requests and writes down what is answered; none where it is no success.
    async fn post(&mut self, step: &str, path: &str, body: &Value) -> Option<Value> {
        let odd = OddRequest::of(body, &self.play.requests);
        let agent = &self.stage.agent;
        let request = agent.request(Method::POST, path);
        let reply = agent.send(request.header("content-type", odd.content_type).body(odd.body)).await;
        self.note(step, &reply)
    }

    async fn get(&mut self, step: &str, path: &str) -> Option<Value> {
        let reply = self.stage.agent.get(path).await;
        self.note(step, &reply)
    }

    fn note(&mut self, step: &str, reply: &Reply) -> Option<Value> {
        let told = reply.json();
        let plain = serde_json::from_str::<Value>(&redacted(&told)).unwrap();
        self.steps.insert(step.to_owned(), json!({ "status": reply.status, "told": plain }));
        (reply.status < 300).then(|| told["data"].clone())
    }

    async fn flight(&mut self) -> Option<()> {
        let trip = one_way("DEL", "BOM").party(2, 1, 0);
        let found = self.post("01 search", "/flights/search", &trip.body(self.stage.world.now())).await?;
        let offer = dearest(&found["offers"], "/price/total")?;
        let priced = json!({ "offer_ids": [offer["offer_id"]] });
        let priced = self.post("02 price", "/flights/price", &priced).await?;
        let booked = self.post("03 book", "/flights/book", &self.order(&priced, &trip)).await?;
        let path = format!("/flights/bookings/{}", booked["booking_ref"].as_str()?);
        // Whatever is answered from here on is written down, and the journey goes on.
        self.get("04 detail", &path).await;
        self.get("05 retrieve", &format!("{path}/retrieve")).await;
        self.change(&path).await;
        self.hook(&path).await;
        self.look().await;
        self.get("10 looked at", &path).await;
        self.post("11 penalty", &format!("{path}/penalty"), &json!({})).await;
        self.post("12 cancel", &format!("{path}/cancel"), &json!({})).await?;
        self.post("13 refund", &format!("{path}/refund-status"), &json!({})).await;
        self.get("14 at the end", &path).await?;
        Some(())
    }

    fn order(&self, priced: &Value, trip: &Trip) -> Value {
        let mut order = self.stage.agent.order(priced, trip);
        let travellers = order["passengers"].as_array_mut().into_iter().flatten();
        // Duffel takes at most 20 letters of a name.
        let longest = if self.stage.seller.code == "duffel" { 20 } else { 30 };
        for (traveller, (given, family)) in travellers.zip(NAMES) {
            traveller["first_name"] = given.into();
            traveller["last_name"] = family.chars().take(longest).collect::<String>().into();
        }
        let bags = priced["ancillaries"].as_array().into_iter().flatten();
        let bags = bags.filter(|one| one["type"] == "BAGGAGE");
        if let Some(bag) = bags.min_by_key(|bag| (amount(&bag["price"]), bag["code"].to_string())) {
            order["passengers"][0]["ancillaries"] =
                json!([{ "type": "BAGGAGE", "code": bag["code"], "segment_id": bag["segment_id"] }]);
        }
        order
    }

    /// It is flown a day later, where its fare can be changed.
    async fn change(&mut self, path: &str) -> Option<()> {
        let day = (self.stage.world.now() + Duration::days(31)).date_naive();
        let wish = json!({
            "origin": "DEL", "destination": "BOM", "new_date": day, "journey": 0, "include_changes": true,
        });
        let found = self.post("06 changes", &format!("{path}/reschedule-avail"), &wish).await?;
        let changes = found.as_array()?.iter().filter(|one| one["way"] == "change");
        let change = changes.min_by_key(|change| redacted(change));
        if let Some(change) = change {
            let body = json!({ "fare_keys": [change["fare_key"]] });
            self.post("07 changed", &format!("{path}/reschedule"), &body).await?;
            self.get("08 as changed", path).await?;
        }
        Some(())
    }

    /// Its airline puts it off and tells so, and it is accepted.
    async fn hook(&mut self, path: &str) -> Option<()> {
        if self.stage.seller.code != "duffel" {
            return None;
        }
        let order = self.order_of(path).await;
        let hooks = self.hooks().await;
        self.stage.world.airline_puts_off(&order, 60).await;
        self.hook_came("09 a hook", hooks).await;
        self.stage.world.watch().await;
        let detail = self.get("09 put off", path).await?;
        let mut changes = detail["changes"].as_array()?.iter();
        let change = changes.find(|one| one["state"] == "open")?;
        let accept = format!("{path}/changes/{}/accept", change["id"].as_str()?);
        self.post("09 put off, accepted", &accept, &json!({})).await?;
        Some(())
    }

    /// What the supplier calls the order of this booking, without what is odd about it.
    async fn order_of(&self, path: &str) -> String {
        let reference = path.rsplit('/').next().unwrap_or_default();
        let of = "supplier_orders o join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id)";
        let order = format!("select o.supplier_order_id from {of} where b.booking_ref = '{reference}'");
        own_keys(&self.stage.world.line(&order).await)
    }

    async fn hooks(&self) -> usize {
        self.stage.world.lines("select event_id from supplier_hooks").await.len()
    }

    /// Waits for one hook more, which may be refused.
    async fn hook_came(&mut self, step: &str, before: usize) {
        let mut came = false;
        for _ in 0..100 {
            came = self.hooks().await > before;
            if came {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        self.steps.insert(step.to_owned(), came.into());
    }

    /// The worker looks at it, as if it were due.
    async fn look(&mut self) {
        let world = &self.stage.world;
        let now = world.now().timestamp();
        let due = format!("next_poll_at = to_timestamp({now}) where next_poll_at is not null");
        world.sql(&format!("update supplier_orders set {due}")).await;
        world.watch().await;
    }

    async fn stay(&mut self) -> Option<()> {
        let world = &self.stage.world;
        let check_in = world.now().date_naive() + Duration::days(30);
        let search = json!({
            "check_in": check_in, "check_out": check_in + Duration::days(2),
            "rooms": [{ "adults": 2, "children": 0, "children_ages": [] }],
            "location": { "type": "coordinates", "latitude": 19.07, "longitude": 72.88, "radius_km": 2 },
            "guest_nationality": "IN",
            "pagination": { "page": 1, "per_page": 100 },
        });
        let found = self.post("01 search", "/hotels/search", &search).await?;
        let (hotel, room) = free_room(&found)?;
        let selection = json!({
            "room_id": room["room_id"], "rate_id": room["pricing"]["rate_id"], "quantity": room["pricing"]["quantity"],
        });
        let price = json!({
            "search_id": found["search_id"], "hotel_id": hotel["hotel_id"], "room_selections": [selection],
        });
        let priced = self.post("02 price", "/hotels/price", &price).await?;
        let guests = NAMES.iter().take(2).map(|(given, family)| {
            json!({ "type": "adult", "title": "Mrs", "first_name": given, "last_name": family, "nationality": "IN" })
        });
        let order = json!({
            "price_id": priced["price_id"],
            "hotel_id": hotel["hotel_id"],
            "check_in": search["check_in"],
            "check_out": search["check_out"],
            "rooms": [{
                "room_id": room["room_id"], "rate_id": room["pricing"]["rate_id"], "guests": guests.collect::<Vec<_>>(),
            }],
            "contact": {
                "first_name": "Siobhan", "last_name": "O'Brien-Smith", "email": "traveller@sunrise.example",
                "phone": "+919812345678",
            },
            "allow_duplicate": true,
        });
        let booked = self.post("03 book", "/hotels/book", &order).await?;
        let path = format!("/hotels/bookings/{}", booked["booking_ref"].as_str()?);
        self.get("04 detail", &path).await;
        self.get("05 voucher", &format!("{path}/voucher")).await;
        self.numbers(&path).await;
        self.look().await;
        self.get("06 looked at", &path).await;
        self.post("07 penalty", &format!("{path}/penalty"), &json!({})).await;
        let cancel = json!({ "reason": "plans changed", "notify_guest": false });
        self.post("08 cancel", &format!("{path}/cancel"), &cancel).await?;
        self.get("09 at the end", &path).await?;
        Some(())
    }

    async fn numbers(&mut self, path: &str) {
        let order = self.order_of(path).await;
        let hooks = self.hooks().await;
        self.stage.world.hotel_tells(&order, &["HC-4711"]).await;
        if self.stage.seller.code == "hotelbeds" {
            self.hook_came("05 a hook", hooks).await;
        }
    }
}

/// The dearest, which gives money back; of several the same one each time.
fn dearest<'a>(offers: &'a Value, price: &str) -> Option<&'a Value> {
    offers.as_array()?.iter().max_by_key(|offer| {
        let price = offer.pointer(price).map_or(Decimal::ZERO, amount);
        (price, redacted(offer))
    })
}

/// The cheapest room that is given back for nothing, and its hotel; of several the same one each time.
fn free_room(found: &Value) -> Option<(&Value, &Value)> {
    let rooms = found["hotels"]
        .as_array()?
        .iter()
        .flat_map(|hotel| hotel["rooms"].as_array().into_iter().flatten().map(move |room| (hotel, room)));
    let free = rooms.filter(|(_, room)| {
        room["pricing"]["refundable"] == true && !room["pricing"]["free_cancellation_until"].is_null()
    });
    free.min_by_key(|(hotel, room)| {
        (amount(&room["pricing"]["total_after_tax"]), hotel["hotel_id"].to_string(), redacted(room))
    })
}
