//! Users whom an operator has given another password: until they have set their own, they move no money and give no power. A
//! new endpoint that changes something fails the tests until it has its line here (D-611).

use std::collections::BTreeMap;

use serde_json::json;
use wayfare_domain::OperatorRole;
use wayfare_tests::{PASSWORD, World, one_way};

/// Every endpoint that is no `GET`, and whether it wants a password that nobody else knows.
const TABLE: &str = "
POST   /auth/login                                              no
POST   /auth/refresh                                            no
POST   /auth/logout                                             no
POST   /auth/sessions                                           no
DELETE /auth/sessions/current                                   no
POST   /flights/search                                          no
POST   /flights/search/stream                                   no
POST   /flights/fare-rules                                      no
POST   /flights/price                                           no
POST   /flights/book                                            yes
POST   /flights/bookings/{ref}/issue-ticket                     yes
PUT    /flights/bookings/{ref}/auto-ticket                      yes
POST   /flights/bookings/{ref}/penalty                          no
POST   /flights/bookings/{ref}/cancel                           yes
POST   /flights/bookings/{ref}/changes/{id}/accept              yes
POST   /flights/bookings/{ref}/changes/{id}/refuse              yes
POST   /flights/bookings/{ref}/refund-status                    no
POST   /flights/bookings/{ref}/ssr                              yes
POST   /flights/bookings/{ref}/reschedule-avail                 no
POST   /flights/bookings/{ref}/reschedule-penalty               no
POST   /flights/bookings/{ref}/reschedule                       yes
POST   /hotels/search                                           no
POST   /hotels/details                                          no
POST   /hotels/price                                            no
POST   /hotels/book                                             yes
POST   /hotels/bookings/{ref}/penalty                           no
POST   /hotels/bookings/{ref}/cancel                            yes
POST   /org/wallet/topup/{id}                                   yes
POST   /org/reports                                             no
POST   /reports                                                 no
PUT    /me                                                      no
PUT    /me/password                                             no
DELETE /me/sessions/{id}                                        no
PUT    /notifications/{id}/read                                 no
PUT    /notifications/read-all                                  no
POST   /org/users                                               yes
PUT    /org/users/{id}                                          yes
DELETE /org/users/{id}                                          yes
PUT    /org/users/{id}/suspend                                  yes
PUT    /org/users/{id}/activate                                 yes
POST   /org/packages                                            no
PUT    /org/packages/{id}                                       no
DELETE /org/packages/{id}                                       no
POST   /org/packages/preview                                    no
POST   /org/packages/assign                                     no
DELETE /org/packages/assign                                     no
POST   /org/packages/assign-agent/{id}                          no
DELETE /org/packages/assign-agent/{id}                          no
POST   /org/hotel-packages                                      no
PUT    /org/hotel-packages/{id}                                 no
DELETE /org/hotel-packages/{id}                                 no
POST   /org/hotel-packages/preview                              no
POST   /org/hotel-packages/assign                               no
DELETE /org/hotel-packages/assign                               no
POST   /org/hotel-packages/assign-agent/{id}                    no
DELETE /org/hotel-packages/assign-agent/{id}                    no
PUT    /org/profile                                             no
PUT    /org/settings                                            yes
POST   /org/bookings/{ref}/people/erase                         no
POST   /org/webhooks                                            yes
PUT    /org/webhooks/{id}                                       yes
DELETE /org/webhooks/{id}                                       yes
POST   /org/webhooks/{id}/test                                  no
POST   /org/webhooks/{id}/rotate-secret                         yes
POST   /org/webhooks/{id}/deliveries/{delivery_id}/redeliver    no
";

/// Whether each endpoint of a table wants something.
pub fn wanted(table: &str) -> BTreeMap<(String, String), bool> {
    let lines = table.lines().filter(|line| line.contains('/'));
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [method, path, wanted] = words.as_slice() else {
            panic!("{line}");
        };
        assert!(["yes", "no"].contains(wanted), "{line}");
        (((*method).to_owned(), (*path).to_owned()), *wanted == "yes")
    };
    lines.map(row).collect()
}

#[test]
fn the_table_has_every_endpoint_that_changes_something() {
    let served = wayfare_api::endpoints();
    let changing = served.iter().filter(|endpoint| endpoint.method.as_str() != "GET");
    let served: BTreeMap<(String, String), bool> = changing
        .map(|endpoint| {
            let path = endpoint.path.trim_start_matches("/api/v1").to_owned();
            ((endpoint.method.to_string(), path), endpoint.wants_own_password)
        })
        .collect();
    assert_eq!(wanted(TABLE), served);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_given_a_password_moves_no_money_before_they_set_their_own() {
    let (mut world, agency, _) = World::frozen().await.and_admin("100000").await;
    let operator = world.operator_api().operator("anil", OperatorRole::Admin).await;
    let path = format!("/agencies/{}/users/asha/reset-password", agency.code);
    let reset = operator.post(&path, &json!({})).await.ok();
    let given = reset["password"].as_str().unwrap();
    let asha = agency.log_in_with("asha", given).await;
    let own_first = "set your own password first";
    let mut wrongs = Vec::new();
    for ((method, path), wanted) in wanted(TABLE) {
        if path.starts_with("/auth") {
            continue;
        }
        let asked = path
            .replace("{id}", "01900000-0000-7000-8000-000000000000")
            .replace("{delivery_id}", "01900000-0000-7000-8000-000000000000")
            .replace("{ref}", "FA-00000000");
        let reply = asha.send(asha.request(method.parse().unwrap(), &asked).json(&json!({}))).await;
        let is_refused = reply.status == 403 && reply.text.contains(own_first);
        if is_refused != wanted {
            wrongs.push(format!("{method} {path}: {} {}", reply.status, reply.text));
        }
    }
    assert!(wrongs.is_empty(), "\n{}\n", wrongs.join("\n"));
    let trip = one_way("DEL", "BOM");
    asha.try_buy(&trip).await.is(403, own_first);
    let change = |new: &str| json!({ "current_password": given, "new_password": new });
    let refused = asha.put("/me/password", &change(given)).await;
    refused.is_invalid("{new_password must be another one than you were given}");
    asha.put("/me/password", &change(PASSWORD)).await.ok();
    agency.log_in("asha").await.buy(trip).await;
    world.books_agree().await;
}
