//! View columns: 16 bytes for each row, which have the text or say where it is.
//!
//! A view, as in Arrow, is in this machine's byte order. It starts with the length, a `u32`. Then follow up to 12 bytes of
//! text and zeros; or the first 4 bytes of the text, the number of a buffer and the offset there, both `u32`.

use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeBounds;
use core::slice;

use super::append::{Direction, Policy};
use super::convert::ColumnBuf;
use super::error::ColumnError;
use super::error::RowError;
use super::layout::{Column, Offset};
use super::layout_error::{LayoutError, LayoutErrorKind};
use super::lengths::LengthError;
use super::text::{PIECE, Text};
use super::validity::{Validity, rows_of};
use super::vectors::{Failure, Outcome, append};
use crate::buffer::{CodeUnit, as_bytes};
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::report::{Utf8Error, Utf16Error};

/// The maximum length of a text that is in its view.
const INLINE: usize = 12;
/// Where the text, or its prefix, starts in a view.
const TEXT: usize = 4;
/// One of these bits is 1 if a text is not ASCII.
const NOT_ASCII: u64 = u64::MAX / 0xFF * 0x80;
/// How many rows are looked at together: their nulls fit into a word.
const BLOCK: usize = 64;

/// The bits of a view that are not padding if its text has this length: all of them from 12 on.
const USED: [u128; INLINE + 1] = {
    let (mut bits, mut len) = ([u128::MAX; INLINE + 1], 0);
    while len < INLINE {
        bits[len] = (1 << (8 * (TEXT + len))) - 1;
        len += 1;
    }
    bits
};

/// All bits, if a text of this length is in a buffer; none, if it is in the view. A comparison would become branches.
#[inline(always)]
fn long(len: u64) -> u64 {
    ((INLINE as i64).wrapping_sub(len as i64) >> 63) as u64
}

/// A view as two little-endian numbers.
#[derive(Clone, Copy)]
struct ViewParts {
    halves: [u64; 2],
}

impl ViewParts {
    #[inline(always)]
    fn of(view: &[u8; 16]) -> Self {
        let bits = u128::from_le_bytes(*view);
        Self { halves: [bits as u64, (bits >> 64) as u64] }
    }

    #[inline(always)]
    fn len(self) -> u64 {
        u32::from_le(self.halves[0] as u32).into()
    }

    #[inline(always)]
    fn long(self) -> u64 {
        long(self.len())
    }

    /// The number of the buffer, and the offset there.
    #[inline(always)]
    fn place(self) -> u64 {
        if cfg!(target_endian = "little") { self.halves[1].rotate_left(32) } else { self.halves[1].swap_bytes() }
    }

    /// Where a text is that starts at this place, if it is there.
    #[inline(always)]
    fn text<'a>(buffers: &[&'a [u8]], place: u64, len: u64) -> Result<&'a [u8], LayoutErrorKind> {
        let buffer = buffers.get((place >> 32) as usize).ok_or(LayoutErrorKind::NoSuchBuffer)?;
        let (start, len) = (place as u32 as usize, len as usize);
        let text = start.checked_add(len).and_then(|end| buffer.get(start..end));
        text.ok_or(LayoutErrorKind::OutOfBounds)
    }
}

/// The 16 bytes of a view, aligned as the caller has them: `u128`, `[u32; 4]` or `[u8; 16]`. It cannot be implemented for
/// others.
///
/// ```
/// use fastutf::columns::ViewColumn;
///
/// assert!(ViewColumn::new(&[[0u32; 4]; 3], &[], None).is_ok());
/// assert!(ViewColumn::new(&[[0u8; 16]; 3], &[], None).is_ok());
/// ```
pub trait ViewBits: CodeUnit {}

impl ViewBits for u128 {}
impl ViewBits for [u32; 4] {}
impl ViewBits for [u8; 16] {}

/// A column of views: row `i` is in `views[i]`, or where that points to in one of the buffers.
///
/// A [`ViewBits`] is the 16 bytes of Arrow's `Utf8View` and `BinaryView`, in this machine's byte order. The layout is checked when the
/// column is made.
///
/// ```
/// use fastutf::columns::{self, ViewColumn};
///
/// // On a little-endian machine.
/// let views = [*b"\x04\0\0\0z\xC5\x82o\0\0\0\0\0\0\0\0", *b"\x0E\0\0\0long\0\0\0\0\x02\0\0\0"];
/// # if cfg!(target_endian = "big") { return Ok(()) }
/// let column = ViewColumn::new(&views, &[b"..longer than 12"], None)?;
/// assert_eq!(column.row(0), Some("zło".as_bytes()));
/// assert_eq!(column.row(1), Some(&b"longer than 12"[..]));
/// assert!(columns::validate_utf8_views(column).is_ok());
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ViewColumn<'a> {
    views: &'a [[u8; 16]],
    buffers: &'a [&'a [u8]],
    validity: Option<Validity<'a>>,
    isa: Isa,
}

impl<'a> ViewColumn<'a> {
    /// Checks the layout: a text of more than 12 bytes is within an existing buffer and starts with the view's prefix; a
    /// shorter one is followed by zeros. The views of null rows may be anything.
    ///
    /// # Errors
    ///
    /// The first row that breaks one of these rules, and which; or that `validity` has not one bit for each view.
    ///
    /// ```
    /// use fastutf::columns::{LayoutErrorKind, ViewColumn};
    ///
    /// // More than 12 bytes, in a buffer that does not exist.
    /// assert_eq!(ViewColumn::new(&[u128::MAX], &[], None).unwrap_err().kind, LayoutErrorKind::NoSuchBuffer);
    /// ```
    pub fn new<V: ViewBits>(
        views: &'a [V],
        buffers: &'a [&'a [u8]],
        validity: Option<Validity<'a>>,
    ) -> Result<Self, LayoutError> {
        let views = as_bytes(views).as_chunks().0;
        if let Some(validity) = validity
            && validity.rows() != views.len()
        {
            let row = validity.rows().min(views.len());
            return Err(LayoutError::new(row, LayoutErrorKind::WrongNumberOfRows));
        }
        const ZEROS: &[&[u8]] = &[&[0; 4]];
        let any = buffers.iter().position(|buffer| buffer.len() >= 4);
        let (readable, any) = any.map_or((ZEROS, 0), |any| (buffers, (any as u64) << 32));
        for (block, some) in views.chunks(BLOCK).enumerate() {
            if are_laid_out(some, readable, any) {
                continue;
            }
            for (row, view) in some.iter().enumerate() {
                let row = BLOCK * block + row;
                let is_null = validity.is_some_and(|validity| !validity.is_valid(row));
                if !is_null && !are_laid_out(slice::from_ref(view), readable, any) {
                    return Err(LayoutError::new(row, fault(view, buffers)));
                }
            }
        }
        Ok(Self { views, buffers, validity, isa: Isa::best() })
    }

    /// Uses this instruction set instead of the best one.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// Returns some of the rows as a column. The layout is not checked again, so this takes no time.
    ///
    /// # Panics
    ///
    /// If there are no such rows.
    ///
    /// ```
    /// use fastutf::columns::ViewColumn;
    ///
    /// let column = ViewColumn::new(&[0; 3], &[], None)?;
    /// assert_eq!(column.slice(1..).rows(), 2);
    /// # Ok::<(), fastutf::columns::LayoutError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn slice(self, rows: impl RangeBounds<usize>) -> Self {
        let rows = rows_of(rows, self.rows());
        let validity = self.validity.map(|validity| validity.slice(rows.clone()));
        Self { views: &self.views[rows], validity, ..self }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.views.len()
    }

    /// Returns the bytes of a row, or `None` if it is null or if there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<&'a [u8]> {
        if self.validity.is_some_and(|validity| !validity.is_valid(row)) {
            return None;
        }
        let view = self.views.get(row)?;
        text(view, self.buffers).ok()
    }

    /// Copies the rows into a column of values and offsets, on which all functions of this module work. Null rows become
    /// empty.
    ///
    /// # Errors
    ///
    /// [`LengthError`], and the first row that ends beyond the largest `P`.
    ///
    /// ```
    /// use fastutf::columns::ViewColumn;
    ///
    /// assert_eq!(ViewColumn::new(&[0, 0], &[], None)?.to_column::<i32>().unwrap().offsets, [0, 0, 0]);
    /// # Ok::<(), fastutf::columns::LayoutError>(())
    /// ```
    pub fn to_column<P: Offset>(&self) -> Result<ColumnBuf<P>, LengthError> {
        /// As many bytes are copied of each row, so that the length of most is no branch.
        const CHUNK: usize = 64;
        let (mut values, mut offsets) = (Vec::new(), Vec::with_capacity(self.rows() + 1));
        let mut buffers = Vec::with_capacity(1 + self.buffers.len());
        buffers.push(self.views.as_flattened());
        buffers.extend(self.buffers);
        let (mut nulls, mut end) = (0, 0);
        offsets.push(P::ZERO);
        for (row, view) in self.views.iter().enumerate() {
            if row % BLOCK == 0 {
                nulls = self.validity.map_or(0, |validity| validity.nulls(row));
            }
            let (view, valid) = (ViewParts::of(view), (nulls >> (row % BLOCK) & 1).wrapping_sub(1));
            let (long, len) = ((view.long() & valid) as usize, (view.len() & valid) as usize);
            let buffer = buffers[((view.place() >> 32) as usize).wrapping_add(1) & long];
            let text = &buffer[view.place() as u32 as usize & long | (16 * row + TEXT) & !long..];
            if values.len() - end < len + CHUNK {
                values.resize(2 * values.len() + len + PIECE, 0);
            }
            match text.first_chunk::<CHUNK>() {
                Some(chunk) if len <= CHUNK => values[end..end + CHUNK].copy_from_slice(chunk),
                _ => values[end..end + len].copy_from_slice(&text[..len]),
            }
            end += len;
            if end > P::MAX {
                return Err(LengthError { row });
            }
            offsets.push(P::of(end));
        }
        values.truncate(end);
        Ok(ColumnBuf { values, offsets, outcome: Outcome::default() })
    }
}

impl fmt::Debug for ViewColumn<'_> {
    /// The numbers only: a column may have millions of rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ViewColumn")
            .field("rows", &self.rows())
            .field("buffers", &self.buffers.len())
            .field("validity", &self.validity)
            .field("isa", &self.isa)
            .finish()
    }
}

/// Whether all of these views are in order. A branch on whether a text is in its view could not be predicted. So if it is, 4 bytes
/// at the place `any` are looked at.
fn are_laid_out(views: &[[u8; 16]], buffers: &[&[u8]], any: u64) -> bool {
    let mut wrong = 0;
    for view in views {
        let view = ViewParts::of(view);
        let long = view.long();
        let text = ViewParts::text(buffers, view.place() & long | any & !long, view.len() & long | 4 & !long);
        let Some(prefix) = text.ok().and_then(|text| text.first_chunk()) else { return false };
        wrong |= (u64::from(u32::from_le_bytes(*prefix)) ^ view.halves[0] >> (8 * TEXT)) & long;
        let used = USED[(view.len() as usize).min(INLINE)];
        wrong |= view.halves[0] & !(used as u64) | view.halves[1] & !((used >> 64) as u64);
    }
    wrong == 0
}

/// Why a view is not in order.
#[cold]
fn fault(view: &[u8; 16], buffers: &[&[u8]]) -> LayoutErrorKind {
    match text(view, buffers) {
        Ok(text) if text.len() <= INLINE => LayoutErrorKind::Padding,
        text => text.err().unwrap_or(LayoutErrorKind::WrongPrefix),
    }
}

/// The text of a view.
#[inline(always)]
fn text<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Result<&'a [u8], LayoutErrorKind> {
    let parts = ViewParts::of(view);
    if parts.long() == 0 {
        return Ok(&view[TEXT..][..parts.len() as usize]);
    }
    ViewParts::text(buffers, parts.place(), parts.len())
}

/// Checks that each row that is not null is well-formed UTF-8.
///
/// # Errors
///
/// The first ill-formed row, and the error that [`validate_utf8`](fn@crate::validate_utf8) has for it.
///
/// ```
/// use fastutf::columns::{self, ViewColumn};
///
/// # if cfg!(target_endian = "big") { return Ok(()) }
/// let view = u128::from_le_bytes(*b"\x04\0\0\0caf\xC3\0\0\0\0\0\0\0\0");
/// let error = columns::validate_utf8_views(ViewColumn::new(&[view], &[], None)?).unwrap_err();
/// assert_eq!((error.row, error.error.valid_up_to()), (0, 3));
/// # Ok::<(), columns::LayoutError>(())
/// ```
pub fn validate_utf8_views(column: ViewColumn<'_>) -> Result<(), RowError<Utf8Error>> {
    let (mut short, mut long) = ([[0; 2]; BLOCK], [0; BLOCK]);
    for start in (0..column.rows()).step_by(BLOCK) {
        let rows = start..column.rows().min(start + BLOCK);
        if is_text(column, &column.views[rows.clone()], &mut short, &mut long) {
            continue;
        }
        for row in rows {
            if let Some(bytes) = column.row(row) {
                column.isa.validate_utf8(bytes).map_err(|error| RowError { row, error })?;
            }
        }
    }
    Ok(())
}

/// Whether all of these rows, at most [`BLOCK`], are UTF-8. Rows with their text in the view are validated as one text, and
/// so are the others if they are near each other. A null row may be the reason for `false`, as any other.
fn is_text(
    column: ViewColumn<'_>,
    views: &[[u8; 16]],
    short: &mut [[u64; 2]; BLOCK],
    long: &mut [u8; BLOCK],
) -> bool {
    let is_text = |text| column.isa.validate_utf8(text).is_ok();
    // Between two texts are a length of at most 12 and zeros, which are ASCII. In place of the others are zeros, too.
    let (mut all_short, mut count) = (0, 0);
    // From the first place to the last one.
    let (mut start, mut end, mut len) = (u64::MAX, 0, 0);
    for (row, (view, short)) in views.iter().zip(&mut *short).enumerate() {
        let view = ViewParts::of(view);
        let is_long = view.long();
        let halves = [view.halves[0] & !is_long, view.halves[1] & !is_long];
        *short = halves.map(u64::to_le);
        all_short |= halves[0] | halves[1];
        long[count % BLOCK] = row as u8;
        count += (is_long & 1) as usize;
        start = start.min(view.place() | !is_long);
        end = end.max(view.place().wrapping_add(view.len()) & is_long);
        len += view.len() & is_long;
    }
    if all_short & NOT_ASCII != 0 && !is_text(as_bytes(&short[..views.len()])) {
        return false;
    }
    let mut long = long[..count].iter().map(|&row| ViewParts::of(&views[usize::from(row)]));
    // In one buffer, and with less between them than four times their length.
    let is_piece = start >> 32 == end >> 32 && (end - start) / 4 <= len;
    let piece = if is_piece { ViewParts::text(column.buffers, start, end - start).ok() } else { None };
    match piece {
        Some(piece) if column.isa.is_ascii(piece) => true,
        // If no row starts or ends inside of a character.
        Some(piece) if is_text(piece) => long.all(|view| {
            let at = (view.place() - start) as usize;
            [at, at.wrapping_add(view.len() as usize)]
                .iter()
                .all(|&at| piece.get(at).is_none_or(|byte| byte & 0xC0 != 0x80))
        }),
        _ => long.all(|view| ViewParts::text(column.buffers, view.place(), view.len()).is_ok_and(is_text)),
    }
}

/// A column of views with memory of its own.
///
/// ```
/// use fastutf::columns::{self, Column, Policy, ViewColumn};
///
/// let column = Column::new(b"z\0\x42\x01", &[0i32, 2, 4])?;
/// let out = columns::utf16le_to_utf8_views(column, Policy::Error).unwrap();
/// let buffers: Vec<&[u8]> = out.buffers.iter().map(|buffer| &buffer[..]).collect();
/// assert_eq!(ViewColumn::new(&out.views, &buffers, None)?.row(1), Some("ł".as_bytes()));
/// # Ok::<(), columns::LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ViewColumnBuf {
    /// A view for each row.
    pub views: Vec<u128>,
    /// The texts of all rows, also of those that have their text in the view. There is no buffer if all do. No buffer is
    /// longer than 2 GB, as Arrow demands.
    pub buffers: Vec<Vec<u8>>,
    /// What became of ill-formed rows.
    pub outcome: Outcome,
}

macro_rules! to_views {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident($kind:expr, $validate:path) -> $error:ty;
    )*) => {$(
        $(#[$attribute])*
        ///
        /// # Errors
        ///
        /// With [`Policy::Error`], the first ill-formed row. With any, the first row of more than 2 GB.
        pub fn $name<O: Offset>(
            column: Column<'_, O>,
            policy: Policy,
        ) -> Result<ViewColumnBuf, ColumnError<$error>> {
            to_views(Text::of(&column), $kind, policy).map_err(|refusal| refusal.error(&column, $validate))
        }
    )*};
}

to_views! {
    /// Converts a column of UTF-16LE bytes to views of UTF-8. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new(b"z\0\x42\x01", &[0i32, 4])?;
    /// let out = columns::utf16le_to_utf8_views(column, Policy::Error).unwrap();
    /// assert_eq!(out.views[0].to_ne_bytes()[4..7], *"zł".as_bytes());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf16le_to_utf8_views(Direction::Utf16ToUtf8(ByteOrder::Little), Isa::validate_utf16le) -> Utf16Error;

    /// Converts a column of UTF-16BE bytes to views of UTF-8. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new(b"\0z\x01\x42", &[0i32, 4])?;
    /// let out = columns::utf16be_to_utf8_views(column, Policy::Error).unwrap();
    /// assert_eq!(out.views[0].to_ne_bytes()[4..7], *"zł".as_bytes());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf16be_to_utf8_views(Direction::Utf16ToUtf8(ByteOrder::Big), Isa::validate_utf16be) -> Utf16Error;

    /// Copies a column of UTF-8 into views. Null rows become empty.
    ///
    /// ```
    /// use fastutf::columns::{self, Column, Policy};
    ///
    /// let column = Column::new("zł".as_bytes(), &[0i32, 3])?;
    /// let out = columns::utf8_to_utf8_views(column, Policy::Error).unwrap();
    /// assert_eq!(out.views[0].to_ne_bytes()[4..7], *"zł".as_bytes());
    /// # Ok::<(), columns::LayoutError>(())
    /// ```
    fn utf8_to_utf8_views(Direction::Utf8ToUtf8, Isa::validate_utf8) -> Utf8Error;
}

/// The maximum length of a buffer.
const MOST: usize = i32::MAX as usize;

fn to_views(text: Text<'_>, kind: Direction, policy: Policy) -> Result<ViewColumnBuf, Failure> {
    let (mut values, mut ends) = (Vec::new(), Vec::<usize>::new());
    let outcome = append(text, kind, policy, &mut values, &mut ends)?;
    let (views, buffers) = in_buffers(values, &ends, MOST).map_err(Failure::TooLong)?;
    Ok(ViewColumnBuf { views, buffers, outcome })
}

/// The views of rows, and their buffers of at most `most` bytes. The error is a row that is longer.
fn in_buffers(mut values: Vec<u8>, ends: &[usize], most: usize) -> Result<(Vec<u128>, Vec<Vec<u8>>), usize> {
    let (mut views, mut buffers) = (Vec::with_capacity(ends.len()), Vec::new());
    let (mut row, len) = (0, values.len());
    // Each row has 16 bytes from its start on, so that views are made without a branch.
    values.resize(len + 16, 0);
    while row < ends.len() - 1 {
        let start = ends[row];
        let rows = ends[row + 1..].partition_point(|&end| end - start <= most);
        if rows == 0 {
            return Err(row);
        }
        let (mut from, mut any_long) = (start, 0);
        views.extend(ends[row + 1..][..rows].iter().map(|&end| {
            let len = end - from;
            let bits = values[from..].first_chunk().map_or(0, |text| u128::from_le_bytes(*text));
            let place =
                u64::from((buffers.len() as u32).to_le()) | u64::from(((from - start) as u32).to_le()) << 32;
            let long = long(len as u64);
            any_long |= long;
            from = end;
            let text = bits << (8 * TEXT) & USED[if long == 0 { len } else { TEXT }];
            (u128::from((len as u32).to_le()) | text | u128::from(place & long) << 64).to_le()
        }));
        row += rows;
        if any_long != 0 && from == len && start == 0 {
            values.truncate(len);
            buffers.push(core::mem::take(&mut values));
        } else if any_long != 0 {
            buffers.push(values[start..from].to_vec());
        }
    }
    Ok((views, buffers))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of all lengths up to that of a buffer, which begins anew where the next row does not fit, and has no text if all are
    /// in their views.
    #[test]
    fn rows_in_several_buffers() {
        const LONGEST: usize = 40;
        let lens = (0..=LONGEST).chain((0..=LONGEST).rev()).chain([13, 27, 14, 27, 40, 12, 12, 12, 4, 40]);
        let (mut values, mut ends) = (Vec::new(), std::vec![0]);
        for len in lens {
            values.extend((0..len).map(|k| b'a' + ((k + len) % 26) as u8));
            ends.push(values.len());
        }
        let (views, buffers) = in_buffers(values.clone(), &ends, LONGEST).unwrap();
        assert!(buffers.iter().all(|buffer| (13..=LONGEST).contains(&buffer.len())));
        assert_eq!(buffers.iter().rev().take(5).map(Vec::len).collect::<Vec<_>>(), [40, 40, 27, 14, 40]);
        let in_order = |views: &[u128], buffers: &[Vec<u8>]| {
            let buffers: Vec<&[u8]> = buffers.iter().map(Vec::as_slice).collect();
            let column = ViewColumn::new(views, &buffers, None).unwrap();
            for (row, bounds) in ends.windows(2).enumerate() {
                assert_eq!(column.row(row), Some(&values[bounds[0]..bounds[1]]), "{row}");
            }
        };
        in_order(&views, &buffers);
        assert_eq!(in_buffers(values.clone(), &ends, LONGEST - 1), Err(LONGEST));
        // Without a copy, and without bytes read behind the last row.
        let (views, buffers) = in_buffers(values.clone(), &ends, values.len()).unwrap();
        assert_eq!(buffers, [values.clone()]);
        in_order(&views, &buffers);
        let (_, buffers) = in_buffers(values.clone(), &ends[..13], values.len()).unwrap();
        assert!(buffers.is_empty());
        // The first of several buffers has its rows only.
        let (_, buffers) = in_buffers(values[..60].to_vec(), &[0, 30, 60], LONGEST).unwrap();
        assert_eq!(buffers, [&values[..30], &values[30..60]]);
    }
}
