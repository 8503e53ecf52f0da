//! The optimised library as the linker sees it: its functions and tables, their sizes, and the references between them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use anyhow::{Context as _, anyhow, ensure};
use object::read::archive::ArchiveFile;
use object::{
    File, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget, SectionKind, Symbol, SymbolIndex,
};
use wasmparser::{KnownCustom, Linking, Parser, Payload, SymbolFlags, SymbolInfo};

use crate::source;

/// How the library is compiled.
pub struct Build {
    /// The subfolder of cargo's target folder.
    pub folder: String,
    /// With a target, even this machine's, `flags` do not apply to build scripts and macros.
    pub target: Option<String>,
    pub flags: String,
}

/// The target name of this machine.
pub fn host() -> anyhow::Result<String> {
    let said = Command::new("rustc").arg("-vV").output()?;
    let said = String::from_utf8(said.stdout)?;
    said.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned).context("rustc shows no host")
}

impl Build {
    /// A build as users compile it, for this machine or for a target such as wasm32-wasip1+simd128. `rustup` adds the
    /// target if it is missing.
    pub fn on(target: Option<&str>) -> anyhow::Result<Self> {
        let Some(named) = target else {
            return Ok(Self { folder: "size".to_owned(), target: None, flags: String::new() });
        };
        let (target, features) = named.split_once('+').unwrap_or((named, ""));
        let added = Command::new("rustup").args(["target", "add", target]).status()?;
        ensure!(added.success(), "rustup has no {target}");
        let flags = if features.is_empty() { String::new() } else { format!("-Ctarget-feature=+{features}") };
        Ok(Self { folder: format!("size+{features}"), target: Some(target.to_owned()), flags })
    }

    /// Builds the library with all features that need no other crate, so that their kernels are looked at, too. Returns
    /// the contents of the rlib.
    pub fn run(&self) -> anyhow::Result<Library> {
        let root = source::root();
        let target = source::target(&root);
        let folder = target.join(&self.folder);
        let mut cargo = source::cargo();
        cargo.current_dir(&root).args([
            "build",
            "--quiet",
            "--release",
            "--package",
            "fastutf",
            "--lib",
            "--features=full",
            "--target-dir",
        ]);
        // As a dependency, the library is compiled in more codegen units than here, which means less inlining.
        cargo.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        cargo.arg(&folder).env("RUSTFLAGS", format!("-Csymbol-mangling-version=v0 {}", self.flags));
        cargo.args(self.target.iter().flat_map(|target| ["--target", target]));
        ensure!(cargo.status()?.success(), "the library does not compile");
        let release = self.target.iter().fold(folder, |folder, target| folder.join(target)).join("release");
        let rlib = release.join("libfastutf.rlib");
        let data = std::fs::read(&rlib).with_context(|| rlib.display().to_string())?;
        Library::new(&data).with_context(|| rlib.display().to_string())
    }
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
                match member.data(rlib)? {
                    data if data.starts_with(b"\0asm") => library.add_wasm(data)?,
                    data => library.add(&File::parse(data)?)?,
                }
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

    /// For WebAssembly, reads only the names of functions.
    fn add_wasm(&mut self, data: &[u8]) -> anyhow::Result<()> {
        for payload in Parser::new(0).parse_all(data) {
            let Payload::CustomSection(section) = payload? else { continue };
            let KnownCustom::Linking(linking) = section.as_known() else { continue };
            for part in linking {
                let Linking::SymbolTable(symbols) = part? else { continue };
                for symbol in symbols {
                    if let SymbolInfo::Func { flags, name: Some(name), .. } = symbol?
                        && !flags.contains(SymbolFlags::UNDEFINED)
                    {
                        let name = demangled(name);
                        self.functions.push(Function { name, size: 0, uses: BTreeSet::new() });
                    }
                }
            }
        }
        Ok(())
    }
}

pub fn name_of(symbol: &Symbol) -> anyhow::Result<String> {
    Ok(demangled(&String::from_utf8_lossy(symbol.name_bytes()?)))
}

/// The name in Rust's syntax.
fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}
