//! The operator's screens, as a browser without scripts uses them.

mod agencies;
mod bookings;
mod desk;
mod incidents;
mod log_in;
mod people;
mod prices;
mod rates;
