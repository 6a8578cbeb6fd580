//! Leases of steps between two servers: who sends a step keeps it, who ends gives it back.

use std::time::Duration;

use chrono::TimeDelta;
use wayfare_domain::Clock;
use wayfare_operations::{core::shared_time, worker};
use wayfare_tests::{LASTS, MONEY, World, WorldOptions, eventually, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_is_sent_is_nobody_elses_until_its_server_ends_which_gives_it_back() {
    let options = WorldOptions { patience: Duration::from_millis(200), ..WorldOptions::default().frozen() };
    let (world, _, agent) = World::with(options.clone()).await.and_agent(MONEY).await;
    let other = options.platform(world.database.database.clone(), world.sandbox_url());
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", LASTS).await;
    agent.book(&order).await.succeeds(202);
    world.has_struck().await;
    world.pass(29);
    assert_eq!(worker::recover_due(&other).await.unwrap(), 0, "it is sent");
    worker::give_back(&world.platform.engine).await.unwrap();
    assert_eq!(worker::recover_due(&other).await.unwrap(), 1, "it was given back");
    assert_eq!(world.line("select state from effects").await, "open");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_only_server_ends_the_leases_of_the_one_before_it() {
    let options = WorldOptions { patience: Duration::from_millis(200), ..WorldOptions::default().frozen() };
    let (world, _, agent) = World::with(options.clone()).await.and_agent(MONEY).await;
    let next = options.platform(world.database.database.clone(), world.sandbox_url());
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", LASTS).await;
    agent.book(&order).await.succeeds(202);
    world.has_struck().await;
    assert_eq!(worker::recover_due(&next).await.unwrap(), 0, "it is leased");
    worker::void_leases(&next).await.unwrap();
    assert_eq!(worker::recover_due(&next).await.unwrap(), 1);
}

/// One server's clock is ten minutes ahead, another's ten minutes behind: neither takes what the first holds, nor takes it for
/// refused too early, nor leaves it for later.
#[tokio::test(flavor = "multi_thread")]
async fn servers_whose_clocks_differ_by_minutes_neither_take_each_others_leases_nor_give_up_too_early() {
    let options = WorldOptions {
        patience: Duration::from_millis(200),
        effect_deadline: Duration::from_secs(60),
        processing_time: Duration::from_mins(5),
        ..WorldOptions::default()
    };
    let (world, _, agent) = World::with(options.clone()).await.and_agent(MONEY).await;
    shared_time::read(&world.platform.core).await.unwrap();
    let mut others = Vec::new();
    for minutes in [10, -10] {
        let wrong = WorldOptions { clock: Clock::ahead_by(TimeDelta::minutes(minutes)), ..options.clone() };
        let other = wrong.platform(world.database.database.clone(), world.sandbox_url());
        shared_time::read(&other.core).await.unwrap();
        others.push(other);
    }
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", LASTS).await;
    let booked = agent.book(&order).await.succeeds(202);
    world.has_struck().await;
    for other in &others {
        assert_eq!(worker::recover_due(other).await.unwrap(), 0, "it is sent");
    }
    // As if its sender had died: an order that is not there yet may still come.
    worker::give_back(&world.platform.engine).await.unwrap();
    // Each reads the shared time as exactly as a busy machine lets it.
    eventually("it is looked up", async || {
        (worker::recover_due(&others[0]).await.unwrap() == 1).then_some(())
    })
    .await;
    assert_eq!(world.line("select state from effects").await, "open");
    world.all_is_well().await;
    eventually("the booking", async || {
        worker::recover_due(&others[1]).await.unwrap();
        (world.line("select status from bookings").await != "pending").then_some(())
    })
    .await;
    assert_eq!(agent.booking(booked["booking_ref"].as_str().unwrap()).await["status"], "confirmed");
    world.is_settled().await;
}

/// A test steps the time of all servers at once.
#[tokio::test(flavor = "multi_thread")]
async fn the_test_clock_moves_every_servers_leases_and_a_real_server_refuses_it() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    shared_time::is_real(&world.platform.core).await.unwrap();
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", "drop_before").await;
    agent.book(&order).await.succeeds(202);
    world.sql("insert into test_clock (ahead) values ('131 seconds')").await;
    shared_time::read(&world.platform.core).await.unwrap();
    assert_eq!(worker::recover_due(&world.platform).await.unwrap(), 1);
    assert_eq!(world.line("select status from bookings").await, "failed");
    let refused = shared_time::is_real(&world.platform.core).await.unwrap_err();
    assert!(refused.to_string().contains("test_clock"), "{refused}");
}
