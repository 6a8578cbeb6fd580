//! Digits as people's keyboards have them.

/// The zeros of Arabic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada and Malayalam, and of
/// letters as wide as Chinese ones: their digits follow in order.
const ZEROS: [u32; 12] =
    [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xff10];

/// The digit from 0 to 9 that a digit of any of these scripts stands for; none for what is no digit.
pub fn western_digit(c: char) -> Option<char> {
    let of_script = |zero: &u32| u32::from(c).checked_sub(*zero).filter(|value| *value < 10);
    let value = c.to_digit(10).or_else(|| ZEROS.iter().find_map(of_script));
    value.and_then(|value| char::from_digit(value, 10))
}
