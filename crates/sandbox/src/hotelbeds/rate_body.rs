//! Hotels and rates in JSON, the same for searches, checks and bookings but for what each leaves out.

use chrono::{DateTime, Days, Utc};
use serde::Serialize;

use super::destinations::{self, ZONE};
use super::offers::Sold;
use super::party;
use super::wire::{Category, Text, board_name, instant};
use crate::hotels::{DueThere, Hotel, Levy, Terms};
use crate::rng::Rng;
use crate::server::World;
use crate::tariff::Tariff;

/// How much more than the net price the public must pay where a hotel says what, in percent.
const MANDATORY_MARKUP: u32 = 12;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HotelHead {
    code: u32,
    name: String,
    category_code: String,
    category_name: String,
    destination_code: String,
    destination_name: &'static str,
    zone_code: u32,
    zone_name: &'static str,
    latitude: Text,
    longitude: Text,
}

impl HotelHead {
    pub(super) fn of(hotel: &Hotel) -> Self {
        let category = Category::of(hotel);
        Self {
            code: hotel.id.hotelbeds(),
            name: hotel.name(),
            category_code: category.code,
            category_name: category.name,
            destination_code: destinations::code_of(hotel.city),
            destination_name: hotel.city.name,
            zone_code: ZONE,
            zone_name: hotel.city.name,
            latitude: Text(hotel.latitude()),
            longitude: Text(hotel.longitude()),
        }
    }
}

#[derive(Serialize)]
pub(super) struct RoomBody {
    pub(super) code: &'static str,
    pub(super) name: String,
    pub(super) rates: Vec<RateBody>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RateBody {
    #[serde(flatten)]
    call_fields: CallFields,
    rate_class: &'static str,
    net: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    selling_rate: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hotel_mandatory: Option<bool>,
    payment_type: &'static str,
    packaging: bool,
    board_code: &'static str,
    board_name: &'static str,
    cancellation_policies: Vec<Policy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    taxes: Option<Taxes>,
    rooms: u8,
    /// In each room.
    adults: u8,
    children: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    children_ages: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    promotions: Vec<Promotion>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    offers: Vec<Offer>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) allotment: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate_comments_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate_comments: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate_break_down: Option<BreakDown>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) daily_rates: Vec<Daily>,
}

/// From an instant on, so much is kept.
#[derive(Serialize)]
struct Policy {
    amount: Text,
    from: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Taxes {
    taxes: Vec<Tax>,
    all_included: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tax {
    included: bool,
    amount: Text,
    currency: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    for_client: Option<ForClient>,
}

/// A tax in the client's money, where it is paid at the hotel.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ForClient {
    client_amount: Text,
    client_currency: &'static str,
}

/// Something off, with a negative amount.
#[derive(Serialize)]
pub(super) struct Offer {
    code: &'static str,
    name: String,
    amount: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BreakDown {
    rate_discounts: Vec<Offer>,
}

#[derive(Serialize)]
struct Promotion {
    code: &'static str,
    name: &'static str,
}

/// Code and name of the only promotion: these rates cannot be changed.
pub(super) const PROMOTION: (&str, &str) = ("073", "Non-refundable rate. No amendments permitted");

/// The price of a night, counted from 1.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Daily {
    offset: usize,
    daily_net: Text,
}

impl RateBody {
    pub(super) fn of(world: &World, sold: &Sold, found_at: DateTime<Utc>, call_fields: CallFields) -> Self {
        let key = sold.rate.key;
        let rate_class = match key.terms {
            Terms::Flexible => "NOR",
            Terms::NonRefundable => "NRF",
        };
        let is_mandatory = Rng::of(world.seed, &sold.hotel.id.named("hotelbeds/mandatory")).one_in(5);
        let selling_rate =
            is_mandatory.then(|| Text(world.tariff.moved(sold.net(), MANDATORY_MARKUP.into())));
        let (code, name) = PROMOTION;
        let has_promotion = key.terms == Terms::NonRefundable && sold.hotel.id.place.is_multiple_of(2);
        Self {
            call_fields,
            rate_class,
            net: Text(sold.net()),
            selling_rate,
            hotel_mandatory: is_mandatory.then_some(true),
            payment_type: "AT_WEB",
            packaging: false,
            board_code: key.board.code(),
            board_name: board_name(key.board),
            cancellation_policies: policies(sold, found_at),
            taxes: taxes(world, sold),
            rooms: sold.party.rooms,
            adults: sold.party.guests.adults,
            children: sold.party.guests.children.len(),
            children_ages: party::ages(&sold.party.guests),
            promotions: has_promotion
                .then_some(Promotion { code, name })
                .into_iter()
                .collect(),
            offers: discount(sold).into_iter().collect(),
        }
    }
}

/// How the price of a rate came about, where that is told.
pub(super) fn break_down(sold: &Sold) -> Option<BreakDown> {
    let discount = discount(sold)?;
    Some(BreakDown {
        rate_discounts: vec![discount],
    })
}

fn discount(sold: &Sold) -> Option<Offer> {
    let discount = sold.rate.discount.as_ref()?;
    Some(Offer {
        code: "9001",
        name: format!("Early booking discount {}%", discount.percent),
        amount: Text(-sold.of_all(discount.amount)),
    })
}

pub(super) fn daily_rates(sold: &Sold) -> Vec<Daily> {
    let nights = (1..).zip(&sold.rate.nights);
    nights
        .map(|(offset, night)| Daily {
            offset,
            daily_net: Text(sold.of_all(*night)),
        })
        .collect()
}

/// What cancelling costs from when on. Where nothing ever comes back, that began the day before the search.
fn policies(sold: &Sold, found_at: DateTime<Utc>) -> Vec<Policy> {
    let city = sold.hotel.city;
    if sold.rate.steps.is_empty() {
        let today = found_at.with_timezone(&city.time_zone).date_naive();
        let yesterday = today.checked_sub_days(Days::new(1)).unwrap_or(today);
        let evening = yesterday.and_hms_opt(23, 59, 0).unwrap_or_default();
        return vec![Policy {
            amount: Text(sold.net()),
            from: instant(city, city.instant_of(evening)),
        }];
    }
    let steps = sold.rate.steps.iter();
    steps
        .map(|step| Policy {
            amount: Text(sold.of_all(step.keeps)),
            from: instant(city, step.from),
        })
        .collect()
}

/// What states, cities and houses take; some hotels say nothing of taxes that are within the price.
fn taxes(world: &World, sold: &Sold) -> Option<Taxes> {
    let due_there = &sold.rate.due_there;
    let says_nothing = Rng::of(world.seed, &sold.hotel.id.named("hotelbeds/taxes")).one_in(6);
    if due_there.is_empty() && says_nothing {
        return None;
    }
    let included = Tax {
        included: true,
        amount: Text(sold.of_all(sold.rate.tax)),
        currency: world.tariff.currency.to_owned(),
        kind: "TAX",
        for_client: None,
    };
    let due = due_there.iter().map(|due| due_at_hotel(world, sold, due));
    Some(Taxes {
        taxes: std::iter::once(included).chain(due).collect(),
        all_included: due_there.is_empty(),
    })
}

fn due_at_hotel(world: &World, sold: &Sold, due: &DueThere) -> Tax {
    let amount = sold.of_all(due.amount);
    let money = Tariff::in_currency(&due.currency);
    Tax {
        included: false,
        amount: Text(amount),
        currency: due.currency.clone(),
        kind: match due.levy {
            Levy::SalesTax | Levy::CityTax => "TAX",
            Levy::ResortFee => "FEE",
        },
        for_client: money.map(|money| ForClient {
            client_amount: Text(world.tariff.worth(amount, &money)),
            client_currency: world.tariff.currency,
        }),
    }
}
