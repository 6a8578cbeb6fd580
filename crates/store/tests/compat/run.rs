//! Prepares and runs what a release has recorded on the tables as they are now, and names what does not go.

use std::{collections::BTreeMap, error::Error};

use bytes::{BufMut, BytesMut};
use tokio_postgres::{
    Client, Statement,
    types::{IsNull, Kind, ToSql, Type, to_sql_checked},
};

use super::record::Recorded;

/// What a row must have that does not name its columns itself: of each table those that are neither null nor have a default.
const REQUIRED: &str = "
    select c.relname::text, a.attname::text from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attnum > 0
        and not a.attisdropped and a.attnotnull and not a.atthasdef and a.attidentity = ''";

/// What a statement is run with: its tables are empty, and nobody's values stand in the record.
#[derive(Clone, Copy, Debug)]
enum Given {
    Null,
    /// Zero, nothing, the first moment. Where rows may travel as JSON, one row of nulls.
    Zero,
}

/// A row of which nothing is known. As a text it is as good as any other.
const ONE_ROW: &[u8] = b"[{}]";

impl ToSql for Given {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        if matches!(self, Self::Null) {
            return Ok(IsNull::Yes);
        }
        if let Kind::Array(member) = kind.kind() {
            // One dimension, no null, of that type, with one member from 1 on.
            for number in [1, 0, member.oid(), 1, 1] {
                out.put_u32(number);
            }
            let mut one = BytesMut::new();
            self.to_sql(member, &mut one)?;
            out.put_u32(one.len().try_into()?);
            out.put_slice(&one);
            return Ok(IsNull::No);
        }
        match *kind {
            Type::BOOL => out.put_u8(0),
            Type::INT2 => out.put_bytes(0, 2),
            Type::INT4 | Type::OID | Type::DATE | Type::FLOAT4 => out.put_bytes(0, 4),
            Type::INT8 | Type::FLOAT8 | Type::NUMERIC | Type::TIMESTAMPTZ | Type::TIMESTAMP => {
                out.put_bytes(0, 8);
            }
            Type::UUID | Type::INTERVAL => out.put_bytes(0, 16),
            Type::TEXT | Type::VARCHAR | Type::JSON => out.put_slice(ONE_ROW),
            Type::JSONB => {
                out.put_u8(1);
                out.put_slice(ONE_ROW);
            }
            Type::BYTEA => {}
            // 0.0.0.0, as an address and not as a network.
            Type::INET => out.put_slice(&[2, 32, 0, 4, 0, 0, 0, 0]),
            _ => return Err(format!("this test has no value of type {kind}: give it one").into()),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// The type of this name, if there is one.
async fn type_named(client: &Client, name: &str) -> Option<Type> {
    let query = "select to_regtype($1)::oid";
    let oid: Option<u32> = client.query_one(query, &[&name]).await.unwrap().get(0);
    Some(type_numbered(oid?))
}

/// The type of this number, which is one of PostgreSQL's own.
pub fn type_numbered(oid: u32) -> Type {
    Type::from_oid(oid).unwrap_or_else(|| panic!("type {oid} is not one of PostgreSQL's own"))
}

/// As the record has it.
async fn name_of(client: &Client, kind: &Type) -> String {
    let query = "select format_type($1, null)";
    client.query_one(query, &[&kind.oid()]).await.unwrap().get(0)
}

/// What a statement takes and gives on these tables.
pub async fn described(client: &Client, statement: &Statement) -> (Vec<String>, Vec<String>) {
    let mut takes = Vec::new();
    for kind in statement.params() {
        takes.push(name_of(client, kind).await);
    }
    let mut gives = Vec::new();
    for column in statement.columns() {
        gives.push(format!("{} {}", column.name(), name_of(client, column.type_()).await));
    }
    (takes, gives)
}

/// What keeps a server that prepares these statements from working on these tables, in a sentence each.
pub async fn problems(client: &Client, statements: &[Recorded]) -> Vec<String> {
    let mut required: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in client.query(REQUIRED, &[]).await.unwrap() {
        required.entry(row.get(0)).or_default().push(row.get(1));
    }
    let mut types: BTreeMap<&str, Option<Type>> = BTreeMap::new();
    let mut problems = Vec::new();
    for recorded in statements {
        for name in &recorded.takes {
            if !types.contains_key(name.as_str()) {
                types.insert(name, type_named(client, name).await);
            }
        }
        let takes: Option<Vec<Type>> =
            recorded.takes.iter().map(|name| types[name.as_str()].clone()).collect();
        let wrong = match takes {
            Some(takes) => problem(client, recorded, &takes, &required).await,
            None => Some(format!("there is no type of these any more: {}", recorded.takes.join(", "))),
        };
        problems.extend(wrong.map(|wrong| format!("{wrong}\n    in {}", recorded.text)));
    }
    problems
}

async fn problem(
    client: &Client,
    recorded: &Recorded,
    takes: &[Type],
    required: &BTreeMap<String, Vec<String>>,
) -> Option<String> {
    let statement = match client.prepare_typed(&recorded.text, takes).await {
        Ok(statement) => statement,
        Err(error) => return Some(format!("can't be prepared: {}", said(&error))),
    };
    let (_, gives) = described(client, &statement).await;
    if gives != recorded.gives {
        let (gives, gave) = (gives.join(", "), recorded.gives.join(", "));
        return Some(format!("gives `{gives}` and gave `{gave}`"));
    }
    for (table, columns) in inserts(&recorded.text) {
        let missing = required.get(&table).into_iter().flatten();
        let missing: Vec<&String> = missing.filter(|column| !columns.contains(column)).collect();
        if !missing.is_empty() {
            return Some(format!("inserts into {table} without {missing:?}, which may not be null"));
        }
    }
    for given in [Given::Null, Given::Zero] {
        let values: Vec<&(dyn ToSql + Sync)> = takes.iter().map(|_| &given as _).collect();
        client.batch_execute("begin").await.unwrap();
        let ran = client.query(&statement, &values).await;
        client.batch_execute("rollback").await.unwrap();
        if let Err(error) = ran
            && !is_about_values(&error)
        {
            return Some(format!("can't be run: {}", said(&error)));
        }
    }
    None
}

/// Whether PostgreSQL, a check, or a function of ours refuses the values, which are nobody's: of these errors a server would
/// meet none. All others are about tables, functions and rights.
fn is_about_values(error: &tokio_postgres::Error) -> bool {
    let code = error.code().map(|code| code.code().get(..2).unwrap_or_default().to_owned());
    matches!(code.as_deref(), Some("22" | "23" | "P0" | "WF"))
}

fn said(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => format!("{} ({})", said.message(), said.code().code()),
        None => format!("{error:?}"),
    }
}

/// Into which tables a statement inserts rows, and the columns that it names there.
fn inserts(text: &str) -> Vec<(String, Vec<String>)> {
    const INSERT: &str = "insert into ";
    let lower = text.to_lowercase();
    let places = lower.match_indices(INSERT).map(|(place, _)| place + INSERT.len());
    let inserts = places.map(|place| {
        let (into, rest) = lower[place..].split_once('(').unwrap();
        let (columns, _) = rest.split_once(')').unwrap();
        let name = |name: &str| name.trim().trim_matches('"').to_owned();
        let table = into.split_whitespace().next().unwrap();
        (name(table), columns.split(',').map(name).collect())
    });
    inserts.collect()
}

#[test]
fn the_columns_of_inserts_are_found() {
    let text = "with a as (insert into one as t (x, y) select x, y from f($1)) INSERT INTO \"two\" (\"z\") VALUES ($2)";
    let found = inserts(text);
    let list = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<String>>();
    assert_eq!(found, [("one".to_owned(), list(&["x", "y"])), ("two".to_owned(), list(&["z"]))]);
}
