//! The console, as a browser without scripts uses it.

mod after_sales;
mod agency;
mod agency_tools;
mod booking_lists;
pub mod browser;
mod flights;
mod hotels;
mod money;
mod pages;
mod sums;
mod unknown;
