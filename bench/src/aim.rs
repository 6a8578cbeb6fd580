//! Figures that have an aim, each a line that `just bench` gathers into one table.

/// Prints a figure that may be at most so much.
pub fn at_most(what: &str, measured: f64, most: f64) {
    tell(what, measured, "at most", most, measured <= most);
}

/// Prints a figure that is to be at least so much.
pub fn at_least(what: &str, measured: f64, least: f64) {
    tell(what, measured, "at least", least, measured >= least);
}

fn tell(what: &str, measured: f64, bound: &str, aim: f64, met: bool) {
    let met = if met { "met" } else { "MISSED" };
    let digits = if aim < 100.0 { 2 } else { 0 };
    println!("aim | {what} | {measured:.digits$} | {bound} {aim} | {met} |");
}
