//! What is wrong with a request's fields, all of it at once (P-129).

use std::fmt;

/// One field at fault and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub struct Fault {
    /// The field's dotted path with indices: `slices[0].origin`.
    pub field: String,
    /// What is wrong, to be read after the field's name: `must be between 1 and 9`.
    pub reason: String,
}

/// Every fault of one request; empty is no error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Exactly one fault.
    pub fn of(field: impl Into<String>, reason: impl Into<String>) -> Self {
        let mut faults = Self::default();
        faults.add(field, reason);
        faults
    }

    /// Adds what is wrong with one more field.
    pub fn add(&mut self, field: impl Into<String>, reason: impl Into<String>) {
        self.0.push(Fault { field: field.into(), reason: reason.into() });
    }

    /// All of another list.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// What another list says of fields that have no fault yet.
    pub fn append_new(&mut self, other: Self) {
        for fault in other.0 {
            if !self.names(&fault.field) {
                self.0.push(fault);
            }
        }
    }

    /// The same of fields that are called otherwise where they are told.
    #[must_use]
    pub fn renamed(self, name: impl Fn(&str) -> String) -> Self {
        let renamed = |fault: Fault| Fault { field: name(&fault.field), ..fault };
        Self(self.0.into_iter().map(renamed).collect())
    }

    /// Each of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }

    /// Whether this field has a fault already.
    pub fn names(&self, field: &str) -> bool {
        self.0.iter().any(|fault| fault.field == field)
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value, if nothing is wrong.
    ///
    /// # Errors
    /// The faults, if there are any.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }
}

/// As the API prints them: `{email this field is required} {status must be one of active, suspended}`.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Fault { field, reason }) in self.0.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{{{field} {reason}}}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
