"""Games of two teams: who wins, what a lost seat costs its partner, who is ahead at the limit of throws."""

from collections.abc import Sequence

import pytest

from referee.match.events import By, Ended, Reason, Stepped
from referee.match.faults import FaultKind
from referee.match.match import Absence, Match
from referee.match.phases import Phase
from referee.rules.board import SEATS
from referee.rules.notation import position_from_text
from referee.rules.state import State, Step
from tests.fakes import RELAY, a_setup, rules_of

WON, RACED, LIMIT, FAULT, LAST = Reason.WON, Reason.RACED, Reason.LIMIT, Reason.FAULT, Reason.LAST_STANDING
ONE_MEMBER = "pressman_teams"
BOTH_MEMBERS = RELAY.name


def a_match(rules: str, position: str, seat: int = 0, max_throws: int = 0) -> Match:
    """Return a match in which *seat* is to throw on *position*."""
    match = Match(a_setup(rules, SEATS, max_throws=max_throws), rules_of(rules))
    pawns, arrived = position_from_text(match.setup.ruleset, position)
    match.state = State(pawns, seat, arrived=arrived)
    match.phase = Phase.THROW
    match.events.clear()
    return match


def ending(match: Match) -> tuple[tuple[int, ...], tuple[Reason, ...]]:
    """Return the places and reasons with which *match* has ended, by its last event."""
    assert match.phase is Phase.OVER
    assert isinstance(match.events[-1], Ended)
    assert match.ended == match.events[-1]
    return match.ended.places, match.ended.reasons


def lose(match: Match, *seats: int) -> None:
    """Let *seats* be lost at the same moment."""
    match.no_show([Absence(seat, "gone", "") for seat in seats])


class TestWinning:
    def test_one_member_wins_for_both(self) -> None:
        """
        The fourth pawn of one seat ends the game: its partner is first too, the others are second.
        """
        match = a_match(ONE_MEMBER, "L7,H,H,H/H,H,H,N/N,N,N,N/N,N,N,N")

        match.thrown((1, 2))
        match.step(Step(0, 1, 99), By.FORCED)

        assert ending(match) == ((1, 2, 1, 2), (WON, RACED, WON, RACED))

    def test_both_members_must_come_home(self) -> None:
        """
        A seat that has finished ends its throw and plays the next with its partner's pawns.
        """
        match = a_match(BOTH_MEMBERS, "L7,H,H,H/N,N,N,N/L6,H,H,H/N,N,N,N")
        match.thrown((1, 3))
        match.step(Step(0, 1, 99), By.FORCED)
        assert match.phase is Phase.THROW
        assert match.state.bonuses == match.state.numbers == ()
        for seat in (3, 2, 1):
            assert match.state.seat == seat
            match.thrown((4, 6))

        assert match.state.seat == 0
        match.thrown((2, 3))
        match.step(Step(0, 2, 99), By.FORCED)

        stepped = match.events[-2]
        assert isinstance(stepped, Stepped)
        assert (stepped.seat, stepped.origin, stepped.square) == (0, 76, 99)
        assert ending(match) == ((1, 2, 1, 2), (WON, RACED, WON, RACED))


class TestLostSeat:
    def test_leaves_its_partner_to_win(self) -> None:
        """
        Where one member is enough, the other plays on, and wins alone.
        """
        match = a_match(ONE_MEMBER, "N,N,N,N/N,N,N,N/L7,H,H,H/N,N,N,N")

        lose(match, 0)
        assert match.phase is Phase.THROW
        assert match.state.seat == 3  # turns go against the pawns
        match.thrown((1, 2))
        match.thrown((1, 2))
        match.step(Step(0, 1, 99), By.FORCED)

        assert ending(match) == ((4, 2, 1, 2), (FAULT, RACED, WON, RACED))

    def test_loses_the_game_where_both_must_come_home(self) -> None:
        """
        The other team has won at once; who kept the seat is before the one who lost it.
        """
        match = a_match(BOTH_MEMBERS, "H,H,H,H/N,N,N,N/L7,H,H,H/N,N,N,N")

        match.fault(0, FaultKind.GONE, "why")

        assert ending(match) == ((4, 1, 2, 1), (FAULT, LAST, RACED, LAST))

    @pytest.mark.parametrize("rules", [ONE_MEMBER, BOTH_MEMBERS])
    @pytest.mark.parametrize("together", [True, False], ids=["together", "one by one"])
    def test_both_of_a_team_leave_the_game_to_the_others(self, rules: str, together: bool) -> None:
        """
        The team that is left has won, whatever it had reached.
        """
        match = a_match(rules, "H,H,H,N/N,N,N,N/H,H,N,N/N,N,N,N")

        if together:
            lose(match, 0, 2)
            assert ending(match) == ((3, 1, 3, 1), (FAULT, LAST, FAULT, LAST))
            return
        lose(match, 2)
        if rules == ONE_MEMBER:
            lose(match, 0)
            assert ending(match) == ((3, 1, 4, 1), (FAULT, LAST, FAULT, LAST))
        else:
            assert ending(match) == ((2, 1, 4, 1), (RACED, LAST, FAULT, LAST))

    @pytest.mark.parametrize("rules", [ONE_MEMBER, BOTH_MEMBERS])
    def test_all_four_leave_no_winner(self, rules: str) -> None:
        """
        Where nobody is left nobody is first.
        """
        match = a_match(rules, "H,H,H,N/N,N,N,N/H,H,N,N/N,N,N,N")

        lose(match, *SEATS)

        assert ending(match) == ((4,) * 4, (FAULT,) * 4)

    def test_of_each_team_leaves_no_winner_where_both_must_come_home(self) -> None:
        """
        Neither team can win any more: those who are left are placed by what they have reached.
        """
        match = a_match(BOTH_MEMBERS, "H,H,H,N/N,N,N,N/H,H,N,N/N,N,N,N")

        lose(match, 0, 1)

        assert ending(match) == ((3, 3, 1, 2), (FAULT, FAULT, RACED, RACED))

    def test_of_each_team_leaves_two_to_play_where_one_is_enough(self) -> None:
        """
        One member of each team goes on.
        """
        match = a_match(ONE_MEMBER, "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N")

        lose(match, 0, 1)

        assert match.phase is Phase.THROW
        assert match.state.seat in (2, 3)


class TestLimit:
    @pytest.mark.parametrize("rules", [ONE_MEMBER, BOTH_MEMBERS])
    @pytest.mark.parametrize(
        ("position", "places"),
        [
            pytest.param("H,N,N,N/L1,L2,L3,L4/N,N,N,N/N,N,N,N", (1, 2, 1, 2), id="pawns at home first"),
            pytest.param("H,N,N,N/N,N,N,N/N,N,N,N/H,5,N,N", (2, 1, 2, 1), id="of both members, then squares"),
            pytest.param("H,N,N,N/N,N,N,N/N,N,N,N/H,N,N,N", (1, 1, 1, 1), id="equal sums share"),
        ],
    )
    def test_compares_teams_by_their_sums(self, rules: str, position: str, places: Sequence[int]) -> None:
        """
        Partners share their place, and nobody has won.
        """
        match = a_match(rules, position, max_throws=1)

        match.thrown((1, 2))
        while match.phase is Phase.CHOICE:
            match.step(match.legal[0], By.FORCED)

        assert ending(match) == (places, (LIMIT,) * 4)
