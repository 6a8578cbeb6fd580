//! An answer to a search on its way: it is put together from printed pieces as fast as the caller takes it, so that none
//! of a megabyte ever stands in memory in one piece.

use bytes::Bytes;

use super::json_interner::JsonInterner;

/// So many bytes are put together at once, and a little more. A buffer of this size is used again and again; one for all
/// of a large answer has fresh pages each time, which the kernel has to clear.
const CHUNK: usize = 96 * 1024;
const A_LITTLE_MORE: usize = 8 * 1024;

/// Of which kind printed pieces are.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Segment,
    Leg,
    Offer,
}

/// What was printed of a search until now.
pub trait Printed {
    /// The pieces of this kind, by number.
    fn pieces(&self, kind: Kind) -> &JsonInterner;
}

/// What stands in an answer one after the other.
#[derive(Debug)]
pub enum Part {
    /// As it is.
    Text(Vec<u8>),
    /// The pieces of these numbers with commas between them.
    List(Kind, Vec<u32>),
}

/// What an answer consists of. Its lists name pieces of the snapshot that it was made of.
#[derive(Debug, Default)]
pub struct Answer {
    pub(super) parts: Vec<Part>,
}

/// How far it has been written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    part: usize,
    piece: usize,
}

impl Answer {
    /// How many bytes it has.
    pub fn size(&self, snapshot: &impl Printed) -> usize {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.len(),
            Part::List(kind, numbers) => {
                let pieces = snapshot.pieces(*kind);
                let texts = numbers.iter().map(|number| pieces.text(*number).len());
                texts.sum::<usize>() + numbers.len().saturating_sub(1)
            }
        });
        parts.sum()
    }

    /// All of it.
    pub fn write(&self, snapshot: &impl Printed, out: &mut Vec<u8>) {
        self.write_until(usize::MAX, &mut Cursor::default(), snapshot, out);
    }

    /// Goes on from the cursor until there are so many bytes; whether that was all.
    fn write_until(
        &self,
        enough: usize,
        cursor: &mut Cursor,
        snapshot: &impl Printed,
        out: &mut Vec<u8>,
    ) -> bool {
        while let Some(part) = self.parts.get(cursor.part) {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::List(kind, numbers) => {
                    let pieces = snapshot.pieces(*kind);
                    for number in numbers.iter().skip(cursor.piece) {
                        if out.len() >= enough {
                            return false;
                        }
                        if cursor.piece > 0 {
                            out.push(b',');
                        }
                        out.extend_from_slice(pieces.text(*number));
                        cursor.piece += 1;
                    }
                }
            }
            *cursor = Cursor { part: cursor.part + 1, piece: 0 };
        }
        true
    }
}

/// An answer that is being sent, with what stands around it.
pub struct Sending<A> {
    answer: A,
    cursor: Cursor,
    before: Vec<u8>,
    after: &'static [u8],
    is_over: bool,
}

impl<A: AsRef<Answer>> Sending<A> {
    /// This answer between what stands before and after it.
    pub fn new(before: String, answer: A, after: &'static str) -> Self {
        Self {
            answer,
            cursor: Cursor::default(),
            before: before.into_bytes(),
            after: after.as_bytes(),
            is_over: false,
        }
    }

    /// How many bytes it has from its beginning.
    pub fn size(&self, snapshot: &impl Printed) -> u64 {
        let size = self.before.len() + self.answer.as_ref().size(snapshot) + self.after.len();
        u64::try_from(size).unwrap_or(u64::MAX)
    }

    /// The next bytes; none after the last ones. `snapshot` is the one of which the answer was made.
    pub fn next(&mut self, snapshot: &impl Printed) -> Option<Bytes> {
        if self.is_over {
            return None;
        }
        let mut chunk = Vec::with_capacity(CHUNK + A_LITTLE_MORE);
        chunk.append(&mut self.before);
        let answer = self.answer.as_ref();
        if answer.write_until(CHUNK, &mut self.cursor, snapshot, &mut chunk) {
            chunk.extend_from_slice(self.after);
            self.is_over = true;
        }
        Some(chunk.into())
    }
}

impl AsRef<Self> for Answer {
    fn as_ref(&self) -> &Self {
        self
    }
}
