//! One booking: everything about it, and what can be done with it now.

use askama::filters::HtmlSafe;
use wayfare_client::{
    Error, TimelineEntry,
    enums::{
        BookingStatus, ChangeState, HoldState, OrderStatus, PassengerStatus, PendingWhat, SegmentStatus,
        TicketStatus,
    },
    flights::{BookingHold, FlightBooking, ItineraryLeg, ItinerarySegment, PnrDetail, TicketRequest},
};

use super::offers::{bags, cabin_name};
use crate::{
    booked::status,
    day, payment,
    prelude::*,
    timeline::{self, Entry},
};

pub struct BookingView {
    pub of: FlightBooking,
    pub happened: Vec<Entry>,
}

pub struct Traveller {
    pub name: String,
    pub about: String,
    pub tickets: Vec<String>,
    pub is_off: bool,
}

#[derive(Template)]
#[template(path = "bookings/show.html")]
struct BookingPage {
    shell: Shell,
    part: BookingPart,
    done: &'static str,
}

#[derive(Template)]
#[template(path = "bookings/body.html")]
struct BookingPart {
    booking: BookingView,
}

impl HtmlSafe for BookingPart {}

impl BookingView {
    /// Of a booking, with what happened to it.
    pub fn of(booking: FlightBooking, timeline: &[TimelineEntry]) -> Self {
        Self { happened: timeline::entries(timeline), of: booking }
    }

    fn is_held(&self) -> bool {
        self.can_print() && self.hold().is_some()
    }

    pub fn status(&self) -> Status {
        match self.is_held() {
            true => Status::new("info", "○", "Held"),
            false => status(&self.of.status),
        }
    }

    fn payment(&self) -> Sums {
        let (sums, total) = (agency_price(&self.of), self.of.pricing.total_payable);
        payment::payment(sums, &self.of.status, total, Some(&self.of.cost), self.is_held())
    }

    fn is_idle(&self) -> bool {
        self.of.pending.is_empty()
    }

    fn is_pending(&self) -> bool {
        self.of.status == BookingStatus::Pending || !self.is_idle()
    }

    fn is_cancelled(&self) -> bool {
        self.of.status == BookingStatus::Cancelled
    }

    /// Whether there is something to travel by.
    fn can_print(&self) -> bool {
        self.of.status == BookingStatus::Confirmed
    }

    fn can_cancel(&self) -> bool {
        self.can_print() && self.is_idle()
    }

    fn hold(&self) -> Option<&BookingHold> {
        self.of.hold.as_ref().filter(|hold| hold.state == HoldState::Held)
    }

    fn customer_price(&self) -> Sums {
        customer_price(&self.of)
    }

    pub fn travellers(&self) -> Vec<Traveller> {
        travellers(&self.of)
    }

    pub fn route(&self) -> String {
        let first = self.of.itinerary.legs.first();
        first.map(|first| format!("{} – {}", first.origin, first.destination)).unwrap_or_default()
    }

    /// The flights of each journey.
    pub fn journeys(&self) -> Vec<Vec<&ItinerarySegment>> {
        let flights = &self.of.itinerary.segments;
        let of_leg = |leg: &ItineraryLeg| {
            let named = leg.segment_refs.iter();
            named.filter_map(|id| flights.iter().find(|flight| flight.segment_id == *id)).collect()
        };
        self.of.itinerary.legs.iter().map(of_leg).collect()
    }
}

/// What the wallet pays: the customer's fare less what the agency earns, with the platform's fees, and what came beside it.
fn agency_price(booking: &FlightBooking) -> Sums {
    let pricing = &booking.pricing;
    let sums = Sums::of(&pricing.currency)
        .line("Customer fare", pricing.public_fare)
        .less("Your commission", pricing.agent_commission.unwrap_or_default())
        .part("Platform fees", pricing.platform_charges);
    with_changes(sums.part("Seats, bags and meals", pricing.ancillary), booking)
}

/// What the customer pays: base fares, taxes, the agency's markup, and what came beside them.
fn customer_price(booking: &FlightBooking) -> Sums {
    let pricing = &booking.pricing;
    let sums = Sums::of(&pricing.currency)
        .small()
        .line("Base fare", pricing.base_fare_total)
        .part("Taxes", pricing.tax_total)
        .part("Agency markup", pricing.public_markup);
    let changes = pricing.changes.unwrap_or_default();
    with_changes(sums.part("Seats, bags and meals", pricing.ancillary), booking)
        .total("Customer price", pricing.public_fare.0 + pricing.ancillary.0 + changes.0)
}

/// With what exchanges came to: what they cost, and by how much the fare differs.
fn with_changes(sums: Sums, booking: &FlightBooking) -> Sums {
    let changes = booking.pricing.changes.unwrap_or_default();
    let penalties = booking.pricing.change_penalties.unwrap_or_default();
    sums.part("Fare difference of date changes", changes.0 - penalties.0).part("Date-change fees", penalties)
}

pub fn under_way(what: &PendingWhat) -> &'static str {
    match what {
        PendingWhat::Cancel => "The cancellation is under way",
        PendingWhat::Ticket => "The tickets are being issued",
        PendingWhat::Change => "A change of flights is under way",
        PendingWhat::Service => "Something is being added",
        _ => "Something is under way",
    }
}

pub fn order_status(order: &PnrDetail) -> Status {
    match order.status {
        OrderStatus::Pending => Status::new("warn", "◐", "Being confirmed"),
        OrderStatus::Held => Status::new("info", "○", "Held"),
        OrderStatus::Confirmed => Status::new("ok", "●", "Confirmed"),
        OrderStatus::Cancelled => Status::new("", "✕", "Cancelled"),
        OrderStatus::Failed => Status::new("bad", "✕", "Failed"),
        ref other => Status::new("", "?", other.as_str()),
    }
}

/// What the airline calls it, else the supplier.
pub fn locator(order: &PnrDetail) -> &str {
    match order.airline_pnr.is_empty() {
        true => &order.pnr,
        false => &order.airline_pnr,
    }
}

pub fn about(segment: &ItinerarySegment) -> String {
    let about = [segment.duration_minutes.map(day::duration), segment.cabin.as_ref().map(cabin_name)];
    let bags = bags(segment.baggage.as_deref(), segment.cabin_baggage.as_deref());
    about.into_iter().flatten().chain(bags).collect::<Vec<_>>().join(" · ")
}

/// Why it is not flown.
pub fn off(segment: &ItinerarySegment) -> Option<&'static str> {
    match segment.status {
        SegmentStatus::Cancelled => Some("Cancelled"),
        SegmentStatus::Failed => Some("Not booked"),
        _ => None,
    }
}

fn travellers(booking: &FlightBooking) -> Vec<Traveller> {
    let traveller = |one: &wayfare_client::flights::BookedPassenger| {
        let title = one.title.as_ref().map(ToString::to_string).unwrap_or_default();
        let name = [title.as_str(), &one.first_name, &one.last_name].join(" ");
        let seats = [&one.seat_onward, &one.seat_return].map(|seat| seat.as_str());
        let seats: Vec<&str> = seats.into_iter().filter(|seat| !seat.is_empty()).collect();
        let about = [
            one.dob.map(|born| format!("born {}", day::day(born))),
            one.document.as_ref().map(|paper| format!("passport {}", paper.number)),
            (!seats.is_empty()).then(|| format!("seat {}", seats.join(", "))),
        ];
        let tickets = booking.tickets.iter().filter(|ticket| ticket.pax_id == one.pax_id);
        let tickets = tickets.map(|ticket| match ticket.status {
            TicketStatus::Issued => ticket.tkt_number.clone(),
            ref other => format!("{} ({})", ticket.tkt_number, other.as_str().to_lowercase()),
        });
        Traveller {
            name: match name.trim() {
                "" => "Erased".to_owned(),
                name => name.to_owned(),
            },
            about: about.into_iter().flatten().collect::<Vec<_>>().join(" · "),
            tickets: tickets.filter(|number| !number.is_empty()).collect(),
            is_off: one.status == PassengerStatus::Cancelled && booking.status != BookingStatus::Failed,
        }
    };
    booking.passengers.iter().map(traveller).chain(nobodys_tickets(booking)).collect()
}

/// Tickets of which the supplier does not tell surely whose they are.
fn nobodys_tickets(booking: &FlightBooking) -> Option<Traveller> {
    let of_nobody = booking.tickets.iter().filter(|ticket| ticket.pax_id.is_empty());
    let tickets: Vec<String> = of_nobody.map(|ticket| ticket.tkt_number.clone()).collect();
    (!tickets.is_empty()).then(|| Traveller {
        name: "Not told whose".to_owned(),
        about: "ask the supplier whose ticket it is".to_owned(),
        tickets,
        is_off: false,
    })
}

/// `GET /console/bookings/{ref}`; a part of it, where the page asks how it stands.
pub async fn show(request: HttpRequest, signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let flights = signed.session.flights();
    if page::wants_part(&request) {
        let booking = flights.booking(&reference).await?;
        let happened = flights.timeline(&reference).await?;
        return page::html(&BookingPart { booking: BookingView::of(booking, &happened) });
    }
    let title = format!("Booking {reference}");
    let shell = signed.shell(&title, Area::Bookings);
    let (shell, booking) = futures_util::try_join!(shell, flights.booking(&reference))?;
    // A pending booking is looked up when it is read: what is found then has happened.
    let happened = flights.timeline(&reference).await?;
    let done = match (fields.get("new"), fields.get("done")) {
        ("1", _) if booking.status == BookingStatus::Confirmed => "Booked.",
        (_, "issued") => "The tickets are asked for.",
        (_, "cancelled") if booking.status == BookingStatus::Cancelled => {
            "Cancelled. The refund is in the wallet."
        }
        (_, "cancelled") => "The cancellation is asked for.",
        (_, "part") => "The cancellation of the selected items is asked for. See the refunds.",
        (_, "auto") => "Saved.",
        (_, "accepted") => "The schedule change is accepted.",
        (_, "refused") if booking.status == BookingStatus::Cancelled => {
            "The schedule change is declined and the booking is cancelled."
        }
        (_, "refused") => "The schedule change is declined.",
        (_, "asked") => {
            "The schedule change is declined. Nothing is cancelled yet: the operator asks the airline for a full refund."
        }
        (_, "changed") => "The change is asked for.",
        (_, "added") => "What was added is asked for.",
        _ => "",
    };
    let part = BookingPart { booking: BookingView::of(booking, &happened) };
    page::html(&BookingPage { shell, part, done })
}

/// `POST /console/bookings/{ref}/issue`: pays for what is held, under the form's key.
pub async fn issue(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let key = fields.key()?;
    let amount: wayfare_client::Amount = fields.number("amount").ok_or(Failure::NoPage)?;
    let session = signed.session.keyed(key);
    let issued = session.flights().issue_ticket(&reference, &TicketRequest::of(amount)).await;
    match issued {
        // What is not known yet is seen on the booking.
        Ok(_) | Err(Error::Unknown { .. }) => {
            Ok(see_other(&format!("{BASE}/bookings/{reference}?done=issued")))
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /console/bookings/{ref}/auto-ticket`.
pub async fn auto_ticket(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let is_on = fields.get("enabled") == "yes";
    signed.session.flights().set_auto_ticket(&reference, is_on).await?;
    Ok(see_other(&format!("{BASE}/bookings/{reference}?done=auto")))
}
