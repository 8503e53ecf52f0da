use super::{Decoded, Fault, LossyOutcome, Stopped, Utf8Kind, Utf16Kind};

/// What keeps a text from being Latin-1, in the units of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latin1Fault<K> {
    /// This character at `at`, of `len` units.
    #[expect(missing_docs, reason = "`fastutf::latin1::NotLatin1Error` documents them")]
    NotLatin1 { at: usize, len: usize, character: char },
    /// An ill-formed place.
    IllFormed(Fault<K>),
}

/// A text as characters, or `None` for ill-formed ones, each with its length in the units of the input.
#[derive(Clone, Debug)]
pub struct Latin1Oracle<K> {
    items: Vec<(usize, Option<char>)>,
    fault: Option<Fault<K>>,
}

impl<K> From<Decoded<K>> for Latin1Oracle<K> {
    fn from(decoded: Decoded<K>) -> Self {
        Self { items: decoded.items, fault: decoded.fault }
    }
}

impl Latin1Oracle<Utf8Kind> {
    /// What std says of this UTF-8.
    pub fn of_utf8(src: &[u8]) -> Self {
        Decoded::of_utf8(src).into()
    }
}

impl Latin1Oracle<Utf16Kind> {
    /// What std says of this UTF-16, in units of `1 / scale` code units. `trailing` is whether an odd byte follows.
    pub fn of_utf16(units: &[u16], trailing: bool, scale: usize) -> Self {
        Decoded::of_utf16(units, trailing, scale).into()
    }
}

impl<K: Copy> Latin1Oracle<K> {
    /// Converts into a buffer of this size: how much was read, the bytes, and why it stopped.
    pub fn strict(&self, room: usize) -> (usize, Vec<u8>, Stopped<Latin1Fault<K>>) {
        let (mut read, mut latin1) = (0, Vec::new());
        for &(len, character) in &self.items {
            let Some(character) = character else {
                return (read, latin1, Stopped::Invalid(Latin1Fault::IllFormed(self.fault.unwrap())));
            };
            let Ok(byte) = u8::try_from(character) else {
                let fault = Latin1Fault::NotLatin1 { at: read, len, character };
                return (read, latin1, Stopped::Invalid(fault));
            };
            if latin1.len() == room {
                return (read, latin1, Stopped::OutputFull);
            }
            read += len;
            latin1.push(byte);
        }
        (read, latin1, Stopped::Complete)
    }

    /// Converts into a buffer of this size with a replacement.
    pub fn lossy(&self, room: usize, replacement: u8) -> (LossyOutcome, Vec<u8>) {
        let mut out = LossyOutcome { read: 0, written: 0, replacements: 0, complete: true };
        let mut latin1 = Vec::new();
        for &(len, character) in &self.items {
            if latin1.len() == room {
                out.complete = false;
                break;
            }
            let byte = character.and_then(|character| u8::try_from(character).ok());
            latin1.push(byte.unwrap_or(replacement));
            out.read += len;
            out.written += 1;
            out.replacements += usize::from(byte.is_none());
        }
        (out, latin1)
    }

    /// The result of validation.
    pub fn result(&self) -> Result<(), Latin1Fault<K>> {
        match self.strict(usize::MAX).2 {
            Stopped::Invalid(fault) => Err(fault),
            _ => Ok(()),
        }
    }
}

/// These characters as text.
pub fn text_of_latin1(src: &[u8]) -> String {
    src.iter().map(|&byte| char::from(byte)).collect()
}
