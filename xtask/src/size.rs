//! The size of the release library, and of the lookup tables that one operation uses.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::ensure;

use crate::objects::{Function, Library, build};

/// Reports code by instruction set and module, and lookup tables by operation; fails if one operation uses more than 16 KB
#[derive(clap::Args)]
pub struct Options {}

/// The limit for the tables of one operation, as they share the cache with the caller's data.
const MOST: u64 = 16 << 10;

pub fn run(_: Options) -> anyhow::Result<()> {
    let library = build(None, "")?;
    print_code(&library);
    let tables = tables(&library);
    println!("lookup tables of an operation, in bytes (at most {MOST}):");
    for ((isa, module), size) in &tables {
        println!("{:<24} {size:>6}", format!("{isa} {module}"));
    }
    check(&tables)
}

/// Sizes in bytes, by instruction set and module.
type Sizes = BTreeMap<(&'static str, String), u64>;

fn check(tables: &Sizes) -> anyhow::Result<()> {
    ensure!(!tables.is_empty(), "size: found no table: does this still look for the right thing?");
    let over: Vec<_> =
        tables.iter().filter(|(_, size)| **size > MOST).map(|(key, size)| format!("{key:?}: {size}")).collect();
    ensure!(over.is_empty(), "size: more than {MOST} bytes of tables: {}", over.join(", "));
    Ok(())
}

/// The instruction set in the demangled name of a function.
fn isa_of(name: &str) -> &'static str {
    let isas = [("::avx512::", "avx512"), ("::avx2::", "avx2"), ("::sse41::", "sse4.1")];
    isas.into_iter().find(|(part, _)| name.contains(part)).map_or("-", |(_, isa)| isa)
}

/// The module of the kernel (of UTF-32, the inner one), from the generic arguments of a function. Vectors and types come before it.
fn module_of(name: &str) -> &str {
    let others = ["simd", "endian", "isa", "api", "error", "conversion", "info", "replacement", "output"];
    let kernel = |part: &&str| !others.contains(part);
    let folders = ["kernels::utf32::", "kernels::", "report::", "api::two_parts::kernel::"];
    let within = |path| folders.iter().find_map(|folder| str::strip_prefix(path, folder)).unwrap_or(path);
    let paths = name.split("fastutf::").skip(1).map(within);
    let modules = paths.filter_map(|path| path.split(['<', ':']).next());
    let word = |module: &&str| module.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    modules.filter(word).find(kernel).unwrap_or("(inlined)")
}

fn print_code(library: &Library) {
    let (mut sizes, mut all) = (BTreeMap::<(&str, &str), u64>::new(), 0);
    for Function { name, size, .. } in &library.functions {
        *sizes.entry((isa_of(name), module_of(name))).or_default() += size;
        all += size;
    }
    println!("code, in bytes: {all}, of which");
    for ((isa, module), size) in sizes.into_iter().filter(|(_, size)| *size > 1000) {
        println!("{:<24} {size:>6}", format!("{isa} {module}"));
    }
}

fn tables(library: &Library) -> Sizes {
    // Named statics and constants.
    let named = |table: &&String| {
        let last = table.strip_prefix("fastutf::").and_then(|table| table.rsplit("::").next());
        last.is_some_and(|last| last.ends_with(|c: char| c.is_ascii_uppercase() || c == '_'))
    };
    let mut used = BTreeSet::new();
    let mut sizes = Sizes::new();
    for function in &library.functions {
        let key = (isa_of(&function.name), module_of(&function.name).to_owned());
        for table in function.uses.iter().filter(named) {
            let Some(size) = library.tables.get(table) else { continue };
            // An operation writes one byte order, so it uses only one of the tables for the two byte orders.
            let table = table.trim_end_matches("_LE").trim_end_matches("_BE");
            if used.insert((key.clone(), table.to_owned())) {
                *sizes.entry(key.clone()).or_default() += size;
            }
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(uses: &[&str], tables: &[(&str, u64)]) -> Library {
        let name = "<fastutf::simd::x86::avx2::Avx2>::vectorize_with::<fastutf::kernels::utf8_to_utf16::convert<fastutf::endian::Little>>";
        let uses = uses.iter().map(|&table| table.to_owned()).collect();
        let tables = tables.iter().map(|&(name, size)| (name.to_owned(), size)).collect();
        Library { functions: vec![Function { name: name.to_owned(), size: 10, uses }], tables }
    }

    #[test]
    fn tables_are_counted_once_and_of_two_byte_orders_one() {
        let all = [
            ("fastutf::kernels::tables::A_LE", 100),
            ("fastutf::kernels::tables::A_BE", 100),
            ("fastutf::kernels::tables::B", 7),
            ("other::C", 1),
        ];
        let library = library(&all.map(|(name, _)| name), &all);
        let sizes = tables(&library);
        assert_eq!(sizes, Sizes::from([(("avx2", "utf8_to_utf16".to_owned()), 107)]));
        assert!(check(&sizes).is_ok());
    }

    #[test]
    fn too_much_and_nothing_at_all_are_refused() {
        let library = library(&["fastutf::kernels::tables::A"], &[("fastutf::kernels::tables::A", MOST + 1)]);
        assert!(check(&tables(&library)).unwrap_err().to_string().contains("utf8_to_utf16"));
        assert!(check(&Sizes::new()).is_err());
    }
}
