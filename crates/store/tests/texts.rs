//! Wallet transactions that are searched for a text, by whichever index there is, and pages by their numbers.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use wayfare_domain::{OrganizationId, PageRequest};
use wayfare_ledger::Wallet;
use wayfare_store::{
    Database,
    money::{
        entries::{self, TransactionFilter, WalletTransaction},
        wallets::{self, Owner},
    },
    statements::many_rows::read_many,
};
use wayfare_tests::TestDatabase;

/// Two agencies with a wallet each: of each description (`$1`) a top-up in both, a minute after the one before.
const SEED: &str = "
    with made as (
        insert into organizations (id, agent_id, name, slug, email, phone, address, country, subscription_type,
            status, currency, timezone, created_at, updated_at)
        select gen_random_uuid(), 'WF00000' || n, 'Agency', 'agency' || n, n || '@example.com', '', '', 'IN', 'full', 'active',
            'INR', 'Asia/Kolkata', now(), now() from generate_series(1, 2) n
        returning id as org_id, gen_random_uuid() as wallet_id
    ), filled as (
        insert into wallets (org_id, id, owner_type, owner_id, currency, balance, held, credit_limit, is_active, sequence, head)
        select org_id, wallet_id, 'org', org_id, 'INR', cardinality($1), 0, 0, true, cardinality($1),
            decode(repeat('ab', 32), 'hex') from made
    ), each as materialized (
        select made.*, gen_random_uuid() as id, n, description, now() - interval '1 day' + n * interval '1 minute' as at
        from made, unnest($1) with ordinality as d (description, n)
    ), moved as (
        insert into transfers (org_id, id, key, reason, description, currency, at)
        select org_id, id, 'topup:' || n, 'topup', description, 'INR', at from each
    )
    insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after,
        previous, seal, at, reason)
    select org_id, id, 0, 'wallet:' || wallet_id, 'credit', 1, wallet_id, n, n - 1, n, seal, seal, at, 'topup'
    from each, decode(repeat('ab', 32), 'hex') seal";

/// The plain substring.
const PLAIN: &str = "
    select e.sequence as number from entries e join transfers t on t.org_id = e.org_id and t.id = e.transfer_id
    where e.wallet_id = $1 and strpos(lower(t.description), lower($2)) > 0 order by number desc";

/// How the database of a test finds texts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    PartsOfWords,
    References,
    Nothing,
}

impl By {
    const ALL: [Self; 3] = [Self::PartsOfWords, Self::References, Self::Nothing];

    async fn prepare(self, test: &TestDatabase) {
        let mut owner = test.owner().await;
        let statements = match self {
            Self::PartsOfWords => "",
            Self::References => {
                "drop extension pg_trgm cascade;
                 create index transfers_by_reference on transfers using gin (references_in(lower(description)))"
            }
            Self::Nothing => "drop extension pg_trgm cascade",
        };
        owner.batch_execute(statements).await.unwrap();
        assert_eq!(test.database.finds_texts_by_index().await.unwrap(), self == Self::PartsOfWords);
    }
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

async fn numbers(connection: &mut AsyncPgConnection, query: &str) -> Vec<i64> {
    let rows: Vec<Number> = diesel::sql_query(query).load(connection).await.unwrap();
    rows.into_iter().map(|row| row.number).collect()
}

async fn seeded(test: &TestDatabase, descriptions: &[String]) -> (OrganizationId, Wallet) {
    #[derive(QueryableByName)]
    struct Id {
        #[diesel(sql_type = SqlUuid)]
        id: uuid::Uuid,
    }
    let mut connection = test.connection().await;
    diesel::sql_query(SEED).bind::<Array<Text>, _>(descriptions).execute(&mut connection).await.unwrap();
    let first: Id = diesel::sql_query("select id from organizations order by agent_id limit 1")
        .get_result(&mut connection)
        .await
        .unwrap();
    let organization = OrganizationId::from_uuid(first.id);
    let wallet = wallets::of(&mut connection, Owner::Organization(organization)).await;
    (organization, wallet.unwrap().unwrap())
}

/// What a search for this text finds, each by the balance before it, and of how many.
async fn found(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
    text: &str,
) -> (Vec<String>, i64) {
    let filter = TransactionFilter { text: Some(text.to_owned()), ..TransactionFilter::default() };
    let request = PageRequest { page: 1, per_page: 100 };
    let page = entries::transactions(connection, organization, wallet, &filter, request).await.unwrap();
    (page.items.iter().map(|one| one.balance_after.amount().normalize().to_string()).collect(), page.total)
}

/// Descriptions, and texts to look for in them: parts of them and others, in whatever letters.
fn hostile() -> (Vec<String>, Vec<String>) {
    let mut runner = TestRunner::deterministic();
    let mut some = |pattern: &str, count: usize| -> Vec<String> {
        let strategy = proptest::string::string_regex(pattern).unwrap();
        (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
    };
    let mut descriptions = some(r"[abAB%_\\ \-ÄäßİıΣσς漢字0-9']{0,16}", 40);
    descriptions.extend(some("(booking|refund of booking) (FA|HTL|x)-[A-B]{7,9}(-[0-9])?( of Asha)?", 30));
    descriptions.extend(
        [
            "",
            " ",
            "%",
            "_",
            r"\",
            r"\\",
            r"\%",
            "FA-FA-AAAAAAAA-BBBBBBBB",
            "xFA-AAAAAAAAB",
            "-AAAAAAAA",
            "fa-aaaaaaaa",
        ]
        .map(str::to_owned),
    );
    let mut texts = some(r"[abAB%_\\ \-ÄßİıΣσς漢0-9]{1,4}", 80);
    texts.extend(some("(FA|HTL|fa|hTl)-[A-Ba]{8}", 40));
    for (number, description) in descriptions.iter().enumerate() {
        let letters: Vec<char> = description.chars().collect();
        for length in [1, 2, 3, 5, 11, 12, letters.len()] {
            if let Some(part) = letters.windows(length.max(1)).nth(number % 5) {
                let part: String = part.iter().collect();
                texts.extend([part.to_uppercase(), part.to_lowercase(), part]);
            }
        }
    }
    texts.sort();
    texts.dedup();
    (descriptions, texts)
}

#[tokio::test]
async fn a_search_finds_what_a_plain_substring_finds_whatever_index_there_is() {
    let (descriptions, texts) = hostile();
    for by in By::ALL {
        let test = TestDatabase::fresh().await;
        let (organization, wallet) = seeded(&test, &descriptions).await;
        by.prepare(&test).await;
        let mut connection = test.connection().await;
        // What an index can answer it is to answer, though the tables are small.
        connection
            .batch_execute("begin; set local enable_seqscan = off; set local enable_indexscan = off")
            .await
            .unwrap();
        read_many(&mut connection).await.unwrap();
        let mut hits = 0;
        for text in &texts {
            let plain: Vec<Number> = diesel::sql_query(PLAIN)
                .bind::<SqlUuid, _>(wallet.id.uuid())
                .bind::<Text, _>(text)
                .load(&mut connection)
                .await
                .unwrap();
            let expected: Vec<String> = plain.iter().map(|row| row.number.to_string()).collect();
            hits += expected.len();
            let total = i64::try_from(expected.len()).unwrap();
            let told = found(&mut connection, organization, &wallet, text).await;
            assert_eq!(told, (expected, total), "{text:?} by {by:?}");
        }
        assert!(hits > texts.len() && texts.len() > 300, "{hits} hits of {} texts", texts.len());
    }
}

/// Descriptions as bookings have them, the references all different.
fn bookings(count: u32) -> Vec<String> {
    let reference = |n: u32| format!("booking FA-{:08}", n.wrapping_mul(2_654_435_761) % 100_000_000);
    (0..count).map(reference).collect()
}

/// How many rows of this table the transaction has read.
pub(crate) async fn read(connection: &mut AsyncPgConnection, table: &str) -> i64 {
    let query = format!(
        "select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as number from pg_stat_xact_user_tables
         where relname = '{table}'"
    );
    numbers(connection, &query).await[0]
}

#[tokio::test]
async fn a_rare_text_is_found_without_reading_all_descriptions() {
    const ROWS: u32 = 20_000;
    let descriptions = bookings(ROWS);
    let reference = descriptions[17].strip_prefix("booking ").unwrap();
    let part = &reference[3..9];
    for (by, all) in
        [(By::PartsOfWords, [false, false]), (By::References, [false, true]), (By::Nothing, [true, true])]
    {
        let test = TestDatabase::fresh().await;
        let (organization, wallet) = seeded(&test, &descriptions).await;
        by.prepare(&test).await;
        // As autovacuum does: it also gives the index what was written last.
        test.owner().await.batch_execute("vacuum analyze").await.unwrap();
        // As the requests of a server have it.
        let server = Database::connect_server(&test.url, 1).unwrap();
        let mut connection = server.connection().await.unwrap();
        for (text, all) in [reference, part].into_iter().zip(all) {
            connection.batch_execute("begin").await.unwrap();
            read_many(&mut connection).await.unwrap();
            let (_, total) = found(&mut connection, organization, &wallet, text).await;
            assert!((1..10).contains(&total), "{total} of {text}");
            let rows = read(&mut connection, "transfers").await;
            assert_eq!(rows > i64::from(ROWS), all, "{rows} rows are read for {text} by {by:?}");
            connection.batch_execute("commit").await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_page_of_all_transactions_is_one_range_of_their_numbers() {
    let test = TestDatabase::fresh().await;
    let (organization, wallet) = seeded(&test, &bookings(1_000)).await;
    let server = Database::connect_server(&test.url, 1).unwrap();
    let mut connection = server.connection().await.unwrap();
    connection.batch_execute("begin").await.unwrap();
    let all = TransactionFilter::default();
    for (page, first, last) in [(1, 1_000, 901), (4, 700, 601), (10, 100, 1)] {
        let request = PageRequest { page, per_page: 100 };
        let page = entries::transactions(&mut connection, organization, &wallet, &all, request).await;
        let page = page.unwrap();
        assert_eq!(page.total, 1_000);
        let ends = [page.items.as_slice().first(), page.items.as_slice().last()];
        let balance =
            |one: Option<&WalletTransaction>| one.unwrap().balance_after.amount().normalize().to_string();
        assert_eq!(ends.map(balance), [first.to_string(), last.to_string()]);
        assert_eq!(page.items.len(), 100);
    }
    let entered = "select idx_scan as number from pg_stat_xact_user_tables where relname = 'entries'";
    assert_eq!(numbers(&mut connection, entered).await, [3]);
    // Beyond the last.
    let request = PageRequest { page: 11, per_page: 100 };
    let page = entries::transactions(&mut connection, organization, &wallet, &all, request).await;
    assert_eq!(page.unwrap().items.len(), 0);
}

/// They would be started for every list of some thousand rows, since rows cost that much.
#[tokio::test]
async fn no_statement_of_a_server_starts_processes_that_read_for_it() {
    let test = TestDatabase::fresh().await;
    seeded(&test, &bookings(20_000)).await;
    test.owner().await.batch_execute("analyze").await.unwrap();
    let server = Database::connect_server(&test.url, 1).unwrap();
    let mut connection = server.connection().await.unwrap();
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
        line: String,
    }
    let plan: Vec<Line> = diesel::sql_query("explain select sum(amount) from entries where amount > 0.5")
        .load(&mut connection)
        .await
        .unwrap();
    assert!(plan.iter().all(|one| !one.line.contains("Gather")), "{:?}", plan[0].line);
}

#[tokio::test]
async fn an_owner_who_may_not_install_pg_trgm_migrates_without_it() {
    let test = TestDatabase::empty().await;
    let allow = "grant all on schema public to wayfare_app";
    test.owner().await.batch_execute(allow).await.unwrap();
    let alone = Database::connect(&test.url, 2).unwrap();
    alone.migrate().await.unwrap();
    assert!(!alone.finds_texts_by_index().await.unwrap());
    let mut connection = alone.connection().await.unwrap();
    let made = "select count(*) as number from pg_indexes where indexname = 'transfers_by_reference'";
    assert_eq!(numbers(&mut connection, made).await, [1]);
    alone.ready().await.unwrap();
    alone.revert().await.unwrap();
}

#[tokio::test]
async fn pg_trgm_that_others_have_installed_is_used_where_it_is_and_left_there() {
    let test = TestDatabase::empty().await;
    let theirs = "create schema theirs; create extension pg_trgm schema theirs";
    test.owner().await.batch_execute(theirs).await.unwrap();
    test.database.migrate().await.unwrap();
    assert!(test.database.finds_texts_by_index().await.unwrap());
    test.database.revert().await.unwrap();
    let left = "select count(*) as number from pg_extension where extname = 'pg_trgm'";
    assert_eq!(numbers(&mut test.owner().await, left).await, [1]);
}
