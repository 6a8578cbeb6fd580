//! A search session as compressed JSON, the same that Redis holds.

use std::{
    io::{BufWriter, Read, Write},
    marker::PhantomData,
};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use super::KeptSession;
use crate::{Error, Result};

/// A packed session.
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
        let mut writer = BufWriter::new(DeflateEncoder::new(Vec::new(), Compression::fast()));
        serde_json::to_writer(&mut writer, session)?;
        let written = writer.flush().and_then(|()| writer.get_mut().try_finish());
        written.map_err(broken)?;
        let encoder = writer.into_inner().map_err(|error| broken(error.into_error()))?;
        Ok(Self {
            bytes: encoder.finish().map_err(broken)?.into_boxed_slice(),
            beside: session.beside(),
            of: PhantomData,
        })
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The session.
    ///
    /// # Errors
    /// When it can't be read.
    pub(crate) fn unpack(&self) -> Result<S> {
        let mut json = Vec::new();
        let read = DeflateDecoder::new(&*self.bytes).read_to_end(&mut json);
        read.map_err(broken)?;
        let mut session: S = serde_json::from_slice(&json)?;
        session.restore(self.beside.clone());
        Ok(session)
    }
}

fn broken(error: std::io::Error) -> Error {
    Error::Internal(error.to_string())
}
