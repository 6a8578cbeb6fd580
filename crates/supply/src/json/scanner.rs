//! The tokens of JSON text.

use std::{borrow::Cow, str};

use serde::de::IgnoredAny;

use super::Broken;

/// So deep `serde_json` reads.
const DEEPEST: u8 = 127;

type Read<T> = Result<T, Broken>;

/// A number, as `serde_json` reads it.
pub(super) enum Digits {
    Count(u64),
    Signed(i64),
    Float(f64),
}

/// A place in the text.
pub(super) struct Scanner<'de> {
    bytes: &'de [u8],
    /// All of it, looked at once, where it is UTF-8. What is not is read all the same: what we want of it may be.
    text: Option<&'de str>,
    at: usize,
    depth: u8,
}

impl<'de> Scanner<'de> {
    pub(super) fn new(bytes: &'de [u8]) -> Self {
        Self { bytes, text: str::from_utf8(bytes).ok(), at: 0, depth: 0 }
    }

    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn go_to(&mut self, place: usize) {
        self.at = place;
    }

    /// The text from one place to another.
    #[inline]
    fn between(&self, from: usize, to: usize) -> Read<&'de str> {
        match self.text {
            Some(text) => text.get(from..to).ok_or(Broken),
            None => self.bytes.get(from..to).and_then(|bytes| str::from_utf8(bytes).ok()).ok_or(Broken),
        }
    }

    /// The text from there to here.
    #[inline]
    pub(super) fn text_from(&self, begin: usize) -> Read<&'de str> {
        self.between(begin, self.at)
    }

    /// What stands from there to here.
    #[inline]
    pub(super) fn bytes_from(&self, begin: usize) -> &'de [u8] {
        self.bytes.get(begin..self.at).unwrap_or_default()
    }

    #[inline]
    pub(super) fn rest(&self) -> &'de [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The first byte of the next token.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    /// The next token, which is this byte.
    #[inline]
    pub(super) fn token(&mut self, byte: u8) -> Read<()> {
        if self.peek() != Some(byte) {
            return Err(Broken);
        }
        self.at += 1;
        Ok(())
    }

    /// Passes the byte that stands here.
    #[inline]
    pub(super) fn bump(&mut self) {
        self.at += 1;
    }

    /// Whether the next token is this byte, which is then behind us.
    #[inline]
    pub(super) fn takes(&mut self, byte: u8) -> bool {
        self.token(byte).is_ok()
    }

    /// One level deeper, behind the bracket that stands here.
    #[inline]
    pub(super) fn enter(&mut self) -> Read<()> {
        self.at += 1;
        self.deeper()
    }

    /// Back from it.
    #[inline]
    pub(super) fn leave(&mut self, byte: u8) -> Read<()> {
        self.shallower();
        self.token(byte)
    }

    /// One level deeper, wherever that begins.
    #[inline]
    pub(super) fn deeper(&mut self) -> Read<()> {
        if self.depth == DEEPEST {
            return Err(Broken);
        }
        self.depth += 1;
        Ok(())
    }

    /// Back from it.
    #[inline]
    pub(super) fn shallower(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// `true`, `false` or `null`.
    #[inline]
    pub(super) fn word(&mut self, word: &str) -> Read<()> {
        self.peek();
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(Broken);
        }
        self.at += word.len();
        Ok(())
    }

    /// `true` or `false`.
    #[inline]
    pub(super) fn boolean(&mut self) -> Read<bool> {
        let is_true = self.peek() == Some(b't');
        self.word(if is_true { "true" } else { "false" })?;
        Ok(is_true)
    }

    /// A number.
    #[inline]
    pub(super) fn number(&mut self) -> Read<Digits> {
        self.peek();
        let begin = self.at;
        if let Ok(count) = self.count() {
            return Ok(Digits::Count(count));
        }
        self.at = begin;
        self.skip_number()?;
        let text = self.text_from(begin)?;
        if let Ok(number) = serde_json::from_str(text) {
            return Ok(Digits::Signed(number));
        }
        serde_json::from_str(text).map(Digits::Float).map_err(|_| Broken)
    }

    /// The digits of the number that stands here as `serde_json` writes them, and where it ends.
    pub(super) fn digits(&mut self) -> Read<(Cow<'de, str>, usize)> {
        let begin = self.at;
        self.skip_number()?;
        let (text, end) = (self.text_from(begin)?, self.at);
        self.at = begin;
        let text = match text.contains(['e', 'E']) {
            false => Cow::Borrowed(text),
            true => {
                Cow::Owned(serde_json::from_str::<serde_json::Number>(text).map_err(|_| Broken)?.to_string())
            }
        };
        Ok((text, end))
    }

    /// A whole number without a sign.
    #[inline]
    fn count(&mut self) -> Read<u64> {
        let begin = self.at;
        let mut number = 0_u64;
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            let larger = number.checked_mul(10).and_then(|n| n.checked_add((digit - b'0').into()));
            number = larger.ok_or(Broken)?;
            self.at += 1;
        }
        let digits = self.at - begin;
        let is_plain = digits == 1 || (digits > 1 && self.bytes.get(begin) != Some(&b'0'));
        if !is_plain || matches!(self.byte(), Some(b'.' | b'e' | b'E')) {
            return Err(Broken);
        }
        Ok(number)
    }

    /// A text.
    #[inline]
    pub(super) fn string(&mut self) -> Read<Cow<'de, str>> {
        self.token(b'"')?;
        self.rest_of_string()
    }

    /// A text, behind its first quote.
    #[inline]
    pub(super) fn rest_of_string(&mut self) -> Read<Cow<'de, str>> {
        let begin = self.at;
        if self.plain_run()? {
            return Ok(Cow::Borrowed(self.between(begin, self.at - 1)?));
        }
        while !self.escape_and_run()? {}
        let quoted = self.between(begin - 1, self.at)?;
        serde_json::from_str(quoted).map(Cow::Owned).map_err(|_| Broken)
    }

    /// Passes a text without looking at it more than that it is one.
    #[inline]
    fn skip_string(&mut self) -> Read<()> {
        self.token(b'"')?;
        let mut ends = self.plain_run()?;
        while !ends {
            ends = self.escape_and_run()?;
        }
        Ok(())
    }

    /// Passes what is no escape, up to the end of the text: true, behind its quote; or to an escape: false.
    #[inline]
    fn plain_run(&mut self) -> Read<bool> {
        let bytes = self.bytes;
        let mut short = SHORT;
        while let Some(eight) = bytes.get(self.at..).and_then(<[u8]>::first_chunk::<8>) {
            let found = special(u64::from_le_bytes(*eight));
            if found != 0 {
                self.at += (found.trailing_zeros() / 8) as usize;
                break;
            }
            self.at += 8;
            short -= 1;
            if short == 0 {
                self.at += plain_blocks(bytes.get(self.at..).unwrap_or_default());
                short = SHORT;
            }
        }
        loop {
            match self.byte().ok_or(Broken)? {
                b'"' => {
                    self.at += 1;
                    return Ok(true);
                }
                b'\\' => return Ok(false),
                0..0x20 => return Err(Broken),
                _ => self.at += 1,
            }
        }
    }

    /// Passes one escape and what follows it.
    fn escape_and_run(&mut self) -> Read<bool> {
        self.at += 1;
        let length = match self.byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 1,
            Some(b'u') => {
                let digits = self.bytes.get(self.at + 1..self.at + 5).ok_or(Broken)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(Broken);
                }
                5
            }
            _ => return Err(Broken),
        };
        self.at += length;
        self.plain_run()
    }

    /// Passes a value, whatever it is.
    pub(super) fn skip(&mut self) -> Read<()> {
        match self.peek().ok_or(Broken)? {
            b'{' | b'[' if self.depth == DEEPEST => self.skip_deep(),
            b'"' => self.skip_string(),
            b'{' => self.skip_object(),
            b'[' => self.skip_array(),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.skip_number(),
        }
    }

    /// However deep it is, nothing runs over.
    #[cold]
    fn skip_deep(&mut self) -> Read<()> {
        let mut values = serde_json::Deserializer::from_slice(self.rest()).into_iter::<IgnoredAny>();
        values.next().and_then(Result::ok).ok_or(Broken)?;
        self.at += values.byte_offset();
        Ok(())
    }

    fn skip_object(&mut self) -> Read<()> {
        self.enter()?;
        if self.peek() != Some(b'}') {
            loop {
                self.skip_name()?;
                self.skip()?;
                if !self.takes(b',') {
                    break;
                }
            }
        }
        self.leave(b'}')
    }

    #[inline]
    fn skip_name(&mut self) -> Read<()> {
        self.skip_string()?;
        self.token(b':')
    }

    fn skip_array(&mut self) -> Read<()> {
        self.enter()?;
        if self.peek() != Some(b']') {
            loop {
                self.skip()?;
                if !self.takes(b',') {
                    break;
                }
            }
        }
        self.leave(b']')
    }

    #[inline]
    fn skip_number(&mut self) -> Read<()> {
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            _ => self.skip_digits()?,
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.skip_digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.skip_digits()?;
        }
        Ok(())
    }

    /// At least one.
    #[inline]
    fn skip_digits(&mut self) -> Read<()> {
        let begin = self.at;
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == begin { Err(Broken) } else { Ok(()) }
    }
}

/// So many steps of eight bytes a text is passed before it counts as long.
const SHORT: usize = 4;

/// How many bytes at the start of a long text are plain, in whole blocks, which are compared at once.
fn plain_blocks(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let is_plain = |block: &&[u8; BLOCK]| {
        let special =
            block.iter().fold(false, |found, &byte| found | (byte == b'"') | (byte == b'\\') | (byte < 0x20));
        !special
    };
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    blocks.iter().take_while(is_plain).count() * BLOCK
}

/// The bytes among eight that end a run of plain text: quotes, backslashes and what is below a space, each by its highest
/// bit. Bytes behind the first one may be marked, too, that are nothing of the kind.
#[inline]
fn special(eight: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = EACH << 7;
    let zero = |bytes: u64| bytes.wrapping_sub(EACH) & !bytes & HIGHEST;
    let below_space = eight.wrapping_sub(EACH * 0x20) & !eight & HIGHEST;
    zero(eight ^ (EACH * u64::from(b'"'))) | zero(eight ^ (EACH * u64::from(b'\\'))) | below_space
}
