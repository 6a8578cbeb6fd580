//! What airlines have changed of bookings: the list of it, and what the agency decides.

use uuid::Uuid;
use wayfare_client::{
    Error, Outcome,
    enums::{ChangeKind, ChangeState, ChangeWish},
    flights::{ChangedFlight, FlightChange, FlightChangeRow, FlightPenalty},
};

use super::cancel::Cost;

use crate::{day, page::Tabs, prelude::*};

const ROWS: u32 = 25;

/// Which changes, with the name of their tab.
const TABS: [(&str, &str); 4] =
    [("open", "To decide"), ("accepted", "Accepted"), ("refused", "Refused"), ("", "All")];

pub fn status(change: &FlightChange) -> Status {
    match change.state {
        ChangeState::Informed => Status::new("", "●", "Nothing to decide"),
        ChangeState::Open => Status::new("bad", "!", "Needs you"),
        ChangeState::Accepted => Status::new("ok", "●", "Accepted"),
        ChangeState::Chosen => Status::new("ok", "●", "Changed by you"),
        ChangeState::Refused => Status::new("", "✕", "Refused"),
        ref other => Status::new("", "?", other.as_str()),
    }
}

pub fn kind(change: &FlightChange) -> String {
    let moved = |minutes: i32| {
        let by = day::duration(minutes.unsigned_abs());
        match minutes < 0 {
            true => format!("{by} earlier"),
            false => format!("{by} later"),
        }
    };
    let plain = kind_name(&change.kind);
    match change.minutes.filter(|minutes| *minutes != 0) {
        Some(minutes) => format!("{plain}: {}", moved(minutes)),
        None => plain.to_owned(),
    }
}

pub fn kind_name(kind: &ChangeKind) -> &str {
    match kind {
        ChangeKind::FlightCancelled => "The flight is not flown",
        ChangeKind::Route => "It goes by other airports",
        ChangeKind::FlightNumber => "It has another number",
        ChangeKind::Time => "It is flown at another time",
        ChangeKind::Cabin => "It is flown in another class",
        ChangeKind::Terminal => "It has another terminal",
        other => other.as_str(),
    }
}

pub fn flight(flight: &ChangedFlight) -> String {
    format!(
        "{} {} {} {} – {} {}, {}",
        flight.airline,
        flight.flight_number,
        flight.origin,
        day::clock(flight.departure),
        flight.destination,
        day::clock(flight.arrival),
        day::day(flight.departure.date()),
    )
}

#[derive(Template)]
#[template(path = "bookings/changes.html")]
struct ChangesPage {
    shell: Shell,
    tabs: Tabs,
    rows: Vec<FlightChangeRow>,
    pager: Pager,
}

/// `GET /console/changes`: those that wait for a decision first.
pub async fn list(signed: Signed, fields: Fields) -> Answer {
    let wanted = fields.one_of("state", &TABS).filter(|_| fields.has("state")).unwrap_or("open");
    let state = (!wanted.is_empty()).then(|| ChangeState::from(wanted));
    let list = signed.session.flights().changes(state).per_page(ROWS);
    let number = fields.number("page").unwrap_or(1);
    let shell = signed.shell("Schedule changes", Area::Bookings);
    let (shell, page) = futures_util::try_join!(shell, list.page(number))?;
    let address = |word: &str| format!("{BASE}/changes?state={word}");
    page::html(&ChangesPage {
        shell,
        tabs: Tabs::of("State", &TABS, wanted, address),
        pager: Pager::of(&page, &address(wanted)),
        rows: page.items,
    })
}

#[derive(Template)]
#[template(path = "bookings/decline.html")]
struct DeclinePage {
    shell: Shell,
    reference: String,
    change: FlightChange,
    cost: Cost,
    /// Nothing is cancelled by it: the operator asks the airline for all of it.
    asks_operator: bool,
    /// What the form was sent with is not what is quoted now.
    has_moved: bool,
    quoted: String,
}

/// What is agreed to on the page: what comes back, and whether the operator is asked first.
fn quoted(penalty: &FlightPenalty) -> String {
    let asks_operator = penalty.asks_operator == Some(true);
    format!("{} {asks_operator}", penalty.refund_amount)
}

async fn decline_page(
    signed: &Signed,
    (reference, id): (&str, Uuid),
    penalty: &FlightPenalty,
    has_moved: bool,
) -> Answer {
    let flights = signed.session.flights();
    let shell = signed.shell("Decline the schedule change", Area::Bookings);
    let (shell, booking) = futures_util::try_join!(shell, flights.booking(reference))?;
    let change = booking.changes.into_iter().find(|change| change.id == id);
    let shown = DeclinePage {
        shell,
        change: change.ok_or(Failure::NoPage)?,
        cost: Cost::of(penalty),
        asks_operator: penalty.asks_operator == Some(true),
        has_moved,
        quoted: quoted(penalty),
        reference: booking.booking_ref,
    };
    let status = match has_moved {
        true => StatusCode::CONFLICT,
        false => StatusCode::OK,
    };
    page::html_with(status, &shown)
}

/// `GET /console/bookings/{ref}/changes/{id}`: what declining it would give back; nothing is decided by looking.
pub async fn show(signed: Signed, path: Path<(String, Uuid)>) -> Answer {
    let (reference, change) = path.into_inner();
    let flights = signed.session.flights();
    let penalty = flights.refusal_penalty(&reference, change).await?;
    decline_page(&signed, (&reference, change), &penalty, false).await
}

/// `POST /console/bookings/{ref}/changes/{id}`: accepts it, or declines it at what was quoted, under the form's key.
pub async fn decide(signed: Signed, path: Path<(String, Uuid)>, fields: Fields) -> Answer {
    let (reference, change) = path.into_inner();
    let session = signed.session.keyed(fields.key()?);
    let flights = session.flights();
    let address = format!("{BASE}/bookings/{reference}");
    let (decided, done) = match fields.get("decision") {
        "accept" => (flights.accept_change(&reference, change).await, "accepted"),
        "refuse" => {
            let Some(agreed) = fields.given("quoted") else {
                // Nobody has seen what it gives back.
                return Ok(see_other(&format!("{address}/changes/{change}")));
            };
            // One that is decided already is quoted no more: what became of it is answered under the key.
            match flights.refusal_penalty(&reference, change).await {
                Ok(penalty) if quoted(&penalty) != agreed => {
                    return decline_page(&signed, (&reference, change), &penalty, true).await;
                }
                Ok(_) | Err(_) => {}
            }
            let refused = flights.refuse_change(&reference, change, ChangeWish::Refund);
            (refused.await, "refused")
        }
        _ => return Err(Failure::NoPage),
    };
    match decided {
        Ok(decided) => {
            let is_asked = matches!(&decided.answer, Outcome::Done(done) if done.cancellation.is_none());
            let done = match done {
                "refused" if is_asked => "asked",
                done => done,
            };
            Ok(see_other(&format!("{address}?done={done}")))
        }
        // What is not known yet is seen on the booking.
        Err(Error::Unknown { .. }) => Ok(see_other(&format!("{address}?done={done}"))),
        Err(error) => Err(error.into()),
    }
}
