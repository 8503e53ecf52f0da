//! A data set: people in Parquet, with names as UTF-16LE bytes of which some are ill-formed, and their cities in CSV files
//! that are UTF-16.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BinaryBuilder, Int32Array, Int64Array, RecordBatch};
use datafusion::error::Result;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{ParquetReadOptions, SessionContext};

/// Decodes, filters, joins and groups. In its result, every row counts.
pub const QUERY: &str = "
    SELECT c.city, count(*) AS people, count(n.name) AS well_formed, sum(character_length(n.repaired)) AS characters,
           min(n.repaired) AS first, max(n.repaired) AS last
    FROM (SELECT id, city, utf16le_decode(name, 'null') AS name, utf16le_decode(name, 'replace') AS repaired
          FROM people) n
    JOIN cities c ON n.city = c.id
    WHERE n.repaired LIKE '%a%' OR n.repaired LIKE '%и%' OR n.name IS NULL
    GROUP BY c.city ORDER BY c.city";

/// As [`QUERY`], but an ill-formed name is an error.
pub const STRICT_QUERY: &str = "SELECT max(utf16le_decode(name)) FROM people";

const CITIES: [&str; 12] = [
    "Łódź",
    "Αθήνα",
    "Москва",
    "北京",
    "東京",
    "서울",
    "القاهرة",
    "Zürich",
    "São Paulo",
    "Kraków",
    "Reykjavík",
    "New York",
];
const FIRST: [&str; 8] = ["Anna", "Zażółć", "Иван", "小明", "さくら", "Ωμέγα", "Chloë", "😀"];
const LAST: [&str; 8] = ["Smith", "Kowalska", "Петрова", "王", "Grønn", "Müller", "Nguyễn", "de la Cruz"];

/// Writes `files` files of people with `rows` rows each, and 3 of cities, into `folder`.
///
/// # Errors
///
/// Those of the file system.
pub fn write(folder: &Path, files: usize, rows: usize) -> Result<()> {
    let (people, cities) = (folder.join("people"), folder.join("cities"));
    std::fs::create_dir_all(&people)?;
    std::fs::create_dir_all(&cities)?;
    for file in 0..files {
        let batch = people_of(file * rows, rows)?;
        let mut writer =
            ArrowWriter::try_new(File::create(people.join(format!("{file:03}.parquet")))?, batch.schema(), None)?;
        writer.write(&batch)?;
        writer.close()?;
    }
    for file in 0..3 {
        let mut text = String::from("\u{FEFF}id,city\r\n");
        for (id, city) in CITIES.iter().enumerate().filter(|(id, _)| id % 3 == file) {
            text.push_str(&format!("{id},\"{city}\"\r\n"));
        }
        // One of them is big-endian: the byte-order mark says so.
        let bytes: Vec<u8> = if file == 1 {
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        } else {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        };
        std::fs::write(cities.join(format!("{file}.csv")), bytes)?;
    }
    Ok(())
}

/// Some people, always the same.
fn people_of(start: usize, rows: usize) -> Result<RecordBatch> {
    let mut names = BinaryBuilder::new();
    let mut cities = Vec::with_capacity(rows);
    for id in start..start + rows {
        // A generator of Knuth's; its high bits are random enough.
        let random = (id as u64 + 1).wrapping_mul(6_364_136_223_846_793_005) >> 32;
        cities.push((random >> 6) as i32 % CITIES.len() as i32);
        let name = format!("{} {} {id}", FIRST[random as usize % 8], LAST[(random >> 3) as usize % 8]);
        let mut bytes: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        match random % 1000 {
            // Cut inside of a code unit; half of a surrogate pair at the end.
            0 => bytes.truncate(bytes.len() - 1),
            1 => bytes.extend(0xD83D_u16.to_le_bytes()),
            _ => {}
        }
        if random % 500 == 7 {
            names.append_null();
        } else {
            names.append_value(bytes);
        }
    }
    let ids: Int64Array = (start as i64..(start + rows) as i64).collect();
    let columns: [(&str, ArrayRef); 3] =
        [("id", Arc::new(ids)), ("city", Arc::new(Int32Array::from(cities))), ("name", Arc::new(names.finish()))];
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// Makes the files known to a session as the tables `people` and `cities`.
///
/// # Errors
///
/// If they cannot be read.
pub async fn register(context: &SessionContext, folder: &Path) -> Result<()> {
    let people = format!("{}/people/", folder.display());
    context.register_parquet("people", people, ParquetReadOptions::default()).await?;
    let sql = format!(
        "CREATE EXTERNAL TABLE cities (id INT, city VARCHAR) STORED AS CSV LOCATION 'utf16://{}/cities/'
         OPTIONS ('format.has_header' 'true')",
        folder.display()
    );
    context.sql(&sql).await?.collect().await?;
    Ok(())
}
