//! Writes the inputs that fuzzing starts from: `seed FOLDER`.

fn main() -> std::io::Result<()> {
    let folder = std::path::PathBuf::from(std::env::args_os().nth(1).expect("usage: seed FOLDER"));
    std::fs::create_dir_all(&folder)?;
    for (index, input) in fastutf_fuzz::seeds().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{index}")), input)?;
    }
    Ok(())
}
