//! That sums on pages add up, as whoever reads them adds them up: a total is all lines above it.

use rust_decimal::Decimal;

/// Adds up every sum of a page; how many totals it has.
///
/// # Panics
/// Where a total is not what the lines above it come to, and where a sum has no total.
pub fn add_up(path: &str, page: &str) -> usize {
    let mut totals = 0;
    for sum in page.split(" data-sum>").skip(1) {
        let rows = sum.split("</dl>").next().unwrap();
        let mut running: Option<(Decimal, String)> = None;
        let mut has_total = false;
        for row in rows.split("<div").skip(1) {
            let (kind, rest) = row.split_once('>').unwrap();
            let (_, shown) = rest.split_once("<dd>").unwrap_or_else(|| panic!("{path}: {rows}"));
            let shown = shown.split("</dd>").next().unwrap();
            let (amount, currency) = read(shown).unwrap_or_else(|| panic!("{path}: {shown:?} is no amount"));
            let (sum, unit) = running.get_or_insert_with(|| (Decimal::ZERO, currency.clone()));
            assert_eq!(*unit, currency, "{path}: {rows}");
            match kind.contains("data-total") {
                true => {
                    assert_eq!(*sum, amount, "{path} does not add up: {rows}");
                    has_total = true;
                    totals += 1;
                }
                false => {
                    assert!(kind.contains("data-line"), "{path}: {row}");
                    *sum += amount;
                    has_total = false;
                }
            }
        }
        assert!(has_total, "{path}: the last lines have no total: {rows}");
    }
    totals
}

/// The figure of an amount as it is shown, and its currency: `−₹12,40,000.50`.
fn read(shown: &str) -> Option<(Decimal, String)> {
    let (sign, rest) = match shown.strip_prefix('−') {
        Some(rest) => (Decimal::NEGATIVE_ONE, rest),
        None => (Decimal::ONE, shown),
    };
    let (currency, digits) = rest.split_at(rest.find(|letter: char| letter.is_ascii_digit())?);
    let figure: Decimal = digits.replace(',', "").parse().ok()?;
    Some((sign * figure, currency.trim().to_owned()))
}

#[test]
fn what_does_not_add_up_is_seen() {
    let sum = |amounts: [&str; 3]| {
        let [one, two, total] = amounts;
        format!(
            "<dl class=\"sums\" data-sum><div data-line><dt>A</dt><dd>{one}</dd></div><div data-line><dt>B</dt><dd>{two}</dd></div>\
             <div class=\"total\" data-total><dt>C</dt><dd>{total}</dd></div></dl>"
        )
    };
    assert_eq!(add_up("", &sum(["₹1,00,000.50", "−₹0.50", "₹1,00,000.00"])), 1);
    for wrong in [["₹1.00", "₹2.00", "₹4.00"], ["₹1.00", "$2.00", "₹3.00"], ["₹1.00", "Not known", "₹1.00"]]
    {
        let page = sum(wrong);
        assert!(std::panic::catch_unwind(|| add_up("", &page)).is_err(), "{wrong:?}");
    }
}
