//! `wayfarectl`: what the operator of Wayfare does at the command line, beside a running server or without one.

mod agency;
mod answers;
mod arguments;
mod booking;
mod contract;
mod fx;
mod hooks;
mod incidents;
mod installation;
mod keys;
mod ledger;
mod lists;
mod look_to_book;
mod operators;
mod options;
mod output;
mod people;
mod price;
mod progress;
mod reconcile;
mod status;
mod supplier_accounts;
mod suppliers;
mod terms;
mod trial;
mod user;
mod wallet;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use serde::Serialize;
use wayfare_launch::{Auto, Common};

use crate::{
    installation::{Installation, MIGRATING},
    lists::Wanted,
    output::{Done, Failure, Line, Output, Report},
    progress::Progress,
    suppliers::KnownSuppliers,
};

/// Looks after the agencies and users of Wayfare, their prices and their money, proves the books and resolves incidents
#[derive(Parser)]
// What the server tells while it starts is no news here.
#[command(name = "wayfarectl", version = wayfare_launch::full_version(), mut_arg("log", |log| log.default_value("warn")))]
struct Program {
    /// Answer with one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    common: Common,
    /// Whether the server sells from sandbox suppliers, as it is told; `auto`: where no others are configured
    #[arg(long, global = true, env = "WAYFARE_SANDBOX", value_name = "WHEN", value_enum, default_value_t = Auto::Auto)]
    sandbox: Auto,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Brings the tables of the database up to date
    Migrate {
        /// Only list what they lack; exit code 1 when there is something
        #[arg(long)]
        check: bool,
    },
    /// Shows on one screen what waits and what is wrong, over all agencies
    Status,
    /// Bookings over all agencies
    #[command(subcommand)]
    Bookings(lists::Bookings),
    /// The desk for one booking: find it, see all of it, rule about its money
    #[command(subcommand)]
    Booking(booking::Command),
    /// Refunds over all agencies
    #[command(subcommand)]
    Refunds(lists::Refunds),
    /// Wallets that owe
    Debts(lists::Debts),
    /// Reports that agencies asked for
    #[command(subcommand)]
    Reports(lists::Reports),
    /// Agencies' webhooks and what was sent to them
    #[command(subcommand)]
    Webhooks(lists::Webhooks),
    /// Who is logged in
    Sessions(lists::Sessions),
    /// What was done, by whom
    AuditLog(lists::AuditLog),
    /// Agencies and the money in their wallets
    #[command(subcommand)]
    Agency(agency::Command),
    /// The users of agencies
    #[command(subcommand)]
    User(user::Command),
    /// Money into wallets, out of them and back, and what they may spend
    #[command(subcommand)]
    Wallet(wallet::Command),
    /// What the platform charges agencies
    #[command(subcommand)]
    Terms(terms::Command),
    /// The suppliers that the server is configured with, and the accounts with them; lists them unless told otherwise
    Suppliers {
        #[command(subcommand)]
        command: Option<supplier_accounts::Command>,
    },
    /// What suppliers leave to the platform
    #[command(subcommand)]
    Contract(contract::Command),
    /// Exchange rates
    #[command(subcommand)]
    Fx(fx::Command),
    /// The books
    #[command(subcommand)]
    Ledger(ledger::Command),
    /// Shows each agency's searches at each supplier beside its orders there: suppliers charge for searches that come to
    /// nothing
    #[command(alias = "looks")]
    LookToBook(look_to_book::LookToBookCommand),
    /// Why a booking cost what it did
    #[command(subcommand)]
    Price(price::Command),
    /// Whom bookings are for: read, erased, sealed
    #[command(subcommand)]
    People(people::Command),
    /// Compares orders with what suppliers list of their own, after a database was restored; exit code 1 when some differ
    Reconcile(reconcile::Reconcile),
    /// What the service can't settle by itself
    #[command(subcommand, alias = "exceptions")]
    Incidents(incidents::Command),
    /// Who works for the platform at the operator's API
    #[command(subcommand)]
    Operator(operators::Command),
    /// The keys of the installation
    #[command(subcommand)]
    Keys(keys::Command),
}

#[tokio::main]
async fn main() -> ExitCode {
    let (program, tables) = wayfare_launch::parse::<Program>();
    wayfare_launch::init_logging(&program.common);
    let output = Output { json: program.json };
    let suppliers = KnownSuppliers::of(&tables, program.sandbox);
    let settings = tables.suppliers.clone();
    let installation = Installation::new(program.common, tables, Progress::of(output));
    let done = match program.command {
        Command::Migrate { check: false } => migrate(installation, output).await,
        Command::Migrate { check: true } => check_migrations(installation, output).await,
        Command::Status => status::show(&suppliers, installation, output).await,
        Command::Bookings(list) => Wanted::from(list).show(installation, output).await,
        Command::Booking(command) => command.run(&suppliers, installation, output).await,
        Command::Refunds(list) => Wanted::from(list).show(installation, output).await,
        Command::Debts(list) => Wanted::from(list).show(installation, output).await,
        Command::Reports(list) => Wanted::from(list).show(installation, output).await,
        Command::Webhooks(list) => Wanted::from(list).show(installation, output).await,
        Command::Sessions(list) => Wanted::from(list).show(installation, output).await,
        Command::AuditLog(list) => Wanted::from(list).show(installation, output).await,
        Command::Agency(command) => command.run(&suppliers, installation, output).await,
        Command::User(command) => command.run(installation, output).await,
        Command::Wallet(command) => command.run(installation, output).await,
        Command::Terms(command) => command.run(installation, output).await,
        Command::Suppliers { command } => match command {
            None | Some(supplier_accounts::Command::List) => suppliers::list(suppliers, output),
            Some(supplier_accounts::Command::Hooks(wanted)) => wanted.run(&suppliers, settings, output).await,
            Some(supplier_accounts::Command::Try(wanted)) => wanted.run(&suppliers, settings, output).await,
            Some(command) => command.run(&suppliers, installation, output).await,
        },
        Command::Contract(command) => command.run(&suppliers, installation, output).await,
        Command::Fx(command) => command.run(installation, output).await,
        Command::Ledger(command) => command.run(installation, output).await,
        Command::LookToBook(command) => command.run(installation, output).await,
        Command::Price(command) => command.run(installation, output).await,
        Command::People(command) => command.run(installation, output).await,
        Command::Reconcile(wanted) => wanted.run(settings, installation, output).await,
        Command::Incidents(command) => command.run(installation, output).await,
        Command::Operator(command) => command.run(installation, output).await,
        Command::Keys(command) => command.run(installation, output).await,
    };
    done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Migrated {
    migrations: Vec<String>,
}

impl Report for Migrated {
    fn lines(&self) -> Vec<Line<'_>> {
        if self.migrations.is_empty() {
            return vec![("migrations", "none, the tables were up to date".into())];
        }
        let line = |name| ("migrated", String::as_str(name).into());
        self.migrations.iter().map(line).collect()
    }
}

#[derive(Serialize)]
struct Pending {
    pending: Vec<String>,
}

impl Report for Pending {
    fn lines(&self) -> Vec<Line<'_>> {
        if self.pending.is_empty() {
            return vec![("migrations", "none is pending".into())];
        }
        let line = |name| ("pending", String::as_str(name).into());
        self.pending.iter().map(line).collect()
    }
}

async fn check_migrations(installation: Installation, output: Output) -> Done {
    let work = installation.with_database(async |database| {
        let pending = Pending { pending: database.pending_migrations().await? };
        output.print(&pending)?;
        match pending.pending.len() {
            0 => Ok(()),
            count => Err(Failure::Failed(format!("migrations that are pending: {count}"))),
        }
    });
    work.await
}

async fn migrate(installation: Installation, output: Output) -> Done {
    let progress = installation.progress();
    let work = installation.with_database(async |database| {
        let migrations = progress.waiting(MIGRATING, database.migrate()).await?;
        output.print(&Migrated { migrations })
    });
    work.await
}
