//! What a simulated year came to, as the page of the documentation that it becomes.

use std::fmt::Write;

use rust_decimal::Decimal;
use wayfare_domain::Clock;

use super::{
    SEED, Year,
    intervals::{BUDGETS, STEP},
    plan::Size,
};

/// The page.
pub fn of(year: &Year, size: Size, seconds: u64) -> String {
    let mut page = String::new();
    begin(&mut page, year, size, seconds);
    bookings(&mut page, year);
    watch(&mut page, year);
    money(&mut page, year);
    page
}

fn begin(page: &mut String, year: &Year, size: Size, seconds: u64) {
    let Size { days, bookings } = size;
    let build = if cfg!(debug_assertions) { "a debug build" } else { "a release build" };
    writeln!(
        page,
        "# A simulated year\n\n\
         The test that plays it wrote this page on {today}. It is what `just simulate-year {days} {bookings}` plays: {days} days up to {ends} \
         by the suppliers' and servers' clock, with {bookings} bookings of {agencies} agencies at two servers and four sandbox suppliers, seed \
         {SEED}. It took {minutes} minutes in {build}, with {steps} jumps of the clock, each to what was due next and by {step} minutes at \
         least.\n\n\
         The agencies earn by packages: the first 4.5 % of the total; the second 333.33 flat, with a service fee of 100, 18 % GST on it and \
         a platform charge of 25; the third 37.5 % of the commission. All amounts are rupees.\n",
        today = Clock::system().now().date_naive(),
        agencies = year.shops.len(),
        ends = year.ends.date_naive(),
        minutes = Decimal::new(i64::try_from(seconds).unwrap() * 10 / 60, 1),
        steps = year.told.steps,
        step = STEP.num_minutes(),
    )
    .unwrap();
}

fn bookings(page: &mut String, year: &Year) {
    let told = &year.told;
    page.push_str("## Bookings\n\n| supplier | bookings |\n| --- | --- |\n");
    for (supplier, sold) in &told.sold {
        writeln!(page, "| {supplier} | {sold} |").unwrap();
    }
    page.push_str("\n| what became of them | bookings |\n| --- | --- |\n");
    for (fate, count) in &told.fates {
        writeln!(page, "| {fate} | {count} |").unwrap();
    }
    writeln!(
        page,
        "\n| | |\n| --- | --- |\n\
         | to be flown a day later, by a fare that cannot be changed | {} |\n\
         | decisions of agents about schedule changes | {} |\n\
         | rulings of the operator on incidents | {} |\n\
         | debit notes collected at a later month's end | {} |\n",
        year.heard.not_changeable, told.decisions, told.incidents, told.collected
    )
    .unwrap();
}

fn watch(page: &mut String, year: &Year) {
    let looks = &year.looks;
    page.push_str(
        "## The watch\n\nThe longest wait is the one that came nearest to what the table of intervals allows, with the least jump of the \
         clock added to it. No poll came later, and no hour had more polls than the budget.\n\n\
         | supplier | polls | longest wait | allowed | share | most polls in an hour | budget |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (supplier, budget) in BUDGETS {
        let wait = looks.longest.get(supplier).copied().unwrap_or_default();
        writeln!(
            page,
            "| {supplier} | {} | {} min | {} min | {} % | {} | {budget} |",
            looks.made.get(supplier).copied().unwrap_or_default(),
            wait.waited,
            wait.allowed,
            wait.share(),
            looks.busiest.get(supplier).copied().unwrap_or_default(),
        )
        .unwrap();
    }
}

fn money(page: &mut String, year: &Year) {
    page.push_str(
        "\n## What agencies spent, month by month\n\nLedger = fare ledger + ancillaries = reports, of each agency in each month. Markups are \
         in the fares, and are what the ledger's account of markups got.\n\n\
         | month | booked | cancelled | parts given back | changed | ledger | fare ledger | ancillaries | reports | markups |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for month in &year.months {
        let spent = month.spent;
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            month.first.format("%Y-%m"),
            month.booked,
            month.cancelled,
            month.parts,
            month.moved,
            spent.ledger,
            spent.fares,
            spent.ancillaries,
            spent.reports,
            spent.markups
        )
        .unwrap();
    }
    page.push_str(
        "\n## What suppliers are owed since the beginning, at each month's end\n\nLedger + open debit notes = suppliers' orders + on its way, \
         order by order. Suppliers' orders are their own books, with what they charged by telephone. An open debit note waits until its \
         wallet covers it. On its way is what suppliers gave back of orders that they ended, before anybody here saw or ruled that.\n\n\
         | month | ledger | open debit notes | suppliers' orders | on its way |\n| --- | --- | --- | --- | --- |\n",
    );
    for month in &year.months {
        let owed = month.owed;
        writeln!(
            page,
            "| {} | {:.2} | {:.2} | {:.2} | {:.2} |",
            month.first.format("%Y-%m"),
            owed.ledger,
            month.debit_notes_open,
            owed.orders,
            owed.on_its_way
        )
        .unwrap();
    }
}
