//! What is put into a list's query is a value, never a pattern and never SQL.

use serde_json::json;
use wayfare_tests::{World, one_way};

/// In the spelling of a query string: wildcards of LIKE and of regular expressions, quotes, comments, casts, NUL,
/// broken UTF-8, another script's digits.
const HOSTILE: &[&str] = &[
    "%25",
    "_",
    "%25%25",
    "booking%25",
    "booking._onfirmed",
    "%5C",
    "%5C%25",
    ".%2A",
    "%5E",
    "%27",
    "%27%27",
    "%22",
    "%27%20or%20%27%27%3D%27",
    "%27%20or%201%3D1--",
    "%27%3B%20drop%20table%20users%3B--",
    "%2F%2A",
    "%241",
    "%7B%7D",
    "null",
    "booking%00",
    "%00",
    "%FF",
    "%C0%AF",
    "%EF%BB%BF",
    "%E2%80%A8",
    "%D9%A1",
    "%0D%0Ax%3A%20y",
    "1e3",
    // Not "-1": a booking's reference may have it.
    "-1.5",
    "0x10",
    "99999999999999999999",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_finds_only_what_it_names() {
    let (_world, agency, admin) = World::start().await.and_admin("1000000").await;
    agency.agent("arjun", "0").await;
    admin.buy(one_way("DEL", "BOM")).await;
    let webhook = json!({ "url": "https://example.com/hooks" });
    let webhook = admin.post("/org/webhooks", &webhook).await.succeeds(201)["id"].clone();
    let deliveries = format!("/org/webhooks/{}/deliveries", webhook.as_str().unwrap());
    let lists = [
        (deliveries.as_str(), vec!["status", "page", "per_page"]),
        ("/notifications", vec!["page", "per_page"]),
        (
            "/org/audit-logs",
            vec!["entity_type", "entity_id", "action", "actor_id", "from", "to", "page", "per_page"],
        ),
        ("/org/users", vec!["role", "status", "page", "per_page"]),
        ("/flights/bookings", vec!["status", "q", "group", "from", "to", "page", "per_page"]),
        ("/hotels/bookings", vec!["status", "q", "group", "from", "to", "page", "per_page"]),
        ("/flights/changes", vec!["state", "page", "per_page"]),
        ("/flights/refunds", vec!["status", "page", "per_page"]),
        ("/hotels/refunds", vec!["status", "page", "per_page"]),
        ("/wallet/transactions", vec!["page", "per_page"]),
        ("/org/reports", vec!["page", "per_page"]),
        ("/reports", vec!["page", "per_page"]),
        ("/org/wallet/transactions", vec!["type", "ref_type", "from", "to", "search", "page", "per_page"]),
    ];
    for (path, filters) in lists {
        let all = admin.get(path).await.json()["meta"]["total"].clone();
        for filter in filters {
            for value in HOSTILE.iter().copied().chain([&*"x".repeat(5_000)]) {
                let reply = admin.get(&format!("{path}?{filter}={value}")).await;
                let found = reply.json();
                match reply.status {
                    // As a free text it is one that nothing has.
                    200 => assert_eq!(found["meta"]["total"], 0, "{path}?{filter}={value}"),
                    status => {
                        assert!(status == 422 || status == 400, "{path}?{filter}={value}: {}", reply.text)
                    }
                }
            }
        }
        // The names of filters are no values either, and unknown ones are ignored.
        for query in ["%27=1", "org_id=00000000-0000-7000-8000-000000000000", "sort=%27&order=1;--", "a[]=1"]
        {
            let found = admin.get(&format!("{path}?{query}")).await.json();
            assert_eq!(found["meta"]["total"], all, "{path}?{query}");
        }
    }
}
