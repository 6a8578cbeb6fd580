//! A start with nothing configured and one on the operator's database: what is there then, and what is told of it.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use rustix::process::{Signal, geteuid};
use serde_json::{Value, json};
use wayfare_local_postgres::test_server::TestServer;

use crate::api::{Api, search};
use crate::place::{Place, until};
use crate::shared::{LEDGER_KEY, SIGNING_KEY, create_database};

/// Ten lines, of which one is to paste; what comes after a log-in is the walkthroughs'.
#[tokio::test]
async fn a_start_says_where_it_is_and_its_curl_line_logs_in() {
    let (_place, server) = Place::started().await;
    println!("ready after {:?} (cold)", server.ready_after());

    let lines = server.greeting().await;
    assert_eq!(lines.len(), 10, "{lines:#?}");
    assert_eq!(lines[1], format!("In a browser: {}/console", server.url()));
    let line = lines.iter().find_map(|line| line.strip_prefix("A first call: "));
    let operator = lines.iter().find_map(|line| line.strip_prefix("For the operator: "));
    assert!(operator.unwrap().contains("/operator, operator, password "), "{lines:#?}");
    let answer: Value = serde_json::from_str(&paste(line.unwrap())).unwrap();
    assert_eq!(answer["data"]["user"]["role"], "agent", "{answer}");
    assert!(answer["data"]["tokens"]["access_token"].is_string());
}

/// Gives the line to a bash, as a person pastes it, and returns what it shows.
fn paste(line: &str) -> String {
    let bash = Command::new("bash").args(["-c", line]).env("no_proxy", "127.0.0.1").output();
    let shown = bash.unwrap();
    let errors = String::from_utf8_lossy(&shown.stderr);
    assert!(shown.status.success() && errors.is_empty(), "{errors}");
    String::from_utf8(shown.stdout).unwrap()
}

#[tokio::test]
async fn demo_json_tells_programs_all_and_nobody_else_anything() {
    let (place, server) = Place::started().await;

    let file = place.data().join("demo.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o600);
    let demo = place.demo();
    let names: Vec<&String> = demo.as_object().unwrap().keys().collect();
    assert_eq!(names, ["agent_id", "base_url", "operator", "sandbox_url", "users"]);
    assert_eq!(demo["base_url"], server.url());
    assert!(!server.url().ends_with(":0"), "the real port, not the asked one");

    let printed = server.lines().join("\n");
    assert!(printed.contains(&format!("The same for programs: {}\n", file.display())), "{printed}");
    assert!(printed.contains(&format!("{}/docs, ", server.url())), "{printed}");
    for told in [&demo["agent_id"], &demo["sandbox_url"]] {
        assert!(printed.contains(told.as_str().unwrap()), "{told} is not printed");
    }
    let users = demo["users"].as_array().unwrap();
    let roles: Vec<&Value> = users.iter().map(|user| &user["role"]).collect();
    assert_eq!(roles, ["org_admin", "agent"]);
    for user in users {
        let names: Vec<&String> = user.as_object().unwrap().keys().collect();
        assert_eq!(names, ["password", "role", "username"]);
        assert!(user["password"].as_str().unwrap().len() >= 16);
    }
    // All come in.
    let operator = &demo["operator"];
    let url = format!("{}/operator/v1/sessions", operator["base_url"].as_str().unwrap());
    let body = json!({ "username": operator["username"], "password": operator["password"] });
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    assert_eq!(http.post(url).json(&body).send().await.unwrap().status(), 201);
    Api::log_in(&place, "org_admin").await.get("/org/wallet").await;
    assert_eq!(Api::agent(&place).await.ready().await, 200);
    assert!(!server.said().contains(users[0]["password"].as_str().unwrap()));
}

#[tokio::test]
async fn ready_means_that_the_start_has_ended() {
    let place = Place::new().await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let bind = port.to_string();
    let server = place.launch([("WAYFARE_BIND", bind.as_str())]);
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://{port}/health/ready");
    let mut refused = 0;
    // Without a pause: the moment between the first answer and the last line is short.
    until("ready", async || match http.get(&url).send().await {
        Ok(reply) if reply.status() == 200 => Some(()),
        Ok(reply) => {
            assert_eq!(reply.status(), 503);
            refused += 1;
            None
        }
        Err(_) => None,
    })
    .await;
    println!("refused {refused} times");
    assert!(place.data().join("demo.json").exists());
    // Printed before, and read by another thread.
    assert!(!server.greeting().await.is_empty());
    let said = server.said();
    assert!(!said.contains("/health/ready") || !said.contains("served"), "{said}");
}

#[tokio::test]
async fn root_may_use_an_empty_folder_that_is_closed_to_all_others() {
    if !geteuid().is_root() {
        println!("did not run: only root runs PostgreSQL as somebody else");
        return;
    }
    let place = Place::new().await;
    // As `mktemp -d` makes it.
    fs::create_dir(place.data()).unwrap();
    fs::set_permissions(place.data(), fs::Permissions::from_mode(0o700)).unwrap();
    let server = place.start().await;
    assert_eq!(Api::agent(&place).await.ready().await, 200);
    assert_eq!(fs::metadata(place.data()).unwrap().permissions().mode() & 0o7777, 0o711);
    drop(server);
    // One that has something in it is somebody's, and stays as it is.
    let other = Place::new().await;
    fs::create_dir(other.data()).unwrap();
    fs::write(other.data().join("thesis.txt"), "chapter 1").unwrap();
    fs::set_permissions(other.data(), fs::Permissions::from_mode(0o700)).unwrap();
    let (code, said) = other.refused([]).await;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(fs::metadata(other.data()).unwrap().permissions().mode() & 0o7777, 0o700);
}

#[tokio::test]
async fn probes_and_broken_requests_are_no_news() {
    let (place, server) = Place::started().await;
    let api = Api::agent(&place).await;
    assert_eq!(api.ready().await, 200);
    let address = server.url().replace("http://", "");
    for broken in [
        "\x16\x03\x01 no HTTP\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "POST /api/v1/auth/login HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    ] {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        stream.write_all(broken.as_bytes()).unwrap();
        let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
    }
    let (status, _) = api.call(reqwest::Method::GET, format!("{}/nowhere", server.url()), None).await;
    assert_eq!(status, 404);
    let said = server.said();
    assert!(said.contains("/nowhere") && said.contains("status=404"), "{said}");
    for unwanted in [" ERROR ", " WARN ", "/health/"] {
        assert!(!said.contains(unwanted), "{unwanted}: {said}");
    }
}

#[tokio::test]
async fn a_plain_user_starts_it_twice() {
    if !geteuid().is_root() {
        println!("did not run: only root can become another user, and all other tests ran as this one");
        return;
    }
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let nobody = users.lines().find(|line| line.starts_with("nobody:"));
    let Some(nobody) = nobody else {
        println!("did not run: there is no user nobody");
        return;
    };
    let ids: Vec<u32> = nobody.split(':').skip(2).take(2).map(|id| id.parse().unwrap()).collect();
    let mut place = Place::new().await;
    place.become_user((ids[0], ids[1]));

    let mut server = place.start().await;
    println!("ready after {:?} (cold, as nobody)", server.ready_after());
    let api = Api::agent(&place).await;
    api.book().await;
    let before = api.holdings(&place).await;
    assert_eq!(server.stop(Signal::INT).await.code(), Some(0), "{}", server.said());
    assert_eq!(place.processes(), []);
    assert_eq!(fs::metadata(place.data()).unwrap().permissions().mode() & 0o7777, 0o700);

    let server = place.start().await;
    println!("ready after {:?} (warm, as nobody)", server.ready_after());
    assert_eq!(Api::agent(&place).await.holdings(&place).await, before);
}

#[tokio::test]
async fn a_second_server_on_a_private_folder_is_refused_and_harms_nothing() {
    let (place, mut first) = Place::started().await;
    let api = Api::agent(&place).await;
    api.book().await;
    let before = api.holdings(&place).await;

    let (code, said) = place.refused([]).await;
    assert_eq!(code, Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default().to_owned();
    assert!(last.contains("another server works on the data folder"), "{last}");
    api.book().await;
    let before = {
        assert_ne!(api.holdings(&place).await, before);
        api.holdings(&place).await
    };

    assert_eq!(first.stop(Signal::TERM).await.code(), Some(0), "{}", first.said());
    place.assert_nobody_is_left().await;
    let _third = place.start().await;
    assert_eq!(Api::agent(&place).await.holdings(&place).await, before);
}

#[tokio::test]
async fn on_a_database_of_the_operators_there_is_no_demo_and_no_sandbox_unless_asked_for() {
    let place = Place::new().await;
    let name = format!("first_run_{}", std::process::id());
    let url = create_database(&name).await;
    let people_keys = place.people_keys();
    let given = [
        ("DATABASE_URL", url.as_str()),
        ("WAYFARE_SIGNING_KEY", SIGNING_KEY),
        ("WAYFARE_LEDGER_KEY", LEDGER_KEY),
        ("WAYFARE_PEOPLE_KEY_FILE", people_keys.to_str().unwrap()),
    ];
    let [database, signing, ledger, people] = given;

    let mut server = place.start_with(given).await;
    println!("ready after {:?} (a database of the operator's)", server.ready_after());
    assert_eq!(server.lines(), [format!("Wayfare is ready: {}", server.url())]);
    let ready = reqwest::get(format!("{}/health/ready", server.url())).await.unwrap();
    assert_eq!(ready.status(), 200);
    assert_eq!(place.processes(), []);
    let made = fs::read_dir(place.data()).map_or(0, |entries| entries.count());
    assert_eq!(made, 0, "something was made in the data folder");
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));

    // The demo makes an agency that can ask.
    let demo = ("WAYFARE_DEMO", "on");
    let mut server = place.start_with([database, signing, ledger, people, demo]).await;
    assert_eq!(place.demo()["sandbox_url"], "");
    let (status, found) = Api::agent(&place).await.try_post("/flights/search", search()).await;
    assert_eq!(status, 200, "{found}");
    assert_eq!(found["data"]["offers"], json!([]));
    assert_eq!(found["data"]["search_meta"]["provider_status"], json!({}));
    assert_eq!(place.processes(), []);
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));

    let sandbox = ("WAYFARE_SANDBOX", "on");
    // From now on its tables belong to another role than the server's.
    let service_url = TestServer::shared().service_url(&name);
    let (database, owner) = (("DATABASE_URL", service_url.as_str()), ("MIGRATION_DATABASE_URL", database.1));
    let mut server = place.start_with([database, owner, signing, ledger, people, demo, sandbox]).await;
    assert_eq!(place.processes().len(), 1, "the sandbox");
    Api::agent(&place).await.book().await;
    assert!(!place.data().join("postgres").exists());
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));
    assert_eq!(place.processes(), []);
}
