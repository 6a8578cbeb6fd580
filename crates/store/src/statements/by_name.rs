//! Rows that are read into structs, each column as what it stands for.

use diesel::{
    deserialize::{self, QueryableByName},
    pg::Pg,
    row::NamedRow,
};

use super::columns::Column;

/// A row of which the columns are read in their order: one, or several as a tuple.
pub(crate) struct Columns<T>(pub(crate) T);

impl<T: FromColumns> QueryableByName<Pg> for Columns<T> {
    fn build<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Self> {
        Ok(Self(T::from_columns(row)?))
    }
}

pub(crate) trait FromColumns: Sized {
    fn from_columns<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Self>;
}

impl<T: Column> FromColumns for T {
    fn from_columns<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Self> {
        Ok(T::read("a column", row.get_value(0)?)?)
    }
}

macro_rules! tuples {
    ($(($($name:ident $place:literal)*))*) => {
        $(impl<$($name: Column),*> FromColumns for ($($name,)*) {
            fn from_columns<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Self> {
                Ok(($($name::read("a column", row.get_value($place)?)?,)*))
            }
        })*
    };
}

tuples! {
    (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4)
}

/// What such rows hold.
pub(crate) fn values<T>(rows: Vec<Columns<T>>) -> Vec<T> {
    rows.into_iter().map(|Columns(values)| values).collect()
}

/// The last of what is separated by commas.
macro_rules! last {
    (@ [$($last:tt)*]) => { $($last)* };
    (@ [$($before:tt)*] , $($rest:tt)+) => { $crate::statements::by_name::last!(@ [] $($rest)+) };
    (@ [$($last:tt)*] $next:tt $($rest:tt)*) => {
        $crate::statements::by_name::last!(@ [$($last)* $next] $($rest)*)
    };
    ($($all:tt)+) => { $crate::statements::by_name::last!(@ [] $($all)+) };
}
pub(crate) use last;

/// Structs that are read by the names of a statement's columns: a column has its field's name, or the one behind `=`. What stands
/// under `with` is read in the same way from the same row, or by the function behind `=`. What stands under `in` is money in the
/// currency of that column.
macro_rules! by_name {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty $(= $column:ident)?,)*
    } $(with { $($(#[$part_meta:meta])* $part_vis:vis $part:ident: $part_type:ty $(= $read:ident)?,)* })? $(in $unit:ident {
        $($(#[$amount_meta:meta])* $amount_vis:vis $amount:ident: $amount_type:ty,)*
    })?) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
            $($($(#[$part_meta])* $part_vis $part: $part_type,)*)?
            $($($(#[$amount_meta])* $amount_vis $amount: $amount_type,)*)?
        }

        impl diesel::deserialize::QueryableByName<diesel::pg::Pg> for $name {
            fn build<'a>(
                row: &impl diesel::row::NamedRow<'a, diesel::pg::Pg>,
            ) -> diesel::deserialize::Result<Self> {
                $(let $unit = $crate::statements::columns::named(row, stringify!($unit))?;)?
                Ok(Self {
                    $($field: $crate::statements::columns::named(
                        row,
                        $crate::statements::by_name::last!(stringify!($field) $(, stringify!($column))?),
                    )?,)*
                    $($($part: $crate::statements::by_name::last!(
                        diesel::deserialize::QueryableByName::build(row)? $(, $read(row)?)?
                    ),)*)?
                    $($($amount: $crate::statements::columns::amount(row, stringify!($amount), $unit)?,)*)?
                })
            }
        }
    };
}
pub(crate) use by_name;

/// Structs that are read from a table: a column has its field's name, or the one behind `=`. What is no [`Column`] is made of
/// what diesel reads of that, or of several columns. What stands under `in` is money in the currency of that column.
macro_rules! stored {
    ($(#[$meta:meta])* $vis:vis struct $name:ident of $table:ident {
        $(
            $(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty
                $(= $column:ident)? $(= ($($several:ident),+))? $(as |$stored:ident: $stored_type:ty| $read:expr)?,
        )*
    } $(in $unit:ident {
        $($(#[$amount_meta:meta])* $amount_vis:vis $amount:ident: $amount_type:ty $(= $of:ident)?,)*
    })?) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
            $($($(#[$amount_meta])* $amount_vis $amount: $amount_type,)*)?
        }

        impl diesel::Selectable<diesel::pg::Pg> for $name {
            type SelectExpression = (
                $($crate::statements::by_name::last!($table::$field $(, $table::$column)? $(, ($($table::$several),+))?),)*
                $($table::$unit, $($crate::statements::by_name::last!($table::$amount $(, $table::$of)?),)*)?
            );

            fn construct_selection() -> Self::SelectExpression {
                (
                    $($crate::statements::by_name::last!($table::$field $(, $table::$column)? $(, ($($table::$several),+))?),)*
                    $($table::$unit, $($crate::statements::by_name::last!($table::$amount $(, $table::$of)?),)*)?
                )
            }
        }

        impl diesel::Queryable<diesel::dsl::SqlTypeOf<<Self as diesel::Selectable<diesel::pg::Pg>>::SelectExpression>, diesel::pg::Pg>
            for $name
        {
            type Row = (
                $($crate::statements::by_name::last!(
                    <$type as $crate::statements::columns::Column>::Stored $(, $stored_type)?
                ),)*
                $(String, $(<$amount_type as $crate::statements::columns::InCurrency>::Stored,)*)?
            );

            fn build(($($field,)* $($unit, $($amount,)*)?): Self::Row) -> diesel::deserialize::Result<Self> {
                $(let $unit = $crate::error::currency(&$unit)?;)?
                Ok(Self {
                    $($field: $crate::statements::by_name::last!(
                        $crate::statements::columns::Column::read(
                            concat!(
                                stringify!($table), ".",
                                $crate::statements::by_name::last!(stringify!($field) $(, stringify!($column))?)
                            ),
                            $field,
                        )?
                        $(, { let $stored = $field; $read })?
                    ),)*
                    $($($amount: $crate::statements::columns::InCurrency::read(
                        concat!(
                            stringify!($table), ".",
                            $crate::statements::by_name::last!(stringify!($amount) $(, stringify!($of))?)
                        ),
                        $amount,
                        $unit,
                    )?,)*)?
                })
            }
        }
    };
}
pub(crate) use stored;
