//! What is asked of other flights: which they are to be, instead of what, and for whom.

use chrono::NaiveDate;
use secrecy::SecretString;
use serde_json::json;
use wayfare_contract::flights as contract;
use wayfare_domain::{Contact, PassengerType};
use wayfare_operations::flights::{NewFlights, NewJourney, RescheduleOrder, SameTraveller};

use crate::{
    http::json_body::{FromJson, JsonObject},
    resources::{
        common::remarks,
        flights::{
            book::bodies::{MOST_OFFERS, birthday, contact},
            bookings::{LAST_JOURNEY, journeys},
            papers,
        },
    },
};

/// `POST /flights/bookings/{ref}/reschedule-avail`.
impl FromJson for NewJourney {
    const NAME: &str = "RescheduleOptionsRequest";
    type Declared = contract::NewJourney;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let origin = airport(body, "origin");
        let destination = airport(body, "destination");
        let date = new_date(body);
        let journey = match body.has("journey") {
            true => Some(body.number("journey", 0..=LAST_JOURNEY)?),
            false => None,
        };
        let include_changes = body.boolean("include_changes").unwrap_or(false);
        remarks(body);
        Some(Self { include_changes, journey, origin: origin?, destination: destination?, date: date? })
    }
}

fn airport(body: &mut JsonObject<'_>, name: &str) -> Option<String> {
    let code = body.text(name, 10);
    body.note(name, || json!({ "pattern": "^[A-Za-z]{3}$" }));
    let code = code?;
    if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        body.fault(name, "must be a 3-letter IATA code");
        return None;
    }
    Some(code.to_ascii_uppercase())
}

/// `YYYYMMDD` or `YYYY-MM-DD`.
pub fn new_date(body: &mut JsonObject<'_>) -> Option<NaiveDate> {
    let text = body.text("new_date", 10);
    body.note("new_date", || json!({ "pattern": "^[0-9]{4}(-[0-9]{2}-[0-9]{2}|[0-9]{4})$" }));
    let text = text?;
    let format = if text.contains('-') { "%Y-%m-%d" } else { "%Y%m%d" };
    let date =
        NaiveDate::parse_from_str(&text, format).ok().filter(|date| date.format(format).to_string() == text);
    body.or_fault("new_date", date, "must be a date (YYYYMMDD or YYYY-MM-DD)")
}

/// The key of a change has all of its flights in it.
const LONGEST_FARE_KEY: usize = 2000;

/// `POST /flights/bookings/{ref}/reschedule-penalty`: the fare keys name the itineraries already.
impl FromJson for NewFlights {
    const NAME: &str = "ReschedulePenaltyRequest";
    type Declared = contract::NewFlights;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let several = body.texts("fare_keys", MOST_OFFERS);
        let several = several.filter(|keys| !keys.is_empty());
        let one = match (&several, body.has("fare_key")) {
            (Some(_), false) => None,
            _ => Some(body.text("fare_key", LONGEST_FARE_KEY)?),
        };
        body.optional_text("itinerary_id");
        let journeys = replaced(body);
        let mut fare_keys = several.unwrap_or_default();
        // It may be said in both fields.
        if let Some(one) = one.filter(|one| !fare_keys.contains(one)) {
            fare_keys.insert(0, one);
        }
        Some(Self { fare_keys, journeys: journeys? })
    }
}

/// Which journeys are given up; empty where it is not said.
fn replaced(body: &mut JsonObject<'_>) -> Option<Vec<usize>> {
    journeys(body).map(Option::unwrap_or_default)
}

/// `POST /flights/bookings/{ref}/reschedule`.
pub struct RescheduleBody {
    /// What is to be flown instead of what.
    pub order: RescheduleOrder,
    /// What the agency may ask for first.
    pub ticket_password: Option<SecretString>,
}

impl FromJson for RescheduleBody {
    const NAME: &str = "RescheduleRequest";
    type Declared = contract::Reschedule;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let fare_keys = body.texts("fare_keys", MOST_OFFERS);
        let fare_keys = body.not_empty("fare_keys", fare_keys);
        let fare_keys = body.required("fare_keys", fare_keys);
        let journeys = replaced(body);
        let travellers = match body.has("passengers") {
            true => body.list("passengers", 0..=27, same_traveller),
            false => Some(Vec::new()),
        };
        let gst = body.object("gst", papers::gst);
        let contact = new_contact(body);
        body.optional_text("pnr");
        let remarks = remarks(body);
        let ticket_password = body.optional_secret("issue_ticket_password");
        Some(Self {
            order: RescheduleOrder {
                flights: NewFlights { fare_keys: fare_keys?, journeys: journeys? },
                travellers: travellers?,
                gst,
                contact,
                remarks,
            },
            ticket_password,
        })
    }
}

/// How the travellers are reached from now on, where any of it is said.
fn new_contact(body: &mut JsonObject<'_>) -> Option<Contact> {
    let names = ["contact_email", "contact_phone", "contact_country_code"];
    let is_said = names.iter().any(|name| body.has(name));
    is_said.then(|| contact(body)).flatten()
}

/// One of the booking, said again.
fn same_traveller(body: &mut JsonObject<'_>) -> Option<SameTraveller> {
    let index = body.number("pax_index", 1..=27_u32);
    let index = body.required("pax_index", index);
    for name in ["title", "gender"] {
        body.optional_text(name);
    }
    let first_name = body.optional_text("first_name");
    let last_name = body.optional_text("last_name");
    let kind = match body.has("type") {
        true => Some(body.word::<PassengerType>("type")?),
        false => None,
    };
    let born_on = match body.has("dob") {
        true => Some(birthday(body)?),
        false => None,
    };
    let papers = papers::papers(body);
    let loyalty = papers::loyalty(body);
    Some(SameTraveller {
        field: body.path().to_owned(),
        index: index?,
        names: last_name.zip(first_name),
        kind,
        born_on,
        loyalty: loyalty?,
        papers,
    })
}
