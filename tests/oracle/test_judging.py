"""What the comparison of engine and checker finds: an engine that is made to err is found out."""

from collections.abc import Callable

import pytest

from referee.rules.plays import Play
from referee.rules.state import State
from tests.oracle.judging import Referee, with_pawns_alike
from tests.oracle.possible import Moves
from tests.oracle.sheets import HASBRO
from tests.oracle.squares import position_from

Plays = list[Play]


class TestPlaysThatTurnAwayFromAWin:
    """
    `66` wins with 5 and 5, or goes 2, 2 and 5 by the most numbers.

    After one 5 the seat may turn away from the win, and what it then may do is judged by what is left.
    """

    @pytest.fixture
    def referee(self) -> Referee:
        return Referee(HASBRO)

    @pytest.fixture
    def asked(self, referee: Referee) -> tuple[State, list[Moves]]:
        """Return the state, and what the checker keeps."""
        before = State(position_from(HASBRO.board, "H,H,H,66/N,H,N,N/N,H,N,H/N,N,N,N"), 0)
        state = referee.checker.throw(before, (5, 5))
        return state, referee.checker.plays(state)

    def change(
        self, monkeypatch: pytest.MonkeyPatch, referee: Referee, changed: Callable[[Plays], Plays]
    ) -> None:
        """Let the engine give other plays."""
        plays = referee.engine.plays
        monkeypatch.setattr(referee.engine, "plays", lambda *asked: (changed(plays(*asked)[0]), False))

    def test_end_elsewhere_than_those_kept(self, referee: Referee, asked: tuple[State, list[Moves]]) -> None:
        """
        One end is beyond those kept, and is reached.
        """
        state, kept = asked

        referee.compare_plays(state, kept)

        ends = {referee.end(moves[-1].after.men, 0) for moves in kept}
        plays, _ = referee.engine.plays(state)
        assert ends < {with_pawns_alike(play.position, play.arrived, 0) for play in plays}
        assert referee.counts["turned away from a win"] == 1

    def test_excuse_no_end_that_is_missing(
        self, referee: Referee, asked: tuple[State, list[Moves]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """
        All that is kept must be reached, the win too.
        """
        self.change(monkeypatch, referee, lambda plays: [p for p in plays if p.position[0] != (72,) * 4])

        with pytest.raises(AssertionError, match="ends that are kept and not reached"):
            referee.compare_plays(*asked)

    def test_excuse_no_end_that_is_reached_otherwise(
        self, referee: Referee, asked: tuple[State, list[Moves]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """
        What is reached beyond that is what follows a step with which the game could still be won.
        """
        other = position_from(HASBRO.board, "H,H,H,68/N,H,N,N/N,H,N,H/N,N,N,N")
        self.change(monkeypatch, referee, lambda plays: [*plays, plays[0]._replace(position=other)])

        with pytest.raises(AssertionError, match="without a win to turn away from"):
            referee.compare_plays(*asked)
