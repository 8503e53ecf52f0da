//! A column as ODBC fetches it: room of the same length for the `NVARCHAR` of each row, and an indicator that says how
//! many bytes there are, or that the row is null. It becomes UTF-8 with offsets, as columnar engines and Arrow store text.

use std::fmt;

use fastutf::columns::{self, Column, ColumnBuf, ColumnError, Policy, Validity};

/// The indicator of a null row: ODBC's `SQL_NULL_DATA`.
pub const NULL: i64 = -1;

/// Converts a fetched column: each row has `width` bytes of `block`, of which `indicators` says how many are text in
/// UTF-16LE. Returns the rows in UTF-8, and which of them are null, as a bitmap with the first row in the lowest bit.
pub fn to_utf8(
    block: &[u8],
    width: usize,
    indicators: &[i64],
    policy: Policy,
) -> Result<(ColumnBuf<i32>, Vec<u8>), FetchError> {
    // Rows one behind the other: what is not text between them must not become text.
    let mut values = Vec::with_capacity(block.len());
    let mut offsets = vec![0_usize];
    let mut validity = vec![0_u8; indicators.len().div_ceil(8)];
    for (row, &indicator) in indicators.iter().enumerate() {
        if indicator != NULL {
            let room = block.get(row * width..(row + 1) * width);
            let text = usize::try_from(indicator).ok().and_then(|len| room?.get(..len));
            // A longer text has been truncated, and must be fetched in parts.
            values.extend_from_slice(text.ok_or(FetchError::Truncated { row })?);
            validity[row / 8] |= 1 << (row % 8);
        }
        offsets.push(values.len());
    }
    let column = Column::new(&values, &offsets)
        .and_then(|column| column.with_validity(Validity::new(&validity, 0, indicators.len())?))
        .expect("the layout is made above");
    let text = columns::utf16le_to_utf8(column, policy).map_err(FetchError::Text)?;
    if let Some(bitmap) = &text.outcome.validity {
        validity = bitmap.as_bytes().to_vec();
    }
    Ok((text, validity))
}

/// Why a column was not converted.
#[derive(Debug, PartialEq)]
pub enum FetchError {
    /// The text of this row is longer than its room, or there is no such room.
    Truncated {
        /// Counted from 0.
        row: usize,
    },
    /// A row is ill-formed, or the result is longer than an offset can tell.
    Text(ColumnError<fastutf::Utf16Error>),
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { row } => write!(f, "row {row} is longer than the room it was fetched into"),
            Self::Text(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FetchError {}
