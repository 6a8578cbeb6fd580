//! Travel suppliers that are not real: an HTTP server that speaks the wire formats of real ones.
//!
//! It stands in for a supplier at the far end of a socket, and promises:
//! - a client that works with it has nothing to unlearn for the real supplier: fields, errors and limits are the real
//!   ones, and it offers no call, filter or ability that the real one lacks;
//! - the same question gets the same flights at the same prices, for any two airports and any day, from a seed;
//! - an order that was answered is still there after the process was killed, where it has a data folder;
//! - it misbehaves on demand, by `POST /_sandbox/faults`: slow, refused, cut off, moved in price, sold out.
//!
//! It shares no type with the clients it is there to test: two hands write the two ends of the wire.
//!
//! # Suppliers
//! | supplier | base URL | credentials |
//! |---|---|---|
//! | Duffel Flights API v2 | `http://host:port/duffel` | any token of the form `duffel_test_…` |
//! | TripJack Air API v1 | `http://host:port/tripjack` | any `apikey` of the form `tripjack_test_…` |
//! | LiteAPI v3.0, hotels: searches and bookings | `http://host:port/liteapi/v3.0` | any `X-API-Key` of the form `liteapi_test_…` |
//! | Hotelbeds APItude 1.0, hotels: booking and content | `http://host:port/hotelbeds` | any `Api-key` of the form `hotelbeds_test_…`, signed with the secret `sandbox` |
//!
//! A supplier can have an address of its own beside ([`Sandbox::start_with`], `--own duffel=127.0.0.1:9091`): there its paths
//! have nothing before them, for clients that know a host and no path. A slash at the end of a path is taken everywhere.
//!
//! Duffel and TripJack sell the same flights at the same base fares, each at its own taxes and fees and in its own cut: TripJack sells
//! each way within one country by itself, and trips across borders whole. Of TripJack only search and review follow
//! recorded answers; what the rest follows is in the project's `docs/SUPPLIERS.md`. Its amounts are in the sandbox's
//! currency, which its bodies do not name. Two sandboxes of different seeds are two suppliers of one kind.
//!
//! There are hotels in every city of the reference table, ten to sixty. They are the same ones at every supplier of hotels,
//! under ids of each, and so are their rooms: one that either sold is no longer left at the other. LiteAPI prices
//! them in any currency that is asked for, at fixed rates, Hotelbeds in the sandbox's and by up to 5 % apart from the
//! others; what is due at the hotel is in the money of its country.
//!
//! Duffel's test routes, one way only: PVD→RAI no offers; JFK→EWR offers that can only be held; LHR→DXB connections;
//! DXB→AMS a stop inside a segment; BTS→MRU no bags; BTS→ABV no services; STN→LHR the search times out (504); LGW→LHR
//! the offer is gone when it is read or booked; LHR→STN each reading finds the offer dearer by 10.00; LHR→LGW the
//! airline fails at the order (502 `airline_unknown`); LHR→LTN each reading of an order's schedule changes
//! (`GET /air/airline_initiated_changes`) makes a new one; LGW→STN the balance is too low (422 `insufficient_balance`, at TripJack
//! 1016). TripJack's flights are the same there; what else happens to offers and orders happens at Duffel only.
//!
//! # Control surface
//! | call | answer |
//! |---|---|
//! | `GET /_sandbox/health` | `{"status":"ok","pid":…}` |
//! | `GET /_sandbox/orders` | every order, oldest first: `supplier`, `id`, `reference` (the buyer's booking: the order's metadata of that name, or a hotel's client reference, without the order's number), `order_reference` (that text as it is; both null at TripJack, which takes no reference and whose `id` is the booking id of the review), `status` (`held`, `confirmed`, `cancelled`), `amount` (an exact number), `currency`, `created_at`, `cancelled_at` |
//! | `POST /_sandbox/orders/{id}/airline_change` | lets the airline of an order of flights put off all flights of a slice, `{"slice":0,"minutes":60}` where the body says nothing else: the order has them at once, at Duffel with ids of their own, and there lists the change in `airline_initiated_changes`; 201 `{"id":"aic_…"}`, null at TripJack, 404 or 422 `{"error":…}` |
//! | `POST /_sandbox/orders/{id}/cancel` | the supplier ends an order by itself and gives back `{"refund":120.50}`, all that was paid where the body says nothing; with `"told":false` Duffel knows no cancellation of it, with `"currency":"USD"` it says that it gives back so much of these; 204, 404 or 422 `{"error":…}` |
//! | `POST /_sandbox/orders/{id}/hotel_numbers` | a hotel tells its own numbers of the rooms, `{"numbers":["A-17"]}`; 204, 404 or 422 `{"error":…}` |
//! | `POST /_sandbox/webhooks` | agrees where a supplier tells of news, `{"supplier":"hotelbeds","url":…}`, at Duffel with a `secret`; 204 or 422 `{"error":…}` |
//! | `POST /_sandbox/faults` | queues `{"supplier":"duffel","call":…,"fault":…,"times":1}`, or for `tripjack`, `liteapi`, `hotelbeds`; 201, or 422 `{"error":…}` |
//! | `GET /_sandbox/faults` | what is queued and for how many calls more |
//! | `DELETE /_sandbox/faults` | nothing goes wrong any more, and what is slow goes on at once; 204 |
//! | `POST /_sandbox/oddities` | from now on answers are odd and mean the same: `{"names":["names_in_capitals"],"drawn":3,"seed":7}`, of one `supplier` or one `call` where they are named; `names` are rows of `wayfare_oddities`, `drawn` are so many of them for each answer anew; 201, or 422 `{"error":…}` |
//! | | A request with a header `Sandbox-Plain` is answered without them: whoever audits what the supplier has. |
//! | `GET /_sandbox/oddities` | what is odd |
//! | `DELETE /_sandbox/oddities` | nothing is odd any more; 204 |
//!
//! Calls are `search`, `price`, `book`, `lookup`, `cancel_quote`, `cancel`, `ticket`, `services`, `add_service`,
//! `change` and `webhook`, which Duffel and Hotelbeds make themselves. Suppliers of hotels have no `ticket`, `add_service` and
//! `change`, and LiteAPI no `cancel_quote`; what is published
//! of hotels and cities is their `services`. A fault happens to the next HTTP call of its kind that is let in, retries
//! included:
//!
//! | fault | what happens |
//! |---|---|
//! | `slow:<ms>` | the work is done and answered after waiting, even if the caller has left |
//! | `status:<code>` | nothing is done; the supplier's error body for 400 to 599, a page of HTML for 502 |
//! | `rate_limited` | nothing is done; 429 with `ratelimit-*` and `Retry-After: 1` |
//! | `broken_json` | nothing is done; 200 with JSON that breaks off |
//! | `says:<member>=<json>` | the work is done; each member of this name in the answer has this value |
//! | `says_more` | the work is done; each object of the answer has a member more, `said_more` |
//! | `sends_markup` | the work is done; what people read of the answer, names and fare names, has `<img src=x onerror=…>` behind it |
//! | `respells:<how>` | the work is done; names of people in the answer are spelled as airlines do: `airline`, `joined`, `cut`, `exchanged`, `fnu`, `initials` |
//! | `drop_before` | nothing is done; the connection is cut |
//! | `drop_after` | all is done; the connection is cut instead of an answer |
//! | `price_changed:<percent>` | `price`, `book`, `change`: the offer's total moves by so much, for good; an order that pays another amount gets `price_changed` at Duffel; TripJack's reviews send it as a `FAREALERT`, its bookings refuse it with 1015; LiteAPI's prebooks return it, its bookings refuse it with 4002 (`invalid prebookId, invalid rate`); Hotelbeds' checks return it under a fresh key, its bookings of any older key refuse it (`PRODUCT_ERROR`, `Price has changed`) |
//! | `sold_out` | `price`, `book`: the offer is gone, for good; LiteAPI says 4040 of a prebook and 2013 of a booking, Hotelbeds `PRODUCT_ERROR`, `Insufficient allotment` |
//! | `refund_later:<seconds>` | `cancel` of flights: the confirmation is accepted, with `confirmed_at` null; order and cancellation stay as they are and change by themselves when the time has come; TripJack's amendment is `REQUESTED` until then, its hold on hold |
//! | `rejected:<seconds>` | `cancel` at TripJack: the amendment is accepted and `REQUESTED`, and `REJECTED` when the time has come; the booking stays confirmed all the while. A hold that was to be let go is said to be let go, and stays |
//! | `appears_after:<ms>` | `book`, `add_service`: the order is made or the service added, the connection is cut, and the supplier's look-ups find it only then; `/_sandbox/orders` lists it at once. At TripJack an order is found and `PENDING` until then |
//! | `pending:<seconds>` | `book`, `ticket` at TripJack, `book` at LiteAPI: the booking or its payment is accepted and answered, and the booking is `PENDING` until then |
//! | `aborted:<seconds>` | `book` at TripJack and LiteAPI: the booking is accepted and answered, `PENDING` until then, and `ABORTED` (LiteAPI: `FAILED`) from then on; nothing is paid |
//! | `fare_stale` | `price` of a held order at TripJack: its fare is said to be guaranteed no more (`iobfe`) |
//! | `limit_later:<seconds>` | `book` at TripJack: a hold tells until when it must be paid only then |
//! | `lapses:<seconds>` | `book` at TripJack: a hold must be paid until then, and is `UNCONFIRMED` from then on |
//! | `webhook_lost` | `webhook`: nothing is told |
//! | `webhook_twice` | `webhook`: it is told twice |
//! | `webhook_forged` | `webhook`: it is told by somebody who can prove nothing |
//!
//! # Library
//! ```no_run
//! # async fn run() -> Result<(), wayfare_sandbox::StartError> {
//! use wayfare_sandbox::{Sandbox, Settings};
//!
//! let sandbox = Sandbox::start(Settings::of_seed(1)).await?;
//! println!("Duffel is at {0}/duffel, LiteAPI at {0}/liteapi/v3.0", sandbox.base_url());
//! sandbox.stop().await;
//! # Ok(())
//! # }
//! ```

mod aircraft;
mod airline_delay;
mod airlines;
mod ancillaries;
mod connection;
mod content_calls;
mod control;
mod duffel;
mod expiring_map;
mod fares;
mod fault_injection;
mod faults;
mod hotelbeds;
mod hotels;
mod inventory;
mod itinerary;
mod json;
mod liteapi;
mod mount;
mod network;
mod oddities;
mod orders;
mod own_address;
mod respelling;
mod rng;
mod search_ids;
mod server;
mod supplier_api;
mod tariff;
mod test_routes;
mod tripjack;
mod webhooks;
mod world;

pub use orders::LogError;
pub use own_address::OwnAddress;
pub use server::{Running, Sandbox, Settings, StartError};
