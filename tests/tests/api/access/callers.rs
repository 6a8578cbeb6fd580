//! Those who ask, and the records that they ask for.

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_domain::Role;
use wayfare_tests::{
    Agency, PASSWORD, Person, Pick, Reply, Seller, World, WorldOptions, amount, one_way, stay_at,
};

/// What every route is asked by, in the order of the table's columns.
pub const COLUMNS: [&str; 10] =
    ["none", "garbage", "expired", "suspended", "agent", "other", "admin", "api_only", "foreign", "outside"];

/// Enough for every booking of a test.
const MONEY: &str = "100000000";
/// No proxy of ours, and on nobody's whitelist.
const ELSEWHERE: &str = "203.0.113.9";

pub struct Caller {
    pub name: &'static str,
    person: Person,
    forwarded_for: Option<&'static str>,
    log_in: Value,
    /// A refresh token for the row that spends it, and one of another session for the row that ends it.
    refresh_tokens: [String; 2],
    /// A token of a session of its own for the row that ends the session of its token; none: that of all other rows.
    ending: Option<String>,
}

impl Caller {
    /// Whether they are of the agency whose records are asked for.
    pub fn is_of_the_agency(&self) -> bool {
        ["agent", "other", "admin"].contains(&self.name)
    }

    /// Sends this request as they do: with their token, from where they are.
    pub async fn ask(&self, world: &World, request: &Request) -> Reply {
        let url = format!("{}{}", world.base_url, request.path);
        let mut asked = reqwest::Client::new().request(request.method.clone(), url);
        let ending = self.ending.as_ref().filter(|_| request.path.ends_with("/sessions/current"));
        if let Some(token) = ending.or(self.person.token.as_ref()) {
            asked = asked.bearer_auth(token);
        }
        if let Some(address) = self.forwarded_for {
            asked = asked.header("x-forwarded-for", address);
        }
        if !request.body.is_null() {
            asked = asked.json(&request.body);
        }
        self.person.send(asked).await
    }

    /// What they send to the routes of `/auth/`, which prove who asks by the body alone.
    fn proof(&self, path: &str) -> Value {
        let [refresh, log_out] = &self.refresh_tokens;
        match path {
            "/api/v1/auth/login" | "/api/v1/auth/sessions" => self.log_in.clone(),
            "/api/v1/auth/refresh" => json!({ "refresh_token": refresh }),
            _ => json!({ "refresh_token": log_out }),
        }
    }
}

pub struct Request {
    method: Method,
    path: String,
    body: Value,
}

/// An agency with records that can be asked for.
pub struct Fixture {
    agency: Agency,
    /// Whose the bookings, the offers and the prices are.
    owner: Person,
}

impl Fixture {
    /// What this route is about, made now: a record that can be reached and that nothing has used up.
    pub async fn fresh(&self, world: &World, route: &str) -> Record {
        let trip = one_way("DEL", "BOM");
        match route {
            "/api/v1/flights/price" | "/api/v1/flights/fare-rules" => {
                Record::Offer(self.owner.offer(&trip).await)
            }
            "/api/v1/flights/book" => Record::Order(self.owner.order_for(&trip).await),
            // What the supplier only holds is there to be ticketed.
            "/api/v1/flights/bookings/{ref}/issue-ticket" | "/api/v1/flights/bookings/{ref}/auto-ticket" => {
                let booked = self.owner.try_buy(&one_way("JFK", "EWR")).await.ok();
                let reference = booked["booking_ref"].as_str().unwrap().to_owned();
                Record::Held(reference, amount(&booked["total_amount"]).to_string())
            }
            // By an airline that sells bags later.
            "/api/v1/flights/bookings/{ref}/ssr" => {
                Record::Booking(self.owner.buy(trip.by("6E")).await.reference)
            }
            // By an airline whose orders are Duffel's.
            "/api/v1/flights/bookings/{ref}/changes/{id}/accept"
            | "/api/v1/flights/bookings/{ref}/changes/{id}/refuse" => {
                let reference = self.owner.buy(trip.by("ZZ")).await.reference;
                let change = world.puts_off(&self.owner, &reference, 60).await;
                Record::Change(reference, change["id"].as_str().unwrap().to_owned())
            }
            "/api/v1/flights/bookings/{ref}/refund-status" => {
                let reference = self.owner.buy(trip).await.reference;
                self.owner.cancel(&reference).await.ok();
                Record::Booking(reference)
            }
            "/api/v1/flights/bookings/{ref}/reschedule-penalty"
            | "/api/v1/flights/bookings/{ref}/reschedule" => {
                let reference = self.owner.buy(trip).await.reference;
                let path = format!("/flights/bookings/{reference}/reschedule-avail");
                let found = self.owner.post(&path, &another_day(world)).await.ok();
                Record::Rescheduling(reference, found[0]["fare_key"].as_str().unwrap().to_owned())
            }
            "/api/v1/hotels/details" => {
                let stay = self.owner.find_stay(&stay_at("liteapi"), Pick::Cheapest).await;
                Record::Hotel(json!({ "hotel_ids": [stay.hotel["hotel_id"]] }), "hotel_ids")
            }
            "/api/v1/hotels/price" => {
                let stay = self.owner.find_stay(&stay_at("liteapi"), Pick::Cheapest).await;
                Record::Hotel(stay.price_body(), "search_id")
            }
            "/api/v1/hotels/book" => {
                let stay = self.owner.find_stay(&stay_at("liteapi"), Pick::Cheapest).await;
                Record::Hotel(stay.order(&self.owner.price_stay(&stay).await.ok()), "price_id")
            }
            _ if route.starts_with("/api/v1/hotels/bookings/") => {
                Record::Booking(self.owner.buy_stay(&stay_at("liteapi"), Pick::Cheapest).await.reference)
            }
            _ if route.contains("{ref}") => Record::Booking(self.owner.buy(trip).await.reference),
            _ if route.contains("packages/assign-agent/") => {
                let agent = self.new_agent(world).await;
                Record::Package(self.package(world, route, Some(&agent)).await, Some(agent))
            }
            "/api/v1/me/sessions/{id}" => {
                let me = self.owner.get("/me").await.ok();
                let log_in = json!({ "agent_id": self.agency.code.as_ref(), "username": me["username"],
                    "password": PASSWORD });
                self.owner.post("/auth/sessions", &log_in).await.succeeds(201);
                let sessions = self.owner.get("/me/sessions").await.ok();
                let mut browsers =
                    sessions.as_array().unwrap().iter().filter(|one| !one["idle_until"].is_null());
                Record::Session(browsers.next().unwrap()["id"].as_str().unwrap().to_owned())
            }
            _ if route.contains("/notifications/{id}") => {
                Record::Notification(self.notification(world).await)
            }
            _ if route.contains("/webhooks/{id}") => {
                let (webhook, delivery) = self.webhook(world).await;
                Record::Webhook(webhook, delivery)
            }
            // Of no record: a draft is looked at, and nothing is there.
            _ if route.ends_with("packages/preview") => Record::None,
            _ if route.contains("packages/") => Record::Package(self.package(world, route, None).await, None),
            "/api/v1/org/reports/{id}/download" => {
                Record::Report(made_report(world, &self.agency.log_in("asha").await, "/org/reports").await)
            }
            "/api/v1/reports/{id}/download" => {
                Record::Report(made_report(world, &self.owner, "/reports").await)
            }
            _ if route.contains("{id}") => Record::User(self.new_agent(world).await),
            _ => Record::None,
        }
    }

    async fn notification(&self, world: &World) -> String {
        let (id, organization) =
            (world.line("select gen_random_uuid()").await, self.organization(world).await);
        let owner = &self.owner.id;
        let statement = format!(
            "insert into notifications values ('{organization}', '{owner}', '{id}', 'report.ready', '', '', '{{}}', now())"
        );
        world.sql(&statement).await;
        id
    }

    /// A webhook of the agency, and a delivery to it: nobody sends anything here. It takes the place of the one before, since an
    /// agency has only so many.
    async fn webhook(&self, world: &World) -> (String, String) {
        let (webhook, event) =
            (world.line("select gen_random_uuid()").await, world.line("select gen_random_uuid()").await);
        let organization = self.organization(world).await;
        let now = world.platform.core.clock.now();
        let statement = format!(
            "delete from webhooks where org_id = '{organization}';
             insert into webhooks values ('{organization}', '{webhook}', 'https://example.com/', '', '{{}}', true, null,
                 1, null, null, null, '{now}', '{now}');
             insert into public_events (org_id, id, kind, subject, data, created_at)
                 values ('{organization}', '{event}', 'user.created', 'user:1', '{{}}', '{now}');
             insert into webhook_deliveries (org_id, webhook_id, event_id, sequence, kind, subject, state, due_at,
                     give_up_at, created_at)
                 values ('{organization}', '{webhook}', '{event}', 1, 'user.created', 'user:1', 'failed', '{now}', '{now}',
                     '{now}')"
        );
        world.sql(&statement).await;
        (webhook, event)
    }

    async fn new_agent(&self, world: &World) -> String {
        self.agency.agent(&format!("u{}", world.line("select count(*) from users").await), "0").await.id
    }

    /// A package of the route's product, assigned to this agent, or to the agency where none is named. Not made by the
    /// API, which an agency without the portal can't ask for one.
    async fn package(&self, world: &World, route: &str, agent: Option<&str>) -> String {
        let (id, organization) =
            (world.line("select gen_random_uuid()").await, self.organization(world).await);
        let product = if route.contains("/hotel-") { "hotel" } else { "flight" };
        let (owner, agent) = (&self.owner.id, agent.map_or("null".to_owned(), |agent| format!("'{agent}'")));
        let statement = format!(
            "insert into packages values ('{organization}', '{id}', '{product}', 'Package', '', 'percent', 5, 'fare',
                 0, true, '{owner}', now(), now());
             insert into package_assignments values ('{organization}', gen_random_uuid(), '{product}', '{id}',
                 {agent}, '{owner}', now())
             on conflict (org_id, product) where agent_id is null do update set package_id = excluded.package_id"
        );
        world.sql(&statement).await;
        id
    }

    /// A fingerprint of every table's rows of this agency: those that come later too.
    pub async fn fingerprint(&self, world: &World) -> Vec<String> {
        let organization = self.organization(world).await;
        let query = format!(
            "select table_name || ' ' || md5(query_to_xml(format(
                 'select t::text from %I t where %I = %L order by 1', table_name, column_name, '{organization}'),
                 true, false, '')::text)
             from information_schema.columns where table_schema = 'public'
                 and column_name = case table_name when 'organizations' then 'id' else 'org_id' end
             order by 1"
        );
        world.lines(&query).await
    }

    /// Everything by which an answer could give away to this caller what is not theirs: of the whole agency, and to
    /// another agent of the agency its owner's.
    pub async fn marks(&self, world: &World, caller: &Caller) -> Vec<String> {
        let organization = self.organization(world).await;
        let whose = match caller.name {
            "agent" | "admin" | "expired" => return Vec::new(),
            "other" => format!("whose = '{}'", self.owner.id),
            _ => "true".to_owned(),
        };
        let query = format!(
            "select unnest(marks) from (
                 select id, array[id::text, sub_agent_id] from users where org_id = '{organization}'
                 union all select user_id, array[id::text, booking_ref] from bookings where org_id = '{organization}'
                 union all select owner_id, array[id::text] from wallets where org_id = '{organization}'
                 union all select actor_id, array[id::text] from events where org_id = '{organization}'
                 union all select user_id, array[id::text] from reports where org_id = '{organization}'
                 union all select null, array[id::text] from settings where org_id = '{organization}'
                 union all select user_id, array[id::text] from notifications where org_id = '{organization}'
                 union all select null, array[id::text] from webhooks where org_id = '{organization}'
                 union all select null, array[id::text] from public_events where org_id = '{organization}'
                 union all select null, array[id::text] from packages where org_id = '{organization}'
                 union all select null, array[id::text] from package_assignments where org_id = '{organization}'
                 union all select null, array[id::text, agent_id] from organizations where id = '{organization}'
             ) as rows (whose, marks)
             where {whose}"
        );
        world.lines(&query).await
    }

    async fn organization(&self, world: &World) -> String {
        let code = &self.agency.code;
        world.line(&format!("select id from organizations where agent_id = '{code}'")).await
    }
}

pub enum Record {
    /// Whatever the caller has, or nothing.
    None,
    User(String),
    Session(String),
    Report(String),
    /// A package's id, and that of the agent who has it; none: the agency.
    Package(String, Option<String>),
    Notification(String),
    /// A webhook's id, and that of a delivery to it.
    Webhook(String, String),
    Booking(String),
    /// A booking's reference, and the id of what its airline has changed.
    Change(String, String),
    /// A held booking's reference, and what was paid.
    Held(String, String),
    /// A booking's reference, and the fare key of what could be flown instead.
    Rescheduling(String, String),
    Offer(String),
    Order(Value),
    /// The body of a request about hotels, and the field of it that names what is its sender's.
    Hotel(Value, &'static str),
}

impl Record {
    /// One of the same kind that nobody has.
    pub fn missing(&self) -> Self {
        let uuid = "00000000-0000-7000-8000-000000000000";
        match self {
            Self::None => Self::None,
            Self::User(_) => Self::User(uuid.to_owned()),
            Self::Session(_) => Self::Session(uuid.to_owned()),
            Self::Report(_) => Self::Report(uuid.to_owned()),
            Self::Package(_, agent) => {
                Self::Package(uuid.to_owned(), agent.as_ref().map(|_| uuid.to_owned()))
            }
            Self::Notification(_) => Self::Notification(uuid.to_owned()),
            Self::Webhook(..) => Self::Webhook(uuid.to_owned(), uuid.to_owned()),
            Self::Booking(_) => Self::Booking("FA-00000000".to_owned()),
            Self::Change(..) => Self::Change("FA-00000000".to_owned(), uuid.to_owned()),
            Self::Held(_, amount) => Self::Held("FA-00000000".to_owned(), amount.clone()),
            Self::Rescheduling(..) => {
                Self::Rescheduling("FA-00000000".to_owned(), format!("fk_{}", "A".repeat(48)))
            }
            Self::Offer(_) => Self::Offer(format!("of_{}", "A".repeat(48))),
            Self::Order(order) => {
                let mut order = order.clone();
                order["booking_keys"] = json!([format!("bk_{}_0", uuid.replace('-', ""))]);
                Self::Order(order)
            }
            Self::Hotel(body, field) => {
                let mut body = body.clone();
                body[field] = uuid.into();
                Self::Hotel(body, field)
            }
        }
    }

    /// The request of this route about it, such as it must be to succeed.
    pub fn request(&self, world: &World, method: &Method, route: &str, caller: &Caller) -> Request {
        let path = match self {
            Self::User(id)
            | Self::Session(id)
            | Self::Report(id)
            | Self::Notification(id)
            | Self::Package(_, Some(id))
            | Self::Package(id, None) => route.replace("{id}", id),
            Self::Change(reference, id) => route.replace("{ref}", reference).replace("{id}", id),
            Self::Webhook(id, delivery) => route.replace("{id}", id).replace("{delivery_id}", delivery),
            Self::Booking(reference) | Self::Held(reference, _) | Self::Rescheduling(reference, _) => {
                route.replace("{ref}", reference)
            }
            _ => route.to_owned(),
        };
        let is_typed = ["/hotels/cities", "/airports", "/airlines"];
        let path = match is_typed.iter().any(|end| route.ends_with(end)) {
            true => format!("{path}?q=mum"),
            false => path,
        };
        assert!(!path.contains('{'), "{route} needs a record: Fixture::fresh makes none");
        let body = match (self, method.as_str(), route) {
            (Self::Offer(offer), ..) => json!({ "offer_ids": [offer] }),
            (Self::Order(body) | Self::Hotel(body, _), ..) => body.clone(),
            (_, "POST", "/api/v1/hotels/search") => stay_at("").body(world.now().date_naive()),
            (_, _, "/api/v1/flights/bookings/{ref}/changes/{id}/refuse") => json!({ "wish": "refund" }),
            (_, _, "/api/v1/flights/bookings/{ref}/auto-ticket") => json!({ "enabled": true }),
            (Self::Held(_, fare), ..) => serde_json::from_str(&format!(r#"{{"amount": {fare}}}"#)).unwrap(),
            (Self::Rescheduling(_, fare_key), ..) => match route.ends_with("penalty") {
                true => json!({ "fare_key": fare_key }),
                false => json!({ "fare_keys": [fare_key] }),
            },
            (_, "POST", "/api/v1/flights/bookings/{ref}/ssr") => json!({
                "ssr": [{ "type": "BAGGAGE", "code": "checked-23kg", "pax_ref": 1, "segment_id": "s1" }],
            }),
            (_, _, "/api/v1/flights/bookings/{ref}/reschedule-avail") => another_day(world),
            (_, "POST", route) if route.starts_with("/api/v1/auth/") => caller.proof(route),
            (_, "POST", "/api/v1/org/webhooks") | (_, "PUT", "/api/v1/org/webhooks/{id}") => {
                json!({ "url": "https://example.com/hooks" })
            }
            (_, "POST", route) if route.ends_with("packages/preview") => json!({
                "name": "New", "markup_type": "percent", "markup_value": 5, "example": { "base": 4500, "taxes": 900 },
            }),
            (Self::Package(package, _), "POST", _) => json!({ "package_id": package }),
            (_, "POST" | "PUT", route) if route.contains("packages") => {
                json!({ "name": "New", "markup_type": "percent", "markup_value": 5 })
            }
            (_, "POST", "/api/v1/flights/search" | "/api/v1/flights/search/stream") => {
                one_way("DEL", "BOM").body(world.now())
            }
            (_, "PUT", "/api/v1/me" | "/api/v1/org/users/{id}" | "/api/v1/org/profile") => {
                json!({ "name": "New" })
            }
            // The right one would end the caller's sessions.
            (_, "PUT", "/api/v1/me/password") => {
                json!({ "current_password": "wrong horse 7", "new_password": "another horse 7" })
            }
            (_, "POST", "/api/v1/org/reports" | "/api/v1/reports") => report(),
            (_, "PUT", "/api/v1/org/settings") => json!({ "key": "crm", "value": "x" }),
            (_, "POST", "/api/v1/org/wallet/topup/{id}") => json!({ "amount": 1, "description": "fuel" }),
            (_, "POST", "/api/v1/org/users") => json!({
                "username": "newcomer", "email": "newcomer@sunrise.example", "name": "Newcomer",
                "password": PASSWORD, "role": "agent",
            }),
            _ => json!(null),
        };
        Request { method: method.clone(), path, body }
    }
}

fn report() -> Value {
    json!({ "type": "booking", "period_start": "2027-01-01", "period_end": "2027-01-31" })
}

/// The id of a report that this person has asked for at this desk, and whose file is there.
async fn made_report(world: &World, person: &Person, desk: &str) -> String {
    let asked = person.post(desk, &report()).await.succeeds(201);
    world.make_reports().await;
    asked["id"].as_str().unwrap().to_owned()
}

/// When travellers want to fly instead.
fn another_day(world: &World) -> Value {
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    json!({ "origin": "DEL", "destination": "BOM", "new_date": day })
}

/// The world of the table: the agency that is asked for, another on the tier `api_only` with records of its own, and
/// those who ask.
pub struct Actors {
    pub world: World,
    /// The agency whose records are asked for. It has a whitelist.
    pub fixture: Fixture,
    /// The agency without the portal, whose admin is asked for its own records.
    pub api_only: Fixture,
    pub callers: Vec<Caller>,
}

impl Actors {
    pub async fn gather() -> Self {
        let options = WorldOptions {
            trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
            sellers: vec![Seller::duffel(), Seller::liteapi()],
            ..WorldOptions::default().frozen()
        };
        let (world, agency) = World::with(options).await.and_agency().await;
        let early = caller("expired", &agency, "asha").await;
        world.pass(3_600);
        agency.admin(MONEY).await;
        let agent = agency.agent("arjun", MONEY).await;
        agency.agent("bina", MONEY).await;
        agency.second_admin("vikram").await;
        let suspended = caller("suspended", &agency, "vikram").await;
        // By itself: the API would end the sessions too.
        world.sql("update users set status = 'suspended' where username = 'vikram'").await;
        let subscriber = world.agency().await;
        let subscriber_admin = subscriber.admin(MONEY).await;
        let stranger = world.agency().await;
        stranger.admin(MONEY).await;
        let statement = format!(
            "update organizations set subscription_type = 'api_only' where agent_id = '{}';
             update organizations set ip_whitelist_enabled = true, whitelist = '{{127.0.0.1}}' where agent_id = '{}'",
            subscriber.code, agency.code
        );
        world.sql(&statement).await;
        let nobody = |name, token: Option<&str>, log_in, refresh: &str| Caller {
            name,
            person: agent.with_token(token),
            forwarded_for: None,
            log_in,
            refresh_tokens: [refresh.to_owned(), refresh.to_owned()],
            ending: None,
        };
        let unknown = json!({ "agent_id": agency.code.as_ref(), "username": "nobody", "password": PASSWORD });
        let callers = vec![
            nobody("none", None, json!({}), ""),
            nobody("garbage", Some("garbage"), unknown, "garbage"),
            early,
            suspended,
            caller("agent", &agency, "arjun").await,
            caller("other", &agency, "bina").await,
            caller("admin", &agency, "asha").await,
            caller("api_only", &subscriber, "asha").await,
            caller("foreign", &stranger, "asha").await,
            Caller { forwarded_for: Some(ELSEWHERE), ..caller("outside", &agency, "asha").await },
        ];
        assert_eq!(callers.iter().map(|caller| caller.name).collect::<Vec<_>>(), COLUMNS);
        let mut roles = Vec::new();
        for caller in callers.iter().filter(|caller| caller.is_of_the_agency()) {
            roles.push(caller.person.get("/me").await.ok()["role"].as_str().unwrap().to_owned());
        }
        let is_here = |role: &&str| roles.iter().any(|known| known == role);
        assert!(Role::WORDS.iter().all(is_here), "a column of each role: {roles:?}");
        Self {
            world,
            fixture: Fixture { agency, owner: agent },
            api_only: Fixture { agency: subscriber, owner: subscriber_admin },
            callers,
        }
    }
}

/// Somebody who is here already, with four sessions: one for all that they ask, and three to be used up. Whose token will be
/// over by its time has nothing else to show.
async fn caller(name: &'static str, agency: &Agency, username: &str) -> Caller {
    let token = async || agency.log_in(username).await.refresh_token.unwrap();
    let person = agency.log_in(username).await;
    let ending = agency.log_in(username).await.token.filter(|_| name != "expired");
    Caller {
        name,
        person,
        forwarded_for: None,
        log_in: json!({ "agent_id": agency.code.as_ref(), "username": username, "password": PASSWORD }),
        refresh_tokens: [token().await, token().await],
        ending,
    }
}
