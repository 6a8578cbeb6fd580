//! Journeys that are changed at their supplier instead of being booked anew: moved and charged once, or neither.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Agency, Bought, MONEY, Person, Reply, World, amount, money, round_trip};

/// A return of one order at Duffel, whose flights can be changed.
struct Stage {
    world: World,
    agency: Agency,
    agent: Person,
    reference: String,
    order: String,
    fare: Decimal,
}

impl Stage {
    async fn start() -> Self {
        let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
        let Bought { reference, fare, .. } = agent.buy_dearest(&round_trip("DEL", "BOM")).await;
        let order = agent.booking(&reference).await["provider_ref"].as_str().unwrap().to_owned();
        Self { world, agency, agent, reference, order, fare }
    }

    async fn post(&self, what: &str, body: &Value) -> Reply {
        self.agent.post(&format!("/flights/bookings/{}/{what}", self.reference), body).await
    }

    /// All that could be flown instead of a journey, so many days after today.
    async fn available(&self, journey: usize, days: i64) -> Vec<Value> {
        let (from, to) = [("DEL", "BOM"), ("BOM", "DEL")][journey];
        let day = (self.world.now() + chrono::Duration::days(days)).date_naive();
        let body = json!({
            "origin": from, "destination": to, "new_date": day, "journey": journey, "include_changes": true,
        });
        self.post("reschedule-avail", &body).await.ok().as_array().unwrap().clone()
    }

    /// The changes among it, the cheapest first.
    async fn changes(&self, journey: usize, days: i64) -> Vec<Value> {
        let mut found = self.available(journey, days).await;
        found.retain(|one| one["way"] == "change");
        found
    }

    /// A change of the journey, of the first day that has one that fits.
    async fn change(&self, journey: usize, fits: impl Fn(Decimal) -> bool) -> Value {
        for days in [31, 44].map(|first| first..first + 12)[journey].clone() {
            let mut found = self.changes(journey, days).await.into_iter();
            if let Some(change) = found.find(|change| fits(total(change))) {
                return change;
            }
        }
        panic!("no day has such a change of journey {journey}");
    }

    /// One for which more is to be paid.
    async fn dearer(&self, journey: usize) -> Value {
        self.change(journey, |total| total > Decimal::ZERO).await
    }

    /// Changes of these journeys that are sold together and for which more is to be paid: the request, what they come to each alone,
    /// and the penalty.
    async fn dearer_together(&self, moved: &[usize]) -> (Value, Decimal, Value) {
        for later in 0..10 {
            let mut choices = vec![Vec::new()];
            for journey in moved {
                let found = self.changes(*journey, [31, 44][*journey] + later).await;
                let with = |chosen: &Vec<Value>, one: &Value| [chosen.clone(), vec![one.clone()]].concat();
                choices = choices
                    .iter()
                    .flat_map(|chosen| found.iter().map(move |one| with(chosen, one)))
                    .collect();
            }
            for chosen in choices.iter().rev() {
                let keys: Vec<&Value> = chosen.iter().map(|one| &one["fare_key"]).collect();
                let body = json!({ "fare_keys": keys, "journeys": moved });
                let asked = self.post("reschedule-penalty", &body).await;
                if asked.status == 409 {
                    continue;
                }
                let penalty = asked.ok();
                if amount(&penalty["total_reschedule_charge"]) > Decimal::ZERO {
                    return (body, chosen.iter().map(total).sum(), penalty);
                }
            }
        }
        panic!("no changes of {moved:?} cost more");
    }

    async fn reschedule(&self, keys: &[&Value]) -> Reply {
        self.post("reschedule", &json!({ "fare_keys": keys })).await
    }

    /// How many changes its supplier has carried out.
    async fn at_the_supplier(&self) -> usize {
        self.world.duffel(&format!("/air/orders/{}", self.order)).await["changes"].as_array().unwrap().len()
    }

    /// That it is as it was, and nothing is held.
    async fn is_untouched(&self) {
        assert_eq!(self.at_the_supplier().await, 0);
        assert_eq!(self.agent.balance().await, money() - self.fare);
        assert!(self.world.held().await.is_zero());
        let detail = self.agent.booking(&self.reference).await;
        assert_has!(detail, { "changes": [], "pending": [], "itinerary_sold": null });
        self.world.is_settled().await;
        self.world.books_agree().await;
    }

    /// That it was moved once, for so much.
    async fn is_changed(&self, total: Decimal) {
        assert_eq!(self.at_the_supplier().await, 1);
        assert_eq!(self.agent.balance().await, money() - self.fare - total);
        assert!(self.world.held().await.is_zero());
        let rows = "select agent_fare = supplier_amount and public_fare = agent_fare and ancillary = 0 and number = 1
            from fare_transactions where kind = 'change'";
        assert_eq!(self.world.lines(rows).await, ["true"]);
        self.world.is_settled().await;
        self.world.books_agree().await;
    }

    async fn events(&self, action: &str) -> String {
        self.world.line(&format!("select count(*) from events where action = '{action}'")).await
    }

    async fn later(&mut self, seconds: i64) {
        self.world.recover_in(seconds).await;
        self.agent = self.agency.log_in("arjun").await;
    }
}

/// What a change comes to, which its parts add up to.
pub(super) fn total(change: &Value) -> Decimal {
    let price = &change["pricing"]["change"];
    let total = amount(&price["total"]);
    assert_eq!(amount(&price["penalty"]) + amount(&price["difference"]), total, "{price}");
    total
}

/// When the flights of each journey leave.
fn flights(detail: &Value) -> Vec<Vec<Value>> {
    let segments = detail["itinerary"]["segments"].as_array().unwrap();
    let departure = |id: &Value| {
        let segment = segments.iter().find(|segment| segment["segment_id"] == *id);
        segment.unwrap_or_else(|| panic!("{id} of {detail}"))["departure"].clone()
    };
    let legs = detail["itinerary"]["legs"].as_array().unwrap().iter();
    legs.map(|leg| leg["segment_refs"].as_array().unwrap().iter().map(departure).collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_out_the_way_back_or_both_are_changed_and_nothing_else() {
    for moved in [vec![0], vec![1], vec![0, 1]] {
        let stage = Stage::start().await;
        let before = stage.agent.booking(&stage.reference).await;
        let (body, told, penalty) = stage.dearer_together(&moved).await;
        let charge = amount(&penalty["total_reschedule_charge"]);
        // Of two changes together the penalty is the order's, once.
        assert!(charge <= told && (moved.len() > 1 || charge == told), "{penalty}");
        assert_eq!(amount(&penalty["penalty"]) + amount(&penalty["fare_difference_agent"]), charge);
        assert_has!(penalty, { "journeys": moved });
        assert!(amount(&penalty["refund_to_wallet"]).is_zero());
        let changed = stage.post("reschedule", &body).await.ok();
        assert_has!(changed, {
            "new_booking/booking_ref": stage.reference, "new_booking/status": "CONFIRMED",
            "cancellation/booking_ref": stage.reference, "cancellation/status": "not_needed",
            "cancellation/journeys": moved,
        });
        assert!(amount(&changed["cancellation"]["refund_to_wallet"]).is_zero());
        stage.is_changed(charge).await;
        let after = stage.agent.booking(&stage.reference).await;
        for journey in [0, 1] {
            let is_moved = flights(&after)[journey] != flights(&before)[journey];
            assert_eq!(is_moved, moved.contains(&journey), "{after}");
        }
        assert_eq!(after["itinerary_sold"]["segments"].as_array().unwrap().len(), 2);
        assert_eq!(amount(&after["pricing"]["changes"]), charge);
        assert_eq!(amount(&after["pricing"]["total_payable"]), stage.fare + charge);
        assert_has!(after, { "status": "confirmed", "changes/0/state": "chosen" });
        assert_eq!(after["changes"].as_array().unwrap().len(), moved.len());
        assert_eq!(stage.events("booking.changed").await, "1");
        // The watch takes it for known.
        stage.agent.get(&format!("/flights/bookings/{}/retrieve", stage.reference)).await.ok();
        assert_eq!(stage.agent.booking(&stage.reference).await["changes"], after["changes"]);
        assert_eq!(stage.events("booking.airline_changed").await, "0");
        // A second time it is refused.
        assert_eq!(stage.changes(0, 33).await, Vec::<Value>::new());
        assert_eq!(stage.post("reschedule", &body).await.status, 409);
        stage.is_changed(charge).await;
        // What comes back of it then is what is flown now, and the penalty is lost.
        let back = amount(&stage.agent.cancels(&stage.reference).await["refund_to_wallet"]);
        assert!(back <= stage.fare + amount(&penalty["fare_difference_agent"]));
        assert_eq!(stage.agent.balance().await, money() - stage.fare - charge + back);
        stage.world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_ask_for_changes_is_told_of_none() {
    let stage = Stage::start().await;
    let day = (stage.world.now() + chrono::Duration::days(33)).date_naive();
    let body = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
    for one in stage.post("reschedule-avail", &body).await.ok().as_array().unwrap() {
        assert_eq!((one.get("way"), one["pricing"].get("change")), (None, None), "{one}");
    }
    let both = stage.available(0, 33).await;
    let ways: Vec<&Value> = both.iter().map(|one| &one["way"]).collect();
    assert!(ways.contains(&&json!("change")) && ways.contains(&&json!("rebook")), "{ways:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_change_gives_back_is_credited() {
    let stage = Stage::start().await;
    let change = stage.change(1, |total| total < Decimal::ZERO).await;
    let total = total(&change);
    let changed = stage.reschedule(&[&change["fare_key"]]).await.ok();
    assert_eq!(amount(&changed["cancellation"]["refund_to_wallet"]), -total);
    stage.is_changed(total).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_wallet_does_not_cover_is_not_changed() {
    let stage = Stage::start().await;
    let change = stage.dearer(1).await;
    // All of it is set aside for something else.
    stage.world.sql("update wallets set held = balance where balance > 0").await;
    let refused = stage.reschedule(&[&change["fare_key"]]).await;
    stage.world.sql("update wallets set held = 0").await;
    assert_eq!(refused.status, 402, "{}", refused.text);
    stage.is_untouched().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_moves_is_told_and_nothing_is_changed() {
    let stage = Stage::start().await;
    let change = stage.dearer(1).await;
    stage.world.next("change", "price_changed:20").await;
    stage.reschedule(&[&change["fare_key"]]).await.is(400, "fare has changed, please price again");
    stage.world.has_struck().await;
    stage.is_untouched().await;
    assert_eq!(stage.events("booking.journey_change_refused").await, "1");
    // It may be asked for again.
    stage.reschedule(&[&change["fare_key"]]).await.ok();
    stage.is_changed(total(&change)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_was_made_ready_without_an_answer_is_not_made() {
    for fault in ["drop_before", "drop_after", "status:500", "broken_json"] {
        let stage = Stage::start().await;
        let change = stage.dearer(0).await;
        stage.world.next("change", fault).await;
        let refused = stage.reschedule(&[&change["fare_key"]]).await;
        refused.is(503, "supplier is temporarily unavailable, please try again");
        stage.is_untouched().await;
    }
}

/// Who looks a step up that names no change yet refuses it in the end: nothing may be confirmed behind their back.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_somebody_else_looks_up_meanwhile_is_not_confirmed() {
    let mut stage = Stage::start().await;
    let change = stage.dearer(1).await;
    stage.world.next("change", "slow:1500").await;
    let taken = async {
        stage.world.has_struck().await;
        let taken = "update effects set attempts = attempts + 1 where kind = 'change' and state = 'open'";
        stage.world.sql(taken).await;
    };
    let keys = [&change["fare_key"]];
    let (pending, ()) = tokio::join!(stage.reschedule(&keys), taken);
    assert_eq!(pending.status, 202, "{}", pending.text);
    assert_eq!(stage.at_the_supplier().await, 0);
    stage.later(600).await;
    stage.is_untouched().await;
}

/// It is known by the name that its supplier gave it, whoever learns of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_known_by_its_supplier_s_name() {
    for fault in ["", "drop_after"] {
        let mut stage = Stage::start().await;
        let change = stage.dearer(1).await;
        if !fault.is_empty() {
            stage.world.next("ticket", fault).await;
        }
        stage.reschedule(&[&change["fare_key"]]).await;
        stage.later(60).await;
        stage.is_changed(total(&change)).await;
        let theirs = stage.world.duffel(&format!("/air/orders/{}", stage.order)).await;
        let named = stage.world.line("select supplier_change_id from order_changes").await;
        assert_eq!(theirs["changes"][0]["id"], named.as_str(), "{fault}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmation_without_an_answer_is_looked_up_and_sent_once_more() {
    for (fault, is_made) in
        [("drop_after", true), ("broken_json", false), ("drop_before", false), ("status:500", false)]
    {
        let mut stage = Stage::start().await;
        let change = stage.dearer(1).await;
        stage.world.next("ticket", fault).await;
        let pending = stage.reschedule(&[&change["fare_key"]]).await;
        assert_eq!(pending.status, 202, "{fault}: {}", pending.text);
        assert_has!(pending.json(), {
            "data/new_booking/booking_ref": stage.reference, "data/cancellation/status": "not_needed",
            "data/cancellation/refund_to_wallet": null, "message": "booking change is pending",
        });
        assert_eq!(stage.world.held().await, total(&change), "{fault}");
        assert_eq!(stage.agent.booking(&stage.reference).await["pending"][0]["what"], "change");
        let twice = stage.reschedule(&[&change["fare_key"]]).await;
        assert_eq!(twice.status, 409, "{}", twice.text);
        stage.later(60).await;
        if is_made {
            stage.is_changed(total(&change)).await;
            continue;
        }
        // The supplier has had its time: it is asked once more under the same name.
        stage.later(600).await;
        stage.is_changed(total(&change)).await;
    }
}

/// Whatever becomes of the second confirmation, there is no third one; a change that is not confirmed when it expires never will be.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_nobody_confirms_is_settled_when_it_expires() {
    for fault in ["status:500", "drop_before", "broken_json"] {
        let mut stage = Stage::start().await;
        let change = stage.dearer(1).await;
        stage.world.next_times("ticket", fault, 3).await;
        let pending = stage.reschedule(&[&change["fare_key"]]).await;
        assert_eq!(pending.status, 202, "{fault}: {}", pending.text);
        for _ in 0..3 {
            stage.later(300).await;
            assert_eq!(stage.world.held().await, total(&change), "{fault}");
        }
        assert_eq!(stage.world.strikes_left().await, 1, "{fault}");
        stage.later(1800).await;
        stage.later(600).await;
        stage.is_untouched().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_made_again_is_answered_the_same() {
    let stage = Stage::start().await;
    let change = stage.dearer(1).await;
    let path = format!("/flights/bookings/{}/reschedule", stage.reference);
    let body = json!({ "fare_keys": [change["fare_key"]] });
    let first = stage.agent.post_with_key(&path, "once", &body).await.ok();
    assert_eq!(first, stage.agent.post_with_key(&path, "once", &body).await.ok());
    stage.is_changed(total(&change)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_do_not_fit_are_refused_before_anybody_is_asked() {
    let stage = Stage::start().await;
    let (out, back) = (stage.dearer(0).await, stage.dearer(1).await);
    let found = stage.available(1, 44).await;
    let rebook = found.iter().find(|one| one["way"] == "rebook").unwrap();
    let (out, back, rebook) = (&out["fare_key"], &back["fare_key"], &rebook["fare_key"]);
    stage.reschedule(&[back, rebook]).await.is_invalid("{fare_keys must be all of changes, or none}");
    stage.reschedule(&[out, out]).await.is_invalid("{fare_keys must each be of another journey}");
    let body = json!({ "fare_keys": [back], "journeys": [0] });
    stage.post("reschedule", &body).await.is_invalid("{journeys must be those of the changes}");
    // One way of an order of both is still not booked anew alone.
    assert_eq!(stage.reschedule(&[rebook]).await.status, 409);
    // Another's key is none.
    let other = stage.agency.agent("meera", MONEY).await;
    let path = format!("/flights/bookings/{}/reschedule", stage.reference);
    assert_eq!(other.post(&path, &json!({ "fare_keys": [back] })).await.status, 404);
    let forged = format!("{}A", back.as_str().unwrap());
    assert_eq!(stage.reschedule(&[&json!(forged)]).await.status, 404);
    stage.is_untouched().await;
}
