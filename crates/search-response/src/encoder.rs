//! Encoders of search streams. Each event repeats most of the one before it, of which a window that is longer than an event
//! makes next to nothing.

use std::{
    io::{Error, Result, Write},
    mem,
};

use brotli::CompressorWriter;
use zstd_safe::{
    CCtx, CParameter, InBuffer, OutBuffer, get_error_name, zstd_sys::ZSTD_EndDirective as Until,
};

/// The logarithm of the window: 4 MiB, of which a search of ten suppliers fills less than a half. Chromium takes no more than 8.
const WINDOW: u32 = 22;
/// The lowest level of zstd that finds nearly all of the event before; with its usual table of 2^16 places a fortieth more is sent.
const ZSTD_LEVEL: i32 = 2;
const ZSTD_TABLE: u32 = 17;
/// The highest level of brotli that has a first event of 140 kB ready within about a millisecond.
const BROTLI_LEVEL: u32 = 3;
/// Room for what comes out at once.
const ROOM: usize = 8 * 1024;

/// How much memory an encoder of zstd takes at most.
pub const ZSTD_MEMORY: usize = 11 << 19;
/// The same of brotli, with what allocating it costs: a server takes 15 MiB more for each.
pub const BROTLI_MEMORY: usize = 15 << 20;

/// An encoder with what has come out of it and is not sent yet. Behind a pointer, so that all of it is compiled here.
pub trait Encoder {
    /// Takes these bytes.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;
    /// Lets everything out that was written.
    fn flush(&mut self) -> Result<()>;
    /// What has come out.
    fn take(&mut self) -> Vec<u8>;
    /// The end, with all that was not taken.
    fn finish(self: Box<Self>) -> Result<Vec<u8>>;
}

/// One of zstd.
pub fn zstd() -> Result<Box<dyn Encoder>> {
    Ok(Box::new(Zstd::new()?))
}

/// One of brotli.
pub fn brotli() -> Result<Box<dyn Encoder>> {
    Ok(Box::new(CompressorWriter::new(Vec::new(), ROOM, BROTLI_LEVEL, WINDOW)))
}

struct Zstd {
    context: CCtx<'static>,
    out: Vec<u8>,
}

impl Zstd {
    fn new() -> Result<Self> {
        let mut context = CCtx::try_create().ok_or_else(|| Error::other("no memory"))?;
        let (level, window) = (CParameter::CompressionLevel(ZSTD_LEVEL), CParameter::WindowLog(WINDOW));
        for parameter in [level, window, CParameter::HashLog(ZSTD_TABLE)] {
            context.set_parameter(parameter).map_err(failed)?;
        }
        Ok(Self { context, out: Vec::new() })
    }

    fn compress(&mut self, bytes: &[u8], until: Until) -> Result<()> {
        let mut input = InBuffer::around(bytes);
        loop {
            self.out.reserve(ROOM);
            let filled = self.out.len();
            let mut output = OutBuffer::around_pos(&mut self.out, filled);
            let left = self.context.compress_stream2(&mut output, &mut input, until).map_err(failed)?;
            let is_done = match until {
                Until::ZSTD_e_continue => input.pos() == bytes.len(),
                Until::ZSTD_e_flush | Until::ZSTD_e_end => left == 0,
            };
            if is_done {
                return Ok(());
            }
        }
    }
}

fn failed(code: usize) -> Error {
    Error::other(get_error_name(code))
}

impl Encoder for Zstd {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.compress(bytes, Until::ZSTD_e_continue)
    }

    fn flush(&mut self) -> Result<()> {
        self.compress(&[], Until::ZSTD_e_flush)
    }

    fn take(&mut self) -> Vec<u8> {
        mem::take(&mut self.out)
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<u8>> {
        self.compress(&[], Until::ZSTD_e_end)?;
        Ok(self.out)
    }
}

impl Encoder for CompressorWriter<Vec<u8>> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        Write::flush(self)
    }

    fn take(&mut self) -> Vec<u8> {
        mem::take(self.get_mut())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>> {
        Ok(self.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brotli does not tell: `just bench-search-load` sees.
    #[test]
    fn zstd_takes_no_more_memory_than_is_counted() {
        let mut zstd = Zstd::new().unwrap();
        zstd.write(&vec![b' '; 20 << 20]).unwrap();
        let taken = zstd.context.sizeof();
        assert!((ZSTD_MEMORY / 2..=ZSTD_MEMORY).contains(&taken), "{taken}");
    }
}
