//! How a price came about, step by step: kept as text and figures, so that it outlives the rules and this code.

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{Amount, Currency, Money};

/// The whole calculation of one price, in order. [`fmt::Display`] prints it as a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The payer's currency, in which all results are.
    pub currency: Currency,
    /// What was worked out, in order; a symbol that comes again is the same part after a bound.
    pub steps: Vec<Step>,
}

/// One figure and where it is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The part: `B`, `X`, `T`, `K`, `M`, `public fare`, `commission`, `S`, `G`, `P`, `agent fare`.
    pub symbol: String,
    /// The rule in words.
    pub rule: String,
    /// What the rule was applied to.
    pub inputs: Vec<Input>,
    /// The result before it was rounded.
    pub exact: Amount,
    /// Rounded to the currency's minor units, half away from zero.
    pub result: Amount,
}

/// A figure that a step starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its symbol, its currency where it is not the payer's, or what it is.
    pub name: String,
    /// The figure.
    pub value: Amount,
}

impl Trace {
    pub(crate) fn new(currency: Currency) -> Self {
        Self { currency, steps: Vec::new() }
    }
}

/// What a step starts from, by name.
pub(crate) type Figure<'a> = (&'a str, Decimal);

/// Who records each step while a price is worked out: a [`Trace`], or nobody.
pub(crate) trait Record {
    /// One step. The rule is only written out by those who keep it.
    fn step(
        &mut self,
        symbol: &str,
        rule: impl fmt::Display,
        inputs: &[Figure<'_>],
        exact: Decimal,
        result: Money,
    );
}

impl Record for () {
    fn step(&mut self, _: &str, _: impl fmt::Display, _: &[Figure<'_>], _: Decimal, _: Money) {}
}

impl Record for Trace {
    fn step(
        &mut self,
        symbol: &str,
        rule: impl fmt::Display,
        inputs: &[Figure<'_>],
        exact: Decimal,
        result: Money,
    ) {
        let inputs =
            inputs.iter().map(|(name, value)| Input { name: (*name).to_owned(), value: Amount(*value) });
        self.steps.push(Step {
            symbol: symbol.to_owned(),
            rule: rule.to_string(),
            inputs: inputs.collect(),
            exact: Amount(exact),
            result: result.number(),
        });
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = ["part", "exact", self.currency.code(), "how"].map(str::to_owned);
        let rows = self.steps.iter().map(|step| {
            [step.symbol.clone(), step.exact.0.normalize().to_string(), step.result.0.to_string(), step.how()]
        });
        let rows: Vec<[String; 4]> = std::iter::once(header).chain(rows).collect();
        let width = |column: fn(&[String; 4]) -> &String| {
            rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0)
        };
        let (symbols, exacts, results) = (width(|row| &row[0]), width(|row| &row[1]), width(|row| &row[2]));
        for [symbol, exact, result, how] in &rows {
            writeln!(f, "{symbol:<symbols$}  {exact:>exacts$}  {result:>results$}  {how}")?;
        }
        Ok(())
    }
}

impl Step {
    /// The rule and what it was applied to, in words.
    pub fn how(&self) -> String {
        let inputs: Vec<String> =
            self.inputs.iter().map(|input| format!("{} {}", input.name, input.value.0)).collect();
        if inputs.is_empty() { self.rule.clone() } else { format!("{} [{}]", self.rule, inputs.join(", ")) }
    }
}
