"""The built-in strategies: each does what sample_bots/STRATEGIES.md says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from referee.dice import SeededDice
from referee.errors import UnknownName
from referee.match.ask import Ask
from referee.match.events import By
from referee.match.match import Match
from referee.match.phases import Phase
from referee.rules.board import PARCHEESI68, SEATS
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text
from referee.rules.ruleset import MustEnter, TeamWin
from referee.rules.rulesets import RULESETS, ruleset
from referee.rules.rulesets.winning_moves import WINNING_MOVES
from referee.rules.state import Pawns, Position, State, Step
from referee.seats.strategies import STRATEGIES, standing, strategy
from tests.fakes import SEED, TABLES, a_setup, played, rules_of, tables_of

PAGE = Path(__file__).resolve().parent.parent.parent / "sample_bots" / "STRATEGIES.md"
HASHES = [
    tuple(map(int, row))
    for row in re.findall(
        r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE.read_text(), re.MULTILINE
    )
]


def ask_at(position: str, dice: tuple[int, int], rules: str = "winning_moves", seat: int = 0) -> Ask:
    """Return the question that *dice* on *position* put to *seat*."""
    judge = rules_of(rules)
    state = judge.throw(State(position_from_text(judge.ruleset, position)[0], seat), dice).state
    judge.check(state)
    return Ask(1, 1, state, judge.steps(state), 1_000_000, 0, 3, 0)


def answer_of(name: str, ask: Ask, rules: str = "winning_moves") -> list[Step]:
    return list(strategy(name)(rules_of(rules), ask))


def from_text(rules: Rules, position: str) -> tuple[Position, int]:
    """Return what a text says, and that seat 0 is to move."""
    return position_from_text(rules.ruleset, position)[0], 0


def stands(position: str, seat: int = 0) -> int:
    """Return how well *seat* stands on *position*."""
    return standing(WINNING_MOVES, seat, position_from_text(WINNING_MOVES, position)[0])


class TestRegister:
    def test_answers_a_wrong_name_with_the_right_ones(self) -> None:
        """
        Whoever mistypes a strategy is told which there are.
        """
        with pytest.raises(UnknownName, match="'racr'; there are: careful, racer, random"):
            strategy("racr")

    @pytest.mark.parametrize(("rules", "seats"), TABLES, ids=str)
    @pytest.mark.parametrize("name", STRATEGIES)
    def test_every_strategy_plays_a_game_to_its_end(
        self, name: str, rules: str, seats: tuple[int, ...]
    ) -> None:
        """
        An answer is never empty, and every step of it is legal at its turn.
        """
        judge = rules_of(rules)
        dice = SeededDice(SEED)
        match = Match(a_setup(rules, seats), judge)

        while match.phase is not Phase.OVER:
            if match.phase is not Phase.CHOICE:
                match.thrown(dice.throw(*match.to_throw))
                continue
            state = match.state
            answer = strategy(name)(judge, match.ask())
            assert answer
            for step in answer:
                assert step in judge.steps(state)
                state = judge.apply(state, step).state
            match.step(answer[0], By.BOT, match.asks, elapsed=0, lag=0)

        assert match.ended is not None


class TestRandom:
    @pytest.mark.parametrize(("game", "number", "h", "of_2", "of_3", "of_7"), HASHES)
    def test_chooses_by_the_table_of_the_page(
        self, game: int, number: int, h: int, of_2: int, of_3: int, of_7: int
    ) -> None:
        """
        Game and ask alone choose, so that a game can be repeated, in any language.
        """
        steps = tuple(Step(0, use, use) for use in range(1, 8))

        for count, index in ((2, of_2), (3, of_3), (7, of_7)):
            ask = Ask(game, number, State((None,) * 4, 0), steps[:count], 0, 0, 1, 0)
            assert answer_of("random", ask) == [steps[index]]
            assert h % count == index

    def test_the_page_has_a_table(self) -> None:
        """
        A page without numbers would prove nothing.
        """
        assert len(HASHES) >= 7

    def test_favours_no_step(self) -> None:
        """
        Over many asks each of four steps is taken about as often as the others.
        """
        steps = tuple(Step(0, use, use) for use in range(1, 5))
        asks = [
            Ask(g, n, State((None,) * 4, 0), steps, 0, 0, 1, 0) for g in range(1, 51) for n in range(1, 201)
        ]

        taken = [answer_of("random", ask)[0].use for ask in asks]

        assert all(2300 < taken.count(use) < 2700 for use in range(1, 5))


class TestRacer:
    @pytest.mark.parametrize(
        ("position", "dice", "expected"),
        [
            pytest.param("L7,30,H,H/-/31,N,N,N/-", (1, 2), Step(0, 1, 99), id="home before a capture"),
            pytest.param(
                "10,60,H,H/-/N,13,N,N/-", (3, 6), Step(0, 3, 13), id="a capture before the front pawn"
            ),
            pytest.param(
                "10,60,H,H/-/N,N,N,N/-", (3, 6), Step(1, 6, 66), id="the front pawn, the larger number"
            ),
            pytest.param("20,20,H,H/-/N,N,N,N/-", (2, 3), Step(0, 3, 23), id="of equals the first"),
        ],
    )
    def test_takes_the_step_with_the_highest_score(
        self, position: str, dice: tuple[int, int], expected: Step
    ) -> None:
        """
        Home, else over an opponent, else out of the nest, else with the pawn furthest on.
        """
        assert answer_of("racer", ask_at(position, dice)) == [expected]

    def test_leaves_its_nest_before_it_runs(self) -> None:
        """
        Where a five need not enter a pawn, it still does.
        """
        ask = ask_at("60,N,H,H/-/N,N,N,N/-", (5, 6), "racket")

        assert answer_of("racer", ask, "racket") == [Step(1, 5, 5)]

    def test_captures_on_its_entry(self) -> None:
        """
        The entry is a safe square, but not from the pawn that enters.
        """
        ask = ask_at("60,N,H,H/-/5,N,N,N/-", (5, 6), "racket")

        assert answer_of("racer", ask, "racket") == [Step(1, 5, 5)]

    def test_takes_no_pawn_on_a_safe_square_for_prey(self) -> None:
        """
        Where rules let two colours share a safe square, landing there captures nobody.
        """
        state = ask_at("20,30,H,H/-/22,N,N,N/-", (1, 2)).state
        ask = Ask(1, 1, state, (Step(0, 2, 22), Step(1, 1, 31)), 1_000_000, 0, 3, 0)

        assert answer_of("racer", ask) == [Step(1, 1, 31)]

    def test_sees_its_own_way_from_each_seat(self) -> None:
        """
        What is furthest on depends on where the seat began: 20 is behind 30 for seat 0, ahead for seat 2.
        """
        assert answer_of("racer", ask_at("20,30,H,H/-/N,N,N,N/-", (1, 2)))[0].pawn == 1
        assert answer_of("racer", ask_at("N,N,N,N/-/40,30,H,H/-", (1, 2), seat=2))[0].pawn == 1

    @pytest.mark.parametrize(
        ("rules", "position", "dice", "taken"),
        [
            pytest.param("winning_moves", "20,60,H,H/-/N,23,N,N/-", (3, 6), 0, id="by landing"),
            pytest.param("pressman_gentle", "20,60,H,H/-/N,26,N,N/-", (3, 5), 1, id="nobody"),
            pytest.param("pahrcheesi", "20,40,H,H/-/22,N,N,N/-", (4, 4), 0, id="in passing"),
            pytest.param("pahrcheesi", "23,40,H,H/-/24,N,N,N/-", (4, 4), 1, id="not over a circle"),
            pytest.param("casual_super", "27,60,H,H/-/29,N,N,N/-", (2, 4), 1, id="no guest of a safe square"),
            pytest.param("pressman_teams", "20,60,H,H/N,N,N,N/23,N,N,N/N,N,N,N", (3, 6), 1, id="no partner"),
            pytest.param(
                "casual_super_couples", "20,60,H,H/N,N,N,N/23,N,N,N/N,N,N,N", (3, 6), 1, id="nor if it could"
            ),
            pytest.param("hasbro", "68,6,H,H/-/1,N,N,N/-", (1, 1), 0, id="not by going round once more"),
        ],
    )
    def test_hunts_as_the_rules_let_it(
        self, rules: str, position: str, dice: tuple[int, int], taken: int
    ) -> None:
        """
        What captures differs, and who is an opponent.
        """
        (step,) = answer_of("racer", ask_at(position, dice, rules), rules)

        assert step.pawn == taken
        assert rules != "hasbro" or step.square > 70

    @pytest.mark.parametrize(
        ("position", "taken"),
        [
            pytest.param("60,N,H,H/5,N,N,N/5,N,N,N/-", Step(1, 5, 5), id="full: enters over the last"),
            pytest.param("60,N,H,H/65,N,N,N/5,N,N,N/-", Step(0, 5, 65), id="not full: no capture"),
        ],
    )
    def test_enters_to_capture_where_the_entry_must_be_full(self, position: str, taken: Step) -> None:
        """
        Where colours share an entry, to enter captures only when two stand there.
        """
        rules = Rules(replace(ruleset("casual_super"), must_enter=MustEnter.NEVER))
        state = rules.throw(State(*from_text(rules, position)), (5, 4)).state
        ask = Ask(1, 1, state, rules.steps(state), 1_000_000, 0, 3, 0)

        assert list(strategy("racer")(rules, ask)) == [taken]

    def test_plays_with_its_partners_pawns_when_it_has_finished(self) -> None:
        """
        A seat that is home runs with the pawn of its partner that is furthest on.
        """
        rules = Rules(replace(ruleset("pressman_teams"), team_win=TeamWin.BOTH_MEMBERS))
        state = rules.throw(State(*from_text(rules, "H,H,H,H/N,N,N,N/40,20,H,N/N,N,N,N")), (1, 2)).state
        ask = Ask(1, 1, state, rules.steps(state), 1_000_000, 0, 3, 0)

        (step,) = strategy("racer")(rules, ask)

        assert step == Step(1, 2, 22)
        assert rules.board.progress(2, 22) == 52


class TestStanding:
    @pytest.mark.parametrize(
        ("position", "value"),
        [
            pytest.param("N,N,N,N/-/N,N,N,N/-", 0, id="nothing begun"),
            pytest.param("8,N,N,N/-/N,N,N,N/-", 36 * 4, id="36 for each square"),
            pytest.param("12,N,N,N/-/N,N,N,N/-", 36 * 8 + 180, id="five squares more on a safe square"),
            pytest.param(
                "8,8,N,N/-/N,N,N,N/-", 2 * (36 * 4 + 180), id="five squares more for each of a pair"
            ),
            pytest.param("L2,L2,N,N/-/N,N,N,N/-", 2 * 36 * 66, id="nothing more in the lane, pair or not"),
            pytest.param("H,N,N,N/-/N,N,N,N/-", 36 * 72 + 360, id="ten squares more at home"),
            pytest.param("H,H,H,H/-/N,N,N,N/-", 4 * (36 * 72 + 360) + 1_000_000, id="won"),
            pytest.param("N,N,N,N/-/39,N,N,N/-", -36, id="one opponent's square counts as one own"),
            pytest.param("N,N,N,N/-/39,N,N,N/N,N,N,N", -18, id="half of that with two others"),
            pytest.param("N,N,N,N/N,N,N,N/39,N,N,N/N,N,N,N", -12, id="a third with three others"),
        ],
    )
    def test_adds_up_what_pawns_are_worth(self, position: str, value: int) -> None:
        """
        Progress, safety and pairs count; so does the progress of the others, against it.
        """
        assert stands(position) == value

    @pytest.mark.parametrize(
        ("behind", "throws"),
        list(enumerate((11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1, 0), start=1)),
    )
    def test_fears_an_opponent_by_its_distance(self, behind: int, throws: int) -> None:
        """
        A lone pawn loses its progress and 20 squares more in so many of 36 throws.
        """
        pawn, hunter = 60, 60 - behind
        progress = PARCHEESI68.progress(2, hunter)
        assert progress is not None

        value = stands(f"{pawn},N,N,N/-/{hunter},H,H,H/-")

        assert value == 36 * 56 - throws * (56 + 20) - 36 * (progress + 3 * 72)

    @pytest.mark.parametrize(
        "position",
        [
            pytest.param("63,N,N,N/-/60,H,H,H/-", id="on a safe square"),
            pytest.param("60,60,N,N/-/58,H,H,H/-", id="in a pair"),
            pytest.param("36,N,N,N/-/32,H,H,H/-", id="where the opponent turns into its lane"),
            pytest.param("60,N,N,N/-/62,H,H,H/-", id="ahead of the opponent"),
            pytest.param("L1,N,N,N/-/66,H,H,H/-", id="in its lane"),
        ],
    )
    def test_fears_nobody(self, position: str) -> None:
        """
        A pawn that cannot be captured loses nothing: its value is that with the opponent far away.
        """
        own, _, other, _ = position.split("/")
        hunter = PARCHEESI68.progress(2, int(other.split(",")[0]))
        assert hunter is not None

        assert stands(position) - stands(f"{own}/-/39,H,H,H/-") == -36 * (hunter - 1)

    def test_fears_the_nest_on_an_entry(self) -> None:
        """
        On the entry of a seat with pawns in its nest, 15 of 36 throws capture, however many wait there.
        """
        fearless = stands("39,N,N,N/-/H,H,H,H/-")
        progress = 35

        assert stands("39,N,N,N/-/N,H,H,H/-") == fearless - 15 * (progress + 20) + 36 * 72
        assert stands("39,N,N,N/-/N,N,H,H/-") == fearless - 15 * (progress + 20) + 36 * 144

    def test_knows_no_more_than_36_throws(self) -> None:
        """
        Many hunters do not make a loss more than certain.
        """
        hunters = [PARCHEESI68.progress(2, square) for square in (59, 58, 57, 56)]

        value = stands("60,N,N,N/-/59,58,57,56/-")

        assert value == 36 * 56 - 36 * (56 + 20) - 36 * sum(h for h in hunters if h)

    def test_counts_a_lost_seat_as_nobody(self) -> None:
        """
        A seat that has left the board is no opponent.
        """
        assert stands("8,N,N,N/-/39,N,N,N/-") == 36 * 4 - 36
        assert stands("8,N,N,N/-/-/-") == 36 * 4

    @pytest.mark.parametrize(
        ("rules", "safer", "barer"),
        [
            pytest.param("pressman_gentle", "60,/-/58,/-", "60,/-/39,/-", id="nobody captures"),
            pytest.param(
                "casual_super", "39,/-/N,/-", "39,/-/H,/-", id="nor who enters on a square with room"
            ),
            pytest.param("pahrcheesi", "20,/-/21,/-", "20,/-/30,/-", id="ahead of the opponent"),
        ],
    )
    def test_fears_nobody_who_does_not_capture(self, rules: str, safer: str, barer: str) -> None:
        """
        Nothing is lost but what the opponent has come.
        """
        worth = []
        for text in (safer, barer):
            position = from_text(rules_of(rules), text.replace(",", ",H,H,N"))[0]
            others = position[2]
            assert others is not None
            worth.append(standing(ruleset(rules), 0, position) + 36 * sum(others))

        assert worth[0] == worth[1]

    @pytest.mark.parametrize(
        ("rules", "behind", "throws"),
        [
            pytest.param("casual_classic", 3, 6, id="one die: each number as likely as the others"),
            pytest.param("casual_classic", 7, 0, id="and none beyond six"),
            pytest.param("pahrcheesi", 3, 35, id="in passing: three and all that is more"),
        ],
    )
    def test_fears_by_dice_and_captures(self, rules: str, behind: int, throws: int) -> None:
        """
        A hunter comes as far as its dice take it.
        """
        sheet, pawn = ruleset(rules), 48
        hunter = sheet.board.progress(2, pawn - behind)
        progress = sheet.board.progress(0, pawn)
        assert hunter is not None
        assert progress is not None
        position = from_text(rules_of(rules), f"{pawn},N,N,N/-/{pawn - behind},N,N,N/-")[0]

        value = standing(sheet, 0, position)

        assert value == 36 * (progress - hunter) - throws * (progress + sheet.capture_bonus)

    def test_a_second_lap_is_all_before_it(self) -> None:
        """
        A pawn beyond its tip has come no further than one in the nest.
        """
        stand = [
            standing(ruleset("hasbro"), 0, from_text(rules_of("hasbro"), f"{square},N,N,N/-/-/-")[0])
            for square in (1, 4, 6)
        ]

        assert stand == [36 * -3, 36 * 0, 36 * 2]

    @pytest.mark.parametrize(
        ("rules", "together"),
        [
            pytest.param("pressman_teams", 180, id="a pair"),
            pytest.param("casual_super_couples", 0, id="no pair"),
        ],
    )
    def test_a_team_stands_together(self, rules: str, together: int) -> None:
        """
        What the partner has come counts for the seat, and its pawns make pairs where they count as own.
        """
        alone, beside = (
            standing(
                ruleset(rules), 0, from_text(rules_of(rules), f"60,N,N,N/N,N,N,N/{square},N,N,N/N,N,N,N")[0]
            )
            for square in (61, 60)
        )

        assert beside - alone == together - 18
        assert alone == 36 * 56 + 18 * 23


class TestCareful:
    def test_makes_a_pair_rather_than_run(self) -> None:
        """
        Two pawns on one square are worth more than two alone with an opponent behind them.
        """
        ask = ask_at("21,24,H,H/-/19,18,N,N/-", (3, 6))

        assert answer_of("careful", ask) == [Step(0, 6, 27), Step(1, 3, 27)]

    def test_wins_when_it_can(self) -> None:
        """
        Nothing is worth more than the fourth pawn at home.
        """
        ask = ask_at("L7,H,H,H/-/N,N,N,N/-", (1, 3))

        assert answer_of("careful", ask) == [Step(0, 1, 99)]

    def test_answers_with_a_whole_play(self) -> None:
        """
        Both numbers are answered at once, and a bonus that they earned.
        """
        ask = ask_at("10,60,H,H/-/N,13,N,N/-", (3, 6))

        answer = answer_of("careful", ask)

        assert sum(step.use for step in answer) == 3 + 6 + 120

    def test_judges_the_plays_that_it_is_given(self) -> None:
        """
        Where the ask lists plays, only these are looked at.
        """
        ask = ask_at("21,24,H,H/-/19,18,N,N/-", (3, 6))
        plays, _ = rules_of("winning_moves").plays(ask.state)
        best = tuple(answer_of("careful", ask))
        others = [play for play in plays if play.steps != best]

        assert answer_of("careful", ask._replace(plays=plays)) == list(best)
        assert tuple(answer_of("careful", ask._replace(plays=others))) in {play.steps for play in others}

    def test_takes_the_first_of_equal_plays(self) -> None:
        """
        The order of the ask decides between plays that are worth the same.
        """
        ask = ask_at("N,N,N,N/-/N,N,N,N/-", (5, 5))
        plays, _ = rules_of("winning_moves").plays(ask.state)
        twice = [plays[0], plays[0]._replace(steps=plays[0].steps[::-1])]

        assert answer_of("careful", ask._replace(plays=twice)) == list(plays[0].steps)

    def test_stands_alike_on_all_four_sides(self) -> None:
        """
        A board turned by a quarter is worth the same to the next seat.
        """
        chance = Random(1)
        for sheet in RULESETS.values():

            def pawns(home: int = sheet.board.home) -> Pawns:
                return chance.randint(0, home), chance.randint(0, home), 0, 1

            a, b, c, d = pawns(), pawns(), pawns(), pawns()
            turned: list[Position] = [(a, b, c, d), (d, a, b, c), (c, d, a, b), (b, c, d, a)]

            values = {standing(sheet, seat, position) for seat, position in enumerate(turned)}

            assert len(values) == 1


class TestStrength:
    @pytest.mark.parametrize(
        ("better", "worse", "least"), [("careful", "racer", 24), ("racer", "random", 32)]
    )
    def test_the_better_strategy_wins_more_games(self, better: str, worse: str, least: int) -> None:
        """
        Of 40 games with fixed dice, 20 on each side, the better strategy wins clearly more than half.
        """
        assert sum(self.wins("winning_moves", better, worse, game) for game in range(40)) >= least

    @pytest.mark.parametrize("rules", RULESETS)
    def test_running_beats_chance_by_all_rules(self, rules: str) -> None:
        """
        On other boards, with one die and as a team too: of 20 games the racers win three quarters.
        """
        assert sum(self.wins(rules, "racer", "random", game) for game in range(20)) >= 15

    def wins(self, name: str, better: str, worse: str, game: int) -> bool:
        """Tell whether *better* wins, on one of two seats, or on the two of a team."""
        rules = rules_of(name)
        seats = tables_of(rules.ruleset).get(2, SEATS)
        mine = seats[game % 2 :: 2]
        match = Match(replace(a_setup(rules, seats), number=game + 1), rules)

        def choose(ask: Ask) -> Sequence[Step]:
            return strategy(better if ask.state.seat in mine else worse)(rules, ask)

        played(match, SeededDice(bytes([game] * 32)), choose)

        assert match.ended is not None
        return match.ended.places[match.ended.seats.index(mine[0])] == 1
