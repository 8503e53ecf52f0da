//! Conversions into memory of a fixed size.

use core::fmt;
use core::mem::MaybeUninit;

use super::append::{Append, Direction, Ends, Policy, Refusal, Values, replacements};
use super::error::RowError;
use super::layout::{Column, Offset};
use super::text::Text;
use super::validity::{copy_bits, set_null};
use crate::api::converter::Converter;
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::output::Output;
use crate::report::{Stop, Utf8Error, Utf16Error, Written};

/// Memory of the caller for a column: for its values, for its offsets and, with [`Policy::Null`], for its validity bitmap.
/// It may be uninitialised.
///
/// For n rows it takes n + 1 offsets, and a bitmap of `n.div_ceil(8)` bytes.
///
/// ```
/// use fastutf::columns::{self, Column, ColumnRoom, Policy};
///
/// let column = Column::new(b"a\0\0\xDC", &[0i32, 2, 4])?;
/// let (mut values, mut offsets, mut validity) = ([0; 8], [0i32; 3], [0; 1]);
/// let room = ColumnRoom::new(&mut values, &mut offsets).with_validity(&mut validity);
/// let out = columns::utf16le_to_utf8_into(column, Policy::Null, room);
/// assert_eq!((out.rows, out.written, out.ill_formed_rows), (2, 1, 1));
/// assert_eq!((values[0], offsets, validity), (b'a', [0, 1, 1], [0b01]));
/// # Ok::<(), columns::LayoutError>(())
/// ```
pub struct ColumnRoom<'a, P> {
    values: &'a mut Output,
    offsets: &'a mut Output<P>,
    validity: &'a mut [u8],
}

impl<'a, P: Offset> ColumnRoom<'a, P> {
    /// Room for values and offsets.
    ///
    /// ```
    /// use fastutf::columns::ColumnRoom;
    ///
    /// let (mut values, mut offsets) = ([0; 100], [0i32; 11]);
    /// let _room_for_10_rows = ColumnRoom::new(&mut values, &mut offsets);
    /// ```
    pub fn new(values: &'a mut [u8], offsets: &'a mut [P]) -> Self {
        Self { values: Output::over(values), offsets: Output::over(offsets), validity: &mut [] }
    }

    /// Like [`new`](Self::new), in memory that may be uninitialised. After a conversion, its first
    /// [`written`](ColumnConversion::written) values and, unless there is no room for an offset at all, its first
    /// [`rows`](ColumnConversion::rows) + 1 offsets are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// use fastutf::columns::ColumnRoom;
    ///
    /// let (mut values, mut offsets) = ([MaybeUninit::uninit(); 100], [MaybeUninit::<i32>::uninit(); 11]);
    /// let _room_for_10_rows = ColumnRoom::uninit(&mut values, &mut offsets);
    /// ```
    pub fn uninit(values: &'a mut [MaybeUninit<u8>], offsets: &'a mut [MaybeUninit<P>]) -> Self {
        Self { values: Output::new(values), offsets: Output::new(offsets), validity: &mut [] }
    }

    /// With room for a validity bitmap, which is written with [`Policy::Null`] only: that of the input, without the rows
    /// that were ill-formed. All of its bytes are written; the bits after the last row are 0.
    ///
    /// ```
    /// use fastutf::columns::ColumnRoom;
    ///
    /// let (mut values, mut offsets, mut validity) = ([0; 100], [0i32; 11], [0; 2]);
    /// let _room_for_10_rows = ColumnRoom::new(&mut values, &mut offsets).with_validity(&mut validity);
    /// ```
    #[must_use]
    pub fn with_validity(self, validity: &'a mut [u8]) -> Self {
        Self { validity, ..self }
    }
}

impl<P> fmt::Debug for ColumnRoom<'_, P> {
    /// The lengths only: the memory may be uninitialised.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnRoom")
            .field("values", &self.values.len())
            .field("offsets", &self.offsets.len())
            .field("validity", &self.validity.len())
            .finish()
    }
}

/// The outcome of a conversion into a [`ColumnRoom`]: how many rows were converted, and why it stopped there.
///
/// ```
/// use fastutf::Stop;
/// use fastutf::columns::{self, Column, ColumnRoom, Policy};
///
/// let column = Column::new("złoty".as_bytes(), &[0i32, 3, 6])?;
/// let (mut values, mut offsets) = ([0; 7], [0i32; 3]);
/// let out = columns::utf8_to_utf16le_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets));
/// // The second row takes 6 bytes.
/// assert_eq!((out.rows, out.written, out.stop), (1, 4, Stop::OutputFull));
/// assert_eq!((&values[..4], &offsets[..2]), (&b"z\0\x42\x01"[..], &[0, 4][..]));
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
#[non_exhaustive]
pub struct ColumnConversion<E> {
    /// How many rows were converted. They are in the output, each as a whole.
    pub rows: usize,
    /// How many bytes of values were written: the last offset.
    pub written: usize,
    /// How many of these rows were ill-formed, and not null.
    pub ill_formed_rows: usize,
    /// How many times U+FFFD was written for something ill-formed. Only with [`Policy::Replace`].
    pub replacements: usize,
    /// [`Complete`](Stop::Complete): after the last row. [`OutputFull`](Stop::OutputFull): there is no room for the next
    /// row, its offset or, with [`Policy::Null`], its bit; or its end is more than an offset can say. Go on with
    /// [`column.slice(rows..)`](Column::slice), which is not checked again. [`Invalid`](Stop::Invalid), with
    /// [`Policy::Error`] only: the next row is ill-formed.
    pub stop: Stop<RowError<E>>,
}

impl<E: Copy> ColumnConversion<E> {
    /// Returns whether all rows were converted.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, ColumnRoom, Policy};
    ///
    /// let column = Column::new(b"ab", &[0i32, 1, 2])?;
    /// let (mut values, mut offsets) = ([0; 2], [0i32; 3]);
    /// let out = columns::utf8_to_utf8_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets));
    /// assert!(out.is_complete());
    /// let out = columns::utf8_to_utf8_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets[..2]));
    /// assert!(!out.is_complete());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.stop, Stop::Complete)
    }

    /// Returns the error, if a row is ill-formed and the policy is [`Policy::Error`].
    ///
    /// ```
    /// use fastutf::columns::{self, Column, ColumnRoom, Policy};
    ///
    /// let column = Column::new(b"a\xFF", &[0i32, 1, 2])?;
    /// let (mut values, mut offsets) = ([0; 2], [0i32; 3]);
    /// let out = columns::utf8_to_utf8_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets));
    /// assert_eq!(out.error().unwrap().row, 1);
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    #[must_use]
    pub const fn error(&self) -> Option<RowError<E>> {
        match self.stop {
            Stop::Invalid(error) => Some(error),
            _ => None,
        }
    }
}

macro_rules! conversions {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident($kind:expr, $validate:path) -> $error:ty;
    )*) => {$(
        $(#[$attribute])*
        pub fn $name<O: Offset, P: Offset>(
            column: Column<'_, O>,
            policy: Policy,
            room: ColumnRoom<'_, P>,
        ) -> ColumnConversion<$error> {
            let (done, stop) = fill(Text::of(&column), $kind, policy, room);
            let Done { rows, written, ill_formed_rows, replacements } = done;
            let stop = stop.map(|row| RowError::of(&column, row, $validate));
            ColumnConversion { rows, written, ill_formed_rows, replacements, stop }
        }
    )*};
}

conversions! {
    /// Converts a column of UTF-16LE bytes to UTF-8 in the caller's memory. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, ColumnRoom, Policy};
    ///
    /// let column = Column::new(b"z\0\x42\x01\xAC\x20", &[0i32, 4, 6])?;
    /// let (mut values, mut offsets) = ([0; 9], [0i32; 3]);
    /// let out = columns::utf16le_to_utf8_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets));
    /// assert_eq!((&values[..out.written], offsets), ("zł€".as_bytes(), [0, 3, 6]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf16le_to_utf8_into(Direction::Utf16ToUtf8(ByteOrder::Little), Isa::validate_utf16le) -> Utf16Error;

    /// Converts a column of UTF-16BE bytes to UTF-8 in the caller's memory. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, ColumnRoom, Policy};
    ///
    /// let column = Column::new(b"\0z\x01\x42\x20\xAC", &[0i32, 4, 6])?;
    /// let (mut values, mut offsets) = ([0; 9], [0i32; 3]);
    /// let out = columns::utf16be_to_utf8_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets));
    /// assert_eq!((&values[..out.written], offsets), ("zł€".as_bytes(), [0, 3, 6]));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf16be_to_utf8_into(Direction::Utf16ToUtf8(ByteOrder::Big), Isa::validate_utf16be) -> Utf16Error;

    /// Converts a column of UTF-8 to UTF-16LE bytes in the caller's memory. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, ColumnRoom, Policy};
    ///
    /// let column = Column::new("zł€".as_bytes(), &[0i32, 3, 6])?;
    /// let (mut values, mut offsets) = ([0; 6], [0i32; 3]);
    /// let out = columns::utf8_to_utf16le_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets));
    /// assert_eq!((values, offsets), (*b"z\0\x42\x01\xAC\x20", [0, 4, 6]));
    /// # assert!(out.is_complete());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf8_to_utf16le_into(Direction::Utf8ToUtf16(ByteOrder::Little), Isa::validate_utf8) -> Utf8Error;

    /// Converts a column of UTF-8 to UTF-16BE bytes in the caller's memory. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, ColumnRoom, Policy};
    ///
    /// let column = Column::new("zł€".as_bytes(), &[0i32, 3, 6])?;
    /// let (mut values, mut offsets) = ([0; 6], [0i32; 3]);
    /// let out = columns::utf8_to_utf16be_into(column, Policy::Error, ColumnRoom::new(&mut values, &mut offsets));
    /// assert_eq!((values, offsets), (*b"\0z\x01\x42\x20\xAC", [0, 4, 6]));
    /// # assert!(out.is_complete());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf8_to_utf16be_into(Direction::Utf8ToUtf16(ByteOrder::Big), Isa::validate_utf8) -> Utf8Error;

    /// Copies a column of UTF-8 to the caller's memory, repaired. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, ColumnRoom, Policy};
    ///
    /// let column = Column::new(b"a\xFFb", &[0i32, 2, 3])?;
    /// let (mut values, mut offsets) = ([0; 5], [0i32; 3]);
    /// let out = columns::utf8_to_utf8_into(column, Policy::Replace, ColumnRoom::new(&mut values, &mut offsets));
    /// assert_eq!((&values, offsets, out.replacements), ("a\u{FFFD}b".as_bytes().try_into().unwrap(), [0, 4, 5], 1));
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf8_to_utf8_into(Direction::Utf8ToUtf8, Isa::validate_utf8) -> Utf8Error;
}

/// What is in the output.
struct Done {
    rows: usize,
    written: usize,
    ill_formed_rows: usize,
    replacements: usize,
}

/// Converts as many rows as there is room for. The error is the row that is ill-formed.
fn fill<P: Offset>(
    mut text: Text<'_>,
    kind: Direction,
    policy: Policy,
    room: ColumnRoom<'_, P>,
) -> (Done, Stop<usize>) {
    let rows = text.count;
    text.count = rows.min(room.offsets.len().saturating_sub(1));
    if matches!(policy, Policy::Null) {
        text.count = text.count.min(room.validity.len().saturating_mul(8));
        copy_bits(text.validity, text.count, room.validity);
    }
    if room.offsets.is_empty() {
        let stop = if rows == 0 { Stop::Complete } else { Stop::OutputFull };
        return (Done { rows: 0, written: 0, ill_formed_rows: 0, replacements: 0 }, stop);
    }
    let last = room.values.len().min(P::MAX);
    let mut ends = FixedEnds { ends: room.offsets, len: 0 };
    ends.push(0);
    let values = Fixed { values: &mut room.values[..last], len: 0, validity: room.validity };
    let mut append = Append::new(text, kind, policy, values, &mut ends);
    let stop = match append.all() {
        Ok(()) if text.count == rows => Stop::Complete,
        Ok(()) | Err(Refusal::Full) => Stop::OutputFull,
        Err(Refusal::IllFormed(row)) => Stop::Invalid(row),
        Err(Refusal::TooLong(_)) => unreachable!("no more values than an offset can say"),
    };
    let (ill_formed_rows, replacements) = (append.ill_formed_rows, append.replacements);
    let Fixed { len: written, validity, .. } = append.values;
    let rows = ends.len - 1;
    if matches!(policy, Policy::Null) && rows < text.count {
        validity[rows / 8] &= !(u8::MAX << (rows % 8));
        validity[rows / 8 + 1..].fill(0);
    }
    (Done { rows, written, ill_formed_rows, replacements }, stop)
}

/// The offsets.
struct FixedEnds<'a, P> {
    ends: &'a mut Output<P>,
    len: usize,
}

impl<P: Offset> Ends for FixedEnds<'_, P> {
    fn max(&self) -> usize {
        P::MAX
    }

    fn push(&mut self, end: usize) {
        self.ends.set(self.len, P::of(end));
        self.len += 1;
    }

    fn repeat(&mut self, end: usize, times: usize) {
        self.ends[self.len..][..times].assign(core::iter::repeat(P::of(end)));
        self.len += times;
    }

    fn extend(&mut self, base: usize, ends: &[u32]) {
        self.ends[self.len..][..ends.len()].assign(ends.iter().map(|&end| P::of(base + end as usize)));
        self.len += ends.len();
    }
}

/// The values and, with [`Policy::Null`], the bitmap.
struct Fixed<'a> {
    values: &'a mut Output,
    len: usize,
    validity: &'a mut [u8],
}

impl Fixed<'_> {
    fn append<O: Written>(&mut self, converter: Converter<impl Fn(&mut Output) -> O>) -> O {
        let out = converter.run(&mut self.values[self.len..]);
        let written = out.written();
        self.len += written;
        out.again(written)
    }
}

impl Values for Fixed<'_> {
    fn len(&self) -> usize {
        self.len
    }

    fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    fn room(&self) -> usize {
        self.values.len() - self.len
    }

    fn reserve(&mut self, _: usize, _: impl FnOnce() -> usize) {}

    fn extend(&mut self, bytes: &[u8]) {
        self.values[self.len..][..bytes.len()].write(bytes);
        self.len += bytes.len();
    }

    fn convert<O: Written>(
        &mut self,
        _: usize,
        _: impl Fn() -> usize,
        converter: Converter<impl Fn(&mut Output) -> O>,
    ) -> O {
        self.append(converter)
    }

    fn repair(&mut self, isa: Isa, src: &[u8]) -> Option<usize> {
        replacements(self.append(converter!(isa.utf8_to_utf8_bytes_lossy(src))))
    }

    fn set_null(&mut self, _: &Text<'_>, row: usize) {
        set_null(self.validity, row);
    }
}
