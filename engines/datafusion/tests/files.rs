//! Text files as tables: every encoding, cut at lines in every way, and damaged.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::DataFusionError;
use datafusion::object_store::memory::InMemory;
use datafusion::object_store::path::Path;
use datafusion::object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use datafusion::prelude::{SessionConfig, SessionContext};
use fastutf_datafusion::{Encoding, TextStore, register_local_files};
use futures::TryStreamExt;
use url::Url;

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];

fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("fastutf-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A session that would cut every file into ranges, if it were let.
fn context() -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(4).with_repartition_file_min_size(1);
    let context = SessionContext::new_with_config(config);
    register_local_files(&context.runtime_env()).unwrap();
    context
}

async fn table(
    context: &SessionContext,
    scheme: &str,
    path: &FilePath,
    format: &str,
) -> Result<(), DataFusionError> {
    let options = if format == "CSV" { "OPTIONS ('format.has_header' 'true')" } else { "" };
    let sql =
        format!("CREATE EXTERNAL TABLE t STORED AS {format} LOCATION '{scheme}://{}' {options}", path.display());
    context.sql("DROP TABLE IF EXISTS t").await?;
    context.sql(&sql).await?.collect().await.map(drop)
}

async fn ask(context: &SessionContext, sql: &str) -> Result<String, DataFusionError> {
    Ok(pretty_format_batches(&context.sql(sql).await?.collect().await?)?.to_string())
}

#[tokio::test]
async fn csv_and_json_in_every_encoding() {
    let folder = Folder::new("encodings");
    let mut csv = String::from("id,name\n");
    let mut json = String::new();
    for id in 0..3000 {
        let name = ["Anna", "zł", "€", "中文字", "😀", "Привет"][id % 6].repeat(id % 5);
        csv.push_str(&format!("{id},\"{name}\"\r\n"));
        json.push_str(&format!("{{\"id\": {id}, \"name\": \"{name}\"}}\n"));
    }
    let sql = "SELECT count(*), sum(id), min(name), max(name), sum(character_length(name)) FROM t";
    for (format, text) in [("CSV", &csv), ("JSON", &json)] {
        let extension = format.to_lowercase();
        let context = context();
        let plain = folder.path(&format!("plain.{extension}"));
        std::fs::write(&plain, text).unwrap();
        table(&context, "file", &plain, format).await.unwrap();
        let expected = ask(&context, sql).await.unwrap();
        for encoding in ENCODINGS {
            for mark in ["", "\u{FEFF}"] {
                let path = folder.path(&format!("{encoding}{}.{extension}", mark.len()));
                std::fs::write(&path, encoded(&format!("{mark}{text}"), encoding)).unwrap();
                // Without a mark, the scheme has to say it; and there is none for UTF-16BE.
                let scheme = match (encoding, mark) {
                    (Encoding::Utf8, "") => "utf8",
                    (Encoding::Utf16Be, "") => continue,
                    _ => "utf16",
                };
                table(&context, scheme, &path, format).await.unwrap();
                assert_eq!(ask(&context, sql).await.unwrap(), expected, "{encoding}, {format}, mark {mark:?}");
            }
        }
    }
}

#[tokio::test]
async fn damaged_files() {
    let folder = Folder::new("damaged");
    let path = folder.path("bad.csv");
    std::fs::write(&path, b"id,name\n1,fine\n2,caf\xC3\n3,\xFF\n").unwrap();
    let context = context();
    table(&context, "utf8-lossy", &path, "CSV").await.unwrap();
    let expected = "\
+----+------+
| id | name |
+----+------+
| 1  | fine |
| 2  | caf\u{FFFD} |
| 3  | \u{FFFD}    |
+----+------+";
    assert_eq!(ask(&context, "SELECT * FROM t ORDER BY id").await.unwrap(), expected);

    // The columns are known, so that the error is one of the query.
    let sql = format!(
        "CREATE EXTERNAL TABLE strict (id INT, name VARCHAR) STORED AS CSV LOCATION 'utf8://{}'
         OPTIONS ('format.has_header' 'true')",
        path.display()
    );
    context.sql(&sql).await.unwrap().collect().await.unwrap();
    let error = ask(&context, "SELECT * FROM strict").await.unwrap_err();
    assert!(error.to_string().contains("bad.csv: line 3, byte 20: missing continuation byte"), "{error}");
    // Engines try an I/O error again.
    assert!(!matches!(error.find_root(), DataFusionError::IoError(_)), "{error:?}");

    let path = folder.path("bad16.csv");
    let mut bytes = encoded("\u{FEFF}id,name\n1,zł\n2,", Encoding::Utf16Le);
    bytes.extend([0x3D, 0xD8, 0x0A, 0x00]);
    std::fs::write(&path, bytes).unwrap();
    let error = table(&context, "utf16", &path, "CSV").await.unwrap_err();
    assert!(error.to_string().contains("bad16.csv: line 3, byte 32: unpaired high surrogate"), "{error}");
    table(&context, "utf16-lossy", &path, "CSV").await.unwrap();
    let text = ask(&context, "SELECT name FROM t WHERE id = 2").await.unwrap();
    assert!(text.contains('\u{FFFD}'), "{text}");
}

/// All parts of a file, one behind the other, are the file, wherever it is cut; and each starts with a line.
#[tokio::test]
async fn parts_are_lines() {
    let texts = [
        "",
        "\n",
        "a",
        "a\n",
        "\n\n\n",
        "ab\ncd\n",
        "ł\n\u{A0A}\u{A00}\n\u{A}x\n😀\n",
        "a line that is longer than others\nb\n\nc",
        "Ċ\u{0A0A}\nऊ\n\u{0100}\n",
        "x\r\ny\r\nz",
    ];
    for text in texts {
        for encoding in ENCODINGS {
            for mark in ["", "\u{FEFF}"] {
                let bytes = encoded(&format!("{mark}{text}"), encoding);
                for size in 1..=bytes.len() as u64 + 1 {
                    check_parts(text, encoding, &bytes, size).await;
                }
            }
        }
    }
}

async fn check_parts(text: &str, encoding: Encoding, bytes: &[u8], size: u64) {
    let files = Arc::new(InMemory::new());
    files.put(&Path::from("dir/a.b.csv"), bytes.to_vec().into()).await.unwrap();
    let context = format!("{text:?} in {encoding}, parts of {size} bytes");
    for header in [false, true] {
        let store = TextStore::new(Arc::clone(&files) as _, encoding).split_at(size, header);
        let list: Vec<_> = store.list(Some(&Path::from("dir"))).try_collect().await.unwrap();
        assert_eq!(list.len() as u64, (bytes.len() as u64).div_ceil(size).max(1), "{context}");
        let first = text.split_inclusive('\n').next().unwrap_or("");
        let mut all = String::new();
        for (part, object) in list.iter().enumerate() {
            assert!(
                object.location.as_ref().starts_with("dir/a.b.csv") && object.location.as_ref().ends_with(".csv")
            );
            assert_eq!(object.location.parts().count(), 2);
            assert_eq!(store.head(&object.location).await.unwrap().size, object.size);
            let bytes = store.get(&object.location).await.unwrap().bytes().await.unwrap();
            let mut lines = std::str::from_utf8(&bytes).unwrap();
            if header && part > 0 {
                lines = lines.strip_prefix(first).unwrap_or_else(|| panic!("{context}: no header in {lines:?}"));
            }
            assert!(lines.is_empty() || all.is_empty() || all.ends_with('\n'), "{context}: {all:?} {lines:?}");
            all.push_str(lines);
        }
        assert_eq!(all, text, "{context}");
    }
}

#[tokio::test]
async fn a_folder_in_parts() {
    let context = context();
    let files = Arc::new(InMemory::new());
    for (file, &encoding) in ENCODINGS.iter().enumerate() {
        let mut text = String::from("\u{FEFF}id,name\n");
        for id in 0..1000 {
            text.push_str(&format!("{},{}\n", file * 1000 + id, ["zł", "€", "中文字", "😀"][id % 4]));
        }
        let bytes = encoded(&text, encoding);
        files.put(&Path::from(format!("dir/{file}.csv")), bytes.into()).await.unwrap();
    }
    let store = TextStore::new(files, Encoding::Utf8).split_at(1500, true);
    context.register_object_store(&Url::parse("text://files").unwrap(), Arc::new(store));
    let sql =
        "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'text://files/dir/' OPTIONS ('format.has_header' 'true')";
    context.sql(sql).await.unwrap().collect().await.unwrap();
    let expected = "\
+----------+---------+-----------+
| count(*) | sum(id) | max(name) |
+----------+---------+-----------+
| 3000     | 4498500 | 😀        |
+----------+---------+-----------+";
    let sql = "SELECT count(*) AS \"count(*)\", sum(id) AS \"sum(id)\", max(name) AS \"max(name)\" FROM t";
    assert_eq!(ask(&context, sql).await.unwrap(), expected);
    let plan = ask(&context, "EXPLAIN SELECT * FROM t").await.unwrap();
    assert!(plan.contains("4 groups"), "{plan}");
}

#[tokio::test]
async fn what_the_store_refuses() {
    let files = Arc::new(InMemory::new());
    let path = Path::from("a.csv");
    files.put(&path, b"a".as_slice().into()).await.unwrap();
    let store = TextStore::new(files, Encoding::Utf8);
    let options = GetOptions { range: Some(GetRange::Offset(1)), ..GetOptions::default() };
    let error = store.get_opts(&path, options).await.unwrap_err();
    assert!(error.to_string().contains("only whole text files can be read"), "{error}");
    assert!(store.put(&path, b"b".as_slice().into()).await.is_err());
    assert!(store.delete(&path).await.is_err());
    assert!(store.copy(&path, &Path::from("b.csv")).await.is_err());
    // Names that look like parts, and are none.
    for name in ["a@b.csv", "a@1-of-0.csv", "a@-of-.csv"] {
        assert!(store.get(&Path::from(name)).await.is_err());
    }
}
