//! Operators at the command line: their passwords are printed once, and what they may do is changed there.

use wayfare_operations::access::operators::sessions;
use wayfare_tests::World;

use crate::installation::{Installation, refused, succeeded};

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_password_is_printed_once_and_lets_them_in_until_they_are_suspended() {
    let world = World::start().await;
    let here = Installation::new();
    let ctl = |arguments: &[&str]| here.beside(&world, arguments);
    let json = |arguments: &[&str]| here.json_beside(&world, arguments);
    let comes_in = async |password: &str| {
        let begun = sessions::begin(&world.platform.access, "Meera", password, Default::default()).await;
        begun.is_ok()
    };
    let added = json(&["operator", "add", "meera", "--role", "desk", "--name", "Meera Iyer"]);
    let password = added["password"].as_str().unwrap();
    assert!(comes_in(password).await && !comes_in("another").await);
    let listed = succeeded(&ctl(&["operator", "list"]).output().unwrap());
    assert!(listed.contains("Meera Iyer") && !listed.contains(password), "{listed}");
    let taken = refused(&mut ctl(&["operator", "add", "MEERA", "--role", "viewer"]), 1);
    assert!(taken.contains("username is already taken"), "{taken}");
    let changed = json(&["operator", "set", "meera", "--role", "admin"]);
    assert_eq!(changed["role"], "admin");
    let last = refused(&mut ctl(&["operator", "set", "meera", "--status", "suspended"]), 1);
    assert!(last.contains("one active operator"), "{last}");
    json(&["operator", "add", "anil", "--role", "admin"]);
    json(&["operator", "set", "meera", "--status", "suspended"]);
    assert!(!comes_in(password).await);
    json(&["operator", "set", "meera", "--status", "active"]);
    let reset = json(&["operator", "reset-password", "meera"]);
    let another = reset["password"].as_str().unwrap();
    assert!(comes_in(another).await && !comes_in(password).await);
    let missing = refused(&mut ctl(&["operator", "reset-password", "nobody"]), 1);
    assert!(missing.contains("there is no operator \"nobody\""), "{missing}");
}
