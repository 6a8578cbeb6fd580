//! The database: the operator's, or a private one.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use wayfare_local_postgres::{LocalPostgres, Settings};

use crate::data_dir;
use crate::error::Error;
use crate::keys::Keys;
use crate::settings::Common;

/// Finds the database of the settings: `DATABASE_URL`, with `MIGRATION_DATABASE_URL` where its tables have an owner of
/// their own, else the private PostgreSQL in the data folder, which is started unless another program runs it already.
///
/// With the private one this makes the keys first ([`Keys::open`]), since there are to be no data without them.
/// An operator's database is not looked at.
pub async fn open(common: &Common) -> Result<OpenDatabase, Error> {
    if let Some(url) = &common.database_url {
        return Ok(OpenDatabase {
            url: url.clone(),
            owner_url: common.migration_database_url.clone(),
            private: None,
        });
    }
    data_dir::create(&common.data_dir)?;
    Keys::open(common)?;
    let mut settings = Settings::new(common.data_dir.join("postgres"));
    settings.bin.clone_from(&common.postgres_bin);
    if let (Some(source), Some(download)) = (&common.postgres_download_url, &mut settings.download) {
        download.source.clone_from(source);
    }
    let server = LocalPostgres::start_or_adopt(settings).await?;
    Ok(OpenDatabase {
        url: server.service_url().into(),
        owner_url: Some(server.url().into()),
        private: Some(server),
    })
}

/// A database that takes connections.
///
/// Dropping it leaves a private server as it is: one that this process started ends with the process.
pub struct OpenDatabase {
    url: SecretString,
    owner_url: Option<SecretString>,
    private: Option<LocalPostgres>,
}

impl OpenDatabase {
    /// The service's connection URL, which may hold a password.
    pub fn url(&self) -> &str {
        self.url.expose_secret()
    }

    /// That of the tables' owner, who migrates, where it is a role of its own. It may hold a password, too.
    pub fn owner_url(&self) -> Option<&str> {
        self.owner_url.as_ref().map(ExposeSecret::expose_secret)
    }

    /// The private server, for whoever wants to watch it.
    pub fn private(&self) -> Option<&LocalPostgres> {
        self.private.as_ref()
    }

    /// Stops the private server if this process started it; any other database runs on.
    ///
    /// A program that adopted the server meanwhile loses it, as it would when this process is killed.
    pub async fn close(self) -> Result<(), Error> {
        match self.private {
            Some(server) if !server.adopted() => Ok(server.stop().await?),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for OpenDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenDatabase").field("private", &self.private).finish_non_exhaustive()
    }
}
