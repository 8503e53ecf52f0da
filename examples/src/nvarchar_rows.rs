//! Rows as SQL Server sends them, simplified: a token of one byte, and for each column 2 bytes of length, and UTF-16LE.
//! So the texts lie at even and at odd addresses, and are converted without a copy.

use std::borrow::Cow;
use std::fmt;

use fastutf::Utf16Error;

/// The first byte of a row.
const ROW: u8 = 0xD1;
/// The length that stands for NULL.
const NULL: u16 = 0xFFFF;

/// The columns of a row; `None` is NULL.
pub type Row = Vec<Option<String>>;

/// Reads rows from a packet, up to the first error.
#[derive(Debug)]
pub struct Rows<'a> {
    packet: &'a [u8],
    columns: usize,
    lossy: bool,
    /// How much of the packet has been read, and which row comes next.
    offset: usize,
    row: usize,
}

impl<'a> Rows<'a> {
    /// Reads rows with this number of columns, whose text must be well-formed.
    pub fn new(packet: &'a [u8], columns: usize) -> Self {
        Self { packet, columns, lossy: false, offset: 0, row: 0 }
    }

    /// Replaces unpaired surrogates, which `NVARCHAR` may hold, by U+FFFD.
    pub fn lossy(self) -> Self {
        Self { lossy: true, ..self }
    }

    fn read(&mut self) -> Result<Row, Fault> {
        let [token] = self.take_array()?;
        if token != ROW {
            self.offset -= 1;
            return Err(Fault::NotARow(token));
        }
        (0..self.columns).map(|_| self.read_column()).collect()
    }

    fn read_column(&mut self) -> Result<Option<String>, Fault> {
        let len = u16::from_le_bytes(self.take_array()?);
        if len == NULL {
            return Ok(None);
        }
        let start = self.offset;
        let text = self.take(len.into())?;
        if self.lossy {
            return Ok(Some(fastutf::from_utf16le_lossy(text)));
        }
        fastutf::from_utf16le(text).map(Some).map_err(|error| {
            self.offset = start + error.valid_up_to();
            Fault::Text(error)
        })
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        let (taken, _) = self.packet[self.offset..].split_at_checked(len).ok_or(Fault::Truncated)?;
        self.offset += len;
        Ok(taken)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        self.take(N).map(|taken| taken.try_into().expect("N bytes were taken"))
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.offset == self.packet.len() {
            return None;
        }
        let (row, result) = (self.row, self.read());
        self.row += 1;
        Some(result.map_err(|fault| {
            let offset = self.offset;
            self.offset = self.packet.len();
            RowError { row, offset, fault }
        }))
    }
}

/// What is wrong with a packet, and where.
#[derive(Debug, PartialEq)]
pub struct RowError {
    /// The index of the row.
    pub row: usize,
    /// In bytes from the start of the packet.
    pub offset: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong.
#[derive(Debug, PartialEq)]
pub enum Fault {
    /// The packet ends too early.
    Truncated,
    /// A row does not begin with this byte.
    NotARow(u8),
    /// A text is not UTF-16, as the error says; its offset counts from the start of the text.
    Text(Utf16Error),
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what: Cow<'_, str> = match &self.fault {
            Fault::Truncated => "the packet ends too early".into(),
            Fault::NotARow(token) => format!("{token:02X} begins no row").into(),
            Fault::Text(error) => error.kind().to_string().into(),
        };
        write!(f, "row {}, byte {}: {what}", self.row, self.offset)
    }
}

impl std::error::Error for RowError {}

/// Appends a row to a packet; the length of a text must be below 65,535 bytes of UTF-16.
///
/// # Errors
///
/// The index of the first column that is too long; nothing is appended.
pub fn write_row(columns: &[Option<&str>], packet: &mut Vec<u8>) -> Result<(), usize> {
    let start = packet.len();
    packet.push(ROW);
    for (column, text) in columns.iter().enumerate() {
        let length = packet.len();
        packet.extend(NULL.to_le_bytes());
        if let Some(text) = text {
            let written = fastutf::str_to_utf16le_append(text, packet);
            match u16::try_from(written) {
                Ok(bytes) if bytes != NULL => packet[length..length + 2].copy_from_slice(&bytes.to_le_bytes()),
                _ => {
                    packet.truncate(start);
                    return Err(column);
                }
            }
        }
    }
    Ok(())
}
