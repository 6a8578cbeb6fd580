//! Parts of bookings that are given back: by journey and by traveller, each with its own refund, which add up to the whole.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_domain::{BookingRef, FeesRuling, IncidentOutcome, PageRequest, RulingKind};
use wayfare_operations::{
    Error, Resolution,
    access::operators::By,
    engine::{
        incidents::{self, TakeOver},
        resolution,
        ruling::RulingMade,
    },
    operator::desk::{self, RulingRequest},
};
use wayfare_tests::{
    Bought, MONEY, Person, Reply, Seller, Trip, World, WorldOptions, amount, money, round_trip, sum,
};

struct Stage {
    world: World,
    agent: Person,
    reference: String,
    paid: Decimal,
}

/// A return with one order at TripJack, which gives money back.
async fn stage(party: (u8, u8, u8)) -> Stage {
    of(Seller::tripjack(), &round_trip("DEL", "DXB").party(party.0, party.1, party.2)).await
}

async fn of(seller: Seller, trip: &Trip) -> Stage {
    let (world, _, agent) = World::with(WorldOptions::of([seller]).frozen()).await.and_agent(MONEY).await;
    let Bought { reference, fare: paid, .. } = agent.buy_dearest(trip).await;
    let stage = Stage { world, agent, reference, paid };
    let detail = stage.detail().await;
    assert_eq!(detail["pnr_details"][0]["supplier_ref"], detail["provider_ref"], "{detail}");
    stage
}

impl Stage {
    async fn post(&self, what: &str, body: &Value) -> Reply {
        self.agent.post(&format!("/flights/bookings/{}/{what}", self.reference), body).await
    }

    async fn detail(&self) -> Value {
        self.agent.booking(&self.reference).await
    }

    /// Asks what a part would cost and gives it back: what came back, which is what was told before and what is in the wallet.
    async fn gives_back(&self, part: &Value, rest: bool) -> Decimal {
        let before = self.agent.balance().await;
        let penalty = self.post("penalty", part).await.ok();
        let message = if rest { "part of the booking cancelled" } else { "booking cancelled" };
        let cancelled = self.post("cancel", part).await.says(200, message);
        for (told, done) in [("penalty", "cancellation_charge"), ("refund_amount", "refund_to_wallet")] {
            assert_eq!(amount(&penalty[told]), amount(&cancelled[done]), "{penalty} {cancelled}");
        }
        assert_has!(penalty, { "part": (&cancelled["part"]), "rest": (&cancelled["rest"]) });
        let back = amount(&cancelled["refund_to_wallet"]);
        assert_eq!(self.agent.balance().await - before, back);
        self.world.is_settled().await;
        back
    }

    /// How the flights and the travellers stand.
    async fn states(&self) -> String {
        let detail = self.detail().await;
        let list = |rows: &Value, name: &str| {
            let rows = rows.as_array().unwrap().iter();
            rows.map(|row| row[name].as_str().unwrap()).collect::<Vec<_>>().join(" ")
        };
        format!(
            "{}: {} / {} / {}",
            detail["status"].as_str().unwrap(),
            self.journeys(&detail),
            list(&detail["passengers"], "status"),
            list(&detail["tickets"], "status"),
        )
    }

    /// How each journey stands: all its flights alike.
    fn journeys(&self, detail: &Value) -> String {
        let itinerary = &detail["itinerary"];
        let state = |leg: &Value| {
            let flights = itinerary["segments"].as_array().unwrap().iter();
            let own = flights
                .filter(|flight| leg["segment_refs"].as_array().unwrap().contains(&flight["segment_id"]));
            let mut states: Vec<&str> = own.map(|flight| flight["status"].as_str().unwrap()).collect();
            states.dedup();
            states.join("+")
        };
        itinerary["legs"].as_array().unwrap().iter().map(state).collect::<Vec<_>>().join(" ")
    }

    /// Refunds, the fare ledger and the wallet say the same.
    async fn agrees(&self, back: Decimal) {
        assert_eq!(sum(&self.agent.get("/flights/refunds").await.json()["data"], "refund_to_wallet"), back);
        let rows =
            "select coalesce(sum(agent_fare + ancillary), 0) from fare_transactions where kind = 'refund'";
        assert_eq!(self.world.lines(rows).await[0].parse::<Decimal>().unwrap(), -back);
        assert_eq!(self.agent.balance().await, money() - self.paid + back);
        assert_eq!(amount(&self.post("refund-status", &json!({})).await.ok()["refund_to_wallet"]), back);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_return_the_way_out_comes_back_and_then_the_way_back() {
    let stage = stage((1, 0, 0)).await;
    let can = &stage.detail().await["pnr_details"][0]["can"];
    assert_has!(can, { "cancel_journeys": true, "cancel_passengers": true });
    let whole = amount(&stage.agent.penalty(&stage.reference).await.ok()["penalty"]);
    let out = stage.gives_back(&json!({ "journeys": [0] }), true).await;
    assert_eq!(stage.states().await, "confirmed: cancelled confirmed / travelling / REFUNDED ISSUED");
    let again = stage.post("cancel", &json!({ "journeys": [0] })).await;
    again.is_invalid("{journeys[0] is no journey of the booking that stands}");
    // What is told afterwards is of what is left.
    let left = amount(&stage.agent.penalty(&stage.reference).await.ok()["penalty"]);
    assert!(left < whole && left > Decimal::ZERO, "{left} of {whole}");
    let back = stage.gives_back(&json!({ "journeys": [1] }), false).await;
    assert_eq!(stage.states().await, "cancelled: cancelled cancelled / cancelled / REFUNDED REFUNDED");
    stage.agrees(out + back).await;
    assert!(out + back + whole <= stage.paid, "{out} + {back} of {}", stage.paid);
    assert_eq!(stage.world.supplier_orders().await[0]["status"], "cancelled");
    stage.post("cancel", &json!({ "journeys": [1] })).await.is(400, "booking is already cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_travellers_comes_off_and_the_rest_is_cancelled_whole() {
    let stage = stage((2, 0, 0)).await;
    let one = stage.gives_back(&json!({ "passengers": ["2"] }), true).await;
    let detail = stage.detail().await;
    assert_has!(detail, {
        "status": "confirmed", "passengers/0/status": "travelling", "passengers/1/status": "cancelled",
    });
    let again = stage.post("penalty", &json!({ "passengers": ["2"] })).await;
    again.is_invalid("{passengers[0] does not fly that any more}");
    // A look at it tells nothing new.
    stage.agent.get(&format!("/flights/bookings/{}/retrieve", stage.reference)).await.ok();
    assert_eq!(stage.detail().await, detail);
    let rest = stage.gives_back(&json!({}), false).await;
    assert_eq!(one, rest, "two of the same fare");
    assert_eq!(stage.detail().await["status"], "cancelled");
    stage.agrees(one + rest).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_left_alone_who_may_not_be() {
    let stage = stage((2, 1, 1)).await;
    let detail = stage.detail().await;
    let of = |kind: &str| -> Vec<String> {
        let of_kind = detail["passengers"].as_array().unwrap().iter().filter(|who| who["type"] == kind);
        of_kind.map(|who| who["pax_id"].as_str().unwrap().to_owned()).collect()
    };
    let (adults, infants) = (of("ADT"), of("INF"));
    let alone = "{passengers infant needs an adult}";
    for named in [vec![&infants[0]], adults.iter().collect()] {
        let part = json!({ "passengers": named });
        stage.post("cancel", &part).await.is_invalid(alone);
        stage.post("penalty", &part).await.is_invalid(alone);
    }
    let all = json!({ "passengers": [&adults[0], &adults[1], &infants[0]] });
    stage.post("cancel", &all).await.is_invalid("{passengers child needs an adult}");
    assert_eq!(stage.agent.balance().await, money() - stage.paid);
    let with_its_adult = json!({ "passengers": [&adults[0], &infants[0]], "journeys": [1] });
    let back = stage.gives_back(&with_its_adult, true).await;
    let detail = stage.detail().await;
    assert!(detail["passengers"].as_array().unwrap().iter().all(|who| who["status"] == "travelling"));
    stage.agrees(back).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_part_is_refused_and_nothing_is_sent() {
    let stage = stage((1, 0, 0)).await;
    let way_out = &stage.detail().await["itinerary"]["legs"][0]["segment_refs"];
    if way_out[1].is_string() {
        let half = json!({ "segments": [way_out[0]] });
        stage.post("cancel", &half).await.is_invalid("{segments must cover whole journeys}");
    }
    for (part, faults) in [
        (json!({ "journeys": [2] }), "{journeys[0] is no journey of the booking that stands}"),
        (json!({ "journeys": [0, 0] }), "{journeys[1] must be named once}"),
        (json!({ "passengers": ["9"] }), "{passengers[0] is nobody of the booking}"),
        (json!({ "passengers": ["one"] }), "{passengers[0] must be a pax_id}"),
        (json!({ "segments": ["1"] }), "{segments[0] must be a segment_id: s1}"),
        (json!({ "segments": ["s99"] }), "{segments[0] is no flight of the booking}"),
        (json!({ "segments": way_out, "journeys": [1] }), "{segments must be those of the journeys}"),
    ] {
        for what in ["penalty", "cancel"] {
            stage.post(what, &part).await.is_invalid(faults);
        }
    }
    assert_eq!(stage.detail().await["status"], "confirmed");
    stage.world.is_settled().await;
    stage.agrees(stage.gives_back(&json!({ "segments": way_out }), true).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_its_supplier_does_not_take_back_in_part_is_refused_before_anything_is_sent() {
    let stage = of(Seller::duffel(), &round_trip("LHR", "JFK").party(2, 0, 0)).await;
    let can = &stage.detail().await["pnr_details"][0]["can"];
    assert_has!(can, { "cancel_journeys": false, "cancel_passengers": false });
    for part in [json!({ "journeys": [0] }), json!({ "passengers": ["1"] })] {
        for what in ["penalty", "cancel"] {
            let refused = stage.post(what, &part).await;
            refused.is(409, "the supplier does not change a part of this order");
            assert_eq!(refused.json()["data"]["orders"], json!([{ "order": 1, "journeys": [0, 1] }]));
        }
    }
    stage.world.is_settled().await;
    // All of it, named, is no part.
    stage.gives_back(&json!({ "journeys": [0, 1] }), false).await;
    assert_eq!(stage.detail().await["status"], "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_whose_answer_is_lost_is_found_by_the_order_and_paid_back_once() {
    let stage = stage((2, 0, 0)).await;
    let part = json!({ "passengers": ["1"], "journeys": [0] });
    let told = amount(&stage.post("penalty", &part).await.ok()["refund_amount"]);
    stage.world.next_at("tripjack", "cancel", "drop_after").await;
    stage.post("cancel", &part).await.says(202, "booking cancellation is pending");
    stage.post("cancel", &part).await.is(409, "booking cancellation is pending");
    assert_eq!(stage.agent.balance().await, money() - stage.paid);
    assert_eq!(stage.world.recover_in(2).await, 1);
    assert_eq!(stage.detail().await["status"], "confirmed");
    stage.agrees(told).await;
    stage.world.is_settled().await;
    stage.agrees(told + stage.gives_back(&json!({}), false).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_is_rejected_stands_and_can_be_given_back_later() {
    let stage = stage((1, 0, 0)).await;
    let part = json!({ "journeys": [1] });
    stage.world.next_at("tripjack", "cancel", "rejected:2").await;
    stage.post("cancel", &part).await.says(202, "booking cancellation is pending");
    assert_eq!(stage.world.recover_in(3).await, 1);
    assert_eq!(stage.states().await, "confirmed: confirmed confirmed / travelling / ISSUED ISSUED");
    stage.world.is_settled().await;
    let back = stage.gives_back(&part, true).await;
    assert_eq!(amount(&stage.post("refund-status", &json!({})).await.ok()["refund_to_wallet"]), back);
}

/// That the supplier has cancelled the first order and gives so much back.
pub(crate) fn supplier_cancelled(amount: Decimal) -> RulingRequest {
    RulingRequest {
        number: 1,
        kind: RulingKind::SupplierCancelled,
        amount,
        fees: FeesRuling::Return,
        from_loss: false,
        amount_again: None,
        take_over: TakeOver::No,
        note: "Ravi at the supplier's desk".to_owned(),
        incident: None,
        key: None,
    }
}

impl Stage {
    /// What of the order stands yet at its supplier, in its currency.
    async fn left_there(&self) -> Decimal {
        let left = "select (content #>> '{total,amount}')::numeric
            - coalesce((select sum((p #>> '{paid,supplier_due,amount}')::numeric)
                from jsonb_array_elements(given_back) p), 0) from supplier_orders";
        self.world.line(left).await.parse().unwrap()
    }

    /// The operator rules that the supplier has cancelled the order and gives so much back.
    async fn ruled(&self, amount: Decimal) -> Result<RulingMade, Error> {
        let reference = BookingRef::from(self.reference.clone());
        desk::rule(&self.world.platform, By::command_line(), &reference, supplier_cancelled(amount)).await
    }

    /// What came back, what was kept and the fees are all that was paid.
    async fn adds_up(&self) {
        let parts = "select sum(refund_to_wallet + cancellation_charge + platform_charges) from refunds
            where status = 'refunded'";
        assert_eq!(self.world.line(parts).await.parse::<Decimal>().unwrap(), self.paid);
        self.world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_supplier_ends_the_rest_and_what_it_gives_back_is_ruled() {
    let stage = stage((2, 0, 0)).await;
    let part = json!({ "passengers": ["2"] });
    let rest = amount(&stage.post("penalty", &part).await.ok()["rest"]["total_payable"]);
    let back = stage.gives_back(&part, true).await;
    let order = stage.detail().await["provider_ref"].clone();
    stage.world.supplier_ends(order.as_str().unwrap(), None, false).await;
    stage.agent.get(&format!("/flights/bookings/{}/retrieve", stage.reference)).await;
    assert_eq!(stage.detail().await["status"], "confirmed", "once may be a mistake");
    stage.world.pass(310);
    stage.world.watch().await;
    stage.world.pass(20);
    stage.world.watch().await;
    assert_eq!(stage.detail().await["status"], "cancelled");
    stage.world.books_agree().await;
    let left = stage.left_there().await;
    let more = stage.ruled(left + dec!(0.01)).await.unwrap_err().to_string();
    assert!(more.contains("more than the supplier charged"), "{more}");
    assert_eq!(stage.ruled(left).await.unwrap().ruling.moved.amount(), rest);
    assert_eq!(stage.agent.balance().await, money() - stage.paid + back + rest);
    stage.adds_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_rules_on_what_is_left_after_a_refusal_and_a_part() {
    let stage = stage((1, 0, 0)).await;
    let part = json!({ "journeys": [0] });
    stage.world.next_at("tripjack", "cancel", "status:400").await;
    assert_eq!(stage.post("cancel", &part).await.status, 409);
    let back = stage.gives_back(&part, true).await;
    let order = stage.detail().await["provider_ref"].clone();
    stage.world.supplier_ends(order.as_str().unwrap(), None, false).await;
    let half = (stage.left_there().await / dec!(2)).round_dp(2);
    let moved = stage.ruled(half).await.unwrap().ruling.moved.amount();
    assert!(moved > Decimal::ZERO);
    assert_eq!(stage.detail().await["status"], "cancelled");
    assert_eq!(stage.agent.balance().await, money() - stage.paid + back + moved);
    let again = stage.ruled(dec!(1)).await.unwrap_err().to_string();
    assert!(again.contains("was given back already"), "{again}");
    stage.adds_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_bought_for_a_traveller_comes_back_with_the_parts_and_adds_up() {
    let world = World::with(WorldOptions::of([Seller::tripjack()]).frozen()).await;
    let agent = world.agent(MONEY).await;
    let trip = round_trip("DEL", "BOM").party(2, 0, 0).by("6E");
    let found = agent.search(&trip).await;
    let half = |route_index: u64| {
        let of = |offer: &&Value| offer["route_index"] == route_index && offer["type"] == "one_way";
        let mut dearest_first = found["offers"].as_array().unwrap().iter().rev();
        dearest_first.find(of).unwrap()["offer_id"].clone()
    };
    let priced = agent.post("/flights/price", &json!({ "offer_ids": [half(0), half(1)] })).await.ok();
    let mut sold = priced["ancillaries"].as_array().unwrap().iter();
    let bag = sold.find(|one| one["type"] == "BAGGAGE" && amount(&one["price"]) > Decimal::ZERO);
    let bag = bag.unwrap_or_else(|| panic!("{}", priced["ancillaries"]));
    let mut order = agent.order(&priced, &trip);
    order["passengers"][1]["ancillaries"] =
        json!([{ "type": bag["type"], "code": bag["code"], "segment_id": bag["segment_id"] }]);
    let booked = agent.book(&order).await.ok();
    let paid = amount(&booked["total_amount"]);
    assert_eq!(paid, amount(&priced["price_summary"]["total_payable"]) + amount(&bag["price"]));
    let stage = Stage { reference: booked["booking_ref"].as_str().unwrap().to_owned(), paid, world, agent };
    let with_bag = stage.gives_back(&json!({ "passengers": ["2"] }), true).await;
    stage.agrees(with_bag).await;
    stage.agrees(with_bag + stage.gives_back(&json!({}), false).await).await;
    stage.adds_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_was_given_back_although_the_operator_ruled_that_it_was_not_is_noticed() {
    let stage = stage((2, 0, 0)).await;
    stage.world.next_at("tripjack", "cancel", "refund_later:3600").await;
    stage.post("cancel", &json!({ "passengers": ["2"] })).await.says(202, "booking cancellation is pending");
    // As if the answer that brought the id had been lost.
    let lost = r#"{"cancellation_id": "amendment", "accepted": false}"#;
    stage.world.sql(&format!("update effects set request = request || '{lost}' where kind = 'cancel'")).await;
    for _ in 0..2 {
        stage.world.recover_in(300).await;
    }
    let all = PageRequest { page: 1, per_page: 9 };
    let open = incidents::list(&stage.world.platform.core, false, all).await.unwrap();
    let note = "the desk has no such amendment".to_owned();
    let refused = Resolution { outcome: IncidentOutcome::Refused, order_id: None, note };
    assert_eq!(open.items.len(), 1);
    let engine = &stage.world.platform.engine;
    resolution::resolve(engine, By::command_line(), open.items[0].id, &refused).await.unwrap();
    let stands = "select count(*) from supplier_orders where status = 'confirmed' and given_back is null";
    assert_eq!(stage.world.line(stands).await, "1");
    stage.world.pass(610);
    stage.world.recheck().await;
    assert_eq!(stage.world.line("select count(*) from exceptions where closed_at is null").await, "0");
    stage.world.pass(3600);
    stage.world.recheck().await;
    let incidents = "select kind || ' ' || (details ->> 'passengers') || ' ' || (details ->> 'journeys')
        from exceptions where closed_at is null";
    assert_eq!(stage.world.lines(incidents).await, ["cancelled_by_supplier [2] [0, 1]"]);
    assert_eq!(stage.world.line("select count(*) from effects where recheck_at is not null").await, "0");
}
