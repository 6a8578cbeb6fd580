//! A price as it is shown: its parts, its flights, who travels by it and what can be had besides.

use rust_decimal::Decimal;
use wayfare_client::{
    Amount,
    enums::{AncillaryType, FeeType, PassengerType, RequirementKind},
    flights::{Ancillary, FlightPrice, PricedSegment},
};

use super::{
    offers::{bags, cabin_name},
    order::{Seat, seats, wanted},
    papers::{PAPERS, PaperFields},
};
use crate::{
    day,
    prelude::*,
    sale::{Balance, Buyer},
};

#[derive(Template)]
#[template(path = "flights/price_card.html")]
pub struct PriceCard<'a> {
    pub payable: String,
    public: String,
    customer: Sums,
    /// What the agency pays, from what the customer pays.
    agency: Sums,
    /// What changing one's mind costs.
    rules: &'a str,
    fees: Vec<(&'static str, String)>,
    segments: &'a [PricedSegment],
    balance: Balance,
}

/// The form for who travels.
#[derive(Template)]
#[template(path = "flights/travellers.html")]
pub struct Travellers<'a> {
    seats: Vec<SeatView>,
    fields: &'a Fields,
    wrongs: &'a Wrongs,
    /// Whether a number for GST is wanted, and must be given.
    wants_gst: Option<bool>,
    /// Whether it can be held, and until when.
    hold: Option<Option<Moment>>,
}

struct SeatView {
    pub seat: Seat,
    pub titles: &'static [&'static str],
    /// Whether the passport is wanted, and must be given.
    pub passport: Option<bool>,
    /// The fields of each other paper, none of one that is not wanted.
    pub papers: [PaperFields; PAPERS.len()],
    pub extras: Vec<Extra>,
}

/// What one traveller can have of one kind on one flight.
struct Extra {
    /// `Bags, DEL – BOM`.
    pub label: String,
    /// What is sent, what is shown, and whether it is chosen.
    pub choices: Vec<(String, String, bool)>,
}

impl<'a> PriceCard<'a> {
    /// Of a price, for whoever pays it.
    pub fn of(price: &'a FlightPrice, buyer: &Buyer, extras: Decimal) -> Self {
        let currency = price.currency.as_str();
        let summary = &price.price_summary;
        let total = summary.total_payable.0 + extras;
        Self {
            payable: money(total.into(), currency),
            public: money((summary.public_fare.0 + extras).into(), currency),
            customer: customer(price, extras),
            agency: agency(price, extras),
            rules: &price.fare_rules.rule_text,
            fees: fees(price),
            segments: &price.itinerary_snapshot.segments,
            balance: Balance::of(buyer, total, currency),
        }
    }
}

impl<'a> Travellers<'a> {
    pub fn of(price: &FlightPrice, fields: &'a Fields, wrongs: &'a Wrongs) -> Self {
        let of_booking = price.requires.iter().filter(|one| one.what == RequirementKind::Gst);
        let can_hold = price.hold.can_hold == Some(true);
        Self {
            seats: seat_views(price, fields),
            fields,
            wrongs,
            wants_gst: of_booking.map(|one| one.mandatory == Some(true)).max(),
            hold: can_hold.then(|| price.hold.pay_by.map(Moment::of)),
        }
    }

    /// What a field of a traveller holds.
    fn typed(&self, seat: &Seat, name: &str) -> &'a str {
        self.fields.get(&seat.field(name))
    }

    /// What is wrong with a field of a traveller.
    fn wrong(&self, seat: &Seat, name: &str) -> &'a str {
        self.wrongs.of_field(&seat.field(name))
    }
}

/// What the agency pays: the customer's fare less what it earns, with the platform's fees.
fn agency(price: &FlightPrice, extras: Decimal) -> Sums {
    let details = &price.price_summary.agent_details;
    let sums = Sums::of(&price.currency)
        .small()
        .line("Customer fare", price.price_summary.public_fare)
        .less("Your commission", details.agent_commission.unwrap_or_default())
        .part("Service fee", details.service_fee)
        .part("GST on the service fee", details.gst_on_service_fee)
        .part("Platform fee", details.platform_charge)
        .total("Net fare", details.agent_fare);
    match extras.is_zero() {
        true => sums,
        false => sums.line("Seats, bags and meals", extras).total("You pay", details.agent_fare.0 + extras),
    }
}

/// What the customer pays: base fares, taxes, the agency's markup, and what was chosen besides.
fn customer(price: &FlightPrice, extras: Decimal) -> Sums {
    let summary = &price.price_summary;
    let mut sums = Sums::of(&price.currency).small();
    for share in &price.passenger_breakdown {
        let who = match share.pax_type {
            PassengerType::Adult => "Adult",
            PassengerType::Child => "Child",
            PassengerType::Infant => "Infant",
            _ => "Traveller",
        };
        let count = Decimal::from(share.count);
        let base = share.base_per_pax.0 * count;
        sums = sums.line(format!("{who} × {}, base fare", share.count), base);
        for tax in &share.tax_breakdown {
            let name = match tax.description.is_empty() {
                true => &tax.code,
                false => &tax.description,
            };
            sums = sums.part(format!("{who} × {}, {name}", share.count), tax.amount.0 * count);
        }
    }
    sums.part("Agency markup", summary.public_markup)
        .part("Seats, bags and meals", extras)
        .total("Customer price", summary.public_fare.0 + extras)
}

fn fees(price: &FlightPrice) -> Vec<(&'static str, String)> {
    let rules = &price.fare_rules;
    let fee = |amount: Option<Amount>, kind: FeeType| {
        let others = rules.other_currency_fees.iter();
        let others = others.filter(|other| other.kind == kind);
        let mut all: Vec<String> = others.map(|fee| money(fee.amount, &fee.currency)).collect();
        all.extend(amount.map(|fee| money(fee, &price.currency)));
        match all.is_empty() {
            true => "Not known".to_owned(),
            false => all.join(" + "),
        }
    };
    let refundable = match rules.is_refundable {
        Some(true) => "Yes",
        Some(false) => "No",
        None => "Not known",
    };
    vec![
        ("Refundable", refundable.to_owned()),
        ("Cancellation fee", fee(rules.cancellation_fee, FeeType::Cancellation)),
        ("Date-change fee", fee(rules.change_fee, FeeType::DateChange)),
    ]
}

/// An airport, and its terminal where that is told.
fn place(code: &str, terminal: Option<&str>) -> String {
    match terminal.filter(|terminal| !terminal.is_empty()) {
        Some(terminal) => format!("{code}, {terminal}"),
        None => code.to_owned(),
    }
}

fn about(segment: &PricedSegment) -> String {
    let about = [
        segment.duration_minutes.map(day::duration),
        segment.cabin_class.as_ref().map(cabin_name),
        segment.fare_type.clone().filter(|text| !text.is_empty()),
    ];
    let bags = bags(segment.baggage.as_deref(), segment.cabin_baggage.as_deref());
    about.into_iter().flatten().chain(bags).collect::<Vec<_>>().join(" · ")
}

/// The travellers' parts of the form.
fn seat_views(price: &FlightPrice, fields: &Fields) -> Vec<SeatView> {
    let view = |seat: Seat| SeatView {
        titles: match seat.kind {
            PassengerType::Adult => &["Mr", "Mrs", "Ms", "Miss", "Dr"],
            _ => &["Mstr", "Miss"],
        },
        passport: wanted(price, "passport", &seat),
        papers: PAPERS.map(|(what, _, all)| wanted(price, what, &seat).map(|_| all).unwrap_or_default()),
        extras: extras(price, &seat, fields),
        seat,
    };
    seats(price).into_iter().map(view).collect()
}

fn extras(price: &FlightPrice, seat: &Seat, fields: &Fields) -> Vec<Extra> {
    if seat.kind == PassengerType::Infant {
        return Vec::new();
    }
    let kinds = [
        (AncillaryType::Seat, "Seat"),
        (AncillaryType::Baggage, "More bags"),
        (AncillaryType::Meal, "Meal"),
        (AncillaryType::Other, "Other"),
    ];
    let field = seat.field("ancillaries");
    let chosen: Vec<&str> = fields.all(&field).collect();
    let mut all = Vec::new();
    for segment in &price.itinerary_snapshot.segments {
        for (kind, name) in &kinds {
            let of_both = |one: &&Ancillary| one.kind == *kind && one.segment_id == segment.segment_id;
            let choices: Vec<_> = price
                .ancillaries
                .iter()
                .filter(of_both)
                .map(|one| {
                    let value = format!("{}|{}|{}", one.kind, one.code, one.segment_id);
                    let is_chosen = chosen.contains(&value.as_str());
                    (value, format!("{}, {}", one.name, money(one.price, &price.currency)), is_chosen)
                })
                .collect();
            if !choices.is_empty() {
                all.push(Extra {
                    label: format!("{name}, {} – {}", segment.origin, segment.destination),
                    choices,
                });
            }
        }
    }
    all
}

/// What the chosen seats, bags and meals cost.
pub fn extras_total(price: &FlightPrice, fields: &Fields) -> Decimal {
    let chosen = fields.0.iter().filter(|(name, _)| name.ends_with(".ancillaries"));
    let cost = |value: &str| {
        let found = price
            .ancillaries
            .iter()
            .find(|one| format!("{}|{}|{}", one.kind, one.code, one.segment_id) == value);
        found.map(|one| one.price.0).unwrap_or_default()
    };
    chosen.map(|(_, value)| cost(value)).sum()
}
