//! What hotels are, of suppliers that must not be asked for it beside requests (D-594): what a search found is queued, read from its
//! supplier a page at a time by one server, and kept in the database. Requests show what is kept.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use moka::future::Cache;
use tokio::time::timeout;
use wayfare_boxed::boxed;
use wayfare_hotels::{CONTENT_PAGE, HotelContent, HotelDetails, HotelResult, HotelSupplier};
use wayfare_store::{
    JsonText,
    suppliers::hotel_content::{self, ContentPage, Kept, NewWish},
};
use wayfare_supply::Answer;

use crate::{Core, Error, Hotels, Result, tools::lease::LEASE};

/// Each hotel is asked for once in so long a time.
const ASKED_EACH: TimeDelta = TimeDelta::days(1);
/// Whom nobody has found for so long is forgotten.
pub(crate) const KEPT: TimeDelta = TimeDelta::days(30);
/// About ten kilobytes each.
const MOST_IN_MEMORY: u64 = 5_000;
/// So long a server shows what it has read once.
const IN_MEMORY: Duration = Duration::from_secs(6 * 3600);
/// Of how many hotels it remembers that nothing is kept, and for how long it believes it.
const MOST_ABSENT: u64 = 50_000;
const ABSENT: Duration = Duration::from_secs(60);
/// How often the loop looks for pages that are due.
pub(crate) const LOOKED_EVERY: Duration = Duration::from_secs(3);
/// A search waits no longer for the database to tell what its hotels are.
const PATIENCE: Duration = Duration::from_millis(500);

/// A hotel in a language of its supplier's.
type Name = (String, String, String);

#[derive(Debug)]
pub(crate) struct ContentMemory {
    known: Cache<Name, Arc<HotelContent>>,
    absent: Cache<Name, ()>,
}

impl Default for ContentMemory {
    fn default() -> Self {
        let known = Cache::builder().max_capacity(MOST_IN_MEMORY);
        let absent = Cache::builder().max_capacity(MOST_ABSENT);
        Self { known: known.time_to_live(IN_MEMORY).build(), absent: absent.time_to_live(ABSENT).build() }
    }
}

/// Says of hotels that were found what is kept of them, and has those asked for of which nothing is, or nothing new. Without
/// the database they stay as they are.
pub(crate) async fn complete(
    hotels: &Hotels,
    supplier: &dyn HotelSupplier,
    language: &str,
    results: &mut [HotelResult],
) {
    let Some(language) = supplier.content_language(language) else { return };
    let code = &supplier.config().code;
    let name = |hotel: &str| (code.clone(), hotel.to_owned(), language.to_owned());
    let memory = &hotels.content;
    let mut known: HashMap<String, Arc<HotelContent>> = HashMap::new();
    let mut unread: Vec<&str> = Vec::new();
    for hotel in results.iter() {
        match memory.known.get(&name(&hotel.id)).await {
            Some(content) => drop(known.insert(hotel.id.clone(), content)),
            None if memory.absent.contains_key(&name(&hotel.id)) => {}
            None => unread.push(&hotel.id),
        }
    }
    if !unread.is_empty() {
        let asked = async {
            let read = read(&hotels.core, code, language, &unread).await?;
            let wished = wished(results, &unread, &read, hotels.core.clock.now());
            wish(&hotels.core, code, language, wished).await?;
            Ok::<_, Error>(read)
        };
        let read = timeout(PATIENCE, asked).await;
        match read.unwrap_or_else(|_| Err(Error::Internal("the database is slow".to_owned()))) {
            Ok(read) => {
                let found = read.into_iter().filter_map(|kept| Some((kept.hotel, kept.content?)));
                known.extend(found);
                for hotel in unread {
                    match known.get(hotel) {
                        Some(content) => memory.known.insert(name(hotel), content.clone()).await,
                        None => memory.absent.insert(name(hotel), ()).await,
                    }
                }
            }
            Err(error) => tracing::warn!(%error, supplier = code, "hotels are found without what they are"),
        }
    }
    for hotel in results {
        if let Some(content) = known.get(&hotel.id) {
            content.complete(hotel);
        }
    }
}

/// What is kept of these hotels, in the order in which they are named. One of which nothing is kept yet has its name alone; one that
/// nobody has found, or that its supplier does not know, is left out.
pub(crate) async fn details(
    core: &Core,
    supplier: &str,
    language: &'static str,
    hotels: &[&str],
) -> Result<Vec<HotelDetails>> {
    let read = read(core, supplier, language, hotels).await?;
    let mut read: HashMap<String, KeptContent> =
        read.into_iter().map(|kept| (kept.hotel.clone(), kept)).collect();
    let found = hotels.iter().filter_map(|hotel| read.remove(*hotel)).filter_map(|kept| match kept.content {
        Some(content) => Some(content.details.clone()),
        None if kept.asked_at.is_some() => None,
        None => Some(HotelDetails::named(kept.hotel, kept.name)),
    });
    Ok(found.collect())
}

/// What the database has of a hotel.
struct KeptContent {
    hotel: String,
    name: String,
    asked_at: Option<DateTime<Utc>>,
    content: Option<Arc<HotelContent>>,
}

async fn read(
    core: &Core,
    supplier: &str,
    language: &'static str,
    hotels: &[&str],
) -> Result<Vec<KeptContent>> {
    let kept = {
        let mut connection = core.database.connection().await?;
        hotel_content::of(&mut connection, supplier, language, hotels).await?
    };
    let read = |kept: Kept| {
        // What a program of another version wrote is asked for again in its time.
        let content = kept.content.and_then(|content| content.parse::<HotelContent>().ok());
        KeptContent {
            hotel: kept.hotel,
            name: kept.name,
            asked_at: kept.asked_at,
            content: content.map(Arc::new),
        }
    };
    Ok(kept.into_iter().map(read).collect())
}

/// Those that were not asked for within a day, with their names.
fn wished(
    hotels: &[HotelResult],
    unread: &[&str],
    read: &[KeptContent],
    now: DateTime<Utc>,
) -> Vec<(String, String)> {
    let is_new = |kept: &&KeptContent| kept.asked_at.is_some_and(|asked| now - asked < ASKED_EACH);
    let fresh: HashSet<&str> = read.iter().filter(is_new).map(|kept| kept.hotel.as_str()).collect();
    let unread: HashSet<&str> = unread.iter().copied().collect();
    let wished = hotels
        .iter()
        .filter(|hotel| unread.contains(hotel.id.as_str()) && !fresh.contains(hotel.id.as_str()));
    wished.map(|hotel| (hotel.id.clone(), hotel.name.clone())).collect()
}

async fn wish(
    core: &Core,
    supplier: &str,
    language: &'static str,
    hotels: Vec<(String, String)>,
) -> Result<()> {
    if hotels.is_empty() {
        return Ok(());
    }
    let now = core.clock.now();
    let (hotels, names): (Vec<String>, Vec<String>) = hotels.into_iter().unzip();
    let wishes = NewWish { supplier, language, hotels: &hotels, names: &names };
    let mut connection = core.database.connection().await?;
    Ok(hotel_content::wish(&mut connection, wishes, (now, now - ASKED_EACH)).await?)
}

/// Asks each supplier for a page of what is wished, where that is due there. One server of a database does it.
#[boxed]
pub async fn read_due_content(hotels: &Hotels) -> Result<()> {
    for (code, supplier) in &hotels.engine.suppliers.hotels {
        read_page(hotels, code, supplier.as_ref()).await?;
    }
    Ok(())
}

async fn read_page(hotels: &Hotels, code: &str, supplier: &dyn HotelSupplier) -> Result<()> {
    // Any language: whoever has none tells by itself what hotels are.
    if supplier.content_language("en").is_none() {
        return Ok(());
    }
    let page = {
        let mut connection = hotels.core.database.connection().await?;
        let most = i64::try_from(CONTENT_PAGE).unwrap_or(i64::MAX);
        let Some(page) = hotel_content::next_page(&mut connection, code, most).await? else { return Ok(()) };
        let now = hotels.core.shared_time.now();
        if !hotel_content::take(&mut connection, code, now, now + LEASE.max(pause(supplier))).await? {
            return Ok(());
        }
        page
    };
    let ids: Vec<&str> = page.hotels.iter().map(String::as_str).collect();
    let asked = supplier.content(&ids, &page.language).await;
    let mut connection = hotels.core.database.connection().await?;
    match asked {
        Answer::Done(found) => {
            let mut found: HashMap<String, HotelContent> =
                found.into_iter().map(|content| (content.details.id.clone(), content)).collect();
            remember(hotels, code, &page, &found).await;
            let contents =
                ids.iter().map(|hotel| found.remove(*hotel).as_ref().map(JsonText::of).transpose());
            let contents: Vec<Option<JsonText>> = contents.collect::<std::result::Result<_, _>>()?;
            hotel_content::keep(&mut connection, code, &page, contents, hotels.core.clock.now()).await?;
        }
        failed => {
            let reason = failed.problem().unwrap_or_default();
            tracing::warn!(supplier = code, reason, "what hotels are could not be read");
            // Others first, in case that it is these.
            hotel_content::put_back(&mut connection, code, &page, hotels.core.clock.now()).await?;
        }
    }
    let again = hotels.core.shared_time.now() + pause(supplier);
    Ok(hotel_content::again(&mut connection, code, again).await?)
}

/// The server that has read a page shows it at once.
async fn remember(
    hotels: &Hotels,
    supplier: &str,
    page: &ContentPage,
    found: &HashMap<String, HotelContent>,
) {
    for hotel in &page.hotels {
        let name = (supplier.to_owned(), hotel.clone(), page.language.clone());
        hotels.content.absent.invalidate(&name).await;
        match found.get(hotel) {
            Some(content) => hotels.content.known.insert(name, Arc::new(content.clone())).await,
            None => hotels.content.known.invalidate(&name).await,
        }
    }
}

/// From one page to the next, within the budget.
fn pause(supplier: &dyn HotelSupplier) -> TimeDelta {
    let pages = supplier.config().content_per_hour.max(1);
    TimeDelta::milliseconds(i64::from(3_600_000 / pages))
}
