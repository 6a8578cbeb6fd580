//! Filters of what was found: which values were chosen, and how many results each value leaves.

use std::collections::{BTreeMap, BTreeSet};

use crate::form::Fields;

/// What was chosen of filters, as fields of the address.
#[derive(Clone, Debug, Default)]
pub struct Chosen(pub Fields);

pub struct Facet {
    pub value: String,
    pub label: String,
    pub count: usize,
    pub is_on: bool,
}

impl Chosen {
    /// Of these filters.
    pub fn read(fields: &Fields, names: &[&'static str]) -> Self {
        let of_name = |name: &&'static str| {
            let chosen = fields.all(name).map(str::trim).filter(|value| !value.is_empty());
            let name = *name;
            chosen.map(move |value| (name, value)).collect::<Vec<_>>()
        };
        Self(Fields::of(names.iter().flat_map(of_name)))
    }

    /// The fields that say it.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether a result with these values passes a filter.
    pub fn takes<'a>(&self, name: &str, values: impl IntoIterator<Item = &'a str>) -> bool {
        !self.0.has(name) || values.into_iter().any(|value| self.0.is_chosen(name, value))
    }

    fn facet(&self, name: &str, value: String, label: String, count: usize) -> Facet {
        Facet { is_on: self.0.is_chosen(name, &value), value, label, count }
    }

    /// A filter of the values that results have, sorted by them.
    pub fn facets<V: IntoIterator<Item = String>>(
        &self,
        name: &str,
        results: impl Iterator<Item = V>,
        label: impl Fn(&str) -> String,
    ) -> Vec<Facet> {
        let mut counts = BTreeMap::<String, usize>::new();
        for values in results {
            // A result counts once, however often it has a value.
            for value in values.into_iter().collect::<BTreeSet<_>>() {
                *counts.entry(value).or_default() += 1;
            }
        }
        let facets = counts.into_iter();
        facets
            .map(|(value, count)| {
                let label = label(&value);
                self.facet(name, value, label, count)
            })
            .collect()
    }

    /// A filter of these values with their names, in this order, of which each result has one.
    pub fn of_known<'a>(
        &self,
        name: &str,
        results: impl Iterator<Item = &'a str>,
        known: &[(&str, &str)],
    ) -> Vec<Facet> {
        let results: Vec<&str> = results.collect();
        let count = |value: &str| results.iter().filter(|result| **result == value).count();
        let facets = known
            .iter()
            .map(|(value, label)| self.facet(name, (*value).to_owned(), (*label).to_owned(), count(value)));
        facets.filter(|facet| facet.count > 0 || facet.is_on).collect()
    }
}
