//! Pages of lists.

use wayfare_tests::{World, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn pages_out_of_range_are_refused() {
    let (_world, _, agent) = World::start().await.and_agent("1000").await;
    let (page, per_page) = (
        "{page must be a whole number of at least 1}",
        "{per_page must be between 1 and 100}",
    );
    for (query, faults) in [
        ("per_page=0", per_page.to_owned()),
        ("per_page=101", per_page.to_owned()),
        ("per_page=abc", per_page.to_owned()),
        ("per_page=-1", per_page.to_owned()),
        ("per_page=1e1", per_page.to_owned()),
        ("page=0", page.to_owned()),
        ("page=99999999999", page.to_owned()),
        ("page=x&per_page=0", format!("{page} {per_page}")),
    ] {
        for path in ["/flights/bookings", "/wallet/transactions"] {
            let reply = agent.get(&format!("{path}?{query}")).await;
            reply.is_invalid(&faults);
        }
    }
    agent
        .get("/flights/bookings?status=lost&per_page=0")
        .await
        .is_invalid(
            "{per_page must be between 1 and 100} \
         {status must be one of pending, confirmed, cancelled, failed}",
        );
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_follow_each_other_newest_first() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let empty = agent.get("/flights/bookings").await.json();
    assert_has!(empty, { "data": [], "meta": { "page": 1, "per_page": 20, "total": 0, "total_pages": 0 } });
    let mut made = Vec::new();
    for city in ["BOM", "BLR", "MAA"] {
        made.push(agent.buy(one_way("DEL", city)).await.reference);
    }
    agent.cancel(&made[0]).await.ok();
    let mut seen = Vec::new();
    for page in 1..=2 {
        let body = agent
            .get(&format!("/flights/bookings?page={page}&per_page=2"))
            .await
            .json();
        assert_has!(body, { "meta": { "page": page, "per_page": 2, "total": 3, "total_pages": 2 } });
        for item in body["data"].as_array().unwrap() {
            seen.push(item["booking_ref"].as_str().unwrap().to_owned());
        }
    }
    seen.reverse();
    assert_eq!(seen, made);
    for (query, count) in [
        ("status=confirmed", 2),
        ("status=cancelled", 1),
        ("status=failed", 0),
        ("status=", 3),
        ("page=4294967295&per_page=100", 0),
    ] {
        let body = agent.get(&format!("/flights/bookings?{query}")).await.json();
        assert_eq!(body["data"].as_array().unwrap().len(), count, "{query}");
    }
    let ledger = agent.get("/wallet/transactions?per_page=1&page=2").await.json();
    assert_eq!(ledger["meta"]["per_page"], 1);
    assert_eq!(ledger["data"].as_array().unwrap().len(), 1);
    world.books_agree().await;
}
