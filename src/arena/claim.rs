//! Claims: an engine ends the game where it is to move, as DXP lets it.
//!
//! Who gives the game up has lost it. A draw is granted where one of the set's draw tables gives it, or where the match would
//! decide so if the score of the one who claims were 0; a win, where the match would decide so if it were high enough. Any
//! other claim is refused, and the game goes on.

use super::record::GameResult;
use super::referee::{Adjudication, Scores, draw_words, name_of};
use crate::board::{DrawReason, DrawRules, Game, Outcome, Rules, Side};
use crate::notation::dxp::Reason;

/// What becomes of the claim of `side`, which is to move and has made `moves` moves; `None` if it is refused.
pub(super) fn judge<R: Rules>(
    claim: Reason,
    game: &Game<R>,
    side: Side,
    moves: usize,
    scores: &mut Scores,
    rules: &Adjudication,
) -> Option<(GameResult, String)> {
    let name = name_of(side);
    match claim {
        Reason::Lost => Some((GameResult::win(!side), format!("{name} resigns"))),
        Reason::Draw => {
            let by_rule = drawn(game).map(|reason| draw_words(reason).to_owned());
            let why = by_rule.or_else(|| {
                scores.claim_draw(side);
                let (result, why) = scores.verdict(side, moves, rules)?;
                (result == GameResult::Draw).then_some(why)
            })?;
            Some((GameResult::Draw, format!("{name} claims a draw: {why}")))
        }
        Reason::Won => {
            scores.claim_win(side);
            let (result, why) = scores.verdict(!side, moves, rules)?;
            let wins = result == GameResult::win(side);
            wins.then(|| (result, format!("{name} claims the game: {why}")))
        }
        Reason::Unknown => None,
    }
}

/// The draw that any table of the set gives.
fn drawn<R: Rules>(game: &Game<R>) -> Option<DrawReason> {
    DrawRules::ALL.iter().find_map(
        |(rules, _)| match game.under(R::draw_table(*rules)).outcome() {
            Outcome::Draw(reason) => Some(reason),
            Outcome::Ongoing | Outcome::Win(..) => None,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::referee::{DrawByScore, Resign};
    use crate::board::rules::International;
    use crate::notation::fen;
    use crate::search::Score;

    const RULES: Adjudication = Adjudication {
        resign: Some(Resign {
            moves: 2,
            score: 300,
            two_sided: true,
        }),
        draw: Some(DrawByScore {
            from_move: 10,
            moves: 2,
            score: 5,
        }),
        max_moves: None,
    };

    /// What becomes of White's claim after so many plies without progress, where Black's last scores were these.
    fn claim(reason: Reason, no_progress: u16, black: i32) -> Option<GameResult> {
        let setup = fen::parse::<International>("W:WK1,28:BK50,20");
        let table = International::draw_table(DrawRules::None);
        let game = Game::<International>::new(setup.unwrap().board, no_progress, table);
        let mut scores = Scores::default();
        for _ in 0..2 {
            scores.note(Side::Black, Some(Score::Cp(black)), &RULES);
        }
        let judged = judge(reason, &game, Side::White, 20, &mut scores, &RULES);
        judged.map(|(result, _)| result)
    }

    #[test]
    fn who_gives_up_has_lost() {
        assert_eq!(claim(Reason::Lost, 0, 0), Some(GameResult::BlackWins));
    }

    #[test]
    fn a_draw_is_granted_by_any_table_of_the_set() {
        // The federation's limit; the match itself knows none.
        assert_eq!(claim(Reason::Draw, 49, -50), None);
        assert_eq!(claim(Reason::Draw, 50, -50), Some(GameResult::Draw));
    }

    #[test]
    fn claims_are_granted_where_the_opponent_agrees_by_its_scores() {
        let draw = |black| claim(Reason::Draw, 0, black);
        assert_eq!(draw(3), Some(GameResult::Draw));
        assert_eq!((draw(-9), draw(9)), (None, None));
        let win = |black| claim(Reason::Won, 0, black);
        assert_eq!(win(-300), Some(GameResult::WhiteWins));
        assert_eq!((win(-299), win(400)), (None, None));
        assert_eq!(claim(Reason::Unknown, 0, 0), None);
    }
}
