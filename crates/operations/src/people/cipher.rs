//! The cipher of sealed rows: AES-256-GCM-SIV, whose nonces may repeat, as those of machines that were copied do.
//!
//! `wrap` and `unwrap` are all that knows where keys of keys are: a key service can take their place.

use std::fmt;

use aws_lc_rs::{
    aead::{Aad, NONCE_LEN, Nonce, RandomizedNonceKey},
    rand,
};
use secrecy::zeroize::Zeroizing;
use wayfare_domain::{BookingId, OrganizationId, SealedKind};
use wayfare_store::booking::people::WrappedKey;

use crate::{
    Error, Result,
    core::people_keys::{KEY_LEN, PeopleKeys, key},
};

/// What a sealed row is of: it opens nowhere else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub organization: OrganizationId,
    pub booking: BookingId,
    pub kind: SealedKind,
}

impl Place {
    /// What is authenticated with what is sealed: nothing that has not these same bytes opens it.
    fn associated(&self, what: &[u8]) -> Aad<Vec<u8>> {
        let mut bytes = b"wayfare.people.v1".to_vec();
        bytes.extend(self.organization.uuid().as_bytes());
        bytes.extend(self.booking.uuid().as_bytes());
        let kind = self.kind.as_ref();
        bytes.extend((kind.len() as u64).to_be_bytes());
        bytes.extend(kind.as_bytes());
        bytes.extend(what);
        Aad::from(bytes)
    }
}

/// The key of one row. It is wiped when dropped and shown nowhere.
pub(crate) struct DataKey {
    place: Place,
    secret: Zeroizing<[u8; KEY_LEN]>,
    key: RandomizedNonceKey,
}

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DataKey({})", self.place.kind.as_ref())
    }
}

impl DataKey {
    /// A new one for this place.
    ///
    /// # Errors
    /// When the machine has no randomness.
    pub(crate) fn random(place: Place) -> Result<Self> {
        let mut secret = Zeroizing::new([0; KEY_LEN]);
        rand::fill(&mut secret[..]).map_err(|_| failed("make a key"))?;
        Self::of(place, secret)
    }

    fn of(place: Place, secret: Zeroizing<[u8; KEY_LEN]>) -> Result<Self> {
        let key = key(&secret[..])?;
        Ok(Self { place, secret, key })
    }

    /// Seals what is kept in this place: `what` it is, where the place has several things under one key.
    pub(crate) fn seal(&self, what: &[u8], content: &[u8]) -> Result<Vec<u8>> {
        seal(&self.key, self.place.associated(what), content)
    }

    /// What was sealed.
    ///
    /// # Errors
    /// [`Error::Internal`] for what was sealed elsewhere, as something else, or was changed.
    pub(crate) fn open(&self, what: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        open(&self.key, self.place.associated(what), sealed)
    }

    /// It, wrapped under the newest key of keys.
    pub(crate) fn wrap(&self, keys: &PeopleKeys) -> Result<WrappedKey> {
        keys.with_newest(|id, key| {
            Ok(WrappedKey {
                kek_id: id.to_owned(),
                bytes: seal(key, self.place.associated(&of_key(id)), &self.secret[..])?,
            })
        })
    }

    /// The key of this place that was wrapped.
    ///
    /// # Errors
    /// [`Error::Internal`] when its key of keys is not there, or it was wrapped for another place.
    pub(crate) fn unwrap(keys: &PeopleKeys, place: Place, wrapped: &WrappedKey) -> Result<Self> {
        let secret = keys.with(&wrapped.kek_id, |key| {
            open(key, place.associated(&of_key(&wrapped.kek_id)), &wrapped.bytes)
        })?;
        let secret: [u8; KEY_LEN] = secret.as_slice().try_into().map_err(|_| failed("read a key"))?;
        Self::of(place, Zeroizing::new(secret))
    }
}

/// What is authenticated with a wrapped key beside its place.
fn of_key(kek_id: &str) -> Vec<u8> {
    [b"key ".as_slice(), kek_id.as_bytes()].concat()
}

/// The nonce, then what is sealed, then its tag.
fn seal(key: &RandomizedNonceKey, associated: Aad<Vec<u8>>, content: &[u8]) -> Result<Vec<u8>> {
    let mut sealed = vec![0; NONCE_LEN];
    sealed.extend(content);
    let (head, body) = sealed.split_at_mut(NONCE_LEN);
    let sealing = key.seal_in_place_separate_tag(associated, body);
    let (nonce, tag) = sealing.map_err(|_| failed("seal"))?;
    head.copy_from_slice(nonce.as_ref());
    sealed.extend(tag.as_ref());
    Ok(sealed)
}

fn open(key: &RandomizedNonceKey, associated: Aad<Vec<u8>>, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let unreadable = || failed("open");
    let (nonce, body) = sealed.split_at_checked(NONCE_LEN).ok_or_else(unreadable)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| unreadable())?;
    let mut content = Zeroizing::new(body.to_vec());
    let opened = key.open_in_place(nonce, associated, &mut content);
    let length = opened.map_err(|_| unreadable())?.len();
    content.truncate(length);
    Ok(content)
}

fn failed(what: &'static str) -> Error {
    Error::Internal(format!("could not {what} what is sealed of people"))
}

#[cfg(test)]
mod tests {
    use secrecy::SecretSlice;
    use wayfare_domain::Clock;

    use super::*;
    use crate::people::PeopleKey;

    fn ids() -> (OrganizationId, BookingId) {
        let clock = Clock::system();
        (OrganizationId::new(&clock), BookingId::new(&clock))
    }

    fn place() -> Place {
        let (organization, booking) = ids();
        Place { organization, booking, kind: SealedKind::People }
    }

    fn keys(numbers: &[u8]) -> PeopleKeys {
        let key = |number: &u8| PeopleKey {
            id: (*number).into(),
            secret: SecretSlice::from(vec![*number; KEY_LEN]),
        };
        PeopleKeys::new(numbers.iter().map(key).collect(), Box::new(|| None)).unwrap()
    }

    #[test]
    fn what_was_sealed_opens_in_its_place_and_nowhere_else() {
        let (place, keys) = (place(), keys(&[1]));
        let key = DataKey::random(place).unwrap();
        let (wrapped, sealed) = (key.wrap(&keys).unwrap(), key.seal(b"", b"ASHA").unwrap());
        assert!(!sealed.windows(4).any(|part| part == b"ASHA"));
        let opened = DataKey::unwrap(&keys, place, &wrapped).unwrap();
        assert_eq!(opened.open(b"", &sealed).unwrap().as_slice(), b"ASHA");
        assert!(opened.open(b"another thing", &sealed).is_err());
        let (organization, booking) = ids();
        for elsewhere in [
            Place { organization, ..place },
            Place { booking, ..place },
            Place { kind: SealedKind::Papers, ..place },
        ] {
            assert!(DataKey::unwrap(&keys, elsewhere, &wrapped).is_err(), "{elsewhere:?}");
            // Not with the key itself either.
            let same = DataKey::of(elsewhere, key.secret.clone()).unwrap();
            assert!(same.open(b"", &sealed).is_err(), "{elsewhere:?}");
        }
    }

    #[test]
    fn what_was_changed_or_cut_does_not_open() {
        let key = DataKey::random(place()).unwrap();
        let sealed = key.seal(b"", b"ASHA").unwrap();
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(key.open(b"", &changed).is_err(), "byte {at}");
            assert!(key.open(b"", &sealed[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn the_newest_key_wraps_and_older_ones_still_open() {
        let place = place();
        let old = DataKey::random(place).unwrap().wrap(&keys(&[1])).unwrap();
        let both = keys(&[1, 2]);
        assert_eq!(DataKey::random(place).unwrap().wrap(&both).unwrap().kek_id, "2");
        assert!(DataKey::unwrap(&both, place, &old).is_ok());
        assert!(DataKey::unwrap(&keys(&[2]), place, &old).is_err());
        // A row that names another key than it was wrapped under does not open.
        let renamed = WrappedKey { kek_id: "2".to_owned(), ..old };
        assert!(DataKey::unwrap(&both, place, &renamed).is_err());
    }

    #[test]
    fn keys_are_shown_nowhere() {
        let key = DataKey::random(place()).unwrap();
        assert_eq!(format!("{key:?}"), "DataKey(people)");
    }
}
