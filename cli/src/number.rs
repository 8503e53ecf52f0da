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
