//! The table in docs/tested.md: which group of checks was run in full last, on which commit and machine.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::Group;
use crate::source;

pub const PATH: &str = "docs/tested.md";

/// The line after which the rows are.
const HEADING: &str = "|---|---|---|---|--:|--:|";

pub struct Table {
    /// The text before the rows.
    text: String,
    rows: Vec<Row>,
}

struct Row {
    group: String,
    commit: String,
    machine: String,
    date: String,
    minutes: String,
    cases: String,
}

impl Table {
    pub fn read(root: &Path) -> anyhow::Result<Self> {
        Self::parse(&source::read(&root.join(PATH))?)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let at = text.find(HEADING).with_context(|| format!("{PATH} has no table"))? + HEADING.len();
        let mut rows = Vec::new();
        for line in text[at..].lines().filter(|line| !line.is_empty()) {
            let cells: Vec<String> =
                line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
            let [group, commit, machine, date, minutes, cases] =
                <[String; 6]>::try_from(cells).ok().with_context(|| format!("{PATH}: {line}"))?;
            rows.push(Row { group, commit, machine, date, minutes, cases });
        }
        Ok(Self { text: text[..at].to_owned(), rows })
    }

    fn render(&self) -> String {
        let mut text = self.text.clone() + "\n";
        for Row { group, commit, machine, date, minutes, cases } in &self.rows {
            writeln!(text, "| {group} | {commit} | {machine} | {date} | {minutes} | {cases} |").unwrap();
        }
        text
    }

    pub fn write(&self, root: &Path) -> anyhow::Result<()> {
        fs::write(root.join(PATH), self.render()).context(PATH)
    }

    /// Adds a row for the commit that is checked out, in place of the group's last one on a machine of this kind.
    pub fn add(&mut self, root: &Path, group: Group, seconds: u64, cases: String) -> anyhow::Result<()> {
        let row = Row {
            group: group.to_string(),
            commit: git(root, &["rev-parse", "--short=10", "HEAD"])?,
            machine: machine(),
            date: output("date", &["-u", "+%F"], root)?,
            minutes: format!("{:.1}", seconds as f64 / 60.0),
            cases,
        };
        self.rows.retain(|old| (&old.group, &old.machine) != (&row.group, &row.machine));
        self.rows.push(row);
        self.rows.sort_by_key(|row| Group::of(&row.group));
        Ok(())
    }

    /// Why the group has not been run in full on this code, or `None` if it has.
    pub fn state(&self, root: &Path, group: Group) -> Option<String> {
        let rows: Vec<&Row> = self.rows.iter().filter(|row| row.group == group.to_string()).collect();
        let is_same = |row: &&Row| {
            let mut diff = Command::new("git");
            diff.args(["diff", "--quiet", &row.commit, "--"]).args(group.paths()).current_dir(root);
            diff.args([":!docs", ":!*.md"]).output().is_ok_and(|output| output.status.success())
        };
        if rows.iter().any(is_same) {
            return None;
        }
        let last = rows.iter().max_by_key(|row| &row.date);
        Some(last.map_or_else(|| "NEVER".into(), |row| format!("NOT since {} ({})", row.commit, row.date)))
    }
}

impl Group {
    fn of(name: &str) -> Option<Self> {
        clap::ValueEnum::from_str(name, false).ok()
    }
}

/// Whether all of the working tree is in the commit.
pub fn is_clean(root: &Path) -> anyhow::Result<bool> {
    Ok(git(root, &["status", "--porcelain"])?.is_empty())
}

fn git(root: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    output("git", arguments, root)
}

fn output(program: &str, arguments: &[&str], root: &Path) -> anyhow::Result<String> {
    let output = Command::new(program).args(arguments).current_dir(root).output().context(program.to_owned())?;
    ensure!(output.status.success(), "{program} {}: {}", arguments.join(" "), output.status);
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The kind of machine: its CPU, and the best instruction set of the library on it.
fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let mut lines = cpu.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let family = field("cpu family").map(|family| format!(", family {family}")).unwrap_or_default();
    let model = field("model").map(|model| format!(" model {model}")).unwrap_or_default();
    let isa = if crate::emulate::is_here() { ", AVX-512" } else { "" };
    format!("{name}{family}{model}{isa}, {}", std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_replaced() {
        let root = source::root();
        let text =
            format!("# Tested\n\n| … |\n{HEADING}\n| proof | 0000000000 | a VAX | 2026-01-01 | 3.0 | 58 |\n");
        let mut table = Table::parse(&text).unwrap();
        assert_eq!(table.render(), text);
        assert_eq!(table.state(&root, Group::Proof).unwrap(), "NOT since 0000000000 (2026-01-01)");
        assert_eq!(table.state(&root, Group::Test).unwrap(), "NEVER");
        table.add(&root, Group::Test, 90, "7".into()).unwrap();
        table.add(&root, Group::Test, 30, "8".into()).unwrap();
        let text = table.render();
        assert_eq!(text.matches("| test |").count(), 1);
        assert!(text.contains("| 0.5 | 8 |\n| proof |"), "{text}");
        assert!(Table::parse("").is_err() && Table::parse(&format!("{HEADING}\n| a |\n")).is_err());
    }
}
