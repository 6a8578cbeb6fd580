//! Reads the rows of the price tables, as an accountant writes them, and holds the code to them.

use rust_decimal::Decimal;
use wayfare_domain::{Currency, Money, PackageId, parse_currency};
use wayfare_pricing::{
    ApplyOn, Asked, Contract, Fee, Level, Markup, MarkupKind, Package, Price, PriceRange, Rules, Sale, Terms,
};

/// A row: what the supplier asks | package | terms | contracts | what it comes to.
pub struct Row {
    words: Vec<String>,
    currency: Currency,
    rate: Option<Decimal>,
    pub rules: Rules,
    pub expected: String,
}

/// The rows of a table: lines without a `#`, which tells how it was worked out. Blanks are for the eye.
pub fn rows(table: &str) -> Vec<Row> {
    let lines = table.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(Row::read).collect()
}

impl Row {
    fn read(line: &str) -> Self {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [asked, package, terms, contracts, expected] = cells[..] else {
            panic!("five cells: {line}");
        };
        let words: Vec<String> = asked.split_whitespace().map(str::to_owned).collect();
        let at = words.iter().position(|word| word == "at");
        let code = at.map_or(&words[0], |at| &words[at + 2]);
        let currency = parse_currency(code).unwrap();
        Self {
            currency: parse_currency(&words[0]).unwrap(),
            rate: at.map(|at| words[at + 1].parse().unwrap()),
            words,
            rules: Rules {
                package: (package != "none").then(|| read_package(package)),
                terms: read_terms(terms, currency),
                contracts: contracts
                    .split(';')
                    .filter(|contract| contract.trim() != "-")
                    .map(read_contract)
                    .collect(),
            },
            expected: expected.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// `INR 4000.00 + 810.50 K 120.00`; `K -`: the supplier says nothing; `no airline` or `=1000.00` (what is bought together) behind it. Else it is BA's
    /// economy, sold by duffel.
    fn asked(&self) -> Asked<'_> {
        let money = |text: &str| Money::rounded(text.parse().unwrap(), self.currency);
        let last = self.words.last().unwrap();
        Asked {
            supplier: "duffel",
            airline: (last != "airline").then_some("BA"),
            cabin: Some("ECONOMY"),
            together: last.strip_prefix('=').map(money),
            base: money(&self.words[1]),
            taxes: money(&self.words[3]),
            commission: (self.words[5] != "-").then(|| money(&self.words[5])),
        }
    }

    /// Why there is no price of amounts that were not converted.
    pub fn unconverted(&self) -> String {
        self.rules.price(&self.asked()).unwrap_err().to_string()
    }

    /// The price, by both ways, which must agree, or the error's text.
    pub fn price(&self) -> Result<Price, String> {
        let asked = self.asked();
        let (price, explained) = match self.rate {
            None => (
                self.rules.price(&asked),
                self.rules.explain(&asked).map(|(price, trace)| (price, Some(trace))),
            ),
            Some(rate) => (
                Sale::new(&self.rules, &asked, rate).map(|sale| {
                    assert_eq!(sale.trace, None);
                    sale.price
                }),
                Sale::explained(&self.rules, &asked, rate).map(|sale| (sale.price, sale.trace)),
            ),
        };
        assert_eq!(price, explained.clone().map(|(price, _)| price));
        let (price, trace) = explained.map_err(|error| error.to_string())?;
        let steps = trace.unwrap().steps;
        let step = |symbol: &str| {
            let last = steps.iter().rfind(|step| step.symbol == symbol);
            last.unwrap_or_else(|| panic!("no step {symbol}")).result.0
        };
        for (symbol, part) in [
            ("B", price.base()),
            ("X", price.taxes()),
            ("T", price.total()),
            ("K", price.commission()),
            ("M", price.markup()),
            ("public fare", price.public_fare()),
            ("commission", earned(&price)),
            ("S", price.service_fee()),
            ("G", price.gst()),
            ("P", price.platform_charge()),
            ("agent fare", price.agent_fare()),
        ] {
            assert_eq!(step(symbol), part.amount(), "{symbol} of the trace");
        }
        assert_adds_up(&price);
        Ok(price)
    }
}

fn earned(price: &Price) -> Money {
    price.agent_commission().unwrap_or(Money::zero(price.currency()))
}

pub fn assert_adds_up(price: &Price) {
    assert_eq!(price.total(), price.base().plus(price.taxes()).unwrap());
    assert_eq!(
        price.agent_fare().plus(earned(price)).unwrap(),
        price.public_fare().plus(price.platform_charges().unwrap()).unwrap(),
    );
}

/// B X T K M public commission S G P agent.
pub fn shown(price: &Price) -> String {
    let commission = price.agent_commission().map_or("-".to_owned(), |earned| earned.to_string());
    let money = |amounts: &[Money]| amounts.iter().map(Money::to_string).collect::<Vec<_>>().join(" ");
    let before =
        [price.base(), price.taxes(), price.total(), price.commission(), price.markup(), price.public_fare()];
    let after = [price.service_fee(), price.gst(), price.platform_charge(), price.agent_fare()];
    format!("{} {commission} {}", money(&before), money(&after))
}

/// `5%`, `250`.
fn kind_and_value(text: &str) -> (MarkupKind, Decimal) {
    match text.strip_suffix('%') {
        Some(percent) => (MarkupKind::Percent, percent.parse().unwrap()),
        None => (MarkupKind::Flat, text.parse().unwrap()),
    }
}

/// `5% fare; 0..1000 10%; 1000.. 250 @3`: the package's own markup, then its bands, numbered in order from 0 unless
/// they say otherwise.
fn read_package(text: &str) -> Package {
    let mut parts = text.split(';').map(str::trim);
    let (markup, apply_on) = parts.next().unwrap().split_once(' ').unwrap();
    let (kind, value) = kind_and_value(markup);
    let apply_on = match apply_on.trim() {
        "commission" => ApplyOn::Commission,
        "fare" => ApplyOn::Fare,
        "total" => ApplyOn::Total,
        other => panic!("on what: {other}"),
    };
    let price_ranges = parts.zip(0..).map(|(range, place)| {
        let words: Vec<&str> = range.split_whitespace().collect();
        let (min, max) = words[0].split_once("..").unwrap();
        let (kind, value) = kind_and_value(words[1]);
        PriceRange {
            min_amount: min.parse().unwrap(),
            max_amount: (!max.is_empty()).then(|| max.parse().unwrap()),
            kind,
            value,
            sort_order: words.get(2).map_or(place, |order| order.strip_prefix('@').unwrap().parse().unwrap()),
        }
    });
    Package {
        id: "0197a9f0-0000-7000-8000-000000000001".parse::<PackageId>().unwrap(),
        name: "table".to_owned(),
        level: Level::Agency,
        markup: Markup { kind, value, apply_on },
        price_ranges: price_ranges.collect(),
    }
}

/// `fee 2% gst 18 charge 25 min 50 max 80`, or `-`.
fn read_terms(text: &str, currency: Currency) -> Terms {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "-").collect();
    let mut terms = Terms::none(currency);
    for pair in words.chunks(2) {
        let (kind, value) = kind_and_value(pair[1]);
        let money = Money::rounded(value, currency);
        match pair[0] {
            "fee" if kind == MarkupKind::Percent => terms.service_fee = Fee::Percent(value),
            "fee" => terms.service_fee = Fee::Flat(money),
            "gst" => terms.gst_percent = value,
            "charge" => terms.platform_charge = money,
            "min" => terms.min_commission = money,
            "max" => terms.max_commission = money,
            other => panic!("no such term: {other}"),
        }
    }
    terms
}

/// `3%`, `BA 5%`, `ECONOMY 4%`, `BA ECONOMY 2.5%`, `tripjack 9%`.
fn read_contract(text: &str) -> Contract {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let (kind, value) = kind_and_value(words.pop().unwrap());
    let find = |fits: fn(&str) -> bool| words.iter().find(|word| fits(word)).map(|word| (*word).to_owned());
    Contract {
        supplier: find(|word| word == "tripjack").unwrap_or("duffel".to_owned()),
        airline: find(|word| word.len() == 2),
        cabin: find(|word| word == "ECONOMY" || word == "BUSINESS"),
        kind,
        value,
    }
}
