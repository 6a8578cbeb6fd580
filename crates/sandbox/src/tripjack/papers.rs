//! Which papers a review demands and takes.

use super::reviews::Review;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaperTerms {
    /// Passports are taken, and whether they are demanded; none at home.
    pub(super) passport: Option<bool>,
    /// The same of whom the tax is invoiced to.
    pub(super) gst: Option<bool>,
    pub(super) needs_pan: bool,
    /// The same of a student's or senior's paper.
    pub(super) fare_document: Option<bool>,
}

/// By where the journey begins: within a country the tax may be invoiced to a company, across borders passports are
/// demanded, and a few routes differ.
pub(super) fn paper_terms(review: &Review) -> PaperTerms {
    let slice = review.search().and_then(|search| search.slices.first());
    let route = slice.map(|slice| (slice.from.code.as_str(), slice.to.code.as_str()));
    let is_domestic = review.is_domestic();
    let mut terms = PaperTerms {
        passport: (!is_domestic).then_some(true),
        gst: is_domestic.then_some(false),
        needs_pan: false,
        fare_document: None,
    };
    match route {
        Some(("DEL", "HYD")) => terms.gst = Some(true),
        Some(("BOM", "DXB")) => (terms.needs_pan, terms.gst) = (true, Some(false)),
        Some(("DEL", "KTM")) => terms.passport = Some(false),
        Some(("DEL", "COK")) => terms.fare_document = Some(false),
        Some(("BOM", "COK")) => terms.fare_document = Some(true),
        _ => {}
    }
    terms
}

/// The airlines whose memberships count.
pub(super) fn programmes(review: &Review) -> Vec<&'static str> {
    let mut airlines: Vec<&str> = review.sold().map(|sold| sold.bundle.airline.code).collect();
    airlines.dedup();
    airlines
}
