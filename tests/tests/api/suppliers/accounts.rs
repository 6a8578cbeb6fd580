//! The operator's account with a supplier: one that can't pay is an outage, closes the supplier for new sales, and is
//! nobody else's business.

use futures_util::future::join_all;
use rust_decimal::{Decimal, dec};
use serde_json::Value;
use tokio::{net::TcpListener, time::timeout};
use wayfare_domain::Currency;
use wayfare_launch::SupplierKind;
use wayfare_operations::{
    access::operators::By,
    operator::{self, Transfer, WalletOf},
    worker,
};
use wayfare_tests::{
    LONG, MONEY, Person, Pick, Reply, Seller, Trip, World, WorldOptions, amount, one_way, sells_stays,
    stay_at,
};

const UNAVAILABLE: &str = "supplier is temporarily unavailable, please try again";

/// The alarms that are open: of which supplier, and what.
async fn alarms(world: &World) -> Vec<String> {
    let query = "select supplier || ' ' || kind from supplier_alarms where closed_at is null order by 1";
    world.lines(query).await
}

async fn look_after(world: &World) {
    worker::look_after_suppliers(&world.platform).await.unwrap();
}

async fn state(world: &World, supplier: &str, balance: Decimal) {
    operator::state_balance(&world.platform, By::command_line(), supplier, balance, Currency::INR)
        .await
        .unwrap();
    look_after(world).await;
}

/// That it is the outage, that nobody reads of an account, and that nothing is held.
async fn is_outage(world: &World, reply: &Reply, code: &str) {
    reply.is(503, UNAVAILABLE);
    assert!(!reply.header("retry-after").is_empty());
    assert_eq!(reply.json()["data"]["reason"]["code"], code, "{}", reply.text);
    for account in ["balance", "deposit", "wallet", "credit", "payment"] {
        assert!(!reply.text.contains(account), "{}", reply.text);
    }
    assert!(world.held().await.is_zero());
}

/// How a search says that the supplier did.
async fn search_says(agent: &Person, trip: &Trip, supplier: &str) -> (String, Value) {
    let found = agent.search(trip).await;
    let status = found["search_meta"]["provider_status"][supplier]["status"].as_str();
    (status.unwrap().to_owned(), found["debug"]["provider_errors"][supplier].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_account_closes_the_supplier_until_it_can_pay() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let before = agent.buy(one_way("DEL", "BOM")).await;
    let spent = agent.balance().await;
    let trip = one_way("LGW", "STN");
    let (first, second) = (agent.quote(&trip).await, agent.quote(&trip).await);
    let unpriced = agent.offer(&trip).await;

    is_outage(&world, &agent.book(&agent.order(&first, &trip)).await, "unavailable").await;
    assert_eq!(agent.balance().await, spent);
    assert_eq!(alarms(&world).await, ["duffel account_empty"]);
    let failed = agent.get("/flights/bookings?status=failed").await;
    assert_eq!(failed.json()["data"].as_array().unwrap().len(), 1);
    assert!(!failed.text.contains("wallet"), "{}", failed.text);

    // Nothing new is sold, and nobody asks Duffel.
    is_outage(&world, &agent.book(&agent.order(&second, &trip)).await, "not_for_sale").await;
    is_outage(&world, &agent.price(&unpriced).await, "not_for_sale").await;
    let (status, why) = search_says(&agent, &one_way("DEL", "BOM"), "duffel").await;
    assert_eq!(status, "skipped");
    assert!(why.to_string().contains("not for sale now"), "{why}");
    assert_eq!(alarms(&world).await, ["duffel account_empty"]);
    // What was sold is looked after.
    agent.penalty(&before.reference).await.ok();
    agent.cancels(&before.reference).await;
    look_after(&world).await;
    assert_eq!(search_says(&agent, &trip, "duffel").await.0, "skipped");

    // Too little for what could not be paid, then enough.
    state(&world, "duffel", dec!(0.01)).await;
    assert_eq!(search_says(&agent, &trip, "duffel").await.0, "skipped");
    state(&world, "duffel", dec!(9000000)).await;
    assert_eq!(search_says(&agent, &trip, "duffel").await.0, "success");
    assert!(alarms(&world).await.is_empty());
    assert_eq!(world.lines("select closed_by from supplier_alarms").await, ["itself"]);
    agent.buy(one_way("DEL", "BOM")).await;
    world.books_agree().await;
}

/// A server dies while the supplier keeps it waiting for what the account holds.
#[tokio::test(flavor = "multi_thread")]
async fn a_look_at_an_account_whose_server_dies_is_made_by_another_when_its_lease_has_ended() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let options = WorldOptions::of([Seller::of("silent", SupplierKind::TripJack).at(&url)]);
    let world = World::with(options.frozen()).await;
    let look = || {
        let platform = world.platform.clone();
        tokio::spawn(async move { worker::look_after_suppliers(&platform).await })
    };
    let dying = look();
    let asked = silent.accept().await.unwrap();
    dying.abort();
    drop(asked);
    world.pass(29);
    look().await.unwrap().unwrap();
    world.pass(2);
    let next = look();
    timeout(LONG, silent.accept()).await.expect("nobody looks").unwrap();
    next.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn many_bookings_at_an_empty_account_raise_one_alarm() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let trip = one_way("LGW", "STN");
    let mut orders = Vec::new();
    for _ in 0..4 {
        orders.push(agent.order_for(&trip).await);
    }
    for reply in &join_all(orders.iter().map(|order| agent.book(order))).await {
        reply.is(503, UNAVAILABLE);
    }
    assert!(world.held().await.is_zero());
    assert_eq!(alarms(&world).await, ["duffel account_empty"]);
    assert_eq!(world.line("select count(*) from supplier_alarms").await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_route_of_an_empty_account_empties_that_of_each_supplier_of_flights() {
    for seller in Seller::of_flights() {
        let supplier = seller.code;
        let (world, _, agent) = World::with(WorldOptions::of([seller])).await.and_agent("10000000").await;
        let refused = agent.try_buy(&one_way("LGW", "STN")).await;
        is_outage(&world, &refused, "unavailable").await;
        assert_eq!(alarms(&world).await, [format!("{supplier} account_empty")]);
        assert!(world.supplier_orders().await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_supplier_tells_of_an_empty_account_in_its_own_way() {
    for seller in Seller::all() {
        let (supplier, kind) = (seller.code, seller.kind);
        let (world, _, agent) = World::with(WorldOptions::of([seller])).await.and_agent("10000000").await;
        let refused = if sells_stays(kind) {
            let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
            let priced = agent.price_stay(&stay).await.ok();
            world.next_at(supplier, "book", "deposit_empty").await;
            agent.book_stay(&stay, &priced).await
        } else {
            let order = agent.order_for(&one_way("DEL", "BOM")).await;
            world.next_at(supplier, "book", "deposit_empty").await;
            agent.book(&order).await
        };
        is_outage(&world, &refused, "unavailable").await;
        assert_eq!(alarms(&world).await, [format!("{supplier} account_empty")]);
        let closed = "select closed_reason from supplier_accounts where closed_at is not null";
        assert_eq!(world.lines(closed).await, ["account_empty"]);
        world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_tells_its_balance_opens_by_itself() {
    let (world, _, agent) =
        World::with(WorldOptions::of([Seller::tripjack()])).await.and_agent("10000000").await;
    let trip = one_way("DEL", "BOM");
    let order = agent.order_for(&trip).await;
    world.next_at("tripjack", "book", "deposit_empty").await;
    agent.book(&order).await.is(503, UNAVAILABLE);
    assert_eq!(search_says(&agent, &trip, "tripjack").await.0, "skipped");
    // It is looked at right after it could not pay, and has enough.
    look_after(&world).await;
    assert_eq!(search_says(&agent, &trip, "tripjack").await.0, "success");
    assert!(alarms(&world).await.is_empty());
    let account = operator::supplier_account(&world.platform, "tripjack").await.unwrap().account.unwrap();
    assert!(account.available.unwrap().0 > dec!(1000000));
    assert!(!account.stated);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_closes_and_opens_and_nothing_else_undoes_it() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let (platform, trip) = (&world.platform, one_way("DEL", "BOM"));
    operator::close_supplier(platform, By::command_line(), "duffel", "contract ended").await.unwrap();
    look_after(&world).await;
    assert_eq!(search_says(&agent, &trip, "duffel").await.0, "skipped");
    state(&world, "duffel", dec!(9000000)).await;
    assert_eq!(search_says(&agent, &trip, "duffel").await.0, "skipped");
    assert!(alarms(&world).await.is_empty());
    assert!(operator::open_supplier(platform, By::command_line(), "duffel", None).await.unwrap());
    look_after(&world).await;
    assert_eq!(search_says(&agent, &trip, "duffel").await.0, "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_reason_of_the_operator_has_a_card_number() {
    let (world, agency) = World::start().await.and_agency().await;
    let platform = &world.platform;
    let wallet = WalletOf { agency: agency.code.clone(), username: None };
    let card = "paid by 4111 1111 1111 1111";
    let told = Some(card);
    let before = world.line("select count(*) from transfers").await;
    let moved =
        operator::transfer(platform, By::command_line(), &wallet, Transfer::TopUp, dec!(1), told, None).await;
    let wrong = "{reason must not contain a card number}";
    assert_eq!(moved.unwrap_err().to_string(), wrong);
    let closed = operator::close_supplier(platform, By::command_line(), "duffel", card).await;
    assert_eq!(closed.unwrap_err().to_string(), wrong);
    let opened = operator::open_supplier(platform, By::command_line(), "duffel", told).await;
    assert_eq!(opened.unwrap_err().to_string(), "{note must not contain a card number}");
    assert_eq!(world.line("select count(*) from transfers").await, before);
    // A bank's reference is none.
    let told = Some("NEFT ref 20261127153009");
    operator::transfer(platform, By::command_line(), &wallet, Transfer::TopUp, dec!(1), told, None)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_ordered_is_taken_off_a_stated_balance_and_limits_warn_and_stop() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let platform = &world.platform;
    state(&world, "duffel", dec!(1000000)).await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let account = operator::supplier_account(platform, "duffel").await.unwrap();
    let charged = amount(&world.supplier_orders().await[0]["amount"]);
    assert_eq!(account.account.unwrap().available.unwrap().0, dec!(1000000) - charged, "{}", bought.fare);
    let limits = async |warn: Decimal, stop: Option<Decimal>| {
        operator::set_supplier_limits(platform, By::command_line(), "duffel", Some(warn), stop)
            .await
            .unwrap();
        look_after(&world).await;
    };
    limits(dec!(1000000), None).await;
    assert_eq!(alarms(&world).await, ["duffel account_low"]);
    agent.buy(one_way("DEL", "BOM")).await;
    limits(dec!(1000000), Some(dec!(1000000))).await;
    assert_eq!(alarms(&world).await, ["duffel account_empty", "duffel account_low"]);
    assert_eq!(search_says(&agent, &one_way("DEL", "BOM"), "duffel").await.0, "skipped");
    limits(dec!(10), Some(dec!(5))).await;
    assert!(alarms(&world).await.is_empty());
    assert_eq!(search_says(&agent, &one_way("DEL", "BOM"), "duffel").await.0, "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_counted_by_supplier_and_reason() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    for fault in ["sold_out", "refused", "refused"] {
        let offer = agent.offer(&one_way("DEL", "BOM")).await;
        world.next("price", fault).await;
        assert_eq!(agent.price(&offer).await.status, 409);
    }
    look_after(&world).await;
    let account = operator::supplier_account(&world.platform, "duffel").await.unwrap();
    let counted: Vec<(&str, i64)> =
        account.refusals.iter().map(|row| (row.reason.as_str(), row.refusals)).collect();
    assert_eq!(counted, [("refused", 2), ("sold_out", 1)]);
}
