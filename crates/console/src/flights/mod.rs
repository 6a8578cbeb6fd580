//! Flights: searches, prices, bookings, and what can be done with them.

pub mod airline_changes;
mod answers;
pub mod booking;
mod bookings;
mod cancel;
mod cards;
mod change;
mod extras;
mod memory;
mod offers;
pub mod order;
pub mod papers;
mod print;
mod quote;
mod quote_view;
pub mod search;
mod trip;

use actix_web::web::{self, ServiceConfig};

use self::quote::Flights;
pub use self::trip::CABINS;
use crate::sale;

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/flights").get(search::show))
        .service(web::resource("/flights/stream").get(search::stream))
        .service(web::resource("/flights/list").get(search::list))
        .service(web::resource("/flights/places").get(search::places))
        .service(web::resource("/flights/rules").get(search::rules))
        .service(web::resource("/flights/quote").get(sale::show::<Flights>).post(sale::edit::<Flights>))
        .service(web::resource("/flights/check").post(sale::check::<Flights>))
        .service(web::resource("/flights/book").post(sale::book::<Flights>))
        .service(web::resource("/bookings").get(bookings::show))
        .service(web::resource("/bookings/{ref}").get(booking::show))
        .service(web::resource("/bookings/{ref}/issue").post(booking::issue))
        .service(web::resource("/bookings/{ref}/auto-ticket").post(booking::auto_ticket))
        .service(web::resource("/bookings/{ref}/cancel").get(cancel::show).post(cancel::carry_out))
        .service(web::resource("/bookings/{ref}/change").get(change::show).post(change::carry_out))
        .service(web::resource("/bookings/{ref}/change/check").post(change::check))
        .service(web::resource("/bookings/{ref}/extras").get(extras::show).post(extras::carry_out))
        .service(web::resource("/bookings/{ref}/extras/check").post(extras::check))
        .service(web::resource("/bookings/{ref}/print").get(print::show))
        .service(
            web::resource("/bookings/{ref}/changes/{id}")
                .get(airline_changes::show)
                .post(airline_changes::decide),
        )
        .service(web::resource("/changes").get(airline_changes::list));
}
