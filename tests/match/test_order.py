"""The order of play, held against its table: what may happen when, and what it leads to."""

from collections.abc import Callable
from random import Random

import pytest

from referee.errors import RefereeBug
from referee.match.events import (
    Begun,
    By,
    Ended,
    Event,
    FirstThrown,
    Penalised,
    Reason,
    Revealed,
    Stepped,
    Thrown,
    Voided,
)
from referee.match.faults import TOURNAMENT, FaultKind
from referee.match.match import Absence, Match
from referee.match.phases import NEXT, Phase
from referee.rules.state import State, Step
from tests.fakes import ScriptedDice, a_setup, played, rules_of
from tests.match.driver import LoadedDice, Log, Transition, any_match, by_chance, go_on, table

GAMES = 240
NEST = (0, 0, 0, 0)


def a_match(
    rules: str = "racket", seats: tuple[int, ...] = (0, 2), max_throws: int = 0
) -> tuple[Match, list[Event]]:
    """Return a match and its list of events, which is empty."""
    match = Match(a_setup(rules, seats, max_throws=max_throws), rules_of(rules))
    match.events.clear()
    return match, match.events


class TestTable:
    @pytest.mark.parametrize("trouble", [0.0, 0.01, 0.1, 0.5])
    def test_allows_all_that_happens(self, trouble: float) -> None:
        """
        In games by chance, with and without trouble, nothing happens that the table does not have.
        """
        for seed in range(GAMES // 4):
            match, log = by_chance(seed, trouble)

            assert set(log.transitions()) <= table(), f"seed {seed}"
            assert isinstance(match.events[-1], Ended | Voided), f"seed {seed}"

    def test_holds_nothing_that_never_happens(self) -> None:
        """
        Each entry of the table was seen in a game: the table says what happens, not what might.
        """
        seen: set[Transition] = set()
        for seed in range(GAMES):
            _, log = by_chance(seed, (0.01, 0.1, 0.5)[seed % 3])
            seen.update(log.transitions())

        assert seen == table()

    def test_has_a_row_for_each_phase(self) -> None:
        """
        Every phase says what it allows, and the last allows nothing.
        """
        assert set(NEXT) == set(Phase)
        assert NEXT[Phase.OVER] == {}

    def test_knows_every_event_of_a_match(self) -> None:
        """
        Every event has its place in the table but the seed, which the host tells when all is over.
        """
        events = {event for row in NEXT.values() for event in row}

        assert events == set(Event.__args__) - {Revealed}


class TestThrow:
    def test_leads_to_a_choice(self) -> None:
        """
        A throw that can be played gives the seat its legal steps.
        """
        match, events = a_match()

        match.thrown((5, 1))

        assert match.phase is Phase.CHOICE
        assert match.legal == (Step(0, 5, 5), Step(1, 5, 5), Step(2, 5, 5), Step(3, 5, 5))
        assert events == [Thrown(0, 1, (5, 1), (NEST, None, NEST, None))]

    def test_that_cannot_be_played_passes_the_turn_on(self) -> None:
        """
        Without a legal step nobody is asked, and the next seat throws.
        """
        match, events = a_match()

        match.thrown((1, 2))

        assert match.phase is Phase.THROW
        assert match.to_throw == (2, 1, 2)
        assert match.legal == ()
        assert len(events) == 1

    def test_of_a_doublet_is_followed_by_another(self) -> None:
        """
        After a doublet the same seat throws again, played or not; its throws are counted on.
        """
        match, _ = a_match()

        match.thrown((2, 2))

        assert match.to_throw == (0, 2, 2)

    def test_shows_the_board_on_which_the_dice_fell(self) -> None:
        """
        The position of a throw is that before its first step.
        """
        match, events = a_match()
        match.thrown((5, 1))
        match.step(match.legal[0], By.BOT, 1, 0, 0)
        match.step(Step(0, 1, 6), By.FORCED)

        match.thrown((1, 2))

        assert events[-1] == Thrown(2, 1, (1, 2), ((2, 0, 0, 0), None, NEST, None))

    def test_of_a_third_doublet_is_penalised(self) -> None:
        """
        The third doublet of a turn is not played: the leader goes back and the turn is over.
        """
        match, events = a_match()
        match.state = State(((20, 30, 0, 0), None, NEST, None), 0, repeats=2)

        match.thrown((4, 4))

        assert events == [
            Thrown(0, 1, (4, 4), ((20, 30, 0, 0), None, NEST, None)),
            Penalised(0, 1),
        ]
        assert match.to_throw == (2, 1, 2)
        assert match.state.position[0] == (20, 0, 0, 0)

    def test_of_a_third_doublet_may_find_nobody_to_send_back(self) -> None:
        """
        With all pawns in the nest the third doublet costs the turn and nothing else.
        """
        match, events = a_match()
        match.state = State((NEST, None, NEST, None), 0, repeats=2)

        match.thrown((5, 5))

        assert events[-1] == Penalised(0, None)
        assert match.to_throw[0] == 2


class TestStep:
    def test_tells_where_from_where_to_and_whom_it_captured(self) -> None:
        """
        A step's event can be drawn without knowing the rules.
        """
        match, events = a_match()
        match.state = State(((6, 0, 0, 0), None, (40, 0, 0, 0), None), 0)
        match.thrown((4, 1))
        events.clear()

        match.step(Step(0, 4, 14), By.BOT, 1, 900, 0)  # from 10; seat 2 has a pawn on 10 of its own 40th
        square = match.rules.board.square(2, 40)

        assert events == [Stepped(0, 0, 4, 10, 14, (), By.BOT, 1, 900, 0, 0)]
        assert square == 10

    def test_captures(self) -> None:
        """
        Those sent back are in the event of the step that did it, and their nest has them again.
        """
        match, events = a_match()
        match.state = State(((6, 0, 0, 0), None, (44, 0, 0, 0), None), 0)
        match.thrown((4, 2))
        events.clear()

        match.step(Step(0, 4, 14), By.BOT, 1, 900, 0)

        assert events == [Stepped(0, 0, 4, 10, 14, ((2, 0),), By.BOT, 1, 900, 0, 0)]
        assert match.state.position[2] == NEST
        assert match.state.bonuses == (20,)

    def test_that_is_not_legal_is_our_own_bug(self) -> None:
        """
        The host judges answers; a step that is not legal never reaches the match.
        """
        match, _ = a_match()
        match.thrown((5, 1))

        with pytest.raises(RefereeBug, match="not legal"):
            match.step(Step(0, 1, 6), By.BOT, 1, 0, 0)

    def test_that_brings_the_last_pawn_home_ends_the_game(self) -> None:
        """
        The fourth pawn home wins at once: what is left of the throw is void.
        """
        match, events = a_match()
        match.state = State(((72, 72, 72, 70), None, NEST, None), 0)
        match.thrown((2, 3))
        events.clear()

        match.step(Step(3, 2, 99), By.FORCED)

        assert match.phase is Phase.OVER
        assert match.legal == ()
        assert [type(event) for event in events] == [Stepped, Ended]
        assert events[-1] == Ended(
            (0, 2), (1, 2), (Reason.WON, Reason.RACED), ((72, 72, 72, 72), None, NEST, None)
        )


class TestOver:
    @pytest.mark.parametrize(
        "act",
        [
            pytest.param(lambda match: match.thrown((1, 2)), id="a throw"),
            pytest.param(lambda match: match.step(Step(0, 5, 5), By.FORCED), id="a step"),
            pytest.param(lambda match: match.fault(0, FaultKind.LATE, "late"), id="a fault"),
        ],
    )
    def test_allows_nothing(self, act: Callable[[Match], object]) -> None:
        """
        When the game is over, nothing happens any more.
        """
        match, events = a_match()
        match.void("the machine broke")

        with pytest.raises(RefereeBug):
            act(match)
        assert events == [Voided("the machine broke")]

    def test_is_the_end_of_a_void_game_too(self) -> None:
        """
        A void game has no places.
        """
        match, _ = a_match()
        match.thrown((5, 1))

        match.void("the machine broke")

        assert match.phase is Phase.OVER
        assert match.ended is None
        assert match.legal == ()


class TestLimit:
    def test_ends_the_game_after_so_many_throws(self) -> None:
        """
        At the limit the play in progress is finished, and the game ends without a winner.
        """
        match, events = a_match(max_throws=2)
        match.thrown((1, 2))
        match.thrown((5, 1))
        assert match.ended is None

        match.step(match.legal[0], By.BOT, 1, 0, 0)
        match.step(match.legal[0], By.FORCED)

        assert match.phase is Phase.OVER
        assert events[-1] == Ended(
            (0, 2), (2, 1), (Reason.LIMIT, Reason.LIMIT), (NEST, None, (2, 0, 0, 0), None)
        )

    def test_counts_neither_throws_for_the_beginning(self) -> None:
        """
        The limit counts throws that are played for; those for who begins come before.
        """
        match, events = a_match("winning_moves", max_throws=1)
        match.thrown((2,))
        match.thrown((1,))

        match.thrown((1, 2))

        assert isinstance(events[-1], Ended)
        assert match.played_throws == 1
        assert match.throws == {0: 1, 2: 2}

    def test_counts_a_third_doublet(self) -> None:
        """
        A throw that is not played is a throw.
        """
        match, events = a_match(max_throws=1)
        match.state = State((NEST, None, NEST, None), 0, repeats=2)

        match.thrown((5, 5))

        assert [type(event) for event in events] == [Thrown, Penalised, Ended]

    def test_leaves_equal_seats_on_one_place(self) -> None:
        """
        Seats that are equally far share their place.
        """
        match, events = a_match(seats=(0, 1, 2, 3), max_throws=1)

        match.thrown((1, 2))

        assert events[-1] == Ended((0, 1, 2, 3), (1, 1, 1, 1), (Reason.LIMIT,) * 4, (NEST,) * 4)

    def test_of_0_is_none(self) -> None:
        """
        Without a limit a game is played until somebody wins.
        """
        match, _ = a_match()

        played(match, ScriptedDice())

        assert match.ended is not None
        assert Reason.WON in match.ended.reasons


class TestAsk:
    def test_holds_what_is_needed_to_answer(self) -> None:
        """
        A bot without memory finds everything in the ask.
        """
        match, _ = a_match()
        match.thrown((5, 1))

        ask = match.ask(last=1234)

        assert (ask.game, ask.number, ask.last) == (7, 1, 1234)
        assert ask.state == match.state
        assert ask.steps == match.legal
        assert (ask.limit, ask.bank, ask.strikes_left) == (1_000_000, 0, TOURNAMENT.strikes)
        assert (ask.plays, ask.cut) == (None, False)

    def test_is_counted(self) -> None:
        """
        Asks are numbered from 1 in one game; to look at the open one again does not count.
        """
        match, _ = a_match()
        match.thrown((5, 1))

        numbers = [match.ask().number, match.open_ask().number, match.ask().number]

        assert numbers == [1, 1, 2]

    def test_tells_the_strikes_that_are_left(self) -> None:
        """
        A bot sees in every ask how many mistakes it may still make.
        """
        match, _ = a_match()
        match.thrown((5, 1))

        match.fault(0, FaultKind.STALE, "old")

        assert match.ask().strikes_left == 2


class TestReplay:
    def test_leads_to_the_same_events(self) -> None:
        """
        What is decided depends on what was fed in, and on nothing else.
        """
        first, second = (
            Match(a_setup(), rules_of("winning_moves")),
            Match(a_setup(), rules_of("winning_moves")),
        )

        assert played(first, ScriptedDice()) == played(second, ScriptedDice())

    def test_holds_for_games_with_trouble(self) -> None:
        """
        The same chance leads to the same game, faults and all.
        """
        for seed in range(20):
            assert by_chance(seed, 0.1)[1] == by_chance(seed, 0.1)[1]


class TestWhoThrows:
    def test_is_always_somebody_who_sits(self) -> None:
        """
        Whatever happens, the seat that is to throw has not been lost, and its throws are numbered on.
        """
        for seed in range(100):
            random = Random(seed)
            match = any_match(random)
            dice = LoadedDice(random)
            counted = dict.fromkeys(match.seats, 0)
            while match.phase is not Phase.OVER:
                if match.phase is not Phase.CHOICE:
                    seat, number, _ = match.to_throw
                    assert match.state.position[seat] is not None
                    assert number == counted[seat] + 1
                done = len(match.events)
                go_on(match, random, 0.02, dice)
                for event in match.events[done:]:
                    if isinstance(event, FirstThrown | Thrown):
                        counted[event.seat] += 1
                        assert event.number == counted[event.seat]

    def test_begins_once(self) -> None:
        """
        One seat begins, whoever leaves in the meantime; unless nobody is left to play against.
        """
        for seed in range(200):
            match, log = by_chance(seed, 0.3)

            begun = [event for event in log if isinstance(event, Begun)]
            assert len(begun) <= 1
            if match.played_throws:
                assert len(begun) == 1


def test_no_show_of_one_who_is_not_there_is_our_own_bug() -> None:
    """
    A seat is lost once, and only by somebody who sat on it.
    """
    match, _ = a_match(seats=(0, 1, 2, 3))
    match.no_show([Absence(1, "not there", "")])

    for seat in (1, 7):
        with pytest.raises(RefereeBug, match=f"nobody sits on seat {seat}"):
            match.no_show([Absence(seat, "not there", "")])
        with pytest.raises(RefereeBug, match=f"nobody sits on seat {seat}"):
            match.fault(seat, FaultKind.LATE, "late")


def test_log_is_a_match_own_list() -> None:
    """
    The tests above watch the list that the match writes to.
    """
    match, _ = a_match()

    log = Log(match)
    match.thrown((1, 2))

    assert len(log) == 1
    assert list(log.transitions()) == [Transition(Phase.THROW, Thrown, Phase.THROW)]
