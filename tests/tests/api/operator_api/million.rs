//! A ledger of a million entries: while it is proven, how far that is moves each second. `just prove-million` runs it.

use std::time::{Duration, Instant};

use diesel::{
    sql_query,
    sql_types::{Array, BigInt, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use serde_json::json;
use wayfare_domain::{Clock, Currency, Money, OperatorRole::Finance, OrganizationId, TransferId, UserId};
use wayfare_ledger::{Account, ChainKey, Entry, Leg, Reason, Transfer, Wallet};
use wayfare_operations::Owner;
use wayfare_store::money::wallets;
use wayfare_tests::World;

const TRANSFERS: usize = 500_000;
/// So many are written at once.
const PART: usize = 5_000;
/// Agents to whom the agency gives money.
const AGENTS: usize = 5;
/// No longer is anybody left without news. What is written each second is seen a little later.
const NEWS: Duration = Duration::from_millis(1500);
/// Not even a debug build takes longer for a proof.
const LONGEST: Duration = Duration::from_secs(1200);

/// Transfers with their entries, column by column.
#[derive(Default)]
struct Rows {
    ids: Vec<String>,
    keys: Vec<String>,
    times: Vec<String>,
    of: Vec<String>,
    sides: Vec<String>,
    wallets: Vec<String>,
    sequences: Vec<i64>,
    before: Vec<String>,
    after: Vec<String>,
    previous: Vec<String>,
    seals: Vec<String>,
    entry_times: Vec<String>,
}

impl Rows {
    fn add(&mut self, transfer: &Transfer, entries: [Entry; 2]) {
        let time = transfer.at.to_rfc3339();
        self.ids.push(transfer.id.to_string());
        self.keys.push(transfer.key.clone());
        self.times.push(time.clone());
        for entry in entries {
            self.of.push(transfer.id.to_string());
            self.sides.push(entry.side.as_ref().to_owned());
            self.wallets.push(entry.wallet.to_string());
            self.sequences.push(entry.sequence);
            self.before.push(entry.balance_before.amount().to_string());
            self.after.push(entry.balance_after.amount().to_string());
            self.previous.push(format!("{:?}", entry.previous));
            self.seals.push(format!("{:?}", entry.seal));
            self.entry_times.push(time.clone());
        }
    }

    async fn write(&self, connection: &mut AsyncPgConnection, organization: OrganizationId) {
        let transfers = format!(
            "insert into transfers (org_id, id, key, reason, description, currency, at)
             select '{organization}', id::uuid, key, 'topup', 'allocated to agent', 'INR', at::timestamptz
             from unnest($1, $2, $3) as made (id, key, at)"
        );
        sql_query(transfers)
            .bind::<Array<Text>, _>(&self.ids)
            .bind::<Array<Text>, _>(&self.keys)
            .bind::<Array<Text>, _>(&self.times)
            .execute(connection)
            .await
            .unwrap();
        let entries = format!(
            "insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before,
                 balance_after, previous, seal, at, reason)
             select '{organization}', transfer::uuid, case side when 'debit' then 0 else 1 end, 'wallet:' || wallet, side, 1,
                 wallet::uuid, sequence, before::numeric, after::numeric, decode(previous, 'hex'), decode(seal, 'hex'),
                 at::timestamptz, 'topup'
             from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
                 as made (transfer, side, wallet, sequence, before, after, previous, seal, at)"
        );
        sql_query(entries)
            .bind::<Array<Text>, _>(&self.of)
            .bind::<Array<Text>, _>(&self.sides)
            .bind::<Array<Text>, _>(&self.wallets)
            .bind::<Array<BigInt>, _>(&self.sequences)
            .bind::<Array<Text>, _>(&self.before)
            .bind::<Array<Text>, _>(&self.after)
            .bind::<Array<Text>, _>(&self.previous)
            .bind::<Array<Text>, _>(&self.seals)
            .bind::<Array<Text>, _>(&self.entry_times)
            .execute(connection)
            .await
            .unwrap();
    }
}

/// The agency gives a rupee to each agent in turn, again and again; sealed as the service does it.
async fn give(world: &World) {
    let mut connection = world.database.owner().await;
    connection.batch_execute("set session_replication_role = replica").await.unwrap();
    let organization: OrganizationId = world.line("select id from organizations").await.parse().unwrap();
    let mut own = wallets::of(&mut connection, Owner::Organization(organization)).await.unwrap().unwrap();
    let mut agents: Vec<Wallet> = Vec::new();
    for user in world.lines("select id from users where role = 'agent'").await {
        let user: UserId = user.parse().unwrap();
        agents.push(wallets::of(&mut connection, Owner::User(organization, user)).await.unwrap().unwrap());
    }
    let key = ChainKey::new(World::LEDGER_KEY).unwrap();
    let clock = Clock::frozen_at(world.now());
    let rupee = Money::rounded(1.into(), Currency::INR);
    for part in 0..TRANSFERS / PART {
        let mut rows = Rows::default();
        for number in 0..PART {
            clock.advance(chrono::Duration::microseconds(1));
            let agent = &mut agents[number % AGENTS];
            let legs = vec![
                Leg::debit(Account::Wallet(own.id), rupee),
                Leg::credit(Account::Wallet(agent.id), rupee),
            ];
            let transfer = Transfer::new(
                TransferId::new(&clock),
                format!("given:{part}:{number}"),
                Reason::Topup,
                None,
                "allocated to agent".to_owned(),
                None,
                legs,
                clock.now(),
            );
            let transfer = transfer.unwrap();
            let debit = own.apply(&transfer, &key).unwrap();
            let credit = agent.apply(&transfer, &key).unwrap();
            rows.add(&transfer, [debit, credit]);
        }
        rows.write(&mut connection, organization).await;
    }
    agents.push(own);
    for wallet in agents {
        let (balance, sequence) = (wallet.balance.amount(), wallet.sequence);
        let stands = format!(
            "update wallets set balance = {balance}, sequence = {sequence}, head = decode('{:?}', 'hex') where id = '{}'",
            wallet.head, wallet.id
        );
        connection.batch_execute(&stands).await.unwrap();
    }
    connection.batch_execute("vacuum analyze").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes minutes: `just prove-million`"]
async fn how_far_a_proof_of_a_million_entries_is_moves_each_second() {
    let (world, finance) = World::start().await.and_operator("farah", Finance).await;
    let agency = world.agency().await;
    agency.admin(&(TRANSFERS + 1000).to_string()).await;
    for number in 0..AGENTS {
        agency.agent(&format!("agent{number}"), "1").await;
    }
    give(&world).await;
    let begun = finance.post("/ledger/verifications", &json!({})).await.succeeds(202);
    let path = format!("/ledger/verifications/{}", begun["id"].as_str().unwrap());
    let (mut word, mut heard, mut longest) = (-1, Instant::now(), Duration::ZERO);
    let (mut news, mut read): (i64, i64) = (0, 0);
    let patience = Instant::now() + LONGEST;
    let proof = loop {
        let proof = finance.get(&path).await.ok();
        let elapsed = proof["elapsed_ms"].as_i64().unwrap();
        if elapsed != word {
            longest = longest.max(heard.elapsed());
            (word, heard, news) = (elapsed, Instant::now(), news + 1);
        }
        let so_far = proof["read"].as_i64().unwrap();
        assert!(so_far >= read, "{so_far} after {read}");
        read = so_far;
        if proof["state"] != "running" {
            break proof;
        }
        assert!(Instant::now() < patience, "{proof}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let entries: i64 = world.line("select sum(sequence)::bigint from wallets").await.parse().unwrap();
    assert!(entries > 1_000_000, "{entries}");
    assert_has!(proof, { "state": "done", "found": 0, "first_fault": null, "read": entries, "total": entries });
    let took = proof["elapsed_ms"].as_i64().unwrap();
    println!(
        "a proof of {entries} entries took {took} ms, {} a second; {news} words of it, {longest:?} between two at most",
        entries * 1000 / took
    );
    assert!(longest <= NEWS, "{longest:?} without news");
    assert!(news >= took / 1500, "{news} words in {took} ms");
}
