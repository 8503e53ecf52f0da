//! The measurements: cells, and ratios between their contenders; what they were made with and on; the file of both.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;
use std::{env, fs};

use serde::{Deserialize, Serialize};

use crate::language::Class;
use crate::race::{Cost, Role};

pub struct Results {
    pub head: Head,
    pub cells: Vec<Cell>,
}

/// What was measured, with what, and where.
#[derive(Serialize, Deserialize)]
pub struct Head {
    /// The commit, and whether anything was changed since.
    pub commit: String,
    pub date: String,
    pub rustc: String,
    pub profile: String,
    pub cpu: String,
    /// The versions in `Cargo.lock`.
    pub peers: BTreeMap<String, String>,
    pub rounds: usize,
    /// Whether the costs are instructions.
    pub counted: bool,
}

impl Head {
    pub fn new(rounds: usize, counted: bool) -> Self {
        let profile = option_env!("CARGO_PROFILE_RELEASE_CODEGEN_UNITS").unwrap_or("1");
        let changed = if said("git", &["status", "--porcelain"]).is_empty() { "" } else { ", changed" };
        let lock = include_str!("../../Cargo.lock").split("[[package]]\nname = \"");
        let versions = lock.filter_map(|package| {
            let (name, version) = package.split_once("\"\nversion = \"")?;
            let peer = ["simdutf", "simdutf8", "smoothutf8", "encoding_rs", "simd_cesu8"].contains(&name);
            peer.then(|| (name.to_owned(), version.split('"').next().unwrap_or_default().to_owned()))
        });
        Self {
            commit: said("git", &["rev-parse", "--short=10", "HEAD"]) + changed,
            date: said("date", &["-u", "+%F"]),
            rustc: said("rustc", &["--version"]),
            profile: format!("release, codegen-units {profile}"),
            cpu: if counted { env::consts::ARCH.to_owned() } else { cpu() },
            peers: versions.collect(),
            rounds,
            counted,
        }
    }
}

/// What a program says in the repository; nothing if it is not there.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The name does not always tell the generation.
fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let find = |key| info.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix(": "));
    let Some(name) = find("model name") else { return env::consts::ARCH.to_owned() };
    let is_virtual = find("flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let generation = find("cpu family").zip(find("model\t"));
    let generation =
        generation.map_or(String::new(), |(family, model)| format!(", family {family}, model {model}"));
    format!("{name}{generation}{}", if is_virtual { ", virtual" } else { "" })
}

/// The file: the cells by instruction set, operation and contenders.
#[derive(Deserialize)]
struct File {
    head: Head,
    races: Vec<Race>,
}

#[derive(Deserialize)]
struct Race {
    isa: String,
    operation: String,
    contenders: Vec<(String, Role)>,
    rows: Vec<Row>,
}

/// A text, its class, and how much of it is ill-formed; and, for each size, the mean length of an input and the costs.
#[derive(Serialize, Deserialize)]
struct Row(String, Class, f64, Vec<(String, f64, Vec<f64>)>);

impl Results {
    pub fn read(file: &str) -> serde_json::Result<Self> {
        let File { head, races } = serde_json::from_str(file)?;
        let mut cells = Vec::new();
        for Race { isa, operation, contenders, rows } in races {
            for Row(language, class, corrupt, sizes) in rows {
                cells.extend(sizes.into_iter().map(|(size, bytes, costs)| {
                    let cost = |((name, role), min): (&(String, Role), f64)| Cost {
                        name: name.clone(),
                        role: *role,
                        min,
                    };
                    let costs = contenders.iter().zip(costs).map(cost).collect();
                    let (isa, operation, language) = (isa.clone(), operation.clone(), language.clone());
                    Cell { isa, operation, language, class, corrupt, size, bytes, costs }
                }));
            }
        }
        Ok(Self { head, cells })
    }

    /// A line for each text.
    pub fn file(&self) -> serde_json::Result<String> {
        let mut file = format!("{{\"head\": {},\n\"races\": [", serde_json::to_string_pretty(&self.head)?);
        let contenders =
            |cell: &Cell| cell.costs.iter().map(|cost| (cost.name.clone(), cost.role)).collect::<Vec<_>>();
        let race = |cell: &Cell| (cell.isa.clone(), cell.operation.clone(), contenders(cell));
        for (number, key) in distinct(&self.cells, race).into_iter().enumerate() {
            let cells: Vec<&Cell> = self.cells.iter().filter(|cell| race(cell) == key).collect();
            let (isa, operation, contenders) = key;
            let comma = if number > 0 { "," } else { "" };
            let contenders = serde_json::to_string(&contenders)?;
            let _ = write!(
                file,
                "{comma}\n{{\"isa\":\"{isa}\",\"operation\":\"{operation}\",\"contenders\":{contenders},\"rows\":["
            );
            let texts = distinct(cells.iter().copied(), |cell| (cell.language.clone(), cell.class, cell.corrupt));
            for (number, (language, class, corrupt)) in texts.into_iter().enumerate() {
                let cells = cells.iter().filter(|cell| cell.language == language && cell.corrupt == corrupt);
                let costs = |cell: &Cell| cell.costs.iter().map(|cost| rounded(cost.min)).collect();
                let sizes = cells.map(|cell| (cell.size.clone(), rounded(cell.bytes), costs(cell))).collect();
                let row = serde_json::to_string(&Row(language, class, corrupt, sizes))?;
                let row = row.replace(".0,", ",").replace(".0]", "]");
                let _ = write!(file, "{}\n{row}", if number > 0 { "," } else { "" });
            }
            file.push_str("]}");
        }
        Ok(file + "]}\n")
    }
}

/// To three digits: less than a measurement is off by.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// One operation on one text at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    pub isa: String,
    pub operation: String,
    pub language: String,
    pub class: Class,
    /// The percentage of the text that is ill-formed.
    pub corrupt: f64,
    pub size: String,
    /// The mean length of an input.
    pub bytes: f64,
    pub costs: Vec<Cost>,
}

impl Cell {
    pub fn others(&self) -> impl Iterator<Item = &Cost> {
        self.costs.iter().filter(|cost| cost.role != Role::Ours)
    }

    pub fn peers(&self) -> impl Iterator<Item = &Cost> {
        self.costs.iter().filter(|cost| cost.role == Role::Peer)
    }

    fn ours(&self) -> &Cost {
        self.costs.iter().find(|cost| cost.role == Role::Ours).expect("we are in every race")
    }

    /// Gigabytes of input per second.
    pub fn speed(&self, contender: &str) -> Option<f64> {
        Some(self.bytes / self.costs.iter().find(|cost| cost.name == contender)?.min)
    }

    /// The time of a peer or a limit, divided by ours: how many times as fast we are.
    pub fn ratio_to(&self, peer: &str) -> Option<f64> {
        let peer = self.others().find(|cost| cost.name == peer)?;
        Some(peer.min / self.ours().min)
    }

    /// The same for the fastest of the peers.
    pub fn ratio_to_best(&self) -> Option<f64> {
        let least = self.peers().map(|cost| cost.min).min_by(f64::total_cmp)?;
        Some(least / self.ours().min)
    }
}

/// The geometric mean of ratios, and their number.
pub fn mean(ratios: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for ratio in ratios {
        sum += ratio.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

pub fn short(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}

/// The distinct values of `key` for the items, in order.
pub fn distinct<I, T: PartialEq>(items: impl IntoIterator<Item = I>, key: impl Fn(I) -> T) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        let value = key(item);
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A cell with the times of fastutf, simdutf and simdutf8, and of a limit of 1 ns.
    pub fn cell(operation: &str, class: Class, size: &str, ns: [f64; 3]) -> Cell {
        let cost = |(name, role, ns): (&str, Role, f64)| Cost { name: name.into(), role, min: ns };
        let costs = [
            ("fastutf", Role::Ours, ns[0]),
            ("simdutf", Role::Peer, ns[1]),
            ("simdutf8", Role::Peer, ns[2]),
            ("limit", Role::Limit, 1.0),
        ];
        Cell {
            isa: "avx2".into(),
            operation: operation.into(),
            language: format!("{class:?}").to_lowercase(),
            class,
            corrupt: 0.0,
            size: size.into(),
            bytes: 64.0,
            costs: costs.map(cost).into(),
        }
    }

    pub fn results(cells: Vec<Cell>, counted: bool) -> Results {
        Results { head: Head::new(3, counted), cells }
    }

    #[test]
    fn files_are_read_back() {
        let mut cells = vec![cell("validate_utf8", Class::Cjk, "64", [2.0, 6.0, 0.0123]); 2];
        cells[1].size = "1..64".into();
        let file = results(cells.clone(), false).file().expect("it is JSON");
        assert_eq!(file.matches("cjk").count(), 2, "{file}");
        assert_eq!(Results::read(&file).expect("it was written").cells, cells);
    }

    #[test]
    fn ratios_are_above_one_where_we_are_faster() {
        let cell = cell("validate_utf8", Class::Cjk, "64", [2.0, 6.0, 3.0]);
        assert_eq!(cell.ratio_to("simdutf"), Some(3.0));
        assert_eq!(cell.ratio_to_best(), Some(1.5));
        assert_eq!(cell.ratio_to("encoding_rs"), None);
        assert_eq!(cell.speed("fastutf"), Some(32.0));
    }

    #[test]
    fn the_mean_is_geometric() {
        assert_eq!(mean([]), None);
        assert!((mean([2.0, 8.0]).expect("there are two") - 4.0).abs() < 1e-9);
    }
}
