//! The parts of an answer by their places, and which of them are left out.

use std::collections::{BTreeMap, BTreeSet};

/// One step on the way to a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// To a member of this name.
    Member(String),
    /// To what has this key in a map, whose keys are data.
    Entry(String),
    /// To the item of this number.
    Item(usize),
}

/// As one would write it: `offers[3].owner.name`.
pub(crate) fn place(steps: &[Step]) -> String {
    written(steps, |number| number.to_string(), |key| key)
}

/// The field's name, in whichever entry it stands: `offers[].owner.name`.
pub(crate) fn field(steps: &[Step]) -> String {
    written(steps, |_| String::new(), |_| "*")
}

fn written(steps: &[Step], item: fn(usize) -> String, entry: fn(&str) -> &str) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Item(number) => {
                text.push('[');
                text.push_str(&item(*number));
                text.push(']');
            }
            Step::Member(name) | Step::Entry(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(match step {
                    Step::Entry(_) => entry(name),
                    _ => name,
                });
            }
        }
    }
    text
}

/// What is left out of a part.
#[derive(Debug, Default)]
pub(crate) struct Cut {
    /// All of it.
    pub(crate) is_out: bool,
    /// By member or key.
    pub(crate) members: BTreeMap<String, Cut>,
    pub(crate) items: BTreeMap<usize, Cut>,
    /// Members that come more than once: the first counts.
    pub(crate) doubled: BTreeSet<String>,
}

impl Cut {
    pub(crate) fn at(&mut self, steps: &[Step]) -> &mut Self {
        steps.iter().fold(self, |cut, step| match step {
            Step::Member(name) | Step::Entry(name) => cut.members.entry(name.clone()).or_default(),
            Step::Item(number) => cut.items.entry(*number).or_default(),
        })
    }

    pub(crate) fn entries_out(&self) -> usize {
        let entries = self.items.values().chain(self.members.values());
        entries.filter(|cut| cut.is_out).count()
    }
}

/// What is left out of an answer.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    pub(crate) root: Cut,
    /// Fields that are left out wherever they stand.
    pub(crate) everywhere: BTreeSet<String>,
}
