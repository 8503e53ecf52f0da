//! Text files that are UTF-16, or damaged UTF-8, for DataFusion's readers of UTF-8: an object store in front of another.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::object_store::local::LocalFileSystem;
use datafusion::object_store::path::Path;
use datafusion::object_store::{
    self, Attributes, CopyOptions, GetOptions, GetRange, GetResult, GetResultPayload, ListResult, MultipartUpload,
    ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult,
};
use fastutf::stream::{Encoding, Source, StreamErrorKind, Transcoder};
use futures::stream::{self, BoxStream, StreamExt, TryStreamExt};
use url::Url;

/// How much of a local file is read at a time.
const WINDOW: u64 = 1 << 20;

/// The size that is told of every file that is not empty: see [`TextStore`].
const SIZE: u64 = 1;

/// Registers local files as tables of text under four schemes, which then stand for `file` in `CREATE EXTERNAL TABLE`,
/// with `STORED AS CSV` or `STORED AS JSON`:
///
/// | scheme | encoding without a byte-order mark | ill-formed text |
/// |---|---|---|
/// | `utf16` | UTF-16LE | is an error, with file, line and byte |
/// | `utf16-lossy` | UTF-16LE | becomes U+FFFD |
/// | `utf8` | UTF-8 | is an error, with file, line and byte |
/// | `utf8-lossy` | UTF-8 | becomes U+FFFD |
///
/// Every file is read as one partition, the files of a folder in parallel. For more, register a [`TextStore`].
///
/// ```
/// use datafusion::prelude::SessionContext;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::error::Result<()> {
/// # let folder = std::env::temp_dir().join(format!("fastutf-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("names.csv");
/// let text = "\u{FEFF}id,name\n1,zł\n2,€\n";
/// std::fs::write(&path, text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>())?;
///
/// let context = SessionContext::new();
/// fastutf_datafusion::register_local_files(&context.runtime_env())?;
/// let sql = format!("CREATE EXTERNAL TABLE names STORED AS CSV LOCATION 'utf16://{}'
///                    OPTIONS ('format.has_header' 'true')", path.display());
/// context.sql(&sql).await?;
/// let batches = context.sql("SELECT name FROM names WHERE id = 1").await?.collect().await?;
/// datafusion::assert_batches_eq!(["+------+", "| name |", "+------+", "| zł   |", "+------+"], &batches);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// None that is known: the type is that of parsing the schemes' URLs.
pub fn register_local_files(env: &RuntimeEnv) -> Result<()> {
    let local = || Arc::new(LocalFileSystem::new());
    let stores = [
        ("utf16", TextStore::new(local(), Encoding::Utf16Le)),
        ("utf16-lossy", TextStore::new(local(), Encoding::Utf16Le).lossy()),
        ("utf8", TextStore::new(local(), Encoding::Utf8)),
        ("utf8-lossy", TextStore::new(local(), Encoding::Utf8).lossy()),
    ];
    for (scheme, store) in stores {
        let url = Url::parse(&format!("{scheme}://"));
        let url = url.map_err(|error| datafusion::error::DataFusionError::External(Box::new(error)))?;
        env.register_object_store(&url, Arc::new(store));
    }
    Ok(())
}

/// An object store that gives the files of another one as UTF-8. Register it under a scheme of its own, and DataFusion's
/// readers of CSV and of newline-delimited JSON read UTF-16 and damaged UTF-8, without a format of their own. Engines that
/// send plans to other machines send the address alone, so that these need the same store under the same scheme, and
/// nothing else.
///
/// A byte-order mark at the start of a file says its encoding, and is removed. It is read-only.
///
/// How many bytes a file has in UTF-8 is known when it has been read. Not to read everything twice, the store says 1 for
/// every file that is not empty, which also keeps engines from cutting files at byte offsets. A request for the range
/// from 0 to 1 is one for the whole file, and for any other an error. Files are cut at lines instead, if
/// [`split_at`](Self::split_at) allows it.
///
/// Files are to be uncompressed.
///
/// ```
/// use std::sync::Arc;
/// use datafusion::object_store::{ObjectStore, ObjectStoreExt, memory::InMemory, path::Path};
/// use fastutf_datafusion::{Encoding, TextStore};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let files = Arc::new(InMemory::new());
/// files.put(&Path::from("a.csv"), b"\xFF\xFEz\0\x42\x01".as_slice().into()).await?;
/// files.put(&Path::from("bad.csv"), b"a,b\n1,\xFF\n".as_slice().into()).await?;
///
/// let store = TextStore::new(files, Encoding::Utf8);
/// assert_eq!(store.get(&Path::from("a.csv")).await?.bytes().await?, "zł");
/// let error = store.get(&Path::from("bad.csv")).await?.bytes().await.unwrap_err();
/// assert_eq!(error.to_string(), "Generic fastutf error: bad.csv: line 2, byte 6: invalid lead byte");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TextStore {
    files: Arc<dyn ObjectStore>,
    source: Source,
    lossy: bool,
    split: Option<Split>,
}

#[derive(Clone, Copy, Debug)]
struct Split {
    size: u64,
    header: bool,
}

/// What is wrong with a text file, and where. It is inside of the object store's `Generic` error, which no engine tries
/// again.
///
/// ```
/// fn line(error: &fastutf_datafusion::FileError) -> u64 {
///     error.line
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileError {
    /// The path in the store.
    pub path: String,
    /// The line, counted from 1. In CSV without line breaks in values, that is the row, and the header one, too.
    pub line: u64,
    /// Where the ill-formed sequence starts, in bytes from the start of the file as it is stored.
    pub offset: u64,
    /// What is wrong there.
    pub kind: StreamErrorKind,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}, byte {}: {}", self.path, self.line, self.offset, self.kind)
    }
}

impl std::error::Error for FileError {}

/// A file, or a part of it that starts and ends with a line.
struct Part {
    path: Path,
    /// Which part it is, and of how many.
    part: u64,
    parts: u64,
    /// Whether the first line of the file stands before it.
    header: bool,
}

impl TextStore {
    /// A store whose files are in this encoding, unless they start with the byte-order mark of another one. Ill-formed text
    /// is an error ([`FileError`]).
    #[must_use]
    pub fn new(files: Arc<dyn ObjectStore>, fallback: Encoding) -> Self {
        Self { files, source: Source::DetectBom { fallback }, lossy: false, split: None }
    }

    /// Replaces ill-formed text by U+FFFD.
    #[must_use]
    pub fn lossy(self) -> Self {
        Self { lossy: true, ..self }
    }

    /// Files of more than `size` bytes in a folder become several, of about this size, which are read in parallel: each
    /// begins after a line feed. With `header`, each begins with the first line of the file, as readers expect that skip
    /// it.
    ///
    /// Not for CSV with line breaks in quoted values. A file that is named by itself, and not by its folder, stays one
    /// partition.
    #[must_use]
    pub fn split_at(self, size: u64, header: bool) -> Self {
        Self { split: Some(Split { size: size.max(1), header }), ..self }
    }

    /// The files that a file is given as.
    fn parts(&self, file: ObjectMeta) -> Vec<ObjectMeta> {
        let size = file.size.min(SIZE);
        let parts = self.split.map_or(1, |split| file.size.div_ceil(split.size).max(1));
        if parts == 1 {
            return vec![ObjectMeta { size, ..file }];
        }
        let header = self.split.is_some_and(|split| split.header);
        let part = |part| ObjectMeta {
            location: Part { path: file.location.clone(), part, parts, header }.location(),
            last_modified: file.last_modified,
            size,
            e_tag: None,
            version: None,
        };
        (0..parts).map(part).collect()
    }

    fn transcoder(&self, from: Encoding) -> Transcoder {
        let transcoder = Transcoder::new(from, Encoding::Utf8);
        if self.lossy { transcoder.lossy() } else { transcoder }
    }

    /// The text of a part, and of the header before it.
    async fn text(&self, part: Part) -> object_store::Result<BoxStream<'static, object_store::Result<Bytes>>> {
        let size = self.files.head(&part.path).await?.size;
        if size == 0 {
            return Ok(stream::empty().boxed());
        }
        let start = self.files.get_range(&part.path, 0..size.min(3)).await?;
        let (encoding, mark) = self.source.resolve(&start);
        let file = File { files: Arc::clone(&self.files), path: part.path, size, encoding, mark: mark as u64 };
        let border = |part: u64, parts: u64| (u128::from(size) * u128::from(part) / u128::from(parts)) as u64;
        let from = file.line_start(border(part.part, part.parts)).await?;
        let to = file.line_start(border(part.part + 1, part.parts)).await?;
        let mut ranges = Vec::new();
        if part.header && part.part > 0 {
            ranges.push(file.mark..file.line_start(file.mark + 1).await?);
        }
        ranges.push(from..to);
        let mut texts = Vec::new();
        for range in ranges.into_iter().filter(|range| !range.is_empty()) {
            texts.push(file.clone().convert(range, self.transcoder(encoding)).await?);
        }
        Ok(stream::iter(texts).flatten().boxed())
    }
}

/// A file of the store behind.
#[derive(Clone)]
struct File {
    files: Arc<dyn ObjectStore>,
    path: Path,
    size: u64,
    encoding: Encoding,
    /// The length of the byte-order mark.
    mark: u64,
}

impl File {
    fn unit(&self) -> u64 {
        if self.encoding == Encoding::Utf8 { 1 } else { 2 }
    }

    /// The offsets after each line feed of bytes that start with a code unit.
    fn line_ends<'a>(&self, bytes: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        let feed: &[u8] = match self.encoding {
            Encoding::Utf16Le => b"\n\0",
            Encoding::Utf16Be => b"\0\n",
            _ => b"\n",
        };
        let unit = feed.len();
        bytes.chunks_exact(unit).enumerate().filter(move |(_, is)| *is == feed).map(move |(at, _)| (at + 1) * unit)
    }

    /// The offset of the first line that starts at `at` or after it: that of the text, or after a line feed, or the end.
    async fn line_start(&self, at: u64) -> object_store::Result<u64> {
        const SHORT: u64 = 1 << 14;
        if at <= self.mark {
            return Ok(self.mark);
        }
        // A line feed may be the unit before. (Byte-order marks of UTF-16 have one unit.)
        let mut from = (at - 1) / self.unit() * self.unit();
        while from < self.size {
            let to = self.size.min(from + SHORT);
            let bytes = self.files.get_range(&self.path, from..to).await?;
            if let Some(end) = self.line_ends(&bytes).next() {
                return Ok(from + end as u64);
            }
            from = to;
        }
        Ok(self.size)
    }

    /// Converts a range that starts and ends with a character.
    async fn convert(
        self,
        range: Range<u64>,
        transcoder: Transcoder,
    ) -> object_store::Result<BoxStream<'static, object_store::Result<Bytes>>> {
        let options = GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
        let chunks = match self.files.get_opts(&self.path, options).await?.payload {
            GetResultPayload::Stream(chunks) => chunks,
            // As a stream, a file comes in small pieces, each from another thread.
            GetResultPayload::File(..) => {
                let file = self.clone();
                let end = range.end;
                stream::try_unfold(range.start, move |at| {
                    let file = file.clone();
                    async move {
                        if at >= end {
                            return Ok(None);
                        }
                        let to = end.min(at + WINDOW);
                        let bytes = file.files.get_range(&file.path, at..to).await?;
                        Ok(Some((bytes, to)))
                    }
                })
                .boxed()
            }
        };
        let state = (chunks, Some(transcoder), self, range.start);
        let text = stream::try_unfold(state, |(mut chunks, transcoder, file, start)| async move {
            let Some(mut transcoder) = transcoder else { return Ok(None) };
            let mut text = Vec::new();
            let (done, transcoder) = match chunks.try_next().await? {
                Some(chunk) => (transcoder.convert_append(&chunk, &mut text), Some(transcoder)),
                None => (transcoder.finish_append(&mut text), None),
            };
            match done {
                Ok(()) => Ok(Some((Bytes::from(text), (chunks, transcoder, file, start)))),
                Err(error) => Err(file.error(start + error.offset(), error.kind()).await),
            }
        });
        Ok(text.try_filter(|text| std::future::ready(!text.is_empty())).boxed())
    }

    async fn error(&self, offset: u64, kind: StreamErrorKind) -> object_store::Error {
        // Read once more, as lines are counted only if there is an error.
        let (mut line, mut at) = (1, 0);
        while at < offset {
            let to = offset.min(at + WINDOW);
            match self.files.get_range(&self.path, at..to).await {
                Ok(bytes) => line += self.line_ends(&bytes).count() as u64,
                Err(error) => return error,
            }
            at = to;
        }
        let error = FileError { path: self.path.to_string(), line, offset, kind };
        object_store::Error::Generic { store: "fastutf", source: Box::new(error) }
    }
}

impl Part {
    /// The name of a part: that of the file, which part of how many, `h` for a header, and the extension once more.
    fn location(&self) -> Path {
        let Self { path, part, parts, header } = self;
        if *parts == 1 {
            return path.clone();
        }
        let header = if *header { "h" } else { "" };
        let extension = path.extension().map_or(String::new(), |extension| format!(".{extension}"));
        Path::parse(format!("{path}@{part:05}-of-{parts:05}{header}{extension}")).unwrap_or_else(|_| path.clone())
    }

    fn of(location: &Path) -> Self {
        let whole = || Self { path: location.clone(), part: 0, parts: 1, header: false };
        let Some((path, part)) = location.as_ref().rsplit_once("@") else { return whole() };
        let part = part.split_once('.').map_or(part, |(part, _)| part);
        let (part, header) = part.strip_suffix('h').map_or((part, false), |part| (part, true));
        let numbers =
            part.split_once("-of-").and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        match (Path::parse(path), numbers) {
            (Ok(path), Some((part, parts))) if part < parts => Self { path, part, parts, header },
            _ => whole(),
        }
    }
}

impl fmt::Display for TextStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text of {}", self.files)
    }
}

fn read_only(operation: &str) -> object_store::Error {
    object_store::Error::NotSupported { source: format!("{operation}: text files are read-only").into() }
}

#[async_trait]
impl ObjectStore for TextStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> object_store::Result<GetResult> {
        let part = Part::of(location);
        let file = self.files.head(&part.path).await?;
        let size = file.size.min(SIZE);
        let meta = ObjectMeta { location: location.clone(), size, e_tag: None, version: None, ..file };
        let payload = if options.head {
            stream::empty().boxed()
        } else if options.range.is_some_and(|range| range != GetRange::Bounded(0..SIZE)) {
            let source = format!("{location}: only whole text files can be read, not a range of bytes").into();
            return Err(object_store::Error::NotSupported { source });
        } else {
            self.text(part).await?
        };
        Ok(GetResult {
            payload: GetResultPayload::Stream(payload),
            meta,
            range: 0..size,
            attributes: Attributes::new(),
        })
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        let store = self.clone();
        let parts = move |file| stream::iter(store.parts(file).into_iter().map(Ok));
        self.files.list(prefix).map_ok(parts).try_flatten().boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> object_store::Result<ListResult> {
        let list = self.files.list_with_delimiter(prefix).await?;
        let objects = list.objects.into_iter().flat_map(|file| self.parts(file)).collect();
        Ok(ListResult { objects, ..list })
    }

    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> object_store::Result<PutResult> {
        Err(read_only("put"))
    }

    async fn put_multipart_opts(
        &self,
        _: &Path,
        _: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        Err(read_only("put"))
    }

    fn delete_stream(
        &self,
        _: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        stream::once(async { Err(read_only("delete")) }).boxed()
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> object_store::Result<()> {
        Err(read_only("copy"))
    }
}
