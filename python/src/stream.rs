//! Text in chunks: objects with `update` and `finish`, as those of `hashlib` and `zlib`, and iterators over files.

use fastutf::stream::{self, Encoding, Source, StreamError};
use pyo3::exceptions::{PyBlockingIOError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBytes, PyIterator, PyString, PyType};

use crate::buffer::{Input, is_buffer, read};
use crate::errors::error_in;
use crate::options::{self, Argument};

/// How much is read from a file at once.
const CHUNK: usize = 1 << 18;

/// Whether more can come.
#[derive(Debug, Default)]
enum State {
    #[default]
    Open,
    Finished,
    /// What the exception is made of, anew each time: an exception that were kept would refer to the frames of its traceback,
    /// and these to what keeps it.
    Failed {
        object: Py<PyBytes>,
        encoding: Encoding,
        at: usize,
    },
}

impl State {
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        match self {
            Self::Open => Ok(()),
            Self::Finished => Err(PyValueError::new_err("finish() has been called; reset() begins another text")),
            Self::Failed { object, encoding, at } => Err(error_in(object.bind(py), *encoding, *at)),
        }
    }

    /// Makes the exception for an ill-formed sequence. As for CPython's incremental decoders, its `object` is what was kept
    /// of earlier chunks, which end at `offset`, and this chunk.
    #[cold]
    fn fail(
        &mut self,
        py: Python<'_>,
        error: StreamError,
        offset: u64,
        kept: &[u8],
        chunk: &[u8],
        encoding: Encoding,
    ) -> PyErr {
        let at = (error.offset() - (offset - kept.len() as u64)) as usize;
        let object = PyBytes::new(py, &[kept, chunk].concat());
        let error = error_in(&object, encoding, at);
        *self = Self::Failed { object: object.unbind(), encoding, at };
        error
    }
}

/// Bytes that are kept between chunks.
#[derive(Clone, Copy)]
struct Kept([u8; 4], usize);

impl Kept {
    fn new(bytes: &[u8]) -> Self {
        let mut kept = [0; 4];
        kept[..bytes.len()].copy_from_slice(bytes);
        Self(kept, bytes.len())
    }

    fn bytes(&self) -> &[u8] {
        &self.0[..self.1]
    }
}

/// Validates a text that comes in chunks, which may be cut anywhere.
///
/// encoding is "utf-8", "utf-16" (with a byte-order mark, or in the byte order of this machine), "utf-16-le" or
/// "utf-16-be". As a context manager, it calls finish() at the end of the block.
///
/// >>> import fastutf
/// >>> with fastutf.Validator("utf-8") as validator:
/// ...     validator.update(b"na\xc3")
/// ...     validator.update(b"\xafve")
/// >>> validator.offset
/// 6
///
/// ``over`` takes a binary file, or any iterable of chunks, and yields the chunks as they are once they have been checked.
///
/// >>> import io
/// >>> b"".join(fastutf.Validator().over(io.BytesIO(b"fine")))
/// b'fine'
#[pyclass(module = "fastutf")]
#[derive(Debug)]
pub(crate) struct Validator {
    source: Source,
    /// Until it is known, by the first two bytes, the byte that may have come.
    encoding: Result<Encoding, Option<u8>>,
    inner: stream::Validator,
    state: State,
}

impl Validator {
    fn start(source: Source) -> Self {
        let encoding = match source {
            Source::KeepBom(encoding) | Source::StripBom(encoding) => Ok(encoding),
            _ => Err(None),
        };
        let inner = stream::Validator::new(encoding.unwrap_or(Encoding::Utf16Le));
        Self { source, encoding, inner, state: State::Open }
    }

    fn push(&mut self, input: &Input<'_, '_>) -> PyResult<()> {
        if let Err(first) = self.encoding {
            let start: Vec<u8> = first.iter().chain(input.bytes()).take(2).copied().collect();
            match *start {
                [] => return Ok(()),
                [byte] => {
                    self.encoding = Err(Some(byte));
                    return Ok(());
                }
                _ => {}
            }
            let encoding = self.source.resolve(&start).0;
            self.encoding = Ok(encoding);
            self.inner = stream::Validator::new(encoding);
            if let Some(byte) = first {
                // An odd byte is only kept.
                let _ = self.inner.push(&[byte]);
            }
        }
        let (offset, kept) = (self.inner.offset(), Kept::new(self.inner.pending()));
        let Self { inner, .. } = self;
        let mut new = inner.clone();
        let result = if input.is_whole() {
            input.release(|chunk| new.push(chunk))
        } else {
            input.in_pieces(|chunk| new.push(chunk))
        };
        *inner = new;
        result.map_err(|error| {
            let encoding = self.encoding.unwrap_or(Encoding::Utf16Le);
            self.state.fail(input.py(), error, offset, kept.bytes(), input.bytes(), encoding)
        })
    }

    fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        if let Err(first) = self.encoding {
            let encoding = self.source.resolve(&[]).0;
            self.encoding = Ok(encoding);
            self.inner = stream::Validator::new(encoding);
            if let Some(byte) = first {
                let _ = self.inner.push(&[byte]);
            }
        }
        let kept = Kept::new(self.inner.pending());
        match self.inner.clone().finish() {
            Ok(()) => {
                self.state = State::Finished;
                Ok(())
            }
            Err(error) => {
                let encoding = self.encoding.unwrap_or(Encoding::Utf16Le);
                Err(self.state.fail(py, error, self.inner.offset(), kept.bytes(), &[], encoding))
            }
        }
    }
}

#[pymethods]
impl Validator {
    #[new]
    #[pyo3(signature = (encoding=Argument(None)), text_signature = "(encoding='utf-8')")]
    fn new(encoding: Argument<'_, '_>) -> PyResult<Self> {
        Ok(Self::start(match encoding.0 {
            Some(name) => options::source(name, "encoding")?,
            None => Source::KeepBom(Encoding::Utf8),
        }))
    }

    /// Checks the next chunk, a bytes-like object. Raises UnicodeDecodeError as soon as no further chunk could make the text
    /// well-formed: its object is this chunk, after at most three bytes of the one before. Every later call raises it again.
    #[pyo3(signature = (chunk, /))]
    fn update(&mut self, chunk: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state.check(chunk.py())?;
        read(chunk, |input| self.push(&input))
    }

    /// Ends the text. Raises UnicodeDecodeError if it ends inside a character.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.state.check(py)?;
        self.end(py)
    }

    /// Begins another text.
    fn reset(&mut self) {
        *self = Self::start(self.source);
    }

    /// Yields the chunks of a binary file or of an iterable, each once it has been checked. Then it calls finish().
    #[pyo3(signature = (source, /, chunk_size=CHUNK), text_signature = "($self, source, /, chunk_size=262144)")]
    fn over(slf: Py<Self>, source: &Bound<'_, PyAny>, chunk_size: usize) -> PyResult<Chunks> {
        Chunks::new(Owner::Validator(slf), source, chunk_size)
    }

    /// The number of bytes so far or, after an error, where in the whole text the ill-formed sequence starts.
    #[getter]
    fn offset(&self) -> u64 {
        if let State::Failed { .. } = self.state {
            let kept = self.inner.pending().len() as u64;
            return self.inner.offset() - kept;
        }
        match self.encoding {
            Err(Some(_)) => 1,
            _ => self.inner.offset(),
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (kind, value, traceback, /))]
    fn __exit__(
        &mut self,
        kind: Option<Bound<'_, PyType>>,
        value: Option<Bound<'_, PyAny>>,
        traceback: Option<Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> PyResult<()> {
        let _ = (value, traceback);
        match (kind, &self.state) {
            (Some(_), _) | (None, State::Finished) => Ok(()),
            (None, _) => self.finish(py),
        }
    }
}

/// Converts a text that comes in chunks, which may be cut anywhere.
///
/// source is "utf-8", "utf-8-sig", "utf-16", "utf-16-le" or "utf-16-be", with the meaning of CPython's codecs of these
/// names ("utf-16" without a byte-order mark is in the byte order of this machine). target is "utf-8", "utf-16-le" or
/// "utf-16-be". errors is "strict" or "replace".
///
/// >>> import fastutf
/// >>> transcoder = fastutf.Transcoder("utf-16", "utf-8")
/// >>> transcoder.update(b"\xff\xfez"), transcoder.update(b"\x00B\x01"), transcoder.finish()
/// (b'', b'z\xc5\x82', b'')
///
/// ``over`` takes a binary file, or any iterable of chunks, and yields the text in chunks, to the end. As a context manager,
/// it makes sure that the text has been brought to an end.
///
/// >>> import io
/// >>> with fastutf.Transcoder("utf-16-le") as transcoder:
/// ...     text = b"".join(transcoder.over(io.BytesIO(b"z\x00B\x01")))
/// >>> text
/// b'z\xc5\x82'
#[pyclass(module = "fastutf")]
#[derive(Debug)]
pub(crate) struct Transcoder {
    source: Source,
    target: Encoding,
    lossy: bool,
    inner: stream::Transcoder,
    state: State,
    output: Vec<u8>,
}

impl Transcoder {
    fn start(source: Source, target: Encoding, lossy: bool) -> Self {
        let inner = stream::Transcoder::new(source, target);
        let inner = if lossy { inner.lossy() } else { inner };
        Self { source, target, lossy, inner, state: State::Open, output: Vec::new() }
    }

    fn take<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = PyBytes::new(py, &self.output);
        self.output.clear();
        bytes
    }

    fn error(&mut self, py: Python<'_>, error: StreamError, offset: u64, kept: Kept, chunk: &[u8]) -> PyErr {
        self.output.clear();
        // Where there is an error, the encoding is known.
        let encoding = self.inner.encoding().unwrap_or_else(|| self.source.resolve(&[]).0);
        self.state.fail(py, error, offset, kept.bytes(), chunk, encoding)
    }
}

#[pymethods]
impl Transcoder {
    #[new]
    #[pyo3(
        signature = (source, target=Argument(None), errors=Argument(None)),
        text_signature = "(source, target='utf-8', errors='strict')",
    )]
    fn new(source: &Bound<'_, PyAny>, target: Argument<'_, '_>, errors: Argument<'_, '_>) -> PyResult<Self> {
        let target = match target.0 {
            Some(name) => options::without_bom(name, "target", "the output")?,
            None => Encoding::Utf8,
        };
        Ok(Self::start(options::source(source.as_borrowed(), "source")?, target, options::replace(errors.0)?))
    }

    /// Converts the next chunk, a bytes-like object, except for at most three bytes at its end, which are kept until the next
    /// chunk completes a character.
    ///
    /// Strict, it raises UnicodeDecodeError as soon as no further chunk could make the text well-formed. The object of the
    /// exception is this chunk, after what was kept; what is before its start has not been returned. Every later call raises
    /// it again.
    #[pyo3(signature = (chunk, /))]
    fn update<'py>(&mut self, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = chunk.py();
        self.state.check(py)?;
        read(chunk, |input| {
            let (offset, kept) = (self.inner.offset(), Kept::new(self.inner.pending()));
            let Self { inner, output, .. } = self;
            match input.release(|chunk| inner.convert_append(chunk, output)) {
                Ok(()) => Ok(self.take(py)),
                Err(error) => Err(self.error(py, error, offset, kept, input.bytes())),
            }
        })
    }

    /// Ends the text, and returns what is left of it: nothing, or U+FFFD for an incomplete character. Strict, it raises
    /// UnicodeDecodeError for that.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.state.check(py)?;
        let (offset, kept) = (self.inner.offset(), Kept::new(self.inner.pending()));
        let Self { inner, output, .. } = self;
        if let Err(error) = inner.finish_append(output) {
            return Err(self.error(py, error, offset, kept, &[]));
        }
        if kept.1 == 3 && !matches!(self.inner.encoding(), Some(Encoding::Utf8)) {
            // A high surrogate and an odd byte: one U+FFFD, as in `transcode.rs`.
            let one = if self.target == Encoding::Utf8 { 3 } else { 2 };
            self.output.truncate(one);
        }
        self.state = State::Finished;
        Ok(self.take(py))
    }

    /// Begins another text.
    fn reset(&mut self) {
        *self = Self::start(self.source, self.target, self.lossy);
    }

    /// Yields the text of a binary file, or of an iterable of chunks, converted, to its end.
    #[pyo3(signature = (source, /, chunk_size=CHUNK), text_signature = "($self, source, /, chunk_size=262144)")]
    fn over(slf: Py<Self>, source: &Bound<'_, PyAny>, chunk_size: usize) -> PyResult<Chunks> {
        Chunks::new(Owner::Transcoder(slf), source, chunk_size)
    }

    /// The number of bytes so far or, after an error, where in the whole text the ill-formed sequence starts.
    #[getter]
    fn offset(&self) -> u64 {
        self.inner.offset()
    }

    /// The number of U+FFFD made so far from ill-formed text.
    #[getter]
    fn replacements(&self) -> u64 {
        self.inner.replacements()
    }

    /// The encoding of the text, "utf-8", "utf-16-le" or "utf-16-be"; None until a byte-order mark may have come.
    #[getter]
    fn encoding(&self) -> Option<&'static str> {
        Some(match self.inner.encoding()? {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16Le => "utf-16-le",
            _ => "utf-16-be",
        })
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (kind, value, traceback, /))]
    fn __exit__(
        &mut self,
        kind: Option<Bound<'_, PyType>>,
        value: Option<Bound<'_, PyAny>>,
        traceback: Option<Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> PyResult<()> {
        let _ = (value, traceback);
        match (kind, &self.state) {
            (Some(_), _) | (None, State::Finished) => Ok(()),
            (None, _) => match self.finish(py)?.as_bytes() {
                [] => Ok(()),
                // It would be lost.
                _ => Err(PyRuntimeError::new_err("finish() was not called: the end of the text is missing")),
            },
        }
    }
}

#[derive(Debug)]
enum Owner {
    Validator(Py<Validator>),
    Transcoder(Py<Transcoder>),
}

#[derive(Debug)]
enum Chunked {
    /// `read` of a file.
    File(Py<PyAny>),
    Iterator(Py<PyIterator>),
    End,
}

/// The iterator that ``over`` returns.
#[pyclass(module = "fastutf")]
#[derive(Debug)]
pub(crate) struct Chunks {
    owner: Owner,
    chunks: Chunked,
    size: usize,
}

impl Chunks {
    fn new(owner: Owner, source: &Bound<'_, PyAny>, size: usize) -> PyResult<Self> {
        if size == 0 {
            return Err(PyValueError::new_err("chunk_size must be at least 1"));
        }
        let refused = |what: &str| {
            let name = source.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "a binary file or an iterable of chunks is required, not {what}'{name}'"
            )))
        };
        let chunks = match source.getattr_opt("read")? {
            Some(_) if source.is_instance(&source.py().import("io")?.getattr("TextIOBase")?)? => {
                return refused("the text file ");
            }
            Some(read) => Chunked::File(read.unbind()),
            // These can be iterated over, but not in chunks: a path, a text, or bytes, which `update` takes.
            None if source.is_instance_of::<PyString>() || is_buffer(source) => return refused(""),
            None => Chunked::Iterator(source.try_iter()?.unbind()),
        };
        Ok(Self { owner, chunks, size })
    }

    fn next_chunk<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.chunks {
            Chunked::End => Ok(None),
            Chunked::Iterator(chunks) => chunks.bind(py).clone().next().transpose(),
            Chunked::File(file) => {
                let chunk = file.bind(py).call1((self.size,))?;
                if chunk.is_none() {
                    return Err(PyBlockingIOError::new_err("the file has nothing to read yet"));
                }
                // A `str` is left to `update` to refuse.
                Ok(if chunk.len()? == 0 { None } else { Some(chunk) })
            }
        }
    }
}

#[pymethods]
impl Chunks {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        while let Some(chunk) = self.next_chunk(py)? {
            match &self.owner {
                Owner::Validator(validator) => {
                    validator.try_borrow_mut(py)?.update(&chunk)?;
                    return Ok(Some(chunk));
                }
                Owner::Transcoder(transcoder) => {
                    let out = transcoder.try_borrow_mut(py)?.update(&chunk)?;
                    if !out.as_bytes().is_empty() {
                        return Ok(Some(out.into_any()));
                    }
                }
            }
        }
        if let Chunked::End = self.chunks {
            return Ok(None);
        }
        self.chunks = Chunked::End;
        match &self.owner {
            Owner::Validator(validator) => {
                validator.try_borrow_mut(py)?.finish(py)?;
                Ok(None)
            }
            Owner::Transcoder(transcoder) => {
                let out = transcoder.try_borrow_mut(py)?.finish(py)?;
                Ok((!out.as_bytes().is_empty()).then(|| out.into_any()))
            }
        }
    }
}
