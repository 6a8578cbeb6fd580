//! A search for flights as it is sent, and a wallet as it is answered, whose amounts keep their digits.
//!
//! ```sh
//! cargo run -p wayfare-contract --example search_body
//! ```

use std::error::Error;

use wayfare_contract::{Amount, Wallet, flights::FlightSearch, vocabulary::Cabin};

/// A server that is newer than this program may send more fields.
const ANSWER: &str = r#"{
    "id": "0198c0de-0000-7000-8000-000000000001", "owner_id": "0198c0de-0000-7000-8000-000000000002",
    "owner_type": "org", "is_active": true, "currency": "INR", "credit_limit": 0,
    "balance": 99999999999999.90, "held": 1.10, "spendable": 99999999999998.80, "newer_than_this_program": []
}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let search = FlightSearch::round_trip("DEL", "LON", "2027-03-01".parse()?, "2027-03-08".parse()?)
        .whole_city("LON")
        .adults(2)
        .cabin(Cabin::Business)
        .at_most(50);
    println!("{}", serde_json::to_string_pretty(&search)?);

    // Read out of the text itself: a float would drop the zero at the end.
    let wallet: Wallet = serde_json::from_str(ANSWER)?;
    let left = Amount(wallet.balance.0 - wallet.held.0);
    println!("{} − {} = {left} {}", wallet.balance, wallet.held, wallet.currency);
    println!("sent again: {}", serde_json::to_string(&wallet.spendable)?);
    assert_eq!(left, wallet.spendable);
    Ok(())
}
