//! Giving a booking back, or some travellers or journeys of it: what it costs first, then the button that says what comes back.

use wayfare_client::{
    Error,
    enums::{PassengerStatus, SegmentStatus},
    flights::{FlightBooking, FlightPenalty, NamedPart},
};

use crate::{
    failure::{Words, is_refusal, sentence, words_of},
    prelude::*,
};

#[derive(Template)]
#[template(path = "bookings/cancel.html")]
struct CancelPage {
    shell: Shell,
    reference: String,
    /// Of which it can be chosen what is given back; empty where only all of it can be.
    journeys: Vec<Choice>,
    travellers: Vec<Choice>,
    is_part: bool,
    chosen: Vec<(&'static str, String)>,
    /// None where what was chosen can't be given back.
    cost: Option<Cost>,
    refused: Option<Words>,
}

struct Choice {
    id: String,
    value: String,
    name: String,
    is_chosen: bool,
}

/// What giving it back costs.
pub(super) struct Cost {
    /// From what was paid to what comes back.
    pub sums: Sums,
    pub back: String,
    /// What was paid for what is kept; none where nothing is.
    pub rest: Option<String>,
}

impl Cost {
    /// As the suppliers say now.
    pub(super) fn of(penalty: &FlightPenalty) -> Self {
        let text = |amount| money(amount, &penalty.currency);
        let sums = Sums::of(&penalty.currency)
            .line("Paid", penalty.total_paid)
            .less("Airline penalty", penalty.penalty)
            .less("Platform fees", penalty.platform_charges)
            .less("Earlier change fees", penalty.change_penalties)
            .part("Penalty above what you paid, not charged", penalty.waived)
            .total("Refund", penalty.refund_amount);
        Self {
            sums,
            back: text(penalty.refund_amount),
            rest: penalty.rest.as_ref().map(|rest| text(rest.total_payable)),
        }
    }
}

/// What was chosen; all of it where nothing is said. What is no journey or traveller at all is no form of ours: it must not
/// come to all of it.
fn part(fields: &Fields) -> Result<NamedPart> {
    let said = |name: &'static str| {
        let values = fields.0.iter().filter(move |(field, _)| field == name);
        values.map(|(_, value)| value.trim())
    };
    let journeys: Option<Vec<usize>> = said("journey").map(|place| place.parse().ok()).collect();
    let passengers: Vec<String> = said("passenger").map(str::to_owned).collect();
    if passengers.iter().any(String::is_empty) {
        return Err(Failure::NoPage);
    }
    Ok(NamedPart {
        journeys: some(journeys.ok_or(Failure::NoPage)?),
        passengers: some(passengers),
        ..NamedPart::default()
    })
}

/// A browser says nothing of boxes of which none is ticked.
fn some<T>(ticked: Vec<T>) -> Option<Vec<T>> {
    Some(ticked).filter(|ticked| !ticked.is_empty())
}

fn is_all(part: &NamedPart) -> bool {
    part.journeys.is_none() && part.passengers.is_none()
}

/// Whether the form of parts was sent, in which nothing was ticked: that is not all of it.
fn chose_nothing(fields: &Fields, part: &NamedPart) -> bool {
    fields.is_ticked("only_a_part") && is_all(part)
}

/// The fields that say what was chosen.
fn chosen(part: &NamedPart) -> Vec<(&'static str, String)> {
    let journeys = part.journeys.iter().flatten();
    let passengers = part.passengers.iter().flatten();
    let journeys = journeys.map(|place| ("journey", place.to_string()));
    journeys.chain(passengers.map(|id| ("passenger", id.clone()))).collect()
}

/// The journeys that are still flown, where one of several can be given back.
fn journeys(booking: &FlightBooking, part: &NamedPart) -> Vec<Choice> {
    let gone = [SegmentStatus::Cancelled, SegmentStatus::Failed];
    let flights = &booking.itinerary.segments;
    let legs = booking.itinerary.legs.iter().filter(|leg| {
        flights
            .iter()
            .any(|flight| leg.segment_refs.contains(&flight.segment_id) && !gone.contains(&flight.status))
    });
    let can = booking.pnr_details.iter().any(|order| order.can.cancel_journeys != Some(false));
    let choices = legs.map(|leg| Choice {
        id: format!("journey-{}", leg.leg_index),
        value: leg.leg_index.to_string(),
        name: format!("{} – {}", leg.origin, leg.destination),
        is_chosen: part.journeys.iter().flatten().any(|chosen| *chosen == leg.leg_index),
    });
    several(can, choices.collect())
}

/// Those who still travel, where one of several can be taken off.
fn travellers(booking: &FlightBooking, part: &NamedPart) -> Vec<Choice> {
    let can = booking.pnr_details.iter().any(|order| order.can.cancel_passengers != Some(false));
    let travelling = booking.passengers.iter().filter(|one| one.status != PassengerStatus::Cancelled);
    let choices = travelling.map(|one| {
        let name = format!("{} {}", one.first_name, one.last_name);
        Choice {
            id: format!("passenger-{}", one.pax_id),
            value: one.pax_id.clone(),
            name: match name.trim() {
                "" => format!("Traveller {}", one.pax_id),
                name => name.to_owned(),
            },
            is_chosen: part.passengers.iter().flatten().any(|chosen| *chosen == one.pax_id),
        }
    });
    several(can, choices.collect())
}

/// None where there is nothing to choose.
fn several(can: bool, choices: Vec<Choice>) -> Vec<Choice> {
    match can && choices.len() > 1 {
        true => choices,
        false => Vec::new(),
    }
}

/// How a refusal reads; what is wrong with what was chosen is what the API says of it.
fn refusal(error: &Error) -> Words {
    let mut words = words_of(error);
    let faults = error.field_faults();
    if !faults.is_empty() {
        let reasons = faults.iter().map(|fault| sentence(&fault.reason));
        words.text = format!("{}.", reasons.collect::<Vec<_>>().join(". "));
    }
    words
}

async fn page_of(
    signed: &Signed,
    reference: &str,
    fields: &Fields,
    refused: Option<Words>,
) -> Result<(StatusCode, CancelPage)> {
    let flights = signed.session.flights();
    let part = part(fields)?;
    let chose_nothing = chose_nothing(fields, &part);
    let penalty = async {
        match is_all(&part) {
            true if chose_nothing => Ok::<_, Error>(None),
            true => Ok(Some(flights.penalty(reference).await)),
            false => Ok(Some(flights.part_penalty(reference, &part).await)),
        }
    };
    let (shell, booking, penalty) = futures_util::try_join!(
        signed.shell("Cancel", Area::Bookings),
        flights.booking(reference),
        penalty,
    )?;
    let (cost, refused) = match penalty {
        None => {
            let text = "Choose who does not travel, or what is not flown.";
            (None, Some(Words::of("Nothing is chosen", text)))
        }
        Some(Ok(penalty)) => (Some(Cost::of(&penalty)), refused),
        // Of a part it is said, so that another one can be chosen.
        Some(Err(error)) if is_refusal(&error) && !is_all(&part) => {
            (None, Some(refused.unwrap_or_else(|| refusal(&error))))
        }
        Some(Err(error)) => return Err(error.into()),
    };
    let status = match &refused {
        Some(_) => StatusCode::CONFLICT,
        None => StatusCode::OK,
    };
    let shown = CancelPage {
        shell,
        journeys: journeys(&booking, &part),
        travellers: travellers(&booking, &part),
        is_part: chose_nothing || !is_all(&part),
        chosen: chosen(&part),
        cost,
        refused,
        reference: booking.booking_ref,
    };
    Ok((status, shown))
}

/// `GET /console/bookings/{ref}/cancel`: nothing is cancelled by looking at it. `journey` and `passenger` name a part.
pub async fn show(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let (status, shown) = page_of(&signed, &reference, &fields, None).await?;
    page::html_with(status, &shown)
}

/// `POST /console/bookings/{ref}/cancel`, under the form's key, so that a form that comes twice cancels once.
pub async fn carry_out(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let key = fields.key()?;
    let part = part(&fields)?;
    if chose_nothing(&fields, &part) {
        let (status, shown) = page_of(&signed, &reference, &fields, None).await?;
        return page::html_with(status, &shown);
    }
    let session = signed.session.keyed(key);
    let (cancelled, done) = match is_all(&part) {
        true => (session.flights().cancel(&reference).await, "cancelled"),
        false => (session.flights().cancel_part(&reference, &part).await, "part"),
    };
    match cancelled {
        // What is not known yet is seen on the booking.
        Ok(_) | Err(Error::Unknown { .. }) => {
            Ok(see_other(&format!("{BASE}/bookings/{reference}?done={done}")))
        }
        Err(error) if is_refusal(&error) => {
            let refused = Some(refusal(&error));
            let (status, shown) = page_of(&signed, &reference, &fields, refused).await?;
            page::html_with(status, &shown)
        }
        Err(error) => Err(error.into()),
    }
}
