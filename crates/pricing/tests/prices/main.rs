//! Prices worked by hand, never by the code under test, as an accountant writes and reads them.
//!
//! Every row: what the supplier asks (currency, B + X, K or `-` where it says nothing) | package | terms | contracts |
//! what it comes to: T, K, M, public fare, the agency's commission (`-` without a package), S, G, P, agent fare.
//! A line that begins with # says how it was worked out. Half a minor unit is rounded away from zero.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

mod sheet;

use sheet::{Row, assert_adds_up, rows, shown};
use wayfare_domain::parse_currency;

/// All rows are worked out before the first wrong one is told, with those around it.
fn holds(table: &str, outcome: impl Fn(&Row) -> Result<String, String>) {
    let mut wrong = Vec::new();
    for (number, row) in rows(table).iter().enumerate() {
        let result = outcome(row).unwrap_or_else(|error| format!("error: {error}"));
        if result != row.expected {
            wrong.push(format!("row {}: expected {}\n          found {result}", number + 1, row.expected));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// T K M public commission S G P agent; B and X are as they were asked.
fn prices(table: &str) {
    holds(table, |row| {
        let price = shown(&row.price()?);
        Ok(price.splitn(3, ' ').nth(2).unwrap().to_owned())
    });
}

#[test]
#[rustfmt::skip]
fn a_markup_is_flat_or_percent_on_commission_fare_or_total() {
    prices("
        # supplier                     | package         |   |   |       T      K       M  public  comm.    S    G    P   agent
        # Without a package the platform keeps K.
        INR 4000.00 + 810.50 K 120.00  | none            | - | - | 4810.50 120.00   0.00 4810.50      - 0.00 0.00 0.00 4810.50
        INR 4000.00 + 810.50 K -       | none            | - | - | 4810.50   0.00   0.00 4810.50      - 0.00 0.00 0.00 4810.50
        # On the fare or the total the traveller pays it; the agency earns K.
        INR 4000.00 + 810.50 K 120.00  | 250 fare        | - | - | 4810.50 120.00 250.00 5060.50 120.00 0.00 0.00 0.00 4940.50
        INR 4000.00 + 810.50 K 120.00  | 250 total       | - | - | 4810.50 120.00 250.00 5060.50 120.00 0.00 0.00 0.00 4940.50
        # 4000.00 × 5 % = 200.00
        INR 4000.00 + 810.50 K 120.00  | 5% fare         | - | - | 4810.50 120.00 200.00 5010.50 120.00 0.00 0.00 0.00 4890.50
        # 4810.50 × 5 % = 240.525
        INR 4000.00 + 810.50 K 120.00  | 5% total        | - | - | 4810.50 120.00 240.53 5051.03 120.00 0.00 0.00 0.00 4931.03
        # 4000.00 × 7.25 % = 290.00
        INR 4000.00 + 810.50 K 120.00  | 7.25% fare      | - | - | 4810.50 120.00 290.00 5100.50 120.00 0.00 0.00 0.00 4980.50
        INR 4000.00 + 810.50 K 120.00  | 0 fare          | - | - | 4810.50 120.00   0.00 4810.50 120.00 0.00 0.00 0.00 4690.50
        INR 4000.00 + 810.50 K 120.00  | 100% total      | - | - | 4810.50 120.00 4810.50 9621.00 120.00 0.00 0.00 0.00 9501.00
        # On the commission it is taken out of K: 120.00 × 25 % = 30.00
        INR 4000.00 + 810.50 K 120.00  | 25% commission  | - | - | 4810.50 120.00  30.00 4810.50  90.00 0.00 0.00 0.00 4720.50
        INR 4000.00 + 810.50 K 120.00  | 50 commission   | - | - | 4810.50 120.00  50.00 4810.50  70.00 0.00 0.00 0.00 4740.50
        INR 4000.00 + 810.50 K 120.00  | 100% commission | - | - | 4810.50 120.00 120.00 4810.50   0.00 0.00 0.00 0.00 4810.50
        # Never more than K is taken.
        INR 4000.00 + 810.50 K 120.00  | 200 commission  | - | - | 4810.50 120.00 120.00 4810.50   0.00 0.00 0.00 0.00 4810.50
        # Without K there is nothing to take from, nor to earn.
        INR 4000.00 + 810.50 K -       | 50 commission   | - | - | 4810.50   0.00   0.00 4810.50   0.00 0.00 0.00 0.00 4810.50
        INR 4000.00 + 810.50 K -       | 5% fare         | - | - | 4810.50   0.00 200.00 5010.50   0.00 0.00 0.00 0.00 5010.50
        # Never more than T is K.
        INR 4000.00 + 810.50 K 4900.00 | 0 fare          | - | - | 4810.50 4810.50 0.00 4810.50 4810.50 0.00 0.00 0.00   0.00
    ");
}

#[test]
#[rustfmt::skip]
fn fees_are_flat_or_percent_and_gst_is_of_the_fee() {
    prices("
        # supplier                    | package        | terms                        |   |       T      K      M  public   comm.     S     G     P   agent
        INR 4000.00 + 810.50 K 120.00 | none           | fee 100 gst 18 charge 25     | - | 4810.50 120.00   0.00 4810.50      - 100.00 18.00 25.00 4953.50
        # 5010.50 − 120.00 + 100.00 + 18.00 + 25.00
        INR 4000.00 + 810.50 K 120.00 | 5% fare        | fee 100 gst 18 charge 25     | - | 4810.50 120.00 200.00 5010.50 120.00 100.00 18.00 25.00 5033.50
        # S is of T: 4810.50 × 2 % = 96.21; 96.21 × 18 % = 17.3178
        INR 4000.00 + 810.50 K 120.00 | none           | fee 2% gst 18                | - | 4810.50 120.00   0.00 4810.50      -  96.21 17.32  0.00 4924.03
        # and not of the public fare: 4810.50 × 1.25 % = 60.13125; 60.13 × 18 % = 10.8234; 4890.50 + 80.95
        INR 4000.00 + 810.50 K 120.00 | 5% fare        | fee 1.25% gst 18 charge 10   | - | 4810.50 120.00 200.00 5010.50 120.00  60.13 10.82 10.00 4971.45
        INR 4000.00 + 810.50 K 120.00 | 25% commission | fee 2%                       | - | 4810.50 120.00  30.00 4810.50  90.00  96.21  0.00  0.00 4816.71
        INR 4000.00 + 810.50 K 120.00 | 5% total       | charge 0.01                  | - | 4810.50 120.00 240.53 5051.03 120.00   0.00  0.00  0.01 4931.04
        # GST of no fee; there is none on the platform charge.
        INR 4000.00 + 810.50 K 120.00 | none           | gst 18 charge 25             | - | 4810.50 120.00   0.00 4810.50      -   0.00  0.00 25.00 4835.50
        # 4810.50 × 0.5 % = 24.0525; 24.05 × 12.5 % = 3.00625; 4940.50 + 24.05 + 3.01 + 7.77
        INR 4000.00 + 810.50 K 120.00 | 250 fare       | fee 0.5% gst 12.5 charge 7.77| - | 4810.50 120.00 250.00 5060.50 120.00  24.05  3.01  7.77 4975.33
        INR 4000.00 + 810.50 K 120.00 | none           | fee 100% gst 100             | - | 4810.50 120.00   0.00 4810.50      - 4810.50 4810.50 0.00 14431.50
    ");
}

#[test]
#[rustfmt::skip]
fn bounds_of_the_commission_come_last() {
    prices("
        # supplier                    | package        | terms                 |   |       T      K      M  public  comm.   S    G    P   agent
        # M is what was really taken, whatever the agency is given back.
        INR 4000.00 + 810.50 K 120.00 | 200 commission | min 50                | - | 4810.50 120.00 120.00 4810.50  50.00 0.00 0.00 0.00 4760.50
        INR 4000.00 + 810.50 K 120.00 | 5% fare        | min 150               | - | 4810.50 120.00 200.00 5010.50 150.00 0.00 0.00 0.00 4860.50
        INR 4000.00 + 810.50 K 120.00 | 5% fare        | min 120               | - | 4810.50 120.00 200.00 5010.50 120.00 0.00 0.00 0.00 4890.50
        INR 4000.00 + 810.50 K 120.00 | 0 fare         | max 80                | - | 4810.50 120.00   0.00 4810.50  80.00 0.00 0.00 0.00 4730.50
        # 120.00 − 50.00 = 70.00, at most 60.00
        INR 4000.00 + 810.50 K 120.00 | 50 commission  | max 60                | - | 4810.50 120.00  50.00 4810.50  60.00 0.00 0.00 0.00 4750.50
        INR 4000.00 + 810.50 K 120.00 | 5% fare        | min 50 max 100        | - | 4810.50 120.00 200.00 5010.50 100.00 0.00 0.00 0.00 4910.50
        INR 4000.00 + 810.50 K 120.00 | 5% fare        | min 100 max 150       | - | 4810.50 120.00 200.00 5010.50 120.00 0.00 0.00 0.00 4890.50
        INR 4000.00 + 810.50 K 120.00 | 25% commission | min 90 max 90         | - | 4810.50 120.00  30.00 4810.50  90.00 0.00 0.00 0.00 4720.50
        # The operator may not set these; if it were so, the maximum is the last word.
        INR 4000.00 + 810.50 K 120.00 | 5% fare        | min 100 max 80        | - | 4810.50 120.00 200.00 5010.50  80.00 0.00 0.00 0.00 4930.50
        # A minimum also where the supplier leaves nothing.
        INR 4000.00 + 810.50 K -      | 5% fare        | min 50                | - | 4810.50   0.00 200.00 5010.50  50.00 0.00 0.00 0.00 4960.50
        # Without a package there is nothing to bound.
        INR 4000.00 + 810.50 K 120.00 | none           | min 50 max 80         | - | 4810.50 120.00   0.00 4810.50      - 0.00 0.00 0.00 4810.50
        # Never more than the public fare: 15.00, 15.00 + 5.00; what is left to pay are the fees.
        INR 10.00 + 5.00 K 0.00       | 0 fare         | min 50                | - |   15.00   0.00   0.00   15.00  15.00 0.00 0.00 0.00    0.00
        INR 10.00 + 5.00 K 0.00       | 5 fare         | min 50                | - |   15.00   0.00   5.00   20.00  20.00 0.00 0.00 0.00    0.00
        INR 10.00 + 5.00 K 0.00       | 0 fare         | fee 10 gst 18 min 50  | - |   15.00   0.00   0.00   15.00  15.00 10.00 1.80 0.00  11.80
    ");
}

#[test]
#[rustfmt::skip]
fn a_hotel_band_holds_from_its_least_up_to_its_end() {
    prices("
        # supplier                    | package                                        |   |   |       T  K       M  public  comm.   S    G    P   agent
        # 999.99 × 10 % = 99.999
        INR 900.00 + 99.99 K -        | 2% total; 0..1000 10%; 1000..5000 5%; 5000.. 250 | - | - |  999.99 0.00 100.00 1099.99 0.00 0.00 0.00 0.00 1099.99
        # T = the least: it counts.
        INR 900.00 + 100.00 K -       | 2% total; 0..1000 10%; 1000..5000 5%; 5000.. 250 | - | - | 1000.00 0.00  50.00 1050.00 0.00 0.00 0.00 0.00 1050.00
        # 4999.99 × 5 % = 249.9995
        INR 4999.99 + 0.00 K -        | 2% total; 0..1000 10%; 1000..5000 5%; 5000.. 250 | - | - | 4999.99 0.00 250.00 5249.99 0.00 0.00 0.00 0.00 5249.99
        # T = the end: the next one counts.
        INR 5000.00 + 0.00 K -        | 2% total; 0..1000 10%; 1000..5000 5%; 5000.. 10  | - | - | 5000.00 0.00  10.00 5010.00 0.00 0.00 0.00 0.00 5010.00
        # Without an end.
        INR 1000000.00 + 0.00 K -     | 2% total; 0..1000 10%; 1000..5000 5%; 5000.. 250 | - | - | 1000000.00 0.00 250.00 1000250.00 0.00 0.00 0.00 0.00 1000250.00
        # Zero is in a band that begins with it.
        INR 0.00 + 0.00 K -           | 2% total; 0..1000 7                            | - | - |    0.00 0.00   7.00    7.00 0.00 0.00 0.00 0.00    7.00
        # In a gap, at the end before one, and below all: the package's own 2 %, 3 %.
        INR 1500.00 + 0.00 K -        | 2% total; 0..1000 10%; 2000..3000 5%           | - | - | 1500.00 0.00  30.00 1530.00 0.00 0.00 0.00 0.00 1530.00
        INR 1000.00 + 0.00 K -        | 2% total; 0..1000 10%; 2000..3000 5%           | - | - | 1000.00 0.00  20.00 1020.00 0.00 0.00 0.00 0.00 1020.00
        INR 50.00 + 0.00 K -          | 3% total; 100..200 50%                         | - | - |   50.00 0.00   1.50   51.50 0.00 0.00 0.00 0.00   51.50
        # Of two that hold T the lowest in order, whichever was named first.
        INR 1500.00 + 0.00 K -        | 2% total; 0..5000 10% @2; 1000..2000 5% @1     | - | - | 1500.00 0.00  75.00 1575.00 0.00 0.00 0.00 0.00 1575.00
        INR 2500.00 + 0.00 K -        | 2% total; 0..5000 10% @2; 1000..2000 5% @1     | - | - | 2500.00 0.00 250.00 2750.00 0.00 0.00 0.00 0.00 2750.00
        INR 1500.00 + 0.00 K -        | 2% total; 0..5000 10%; 1000..2000 5%           | - | - | 1500.00 0.00 150.00 1650.00 0.00 0.00 0.00 0.00 1650.00
        INR 100.00 + 0.00 K -         | 2% total; 0.. 10% @0; 0.. 5% @-1               | - | - |  100.00 0.00   5.00  105.00 0.00 0.00 0.00 0.00  105.00
        # A band's percentage is of what the package names: 25 % of K, 5 % of B, though T chooses the band.
        INR 4000.00 + 810.50 K 120.00 | 0 commission; 0..1000 50%; 1000.. 25%          | - | - | 4810.50 120.00 30.00 4810.50 90.00 0.00 0.00 0.00 4720.50
        INR 4000.00 + 810.50 K 120.00 | 0 fare; 4810.50.. 5%                           | - | - | 4810.50 120.00 200.00 5010.50 120.00 0.00 0.00 0.00 4890.50
        INR 4000.00 + 810.50 K 120.00 | 0 fare; 0..4810.50 5%                          | - | - | 4810.50 120.00 0.00 4810.50 120.00 0.00 0.00 0.00 4690.50
        # Of several rooms what all of them come to chooses the band; the amounts are of one room.
        INR 333.33 + 0.00 K - =999.99 | 2% total; 0..1000 10%; 1000.. 250              | - | - |  333.33 0.00  33.33  366.66 0.00 0.00 0.00 0.00  366.66
        INR 333.33 + 0.00 K - =1000.00 | 2% total; 0..1000 10%; 1000.. 250              | - | - |  333.33 0.00 250.00  583.33 0.00 0.00 0.00 0.00  583.33
    ");
}

#[test]
#[rustfmt::skip]
fn a_contract_says_the_commission_where_the_supplier_does_not() {
    prices("
        # supplier                    | package |   | contracts                              |       T      K    M  public  comm.   S    G    P   agent
        # 4000.00 × 3 % = 120.00: of B, not of T
        INR 4000.00 + 810.50 K -      | 0 fare  | - | 3%                                     | 4810.50 120.00 0.00 4810.50 120.00 0.00 0.00 0.00 4690.50
        INR 4000.00 + 810.50 K -      | 0 fare  | - | 150                                    | 4810.50 150.00 0.00 4810.50 150.00 0.00 0.00 0.00 4660.50
        # What the supplier says counts, also when it says 0.
        INR 4000.00 + 810.50 K 80.00  | 0 fare  | - | 3%                                     | 4810.50  80.00 0.00 4810.50  80.00 0.00 0.00 0.00 4730.50
        INR 4000.00 + 810.50 K 0.00   | 0 fare  | - | 3%                                     | 4810.50   0.00 0.00 4810.50   0.00 0.00 0.00 0.00 4810.50
        # The more specific one: an airline, a cabin, an airline before a cabin, both before one; in any order.
        INR 4000.00 + 810.50 K -      | 0 fare  | - | 3%; BA 5%                              | 4810.50 200.00 0.00 4810.50 200.00 0.00 0.00 0.00 4610.50
        INR 4000.00 + 810.50 K -      | 0 fare  | - | ECONOMY 4%; 3%                         | 4810.50 160.00 0.00 4810.50 160.00 0.00 0.00 0.00 4650.50
        INR 4000.00 + 810.50 K -      | 0 fare  | - | BA 5%; ECONOMY 4%                      | 4810.50 200.00 0.00 4810.50 200.00 0.00 0.00 0.00 4610.50
        INR 4000.00 + 810.50 K -      | 0 fare  | - | BA 5%; ECONOMY 4%; BA ECONOMY 2.5%; 3% | 4810.50 100.00 0.00 4810.50 100.00 0.00 0.00 0.00 4710.50
        # One for others does not fit: airline, cabin, supplier, an offer without an airline.
        INR 4000.00 + 810.50 K -      | 0 fare  | - | AI 5%; 3%                              | 4810.50 120.00 0.00 4810.50 120.00 0.00 0.00 0.00 4690.50
        INR 4000.00 + 810.50 K -      | 0 fare  | - | BA BUSINESS 9%; ECONOMY 4%             | 4810.50 160.00 0.00 4810.50 160.00 0.00 0.00 0.00 4650.50
        INR 4000.00 + 810.50 K -      | 0 fare  | - | tripjack 9%                            | 4810.50   0.00 0.00 4810.50   0.00 0.00 0.00 0.00 4810.50
        INR 4000.00 + 810.50 K - no airline | 0 fare | - | BA 5%; 3%                         | 4810.50 120.00 0.00 4810.50 120.00 0.00 0.00 0.00 4690.50
        # Never more than T.
        INR 4000.00 + 810.50 K -      | 0 fare  | - | 6000                                   | 4810.50 4810.50 0.00 4810.50 4810.50 0.00 0.00 0.00 0.00
        # The platform's without a package.
        INR 4000.00 + 810.50 K -      | none    | - | 3%                                     | 4810.50 120.00 0.00 4810.50      - 0.00 0.00 0.00 4810.50
        # 33.50 × 3 % = 1.005
        INR 33.50 + 0.00 K -          | 0 fare  | - | 3%                                     |   33.50   1.01 0.00   33.50   1.01 0.00 0.00 0.00   32.49
        # 4000.00 × 2.5 % = 100.00, of which 25 % are taken
        INR 4000.00 + 810.50 K - | 25% commission | - | 2.5%                                 | 4810.50 100.00 25.00 4810.50 75.00 0.00 0.00 0.00 4735.50
    ");
}

#[test]
#[rustfmt::skip]
fn each_currency_has_its_own_decimals() {
    prices("
        # supplier                  | package          | terms                          |   |       T     K     M  public  comm. S G P agent
        # 10001 × 2.5 % = 250.025
        JPY 10001 + 500 K 0         | 2.5% fare        | -                              | - | 10501 0 250 10751 0 0 0 0 10751
        # 1 × 50 % = 0.5
        JPY 1 + 0 K -               | 50% fare         | -                              | - | 1 0 1 2 0 0 0 0 2
        # 123 × 12.5 % = 15.375; 13023 × 1.5 % = 195.345; 195 × 10 % = 19.5; 13023 − 108 + 195 + 20
        JPY 12345 + 678 K 123       | 12.5% commission | fee 1.5% gst 10                | - | 13023 123 15 13023 108 195 20 0 13130
        # 10.006 × 5 % = 0.5003
        KWD 10.005 + 0.001 K -      | 5% total         | -                              | - | 10.006 0.000 0.500 10.506 0.000 0.000 0.000 0.000 10.506
        # 3.333 × 10 % = 0.3333; 110.000 × 0.75 % = 0.825; 0.825 × 5 % = 0.04125; 107.000 + 0.867
        KWD 100.125 + 9.875 K 3.333 | 10% commission   | fee 0.75% gst 5 charge 0.001   | - | 110.000 3.333 0.333 110.000 3.000 0.825 0.041 0.001 107.867
        # 0.001 × 50 % = 0.0005
        BHD 0.001 + 0.000 K -       | 50% total        | -                              | - | 0.001 0.000 0.001 0.002 0.000 0.000 0.000 0.000 0.002
        # 1.00 × 33.33 % = 0.3333
        USD 19.99 + 0.01 K 1.00     | 33.33% commission | -                             | - | 20.00 1.00 0.33 20.00 0.67 0.00 0.00 0.00 19.33
    ");
}

#[test]
#[rustfmt::skip]
fn nothing_tiny_and_huge_amounts() {
    prices("
        # supplier                             | package  | terms |   |   T    K    M  public  comm.   S    G    P  agent
        INR 0.00 + 0.00 K -                    | 5% fare  | -     | - | 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00
        INR 0.00 + 0.00 K -                    | 250 fare | -     | - | 0.00 0.00 250.00 250.00 0.00 0.00 0.00 0.00 250.00
        INR 0.00 + 500.00 K -                  | 5% fare  | -     | - | 500.00 0.00 0.00 500.00 0.00 0.00 0.00 0.00 500.00
        # A base above the total: X = T − B is below zero. 99.50 × 10 % = 9.95
        INR 100.00 + -0.50 K -                 | 10% total | -    | - | 99.50 0.00 9.95 109.45 0.00 0.00 0.00 0.00 109.45
        # 0.01 × 50 % = 0.005; × 49 % = 0.0049
        INR 0.01 + 0.00 K 0.00                 | 50% fare | -     | - | 0.01 0.00 0.01 0.02 0.00 0.00 0.00 0.00 0.02
        INR 0.01 + 0.00 K -                    | 49% total | -    | - | 0.01 0.00 0.00 0.01 0.00 0.00 0.00 0.00 0.01
        INR 0.01 + 0.00 K 0.01                 | 50% commission | - | - | 0.01 0.01 0.01 0.01 0.00 0.00 0.00 0.00 0.01
        # 14 digits before the point are money, the 15th is not.
        INR 12345678901234.56 + 0.00 K -       | none     | -     | - | 12345678901234.56 0.00 0.00 12345678901234.56 - 0.00 0.00 0.00 12345678901234.56
        INR 50000000000000.00 + 49999999999999.99 K 0.01 | 0 fare | - | - | 99999999999999.99 0.01 0.00 99999999999999.99 0.01 0.00 0.00 0.00 99999999999999.98
        # 12345678901235.00 × 1 % = 123456789012.35
        INR 12345678901234.56 + 0.44 K -       | 1% total | -     | - | 12345678901235.00 0.00 123456789012.35 12469135690247.35 0.00 0.00 0.00 0.00 12469135690247.35
        INR 50000000000000.00 + 50000000000000.00 K - | none | -  | - | error: must have at most 14 digits before the decimal point
        INR 99999999999999.99 + 0.00 K -       | 0.01 fare | -    | - | error: must have at most 14 digits before the decimal point
        INR 60000000000000.00 + 0.00 K -       | 100% total | -   | - | error: must have at most 14 digits before the decimal point
        INR 1.00 + 0.00 K -                    | none | fee 99999999999999.99 | - | error: must have at most 14 digits before the decimal point
        INR 100.00 + 0.00 K -                  | 79228162514264337593543950335 fare | - | - | error: must have at most 14 digits before the decimal point
        INR 100.00 + 0.00 K -                  | 79228162514264337593543950335% fare | - | - | error: must have at most 14 digits before the decimal point
        INR 4000.00 + 810.50 K 120.00          | 100000000000000 commission | - | - | error: must have at most 14 digits before the decimal point
        INR 100.00 + 0.00 K 100000000000000.00 | none | - | - | error: must have at most 14 digits before the decimal point
        # Of K no more than K is taken, however much is asked.
        INR 4000.00 + 810.50 K 120.00          | 99999999999999.99 commission | - | - | 4810.50 120.00 120.00 4810.50 0.00 0.00 0.00 0.00 4810.50
        # Below zero there is no price.
        INR -1.00 + 5.00 K -                   | none     | -     | - | error: must not be negative
        INR 1.00 + -1.01 K -                   | none     | -     | - | error: must not be negative
        INR 100.00 + 0.00 K -5.00              | 5% fare  | -     | - | error: must not be negative
        INR 100.00 + 0.00 K -                  | -5 fare  | -     | - | error: must not be negative
        INR 100.00 + 0.00 K 5.00               | -5 commission | - | - | error: must not be negative
        INR 100.00 + 0.00 K -                  | none     | fee -5 | - | error: must not be negative
        INR 100.00 + 0.00 K -                  | none     | charge -0.01 | - | error: must not be negative
        INR 100.00 + 0.00 K 5.00               | 5% fare  | max -1 | - | error: must not be negative
    ");
}

#[test]
#[rustfmt::skip]
fn half_a_minor_unit_is_rounded_away_from_zero_part_by_part() {
    prices("
        # supplier              | package   | terms          |   |  T   K    M   public  comm.   S    G    P  agent
        # 0.10 × 5 % = 0.005; 0.10 × 4.9 % = 0.0049; 0.30 × 5 % = 0.015
        INR 0.10 + 0.00 K -     | 5% fare   | -              | - | 0.10 0.00 0.01 0.11 0.00 0.00 0.00 0.00 0.11
        INR 0.10 + 0.00 K -     | 4.9% fare | -              | - | 0.10 0.00 0.00 0.10 0.00 0.00 0.00 0.00 0.10
        INR 0.30 + 0.00 K -     | 5% fare   | -              | - | 0.30 0.00 0.02 0.32 0.00 0.00 0.00 0.00 0.32
        # 1.00 × 2.5 % = 0.025, where half to even were 0.02; 1.00 × 3.5 % = 0.035
        INR 1.00 + 0.00 K -     | 2.5% fare | -              | - | 1.00 0.00 0.03 1.03 0.00 0.00 0.00 0.00 1.03
        INR 1.00 + 0.00 K -     | 3.5% fare | -              | - | 1.00 0.00 0.04 1.04 0.00 0.00 0.00 0.00 1.04
        # 0.25 × 2 % = 0.005; 0.01 × 50 % = 0.005
        INR 0.25 + 0.00 K -     | none      | fee 2% gst 50  | - | 0.25 0.00 0.00 0.25 - 0.01 0.01 0.00 0.27
        # G is of the rounded S: 1.50 × 1 % = 0.015 → 0.02; 0.02 × 25 % = 0.005, where 0.015 × 25 % were 0.00375
        INR 1.50 + 0.00 K -     | none      | fee 1% gst 25  | - | 1.50 0.00 0.00 1.50 - 0.02 0.01 0.00 1.53
        # M of T, K and S of each: 0.50 × 1 % = 0.005 twice, and 0.50 × 3 % = 0.015
        INR 0.50 + 0.00 K -     | 1% total  | fee 3%         | 1%  | 0.50 0.01 0.01 0.51 0.01 0.02 0.00 0.00 0.52
    ");
}

#[test]
#[rustfmt::skip]
fn a_suppliers_amounts_are_converted_once_each() {
    holds("
        # supplier at units of the payer's currency                 | package |   | contracts | B X T K M public commission S G P agent
        # 38.01 × 105.25 = 4000.5525; 7.70 × 105.25 = 810.425; 4000.55 × 3 % = 120.0165
        GBP 38.01 + 7.70 K - at 105.25 INR                          | 0 fare  | - | 3% | 4000.55 810.43 4810.98 120.02 0.00 4810.98 120.02 0.00 0.00 0.00 4690.96
        # 38.00 × 105.25 = 3999.50; 1.14 × 105.25 = 119.985; 3999.50 × 5 % = 199.975; 5009.91 − 119.99
        GBP 38.00 + 7.70 K 1.14 at 105.25 INR                       | 5% fare | - | -  | 3999.50 810.43 4809.93 119.99 199.98 5009.91 119.99 0.00 0.00 0.00 4889.92
        # 505 × 0.5571 = 281.3355
        JPY 10000 + 505 K - at 0.5571 INR                           | none    | - | -  | 5571.00 281.34 5852.34 0.00 0.00 5852.34 - 0.00 0.00 0.00 5852.34
        # 1000.00 × 1.7225 = 1722.5; 0.50 × 1.7225 = 0.86125; T is the sum of the two, not 1000.50 × 1.7225 = 1723.36
        INR 1000.00 + 0.50 K - at 1.7225 JPY                        | none    | - | -  | 1723 1 1724 0 0 1724 - 0 0 0 1724
        # 1.005 × 273.1 = 274.4655; 0.001 × 273.1 = 0.2731
        KWD 1.005 + 0.001 K - at 273.1 INR                          | none    | - | -  | 274.47 0.27 274.74 0.00 0.00 274.74 - 0.00 0.00 0.00 274.74
        # 1000.00 × 0.003661 = 3.661; 100.00 × 0.003661 = 0.3661
        INR 1000.00 + 100.00 K - at 0.003661 KWD                    | none    | - | -  | 3.661 0.366 4.027 0.000 0.000 4.027 - 0.000 0.000 0.000 4.027
        INR 4000.00 + 810.50 K 120.00 at 1 INR                      | 5% fare | - | -  | 4000.00 810.50 4810.50 120.00 200.00 5010.50 120.00 0.00 0.00 0.00 4890.50
        # A flat contract is in the payer's currency already.
        GBP 38.00 + 7.70 K - at 105.25 INR                          | 0 fare  | - | 150 | 3999.50 810.43 4809.93 150.00 0.00 4809.93 150.00 0.00 0.00 0.00 4659.93
        USD 99999999999999.99 + 0.00 K - at 83 INR                  | none    | - | -  | error: must have at most 14 digits before the decimal point
        JPY 100000000000000 + 0 K - at 0.0001 INR                   | none    | - | -  | error: must have at most 14 digits before the decimal point
        INR 0.00 + 0.00 K - at 100000000000000 JPY                  | none    | - | -  | error: must have at most 14 digits before the decimal point
        USD 10.00 + 0.00 K - at 0 INR                               | none    | - | -  | error: an exchange rate must be above zero
        USD 10.00 + 0.00 K - at -83 INR                             | none    | - | -  | error: an exchange rate must be above zero
    ", |row| Ok(shown(&row.price()?)));
}

#[test]
#[rustfmt::skip]
fn amounts_in_another_currency_than_the_payers_have_no_price_without_a_rate() {
    let [dollars] = &rows("USD 10.00 + 0.00 K - at 83 INR | none | - | - | -")[..] else { panic!() };
    assert_eq!(dollars.unconverted(), "amounts in INR and USD don't add up");
}

/// The price of the row shown in another currency: B X T K M public commission S G P agent.
fn shows(rate: &str, code: &str, table: &str) {
    holds(table, |row| {
        let price = row.price()?.shown_in(rate.parse().unwrap(), parse_currency(code).unwrap());
        let price = price.map_err(|error| error.to_string())?;
        assert_adds_up(&price);
        Ok(shown(&price))
    });
}

#[test]
#[rustfmt::skip]
fn a_price_shown_in_another_currency_adds_up_there_too() {
    // 4000.00 × 0.0095 = 38.00; 810.50 × = 7.69975; K and commission 120.00 × = 1.14; M 200.00 × = 1.90;
    // S 100.00 × = 0.95; G 18.00 × = 0.171; P 25.00 × = 0.2375; 47.60 − 1.14 + 0.95 + 0.17 + 0.24
    shows("0.0095", "GBP", "
        INR 4000.00 + 810.50 K 120.00 | 5% fare | fee 100 gst 18 charge 25 | - | 38.00 7.70 45.70 1.14 1.90 47.60 1.14 0.95 0.17 0.24 47.82
    ");
    // 4000.00 × 1.7225 = 6890; 810.50 × = 1396.08625; K 120.00 × = 206.7. Without a package no commission.
    shows("1.7225", "JPY", "
        INR 4000.00 + 810.50 K 120.00 | none    | -                        | - | 6890 1396 8286 207 0 8286 - 0 0 0 8286
    ");
    // 4000.00 × 0.003661 = 14.644; 810.50 × = 2.9672405; 120.00 × = 0.43932; 30.00 × = 0.10983; 90.00 × = 0.32949.
    // The markup is taken from K: the public fare is T here too.
    shows("0.003661", "KWD", "
        INR 4000.00 + 810.50 K 120.00 | 25% commission | -                 | - | 14.644 2.967 17.611 0.439 0.110 17.611 0.329 0.000 0.000 0.000 17.282
    ");
    // 10.40 → 10 and 5.40 → 5; the commission of 15.80 would be 16 and is no more than the public fare of 15.
    // 0.50 → 1 twice is 2, where 1.00 were 1.
    shows("1", "JPY", "
        INR 10.40 + 5.40 K -          | 0 fare  | min 50                   | - | 10 5 15 0 0 15 15 0 0 0 0
        INR 0.50 + 0.50 K -           | none    | -                        | - | 1 1 2 0 0 2 - 0 0 0 2
    ");
    shows("0", "JPY", "
        INR 10.40 + 5.40 K -          | none    | -                        | - | error: an exchange rate must be above zero
    ");
    shows("1000", "JPY", "
        INR 99999999999.99 + 0.01 K - | none    | -                        | - | error: must have at most 14 digits before the decimal point
    ");
}
