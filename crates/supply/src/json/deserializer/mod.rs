//! Values of the text as serde asks for them.

mod members;

use std::{borrow::Cow, iter::once};

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, SeqAccess, Unexpected,
    Visitor,
    value::{BorrowedStrDeserializer, MapDeserializer},
};
use wayfare_digits::serde_json_keeps_digits;

use self::members::Members;
use super::{
    Broken, Read, Wrong,
    attempt::Attempt,
    left_out::Step,
    remembered::{Memory, Remembered},
    scanner::{Digits, Scanner},
};

/// What `serde_json` calls a piece of text that stays as it is: it asks for it under this name and takes it as a map of one member
/// of this name. Should it ever change, the comparison with `serde_json` fails.
pub(crate) const RAW: &str = "$serde_json::private::RawValue";

/// Below it a float has four decimals that are sure.
const LARGEST_FLOAT: f64 = 1e12;

/// Reads one text.
pub(crate) struct Reader<'de, 'c> {
    pub(in crate::json) scanner: Scanner<'de>,
    pub(in crate::json) memory: Option<Memory<'de>>,
    /// What is left out, and where we are.
    pub(in crate::json) attempt: Option<Attempt<'c>>,
    /// The name of the member whose value comes next.
    pub(in crate::json) name: Option<&'de str>,
    /// Where the value stands that was passed last.
    pub(in crate::json) passed: Option<usize>,
    /// The digits of the number that comes next, where they are asked for as text.
    pub(in crate::json) digits: Option<Cow<'de, str>>,
}

impl<'de, 'c> Reader<'de, 'c> {
    pub(crate) fn new(body: &'de [u8]) -> Self {
        Self {
            scanner: Scanner::new(body),
            memory: None,
            attempt: None,
            name: None,
            passed: None,
            digits: None,
        }
    }

    /// Remembers what it has read.
    pub(crate) fn remembering(self) -> Self {
        Self { memory: Some(Memory::default()), ..self }
    }

    /// Leaves out what this attempt leaves out.
    pub(crate) fn attempting(self, attempt: Attempt<'c>) -> Self {
        Self { attempt: Some(attempt), ..self }
    }

    /// Where the attempt failed, if it did; and which members came twice and said two things.
    pub(crate) fn outcome(self) -> (Vec<Step>, Vec<String>) {
        self.attempt.map(Attempt::outcome).unwrap_or_default()
    }

    /// The whole text as this type.
    pub(crate) fn read<T: Deserialize<'de>>(&mut self) -> Read<T> {
        let content = T::deserialize(&mut *self)?;
        match self.scanner.is_at_end() {
            true => Ok(content),
            false => Err(Broken.into()),
        }
    }

    /// Passes the value of a member that nobody wants.
    fn pass(&mut self, name: &'de str) -> Read<()> {
        let first = self.scanner.peek();
        let begin = self.scanner.at();
        self.passed = Some(begin);
        let Some(memory) = &mut self.memory else { return Ok(self.scanner.skip()?) };
        if !matches!(first, Some(b'{' | b'[')) {
            return Ok(self.scanner.skip()?);
        }
        if let Some((length, _)) = memory.unwanted.find(name, self.scanner.rest()) {
            self.scanner.go_to(begin + length);
            return Ok(());
        }
        self.scanner.skip()?;
        if memory.unwanted.are_worth_it(name) {
            let text = self.scanner.bytes_from(begin);
            memory.unwanted.remember(name, text, &[]);
        }
        Ok(())
    }

    fn number(&mut self, expected: &dyn Expected) -> Read<Digits> {
        match self.scanner.peek() {
            Some(b'-' | b'0'..=b'9') => Ok(self.scanner.number()?),
            _ => Err(self.unfit(expected)),
        }
    }

    /// That something else was expected than what stands here.
    #[cold]
    fn unfit(&mut self, expected: &dyn Expected) -> Wrong {
        self.found(expected).unwrap_or_else(Wrong::from)
    }

    fn found(&mut self, expected: &dyn Expected) -> Result<Wrong, Broken> {
        let string;
        let found = match self.scanner.peek().ok_or(Broken)? {
            b'n' => {
                self.scanner.word("null")?;
                Unexpected::Unit
            }
            first @ (b't' | b'f') => {
                self.scanner.boolean()?;
                Unexpected::Bool(first == b't')
            }
            b'"' => {
                string = self.scanner.string()?;
                Unexpected::Str(&string)
            }
            b'[' => Unexpected::Seq,
            b'{' => Unexpected::Map,
            _ => match self.scanner.number()? {
                Digits::Count(count) => Unexpected::Unsigned(count),
                Digits::Signed(number) => Unexpected::Signed(number),
                Digits::Float(number) => Unexpected::Float(number),
            },
        };
        Ok(Wrong::invalid_type(found, expected))
    }

    /// The object that begins here, if one like it was read before.
    fn known(&mut self, fields: &'static [&'static str]) -> Option<(usize, Remembered<'de>)> {
        let memory = self.memory.as_mut()?;
        memory.structs.find((fields.as_ptr(), fields.len()), self.scanner.rest())
    }

    /// Room for the members of an object that is worth being remembered.
    fn worthy(&self, fields: &'static [&'static str]) -> Option<Vec<(&'de str, usize)>> {
        let memory = self.memory.as_ref()?;
        let is_worth_it = memory.structs.are_worth_it((fields.as_ptr(), fields.len()));
        is_worth_it.then(|| Vec::with_capacity(fields.len()))
    }

    /// Ends the object that began there.
    fn leave_struct(
        &mut self,
        begin: usize,
        fields: &'static [&'static str],
        wanted: Option<Vec<(&'de str, usize)>>,
    ) -> Read<()> {
        self.scanner.leave(b'}')?;
        if let (Some(wanted), Some(memory)) = (wanted, &mut self.memory) {
            let text = self.scanner.bytes_from(begin);
            memory.structs.remember((fields.as_ptr(), fields.len()), text, &wanted);
        }
        Ok(())
    }
}

macro_rules! read_by {
    ($reader:ident: $($name:ident)+) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            self.$reader(visitor)
        }
    )+};
}

impl<'de> Deserializer<'de> for &mut Reader<'de, '_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.scanner.peek().ok_or(Broken)? {
            b'"' => self.deserialize_str(visitor),
            b'{' => self.deserialize_map(visitor),
            b'[' => self.deserialize_seq(visitor),
            b't' | b'f' => self.deserialize_bool(visitor),
            b'n' => self.deserialize_unit(visitor),
            _ => {
                if let Some(digits) = self.digits.take() {
                    return visit_text(digits, visitor);
                }
                let (digits, end) = self.scanner.digits()?;
                if let Ok(count) = digits.parse() {
                    self.scanner.go_to(end);
                    return visitor.visit_u64(count);
                }
                if let Ok(number) = digits.parse()
                    && digits != "-0"
                {
                    self.scanner.go_to(end);
                    return visitor.visit_i64(number);
                }
                let value = match number_form(&digits)? {
                    NumberForm::Map => visitor.visit_map(Members::of_number(self, digits))?,
                    NumberForm::Float(number) => visitor.visit_f64::<Wrong>(number)?,
                    NumberForm::Text => visit_text(digits, visitor)?,
                };
                self.digits = None;
                self.scanner.go_to(end);
                Ok(value)
            }
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.scanner.peek() {
            Some(b't' | b'f') => visitor.visit_bool(self.scanner.boolean()?),
            _ => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.number(&visitor)? {
            Digits::Count(count) => visitor.visit_u64(count),
            Digits::Signed(number) => visitor.visit_i64(number),
            Digits::Float(number) => visitor.visit_f64(number),
        }
    }

    read_by! {
        deserialize_u64: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_f32 deserialize_f64
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let text = match self.scanner.takes(b'"') {
            true => self.scanner.rest_of_string()?,
            false => match self.digits.take() {
                Some(digits) => digits,
                None => return Err(self.unfit(&visitor)),
            },
        };
        visit_text(text, visitor)
    }

    read_by! {
        deserialize_str: deserialize_char deserialize_string deserialize_identifier
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
        if self.scanner.peek() != Some(b'n') {
            return Err(self.unfit(&visitor));
        }
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
        let text = self.scanner.text_from(begin)?;
        let member = (BorrowedStrDeserializer::new(RAW), BorrowedStrDeserializer::new(text));
        visitor.visit_map(MapDeserializer::new(once(member)))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.scanner.peek() != Some(b'[') {
            return Err(self.unfit(&visitor));
        }
        self.scanner.enter()?;
        let at_least = usize::from(self.scanner.peek() != Some(b']'));
        let value = visitor.visit_seq(Elements { reader: self, number: 0, at_least })?;
        self.scanner.leave(b']')?;
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.scanner.peek() != Some(b'{') {
            return Err(self.unfit(&visitor));
        }
        self.scanner.enter()?;
        let value = visitor.visit_map(Members::of_map(self))?;
        self.scanner.leave(b'}')?;
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        if self.scanner.peek() != Some(b'{') {
            return Err(self.unfit(&visitor));
        }
        let begin = self.scanner.at();
        if let Some((length, members)) = self.known(fields) {
            self.scanner.deeper()?;
            let value = visitor.visit_map(Members::remembered(self, members))?;
            self.scanner.shallower();
            self.scanner.go_to(begin + length);
            return Ok(value);
        }
        let mut wanted = self.worthy(fields);
        self.scanner.enter()?;
        let value = visitor.visit_map(Members::of_struct(self, wanted.as_mut()))?;
        self.leave_struct(begin, fields, wanted)?;
        Ok(value)
    }

    /// One that holds something is an object, which no supplier sends.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        match self.scanner.peek() {
            Some(b'"') => visitor.visit_enum(self.scanner.string()?.into_deserializer()),
            _ => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.name.take() {
            Some(name) => self.pass(name)?,
            None => self.scanner.skip()?,
        }
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i128 u128 bytes byte_buf unit_struct tuple tuple_struct
    }
}

/// As what a number is handed over that is no integer of 64 bits, to who takes anything.
enum NumberForm {
    /// As a map of its digits, so that it is exact to the last: programs whose `serde_json` has `arbitrary_precision` take it so.
    Map,
    /// In all others: as what they make of it.
    Float(f64),
    /// There, too, where a float is not exact to a ten-thousandth: as who reads an amount takes it.
    Text,
}

fn number_form(digits: &str) -> Read<NumberForm> {
    if serde_json_keeps_digits() {
        return Ok(NumberForm::Map);
    }
    let number: f64 = digits.parse().map_err(|_| Broken)?;
    match number.abs() < LARGEST_FLOAT {
        true => Ok(NumberForm::Float(number)),
        false => Ok(NumberForm::Text),
    }
}

fn visit_text<'de, V: Visitor<'de>>(text: Cow<'de, str>, visitor: V) -> Read<V::Value> {
    match text {
        Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}

/// The elements of a list.
struct Elements<'r, 'de, 'c> {
    reader: &'r mut Reader<'de, 'c>,
    /// How many came.
    number: usize,
    /// How many there are at least.
    at_least: usize,
}

impl Elements<'_, '_, '_> {
    /// Whether one follows that is not left out.
    fn follows(&mut self) -> Read<bool> {
        let Self { reader, number, .. } = self;
        loop {
            match reader.scanner.peek().ok_or(Broken)? {
                b']' => return Ok(false),
                b',' if *number > 0 => reader.scanner.bump(),
                _ if *number > 0 => return Err(Broken.into()),
                _ => {}
            }
            reader.name = None;
            let Some(attempt) = &mut reader.attempt else {
                *number += 1;
                return Ok(true);
            };
            let is_out = attempt.leaves_out_item(*number);
            if !is_out {
                attempt.enter_item(*number);
            }
            *number += 1;
            if !is_out {
                return Ok(true);
            }
            reader.scanner.skip()?;
        }
    }
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de, '_> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        if !self.follows()? {
            return Ok(None);
        }
        let value = seed.deserialize(&mut *self.reader)?;
        if let Some(attempt) = &mut self.reader.attempt {
            attempt.leave();
        }
        Ok(Some(value))
    }

    /// Most lists have one element: room for it, and not for four, as a list has that begins with none.
    fn size_hint(&self) -> Option<usize> {
        Some(self.at_least)
    }
}
