//! The functions in SQL: every type, every policy, constants, and what errors say.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BinaryArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;

/// Four rows: "zł" in UTF-16LE, half of a surrogate pair, a null, the empty text.
fn context(data_type: &DataType) -> SessionContext {
    let bytes = BinaryArray::from(vec![Some(b"z\0\x42\x01".as_slice()), Some(b"a\0\x3D\xD8"), None, Some(b"")]);
    let ids: ArrayRef = Arc::new(arrow_array::Int32Array::from(vec![1, 2, 3, 4]));
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("id", ids, false),
        ("bytes", cast(&bytes, data_type).unwrap(), true),
    ]);
    let mut context = SessionContext::new();
    fastutf_datafusion::register(&mut context).unwrap();
    context.register_batch("t", batch.unwrap()).unwrap();
    context
}

async fn run(context: &SessionContext, sql: &str) -> Result<Vec<RecordBatch>, String> {
    let frame = context.sql(sql).await.map_err(|error| error.to_string())?;
    frame.collect().await.map_err(|error| error.to_string())
}

async fn table(context: &SessionContext, sql: &str) -> String {
    pretty_format_batches(&run(context, sql).await.unwrap()).unwrap().to_string()
}

const TYPES: [(DataType, DataType); 3] = [
    (DataType::Binary, DataType::Utf8),
    (DataType::LargeBinary, DataType::LargeUtf8),
    (DataType::BinaryView, DataType::Utf8View),
];

#[tokio::test]
async fn policies_and_types() {
    for (bytes, text) in TYPES {
        let context = context(&bytes);
        let sql = "SELECT id, utf16le_decode(bytes, 'null') n, utf16le_decode(bytes, 'replace') r,
                          is_valid_utf16le(bytes) v, get_field(utf16le_error(bytes), 'offset') o, get_field(utf16le_error(bytes), 'kind') k
                   FROM t ORDER BY id";
        let batches = run(&context, sql).await.unwrap();
        assert_eq!(batches[0].column(1).data_type(), &text);
        let expected = "\
+----+----+----+-------+---+--------------------------------+
| id | n  | r  | v     | o | k                              |
+----+----+----+-------+---+--------------------------------+
| 1  | zł | zł | true  |   |                                |
| 2  |    | a� | false | 2 | high surrogate at end of input |
| 3  |    |    |       |   |                                |
| 4  |    |    | true  |   |                                |
+----+----+----+-------+---+--------------------------------+";
        assert_eq!(pretty_format_batches(&batches).unwrap().to_string(), expected, "{bytes}");

        let error = run(&context, "SELECT utf16le_decode(bytes) FROM t").await.unwrap_err();
        let expected = "Execution error: utf16le_decode: high surrogate at end of input at byte 2, in the value X'61003DD8' \
                        (row 1 of its batch)";
        assert_eq!(error, expected, "{bytes}");
        let there =
            "SELECT utf16le_encode(utf16le_decode(bytes)) = bytes AS same FROM t WHERE is_valid_utf16le(bytes)";
        let batches = run(&context, there).await.unwrap();
        let same: Vec<_> = batches.iter().flat_map(|batch| batch.column(0).as_boolean().iter()).collect();
        assert_eq!(same, [Some(true), Some(true)], "{bytes}");
    }
}

#[tokio::test]
async fn constants() {
    let context = context(&DataType::Binary);
    let sql = "SELECT utf8_decode(X'C582') a, utf16be_decode(X'0142', 'error') b, utf16be_encode('ł') c,
                      is_valid_utf8(X'FF') d, utf8_error(X'61FF') e, utf8_decode(NULL) f";
    let expected = "\
+---+---+------+-------+----------------------------------------+---+
| a | b | c    | d     | e                                      | f |
+---+---+------+-------+----------------------------------------+---+
| ł | ł | 0142 | false | {offset: 1, kind: invalid lead byte}   |   |
+---+---+------+-------+----------------------------------------+---+";
    let text = table(&context, sql).await;
    let squeezed = |text: &str| text.replace(['-', ' '], "");
    assert_eq!(squeezed(&text), squeezed(expected), "{text}");
}

#[tokio::test]
async fn wrong_calls() {
    let context = context(&DataType::Binary);
    for (sql, message) in [
        (
            "SELECT utf8_decode(bytes, 'ignore') FROM t",
            "the policy must be 'error', 'replace' or 'null', not ignore",
        ),
        ("SELECT utf8_decode(bytes, NULL) FROM t", "the policy must be 'error', 'replace' or 'null', not NULL"),
        ("SELECT utf8_decode(bytes, CAST(id AS VARCHAR)) FROM t", "the policy must be a literal"),
        ("SELECT utf8_decode(bytes, id) FROM t", "takes a policy of type Utf8, not Int32"),
        ("SELECT utf8_decode(id) FROM t", "takes Binary, LargeBinary or BinaryView, not Int32"),
        ("SELECT utf16le_encode(bytes) FROM t", "takes text, not Binary"),
        ("SELECT is_valid_utf8(bytes, 'null') FROM t", "takes one argument, not 2"),
    ] {
        let error = run(&context, sql).await.unwrap_err();
        assert!(error.contains(message), "{sql}: {error}");
    }
}

/// A message that names a value of any length is short.
#[tokio::test]
async fn long_values() {
    let context = context(&DataType::Binary);
    let error = run(&context, "SELECT utf8_decode(arrow_cast(repeat('ab', 500), 'Binary'))").await;
    assert!(error.is_ok());
    let hex = "61".repeat(300) + "FF";
    let error = run(&context, &format!("SELECT utf8_decode(X'{hex}')")).await.unwrap_err();
    assert!(error.contains(&format!("X'{}'… of 301 bytes", "61".repeat(64))), "{error}");
}

/// The plan keeps the functions after a filter and a group, on more than one partition.
#[tokio::test]
async fn grouped() {
    let context = context(&DataType::BinaryView);
    let sql = "SELECT utf16le_decode(bytes, 'replace') AS name, count(*) AS n FROM t GROUP BY name ORDER BY name";
    let expected = "\
+------+---+
| name | n |
+------+---+
|      | 1 |
| a�   | 1 |
| zł   | 1 |
|      | 1 |
+------+---+";
    assert_eq!(table(&context, sql).await, expected);
}
