//! Packages, terms, contracts and rates in every price that is shown, promised and charged.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_domain::Currency;
use wayfare_operations::{
    access::operators::By,
    operator::{self, Covered, TermsChange},
};
use wayfare_pricing::{MarkupKind, RateTable};
use wayfare_tests::{Agency, Person, World, WorldOptions, amount, one_way, round_trip};

/// Half away from zero, to the paisa.
fn paise(amount: Decimal) -> Decimal {
    amount.round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero)
}

/// A fee of 100 with 18 % GST, a charge of 25: 143 for each offer.
async fn with_terms(world: &World, agency: &Agency) {
    let terms = TermsChange {
        service_fee: Some((MarkupKind::Flat, dec!(100))),
        gst: Some(dec!(18)),
        platform_charge: Some(dec!(25)),
        ..TermsChange::default()
    };
    operator::set_terms(&world.platform, By::command_line(), &agency.code, terms).await.unwrap();
}

async fn with_contract(world: &World, agency: &Agency, percent: Decimal, airline: Option<&str>) {
    let covered = Covered { supplier: "duffel".to_owned(), airline: airline.map(str::to_owned), cabin: None };
    let (platform, kind) = (&world.platform, MarkupKind::Percent);
    operator::set_contract(platform, By::command_line(), &agency.code, covered, kind, percent).await.unwrap();
}

async fn package(admin: &Person, kind: &str, value: f64, apply_on: &str) -> String {
    let body = json!({
        "name": format!("{kind} {value} on {apply_on}"), "markup_type": kind, "markup_value": value,
        "markup_apply_on": apply_on,
    });
    admin.post("/org/packages", &body).await.succeeds(201)["id"].as_str().unwrap().to_owned()
}

async fn assign(admin: &Person, package: &str) {
    admin.post("/org/packages/assign", &json!({ "package_id": package })).await.says(200, "package assigned");
}

async fn assign_to(admin: &Person, agent: &Person, package: &str) {
    let path = format!("/org/packages/assign-agent/{}", agent.id);
    admin.post(&path, &json!({ "package_id": package })).await.says(200, "package assigned to agent");
}

/// What a price call says: base, total, public fare, commission, agent fare.
#[derive(Debug)]
struct Quoted {
    base: Decimal,
    total: Decimal,
    public_fare: Decimal,
    commission: Option<Decimal>,
    agent_fare: Decimal,
    answer: Value,
}

async fn quoted(agent: &Person) -> Quoted {
    let found = agent.search(&one_way("DEL", "BOM")).await;
    let offers = found["offers"].as_array().unwrap();
    // The dearest by what its supplier asks: by the agency's price another one may be when a contract comes.
    let shown = offers.iter().max_by_key(|offer| amount(&offer["price"]["total"])).unwrap();
    let answer = agent.price(shown["offer_id"].as_str().unwrap()).await.ok();
    let summary = &answer["price_summary"];
    let details = &summary["agent_details"];
    let base = amount(&summary["base_fare_total"]);
    let quoted = Quoted {
        base,
        total: base + amount(&summary["tax_total"]),
        public_fare: amount(&summary["public_fare"]),
        commission: details.get("agent_commission").map(amount),
        agent_fare: amount(&details["agent_fare"]),
        answer: answer.clone(),
    };
    // What the search showed is what the price promises.
    let price = &shown["price"];
    assert_eq!(amount(&price["total"]), quoted.total);
    assert_eq!(price["public_fare"], summary["public_fare"]);
    for name in ["agent_fare", "service_fee", "gst_on_service_fee", "platform_charge", "agent_commission"] {
        assert_eq!(price["agent_price"].get(name), details.get(name), "{name}");
    }
    assert_eq!(amount(&summary["total_payable"]), quoted.agent_fare);
    let fees = ["service_fee", "gst_on_service_fee", "platform_charge"].map(|name| amount(&details[name]));
    let fees: Decimal = fees.iter().sum();
    assert_eq!(quoted.agent_fare + quoted.commission.unwrap_or_default(), quoted.public_fare + fees);
    quoted
}

#[tokio::test(flavor = "multi_thread")]
async fn every_rule_shows_in_every_price() {
    let (world, agency, admin, agent) = World::start().await.and_people("1000000", "1000000").await;

    let bare = quoted(&agent).await;
    assert_eq!((bare.public_fare, bare.agent_fare, bare.commission), (bare.total, bare.total, None));

    // Terms and a contract hold for the very next request; without a package the platform keeps the commission.
    with_terms(&world, &agency).await;
    with_contract(&world, &agency, dec!(3), None).await;
    let platforms = quoted(&agent).await;
    assert_eq!((platforms.public_fare, platforms.commission), (bare.total, None));
    assert_eq!(platforms.agent_fare, bare.total + dec!(143));

    let five = package(&admin, "percent", 5.0, "fare").await;
    assign(&admin, &five).await;
    for person in [&agent, &admin] {
        let fare = quoted(person).await;
        let (markup, earned) = (paise(fare.base * dec!(0.05)), paise(fare.base * dec!(0.03)));
        assert_eq!((fare.base, fare.total), (bare.base, bare.total));
        assert_eq!(fare.public_fare, fare.total + markup);
        assert_eq!(fare.commission, Some(earned));
        assert_eq!(fare.agent_fare, fare.total + markup - earned + dec!(143));
    }

    // An agent's own package beats the agency's; another agent and the admin keep that.
    assign_to(&admin, &agent, &package(&admin, "flat", 250.0, "total").await).await;
    let own = quoted(&agent).await;
    assert_eq!(own.public_fare, own.total + dec!(250));
    let admins = quoted(&admin).await;
    assert_eq!(admins.public_fare, admins.total + paise(admins.base * dec!(0.05)));

    // Taken from the commission, the public fare stays the supplier's total; more than it there is not to take.
    let share = package(&admin, "percent", 40.0, "commission").await;
    assign_to(&admin, &agent, &share).await;
    let shared = quoted(&agent).await;
    let earned = paise(shared.base * dec!(0.03));
    assert_eq!(shared.public_fare, shared.total);
    assert_eq!(shared.commission, Some(earned - paise(earned * dec!(0.4))));

    // An airline's contract beats the one for all.
    let airline = shared.answer["itinerary_snapshot"]["segments"][0]["airline"].as_str().unwrap();
    with_contract(&world, &agency, dec!(7), Some(airline)).await;
    let better = quoted(&agent).await;
    let earned = paise(better.base * dec!(0.07));
    assert_eq!(better.commission, Some(earned - paise(earned * dec!(0.4))));

    // The operator's bounds are last.
    let bounds = TermsChange { min_commission: Some(dec!(1000000)), ..TermsChange::default() };
    operator::set_terms(&world.platform, By::command_line(), &agency.code, bounds).await.unwrap();
    let bounded = quoted(&agent).await;
    assert_eq!(bounded.commission, Some(bounded.public_fare));
    assert_eq!(bounded.agent_fare, dec!(143));
    let unbounded = TermsChange { min_commission: Some(dec!(0)), ..TermsChange::default() };
    operator::set_terms(&world.platform, By::command_line(), &agency.code, unbounded).await.unwrap();

    // One that is not active is as none: the agency's counts.
    let inactive = json!({
        "name": "Off", "markup_type": "percent", "markup_value": 40, "markup_apply_on": "commission",
        "is_active": false,
    });
    admin.put(&format!("/org/packages/{share}"), &inactive).await.ok();
    let fallen_back = quoted(&agent).await;
    assert_eq!(fallen_back.public_fare, fallen_back.total + paise(fallen_back.base * dec!(0.05)));
    admin.delete(&format!("/org/packages/{five}")).await.ok();
    let none = quoted(&agent).await;
    assert_eq!((none.public_fare, none.commission), (none.total, None));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_quoted_and_booked_stays_when_its_package_changes_or_goes() {
    for change in ["edit", "unassign", "delete"] {
        let (world, agency, admin, agent) = World::start().await.and_people("0", "1000000").await;
        with_terms(&world, &agency).await;
        with_contract(&world, &agency, dec!(3), None).await;
        let five = package(&admin, "percent", 5.0, "fare").await;
        assign(&admin, &five).await;
        let trip = one_way("DEL", "BOM");
        let (booked_before, quote) = (quoted(&agent).await, quoted(&agent).await);
        let booked = agent.book(&agent.order(&booked_before.answer, &trip)).await.ok();
        assert_eq!(amount(&booked["total_amount"]), booked_before.agent_fare);
        let reference = booked["booking_ref"].as_str().unwrap();
        let before = (
            agent.booking(reference).await,
            agent.get("/me/fare-transactions").await.ok(),
            agent.penalty(reference).await.ok(),
        );
        let details = &before.0["pricing"]["agent_details"];
        let markup = paise(booked_before.base * dec!(0.05));
        assert_eq!(amount(&details["markup_amount"]), markup);
        assert_eq!(amount(&details["agent_fare"]), booked_before.agent_fare);

        match change {
            "edit" => {
                let body = json!({ "name": "Ninety", "markup_type": "percent", "markup_value": 90 });
                admin.put(&format!("/org/packages/{five}"), &body).await.ok();
            }
            "unassign" => {
                admin.delete("/org/packages/assign").await.says(200, "package unassigned");
            }
            _ => {
                admin.delete(&format!("/org/packages/{five}")).await.says(200, "package deleted");
            }
        }
        assert_ne!(quoted(&agent).await.agent_fare, quote.agent_fare, "{change}");

        // What was promised is kept.
        let kept = agent.book(&agent.order(&quote.answer, &trip)).await;
        let kept = kept.ok();
        assert_eq!(amount(&kept["total_amount"]), quote.agent_fare, "{change}");
        agent.cancel(kept["booking_ref"].as_str().unwrap()).await.ok();

        let after = (agent.booking(reference).await, agent.penalty(reference).await.ok());
        assert_eq!((&before.0, &before.2), (&after.0, &after.1), "{change}");
        let rows = agent.get("/me/fare-transactions").await.ok()["transactions"].clone();
        assert_eq!(rows.as_array().unwrap().last(), before.1["transactions"].get(0), "{change}");
        let sold = &before.1["transactions"][0];
        assert_eq!(amount(&sold["public_fare"]), booked_before.total + markup);
        assert_eq!(amount(&sold["agent_commission"]), booked_before.commission.unwrap());

        // The refund is what the penalty said, and takes the commission back in proportion.
        let balance = agent.balance().await;
        agent.cancel(reference).await.ok();
        let refund = amount(&before.2["refund_amount"]);
        assert_eq!(agent.balance().await - balance, refund);
        let rows = agent.get("/me/fare-transactions").await.ok();
        let refunded = &rows["transactions"][0];
        assert_eq!(amount(&refunded["agent_fare"]), -refund);
        let given_back = booked_before.total - amount(&before.2["penalty"]);
        let back = |part: Decimal| -paise(part * given_back / booked_before.total);
        assert_eq!(amount(&refunded["agent_commission"]), back(booked_before.commission.unwrap()));
        assert_eq!(amount(&refunded["public_fare"]), back(booked_before.public_fare));
        assert_has!(agent.get("/me/stats").await.ok(), {
            "total_spent": rows["summary"]["total_agent_fare"],
            "total_commissions": rows["summary"]["total_agent_commission"],
        });
        world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_markup_that_was_earned_is_settled_once() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", "1000000").await;
    assign(&admin, &package(&admin, "flat", 250.0, "fare").await).await;
    for _ in 0..2 {
        agent.buy(one_way("DEL", "BLR")).await;
    }
    let finance = admin.get("/org/finance-summary").await.ok();
    assert_eq!(finance["by_supplier"][0]["markup"].to_string(), "500.00");
    let settle = || operator::settle_markup(&world.platform, By::command_line(), &agency.code, None);
    let (one, other) = futures_util::join!(settle(), settle());
    assert_eq!([one, other].iter().filter(|paid| matches!(paid, Ok(Some(_)))).count(), 1);
    assert_eq!(admin.balance().await, dec!(500));
    let row = admin.get("/org/wallet/transactions").await.json()["data"][0].clone();
    assert_has!(row, { "description": "markup settled", "ref_type": "topup" });
    assert_eq!(row["amount"].to_string(), "500.00");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_currency_shows_the_charged_price_converted() {
    let rates = RateTable::default().with(Currency::INR, Currency::JPY, dec!(1.79)).unwrap();
    let world = World::with(WorldOptions { rates, ..WorldOptions::default() }).await;
    let (world, agency, admin, agent) = world.and_people("0", "1000000").await;
    with_terms(&world, &agency).await;
    with_contract(&world, &agency, dec!(3), None).await;
    assign(&admin, &package(&admin, "flat", 250.0, "fare").await).await;
    let mut trip = round_trip("DEL", "BOM").party(2, 1, 1);
    let charged = agent.search(&trip).await;
    trip.currency = Some("JPY");
    let shown = agent.search(&trip).await;
    let yen = |amount: Decimal| {
        (amount * dec!(1.79)).round_dp_with_strategy(0, rust_decimal::RoundingStrategy::MidpointAwayFromZero)
    };
    let offers = charged["offers"].as_array().unwrap().iter().zip(shown["offers"].as_array().unwrap());
    let mut count = 0;
    for (charged, shown) in offers {
        let (charged, shown) = (&charged["price"], &shown["price"]);
        assert_eq!(shown["currency"], "JPY");
        for name in ["service_fee", "gst_on_service_fee", "platform_charge", "agent_commission"] {
            let (charged, shown) = (&charged["agent_price"][name], &shown["agent_price"][name]);
            assert_eq!(amount(shown), yen(amount(charged)), "{name}");
        }
        let part = |name: &str| amount(&shown["agent_price"][name]);
        let fees = part("service_fee") + part("gst_on_service_fee") + part("platform_charge");
        assert_eq!(part("agent_fare") + part("agent_commission"), amount(&shown["public_fare"]) + fees);
        // Fees that are amounts are yen too, and not as many yen as they were rupees.
        assert_eq!(part("service_fee"), dec!(179));
        let off = amount(&shown["public_fare"]) - yen(amount(&charged["public_fare"]));
        assert!(off.abs() <= dec!(1), "{off}");
        count += 1;
    }
    assert!(count > 10);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_that_became_dearer_by_our_own_rules_is_not_booked_unseen() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "1000000").await;
    let trip = one_way("DEL", "BOM");
    let offer = agent.offer(&trip).await;
    let cheap = agent.price(&offer).await.ok();
    let mut order = agent.order(&cheap, &trip);
    order.as_object_mut().unwrap().remove("booking_keys");
    order["offer_ids"] = json!([offer]);
    assign(&admin, &package(&admin, "flat", 0.01, "fare").await).await;
    agent.book(&order).await.is(400, "fare has changed, please price again");
    admin.delete("/org/packages/assign").await.ok();
    assert_eq!(agent.book(&order).await.ok()["total_amount"], cheap["price_summary"]["total_payable"]);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operators_rate_counts_from_the_very_next_request() {
    let world = World::with(WorldOptions { supplier_currency: "GBP", ..WorldOptions::default() }).await;
    let agent = world.agency().await.agent("arjun", "5000000").await;
    let trip = round_trip("DEL", "LHR");
    let (platform, to) = (&world.platform, Currency::INR);
    let rate = async |rate| {
        operator::set_rate(platform, By::command_line(), Currency::GBP, to, rate).await.unwrap();
    };
    assert_eq!(agent.search(&trip).await["offers"], json!([]));
    rate(dec!(100)).await;
    let offer = agent.offer(&trip).await;
    rate(dec!(110)).await;
    let priced = agent.price(&offer).await.ok();
    let change = &priced["price_change"];
    assert_eq!(amount(&change["old_total"]) * dec!(1.1), amount(&change["new_total"]));
    assert_eq!(amount(&priced["price_summary"]["exchange_rate"]), dec!(110));
    // The quote keeps its rate.
    rate(dec!(1000)).await;
    assert_eq!(agent.book(&agent.order(&priced, &trip)).await.ok()["total_amount"], change["new_total"]);
    world.books_agree().await;
}
