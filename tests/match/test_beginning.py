"""Who begins: section 6 of the rule book, *First player*."""

from dataclasses import replace

import pytest

from referee.errors import RefereeBug
from referee.match.events import Begun, Event, FirstThrown
from referee.match.faults import FaultKind
from referee.match.match import Absence, Match
from referee.match.phases import Phase
from referee.match.setup import SEATS_OF
from referee.rules.engine import Rules
from referee.rules.ruleset import FirstPlayer
from referee.rules.rulesets import ruleset
from tests.fakes import a_setup

NEST = (0, 0, 0, 0)


def a_match(first: FirstPlayer, seats: int, dice: int = 1) -> Match:
    """Return a match of *seats* players in which *first* is asked for with *dice*."""
    rules = Rules(replace(ruleset("winning_moves"), first_player=first, first_player_dice=dice))
    return Match(a_setup(rules, SEATS_OF[seats]), rules)


def throw(match: Match, *throws: tuple[int, tuple[int, ...]]) -> None:
    """Throw as told; each throw names the seat that must be next."""
    for seat, dice in throws:
        assert match.to_throw[0] == seat
        match.thrown(dice)


def begins(match: Match) -> int | None:
    """Return who begins, None if that is not settled."""
    begun = [event for event in match.events if isinstance(event, Begun)]
    return begun[0].seat if begun else None


class TestLowest:
    def test_begins(self) -> None:
        """
        The seat with the lowest throw begins, from a board with all pawns in the nest.
        """
        match = a_match(FirstPlayer.LOWEST, 3)

        throw(match, (0, (4,)), (1, (2,)), (2, (6,)))

        expected: list[Event] = [
            FirstThrown(0, 1, (4,)),
            FirstThrown(1, 1, (2,)),
            FirstThrown(2, 1, (6,)),
            Begun(1, (NEST, NEST, NEST, None)),
        ]
        assert match.events == expected
        assert match.phase is Phase.THROW

    def test_throws_again_with_those_who_are_level(self) -> None:
        """
        Only those who share the lowest throw again; the others are out of it.
        """
        match = a_match(FirstPlayer.LOWEST, 4)

        throw(match, (0, (2,)), (1, (5,)), (2, (2,)), (3, (2,)))
        assert begins(match) is None
        throw(match, (0, (3,)), (2, (3,)), (3, (6,)))
        assert begins(match) is None
        throw(match, (0, (6,)), (2, (1,)))

        assert begins(match) == 2

    def test_goes_on_until_one_is_ahead(self) -> None:
        """
        Ties may go on as long as they like.
        """
        match = a_match(FirstPlayer.LOWEST, 2)

        for _ in range(50):
            throw(match, (0, (3,)), (2, (3,)))
        throw(match, (0, (4,)), (2, (3,)))

        assert begins(match) == 2
        assert match.throws == {0: 51, 2: 51}


class TestHighest:
    def test_begins(self) -> None:
        """
        The seat with the highest throw begins.
        """
        match = a_match(FirstPlayer.HIGHEST, 3)

        throw(match, (0, (4,)), (1, (2,)), (2, (6,)))

        assert begins(match) == 2

    def test_throws_again_with_those_who_are_level(self) -> None:
        """
        Only those who share the highest throw again.
        """
        match = a_match(FirstPlayer.HIGHEST, 3)

        throw(match, (0, (6,)), (1, (5,)), (2, (6,)))
        throw(match, (0, (1,)), (2, (2,)))

        assert begins(match) == 2

    def test_of_two_dice_goes_by_their_sum(self) -> None:
        """
        With two dice the sum counts: 6 1 and 4 3 are level.
        """
        match = a_match(FirstPlayer.HIGHEST, 2, dice=2)
        assert match.to_throw == (0, 1, 2)

        throw(match, (0, (6, 1)), (2, (4, 3)))
        assert begins(match) is None
        throw(match, (0, (1, 1)), (2, (1, 2)))

        assert begins(match) == 2


class TestSeat0:
    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_begins_without_a_throw(self, seats: int) -> None:
        """
        A ruleset that names who begins lets nobody throw for it.
        """
        match = a_match(FirstPlayer.SEAT_0, seats)

        assert [type(event) for event in match.events] == [Begun]
        assert begins(match) == 0
        assert match.to_throw == (0, 1, 2)


class TestNumbers:
    def test_go_on_from_those_for_the_beginning(self) -> None:
        """
        Throws for who begins are throws of the seat: the first in play has the next number.
        """
        match = a_match(FirstPlayer.LOWEST, 3)
        throw(match, (0, (2,)), (1, (5,)), (2, (2,)))
        throw(match, (0, (6,)), (2, (1,)))
        assert match.to_throw == (2, 3, 2)

        match.thrown((1, 2))
        assert match.to_throw == (0, 3, 2)
        match.thrown((1, 2))

        assert match.to_throw == (1, 2, 2)


class TestSeatLost:
    def test_before_its_throw_leaves_the_others_to_it(self) -> None:
        """
        Who has gone throws no more; of those left the lowest begins.
        """
        match = a_match(FirstPlayer.LOWEST, 3)
        throw(match, (0, (4,)))

        match.fault(1, FaultKind.GONE, "gone")
        throw(match, (2, (5,)))

        assert begins(match) == 0

    def test_after_its_throw_takes_the_throw_along(self) -> None:
        """
        The throw of a seat that has gone does not count any more.
        """
        match = a_match(FirstPlayer.LOWEST, 3)
        throw(match, (0, (1,)), (1, (5,)))

        match.fault(0, FaultKind.GONE, "gone")
        throw(match, (2, (4,)))

        assert begins(match) == 2

    def test_may_settle_it(self) -> None:
        """
        When the last who had still to throw has gone, the throws that lie there decide.
        """
        match = a_match(FirstPlayer.HIGHEST, 3)
        throw(match, (0, (3,)), (1, (4,)))

        match.fault(2, FaultKind.GONE, "gone")

        assert begins(match) == 1

    def test_may_leave_one_of_those_who_were_level(self) -> None:
        """
        Of two who were level the one that is left begins.
        """
        match = a_match(FirstPlayer.LOWEST, 3)
        throw(match, (0, (2,)), (1, (2,)), (2, (6,)))

        match.fault(0, FaultKind.GONE, "gone")

        assert begins(match) == 1

    def test_may_be_all_who_were_level(self) -> None:
        """
        When all who were level have gone at once, those they had beaten throw again.
        """
        match = a_match(FirstPlayer.LOWEST, 4)
        throw(match, (0, (2,)), (1, (6,)), (2, (2,)), (3, (6,)), (0, (4,)))

        match.no_show([Absence(0, "gone", ""), Absence(2, "gone", "")])
        assert begins(match) is None
        throw(match, (1, (6,)), (3, (5,)))

        assert begins(match) == 3

    def test_of_a_seat_that_was_beaten_changes_nothing(self) -> None:
        """
        A seat that is out of it may go; those who are level throw on.
        """
        match = a_match(FirstPlayer.LOWEST, 3)
        throw(match, (0, (2,)), (1, (2,)), (2, (6,)), (0, (5,)))

        match.fault(2, FaultKind.GONE, "gone")
        throw(match, (1, (4,)))

        assert begins(match) == 1

    def test_that_was_to_begin_lets_the_next_throw(self) -> None:
        """
        In a ruleset that names who begins, the turn passes on when that seat is not there.
        """
        match = a_match(FirstPlayer.SEAT_0, 3)

        match.no_show([Absence(0, "not there", "")])

        assert match.phase is Phase.THROW
        assert match.to_throw == (1, 1, 2)


def test_a_step_before_the_beginning_is_our_own_bug() -> None:
    """
    Nobody plays before it is settled who begins.
    """
    match = a_match(FirstPlayer.LOWEST, 2)

    with pytest.raises(RefereeBug, match="expected phase choice, is seating"):
        match.step(match.rules.steps(match.rules.throw(match.state, (5, 5)).state)[0], by="bot")  # type: ignore[arg-type]
