//! Makes `include/fastutf.h` with cbindgen, from the Rust code after its macros. `--check` only compares.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder around this one");
    let (config, header) = (package.join("cbindgen.toml"), package.join("include/fastutf.h"));
    let config = cbindgen::Config::from_file(config).expect("cbindgen.toml");
    let made = cbindgen::Builder::new().with_crate(package).with_config(config).generate().expect("cbindgen");
    if std::env::args().nth(1).is_none() {
        made.write_to_file(&header);
        return ExitCode::SUCCESS;
    }
    let mut text = Vec::new();
    made.write(&mut text);
    if std::fs::read(&header).is_ok_and(|committed| committed == text) {
        return ExitCode::SUCCESS;
    }
    eprintln!("include/fastutf.h is not what cbindgen makes of src/: scripts/header makes it anew");
    ExitCode::FAILURE
}
