//! Duffel's ids: a prefix, and either chance, or chance that follows from a name.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::rng::{REFERENCE_LETTERS, Rng, fresh_letters};

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

pub(super) fn fresh(prefix: &str) -> String {
    format!("{prefix}_{}", base62(rand::random()))
}

/// The id of something that follows from its name.
pub(super) fn named(prefix: &str, seed: u64, name: &str) -> String {
    let mut rng = Rng::of(seed, name);
    format!("{prefix}_{}", base62(u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())))
}

/// The id of a request, as Duffel's support asks for it.
pub(super) fn request_id() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 15]>())
}

/// An airline's own reference: six letters and digits.
pub(super) fn booking_reference() -> String {
    fresh_letters::<6>(REFERENCE_LETTERS)
}

/// Twenty-two letters and digits, as many as Duffel's ids have.
fn base62(mut number: u128) -> String {
    let mut digits = [b'0'; 22];
    for digit in digits.iter_mut().rev() {
        *digit = usize::try_from(number % 62).ok().and_then(|at| DIGITS.get(at)).copied().unwrap_or(b'0');
        number /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

/// The id of a flight of an offer, counted within its slice, which its order has, too, until the airline changes the slice.
pub(super) fn segment_id(seed: u64, offer_id: &str, (slice, flight): (usize, usize), moves: usize) -> String {
    let name = format!("{offer_id}/{slice}/{flight}");
    named("seg", seed, &after(moves, name))
}

/// What was changed is another thing, with an id of its own.
pub(super) fn after(moves: usize, name: String) -> String {
    match moves {
        0 => name,
        moves => format!("{name}/{moves}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_look_like_duffels_and_named_ones_stay_the_same() {
        assert_eq!(fresh("ord").len(), 4 + 22);
        assert_ne!(fresh("ord"), fresh("ord"));
        assert_eq!(named("arl", 1, "BA"), named("arl", 1, "BA"));
        assert_ne!(named("arl", 1, "BA"), named("arl", 1, "AF"));
        assert_eq!(booking_reference().len(), 6);
        assert_eq!(base62(u128::MAX), "7n42DGM5Tflk9n8mt7Fhc7");
    }
}
