use super::{Fault, LossyOutcome, Stopped, Utf8Kind, Utf8Oracle, Utf16Kind, Utf16Oracle};

/// Kinds of errors in UTF-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`fastutf::utf32::Utf32ErrorKind` documents them")]
pub enum Utf32Kind {
    Surrogate,
    AboveMax,
    TrailingBytes,
}

/// A text as characters, or `None` for ill-formed ones, each with its length in the units of the input: what conversions
/// to and from UTF-32 do.
#[derive(Clone, Debug)]
pub struct Decoded<K> {
    pub(super) items: Vec<(usize, Option<char>)>,
    pub(super) fault: Option<Fault<K>>,
}

impl Decoded<Utf8Kind> {
    /// What std says of this UTF-8.
    pub fn of_utf8(src: &[u8]) -> Self {
        let mut items = Vec::new();
        for chunk in src.utf8_chunks() {
            items.extend(chunk.valid().chars().map(|c| (c.len_utf8(), Some(c))));
            if !chunk.invalid().is_empty() {
                items.push((chunk.invalid().len(), None));
            }
        }
        Self { items, fault: Utf8Oracle::new(src).fault }
    }
}

impl Decoded<Utf16Kind> {
    /// What std says of this UTF-16, in units of `1 / scale` code units. `trailing` is whether an odd byte follows.
    pub fn of_utf16(units: &[u16], trailing: bool, scale: usize) -> Self {
        let mut items: Vec<_> = char::decode_utf16(units.iter().copied())
            .map(|c| (scale * c.as_ref().map_or(1, |c| c.len_utf16()), c.ok()))
            .collect();
        if trailing {
            items.push((1, None));
        }
        Self { items, fault: Utf16Oracle::new(units, trailing).result(scale).err() }
    }
}

impl Decoded<Utf32Kind> {
    /// What std says of this UTF-32, in units of `1 / scale` code units, which `trailing` bytes follow.
    pub fn of_utf32(units: &[u32], trailing: usize, scale: usize) -> Self {
        let mut items: Vec<_> = units.iter().map(|&unit| (scale, char::from_u32(unit))).collect();
        let mut fault = None;
        if let Some(at) = items.iter().position(|(_, c)| c.is_none()) {
            let kind = if units[at] <= 0xFFFF { Utf32Kind::Surrogate } else { Utf32Kind::AboveMax };
            fault = Some(Fault { at: scale * at, len: Some(scale), kind });
        }
        if trailing > 0 {
            let at = scale * units.len();
            fault = fault.or(Some(Fault { at, len: None, kind: Utf32Kind::TrailingBytes }));
            items.push((trailing, None));
        }
        Self { items, fault }
    }
}

impl<K: Copy> Decoded<K> {
    /// The result of validation.
    pub fn result(&self) -> Result<(), Fault<K>> {
        self.fault.map_or(Ok(()), Err)
    }

    /// Converts into a buffer of this size, by `put`, which appends: how much was read, what was written, and why it stopped.
    pub fn strict<T>(&self, room: usize, put: impl Fn(char, &mut Vec<T>)) -> (usize, Vec<T>, Stopped<Fault<K>>) {
        let (mut read, mut written) = (0, Vec::new());
        for &(len, character) in &self.items {
            let Some(character) = character else {
                return (read, written, Stopped::Invalid(self.fault.unwrap()));
            };
            let before = written.len();
            put(character, &mut written);
            if written.len() > room {
                written.truncate(before);
                return (read, written, Stopped::OutputFull);
            }
            read += len;
        }
        (read, written, Stopped::Complete)
    }

    /// Converts into a buffer of this size with U+FFFD for what is ill-formed.
    pub fn lossy<T>(&self, room: usize, put: impl Fn(char, &mut Vec<T>)) -> (LossyOutcome, Vec<T>) {
        let mut out = LossyOutcome { read: 0, written: 0, replacements: 0, complete: true };
        let mut written = Vec::new();
        for &(len, character) in &self.items {
            let before = written.len();
            put(character.unwrap_or(char::REPLACEMENT_CHARACTER), &mut written);
            if written.len() > room {
                written.truncate(before);
                out.complete = false;
                break;
            }
            out.read += len;
            out.replacements += usize::from(character.is_none());
        }
        out.written = written.len();
        (out, written)
    }
}
