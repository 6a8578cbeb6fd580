//! Leases of steps between two servers: who sends a step keeps it, who ends gives it back.

use std::time::Duration;

use wayfare_operations::worker;
use wayfare_tests::{MONEY, World, WorldOptions, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_is_sent_is_nobody_elses_until_its_server_ends_which_gives_it_back() {
    let options = WorldOptions {
        patience: Duration::from_millis(200),
        ..WorldOptions::default().frozen()
    };
    let world = World::with(options.clone()).await;
    let agent = world.agent(MONEY).await;
    let other = options.platform(world.database.database.clone(), world.sandbox_url());
    let trip = one_way("DEL", "BOM");
    let order = agent.order(&agent.quote(&trip).await, &trip);
    world.next("book", "slow:6000").await;
    agent.book(&order).await.succeeds(202);
    world.pass(29);
    assert_eq!(worker::recover_due(&other).await.unwrap(), 0, "it is sent");
    worker::give_back(&world.platform).await.unwrap();
    assert_eq!(worker::recover_due(&other).await.unwrap(), 1, "it was given back");
    assert_eq!(world.line("select state from effects").await, "open");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_only_server_ends_the_leases_of_the_one_before_it() {
    let options = WorldOptions {
        patience: Duration::from_millis(200),
        ..WorldOptions::default().frozen()
    };
    let world = World::with(options.clone()).await;
    let agent = world.agent(MONEY).await;
    let next = options.platform(world.database.database.clone(), world.sandbox_url());
    let trip = one_way("DEL", "BOM");
    let order = agent.order(&agent.quote(&trip).await, &trip);
    world.next("book", "slow:6000").await;
    agent.book(&order).await.succeeds(202);
    assert_eq!(worker::recover_due(&next).await.unwrap(), 0, "it is leased");
    worker::void_leases(&next).await.unwrap();
    assert_eq!(worker::recover_due(&next).await.unwrap(), 1);
}
