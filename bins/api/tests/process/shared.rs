//! Servers over one database of the operator's, as they run behind a load balancer, and their suppliers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tokio_postgres::NoTls;
use wayfare_local_postgres::test_server::TestServer;

use crate::api::Api;
use crate::place::{Place, Server, operators_program};

pub const SIGNING_KEY: &str = "a signing key for tests, 32 bytes at least";
pub const LEDGER_KEY: &str = "a ledger key for tests, of 32 bytes at least";

/// A new database of this name: its URL, as the owner of its tables.
pub async fn create_database(name: &str) -> String {
    let (client, connection) =
        tokio_postgres::connect(&TestServer::shared().url("postgres"), NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
    TestServer::shared().url(name)
}

/// What servers have in common: a database, keys, suppliers.
pub struct Shared {
    // First, since its end may want to read what the place has.
    _sandbox: Option<Server>,
    place: Place,
    database_url: String,
    sandbox_url: String,
    settings: PathBuf,
}

impl Shared {
    /// With the sandbox as Duffel and as TripJack, on a new database of this name.
    pub async fn with_sandbox(name: &str) -> Shared {
        let database_url = create_database(&format!("{name}_{}", std::process::id())).await;
        Shared::on(&database_url).await
    }

    /// With the sandbox as Duffel and as TripJack, on this database.
    pub async fn on(database_url: &str) -> Shared {
        let place = Place::new().await;
        let (sandbox, sandbox_url) = place.start_sandbox().await;
        let suppliers = ["duffel", "tripjack"].map(|code| supplier(code, &format!("{sandbox_url}/{code}")));
        Shared {
            _sandbox: Some(sandbox),
            sandbox_url,
            ..Shared::of(database_url.to_owned(), place, &suppliers.concat())
        }
    }

    /// With this Duffel alone.
    pub async fn with_duffel_at(name: &str, base_url: &str) -> Shared {
        let database_url = create_database(&format!("{name}_{}", std::process::id())).await;
        Shared::of(database_url, Place::new().await, &supplier("duffel", base_url))
    }

    fn of(database_url: String, place: Place, suppliers: &str) -> Shared {
        Shared {
            _sandbox: None,
            sandbox_url: String::new(),
            settings: place.write("wayfare.toml", suppliers),
            database_url,
            place,
        }
    }

    /// Starts the server that makes the demo agency.
    pub async fn first(&self, redis_url: Option<&str>) -> Server {
        self.start(redis_url, Some(("WAYFARE_DEMO", "on"))).await
    }

    /// Starts one more server.
    pub async fn another(&self, redis_url: Option<&str>) -> Server {
        self.start(redis_url, None).await
    }

    /// Starts a server with another variable.
    pub async fn start(&self, redis_url: Option<&str>, demo: Option<(&str, &str)>) -> Server {
        let people_keys = self.place.people_keys();
        let redis = redis_url.map(|url| ("REDIS_URL", url));
        self.place.start_with(self.variables(&people_keys).into_iter().chain(redis).chain(demo)).await
    }

    fn variables<'a>(&'a self, people_keys: &'a Path) -> [(&'static str, &'a str); 5] {
        [
            ("DATABASE_URL", self.database_url.as_str()),
            ("WAYFARE_SIGNING_KEY", SIGNING_KEY),
            ("WAYFARE_LEDGER_KEY", LEDGER_KEY),
            ("WAYFARE_PEOPLE_KEY_FILE", people_keys.to_str().unwrap()),
            ("WAYFARE_CONFIG", self.settings.to_str().unwrap()),
        ]
    }

    /// The same, on another database instead.
    pub fn moved_to(self, database_url: &str) -> Shared {
        Shared { database_url: database_url.to_owned(), ..self }
    }

    /// Starts a server with another variable, which should end by itself: its exit code and what it said.
    pub async fn refused(&self, other: (&str, &str)) -> (Option<i32>, String) {
        let people_keys = self.place.people_keys();
        let variables = self.variables(&people_keys).into_iter();
        self.place.refused(variables.chain([other])).await
    }

    /// What is kept for this place alone.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        self.place.write(name, text)
    }

    /// What the operator's program does with the same settings.
    pub fn operator(&self, arguments: &[&str]) -> Output {
        self.operator_with(arguments, None)
    }

    /// The same with another variable.
    pub fn operator_with(&self, arguments: &[&str], other: Option<(&str, &str)>) -> Output {
        let people_keys = self.place.people_keys();
        let mut command = Command::new(operators_program());
        command.env_clear().envs(self.variables(&people_keys).into_iter().chain(other));
        command.env("WAYFARE_DATA_DIR", self.place.data()).current_dir("/");
        command.args(arguments).output().unwrap()
    }

    /// The demo agency's agent, at the first server.
    pub async fn agent(&self) -> Api {
        Api::agent(&self.place).await.with_sandbox(&self.sandbox_url)
    }
}

fn supplier(code: &str, base_url: &str) -> String {
    format!(
        "[[suppliers]]\ncode = '{code}'\nkind = '{code}'\nbase_url = '{base_url}'\ntoken = '{code}_test_shared'\n"
    )
}
