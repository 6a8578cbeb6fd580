//! Every text, number and list of every body, with what should not be there: refused or taken, never a broken server.

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_tests::{Agency, PASSWORD, Person, Reply, World, one_way};

/// Whose, the method and path, and the body with every field that it can have.
const FORMS: &str = r#"
    agent POST /auth/refresh  {"refresh_token": "x"}
    agent POST /auth/logout  {"refresh_token": "x"}
    agent PUT /me  {"name": "Arjun", "phone": "1"}
    agent PUT /me/password  {"current_password": "wrong horse 7", "new_password": "another horse 7"}
    admin PUT /org/users/00000000-0000-7000-8000-000000000000  {"name": "Dev", "phone": "1", "status": "active"}
    admin PUT /org/profile  {"name": "Sunrise", "email": "desk@sunrise.example", "phone": "1", "address": "Road 1", "country": "IN"}
    admin POST /org/wallet/topup/00000000-0000-7000-8000-000000000000  {"amount": 1, "description": "Diwali"}
    admin PUT /org/packages/00000000-0000-7000-8000-000000000000  {"name": "A", "markup_type": "percent", "markup_value": 5}
    admin POST /org/packages/assign-agent/00000000-0000-7000-8000-000000000000  {"package_id": "00000000-0000-7000-8000-000000000000"}
    admin POST /org/hotel-packages/assign  {"package_id": "00000000-0000-7000-8000-000000000000"}
    admin PUT /org/settings  {"key": "crm", "value": "x"}
    agent POST /flights/price  {"offer_ids": ["of_x"], "flight_selection": {"offer_ids": ["of_x"]}, "adults": 1, "children": 0, "infants": 0}
    agent POST /flights/bookings/FA-00000000/reschedule-avail  {"origin": "DEL", "destination": "BOM", "new_date": "2027-06-01", "journey": 0, "remarks": "x"}
    agent POST /flights/bookings/FA-00000000/reschedule-penalty  {"fare_key": "fk_x", "fare_keys": ["fk_x"], "itinerary_id": "of_x", "journeys": [0]}
    agent POST /flights/bookings/FA-00000000/cancel  {"remarks": "x"}
    agent POST /hotels/bookings/HTL-00000000/cancel  {"reason": "x", "notify_guest": true}
    agent PUT /flights/bookings/FA-00000000/auto-ticket  {"enabled": true}
    agent POST /flights/bookings/FA-00000000/changes/00000000-0000-7000-8000-000000000000/refuse  {"wish": "refund"}
    agent POST /flights/bookings/FA-00000000/issue-ticket  {"amount": 1, "agent_fare": 1, "public_fare": 1, "agent_commission": 0}
"#;

/// As JSON, for a place in a body.
pub const STRANGE: [&str; 15] = [
    r#""\u0007\u001b[2J\r\n""#,
    r#""\u202e\ufeff\u2028""#,
    "\"\u{1F600}\u{0301}\"",
    r#""'; drop table users; --""#,
    r#""%_\\""#,
    "\"\"",
    "null",
    "true",
    "-0",
    "1e400",
    "1e-400",
    "99999999999999999999999999999999999999",
    "79228162514264337593543950336",
    "{}",
    "[[]]",
];

struct Form<'a> {
    person: &'a Person,
    method: Method,
    path: &'static str,
    body: Value,
}

impl Form<'_> {
    async fn send(&self, body: &str) -> Reply {
        self.person.send_text(self.method.clone(), self.path, body.to_owned()).await
    }
}

/// Every body that there is, with every field that it can have.
async fn forms<'a>(world: &World, agency: &Agency, admin: &'a Person, agent: &'a Person) -> Vec<Form<'a>> {
    let trip = one_way("DEL", "BOM");
    let mut search = trip.body(world.now());
    search["search_params"]["airline_id"] = json!("AI");
    search["search_params"]["preferred_currency"] = json!("INR");
    search["search_params"]["max_results"] = json!(5);
    let mut order = agent.order(&agent.quote(&trip).await, &trip);
    order["issue_ticket_password"] = json!("secret");
    order["passengers"][0]["infant_ref"] = json!(1);
    order["agent_price"] = json!({ "agent_fare": 1, "service_fee": 0, "gst_on_service_fee": 0,
        "platform_charge": 0, "agent_commission": 0 });
    let form = |person, route: &'static str, body| {
        let (method, path) = route.split_once(' ').unwrap();
        Form { person, method: method.parse().unwrap(), path, body }
    };
    let rows = FORMS.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| {
        let (person, rest) = line.split_once(' ').unwrap();
        let (route, body) = rest.split_once("  ").unwrap();
        let person = if person == "admin" { admin } else { agent };
        form(person, route, serde_json::from_str(body).unwrap())
    });
    let login = json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": PASSWORD });
    let webhook = json!({ "url": "https://example.com/hooks", "description": "CRM",
        "event_types": ["booking.failed"], "is_active": true });
    let mut forms = vec![
        form(agent, "POST /auth/login", login.clone()),
        form(agent, "POST /auth/sessions", login),
        form(
            admin,
            "POST /org/users",
            json!({ "username": "arjun", "email": "a@sunrise.example", "name": "Dev", "phone": "1",
                "password": PASSWORD, "role": "agent" }),
        ),
        form(admin, "POST /org/webhooks", webhook.clone()),
        form(admin, "PUT /org/webhooks/00000000-0000-7000-8000-000000000000", webhook),
        form(
            admin,
            "POST /org/packages",
            json!({ "name": "A", "description": "B", "markup_type": "flat", "markup_value": 5,
                "markup_apply_on": "fare", "priority": 1, "is_active": true }),
        ),
        form(
            admin,
            "POST /org/packages/preview",
            json!({ "name": "A", "markup_type": "percent", "markup_value": 5, "markup_apply_on": "total", "is_active": true,
                "example": { "base": 4500, "taxes": 900, "commission": 225, "supplier": "duffel" } }),
        ),
        form(
            admin,
            "POST /org/hotel-packages/preview",
            json!({ "name": "A", "markup_type": "flat", "markup_value": 5, "price_ranges": [
                { "min_amount": 0, "max_amount": 5000, "markup_type": "percent", "markup_value": 5 }],
                "example": { "base": 4500, "taxes": 0 } }),
        ),
        form(
            admin,
            "POST /org/hotel-packages",
            json!({ "name": "A", "description": "B", "markup_type": "flat", "markup_value": 5,
                "markup_apply_on": "fare", "priority": 1, "is_active": true, "price_ranges": [
                    { "min_amount": 0, "max_amount": 5, "markup_type": "percent", "markup_value": 5 },
                    { "min_amount": 5, "max_amount": null, "markup_type": "flat", "markup_value": 5 }] }),
        ),
        form(
            agent,
            "POST /reports",
            json!({ "type": "sales", "period_start": "2027-01-01", "period_end": "2027-01-31", "filters": {
                "agent_id": "00000000-0000-7000-8000-000000000000", "status": "failed", "product": "hotel",
                "supplier": "duffel", "ref_type": "refund", "type": "debit" } }),
        ),
        form(agent, "POST /flights/search", search),
        form(agent, "POST /flights/book", order.clone()),
        form(agent, "POST /flights/book", {
            let mut by_offer = order;
            by_offer.as_object_mut().unwrap().remove("booking_keys");
            by_offer["offer_ids"] = json!(["of_x"]);
            by_offer
        }),
        form(
            agent,
            "POST /flights/bookings/FA-00000000/reschedule",
            json!({ "fare_keys": ["fk_x"], "journeys": [0], "passengers": [{ "pax_index": 1 }], "pnr": "x",
                "remarks": "x", "issue_ticket_password": "x" }),
        ),
    ];
    forms.extend(rows);
    forms
}

/// The pointers of every value in it that is no object, lists and their items among them.
pub fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                places(field, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            found.push(at.to_owned());
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), found);
            }
        }
        _ => found.push(at.to_owned()),
    }
}

/// The body as text, with this text of JSON in one place.
pub fn with(body: &Value, place: &str, written: &str) -> String {
    let mut body = body.clone();
    *body.pointer_mut(place).unwrap() = json!("<here>");
    body.to_string().replace("\"<here>\"", written)
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_stands_in_a_field_nothing_breaks() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", "1000000").await;
    let long = format!("\"{}\"", "x".repeat(200_000));
    let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
    let many = format!("[{}\"x\"]", "\"x\",".repeat(50_000));
    let numbers = ["-1e400", "1E2147483648", "1e99999999999999999999", "-9223372036854775809"];
    let more = ["0.00000000000000000000000000000000000001", &long, &deep, &many];
    let strange = [&STRANGE[..], &numbers, &more].concat();
    for form in forms(&world, &agency, &admin, &agent).await {
        let mut found = Vec::new();
        places(&form.body, "", &mut found);
        for place in &found {
            for written in &strange {
                let reply = form.send(&with(&form.body, place, written)).await;
                let shown: String = written.chars().take(40).collect();
                assert!(reply.status < 500, "{} {place} {shown}: {}", reply.asked, reply.text);
                reply.json();
            }
        }
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_has_no_nul_and_no_half_character() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", "1000000").await;
    let mut asked = 0;
    for form in forms(&world, &agency, &admin, &agent).await {
        let mut found = Vec::new();
        places(&form.body, "", &mut found);
        for place in found {
            let Some(text) = form.body.pointer(&place).unwrap().as_str() else { continue };
            asked += 1;
            for nul in [r"\u0000".to_owned(), format!(r"{text}\u0000"), format!(r"\u0000{text}")] {
                let reply = form.send(&with(&form.body, &place, &format!("\"{nul}\""))).await;
                // A secret is compared to the letter, and an id that is no id names nothing.
                let (secret, id) = (
                    place.contains("password") || place.contains("token"),
                    ["offer_ids", "booking_keys", "fare_keys"].iter().any(|field| place.contains(field)),
                );
                let expected: &[u16] = match (secret, id) {
                    (true, _) => &[422, 401, 400, 409, 404],
                    (_, true) => &[422, 404],
                    _ => &[422],
                };
                assert!(expected.contains(&reply.status), "{} {place} {nul}: {}", reply.asked, reply.text);
            }
            let reply = form.send(&with(&form.body, &place, r#""\ud800""#)).await;
            assert_eq!(reply.status, 400, "{} {place}: {}", reply.asked, reply.text);
        }
    }
    assert!(asked > 40, "{asked} texts");
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_called_whose_address_stands_in_a_request() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", "1000000").await;
    let called = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    called.set_nonblocking(true).unwrap();
    let address = called.local_addr().unwrap();
    let url = format!("http://{address}/x");
    for form in forms(&world, &agency, &admin, &agent).await {
        let mut found = Vec::new();
        places(&form.body, "", &mut found);
        for place in found {
            form.send(&with(&form.body, &place, &format!("\"{url}\""))).await;
        }
    }
    for name in ["host", "x-forwarded-host", "forwarded", "origin", "referer", "x-forwarded-for", "via"] {
        let search = agent.request(Method::POST, "/flights/search").header(name, address.to_string());
        let body = one_way("DEL", "BOM").body(world.now());
        assert_eq!(agent.send(search.json(&body)).await.status, 200, "{name}");
    }
    assert_eq!(called.accept().map(|(_, from)| from).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_is_there_twice_is_refused() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let before = agent.get("/me").await.ok();
    for (body, column) in [
        (r#"{"name": "First", "name": "Last"}"#, 24),
        (r#"{"name": "Fine", "name": 7}"#, 23),
        (r#"{"name": "Fine", "more": [{"a": 1, "a": 2}]}"#, 38),
    ] {
        let reply = agent.send_text(Method::PUT, "/me", body).await;
        reply.is(400, &format!("malformed JSON at line 1 column {column}"));
    }
    assert_eq!(agent.get("/me").await.ok(), before);
}
