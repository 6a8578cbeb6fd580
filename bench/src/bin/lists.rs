//! What lists, summary and export of a wallet with a million transactions cost, as ratios to its first page.
#![allow(
    clippy::float_arithmetic,
    reason = "times and ratios are no money and need no digits"
)]

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use chrono::Days;
use clap::Parser;
use tokio::select;
use wayfare_bench::{Client, Installation, Load, Memory, Place, Result};
use wayfare_domain::Clock;

/// How much dearer than the first page the last one may be.
const DEARER: f64 = 1.5;
/// How many megabytes more an export may take.
const MEGABYTES: f64 = 50.0;

/// Measures the lists of a large wallet
#[derive(Parser)]
struct Options {
    /// How many transactions the wallet has
    #[arg(long, default_value_t = 1_000_000)]
    transactions: u32,
    /// How often each list is asked for; the figure is the median
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    #[command(flatten)]
    place: Place,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let work = async |installation: &Installation| measure(installation, &options).await;
    match options.place.measure(work).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lists: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(installation: &Installation, options: &Options) -> Result<()> {
    let begun = Instant::now();
    fill(installation, options.transactions).await?;
    println!(
        "{} transactions of one wallet over 400 days, written in {:.0} s; medians of {} requests\n",
        options.transactions,
        begun.elapsed().as_secs_f64(),
        options.rounds
    );
    let admin = installation.admin().await?;
    let first = median(&admin, "/org/wallet/transactions?per_page=100", options).await?;
    line("page 1, unfiltered (100 rows)", first, first);
    let last = format!(
        "/org/wallet/transactions?per_page=100&page={}",
        options.transactions / 100
    );
    let last = median(&admin, &last, options).await?;
    line("the last full page", last, first);
    for (name, query) in lists(options.transactions)? {
        let path = format!("/org/wallet/transactions?per_page=100&{query}");
        line(&name, median(&admin, &path, options).await?, first);
    }
    for (name, path) in [
        ("summary", "/org/wallet/summary"),
        ("agents", "/org/wallet/agents"),
    ] {
        line(name, median(&admin, path, options).await?, first);
    }
    println!();
    let memory = installation.memory()?;
    let mut growth = 0.0_f64;
    for (name, query) in [("export of all", ""), ("export of type=debit", "type=debit")] {
        growth = growth.max(export(&admin, memory, name, query).await?);
    }
    let met = |met| if met { "met" } else { "MISSED" };
    println!(
        "\naims: the last page at most {DEARER:.1}× the first: {:.2}×, {}; an export at most {MEGABYTES:.0} MB: \
         {growth:.0} MB, {}",
        last / first,
        met(last / first <= DEARER),
        met(growth <= MEGABYTES),
    );
    Ok(())
}

/// What is asked for besides the first and the last page.
fn lists(transactions: u32) -> Result<Vec<(String, String)>> {
    let today = Clock::system().now().date_naive();
    let ago = |days| today.checked_sub_days(Days::new(days)).ok_or("no such day");
    let (month, day) = (ago(230)?, ago(200)?);
    let queries = [
        "type=credit".to_owned(),
        "type=debit".to_owned(),
        format!("type=debit&page={}", transactions / 200),
        "ref_type=refund".to_owned(),
        "ref_type=topup".to_owned(),
        "ref_type=deduction".to_owned(),
        format!("from={day}&to={day}"),
        format!("from={month}&to={day}"),
        format!("from={month}&to={day}&type=credit&min_amount=500"),
        "min_amount=999".to_owned(),
        "max_amount=500".to_owned(),
        format!("from={month}&to={day}&search=FA-1000"),
        "search=FA-100000".to_owned(),
        "search=booking".to_owned(),
    ];
    let dates = |query: &str| {
        query
            .replace(&format!("from={month}&to={day}"), "one month")
            .replace(&format!("from={day}&to={day}"), "one day")
    };
    Ok(queries.into_iter().map(|query| (dates(&query), query)).collect())
}

/// Half of the requests take less, in milliseconds.
async fn median(client: &Client, path: &str, options: &Options) -> Result<f64> {
    client.get(path).await?;
    let begun = Instant::now();
    let mut took = Vec::with_capacity(options.rounds);
    for _ in 0..options.rounds {
        let started = Instant::now();
        client.get(path).await?;
        took.push(started.elapsed());
    }
    Ok(Load::new(took, begun.elapsed()).percentile(50))
}

fn line(name: &str, milliseconds: f64, first: f64) {
    println!("{name:<48} {milliseconds:>9.2} ms {:>9.2}×", milliseconds / first);
}

/// Exports, and says how many rows came a second; how much more memory the server had meanwhile.
async fn export(client: &Client, memory: Memory, name: &str, query: &str) -> Result<f64> {
    let before = memory.now()?;
    let begun = Instant::now();
    let path = format!("/org/wallet/transactions/export?{query}");
    let download = client.download(&path);
    tokio::pin!(download);
    let mut watch = tokio::time::interval(Duration::from_millis(20));
    let mut peak = before;
    let lines = loop {
        select! {
            lines = &mut download => break lines?,
            _ = watch.tick() => peak = peak.max(memory.now()?),
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    let rows = lines.saturating_sub(1);
    #[allow(clippy::cast_precision_loss, reason = "a rate")]
    let rate = rows as f64 / seconds;
    println!(
        "{name:<24} {rows} rows in {seconds:.1} s: {rate:.0} per second; memory of the server {before:.0} MB before, \
         {peak:.0} MB at most"
    );
    Ok(peak - before)
}

/// Writes so many transactions into the agency's wallet, of every ten eight bookings, a refund and a top-up, of every
/// hundred an allocation. All of it is as the service writes it but the seals, which nobody reads here.
async fn fill(installation: &Installation, transactions: u32) -> Result<()> {
    let client = installation.connect("wayfare").await?;
    client
        .batch_execute(&FILL.replace("{transactions}", &transactions.to_string()))
        .await?;
    client.batch_execute("vacuum analyze").await?;
    Ok(())
}

const FILL: &str = "
begin;
create temp table made as
select n, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, org.id as wallet, org.org_id, agent.id as agents,
    now() - ({transactions} - n) * interval '400 days' / {transactions} as at,
    case when n % 10 < 8 then 'booking' when n % 10 = 8 then 'refund' else 'topup' end as reason,
    case when n % 10 < 8 or n % 100 = 99 then 'debit' else 'credit' end as side,
    case when n % 10 = 9 and n % 100 <> 99 then 10000 else 100 + n * 7919::bigint % 900 end::numeric as amount,
    org.sequence + n as sequence, org.balance as begun, agent.sequence as agents_sequence, agent.balance as agents_begun
from generate_series(1, {transactions}) n
    cross join (select * from wallets where owner_type = 'org' order by sequence desc limit 1) org
    join lateral (select * from wallets where org_id = org.org_id and owner_type = 'user' limit 1) agent on true;
insert into transfers (org_id, id, key, reason, reference, description, performed_by, currency, at)
select org_id, id, 'bench:' || n, reason, case when reason <> 'topup' then 'FA-' || n end,
    case when reason = 'topup' then case side when 'debit' then 'allocated to agent' else 'wallet topped up by the platform' end
         else reason || ' FA-' || n end,
    null, 'INR', at from made order by n;
insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after,
    previous, seal, at, reason)
select org_id, id, 0, 'wallet:' || wallet, side, amount, wallet, sequence,
    after - case side when 'credit' then amount else -amount end, after, seal, seal, at, reason
from (select made.*, decode(repeat('00', 32), 'hex') as seal,
        begun + sum(case side when 'credit' then amount else -amount end) over (order by n) as after from made) numbered
order by n;
insert into entries (org_id, transfer_id, leg, account, side, amount)
select org_id, id, 1, case reason when 'topup' then 'funding' else 'supplier:duffel' end,
    case side when 'credit' then 'debit' else 'credit' end, amount from made where reason <> 'topup' or side = 'credit';
insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after,
    previous, seal, at, reason)
select org_id, id, 1, 'wallet:' || agents, 'credit', amount, agents, agents_sequence + number, after - amount, after, seal,
    seal, at, reason
from (select made.*, decode(repeat('00', 32), 'hex') as seal, row_number() over (order by n) as number,
        agents_begun + sum(amount) over (order by n) as after from made where reason = 'topup' and side = 'debit') numbered;
update wallets w set sequence = e.sequence, balance = e.balance_after
from (select distinct on (wallet_id) wallet_id, sequence, balance_after from entries where wallet_id is not null
      order by wallet_id, sequence desc) e
where e.wallet_id = w.id;
commit;
";
