//! Other flights instead of those of a journey: a day first, then what could be flown, what that comes to, and the button.

use chrono::NaiveDate;
use wayfare_client::{
    Error, Outcome,
    enums::{RescheduleWay, SegmentStatus},
    flights::{
        FlightBooking, Itinerary, ItineraryLeg, NewFlights, NewItinerary, NewJourney, NewSegment, Reschedule,
        ReschedulePenalty,
    },
};

use crate::{
    day,
    failure::{Words, words_of},
    prelude::*,
};

/// How many itineraries are shown: those that cost least.
const MOST: usize = 40;

#[derive(Template)]
#[template(path = "bookings/change.html")]
struct ChangePage {
    shell: Shell,
    reference: String,
    journeys: Vec<ItineraryLeg>,
    /// Which of them is to be flown otherwise.
    chosen: Option<usize>,
    day: String,
    wrongs: Wrongs,
    refused: Option<Words>,
    /// None until a day was asked for.
    found: Option<Vec<NewItinerary>>,
}

#[derive(Template)]
#[template(path = "bookings/change_check.html")]
struct CheckPage {
    shell: Shell,
    reference: String,
    typed: Fields,
    sums: Sums,
    total: String,
    is_refund: bool,
    note: String,
    refused: Option<Words>,
}

/// The journeys that are flown still.
fn journeys(booking: FlightBooking) -> Vec<ItineraryLeg> {
    let Itinerary { segments, legs, .. } = booking.itinerary;
    let is_flown = |id: &String| {
        let found = segments.iter().find(|one| one.segment_id == *id);
        found.is_some_and(|one| one.status == SegmentStatus::Confirmed)
    };
    legs.into_iter().filter(|leg| leg.segment_refs.iter().all(is_flown)).collect()
}

fn flight(segment: &NewSegment) -> String {
    format!(
        "{} {} {} {} – {} {}, {}",
        segment.airline,
        segment.flight_number,
        segment.origin.code,
        day::clock(segment.departure),
        segment.destination.code,
        day::clock(segment.arrival),
        day::day(segment.departure.date()),
    )
}

/// Its flights, of all journeys.
fn flights(itinerary: &NewItinerary) -> Vec<&NewSegment> {
    itinerary.slices.iter().flat_map(|slice| &slice.segments).collect()
}

fn is_change(itinerary: &NewItinerary) -> bool {
    itinerary.way == Some(RescheduleWay::Change)
}

fn price(itinerary: &NewItinerary) -> String {
    let pricing = &itinerary.pricing;
    match &pricing.change {
        Some(change) if is_change(itinerary) => {
            format!("{} in all", money(change.total, &pricing.currency))
        }
        _ => format!(
            "{} less the refund of the old flights",
            money(pricing.provider_agent_fare, &pricing.currency)
        ),
    }
}

async fn page_of(
    signed: &Signed,
    reference: &str,
    asked: &Fields,
    refused: Option<Words>,
) -> Result<ChangePage> {
    let flights = signed.session.flights();
    let (shell, booking) = futures_util::try_join!(
        signed.shell("Fly on another day", Area::Bookings),
        flights.booking(reference),
    )?;
    let (reference, day) = (booking.booking_ref.clone(), asked.get("day").to_owned());
    let journeys = journeys(booking);
    let asked = asked.number("journey");
    let chosen = journeys.iter().find(|leg| Some(leg.leg_index) == asked).or(journeys.first()).cloned();
    let mut shown = ChangePage {
        shell,
        chosen: chosen.as_ref().map(|leg| leg.leg_index),
        reference,
        journeys,
        day,
        wrongs: Wrongs::default(),
        refused,
        found: None,
    };
    let Some(leg) = chosen.filter(|_| !shown.day.is_empty()) else { return Ok(shown) };
    let Ok(wanted) = shown.day.parse::<NaiveDate>() else {
        shown.wrongs.add("day", "Must be a day");
        return Ok(shown);
    };
    let journey = NewJourney::of(&leg.origin, &leg.destination, wanted);
    let journey = journey.journey(leg.leg_index).include_changes(true);
    match flights.new_itineraries(&shown.reference, &journey).await {
        Ok(found) => shown.found = Some(found.into_iter().take(MOST).collect()),
        Err(error) => match error.status() {
            Some(422) => shown.wrongs = Wrongs::of(&error).renamed(|field| field.replace("new_date", "day")),
            Some(400 | 409) => shown.refused = Some(words_of(&error)),
            _ => return Err(error.into()),
        },
    }
    Ok(shown)
}

fn answer(shown: &ChangePage, status: StatusCode) -> Answer {
    let status = match shown.wrongs.is_empty() {
        true => status,
        false => StatusCode::UNPROCESSABLE_ENTITY,
    };
    page::html_with(status, shown)
}

/// `GET /console/bookings/{ref}/change`: nothing is changed by looking.
pub async fn show(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    answer(&page_of(&signed, &reference, &fields, None).await?, StatusCode::OK)
}

/// What is to be flown instead, of a form.
fn wanted(fields: &Fields) -> Result<NewFlights> {
    let journey = fields.given("journey").map(|journey| journey.parse().map(|journey| vec![journey]));
    Ok(NewFlights {
        fare_keys: vec![fields.given("fare_key").ok_or(Failure::NoPage)?],
        journeys: journey.transpose().map_err(|_| Failure::NoPage)?,
        ..NewFlights::default()
    })
}

/// What the API refuses in words that the page shows, with what was asked for still on it.
fn is_shown(error: &Error) -> Option<StatusCode> {
    let status = error.status().filter(|status| [400, 402, 403, 404, 409, 422].contains(status))?;
    StatusCode::from_u16(status).ok()
}

/// `POST /console/bookings/{ref}/change/check`: what it comes to; nothing is changed yet.
pub async fn check(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    checked(&signed, &reference, &fields, None).await
}

async fn checked(
    signed: &Signed,
    reference: &str,
    fields: &Fields,
    refused: Option<(StatusCode, Words)>,
) -> Answer {
    let flights = signed.session.flights();
    let penalty = match flights.reschedule_penalty_of(reference, &wanted(fields)?).await {
        Ok(penalty) => penalty,
        Err(error) => {
            let Some(status) = is_shown(&error) else { return Err(error.into()) };
            let words = words_of(&error);
            return answer(&page_of(signed, reference, fields, Some(words)).await?, status);
        }
    };
    let due = penalty.total_reschedule_charge;
    let is_refund = due.0.is_sign_negative() && !due.0.is_zero();
    let status = refused.as_ref().map_or(StatusCode::OK, |(status, _)| *status);
    let shown = CheckPage {
        shell: signed.shell("Check the change", Area::Bookings).await?,
        reference: reference.to_owned(),
        typed: fields.clone(),
        sums: amount_due(&penalty),
        total: money(due.0.abs().into(), &penalty.currency),
        is_refund,
        note: penalty.note.clone(),
        refused: refused.map(|(_, words)| words),
    };
    page::html_with(status, &shown)
}

/// What the change comes to. Where the supplier changes the booking it is the difference of the fares and its fee; else the new
/// flights, less what comes back of the old ones.
fn amount_due(penalty: &ReschedulePenalty) -> Sums {
    let sums = Sums::of(&penalty.currency).line("New flights", penalty.new_agent_fare);
    let sums = match &penalty.way {
        RescheduleWay::Rebook => sums
            .less("Refund of the old flights", penalty.refund_to_wallet)
            .with_note(format!("After an airline penalty of {}", money(penalty.penalty, &penalty.currency))),
        _ => sums.less("Old flights", penalty.original_agent_fare).part("Date-change fee", penalty.penalty),
    };
    sums.total("Amount due", penalty.total_reschedule_charge)
}

/// `POST /console/bookings/{ref}/change`, under the form's key, so that a form that comes twice changes once.
pub async fn carry_out(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let session = signed.session.keyed(fields.key()?);
    let NewFlights { fare_keys, journeys, .. } = wanted(&fields)?;
    let to = Reschedule {
        journeys,
        issue_ticket_password: fields.given("password").map(Into::into),
        ..Reschedule::to(fare_keys)
    };
    let stands = match session.flights().reschedule(&reference, &to).await {
        Ok(changed) => match changed.answer {
            Outcome::Done(done) => done.new_booking.booking_ref,
            Outcome::Pending(pending) => pending.booking_ref,
        },
        // What is not known yet is seen on the booking.
        Err(Error::Unknown { .. }) => reference.into_inner(),
        Err(error) => {
            let Some(status) = is_shown(&error) else { return Err(error.into()) };
            let mut words = words_of(&error);
            if status == StatusCode::FORBIDDEN {
                "The ticket password is wrong".clone_into(&mut words.title);
                "Nothing was changed and nothing was charged. Type it again.".clone_into(&mut words.text);
            }
            return checked(&signed, &reference, &fields, Some((status, words))).await;
        }
    };
    Ok(see_other(&format!("{BASE}/bookings/{stands}?done=changed")))
}
