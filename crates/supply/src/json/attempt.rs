//! One pass through an answer: what it leaves out, and where it is.

use super::Wrong;
use super::left_out::{Cut, LeftOut, Step, field};

/// One pass through an answer.
pub(crate) struct Attempt<'c> {
    left_out: &'c LeftOut,
    /// Members that must not say two things.
    vital: &'c [&'c str],
    /// Where we are: after a failure, where it failed.
    steps: Vec<Step>,
    /// The name that was seen last.
    name: String,
    /// What is left out below each of the steps.
    below: Vec<Option<&'c Cut>>,
    /// Of members that come more than once, where they stand and the first text of each.
    first: Vec<(Vec<Step>, Vec<u8>)>,
    doubled: Vec<String>,
}

impl<'c> Attempt<'c> {
    pub fn new(left_out: &'c LeftOut, vital: &'c [&'c str]) -> Self {
        Self {
            left_out,
            vital,
            steps: Vec::new(),
            name: String::new(),
            below: Vec::new(),
            first: Vec::new(),
            doubled: Vec::new(),
        }
    }

    /// Where it failed, if it did; and which members came twice and said two things.
    pub fn outcome(self) -> (Vec<Step>, Vec<String>) {
        (self.steps, self.doubled)
    }

    fn cut(&self) -> Option<&'c Cut> {
        self.below.last().copied().unwrap_or(Some(&self.left_out.root))
    }

    fn enter(&mut self, step: Step) {
        let cut = self.cut();
        let below = cut.and_then(|cut| match &step {
            Step::Member(name) | Step::Entry(name) => cut.members.get(name),
            Step::Item(number) => cut.items.get(number),
        });
        self.below.push(below);
        self.steps.push(step);
    }

    pub fn enter_item(&mut self, number: usize) {
        self.enter(Step::Item(number));
    }

    /// Enters the member whose name was seen last.
    #[cold]
    pub fn enter_member(&mut self, of_data: bool) {
        let name = std::mem::take(&mut self.name);
        self.enter(if of_data { Step::Entry(name) } else { Step::Member(name) });
    }

    pub fn leave(&mut self) {
        self.steps.pop();
        self.below.pop();
    }

    /// Leaves a member, whose value is this text.
    #[cold]
    pub fn leave_member(&mut self, text: &[u8]) {
        let path = self.steps.clone();
        self.leave();
        if let Some(Step::Member(name) | Step::Entry(name)) = path.last()
            && self.cut().is_some_and(|cut| cut.doubled.contains(name))
        {
            self.first.push((path, text.to_vec()));
        }
    }

    pub fn leaves_out_item(&self, number: usize) -> bool {
        self.cut().and_then(|cut| cut.items.get(&number)).is_some_and(|cut| cut.is_out)
    }

    pub fn leaves_out_member(&mut self, name: &str, of_data: bool) -> bool {
        name.clone_into(&mut self.name);
        let cut = self.cut().and_then(|cut| cut.members.get(name));
        cut.is_some_and(|cut| cut.is_out)
            || (!of_data
                && !self.left_out.everywhere.is_empty()
                && self.left_out.everywhere.contains(&field(&self.path_to(name))))
    }

    fn path_to(&self, name: &str) -> Vec<Step> {
        let mut steps = self.steps.clone();
        steps.push(Step::Member(name.to_owned()));
        steps
    }

    fn first_of(&self, name: &str) -> Option<&[u8]> {
        let first = self.first.iter().find(|(path, _)| match path.split_last() {
            Some((Step::Member(first) | Step::Entry(first), before)) => {
                first == name && *before == self.steps
            }
            _ => false,
        });
        first.map(|(_, text)| text.as_slice())
    }

    /// Whether a member of this name came before, where the first counts.
    pub fn has_seen(&self, name: &str) -> bool {
        !self.first.is_empty() && self.first_of(name).is_some()
    }

    /// Compares what comes once more with what came first.
    pub fn compare_again(&mut self, name: &str, text: &[u8]) -> Result<(), Wrong> {
        if self.first_of(name) == Some(text) {
            return Ok(());
        }
        if self.vital.contains(&name) {
            return Err(serde::de::Error::custom(format!("`{name}` says two things")));
        }
        self.doubled.push(field(&self.path_to(name)));
        Ok(())
    }
}
