//! What a caller may not decide: a body's fields that are not its endpoint's to take change nothing.

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_tests::{Agency, PASSWORD, Person, Reply, World, amount, one_way};

/// The fields of users, wallets, agencies and bookings that no body sets, in the body itself and nested, and those
/// that only some bodies set: where one does, its own value stands before these.
fn wishes(stranger: &Person) -> Value {
    let fields = json!({
        "id": stranger.id, "user_id": stranger.id, "actor_id": stranger.id, "owner_id": stranger.id,
        "org_id": "00000000-0000-7000-8000-000000000000", "actor_org_id": "x", "sub_agent_id": "WF000000-0001",
        "role": "org_admin", "status": "suspended", "username": "root", "email": "root@evil.example",
        "password": "another horse 7", "password_hash": "$argon2id$", "session_epoch": 0, "deleted_at": null,
        "balance": 999_999, "balance_after": 999_999, "allocated_balance": 999_999, "held": -1,
        "credit_limit": 999_999, "is_active": false, "owner_type": "org", "currency": "USD",
        "agent_id": "WF000000", "slug": "evil", "subscription_type": "full", "timezone": "UTC",
        "ip_whitelist_enabled": true, "whitelist": ["0.0.0.0/0"], "suppliers": [], "user_counter": 0,
        "total_amount": 1, "agent_fare": 1, "public_fare": 1, "markup": -1, "price": 1, "booking_ref": "FA-EVIL0001",
        "created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z", "hold_id": stranger.id,
    });
    let of_packages = json!({
        "created_by": stranger.id, "scope": "platform", "product": "hotel", "service_type": "flight",
        "assigned_by": stranger.id, "assigned_at": "2020-01-01T00:00:00Z", "is_applied": true,
    });
    let fields = with(&fields, &of_packages);
    let mut wishes = fields.clone();
    for part in ["user", "wallet", "organization", "org", "booking", "data", "__proto__", "constructor"] {
        wishes[part] = fields.clone();
    }
    wishes
}

/// The body with all these wishes around it.
fn with(wishes: &Value, body: &Value) -> Value {
    let mut whole = wishes.as_object().unwrap().clone();
    whole.extend(body.as_object().unwrap().clone());
    Value::Object(whole)
}

/// Every row, as far as no body of the table may change it.
async fn protected(world: &World) -> Vec<String> {
    let query =
        "select concat_ws(' ', 'user', org_id, id, username, email, role, status, sub_agent_id, created_at,
             deleted_at) from users
         union all select 'wallet ' || w::text from wallets w
         union all select concat_ws(' ', 'agency', id, agent_id, slug, subscription_type, status,
             ip_whitelist_enabled, whitelist, suppliers, currency, timezone, user_counter) from organizations
         union all select 'booking ' || b::text from bookings b
         union all select concat_ws(' ', 'package', org_id, id, product, created_by, created_at) from packages
         union all select 'assignment ' || a::text from package_assignments a
         union all select 'entry ' || e::text from entries e
         order by 1";
    world.lines(query).await
}

struct Stage {
    world: World,
    agency: Agency,
    admin: Person,
    agent: Person,
    wishes: Value,
}

async fn stage() -> Stage {
    let (world, agency) = World::start().await.and_agency().await;
    let stranger = world.agency().await.admin("1000").await;
    Stage {
        admin: agency.admin("1000000").await,
        agent: agency.agent("arjun", "1000000").await,
        wishes: wishes(&stranger),
        world,
        agency,
    }
}

impl Stage {
    async fn ask(&self, person: &Person, method: Method, path: &str, body: &Value) -> Reply {
        person.send(person.request(method, path).json(&with(&self.wishes, body))).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_body_changes_what_is_not_its_to_change() {
    let stage = stage().await;
    let Stage { world, agency, admin, agent, .. } = &stage;
    let trip = one_way("JFK", "EWR");
    let held = agent.try_buy(&trip).await.ok();
    let booking = format!("/flights/bookings/{}", held["booking_ref"].as_str().unwrap());
    let offer = agent.offer(&trip).await;
    let somebody = agency.agent("bina", "5").await;
    let login = json!({ "agent_id": agency.code.as_ref(), "username": "bina", "password": PASSWORD });
    let spent = json!({ "refresh_token": somebody.refresh_token });
    let ended = json!({ "refresh_token": agency.log_in("bina").await.refresh_token });
    let words = json!({ "current_password": PASSWORD, "new_password": "another horse 8" });
    let amount = json!({ "amount": held["total_amount"], "agent_fare": held["total_amount"],
        "public_fare": held["total_amount"] });
    let user = format!("/org/users/{}", somebody.id);
    let package = json!({ "name": "A", "markup_type": "percent", "markup_value": 5, "is_active": true });
    let made = admin.post("/org/packages", &package).await.succeeds(201)["id"].clone();
    let stays = admin.post("/org/hotel-packages", &package).await.succeeds(201)["id"].clone();
    let previewed =
        json!({ "name": "A", "markup_type": "percent", "markup_value": 5, "example": { "base": 4500 } });
    let (given, given_stays) = (json!({ "package_id": made }), json!({ "package_id": stays }));
    let of_package = format!("/org/packages/{}", made.as_str().unwrap());
    let of_stays = format!("/org/hotel-packages/{}", stays.as_str().unwrap());
    let to_agent = format!("/org/packages/assign-agent/{}", agent.id);
    let stays_to_agent = format!("/org/hotel-packages/assign-agent/{}", agent.id);
    for (path, body) in [
        ("/org/packages/assign", &given),
        (&to_agent, &given),
        ("/org/hotel-packages/assign", &given_stays),
        (&stays_to_agent, &given_stays),
    ] {
        admin.post(path, body).await.succeeds(200);
    }
    let table = [
        (admin, Method::PUT, of_package.as_str(), package.clone()),
        (admin, Method::PUT, &of_stays, package),
        (admin, Method::POST, "/org/packages/preview", previewed.clone()),
        (admin, Method::POST, "/org/hotel-packages/preview", previewed),
        (admin, Method::POST, "/org/packages/assign", given.clone()),
        (admin, Method::POST, &to_agent, given),
        (admin, Method::POST, "/org/hotel-packages/assign", given_stays.clone()),
        (admin, Method::POST, &stays_to_agent, given_stays),
        (agent, Method::POST, "/auth/login", login),
        (agent, Method::POST, "/auth/refresh", spent),
        (agent, Method::POST, "/auth/logout", ended),
        (agent, Method::PUT, "/me", json!({ "name": "New", "phone": "1" })),
        (admin, Method::PUT, user.as_str(), json!({ "name": "New", "status": "active" })),
        (admin, Method::PUT, &format!("{user}/suspend"), json!({})),
        (admin, Method::PUT, &format!("{user}/activate"), json!({})),
        (admin, Method::PUT, "/org/profile", json!({ "name": "New", "email": "desk@new.example" })),
        (admin, Method::PUT, "/org/settings", json!({ "key": "crm", "value": "x" })),
        (agent, Method::POST, "/flights/search", trip.body(world.now())),
        (agent, Method::POST, "/flights/price", json!({ "offer_ids": [offer] })),
        (agent, Method::POST, &format!("{booking}/penalty"), json!({})),
        (agent, Method::PUT, &format!("{booking}/auto-ticket"), json!({ "enabled": true })),
        (agent, Method::POST, &format!("{booking}/issue-ticket"), amount),
        (agent, Method::PUT, "/me/password", words),
    ];
    let before = protected(world).await;
    for (person, method, path, body) in table {
        let reply = stage.ask(person, method, path, &body).await;
        assert_eq!(reply.status, 200, "{}: {}", reply.asked, reply.text);
        if !path.ends_with("/suspend") {
            assert_eq!(protected(world).await, before, "{}", reply.asked);
        }
    }
    // The profile took its new password from its own field.
    agency.log_in("bina").await.get("/me").await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_user_is_of_this_agency_and_has_nothing() {
    let stage = stage().await;
    let Stage { world, admin, .. } = &stage;
    let before = protected(world).await;
    let body = json!({ "username": "dev", "email": "dev@sunrise.example", "name": "Dev", "password": PASSWORD,
        "role": "agent" });
    let made = stage.ask(admin, Method::POST, "/org/users", &body).await.ok();
    let own = admin.get("/me").await.ok();
    assert_has!(made, { "org_id": own["org_id"], "role": "agent", "status": "active" });
    let number = made["sub_agent_id"].as_str().unwrap();
    assert!(number.starts_with(stage.agency.code.as_ref()), "{number}");
    assert!(!before.iter().any(|row| row.contains(made["id"].as_str().unwrap())));
    let after = protected(world).await;
    let new: Vec<_> = after.iter().filter(|row| !before.contains(row)).collect();
    // The user, their wallet, and the agency's count of users.
    assert_eq!(new.len(), 3, "{new:?}");
    let wallet = stage.agency.log_in("dev").await.get("/wallet").await.ok();
    assert!(amount(&wallet["balance"]).is_zero() && amount(&wallet["credit_limit"]).is_zero());
    assert_has!(wallet, { "currency": "INR", "is_active": true });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_the_callers_at_the_price_that_was_promised() {
    let stage = stage().await;
    let Stage { world, agent, .. } = &stage;
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    let booked = stage.ask(agent, Method::POST, "/flights/book", &agent.order(&priced, &trip)).await.ok();
    let fare = amount(&priced["price_summary"]["agent_details"]["agent_fare"]);
    assert_eq!(amount(&booked["total_amount"]), fare);
    let row = "select concat_ws(' ', user_id, status, amount, currency) from bookings";
    assert_eq!(world.line(row).await, format!("{} confirmed {fare} INR", agent.id));
    assert_ne!(booked["booking_ref"], "FA-EVIL0001");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allocation_moves_its_amount_from_the_own_wallet_and_nothing_else() {
    let stage = stage().await;
    let Stage { world, admin, agent, .. } = &stage;
    let wallets = async || {
        let all = "select concat_ws(' ', id, org_id, owner_type, owner_id, currency, balance, held, credit_limit, is_active)
            from wallets order by owner_type, balance";
        world.lines(all).await
    };
    let before = wallets().await;
    let path = format!("/org/wallet/topup/{}", agent.id);
    let reply = stage.ask(admin, Method::POST, &path, &json!({ "amount": 7 })).await;
    reply.says(200, "wallet allocated to agent");
    let after = wallets().await;
    // The stranger's, the organization's, the agent's.
    assert_eq!(after[0], before[0]);
    assert_eq!(after[1], before[1].replace("1000000.00", "999993.00"));
    assert_eq!(after[2], before[2].replace("1000000.00", "1000007.00"));
    let query = "select concat_ws(' ', reason, reference, description, performed_by, currency) from transfers
         where key like 'allocation:%'";
    let transfer = world.line(query).await;
    assert_eq!(transfer, format!("topup allocated to agent {} INR", admin.id));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_package_is_of_this_agency_and_has_no_platform_terms() {
    let stage = stage().await;
    let Stage { world, admin, .. } = &stage;
    let body = json!({ "name": "A", "markup_type": "percent", "markup_value": 5, "is_active": true });
    let mut terms = body.clone();
    for term in
        ["service_fee_value", "gst_on_service_fee", "platform_charge", "min_commission", "max_commission"]
    {
        terms[term] = json!(9);
    }
    terms["service_fee_type"] = json!("percent");
    let own = admin.get("/me").await.ok();
    for (path, product) in [("/org/packages", "flight"), ("/org/hotel-packages", "hotel")] {
        let made = stage.ask(admin, Method::POST, path, &terms).await.succeeds(201);
        assert_has!(made, { "org_id": own["org_id"], "created_by": own["id"], "scope": "org" });
        assert_ne!(made["created_at"], "2020-01-01T00:00:00Z");
        let id = made["id"].as_str().unwrap();
        let row =
            format!("select concat_ws(' ', org_id, product, created_by) from packages where id = '{id}'");
        let [organization, user] = ["org_id", "id"].map(|name| own[name].as_str().unwrap());
        assert_eq!(world.line(&row).await, format!("{organization} {product} {user}"));
    }
    assert_eq!(world.line("select count(*) from terms").await, "0");
    assert_eq!(world.line("select count(*) from package_assignments").await, "0");
}
