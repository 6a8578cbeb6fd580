//! Every route by everybody: one line for each endpoint, one column for each kind of caller.
//!
//! A new endpoint fails the test until it has its line here. Write the statuses that docs/API.md asks for; a route
//! about a record, or one that takes a body, is told in `callers.rs` as well (`Fixture::fresh`, `Record::request`). The
//! columns:
//!
//! * `none`, `garbage`: no token, and one that is none.
//! * `expired`: a token of the agency's admin that was good an hour ago.
//! * `suspended`: an admin of the agency, suspended.
//! * `agent`, `other`, `admin`: of the agency; the bookings, offers, prices and fare keys that are asked for are the
//!   agent's.
//! * `api_only`: the admin of an agency without the portal. The records are that agency's own, so that a refusal is
//!   the tier's.
//! * `foreign`: the admin of another agency that has everything.
//! * `outside`: the agency's admin, from an address that is not on its whitelist.
//!
//! Everybody's request is one that succeeds for whoever may send it. Strangers come first: each is asked for a record
//! that is there, by those who may have it right after them.

use std::collections::BTreeSet;

use reqwest::Method;
use wayfare_api::endpoints;
use wayfare_tests::Reply;

use super::callers::{Actors, COLUMNS, Caller, Record};

const TABLE: &str = "
                                                    none garb expi susp agen othe admi apio fore outs
GET    /health/live                                 200  200  200  200  200  200  200  200  200  200
GET    /health/ready                                200  200  200  200  200  200  200  200  200  200
GET    /openapi.json                                200  200  200  200  200  200  200  200  200  200
POST   /api/v1/auth/login                           422  401  200  401  200  200  200  200  200  403
POST   /api/v1/auth/refresh                         422  401  200  401  200  200  200  200  200  403
POST   /api/v1/auth/logout                          422  401  200  200  200  200  200  200  200  200
POST   /api/v1/auth/sessions                        422  401  201  401  201  201  201  201  201  403
DELETE /api/v1/auth/sessions/current                401  401  401  401  200  200  200  200  200  403
GET    /api/v1/me/sessions                          401  401  401  401  200  200  200  200  200  403
DELETE /api/v1/me/sessions/{id}                     401  401  401  401  200  404  404  200  404  403
GET    /api/v1/me                                   401  401  401  401  200  200  200  200  200  403
PUT    /api/v1/me                                   401  401  401  401  200  200  200  200  200  403
PUT    /api/v1/me/password                          401  401  401  401  400  400  400  400  400  403
GET    /api/v1/me/stats                             401  401  401  401  200  200  200  200  200  403
GET    /api/v1/org/users                            401  401  401  401  403  403  200  403  200  403
POST   /api/v1/org/users                            401  401  401  401  403  403  200  403  200  403
GET    /api/v1/org/users/{id}                       401  401  401  401  403  403  200  403  404  403
PUT    /api/v1/org/users/{id}                       401  401  401  401  403  403  200  403  404  403
DELETE /api/v1/org/users/{id}                       401  401  401  401  403  403  200  403  404  403
PUT    /api/v1/org/users/{id}/suspend               401  401  401  401  403  403  200  403  404  403
PUT    /api/v1/org/users/{id}/activate              401  401  401  401  403  403  200  403  404  403
GET    /api/v1/wallet                               401  401  401  401  200  200  200  200  200  403
GET    /api/v1/wallet/transactions                  401  401  401  401  200  200  200  200  200  403
GET    /api/v1/org/profile                          401  401  401  401  403  403  200  200  200  403
PUT    /api/v1/org/profile                          401  401  401  401  403  403  200  200  200  403
GET    /api/v1/org/settings                         401  401  401  401  403  403  200  200  200  403
PUT    /api/v1/org/settings                         401  401  401  401  403  403  200  200  200  403
GET    /api/v1/org/audit-logs                       401  401  401  401  403  403  200  200  200  403
GET    /api/v1/org/bookings/{ref}/people            401  401  401  401  403  403  200  200  404  403
POST   /api/v1/org/bookings/{ref}/people/erase      401  401  401  401  403  403  409  409  404  403
GET    /api/v1/org/wallet                           401  401  401  401  403  403  200  200  200  403
GET    /api/v1/org/wallet/transactions              401  401  401  401  403  403  200  403  200  403
GET    /api/v1/org/wallet/transactions/export       401  401  401  401  403  403  200  403  200  403
POST   /api/v1/org/wallet/topup/{id}                401  401  401  401  403  403  200  403  404  403
GET    /api/v1/org/wallet/balance-series            401  401  401  401  403  403  200  200  200  403
GET    /api/v1/org/wallet/summary                   401  401  401  401  403  403  200  200  200  403
GET    /api/v1/org/wallet/agents                    401  401  401  401  403  403  200  200  200  403
GET    /api/v1/org/wallet/agents/{id}/transactions  401  401  401  401  403  403  200  403  404  403
GET    /api/v1/org/fare-transactions                401  401  401  401  403  403  200  403  200  403
GET    /api/v1/org/fare-transactions/{id}           401  401  401  401  403  403  200  403  404  403
GET    /api/v1/org/finance-summary                  401  401  401  401  403  403  200  403  200  403
GET    /api/v1/me/fare-transactions                 401  401  401  401  200  200  200  200  200  403
GET    /api/v1/org/packages                         401  401  401  401  403  403  200  403  200  403
POST   /api/v1/org/packages                         401  401  401  401  403  403  201  403  201  403
PUT    /api/v1/org/packages/{id}                    401  401  401  401  403  403  200  403  404  403
DELETE /api/v1/org/packages/{id}                    401  401  401  401  403  403  200  403  404  403
POST   /api/v1/org/packages/preview                 401  401  401  401  403  403  200  403  200  403
GET    /api/v1/org/packages/assigned                401  401  401  401  403  403  200  403  404  403
POST   /api/v1/org/packages/assign                  401  401  401  401  403  403  200  403  404  403
DELETE /api/v1/org/packages/assign                  401  401  401  401  403  403  200  403  404  403
GET    /api/v1/org/packages/agent-assignments       401  401  401  401  403  403  200  403  200  403
POST   /api/v1/org/packages/assign-agent/{id}       401  401  401  401  403  403  200  403  404  403
DELETE /api/v1/org/packages/assign-agent/{id}       401  401  401  401  403  403  200  403  404  403
GET    /api/v1/org/hotel-packages                   401  401  401  401  403  403  200  403  200  403
POST   /api/v1/org/hotel-packages                   401  401  401  401  403  403  201  403  201  403
PUT    /api/v1/org/hotel-packages/{id}              401  401  401  401  403  403  200  403  404  403
DELETE /api/v1/org/hotel-packages/{id}              401  401  401  401  403  403  200  403  404  403
POST   /api/v1/org/hotel-packages/preview           401  401  401  401  403  403  200  403  200  403
GET    /api/v1/org/hotel-packages/assigned          401  401  401  401  403  403  200  403  404  403
POST   /api/v1/org/hotel-packages/assign            401  401  401  401  403  403  200  403  404  403
DELETE /api/v1/org/hotel-packages/assign            401  401  401  401  403  403  200  403  404  403
GET    /api/v1/org/hotel-packages/agent-assignments  401  401  401  401  403  403  200  403  200  403
POST   /api/v1/org/hotel-packages/assign-agent/{id}  401  401  401  401  403  403  200  403  404  403
DELETE /api/v1/org/hotel-packages/assign-agent/{id}  401  401  401  401  403  403  200  403  404  403
GET    /api/v1/events                               401  401  401  401  403  403  200  200  200  403
GET    /api/v1/org/webhooks                         401  401  401  401  403  403  200  200  200  403
POST   /api/v1/org/webhooks                         401  401  401  401  403  403  201  201  201  403
PUT    /api/v1/org/webhooks/{id}                    401  401  401  401  403  403  200  200  404  403
DELETE /api/v1/org/webhooks/{id}                    401  401  401  401  403  403  200  200  404  403
POST   /api/v1/org/webhooks/{id}/test               401  401  401  401  403  403  200  200  404  403
POST   /api/v1/org/webhooks/{id}/rotate-secret      401  401  401  401  403  403  200  200  404  403
GET    /api/v1/org/webhooks/{id}/deliveries         401  401  401  401  403  403  200  200  404  403
POST   /api/v1/org/webhooks/{id}/deliveries/{delivery_id}/redeliver  401  401  401  401  403  403  200  200  404  403
GET    /api/v1/notifications                        401  401  401  401  200  200  200  200  200  403
GET    /api/v1/notifications/unread-count           401  401  401  401  200  200  200  200  200  403
PUT    /api/v1/notifications/{id}/read              401  401  401  401  200  404  404  200  404  403
PUT    /api/v1/notifications/read-all               401  401  401  401  200  200  200  200  200  403
GET    /api/v1/org/reports                          401  401  401  401  403  403  200  200  200  403
POST   /api/v1/org/reports                          401  401  401  401  403  403  201  201  201  403
GET    /api/v1/org/reports/{id}/download            401  401  401  401  403  403  200  200  404  403
GET    /api/v1/reports                              401  401  401  401  200  200  200  200  200  403
POST   /api/v1/reports                              401  401  401  401  201  201  201  201  201  403
GET    /api/v1/reports/{id}/download                401  401  401  401  200  404  404  200  404  403
POST   /api/v1/flights/search                       401  401  401  401  200  200  200  200  200  403
POST   /api/v1/flights/search/stream                401  401  401  401  200  200  200  200  200  403
POST   /api/v1/flights/fare-rules                   401  401  401  401  200  404  404  200  404  403
POST   /api/v1/flights/price                        401  401  401  401  200  404  404  200  404  403
POST   /api/v1/flights/book                         401  401  401  401  200  404  404  200  404  403
GET    /api/v1/flights/bookings                     401  401  401  401  200  200  200  200  200  403
GET    /api/v1/flights/bookings/counts              401  401  401  401  200  200  200  200  200  403
GET    /api/v1/flights/bookings/{ref}               401  401  401  401  200  404  200  200  404  403
GET    /api/v1/flights/bookings/{ref}/timeline      401  401  401  401  200  404  200  200  404  403
POST   /api/v1/flights/bookings/{ref}/penalty       401  401  401  401  200  404  200  200  404  403
POST   /api/v1/flights/bookings/{ref}/cancel        401  401  401  401  200  404  200  200  404  403
POST   /api/v1/flights/bookings/{ref}/issue-ticket  401  401  401  401  200  404  200  200  404  403
PUT    /api/v1/flights/bookings/{ref}/auto-ticket   401  401  401  401  200  404  200  200  404  403
GET    /api/v1/flights/bookings/{ref}/retrieve      401  401  401  401  200  404  200  200  404  403
GET    /api/v1/flights/bookings/{ref}/track         401  401  401  401  200  404  200  200  404  403
GET    /api/v1/flights/bookings/{ref}/ssr           401  401  401  401  200  404  200  200  404  403
POST   /api/v1/flights/bookings/{ref}/ssr           401  401  401  401  200  404  200  200  404  403
GET    /api/v1/flights/changes                      401  401  401  401  200  200  200  200  200  403
POST   /api/v1/flights/bookings/{ref}/changes/{id}/accept  401  401  401  401  200  404  200  200  404  403
POST   /api/v1/flights/bookings/{ref}/changes/{id}/refuse  401  401  401  401  200  404  200  200  404  403
GET    /api/v1/flights/refunds                      401  401  401  401  200  200  200  200  200  403
POST   /api/v1/flights/bookings/{ref}/refund-status  401  401  401  401  200  404  200  200  404  403
POST   /api/v1/flights/bookings/{ref}/reschedule-avail  401  401  401  401  200  404  200  200  404  403
POST   /api/v1/flights/bookings/{ref}/reschedule-penalty  401  401  401  401  200  404  404  200  404  403
POST   /api/v1/flights/bookings/{ref}/reschedule    401  401  401  401  200  404  404  200  404  403
GET    /api/v1/airports                             401  401  401  401  200  200  200  200  200  403
GET    /api/v1/airlines                             401  401  401  401  200  200  200  200  200  403
POST   /api/v1/hotels/search                        401  401  401  401  200  200  200  200  200  403
GET    /api/v1/hotels/cities                        401  401  401  401  200  200  200  200  200  403
POST   /api/v1/hotels/details                       401  401  401  401  200  200  200  200  200  403
POST   /api/v1/hotels/price                         401  401  401  401  200  404  404  200  404  403
POST   /api/v1/hotels/book                          401  401  401  401  201  404  404  201  404  403
GET    /api/v1/hotels/bookings                      401  401  401  401  200  200  200  200  200  403
GET    /api/v1/hotels/bookings/counts               401  401  401  401  200  200  200  200  200  403
GET    /api/v1/hotels/bookings/{ref}                401  401  401  401  200  404  200  200  404  403
GET    /api/v1/hotels/bookings/{ref}/timeline       401  401  401  401  200  404  200  200  404  403
GET    /api/v1/hotels/bookings/{ref}/voucher        401  401  401  401  200  404  200  200  404  403
GET    /api/v1/hotels/refunds                       401  401  401  401  200  200  200  200  200  403
POST   /api/v1/hotels/bookings/{ref}/penalty        401  401  401  401  200  404  200  200  404  403
POST   /api/v1/hotels/bookings/{ref}/cancel         401  401  401  401  200  404  200  200  404  403
";

struct Row {
    method: Method,
    path: String,
    expected: Vec<u16>,
}

fn rows() -> Vec<Row> {
    let rows = read(TABLE, COLUMNS.len()).into_iter();
    rows.map(|(method, path, expected)| Row { method, path, expected }).collect()
}

/// Method, path and the statuses of each who asks: so many.
pub fn read(table: &str, columns: usize) -> Vec<(Method, String, Vec<u16>)> {
    let lines = table.lines().filter(|line| line.contains('/'));
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        let method = words.next().unwrap().parse().unwrap();
        let path = words.next().unwrap().to_owned();
        let expected: Vec<u16> = words.map(|status| status.parse().unwrap()).collect();
        assert_eq!(expected.len(), columns, "{line}");
        (method, path, expected)
    };
    lines.map(row).collect()
}

#[test]
fn the_table_has_the_routers_endpoints_and_no_others() {
    let routes: Vec<String> =
        endpoints().iter().map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).collect();
    let table: Vec<String> = rows().iter().map(|row| format!("{} {}", row.method, row.path)).collect();
    let (routes, lines): (BTreeSet<_>, BTreeSet<_>) = (routes.iter().collect(), table.iter().collect());
    assert_eq!(lines.len(), table.len(), "a line stands twice");
    let missing: Vec<_> = routes.difference(&lines).collect();
    let unknown: Vec<_> = lines.difference(&routes).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "endpoints without a line: {missing:?}, lines without an endpoint: {unknown:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_answers_everybody_as_it_must() {
    let actors = Actors::gather().await;
    let mut wrongs = Vec::new();
    for row in rows() {
        row.check(&actors, &mut wrongs).await;
    }
    assert!(wrongs.is_empty(), "\n  {}\n", wrongs.join("\n  "));
    actors.world.books_agree().await;
    // What the fingerprint would have shown.
    let Actors { world, fixture, .. } = &actors;
    let before = fixture.fingerprint(world).await;
    world.sql("update users set phone = '+' where username = 'bina'").await;
    let after = fixture.fingerprint(world).await;
    assert_eq!(before.iter().filter(|table| !after.contains(table)).count(), 1);
}

impl Row {
    async fn check(&self, actors: &Actors, wrongs: &mut Vec<String>) {
        let Actors { world, fixture, api_only, callers } = actors;
        let theirs = fixture.fresh(world, &self.path).await;
        let own = api_only.fresh(world, &self.path).await;
        let answers_the_house =
            |(caller, expected): &(&Caller, &u16)| caller.is_of_the_agency() && **expected < 300;
        let (served, strangers): (Vec<_>, Vec<_>) =
            callers.iter().zip(&self.expected).partition(answers_the_house);

        let before = fixture.fingerprint(world).await;
        for (caller, &expected) in strangers {
            let asked_for = if caller.name == "api_only" { &own } else { &theirs };
            let reply = self.ask(actors, caller, asked_for, expected, wrongs).await;
            if expected == 404 {
                let missing = self.ask(actors, caller, &asked_for.missing(), 404, wrongs).await;
                if look(&reply) != look(&missing) {
                    wrongs.push(format!("{self} tells {} what is there: {reply:?} {missing:?}", caller.name));
                }
            }
        }
        // Log-ins make sessions, and those that are refused are journaled.
        let after = fixture.fingerprint(world).await;
        if before != after && !self.path.starts_with("/api/v1/auth/") {
            let changed: Vec<_> = after.iter().filter(|table| !before.contains(table)).collect();
            wrongs.push(format!("{self} let strangers change {changed:?}"));
        }

        let mut unused = Some(theirs);
        for (caller, &expected) in served {
            let asked_for = match unused.take() {
                Some(record) => record,
                None => fixture.fresh(world, &self.path).await,
            };
            self.ask(actors, caller, &asked_for, expected, wrongs).await;
        }
    }

    async fn ask(
        &self,
        actors: &Actors,
        caller: &Caller,
        record: &Record,
        expected: u16,
        wrongs: &mut Vec<String>,
    ) -> Reply {
        let request = record.request(&actors.world, &self.method, &self.path, caller);
        let reply = caller.ask(&actors.world, &request).await;
        if reply.status != expected {
            wrongs.push(format!(
                "{self} answers {} {}, not {expected}: {}",
                caller.name, reply.status, reply.text
            ));
        }
        let marks = actors.fixture.marks(&actors.world, caller).await;
        if let Some(mark) = marks.iter().find(|mark| reply.text.contains(mark.as_str())) {
            wrongs.push(format!("{self} tells {} of {mark}", caller.name));
        }
        reply
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// All that an answer shows, but for what each has of its own.
fn look(reply: &Reply) -> (u16, &str, BTreeSet<(&str, &[u8])>) {
    let headers = reply.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
    let own = |name: &str| name == "date" || name == "x-request-id" || name.starts_with("ratelimit-");
    (reply.status, &reply.text, headers.filter(|(name, _)| !own(name)).collect())
}
