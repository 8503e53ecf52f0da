//! The list of conversions for programs that compile it with all features of the library, whatever their own are.

/// Calls `$each!`.
macro_rules! given {
    ($feature:meta, $each:ident $($rows:tt)*) => {
        $each! { $($rows)* }
    };
}

#[macro_use]
#[path = "conversions.rs"]
mod list;
