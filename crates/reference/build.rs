//! Compresses the largest tables: as they are they would be a tenth of the program.

use std::{
    env,
    fs::{self, File},
    io::{Result, Write},
    path::Path,
};

use flate2::{Compression, write::DeflateEncoder};

fn main() -> Result<()> {
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    for name in ["airports.csv", "cities.csv"] {
        let file = Path::new("data").join(name);
        println!("cargo::rerun-if-changed={}", file.display());
        let mut packed = DeflateEncoder::new(File::create(Path::new(&out).join(name))?, Compression::best());
        packed.write_all(&fs::read(file)?)?;
        packed.finish()?;
    }
    Ok(())
}
