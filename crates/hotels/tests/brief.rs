//! Our own types in a few lines each, for snapshots.

use crate::answers::{debug_or_dash, or_dash};
use wayfare_hotels::{CancellationPolicy, HotelResult, RoomRate, SupplierStay};

/// The beginnings of texts, which may be long and are not ours.
fn cut(texts: &[String]) -> Vec<String> {
    let texts = texts.iter();
    texts.map(|text| text.chars().take(24).collect()).collect()
}

fn policy(policy: &CancellationPolicy) -> String {
    let deadlines = policy.deadlines.iter();
    let deadlines =
        deadlines.map(|deadline| format!("{:?} from {} ({})", deadline.fee, deadline.from, deadline.text));
    let free = policy.free_until();
    format!(
        "refundable {}, free until {}, {}, remarks {:?}",
        or_dash(policy.refundable),
        or_dash(free),
        deadlines.collect::<Vec<_>>().join(", "),
        policy.remarks,
    )
}

/// All of a rate but its token.
pub fn rate(rate: &RoomRate) -> String {
    let parts = rate.parts;
    let fees = rate.fees_at_hotel.iter();
    let fees = fees.map(|fee| format!("{} {:?}", fee.name, fee.amount));
    format!(
        "{} x kind {} {} {:?} {}, beds {}, for {}, {} left, {:?} {}, {:?} = {} + {} + {} + {} + {} - {}, {} for us, at least \
         {}, {:?}, at the hotel {}, until {}, {}, {:?}",
        rate.rooms,
        rate.kind,
        rate.room_id.chars().take(10).collect::<String>(),
        rate.room_name,
        or_dash(rate.rate_name.as_ref()),
        or_dash(rate.bed_type.as_ref()),
        or_dash(rate.max_occupancy),
        or_dash(rate.rooms_left),
        rate.meal_plan,
        rate.meals,
        parts.total().unwrap(),
        parts.rooms,
        parts.taxes,
        parts.service_charge,
        parts.resort_fee,
        parts.other_fees,
        parts.discounts,
        debug_or_dash(rate.commission),
        debug_or_dash(rate.minimum_price),
        rate.payment,
        fees.collect::<Vec<_>>().join(", "),
        or_dash(rate.expires_at),
        policy(&rate.policy),
        cut(&rate.remarks),
    )
}

/// What a hotel is, and how much there is of it.
pub fn hotel(hotel: &HotelResult) -> String {
    let address = &hotel.address;
    let amenities = &hotel.amenities[..hotel.amenities.len().min(4)];
    format!(
        "{} {} {} stars, {}, {} / {} / {}, at {} {}, {} images of {:?}, {} amenities {amenities:?}, {} rates",
        hotel.id,
        hotel.name,
        or_dash(hotel.stars),
        or_dash(hotel.property_type.as_ref()),
        or_dash(address.line1.as_ref()),
        or_dash(address.city.as_ref()),
        or_dash(address.country.as_ref()),
        or_dash(hotel.latitude),
        or_dash(hotel.longitude),
        hotel.images.len(),
        hotel.images.first().and_then(|image| image.kind.as_deref()),
        hotel.amenities.len(),
        hotel.rates.len(),
    )
}

/// All of a stay but what its supplier said.
pub fn stay(stay: &SupplierStay) -> String {
    format!(
        "{} {:?} {} {:?}, made {}, {}, {:?}",
        stay.id,
        stay.status,
        stay.confirmation,
        stay.total,
        or_dash(stay.created_at),
        policy(&stay.policy),
        cut(&stay.voucher_texts),
    )
}
