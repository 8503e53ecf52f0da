//! Writes rows, damages one, and reads them: strictly, and with replacement characters.

use fastutf_examples::nvarchar_rows::{Row, Rows, write_row};

fn main() {
    let mut packet = Vec::new();
    for columns in [[Some("Łódź"), None], [Some("Zoë"), Some("😀")]] {
        write_row(&columns, &mut packet).expect("the texts are short");
    }
    let last = packet.len() - 1;
    packet[last] = 0x00; // The low surrogate of the emoji becomes another code unit.
    println!("{packet:02X?}");
    for row in Rows::new(&packet, 2) {
        match row {
            Ok(row) => println!("{row:?}"),
            Err(error) => println!("{error}"),
        }
    }
    let repaired: Result<Vec<Row>, _> = Rows::new(&packet, 2).lossy().collect();
    println!("{repaired:?}");
}
