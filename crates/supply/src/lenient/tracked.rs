//! A deserializer around another one that leaves parts out, and remembers where it came to its end.

use std::{cell::RefCell, fmt};

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, IntoDeserializer, MapAccess,
    SeqAccess, Visitor,
};
use serde_json::value::RawValue;

use super::Parts;
use super::cuts::{Cut, Cuts, Failed, Step, field};
use crate::reading::Text;

/// The names that `serde_json` has for what it hands over in its own ways begin so.
const PRIVATE: &str = "$serde_json";

/// One pass through an answer.
pub(super) struct Attempt<'c> {
    cuts: &'c Cuts,
    parts: &'c Parts,
    failed: RefCell<Option<Failed>>,
    doubled: RefCell<Vec<String>>,
}

impl<'c> Attempt<'c> {
    pub fn new(cuts: &'c Cuts, parts: &'c Parts) -> Self {
        Self { cuts, parts, failed: RefCell::default(), doubled: RefCell::default() }
    }

    /// What is left of the answer as this type.
    pub fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        &self,
        deserializer: D,
    ) -> Result<T, D::Error> {
        let place = Place { pass: self, path: None, cut: Some(&self.cuts.root) };
        T::deserialize(Tracked { inner: deserializer, place })
    }

    /// Where it failed.
    pub fn failed(&self) -> Failed {
        self.failed.borrow_mut().take().unwrap_or_default()
    }

    /// Which members came twice and said two things.
    pub fn doubled(&self) -> Vec<String> {
        self.doubled.take()
    }
}

#[derive(Clone, Copy)]
enum StepHere<'p> {
    Member(&'p str),
    Entry(&'p str),
    Item(usize),
}

struct Path<'p> {
    before: Option<&'p Path<'p>>,
    step: StepHere<'p>,
}

/// Where in the answer we are, and what is left out below.
#[derive(Clone, Copy)]
struct Place<'p> {
    pass: &'p Attempt<'p>,
    path: Option<&'p Path<'p>>,
    cut: Option<&'p Cut>,
}

impl Place<'_> {
    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut path = self.path;
        while let Some(here) = path {
            steps.push(match here.step {
                StepHere::Member(name) => Step::Member(name.to_owned()),
                StepHere::Entry(key) => Step::Entry(key.to_owned()),
                StepHere::Item(number) => Step::Item(number),
            });
            path = here.before;
        }
        steps.reverse();
        steps
    }

    /// Remembers that it came to its end here, unless it did so below.
    fn fail(&self) {
        let mut failed = self.pass.failed.borrow_mut();
        if failed.is_none() {
            *failed = Some(Failed(self.steps()));
        }
    }

    fn is_left_out_everywhere(&self, name: &str) -> bool {
        let everywhere = &self.pass.cuts.everywhere;
        !everywhere.is_empty() && {
            let mut steps = self.steps();
            steps.push(Step::Member(name.to_owned()));
            everywhere.contains(&field(&steps))
        }
    }
}

/// A deserializer at its place.
struct Tracked<'p, D> {
    inner: D,
    place: Place<'p>,
}

impl<'p, D> Tracked<'p, D> {
    /// `of_data`: where it is an object, its keys are data.
    fn seen<V>(self, visitor: V, of_data: bool) -> (D, Seen<'p, V>) {
        let seen = Seen { visitor, place: self.place, of_data };
        (self.inner, seen)
    }
}

macro_rules! forward {
    ($($name:ident($($argument:ident: $kind:ty),*);)+) => {$(
        fn $name<V: Visitor<'de>>(self, $($argument: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            let (inner, seen) = self.seen(visitor, true);
            inner.$name($($argument,)* seen)
        }
    )+};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Tracked<'_, D> {
    type Error = D::Error;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_map();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if name.starts_with(PRIVATE) {
            return self.inner.deserialize_newtype_struct(name, visitor);
        }
        let (inner, seen) = self.seen(visitor, true);
        inner.deserialize_newtype_struct(name, seen)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if name.starts_with(PRIVATE) {
            return self.inner.deserialize_struct(name, fields, visitor);
        }
        let (inner, seen) = self.seen(visitor, false);
        inner.deserialize_struct(name, fields, seen)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// A visitor that is shown what is not left out.
struct Seen<'p, V> {
    visitor: V,
    place: Place<'p>,
    of_data: bool,
}

macro_rules! show {
    ($($name:ident($kind:ty);)+) => {$(
        fn $name<E: Error>(self, value: $kind) -> Result<V::Value, E> {
            self.visitor.$name(value)
        }
    )+};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Seen<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    show! {
        visit_bool(bool);
        visit_i64(i64);
        visit_i128(i128);
        visit_u64(u64);
        visit_u128(u128);
        visit_f64(f64);
        visit_str(&str);
        visit_borrowed_str(&'de str);
        visit_string(String);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let place = self.place;
        self.visitor.visit_some(Tracked { inner, place })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let place = self.place;
        self.visitor.visit_newtype_struct(Tracked { inner, place })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let items = Items { inner, place: self.place, next: 0 };
        self.visitor.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let members = Members {
            inner,
            place: self.place,
            of_data: self.of_data,
            name: Text::default(),
            first: Vec::new(),
        };
        self.visitor.visit_map(members)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(inner)
    }
}

/// A list without the items that are left out.
struct Items<'p, A> {
    inner: A,
    place: Place<'p>,
    next: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Items<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        loop {
            let number = self.next;
            self.next += 1;
            let cut = self.place.cut.and_then(|cut| cut.items.get(&number));
            if cut.is_some_and(|cut| cut.is_out) {
                if self.inner.next_element::<IgnoredAny>()?.is_none() {
                    return Ok(None);
                }
                continue;
            }
            let path = Path { before: self.place.path, step: StepHere::Item(number) };
            let place = Place { path: Some(&path), cut, ..self.place };
            return self.inner.next_element_seed(Here { seed, place });
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// An object without the members that are left out.
struct Members<'p, 'de, A> {
    inner: A,
    place: Place<'p>,
    of_data: bool,
    /// Of the member whose value comes next.
    name: Text<'de>,
    /// Of members that come more than once, the first text of each.
    first: Vec<(String, &'de RawValue)>,
}

impl<'de, A: MapAccess<'de>> Members<'_, 'de, A> {
    fn cut(&self) -> Option<&Cut> {
        self.place.cut.and_then(|cut| cut.members.get(&*self.name))
    }

    /// Compares what comes once more with what came first.
    fn again(&mut self, first: &'de RawValue) -> Result<(), A::Error> {
        let again = self.inner.next_value::<&RawValue>()?;
        if again.get() == first.get() {
            return Ok(());
        }
        if self.place.pass.parts.vital.contains(&&*self.name) {
            return Err(Error::custom(format!("`{}` says two things", &*self.name)));
        }
        let mut steps = self.place.steps();
        steps.push(Step::Member(self.name.to_string()));
        self.place.pass.doubled.borrow_mut().push(field(&steps));
        Ok(())
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        loop {
            let Some(name) = self.inner.next_key::<Text<'de>>()? else {
                return Ok(None);
            };
            self.name = name;
            let first = self.first.iter().find(|(name, _)| **name == *self.name);
            if let Some((_, first)) = first {
                let first = *first;
                self.again(first)?;
                continue;
            }
            let is_out = self.cut().is_some_and(|cut| cut.is_out)
                || (!self.of_data && self.place.is_left_out_everywhere(&self.name));
            if is_out {
                self.inner.next_value::<IgnoredAny>()?;
                continue;
            }
            let key = seed.deserialize(IntoDeserializer::<A::Error>::into_deserializer(&*self.name));
            return key.map(Some);
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        if self.name.starts_with(PRIVATE) {
            return self.inner.next_value_seed(seed);
        }
        let name = std::mem::take(&mut self.name);
        let path = Path {
            before: self.place.path,
            step: match self.of_data {
                true => StepHere::Entry(&name),
                false => StepHere::Member(&name),
            },
        };
        let cut = self.place.cut;
        let place =
            Place { path: Some(&path), cut: cut.and_then(|cut| cut.members.get(&*name)), ..self.place };
        let here = Here { seed, place };
        if !cut.is_some_and(|cut| cut.doubled.contains(&*name)) {
            return self.inner.next_value_seed(here);
        }
        let text = self.inner.next_value::<&'de RawValue>()?;
        self.first.push((name.to_string(), text));
        let mut json = serde_json::Deserializer::from_str(text.get());
        here.deserialize(&mut json).map_err(Error::custom)
    }
}

/// A seed at its place.
struct Here<'p, T> {
    seed: T,
    place: Place<'p>,
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for Here<'_, T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<T::Value, D::Error> {
        let place = self.place;
        let read = self.seed.deserialize(Tracked { inner, place });
        read.inspect_err(|_| place.fail())
    }
}
