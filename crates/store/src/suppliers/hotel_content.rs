//! What hotels are, of suppliers that are asked for it apart from requests: wished, then kept.

use chrono::{DateTime, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::{
    JsonText, Result,
    statements::{Columns, Write as _, by_name, statement, values},
};

by_name! {
    /// What the database has of a hotel.
    #[derive(Debug)]
    pub struct Kept {
        pub hotel: String,
        pub name: String,
        /// When its supplier was asked last, UTC.
        pub asked_at: Option<DateTime<Utc>>,
        /// What it told; none where it was not asked, or knows nothing of it.
        pub content: Option<JsonText>,
    }
}

/// Hotels of a supplier of which something is wished in a language.
#[derive(Clone, Copy, Debug)]
pub struct NewWish<'a> {
    pub supplier: &'a str,
    pub language: &'a str,
    pub hotels: &'a [String],
    pub names: &'a [String],
}

/// Hotels that are asked for together.
#[derive(Clone, Debug)]
pub struct ContentPage {
    pub language: String,
    pub hotels: Vec<String>,
}

/// What is known of these hotels of a supplier in a language; those that nobody has found are not there.
#[boxed]
pub async fn of(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    language: &str,
    hotels: &[&str],
) -> Result<Vec<Kept>> {
    let rows = statement(
        "select hotel, name, asked_at, content from hotel_content
         where supplier = $1 and language = $2 and hotel = any($3)",
        (supplier, language, hotels),
    );
    Ok(rows.load(connection).await?)
}

/// Wishes for hotels that were not asked for since `before`; those that are wished already stay where they are in the queue.
#[boxed]
pub async fn wish(
    connection: &mut AsyncPgConnection,
    new: NewWish<'_>,
    (now, before): (DateTime<Utc>, DateTime<Utc>),
) -> Result<()> {
    statement(
        "insert into hotel_content as h (supplier, language, hotel, name, wished_at)
         select $1, $2, found.hotel, found.name, $5
         from (select distinct on (hotel) hotel, name from unnest($3::text[], $4::text[]) as t (hotel, name)
               order by hotel) found
         on conflict (supplier, language, hotel) do update set wished_at = excluded.wished_at, name = excluded.name
         where h.wished_at is null and (h.asked_at is null or h.asked_at <= $6)",
        (new.supplier, new.language, new.hotels, new.names, now, before),
    )
    .write(connection)
    .await
}

/// The hotels that are wished for longest at a supplier, of one language; none where nothing is.
#[boxed]
pub async fn next_page(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    most: i64,
) -> Result<Option<ContentPage>> {
    let rows: Vec<Columns<(String, String)>> = statement(
        "select language, hotel from hotel_content
         where wished_at is not null and supplier = $1 and language = (
             select language from hotel_content where wished_at is not null and supplier = $1
             order by wished_at limit 1)
         order by wished_at, hotel limit $2",
        (supplier, most),
    )
    .load(connection)
    .await?;
    let (mut languages, hotels): (Vec<_>, _) = values(rows).into_iter().unzip();
    Ok(languages.pop().map(|language| ContentPage { language, hotels }))
}

/// Takes a supplier's next page, where one is due: nobody else takes one before `next_at`.
#[boxed]
pub async fn take(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    now: DateTime<Utc>,
    next_at: DateTime<Utc>,
) -> Result<bool> {
    statement(
        "insert into hotel_content_pages as t (supplier, next_at) values ($1, $3)
         on conflict (supplier) do update set next_at = excluded.next_at where t.next_at <= $2",
        (supplier, now, next_at),
    )
    .write_one(connection)
    .await
}

/// Keeps what a supplier told of the hotels of a page, in their order, and wishes for them no more.
#[boxed]
pub async fn keep(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    page: &ContentPage,
    contents: Vec<Option<JsonText>>,
    now: DateTime<Utc>,
) -> Result<()> {
    statement(
        "update hotel_content h set content = told.content, asked_at = $5, wished_at = null
         from unnest($3::text[], $4::jsonb[]) as told (hotel, content)
         where h.supplier = $1 and h.language = $2 and h.hotel = told.hotel",
        (supplier, &page.language, &page.hotels, contents, now),
    )
    .write(connection)
    .await
}

/// Says when a supplier's next page may be asked for.
#[boxed]
pub async fn again(connection: &mut AsyncPgConnection, supplier: &str, at: DateTime<Utc>) -> Result<()> {
    statement("update hotel_content_pages set next_at = $2 where supplier = $1", (supplier, at))
        .write(connection)
        .await
}

/// Puts a page that could not be read behind what else is wished for.
#[boxed]
pub async fn put_back(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    page: &ContentPage,
    now: DateTime<Utc>,
) -> Result<()> {
    statement(
        "update hotel_content set wished_at = $4
         where supplier = $1 and language = $2 and hotel = any($3) and wished_at is not null",
        (supplier, &page.language, &page.hotels, now),
    )
    .write(connection)
    .await
}
