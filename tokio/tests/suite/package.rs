//! What is packaged.

use std::fs;
use std::path::Path;

#[test]
fn the_licences_are_those_of_the_repository() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let [own, root] = [package.join(name), package.join("..").join(name)];
        assert!(fs::symlink_metadata(&own).unwrap().is_file(), "{name}");
        assert!(fs::read(own).unwrap() == fs::read(root).unwrap(), "{name} differs from that of the repository");
    }
}
