//! A server that takes JSON: in UTF-8, or in what `charset=` says. It validates the text as a whole, and then parses a `str`.

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header::CONTENT_TYPE};
use axum::routing::post;
use fastutf::stream::{ByteOrder, Encoding, Source, StreamError};
use serde_json::Value;

/// Returns the server: the answer to `POST /` is the number of members or elements of the JSON value.
pub fn router() -> Router {
    Router::new().route("/", post(measure))
}

async fn measure(headers: HeaderMap, body: Bytes) -> Result<String, (StatusCode, String)> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let Some(source) = charset(content_type) else {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("{content_type}\n")));
    };
    // UTF-8 is borrowed from the body. Offsets of errors count its bytes, in any encoding.
    let (text, _) = fastutf::decode(&body, source).map_err(ill_formed)?;
    let value = serde_json::from_str(&text).map_err(|error| (StatusCode::BAD_REQUEST, format!("{error}\n")))?;
    Ok(match value {
        Value::Object(members) => format!("{} members\n", members.len()),
        Value::Array(elements) => format!("{} elements\n", elements.len()),
        _ => "a value\n".into(),
    })
}

/// Returns the encoding that `charset=` names, and what to do with a byte-order mark; without it, UTF-8 unless there is a mark.
/// `None` means that this library does not decode the encoding.
///
/// Labels have their meanings in RFC 2781 and ISO 8859-1. (For browsers, "utf-16" is little-endian and "iso-8859-1" is
/// windows-1252.)
pub fn charset(content_type: &str) -> Option<Source> {
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let label =
        parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset")).map(|(_, label)| label).next();
    let Some(label) = label else {
        return Some(Source::DetectBom { fallback: Encoding::Utf8 });
    };
    Some(match label.trim().trim_matches('"').to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "us-ascii" => Source::StripBom(Encoding::Utf8),
        "utf-16" => Source::Utf16 { fallback: ByteOrder::Big },
        "utf-16le" => Source::KeepBom(Encoding::Utf16Le),
        "utf-16be" => Source::KeepBom(Encoding::Utf16Be),
        "iso-8859-1" | "latin1" => Source::KeepBom(Encoding::Latin1),
        _ => return None,
    })
}

fn ill_formed(error: StreamError) -> (StatusCode, String) {
    (StatusCode::BAD_REQUEST, format!("byte {}: {}\n", error.offset(), error.kind()))
}
