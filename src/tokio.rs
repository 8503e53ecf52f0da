//! For tokio.
