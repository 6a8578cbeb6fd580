//! What a supplier remembers for a while: sessions, and what has happened to offers since they were found. Lost with the
//! process, as prices are.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use crate::fault_injection::InjectedFault;

/// At so many entries those that have expired are removed.
const MOST: usize = 20_000;

type Entries<K, V> = HashMap<K, (DateTime<Utc>, V)>;

#[derive(Debug)]
pub(crate) struct ExpiringMap<K, V>(Mutex<Entries<K, V>>);

impl<K, V> Default for ExpiringMap<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> ExpiringMap<K, V> {
    fn entries(&self) -> MutexGuard<'_, Entries<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entries_for_one_more(&self, now: DateTime<Utc>) -> MutexGuard<'_, Entries<K, V>> {
        let mut entries = self.entries();
        if entries.len() >= MOST {
            entries.retain(|_, (expires_at, _)| *expires_at > now);
        }
        entries
    }

    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.entries().get(key).map(|(_, value)| value.clone())
    }

    pub(crate) fn get_live<Q: Eq + Hash + ?Sized>(&self, key: &Q, now: DateTime<Utc>) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let entries = self.entries();
        let (_, value) = entries.get(key).filter(|(expires_at, _)| *expires_at > now)?;
        Some(value.clone())
    }

    pub(crate) fn insert(&self, key: K, value: V, expires_at: DateTime<Utc>, now: DateTime<Utc>) {
        self.entries_for_one_more(now).insert(key, (expires_at, value));
    }

    pub(crate) fn change(
        &self,
        key: K,
        expires_at: DateTime<Utc>,
        now: DateTime<Utc>,
        change: impl FnOnce(&mut V),
    ) -> V
    where
        V: Default,
    {
        let mut entries = self.entries_for_one_more(now);
        let entry = entries.entry(key).or_insert_with(|| (expires_at, V::default()));
        entry.0 = expires_at;
        change(&mut entry.1);
        entry.1.clone()
    }
}

/// What has happened to an offer since it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OfferChanges {
    /// By how many percent its price moved, one after the other.
    pub(crate) percents: Vec<Decimal>,
    pub(crate) sold_out: bool,
}

impl OfferChanges {
    pub(crate) fn add(&mut self, injected: InjectedFault) {
        self.percents.extend(injected.price_changed);
        self.sold_out |= injected.sold_out;
    }
}

impl<K: Eq + Hash> ExpiringMap<K, OfferChanges> {
    /// What has happened to an offer by now, the injected fault included.
    pub(crate) fn after(
        &self,
        key: K,
        injected: InjectedFault,
        expires_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> OfferChanges {
        if injected.price_changed.is_none() && !injected.sold_out {
            return self.get(&key).unwrap_or_default();
        }
        self.change(key, expires_at, now, |changes| changes.add(injected))
    }
}
