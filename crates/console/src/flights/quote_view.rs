//! A price as it is shown: its parts, its flights, who travels by it and what can be had besides.

use rust_decimal::Decimal;
use wayfare_client::{
    Amount, Wallet,
    enums::{AncillaryType, PassengerType},
    flights::{Ancillary, FlightPrice, PricedSegment},
};

use super::{
    offers::{cabin_name, checked_bag},
    order::{Seat, seats, wanted},
};
use crate::{
    day::{self, Moment},
    form::{Fields, Wrongs},
    money::money,
};

/// A price.
pub struct QuoteView {
    /// What the wallet pays.
    pub payable: String,
    /// What the traveller pays.
    pub public: String,
    /// Lines of what the traveller pays.
    pub fares: Vec<(String, String)>,
    /// Lines of what the agency pays.
    pub agency: Vec<(&'static str, String)>,
    /// Until when it holds.
    pub until: Moment,
    /// What changing one's mind costs.
    pub rules: String,
    /// The same in figures.
    pub fees: Vec<(&'static str, String)>,
    /// The flights.
    pub segments: Vec<SegmentView>,
    /// What can be spent before and after it.
    pub wallet: String,
    /// What is left then; none where it does not reach.
    pub after: Option<String>,
    /// Whether it can be held, and until when.
    pub hold: Option<Option<Moment>>,
    /// What it moved from and to, since it was shown.
    pub moved: Option<(String, String, String)>,
}

/// A flight.
pub struct SegmentView {
    /// `6E 203`.
    pub flight: String,
    /// The day.
    pub day: String,
    /// By the clocks there.
    pub departs: String,
    /// By the clocks there.
    pub arrives: String,
    /// With the terminal.
    pub from: String,
    /// With the terminal.
    pub to: String,
    /// Class, duration, bags.
    pub about: String,
}

/// A traveller's part of the form.
pub struct SeatView {
    /// Who.
    pub seat: Seat,
    /// How they may be addressed.
    pub titles: &'static [&'static str],
    /// Whether the passport is wanted, and must be given.
    pub passport: Option<bool>,
    /// The same of a taxpayer's number of India.
    pub pan: Option<bool>,
    /// The same of a taxpayer's number of another country.
    pub tax_id: Option<bool>,
    /// The same of what gives a right to the fare.
    pub fare_document: Option<bool>,
    /// What can be had besides.
    pub extras: Vec<Extra>,
}

/// What one traveller can have of one kind on one flight.
pub struct Extra {
    /// `Bags, DEL – BOM`.
    pub label: String,
    /// What is sent, what is shown, and whether it is chosen.
    pub choices: Vec<(String, String, bool)>,
}

impl QuoteView {
    /// Of a price, with the wallet that pays it.
    pub fn of(price: &FlightPrice, wallet: &Wallet, extras: Decimal) -> Self {
        let currency = price.currency.as_str();
        let text = |amount: Amount| money(amount, currency);
        let summary = &price.price_summary;
        let total = summary.total_payable.0 + extras;
        let spendable = wallet.spendable.unwrap_or(wallet.balance).0;
        let details = &summary.agent_details;
        let mut agency = vec![("Fare for you", text(details.agent_fare))];
        let parts = [
            ("of it service fee", details.service_fee),
            ("of it tax on the fee", details.gst_on_service_fee),
            ("of it platform charge", details.platform_charge),
        ];
        agency.extend(
            parts
                .into_iter()
                .filter(|(_, amount)| !amount.0.is_zero())
                .map(|(name, amount)| (name, text(amount))),
        );
        if let Some(commission) = details.agent_commission.filter(|amount| !amount.0.is_zero()) {
            agency.push(("You earn", text(commission)));
        }
        if !extras.is_zero() {
            agency.push(("Seats, bags and meals", text(extras.into())));
        }
        Self {
            payable: text(total.into()),
            public: text((summary.public_fare.0 + extras).into()),
            fares: fares(price),
            agency,
            until: Moment::of(price.expires_at),
            rules: price.fare_rules.rule_text.clone(),
            fees: fees(price),
            segments: price.itinerary_snapshot.segments.iter().map(segment).collect(),
            wallet: text(spendable.into()),
            after: (spendable >= total).then(|| text((spendable - total).into())),
            hold: price
                .hold
                .filter(|hold| hold.can_hold == Some(true))
                .map(|hold| hold.pay_by.map(Moment::of)),
            moved: price.price_change.as_ref().map(|change| {
                let difference = change.new_total.0 - change.old_total.0;
                let sign = if difference.is_sign_positive() { "+" } else { "" };
                let difference = format!("{sign}{}", text(difference.into()));
                (text(change.old_total), text(change.new_total), difference)
            }),
        }
    }
}

fn fares(price: &FlightPrice) -> Vec<(String, String)> {
    let text = |amount: Amount| money(amount, &price.currency);
    let mut lines = Vec::new();
    for share in &price.passenger_breakdown {
        let who = match share.pax_type {
            PassengerType::Adult => "Adult",
            PassengerType::Child => "Child",
            PassengerType::Infant => "Infant",
            _ => "Traveller",
        };
        let count = Decimal::from(share.count);
        lines.push((
            format!("{who} × {}, base fare", share.count),
            text((share.base_per_pax.0 * count).into()),
        ));
        for tax in &share.tax_breakdown {
            let name = if tax.description.is_empty() {
                &tax.code
            } else {
                &tax.description
            };
            lines.push((
                format!("{who} × {}, {name}", share.count),
                text((tax.amount.0 * count).into()),
            ));
        }
    }
    lines
}

fn fees(price: &FlightPrice) -> Vec<(&'static str, String)> {
    let rules = &price.fare_rules;
    let fee = |amount: Option<Amount>| {
        amount.map_or_else(|| "Not known".to_owned(), |fee| money(fee, &price.currency))
    };
    let refundable = match rules.is_refundable {
        Some(true) => "Yes",
        Some(false) => "No",
        None => "Not known",
    };
    vec![
        ("Refundable", refundable.to_owned()),
        ("Cancelling now", fee(rules.cancellation_fee)),
        ("Another date now", fee(rules.change_fee)),
    ]
}

fn segment(segment: &PricedSegment) -> SegmentView {
    let place = |code: &str, terminal: &Option<String>| match terminal {
        Some(terminal) if !terminal.is_empty() => format!("{code}, {terminal}"),
        _ => code.to_owned(),
    };
    let cabin = segment.cabin_class.as_ref().map(cabin_name);
    let bags = segment.baggage.as_deref().and_then(checked_bag);
    let hand = segment.cabin_baggage.clone().filter(|text| !text.is_empty());
    let about = [
        segment.duration_minutes.map(day::duration),
        cabin,
        segment.fare_type.clone().filter(|text| !text.is_empty()),
        bags,
        hand.map(|text| format!("{text} in the cabin")),
    ];
    SegmentView {
        flight: format!("{} {}", segment.airline, segment.flight_number),
        day: day::day(segment.departure.date()),
        departs: day::clock(segment.departure),
        arrives: day::clock(segment.arrival),
        from: place(&segment.origin, &segment.dep_terminal),
        to: place(&segment.destination, &segment.arr_terminal),
        about: about.into_iter().flatten().collect::<Vec<_>>().join(" · "),
    }
}

/// The travellers' parts of the form.
pub fn seat_views(price: &FlightPrice, fields: &Fields) -> Vec<SeatView> {
    let view = |seat: Seat| SeatView {
        titles: match seat.kind {
            PassengerType::Adult => &["Mr", "Mrs", "Ms", "Miss", "Dr"],
            _ => &["Mstr", "Miss"],
        },
        passport: wanted(price, "passport", &seat),
        pan: wanted(price, "pan", &seat),
        tax_id: wanted(price, "tax_id", &seat),
        fare_document: wanted(price, "fare_document", &seat),
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
                    (
                        value,
                        format!("{}, {}", one.name, money(one.price, &price.currency)),
                        is_chosen,
                    )
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

/// What a field of a traveller holds, for the form.
pub fn typed<'a>(fields: &'a Fields, seat: &Seat, name: &str) -> &'a str {
    fields.get(&seat.field(name))
}

/// What is wrong with a field of a traveller.
pub fn wrong<'a>(wrongs: &'a Wrongs, seat: &Seat, name: &str) -> &'a str {
    wrongs.of_field(&seat.field(name))
}
