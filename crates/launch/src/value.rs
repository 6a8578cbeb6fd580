//! What a value may be, and messages that show no secret.

use std::ffi::OsStr;
use std::path::absolute;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command};
use redis::IntoConnectionInfo;
use secrecy::SecretString;
use tracing_subscriber::EnvFilter;
use url::Url;
use wayfare_local_postgres::ArchiveSource;

use crate::key::Key;

/// Parsers of secrets. clap's own would show a wrong value.
macro_rules! secret_parser {
    ($parser:ident, $value:ty, $read:path) => {
        #[doc = concat!("Parses by `", stringify!($read), "`, and never shows what it was given.")]
        #[derive(Clone)]
        pub(crate) struct $parser;

        impl TypedValueParser for $parser {
            type Value = $value;

            fn parse_ref(
                &self,
                command: &Command,
                arg: Option<&Arg>,
                value: &OsStr,
            ) -> Result<$value, clap::Error> {
                let text = value.to_str().ok_or_else(|| "it is not UTF-8".to_owned());
                text.and_then($read).map_err(|reason| refused(command, arg, &reason))
            }
        }
    };
}

secret_parser!(KeyParser, Key, Key::from_text);
secret_parser!(DatabaseUrlParser, SecretString, database_url);
secret_parser!(RedisUrlParser, SecretString, redis_url);

/// Checks a log filter, which is read when logging starts.
pub(crate) fn log_filter(value: &str) -> Result<String, String> {
    match EnvFilter::builder().parse(value) {
        Ok(_) => Ok(value.to_owned()),
        Err(reason) => Err(reason.to_string()),
    }
}

/// An address on the web, without the slash at its end.
pub(crate) fn web_address(value: &str) -> Result<String, String> {
    let rest = value.strip_prefix("https://").or(value.strip_prefix("http://"));
    match rest
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && !rest.contains(char::is_whitespace))
    {
        true => Ok(value.trim_end_matches('/').to_owned()),
        false => Err("it must begin with https:// or http:// and a host".to_owned()),
    }
}

/// Where the archive of a PostgreSQL build is: on the web, or a file of this machine.
pub(crate) fn download_source(value: &str) -> Result<ArchiveSource, String> {
    let path = match value.split_once("://") {
        Some(("http" | "https", _)) => return web_address(value).map(ArchiveSource::Web),
        Some(_) => Url::parse(value)
            .ok()
            .filter(|url| url.scheme() == "file")
            .and_then(|url| url.to_file_path().ok()),
        None => absolute(value).ok(),
    };
    let wrong = "it must begin with https://, http:// or file:///, or be the path of a file";
    path.map(ArchiveSource::File).ok_or_else(|| wrong.to_owned())
}

/// The address of a site: nothing behind its host and port.
pub(crate) fn site_address(value: &str) -> Result<Url, String> {
    let address = web_address(value)?;
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    match Url::parse(&address) {
        Ok(site) if !rest.contains(['/', '?', '#', '@']) => Ok(site),
        _ => Err("it must have a host, and nothing behind it but a port".to_owned()),
    }
}

/// An address on the web with the place for an airline's code in its path.
pub(crate) fn logo_template(value: &str) -> Result<String, String> {
    let address = web_address(value)?;
    let path = address.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    match path.is_some_and(|(host, path)| !host.contains('{') && path.contains("{iata}")) {
        true => Ok(address),
        false => Err("it must have {iata} in its path, where the airline's code goes".to_owned()),
    }
}

/// Where files are kept: a folder or a bucket.
pub(crate) fn file_store(value: &str) -> Result<String, String> {
    let named = |prefix| value.strip_prefix(prefix).is_some_and(|rest: &str| !rest.is_empty());
    match named("file:///") || named("s3://") {
        true => Ok(value.to_owned()),
        false => Err("it must begin with file:/// or s3://, and a folder or a bucket".to_owned()),
    }
}

fn database_url(value: &str) -> Result<SecretString, String> {
    match value.starts_with("postgres://") || value.starts_with("postgresql://") {
        true => Ok(value.into()),
        false => Err("it must begin with postgres:// or postgresql://".to_owned()),
    }
}

fn redis_url(value: &str) -> Result<SecretString, String> {
    let schemes = ["redis://", "rediss://", "unix://"];
    if !schemes.iter().any(|scheme| value.starts_with(scheme)) {
        return Err("it must begin with redis://, rediss:// or unix://".to_owned());
    }
    match value.into_connection_info() {
        Ok(_) => Ok(value.into()),
        Err(reason) => Err(reason.to_string()),
    }
}

/// An error that names the option in all its forms but not its value.
fn refused(command: &Command, arg: Option<&Arg>, reason: &str) -> clap::Error {
    let name = arg.map_or_else(String::new, names);
    clap::Error::raw(ErrorKind::ValueValidation, format!("wrong value for {name}: {reason}\n"))
        .with_cmd(command)
}

/// `--data-dir (WAYFARE_DATA_DIR, key data_dir)`
fn names(arg: &Arg) -> String {
    let flag = arg.get_long().unwrap_or_default();
    let variable = arg.get_env().unwrap_or_default().to_string_lossy();
    format!("--{flag} ({variable}, key `{}` of the settings file)", arg.get_id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_of_postgres_is_on_the_web_or_in_a_file() {
        let file = |path: &str| Ok(ArchiveSource::File(path.into()));
        let here = std::env::current_dir().unwrap().join("pg.tar.gz");
        for (value, expected) in [
            ("https://mirror.example/pg/", Ok(ArchiveSource::Web("https://mirror.example/pg".to_owned()))),
            ("/srv/pg.tar.gz", file("/srv/pg.tar.gz")),
            ("file:///srv/a%20b.tar.gz", file("/srv/a b.tar.gz")),
            ("pg.tar.gz", file(here.to_str().unwrap())),
            ("file://elsewhere/pg.tar.gz", Err(())),
            ("ftp://mirror.example/pg", Err(())),
            ("https://", Err(())),
            ("", Err(())),
        ] {
            assert_eq!(download_source(value).map_err(|_| ()), expected, "{value}");
        }
    }
}
