//! Formatting of numbers.

/// A number with its digits in groups of three: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = (digits.len() + 2) % 3 + 1;
    let (first, rest) = digits.split_at(first.min(digits.len()));
    rest.as_bytes()
        .chunks(3)
        .fold(first.to_owned(), |text, group| text + "," + str::from_utf8(group).expect("digits are ASCII"))
}

/// A number of things: `1 file`, `1,234 files`.
pub fn many(number: u64, what: &str) -> String {
    grouped(number) + " " + what + if number == 1 { "" } else { "s" }
}
