//! A backup that is restored to a moment: what was written before it is there, and what only suppliers know of what came after
//! is named.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use wayfare_local_postgres::{LocalPostgres, Settings};

use crate::api::{Api, order};
use crate::own_postgres::{self, ask};
use crate::place::until;
use crate::shared::Shared;

const ANOTHER_KEY: &str = "another key for tests that is long enough";

/// A PostgreSQL whose WAL is archived, and what is restored of it.
struct Archived {
    dir: PathBuf,
    original: LocalPostgres,
}

impl Archived {
    async fn start() -> Archived {
        let dir = std::env::temp_dir().join(format!("wayfare-restore-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        let mut settings = Settings::new(dir.join("original"));
        settings.server_settings = vec![
            "archive_mode=on".to_owned(),
            format!("archive_command=cp %p {}/%f", dir.join("wal").display()),
        ];
        let original = LocalPostgres::start_or_adopt(settings).await.unwrap();
        let owner = fs::metadata(dir.join("original/data")).unwrap();
        let wal = dir.join("wal");
        fs::create_dir(&wal).unwrap();
        fs::set_permissions(&wal, fs::Permissions::from_mode(0o700)).unwrap();
        chown(&wal, Some(owner.uid()), Some(owner.gid())).unwrap();
        Archived { dir, original }
    }

    fn base_backup(&self) {
        own_postgres::copy(&self.dir.join("original"), &self.dir.join("restored"), &[]);
    }

    /// The present by PostgreSQL's clock, which a restore is told.
    async fn now(&self) -> String {
        ask(&self.original.url(), &["select clock_timestamp()::text"]).await.remove(0)
    }

    /// All that was written so far is in the archive.
    async fn archive(&self) {
        let url = self.original.url();
        let file = ask(&url, &["select pg_walfile_name(pg_switch_wal())"]).await.remove(0);
        let archived = self.dir.join("wal").join(&file);
        until("the last WAL in the archive", async || archived.exists().then_some(())).await;
    }

    fn kill(&self) {
        own_postgres::end(&self.dir.join("original"), Signal::KILL);
    }

    /// The base backup with the archived WAL, as far as this moment.
    async fn restore(&self, to: &str) -> LocalPostgres {
        let dir = self.dir.join("restored");
        let signal = dir.join("data/recovery.signal");
        fs::write(&signal, "").unwrap();
        let owner = fs::metadata(dir.join("data")).unwrap();
        chown(&signal, Some(owner.uid()), Some(owner.gid())).unwrap();
        let mut settings = Settings::new(dir);
        settings.server_settings = vec![
            format!("restore_command=cp {}/%f %p", self.dir.join("wal").display()),
            format!("recovery_target_time={to}"),
            "recovery_target_action=promote".to_owned(),
        ];
        let restored = LocalPostgres::start_or_adopt(settings).await.unwrap();
        until("the end of recovery", async || {
            let recovering = ask(&restored.url(), &["select pg_is_in_recovery()::text"]).await;
            (recovering == ["false"]).then_some(())
        })
        .await;
        restored
    }
}

impl Drop for Archived {
    fn drop(&mut self) {
        for folder in ["original", "restored"] {
            own_postgres::end(&self.dir.join(folder), Signal::INT);
        }
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Books at this supplier: the booking's reference.
async fn book(api: &Api, supplier: &str) -> String {
    let (key, _) = api.price(supplier).await;
    let booked = api.post("/flights/book", order(&key)).await;
    assert_eq!(booked["status"], "CONFIRMED", "{booked}");
    booked["booking_ref"].as_str().unwrap().to_owned()
}

/// The sandbox's id of a booking's order.
async fn order_of(api: &Api, booking: &str) -> String {
    let orders = api.sandbox("/orders").await;
    let mut orders = orders.as_array().unwrap().iter();
    let order = orders.find(|order| order["reference"] == booking);
    order.unwrap()["id"].as_str().unwrap().to_owned()
}

fn reconciled(shared: &Shared, since: &str) -> (Option<i32>, Value) {
    let output = shared.operator(&["--json", "reconcile", "--since", since]);
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    let read = serde_json::from_str(&said);
    (output.status.code(), read.unwrap_or_else(|_| panic!("{output:?}")))
}

/// Neither the books nor anything else is touched by whoever has another key.
async fn another_key_is_refused(shared: &Shared) {
    let sealed = "the ledger was sealed by another key";
    let verified = shared.operator_with(&["ledger", "verify"], Some(("WAYFARE_LEDGER_KEY", ANOTHER_KEY)));
    let said = String::from_utf8_lossy(&verified.stderr);
    assert!(verified.status.code() == Some(1) && said.contains(sealed), "{verified:?}");
    let (code, said) = shared.refused(("WAYFARE_LEDGER_KEY", ANOTHER_KEY)).await;
    assert!(code == Some(1) && said.contains(sealed), "{code:?}: {said}");

    let others = format!("[people_keys]\n1 = '{}'\n", "09".repeat(32));
    let others = shared.write("other_keys.toml", &others);
    fs::set_permissions(&others, fs::Permissions::from_mode(0o600)).unwrap();
    let (code, said) = shared.refused(("WAYFARE_PEOPLE_KEY_FILE", others.to_str().unwrap())).await;
    let lost = "the key 1 of people, which";
    assert!(code == Some(1) && said.contains(lost), "{code:?}: {said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_to_a_moment_names_what_only_suppliers_know() {
    if !Path::new("/proc/self/stat").exists() {
        println!("did not run: there is no /proc");
        return;
    }
    let archived = Archived::start().await;
    let shared = Shared::on(&archived.original.url()).await;
    let mut server = shared.first(None).await;
    let agent = shared.agent().await;
    let early = book(&agent, "duffel").await;
    let given_back = book(&agent, "duffel").await;
    archived.base_backup();
    let kept = book(&agent, "tripjack").await;
    let moment = archived.now().await;

    // Whatever is in the same instant as the moment is in the restore.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let lost = book(&agent, "duffel").await;
    let never_listed = book(&agent, "tripjack").await;
    let path = format!("/flights/bookings/{given_back}/cancel");
    agent.post(&path, json!({})).await;
    let (lost_order, cancelled_order) = (order_of(&agent, &lost).await, order_of(&agent, &given_back).await);
    archived.archive().await;
    server.kill();
    archived.kill();

    let restored = archived.restore(&moment).await;
    let shared = shared.moved_to(&restored.url());
    let verified = shared.operator(&["--json", "ledger", "verify"]);
    assert!(verified.status.success(), "{verified:?}");
    let since = moment.replacen(' ', "T", 1);
    let (code, said) = reconciled(&shared, &format!("{since}:00"));
    assert_eq!(code, Some(1), "{said}");
    let found = said["different"].as_array().unwrap().iter();
    let mut found: Vec<[&str; 3]> = found
        .map(|order| ["how", "order_id", "booking_ref"].map(|name| order[name].as_str().unwrap_or_default()))
        .collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [["cancelled_there", &cancelled_order, &given_back], ["only_at_supplier", &lost_order, ""]],
        "{said}"
    );
    let reference = said["different"].as_array().unwrap().iter();
    let mut reference = reference.filter(|order| order["how"] == "only_at_supplier");
    let reference = reference.next().unwrap()["reference"].as_str().unwrap();
    assert!(reference.starts_with(&lost), "{reference} is not of {lost}");
    let listed = said["suppliers"].as_array().unwrap().iter();
    let listed: Vec<_> = listed.map(|of| (&of["supplier"], of["listed"].is_null())).collect();
    assert_eq!(listed, [(&json!("duffel"), false), (&json!("tripjack"), true)]);
    let told = shared.operator(&["reconcile", "--since", &format!("{since}:00")]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("tripjack: it has no list of orders"), "{told}");

    another_key_is_refused(&shared).await;
    let server = shared.another(None).await;
    let agent = agent.at(&server);
    for booking in [&early, &given_back, &kept] {
        let stands = agent.get(&format!("/flights/bookings/{booking}")).await;
        assert_eq!(stands["status"], "confirmed", "{stands}");
    }
    for booking in [&lost, &never_listed] {
        assert_eq!(agent.try_get(&format!("/flights/bookings/{booking}")).await.0, 404);
    }
    book(&agent, "duffel").await;
    let verified = shared.operator(&["ledger", "verify"]);
    assert!(verified.status.success(), "{verified:?}");
}
