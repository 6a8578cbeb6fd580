//! The sandbox in a process of its own.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};
use wayfare_domain::Clock;

use crate::support::{Folder, Running, refusal};

/// What a host says of its sandbox.
#[derive(Debug, PartialEq, Eq)]
struct Sandbox {
    url: String,
    pid: i32,
    adopted: bool,
}

fn start(command: &mut Command) -> (Running, Sandbox) {
    let host = Running::start(command);
    let [url, pid, adopted] = host.line.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let sandbox =
        Sandbox { url: url.to_owned(), pid: pid.parse().unwrap(), adopted: adopted.parse().unwrap() };
    (host, sandbox)
}

impl Sandbox {
    fn is_running(&self) -> bool {
        // A process that nobody collects, as in containers, is not running either.
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        !stat.contains(") Z ") && test_kill_process(Pid::from_raw(self.pid).unwrap()).is_ok()
    }

    async fn post(&self, path: &str, data: Value) -> Value {
        let request = reqwest::Client::new()
            .post(format!("{}/duffel/air{path}", self.url))
            .bearer_auth("duffel_test_abc")
            .header("Duffel-Version", "v2")
            .header("Accept", "application/json")
            .json(&json!({ "data": data }));
        let mut answer: Value = request.send().await.unwrap().json().await.unwrap();
        assert!(answer["errors"].is_null(), "{answer}");
        answer["data"].take()
    }

    /// Books somebody's flight.
    async fn book(&self) -> String {
        let day = (Clock::system().now() + std::time::Duration::from_secs(40 * 86_400)).date_naive();
        let search = json!({
            "slices": [{ "origin": "DEL", "destination": "BOM", "departure_date": day.to_string() }],
            "passengers": [{ "type": "adult" }],
            "cabin_class": "economy",
        });
        let offer = self.post("/offer_requests", search).await["offers"][0].take();
        let order = json!({
            "type": "instant",
            "selected_offers": [offer["id"]],
            "passengers": [{
                "id": offer["passengers"][0]["id"],
                "title": "ms",
                "gender": "f",
                "given_name": "Asha",
                "family_name": "Rao",
                "born_on": "1990-01-01",
                "email": "asha@example.com",
                "phone_number": "+919812345678",
            }],
            "payments": [{
                "type": "balance",
                "amount": offer["total_amount"],
                "currency": offer["total_currency"],
            }],
        });
        self.post("/orders", order).await["id"].as_str().unwrap().to_owned()
    }

    async fn orders(&self) -> Vec<String> {
        let answer = reqwest::get(format!("{}/_sandbox/orders", self.url)).await.unwrap();
        let orders: Vec<Value> = answer.json().await.unwrap();
        orders.iter().map(|order| order["id"].as_str().unwrap().to_owned()).collect()
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[tokio::test]
async fn a_sandbox_outlives_a_kill_and_is_adopted_with_its_orders_and_stopped() {
    let folder = Folder::new();
    let (host, first) = start(&mut folder.host());
    assert!(!first.adopted);
    let mode = fs::metadata(folder.data().join("sandbox")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let order = first.book().await;
    host.kill();
    assert!(first.is_running());

    let (host, second) = start(&mut folder.host());
    assert_eq!(second, Sandbox { adopted: true, url: first.url.clone(), pid: first.pid });
    assert_eq!(second.orders().await, std::slice::from_ref(&order));
    host.interrupt();
    assert!(!second.is_running());
    assert!(folder.sandbox_pid().is_none());

    let (host, third) = start(&mut folder.host());
    assert!(!third.adopted);
    assert_eq!(third.orders().await, [order]);
    host.interrupt();
    assert!(!third.is_running());
}

#[tokio::test]
async fn a_sandbox_that_was_killed_is_started_anew_with_its_orders() {
    let folder = Folder::new();
    let (host, first) = start(&mut folder.host());
    let order = first.book().await;
    rustix::process::kill_process(Pid::from_raw(first.pid).unwrap(), rustix::process::Signal::KILL).unwrap();
    host.kill();
    let (host, second) = start(&mut folder.host());
    assert!(!second.adopted);
    assert_eq!(second.orders().await, [order]);
    host.interrupt();
}

#[test]
fn a_sandbox_that_listens_elsewhere_than_asked_moves() {
    let folder = Folder::new();
    let (host, first) = start(&mut folder.host());
    host.kill();
    let bind = format!("127.0.0.1:{}", free_port());
    let (host, second) = start(folder.host().env("WAYFARE_SANDBOX_BIND", &bind));
    assert_eq!((second.url, second.adopted), (format!("http://{bind}"), false));
    assert!(!first.is_running());
    host.kill();
    // The same place asked for again, and any place.
    for bind in [bind.as_str(), "127.0.0.1:0"] {
        let (host, third) = start(folder.host().env("WAYFARE_SANDBOX_BIND", bind));
        assert_eq!((third.pid, third.adopted), (second.pid, true));
        host.kill();
    }
}

#[test]
fn a_sandbox_that_listens_everywhere_is_called_here() {
    let folder = Folder::new();
    let (host, sandbox) = start(folder.host().env("WAYFARE_SANDBOX_BIND", "0.0.0.0:0"));
    assert!(sandbox.url.starts_with("http://127.0.0.1:"), "{}", sandbox.url);
    host.interrupt();
}

#[test]
fn hosts_that_start_together_share_one_sandbox() {
    let folder = Folder::new();
    let hosts: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| start(&mut folder.host()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(hosts.iter().all(|(_, sandbox)| sandbox.pid == hosts[0].1.pid), "{:?}", hosts[0].1);
    assert_eq!(hosts.iter().filter(|(_, sandbox)| !sandbox.adopted).count(), 1);
    // Each of them stops it; that it is gone already is no failure.
    for (host, _) in hosts {
        host.interrupt();
    }
    assert!(folder.sandbox_pid().is_none());
}

#[test]
fn a_sandbox_that_cannot_start_says_why() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let bind = taken.local_addr().unwrap().to_string();
    let message = refusal(folder.host().env("WAYFARE_SANDBOX_BIND", &bind), 1);
    assert!(message.contains(&format!("cannot listen on {bind}")), "{message}");
    assert!(message.contains("sandbox.log"), "{message}");
}

#[test]
fn a_number_that_is_now_another_process_is_neither_adopted_nor_harmed() {
    let folder = Folder::new();
    let dir = folder.data().join("sandbox");
    fs::create_dir_all(&dir).unwrap();
    let mut bystander =
        Command::new("sleep").arg("20").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let named = json!({ "pid": bystander.id(), "address": format!("127.0.0.1:{}", free_port()) });
    fs::write(dir.join("sandbox.json"), named.to_string()).unwrap();
    let (host, sandbox) = start(&mut folder.host());
    assert!(!sandbox.adopted);
    host.interrupt();
    assert!(bystander.try_wait().unwrap().is_none());
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

#[test]
fn the_sandbox_gets_none_of_our_secrets() {
    let folder = Folder::new();
    let key = "a key that is plainly long enough for this";
    let (host, sandbox) = start(folder.host().env("WAYFARE_LEDGER_KEY", key).env("TOKEN", "hush"));
    let environment = fs::read(format!("/proc/{}/environ", sandbox.pid)).unwrap();
    let environment = String::from_utf8_lossy(&environment);
    assert!(environment.contains("PATH="), "{environment}");
    assert!(!environment.contains(key) && !environment.contains("hush"), "{environment}");
    host.interrupt();
}
