//! Where the files of reports are kept: a folder, or a bucket of S3 or what speaks like it.

use std::{
    fs::DirBuilder,
    os::unix::fs::DirBuilderExt,
    path::{Path as Folder, PathBuf},
    sync::Arc,
};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    ObjectStore, ObjectStoreExt, WriteMultipart, local::LocalFileSystem, memory::InMemory, path::Path,
    prefix::PrefixStore,
};
use url::Url;

use crate::{Error, Result, testing::moment};

/// So much of a file is in memory and on its way at once, each so large: S3 takes no smaller parts.
const PARTS_AT_ONCE: usize = 2;
const PART: usize = 5 * 1024 * 1024;

/// The store of the files.
#[derive(Clone)]
pub struct ReportFiles {
    store: Arc<dyn ObjectStore>,
    /// Where it is, if it is a folder.
    folder: Option<PathBuf>,
}

/// A file as it is read.
pub type FileContent = BoxStream<'static, Result<Bytes>>;

impl ReportFiles {
    /// A folder of this machine, which is made when the first file is written, for nobody else's eyes.
    ///
    /// # Errors
    /// When its path is not absolute, or no store can name it.
    pub fn in_folder(folder: &Folder) -> Result<Self> {
        let prefix = Path::from_absolute_path(folder).map_err(|error| Error::Internal(error.to_string()))?;
        // A report that is said to be ready must be there after a power cut.
        let files = LocalFileSystem::new().with_fsync(true);
        Ok(Self {
            store: Arc::new(PrefixStore::new(files, prefix)),
            folder: Some(folder.to_owned()),
        })
    }

    /// What this URL names: `file:///folder` or `s3://bucket/prefix`, with S3's keys, region and endpoint as these
    /// options name them (`AWS_ACCESS_KEY_ID` …).
    ///
    /// # Errors
    /// What is wrong with URL or options.
    pub fn open(url: &str, options: impl IntoIterator<Item = (String, String)>) -> Result<Self> {
        let wrong = |error: String| Error::Internal(format!("{url}: {error}"));
        let parsed = Url::parse(url).map_err(|error| wrong(error.to_string()))?;
        if let ("file", Ok(folder)) = (parsed.scheme(), parsed.to_file_path()) {
            return Self::in_folder(&folder);
        }
        // Files go one by one, which not everybody who speaks like S3 takes in bulk.
        let one_by_one = [("AWS_DISABLE_BULK_DELETE".to_owned(), "true".to_owned())];
        let (store, prefix) = object_store::parse_url_opts(&parsed, one_by_one.into_iter().chain(options))
            .map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            store: Arc::new(PrefixStore::new(store, prefix)),
            folder: None,
        })
    }

    /// Memory: they go with the process.
    pub fn in_memory() -> Self {
        Self {
            store: Arc::new(InMemory::new()),
            folder: None,
        }
    }

    /// Begins a file, which is not there until it is finished. Dropped, it never was.
    pub(super) async fn begin(&self, name: &str) -> Result<NewFile> {
        if let Some(folder) = &self.folder {
            let mut private = DirBuilder::new();
            private.recursive(true).mode(0o700);
            private
                .create(folder)
                .map_err(|error| Error::Internal(format!("{} can't be made: {error}", folder.display())))?;
        }
        let upload = self
            .store
            .put_multipart(&Path::from(name))
            .await
            .map_err(broken)?;
        Ok(NewFile {
            parts: WriteMultipart::new_with_chunk_size(upload, PART),
            length: 0,
        })
    }

    /// A file's content and its length, read no faster than it is taken.
    pub(super) async fn read(&self, name: &str) -> Result<(u64, FileContent)> {
        let found = self.store.get(&Path::from(name)).await.map_err(broken)?;
        let length = found.meta.size;
        Ok((length, found.into_stream().map_err(broken).boxed()))
    }

    /// Removes a file, if it is there, and what somebody who died has left of it.
    pub(super) async fn remove(&self, name: &str) -> Result<()> {
        if let Some(folder) = &self.folder {
            // What is being written has this name until it is finished: no two begin the same file.
            match tokio::fs::remove_file(folder.join(format!("{name}#1"))).await {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::Internal(error.to_string()));
                }
                _ => {}
            }
        }
        match self.store.delete(&Path::from(name)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(broken(error)),
        }
    }
}

/// A file that is being written.
pub(super) struct NewFile {
    parts: WriteMultipart,
    length: i64,
}

impl NewFile {
    /// Adds this at its end, when the store has taken most of what came before.
    pub(super) async fn write(&mut self, content: Vec<u8>) -> Result<()> {
        self.length = i64::try_from(content.len())
            .ok()
            .and_then(|more| self.length.checked_add(more))
            .ok_or_else(|| Error::Internal("a file without end".to_owned()))?;
        self.parts
            .wait_for_capacity(PARTS_AT_ONCE)
            .await
            .map_err(broken)?;
        self.parts.put(content.into());
        moment("report:writing");
        Ok(())
    }

    /// The file is there, whole; how many bytes it has.
    pub(super) async fn finish(self) -> Result<i64> {
        self.parts.finish().await.map_err(broken)?;
        Ok(self.length)
    }

    /// Nothing of it stays.
    pub(super) async fn abandon(self) {
        if let Err(error) = self.parts.abort().await {
            tracing::warn!(%error, "the beginning of a report's file could not be removed");
        }
    }
}

fn broken(error: object_store::Error) -> Error {
    Error::Internal(format!("the reports' files: {error}"))
}
