//! `wayfare check-config`: the settings read as a start reads them, and nothing started, made or asked.

use secrecy::ExposeSecret;
use wayfare_domain::Clock;
use wayfare_launch::{Common, FileTables, KeyWatch, Keys, PeopleKeyWatch, ServerSettings};
use wayfare_operations::Database;

use crate::{report_files, secrets, suppliers};

/// What is wrong with the settings, each with the setting that it is about; none when a server would start with them as far as
/// that can be said without asking anybody.
pub(crate) fn wrongs(common: &Common, server: &ServerSettings, tables: FileTables) -> Vec<String> {
    let checks = [keys(common), databases(common), reports(common, server), sellers(common, server, tables)];
    checks.into_iter().filter_map(Result::err).collect()
}

/// With the private PostgreSQL the start makes what is missing.
fn keys(common: &Common) -> Result<(), String> {
    if common.has_private_database() {
        return Ok(());
    }
    let keys = Keys::open(common).map_err(|error| error.to_string())?;
    let watch = PeopleKeyWatch::begin(common).ok();
    let secrets = secrets(keys, KeyWatch::begin(common), watch);
    secrets.map(drop).map_err(|error| format!("the keys: {error}"))
}

/// Of each URL its options, its host's certificates and its own.
fn databases(common: &Common) -> Result<(), String> {
    let urls =
        [("DATABASE_URL", &common.database_url), ("MIGRATION_DATABASE_URL", &common.migration_database_url)];
    for (name, url) in urls {
        if let Some(url) = url {
            let database = Database::connect(url.expose_secret(), 1);
            database.map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(())
}

/// The data folder's own needs no check: the start makes it.
fn reports(common: &Common, server: &ServerSettings) -> Result<(), String> {
    match &server.reports_url {
        Some(_) => report_files(common, server).map(drop),
        None => Ok(()),
    }
}

fn sellers(common: &Common, server: &ServerSettings, tables: FileTables) -> Result<(), String> {
    let sandbox = format!("http://{}", server.sandbox_bind);
    let sandbox = server.with_sandbox(common, &tables).then_some(sandbox.as_str());
    let suppliers = suppliers(tables.suppliers, sandbox, &Clock::system());
    suppliers.map(drop).map_err(|error| error.to_string())
}
