//! Whom a booking is for: given to the agency's admin, and erased.

use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, EventKind, Product, ProductKind};
use wayfare_flights::Itinerary;
use wayfare_hotels::Stay;

use super::{load, load_without_names};
use crate::{
    Admin, Core, Result,
    people::{
        erase,
        export::{ExportedPeople, export},
    },
};

/// All that is stored of whom a booking is for.
///
/// # Errors
/// [`crate::Error::NotFound`] for another's booking too.
#[boxed]
pub async fn exported(core: &Core, admin: &Admin, reference: &BookingRef) -> Result<ExportedPeople> {
    let actor = admin.caller().actor();
    let action = EventKind::PeopleExported;
    match kind_of(reference) {
        ProductKind::Flight => {
            let booked = load::<Itinerary>(core, admin.caller(), reference).await?;
            export(core, &actor, &booked.booking, action).await
        }
        ProductKind::Hotel => {
            let booked = load::<Stay>(core, admin.caller(), reference).await?;
            export(core, &actor, &booked.booking, action).await
        }
    }
}

/// Erases whom a booking is for, for ever.
///
/// # Errors
/// [`crate::Error::NotFound`] for another's booking too, [`crate::Error::NotErasable`] with the reason.
#[boxed]
pub async fn erase(core: &Core, admin: &Admin, reference: &BookingRef) -> Result<()> {
    let actor = admin.caller().actor();
    let (organization, booking, ends_on) = match kind_of(reference) {
        ProductKind::Flight => {
            let booked = load_without_names::<Itinerary>(core, admin.caller(), reference).await?;
            let booking = booked.booking;
            (booking.organization, booking.id, booking.product.ends_on())
        }
        ProductKind::Hotel => {
            let booked = load_without_names::<Stay>(core, admin.caller(), reference).await?;
            let booking = booked.booking;
            (booking.organization, booking.id, booking.product.ends_on())
        }
    };
    erase::erase(core, &actor, organization, booking, ends_on).await
}

/// What the booking of this reference is of: its letters say so.
fn kind_of(reference: &BookingRef) -> ProductKind {
    match reference.as_ref().starts_with("HTL-") {
        true => ProductKind::Hotel,
        false => ProductKind::Flight,
    }
}
