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
mod memory;
mod policy;
mod quote;
mod quote_view;
mod rates;
mod search;
mod stay;
mod voucher;

use actix_web::web::{self, ServiceConfig};

pub use self::memory::HotelMemory;

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/hotels").get(search::show))
        .service(web::resource("/hotels/list").get(search::list))
        .service(web::resource("/hotels/places").get(search::places))
        .service(web::resource("/hotels/hotel").get(hotel::show))
        .service(web::resource("/hotels/quote").get(quote::show).post(quote::edit))
        .service(web::resource("/hotels/check").post(quote::check))
        .service(web::resource("/hotels/book").post(quote::book))
        .service(web::resource("/hotels/bookings").get(bookings::show))
        .service(web::resource("/hotels/bookings/{ref}").get(booking::show))
        .service(web::resource("/hotels/bookings/{ref}/voucher").get(voucher::show))
        .service(web::resource("/hotels/bookings/{ref}/cancel").get(cancel::show).post(cancel::carry_out));
}
