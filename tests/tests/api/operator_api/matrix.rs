//! What each role is answered at each endpoint. A new endpoint fails the test until it has its line here.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;
use wayfare_api::operator_endpoints;
use wayfare_domain::OperatorRole::{Admin, Desk, Finance, Viewer};
use wayfare_tests::{OperatorPerson, World};

use crate::access::matrix::read;

/// Who asks: nobody, an agency's admin with their own token, and each role. What may be asked is answered 404 or 422 here: it
/// names nothing that is there, or says nothing.
const TABLE: &str = "
                                                                nobody agency viewer desk finance admin
POST   /sessions                                                422 422 422 422 422 422
DELETE /sessions/current                                        401 401 200 200 200 200
POST   /sessions/current/confirm                                401 401 422 422 422 422
GET    /me                                                      401 401 200 200 200 200
PUT    /me/password                                             401 401 422 422 422 422
GET    /me/sessions                                             401 401 200 200 200 200
DELETE /me/sessions/{id}                                        401 401 404 404 404 404
GET    /operators                                               401 401 403 403 403 200
POST   /operators                                               401 401 403 403 403 422
PUT    /operators/{id}                                          401 401 403 403 403 404
POST   /operators/{id}/reset-password                           401 401 403 403 403 404
GET    /events                                                  401 401 403 403 403 200
GET    /overview                                                401 401 200 200 200 200
GET    /incidents                                               401 401 200 200 200 200
GET    /incidents/{id}                                          401 401 404 404 404 404
POST   /incidents/{id}/claim                                    401 401 403 404 403 404
POST   /incidents/{id}/release                                  401 401 403 404 403 404
POST   /incidents/{id}/resolve                                  401 401 403 422 403 422
GET    /bookings                                                401 401 422 422 422 422
GET    /bookings/{ref}                                          401 401 404 404 404 404
POST   /bookings/{ref}/people                                   401 401 403 404 403 404
POST   /bookings/{ref}/look                                     401 401 403 404 403 404
POST   /bookings/{ref}/correct                                  401 401 403 422 403 422
POST   /bookings/{ref}/rulings                                  401 401 403 422 403 422
POST   /bookings/{ref}/rulings/{id}/withdraw                    401 401 403 422 403 422
GET    /agencies                                                401 401 200 200 200 200
POST   /agencies                                                401 401 403 403 403 422
GET    /agencies/{code}                                         401 401 404 404 404 404
PUT    /agencies/{code}                                         401 401 403 403 403 404
POST   /agencies/{code}/suspend                                 401 401 403 403 403 404
POST   /agencies/{code}/activate                                401 401 403 403 403 404
GET    /agencies/{code}/users                                   401 401 404 404 404 404
POST   /agencies/{code}/users                                   401 401 403 403 403 422
POST   /agencies/{code}/users/{username}/suspend                401 401 403 403 403 404
POST   /agencies/{code}/users/{username}/activate               401 401 403 403 403 404
POST   /agencies/{code}/users/{username}/reset-password         401 401 403 403 403 404
GET    /agencies/{code}/audit-logs                              401 401 404 404 404 404
POST   /agencies/{code}/wallet/topup                            401 401 403 403 422 422
POST   /agencies/{code}/wallet/deduct                           401 401 403 403 422 422
PUT    /agencies/{code}/wallet/credit-limit                     401 401 403 403 422 422
POST   /agencies/{code}/wallet/freeze                           401 401 403 403 404 404
POST   /agencies/{code}/wallet/unfreeze                         401 401 403 403 404 404
GET    /agencies/{code}/statement                               401 401 404 404 404 404
GET    /agencies/{code}/terms                                   401 401 404 404 404 404
PUT    /agencies/{code}/terms                                   401 401 403 403 404 404
GET    /contracts                                               401 401 200 200 200 200
PUT    /agencies/{code}/contracts                               401 401 403 403 422 422
DELETE /agencies/{code}/contracts                               401 401 403 403 422 422
POST   /agencies/{code}/preview                                 401 401 422 422 422 422
GET    /rates                                                   401 401 200 200 200 200
GET    /rates/{from}/{to}                                       401 401 404 404 404 404
PUT    /rates/{from}/{to}                                       401 401 403 403 422 422
DELETE /rates/{from}/{to}                                       401 401 403 403 404 404
POST   /rates/import                                            401 401 403 403 415 415
POST   /ledger/verifications                                    401 401 403 403 202 202
GET    /ledger/verifications                                    401 401 200 200 200 200
GET    /ledger/verifications/{id}                               401 401 404 404 404 404
GET    /trial-balance                                           401 401 403 403 200 200
GET    /suppliers                                               401 401 200 200 200 200
GET    /suppliers/{code}                                        401 401 404 404 404 404
POST   /suppliers/{code}/close                                  401 401 403 422 403 422
POST   /suppliers/{code}/open                                   401 401 403 404 403 404
PUT    /suppliers/{code}/balance                                401 401 403 403 422 422
PUT    /suppliers/{code}/limits                                 401 401 403 403 404 404
GET    /look-to-book                                            401 401 200 200 200 200
GET    /openapi.json                                            200 200 200 200 200 200
";

#[test]
fn the_table_has_the_operators_endpoints_and_no_others() {
    let served = operator_endpoints();
    let served: BTreeSet<String> =
        served.iter().map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).collect();
    let table: BTreeSet<String> =
        read(TABLE, 6).iter().map(|(method, path, _)| format!("{method} /operator/v1{path}")).collect();
    assert_eq!(table, served);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_endpoint_answers_every_role_as_it_must() {
    let (world, door) = World::frozen().await.and_operators();
    let admin = world.agency().await.admin("1000").await;
    let mut people = vec![door.nobody(), door.nobody().with_token(admin.token.as_deref())];
    for role in [Viewer, Desk, Finance, Admin] {
        people.push(door.operator(role.as_ref(), role).await);
    }
    let mut wrongs = Vec::new();
    for (method, path, statuses) in read(TABLE, 6) {
        let asked = super::of_nothing(&path);
        for (person, expected) in people.iter().zip(statuses) {
            // A log-out is of a session of its own.
            let person = match (asked.as_str(), &person.token) {
                ("/sessions/current", Some(token)) if token.starts_with("wfo_") => {
                    person.logged_in(person.get("/me").await.ok()["username"].as_str().unwrap()).await
                }
                _ => person.clone(),
            };
            let status = ask(&person, &method, &asked).await;
            if status != expected {
                wrongs.push(format!("{method} {path} answers {status}, not {expected}"));
            }
        }
    }
    assert!(wrongs.is_empty(), "\n  {}\n", wrongs.join("\n  "));
    world.books_agree().await;
}

async fn ask(person: &OperatorPerson, method: &Method, path: &str) -> u16 {
    let request = person.request(method.clone(), path);
    let request = match *method {
        Method::POST | Method::PUT => request.json(&json!({})),
        _ => request,
    };
    person.send(request).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_role_is_told_which_one_is_needed() {
    let (_world, viewer) = World::frozen().await.and_operator("vera", Viewer).await;
    let none = json!({});
    let nobody = "01900000-0000-7000-8000-000000000000";
    for (path, role) in [
        (format!("/incidents/{nobody}/claim"), "desk"),
        ("/agencies/WF000000/wallet/freeze".to_owned(), "finance"),
        ("/agencies/WF000000/wallet/topup".to_owned(), "finance"),
        ("/operators".to_owned(), "admin"),
    ] {
        viewer.post(&path, &none).await.is(403, &format!("this needs the role {role}"));
    }
}
