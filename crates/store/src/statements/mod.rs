//! How statements are written, planned and read.

pub(crate) mod anchored;
pub(crate) mod by_name;
pub(crate) mod columns;
pub(crate) mod json_text;
pub(crate) mod kept_sql;
pub mod many_rows;
pub(crate) mod row_value_in;
pub(crate) mod text;
pub(crate) mod writing;

pub(crate) use by_name::{Columns, by_name, stored, values};
pub(crate) use columns::words;
pub(crate) use text::statement;
pub(crate) use writing::Write;
