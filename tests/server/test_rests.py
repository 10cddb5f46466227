"""
How long a bot rests that does not play the games it is offered.
"""

from referee.server.rests import Rests


class TestRests:
    def test_grow_up_to_a_limit(self) -> None:
        """
        Each rest is twice as long as the one before; the longest is five minutes.
        """
        rests = Rests()
        now = 0.0
        lengths = []
        for _ in range(11):
            lengths.append(rests.missed("alice", now))
            now += lengths[-1]

        assert lengths == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]

    def test_begin_anew_when_the_bot_has_played(self) -> None:
        """
        What was missed before a game that was played does not count any more.
        """
        rests = Rests()
        rests.missed("alice", 0)
        rests.missed("alice", 10)

        rests.played("alice")

        assert not rests.rests("alice", 10)
        assert rests.missed("alice", 20) == 1

    def test_are_one_for_games_side_by_side(self) -> None:
        """
        Eight games that were missed at one moment are one mistake.
        """
        rests = Rests()

        assert [rests.missed("alice", 0.25 * game) for game in range(4)] == [1, 0.75, 0.5, 0.25]
        assert rests.missed("alice", 1) == 2

    def test_end_one_after_the_other(self) -> None:
        """
        Whoever waits for the end of a rest is told the next one; who does not rest is not waited for.
        """
        rests = Rests()
        rests.missed("alice", 0)
        rests.missed("ben", 0.5)

        assert [rests.next_end(now) for now in (0.5, 1.0, 1.5)] == [0.5, 0.5, None]
        assert [rests.rests("alice", now) for now in (0.5, 1.0)] == [True, False]
        assert not rests.rests("carl", 0)
