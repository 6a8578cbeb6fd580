//! Which papers a review demands and takes.

use super::reviews::Review;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaperTerms {
    /// Passports are taken, and whether they are demanded; none at home.
    pub(super) passport: Option<bool>,
    pub(super) needs_gst: bool,
    pub(super) takes_gst: bool,
    pub(super) needs_pan: bool,
    pub(super) takes_fare_document: bool,
    pub(super) needs_fare_document: bool,
}

/// By where the journey begins: within a country the tax may be invoiced to a company, across borders passports are
/// demanded, and a few routes differ.
pub(super) fn paper_terms(review: &Review) -> PaperTerms {
    let slice = review.search().and_then(|search| search.slices.first());
    let route = slice.map(|slice| (slice.from.code.as_str(), slice.to.code.as_str()));
    let is_domestic = review.is_domestic();
    let mut terms = PaperTerms {
        passport: (!is_domestic).then_some(true),
        needs_gst: false,
        takes_gst: is_domestic,
        needs_pan: false,
        takes_fare_document: false,
        needs_fare_document: false,
    };
    match route {
        Some(("DEL", "HYD")) => terms.needs_gst = true,
        Some(("BOM", "DXB")) => (terms.needs_pan, terms.takes_gst) = (true, true),
        Some(("DEL", "KTM")) => terms.passport = Some(false),
        Some(("DEL", "COK")) => terms.takes_fare_document = true,
        Some(("BOM", "COK")) => (terms.takes_fare_document, terms.needs_fare_document) = (true, true),
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
