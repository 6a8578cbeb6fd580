//! What is asked of bookings that stand: services to be added, other itineraries.

use chrono::NaiveDate;
use serde_json::json;
use wayfare_domain::{Contact, PassengerType};
use wayfare_flights::AncillaryKind;
use wayfare_operations::flights::{NewJourney, RescheduleOrder, SameTraveller, ServiceWish};

use crate::{
    http::{
        json_body::{Example, Form, FromForm},
        query::{FromQuery, Parameters},
    },
    resources::flights::book::bodies::{MOST_OFFERS, contact, segment},
};

/// The longest text that is only passed on.
const LONGEST_REMARKS: usize = 500;

/// `POST /flights/bookings/{ref}/ssr`.
pub struct AddServicesBody(pub Vec<ServiceWish>);

impl FromForm for AddServicesBody {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let wishes = form.list("ssr", 1..=50, wish);
        remarks(form);
        wishes.map(Self)
    }

    fn examples() -> Vec<Example> {
        let meal =
            json!({ "type": "MEAL", "code": "VGML", "pax_ref": 1, "segment_id": "s1", "name": "vegetarian" });
        vec![(
            "a meal",
            json!({ "ssr": [meal], "remarks": "asked for by telephone" }),
        )]
    }
}

fn wish(form: &mut Form<'_>) -> Option<ServiceWish> {
    let kind = form.word::<AncillaryKind>("type");
    let code = form.text("code", 100);
    let traveller = form.number("pax_ref", 1..=27_u32);
    let traveller = form.required("pax_ref", traveller);
    let segment = segment(form);
    form.optional_text("name");
    Some(ServiceWish {
        kind: kind?,
        code: code?,
        traveller: traveller?,
        segment: segment?,
    })
}

/// They are the agency's own: no supplier takes any.
fn remarks(form: &mut Form<'_>) {
    form.short_text("remarks", LONGEST_REMARKS);
}

/// `POST /flights/bookings/{ref}/reschedule-avail`.
pub struct RescheduleAvailBody(pub NewJourney);

impl FromForm for RescheduleAvailBody {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let origin = airport(form, "origin");
        let destination = airport(form, "destination");
        let date = new_date(form);
        remarks(form);
        Some(Self(NewJourney {
            origin: origin?,
            destination: destination?,
            date: date?,
        }))
    }

    fn examples() -> Vec<Example> {
        let body = json!({ "origin": "DEL", "destination": "BOM", "new_date": "2027-02-12", "remarks": "two days later" });
        vec![("another day", body)]
    }
}

fn airport(form: &mut Form<'_>, name: &str) -> Option<String> {
    let code = form.text(name, 10);
    form.note(name, || json!({ "pattern": "^[A-Z]{3}$" }));
    let code = code?;
    if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_uppercase()) {
        form.fault(name, "must be a 3-letter IATA code");
        return None;
    }
    Some(code)
}

/// `YYYYMMDD` or `YYYY-MM-DD`.
fn new_date(form: &mut Form<'_>) -> Option<NaiveDate> {
    let text = form.text("new_date", 10);
    form.note(
        "new_date",
        || json!({ "pattern": "^[0-9]{4}(-[0-9]{2}-[0-9]{2}|[0-9]{4})$" }),
    );
    let text = text?;
    let format = if text.contains('-') { "%Y-%m-%d" } else { "%Y%m%d" };
    let date = NaiveDate::parse_from_str(&text, format)
        .ok()
        .filter(|date| date.format(format).to_string() == text);
    if date.is_none() {
        form.fault("new_date", "must be a date (YYYYMMDD or YYYY-MM-DD)");
    }
    date
}

/// `POST /flights/bookings/{ref}/reschedule-penalty`: the fare key names the itinerary already.
pub struct ReschedulePenaltyBody(pub String);

impl FromForm for ReschedulePenaltyBody {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let fare_key = form.text("fare_key", 200);
        form.optional_text("itinerary_id");
        fare_key.map(Self)
    }

    fn examples() -> Vec<Example> {
        vec![(
            "an itinerary",
            json!({ "fare_key": "fk_5kq2", "itinerary_id": "of_5kq2" }),
        )]
    }
}

/// `POST /flights/bookings/{ref}/reschedule`.
pub struct RescheduleBody(pub RescheduleOrder);

impl FromForm for RescheduleBody {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let fare_keys = form.texts("fare_keys", MOST_OFFERS);
        form.note("fare_keys", || json!({ "minItems": 1 }));
        let fare_keys = form
            .required("fare_keys", fare_keys)
            .filter(|keys| !keys.is_empty());
        if fare_keys.is_none() && !form.is_at_fault() {
            form.fault("fare_keys", "this field is required");
        }
        let travellers = match form.has("passengers") {
            true => form.list("passengers", 0..=27, same_traveller),
            false => Some(Vec::new()),
        };
        let contact = new_contact(form);
        form.optional_text("pnr");
        remarks(form);
        Some(Self(RescheduleOrder {
            fare_keys: fare_keys?,
            travellers: (1..)
                .zip(travellers?)
                .map(|(place, traveller): (usize, SameTraveller)| SameTraveller {
                    field: format!("passengers[{}]", place - 1),
                    ..traveller
                })
                .collect(),
            contact: contact?,
        }))
    }

    fn examples() -> Vec<Example> {
        let said_again = json!({
            "fare_keys": ["fk_5kq2"],
            "passengers": [
                { "pax_index": 1, "type": "ADT", "title": "Mr", "first_name": "Ravi", "last_name": "Sharma", "gender": "M" },
                { "pax_index": 2 },
            ],
            "contact_email": "ravi@example.com",
            "contact_phone": "9812345678",
            "contact_country_code": "91",
            "pnr": "5KQ2ZX",
            "remarks": "two days later",
        });
        vec![
            ("an itinerary", json!({ "fare_keys": ["fk_5kq2"] })),
            ("with the people said again", said_again),
        ]
    }
}

/// How the travellers are reached from now on, where any of it is said; none is at fault.
#[expect(clippy::option_option, reason = "the outer one says that nothing is at fault")]
fn new_contact(form: &mut Form<'_>) -> Option<Option<Contact>> {
    let said = ["contact_email", "contact_phone", "contact_country_code"];
    if said.iter().any(|name| form.has(name)) {
        return contact(form).map(Some);
    }
    Some(None)
}

/// One of the booking, said again.
fn same_traveller(form: &mut Form<'_>) -> Option<SameTraveller> {
    let index = form.number("pax_index", 1..=27_u32);
    let index = form.required("pax_index", index);
    for name in ["title", "gender"] {
        form.optional_text(name);
    }
    let first_name = form.optional_text("first_name");
    let last_name = form.optional_text("last_name");
    let kind = match form.has("type") {
        true => Some(form.word::<PassengerType>("type")?),
        false => None,
    };
    Some(SameTraveller {
        field: String::new(),
        index: index?,
        names: last_name.zip(first_name),
        kind,
    })
}

/// Of which orders services are looked at, where it is said: those of this airline's locator.
pub struct OfLocator(pub Option<String>);

impl FromQuery for OfLocator {
    fn read(query: &mut Parameters) -> Self {
        Self(query.text("airline_pnr"))
    }
}
