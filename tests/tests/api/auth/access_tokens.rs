//! Access tokens that nobody here issued are worth nothing.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use sha2::Sha256;
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
    let mut another_agency = claims.clone();
    another_agency["org"] = part(&world.agency().await.admin("0").await.token.unwrap(), 1)["org"].clone();
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
            "another agency",
            signed(Algorithm::HS256, Some(kid), &another_agency, key),
        ),
        (
            "another user's session",
            signed(Algorithm::HS256, Some(kid), &admins_session, key),
        ),
    ];
    let with_header = |header: &Value| {
        let message = format!("{}.{}", code(header), code(&claims));
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        mac.update(message.as_bytes());
        format!(
            "{message}.{}",
            URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
        )
    };
    agent
        .with_token(Some(&with_header(&header)))
        .get("/me")
        .await
        .ok();
    // The right key under a header that says something else: no field of it chooses how it is judged.
    let headers = [
        json!({ "alg": "HS256", "typ": "JWT" }),
        json!({ "alg": "RS256", "typ": "JWT", "kid": kid }),
        json!({ "alg": "ES256", "typ": "JWT", "kid": kid }),
        json!({ "alg": "EdDSA", "typ": "JWT", "kid": kid }),
        json!({ "alg": "None", "typ": "JWT", "kid": kid }),
        json!({ "alg": "hs256", "typ": "JWT", "kid": kid }),
        json!({ "alg": "", "typ": "JWT", "kid": kid }),
        json!({ "alg": null, "typ": "JWT", "kid": kid }),
        json!({ "alg": "HS256", "kid": "" }),
        json!({ "alg": "HS256", "kid": null }),
        json!({ "alg": "HS256", "kid": 7 }),
        json!({ "alg": "HS256", "kid": [kid] }),
        json!({ "alg": "HS256", "kid": format!("{kid}\0") }),
        json!({ "alg": "HS256", "kid": format!("{kid} ") }),
        json!({ "alg": "HS256", "kid": kid.to_uppercase() + "x" }),
        json!({ "alg": "HS256", "kid": "../../../../dev/null" }),
        json!({ "alg": "HS256", "kid": "/proc/self/environ" }),
        json!({ "alg": "HS256", "kid": "' union select 'key' --" }),
        json!({ "alg": "HS256", "kid": "%" }),
        json!({ "alg": "HS256", "kid": "x".repeat(4_000) }),
        json!({ "alg": "HS256", "jku": "http://127.0.0.1:1/keys" }),
        json!({ "alg": "HS256", "jwk": { "kty": "oct", "k": URL_SAFE_NO_PAD.encode(key) } }),
    ];
    let headers = headers
        .iter()
        .map(|header| (header.to_string(), with_header(header)));
    let forged = forged.map(|(what, token)| (what.to_owned(), token));
    for (what, token) in forged.into_iter().chain(headers) {
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
