//! What is left out of an answer so far, and why.

use std::collections::BTreeMap;

use super::{Parts, without_values};
use crate::json::{LeftOut, Step, field};
use crate::{LossKind, note_loss};

/// A member that can't be read in more entries than so many is left out of all of them.
const MOST_ALIKE: usize = 8;
/// A list of which more entries than so many can't be read is left out as a whole.
const MOST_ENTRIES: usize = 32;

/// What is left out of an answer so far, and what is lost so.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    pub left_out: LeftOut,
    /// How often, and what was wrong the first time.
    losses: BTreeMap<(String, LossKind), (usize, String)>,
}

impl Cuts {
    /// Leaves out the least that takes the part out of the way for which it can't be read; whether there is anything to leave out.
    pub fn leave_out(&mut self, steps: &[Step], reason: &str, parts: &Parts) -> bool {
        if let Some(name) = named("duplicate field", reason)
            && self.left_out.root.at(steps).doubled.insert(name.to_owned())
        {
            return true;
        }
        let missing = named("missing field", reason);
        let cut = self.left_out.root.at(steps);
        // What was left out itself is noted already.
        let is_ours = missing.is_some_and(|name| cut.members.get(name).is_some_and(|cut| cut.is_out))
            || (missing.is_some() && !self.left_out.everywhere.is_empty());
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
        let Some(part) = self.least(steps, parts) else { return false };
        if repeated > MOST_ALIKE && part.len() == steps.len() && matches!(part.last(), Some(Step::Member(_)))
        {
            self.left_out.everywhere.insert(field(part));
        }
        self.left_out.root.at(part).is_out = true;
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
                    of_list == Some(true) && self.left_out.root.at(before).entries_out() < MOST_ENTRIES
                }
            };
            (may && !self.left_out.root.at(part).is_out).then_some(part)
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
