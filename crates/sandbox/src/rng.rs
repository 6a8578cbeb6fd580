//! Chance that always falls the same way: numbers that follow from a seed and a name.

/// A stream of numbers that depends on nothing but the seed and the name it was made from.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The numbers for one named decision, such as `"6E/DEL/BOM/2027-01-31"`.
    pub(crate) fn of(seed: u64, name: &str) -> Self {
        // FNV-1a spreads the name over 64 bits; `roll` mixes them.
        let start = seed ^ 0xcbf2_9ce4_8422_2325;
        Self(
            name.bytes()
                .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)),
        )
    }

    /// The next number: SplitMix64.
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        let span = u64::from(high.saturating_sub(low)) + 1;
        // The remainder is below `span`, which fits.
        low + u32::try_from(self.next_u64() % span).unwrap_or_default()
    }

    /// True once in `times` on average.
    pub(crate) fn one_in(&mut self, times: u32) -> bool {
        self.between(1, times) == 1
    }

    /// One of several things; none only where there are none.
    pub(crate) fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        let last = u32::try_from(things.len()).ok()?.checked_sub(1)?;
        things.get(usize::try_from(self.between(0, last)).ok()?)
    }
}

/// Letters and digits of an airline's reference: none that look like another.
pub(crate) const REFERENCE_LETTERS: &[u8] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// As many letters of chance, which fall another way each time.
pub(crate) fn fresh_letters<const N: usize>(letters: &[u8]) -> String {
    rand::random::<[u8; N]>()
        .iter()
        .filter_map(|byte| letters.get(usize::from(*byte) % letters.len()))
        .map(|letter| char::from(*letter))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_name_fall_the_same_way_and_others_do_not() {
        let rolls = |seed, name| -> Vec<u64> {
            let mut rng = Rng::of(seed, name);
            (0..8).map(|_| rng.next_u64()).collect()
        };
        assert_eq!(rolls(1, "a"), rolls(1, "a"));
        assert_ne!(rolls(1, "a"), rolls(2, "a"));
        assert_ne!(rolls(1, "a"), rolls(1, "b"));
    }

    #[test]
    fn every_number_of_a_range_comes_up_and_no_other() {
        let mut rng = Rng::of(7, "range");
        let mut seen = [0_u32; 6];
        for _ in 0..600 {
            seen[rng.between(0, 5) as usize] += 1;
        }
        assert!(seen.iter().all(|times| *times > 50), "{seen:?}");
        assert_eq!(rng.pick::<u8>(&[]), None);
    }
}
