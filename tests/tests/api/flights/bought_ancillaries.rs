//! Bags, seats and meals that are bought with the fare: paid with it, shown with it, given back with it.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_tests::{Person, Reply, Seller, Trip, World, WorldOptions, amount, round_trip};

const MONEY: &str = "5000000";

fn money() -> Decimal {
    MONEY.parse().unwrap()
}

/// A priced trip of two adults, a child and an infant.
struct Stage {
    supplier: &'static str,
    world: World,
    agent: Person,
    order: Value,
    fare: Decimal,
    sold: Vec<Value>,
    flights: usize,
}

/// By an airline that sells of everything.
fn trip() -> Trip {
    round_trip("DEL", "BOM").party(2, 1, 1).by("6E")
}

/// The dearest flights there and back priced, as this supplier sells them: they give money back.
async fn priced(agent: &Person, supplier: &str) -> Value {
    let found = agent.search(&trip()).await;
    let offers = found["offers"].as_array().unwrap();
    let half = |route_index: u64| {
        let of = |offer: &&Value| offer["route_index"] == route_index && offer["type"] == "one_way";
        offers.iter().rev().find(of).unwrap()["offer_id"].clone()
    };
    let ids = match supplier {
        "tripjack" => vec![half(0), half(1)],
        _ => vec![offers.last().unwrap()["offer_id"].clone()],
    };
    agent.post("/flights/price", &json!({ "offer_ids": ids })).await.ok()
}

async fn stage(seller: Seller) -> Stage {
    let supplier = seller.code;
    let (world, _, agent) = World::with(WorldOptions::of([seller]).frozen()).await.and_agent(MONEY).await;
    let priced = priced(&agent, supplier).await;
    let order = agent.order(&priced, &trip());
    let fare = amount(&priced["price_summary"]["total_payable"]);
    let sold = priced["ancillaries"].as_array().unwrap().clone();
    let flights = priced["itinerary_snapshot"]["segments"].as_array().unwrap().len();
    Stage { supplier, world, agent, order, fare, sold, flights }
}

async fn stages() -> [Stage; 2] {
    [stage(Seller::duffel()).await, stage(Seller::tripjack()).await]
}

/// As a traveller's request names it.
fn wish(ancillary: &Value) -> Value {
    json!({ "type": ancillary["type"], "code": ancillary["code"], "segment_id": ancillary["segment_id"] })
}

impl Stage {
    /// What is sold of a kind on a flight, the cheapest that costs anything first.
    fn sold(&self, kind: &str, segment: &str) -> Vec<&Value> {
        let of = |one: &&Value| {
            one["type"] == kind && one["segment_id"] == segment && amount(&one["price"]) > Decimal::ZERO
        };
        let mut sold: Vec<&Value> = self.sold.iter().filter(of).collect();
        sold.sort_by_key(|one| amount(&one["price"]));
        sold
    }

    fn last_flight(&self) -> String {
        format!("s{}", self.flights)
    }

    /// Gives travellers, counted from 0, what they want.
    fn order_with(&self, wishes: &[(usize, Value)]) -> Value {
        let mut order = self.order.clone();
        for (traveller, wish) in wishes {
            let theirs = &mut order["passengers"][*traveller]["ancillaries"];
            if theirs.is_null() {
                *theirs = json!([]);
            }
            theirs.as_array_mut().unwrap().push(wish.clone());
        }
        order
    }

    async fn book_with(&self, wishes: &[(usize, Value)]) -> Reply {
        self.agent.book(&self.order_with(wishes)).await
    }

    /// A bag and a seat for the first adult, a seat on the last flight for the second, and what it costs.
    fn choice(&self) -> (Vec<(usize, Value)>, Decimal) {
        let (bag, seat) = (self.sold("BAGGAGE", "s1")[0], self.sold("SEAT", "s1")[0]);
        let other = self.sold("SEAT", &self.last_flight())[0];
        let wishes = vec![(0, wish(bag)), (0, wish(seat)), (1, wish(other))];
        (wishes, [bag, seat, other].iter().map(|one| amount(&one["price"])).sum())
    }
}

/// Quotes are stored in parts now; they were one document.
const AS_BEFORE: &str = "update quotes set body = null, catalog = null, content = jsonb_set(body::jsonb, '{orders}', \
    (select jsonb_agg(jsonb_set(o, '{priced}', o->'priced' || c) order by n) \
    from jsonb_array_elements(body::jsonb->'orders') with ordinality as orders (o, n) \
    join jsonb_array_elements(catalog::jsonb) with ordinality as catalogs (c, m) on m = n))";

#[tokio::test(flavor = "multi_thread")]
async fn they_are_sold_with_a_quote_that_a_server_of_before_wrote() {
    for stage in stages().await {
        let (wishes, cost) = stage.choice();
        stage.world.sql(AS_BEFORE).await;
        assert_eq!(amount(&stage.book_with(&wishes).await.ok()["total_amount"]), stage.fare + cost);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn they_are_paid_with_the_fare_and_shown_with_the_booking() {
    for stage in stages().await {
        let (wishes, cost) = stage.choice();
        let total = stage.fare + cost;
        let booked = stage.book_with(&wishes).await.ok();
        assert_eq!(amount(&booked["total_amount"]), total);
        assert_eq!(wayfare_tests::sum(&booked["legs"], "gross_amount"), total);
        assert_eq!(stage.agent.balance().await, money() - total);
        let orders = stage.world.supplier_orders().await;
        assert_eq!(orders.iter().map(|order| amount(&order["amount"])).sum::<Decimal>(), total);

        let reference = booked["booking_ref"].as_str().unwrap();
        let detail = stage.agent.booking(reference).await;
        let pricing = &detail["pricing"];
        let priced = ["total_payable", "agent_fare", "ancillary"].map(|field| amount(&pricing[field]));
        assert_eq!(priced, [total, stage.fare, cost]);
        assert_eq!(wayfare_tests::sum(&pricing["pax_breakdown"], "total"), stage.fare);
        let seat = |place: usize| wishes[place].1["code"].clone();
        let people = &detail["passengers"];
        assert_eq!((&people[0]["seat_onward"], &people[0]["seat_return"]), (&seat(1), &json!("")));
        assert_eq!((&people[1]["seat_onward"], &people[1]["seat_return"]), (&json!(""), &seat(2)));
        let pnrs = detail["pnr_details"].as_array().unwrap();
        let shown: Vec<&Value> = pnrs.iter().flat_map(|pnr| pnr["ancillaries"].as_array().unwrap()).collect();
        assert_eq!(shown.len(), 3);
        for (traveller, wished) in &wishes {
            let is_it = |one: &&&Value| {
                one["type"] == wished["type"]
                    && one["code"] == wished["code"]
                    && one["segment_refs"][0] == wished["segment_id"]
            };
            let one = shown.iter().find(is_it).unwrap_or_else(|| panic!("{wished} in {shown:?}"));
            assert_has!(one, { "pax_id": (traveller + 1).to_string(), "quantity": 1 });
        }
        assert_eq!(shown.iter().map(|one| amount(&one["price"])).sum::<Decimal>(), cost);
        stage.world.is_settled().await;

        let penalty = stage.agent.penalty(reference).await.ok();
        let back = amount(&penalty["refund_amount"]);
        assert_eq!(amount(&penalty["penalty"]) + back, total);
        assert_eq!(amount(&stage.agent.cancels(reference).await["refund_to_wallet"]), back);
        assert_eq!(stage.agent.balance().await, money() - total + back);
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn they_are_set_aside_with_the_fare_and_found_with_the_order() {
    for stage in stages().await {
        let (wishes, cost) = stage.choice();
        stage.world.next_at(stage.supplier, "book", "drop_after").await;
        let pending = stage.book_with(&wishes).await.succeeds(202);
        assert_eq!(stage.world.held().await, stage.fare + cost);
        assert_eq!(stage.world.recover_in(2).await, 1);
        let detail = stage.agent.booking(pending["booking_ref"].as_str().unwrap()).await;
        assert_eq!(detail["status"], "confirmed");
        assert_eq!(amount(&detail["pricing"]["ancillary"]), cost);
        assert_eq!(stage.agent.balance().await, money() - stage.fare - cost);
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_covers_the_fare_alone_is_told_what_all_of_it_costs() {
    for mut stage in stages().await {
        let (wishes, cost) = stage.choice();
        let wallet = stage.fare + dec!(1.25);
        stage.agent = stage.world.agent(&wallet.to_string()).await;
        let priced = priced(&stage.agent, stage.supplier).await;
        assert_eq!(amount(&priced["price_summary"]["total_payable"]), stage.fare);
        stage.order = stage.agent.order(&priced, &trip());
        let needed = format!("required: {:.2} (agent fare)", stage.fare + cost);
        let text = format!("insufficient wallet balance to proceed — available: {wallet:.2}, {needed}");
        stage.book_with(&wishes).await.is(402, &text);
        stage.world.nothing_happened().await;
        stage.book_with(&[]).await.ok();
        assert_eq!(stage.agent.balance().await, dec!(1.25));
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_had_is_named_and_nothing_is_booked() {
    for stage in stages().await {
        let seats = stage.sold("SEAT", "s1");
        let (one, other) = (wish(seats[0]), wish(seats[1]));
        let bag = wish(stage.sold("BAGGAGE", "s1")[0]);
        let with = |name: &str, value: Value| {
            let mut wish = bag.clone();
            wish[name] = value;
            wish
        };
        let field = "passengers[0].ancillaries[0]";
        let not_sold = format!("{{{field}.code is not sold with this fare}}");
        let table = [
            (vec![(0, with("code", json!("EB999")))], not_sold.clone()),
            // Sold, but not on that flight, or not as that kind.
            (vec![(0, with("type", json!("MEAL")))], not_sold.clone()),
            (
                vec![(0, with("segment_id", json!(format!("s{}", stage.flights + 1))))],
                format!("{{{field}.segment_id must be a segment of what was priced}}"),
            ),
            (
                vec![(0, with("segment_id", json!("DEL-BOM")))],
                format!("{{{field}.segment_id must be a segment_id such as s1}}"),
            ),
            (
                vec![(0, with("segment_id", json!("s0")))],
                format!("{{{field}.segment_id must be a segment_id such as s1}}"),
            ),
            (
                vec![(0, with("type", json!("BAG")))],
                format!("{{{field}.type must be one of MEAL, BAGGAGE, SEAT, OTHER}}"),
            ),
            (
                vec![(0, json!({}))],
                format!(
                    "{{{field}.type this field is required}} {{{field}.code this field is required}} \
                     {{{field}.segment_id this field is required}}"
                ),
            ),
            (
                vec![(0, one.clone()), (1, one.clone())],
                "{passengers[1].ancillaries[0] is a seat that somebody else is to have}".to_owned(),
            ),
            (
                vec![(0, one.clone()), (0, other.clone())],
                "{passengers[0].ancillaries[1] is a second seat for the same traveller on one flight}"
                    .to_owned(),
            ),
            (vec![(3, one.clone())], "{passengers[3].ancillaries[0] is not for infants}".to_owned()),
            (vec![(3, bag.clone())], "{passengers[3].ancillaries[0] is not for infants}".to_owned()),
        ];
        for (wishes, faults) in table {
            stage.book_with(&wishes).await.is_invalid(&faults);
        }
        let most = stage.sold("BAGGAGE", "s1")[0]["max_quantity"].as_u64().unwrap();
        let bags: Vec<_> = (0..=most).map(|_| (0, bag.clone())).collect();
        let fault = format!("{{passengers[0].ancillaries[{most}] can be had {most} times at most}}");
        stage.book_with(&bags).await.is_invalid(&fault);
        stage.world.nothing_happened().await;
        let booked = stage.book_with(&bags[1..]).await.ok();
        let bags = amount(&stage.sold("BAGGAGE", "s1")[0]["price"]) * Decimal::from(most);
        assert_eq!(amount(&booked["total_amount"]), stage.fare + bags);
        let detail = stage.agent.booking(booked["booking_ref"].as_str().unwrap()).await;
        assert_eq!(detail["pnr_details"][0]["ancillaries"][0]["quantity"], most);
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_meal_and_a_seat_that_somebody_took_meanwhile() {
    let stage = stage(Seller::tripjack()).await;
    let meal = wish(stage.sold("MEAL", "s1")[0]);
    let seat = wish(stage.sold("SEAT", "s1")[0]);
    // Another agent takes the seat first: the supplier refuses the order, in its words.
    let rival = stage.world.agent(MONEY).await;
    let mut order = rival.order(&priced(&rival, stage.supplier).await, &trip());
    order["passengers"][0]["ancillaries"] = json!([seat]);
    rival.book(&order).await.ok();
    let refused = stage.book_with(&[(1, meal.clone()), (0, seat)]).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    assert_eq!(stage.agent.balance().await, money());
    assert!(stage.world.held().await.is_zero());
    let booked = stage.book_with(&[(1, meal)]).await.ok();
    let detail = stage.agent.booking(booked["booking_ref"].as_str().unwrap()).await;
    assert_eq!(detail["pnr_details"][0]["ancillaries"][0]["type"], "MEAL");
    stage.world.is_settled().await;
}
