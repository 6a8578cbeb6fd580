//! What is booked, and for whom.

use strum::VariantNames;
use uuid::Uuid;
use wayfare_contract::hotels as contract;
use wayfare_domain::{QuoteId, Title};
use wayfare_hotels::{Guest, GuestKind, StayContact};
use wayfare_operations::hotels::{AgreedFare, HotelOrder, MOST_ROOMS, RoomOrder};
use wayfare_reference::{Telephone, TelephoneFault, calling_code_of, country_name, telephone_digits};

use crate::{
    http::json_body::{FromJson, JsonObject},
    resources::{
        common::{email, family_name, name, remarks, telephone_text},
        hotels::common::{LONGEST_KEY, LONGEST_NAME, currency, two_letters},
    },
};

/// `POST /hotels/book`.
impl FromJson for HotelOrder {
    const NAME: &str = "BookHotelRequest";
    type Declared = contract::HotelOrder;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let price_id = body.text("price_id", 128);
        let hotel_id = body.text("hotel_id", LONGEST_KEY);
        let check_in = body.date("check_in");
        let check_out = body.date("check_out");
        let rooms = body.list("rooms", 1..=MOST_ROOMS, |room| {
            let room_id = room.text("room_id", LONGEST_KEY);
            let rate_id = room.text("rate_id", LONGEST_KEY);
            let guests = room.list("guests", 1..=18, guest);
            Some(RoomOrder { room_id: room_id?, rate_id: rate_id?, guests: guests? })
        });
        let contact = body.object("contact", contact);
        let contact = body.required("contact", contact);
        let remarks = remarks(body);
        let agreed = body.object("fare", |fare| {
            fare.decimal("public_fare");
            fare.decimal("agent_commission");
            let agent_fare = fare.decimal("agent_fare");
            Some(AgreedFare { agent_fare, currency: currency(fare, "currency") })
        });
        let allow_duplicate = body.boolean("allow_duplicate").unwrap_or(false);
        Some(Self {
            price_id: Uuid::try_parse(&price_id?).ok().map(QuoteId::from_uuid),
            hotel_id: hotel_id?,
            check_in: check_in?,
            check_out: check_out?,
            rooms: rooms?,
            contact: contact?,
            remarks,
            agreed: agreed.unwrap_or_default(),
            allow_duplicate,
        })
    }
}

fn guest(body: &mut JsonObject<'_>) -> Option<Guest> {
    let kind = body.word::<GuestKind>("type");
    let title = match body.has("title") {
        true => body.word_in_any_case("title", Title::VARIANTS),
        false => None,
    };
    let (first_name, last_name) = names(body);
    let nationality = two_letters(body, "nationality", "a two-letter country code", |code| {
        country_name(&code.to_ascii_uppercase()).is_some()
    });
    let age = body.number("age", 0..=17_u8);
    if age.is_some() && kind == Some(GuestKind::Adult) {
        body.fault("age", "is only for a child");
    }
    Some(Guest {
        kind: kind?,
        title,
        first_name: first_name?,
        last_name: last_name?,
        nationality: nationality.map(|code| code.to_ascii_uppercase()),
        age,
    })
}

/// Hotels want two names: who has one only has it as both.
fn names(body: &mut JsonObject<'_>) -> (Option<String>, Option<String>) {
    let first_name = name(body, "first_name", LONGEST_NAME);
    let last_name = match family_name(body, LONGEST_NAME) {
        Some(last_name) if last_name.is_empty() => first_name.clone(),
        last_name => last_name,
    };
    (first_name, last_name)
}

fn contact(body: &mut JsonObject<'_>) -> Option<StayContact> {
    let (first_name, last_name) = names(body);
    let email = email(body, "email");
    let phone = telephone_text(body, "phone").and_then(|text| {
        let read = hotel_phone(&text, body.country());
        read.map_err(|fault| body.fault("phone", fault.to_string())).ok()
    });
    Some(StayContact { first_name: first_name?, last_name: last_name?, email: email?, phone: phone? })
}

/// E.164 where the number has its calling code, or where it is one of the agency's country (D-652); else its digits, since it may
/// be of the country of the guest.
fn hotel_phone(text: &str, country: &str) -> Result<String, TelephoneFault> {
    let home = calling_code_of(country).unwrap_or_default();
    match Telephone::read(text, home) {
        Ok(phone) if phone.is_international() || phone.is_in_use() => Ok(phone.e164()),
        Err(fault @ (TelephoneFault::NotDigits | TelephoneFault::UnknownCode)) => Err(fault),
        Err(fault) if text.starts_with('+') => Err(fault),
        _ => telephone_digits(text)
            .filter(|digits| (4..=15).contains(&digits.len()))
            .ok_or(TelephoneFault::NotDigits),
    }
}
