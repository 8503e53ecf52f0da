//! What is written twice, here and in the library.

use core::ffi::CStr;
use std::string::ToString;

use crate::*;

/// The texts are those of the library.
#[test]
fn texts() {
    // SAFETY: each function returns a string literal.
    let text = |error: fastutf_error| unsafe { CStr::from_ptr(fastutf_error_text(error as u8)) }.to_str().unwrap();
    let long = [b'a'; 4];
    for src in [&b"\xC3"[..], b"\xC3!", b"\x80", b"\xC0", b"\xED\xA0", b"\xF5", b"\xF8", b"\xFF"] {
        let error = utf::validate_utf8(&[&long, src].concat()).unwrap_err();
        assert_eq!(text(error.kind().into()), error.kind().to_string());
    }
    for src in [&b"\0\xD8a\0"[..], b"\0\xDC", b"\0\xD8", b"a"] {
        let error = utf::validate_utf16le(src).unwrap_err();
        assert_eq!(text(error.kind().into()), error.kind().to_string());
    }
    for src in [&b"\0\xD8\0\0"[..], b"\0\0\x11\0", b"a"] {
        let error = utf::utf32::validate_utf32le(src).unwrap_err();
        assert_eq!(text(error.kind().into()), error.kind().to_string());
    }
    for src in [&b"\xC3"[..], b"\xC3!", b"\x80", b"\xC0", b"\xED\xA0\x80\xED\xB0\x80", b"\xF5", b"\xF8", b"\xFF"] {
        let error = utf::wtf8::validate_wtf8(src).unwrap_err();
        assert_eq!(text(error.kind().into()), error.kind().to_string());
    }
}

/// Every instruction set has a number and a name of its own.
#[test]
fn instruction_sets() {
    for (at, isa) in utf::Isa::available().enumerate() {
        let number = fastutf_isa_at(at) as u8;
        assert_eq!(isa::isa(number), Ok(isa));
        // SAFETY: the function returns a string literal.
        assert_eq!(unsafe { CStr::from_ptr(fastutf_isa_name(number)) }.to_str(), Ok(isa.name()));
    }
}

/// The numbers in the header are those of the package, and the package's those of the library.
#[test]
fn version() {
    let version = std::format!("{FASTUTF_VERSION_MAJOR}.{FASTUTF_VERSION_MINOR}.{FASTUTF_VERSION_PATCH}");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    let cmake = include_str!("../cmake/fastutf-config-version.cmake");
    assert!(cmake.contains(&std::format!("set(PACKAGE_VERSION \"{version}\")")));
    let series = std::format!("^{FASTUTF_VERSION_MAJOR}(\\\\.{FASTUTF_VERSION_MINOR}(");
    assert!(cmake.contains(&series), "{series}");
    let library = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).unwrap();
    assert!(library.contains(&std::format!("\nversion = \"{version}\"\n")));
}
