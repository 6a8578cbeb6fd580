//! Pages of lists (P-126).

use strum::{AsRefStr, EnumString, VariantNames};
use uuid::Uuid;

/// The calendar period that figures are of: the one that holds the present (D-37).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, AsRefStr, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Period {
    /// From Monday to Sunday.
    Weekly,
    /// From the first on.
    #[default]
    Monthly,
}

/// Which page of a list is asked for; made in range by whoever reads the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Counted from 1.
    pub page: u32,
    /// 1 to 100.
    pub per_page: u32,
}

impl PageRequest {
    /// How many rows stand before the page.
    pub fn offset(self) -> i64 {
        i64::from(self.page.saturating_sub(1)) * i64::from(self.per_page)
    }
}

/// Where a program goes on in a list whose rows it reads to the end: at a row, not after so many of them, since rows that arrive
/// meanwhile would push others to the next page (D-655).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// With the rows that are older than this one, newest first.
    Before(Uuid),
    /// With the rows that are newer than this one, oldest first.
    After(Uuid),
}

/// A page of a list that can be read on from a row of it; `total` counts the rows that are left then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListRequest {
    /// Counted from the anchor, where there is one.
    pub page: PageRequest,
    /// Of what is left beyond this row; of all rows where there is none.
    pub anchor: Option<Anchor>,
}

impl From<PageRequest> for ListRequest {
    fn from(page: PageRequest) -> Self {
        Self { page, anchor: None }
    }
}

/// One page of a list with the count of all.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The rows of this page.
    pub items: Vec<T>,
    /// What was asked for.
    pub request: PageRequest,
    /// Rows on all pages.
    pub total: i64,
}

impl<T> Page<T> {
    /// How many pages there are; 0 when the list is empty (P-64).
    pub fn total_pages(&self) -> i64 {
        let per_page = i64::from(self.request.per_page.max(1));
        (self.total + per_page - 1) / per_page
    }

    /// The same page of something else.
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(f).collect(), request: self.request, total: self.total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_up_and_an_empty_list_has_none() {
        let request = PageRequest { page: 3, per_page: 20 };
        assert_eq!(request.offset(), 40);
        for (total, pages) in [(0, 0), (1, 1), (20, 1), (21, 2)] {
            assert_eq!(Page::<()> { items: vec![], request, total }.total_pages(), pages);
        }
    }
}
