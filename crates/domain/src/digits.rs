//! Decimals as they are printed (D-441).

use std::{fmt::Write, str};

use arrayvec::ArrayString;
use rust_decimal::Decimal;

/// A sign, a zero, a point, and as many digits as a decimal has.
const LONGEST: usize = 32;

/// A decimal as [`Decimal`] prints itself. Amounts of money nearly all fit 64 bits, whose digits are quick to tell: a search
/// prints ten thousand of them.
#[derive(Clone, Copy, Debug)]
pub struct Digits {
    bytes: [u8; LONGEST],
    begin: usize,
}

impl Digits {
    /// Those of this number.
    pub fn of(number: Decimal) -> Self {
        match u64::try_from(number.mantissa().unsigned_abs()) {
            Ok(mantissa) => Self::short(mantissa, number.scale(), number.is_sign_negative()),
            Err(_) => Self::long(number),
        }
    }

    /// Written from the last digit to the first.
    fn short(mantissa: u64, scale: u32, is_negative: bool) -> Self {
        let mut bytes = [b'0'; LONGEST];
        let mut rest = mantissa;
        let mut last_digit = || {
            let digit = (rest % 10) as u8;
            rest /= 10;
            (b'0' + digit, rest == 0)
        };
        let mut slots = bytes.iter_mut().rev();
        for slot in slots.by_ref().take(scale as usize) {
            *slot = last_digit().0;
        }
        if scale > 0
            && let Some(slot) = slots.next()
        {
            *slot = b'.';
        }
        for slot in slots.by_ref() {
            let (digit, is_first) = last_digit();
            *slot = digit;
            if is_first {
                break;
            }
        }
        if is_negative && let Some(slot) = slots.next() {
            *slot = b'-';
        }
        let begin = slots.len();
        Self { bytes, begin }
    }

    fn long(number: Decimal) -> Self {
        let mut text = ArrayString::<LONGEST>::new();
        // There is room for every decimal.
        let _ = write!(text, "{number}");
        let mut bytes = [b'0'; LONGEST];
        let begin = LONGEST - text.len();
        let slots = bytes.iter_mut().skip(begin);
        slots.zip(text.bytes()).for_each(|(slot, byte)| *slot = byte);
        Self { bytes, begin }
    }

    /// As bytes, all of them ASCII.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(self.begin..).unwrap_or_default()
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::dec;

    use super::*;

    #[test]
    fn the_longest_and_the_shortest_are_printed_whole() {
        for number in [
            Decimal::MAX,
            Decimal::MIN,
            dec!(-0.0000000000000000000000000001),
            dec!(-7.9228162514264337593543950335),
            dec!(0.0000000018446744073709551615),
            dec!(18446744073709551615),
            dec!(18446744073709551616),
            dec!(0),
            dec!(0.00),
            -dec!(0.00),
            dec!(-0.05),
        ] {
            assert_eq!(Digits::of(number).as_str(), number.to_string());
        }
    }

    proptest! {
        #[test]
        fn every_decimal_is_printed_as_it_prints_itself(
            (low, middle, high) in (any::<u32>(), prop_oneof![Just(0), any::<u32>()], prop_oneof![Just(0), any::<u32>()]),
            is_negative in any::<bool>(),
            scale in 0..=28_u32,
        ) {
            let number = Decimal::from_parts(low, middle, high, is_negative, scale);
            let digits = Digits::of(number);
            prop_assert_eq!(digits.as_str(), number.to_string());
        }
    }
}
