//! Suppliers that are tried before a customer meets them: the sandbox, as it is and misbehaving.

use std::{fs, path::PathBuf, process::Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use wayfare_domain::{Clock, Currency, Party};
use wayfare_flights::{duffel, tripjack};
use wayfare_hotels::{HotelResults, Query, RoomGuests, SearchArea, hotelbeds, liteapi};
use wayfare_sandbox::{Running, Sandbox, Settings};
use wayfare_stub_server::recordings::answers;
use wayfare_tests::{LASTS, Supplier};

use crate::installation::{Installation, refused};

/// A sandbox, and settings with it as every supplier, each of which settles what is open within a second.
struct Stage {
    here: Installation,
    supplier: Supplier,
    _sandbox: Running,
}

/// How a trial ended: its code, what programs were answered, and why it failed.
type Tried = (Option<i32>, Value, String);

/// What was learnt in the last step of this name.
fn learnt<'a>(view: &'a Value, step: &str) -> &'a str {
    let found = view["steps"].as_array().unwrap().iter().rfind(|one| one["step"] == step);
    found.unwrap_or_else(|| panic!("no {step}: {view}"))["learnt"].as_str().unwrap()
}

impl Stage {
    async fn open() -> Self {
        let sandbox = Sandbox::start(Settings::of_seed(1)).await.unwrap();
        let (url, here) = (sandbox.base_url(), Installation::new());
        let mut file = String::new();
        for (code, kind, url, token, more) in [
            ("duffel", "duffel", format!("{url}/duffel"), "duffel_test_trial", ""),
            ("tripjack", "tripjack", format!("{url}/tripjack"), "tripjack_test_trial", ""),
            (
                "liteapi",
                "liteapi",
                format!("{url}/liteapi/v3.0"),
                "liteapi_test_trial",
                "payment = 'WALLET'\n",
            ),
            ("hotelbeds", "hotelbeds", format!("{url}/hotelbeds"), "hotelbeds_test_trial:sandbox", ""),
            ("real", "duffel", "http://127.0.0.1:9".to_owned(), "duffel_live_x", ""),
        ] {
            file += &format!(
                "[[suppliers]]\ncode = '{code}'\nkind = '{kind}'\nbase_url = '{url}'\ntoken = '{token}'\n\
                 processing_time_s = 1\n{more}"
            );
        }
        fs::create_dir_all(here.data()).unwrap();
        fs::write(here.data().join("settings.toml"), file).unwrap();
        Self { here, supplier: Supplier::at(url), _sandbox: sandbox }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.here.data().join(name)
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = self.here.ctl(&["suppliers", "try"]);
        command.args(arguments).env("WAYFARE_CONFIG", self.file("settings.toml"));
        command
    }

    fn tries(&self, arguments: &[&str]) -> Tried {
        let output = self.command(arguments).arg("--json").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let view = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
        (output.status.code(), view, stderr)
    }

    /// How each order at the sandbox stands.
    async fn orders(&self) -> Vec<String> {
        let orders = self.supplier.orders().await;
        orders.iter().map(|order| order["status"].as_str().unwrap().to_owned()).collect()
    }
}

/// How many offers our reader finds in a recorded answer to the trial's search.
fn read_again(code: &str, answer: &[u8]) -> usize {
    let now = Clock::system().now();
    let check_in = now.date_naive() + chrono::TimeDelta::days(120);
    let query = Query {
        check_in,
        check_out: check_in + chrono::TimeDelta::days(2),
        rooms: vec![RoomGuests { adults: 2, children_ages: Vec::new() }],
        area: SearchArea::Hotels(Vec::new()),
        nationality: "GB".to_owned(),
        language: "en".to_owned(),
    };
    let rates = |found: HotelResults| found.hotels.iter().map(|hotel| hotel.rates.len()).sum();
    match code {
        "duffel" => duffel::read::search(answer, true).unwrap().offers.len(),
        "tripjack" => {
            let party = Party { adults: 1, children: 0, infants: 0 };
            tripjack::read::search(answer, party, now).unwrap().offers.len()
        }
        "liteapi" => {
            let stream: String = serde_json::from_slice(answer).unwrap();
            rates(liteapi::read::search(stream.as_bytes(), &query, Currency::USD, now).unwrap())
        }
        _ => rates(hotelbeds::read::search(answer, &query, now).unwrap()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_supplier_is_met_by_an_order_that_is_given_back_and_recorded_without_its_people() {
    let stage = Stage::open().await;
    for (number, code) in (1..).zip(["duffel", "tripjack", "liteapi", "hotelbeds"]) {
        let file = stage.file(code);
        let arguments = [code, "--record", file.to_str().unwrap()];
        let (exit, view, stderr) = stage.tries(&arguments);
        assert_eq!(exit, Some(0), "{code}: {stderr}");
        assert_eq!(stderr.lines().count(), view["steps"].as_array().unwrap().len(), "{code}: {stderr}");
        assert_eq!((&view["key"], &view["remains"]), (&"test".into(), &Value::Null));
        assert_eq!(stage.orders().await, vec!["cancelled"; number], "{code}");
        assert!(learnt(&view, "look up by reference").starts_with("order "), "{view}");

        let bytes = fs::read(&file).unwrap();
        let recorded = String::from_utf8(bytes.clone()).unwrap();
        for private in ["test_trial", "quarrington", "ottilie", "447700900142", "1988-04-12"] {
            assert!(!recorded.to_lowercase().contains(private), "{code}: {private}");
        }
        let amount = learnt(&view, "price").split([' ', '.']).next().unwrap();
        assert!(recorded.contains(amount), "{code}: {amount}");
        let found = read_again(code, &answers(bytes)[0]);
        assert!(
            found > 0 && learnt(&view, "search").starts_with(&format!("{found} offers, ")),
            "{code}: {found}"
        );
        // Nothing is written over, and nothing is bought for what can't be written.
        assert!(refused(&mut stage.command(&arguments), 2).contains("is there already"));
    }
}

/// What happens at Duffel or another supplier, how the trial goes on, and how what was ordered stands: calls, each with its fault and
/// how often, options, a step with what was learnt in it, the exit code, and the orders.
const MISHAPS: &str = "\
                                     | --where PVD-RAI | search  | 0 offers             | 1 |
search says:allowed=false 9          |                 | search  | none is refundable   | 1 |
price status:500 9                   |                 | choose  | nothing is bought    | 1 |
price price_changed:10 1             |                 | price   | searched at          | 0 | cancelled
price says:penalty_amount=\"9.00\" 9 | --live          | choose  | nothing is bought    | 1 |
lookup status:500 9                  | --live          | choose  | silence could not be | 1 |
price says:requires_instant_payment=true 9, book price_changed:10 1 | | book | refused | 1 |
book drop_before 1                   |                 | look up | not found            | 1 |
book drop_after 1                    |                 | look up | order ord_           | 1 | cancelled
cancel status:422 1                  |                 | cancel  | refused              | 1 | LIVE
cancel drop_after 1                  |                 | cancel  | not known            | 1 | cancelled
cancel drop_before 9                 |                 | cancel  | not known            | 1 | LIVE
tripjack> book drop_before 1         |                 | look up | not found            | 1 |
tripjack> book drop_after 1          |                 | look up | order                | 1 | cancelled
tripjack> book broken_json 1         |                 | look up | not found            | 1 |
tripjack> cancel drop_after 1        |                 | cancel  | not known            | 1 | cancelled
liteapi> book drop_before 1          |                 | look up | not found            | 1 |
liteapi> book drop_after 1           |                 | look up | order                | 1 | cancelled
liteapi> book broken_json 1          |                 | look up | not found            | 1 |
liteapi> cancel drop_after 1         |                 | cancel  | not known            | 1 | cancelled
hotelbeds> book drop_before 1        |                 | look up | not found            | 1 |
hotelbeds> book drop_after 1         |                 | look up | order                | 1 | cancelled
hotelbeds> book broken_json 1        |                 | look up | not found            | 1 |
hotelbeds> cancel drop_after 1       |                 | cancel  | not known            | 1 | cancelled";

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_looked_up_given_back_or_told() {
    for line in MISHAPS.lines() {
        let stage = Stage::open().await;
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [mishaps, options, step, expected, code, orders] = cells.try_into().unwrap();
        let (supplier, mishaps) = mishaps.split_once("> ").unwrap_or(("duffel", mishaps));
        for mishap in mishaps.split(", ").filter(|mishap| !mishap.is_empty()) {
            let [call, fault, times] = mishap.split(' ').collect::<Vec<_>>().try_into().unwrap();
            stage.supplier.next_at(supplier, call, fault, times.parse().unwrap()).await;
        }
        let arguments: Vec<&str> = [supplier].into_iter().chain(options.split_whitespace()).collect();
        let (exit, view, stderr) = stage.tries(&arguments);
        assert!(learnt(&view, step).contains(expected), "{line}: {view}");
        assert_eq!(exit, Some(code.parse().unwrap()), "{line}: {stderr}");
        let (stand, id) = (stage.orders().await, &view["remains"]["order_id"]);
        if orders == "LIVE" {
            assert!(["held", "confirmed"].contains(&stand[0].as_str()), "{line}: {stand:?}");
            assert_eq!(stage.supplier.orders().await[0]["id"], *id, "{line}");
            assert!(stderr.contains(&format!("ORDER {} of reference FA-", id.as_str().unwrap())), "{stderr}");
        } else {
            assert_eq!(stand, orders.split_whitespace().collect::<Vec<_>>(), "{line}");
            assert_eq!(view["remains"], Value::Null, "{line}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trial_that_is_asked_to_stop_gives_back_first_and_one_that_is_killed_has_said_what_stands() {
    let stage = Stage::open().await;
    for (signals, ends, stands) in [
        (&[Signal::INT, Signal::HUP, Signal::TERM][..], Some(0), "cancelled"),
        (&[Signal::KILL], None, "held"),
    ] {
        stage.supplier.next("cancel", LASTS, 1).await;
        let trial = stage
            .command(&["duffel", "--json"])
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        stage.supplier.has_struck().await;
        for signal in signals {
            kill_process(Pid::from_child(&trial), *signal).unwrap();
        }
        if ends.is_some() {
            stage.supplier.all_is_well().await;
        }
        let ended = trial.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), ends);
        let said = String::from_utf8(ended.stderr).unwrap();
        let order = stage.supplier.orders().await.pop().unwrap();
        assert!(
            said.contains(&format!("booked as {}", order["reference"].as_str().unwrap())),
            "{said}: {order}"
        );
        assert_eq!(order["status"], stands, "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_no_list_names_stops_the_recording_and_nothing_else() {
    let stage = Stage::open().await;
    stage.supplier.next("price", "says_more", 1).await;
    let file = stage.file("recording.json");
    let (exit, _, stderr) = stage.tries(&["duffel", "--record", file.to_str().unwrap()]);
    assert_eq!((exit, stage.orders().await), (Some(1), vec!["cancelled".to_owned()]), "{stderr}");
    assert!(stderr.contains("(GET /duffel/air/offers/") && stderr.contains(").data.said_more"), "{stderr}");
    assert!(!file.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_may_buy_for_real_is_used_only_when_that_is_said_twice() {
    let stage = Stage::open().await;
    for (arguments, why) in [
        (&["real"][..], "nothing was sent. With --live --i-may-be-charged"),
        (&["real", "--live"], "nothing was sent. With --live --i-may-be-charged"),
        (&["duffel", "--where", "39.57,2.65"], "must be a route between airports"),
        (&["duffel", "--where", "DEL-QQQ"], "is not a known IATA airport code"),
        (&["liteapi", "--where", "DEL-BOM"], "must be latitude and longitude"),
        (&["nosuch"], "there is no supplier \"nosuch\""),
        (&["duffel", "--record", "/nowhere/at/all.json"], "or its folder is not"),
    ] {
        let refusal = refused(&mut stage.command(arguments), 2);
        assert!(refusal.contains(why), "{refusal}");
    }
    // Nobody is at its address, so that nothing can be bought.
    let (exit, view, _) = stage.tries(&["real", "--live", "--i-may-be-charged"]);
    assert_eq!((exit, &view["key"]), (Some(1), &"live".into()));
    assert!(learnt(&view, "search").starts_with("nothing was done"), "{view}");
    // TripJack takes a fee of its own of every fare.
    let (exit, view, _) = stage.tries(&["tripjack", "--live", "--i-may-be-charged"]);
    assert_eq!((exit, learnt(&view, "choose").contains("nothing is bought")), (Some(1), true), "{view}");
    assert_eq!(stage.orders().await, Vec::<String>::new());
}
