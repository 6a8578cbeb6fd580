//! The search: its form, and what was found, as suppliers answer.

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    http::header::{self, ContentEncoding},
    web::Bytes,
};
use futures_util::{Stream, StreamExt, stream};
use wayfare_client::{
    enums::{FeeType, SupplierState},
    flights::{FareFee, FareRulesItem, FareRulesRequest, FlightsFound, FoundPlace, Snapshot},
};

use super::{
    cards::{CARDS, Wanted},
    memory::FoundSearch,
    offers::{self, Listed},
    trip::{self, CABINS, Trip},
};
use crate::{
    Console,
    failed::FailedPart,
    failure::{Words, words_of},
    page::Part,
    prelude::*,
    taken::{OTHERS, Other, Taken, limited},
};

/// So many places are offered as somebody types.
const PLACES: u8 = 8;

#[derive(Template)]
#[template(path = "flights/search.html")]
struct SearchPage {
    shell: Shell,
    trip: Trip,
    query: String,
    today: String,
    wrongs: Wrongs,
    /// What was taken for what was typed.
    taken: Vec<Taken>,
    results: Option<Part>,
    is_searching: bool,
}

#[derive(Template)]
#[template(path = "flights/results.html")]
struct Results<'a> {
    listed: Listed,
    wanted: &'a Wanted,
    trip: &'a Trip,
    query: String,
    chips: Vec<Chip>,
    is_complete: bool,
    more: Option<String>,
    summary: String,
}

/// What became of asking a supplier.
struct Chip {
    text: String,
    tone: &'static str,
}

/// `GET /console/flights`.
pub async fn show(signed: Signed, fields: Fields) -> Answer {
    let mut trip = Trip::read(&fields);
    let mut wrongs = Wrongs::default();
    let taken = take(&signed, &mut trip, &mut wrongs).await?;
    let mut shown = SearchPage {
        shell: signed.shell("Flights", Area::Flights).await?,
        query: trip.query(),
        today: crate::day::now().date_naive().to_string(),
        trip,
        wrongs,
        taken,
        results: None,
        is_searching: false,
    };
    if !shown.trip.is_begun() {
        return page::html(&shown);
    }
    if let (true, Err(wrongs)) = (shown.wrongs.is_empty(), shown.trip.search()) {
        shown.wrongs = wrongs;
    }
    if !shown.wrongs.is_empty() {
        return page::unprocessable(&shown);
    }
    // What was taken for what was typed is shown before suppliers are asked.
    if !shown.taken.is_empty() {
        return page::html(&shown);
    }
    let kept = signed.console.shared.memory.search(&signed.own(&shown.query)).await;
    let kept = kept.filter(|kept: &Arc<FoundSearch>| kept.is_complete);
    let is_wanted = fields.is_ticked("wait");
    let found = match kept {
        Some(kept) => Some(kept),
        None if is_wanted => Some(found(&signed, &shown.trip).await?),
        None => None,
    };
    shown.is_searching = found.is_none();
    let results = found.map(|found| render(&found.found, true, &Wanted::read(&fields), &shown.trip));
    shown.results = results.transpose()?;
    page::html(&shown)
}

/// Puts the places that are meant in the stead of what was typed and not chosen from the list, and says which.
async fn take(signed: &Signed, trip: &mut Trip, wrongs: &mut Wrongs) -> Result<Vec<Taken>> {
    let mut taken = Vec::new();
    for field in ["from", "to"] {
        let typed = trip.place(field).clone();
        if typed.is_empty() || trip::is_chosen(&typed) {
            continue;
        }
        let found = signed.session.flights().places(&limited(&typed), PLACES).await?;
        let is_code = |place: &&FoundPlace| place.code.eq_ignore_ascii_case(&typed);
        let Some(first) = found.first() else {
            // A code that the list lacks is a code all the same: the service says what it knows of it.
            if trip::code(&typed).is_none() {
                wrongs.add(field, "No airport or city is called so: choose one from the list, or type its code of three letters");
            }
            continue;
        };
        if is_code(&first) {
            // A code of both is the airport's, as for the service.
            let airport = found.iter().find(|place| is_code(place) && place.kind == "airport");
            *trip.place(field) = trip::label(airport.unwrap_or(first));
            continue;
        }
        *trip.place(field) = trip::label(first);
        let others = found.iter().skip(1).take(OTHERS).map(|place| {
            let mut other = trip.clone();
            *other.place(field) = trip::label(place);
            Other { name: format!("{}, {}", trip::label(place), place.country_name), query: other.query() }
        });
        taken.push(Taken {
            is: format!("{}, {}", trip::label(first), first.country_name),
            others: others.collect(),
            field,
            typed,
        });
    }
    Ok(taken)
}

/// The search's answer: as it is kept, else asked for.
async fn found(signed: &Signed, trip: &Trip) -> Result<Arc<FoundSearch>> {
    let key = signed.own(&trip.query());
    if let Some(kept) = signed.console.shared.memory.search(&key).await {
        return Ok(kept);
    }
    let search = trip.search().map_err(|_| Failure::Gone("Fill in the search again."))?;
    let found = signed.session.flights().search(&search).await?;
    let kept = Arc::new(FoundSearch { found, is_complete: true });
    signed.console.shared.memory.keep_search(key, kept.clone()).await;
    Ok(kept)
}

/// `GET /console/flights/list`: what is kept, filtered and sorted otherwise. No supplier is asked.
pub async fn list(signed: Signed, fields: Fields) -> Answer {
    let trip = Trip::read(&fields);
    let kept = found(&signed, &trip).await?;
    let part = render(&kept.found, kept.is_complete, &Wanted::read(&fields), &trip)?;
    Ok(page::answer_of(StatusCode::OK, part))
}

fn render(found: &FlightsFound, is_complete: bool, wanted: &Wanted, trip: &Trip) -> Result<Part> {
    let query = trip.query();
    let listed = offers::listed(found, wanted, &query);
    let statuses = &found.search_meta.provider_status;
    let chips = statuses.iter().map(|(code, status)| match status.status {
        SupplierState::Success => {
            Chip { text: format!("{code} {} in {}", status.results, seconds(status.duration_ms)), tone: "" }
        }
        SupplierState::Skipped => Chip { text: format!("{code}: not asked"), tone: "" },
        _ => Chip { text: format!("{code}: no answer"), tone: "warn" },
    });
    let more = (listed.matching > listed.cards.len()).then(|| wanted.query_more(CARDS));
    let summary = match listed.all {
        0 if is_complete => "No flights found".to_owned(),
        0 => "Asking suppliers".to_owned(),
        count => format!("{count} flights from {} suppliers, cheapest {}", statuses.len(), listed.cheapest),
    };
    page::part(&Results { chips: chips.collect(), listed, wanted, trip, query, is_complete, more, summary })
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100)
}

/// `GET /console/flights/stream`: what was found until now, each time a supplier has answered.
pub async fn stream(signed: Signed, fields: Fields) -> Answer {
    let trip = Trip::read(&fields);
    let search = trip.search().map_err(|_| Failure::Gone("Fill in the search again."))?;
    let snapshots = signed.session.flights().search_stream(&search).await?;
    let sending = Sending { console: signed.console.get_ref().clone(), key: signed.own(&trip.query()), trip };
    // Of snapshots that came together the last one has all.
    let newest = snapshots.ready_chunks(64).filter_map(async |mut some| some.pop());
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store, no-transform"))
        .insert_header(("x-accel-buffering", "no"))
        // The server codes events in its own way.
        .insert_header(ContentEncoding::Identity)
        .streaming(sending.events(newest)))
}

struct Sending {
    console: Console,
    key: String,
    trip: Trip,
}

impl Sending {
    fn events(
        self,
        snapshots: impl Stream<Item = wayfare_client::Result<Snapshot>> + 'static,
    ) -> impl Stream<Item = Result<Bytes>> {
        let sending = Arc::new(self);
        let messages = snapshots.then(move |snapshot| {
            let sending = sending.clone();
            async move {
                match snapshot {
                    Ok(snapshot) => sending.message(snapshot).await,
                    Err(error) => failed(words_of(&error)),
                }
            }
        });
        messages.chain(stream::iter([Ok(Bytes::from_static(b"event: done\ndata: done\n\n"))]))
    }

    async fn message(&self, snapshot: Snapshot) -> Result<Bytes> {
        let kept = Arc::new(FoundSearch { is_complete: snapshot.is_complete, found: snapshot.found });
        self.console.shared.memory.keep_search(self.key.clone(), kept.clone()).await;
        let wanted = Wanted::read(&Fields::default());
        Ok(event(&render(&kept.found, kept.is_complete, &wanted, &self.trip)?))
    }
}

fn failed(words: Words) -> Result<Bytes> {
    Ok(event(&page::part(&FailedPart { words })?))
}

/// An event without a name, which is put into the page.
fn event(part: &Part) -> Bytes {
    let lines = part.text().lines().filter(|line| !line.trim().is_empty());
    let mut event: String = lines.map(|line| format!("data: {line}\n")).collect();
    event.push('\n');
    event.into()
}

#[derive(Template)]
#[template(path = "flights/places.html")]
struct Places {
    id: String,
    places: Vec<FoundPlace>,
}

/// `GET /console/flights/places`: what is typed may mean these.
pub async fn places(signed: Signed, fields: Fields) -> Answer {
    let typed = limited(fields.get("q"));
    let places = match typed.is_empty() {
        true => Vec::new(),
        false => signed.session.flights().places(&typed, PLACES).await?,
    };
    let id = fields.get("id").chars().filter(char::is_ascii_alphanumeric).collect();
    page::html(&Places { id, places })
}

#[derive(Template)]
#[template(path = "flights/rules.html")]
struct RulesPage {
    shell: Shell,
    rules: FareRulesItem,
}

#[derive(Template)]
#[template(path = "flights/rules_part.html")]
struct RulesPart {
    rules: FareRulesItem,
}

/// `GET /console/flights/rules`: the rules of an offer, in a dialog or as a page.
pub async fn rules(request: HttpRequest, signed: Signed, fields: Fields) -> Answer {
    let asked = FareRulesRequest {
        search_id: fields.given("search"),
        offer_ids: fields.all("offer").map(str::to_owned).collect(),
        ..FareRulesRequest::default()
    };
    let rules = signed.session.flights().fare_rules(&asked).await?.first.ok_or(Failure::NoPage)?;
    match page::wants_part(&request) {
        true => page::html(&RulesPart { rules }),
        false => {
            let shell = signed.shell("Fare rules", Area::Flights).await?;
            page::html(&RulesPage { shell, rules })
        }
    }
}

pub fn fee_name(kind: &FeeType) -> &'static str {
    match kind {
        FeeType::Cancellation => "Cancelling",
        FeeType::DateChange => "Another date",
        FeeType::NoShow => "Not coming",
        _ => "Other",
    }
}

/// When it is asked for.
fn window(fee: &FareFee) -> String {
    match (fee.from_hours, fee.until_hours) {
        _ if fee.after_departure => "After departure".to_owned(),
        (None, None) => "Before departure".to_owned(),
        (Some(from), None) => format!("Up to {from} h before departure"),
        (None, Some(until)) => format!("Until {until} h before departure"),
        (Some(from), Some(until)) => format!("{from} to {until} h before departure"),
    }
}

fn fee_amount(fee: &FareFee) -> String {
    match (fee.is_allowed, fee.amount) {
        (Some(false), _) => "Not possible".to_owned(),
        (_, Some(amount)) => money(amount, &fee.currency),
        (_, None) => "Not known".to_owned(),
    }
}
