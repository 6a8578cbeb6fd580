//! Which answers are compressed for those who take it.

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use serde_json::Value;
use wayfare_tests::{MONEY, World};

#[tokio::test(flavor = "multi_thread")]
async fn long_answers_are_compressed_and_short_ones_are_not() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let client = reqwest::Client::builder().no_gzip().build().unwrap();
    let get = async |path: &str, takes: Option<&str>| {
        let request = client.get(format!("{}{path}", world.base_url));
        let request = request.bearer_auth(agent.token.as_deref().unwrap());
        let request = match takes {
            Some(takes) => request.header(ACCEPT_ENCODING, takes),
            None => request,
        };
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        (answer.headers().get(CONTENT_ENCODING).cloned(), answer.bytes().await.unwrap())
    };
    let (encoding, document) = get("/openapi.json", None).await;
    assert_eq!(encoding, None);
    assert!(serde_json::from_slice::<Value>(&document).is_ok());
    let (encoding, packed) = get("/openapi.json", Some("gzip")).await;
    assert_eq!(encoding.unwrap(), "gzip");
    assert!(packed.len() < document.len() / 4, "{} of {}", packed.len(), document.len());

    for takes in [None, Some("gzip"), Some("gzip, identity;q=0.5")] {
        let (encoding, profile) = get("/api/v1/me", takes).await;
        assert_eq!(encoding, None, "{takes:?}");
        let profile: Value = serde_json::from_slice(&profile).unwrap();
        assert!(profile["data"].is_object(), "{profile}");
    }
}
