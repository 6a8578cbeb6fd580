//! Pages of lists.

use serde_json::Value;
use wayfare_tests::{World, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn pages_out_of_range_are_refused() {
    let (_world, _, agent) = World::start().await.and_agent("1000").await;
    let (page, per_page) =
        ("{page must be a whole number of at least 1}", "{per_page must be between 1 and 100}");
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
            agent.get(&format!("{path}?{query}")).await.is_invalid(&faults);
        }
    }
    agent.get("/flights/bookings?status=lost&per_page=0").await.is_invalid(
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
        let body = agent.get(&format!("/flights/bookings?page={page}&per_page=2")).await.json();
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

/// A program reads each list to its end while bookings are made and change their state, and meets each row once.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_read_on_from_a_row_whatever_arrives_and_changes_meanwhile() {
    let (world, _, admin, agent) = World::start().await.and_people("10000000", "1000000").await;
    let mut made = Vec::new();
    for city in ["BOM", "BLR", "MAA", "BOM"] {
        made.push(agent.buy(one_way("DEL", city)).await.reference);
    }
    let references = |rows: &[Value]| -> Vec<String> {
        rows.iter().map(|row: &Value| row["booking_ref"].as_str().unwrap().to_owned()).collect()
    };
    let list = "/flights/bookings?status=confirmed&per_page=2";
    let first = agent.get(list).await.json();
    assert_eq!(references(rows(&first)), [made[3].clone(), made[2].clone()]);

    // The second page would miss one, and a new one would be met twice by it.
    agent.cancel(&made[3]).await.ok();
    let newer = agent.buy(one_way("DEL", "HYD")).await.reference;
    let newest = agent.buy(one_way("DEL", "CCU")).await.reference;
    let last = id(&rows(&first)[1]);
    let left = agent.get(&format!("{list}&before={last}")).await.json();
    assert_eq!(references(rows(&left)), [made[1].clone(), made[0].clone()]);
    assert_has!(left, { "meta": { "page": 1, "per_page": 2, "total": 2, "total_pages": 1 } });

    let begin = id(&rows(&first)[0]);
    assert_eq!(references(rows(&agent.get(&format!("{list}&after={begin}")).await.json())), [newer, newest]);

    for list in [
        "/wallet/transactions",
        "/org/wallet/transactions",
        "/org/wallet/transactions?type=debit",
        "/org/audit-logs",
        "/notifications",
    ] {
        let who = if list.starts_with("/org") { &admin } else { &agent };
        let mark = if list.contains('?') { '&' } else { '?' };
        let all = who.get(&format!("{list}{mark}per_page=100")).await.json();
        let all: Vec<String> = rows(&all).iter().map(id).collect();
        let mut down = Vec::new();
        let mut next = format!("{list}{mark}per_page=2");
        loop {
            let page = who.get(&next).await.json();
            let Some(last) = rows(&page).last() else { break };
            down.extend(rows(&page).iter().map(id));
            next = format!("{list}{mark}per_page=2&before={}", id(last));
        }
        assert_eq!(down, all, "{list}");
        let mut up = all.last().cloned().into_iter().collect::<Vec<_>>();
        while let Some(last) = up.last() {
            let page = who.get(&format!("{list}{mark}per_page=2&after={last}")).await.json();
            if rows(&page).is_empty() {
                break;
            }
            up.extend(rows(&page).iter().map(id));
        }
        up.reverse();
        assert_eq!(up, all, "{list}");
    }
    let both = format!("/notifications?before={last}&after={last}");
    agent.get(&both).await.is_invalid("{after must not be given with before}");
    agent.get("/notifications?before=7").await.is_invalid("{before must be a UUID}");
    world.books_agree().await;
}

fn rows(answer: &Value) -> &[Value] {
    answer["data"].as_array().unwrap()
}

fn id(row: &Value) -> String {
    row["id"].as_str().unwrap().to_owned()
}
