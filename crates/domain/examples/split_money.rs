//! Money that is split among travellers and adds up again, and booking references as people type them.
//!
//! ```sh
//! cargo run -p wayfare-domain --example split_money
//! ```

use std::error::Error;

use rust_decimal::dec;
use wayfare_domain::{BookingRef, Currency, Money};

fn main() -> Result<(), Box<dyn Error>> {
    let fare = Money::exact(dec!(10000), Currency::INR)?;
    let shares: Vec<Money> = fare.split(3).collect();
    let sum = Money::sum(Currency::INR, shares.iter().copied())?;
    println!("{fare:?} in three: {shares:?}");
    assert_eq!(sum, fare, "not a paisa is lost");

    // What somebody states is not rounded silently, and currencies do not mix.
    let too_precise = Money::exact(dec!(1.005), Currency::INR);
    let mixed = fare.plus(Money::zero(Currency::USD));
    for error in [too_precise, mixed].into_iter().filter_map(Result::err) {
        println!("refused: {error}");
    }

    for typed in [" fa-7k2m9q4x", "HTL-7K2M9Q4"] {
        match BookingRef::parse(typed) {
            Some(booking) => println!("{typed:?} is {booking}; its first order is {}", booking.order(1)),
            None => println!("{typed:?} is not a booking reference"),
        }
    }
    Ok(())
}
