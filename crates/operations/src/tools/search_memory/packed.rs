//! Search sessions and answers as compressed JSON, in memory and in Redis.

use std::{
    io::{BufWriter, Read, Write},
    marker::PhantomData,
};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use serde::{Serialize, de::DeserializeOwned};

use super::KeptSession;
use crate::{Error, Result};

/// No search of ours is larger as JSON.
const LARGEST: u64 = 256 << 20;

pub(crate) struct Packed<S: KeptSession> {
    bytes: Box<[u8]>,
    beside: S::Beside,
    of: PhantomData<fn() -> S>,
}

impl<S: KeptSession> Packed<S> {
    /// Packs it.
    ///
    /// # Errors
    /// When it can't be written as JSON.
    pub(crate) fn of(session: &S) -> Result<Self> {
        Ok(Self { bytes: pack(session)?.into_boxed_slice(), beside: session.beside(), of: PhantomData })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The session.
    ///
    /// # Errors
    /// When it can't be read.
    pub(crate) fn unpack(&self) -> Result<S> {
        let mut session: S = unpack(&self.bytes)?;
        session.restore(self.beside.clone());
        Ok(session)
    }
}

/// This as compressed JSON.
///
/// # Errors
/// When it can't be written as JSON.
pub(crate) fn pack(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut writer = BufWriter::new(DeflateEncoder::new(Vec::new(), Compression::fast()));
    serde_json::to_writer(&mut writer, value)?;
    let written = writer.flush().and_then(|()| writer.get_mut().try_finish());
    written.map_err(broken)?;
    let encoder = writer.into_inner().map_err(|error| broken(error.into_error()))?;
    encoder.finish().map_err(broken)
}

/// What was packed.
///
/// # Errors
/// When it can't be read, or would take more memory than anything that we pack.
pub(crate) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let mut json = Vec::new();
    let read = DeflateDecoder::new(bytes).take(LARGEST + 1).read_to_end(&mut json);
    let read = read.map_err(broken)?;
    if u64::try_from(read).unwrap_or(u64::MAX) > LARGEST {
        return Err(Error::Internal("it is too large to be unpacked".to_owned()));
    }
    Ok(serde_json::from_slice(&json)?)
}

fn broken(error: std::io::Error) -> Error {
    Error::Internal(error.to_string())
}
