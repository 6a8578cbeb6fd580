//! PostgreSQL over a network: encrypted, and sure who answers. What is wrong with a certificate is said, and nothing is sent.

use std::{env, fs, path::PathBuf, time::Duration};

use diesel::{QueryableByName, sql_query, sql_types::Bool};
use diesel_async::RunQueryDsl;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use tokio::time::sleep;
use wayfare_store::{Database, StoreError};

use crate::own_server::OwnServer;

/// The name that the server's certificate is for.
const NAME: &str = "db.wayfare.test";
/// All of 127/8 is this machine; the port is that of the server's socket.
const ADDRESS: &str = "127.61.7.3";
const ADDRESS_OF_CLIENTS: &str = "127.61.7.7";
/// Servers without certificates, and where none is.
const ADDRESS_OF_TWO: &str = "127.61.7.4";
const ADDRESS_OF_THREE: &str = "127.61.7.5";
const NOBODY: &str = "127.61.7.6";

/// An authority, and files with what it signed.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    dir: PathBuf,
}

impl Authority {
    fn new(name: &str) -> Self {
        let dir = env::temp_dir().join(format!("wayfare-tls-{}-{name}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        fs::write(dir.join("root.pem"), issuer.pem()).unwrap();
        Self { issuer, dir }
    }

    /// Where its own certificate lies.
    fn root(&self) -> String {
        self.dir.join("root.pem").display().to_string()
    }

    /// A certificate for a name until 1 January of a year, and its key.
    fn signs(&self, name: &str, until: i32) -> (String, String) {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(until, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        (certificate.pem(), key.serialize_pem())
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// A server on the network that shows this certificate.
async fn served_with(address: &str, (certificate, key): (String, String)) -> OwnServer {
    let server = OwnServer::start(&[&format!("listen_addresses={address}")]).await;
    shows(&server, (certificate, key)).await;
    server
}

async fn shows(server: &OwnServer, (certificate, key): (String, String)) {
    server.write("server.crt", &certificate);
    server.write("server.key", &key);
    server.set("ssl = on").await;
    // The signal to read settings again is not answered.
    sleep(Duration::from_millis(300)).await;
}

fn url(host: &str, query: &str) -> String {
    url_at(ADDRESS, host, query)
}

fn url_at(address: &str, host: &str, query: &str) -> String {
    format!("postgres://wayfare@{host}:5432/wayfare?hostaddr={address}&{query}")
}

#[derive(QueryableByName)]
struct Encrypted {
    #[diesel(sql_type = Bool)]
    ssl: bool,
}

async fn is_encrypted(database: &Database) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    let asked = sql_query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    let encrypted: Encrypted = asked.get_result(&mut connection).await?;
    Ok(encrypted.ssl)
}

async fn fault(url: &str) -> String {
    let database = Database::connect(url, 1).unwrap();
    is_encrypted(&database).await.unwrap_err().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_on_the_network_must_prove_its_name_and_everything_is_encrypted() {
    let (ours, other) = (Authority::new("ours"), Authority::new("other"));
    let server = served_with(ADDRESS, ours.signs(NAME, 2100)).await;
    let (root, foreign) = (ours.root(), other.root());

    let silent = url(NAME, &format!("sslrootcert={root}"));
    let database = Database::connect_server(&silent, 2).unwrap();
    assert!(is_encrypted(&database).await.unwrap());
    database.migrate().await.unwrap();
    database.ready().await.unwrap();
    let looks_in = Database::connect(&silent, 1).unwrap();
    assert!(is_encrypted(&looks_in).await.unwrap());

    for (host, query, expected) in [
        (NAME, "sslmode=verify-full".to_owned(), "UnknownIssuer"),
        (NAME, format!("sslrootcert={foreign}"), "UnknownIssuer"),
        (NAME, format!("sslmode=verify-ca&sslrootcert={foreign}"), "UnknownIssuer"),
        ("other.wayfare.test", format!("sslrootcert={root}"), "not valid for name"),
    ] {
        let fault = fault(&url(host, &query)).await;
        assert!(fault.contains(expected), "{host} {query}: {fault}");
    }
    let advised = fault(&url(NAME, "sslmode=verify-full")).await;
    assert!(advised.contains("sslrootcert"), "{advised}");
    for query in ["sslmode=require".to_owned(), format!("sslmode=verify-ca&sslrootcert={root}")] {
        let database = Database::connect(&url("other.wayfare.test", &query), 1).unwrap();
        assert!(is_encrypted(&database).await.unwrap(), "{query}");
    }
    let plain = Database::connect(&url(NAME, "sslmode=disable"), 1).unwrap();
    assert!(!is_encrypted(&plain).await.unwrap(), "the operator asked for plain text");

    shows(&server, ours.signs(NAME, 2021)).await;
    let expired = fault(&silent).await;
    assert!(expired.contains("expired"), "{expired}");

    server.set("ssl = off").await;
    sleep(Duration::from_millis(300)).await;
    let without = fault(&silent).await;
    assert!(without.contains("say sslmode=disable"), "{without}");
    drop((database, looks_in, plain));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_for_a_certificate_gets_that_of_the_url() {
    let ours = Authority::new("clients");
    let server = served_with(ADDRESS_OF_CLIENTS, ours.signs(NAME, 2100)).await;
    let root = ours.root();
    server.write("root.crt", &ours.issuer.pem());
    let hba = "local all all trust\nhostssl all all 127.0.0.0/8 cert\n";
    server.write("pg_hba.conf", hba);
    server.set("ssl_ca_file = 'root.crt'").await;
    sleep(Duration::from_millis(300)).await;

    let silent = url_at(ADDRESS_OF_CLIENTS, NAME, &format!("sslrootcert={root}"));
    let without = fault(&silent).await;
    assert!(without.contains("certificate"), "{without}");
    let plain = fault(&url_at(ADDRESS_OF_CLIENTS, NAME, "sslmode=disable")).await;
    assert!(plain.contains("no encryption"), "{plain}");

    // PostgreSQL takes the certificate's name for the role's.
    for (name, is_let_in) in [("wayfare", true), ("mallory", false)] {
        let (certificate, key) = ours.signs(name, 2100);
        let (shown, kept) = (ours.dir.join(format!("{name}.crt")), ours.dir.join(format!("{name}.key")));
        fs::write(&shown, certificate).unwrap();
        fs::write(&kept, key).unwrap();
        let with = format!("{silent}&sslcert={}&sslkey={}", shown.display(), kept.display());
        let database = Database::connect(&with, 1).unwrap();
        match is_let_in {
            true => assert!(is_encrypted(&database).await.unwrap()),
            false => drop(is_encrypted(&database).await.unwrap_err()),
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_hosts_the_one_that_lives_and_takes_writes_is_found() {
    let listens = format!("listen_addresses={ADDRESS_OF_TWO}");
    let standby = OwnServer::start(&[&listens]).await;
    standby.set("default_transaction_read_only = on").await;
    let primary = OwnServer::start(&[&format!("listen_addresses={ADDRESS_OF_THREE}")]).await;
    let hosts = |hosts: &[&str]| format!("postgres://wayfare@{}/wayfare", hosts.join(","));
    let all = hosts(&[NOBODY, ADDRESS_OF_TWO, ADDRESS_OF_THREE]);
    let database = Database::connect_server(&all, 2).unwrap();
    let mut connection = database.connection().await.unwrap();
    let written = sql_query("create table is_primary (number int)");
    written.execute(&mut connection).await.unwrap();

    for only in [hosts(&[ADDRESS_OF_TWO]), hosts(&[NOBODY, ADDRESS_OF_TWO])] {
        let fault = fault(&only).await;
        assert!(fault.contains("it is a standby or read-only; name the primary as well"), "{fault}");
    }
    let reads = Database::connect(&format!("{}?target_session_attrs=any", hosts(&[ADDRESS_OF_TWO])), 1);
    assert!(!is_encrypted(&reads.unwrap()).await.unwrap());
    drop(connection);
    drop(database);
    standby.stop().await;
    primary.stop().await;
}
