"""The figures of a game, counted up event by event."""

from referee.match.events import By, Faulted, Stepped, Thrown
from referee.match.faults import Cost, FaultKind
from referee.match.match import Match
from referee.match.tally import SeatTally, Tally
from tests.fakes import ScriptedDice, a_setup, played, rules_of
from tests.match.driver import by_chance

NEST = (0, 0, 0, 0)


def stepped(
    seat: int,
    by: By = By.BOT,
    elapsed: int | None = None,
    lag: int | None = None,
    captured: tuple[int, ...] = (),
) -> Stepped:
    """Return a step of *seat* that captures a pawn of each of *captured*."""
    return Stepped(seat, 0, 1, 5, 6, tuple((victim, 0) for victim in captured), by, 1, elapsed, lag, None)


def faulted(seat: int, kind: FaultKind) -> Faulted:
    return Faulted(seat, 1, kind, Cost.STRIKE, "why", 2_000_000, 1, "", "")


class TestTally:
    def test_begins_at_nothing(self) -> None:
        """
        A seat that did nothing has figures too.
        """
        assert Tally((0, 2)).seats == {0: SeatTally(), 2: SeatTally()}

    def test_counts_steps_by_whoever_chose_them(self) -> None:
        """
        A pawn that moved is a step, be it by the bot, forced, or a substitute.
        """
        tally = Tally((0, 2))

        tally.count([stepped(0, by) for by in By])

        assert tally.seats[0].steps == 3
        assert tally.seats[2].steps == 0

    def test_counts_captures_for_both_sides(self) -> None:
        """
        Who captures and who is captured both have it in their figures.
        """
        tally = Tally((0, 1, 2))

        tally.count([stepped(0, captured=(1, 2)), stepped(2, captured=(1,))])

        assert [(s.captures, s.captured) for s in tally.seats.values()] == [(2, 0), (0, 2), (1, 1)]

    def test_counts_the_time_of_answers_only(self) -> None:
        """
        An answer is a step with a time; the steps behind it, forced ones and substitutes have none.
        """
        tally = Tally((0,))

        tally.count(
            [
                stepped(0, elapsed=400, lag=30),
                stepped(0),
                stepped(0, By.FORCED),
                stepped(0, By.SUBSTITUTE),
                stepped(0, elapsed=0, lag=0),
                stepped(0, elapsed=900, lag=5),
            ]
        )

        seat = tally.seats[0]
        assert (seat.answers, seat.elapsed, seat.lag, seat.slowest) == (3, 1300, 35, 900)

    def test_counts_faults_by_kind(self) -> None:
        """
        Every fault is counted under its kind, whatever it cost; its time is no answer's.
        """
        tally = Tally((0, 2))

        tally.count([faulted(0, FaultKind.LATE), faulted(0, FaultKind.LATE), faulted(0, FaultKind.STALE)])

        assert tally.seats[0].faults == {FaultKind.LATE: 2, FaultKind.STALE: 1}
        assert tally.seats[0].answers == 0
        assert tally.seats[2].faults == {}

    def test_goes_on_where_it_stopped(self) -> None:
        """
        Counting in two parts is counting once: a game that is gone on with has all its figures.
        """
        for seed in range(10):
            match, _ = by_chance(seed, 0.05)
            for cut in range(0, len(match.events), 7):
                once, twice = Tally(match.seats), Tally(match.seats)

                once.count(match.events)
                twice.count(match.events[:cut])
                twice.count(match.events[cut:])

                assert once.seats == twice.seats

    def test_passes_over_what_has_no_figure(self) -> None:
        """
        A throw is nobody's merit.
        """
        tally = Tally((0,))

        tally.count([Thrown(0, 1, (5, 5), (NEST, None, NEST, None))])

        assert tally.seats == {0: SeatTally()}

    def test_adds_up_in_a_whole_game(self) -> None:
        """
        In a whole game as many pawns are captured as capture, and each step is somebody's.
        """
        match = Match(a_setup(seats=(0, 1, 2, 3)), rules_of("winning_moves"))
        events = played(match, ScriptedDice())
        tally = Tally(match.seats)

        tally.count(events)

        seats = tally.seats.values()
        assert sum(s.captures for s in seats) == sum(s.captured for s in seats) > 0
        assert sum(s.steps for s in seats) == sum(isinstance(event, Stepped) for event in events)
        assert sum(s.answers for s in seats) == match.asks
