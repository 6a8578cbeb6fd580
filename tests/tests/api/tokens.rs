//! Access tokens that nobody here issued are worth nothing.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use wayfare_tests::World;

fn part(token: &str, place: usize) -> Value {
    let code = token.split('.').nth(place).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(code).unwrap()).unwrap()
}

fn code(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

fn signed(algorithm: Algorithm, kid: Option<&str>, claims: &Value, key: &[u8]) -> String {
    let header = Header {
        kid: kid.map(str::to_owned),
        ..Header::new(algorithm)
    };
    encode(&header, claims, &EncodingKey::from_secret(key)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_tokens_open_nothing() {
    let world = World::start().await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", "0").await;
    let admin = agency.admin("0").await;
    let token = agent.token.clone().unwrap();
    let (header, claims) = (part(&token, 0), part(&token, 1));
    let kid = header["kid"].as_str().unwrap();
    let key = World::SIGNING_KEY;
    let again = signed(Algorithm::HS256, Some(kid), &claims, key);
    agent.with_token(Some(&again)).get("/me").await.ok();

    let mut as_admin = claims.clone();
    as_admin["sub"] = json!(admin.id);
    let mut longer = claims.clone();
    longer["exp"] = json!(claims["exp"].as_i64().unwrap() + 1);
    let mut without_end = claims.clone();
    without_end.as_object_mut().unwrap().remove("exp");
    let mut over = claims.clone();
    over["exp"] = json!(0);
    let mut another_session = claims.clone();
    another_session["sid"] = json!("00000000-0000-7000-8000-000000000000");
    let mut admins_session = claims.clone();
    admins_session["sid"] = part(&admin.token.clone().unwrap(), 1)["sid"].clone();
    let signature = token.rsplit('.').next().unwrap();
    let none = json!({ "alg": "none", "typ": "JWT", "kid": kid });
    let forged = [
        ("alg none", format!("{}.{}.", code(&none), code(&claims))),
        (
            "alg none, signature kept",
            format!("{}.{}.{signature}", code(&none), code(&claims)),
        ),
        ("no signature", format!("{}.{}.", code(&header), code(&claims))),
        (
            "another user under the old signature",
            format!("{}.{}.{signature}", code(&header), code(&as_admin)),
        ),
        (
            "another end under the old signature",
            format!("{}.{}.{signature}", code(&header), code(&longer)),
        ),
        (
            "another kid",
            signed(Algorithm::HS256, Some("00000000"), &claims, key),
        ),
        ("no kid", signed(Algorithm::HS256, None, &claims, key)),
        (
            "another key",
            signed(
                Algorithm::HS256,
                Some(kid),
                &claims,
                b"another key of at least 32 bytes",
            ),
        ),
        (
            "another algorithm",
            signed(Algorithm::HS512, Some(kid), &claims, key),
        ),
        ("no end", signed(Algorithm::HS256, Some(kid), &without_end, key)),
        ("an end long ago", signed(Algorithm::HS256, Some(kid), &over, key)),
        (
            "a session that is not there",
            signed(Algorithm::HS256, Some(kid), &another_session, key),
        ),
        (
            "another user's session",
            signed(Algorithm::HS256, Some(kid), &admins_session, key),
        ),
    ];
    for (what, token) in forged {
        let reply = agent.with_token(Some(&token)).get("/me").await;
        assert_eq!(
            (reply.status, reply.text.as_str()),
            (401, r#"{"success":false,"error":"invalid credentials"}"#),
            "{what}"
        );
    }
    // Another scheme is no bearer token.
    let request = agent.with_token(None).request(reqwest::Method::GET, "/me");
    let basic = request.header("authorization", format!("Basic {token}"));
    agent.send(basic).await.is(401, "invalid credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_lasts_an_hour_to_the_second() {
    let world = World::frozen().await;
    let agent = world.agent("0").await;
    world.pass(3_599);
    agent.get("/me").await.ok();
    world.pass(1);
    agent.get("/me").await.is(401, "invalid credentials");
}
