//! The shape of the tables of agencies, which keeps PostgreSQL from looking rows up by the wrong index.
//!
//! Plans are kept for as long as their connections. One that is made while a table is empty takes an index that can be entered
//! by the agency alone for as good as the key, and reads all of the agency's rows for each that it looks up.

use std::collections::BTreeSet;

use diesel::{
    QueryableByName,
    sql_types::{Array, Bool, Text},
};
use diesel_async::RunQueryDsl as _;
use wayfare_tests::TestDatabase;

/// Indexes of tables that have `org_id`, by their columns in order; of an expression its text.
const INDEXES: &str = "
    select t.relname::text as of, x.relname::text as name, i.indisunique as is_unique, i.indpred is not null as is_partial,
        array(select pg_get_indexdef(x.oid, n, true) from generate_series(1, i.indnkeyatts) n order by n) as columns
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    where t.relnamespace = 'public'::regnamespace
        and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'org_id' and not a.attisdropped)
    order by 1, 2";

/// Foreign keys of these tables by their columns in order.
const REFERENCES: &str = "
    select t.relname::text as of, c.conname::text as name, false as is_unique, false as is_partial,
        array(select a.attname::text from unnest(c.conkey) with ordinality k (number, place)
            join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by k.place) as columns
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.contype = 'f' and t.relnamespace = 'public'::regnamespace
        and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'org_id' and not a.attisdropped)
    order by 1, 2";

/// What is unique over all agencies, and why.
const WITHOUT_AGENCY: [(&str, &str); 6] = [
    ("users_sub_agent_id_key", "shown to people without the agency's"),
    ("refresh_tokens_token_hash_key", "whoever refreshes a session names no agency"),
    ("sessions_token_hash_key", "whoever shows the token of a browser's session names no agency"),
    ("bookings_booking_ref_key", "the operator asks for it without an agency"),
    ("supplier_orders_reference_key", "a supplier knows orders of all agencies by it"),
    ("exceptions_id_key", "the operator names an incident without its agency"),
];

/// What begins with the agency all the same, and why.
const BEGINS_WITH_AGENCY: [(&str, &str); 8] = [
    ("events_pkey", "read in order of the id, by no key"),
    ("fare_transactions_pkey", "read in order of time, by no key"),
    ("settings_key", "a handful of rows for each agency, listed by it"),
    ("contracts_pkey", "a handful of rows for each agency, listed by it"),
    ("looks_pkey", "a handful of rows a day for each agency"),
    ("package_of_agency", "one row for each agency and product"),
    ("package_of_agent", "one row for each agent and product"),
    ("public_events_feed", "read in order of the number"),
];

/// What can be entered by a part of a key, and why nothing does.
const ENTERED_BY_A_PART: [(&str, &str); 3] = [
    ("booking_names_by_name", "a name is on few bookings"),
    ("refunds_of_organization", "by agency and id, which is there once"),
    ("settings_key", "nothing is looked up by the id of a setting"),
];

#[derive(QueryableByName)]
struct Columns {
    #[diesel(sql_type = Text)]
    of: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    is_unique: bool,
    #[diesel(sql_type = Bool)]
    is_partial: bool,
    #[diesel(sql_type = Array<Text>)]
    columns: Vec<String>,
}

impl Columns {
    /// How many of the first columns are among these.
    fn prefix_in(&self, key: &BTreeSet<&String>) -> usize {
        self.columns.iter().take_while(|column| key.contains(column)).count()
    }
}

async fn columns(query: &str) -> Vec<Columns> {
    let test = TestDatabase::fresh().await;
    let mut connection = test.connection().await;
    diesel::sql_query(query).load(&mut connection).await.unwrap()
}

/// That exactly the exceptions break a rule.
fn only<'a>(broken: impl IntoIterator<Item = &'a Columns>, exceptions: &[(&str, &str)]) {
    let broken: BTreeSet<&str> = broken.into_iter().map(|one| one.name.as_str()).collect();
    let exceptions = exceptions.iter().map(|(name, _)| *name).collect();
    assert_eq!(broken, exceptions);
}

#[tokio::test]
async fn every_key_and_reference_names_the_agency() {
    let (indexes, references) = (columns(INDEXES).await, columns(REFERENCES).await);
    let keys = indexes.iter().filter(|index| index.is_unique).chain(&references);
    only(keys.filter(|key| !key.columns.iter().any(|column| column == "org_id")), &WITHOUT_AGENCY);
}

#[tokio::test]
async fn keys_and_references_begin_with_what_tells_rows_apart() {
    let (indexes, references) = (columns(INDEXES).await, columns(REFERENCES).await);
    let keys = indexes.iter().filter(|index| index.is_unique).chain(&references);
    let of_several = keys.filter(|key| key.columns.len() > 1);
    only(
        of_several.filter(|key| matches!(key.columns.as_slice(), [first, ..] if first == "org_id")),
        &BEGINS_WITH_AGENCY,
    );
}

/// Partial indexes are not looked at: PostgreSQL takes one only for a statement that has its condition.
#[tokio::test]
async fn no_index_can_be_entered_by_a_part_of_a_key() {
    let indexes: Vec<Columns> = columns(INDEXES).await;
    let whole = || indexes.iter().filter(|index| !index.is_partial);
    let of_part = |index: &&Columns| {
        whole().filter(|key| key.of == index.of && key.is_unique && key.name != index.name).any(|key| {
            let key_columns: BTreeSet<&String> = key.columns.iter().collect();
            let prefix = index.prefix_in(&key_columns);
            let entered: BTreeSet<&String> = index.columns.iter().take(prefix).collect();
            let finds_one = whole().any(|other| {
                other.is_unique
                    && other.of == index.of
                    && other.columns.iter().all(|column| entered.contains(column))
            });
            prefix > 0 && !finds_one
        })
    };
    only(whole().filter(of_part), &ENTERED_BY_A_PART);
}
