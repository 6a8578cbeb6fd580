//! The members of an object, however they are read: one type, so that a struct's reader is compiled once.

use std::borrow::Cow;

use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};

use super::Reader;
use crate::json::{
    Broken, Read, Wrong,
    remembered::Remembered,
    scanner::{Digits, Scanner},
};

/// What `serde_json` calls the digits of a number, as [`super::RAW`].
const NUMBER: &str = "$serde_json::private::Number";

/// Where the members come from.
enum Source<'w, 'de> {
    /// The text. The names that were wanted, and where their values stand, go where they are to be remembered.
    Text { is_first: bool, wanted: Option<&'w mut Vec<(&'de str, usize)>> },
    /// An object that was read before, of which only these members were wanted.
    Remembered { members: Remembered<'de>, next: usize },
    /// A number, as an object of one member.
    Number(Option<Cow<'de, str>>),
}

/// The members of an object.
pub(super) struct Members<'r, 'w, 'de, 'c> {
    reader: &'r mut Reader<'de, 'c>,
    source: Source<'w, 'de>,
    /// Whether the names are data, and no fields.
    of_data: bool,
    /// The name of the member whose value comes next, where it has no escapes.
    name: Option<&'de str>,
}

impl<'r, 'w, 'de, 'c> Members<'r, 'w, 'de, 'c> {
    pub(super) fn of_map(reader: &'r mut Reader<'de, 'c>) -> Self {
        let source = Source::Text { is_first: true, wanted: None };
        Self { reader, source, of_data: true, name: None }
    }

    pub(super) fn of_struct(
        reader: &'r mut Reader<'de, 'c>,
        wanted: Option<&'w mut Vec<(&'de str, usize)>>,
    ) -> Self {
        let source = Source::Text { is_first: true, wanted };
        Self { reader, source, of_data: false, name: None }
    }

    pub(super) fn remembered(reader: &'r mut Reader<'de, 'c>, members: Remembered<'de>) -> Self {
        Self { reader, source: Source::Remembered { members, next: 0 }, of_data: false, name: None }
    }

    pub(super) fn of_number(reader: &'r mut Reader<'de, 'c>, digits: Cow<'de, str>) -> Self {
        Self { reader, source: Source::Number(Some(digits)), of_data: true, name: None }
    }

    /// The next name that is not left out.
    #[inline(always)]
    fn next_name(&mut self) -> Read<Option<Cow<'de, str>>> {
        match &mut self.source {
            Source::Remembered { members, next } => {
                let Some((name, place)) = members.get(*next) else { return Ok(None) };
                *next += 1;
                self.reader.scanner.go_to(*place);
                Ok(Some(Cow::Borrowed(*name)))
            }
            Source::Number(digits) => Ok(digits.as_ref().map(|_| Cow::Borrowed(NUMBER))),
            Source::Text { is_first, .. } => loop {
                let was_first = std::mem::replace(is_first, false);
                match self.reader.scanner.peek() {
                    Some(b'}') => return Ok(None),
                    Some(b',') if !was_first => self.reader.scanner.bump(),
                    Some(_) if was_first => {}
                    _ => return Err(Broken.into()),
                }
                let name = self.reader.scanner.string()?;
                self.name = match name {
                    Cow::Borrowed(name) => Some(name),
                    Cow::Owned(_) => None,
                };
                if self.reader.attempt.is_none() || !leaves_out(self.reader, &name, self.of_data)? {
                    return Ok(Some(name));
                }
            },
        }
    }

    /// Goes to the value of that name; where it begins.
    #[inline(always)]
    fn enter_value(&mut self) -> Read<usize> {
        let reader = &mut *self.reader;
        match &mut self.source {
            Source::Text { .. } => {}
            Source::Remembered { .. } => {
                reader.name = None;
                return Ok(0);
            }
            Source::Number(digits) => {
                reader.name = None;
                reader.digits = digits.take();
                return Ok(0);
            }
        }
        reader.scanner.token(b':')?;
        reader.scanner.peek();
        reader.name = self.name;
        if let Some(attempt) = &mut reader.attempt {
            attempt.enter_member(self.of_data);
        }
        Ok(reader.scanner.at())
    }

    /// Leaves the value that began there.
    #[inline(always)]
    fn leave_value(&mut self, begin: usize) {
        let Source::Text { wanted, .. } = &mut self.source else { return };
        if let (Some(wanted), Some(name)) = (wanted, self.name)
            && self.reader.passed != Some(begin)
        {
            wanted.push((name, begin));
        }
        if let Some(attempt) = &mut self.reader.attempt {
            attempt.leave_member(self.reader.scanner.bytes_from(begin));
        }
    }
}

/// Whether the member of this name is left out, and passed; or comes once more, and was compared with what came first.
#[cold]
fn leaves_out(reader: &mut Reader<'_, '_>, name: &str, of_data: bool) -> Read<bool> {
    let Some(attempt) = &mut reader.attempt else { return Ok(false) };
    let is_again = attempt.has_seen(name);
    if !is_again && !attempt.leaves_out_member(name, of_data) {
        return Ok(false);
    }
    reader.scanner.token(b':')?;
    reader.scanner.peek();
    let begin = reader.scanner.at();
    reader.scanner.skip()?;
    if is_again {
        attempt.compare_again(name, reader.scanner.bytes_from(begin))?;
    }
    Ok(true)
}

impl<'de> MapAccess<'de> for Members<'_, '_, 'de, '_> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        match self.next_name()? {
            Some(name) => seed.deserialize(Name(name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        let begin = self.enter_value()?;
        let value = seed.deserialize(&mut *self.reader)?;
        self.leave_value(begin);
        Ok(value)
    }
}

/// A member's name as serde asks for it.
struct Name<'de>(Cow<'de, str>);

macro_rules! numbers {
    ($($name:ident)+) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            self.deserialize_u64(visitor)
        }
    )+};
}

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = Wrong;

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let mut scanner = Scanner::new(self.0.as_bytes());
        match scanner.number() {
            Ok(Digits::Count(count)) if scanner.is_at_end() => visitor.visit_u64(count),
            Ok(Digits::Signed(number)) if scanner.is_at_end() => visitor.visit_i64(number),
            _ => self.deserialize_any(visitor),
        }
    }

    numbers! { deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32 }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.0 {
            Cow::Borrowed(name) => visitor.visit_borrowed_str(name),
            Cow::Owned(name) => visitor.visit_str(&name),
        }
    }

    /// Of a field, whose name nobody keeps.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_str(&self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Read<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
    }
}
