//! A fair store: bounded, and shared so that whoever keeps the most gives way first.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
    time::Instant,
};

use wayfare_domain::{OrganizationId, UserId};

/// About what the maps of the store take for an entry.
const OVERHEAD: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeptFor {
    pub organization: OrganizationId,
    pub user: UserId,
}

/// An entry as it is put in and taken out.
#[derive(Clone, Debug)]
pub(crate) struct Kept<V> {
    pub value: V,
    pub owner: KeptFor,
    pub bytes: usize,
    pub ends: Instant,
}

/// Entries of agencies and their users, of so many bytes at most.
///
/// When it is full, the agency that keeps the most gives way; of its users the one who keeps the most; of that user's
/// entries the oldest. So each of `n` agencies always has an `n`-th of it, and within it each of its users a fair part:
/// what nobody else needs is anybody's.
pub(crate) struct FairStore<K, V> {
    bound: usize,
    entries: HashMap<K, Numbered<V>>,
    /// The next to expire first.
    ends: BTreeMap<(Instant, u64), K>,
    agencies: HashMap<OrganizationId, AgencyShare<K>>,
    bytes: usize,
    last_number: u64,
    put_out: u64,
}

struct Numbered<V> {
    kept: Kept<V>,
    number: u64,
}

struct AgencyShare<K> {
    bytes: usize,
    users: HashMap<UserId, UserShare<K>>,
}

struct UserShare<K> {
    bytes: usize,
    /// The oldest first.
    entries: BTreeMap<u64, K>,
}

impl<K: Clone + Eq + Hash, V> FairStore<K, V> {
    /// An empty store of so many bytes; of none it keeps nothing.
    pub(crate) fn new(bound: usize) -> Self {
        Self {
            bound,
            entries: HashMap::new(),
            ends: BTreeMap::new(),
            agencies: HashMap::new(),
            bytes: 0,
            last_number: 0,
            put_out: 0,
        }
    }

    pub(crate) fn bound(&self) -> usize {
        self.bound
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many had to give way before they had expired.
    pub(crate) fn put_out(&self) -> u64 {
        self.put_out
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Puts this in, in place of what was there, and returns what had to give way and has not expired.
    pub(crate) fn insert(&mut self, key: K, mut kept: Kept<V>) -> Vec<(K, Kept<V>)> {
        self.remove(&key);
        kept.bytes += OVERHEAD;
        self.last_number += 1;
        let number = self.last_number;
        self.bytes += kept.bytes;
        self.ends.insert((kept.ends, number), key.clone());
        let agency = self.agencies.entry(kept.owner.organization);
        let agency = agency.or_insert_with(|| AgencyShare { bytes: 0, users: HashMap::new() });
        agency.bytes += kept.bytes;
        let user = agency
            .users
            .entry(kept.owner.user)
            .or_insert_with(|| UserShare { bytes: 0, entries: BTreeMap::new() });
        user.bytes += kept.bytes;
        user.entries.insert(number, key.clone());
        self.entries.insert(key, Numbered { kept, number });
        self.make_room()
    }

    fn make_room(&mut self) -> Vec<(K, Kept<V>)> {
        let mut put_out = Vec::new();
        if self.bytes > self.bound {
            self.remove_expired(Instant::now());
        }
        while self.bytes > self.bound {
            let Some(key) = self.next_to_give_way() else { break };
            put_out.extend(self.remove(&key).map(|kept| (key, kept)));
            self.put_out += 1;
        }
        put_out
    }

    fn next_to_give_way(&self) -> Option<K> {
        let agency = self.agencies.values().max_by_key(|agency| agency.bytes)?;
        let user = agency.users.values().max_by_key(|user| user.bytes)?;
        user.entries.values().next().cloned()
    }

    /// What is kept under this key and has not expired.
    pub(crate) fn get(&self, key: &K) -> Option<&Kept<V>> {
        let found = &self.entries.get(key)?.kept;
        (found.ends > Instant::now()).then_some(found)
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<Kept<V>> {
        let Numbered { mut kept, number } = self.entries.remove(key)?;
        self.bytes -= kept.bytes;
        self.ends.remove(&(kept.ends, number));
        let (organization, user) = (kept.owner.organization, kept.owner.user);
        if let Some(agency) = self.agencies.get_mut(&organization) {
            agency.bytes -= kept.bytes;
            if let Some(share) = agency.users.get_mut(&user) {
                share.bytes -= kept.bytes;
                share.entries.remove(&number);
                if share.entries.is_empty() {
                    agency.users.remove(&user);
                }
            }
            if agency.users.is_empty() {
                self.agencies.remove(&organization);
            }
        }
        kept.bytes -= OVERHEAD;
        Some(kept)
    }

    pub(crate) fn remove_expired(&mut self, now: Instant) {
        while let Some(((ends, _), key)) = self.ends.first_key_value()
            && *ends <= now
        {
            let key = key.clone();
            self.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    const BOUND: usize = 40 * (OVERHEAD + 100);

    fn of(agency: u8, user: u8, bytes: usize) -> Kept<()> {
        Kept {
            value: (),
            owner: KeptFor {
                organization: OrganizationId::from_uuid(Uuid::from_u128(agency.into())),
                user: UserId::from_uuid(Uuid::from_u128(u128::from(agency) << 8 | u128::from(user))),
            },
            bytes,
            ends: Instant::now() + Duration::from_secs(1000),
        }
    }

    fn fill(store: &mut FairStore<u32, ()>, keys: std::ops::Range<u32>, agency: u8, user: u8) {
        for key in keys {
            store.insert(key, of(agency, user, 100));
        }
    }

    #[test]
    fn a_flood_puts_out_only_what_is_its_own_the_oldest_first() {
        let mut store = FairStore::new(BOUND);
        fill(&mut store, 0..10, 1, 1);
        fill(&mut store, 100..110, 2, 1);
        fill(&mut store, 200..1000, 2, 2);
        assert!((0..10).all(|key| store.get(&key).is_some()), "another agency's");
        assert!((100..110).all(|key| store.get(&key).is_some()), "another user's");
        assert!((980..1000).all(|key| store.get(&key).is_some()), "its newest");
        assert!((200..980).all(|key| store.get(&key).is_none()), "its oldest");
        assert_eq!((store.len(), store.bytes()), (40, BOUND));
    }

    #[test]
    fn what_nobody_else_needs_is_anybodys() {
        let mut store = FairStore::new(BOUND);
        fill(&mut store, 0..40, 1, 1);
        assert_eq!(store.len(), 40);
        let put_out = store.insert(40, of(2, 1, 100));
        assert_eq!(put_out.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn what_has_expired_goes_first_and_is_not_told() {
        let mut store = FairStore::new(BOUND);
        let mut expired = of(2, 1, 100);
        expired.ends = Instant::now();
        store.insert(1000, expired);
        assert!(store.get(&1000).is_none());
        fill(&mut store, 0..39, 1, 1);
        assert!(store.insert(39, of(1, 1, 100)).is_empty());
        assert_eq!(store.len(), 40);
    }

    #[test]
    fn what_is_larger_than_all_of_it_is_not_kept_and_puts_out_nobody_elses() {
        let mut store = FairStore::new(BOUND);
        fill(&mut store, 0..10, 1, 1);
        let put_out = store.insert(10, of(2, 1, BOUND));
        assert_eq!((put_out.len(), store.len()), (1, 10));
    }

    proptest! {
        #[test]
        fn its_sums_are_those_of_its_entries(
            steps in prop::collection::vec((0u8..4, 0u8..3, 0u32..60, 0usize..3000, any::<bool>()), 1..300)
        ) {
            let mut store = FairStore::new(BOUND);
            for (agency, user, key, bytes, remove) in steps {
                if remove {
                    store.remove(&key);
                } else {
                    store.insert(key, of(agency, user, bytes));
                }
                let bytes = |shares: &AgencyShare<u32>| shares.users.values().map(|user| user.bytes).sum::<usize>();
                let sum: usize = store.entries.values().map(|entry| entry.kept.bytes).sum();
                prop_assert!(store.bytes <= BOUND);
                prop_assert_eq!(store.bytes, sum);
                prop_assert_eq!(store.agencies.values().map(bytes).sum::<usize>(), sum);
                prop_assert!(store.agencies.values().all(|agency| agency.bytes == bytes(agency)));
                let users = store.agencies.values().flat_map(|agency| agency.users.values());
                prop_assert_eq!(users.map(|user| user.entries.len()).sum::<usize>(), store.entries.len());
                prop_assert_eq!(store.ends.len(), store.entries.len());
            }
        }
    }
}
