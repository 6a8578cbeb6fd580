//! What became of the hold of a supplier order, as its row has it.

use chrono::{DateTime, Utc};
use wayfare_domain::HoldState;

use crate::{Result, error::word, schema::supplier_orders};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderHold {
    pub state: HoldState,
    /// Until when it must be paid, UTC, or had to; none where the supplier does not say.
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when it keeps its price, UTC, or kept it; none where the supplier does not say.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
}

pub(super) type HoldRow = (Option<String>, Option<DateTime<Utc>>, Option<DateTime<Utc>>);

pub(super) const COLUMNS: (
    supplier_orders::hold_state,
    supplier_orders::pay_by,
    supplier_orders::price_guaranteed_until,
) = (supplier_orders::hold_state, supplier_orders::pay_by, supplier_orders::price_guaranteed_until);

impl OrderHold {
    pub(super) fn of_row((state, pay_by, price_guaranteed_until): HoldRow) -> Result<Option<Self>> {
        let hold = |state: String| {
            Ok(Self { state: word("supplier_orders.hold_state", &state)?, pay_by, price_guaranteed_until })
        };
        state.map(hold).transpose()
    }
}
