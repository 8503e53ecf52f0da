//! A server that checks the text of a request while it arrives: nothing is buffered, and ill-formed text is refused at
//! once.

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::routing::post;
use fastutf::stream::{Encoding, StreamError, Validator};
use http_body_util::BodyExt;

/// Returns the server: the answer to `POST /` is the length of the text, or the place where it is ill-formed.
pub fn router() -> Router {
    Router::new().route("/", post(measure))
}

/// Why a request is refused.
type Refusal = (StatusCode, String);

async fn measure(mut body: Body) -> Result<String, Refusal> {
    let mut validator = Validator::new(Encoding::Utf8);
    let mut chars = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| (StatusCode::BAD_REQUEST, format!("{error}\n")))?;
        if let Some(chunk) = frame.data_ref() {
            validator.push(chunk).map_err(ill_formed)?;
            // Only bytes that start a character are counted, so a cut character counts once.
            chars += fastutf::count_chars_utf8(chunk);
        }
    }
    let bytes = validator.offset();
    validator.finish().map_err(ill_formed)?;
    Ok(format!("{bytes} bytes, {chars} characters\n"))
}

fn ill_formed(error: StreamError) -> Refusal {
    (StatusCode::BAD_REQUEST, format!("byte {}: {}\n", error.offset(), error.kind()))
}
