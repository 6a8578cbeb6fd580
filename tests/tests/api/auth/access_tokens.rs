//! Access tokens that nobody here issued are worth nothing.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use sha2::Sha256;
use wayfare_tests::{Person, World};

fn part(token: &str, place: usize) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(place).unwrap()).unwrap()).unwrap()
}

fn code(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

fn signed(algorithm: Algorithm, kid: Option<&str>, claims: &Value, key: &[u8]) -> String {
    let header = Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) };
    encode(&header, claims, &EncodingKey::from_secret(key)).unwrap()
}

/// The parts of a token that is good, by which others are forged.
struct Genuine {
    token: String,
    header: Value,
    claims: Value,
    kid: String,
}

impl Genuine {
    fn of(person: &Person) -> Self {
        let token = person.token.clone().unwrap();
        let header = part(&token, 0);
        Self { claims: part(&token, 1), kid: header["kid"].as_str().unwrap().to_owned(), header, token }
    }

    /// Its claims with another value of one.
    fn with(&self, claim: &str, value: Value) -> Value {
        let mut claims = self.claims.clone();
        claims[claim] = value;
        claims
    }

    fn sign(&self, claims: &Value) -> String {
        signed(Algorithm::HS256, Some(&self.kid), claims, World::SIGNING_KEY)
    }

    fn under(&self, header: &Value) -> String {
        let message = format!("{}.{}", code(header), code(&self.claims));
        let mut mac = Hmac::<Sha256>::new_from_slice(World::SIGNING_KEY).unwrap();
        mac.update(message.as_bytes());
        let seal = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
        format!("{message}.{seal}")
    }

    /// Tokens whose claims, signature, key or algorithm is another's.
    fn forged(&self, admin: &Person, foreign: &Person) -> Vec<(String, String)> {
        let claim_of =
            |person: &Person, claim: &str| part(person.token.as_deref().unwrap(), 1)[claim].clone();
        let as_admin = self.with("sub", json!(admin.id));
        let longer = self.with("exp", json!(self.claims["exp"].as_i64().unwrap() + 1));
        let mut without_end = self.claims.clone();
        without_end.as_object_mut().unwrap().remove("exp");
        let nowhere = self.with("sid", json!("00000000-0000-7000-8000-000000000000"));
        let admins = self.with("sid", claim_of(admin, "sid"));
        let elsewhere = self.with("org", claim_of(foreign, "org"));
        let signature = self.token.rsplit('.').next().unwrap();
        let none = json!({ "alg": "none", "typ": "JWT", "kid": self.kid });
        let (key, kid, claims) = (World::SIGNING_KEY, Some(self.kid.as_str()), &self.claims);
        let kept = |header: &Value, claims: &Value| format!("{}.{}.{signature}", code(header), code(claims));
        let other_key = b"another key of at least 32 bytes";
        [
            ("alg none", format!("{}.{}.", code(&none), code(claims))),
            ("alg none, signature kept", kept(&none, claims)),
            ("no signature", format!("{}.{}.", code(&self.header), code(claims))),
            ("another user under the old signature", kept(&self.header, &as_admin)),
            ("another end under the old signature", kept(&self.header, &longer)),
            ("another kid", signed(Algorithm::HS256, Some("00000000"), claims, key)),
            ("no kid", signed(Algorithm::HS256, None, claims, key)),
            ("another key", signed(Algorithm::HS256, kid, claims, other_key)),
            ("another algorithm", signed(Algorithm::HS512, kid, claims, key)),
            ("no end", self.sign(&without_end)),
            ("an end long ago", self.sign(&self.with("exp", json!(0)))),
            ("a session that is not there", self.sign(&nowhere)),
            ("another agency", self.sign(&elsewhere)),
            ("another user's session", self.sign(&admins)),
        ]
        .map(|(what, token)| (what.to_owned(), token))
        .to_vec()
    }

    /// The right key under headers that say something else: no field of one chooses how it is judged.
    fn under_odd_headers(&self) -> Vec<(String, String)> {
        let (kid, key) = (&self.kid, URL_SAFE_NO_PAD.encode(World::SIGNING_KEY));
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
            json!({ "alg": "HS256", "jwk": { "kty": "oct", "k": key } }),
        ];
        headers.iter().map(|header| (header.to_string(), self.under(header))).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_tokens_open_nothing() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    let genuine = Genuine::of(&agent);
    for token in [genuine.sign(&genuine.claims), genuine.under(&genuine.header)] {
        agent.with_token(Some(&token)).get("/me").await.ok();
    }
    let (admin, foreign) = (agency.admin("0").await, world.agency().await.admin("0").await);
    for (what, token) in genuine.forged(&admin, &foreign).into_iter().chain(genuine.under_odd_headers()) {
        let reply = agent.with_token(Some(&token)).get("/me").await;
        let refusal = r#"{"success":false,"error":"invalid credentials"}"#;
        assert_eq!((reply.status, reply.text.as_str()), (401, refusal), "{what}");
    }
    // Another scheme is no bearer token.
    let request = agent.with_token(None).request(reqwest::Method::GET, "/me");
    let basic = request.header("authorization", format!("Basic {}", genuine.token));
    agent.send(basic).await.is(401, "invalid credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_lasts_an_hour_to_the_second() {
    let (world, _, agent) = World::frozen().await.and_agent("0").await;
    world.pass(3_599);
    agent.get("/me").await.ok();
    world.pass(1);
    agent.get("/me").await.is(401, "invalid credentials");
}
