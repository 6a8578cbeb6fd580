//! What is booked, for whom, and how they are reached.

use chrono::{Days, NaiveDate};
use secrecy::SecretString;
use serde_json::json;
use wayfare_contract::flights as contract;
use wayfare_domain::{BookingPapers, Contact, Gender, Papers, PassengerType, Title, Traveller};
use wayfare_flights::AncillaryKind;
use wayfare_operations::flights::{AgreedPrice, AncillaryRequest, Bought, FlightOrder, Hold, OrderTerms};
use wayfare_reference::{Telephone, TelephoneFault, calling_code};

use crate::{
    http::json_body::{FromJson, JsonObject},
    resources::{
        common::{email, family_name, name, telephone_text},
        flights::papers,
    },
};

/// A combinable offer for each of nine adults, there and back.
pub const MOST_OFFERS: usize = 18;
/// Nobody is older, in years.
const OLDEST: u32 = 120;
/// Characters of a calling code, such as `+44-1481`.
const LONGEST_CODE: usize = 12;

/// `POST /flights/book`.
pub struct BookBody {
    /// What is to be booked.
    pub order: FlightOrder,
    /// What the agency may ask for first.
    pub ticket_password: Option<SecretString>,
}

impl FromJson for BookBody {
    const NAME: &str = "BookFlightRequest";
    type Declared = contract::FlightOrder;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let keys = body.texts("booking_keys", MOST_OFFERS).filter(|keys| !keys.is_empty());
        let offers = body.texts("offer_ids", MOST_OFFERS).filter(|ids| !ids.is_empty());
        let bought = keys.map(Bought::Keys).or(offers.map(Bought::Offers));
        if bought.is_none() && !body.is_at_fault() {
            body.fault("booking_keys", "this field is required");
        }
        let contact = contact(body);
        let travellers = body.list("passengers", 1..=27, passenger);
        let agreed = body.object("agent_price", |agreed| {
            for name in ["service_fee", "gst_on_service_fee", "platform_charge", "agent_commission"] {
                agreed.decimal(name);
            }
            agreed.decimal("agent_fare").map(|agent_fare| AgreedPrice { agent_fare })
        });
        let gst = body.object("gst", papers::gst);
        let hold = match body.boolean("hold") {
            Some(true) => Hold::Only,
            Some(false) => Hold::No,
            None => Hold::AsSet,
        };
        let auto_ticket = body.boolean("auto_ticket").unwrap_or(false);
        let allow_duplicate = body.boolean("allow_duplicate").unwrap_or(false);
        let ticket_password = body.optional_secret("issue_ticket_password");
        let mut all = BookingPapers { gst, ..BookingPapers::default() };
        let (mut people, mut ancillaries) = (Vec::new(), Vec::new());
        for (traveller, papers, requested) in travellers? {
            if !papers.is_empty() {
                all.travellers.insert(traveller.index, papers);
            }
            people.push(traveller);
            ancillaries.extend(requested);
        }
        Some(Self {
            order: FlightOrder {
                bought: bought?,
                terms: OrderTerms {
                    ancillaries,
                    travellers: people,
                    papers: all,
                    contact: contact?,
                    agreed,
                    hold,
                    auto_ticket,
                    allow_duplicate,
                    remarks: None,
                },
            },
            ticket_password,
        })
    }
}

pub fn contact(body: &mut JsonObject<'_>) -> Option<Contact> {
    let email = email(body, "contact_email");
    let text = telephone_text(body, "contact_phone");
    let code = country_code(body);
    let (text, (country_code, more)) = (text?, code?);
    // Of countries that share a code the digits that tell them apart may be typed with the number, too.
    let whole = Telephone::read(&text, &country_code);
    let has_them = text.starts_with('+') || whole.is_ok_and(|whole| whole.national().starts_with(&more));
    let text = if has_them { text } else { more + &text };
    let phone = match Telephone::read(&text, &country_code) {
        Ok(phone) => Some(phone.as_typed()),
        Err(TelephoneFault::NoCode) => {
            body.fault("contact_country_code", "this field is required");
            None
        }
        Err(fault) => {
            body.fault("contact_phone", fault.to_string());
            if country_code.is_empty() && !text.starts_with('+') {
                body.fault("contact_country_code", "this field is required");
            }
            None
        }
    };
    Some(Contact { email: email?, country_code, phone: phone? })
}

/// The calling code, and what `1-684` has of the number behind it; both are empty where there is none.
fn country_code(body: &mut JsonObject<'_>) -> Option<(String, String)> {
    let text = body.short_text("contact_country_code", LONGEST_CODE).unwrap_or_default();
    if text.is_empty() {
        return Some(Default::default());
    }
    let code = calling_code(&text).map(|(code, more)| (code.to_owned(), more));
    body.or_fault("contact_country_code", code, "must be the calling code of a country, such as 91")
}

fn passenger(body: &mut JsonObject<'_>) -> Option<(Traveller, Papers, Vec<AncillaryRequest>)> {
    let requested = match body.has("ancillaries") {
        true => body.list("ancillaries", 0..=50, |body| ancillary(body, |_| Some(0))),
        false => Some(Vec::new()),
    };
    let papers = papers::papers(body);
    let traveller = traveller(body)?;
    // Whose they are is said by where they stand.
    let of_traveller = |asked| AncillaryRequest { traveller: traveller.index, ..asked };
    let requested = requested?.into_iter().map(of_traveller).collect();
    Some((traveller, papers, requested))
}

/// `traveller` reads whose it is, by their index.
pub fn ancillary(
    body: &mut JsonObject<'_>,
    traveller: impl FnOnce(&mut JsonObject<'_>) -> Option<u32>,
) -> Option<AncillaryRequest> {
    let kind = body.word::<AncillaryKind>("type");
    let code = body.text("code", 100);
    let traveller = traveller(body);
    let segment = segment(body);
    Some(AncillaryRequest {
        field: body.path().to_owned(),
        traveller: traveller?,
        kind: kind?,
        code: code?,
        segment: segment?,
    })
}

/// `s1` is the first.
fn segment(body: &mut JsonObject<'_>) -> Option<usize> {
    let text = body.text("segment_id", 10);
    body.note("segment_id", || json!({ "pattern": "^s[1-9][0-9]*$" }));
    let text = text?;
    let number = text.strip_prefix('s').and_then(|number| number.parse::<usize>().ok());
    let place = number.and_then(|number| number.checked_sub(1));
    body.or_fault("segment_id", place, "must be a segment_id such as s1")
}

/// A day of birth of somebody who lives: until tomorrow, since it is tomorrow somewhere.
pub fn birthday(body: &mut JsonObject<'_>) -> Option<NaiveDate> {
    let born_on = body.date("dob")?;
    let tomorrow = body.now().date_naive() + Days::new(1);
    if born_on > tomorrow {
        body.fault("dob", "must not be in the future");
        return None;
    }
    if tomorrow.years_since(born_on).is_none_or(|years| years > OLDEST) {
        body.fault("dob", format!("must be within the last {OLDEST} years"));
        return None;
    }
    Some(born_on)
}

/// The title tells it where the body does not; that of doctors can't.
fn gender(body: &mut JsonObject<'_>, title: Option<Title>) -> Option<Gender> {
    let told = title.and_then(Title::gender);
    match told.is_some() && !body.has("gender") {
        true => told,
        false => body.word_in_any_case("gender", &Gender::SPELLINGS),
    }
}

fn traveller(body: &mut JsonObject<'_>) -> Option<Traveller> {
    let index = body.number("pax_index", 1..=27_u32);
    let index = body.required("pax_index", index);
    let kind = body.word::<PassengerType>("type");
    let title = body.word_in_any_case::<Title>("title", &Title::SPELLINGS);
    let first_name = name(body, "first_name", 50);
    let last_name = family_name(body, 50);
    let gender = gender(body, title);
    // Whether an adult's is wanted is known when the quote is.
    let born_on = match kind == Some(PassengerType::Adult) && !body.has("dob") {
        true => Some(None),
        false => birthday(body).map(Some),
    };
    let loyalty = papers::loyalty(body);
    let held_by = body.number("infant_ref", 1..=27_u32);
    Some(Traveller {
        index: index?,
        kind: kind?,
        title: title?,
        first_name: first_name?,
        last_name: last_name?,
        gender: gender?,
        born_on: born_on?,
        held_by,
        loyalty: loyalty?,
    })
}
