//! The measurements: cells, and ratios between their contenders. They are stored as JSON.

use serde::{Deserialize, Serialize};

use crate::language::Class;
use crate::race::{Cost, Role};

#[derive(Serialize, Deserialize)]
pub struct Results {
    pub cpu: String,
    /// Whether the text was generated from a seed.
    pub seeded_text: bool,
    pub rounds: usize,
    /// Whether the costs are instructions.
    #[serde(default)]
    pub counted: bool,
    pub cells: Vec<Cell>,
}

/// One operation on one text at one size.
#[derive(Clone, Serialize, Deserialize)]
pub struct Cell {
    pub isa: String,
    pub operation: String,
    pub language: String,
    pub class: Class,
    /// The percentage of the text that is ill-formed.
    #[serde(default)]
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
    pub fn speed(&self, cost: &Cost) -> f64 {
        self.bytes / cost.min
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

    /// Our fraction of the limit's speed.
    pub fn of_limit(&self) -> Option<f64> {
        let limit = self.costs.iter().find(|cost| cost.role == Role::Limit)?;
        Some(limit.min / self.ours().min)
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

    #[test]
    fn ratios_are_above_one_where_we_are_faster() {
        let cell = cell("validate_utf8", Class::Cjk, "64", [2.0, 6.0, 3.0]);
        assert_eq!(cell.ratio_to("simdutf"), Some(3.0));
        assert_eq!(cell.ratio_to_best(), Some(1.5));
        assert_eq!(cell.ratio_to("encoding_rs"), None);
        assert_eq!(cell.of_limit(), Some(0.5));
    }

    #[test]
    fn the_mean_is_geometric() {
        assert_eq!(mean([]), None);
        assert!((mean([2.0, 8.0]).expect("there are two") - 4.0).abs() < 1e-9);
    }
}
