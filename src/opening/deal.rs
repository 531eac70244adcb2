//! The order in which candidates are tried: round robin over the first moves, below each over the replies, and so on.

use crate::board::Move;

use super::lines::Candidate;

/// Reorders candidates so that any number of them, taken from the front, is spread as evenly as possible over the first
/// moves, then over the second ones, and so on to the ends of the lines. Among equals the order stays as it is.
pub(super) fn deal(candidates: Vec<Candidate>) -> Vec<Candidate> {
    deal_from(candidates, 0)
}

fn deal_from(candidates: Vec<Candidate>, ply: usize) -> Vec<Candidate> {
    if candidates.len() <= 2 {
        return candidates;
    }
    let total = candidates.len();
    let mut ended = Vec::new();
    let mut groups: Vec<(Move, Vec<Candidate>)> = Vec::new();
    for candidate in candidates {
        let Some(&mv) = candidate.line.get(ply) else {
            ended.push(candidate);
            continue;
        };
        match groups.iter_mut().find(|(first, _)| *first == mv) {
            Some((_, group)) => group.push(candidate),
            None => groups.push((mv, vec![candidate])),
        }
    }
    let mut hands: Vec<_> = groups
        .into_iter()
        .map(|(_, group)| deal_from(group, ply + 1).into_iter())
        .collect();
    let mut dealt = ended;
    while dealt.len() < total {
        dealt.extend(hands.iter_mut().filter_map(Iterator::next));
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::rules::International;
    use crate::opening::lines::Source;

    #[test]
    fn any_beginning_is_spread_over_the_first_moves() {
        let dealt = deal(Source::<International>::default().enumerate(3));
        for taken in [9, 18, 50] {
            let mut counts = std::collections::HashMap::new();
            for candidate in &dealt[..taken] {
                *counts.entry(candidate.line[0]).or_insert(0) += 1;
            }
            assert_eq!(counts.len(), 9, "all first moves");
            let (least, most) = (counts.values().min(), counts.values().max());
            assert!(most.unwrap() - least.unwrap() <= 1, "{taken}: {counts:?}");
        }
    }

    #[test]
    fn nothing_is_lost_and_lines_of_unequal_length_are_fine() {
        let start = Board::start::<International>();
        let mut list = Source::<International>::default().enumerate(2);
        list.push(Candidate {
            board: start,
            line: Vec::new(),
        });
        let total = list.len();
        let boards: std::collections::HashSet<Board> =
            deal(list).into_iter().map(|c| c.board).collect();
        assert_eq!(boards.len(), total);
    }
}
