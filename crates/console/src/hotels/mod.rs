//! Hotels: searches, rates, bookings, and what can be done with them.

mod booking;
mod bookings;
mod cancel;
mod cards;
mod found;
mod guests;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
mod hostile_texts;
mod hotel;
mod policy;
mod quote;
mod quote_view;
mod rates;
mod search;
mod stay;
mod voucher;

use actix_web::web::{self, ServiceConfig};

use self::{booking::nights_and_rooms, quote::Stays};
use crate::sale;

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/hotels").get(search::show))
        .service(web::resource("/hotels/list").get(search::list))
        .service(web::resource("/hotels/places").get(search::places))
        .service(web::resource("/hotels/hotel").get(hotel::show))
        .service(web::resource("/hotels/quote").get(sale::show::<Stays>).post(sale::edit::<Stays>))
        .service(web::resource("/hotels/check").post(sale::check::<Stays>))
        .service(web::resource("/hotels/book").post(sale::book::<Stays>))
        .service(web::resource("/hotels/bookings").get(bookings::show))
        .service(web::resource("/hotels/bookings/{ref}").get(booking::show))
        .service(web::resource("/hotels/bookings/{ref}/voucher").get(voucher::show))
        .service(web::resource("/hotels/bookings/{ref}/cancel").get(cancel::show).post(cancel::carry_out));
}
