//! The API's request bodies.

pub mod hotels;
pub mod packages;
pub mod reports;
pub mod webhooks;

mod after_sales;
mod examples;
mod hotel_examples;
mod identity;

use chrono::NaiveDate;
use secrecy::SecretString;
use serde_json::json;
use strum::VariantNames;
use wayfare_domain::{Contact, Gender, Party, PassengerType, Title, Traveller, is_email, parse_currency};
use wayfare_flights::{AncillaryKind, Query, QueryParts, Slice, SliceParts, TripType};
use wayfare_operations::{
    agency::profile::ProfileChange,
    flights::{
        AgreedPrice, Bought, ExtraWish, FareRulesRequest, FlightOrder, OrderTerms, PriceRequest,
        SearchRequest, StatedFare,
    },
    money::wallets::{LONGEST_REASON, NewAllocation},
};

use self::examples::Example;
use crate::form::{Form, FromForm, like_an_email};

pub use after_sales::{AddServices, Reschedule, RescheduleAvail, ReschedulePenalty};
pub use identity::{LogIn, NewPassword, NewUser, OwnChanges, Refresh, UserChanges};

/// `PUT /org/profile`.
pub struct Profile(pub ProfileChange);

impl FromForm for Profile {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let name = form.short_text("name", 200);
        if name.as_deref() == Some("") {
            form.fault("name", "must not be empty");
        }
        let email = form.short_text("email", 254);
        form.note("email", like_an_email);
        if email.as_deref().is_some_and(|email| !is_email(email)) {
            form.fault("email", "must be an e-mail address");
        }
        let phone = form.short_text("phone", 32);
        let address = form.short_text("address", 500);
        let country = form.short_text("country", 2);
        Some(Self(ProfileChange {
            name,
            email,
            phone,
            address,
            country: country.map(|code| code.to_ascii_uppercase()),
        }))
    }

    fn examples() -> Vec<Example> {
        examples::profile()
    }
}

/// `POST /org/wallet/topup/{id}`.
pub struct Allocation(pub NewAllocation);

impl FromForm for Allocation {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let amount = form.positive("amount");
        let reason = form.short_text("description", LONGEST_REASON);
        Some(Self(NewAllocation {
            amount: amount?,
            reason: reason.unwrap_or_default(),
        }))
    }

    fn examples() -> Vec<Example> {
        examples::allocation()
    }
}

/// `PUT /org/settings`.
pub struct Setting {
    /// Which.
    pub key: String,
    /// What it becomes, to the letter: it may be a secret.
    pub value: String,
}

impl FromForm for Setting {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let key = form.text("key", 64);
        let value = form.secret("value");
        Some(Self {
            key: key?,
            value: value?,
        })
    }

    fn examples() -> Vec<Example> {
        examples::setting()
    }
}

/// `POST /flights/search`.
pub struct Search(pub SearchRequest);

impl FromForm for Search {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let mut parts = QueryParts::default();
        let params = form.object("search_params", |params| {
            let trip_type = params.word::<TripType>("trip_type");
            parts.trip_type = trip_type;
            let cabin = params.word("cabin_class");
            let party = params.object("passengers", |form| party(form, &mut parts));
            let party = params.required("passengers", party);
            let preferred_currency = params
                .optional_text("preferred_currency")
                .filter(|code| !code.is_empty());
            params.note("preferred_currency", || json!({ "pattern": "^([A-Za-z]{3})?$" }));
            let currency = preferred_currency.as_deref().map(parse_currency);
            if currency == Some(None) {
                params.fault("preferred_currency", "must be a 3-letter currency code");
            }
            let direct_only = params.boolean("direct_flights_only").unwrap_or(false);
            let max_results = params.number("max_results", 1..=1000_u16).map(usize::from);
            let airline = params.optional_text("airline_id").filter(|code| !code.is_empty());
            params.note("airline_id", || json!({ "pattern": "^([A-Za-z0-9]{2})?$" }));
            if airline
                .as_ref()
                .is_some_and(|code| code.len() != 2 || !code.bytes().all(|c| c.is_ascii_alphanumeric()))
            {
                params.fault("airline_id", "must be a 2-character IATA airline code");
            }
            Some((
                trip_type?,
                cabin?,
                party?,
                currency.flatten(),
                direct_only,
                max_results,
                airline,
            ))
        });
        let params = form.required("search_params", params);
        let mut legs = Vec::new();
        let slices = form.list("slices", 1..=6, |form| slice(form, &mut legs));
        parts.slices = form.has("slices").then_some(legs);
        let faults = parts.check(form.now());
        form.append(faults);
        let (trip_type, cabin, party, preferred_currency, direct_only, max_results, airline) = params?;
        let airline = airline.map(|code| code.to_ascii_uppercase());
        let query = Query {
            trip_type,
            party,
            cabin,
            slices: slices?,
            direct_only,
            airline,
        };
        Some(Self(SearchRequest {
            query,
            preferred_currency,
            max_results,
        }))
    }

    fn examples() -> Vec<Example> {
        examples::search()
    }
}

fn party(form: &mut Form<'_>, parts: &mut QueryParts) -> Option<Party> {
    let adults = form.number("adults", 1..=9);
    let adults = form.required("adults", adults);
    let children = form.number("children", 0..=9).unwrap_or(0);
    let infants = form.number("infants", 0..=9).unwrap_or(0);
    (parts.adults, parts.infants) = (adults, infants);
    Some(Party {
        adults: adults?,
        children,
        infants,
    })
}

fn slice(form: &mut Form<'_>, legs: &mut Vec<SliceParts>) -> Option<Slice> {
    let origin = form.text("origin", 3).map(|code| code.to_ascii_uppercase());
    let destination = form.text("destination", 3).map(|code| code.to_ascii_uppercase());
    let date = form.date("departure_date");
    for name in ["origin", "destination"] {
        form.note(name, || json!({ "pattern": "^[A-Za-z]{3}$" }));
    }
    legs.push(SliceParts {
        origin: origin.clone(),
        destination: destination.clone(),
        date,
    });
    Some(Slice {
        origin: origin?,
        destination: destination?,
        date: date?,
    })
}

/// `POST /flights/fare-rules`.
pub struct FareRules(pub FareRulesRequest);

impl FromForm for FareRules {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let search_id = form.optional_text("search_id").filter(|id| !id.is_empty());
        form.note("search_id", || json!({ "format": "uuid" }));
        let search_id = search_id.map(|id| id.parse());
        if matches!(search_id, Some(Err(_))) {
            form.fault("search_id", "must be the id of a search");
        }
        let offer_ids = form.texts("offer_ids", 10);
        let fare_keys = form.texts("fare_keys", 10);
        let booking_keys = form.texts("booking_keys", 10);
        let none = [&offer_ids, &fare_keys, &booking_keys]
            .iter()
            .all(|ids| ids.as_ref().is_none_or(Vec::is_empty));
        if none && !form.is_at_fault() {
            form.fault("offer_ids", "this field is required");
        }
        Some(Self(FareRulesRequest {
            search_id: search_id.and_then(Result::ok),
            offer_ids: offer_ids.unwrap_or_default(),
            fare_keys: fare_keys.unwrap_or_default(),
            booking_keys: booking_keys.unwrap_or_default(),
        }))
    }

    fn examples() -> Vec<Example> {
        examples::fare_rules()
    }
}

/// A combinable offer for each of nine adults, there and back.
const MOST_OFFERS: usize = 18;

/// `POST /flights/price`; `flight_selection.offer_ids` is taken too.
pub struct Price(pub PriceRequest);

impl FromForm for Price {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let wrapped = form.object("flight_selection", |selection| {
            selection.texts("offer_ids", MOST_OFFERS)
        });
        let direct = form.texts("offer_ids", MOST_OFFERS);
        let offer_ids = direct.or(wrapped).filter(|ids| !ids.is_empty());
        if offer_ids.is_none() && !form.is_at_fault() {
            form.fault("offer_ids", "this field is required");
        }
        let adults = form.number("adults", 1..=9);
        let children = form.number("children", 0..=9);
        let infants = form.number("infants", 0..=9);
        Some(Self(PriceRequest {
            offer_ids: offer_ids?,
            adults,
            children,
            infants,
        }))
    }

    fn examples() -> Vec<Example> {
        examples::price()
    }
}

/// `POST /flights/book`.
pub struct Book {
    /// What is to be booked.
    pub order: FlightOrder,
    /// What the agency may ask for first.
    pub ticket_password: Option<SecretString>,
}

impl FromForm for Book {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let keys = form
            .texts("booking_keys", MOST_OFFERS)
            .filter(|keys| !keys.is_empty());
        let offers = form.texts("offer_ids", MOST_OFFERS).filter(|ids| !ids.is_empty());
        let bought = keys.map(Bought::Keys).or(offers.map(Bought::Offers));
        if bought.is_none() && !form.is_at_fault() {
            form.fault("booking_keys", "this field is required");
        }
        let contact = contact(form);
        let travellers = form.list("passengers", 1..=27, passenger);
        let agreed = form.object("agent_price", |agreed| {
            for name in [
                "service_fee",
                "gst_on_service_fee",
                "platform_charge",
                "agent_commission",
            ] {
                agreed.decimal(name);
            }
            agreed
                .decimal("agent_fare")
                .map(|agent_fare| AgreedPrice { agent_fare })
        });
        let hold = form.boolean("hold").unwrap_or(false);
        let allow_duplicate = form.boolean("allow_duplicate").unwrap_or(false);
        let ticket_password = form.optional_secret("issue_ticket_password");
        let (travellers, chosen): (Vec<Traveller>, Vec<Vec<Chosen>>) = travellers?.into_iter().unzip();
        Some(Self {
            order: FlightOrder {
                bought: bought?,
                terms: OrderTerms {
                    extras: extras(&travellers, chosen),
                    travellers,
                    contact: contact?,
                    agreed,
                    hold,
                    allow_duplicate,
                },
            },
            ticket_password,
        })
    }

    fn examples() -> Vec<Example> {
        examples::book()
    }
}

/// `POST /flights/bookings/{ref}/issue-ticket`.
pub struct IssueTicket(pub StatedFare);

impl FromForm for IssueTicket {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let amount = form.positive("amount");
        for name in ["public_fare", "agent_commission"] {
            form.decimal(name);
        }
        let agent_fare = form.decimal("agent_fare");
        Some(Self(StatedFare {
            amount: amount?,
            agent_fare,
        }))
    }

    fn examples() -> Vec<Example> {
        examples::issue_ticket()
    }
}

fn contact(form: &mut Form<'_>) -> Option<Contact> {
    let email = form.text("contact_email", 254);
    form.note("contact_email", like_an_email);
    if let Some(email) = &email
        && !is_email(email)
    {
        form.fault("contact_email", "must be an e-mail address");
    }
    let phone = form.text("contact_phone", 20);
    let code = form.optional_text("contact_country_code").unwrap_or_default();
    form.note(
        "contact_phone",
        || json!({ "pattern": r"^(\+[0-9]{7,15}|[0-9]{4,15})$" }),
    );
    form.note(
        "contact_country_code",
        || json!({ "pattern": r"^\+*[0-9]{0,3}$" }),
    );
    let code = code.trim_start_matches('+').to_owned();
    if let Some(phone) = &phone {
        let (digits, shortest) = phone
            .strip_prefix('+')
            .map_or((phone.as_str(), 4), |digits| (digits, 7));
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(digits) || !(shortest..=15).contains(&digits.len()) {
            form.fault("contact_phone", "must be digits, or E.164 such as +919812345678");
        }
        if !phone.starts_with('+') && code.is_empty() {
            form.fault("contact_country_code", "this field is required");
        }
        if !all_digits(&code) || code.len() > 3 {
            form.fault("contact_country_code", "must be 1 to 3 digits such as 91");
        }
    }
    Some(Contact {
        email: email?,
        country_code: code,
        phone: phone?,
    })
}

/// An ancillary as a request names it, and the flight by its place from 0.
struct Chosen {
    kind: AncillaryKind,
    code: String,
    segment: usize,
}

fn passenger(form: &mut Form<'_>) -> Option<(Traveller, Vec<Chosen>)> {
    let chosen = match form.has("ancillaries") {
        true => form.list("ancillaries", 0..=50, chosen),
        false => Some(Vec::new()),
    };
    Some((traveller(form)?, chosen?))
}

fn chosen(form: &mut Form<'_>) -> Option<Chosen> {
    let kind = form.word::<AncillaryKind>("type");
    let code = form.text("code", 100);
    let segment = segment(form);
    Some(Chosen {
        kind: kind?,
        code: code?,
        segment: segment?,
    })
}

/// `s1` is the first.
fn segment(form: &mut Form<'_>) -> Option<usize> {
    let text = form.text("segment_id", 10);
    form.note("segment_id", || json!({ "pattern": "^s[1-9][0-9]*$" }));
    let text = text?;
    let number = text
        .strip_prefix('s')
        .and_then(|number| number.parse::<usize>().ok());
    let place = number.and_then(|number| number.checked_sub(1));
    if place.is_none() {
        form.fault("segment_id", "must be a segment_id such as s1");
    }
    place
}

/// What each traveller has chosen, named by its place in the request.
fn extras(travellers: &[Traveller], chosen: Vec<Vec<Chosen>>) -> Vec<ExtraWish> {
    let mut wishes = Vec::new();
    for (passenger, (traveller, theirs)) in travellers.iter().zip(chosen).enumerate() {
        for (place, one) in theirs.into_iter().enumerate() {
            wishes.push(ExtraWish {
                field: format!("passengers[{passenger}].ancillaries[{place}]"),
                traveller: traveller.index,
                kind: one.kind,
                code: one.code,
                segment: one.segment,
            });
        }
    }
    wishes
}

fn traveller(form: &mut Form<'_>) -> Option<Traveller> {
    let index = form.number("pax_index", 1..=27_u32);
    let index = form.required("pax_index", index);
    let kind = form.word::<PassengerType>("type");
    let title = form.word_in_any_case("title", Title::VARIANTS);
    let first_name = name(form, "first_name", 50);
    let last_name = name(form, "last_name", 50);
    let gender = form.word_in_any_case("gender", &Gender::SPELLINGS);
    let born_on: Option<NaiveDate> = form.date("dob");
    let held_by = form.number("infant_ref", 1..=27_u32);
    Some(Traveller {
        index: index?,
        kind: kind?,
        title: title?,
        first_name: first_name?,
        last_name: last_name?,
        gender: gender?,
        born_on: born_on?,
        held_by,
    })
}

/// Names as passports have them: letters, and between them spaces, hyphens and apostrophes.
fn name(form: &mut Form<'_>, field: &str, longest: usize) -> Option<String> {
    let name = form.text(field, longest)?;
    if !name.chars().all(|c| c.is_alphabetic() || " -'".contains(c)) || !name.contains(char::is_alphabetic) {
        form.fault(field, "must be letters, spaces, hyphens and apostrophes");
    }
    Some(name)
}
