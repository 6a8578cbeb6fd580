//! What airlines change of flights by themselves: found once, shown beside what was sold, accepted or refused.

use serde_json::{Value, json};
use wayfare_tests::{Agency, MONEY, Person, Reply, Seller, World, WorldOptions, amount, one_way};

const CHANGES: &str =
    "select kind || ' ' || coalesce(minutes, 0) || ' ' || state from order_changes order by place";

struct Stage {
    world: World,
    agency: Agency,
    agent: Person,
    reference: String,
    order: String,
}

impl Stage {
    async fn at_duffel() -> Self {
        Self::at_duffel_with(false).await
    }

    /// The same; of the dearest fare all comes back, of the cheapest nothing.
    async fn at_duffel_with(dearest: bool) -> Self {
        let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
        let trip = one_way("DEL", "BOM").by("ZZ");
        let reference = match dearest {
            true => agent.buy_dearest(&trip).await.reference,
            false => agent.buy(trip).await.reference,
        };
        let detail = agent.booking(&reference).await;
        Self { order: detail["provider_ref"].as_str().unwrap().to_owned(), reference, world, agency, agent }
    }

    /// The same after its airline has put it off by so many minutes and a poll has found that; with the change.
    async fn put_off(minutes: u32) -> (Self, Value) {
        Self::at_duffel().await.and_put_off(minutes).await
    }

    async fn and_put_off(self, minutes: u32) -> (Self, Value) {
        let stage = self;
        stage.world.airline_puts_off(&stage.order, minutes).await;
        let change = stage.look().await["changes"][0].clone();
        (stage, change)
    }

    /// Polls the order; the booking after that.
    async fn look(&self) -> Value {
        self.agent.get(&format!("/flights/bookings/{}/retrieve", self.reference)).await.ok();
        self.agent.booking(&self.reference).await
    }

    async fn accept(&self, change: &Value) -> Reply {
        self.agent.post(&self.path(change, "accept"), &json!({})).await
    }

    async fn refuse(&self, change: &Value, wish: &str) -> Reply {
        self.agent.post(&self.path(change, "refuse"), &json!({ "wish": wish })).await
    }

    fn path(&self, change: &Value, what: &str) -> String {
        let id = change["id"].as_str().unwrap();
        format!("/flights/bookings/{}/changes/{id}/{what}", self.reference)
    }

    /// What was done about the changes of the order, by its supplier's word.
    async fn taken(&self) -> Vec<Value> {
        let order = self.world.duffel(&format!("/air/orders/{}", self.order)).await;
        let changes = order["airline_initiated_changes"].as_array().unwrap();
        changes.iter().map(|change| change["action_taken"].clone()).collect()
    }

    async fn events(&self, action: &str) -> Vec<String> {
        let of = format!("from events where action = '{action}' order by id");
        self.world.lines(&format!("select coalesce(new_value ->> 'state', '') {of}")).await
    }

    async fn changes(&self) -> Vec<String> {
        self.world.lines(CHANGES).await
    }

    async fn later(&mut self, seconds: i64) {
        self.world.recover_in(seconds).await;
        self.agent = self.agency.log_in("arjun").await;
    }
}

/// Notifications of flights that changed, as this person reads them.
async fn told(person: &Person) -> Vec<String> {
    let told = person.get("/notifications?per_page=100").await.ok();
    let told = told.as_array().unwrap().iter().rev();
    told.filter(|one| {
        ["booking.airline_changed", "booking.change_expiring"].contains(&one["kind"].as_str().unwrap())
    })
    .map(|one| one["message"].as_str().unwrap().replace(one["data"]["booking_ref"].as_str().unwrap(), "B"))
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_flown_now_stands_beside_what_was_sold() {
    let stage = Stage::at_duffel().await;
    let sold = stage.agent.booking(&stage.reference).await;
    assert_has!(sold, { "changes": [], "pending": [], "itinerary/segments/0/status": "confirmed" });
    assert_eq!(sold.get("itinerary_sold"), None);
    stage.world.airline_puts_off(&stage.order, 90).await;
    let detail = stage.look().await;
    let change = &detail["changes"][0];
    assert_has!(change, { "kind": "time", "minutes": 90, "state": "open", "actions": ["accept", "cancel", "change"] });
    let (before, after) = (&change["before"][0], &change["after"][0]);
    assert_eq!(before["departure"], sold["itinerary"]["segments"][0]["departure"]);
    assert!(change["decide_by"].is_string());
    let name = format!("s{}", sold["itinerary"]["segments"].as_array().unwrap().len() + 1);
    let flown = &detail["itinerary"]["segments"][0];
    let left = &after["departure"];
    assert_has!(flown, { "segment_id": (&name), "status": "changed", "departure": left, "replaces/0": "s1" });
    assert_has!(detail["itinerary_sold"]["segments"][0], { "segment_id": "s1", "departure": (&before["departure"]) });
    // What hangs on a flight follows it.
    assert_has!(detail, {
        "itinerary/legs/0/segment_refs/0": (&name), "baggage_allowance/0/segment_id": (&name),
        "tickets/0/segment_refs/0": (&name), "pnr_details/0/segment_refs/0": (&name),
    });
    let listed = stage.agent.get("/flights/bookings").await.ok();
    assert_has!(listed[0], { "has_open_change": true, "pending": [] });
    // Once, however often it is looked at.
    stage.look().await;
    assert_eq!(stage.events("booking.airline_changed").await, ["open"]);
    assert_eq!(stage.changes().await, ["time 90 open"]);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn flights_that_change_twice_are_numbered_on_and_the_first_change_is_superseded() {
    let (stage, first) = Stage::put_off(60).await;
    stage.world.airline_puts_off(&stage.order, 30).await;
    let detail = stage.look().await;
    assert_eq!(stage.changes().await, ["time 60 superseded", "time 30 open"]);
    let sold = detail["itinerary_sold"]["segments"].as_array().unwrap().len();
    let flown = detail["itinerary"]["segments"].as_array().unwrap();
    let names: Vec<_> = (1..=sold).map(|place| format!("s{}", 2 * sold + place)).collect();
    assert_eq!(flown.iter().map(|one| one["segment_id"].as_str().unwrap()).collect::<Vec<_>>(), names);
    assert_eq!(flown[0]["replaces"][0], format!("s{}", sold + 1));
    stage.accept(&first).await.is(409, "a newer change is there");
    stage.refuse(&first, "refund").await.is(409, "a newer change is there");
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_told_of_what_matters_to_them() {
    let stage = Stage::at_duffel().await;
    let admin = stage.agency.log_in("asha").await;
    let mut agents = Vec::new();
    let changed = "The airline has changed the times of booking B. Accept or refuse it.".to_owned();
    for (minutes, agent_reads, admin_reads) in [(10, false, 0), (15, true, 0), (120, true, 1)] {
        stage.world.airline_puts_off(&stage.order, minutes).await;
        stage.look().await;
        agents.extend(agent_reads.then(|| changed.clone()));
        assert_eq!(told(&stage.agent).await, agents, "{minutes}");
        assert_eq!(told(&admin).await.len(), admin_reads, "{minutes}");
    }
    let set = async |value: &str| {
        admin.put("/org/settings", &json!({ "key": "airline_change_minutes", "value": value })).await
    };
    for wrong in ["soon", "-1", "1441", "1.5", ""] {
        let refused = set(wrong).await;
        assert_eq!(refused.status, 422, "{wrong}: {}", refused.text);
    }
    set("5").await.says(200, "setting updated");
    stage.world.airline_puts_off(&stage.order, 5).await;
    stage.look().await;
    assert_eq!(told(&stage.agent).await.len(), agents.len() + 1);
    stage.world.deliver().await;
    let published = admin.get("/events").await.ok();
    let published = published["events"].as_array().unwrap();
    let data = &published.iter().rfind(|event| event["type"] == "booking.airline_changed").unwrap()["data"];
    assert_has!(data, { "booking_ref": (&stage.reference), "kind": "time", "minutes": 5, "state": "open" });
    assert_eq!([data.get("tells_people"), data.get("tells_admins")], [None; 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_accepted_at_its_supplier_once() {
    let (stage, change) = Stage::put_off(90).await;
    let path = stage.path(&change, "accept");
    let accepted = stage.agent.post_with_key(&path, "k1", &json!({})).await;
    let data = accepted.says(200, "change accepted");
    assert_has!(data, { "booking_ref": (&stage.reference), "id": (&change["id"]), "state": "accepted", "cancellation": null });
    assert_eq!(stage.agent.post_with_key(&path, "k1", &json!({})).await.text, accepted.text);
    assert_eq!(stage.accept(&change).await.ok(), data);
    assert_eq!(stage.taken().await, ["accepted"]);
    assert_eq!(stage.world.line("select count(*) from effects where kind = 'accept_change'").await, "1");
    assert_has!(stage.look().await["changes"][0], { "state": "accepted", "actions": [] });
    assert_has!(stage.agent.get("/flights/changes").await.ok()[0], { "state": "accepted", "actions": [] });
    assert_eq!(stage.events("booking.change_accepted").await, ["accepted"]);
    assert_eq!(stage.agent.get("/flights/bookings").await.ok()[0]["has_open_change"], false);
    stage.refuse(&change, "refund").await.is(400, "this change can't be decided on any more");
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_a_newer_one_has_overtaken_is_not_accepted() {
    let (stage, change) = Stage::put_off(60).await;
    // Nobody has looked since.
    stage.world.airline_puts_off(&stage.order, 60).await;
    stage.accept(&change).await.is(409, "a newer change is there");
    assert_eq!(stage.changes().await, ["time 60 superseded"]);
    let detail = stage.look().await;
    assert_eq!(stage.changes().await, ["time 60 superseded", "time 60 open"]);
    assert_eq!(stage.taken().await, [Value::Null, Value::Null]);
    stage.accept(&detail["changes"][1]).await.says(200, "change accepted");
    assert_eq!(stage.taken().await, [Value::Null, json!("accepted")]);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_lost_is_found_in_the_order() {
    for (fault, ends) in [("drop_after", "accepted"), ("drop_before", "open")] {
        let (mut stage, change) = Stage::put_off(90).await;
        stage.world.next("change", fault).await;
        stage.accept(&change).await.says(202, "accepting of the change is pending");
        let listed = stage.agent.get("/flights/bookings").await.ok();
        assert_eq!(listed[0]["pending"][0]["what"], "change", "{fault}");
        stage.accept(&change).await.is(409, "accepting of a change is pending");
        assert_eq!(stage.changes().await, ["time 90 open"], "{fault}");
        stage.later(600).await;
        assert_eq!(stage.changes().await, [format!("time 90 {ends}")], "{fault}");
        let accepted = "select count(*) from events where action = 'booking.change_accepted'";
        let count = if ends == "accepted" { "1" } else { "0" };
        assert_eq!(stage.world.line(accepted).await, count, "{fault}");
        stage.accept(&change).await.says(200, "change accepted");
        assert_eq!(stage.taken().await, ["accepted"], "{fault}");
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_does_not_accept_leaves_the_change_open() {
    for (fault, status) in [("refused", 409), ("rate_limited", 503), ("status:500", 202)] {
        let (stage, change) = Stage::put_off(90).await;
        stage.world.next("change", fault).await;
        let reply = stage.accept(&change).await;
        assert_eq!(reply.status, status, "{fault}: {}", reply.text);
        assert_eq!(stage.changes().await, ["time 90 open"], "{fault}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_change_gives_the_order_back_at_what_its_supplier_quotes() {
    for (dearest, minutes) in [(false, 90), (true, 180)] {
        refused_for_its_money(dearest, minutes).await;
    }
}

async fn refused_for_its_money(dearest: bool, minutes: u32) {
    let stage = Stage::at_duffel_with(dearest).await;
    let (stage, change) = stage.and_put_off(minutes).await;
    let penalty = stage.agent.penalty(&stage.reference).await.ok();
    assert_eq!(amount(&penalty["refund_amount"]).is_zero(), !dearest, "{penalty}");
    stage.refuse(&change, "nothing").await.is_invalid("{wish must be one of refund, rebook}");
    let path = stage.path(&change, "refuse");
    let body = json!({ "wish": "refund" });
    let refused = stage.agent.post_with_key(&path, "k1", &body).await;
    let data = refused.says(200, "change refused, the order is cancelled");
    assert_has!(data, { "state": "refused", "cancellation/refund_to_wallet": (&penalty["refund_amount"]) });
    assert_eq!(stage.agent.post_with_key(&path, "k1", &body).await.text, refused.text);
    assert_eq!(stage.refuse(&change, "refund").await.ok(), data);
    let detail = stage.agent.booking(&stage.reference).await;
    assert_has!(detail, { "status": "cancelled", "changes/0/state": "refused", "itinerary/segments/0/status": "cancelled" });
    assert_eq!(stage.events("booking.change_refused").await, ["refused"]);
    assert_eq!(stage.agent.get("/flights/refunds").await.ok().as_array().unwrap().len(), 1);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_of_which_no_answer_comes_is_found_out_and_the_change_is_refused_then() {
    let (mut stage, change) = Stage::put_off(90).await;
    stage.world.next("cancel", "drop_after").await;
    stage.refuse(&change, "refund").await.says(202, "booking cancellation is pending");
    assert_eq!(stage.changes().await, ["time 90 open"]);
    stage.later(600).await;
    assert_eq!(stage.changes().await, ["time 90 refused"]);
    assert_eq!(stage.agent.booking(&stage.reference).await["status"], "cancelled");
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_supplier_would_keep_a_part_of_a_large_change_the_operator_is_asked() {
    let (stage, change) = Stage::put_off(120).await;
    let penalty = stage.agent.penalty(&stage.reference).await.ok();
    assert!(amount(&penalty["penalty"]) > rust_decimal::Decimal::ZERO, "{penalty}");
    let balance = stage.agent.balance().await;
    for _ in 0..2 {
        let refused = stage.refuse(&change, "refund").await;
        let message = "change refused, the refund is being asked for at the supplier";
        assert_has!(refused.says(200, message), { "state": "refused", "cancellation": null });
    }
    assert_eq!(stage.agent.balance().await, balance);
    assert_eq!(stage.agent.booking(&stage.reference).await["status"], "confirmed");
    let raised = "select kind || ' ' || (details ->> 'minutes') from exceptions";
    assert_eq!(stage.world.lines(raised).await, ["involuntary_refund 120"]);
    assert_eq!(stage.events("booking.change_refused").await, ["refused"]);
    assert_eq!(stage.taken().await, [Value::Null]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_cancelled_leaves_nothing_to_decide() {
    let (stage, change) = Stage::put_off(90).await;
    stage.agent.cancels(&stage.reference).await;
    assert_eq!(stage.changes().await, ["time 90 closed"]);
    stage.accept(&change).await.is(400, "booking is already cancelled");
    stage.refuse(&change, "refund").await.is(400, "booking is already cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_listed_for_those_whose_they_are() {
    let (stage, change) = Stage::put_off(90).await;
    let admin = stage.agency.log_in("asha").await;
    let other = stage.agency.agent("bina", "0").await;
    for (who, query, count) in [
        (&stage.agent, "", 1),
        (&stage.agent, "?state=open", 1),
        (&stage.agent, "?state=accepted", 0),
        (&admin, "", 1),
        (&other, "", 0),
    ] {
        let listed = who.get(&format!("/flights/changes{query}")).await.ok();
        let listed = listed.as_array().unwrap();
        assert_eq!(listed.len(), count, "{query}");
        if let [row] = listed.as_slice() {
            assert_has!(row, { "booking_ref": (&stage.reference), "id": (&change["id"]), "kind": "time", "agent_name": "arjun Sunrise" });
        }
    }
    let wrong = stage.agent.get("/flights/changes?state=lost").await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    other.post(&stage.path(&change, "accept"), &json!({})).await.is_missing();
    other.post(&stage.path(&change, "refuse"), &json!({ "wish": "refund" })).await.is_missing();
    stage.accept(&json!({ "id": "00000000-0000-7000-8000-000000000000" })).await.is_missing();
    stage.accept(&json!({ "id": "nothing" })).await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_reminded_of_a_day_before_and_closed_when_it_is_flown() {
    let (mut stage, change) = Stage::put_off(90).await;
    let decide_by = change["decide_by"].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>();
    let left = (decide_by.unwrap() - stage.world.now()).num_seconds();
    let reminded = async |stage: &Stage| {
        stage.world.tend_holds().await;
        stage.world.line("select count(*) from notifications where kind = 'booking.change_expiring'").await
    };
    stage.later(left - 86_400 - 1).await;
    assert_eq!(reminded(&stage).await, "0");
    stage.later(1).await;
    for _ in 0..2 {
        assert_eq!(reminded(&stage).await, "1");
    }
    stage.later(86_400 - 1).await;
    assert_eq!(reminded(&stage).await, "1");
    assert_eq!(stage.changes().await, ["time 90 open"]);
    stage.later(1).await;
    assert_eq!(reminded(&stage).await, "1");
    assert_eq!(stage.changes().await, ["time 90 closed"]);
}

/// The supplier decides with somebody else: a poll finds that.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_decided_at_the_supplier_is_known_by_the_next_look() {
    let (stage, change) = Stage::put_off(90).await;
    let order = stage.world.duffel(&format!("/air/orders/{}", stage.order)).await;
    let id = order["airline_initiated_changes"][0]["id"].as_str().unwrap().to_owned();
    stage.world.duffel_accepts(&id).await;
    stage.look().await;
    assert_eq!(stage.changes().await, ["time 90 accepted"]);
    assert_eq!(stage.events("booking.airline_changed").await, ["open"]);
    stage.accept(&change).await.says(200, "change accepted");
}

/// TripJack lists no changes: what its order shows otherwise than was known is one, and there is nothing to decide.
#[tokio::test(flavor = "multi_thread")]
async fn where_a_supplier_lists_no_changes_other_flights_than_before_are_one() {
    let world = World::with(WorldOptions::of([Seller::tripjack()]).frozen()).await;
    let agent = world.agent(MONEY).await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let sold = agent.booking(&reference).await;
    let retrieve = format!("/flights/bookings/{reference}/retrieve");
    agent.get(&retrieve).await.ok();
    assert_eq!(world.lines(CHANGES).await, Vec::<String>::new());
    // To and fro: the second change brings back what the first took away, and is another one.
    for minutes in [45, 45] {
        world.airline_puts_off(sold["provider_ref"].as_str().unwrap(), minutes).await;
        for _ in 0..2 {
            agent.get(&retrieve).await.ok();
        }
    }
    assert_eq!(world.lines(CHANGES).await, ["time 45 informed", "time 45 informed"]);
    let detail = agent.booking(&reference).await;
    let departs = |of: &Value| -> chrono::NaiveDateTime {
        of["segments"][0]["departure"].as_str().unwrap().parse().unwrap()
    };
    assert_eq!(departs(&detail["itinerary"]) - departs(&sold["itinerary"]), chrono::Duration::minutes(90));
    assert_has!(detail["itinerary"]["segments"][0], {
        "status": "changed", "baggage": (&sold["itinerary"]["segments"][0]["baggage"]),
    });
    let change = detail["changes"][0]["id"].as_str().unwrap();
    assert_has!(detail["changes"][0], { "actions": [], "decide_by": null });
    let path = format!("/flights/bookings/{reference}/changes/{change}");
    let accepted = agent.post(&format!("{path}/accept"), &json!({})).await;
    accepted.is(400, "provider does not support accepting changes");
    let refused = agent.post(&format!("{path}/refuse"), &json!({ "wish": "refund" })).await;
    refused.is(400, "this change can't be decided on any more");
    assert_eq!(world.line("select count(*) from events where action = 'booking.airline_changed'").await, "2");
}

impl Stage {
    /// What can be flown instead of a change's flights: on this day, or on theirs.
    async fn rebooks(&self, change: &Value, day: Option<&str>) -> Reply {
        let mut body = json!({ "wish": "rebook" });
        if let Some(day) = day {
            body["new_date"] = json!(day);
        }
        self.agent.post(&self.path(change, "refuse"), &body).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_flights_are_found_for_a_change_and_are_flown_by_a_reschedule() {
    let (stage, change) = Stage::put_off(180).await;
    let sold = stage.agent.booking(&stage.reference).await;
    let day = &sold["itinerary"]["segments"][0]["departure"].as_str().unwrap()[..10];
    for (wanted, flown) in [(None, day), (Some("2027-03-09"), "2027-03-09")] {
        let found = stage.rebooks(&change, wanted).await;
        let found = found.says(200, "these flights can be flown instead");
        assert_has!(found, { "id": (&change["id"]), "state": "open", "decided_at": null, "cancellation": null, "journey": 0 });
        let itineraries = found["itineraries"].as_array().unwrap();
        assert!(!itineraries.is_empty());
        for itinerary in itineraries {
            let flights = itinerary["slices"][0]["segments"].as_array().unwrap();
            let (first, last) = (flights.first().unwrap(), flights.last().unwrap());
            assert_eq!([&first["origin"]["code"], &last["destination"]["code"]], ["DEL", "BOM"]);
            assert!(first["departure"].as_str().unwrap().starts_with(flown), "{first}");
        }
    }
    // Nothing is decided, and nothing was sent.
    assert_eq!(stage.changes().await, ["time 180 open"]);
    assert_eq!(stage.taken().await, [Value::Null]);
    stage.world.is_settled().await;
    let found = stage.rebooks(&change, Some("2027-03-09")).await.ok();
    let mut itineraries = found["itineraries"].as_array().unwrap().iter();
    let other = itineraries.find(|one| one["way"] == "rebook").unwrap();
    let body = json!({ "fare_keys": [other["fare_key"]], "journeys": [found["journey"]] });
    let done = stage.agent.post(&format!("/flights/bookings/{}/reschedule", stage.reference), &body).await;
    assert_eq!(done.says(200, "booking rescheduled")["cancellation"]["status"], "cancelled");
    assert_eq!(stage.agent.booking(&stage.reference).await["status"], "cancelled");
    stage.rebooks(&change, None).await.is(400, "this change can't be decided on any more");
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebooking_is_refused_for_what_is_no_day_and_for_what_is_decided() {
    let (stage, change) = Stage::put_off(60).await;
    let refused = stage.rebooks(&change, Some("tomorrow")).await;
    refused.is_invalid("{new_date must be a date (YYYYMMDD or YYYY-MM-DD)}");
    stage.rebooks(&change, Some("2020-01-01")).await.is_invalid("{new_date must not be in the past}");
    let unknown = json!({ "id": "00000000-0000-7000-8000-000000000000" });
    assert_eq!(stage.rebooks(&unknown, None).await.status, 404);
    stage.world.airline_puts_off(&stage.order, 60).await;
    stage.look().await;
    stage.rebooks(&change, None).await.is(409, "a newer change is there");
    let newest = stage.look().await["changes"][1].clone();
    stage.accept(&newest).await.says(200, "change accepted");
    stage.rebooks(&newest, None).await.is(400, "this change can't be decided on any more");
    stage.world.is_settled().await;
}
