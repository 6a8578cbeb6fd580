//! Reports: asked for, made, fetched, kept for a while; whose they are, and what they add up to.

mod bucket_storage;
mod figures;
mod files;
mod requests;
mod workers;

use std::{
    collections::HashMap,
    fs,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_operations::reports::ReportFiles;
use wayfare_tests::{Person, Reply, World, WorldOptions};

const QUEUED: &str = "report queued for generation";
const NOT_READY: &str = "report is not ready";

/// The month in which frozen worlds stand still.
fn january(kind: &str) -> Value {
    json!({ "type": kind, "period_start": "2027-01-01", "period_end": "2027-01-31" })
}

fn january_with(kind: &str, filters: Value) -> Value {
    let mut body = january(kind);
    body["filters"] = filters;
    body
}

/// Asks for a report at this desk; its id.
async fn ask(person: &Person, desk: &str, body: &Value) -> String {
    person.post(desk, body).await.says(201, QUEUED)["id"].as_str().unwrap().to_owned()
}

async fn download(person: &Person, desk: &str, id: &str) -> Reply {
    person.get(&format!("{desk}/{id}/download")).await
}

/// Asks for a report, has it made and fetches its rows, each by its columns.
async fn rows(world: &World, person: &Person, desk: &str, body: &Value) -> Vec<HashMap<String, String>> {
    let id = ask(person, desk, body).await;
    assert_eq!(world.make_reports().await, 1);
    let file = download(person, desk, &id).await;
    assert_eq!(file.status, 200, "{}", file.text);
    read(&file.text)
}

fn read(file: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let row = |row: csv::Result<csv::StringRecord>| {
        let row = row.unwrap();
        columns.iter().zip(row.iter()).map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect()
    };
    reader.records().map(row).collect()
}

fn sum(rows: &[HashMap<String, String>], column: &str) -> Decimal {
    rows.iter().map(|row: &HashMap<String, String>| row[column].parse::<Decimal>().unwrap()).sum()
}

async fn decimal(world: &World, query: &str) -> Decimal {
    let text = world.line(query).await;
    text.parse().unwrap_or_else(|_| panic!("{query}: {text}"))
}

/// Copies the only movement of a wallet so often, each so many seconds before the other.
async fn copied(world: &World, times: u32, seconds_apart: u32) {
    let statement = format!(
        "insert into transfers select org_id, gen_random_uuid(), 'copy:' || n, reason, reference,
             repeat('x', 900), performed_by, currency, at - n * interval '{seconds_apart} seconds'
             from transfers, generate_series(1, {times}) n;
         insert into entries select e.org_id, t.id, e.leg, e.account, e.side, e.amount, e.wallet_id, e.sequence + n,
             e.balance_before + n, e.balance_after + n, e.previous, e.seal, t.at, e.reason
             from generate_series(1, {times}) n join transfers t on t.key = 'copy:' || n
             join transfers o on o.key not like 'copy:%'
             join entries e on (e.org_id, e.transfer_id) = (o.org_id, o.id) and e.wallet_id is not null;
         update wallets set sequence = {times} + 1, balance = {times} + 1"
    );
    world.sql(&statement).await;
}

/// A folder that goes with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        let name =
            format!("wayfare-reports-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(name))
    }

    fn options(&self) -> WorldOptions {
        WorldOptions {
            report_files: ReportFiles::in_folder(&self.0).unwrap(),
            ..WorldOptions::default().frozen()
        }
    }

    fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.0) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
