//! A user who is made under an Idempotency-Key is made once, whenever the server dies.

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_tests::{PASSWORD, Person, Reply};

use crate::fixture::Fixture;

async fn make(admin: &Person, body: &Value) -> Option<Reply> {
    let request = admin.request(Method::POST, "/org/users").json(body);
    admin.try_send(request.header("Idempotency-Key", body["username"].as_str().unwrap())).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_made_once_whenever_the_server_dies() {
    let mut fixture = Fixture::new(&[]).await;
    let admin = fixture.admin().await;
    // Written but not committed, which is nothing; committed but not answered.
    for (moment, username, replayed) in [("user:written", "dev", ""), ("user:made", "esha", "true")] {
        let admin = admin.at(&fixture.crash_target.url);
        let body = json!({ "email": format!("{username}@sunrise.example"), "name": "Somebody",
            "username": username, "password": PASSWORD, "role": "agent" });
        fixture.crash_target.arm(moment).await;
        let asking = tokio::spawn({
            let (admin, body) = (admin.clone(), body.clone());
            async move { make(&admin, &body).await }
        });
        fixture.crash_target.reached().await;
        fixture.restart().await;
        assert!(asking.await.unwrap().is_none(), "the dead answer nobody");

        let admin = admin.at(&fixture.crash_target.url);
        let again = make(&admin, &body).await.unwrap();
        let made = again.ok();
        assert_eq!(again.header("Idempotency-Replayed"), replayed, "{moment}");
        assert_eq!(made["username"], username);
        let id = made["id"].as_str().unwrap();
        assert_eq!(admin.get(&format!("/org/users/{id}")).await.ok(), made);
        assert_eq!(make(&admin, &body).await.unwrap().ok(), made);
        let found = format!("select id::text from users where username = '{username}'");
        assert_eq!(fixture.books.lines(&found).await, [id]);
    }
    fixture.end().await;
}
