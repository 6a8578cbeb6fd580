//! Permits of a supplier: who asks much at a slow one leaves others theirs.

use std::time::Duration;

use serde_json::Value;
use wayfare_supply::Limits;
use wayfare_tests::{LASTS, Person, World, WorldOptions, eventually, one_way};

/// Of eight permits questions may take six, and one agency's three of these.
fn eight_permits() -> WorldOptions {
    WorldOptions {
        read_deadline: Duration::from_secs(3600),
        limits: Limits::default().with(|limits| limits.calls_at_once = 8),
        ..WorldOptions::default()
    }
}

/// Searches six times at once, each something else.
fn flood(person: &Person) -> Vec<tokio::task::JoinHandle<Value>> {
    let searches = ["BOM", "BLR", "HYD", "MAA", "CCU", "GOI"].map(|to| {
        let person = person.clone();
        tokio::spawn(async move { person.search(&one_way("DEL", to)).await })
    });
    searches.into()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_that_searches_much_at_a_slow_supplier_leaves_others_theirs() {
    let world = World::with(eight_permits()).await;
    let (eager, patient) = (world.agent("0").await, world.agent("1000000").await);
    let trip = one_way("DEL", "BOM");
    let offer = patient.offer(&trip).await;

    world.next_times("search", LASTS, 6).await;
    let searches = flood(&eager);
    let under_way = eventually("each is at the supplier, or turned away", async || {
        let turned_away = searches.iter().filter(|search| search.is_finished()).count();
        let struck = 6 - usize::try_from(world.strikes_left().await).unwrap();
        (turned_away + struck == 6).then_some(struck)
    })
    .await;
    assert_eq!(under_way, 3);
    // Others find a permit meanwhile, for what they ask and for what they buy.
    patient.book(&patient.order(&patient.price(&offer).await.ok(), &trip)).await.ok();
    let used = world.platform.suppliers.permit_use()["duffel"];
    assert_eq!((used.taken, used.waiting), (3, 0));
    assert_eq!((used.turned_away, used.beyond_share), (3, 3));

    world.all_is_well().await;
    let mut told = Vec::new();
    for search in searches {
        let problem = &search.await.unwrap()["debug"]["provider_errors"]["duffel"];
        told.push(problem.as_str().map(str::to_owned));
    }
    let refused: Vec<String> = told.iter().flatten().cloned().collect();
    assert_eq!(refused.len(), 3, "{told:?}");
    for problem in refused {
        assert!(problem.contains("too many calls of this agency"), "{problem}");
    }
    world.is_settled().await;
}
