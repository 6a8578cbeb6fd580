//! Details of hotels, as their suppliers describe them.

use std::collections::BTreeMap;

use futures_util::{FutureExt, future::try_join_all};
use wayfare_boxed::boxed;
use wayfare_domain::Faults;
use wayfare_hotels::HotelDetails;
use wayfare_supply::on_behalf_of;

use super::{HotelId, content};
use crate::{Caller, Engine, Error, Result, reason::Moment, suppliers::answers::read_result};

/// So many hotels may be asked for at once: at some suppliers each costs a call.
pub const MOST_HOTELS: usize = 20;

/// What one supplier tells of hotels, or why it tells nothing.
#[derive(Debug)]
pub struct DetailsOfSupplier {
    pub supplier: String,
    pub hotels: Vec<HotelDetails>,
    /// Why it failed, if it did: then there are no hotels.
    pub failure: Option<Error>,
}

/// Each supplier's details of these hotels, in order of the suppliers' codes; a hotel that its supplier does not know
/// is left out. Of a supplier that must not be asked for them beside searches it is what is kept. A supplier that fails costs only its own hotels, unless all do.
///
/// # Errors
/// [`Error::Invalid`] for ids that can't be routed, [`Error::NotFound`] when none of the hotels is known or the agency
/// may not buy there, a supplier's refusal or outage.
#[boxed]
pub async fn details(
    engine: &Engine,
    caller: &Caller,
    ids: &[String],
    language: &str,
) -> Result<Vec<DetailsOfSupplier>> {
    let mut faults = Faults::default();
    let mut wanted: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, text) in ids.iter().enumerate() {
        match HotelId::read(engine, &format!("hotel_ids[{place}]"), text) {
            Ok(id) => {
                let theirs = wanted.entry(id.supplier).or_default();
                if !theirs.contains(&id.hotel) {
                    theirs.push(id.hotel);
                }
            }
            Err(wrong) => faults.append(wrong),
        }
    }
    faults.or(())?;
    let asked = wanted.into_iter().filter(|(code, _)| caller.may_buy_from(code));
    let asked = asked.map(|(code, hotels)| {
        async move {
            let hotels: Vec<&str> = hotels.iter().map(String::as_str).collect();
            let supplier = engine.suppliers.hotel_supplier(&code)?;
            let answer = match supplier.content_language(language) {
                Some(language) => content::details(&engine.core, &code, language, &hotels).await,
                None => {
                    let asked = supplier.details(&hotels, language);
                    let answer = on_behalf_of(caller.organization(), asked).await;
                    read_result(&engine.suppliers, &code, Moment::Sale, answer)
                }
            };
            let (hotels, failure) =
                answer.map_or_else(|error| (Vec::new(), Some(error)), |hotels| (hotels, None));
            Ok::<_, Error>(DetailsOfSupplier { supplier: code, hotels, failure })
        }
        .boxed()
    });
    let mut details = try_join_all(asked).await?;
    details.retain(|one| !one.hotels.is_empty() || one.failure.is_some());
    if details.iter().all(|one| one.failure.is_some()) {
        let first = details.into_iter().find_map(|one| one.failure);
        return Err(first.unwrap_or(Error::NotFound));
    }
    Ok(details)
}
