//! What each agency looked and booked at each supplier, told by the program beside a running server.

use std::time::Duration;

use serde_json::{Value, json};
use wayfare_operations::suppliers::look_to_book;
use wayfare_tests::{Seller, World, WorldOptions, one_way};

use crate::installation::{Installation, refused, succeeded};

#[tokio::test(flavor = "multi_thread")]
async fn looks_stand_beside_what_was_booked() {
    let world = World::with(WorldOptions {
        sellers: vec![Seller::duffel(), Seller::tripjack()],
        search_cache_ttl: Duration::from_secs(60),
        ..WorldOptions::default()
    })
    .await;
    let (buyers, lookers) = (world.agency().await, world.agency().await);
    let buyer = buyers.agent("arjun", "1000000").await;
    let trip = one_way("DEL", "BOM");
    let found = buyer.search(&trip).await;
    let mut offers = found["offers"].as_array().unwrap().iter();
    let offer = offers.find(|offer| offer["supplier"] == "duffel").unwrap();
    let priced = buyer.price(offer["offer_id"].as_str().unwrap()).await.ok();
    buyer.book(&buyer.order(&priced, &trip)).await.ok();
    let looker = lookers.agent("arjun", "0").await;
    for (origin, destination) in [("DEL", "BLR"), ("DEL", "BLR"), ("BOM", "GOI")] {
        looker.search(&one_way(origin, destination)).await;
    }
    look_to_book::write(&world.platform.suppliers).await.unwrap();
    // As much again and more on the first of the 30 days, and something on the day before it.
    let earlier = "insert into look_to_book select org_id, supplier, day - 29, asked * 9, 0 from look_to_book;
                   insert into look_to_book select org_id, supplier, min(day) - 1, 500, 0 from look_to_book group by 1, 2";
    world.sql(earlier).await;

    let here = Installation::new();
    let ctl = |arguments: &[&str]| here.beside(&world, arguments);
    let json = |arguments: &[&str]| here.json_beside(&world, arguments);
    // asked, shared, booked, look_to_book.
    let row = |told: &Value, agent_id: &str, supplier: &str| {
        let rows = told["looks"].as_array().unwrap();
        let of = |row: &&Value| row["agent_id"] == agent_id && row["supplier"] == supplier;
        let found: Vec<&Value> = rows.iter().filter(of).collect();
        assert_eq!(found.len(), 1, "{told}");
        ["asked", "shared", "booked", "look_to_book"].map(|key| found[0][key].to_string()).join(" ")
    };
    let (buying, looking) = (buyers.code.as_ref(), lookers.code.as_ref());

    let all = json(&["looks"]);
    assert_eq!(row(&all, buying, "duffel"), "10 0 1 10.0");
    assert_eq!(row(&all, buying, "tripjack"), "10 0 0 null");
    assert_eq!(row(&all, looking, "duffel"), "20 1 0 null");
    assert_eq!(row(&all, looking, "tripjack"), "20 1 0 null");
    assert_eq!(all["looks"].as_array().unwrap().len(), 4);
    assert_eq!(all["looks"][0]["agent_id"], looking, "the most looks first");
    assert_eq!(all["looks"][0]["name"], "Sunrise Travels");

    let today = world.now().format("%Y-%m-%d").to_string();
    let one = json(&["look-to-book", looking, "--from", &today]);
    assert_eq!((&one["from"], &one["to"]), (&json!(today), &json!(today)));
    assert_eq!(row(&one, looking, "duffel"), "2 1 0 null");
    assert_eq!(one["looks"].as_array().unwrap().len(), 2);
    let before = json(&["looks", "--from", "2020-01-01", "--to", "2020-12-31"]);
    assert_eq!(before["looks"], json!([]));

    let shown = succeeded(&ctl(&["look-to-book", looking]).output().unwrap());
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("agent_id") && lines[0].ends_with("look_to_book"), "{shown}");
    assert!(lines[1].ends_with('-') && lines[3].ends_with(&format!("{today}, days of UTC")), "{shown}");

    assert_eq!(
        refused(&mut ctl(&["look-to-book", "WFNOBODY"]), 1),
        "wayfarectl: there is no agency \"WFNOBODY\"\n"
    );
    let misuse = refused(&mut ctl(&["looks", "--from", "2026-05-02", "--to", "2026-05-01"]), 2);
    assert_eq!(misuse, "wayfarectl: --from 2026-05-02 is after the last day, 2026-05-01\n");
    // Counters end where their column does; neither the sum of several nor one more breaks the list.
    world.sql("update look_to_book set asked = 9223372036854775807").await;
    looker.search(&one_way("DEL", "GOI")).await;
    look_to_book::write(&world.platform.suppliers).await.unwrap();
    assert_eq!(row(&json(&["look-to-book"]), looking, "tripjack"), "9223372036854775807 1 0 null");
}
