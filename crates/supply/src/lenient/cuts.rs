//! What is left out of an answer so far, and why.

use std::collections::{BTreeMap, BTreeSet};

use super::{Parts, without_values};
use crate::{LossKind, note_loss};

/// A member that can't be read in more entries than so many is left out of all of them.
const MOST_ALIKE: usize = 8;
/// A list of which more entries than so many can't be read is left out as a whole.
const MOST_ENTRIES: usize = 32;

/// One step on the way to a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// To a member of this name.
    Member(String),
    /// To what has this key in a map, whose keys are data.
    Entry(String),
    /// To the item of this number.
    Item(usize),
}

/// Where a part stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Failed(pub Vec<Step>);

impl Failed {
    /// Why it is in the way, with its place where it has one.
    pub fn reason(&self, error: &serde_json::Error) -> String {
        match self.0.is_empty() {
            true => error.to_string(),
            false => format!("{}: {error}", place(&self.0)),
        }
    }
}

/// As one would write it: `offers[3].owner.name`.
fn place(steps: &[Step]) -> String {
    written(steps, |number| number.to_string(), |key| key)
}

/// The field's name, in whichever entry it stands: `offers[].owner.name`.
pub(super) fn field(steps: &[Step]) -> String {
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
pub(super) struct Cut {
    /// All of it.
    pub is_out: bool,
    /// By member or key.
    pub members: BTreeMap<String, Cut>,
    pub items: BTreeMap<usize, Cut>,
    /// Members that come more than once: the first counts.
    pub doubled: BTreeSet<String>,
}

impl Cut {
    fn at(&mut self, steps: &[Step]) -> &mut Self {
        steps.iter().fold(self, |cut, step| match step {
            Step::Member(name) | Step::Entry(name) => cut.members.entry(name.clone()).or_default(),
            Step::Item(number) => cut.items.entry(*number).or_default(),
        })
    }

    fn entries_out(&self) -> usize {
        let entries = self.items.values().chain(self.members.values());
        entries.filter(|cut| cut.is_out).count()
    }
}

/// What is left out of an answer.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    pub root: Cut,
    /// Fields that are left out wherever they stand.
    pub everywhere: BTreeSet<String>,
    /// How often, and what was wrong the first time.
    losses: BTreeMap<(String, LossKind), (usize, String)>,
}

impl Cuts {
    /// Leaves out the least that takes the part out of the way for which it can't be read; whether there is anything to leave out.
    pub fn leave_out(&mut self, failed: &Failed, reason: &str, parts: &Parts) -> bool {
        let steps = failed.0.as_slice();
        if let Some(name) = named("duplicate field", reason)
            && self.root.at(steps).doubled.insert(name.to_owned())
        {
            return true;
        }
        let missing = named("missing field", reason);
        let cut = self.root.at(steps);
        // What was left out itself is noted already.
        let is_ours = missing.is_some_and(|name| cut.members.get(name).is_some_and(|cut| cut.is_out))
            || (missing.is_some() && !self.everywhere.is_empty());
        let loss = match missing {
            Some(name) => {
                let whole = [steps, &[Step::Member(name.to_owned())]].concat();
                (field(&whole), LossKind::Missing)
            }
            None => (field(steps), LossKind::LeftOut),
        };
        let repeated = match is_ours {
            true => 0,
            false => {
                let counted = self.losses.entry(loss);
                let (count, _) = counted.or_insert_with(|| (0, without_values(reason)));
                *count += 1;
                *count
            }
        };
        let Some(part) = self.least(steps, parts) else {
            return false;
        };
        if repeated > MOST_ALIKE && part.len() == steps.len() && matches!(part.last(), Some(Step::Member(_)))
        {
            self.everywhere.insert(field(part));
        }
        self.root.at(part).is_out = true;
        true
    }

    /// The least part with this one in it that may be left out and is not yet.
    fn least<'s>(&mut self, steps: &'s [Step], parts: &Parts) -> Option<&'s [Step]> {
        (1..=steps.len()).rev().find_map(|length| {
            let part = steps.get(..length)?;
            let (last, before) = part.split_last()?;
            let may = match last {
                Step::Member(name) => !parts.vital.contains(&name.as_str()),
                Step::Entry(name) if parts.vital.contains(&name.as_str()) => false,
                Step::Entry(_) | Step::Item(_) => {
                    let of_list = before.iter().rev().find_map(|step| match step {
                        Step::Member(name) => Some(parts.lists.contains(&name.as_str())),
                        Step::Entry(_) | Step::Item(_) => None,
                    });
                    of_list == Some(true) && self.root.at(before).entries_out() < MOST_ENTRIES
                }
            };
            (may && !self.root.at(part).is_out).then_some(part)
        })
    }

    /// Notes what was left out, and members that say two things.
    pub fn note(&self, at: &str, doubled: &[String]) {
        let name = |field: &str| match (at, field) {
            ("", field) => field.to_owned(),
            (at, "") => at.to_owned(),
            (at, field) if field.starts_with('[') => format!("{at}{field}"),
            (at, field) => format!("{at}.{field}"),
        };
        for ((field, kind), (count, wrong)) in &self.losses {
            (0..*count).for_each(|_| note_loss(*kind, &name(field), wrong));
        }
        for field in doubled {
            note_loss(LossKind::Mismatch, &name(field), "");
        }
    }
}

/// The field that serde names in its own words: "missing field `amount`".
fn named<'r>(words: &str, reason: &'r str) -> Option<&'r str> {
    let rest = reason.strip_prefix(words)?.strip_prefix(" `")?;
    rest.split_once('`').map(|(name, _)| name)
}
