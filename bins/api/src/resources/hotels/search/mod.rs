//! Searches of hotels.

mod bodies;

use std::time::Instant;

use wayfare_contract::hotels::HotelsFound;
use wayfare_operations::{Caller, hotels};
use wayfare_search_response::hotels::SearchResult;

use self::bodies::SearchBody;
use crate::http::{
    App,
    extract::{Ask, Body},
    reply::{Replied, Reply, WithMessage, with_message},
};

/// `POST /hotels/search`.
pub async fn search(app: App, ask: Ask<Caller, Body<SearchBody>>) -> Replied<WithMessage<HotelsFound>> {
    let began = Instant::now();
    let asked = &ask.what.0;
    let criteria = asked.criteria(&app)?;
    let snapshot = hotels::search(&app.hotels, &ask.who, asked.id.as_deref(), criteria).await?;
    let page = snapshot.page(&asked.filters, asked.sort, asked.page);
    let result = SearchResult::of(&snapshot, page, began.elapsed());
    // What it borrows is printed now.
    let replied: Replied<WithMessage<SearchResult<'_>>> = with_message("hotels found", result);
    replied.map(Reply::cast)
}
