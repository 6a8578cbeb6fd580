//! Our own types in a line each, for snapshots.

use std::collections::{BTreeMap, BTreeSet};

use crate::answers::{debug_or_dash, or_dash};
use wayfare_flights::{
    AirlineChange, Ancillary, FareFee, FareRules, Offer, PassengerShare, RefundPolicy, Segment, SupplierOrder,
};

/// What is counted, with how often: `2 AI, 1 6E`.
fn counted(names: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let texts = counts.iter().map(|(name, count)| format!("{count} {name}"));
    texts.collect::<Vec<_>>().join(", ")
}

fn segment(flight: &Segment) -> String {
    format!(
        "{}{} {} {} T{} - {} {} T{}, {} min, stops {:?}, {} {} by {}, {} {}, {} seats, bags {} / {}",
        flight.airline,
        flight.flight_number,
        flight.origin,
        flight.departure,
        or_dash(flight.departure_terminal.as_ref()),
        flight.destination,
        flight.arrival,
        or_dash(flight.arrival_terminal.as_ref()),
        or_dash(flight.duration_minutes),
        flight.stops,
        debug_or_dash(flight.cabin),
        or_dash(flight.aircraft.as_ref()),
        or_dash(flight.operating_carrier.as_ref()),
        or_dash(flight.booking_class.as_ref()),
        or_dash(flight.fare_basis.as_ref()),
        or_dash(flight.seats_available),
        or_dash(flight.baggage.check_in.as_ref()),
        or_dash(flight.baggage.cabin.as_ref()),
    )
}

fn refund(policy: &RefundPolicy) -> String {
    format!(
        "refund {} {}, change {} {}, no show {}",
        or_dash(policy.refundable),
        debug_or_dash(policy.cancel_fee),
        or_dash(policy.changeable),
        debug_or_dash(policy.change_fee),
        debug_or_dash(policy.no_show_fee),
    )
}

fn share(share: &PassengerShare) -> String {
    let parts = share.tax_parts.iter().map(|part| format!(" {} {}", part.code, part.amount));
    let parts: String = parts.collect();
    format!("{} {:?} {} + {}{parts}", share.count, share.kind, share.base, share.taxes)
}

/// All of an offer but its token, in a line for the whole and one for each journey.
pub fn offer(offer: &Offer) -> String {
    let (charge, fare) = (offer.charge, &offer.fare);
    let shares = offer.shares.iter().flatten().map(share).collect::<Vec<_>>().join("; ");
    let pair = offer.combination.as_ref();
    let mut lines = format!(
        "{:?} {} of {}: {} + {} = {:?}, {} for us, shares [{shares}], {} {} {} {}, {} seats, bags {} / {}, {}, until {}, \
         instant {}, holdable {}, pairs {}",
        offer.kind,
        offer.route_index,
        or_dash(offer.owner.as_ref()),
        charge.base,
        charge.taxes,
        charge.total,
        or_dash(charge.commission),
        or_dash(fare.fare_class.as_ref()),
        or_dash(fare.fare_family.as_ref()),
        or_dash(fare.fare_name.as_ref()),
        or_dash(fare.fare_type.as_ref()),
        or_dash(fare.seats_left),
        or_dash(fare.baggage.check_in.as_ref()),
        or_dash(fare.baggage.cabin.as_ref()),
        refund(&fare.refund),
        or_dash(offer.expires_at),
        offer.instant,
        offer.can_hold == Some(true),
        or_dash(pair.map(|pair| format!("{} {:?}", pair.group, pair.with))),
    );
    for journey in &offer.journeys {
        let flights: Vec<String> = journey.segments.iter().map(segment).collect();
        let minutes = or_dash(journey.duration_minutes);
        lines.push_str(&format!("\n  {minutes} min: {}", flights.join(" > ")));
    }
    lines
}

/// What many offers come to: how many they are of each sort, and sums of whatever can be added.
pub fn totals(offers: &[Offer]) -> String {
    let mut sums: BTreeMap<&str, [rust_decimal::Decimal; 5]> = BTreeMap::new();
    for offer in offers {
        let charge = offer.charge;
        let sums = sums.entry(charge.total.currency().code()).or_default();
        let refund = &offer.fare.refund;
        let parts =
            [Some(charge.base), Some(charge.taxes), Some(charge.total), refund.cancel_fee, refund.change_fee];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum += part.map(|part| part.amount()).unwrap_or_default();
        }
    }
    let flights = || offers.iter().flat_map(Offer::segments);
    let minutes: u32 = flights().filter_map(|flight| flight.duration_minutes).sum();
    let door_to_door = offers.iter().flat_map(|offer| &offer.journeys);
    let door_to_door: u32 = door_to_door.filter_map(|journey| journey.duration_minutes).sum();
    let times: i64 = flights().map(|flight| (flight.arrival - flight.departure).num_minutes()).sum();
    let numbers: u64 = flights().filter_map(|flight| flight.flight_number.parse::<u64>().ok()).sum();
    let routes = flights().map(|flight| format!("{}-{}", flight.origin, flight.destination));
    let routes: BTreeSet<String> = routes.collect();
    let sorts = offers
        .iter()
        .map(|offer| format!("{:?} {} of {}", offer.kind, offer.route_index, or_dash(offer.owner.as_ref())));
    let fares = offers.iter().map(|offer| {
        let fare = &offer.fare;
        let refund = (fare.refund.refundable, fare.refund.changeable);
        format!(
            "{} {} {refund:?} {}/{}",
            or_dash(fare.fare_name.as_ref()),
            or_dash(fare.fare_type.as_ref()),
            offer.instant,
            offer.can_hold == Some(true)
        )
    });
    let bags = flights().map(|flight| {
        format!("{} / {}", or_dash(flight.baggage.check_in.as_ref()), or_dash(flight.baggage.cabin.as_ref()))
    });
    let classes = flights()
        .map(|flight| format!("{} {}", debug_or_dash(flight.cabin), or_dash(flight.booking_class.as_ref())));
    let carriers =
        flights().map(|flight| format!("{}/{}", flight.airline, or_dash(flight.operating_carrier.as_ref())));
    let mut text = format!("{} offers: {}", offers.len(), counted(sorts));
    for (currency, [base, taxes, total, cancel, change]) in sums {
        text.push_str(&format!("\n  {base} + {taxes} = {total} {currency}, fees {cancel} {change}"));
    }
    let rows = [
        format!(
            "flights {minutes} min, {door_to_door} door to door, {times} by the clocks, numbers {numbers}"
        ),
        format!("routes {}", routes.into_iter().collect::<Vec<_>>().join(" ")),
        format!("carriers {}", counted(carriers)),
        format!("classes {}", counted(classes)),
        format!("fares {}", counted(fares)),
        format!("bags {}", counted(bags)),
    ];
    rows.iter().for_each(|row| text.push_str(&format!("\n  {row}")));
    text
}

pub fn ancillary(sold: &Ancillary) -> String {
    let kind = sold.kind.as_ref();
    format!("{kind} {} | {} | {} x{} on {:?}", sold.code, sold.name, sold.price, sold.most, sold.segments)
}

fn fee(fee: &FareFee) -> String {
    format!(
        "{} {} for {}: {} {} + {}, {} to {} h, after departure {}, {:?}",
        fee.kind.as_ref(),
        or_dash(fee.route.as_ref()),
        debug_or_dash(fee.passenger),
        or_dash(fee.allowed),
        debug_or_dash(fee.amount),
        debug_or_dash(fee.supplier_fee),
        or_dash(fee.from_hours),
        or_dash(fee.until_hours),
        fee.after_departure,
        fee.text.as_deref().unwrap_or_default(),
    )
}

/// A line for each fee, and the text.
pub fn rules(rules: &FareRules) -> String {
    let fees = rules.fees.iter().map(fee);
    fees.chain([format!("text: {}", rules.text)]).collect::<Vec<_>>().join("\n")
}

/// All of an order but what its supplier said.
pub fn order(order: &SupplierOrder) -> String {
    let tickets = order.tickets.iter().map(|ticket| {
        let whose = ticket.traveller.unwrap_or_default();
        format!("{whose}:{} {:?}", ticket.number, ticket.status)
    });
    let locators = order.locators.iter().map(|locator| format!("{} {}", locator.route, locator.pnr));
    format!(
        "{} {:?} {}/{} [{}], {:?}, tickets [{}], pay by {}, price until {}, made {}, {} changes",
        order.id,
        order.status,
        order.pnr,
        order.airline_pnr,
        locators.collect::<Vec<_>>().join(", "),
        order.total,
        tickets.collect::<Vec<_>>().join(", "),
        or_dash(order.payment_required_by),
        or_dash(order.price_guaranteed_until),
        or_dash(order.created_at),
        order.airline_changes.len(),
    )
}

pub fn change(change: &AirlineChange) -> String {
    let flights = |flights: &[Segment]| flights.iter().map(segment).collect::<Vec<_>>().join(" > ");
    format!(
        "{} {} {:?} {}\n  - {}\n  + {}",
        change.id,
        or_dash(change.action_taken.as_ref()),
        change.available_actions,
        or_dash(change.told_at),
        flights(&change.removed),
        flights(&change.added),
    )
}
