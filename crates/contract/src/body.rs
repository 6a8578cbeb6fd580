//! How a body is made: by what it needs, with a setter for each field that may be left out.

/// `of`, where a body needs something, and setters. Fields that may be left out can be added then without a change at whoever
/// writes bodies: `of` does not compile until such a field is named here.
macro_rules! body {
    ($name:ident of($($needed:ident: $needs:ty),+) { $($field:ident: $type:ty),+ $(,)? }) => {
        impl $name {
            /// With what it needs; setters say the rest.
            pub fn of($($needed: $needs),+) -> Self {
                Self { $($needed: $needed.into(),)+ $($field: Default::default(),)+ }
            }
        }
        body! { $name { $($field: $type),+ } }
    };
    ($name:ident { $($field:ident: $type:ty),+ $(,)? }) => {
        impl $name {$(
            #[doc = concat!("Sets `", stringify!($field), "`.")]
            #[must_use]
            pub fn $field(mut self, value: $type) -> Self {
                // Of a text this makes a string of its own, and of either what may be left out.
                self.$field = value.to_owned().into();
                self
            }
        )+}
    };
}
