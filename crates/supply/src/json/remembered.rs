//! Objects that were read, by kind.

use std::rc::Rc;

/// More kinds are none of an honest answer.
const MOST_KINDS: usize = 64;
/// Of each kind so many different objects are remembered, the newest.
const MOST: usize = 8;
/// A shorter object is read as fast as it is found again.
const SHORTEST: usize = 40;
/// After so many objects of a kind of which less than one in four came again none is remembered any more.
const TRIAL: u32 = 64;

/// The names of an object's members that were wanted, and where their values stand in the whole text.
pub(super) type Remembered<'de> = Rc<[(&'de str, usize)]>;

/// The members that a struct has, which tell its objects apart from others: their place in memory stands for them.
type Fields = (*const &'static str, usize);

/// What was read of one text.
#[derive(Default)]
pub(super) struct Memory<'de> {
    pub(super) structs: Kinds<'de, Fields>,
    /// Objects and lists that nobody wanted, by the names under which they stood.
    pub(super) unwanted: Kinds<'de, &'de str>,
}

struct Object<'de> {
    text: &'de [u8],
    members: Remembered<'de>,
}

/// The newest different objects of one kind, those first that were met last.
struct Kind<'de, Key> {
    key: Key,
    objects: Vec<Object<'de>>,
    hits: u32,
    misses: u32,
}

/// Objects by what tells their kinds apart.
pub(super) struct Kinds<'de, Key>(Vec<Kind<'de, Key>>);

impl<Key> Default for Kinds<'_, Key> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, Key: Copy + PartialEq> Kinds<'de, Key> {
    /// How long the object is with which this text begins, and its members, if such an object is remembered.
    pub(super) fn find(&mut self, key: Key, rest: &[u8]) -> Option<(usize, Remembered<'de>)> {
        let kind = self.0.iter_mut().find(|kind| kind.key == key)?;
        let known = |object: &Object<'_>| rest.starts_with(object.text);
        let Some(place) = kind.objects.iter().position(known) else {
            kind.misses = kind.misses.saturating_add(1);
            return None;
        };
        kind.hits = kind.hits.saturating_add(1);
        if let Some(newer) = kind.objects.get_mut(..=place) {
            newer.rotate_right(1);
        }
        let object = kind.objects.first()?;
        Some((object.text.len(), Rc::clone(&object.members)))
    }

    /// Whether an object of this kind that was not found should be remembered.
    pub(super) fn are_worth_it(&self, key: Key) -> bool {
        let kind = self.0.iter().find(|kind| kind.key == key);
        kind.is_none_or(|kind| kind.misses < TRIAL || kind.hits >= kind.misses / 4)
    }

    pub(super) fn remember(&mut self, key: Key, text: &'de [u8], members: &[(&'de str, usize)]) {
        if text.len() < SHORTEST {
            return;
        }
        let object = Object { text, members: members.into() };
        let kind = match self.0.iter().position(|kind| kind.key == key) {
            Some(place) => self.0.get_mut(place),
            None if self.0.len() == MOST_KINDS => None,
            None => {
                self.0.push(Kind { key, objects: Vec::new(), hits: 0, misses: 0 });
                self.0.last_mut()
            }
        };
        if let Some(kind) = kind {
            kind.objects.truncate(MOST - 1);
            kind.objects.insert(0, object);
        }
    }
}
