//! More log-ins than anybody could hash: some wait, the rest are told soon, and nobody else notices.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use wayfare_domain::Origin;
use wayfare_operations::{
    Error,
    access::{PasswordCost, login},
};
use wayfare_tests::{PASSWORD, World, WorldOptions, eventually};

/// So many log-ins wait for each thread that hashes.
const QUEUE_OF_A_THREAD: usize = 256;
/// Enough to fill the queue however many threads hash.
const LOG_INS_PER_CORE: usize = 300;

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_log_ins_is_told_soon_and_passed_by_those_who_are_signed_in() {
    // Of the least cost two hundred hashes would be made before anybody is answered.
    let options = WorldOptions { password_cost: PasswordCost::default(), ..WorldOptions::default() };
    let (world, agency, agent) = World::with(options).await.and_agent("0").await;
    let others = [agency.agent("bina", "0").await, agency.agent("chandra", "0").await];
    let cores = std::thread::available_parallelism().unwrap().get();
    let (refused, answered) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let attackers = (0..LOG_INS_PER_CORE * cores).map(|number| {
        let (platform, code) = (world.platform.clone(), agency.code.as_ref().to_owned());
        let (refused, answered) = (refused.clone(), answered.clone());
        tokio::spawn(async move {
            let username = ["arjun", "nobody"][number % 2];
            loop {
                match login::log_in(&platform.access, &code, username, "wrong horse 7", Origin::default())
                    .await
                {
                    Err(Error::Busy) => {
                        refused.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(Error::Unauthenticated) => {
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                    other => panic!("{other:?}"),
                }
            }
        })
    });
    let attackers: Vec<_> = attackers.collect();
    eventually("a full queue", async || (refused.load(Ordering::Relaxed) > 0).then_some(())).await;
    // The full queue is told, though a place may fall free in between.
    let login = json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": PASSWORD });
    // Soon is before the queue has passed: seconds are longer on a busy machine, where its hashes have to wait.
    let told = eventually("a refusal that comes soon", async || {
        let before = answered.load(Ordering::Relaxed);
        let reply = agent.post("/auth/login", &login).await;
        let passed = answered.load(Ordering::Relaxed) - before;
        (reply.status == 503 && passed < QUEUE_OF_A_THREAD).then_some(reply)
    })
    .await;
    told.is(503, "too many log-ins at once, please try again");
    assert_eq!(told.header("retry-after"), "5");
    // Two hashes, and no more than two of the queue before each; who waited in it would let all of it go first, each time.
    let mut passed = Vec::new();
    for person in [&agent, &others[0], &others[1]] {
        let before = answered.load(Ordering::Relaxed);
        let change = json!({ "current_password": PASSWORD, "new_password": "another horse 8" });
        person.put("/me/password", &change).await.says(200, "password changed successfully");
        passed.push(answered.load(Ordering::Relaxed) - before);
    }
    assert!(passed.iter().any(|passed| *passed < QUEUE_OF_A_THREAD), "{passed:?} of the queue went first");
    for attacker in attackers {
        attacker.abort();
        assert!(attacker.await.is_err_and(|ended| ended.is_cancelled()));
    }
    // Whoever comes then is let in.
    let login =
        json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": "another horse 8" });
    agent.post("/auth/login", &login).await.ok();
}
