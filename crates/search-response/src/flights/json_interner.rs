//! An interner of JSON: each journey and segment is printed once, and offers refer to it by its number.

use std::{collections::HashMap, ops::Range};

use foldhash::fast::RandomState;
use serde::Serialize;

use super::{json_text::JsonText, views::Print};

/// Printed things, numbered from 1 in the order in which they came.
#[derive(Default)]
pub struct JsonInterner {
    text: Vec<u8>,
    ranges: Vec<Range<usize>>,
    /// The numbers of those that may come again, by what makes them one.
    known: HashMap<Box<[u8]>, u32, RandomState>,
}

impl JsonInterner {
    /// The number of what `key` tells apart from others; what is new is printed. `view` gets its number.
    pub fn number<T: Print>(&mut self, key: &[u8], view: impl FnOnce(u32) -> T) -> serde_json::Result<u32> {
        if let Some(number) = self.known.get(key) {
            return Ok(*number);
        }
        let number = self.next();
        self.add(&view(number))?;
        self.known.insert(key.into(), number);
        Ok(number)
    }

    /// The number of what is printed like this; what is new stays printed.
    pub fn number_of_text(&mut self, thing: &impl Serialize) -> serde_json::Result<u32> {
        let begin = self.text.len();
        serde_json::to_writer(&mut self.text, thing)?;
        let text = self.text.get(begin..).unwrap_or_default();
        if let Some(number) = self.known.get(text) {
            self.text.truncate(begin);
            return Ok(*number);
        }
        let number = self.next();
        self.known.insert(text.into(), number);
        self.ranges.push(begin..self.text.len());
        Ok(number)
    }

    /// Prints one more, which never comes again.
    pub fn add(&mut self, thing: &impl Print) -> serde_json::Result<()> {
        let begin = self.text.len();
        thing.print(&mut JsonText(&mut self.text))?;
        self.ranges.push(begin..self.text.len());
        Ok(())
    }

    /// Makes room for so many that are about as long as the last one, so that what is printed is not moved while it grows.
    pub fn make_room(&mut self, count: usize) {
        let long = self.ranges.last().map_or(0, Range::len);
        self.text.reserve(count * (long + long / 16));
        self.ranges.reserve(count);
    }

    /// The number of the next one.
    pub fn next(&self) -> u32 {
        u32::try_from(self.ranges.len() + 1).unwrap_or(u32::MAX)
    }

    /// How many bytes all of them have.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// The text of this number.
    pub fn text(&self, number: u32) -> &[u8] {
        let range = usize::try_from(number).ok().and_then(|number| self.ranges.get(number.checked_sub(1)?));
        range.and_then(|range| self.text.get(range.clone())).unwrap_or_default()
    }
}

/// A set of numbers of [`Pieces`].
#[derive(Clone, Default)]
pub struct Numbers(Vec<bool>);

impl Numbers {
    /// Adds a number; whether it is new.
    pub fn insert(&mut self, number: u32) -> bool {
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        if self.0.len() <= place {
            self.0.resize(place + 1, false);
        }
        self.0.get_mut(place).is_some_and(|there| !std::mem::replace(there, true))
    }

    /// The numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let there = (0_u32..).zip(&self.0).filter(|(_, there)| **there);
        there.map(|(number, _)| number)
    }
}
