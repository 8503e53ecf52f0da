//! What a native method of Java does with strings.
//!
//! The Java Native Interface has two ways: modified UTF-8, which ends with a byte `00`, and the code units of UTF-16. Neither is
//! UTF-8, and a string of Java may have surrogates without their other half.

use std::collections::BTreeMap;
use std::ffi::CStr;

use fastutf::mutf8::{Mutf8Error, ToUtf8Error, from_android_mutf8, to_mutf8_c_string};
use fastutf::wtf8::{utf16_from_wtf8, wtf8_from_utf16};

/// What these methods need of `JNIEnv`. Each function has the name and the contract of the one in C.
pub trait Env {
    /// A reference to a string: `jstring`.
    type JString: Copy;

    /// `GetStringUTFChars`, and `ReleaseStringUTFChars` after `read`.
    fn with_string_utf_chars<R>(&self, string: Self::JString, read: impl FnOnce(&CStr) -> R) -> R;
    /// `NewStringUTF`. It takes modified UTF-8, and does not check that it is.
    fn new_string_utf(&mut self, text: &CStr) -> Self::JString;
    /// `GetStringLength`, in code units.
    fn get_string_length(&self, string: Self::JString) -> usize;
    /// `GetStringRegion`.
    fn get_string_region(&self, string: Self::JString, start: usize, units: &mut [u16]);
    /// `NewString`.
    fn new_string(&mut self, units: &[u16]) -> Self::JString;
}

/// `static native String greet(String name)`: by modified UTF-8, as most native methods do it.
///
/// # Errors
///
/// An unpaired surrogate, for which the method should throw an exception.
pub fn greet<E: Env>(env: &mut E, name: E::JString) -> Result<E::JString, ToUtf8Error<Mutf8Error>> {
    // Most names are the same in UTF-8 and borrowed. Android has emoji as UTF-8 has them, which `from_mutf8` would refuse: that one
    // is for class files.
    let greeting = env.with_string_utf_chars(name, |name| {
        from_android_mutf8(name.to_bytes()).map(|name| format!("Hello, {name}!"))
    })?;
    // `CString::new(greeting)` would fail at U+0000, and Java would misread emoji in it.
    Ok(env.new_string_utf(&to_mutf8_c_string(&greeting)))
}

/// `static native String reverse(String text)`: by UTF-16, which takes less work, with U+FFFD for unpaired surrogates.
pub fn reverse<E: Env>(env: &mut E, text: E::JString) -> E::JString {
    let text = fastutf::from_utf16_lossy(&units(env, text));
    let reversed: String = text.chars().rev().collect();
    env.new_string(&fastutf::to_utf16(&reversed))
}

/// All code units of a string.
fn units<E: Env>(env: &E, string: E::JString) -> Vec<u16> {
    let mut units = vec![0; env.get_string_length(string)];
    env.get_string_region(string, 0, &mut units);
    units
}

/// A map with keys that are any strings of Java, which come back as they were: as WTF-8, they take as many bytes as in UTF-8,
/// and those that are text can be searched as such.
#[derive(Debug, Default)]
pub struct Keys {
    values: BTreeMap<Vec<u8>, i64>,
}

impl Keys {
    /// `native void put(String key, long value)`
    pub fn put<E: Env>(&mut self, env: &E, key: E::JString, value: i64) {
        self.values.insert(wtf8_from_utf16(&units(env, key)), value);
    }

    /// `native long get(String key)`
    pub fn get<E: Env>(&self, env: &E, key: E::JString) -> Option<i64> {
        self.values.get(&wtf8_from_utf16(&units(env, key))).copied()
    }

    /// `native String[] keys()`
    pub fn keys<E: Env>(&self, env: &mut E) -> Vec<E::JString> {
        self.values
            .keys()
            .map(|key| env.new_string(&utf16_from_wtf8(key).expect("it was made by `put`")))
            .collect()
    }

    /// How many keys contain this text.
    pub fn containing(&self, text: &str) -> usize {
        self.values.keys().filter(|key| key.windows(text.len()).any(|part| part == text.as_bytes())).count()
    }
}
