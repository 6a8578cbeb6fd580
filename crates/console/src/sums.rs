//! Lines that add up to their total. Every screen and document that shows a sum shows it by these, and a test adds up every
//! page that it reads (`tests/tests/api/console/browser.rs`).

use askama::{Template, filters::HtmlSafe};
use wayfare_client::Amount;

use crate::{day::Moment, money::money};

/// Lines and the totals below them, all of one currency. A total is all lines above it.
#[derive(Template)]
#[template(path = "part/sums.html")]
pub struct Sums {
    currency: String,
    rows: Vec<Row>,
    is_small: bool,
}

impl HtmlSafe for Sums {}

struct Row {
    name: String,
    note: String,
    at: Option<Moment>,
    amount: String,
    is_total: bool,
}

impl Sums {
    /// None yet, of amounts in this currency, ISO 4217.
    pub fn of(currency: &str) -> Self {
        Self { currency: currency.to_owned(), rows: Vec::new(), is_small: false }
    }

    fn with(mut self, name: impl Into<String>, amount: impl Into<Amount>, is_total: bool) -> Self {
        self.rows.push(Row {
            name: name.into(),
            note: String::new(),
            at: None,
            amount: money(amount.into(), &self.currency),
            is_total,
        });
        self
    }

    pub fn line(self, name: impl Into<String>, amount: impl Into<Amount>) -> Self {
        self.with(name, amount, false)
    }

    /// With a line, unless it is of nothing.
    pub fn part(self, name: impl Into<String>, amount: impl Into<Amount>) -> Self {
        let amount = amount.into();
        match amount.0.is_zero() {
            true => self,
            false => self.line(name, amount),
        }
    }

    /// With a line that is taken off, unless it is of nothing.
    pub fn less(self, name: impl Into<String>, amount: impl Into<Amount>) -> Self {
        let Amount(amount) = amount.into();
        self.part(name, -amount)
    }

    /// With what all lines so far come to.
    pub fn total(self, name: impl Into<String>, amount: impl Into<Amount>) -> Self {
        self.with(name, amount, true)
    }

    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        if let Some(row) = self.rows.last_mut() {
            row.note = note.into();
        }
        self
    }

    pub fn at(mut self, at: Moment) -> Self {
        if let Some(row) = self.rows.last_mut() {
            row.at = Some(at);
        }
        self
    }

    pub fn small(self) -> Self {
        Self { is_small: true, ..self }
    }
}
