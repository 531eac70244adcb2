//! Who plays whom from which opening with which colours: a fixed order, so that a match can be resumed.

use serde::{Deserialize, Serialize};

/// The form of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// Its number, from 1.
    pub number: usize,
    /// Its pair, from 0. Both games of a pair start from one opening with colours exchanged.
    pub pair: usize,
    /// Index of the pairing of engines.
    pub pairing: usize,
    /// Indices of the engines that play White and Black.
    pub engines: [usize; 2],
    /// The round, from 0, which chooses the opening.
    pub round: usize,
}

/// The order of all games.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: usize,
}

impl Schedule {
    /// A schedule of `rounds` pairs of games for each pairing of the engines.
    pub fn new(tournament: Tournament, engines: usize, rounds: usize) -> Self {
        let all = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        let pairings = all.filter(|[a, _]| tournament == Tournament::RoundRobin || *a == 0);
        Self {
            pairings: pairings.collect(),
            rounds,
        }
    }

    /// The pairings of engines.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }

    /// The game of a number, from 1.
    pub fn game(&self, number: usize) -> Option<Scheduled> {
        let index = number.checked_sub(1).filter(|&i| i < self.games())?;
        let pair = index / 2;
        let pairing = pair % self.pairings.len();
        let [a, b] = *self.pairings.get(pairing)?;
        Some(Scheduled {
            number,
            pair,
            pairing,
            engines: if index % 2 == 0 { [a, b] } else { [b, a] },
            round: pair / self.pairings.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_plays_everybody_with_both_colours_from_each_opening() {
        let schedule = Schedule::new(Tournament::RoundRobin, 4, 3);
        assert_eq!(schedule.games(), 36);
        let mut seen = std::collections::BTreeSet::new();
        for number in 1..=36 {
            let game = schedule.game(number).unwrap();
            assert_eq!((game.number, game.pair), (number, (number - 1) / 2));
            assert_ne!(game.engines[0], game.engines[1]);
            assert!(seen.insert((game.engines, game.round)));
        }
        assert_eq!(schedule.game(0), None);
        assert_eq!(schedule.game(37), None);
    }

    #[test]
    fn in_a_gauntlet_the_first_plays_all_others() {
        let schedule = Schedule::new(Tournament::Gauntlet, 4, 2);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(schedule.games(), 12);
        assert!((1..=12).all(|n| schedule.game(n).unwrap().engines.contains(&0)));
    }
}
