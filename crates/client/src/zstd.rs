//! zstd, decoded as it comes.

use bytes::{Buf, Bytes};
use futures_util::{StreamExt, stream, stream::BoxStream};
use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, get_error_name};

use crate::error::{Error, Result, cause, unreadable};

/// The logarithm of the longest window that an answer may want: what everybody takes (RFC 9659).
const WINDOW: u32 = 23;
/// So many bytes are decoded at once.
const ROOM: usize = 64 * 1024;

struct Decoding {
    coded: BoxStream<'static, Result<Bytes>>,
    context: DCtx<'static>,
    /// What came and was not decoded yet.
    waiting: Bytes,
    state: State,
    status: u16,
}

/// What the decoder has said of all that it was given.
enum State {
    /// More is to be taken out of it.
    Full,
    Wanting,
    /// It ends here.
    Whole,
}

/// What is in these bytes of an answer of this status. One that ends before it says so is cut off.
pub(crate) fn decoded(
    coded: BoxStream<'static, Result<Bytes>>,
    status: u16,
) -> Result<BoxStream<'static, Result<Bytes>>> {
    let mut context = DCtx::try_create().ok_or_else(|| unreadable(status, "no memory".to_owned()))?;
    context.set_parameter(DParameter::WindowLogMax(WINDOW)).map_err(|code| refused(status, code))?;
    let decoding = Decoding { coded, context, waiting: Bytes::new(), state: State::Wanting, status };
    let bytes = stream::try_unfold(decoding, async |mut decoding: Decoding| {
        let bytes = decoding.next().await?;
        Ok(bytes.map(|bytes| (bytes, decoding)))
    });
    Ok(bytes.boxed())
}

fn refused(status: u16, code: usize) -> Error {
    unreadable(status, format!("zstd: {}", get_error_name(code)))
}

impl Decoding {
    async fn next(&mut self) -> Result<Option<Bytes>> {
        loop {
            if self.waiting.is_empty() && !matches!(self.state, State::Full) {
                match (self.coded.next().await.transpose()?, &self.state) {
                    (Some(bytes), _) => self.waiting = bytes,
                    (None, State::Whole) => return Ok(None),
                    (None, _) => return Err(Error::CutOff { cause: cause("it ended within its coding") }),
                }
            }
            let mut out = Vec::with_capacity(ROOM);
            let mut input = InBuffer::around(&self.waiting);
            let left = self.context.decompress_stream(&mut OutBuffer::around(&mut out), &mut input);
            self.state = match left.map_err(|code| refused(self.status, code))? {
                0 => State::Whole,
                _ if out.len() == out.capacity() => State::Full,
                _ => State::Wanting,
            };
            let read = input.pos();
            self.waiting.advance(read);
            if !out.is_empty() {
                return Ok(Some(out.into()));
            }
        }
    }
}
