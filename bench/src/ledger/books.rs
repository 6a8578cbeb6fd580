//! A private PostgreSQL as the service runs it, with a database for each way.

use std::path::Path;

use tokio_postgres::{Client, NoTls};
use uuid::Uuid;
use wayfare_local_postgres::{LocalPostgres, Settings};
use wayfare_operations::Database;

use super::WALLETS;
use crate::Result;

/// So many agencies share the wallets.
const AGENCIES: usize = 100;

pub(super) const TEXTBOOK: &str = "textbook";
pub(super) const ONE_STATEMENT: &str = "one_statement";
pub(super) const OURS: &str = "ours";

pub struct Books {
    server: LocalPostgres,
    folder: std::path::PathBuf,
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub organization: Uuid,
    pub wallet: Uuid,
    pub owner: Uuid,
}

impl Books {
    /// Starts a server that loses nothing.
    pub async fn start(place: &Path) -> Result<Self> {
        let folder = place.join(format!("wayfare-bench-ledger-{}", std::process::id()));
        let server = LocalPostgres::start_or_adopt(Settings::new(&folder)).await?;
        Ok(Self { server, folder })
    }

    pub async fn stop(self) -> Result<()> {
        self.server.stop().await?;
        Ok(std::fs::remove_dir_all(self.folder)?)
    }

    pub async fn setting(&self, name: &str) -> Result<String> {
        let client = connect(&self.server.url_of("postgres")).await?;
        Ok(client.query_one(&format!("show {name}"), &[]).await?.try_get(0)?)
    }

    /// Lets PostgreSQL look at the tables of all databases, as it does by itself within a minute: plans made while they
    /// were empty are made again.
    pub async fn look_at_tables(&self) -> Result<()> {
        for name in [TEXTBOOK, ONE_STATEMENT, OURS] {
            connect(&self.server.url_of(name)).await?.batch_execute("analyze").await?;
        }
        Ok(())
    }

    /// A new database of this name with all tables and [`WALLETS`] empty wallets, and a pool's URL of it.
    pub(super) async fn database(&self, name: &str) -> Result<(String, Vec<Place>)> {
        let admin = connect(&self.server.url_of("postgres")).await?;
        admin.batch_execute(&format!("create database {name}")).await?;
        let url = self.server.url_of(name);
        Database::connect(&url, 1)?.migrate().await?;
        let client = connect(&url).await?;
        let (agencies, wallets) = (i64::try_from(AGENCIES)?, i64::try_from(WALLETS)?);
        let made = client.query(
            "with agencies as (
                insert into organizations (id, agent_id, name, slug, email, phone, address, country,
                    subscription_type, status, currency, timezone, created_at, updated_at)
                select gen_random_uuid(), 'WF' || lpad(n::text, 6, '0'), 'Agency ' || n, 'agency-' || n,
                    'agency@example.com', '', '', 'IN', 'full', 'active', 'INR', 'Asia/Kolkata', now(), now()
                from generate_series(1, $1::bigint) n returning id),
             numbered as (select id, row_number() over () as number from agencies)
             insert into wallets (org_id, id, owner_type, owner_id, currency, balance, held, credit_limit, is_active,
                 sequence, head)
             select id, gen_random_uuid(), 'user', gen_random_uuid(), 'INR', 0, 0, 100000000000, true, 0,
                 decode(repeat('00', 32), 'hex')
             from generate_series(1, $2::bigint) n join numbered on number = n % $1::bigint + 1
             returning org_id, id, owner_id",
            &[&agencies, &wallets],
        )
        .await?;
        let place = |row: &tokio_postgres::Row| {
            Ok(Place { organization: row.try_get(0)?, wallet: row.try_get(1)?, owner: row.try_get(2)? })
        };
        let places = made.iter().map(place).collect::<Result<Vec<_>>>()?;
        client.batch_execute("vacuum analyze").await?;
        Ok((url, places))
    }
}

/// A connection that is driven in the background.
pub(super) async fn connect(url: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}
