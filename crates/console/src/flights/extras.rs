//! Seats, bags and meals that can still be bought for a booking: chosen, summed, then bought.

use rust_decimal::Decimal;
use wayfare_client::{
    Error,
    enums::{AncillaryType, PassengerStatus, PassengerType},
    flights::{
        BookedPassenger, FlightBooking, SegmentServices, Service, ServiceOrder, ServiceRequest, Services,
    },
};

use crate::{
    failure::{Words, words_of},
    prelude::*,
    today::Money,
};

#[derive(Template)]
#[template(path = "bookings/extras.html")]
struct ExtrasPage {
    shell: Shell,
    reference: String,
    flights: Vec<ForFlight>,
    money: Money,
    refused: Option<Words>,
}

/// What is sold for a flight, for each traveller.
struct ForFlight {
    name: String,
    travellers: Vec<ForTraveller>,
}

/// What is sold to a traveller on it.
struct ForTraveller {
    name: String,
    shelves: Vec<Shelf>,
}

/// All of a kind, with the values of the form's field.
struct Shelf {
    id: String,
    label: &'static str,
    choices: Vec<Choice>,
}

struct Choice {
    value: String,
    name: String,
    is_chosen: bool,
}

#[derive(Template)]
#[template(path = "bookings/extras_check.html")]
struct CheckPage {
    shell: Shell,
    reference: String,
    /// What was chosen, as the form sends it.
    chosen: Vec<String>,
    sums: Sums,
    total: String,
    money: Money,
}

/// A thing for a traveller on a flight, as a field of the form names it: `["SEAT", 1, "s1", "12A"]`.
type Named = (String, u32, String, String);

fn read(value: &str) -> Option<ServiceRequest> {
    let (kind, pax_ref, segment_id, code): Named = serde_json::from_str(value).ok()?;
    Some(ServiceRequest::of(AncillaryType::from(kind.as_str()), &code, pax_ref, &segment_id))
}

fn shelves(segment: &SegmentServices) -> [(AncillaryType, &'static str, &[Service]); 4] {
    [
        (AncillaryType::Seat, "Seat", &segment.seats),
        (AncillaryType::Baggage, "Bag", &segment.baggage),
        (AncillaryType::Meal, "Meal", &segment.meals),
        (AncillaryType::Other, "Other", &segment.others),
    ]
}

fn full_name(one: &BookedPassenger) -> String {
    match format!("{} {}", one.first_name, one.last_name).trim() {
        "" => "Erased".to_owned(),
        name => name.to_owned(),
    }
}

fn flight_name(segment: &SegmentServices) -> String {
    format!("{} – {}", segment.origin, segment.destination)
}

fn of_flight(segment: &SegmentServices, booking: &FlightBooking, chosen: &[&str]) -> Option<ForFlight> {
    let id = segment.segment_id.as_str();
    let of_traveller = |one: &BookedPassenger| {
        let pax_ref: u32 = one.pax_id.parse().ok()?;
        let sold_of = |(kind, label, sold): (AncillaryType, &'static str, &[Service])| {
            let has_no_seat = one.kind == PassengerType::Infant && kind == AncillaryType::Seat;
            let choice = |service: &Service| {
                let named: Named = (kind.to_string(), pax_ref, id.to_owned(), service.code.clone());
                let value = serde_json::to_string(&named).ok()?;
                Some(Choice {
                    is_chosen: chosen.contains(&value.as_str()),
                    name: format!("{}, {}", service.description, money(service.price, &service.currency)),
                    value,
                })
            };
            (!sold.is_empty() && !has_no_seat).then(|| Shelf {
                id: format!("{}-{pax_ref}-{}", kind.as_str().to_lowercase(), segment.segment_no),
                label,
                choices: sold.iter().filter_map(choice).collect(),
            })
        };
        let shelves: Vec<Shelf> = shelves(segment).into_iter().filter_map(sold_of).collect();
        (!shelves.is_empty()).then(|| ForTraveller { name: full_name(one), shelves })
    };
    let travel = booking.passengers.iter();
    let travel = travel.filter(|one| one.status != PassengerStatus::Cancelled);
    let travellers: Vec<ForTraveller> = travel.filter_map(of_traveller).collect();
    (!travellers.is_empty()).then(|| ForFlight { name: flight_name(segment), travellers })
}

/// The page, with what was chosen still on it.
async fn page_of(
    signed: &Signed,
    reference: &str,
    chosen: &[&str],
    refused: Option<Words>,
) -> Result<ExtrasPage> {
    let (api, wallet) = (signed.session.flights(), signed.session.wallet());
    let (shell, booking, wallet) = futures_util::try_join!(
        signed.shell("Seats, bags and meals", Area::Bookings),
        api.booking(reference),
        wallet.read(),
    )?;
    // A supplier that sells nothing later says so with 400: that is no failure of the page.
    let (sold, refused) = match api.services(reference, None).await {
        Ok(Services { details, .. }) => (details.segments, refused),
        Err(error) if matches!(error.status(), Some(400 | 409)) => {
            (Vec::new(), refused.or_else(|| Some(words_of(&error))))
        }
        Err(error) => return Err(error.into()),
    };
    let flights = sold.iter().filter_map(|one| of_flight(one, &booking, chosen));
    Ok(ExtrasPage {
        shell,
        flights: flights.collect(),
        reference: booking.booking_ref,
        money: Money::of(&wallet),
        refused,
    })
}

/// `GET /console/bookings/{ref}/extras`.
pub async fn show(signed: Signed, reference: Path<String>) -> Answer {
    page::html(&page_of(&signed, &reference, &[], None).await?)
}

async fn again(
    signed: &Signed,
    reference: &str,
    fields: &Fields,
    status: StatusCode,
    words: Words,
) -> Answer {
    let chosen: Vec<&str> = fields.all("extra").collect();
    page::html_with(status, &page_of(signed, reference, &chosen, Some(words)).await?)
}

/// `POST /console/bookings/{ref}/extras/check`: what was chosen and what it comes to; nothing is bought yet.
pub async fn check(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let (api, wallet) = (signed.session.flights(), signed.session.wallet());
    let (booking, sold, wallet) =
        futures_util::try_join!(api.booking(&reference), api.services(&reference, None), wallet.read(),)?;
    let mut total = Decimal::ZERO;
    let mut sums = Sums::of(&booking.pricing.currency);
    let mut chosen = Vec::new();
    for value in fields.all("extra") {
        let line = read(value).and_then(|wanted| line(&wanted, &sold, &booking));
        let Some((name, who, service)) = line else {
            return again(&signed, &reference, &fields, StatusCode::CONFLICT, gone()).await;
        };
        total += service.price.0;
        sums = sums.line(who, service.price).with_note(name);
        chosen.push(value.to_owned());
    }
    if chosen.is_empty() {
        let words = Words::of("Nothing is chosen", "Choose a seat, a bag or a meal first.");
        return again(&signed, &reference, &fields, StatusCode::UNPROCESSABLE_ENTITY, words).await;
    }
    page::html(&CheckPage {
        shell: signed.shell("Check what is added", Area::Bookings).await?,
        reference: booking.booking_ref,
        chosen,
        sums: sums.total("Paid from wallet", total),
        total: money(total.into(), &booking.pricing.currency),
        money: Money::of(&wallet),
    })
}

fn gone() -> Words {
    Words::of(
        "Something of it is not sold any more",
        "Nothing was bought. Choose again from what is sold now.",
    )
}

/// What it is, for whom, and the thing that is sold.
fn line<'a>(
    wanted: &ServiceRequest,
    sold: &'a Services,
    booking: &FlightBooking,
) -> Option<(String, String, &'a Service)> {
    let mut segments = sold.details.segments.iter();
    let segment = segments.find(|one| one.segment_id == wanted.segment_id)?;
    let of_kind = shelves(segment).into_iter().find(|(kind, ..)| *kind == wanted.kind)?;
    let service = of_kind.2.iter().find(|one| one.code == wanted.code)?;
    let pax_id = wanted.pax_ref.to_string();
    let who = booking.passengers.iter().find(|one| one.pax_id == pax_id)?;
    let name = format!("{}: {}", flight_name(segment), service.description);
    Some((name, full_name(who), service))
}

/// `POST /console/bookings/{ref}/extras`, under the form's key, so that a form that comes twice buys once.
pub async fn carry_out(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let session = signed.session.keyed(fields.key()?);
    let wanted: Option<Vec<ServiceRequest>> = fields.all("extra").map(read).collect();
    let order = ServiceOrder::of(wanted.ok_or(Failure::NoPage)?);
    match session.flights().add_services(&reference, &order).await {
        // What is not known yet is seen on the booking.
        Ok(_) | Err(Error::Unknown { .. }) => {
            Ok(see_other(&format!("{BASE}/bookings/{reference}?done=added")))
        }
        Err(error) => {
            let status = error.status().filter(|status| [400, 402, 409, 422].contains(status));
            let Some(status) = status.and_then(|status| StatusCode::from_u16(status).ok()) else {
                return Err(error.into());
            };
            again(&signed, &reference, &fields, status, words_of(&error)).await
        }
    }
}
