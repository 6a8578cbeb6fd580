//! What somebody says beside what they want: the audit log has it, without what it says of people.

use wayfare_domain::{
    AuditEvent, BookingId, Faults, NO_CARD_NUMBER, OrganizationId, Remarks, has_card_number,
};
use wayfare_store::booking::bookings::Booking;

use crate::{
    Core, Result,
    people::sealed::{self, BookingPeople},
};

/// What somebody says beside what they want, by the name that the audit log has for it.
#[derive(Clone, Debug)]
pub enum Note {
    Reason(Remarks),
    Remarks(Remarks),
}

/// What is wrong with what an operator says about a booking.
pub(crate) fn check(field: &str, note: &str, longest: usize) -> Faults {
    let mut faults = Faults::default();
    if note.trim().is_empty() || note.chars().count() > longest {
        faults.add(field, format!("must be between 1 and {longest} characters"));
    } else {
        faults.append(card_number_in(field, note));
    }
    faults
}

/// What is wrong with a text that is stored where many read it: a number of a payment card.
pub(crate) fn card_number_in(field: &str, text: &str) -> Faults {
    match has_card_number(text) {
        true => Faults::of(field, NO_CARD_NUMBER),
        false => Faults::default(),
    }
}

/// What an operator says about a booking, without what it says of the booking's people: it is stored where it outlives them, and
/// agencies read it (D-612). Numbers that are nobody's of the booking stay: a desk notes tickets and credit notes.
pub(crate) async fn without_people(
    core: &Core,
    (organization, booking): (OrganizationId, BookingId),
    note: &str,
) -> Result<String> {
    let people = sealed::load(core, organization, booking).await?;
    Ok(people.scrub_note(note))
}

impl Note {
    pub(crate) fn remarks(&self) -> &Remarks {
        match self {
            Self::Reason(remarks) | Self::Remarks(remarks) => remarks,
        }
    }

    /// The same without what it says of these people.
    pub(crate) fn scrubbed(self, people: &BookingPeople) -> Self {
        let scrub = |remarks: &Remarks| Remarks::new(people.scrub(remarks.as_str()));
        match &self {
            Self::Reason(reason) => Self::Reason(scrub(reason)),
            Self::Remarks(remarks) => Self::Remarks(scrub(remarks)),
        }
    }

    /// What is said, if anything is, without what it says of the people of this booking.
    pub(crate) async fn scrubbed_of<P>(
        note: Option<Self>,
        core: &Core,
        booking: &Booking<P>,
    ) -> Result<Option<Self>> {
        let Some(note) = note else { return Ok(None) };
        let people = sealed::load(core, booking.organization, booking.id).await?;
        Ok(Some(note.scrubbed(&people)))
    }

    /// Writes it beside what the event says.
    pub(crate) fn write(&self, event: &mut AuditEvent) {
        let name = match self {
            Self::Reason(_) => "reason",
            Self::Remarks(_) => "remarks",
        };
        event.add(name, self.remarks().as_str());
    }
}
