//! Rows of statements that are written as text.

/// Structs that are read by the names of a statement's columns, each field with its type here and in SQL.
macro_rules! by_name {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty $(= $sql:ty)?,)*
    }) => {
        #[derive(diesel::QueryableByName)]
        #[diesel(check_for_backend(diesel::pg::Pg))]
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* $(#[diesel(sql_type = $sql)])? $field_vis $field: $type,)*
        }
    };
}
pub(crate) use by_name;
