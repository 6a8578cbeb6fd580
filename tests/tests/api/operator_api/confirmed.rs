//! What wants the operator's own password, given lately: whatever moves money, and whatever makes, changes or restores a power.
//! A new endpoint fails the tests until it has its line here (D-542, D-611).

use std::{fs, path::Path};

use secrecy::ExposeSecret;
use serde_json::json;
use wayfare_api::operator_endpoints;
use wayfare_domain::OperatorRole::{Admin, Finance};
use wayfare_tests::{OperatorPerson, Reply, World, amount};

use crate::access::own_password::wanted;

/// Every endpoint that changes something, and whether it wants the password; what only reads wants none.
const TABLE: &str = "
POST   /sessions                                         no
DELETE /sessions/current                                 no
POST   /sessions/current/confirm                         no
PUT    /me/password                                      no
DELETE /me/sessions/{id}                                 no
POST   /operators                                        yes
PUT    /operators/{id}                                   yes
POST   /operators/{id}/reset-password                    yes
POST   /incidents/{id}/claim                             no
POST   /incidents/{id}/release                           no
POST   /incidents/{id}/resolve                           no
POST   /bookings/{ref}/people                            no
POST   /bookings/{ref}/look                              no
POST   /bookings/{ref}/correct                           no
POST   /bookings/{ref}/rulings                           no
POST   /bookings/{ref}/rulings/{id}/withdraw             no
POST   /agencies                                         yes
PUT    /agencies/{code}                                  yes
POST   /agencies/{code}/suspend                          yes
POST   /agencies/{code}/activate                         yes
POST   /agencies/{code}/users                            yes
POST   /agencies/{code}/users/{username}/suspend         yes
POST   /agencies/{code}/users/{username}/activate        yes
POST   /agencies/{code}/users/{username}/reset-password  yes
POST   /agencies/{code}/wallet/topup                     yes
POST   /agencies/{code}/wallet/deduct                    yes
PUT    /agencies/{code}/wallet/credit-limit              yes
POST   /agencies/{code}/wallet/freeze                    yes
POST   /agencies/{code}/wallet/unfreeze                  yes
PUT    /agencies/{code}/terms                            yes
PUT    /agencies/{code}/contracts                        yes
DELETE /agencies/{code}/contracts                        yes
POST   /agencies/{code}/preview                          no
PUT    /rates/{from}/{to}                                yes
DELETE /rates/{from}/{to}                                yes
POST   /rates/import                                     yes
POST   /ledger/verifications                             no
POST   /suppliers/{code}/close                           yes
POST   /suppliers/{code}/open                            yes
PUT    /suppliers/{code}/balance                         yes
PUT    /suppliers/{code}/limits                          yes
";

#[test]
fn the_table_has_every_endpoint_that_changes_something() {
    let served = operator_endpoints();
    let changing = served.iter().filter(|endpoint| endpoint.method.as_str() != "GET");
    let mut served: Vec<(String, String)> = changing
        .map(|endpoint| {
            (endpoint.method.to_string(), endpoint.path.trim_start_matches("/operator/v1").to_owned())
        })
        .collect();
    served.sort();
    assert_eq!(wanted(TABLE).into_keys().collect::<Vec<_>>(), served);
}

#[test]
fn the_docs_say_which_endpoints_want_the_password() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/OPERATOR_API.md"));
    let page = page.unwrap();
    for ((method, path), wanted) in wanted(TABLE) {
        let begin = format!("| {method} | `{path}` | ");
        let row = page.lines().find_map(|line| line.strip_prefix(&begin));
        let role = row.unwrap().split(" |").next().unwrap();
        assert_eq!(role.ends_with(", confirmed"), wanted, "{method} {path}: {role}");
    }
}

async fn ask(person: &OperatorPerson, method: &str, path: &str) -> Reply {
    let request = person.request(method.parse().unwrap(), &super::of_nothing(path));
    let request = match path {
        "/rates/import" => {
            request.header("content-type", "text/csv").body("Date, USD, \n04 January 2027, 1.1, \n")
        }
        _ => request.json(&json!({ "rate": 105.25 })),
    };
    person.send(request).await
}

#[tokio::test(flavor = "multi_thread")]
async fn power_is_given_only_shortly_after_an_own_password() {
    let (world, door) = World::frozen().await.and_operators();
    let admin = door.operator("anil", Admin).await;
    let table = wanted(TABLE);
    let mut wrongs = Vec::new();
    let mut look = |reply: &Reply, text: &str, wanted: bool| {
        let is_refused = reply.status == 403 && reply.text.contains(text);
        if is_refused != wanted {
            wrongs.push(format!("{}: {} {}, not {text:?}", reply.asked, reply.status, reply.text));
        }
    };
    let changing = || table.iter().filter(|((_, path), _)| !path.starts_with("/sessions/current"));
    // Shortly after the log-in nothing is refused for it.
    for ((method, path), _) in changing() {
        look(&ask(&admin, method, path).await, "confirm your password", false);
    }
    world.pass(601);
    for ((method, path), wanted) in changing() {
        look(&ask(&admin, method, path).await, "confirm your password", *wanted);
    }
    admin.confirm().await.ok();
    for ((method, path), _) in changing() {
        look(&ask(&admin, method, path).await, "confirm your password", false);
    }
    // Whoever was made, or given another password, is told to set their own.
    let new = json!({ "username": "bela", "name": "Bela", "role": "admin" });
    let added = admin.post("/operators", &new).await.succeeds(201);
    let bela = door.nobody().with_password(added["password"].as_str().unwrap()).logged_in("bela").await;
    for ((method, path), wanted) in changing() {
        look(&ask(&bela, method, path).await, "set your own password first", *wanted);
    }
    assert!(wrongs.is_empty(), "\n{}\n", wrongs.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_left_open_moves_no_money_by_a_detour() {
    let (world, door) = World::frozen().await.and_operators();
    let anil = door.operator("anil", Admin).await;
    let agency = world.agency().await;
    let admin = agency.admin("1000").await;
    world.pass(601);
    let new = json!({ "username": "mallory", "name": "Mallory", "role": "finance" });
    anil.post("/operators", &new).await.is(403, "confirm your password");
    let reset = format!("/agencies/{}/users/asha/reset-password", agency.code);
    anil.post(&reset, &json!({})).await.is(403, "confirm your password");
    assert_eq!(world.line("select count(*)::text from operators").await, "1");
    // With the password somebody is made, whose shown password moves nothing: not at log-in, nor given once more.
    anil.confirm().await.ok();
    let added = anil.post("/operators", &new).await.succeeds(201);
    let mallory = door.nobody().with_password(added["password"].as_str().unwrap()).logged_in("mallory").await;
    let topup = format!("/agencies/{}/wallet/topup", agency.code);
    let money = json!({ "amount": 250, "reason": "cash" });
    let own_first = "set your own password first";
    mallory.post(&topup, &money).await.is(403, own_first);
    mallory.confirm().await.is(403, own_first);
    mallory.post(&topup, &money).await.is(403, own_first);
    mallory.get("/agencies").await.ok();
    let change =
        |new: &str| json!({ "current_password": mallory.password.expose_secret(), "new_password": new });
    let refused = mallory.put("/me/password", &change(mallory.password.expose_secret())).await;
    refused.is_invalid("{new_password must be another one than you were given}");
    mallory.put("/me/password", &change("my own horse 4")).await.ok();
    let mallory = mallory.with_password("my own horse 4").logged_in("mallory").await;
    mallory.post(&topup, &money).await.ok();
    assert_eq!(admin.balance().await, amount(&json!(1250)));
    // Given another one, they set their own again.
    let path = format!("/operators/{}/reset-password", added["id"].as_str().unwrap());
    let reset = anil.post(&path, &json!({})).await.ok();
    let mallory = mallory.with_password(reset["password"].as_str().unwrap()).logged_in("mallory").await;
    mallory.post(&topup, &money).await.is(403, own_first);
    assert_eq!(admin.balance().await, amount(&json!(1250)));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_is_tried_without_the_password_and_set_with_it() {
    let (world, farah) = World::frozen().await.and_operator("farah", Finance).await;
    world.pass(601);
    let rate = json!({ "rate": 105.25 });
    assert_eq!(farah.put("/rates/GBP/INR?preview=true", &rate).await.ok()["written"], false);
    farah.put("/rates/GBP/INR", &rate).await.is(403, "confirm your password");
    farah.get("/rates/GBP/INR").await.is_missing();
    farah.confirm().await.ok();
    farah.put("/rates/GBP/INR", &rate).await.ok();
}
