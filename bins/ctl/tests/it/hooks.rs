//! Where suppliers post their hooks, as the operator sets it up.

use std::{fs, process::Command};

use serde_json::Value;
use wayfare_tests::{Seller, World, WorldOptions};

use crate::installation::{Installation, refused, succeeded};

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_made_shown_replaced_and_pinged() {
    let options = WorldOptions { hooks: true, ..WorldOptions::of([Seller::duffel(), Seller::hotelbeds()]) };
    let (here, world) = (Installation::new(), World::with(options).await);
    let sandbox = world.sandbox_url();
    let file = std::env::temp_dir().join(format!("wayfare-hooks-{}.toml", std::process::id()));
    let duffel = format!(
        "[[suppliers]]\ncode = 'duffel'\nkind = 'duffel'\nbase_url = '{sandbox}/duffel'\ntoken = 'duffel_test_x'\n"
    );
    let others = "[[suppliers]]\ncode = 'hotelbeds'\nkind = 'hotelbeds'\nbase_url = 'https://api.hotelbeds.com'\n\
                  token = 'a:b'\nwebhook_token_env = 'TOKEN'\n[[suppliers]]\ncode = 'tripjack'\nkind = 'tripjack'\n\
                  base_url = 'https://apitest.tripjack.com'\ntoken = 'a'\n";
    fs::write(&file, format!("{duffel}{others}")).unwrap();
    let hooks = |arguments: &[&str]| {
        let mut command = here.ctl(&["suppliers", "hooks"]);
        command
            .args(arguments)
            .env("WAYFARE_CONFIG", &file)
            .env("TOKEN", World::hook_secret("hotelbeds"))
            .env("SECRET", World::hook_secret("duffel"));
        command
    };
    let answer = |command: &mut Command| -> Value {
        serde_json::from_str(&succeeded(&command.arg("--json").output().unwrap())).unwrap()
    };
    let (ours, elsewhere) = (world.base_url.as_str(), "https://elsewhere.example");

    let made = answer(&mut hooks(&["duffel", "--url", elsewhere]));
    assert_eq!(made["address"], "https://elsewhere.example/hooks/duffel");
    assert_eq!(made["state"], "the webhook was made");
    assert_eq!(made["secret"].as_str().unwrap().len(), 24);
    let foreign = refused(&mut hooks(&["duffel", "--url", ours]), 1);
    assert!(
        foreign.contains("another address: https://elsewhere.example/hooks/duffel; with --replace"),
        "{foreign}"
    );
    let replaced = answer(&mut hooks(&["duffel", "--url", ours, "--replace"]));
    assert_ne!(replaced["secret"], made["secret"]);
    let unknown = refused(&mut hooks(&["duffel", "--url", ours]), 1);
    assert!(unknown.contains("the settings have no `webhook_secret_env`"), "{unknown}");

    // The server knows another secret: what is posted proves nothing.
    fs::write(&file, format!("{duffel}webhook_secret_env = 'SECRET'\n{others}")).unwrap();
    let refusal = refused(&mut hooks(&["duffel", "--url", ours]), 1);
    assert!(refusal.contains("Webhook failed to receive event"), "{refusal}");
    world.takes_hooks_of("duffel").await;
    let pinged = answer(&mut hooks(&["duffel", "--url", &format!("{ours}/")]));
    assert_eq!(pinged["state"], "the webhook is there, and a ping was taken");
    assert_eq!(pinged["secret"], Value::Null);
    let stored = world.lines("select kind from supplier_hooks").await;
    assert_eq!(stored, ["ping.triggered"]);

    let agreed = answer(&mut hooks(&["hotelbeds", "--url", elsewhere]));
    let token = World::hook_secret("hotelbeds");
    assert_eq!(agreed["address"], format!("https://elsewhere.example/hooks/hotelbeds/{token}"));
    for (arguments, code, why) in [
        (["tripjack", "--url", elsewhere], 1, "tripjack: it posts none"),
        (["nosuch", "--url", elsewhere], 2, "there is no supplier \"nosuch\""),
        (["duffel", "--url", "http://elsewhere.example"], 2, "must begin with https://"),
    ] {
        let refusal = refused(&mut hooks(&arguments), code);
        assert!(refusal.contains(why), "{refusal}");
    }
    fs::remove_file(&file).unwrap();
}
