"""A recorded game, told for a terminal."""

from io import StringIO

from referee.match.events import By, Faulted, Stepped, Voided
from referee.match.faults import FaultKind
from referee.match.match import Absence, Match
from referee.record.replay import replay_lines
from referee.record.show import show
from referee.rules.state import State, Step
from tests.fakes import ScriptedDice, a_setup, played, recorded, rules_of
from tests.record.games import a_record


def told(lines: list[str], to: int | None = None) -> list[str]:
    """Return what is shown of a record, line by line."""
    out = StringIO()
    show(replay_lines(lines), to, out)
    return out.getvalue().splitlines()


class TestShow:
    def test_tells_every_event_on_a_line_of_its_own(self) -> None:
        """
        Three lines say what is played, then each event has its number and its line.
        """
        for number in range(20):
            match, events, lines = a_record(number, 0.1)

            shown = told(lines)

            seats = len(match.seats)
            numbers = [int(line[:5]) for line in shown[1 + seats :] if line[:5].strip().isdigit()]
            assert numbers == list(range(1, len(events) + 1))

    def test_says_who_sits_where(self) -> None:
        """
        The header names the game, its rules, its commitment and its players.
        """
        setup = a_setup("racket", (0, 1, 2))

        shown = told(recorded(setup, []))

        assert shown[:4] == [
            f"game by racket, commitment {setup.commitment.hex()}",
            "  seat 0: ann (fake 1)",
            "  seat 1: ben (fake 1)",
            "  seat 2: cleo (fake 1)",
        ]
        assert shown[-1] == "       the game is not finished"

    def test_tells_what_a_bot_printed_in_plain_letters(self) -> None:
        """
        The last lines stand below the fault; what a terminal would obey is not among them.
        """
        printed = "".join(f"line {n}\n" for n in range(20)) + "\x1b[2J\x07gone\n\n"
        match = Match(a_setup("racket", (0, 2)), rules_of("racket"))
        match.fault(0, FaultKind.GONE, "it \x1b]0;hung\x07 up", stderr=printed)

        shown = told(recorded(match.setup, match.events))

        assert not any("\x1b" in line or "\x07" in line for line in shown)
        below = [line.strip() for line in shown if line.lstrip().startswith("|")]
        assert below == [*(f"| line {n}" for n in range(9, 20)), "| \ufffd[2J\ufffdgone"]

    def test_stops_where_it_is_told_to(self) -> None:
        """
        With a limit only the first events are told.
        """
        _, events, lines = a_record(1)

        assert told(lines, 5)[:-1] == told(lines)[: len(told(lines, 5)) - 1]
        assert len([line for line in told(lines, 5) if line[:5].strip().isdigit()]) == 5
        assert len(told(lines, len(events))) == len(told(lines, 10**9)) == len(told(lines))
        assert not any(line[:5].strip().isdigit() for line in told(lines, 0))

    def test_tells_steps_in_words(self) -> None:
        """
        A step says which pawn went from where to where, with what, and whom it captured.
        """
        match = Match(a_setup("racket"), rules_of("racket"))
        match.thrown((5, 2))
        match.step(Step(1, 5, 5), By.BOT, 1, 10, 0)
        match.step(Step(1, 2, 7), By.FORCED)

        shown = told(recorded(match.setup, match.events))

        assert shown[5:7] == [
            "    3      pawn 1: N to 5 with 5",
            "    4      pawn 1: 5 to 7 with 2 (forced)",
        ]

    def test_tells_captures_and_bonuses(self) -> None:
        """
        Whom a step captured and what a bonus brought is told with names.
        """
        match = Match(a_setup("racket", (0, 1, 2, 3)), rules_of("racket"))
        played(match, ScriptedDice())
        shown = "\n".join(told(recorded(match.setup, match.events)))

        assert any(isinstance(event, Stepped) and event.captured for event in match.events)
        assert "captures pawn" in shown
        assert "with bonus 20" in shown

    def test_tells_trouble(self) -> None:
        """
        Faults, lost seats, third doublets and void games are told with their reasons.
        """
        match = Match(a_setup("racket", (0, 1, 2)), rules_of("racket"))
        match.no_show([Absence(1, "it did not dial in", "")])
        match.state = State(((0,) * 4, None, (0,) * 4, None), 0)
        match.thrown((1, 1))
        match.thrown((1, 1))
        match.thrown((1, 1))
        match.fault(2, FaultKind.STALE, "ask 9 is not open")
        match.void("the machine broke")

        shown = told(recorded(match.setup, match.events))

        assert [line[7:].strip() for line in shown if "ben" in line][1:] == [
            "FAULT of ben: no_show, costs seat, strikes 0: it did not dial in",
            "ben loses the seat (no_show)",
        ]
        assert any("third doublet of ann: nothing returns" in line for line in shown)
        cleo = "FAULT of cleo: stale, costs strike, strikes 1: ask 9 is not open"
        assert any(cleo in line for line in shown)
        assert shown[-1].endswith("the game is void: the machine broke")
        assert any(isinstance(event, Faulted) for event in match.events)
        assert isinstance(match.events[-1], Voided)
