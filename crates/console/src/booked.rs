//! A booking of either product, as lists show it.

use chrono::{DateTime, Utc};
use wayfare_client::{
    enums::{BookingStatus, HoldState},
    flights::{BookingHold, FlightBookingRow},
    hotels::HotelBookingRow,
};

use crate::{page::Status, payment::Cost};

pub trait Booked {
    fn reference(&self) -> &str;
    /// What is booked: a route or a hotel.
    fn what(&self) -> String;
    /// The first of those it is for, and how many come along.
    fn who(&self) -> String;
    fn booked_at(&self) -> Option<DateTime<Utc>>;
    /// What it has cost until now.
    fn cost(&self) -> Cost;
    fn status(&self) -> Status;
    /// What it waits for, and what that means.
    fn waits(&self) -> (Status, &'static str);
    /// Until when it waits.
    fn waits_until(&self) -> Option<DateTime<Utc>> {
        None
    }
}

impl Booked for FlightBookingRow {
    fn reference(&self) -> &str {
        &self.booking_ref
    }

    fn what(&self) -> String {
        format!("{} – {}", self.origin, self.destination)
    }

    fn who(&self) -> String {
        let first = self.passengers.first().map(|first| (&first.first_name, &first.last_name));
        party(first, usize::try_from(self.passenger_count).unwrap_or_default())
    }

    fn booked_at(&self) -> Option<DateTime<Utc>> {
        self.booked_at
    }

    fn cost(&self) -> Cost {
        Cost::of(&self.status, self.total_payable, self.cost.as_ref(), &self.currency)
    }

    /// Its hold says more than its status.
    fn status(&self) -> Status {
        match held(self).is_some() && self.status == BookingStatus::Confirmed {
            true => Status::new("info", "○", "Held"),
            false => status(&self.status),
        }
    }

    fn waits(&self) -> (Status, &'static str) {
        match held(self) {
            _ if self.status == BookingStatus::Pending => unanswered(false),
            _ if self.has_open_change => {
                (Status::new("bad", "!", "Changed"), "The airline has changed flights.")
            }
            _ if !self.pending.is_empty() => unanswered(true),
            Some(hold) if hold.auto_ticket => {
                (Status::new("info", "○", "Held"), "Held. Its tickets are issued by themselves in time.")
            }
            Some(_) => (Status::new("info", "○", "Held"), "Held. Issue the tickets, or it lapses."),
            None => refused(),
        }
    }

    fn waits_until(&self) -> Option<DateTime<Utc>> {
        held(self)?.pay_by
    }
}

impl Booked for HotelBookingRow {
    fn reference(&self) -> &str {
        &self.booking_ref
    }

    fn what(&self) -> String {
        self.hotel_name.clone()
    }

    fn who(&self) -> String {
        let first = self.guests.first().map(|first| (&first.first_name, &first.last_name));
        party(first, self.guests.len())
    }

    fn booked_at(&self) -> Option<DateTime<Utc>> {
        self.booked_at
    }

    fn cost(&self) -> Cost {
        Cost::of(&self.status, self.total_amount, self.cost.as_ref(), &self.currency)
    }

    fn status(&self) -> Status {
        status(&self.status)
    }

    fn waits(&self) -> (Status, &'static str) {
        match self.status {
            BookingStatus::Pending => unanswered(false),
            _ if !self.pending.is_empty() => unanswered(true),
            _ => refused(),
        }
    }
}

fn held(booking: &FlightBookingRow) -> Option<&BookingHold> {
    booking.hold.as_ref().filter(|hold| hold.state == HoldState::Held)
}

fn party(first: Option<(&String, &String)>, count: usize) -> String {
    let name = first.map(|(first, last)| format!("{first} {last}").trim().to_owned());
    let name = name.filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "Erased".to_owned());
    match count {
        0 | 1 => name,
        count => format!("{name} + {}", count - 1),
    }
}

pub fn status(booking: &BookingStatus) -> Status {
    match booking {
        BookingStatus::Pending => Status::new("warn", "◐", "Being confirmed"),
        BookingStatus::Confirmed => Status::new("ok", "●", "Confirmed"),
        BookingStatus::Cancelled => Status::new("", "✕", "Cancelled"),
        BookingStatus::Failed => Status::new("bad", "✕", "Failed"),
        other => Status::new("", "?", other.as_str()),
    }
}

/// The supplier has not answered, whatever was asked for.
fn unanswered(is_booked: bool) -> (Status, &'static str) {
    match is_booked {
        false => (
            Status::new("warn", "◐", "Being confirmed"),
            "The supplier has not answered yet. Do not book it again.",
        ),
        true => (Status::new("warn", "◐", "Under way"), "The supplier has not answered yet."),
    }
}

/// What needs somebody and is seen in no field of its row.
fn refused() -> (Status, &'static str) {
    (Status::new("bad", "!", "Refused"), "The supplier refused to give money back. The booking stands.")
}
