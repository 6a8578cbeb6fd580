//! Values of the text as serde asks for them.

use std::{borrow::Cow, iter::once};

use serde::de::{
    DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
    value::{BorrowedStrDeserializer, MapDeserializer},
};

use super::{
    GivenUp, Read,
    remembered::{Kinds, Members},
    scanner::Scanner,
};

/// What `serde_json` calls a piece of text that is kept as it is, which it asks for under this name and takes as a map of
/// one member of this name. Should it ever change, such pieces are given up, and read by `serde_json`.
pub(crate) const RAW: &str = "$serde_json::private::RawValue";

/// The members that a struct has, which tell its objects apart from others: their place in memory stands for them.
type Fields = (*const &'static str, usize);

/// Reads one text, and remembers what it has read.
pub(super) struct Reader<'de> {
    scanner: Scanner<'de>,
    structs: Kinds<'de, Fields>,
    /// Objects and lists that nobody wanted, by the names under which they stood.
    unwanted: Kinds<'de, &'de str>,
    /// The name of the member whose value comes next, until it is begun.
    name: Option<&'de str>,
    /// Where the value stands that was passed last.
    passed: Option<usize>,
}

impl<'de> Reader<'de> {
    pub(super) fn new(text: &'de str) -> Self {
        Self {
            scanner: Scanner::new(text),
            structs: Kinds::default(),
            unwanted: Kinds::default(),
            name: None,
            passed: None,
        }
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.scanner.peek().is_none()
    }

    /// Passes the value of a member that nobody wants.
    fn pass(&mut self, name: &'de str) -> Read<()> {
        let first = self.scanner.peek();
        let begin = self.scanner.at();
        self.passed = Some(begin);
        if !matches!(first, Some(b'{' | b'[')) {
            return self.scanner.skip();
        }
        if let Some((length, _)) = self.unwanted.find(name, self.scanner.rest()) {
            self.scanner.go_to(begin + length);
            return Ok(());
        }
        self.scanner.skip()?;
        if self.unwanted.are_worth_it(name) {
            let text = self.scanner.between(begin, self.scanner.at());
            self.unwanted.remember(name, text, &[]);
        }
        Ok(())
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = GivenUp;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.scanner.peek().ok_or(GivenUp)? {
            b'"' => self.deserialize_str(visitor),
            b'{' => self.deserialize_map(visitor),
            b'[' => self.deserialize_seq(visitor),
            b't' | b'f' => self.deserialize_bool(visitor),
            b'n' => self.deserialize_unit(visitor),
            // Exact to the last digit only with `serde_json`.
            _ => Err(GivenUp),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.name = None;
        let is_true = self.scanner.peek() == Some(b't');
        self.scanner.word(if is_true { "true" } else { "false" })?;
        visitor.visit_bool(is_true)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.name = None;
        visitor.visit_u64(self.scanner.count()?)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.name = None;
        match self.scanner.string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.name = None;
        if self.scanner.peek() == Some(b'n') {
            self.scanner.word("null")?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.name = None;
        self.scanner.word("null")?;
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Read<V::Value> {
        self.name = None;
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        self.scanner.peek();
        let begin = self.scanner.at();
        self.scanner.skip()?;
        let text = self.scanner.between(begin, self.scanner.at());
        let member = (BorrowedStrDeserializer::new(RAW), BorrowedStrDeserializer::new(text));
        visitor.visit_map(MapDeserializer::new(once(member)))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.name = None;
        self.scanner.enter(b'[')?;
        let at_least = usize::from(self.scanner.peek() != Some(b']'));
        let value = visitor.visit_seq(Elements { reader: self, is_first: true, at_least })?;
        self.scanner.leave(b']')?;
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.name = None;
        self.scanner.enter(b'{')?;
        let value = visitor.visit_map(Entries { reader: self, is_first: true, wanted: None, name: None })?;
        self.scanner.leave(b'}')?;
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.name = None;
        if self.scanner.peek() != Some(b'{') {
            return Err(GivenUp);
        }
        let key = (fields.as_ptr(), fields.len());
        let begin = self.scanner.at();
        if let Some((length, members)) = self.structs.find(key, self.scanner.rest()) {
            self.scanner.deeper()?;
            let value = visitor.visit_map(Again { reader: self, members, next: 0 })?;
            self.scanner.shallower();
            self.scanner.go_to(begin + length);
            return Ok(value);
        }
        let mut wanted = (self.structs.are_worth_it(key)).then(|| Vec::with_capacity(fields.len()));
        self.scanner.enter(b'{')?;
        let value = visitor.visit_map(Entries {
            reader: self,
            is_first: true,
            wanted: wanted.as_mut(),
            name: None,
        })?;
        self.scanner.leave(b'}')?;
        if let Some(wanted) = wanted {
            let text = self.scanner.between(begin, self.scanner.at());
            self.structs.remember(key, text, &wanted);
        }
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.name = None;
        // One that holds something is an object.
        let variant = self.scanner.string()?;
        visitor.visit_enum(variant.into_deserializer())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.name.take() {
            Some(name) => self.pass(name)?,
            None => self.scanner.skip()?,
        }
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u128 f32 f64 char bytes byte_buf unit_struct tuple tuple_struct
    }
}

/// The elements of a list.
struct Elements<'r, 'de> {
    reader: &'r mut Reader<'de>,
    is_first: bool,
    /// How many there are at least.
    at_least: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = GivenUp;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        if is_first && self.reader.scanner.peek() == Some(b']') {
            return Ok(None);
        }
        if !is_first && !self.reader.scanner.takes(b',') {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    /// Most lists have one element: room for it, and not for four, as a list has that begins with none.
    fn size_hint(&self) -> Option<usize> {
        Some(self.at_least)
    }
}

/// The members of an object as it stands there.
struct Entries<'r, 'w, 'de> {
    reader: &'r mut Reader<'de>,
    is_first: bool,
    /// The members that were wanted, where they are to be remembered.
    wanted: Option<&'w mut Vec<(&'de str, usize)>>,
    /// The name of the member whose value comes next, where it has no escapes.
    name: Option<&'de str>,
}

impl<'de> MapAccess<'de> for Entries<'_, '_, 'de> {
    type Error = GivenUp;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        if is_first && self.reader.scanner.peek() == Some(b'}') {
            return Ok(None);
        }
        if !is_first && !self.reader.scanner.takes(b',') {
            return Ok(None);
        }
        // A name with an escape is as rare as it is strange.
        let Cow::Borrowed(name) = self.reader.scanner.string()? else {
            return Err(GivenUp);
        };
        self.name = Some(name);
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        self.reader.scanner.token(b':')?;
        self.reader.scanner.peek();
        let begin = self.reader.scanner.at();
        self.reader.name = self.name;
        let value = seed.deserialize(&mut *self.reader)?;
        if let Some(wanted) = &mut self.wanted
            && let Some(name) = self.name
            && self.reader.passed != Some(begin)
        {
            wanted.push((name, begin));
        }
        Ok(value)
    }
}

/// The members of an object that was read before, as far as they were wanted.
struct Again<'r, 'de> {
    reader: &'r mut Reader<'de>,
    members: Members<'de>,
    next: usize,
}

impl<'de> MapAccess<'de> for Again<'_, 'de> {
    type Error = GivenUp;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        let Some((name, place)) = self.members.get(self.next) else {
            return Ok(None);
        };
        self.next += 1;
        self.reader.scanner.go_to(*place);
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        self.reader.name = None;
        seed.deserialize(&mut *self.reader)
    }
}
