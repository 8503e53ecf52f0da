//! Bar charts: for each instruction set, the speed of every contender on each language.
//!
//! The scale is logarithmic: the same ratio is the same distance everywhere, at 100 GB/s of ASCII and at 1.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::ours::FREE;
use crate::race::{Cost, Role};
use crate::results::{Cell, Results, distinct};

/// The operations shown, one above the other.
const OPERATIONS: [&str; 3] = ["validate_utf8", "utf8_to_utf16le", "utf16le_to_utf8"];
const SIZE: &str = "64K";
/// The colours of the contenders, in the order of their bars.
const COLOURS: [(&str, RGBColor); 5] = [
    ("fastutf", RGBColor(0xD5, 0x5E, 0x00)),
    ("simdutf", RGBColor(0x00, 0x72, 0xB2)),
    ("simdutf8", RGBColor(0x56, 0xB4, 0xE9)),
    ("encoding_rs", RGBColor(0x00, 0x9E, 0x73)),
    ("std", RGBColor(0x99, 0x99, 0x99)),
];
const WIDTH: u32 = 1000;
const HEIGHT: u32 = 260;

/// Writes a chart for each instruction set, and returns the files.
pub fn write(results: &Results, directory: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    fs::create_dir_all(directory)?;
    let mut written = Vec::new();
    for isa in distinct(&results.cells, |cell| &*cell.isa).into_iter().filter(|&isa| isa != FREE) {
        let mut panels = Vec::new();
        for operation in OPERATIONS {
            let shown = |cell: &&Cell| cell.isa == isa && cell.operation == operation && cell.size == SIZE;
            let cells: Vec<&Cell> = results.cells.iter().filter(shown).collect();
            if !cells.is_empty() {
                let title = format!("{operation}, {isa}: GB of input per second (logarithmic), {SIZE} at a time");
                panels.push((title, cells));
            }
        }
        if panels.is_empty() {
            continue;
        }
        let path = directory.join(format!("{}.svg", isa.replace('.', "")));
        let root = SVGBackend::new(&path, (WIDTH, HEIGHT * panels.len() as u32)).into_drawing_area();
        root.fill(&WHITE)?;
        for (area, (title, cells)) in root.split_evenly((panels.len(), 1)).iter().zip(&panels) {
            panel(area, title, cells)?;
        }
        root.present()?;
        drop(root);
        written.push(path);
    }
    Ok(written)
}

fn panel(area: &DrawingArea<SVGBackend, Shift>, title: &str, cells: &[&Cell]) -> Result<(), Box<dyn Error>> {
    let racing: Vec<(&str, RGBColor)> =
        COLOURS.into_iter().filter(|(name, _)| cells.iter().any(|cell| cost(cell, name).is_some())).collect();
    let speeds: Vec<f64> = cells
        .iter()
        .flat_map(|cell| cell.costs.iter().filter(|cost| races(cost)).map(|cost| cell.speed(cost)))
        .collect();
    let most = speeds.iter().copied().fold(0.0, f64::max);
    let least = speeds.iter().copied().fold(most, f64::min);
    // Bars start a little below the shortest. On the right there is room for the names of the contenders.
    let (floor, right) = (0.7 * least, 1.13 * cells.len() as f64);
    // The gap between the bars of two languages has the width of one bar.
    let width = 1.0 / (racing.len() + 1) as f64;

    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 15))
        .margin(6)
        .x_label_area_size(20)
        .y_label_area_size(34)
        .build_cartesian_2d(0.0..right, (floor..1.2 * most).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(6)
        .y_label_formatter(&|speed| speed.to_string())
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (place, &(name, colour)) in racing.iter().enumerate() {
        let bars = cells.iter().enumerate().filter_map(|(group, cell)| {
            let left = group as f64 + width * (place as f64 + 0.5);
            Some(Rectangle::new([(left, floor), (left + width, cell.speed(cost(cell, name)?))], colour.filled()))
        });
        chart
            .draw_series(bars)?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
    }
    let style = ("sans-serif", 12).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Top));
    for (group, cell) in cells.iter().enumerate() {
        let name = Text::new(cell.language.clone(), (0, 5), style.clone());
        chart.plotting_area().draw(&(EmptyElement::at((group as f64 + 0.5, floor)) + name))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 12))
        .background_style(WHITE.mix(0.8))
        .draw()?;
    Ok(())
}

fn races(cost: &Cost) -> bool {
    cost.role != Role::Limit
}

fn cost<'a>(cell: &'a Cell, name: &str) -> Option<&'a Cost> {
    cell.costs.iter().find(|cost| races(cost) && cost.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Class;
    use crate::results::tests::cell;

    #[test]
    fn charts_are_small_files() {
        let cells = OPERATIONS.iter().flat_map(|operation| {
            (1..=16).map(|ns| Cell {
                language: format!("l{ns}"),
                ..cell(operation, Class::Mix, SIZE, [f64::from(ns); 3])
            })
        });
        let results =
            Results { cpu: String::new(), seeded_text: true, rounds: 1, counted: false, cells: cells.collect() };
        let directory = std::env::temp_dir().join(format!("fastutf-compare-{}", std::process::id()));
        let written = write(&results, &directory).expect("the temporary directory can be written");
        assert_eq!(written, [directory.join("avx2.svg")]);
        let svg = fs::read_to_string(&written[0]).expect("it has been written");
        fs::remove_dir_all(&directory).expect("it is ours");
        assert!(svg.len() < 100_000 && svg.contains("simdutf8") && svg.contains("l16"), "{} bytes", svg.len());
    }
}
