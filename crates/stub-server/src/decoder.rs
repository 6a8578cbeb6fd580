//! What makes text again of a coded stream, as it comes.

use std::{io::Write, mem};

use brotli::DecompressorWriter;
use zstd_safe::{DCtx, InBuffer, OutBuffer};

pub enum Decoder {
    Identity(Vec<u8>),
    Zstd(DCtx<'static>, Vec<u8>),
    Brotli(Box<DecompressorWriter<Vec<u8>>>),
}

impl Decoder {
    /// That of this `content-encoding`.
    pub fn of(coding: Option<&str>) -> Self {
        match coding {
            None => Self::Identity(Vec::new()),
            Some("zstd") => Self::Zstd(DCtx::create(), Vec::new()),
            // Of what is ready it gives out no more at once than it has room for.
            Some("br") => Self::Brotli(Box::new(DecompressorWriter::new(Vec::new(), 8 << 20))),
            Some(other) => panic!("nobody asked for {other}"),
        }
    }

    pub fn coding(&self) -> &'static str {
        match self {
            Self::Identity(_) => "identity",
            Self::Zstd(..) => "zstd",
            Self::Brotli(_) => "br",
        }
    }

    /// All that can be read of what came until now, and was not read before.
    pub fn decode(&mut self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Identity(out) => out.extend_from_slice(bytes),
            Self::Zstd(context, out) => {
                let mut input = InBuffer::around(bytes);
                loop {
                    out.reserve(64 * 1024);
                    let filled = out.len();
                    context.decompress_stream(&mut OutBuffer::around_pos(out, filled), &mut input).unwrap();
                    if input.pos() == bytes.len() && out.len() < out.capacity() {
                        break;
                    }
                }
            }
            Self::Brotli(writer) => writer.write_all(bytes).unwrap(),
        }
        mem::take(match self {
            Self::Identity(out) | Self::Zstd(_, out) => out,
            Self::Brotli(writer) => writer.get_mut(),
        })
    }
}
