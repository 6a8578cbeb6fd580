//! What was typed on a quote, once more before it is paid for.

use wayfare_client::flights::FlightPrice;

use super::{
    order::{Seat, seats},
    papers::PAPERS,
};
use crate::{day, form::Fields, sale::Answers};

/// Everything that was answered, traveller by traveller.
pub fn of_travellers(price: &FlightPrice, fields: &Fields) -> Vec<Answers> {
    let of_seat = |seat: Seat| {
        let text = |name: &str| fields.get(&seat.field(name)).to_owned();
        let name = [text("title"), text("first_name"), text("last_name")].join(" ");
        let born = text("dob").parse().map(day::day).unwrap_or_default();
        let mut lines = vec![("Name".to_owned(), name.trim().to_owned()), ("Born".to_owned(), born)];
        let passport =
            [text("document.number"), text("document.issuing_country"), text("document.expires_on")];
        let passport = passport.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        lines.push(("Passport".to_owned(), passport.join(", ")));
        let checked = PAPERS.into_iter().filter(|(_, is_checked, _)| *is_checked);
        let checked = checked.filter_map(|(.., fields)| fields.first());
        lines.extend(checked.map(|(name, label, ..)| ((*label).to_owned(), text(name))));
        let field = seat.field("ancillaries");
        let extras = fields.all(&field).filter_map(|value| {
            let found = price.ancillaries.iter();
            let mut found =
                found.filter(|one| format!("{}|{}|{}", one.kind, one.code, one.segment_id) == value);
            found.next().map(|one| one.name.clone())
        });
        lines.push(("Besides".to_owned(), extras.collect::<Vec<_>>().join(", ")));
        lines.retain(|(_, value)| !value.is_empty());
        Answers { title: format!("Traveller {}, {}", seat.number + 1, seat.kind_name()), lines }
    };
    seats(price).into_iter().map(of_seat).collect()
}

/// How they are reached, and what else was said.
pub fn of_booking(fields: &Fields) -> Vec<(&'static str, String)> {
    let phone = format!(
        "+{} {}",
        fields.get("contact_country_code").trim_start_matches('+'),
        fields.get("contact_phone")
    );
    let mut lines = vec![("E-mail", fields.get("contact_email").to_owned()), ("Telephone", phone)];
    if !fields.get("gst.number").is_empty() {
        lines.push(("GST", format!("{}, {}", fields.get("gst.number"), fields.get("gst.company_name"))));
    }
    if fields.get("hold") == "yes" {
        let by_itself = if fields.is_ticked("auto_ticket") { ", ticketed by itself in time" } else { "" };
        lines.push(("Ticket", format!("Held first{by_itself}")));
    } else {
        lines.push(("Ticket", "Now".to_owned()));
    }
    lines
}
