//! The optimised library as the linker sees it: its functions and tables, their sizes, and the references between them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use anyhow::{Context as _, anyhow, ensure};
use object::read::archive::ArchiveFile;
use object::{
    File, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget, SectionKind, Symbol, SymbolIndex,
};

use crate::source;

/// The target name of this machine.
pub fn host() -> anyhow::Result<String> {
    let said = Command::new("rustc").arg("-vV").output()?;
    let said = String::from_utf8(said.stdout)?;
    said.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned).context("rustc shows no host")
}

/// Builds the library as users do, with all features that need no other crate, so that their kernels are looked at, too.
/// Returns the contents of the rlib. With a target, even this machine's, `flags` do not apply to build scripts and macros.
pub fn build(target: Option<&str>, flags: &str) -> anyhow::Result<Library> {
    let root = source::root();
    let mut folder = source::target(&root).join("size");
    let mut cargo = source::cargo();
    cargo.current_dir(&root).args([
        "build",
        "--quiet",
        "--release",
        "--package=fastutf",
        "--lib",
        "--features=full",
    ]);
    cargo.arg("--target-dir").arg(&folder).env("RUSTFLAGS", format!("-Csymbol-mangling-version=v0 {flags}"));
    // As a dependency, the library is compiled in more codegen units than here, which means less inlining.
    cargo.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    if let Some(target) = target {
        cargo.args(["--target", target]);
        folder.push(target);
    }
    ensure!(cargo.status()?.success(), "the library does not compile");
    let rlib = folder.join("release/libfastutf.rlib");
    Library::new(&std::fs::read(&rlib)?).with_context(|| rlib.display().to_string())
}

/// A function of the library.
pub struct Function {
    pub name: String,
    pub size: u64,
    /// The names of the functions and data that it refers to.
    pub uses: BTreeSet<String>,
}

/// The contents of an rlib.
#[derive(Default)]
pub struct Library {
    pub functions: Vec<Function>,
    /// Sizes of constants and immutable statics.
    pub tables: BTreeMap<String, u64>,
}

impl Library {
    fn new(rlib: &[u8]) -> anyhow::Result<Self> {
        let mut library = Self::default();
        for member in ArchiveFile::parse(rlib)?.members() {
            let member = member?;
            if member.name().ends_with(b".o") {
                library.add(&File::parse(member.data(rlib)?)?)?;
            }
        }
        ensure!(!library.functions.is_empty(), "the library has no function");
        Ok(library)
    }

    fn add(&mut self, file: &File) -> anyhow::Result<()> {
        let mut functions: BTreeMap<usize, Function> = BTreeMap::new();
        // The section and address of each symbol.
        let mut places: BTreeMap<(usize, u64), SymbolIndex> = BTreeMap::new();
        for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
            let Some(section) = symbol.section_index() else { continue };
            let name = name_of(&symbol)?;
            match file.section_by_index(section)?.kind() {
                SectionKind::Text => {
                    functions
                        .insert(symbol.index().0, Function { name, size: symbol.size(), uses: BTreeSet::new() });
                }
                SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => {
                    self.tables.insert(name, symbol.size());
                }
                _ => {}
            }
            places.insert((section.0, symbol.address()), symbol.index());
        }
        let at = |section, offset| {
            places.range(..=(section, offset)).next_back().filter(|(place, _)| place.0 == section)
        };
        for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
            for (offset, relocation) in section.relocations() {
                let (_, user) =
                    at(section.index().0, offset).ok_or_else(|| anyhow!("a reference outside of functions"))?;
                let RelocationTarget::Symbol(used) = relocation.target() else { continue };
                let mut used = file.symbol_by_index(used)?;
                // A symbol without a name is identified by its address.
                if let (Some(section), true) = (used.section_index(), used.name_bytes()?.is_empty())
                    && let Some((_, index)) =
                        at(section.0, used.address().saturating_add_signed(relocation.addend().max(0)))
                {
                    used = file.symbol_by_index(*index)?;
                }
                if let Some(function) = functions.get_mut(&user.0) {
                    function.uses.insert(name_of(&used)?);
                }
            }
        }
        self.functions.extend(functions.into_values());
        Ok(())
    }
}

/// The name of a symbol in Rust's syntax.
fn name_of(symbol: &Symbol) -> anyhow::Result<String> {
    Ok(format!("{:#}", rustc_demangle::demangle(&String::from_utf8_lossy(symbol.name_bytes()?))))
}
