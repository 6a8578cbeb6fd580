//! Reads the lists of a body: texts, numbers, words and objects.

use std::{ops::RangeInclusive, str::FromStr};

use serde_json::{Value, json};
use strum::VariantNames;

use super::{JsonObject, Number, REQUIRED, schema};

impl JsonObject<'_> {
    /// Texts; none of them may be empty.
    pub fn texts(&mut self, name: &str, most: usize) -> Option<Vec<String>> {
        let list = || json!({ "type": "array", "items": { "type": "string" }, "maxItems": most });
        self.note(name, list);
        let texts = self.typed(name, "an array of strings", |value| {
            value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        })?;
        if texts.len() > most {
            self.fault(name, format!("must have at most {most} items"));
            return None;
        }
        if texts.iter().any(|text| text.contains('\0')) {
            self.fault(name, "must not contain NUL");
            return None;
        }
        Some(texts)
    }

    /// Texts, or one that stands alone; an empty one is none.
    pub fn text_or_texts(&mut self, name: &str, most: usize) -> Option<Vec<String>> {
        let texts = match self.value(name) {
            Some(Value::String(_)) => {
                self.optional_text(name).filter(|text| !text.is_empty()).map(|text| vec![text])
            }
            _ => self.texts(name, most),
        };
        let list = || json!({ "type": "array", "items": { "type": "string" }, "maxItems": most });
        let either = || json!({ "anyOf": [list(), { "type": "string" }, { "type": "null" }] });
        self.note_only(name, either);
        texts
    }

    /// Whole numbers in a range.
    pub fn numbers<T: Number>(
        &mut self,
        name: &str,
        range: RangeInclusive<T>,
        most: usize,
    ) -> Option<Vec<T>> {
        let items = || json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() });
        let list = || json!({ "type": "array", "items": items(), "maxItems": most });
        self.note(name, list);
        let wanted =
            format!("an array of at most {most} whole numbers between {} and {}", range.start(), range.end());
        self.typed(name, &wanted, |value| {
            let items = value.as_array().filter(|items| items.len() <= most)?;
            let number = |item: &Value| {
                let number = T::try_from(item.as_i64()?).ok();
                number.filter(|number| range.contains(number))
            };
            items.iter().map(number).collect()
        })
    }

    /// Words of a list, each one of a word's variants.
    pub fn words<T: FromStr + VariantNames>(&mut self, name: &str) -> Option<Vec<T>> {
        let texts = self.texts(name, T::VARIANTS.len());
        self.note(name, || json!({ "items": schema::words::<T>() }));
        let texts = texts?;
        let words: Option<Vec<T>> = texts.iter().map(|text| text.parse().ok()).collect();
        if words.is_none() {
            self.fault(name, format!("must be of {}", T::VARIANTS.join(", ")));
        }
        words
    }

    /// A nested list of objects; none when one of them is at fault.
    pub fn list<T>(
        &mut self,
        name: &str,
        sizes: RangeInclusive<usize>,
        mut read: impl FnMut(&mut JsonObject<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.watcher.needed(name);
        let path = self.at(name);
        let items = match self.object.get(name).filter(|value| !value.is_null()) {
            None => {
                self.faults.add(path, REQUIRED);
                return None;
            }
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.faults.add(path, "must be an array");
                return None;
            }
        };
        if !sizes.contains(&items.len()) {
            self.faults.add(path, format!("must have between {} and {} items", sizes.start(), sizes.end()));
            return None;
        }
        let mut found = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            match item {
                Value::Object(object) => {
                    let keywords =
                        || json!({ "type": "array", "minItems": sizes.start(), "maxItems": sizes.end() });
                    let mut body = JsonObject {
                        object,
                        path,
                        faults: &mut *self.faults,
                        known: self.known,
                        watcher: self.watcher.inner(name, keywords, ""),
                    };
                    found.extend(read(&mut body));
                }
                _ => self.faults.add(path, "must be an object"),
            }
        }
        (found.len() == items.len()).then_some(found)
    }

    /// A list that chooses what is bought, changed, given back or deleted, where it is said; null is as left out. None where it
    /// is at fault.
    #[expect(clippy::option_option, reason = "the outer one says that nothing is at fault")]
    pub fn choice<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Option<Vec<T>>,
    ) -> Option<Option<Vec<T>>> {
        if !self.has(name) {
            return Some(None);
        }
        let list = read(self);
        self.not_empty(name, list).map(Some)
    }

    /// The list, which chooses: an empty one chooses nothing, which must not come to everything (D-610).
    pub fn not_empty<T>(&mut self, name: &str, list: Option<Vec<T>>) -> Option<Vec<T>> {
        self.note(name, || json!({ "minItems": 1 }));
        let list = list?;
        if list.is_empty() {
            self.fault(name, "must have at least 1 item");
            return None;
        }
        Some(list)
    }
}
