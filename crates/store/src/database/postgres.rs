//! How PostgreSQL is reached: which hosts, how long they may take, and by TLS wherever others could listen.
//!
//! What a URL says wins. Where it says nothing, a host that is neither a socket nor this machine must prove by its
//! certificate that it is the host that was asked for (`verify-full`), a connection is given up after seconds, and a
//! database that takes no writes is not taken for the primary (D-410, D-411).

use std::{fmt, net::IpAddr, path::PathBuf, sync::Arc, time::Duration};

use diesel::ConnectionError;
use diesel_async::AsyncPgConnection;
use percent_encoding::percent_decode_str;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error as TlsError, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime, pem::PemObject},
};
use rustls_platform_verifier::Verifier;
use tokio_postgres::{
    Client, Config, Connection, Socket,
    config::{Host, LoadBalanceHosts, SslMode as Encryption, TargetSessionAttrs},
    tls::MakeTlsConnect,
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{Result, StoreError};

/// How long a host may take to accept a connection, before the next one is asked.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// After so much silence a host is asked whether it still lives,
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
/// and given up after so many questions.
const KEEPALIVE_RETRIES: u32 = 3;
/// What was sent and not acknowledged by then is taken as lost.
const USER_TIMEOUT: Duration = Duration::from_secs(10);

/// How `tokio_postgres` says that a host is not what `target_session_attrs` asks for.
const NO_WRITES: &str = "does not allow writes";

/// A connection's other half, which does the input and output.
pub(crate) type Driver = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

#[derive(Clone)]
pub(crate) struct Postgres {
    config: Config,
    tls: MakeRustlsConnect,
}

impl Postgres {
    /// Reads a URL, and the files that it names.
    ///
    /// # Errors
    /// [`StoreError::Url`] names the parameter and what is wrong with it, never the URL: a password may be in it.
    pub(crate) fn of(url: &str) -> Result<Self> {
        Self::read(url).map_err(StoreError::Url)
    }

    fn read(url: &str) -> Result<Self, String> {
        let (plain, parameters) = Parameters::taken_from(url)?;
        let mut config: Config = plain.parse().map_err(|error| chain(&error))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err("it names no host".to_owned());
        }
        set_patience(&mut config, &plain);
        if !names(&plain, "target_session_attrs") {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let trust = parameters.trust(&config)?;
        config.ssl_mode(match trust {
            Trust::PlainText => Encryption::Disable,
            _ => Encryption::Require,
        });
        let tls = MakeRustlsConnect::new(parameters.client_config(&trust)?);
        Ok(Self { config, tls })
    }

    /// A connection, and what drives it.
    ///
    /// # Errors
    /// Why none of the hosts was taken, with the cause beneath.
    pub(crate) async fn connect(&self) -> Result<(Client, Driver), ConnectionError> {
        self.connect_by(&self.config).await
    }

    /// The same with the hosts in any order: of two that take writes it finds the one as often as the other.
    ///
    /// # Errors
    /// As [`Postgres::connect`].
    pub(crate) async fn connect_to_any(&self) -> Result<(Client, Driver), ConnectionError> {
        let mut config = self.config.clone();
        self.connect_by(config.load_balance_hosts(LoadBalanceHosts::Random)).await
    }

    async fn connect_by(&self, config: &Config) -> Result<(Client, Driver), ConnectionError> {
        let connected = config.connect(self.tls.clone()).await;
        connected.map_err(|error| ConnectionError::BadConnection(advised(&chain(&error))))
    }

    /// A connection that drives itself.
    ///
    /// # Errors
    /// As [`Postgres::connect`].
    pub(crate) async fn establish(&self) -> Result<AsyncPgConnection, ConnectionError> {
        let (client, driver) = self.connect().await?;
        AsyncPgConnection::try_from_client_and_connection(client, driver).await
    }

    /// Whether hosts answer, but none of them takes writes.
    pub(crate) fn found_no_primary(error: &ConnectionError) -> bool {
        matches!(error, ConnectionError::BadConnection(text) if text.contains(NO_WRITES))
    }

    /// Whether another host may take over as the primary.
    pub(crate) fn has_several_hosts(&self) -> bool {
        self.config.get_hosts().len().max(self.config.get_hostaddrs().len()) > 1
    }

    /// Whether a database that takes no writes is not wanted.
    pub(crate) fn wants_primary(&self) -> bool {
        self.config.get_target_session_attrs() == TargetSessionAttrs::ReadWrite
    }
}

/// Hosts, without users and passwords.
impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Postgres").field(&self.config.get_hosts()).finish()
    }
}

/// What `tokio_postgres` knows nothing of.
#[derive(Default)]
struct Parameters {
    mode: Option<String>,
    root: Option<PathBuf>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    PlainText,
    /// Whoever answers: nobody else can read along, unless he answered in the first place.
    Anybody,
    /// Who has a certificate of an authority that is trusted, of whatever name.
    Authority,
    Host,
}

impl Parameters {
    /// The URL without those parameters, and they.
    fn taken_from(url: &str) -> Result<(String, Self), String> {
        let mut taken = Self::default();
        let Some((place, query)) = url.split_once('?') else { return Ok((url.to_owned(), taken)) };
        let mut others = Vec::new();
        for parameter in query.split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = || {
                let decoded = percent_decode_str(value).decode_utf8();
                decoded.map_or_else(|_| Err(format!("{name} is not UTF-8")), |text| Ok(text.into_owned()))
            };
            match name {
                "sslmode" => taken.mode = Some(value()?),
                "sslrootcert" => taken.root = Some(value()?.into()),
                "sslcert" => taken.certificate = Some(value()?.into()),
                "sslkey" => taken.key = Some(value()?.into()),
                _ => others.push(parameter),
            }
        }
        let plain = match others.is_empty() {
            true => place.to_owned(),
            false => format!("{place}?{}", others.join("&")),
        };
        Ok((plain, taken))
    }

    /// As the URL says; else the host must prove its name, unless nobody is between it and this process. Who names an
    /// authority wants it to be asked.
    fn trust(&self, config: &Config) -> Result<Trust, String> {
        let hosts = config.get_hosts();
        let sockets = hosts.iter().filter(|host| is_socket(host)).count();
        let trust = match self.mode.as_deref() {
            // TLS is for networks, as everywhere with PostgreSQL.
            _ if sockets == hosts.len() && sockets > 0 => Trust::PlainText,
            Some("disable") => Trust::PlainText,
            Some("require") => Trust::Anybody,
            Some("verify-ca") => Trust::Authority,
            Some("verify-full") => Trust::Host,
            Some("prefer" | "allow") => {
                return Err("sslmode: prefer and allow may send everything in plain text without a word; \
                     say disable, require, verify-ca or verify-full"
                    .to_owned());
            }
            Some(other) => {
                return Err(format!(
                    "sslmode: there is no {other:?}; say disable, require, verify-ca or verify-full"
                ));
            }
            None if self.root.is_none() && is_this_machine(config) => Trust::PlainText,
            None => Trust::Host,
        };
        if trust != Trust::PlainText && sockets > 0 {
            return Err("sslmode: a socket among hosts that are reached by TLS".to_owned());
        }
        Ok(trust)
    }

    fn client_config(&self, trust: &Trust) -> Result<ClientConfig, String> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?;
        let verifier: Arc<dyn ServerCertVerifier> = match trust {
            Trust::PlainText | Trust::Anybody => Arc::new(AnyName { authority: None, provider }),
            Trust::Authority => {
                let authority = Some(self.verifier(provider.clone())?);
                Arc::new(AnyName { authority, provider })
            }
            Trust::Host => self.verifier(provider)?,
        };
        let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
        match (&self.certificate, &self.key) {
            (None, None) => Ok(builder.with_no_client_auth()),
            (Some(certificate), Some(key)) => {
                let certificates = certificates("sslcert", certificate)?;
                let key = PrivateKeyDer::from_pem_file(key)
                    .map_err(|error| format!("sslkey: {}: {error}", key.display()))?;
                let made = builder.with_client_auth_cert(certificates, key);
                made.map_err(|error| format!("sslcert and sslkey: {error}"))
            }
            _ => Err("sslcert and sslkey come together".to_owned()),
        }
    }

    /// Trusts the authorities of `sslrootcert`, or those that this machine trusts.
    fn verifier(&self, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, String> {
        let Some(file) = self.root.as_ref().filter(|file| file.as_os_str() != "system") else {
            let verifier =
                Verifier::new(provider).map_err(|error| format!("this machine's roots: {error}"))?;
            return Ok(Arc::new(verifier));
        };
        let mut roots = RootCertStore::empty();
        for certificate in certificates("sslrootcert", file)? {
            let added = roots.add(certificate);
            added.map_err(|error| format!("sslrootcert: {}: {error}", file.display()))?;
        }
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
        Ok(verifier.map_err(|error| format!("sslrootcert: {error}"))?)
    }
}

/// What a file of PEM holds; one without a certificate is a mistake.
fn certificates(parameter: &str, file: &PathBuf) -> Result<Vec<CertificateDer<'static>>, String> {
    let unreadable = |error: &dyn fmt::Display| format!("{parameter}: {}: {error}", file.display());
    let read = CertificateDer::pem_file_iter(file).map_err(|error| unreadable(&error))?;
    let read: Result<Vec<_>, _> = read.collect();
    let certificates = read.map_err(|error| unreadable(&error))?;
    match certificates.is_empty() {
        true => Err(unreadable(&"it holds no certificate")),
        false => Ok(certificates),
    }
}

/// Asks for no name: it takes whomever an authority knows (`verify-ca`), or anybody (`require`). The name is judged last, so a wrong
/// one says that all else was right. Signatures are checked all the same: a peer must have the key of the certificate
/// that it shows.
#[derive(Debug)]
struct AnyName {
    authority: Option<Arc<dyn ServerCertVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        match authority.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(TlsError::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// A dead host is noticed within seconds, unless the URL says otherwise.
fn set_patience(config: &mut Config, url: &str) {
    if !names(url, "connect_timeout") {
        config.connect_timeout(CONNECT_TIMEOUT);
    }
    if !names(url, "keepalives_idle") {
        config.keepalives_idle(KEEPALIVE_IDLE);
    }
    if !names(url, "keepalives_interval") {
        config.keepalives_interval(KEEPALIVE_INTERVAL);
    }
    if !names(url, "keepalives_retries") {
        config.keepalives_retries(KEEPALIVE_RETRIES);
    }
    if !names(url, "tcp_user_timeout") {
        config.tcp_user_timeout(USER_TIMEOUT);
    }
}

/// Whether a URL has this parameter.
fn names(url: &str, parameter: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|part| part.split('=').next() == Some(parameter))
}

fn is_socket(host: &Host) -> bool {
    match host {
        Host::Tcp(_) => false,
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// Whether nothing leaves this machine on the way to any of the hosts.
fn is_this_machine(config: &Config) -> bool {
    let addresses = config.get_hostaddrs();
    if !addresses.is_empty() {
        return addresses.iter().all(IpAddr::is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

/// An error and what lies beneath it, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut beneath = error.source();
    while let Some(cause) = beneath {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        beneath = cause.source();
    }
    text
}

/// What an operator can do about it, where that is known.
fn advised(error: &str) -> String {
    let advice = if error.contains(NO_WRITES) {
        "it is a standby or read-only; name the primary as well, or say target_session_attrs=any"
    } else if error.contains("server does not support TLS") {
        "switch it on there, or say sslmode=disable if nobody can listen on the way"
    } else if error.contains("UnknownIssuer") {
        "name the authority that signed the certificate by sslrootcert"
    } else {
        return error.to_owned();
    };
    format!("{error} ({advice})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str) -> Config {
        Postgres::of(url).unwrap().config
    }

    fn fault(url: &str) -> String {
        Postgres::of(url).unwrap_err().to_string()
    }

    #[test]
    fn only_sockets_and_this_machine_are_spoken_to_in_plain_text() {
        for (url, encryption) in [
            ("postgres://u@localhost/d", Encryption::Disable),
            ("postgres://u@127.0.0.1,[::1]/d", Encryption::Disable),
            ("postgres://u@%2Frun%2Fpostgres/d", Encryption::Disable),
            ("postgres://u@%2Frun%2Fpostgres/d?sslmode=verify-full", Encryption::Disable),
            ("postgres://u@db.example.com/d", Encryption::Require),
            ("postgres://u@10.0.0.1/d", Encryption::Require),
            ("postgres://u@localhost,db.example.com/d", Encryption::Require),
            ("postgres://u@localhost/d?sslmode=require", Encryption::Require),
            ("postgres://u@db.example.com/d?sslmode=disable", Encryption::Disable),
            ("postgres://u@db.example.com/d?hostaddr=10.0.0.1", Encryption::Require),
        ] {
            assert_eq!(read(url).get_ssl_mode(), encryption, "{url}");
        }
    }

    #[test]
    fn what_a_url_says_wins_over_the_defaults() {
        let silent = read("postgres://u@a,b/d");
        assert_eq!(silent.get_connect_timeout(), Some(&CONNECT_TIMEOUT));
        assert_eq!(silent.get_tcp_user_timeout(), Some(&USER_TIMEOUT));
        assert_eq!(silent.get_keepalives_idle(), KEEPALIVE_IDLE);
        assert_eq!(silent.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        assert_eq!(silent.get_hosts().len(), 2);
        let said = read(
            "postgres://u@a/d?connect_timeout=7&sslmode=require&keepalives_idle=60&target_session_attrs=any",
        );
        assert_eq!(said.get_connect_timeout(), Some(&Duration::from_secs(7)));
        assert_eq!(said.get_keepalives_idle(), Duration::from_secs(60));
        assert_eq!(said.get_target_session_attrs(), TargetSessionAttrs::Any);
    }

    #[test]
    fn a_wrong_parameter_is_named_and_the_password_is_not() {
        for (query, named) in [
            ("sslmode=prefer", "sslmode: prefer and allow"),
            ("sslmode=verify", "there is no \"verify\""),
            ("sslrootcert=/no/such/file", "sslrootcert: /no/such/file"),
            ("sslcert=/no/such/file", "sslcert and sslkey come together"),
            ("sslcert=/no/cert&sslkey=/no/key", "sslcert: /no/cert"),
            ("sslmode=%ff", "sslmode is not UTF-8"),
            ("target_session_attrs=primary", "target_session_attrs"),
        ] {
            let fault = fault(&format!("postgres://u:s3cret@db.example.com/d?{query}"));
            assert!(fault.contains(named), "{query}: {fault}");
            assert!(!fault.contains("s3cret"), "{fault}");
        }
        assert!(fault("postgres://u@%2Frun,db.example.com/d").contains("a socket among hosts"));
    }
}
