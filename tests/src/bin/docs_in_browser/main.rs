//! Uses the page of the documentation in Chromium without a window: logs in there, searches flights, takes a picture of
//! it, `target/docs.png`. Ends with 0 when the search was answered and the page's policy stood in nothing's way.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "only its caller waits for it")]

use std::{fs, path::Path, process::ExitCode};

use serde_json::{Value, json};
use wayfare_tests::{PASSWORD, World, browser::Browser, one_way};

const SCRIPT: &str = include_str!("page.js");

#[actix_web::main]
async fn main() -> ExitCode {
    let (world, agency) = World::start().await.and_agency().await;
    agency.agent("arjun", "0").await;
    let log_in = json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": PASSWORD });
    let mut search = one_way("DEL", "BOM").body(world.now());
    search["search_params"]["max_results"] = json!(2);
    let page = format!("{}/docs/", world.base_url);
    let (report, problems, picture) =
        actix_web::web::block(move || look(&page, &log_in, &search)).await.unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/docs.png");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, picture).unwrap();
    println!("{report:#}\n{}", file.display());
    for problem in &problems {
        println!("PROBLEM {problem}");
    }
    let good = report["status"] == "200" && problems.is_empty();
    ExitCode::from(u8::from(!good))
}

/// What the script reports, what the page's policy forbade, and a picture of the page then.
fn look(page: &str, log_in: &Value, search: &Value) -> (Value, Vec<String>, Vec<u8>) {
    let mut shown = Browser::start().page();
    shown.resize(1280, 1600).unwrap();
    shown.open(page).unwrap();
    let report = shown.evaluate(&format!("({SCRIPT})({log_in}, {search})")).unwrap();
    let forbidden = shown.problems().into_iter().filter(|problem| problem.starts_with("policy"));
    (report, forbidden.collect(), shown.picture().unwrap())
}
