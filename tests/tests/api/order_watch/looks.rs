//! When orders are polled, by whom, and how often a supplier may be asked.

use wayfare_operations::worker;
use wayfare_tests::{LASTS, MONEY, Seller, World, WorldOptions, one_way, round_trip};

use super::stage;

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_is_looked_at_until_its_travel_is_over() {
    for seller in Seller::all() {
        let mut stage = stage(seller).await;
        let supplier = stage.supplier;
        let due = "select next_poll_at is not null and travel_at is not null from supplier_orders";
        assert_eq!(stage.world.line(due).await, "true", "{supplier}");
        let over = "select coalesce((next_poll_at is null)::text, '') from supplier_orders";
        while stage.world.line(over).await != "true" {
            stage.next_look().await;
            assert!(stage.looks().await < 200, "{supplier}: it never ends");
        }
        let ended = "select (travel_ends < to_timestamp(extract(epoch from updated_at))
            + interval '400 days')::text from supplier_orders";
        assert_eq!(stage.world.line(ended).await, "true");
        let passed = stage.world.now().timestamp() - 1_800_000_000;
        // Thirty days to the travel, and one after it.
        assert!((30 * 86_400..36 * 86_400).contains(&passed), "{supplier}: {passed} s");
        let least = if stage.is_stay { 15 } else { 40 };
        assert!(stage.looks().await > least, "{supplier}: {} looks", stage.looks().await);
        assert_eq!(stage.status().await, "confirmed");
        stage.world.tend_watch().await;
        assert_eq!(stage.world.line(over).await, "true", "nobody takes it up again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suppliers_silence_changes_nothing_but_when_it_is_asked_again() {
    for seller in Seller::all() {
        let mut stage = stage(seller).await;
        let supplier = stage.supplier;
        let content = stage.world.line("select content from supplier_orders").await;
        for (fault, minutes) in
            [("drop_before", 5), ("status:500", 10), ("broken_json", 20), ("rate_limited", 40)]
        {
            stage.world.next_at(supplier, "lookup", fault).await;
            stage.next_look().await;
            let now = stage.world.now().timestamp();
            let waits = format!("extract(epoch from next_poll_at - to_timestamp({now}))::bigint / 60");
            let waits = stage.world.line(&format!("select {waits} from supplier_orders")).await;
            assert_eq!(waits, minutes.to_string(), "{fault} at {supplier}");
        }
        assert_eq!(stage.status().await, "confirmed");
        assert_eq!(stage.world.line("select content from supplier_orders").await, content);
        stage.next_look().await;
        assert_eq!(stage.world.line("select looks_failed from supplier_orders").await, "0");
    }
}

/// Unlike silence, an answer that nobody can read may be the same for ever.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_nobody_can_read_is_told_to_the_operator_once_and_silence_is_not() {
    let pending = "supplier still processing";
    for (seller, faults) in [
        (Seller::duffel(), &[("says:id=null", "unreadable"), ("broken_json", "unreadable")][..]),
        (Seller::tripjack(), &[("says:status={}", "unreadable"), ("says:order=null", "unreadable")]),
        (
            Seller::liteapi(),
            &[
                ("says:status={}", "unreadable"),
                ("broken_json", "unreadable"),
                (r#"says:status="ON_REQUEST""#, pending),
            ],
        ),
        (
            Seller::hotelbeds(),
            &[
                ("says:status=null", "unreadable"),
                ("says:booking=null", "unreadable"),
                (r#"says:status="ON_REQUEST""#, pending),
            ],
        ),
    ] {
        for (fault, shown) in faults {
            let mut stage = stage(seller.clone()).await;
            let supplier = stage.supplier;
            let case = format!("{fault} at {supplier}");
            let open = "select count(*) from exceptions";
            for silence in ["drop_before", "status:500", "status:503", "drop_before"] {
                stage.world.next_at(supplier, "lookup", silence).await;
                stage.next_look().await;
            }
            assert_eq!(stage.world.line(open).await, "0", "{case}");
            // It is there again, so that it has all of its time.
            stage.next_look().await;
            for looks in 1..5 {
                stage.world.next_at(supplier, "lookup", fault).await;
                stage.next_look().await;
                let told = if looks < 3 { "0" } else { "1" };
                assert_eq!(stage.world.line(open).await, told, "{case}: look {looks}");
            }
            // What was noted is not told again until the order was seen.
            let noted = "update exceptions set closed_at = raised_at, closed_by = 'operator', outcome = 'noted', note = 'it stands'";
            stage.world.sql(noted).await;
            for _ in 0..3 {
                stage.world.next_at(supplier, "lookup", fault).await;
                stage.next_look().await;
            }
            assert_eq!(stage.world.line(open).await, "1", "{case}");
            let said =
                "select kind || ' ' || (details ->> 'here') || ' ' || (details ->> 'shown') from exceptions";
            let said = stage.world.line(said).await;
            assert!(said.starts_with(&format!("order_unsettled confirmed {shown}")), "{case}: {said}");
            assert_eq!(stage.status().await, "confirmed", "{case}");
        }
    }
}

/// Four orders at TripJack, of which some are looked at every hour.
struct Several {
    world: World,
}

impl Several {
    const FIRST: &str = "supplier_order_id = (select min(supplier_order_id) from supplier_orders)";
    const OTHERS: &str = "supplier_order_id > (select min(supplier_order_id) from supplier_orders)";

    async fn start() -> Self {
        let options = WorldOptions::of([Seller::tripjack()]).frozen();
        let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
        for _ in 0..4 {
            agent.buy(one_way("DEL", "BOM")).await;
        }
        Self { world }
    }

    /// An hour later these are looked at.
    async fn look(&self, which: &str) {
        self.world.pass(3_600);
        let now = self.world.now().timestamp();
        let due = format!("case when {which} then to_timestamp({now}) end");
        self.world.sql(&format!("update supplier_orders set next_poll_at = {due}")).await;
        self.world.watch().await;
    }

    /// The same while its supplier does this.
    async fn look_under(&self, which: &str, fault: &str) {
        self.world.next_times_at("tripjack", "lookup", fault, 1_000).await;
        self.look(which).await;
        self.world.all_is_well().await;
    }

    async fn count(&self, query: &str) -> String {
        self.world.line(&format!("select count(*) from {query}")).await
    }
}

/// Of a supplier that is away alarms tell; of one order that it never shows nobody else does.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_of_which_its_supplier_says_nothing_for_a_day_is_told_to_the_operator() {
    for fault in ["status:500", "drop_before"] {
        let orders = Several::start().await;
        let begun = orders.world.now();
        while orders.count("exceptions").await == "0" {
            orders.look_under(Several::FIRST, fault).await;
            orders.look(Several::OTHERS).await;
            // What keeps failing opens the breaker, and what is rated limited is left alone.
            assert!((orders.world.now() - begun).num_hours() < 40, "{fault}");
        }
        assert!((orders.world.now() - begun).num_hours() > 24, "{fault}");
        let first = orders.world.line("select min(supplier_order_id) from supplier_orders").await;
        let told = "select kind || ' ' || (details ->> 'order_id') from exceptions";
        assert_eq!(orders.world.line(told).await, format!("order_unsettled {first}"));
    }
}

/// What happens to all orders of a supplier is its trouble: nobody needs an incident of each.
#[tokio::test(flavor = "multi_thread")]
async fn what_happens_to_all_orders_of_a_supplier_is_no_incident_of_each() {
    for (fault, outage) in [("says:order=null", 6), ("status:500", 30)] {
        let orders = Several::start().await;
        for _ in 0..outage {
            orders.look_under("true", fault).await;
        }
        assert_eq!(orders.count("supplier_orders where failing_since is not null").await, "4");
        assert_eq!(orders.count("exceptions").await, "0", "{fault}");
        // They are shown again, but for one, which may be the last that the outage met. A breaker that was open lets one call
        // through, and the rest once that has come back.
        orders.look(Several::OTHERS).await;
        orders.look(Several::OTHERS).await;
        assert_eq!(orders.count("supplier_orders where failing_since is not null").await, "1");
        orders.look_under(Several::FIRST, fault).await;
        assert_eq!(orders.count("exceptions").await, "0", "{fault}");
        orders.look_under(Several::FIRST, fault).await;
        assert_eq!(orders.count("exceptions").await, "1", "{fault}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_servers_each_look_is_made_once() {
    let options = WorldOptions::default().frozen();
    let (world, _, agent) = World::with(options.clone()).await.and_agent(MONEY).await;
    let other = options.platform(world.database.database.clone(), world.sandbox_url());
    for _ in 0..4 {
        agent.buy(one_way("DEL", "BOM")).await;
    }
    world.pass(86_400);
    let (one, two) =
        tokio::join!(worker::watch_due_orders(&world.platform), worker::watch_due_orders(&other));
    one.and(two).unwrap();
    assert_eq!(world.line("select sum(looks) from supplier_looks").await, "4");
    let polled = "select string_agg(distinct poll_count::text, ' ') from supplier_orders";
    assert_eq!(world.line(polled).await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn when_no_more_looks_are_left_who_travels_first_goes_first_and_who_waits_is_told() {
    let options = WorldOptions { watch_per_hour: Some(2), ..WorldOptions::default().frozen() };
    let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
    for days in [40, 20, 30] {
        let mut trip = one_way("DEL", "BOM");
        trip.slices[0].2 = days;
        agent.buy(trip).await;
    }
    world.pass(86_400);
    world.watch().await;
    world.watch().await;
    let seen = "select string_agg(poll_count::text, ' ' order by travel_at desc) from supplier_orders";
    assert_eq!(world.line(seen).await, "0 1 1");
    world.pass(3_600);
    world.watch().await;
    assert_eq!(world.line(seen).await, "1 1 1");
    assert_eq!(world.lines("select looks::text from supplier_looks order by hour").await, ["2", "1"]);
    // All are due, and the supplier lets two of them through.
    world.sql("update supplier_orders set next_poll_at = next_poll_at - interval '30 days'").await;
    world.tend_watch().await;
    let alarms = "select kind || coalesce(' ' || closed_by, '') from supplier_alarms";
    assert_eq!(world.lines(alarms).await, ["looks_exhausted"]);
    for _ in 0..2 {
        world.pass(3_600);
        world.watch().await;
    }
    world.tend_watch().await;
    assert_eq!(world.lines(alarms).await, ["looks_exhausted itself"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_of_before_are_watched_too_and_not_all_at_once() {
    let options = WorldOptions::of([Seller::duffel(), Seller::tripjack()]).frozen();
    let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
    agent.buy(round_trip("DEL", "BOM")).await;
    agent.buy(one_way("DEL", "BOM")).await;
    // As they were written before.
    world.sql("update supplier_orders set next_poll_at = null, travel_at = null, travel_ends = null").await;
    world.watch().await;
    world.tend_watch().await;
    let within =
        "select count(*) from supplier_orders where travel_at is not null and travel_ends >= travel_at
        and next_poll_at between to_timestamp(1800000000) and to_timestamp(1800000000) + interval '1 day'";
    let all = world.line("select count(*) from supplier_orders").await;
    assert_eq!(world.line(within).await, all);
    assert_eq!(world.line("select count(*) from supplier_looks").await, "0");
    // One whose clock a server of before has stopped.
    world.sql("update supplier_orders set next_poll_at = null").await;
    world.tend_watch().await;
    assert_eq!(world.line(within).await, all);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_while_it_looks_costs_a_lease_and_no_news() {
    let options = WorldOptions::default().frozen();
    let (world, _, agent) = World::with(options.clone()).await.and_agent(MONEY).await;
    let other = options.platform(world.database.database.clone(), world.sandbox_url());
    agent.buy(one_way("DEL", "BOM").by("ZZ")).await;
    world.airline_puts_off(&world.line("select supplier_order_id from supplier_orders").await, 90).await;
    world.pass(86_400);
    world.next("lookup", LASTS).await;
    let dying = tokio::spawn(async move { worker::watch_due_orders(&other).await });
    world.has_struck().await;
    dying.abort();
    world.all_is_well().await;
    let told = "select count(*) from events where action = 'booking.airline_changed'";
    world.watch().await;
    assert_eq!(world.line(told).await, "0", "it is leased");
    world.pass(31);
    world.watch().await;
    world.watch().await;
    assert_eq!(world.line(told).await, "1");
    assert_eq!(world.line("select sum(looks) from supplier_looks").await, "2");
}
