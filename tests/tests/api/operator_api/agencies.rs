//! Agencies and their people at the operator's API, and the client of it.

use rust_decimal::dec;
use secrecy::SecretString;
use serde_json::json;
use wayfare_client::{
    enums::Subscription,
    operator::{AgencyChange, FirstAdmin, MoveMoney, NewAgency, OperatorClient},
};
use wayfare_domain::OperatorRole::{Admin, Viewer};
use wayfare_tests::{MONEY, PASSWORD, World, amount, money, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_is_made_changed_suspended_and_let_in_again_by_the_client() {
    let (world, door) = World::frozen().await.and_operators();
    let anil = door.operator("anil", Admin).await;
    let client = OperatorClient::new(&door.base_url).unwrap();
    let session = client.with_token(client.log_in("anil", anil.password.clone()).await.unwrap().token);
    assert_eq!(session.me().await.unwrap().username, "anil");
    let new = NewAgency {
        name: "Himalaya Travels".to_owned(),
        email: "desk@himalaya.example".to_owned(),
        country: "IN".to_owned(),
        subscription_type: Subscription::Full,
        currency: "INR".to_owned(),
        timezone: "Asia/Kolkata".to_owned(),
        admin: FirstAdmin {
            username: "hema".to_owned(),
            email: "hema@himalaya.example".to_owned(),
            name: "Hema Negi".to_owned(),
            phone: String::new(),
            password: SecretString::from(PASSWORD),
        },
    };
    let code = session.create_agency(&new).await.unwrap().agency.agent_id.clone();
    let money = MoveMoney::of(dec!(1500.25), "first deposit");
    let keyed = session.keyed("deposit-1");
    let first = keyed.top_up(&code, &money).await.unwrap();
    assert_eq!(first.answer, keyed.top_up(&code, &money).await.unwrap().answer);
    assert_eq!(session.agency(&code).await.unwrap().balance, money.amount);
    let change = AgencyChange::default().name("Himalaya Holidays").suppliers(vec!["duffel".to_owned()]);
    let changed = session.change_agency(&code, &change).await.unwrap();
    assert_eq!(changed.name, "Himalaya Holidays");
    assert_eq!(changed.suppliers, Some(vec!["duffel".to_owned()]));
    let unknown = AgencyChange::default().suppliers(vec!["nobody".to_owned()]);
    assert_eq!(session.change_agency(&code, &unknown).await.unwrap_err().status(), Some(422));
    let hema = wayfare_client::Client::new(&world.base_url).unwrap();
    session.suspend_agency(&code).await.unwrap();
    assert_eq!(hema.log_in(&code, "hema", PASSWORD).await.unwrap_err().status(), Some(401));
    session.activate_agency(&code).await.unwrap();
    hema.log_in(&code, "hema", PASSWORD).await.unwrap();
    let reset = session.reset_agency_user_password(&code, "hema").await.unwrap();
    assert_eq!(hema.log_in(&code, "hema", PASSWORD).await.unwrap_err().status(), Some(401));
    hema.log_in(&code, "hema", reset.password).await.unwrap();
    assert_eq!(session.agency_users(&code).await.unwrap().len(), 1);
    assert_eq!(session.suspend_agency_user(&code, "hema").await.unwrap_err().status(), Some(400));
    assert!(session.agencies().await.unwrap().iter().any(|agency| agency.agent_id == code));
    let named = format!(
        "select count(distinct action)::text from events where actor_type = 'operator' and actor_id = '{}'",
        anil.id
    );
    assert_eq!(world.line(&named).await, "7");
    session.clone().log_out().await.unwrap();
    assert!(matches!(session.me().await, Err(wayfare_client::Error::SessionEnded)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agencys_users_have_and_what_is_held_of_it_is_told_beside_its_own_wallet() {
    let (mut world, _, _, agent) = World::frozen().await.and_people("250.50", MONEY).await;
    let anil = world.operator_api().operator("anil", Admin).await;
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", "drop_after").await;
    agent.book(&order).await.succeeds(202);
    let held = world.held().await;
    assert!(held > dec!(0));
    let agencies = anil.get("/agencies").await.ok();
    let listed = &agencies.as_array().unwrap()[0];
    let shown = anil.get(&format!("/agencies/{}", listed["agent_id"].as_str().unwrap())).await.ok();
    for told in [listed, &shown] {
        assert_eq!(amount(&told["balance"]), dec!(250.50), "{told}");
        assert_eq!(amount(&told["users_balance"]), money(), "{told}");
        assert_eq!(amount(&told["users_held"]), held, "{told}");
        assert_eq!(amount(&told["held"]), dec!(0), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_of_a_new_agency_is_named_field_by_field() {
    let (world, door) = World::frozen().await.and_operators();
    let anil = door.operator("anil", Admin).await;
    let body = json!({
        "name": "H", "email": "h@h.example", "country": "IN", "subscription_type": "full", "currency": "XXQ",
        "timezone": "Mars/Olympus", "admin": { "username": "h", "email": "none", "name": "H", "password": "short" },
    });
    let refused = anil.post("/agencies", &body).await;
    for field in ["currency", "timezone", "admin.email", "admin.password"] {
        assert!(refused.text.contains(&format!("{{{field} ")), "{}", refused.text);
    }
    let agency = world.agency().await;
    let shown = door.operator("vera", Viewer).await.get(&format!("/agencies/{}", agency.code)).await.ok();
    assert_eq!(shown["name"], "Sunrise Travels");
}

/// Programs that are made of the document read what is answered about agencies: each of these answers is held against it.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_about_agencies_and_their_people_is_as_the_document_says() {
    let (_world, anil) = World::frozen().await.and_operator("anil", Admin).await;
    let admin = json!({
        "username": "hema", "email": "hema@himalaya.example", "name": "Hema Negi", "password": PASSWORD,
    });
    let new = json!({
        "name": "Himalaya Travels", "email": "desk@himalaya.example", "country": "IN", "subscription_type": "full",
        "currency": "INR", "timezone": "Asia/Kolkata", "admin": admin,
    });
    let made = anil.post("/agencies", &new).await.succeeds(201);
    assert_eq!(made["admin"]["username"], "hema");
    let path = |what: &str| format!("/agencies/{}{what}", made["agency"]["agent_id"].as_str().unwrap());
    let change = json!({ "name": "Himalaya Holidays", "whitelist_add": ["203.0.113.0/24"] });
    let changed = anil.put(&path(""), &change).await.ok();
    assert_eq!(
        (&changed["name"], &changed["whitelist"]),
        (&json!("Himalaya Holidays"), &json!(["203.0.113.0/24"]))
    );
    for (act, status) in [("suspend", "suspended"), ("activate", "active")] {
        anil.post(&path(&format!("/{act}")), &json!({})).await.ok();
        assert_eq!(anil.get(&path("")).await.ok()["status"], status);
    }
    let agent = json!({
        "username": "ravi", "email": "ravi@himalaya.example", "name": "Ravi Negi", "password": PASSWORD, "role": "agent",
    });
    anil.post(&path("/users"), &agent).await.succeeds(201);
    for (act, status) in [("suspend", "suspended"), ("activate", "active")] {
        anil.post(&path(&format!("/users/ravi/{act}")), &json!({})).await.ok();
        let users = anil.get(&path("/users")).await.ok();
        let ravi = users.as_array().unwrap().iter().find(|user| user["username"] == "ravi").unwrap();
        assert_eq!(ravi["status"], status);
    }
    let reset = anil.post(&path("/users/ravi/reset-password"), &json!({})).await.ok();
    assert!(reset["password"].as_str().unwrap().len() >= 12);
    let tried = json!({ "terms": { "platform_charge": 25 }, "example": { "base": 10000, "taxes": 900 } });
    assert_eq!(amount(&anil.post(&path("/preview"), &tried).await.ok()["price"]["agent_fare"]), dec!(10925));

    // A session of one's own is ended by another of them.
    let elsewhere = anil.logged_in("anil").await;
    let sessions = elsewhere.get("/me/sessions").await.ok();
    let other = sessions.as_array().unwrap().iter().find(|one| one["is_current"] == false).unwrap();
    elsewhere.delete(&format!("/me/sessions/{}", other["id"].as_str().unwrap())).await.ok();
    assert_eq!(anil.get("/me").await.status, 401);
}
