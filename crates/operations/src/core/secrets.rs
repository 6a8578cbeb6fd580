//! The keys, and what is made with them: keyed hashes and texts that are signed.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use rand::{RngExt, rngs::StdRng};
use secrecy::{ExposeSecret, SecretSlice};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use wayfare_domain::{OrganizationId, UserId};
use wayfare_ledger::ChainKey;

use super::{people_keys::PeopleKeys, signing_keys::SigningKeys};
use crate::{Error, Result};

/// The keys, which neither the database nor a log ever holds.
pub struct Secrets {
    pub(crate) signing: SigningKeys,
    pub(crate) chain: ChainKey,
    pub(crate) people: PeopleKeys,
    /// Derived from the ledger's key, which is never changed: what carries a keyed hash outlives every change of
    /// the signing keys.
    hashing: Hmac<Sha256>,
}

impl Secrets {
    /// The keys.
    ///
    /// # Errors
    /// When the ledger's is under 32 bytes.
    pub fn new(signing: SigningKeys, ledger: &SecretSlice<u8>, people: PeopleKeys) -> Result<Self> {
        let ledger = ledger.expose_secret();
        let chain = ChainKey::new(ledger).map_err(|weak| Error::Internal(weak.to_string()))?;
        // No seal begins with these bytes.
        let derived = keyed(ledger)?.chain_update(b"keyed hashes").finalize().into_bytes();
        Ok(Self { signing, chain, people, hashing: keyed(&derived)? })
    }

    /// A keyed hash for one purpose; another purpose's hash of the same content is another.
    pub(crate) fn mac(&self, purpose: &str, content: &[u8]) -> [u8; 32] {
        self.mac_of(purpose, [content])
    }

    pub(crate) fn mac_of<'a>(&self, purpose: &str, content: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
        let mut mac = self.hashing.clone();
        mac.update(&(purpose.len() as u64).to_be_bytes());
        mac.update(purpose.as_bytes());
        content.into_iter().for_each(|piece| mac.update(piece));
        mac.finalize().into_bytes().into()
    }

    /// This content with a keyed hash, as text that nobody but this user can give back, behind this prefix.
    pub(crate) fn signed(
        &self,
        prefix: &str,
        purpose: &str,
        content: &[u8],
        organization: OrganizationId,
        user: UserId,
    ) -> String {
        let signature = self.signature(purpose, content, organization, user);
        // Three bytes are four letters: whole ones are written where they are.
        let (threes, rest) = content.split_at(content.len() - content.len() % 3);
        let letters = (content.len() + SIGNATURE).div_ceil(3) * 4;
        let mut text = String::with_capacity(prefix.len() + letters);
        text.push_str(prefix);
        URL_SAFE_NO_PAD.encode_string(threes, &mut text);
        match rest {
            [] => URL_SAFE_NO_PAD.encode_string(signature, &mut text),
            rest => URL_SAFE_NO_PAD.encode_string([rest, &signature].concat(), &mut text),
        }
        text
    }

    /// The content of a text that [`Secrets::signed`] made for this purpose and this user; none of any other.
    pub(crate) fn verified(
        &self,
        purpose: &str,
        text: &str,
        organization: OrganizationId,
        user: UserId,
    ) -> Option<Vec<u8>> {
        let mut content = URL_SAFE_NO_PAD.decode(text).ok()?;
        let given = content.split_off(content.len().checked_sub(SIGNATURE)?);
        let expected = self.signature(purpose, &content, organization, user);
        bool::from(expected.ct_eq(&given)).then_some(content)
    }

    fn signature(
        &self,
        purpose: &str,
        content: &[u8],
        organization: OrganizationId,
        user: UserId,
    ) -> [u8; SIGNATURE] {
        let mut signature = [0; SIGNATURE];
        let (organization, user) = (organization.uuid(), user.uuid());
        let mac = self.mac_of(purpose, [content, organization.as_bytes(), user.as_bytes()]);
        signature.iter_mut().zip(mac).for_each(|(to, from)| *to = from);
        signature
    }
}

/// How many bytes of a keyed hash are in a text that is signed.
const SIGNATURE: usize = 12;

fn keyed(key: &[u8]) -> Result<Hmac<Sha256>> {
    Hmac::new_from_slice(key).map_err(|error| Error::Internal(error.to_string()))
}

/// 256 bits nobody can guess.
pub(crate) fn random_bytes() -> [u8; 32] {
    rand::make_rng::<StdRng>().random()
}
