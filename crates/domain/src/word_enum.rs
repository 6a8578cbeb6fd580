//! Enums that are stored and sent as words.

/// Enums of which each variant is a word in the database, in JSON and at the command line: in snake case, or in the case
/// that is given. A variant of another word has it as both `#[strum(serialize = …)]` and `#[serde(rename = …)]`.
/// They are open, by the feature `exhaustive` of the crate that declares them, unless `closed` stands before them.
#[macro_export]
macro_rules! word_enum {
    (closed $($(#[$meta:meta])* pub enum $name:ident $(in $case:literal)? { $($variants:tt)* })*) => {
        $($crate::word_enum! { @one $(in $case)?, $(#[$meta])* $name { $($variants)* } })*
    };
    ($($(#[$meta:meta])* pub enum $name:ident $(in $case:literal)? { $($variants:tt)* })*) => {
        $($crate::word_enum! {
            @one $(in $case)?,
            $(#[$meta])* #[cfg_attr(not(feature = "exhaustive"), non_exhaustive)] $name { $($variants)* }
        })*
    };
    (@one, $($rest:tt)*) => {
        $crate::word_enum! { @one in "snake_case", $($rest)* }
    };
    (@one in $case:literal, $(#[$meta:meta])* $name:ident { $($variants:tt)* }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[derive(::strum::AsRefStr, ::strum::EnumString, ::strum::IntoStaticStr, ::strum::VariantNames)]
        #[derive(::serde::Serialize, ::serde::Deserialize)]
        $(#[$meta])*
        #[strum(serialize_all = $case)]
        #[serde(rename_all = $case)]
        pub enum $name { $($variants)* }

        impl $name {
            /// All its words.
            pub const WORDS: &'static [&'static str] = <Self as ::strum::VariantNames>::VARIANTS;
        }
    };
}
