//! Which fields of a supplier are known, and which of them are somebody's: the lists beside this file.

use std::collections::HashMap;

use wayfare_launch::SupplierKind;

/// What a known field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Nothing that is anybody's.
    Plain,
    /// What is somebody's, a secret, or gives access: with all that is in it.
    Private,
}

/// The known fields of one supplier, of what it is sent as of what it answers.
pub struct Fields(HashMap<&'static str, Field>);

impl Fields {
    pub fn of(kind: SupplierKind) -> Self {
        let list = match kind {
            SupplierKind::Duffel => include_str!("fields/duffel.txt"),
            SupplierKind::TripJack => include_str!("fields/tripjack.txt"),
            SupplierKind::LiteApi => include_str!("fields/liteapi.txt"),
            SupplierKind::Hotelbeds => include_str!("fields/hotelbeds.txt"),
        };
        let (mut field, mut fields) = (Field::Plain, HashMap::new());
        for line in list.lines().filter(|line| !line.starts_with('#')) {
            match line.trim() {
                "[plain]" => field = Field::Plain,
                "[private]" => field = Field::Private,
                names => fields.extend(names.split_whitespace().map(|name| (name, field))),
            }
        }
        Self(fields)
    }

    /// The field of this name in a field of that name: as `parent.name` says, else `parent.*`, else `name`.
    pub fn get(&self, parent: &str, name: &str) -> Option<Field> {
        let keys = [format!("{parent}.{name}"), format!("{parent}.*"), name.to_owned()];
        keys.iter().find_map(|key| self.0.get(key.as_str()).copied())
    }
}
