//! `wayfarectl suppliers`: from whom a server of these settings buys, and the check that a code is one of theirs.

use std::convert::Infallible;

use serde::Serialize;
use serde_json::Value;
use wayfare_domain::ProductKind;
use wayfare_launch::{Auto, FileTables, SupplierKind, SupplierSettings};

use crate::output::{Done, Failure, Output, Row, Table};

/// A supplier's code as somebody typed it: codes are in small letters.
pub fn code(text: &str) -> Result<String, Infallible> {
    Ok(text.to_ascii_lowercase())
}

/// The suppliers of the settings file; where it has none, or the server is told so, those that the sandbox plays.
pub struct KnownSuppliers(Vec<Supplier>);

#[derive(Serialize)]
struct Supplier {
    code: String,
    kind: &'static str,
    #[serde(skip)]
    wire: SupplierKind,
    sells: ProductKind,
    /// Its address, or `sandbox`.
    at: String,
}

impl KnownSuppliers {
    /// Those of these settings.
    pub fn of(tables: &FileTables, sandbox: Auto) -> Self {
        let configured = tables.suppliers.iter();
        let mut known: Vec<Supplier> =
            configured.map(|supplier| Supplier::of(supplier, supplier.config.base_url.clone())).collect();
        let with_sandbox = match sandbox {
            Auto::On => true,
            Auto::Auto => known.is_empty(),
            Auto::Off => false,
        };
        if with_sandbox {
            // Its port is the server's to choose.
            let played = SupplierSettings::of_sandbox("");
            known.extend(played.map(|supplier| Supplier::of(&supplier, "sandbox".to_owned())));
        }
        Self(known)
    }

    /// That all of these are among them; `option` is where they were given.
    ///
    /// # Errors
    /// Names those that are not, and those that there are.
    pub fn check<'a>(&self, option: &str, codes: impl IntoIterator<Item = &'a String>) -> Done {
        let is_known = |code: &&String| self.0.iter().any(|known| known.code == **code);
        let unknown: Vec<String> =
            codes.into_iter().filter(|code| !is_known(code)).map(|code| format!("{code:?}")).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let known: Vec<&str> = self.0.iter().map(|known| known.code.as_str()).collect();
        Err(Failure::Usage(format!(
            "{option}: there is no supplier {}; those of these settings (--config, WAYFARE_CONFIG) are {}",
            unknown.join(", "),
            match known.as_slice() {
                [] => "none".to_owned(),
                known => known.join(", "),
            }
        )))
    }

    /// What of an answer of this supplier may be shown without whom it is for, and how much is left out; none where there is no
    /// list, or no such supplier.
    pub fn passed_on(&self, code: &str, raw: Value) -> Option<(Value, usize)> {
        let known = self.0.iter().find(|known| known.code == code)?;
        known.wire.passed_on(raw)
    }

    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|known| known.code.as_str())
    }
}

impl Supplier {
    fn of(supplier: &SupplierSettings, at: String) -> Self {
        let SupplierSettings { kind, config, .. } = supplier;
        Self {
            code: config.code.clone(),
            kind: <&str>::from(*kind),
            wire: *kind,
            sells: SupplierKind::sells(*kind),
            at,
        }
    }
}

#[derive(Serialize)]
struct Listed {
    suppliers: Vec<Supplier>,
}

impl Table for Listed {
    const HEAD: &str = "code kind sells at";

    fn rows(&self) -> Vec<Row<'_>> {
        let row = |supplier: &Supplier| -> Row<'static> {
            vec![
                supplier.code.clone().into(),
                supplier.kind.into(),
                format!("{}s", supplier.sells.as_ref()).into(),
                supplier.at.clone().into(),
            ]
        };
        self.suppliers.iter().map(row).collect()
    }
}

/// Shows them.
pub fn list(known: KnownSuppliers, output: Output) -> Done {
    output.print_table(&Listed { suppliers: known.0 })
}
