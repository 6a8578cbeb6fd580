//! Where the files of reports are kept: a folder, or a bucket of S3 or what speaks like it.

use std::{
    fs::{DirBuilder, Permissions},
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path as Folder, PathBuf},
    sync::Arc,
    time::Duration,
};

use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    ClientConfigKey, MultipartUpload, ObjectStore, ObjectStoreExt, ObjectStoreScheme, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    local::LocalFileSystem,
    memory::InMemory,
    path::Path,
    prefix::PrefixStore,
};
use tokio::task::JoinSet;
use url::Url;

use crate::{Error, Result, tools::failpoints::moment};

/// So much of a file is in memory and on its way at once, each so large: S3 takes no smaller parts.
const PARTS_AT_ONCE: usize = 2;
const PART: usize = 5 * 1024 * 1024;

/// A download ends after this time, however slowly the client takes it.
const LONGEST_DOWNLOAD: Duration = Duration::from_secs(3600);
/// A bucket from which nothing comes for so long is asked anew.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);
/// How often a bucket is asked anew in one download.
const MOST_ASKED_ANEW: usize = 3;
/// A client waits no longer until a file begins, or is refused.
const PATIENCE: Duration = Duration::from_secs(5);
/// What was begun is given back within this time, or left.
const LONGEST_ABANDONING: Duration = Duration::from_secs(20);

#[derive(Clone)]
pub struct ReportFiles {
    store: Arc<dyn ObjectStore>,
    /// The same, with the patience that a slow client needs.
    downloads: Arc<dyn ObjectStore>,
    /// Where it is, if it is a folder.
    folder: Option<PathBuf>,
}

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
        let store = Arc::new(PrefixStore::new(files, prefix));
        Ok(Self { downloads: store.clone(), store, folder: Some(folder.to_owned()) })
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
        let (_, prefix) = ObjectStoreScheme::parse(&parsed).map_err(|error| wrong(error.to_string()))?;
        // Files go one by one, which not everybody who speaks like S3 takes in bulk.
        let one_by_one = ("AWS_DISABLE_BULK_DELETE".to_owned(), "true".to_owned());
        let bucket = std::iter::once(one_by_one).chain(options).fold(
            AmazonS3Builder::new().with_url(url),
            |bucket, (name, value)| match name.to_ascii_lowercase().parse() {
                Ok(option) => bucket.with_config(option, value),
                // A variable that is another program's.
                Err(_) => bucket,
            },
        );
        let seconds = |time: Duration| format!("{} seconds", time.as_secs());
        let client = AmazonS3ConfigKey::Client;
        // The time-out of a call is that of its whole body, of which the client's pace is a part.
        let downloads = bucket
            .clone()
            .with_config(client(ClientConfigKey::Timeout), seconds(LONGEST_DOWNLOAD))
            .with_config(client(ClientConfigKey::ReadTimeout), seconds(LONGEST_SILENCE))
            .with_retry(RetryConfig {
                max_retries: MOST_ASKED_ANEW,
                retry_timeout: LONGEST_DOWNLOAD,
                ..RetryConfig::default()
            });
        let below = |bucket: AmazonS3Builder| {
            let bucket = bucket.build().map_err(|error| wrong(error.to_string()))?;
            Ok::<_, Error>(Arc::new(PrefixStore::new(bucket, prefix.clone())))
        };
        Ok(Self { store: below(bucket)?, downloads: below(downloads)?, folder: None })
    }

    /// Memory: they go with the process.
    pub fn in_memory() -> Self {
        let store = Arc::new(InMemory::new());
        Self { downloads: store.clone(), store, folder: None }
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
        let upload = self.store.put_multipart(&Path::from(name)).await.map_err(broken)?;
        if let Some(folder) = &self.folder {
            // The folder may be one that was there before, and open to others.
            tokio::fs::set_permissions(being_written(folder, name), Permissions::from_mode(0o600))
                .await
                .map_err(|error| Error::Internal(format!("{name} can't be kept from others: {error}")))?;
        }
        Ok(NewFile::of(upload))
    }

    /// A file's content and its length, read no faster than it is taken.
    pub(super) async fn read(&self, name: &str) -> Result<(u64, FileContent)> {
        let path = Path::from(name);
        let found = tokio::time::timeout(PATIENCE, self.downloads.get(&path));
        let found = found
            .await
            .map_err(|_| {
                Error::Internal(format!("the reports' files: no answer in {} s", PATIENCE.as_secs()))
            })?
            .map_err(broken)?;
        let length = found.meta.size;
        Ok((length, found.into_stream().map_err(broken).boxed()))
    }

    /// Removes a file, if it is there, and what somebody who died has left of it.
    pub(super) async fn remove(&self, name: &str) -> Result<()> {
        if let Some(folder) = &self.folder {
            match tokio::fs::remove_file(being_written(folder, name)).await {
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

/// How a file in a folder is called until it is finished: no two begin the same one.
fn being_written(folder: &Folder, name: &str) -> PathBuf {
    folder.join(format!("{name}#1"))
}

pub(super) struct NewFile {
    upload: Box<dyn MultipartUpload>,
    parts: JoinSet<object_store::Result<()>>,
    rest: BytesMut,
    length: i64,
}

impl NewFile {
    fn of(upload: Box<dyn MultipartUpload>) -> Self {
        Self { upload, parts: JoinSet::new(), rest: BytesMut::new(), length: 0 }
    }

    /// Adds this at its end, when the store has taken most of what came before.
    pub(super) async fn write(&mut self, content: Vec<u8>) -> Result<()> {
        self.length = i64::try_from(content.len())
            .ok()
            .and_then(|more| self.length.checked_add(more))
            .ok_or_else(|| Error::Internal("a file without end".to_owned()))?;
        self.rest.extend_from_slice(&content);
        while self.rest.len() >= PART {
            self.until_under_way(PARTS_AT_ONCE - 1).await?;
            let part = self.rest.split_to(PART);
            self.send(part);
        }
        moment("report:writing");
        Ok(())
    }

    fn send(&mut self, part: BytesMut) {
        self.parts.spawn(self.upload.put_part(part.freeze().into()));
    }

    /// Waits until no more parts than these are on their way.
    async fn until_under_way(&mut self, most: usize) -> Result<()> {
        while self.parts.len() > most {
            match self.parts.join_next().await {
                Some(Ok(sent)) => sent.map_err(broken)?,
                Some(Err(died)) => return Err(Error::Internal(died.to_string())),
                None => {}
            }
        }
        Ok(())
    }

    /// The file is there, whole; how many bytes it has.
    pub(super) async fn finish(&mut self) -> Result<i64> {
        let rest = self.rest.split();
        if !rest.is_empty() {
            self.send(rest);
        }
        self.until_under_way(0).await?;
        self.upload.complete().await.map_err(broken)?;
        Ok(self.length)
    }

    /// Nothing of it stays: parts in a bucket would be kept, and paid for, until somebody tidies up there.
    pub(super) async fn abandon(mut self) {
        self.parts.shutdown().await;
        let problem = match tokio::time::timeout(LONGEST_ABANDONING, self.upload.abort()).await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer".to_owned(),
        };
        tracing::warn!(problem, "the beginning of a report's file could not be removed");
    }
}

fn broken(error: object_store::Error) -> Error {
    Error::Internal(format!("the reports' files: {error}"))
}

#[cfg(test)]
mod tests {
    use futures_util::future::BoxFuture;
    use object_store::{PutPayload, PutResult, UploadPart};

    use super::*;

    /// An upload to a disk that is full when it is completed, as a folder's behaves then.
    #[derive(Debug)]
    struct Full;

    impl MultipartUpload for Full {
        fn put_part(&mut self, _: PutPayload) -> UploadPart {
            Box::pin(async { Ok(()) })
        }

        fn complete<'a, 'b>(&'a mut self) -> BoxFuture<'b, object_store::Result<PutResult>>
        where
            'a: 'b,
            Self: 'b,
        {
            let source = "No space left on device".into();
            Box::pin(async { Err(object_store::Error::Generic { store: "full", source }) })
        }

        fn abort<'a, 'b>(&'a mut self) -> BoxFuture<'b, object_store::Result<()>>
        where
            'a: 'b,
            Self: 'b,
        {
            let source = "aborted".into();
            Box::pin(async { Err(object_store::Error::Generic { store: "full", source }) })
        }
    }

    #[tokio::test]
    async fn a_full_disk_is_told_as_what_it_is() {
        let mut file = NewFile::of(Box::new(Full));
        file.write(b"a,b\r\n".to_vec()).await.unwrap();
        let problem = file.finish().await.unwrap_err().to_string();
        assert!(problem.contains("No space left"), "{problem}");
        file.abandon().await;
    }
}
