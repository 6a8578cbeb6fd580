//! Packs the OpenAPI documents as they are served: without their indentation, which is half of them, and compressed.

use std::{
    env,
    fs::{self, File},
    io::{Result, Write},
    path::Path,
};

use flate2::{Compression, write::DeflateEncoder};

fn main() -> Result<()> {
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    for name in ["openapi.json", "openapi-operator.json"] {
        let file = Path::new("../../docs").join(name);
        println!("cargo::rerun-if-changed={}", file.display());
        let mut packed = DeflateEncoder::new(File::create(Path::new(&out).join(name))?, Compression::best());
        for line in fs::read_to_string(file)?.lines() {
            packed.write_all(line.trim_start().as_bytes())?;
        }
        packed.finish()?;
    }
    Ok(())
}
