"""A seat that one of our own strategies answers for, inside this process."""

from collections.abc import Sequence

from referee import __version__
from referee.match.ask import Ask
from referee.match.setup import Seated, Setup
from referee.match.verdict import Over, Verdict
from referee.rules.engine import Rules
from referee.rules.state import Step
from referee.seats.player import Chair
from referee.seats.strategies import strategy


class BuiltinPlayer:
    """Answers at once, by a strategy of `strategies.py`."""

    wants_plays = False
    wants_events = False
    wants_confirmations = False

    def __init__(self, name: str, strategy_name: str, rules: Rules) -> None:
        """
        Sit down as *name* with the strategy called *strategy_name*.

        Raises:
            UnknownName: There is no such strategy.
        """
        self.seated = Seated(
            seat=0, name=name, bot=f"builtin:{strategy_name}", version=__version__, language="python"
        )
        self._choose = strategy(strategy_name)
        self._rules = rules

    def printed(self) -> str:
        """Print nothing."""
        return ""

    def offer(self, setup: Setup, chair: Chair, recorded: int) -> None:
        """Accept."""
        chair.ready()

    def ask(self, ask: Ask) -> Sequence[Step]:
        """Choose."""
        return self._choose(self._rules, ask)

    def verdict(self, verdict: Verdict) -> None:
        """Need no telling."""

    def happened(self, game: int, lines: Sequence[str]) -> None:
        """Need no telling."""

    def over(self, over: Over) -> None:
        """Have nothing to put away."""


class AbsentPlayer:
    """A seat whose bot could not be had: it is charged as a no-show when it is offered the seat."""

    wants_plays = False
    wants_events = False
    wants_confirmations = False

    def __init__(self, name: str, bot: str, detail: str, stderr: str) -> None:
        """Remember why, and the tail of the bot's standard error."""
        self.seated = Seated(seat=0, name=name, bot=bot)
        self._detail = detail
        self._stderr = stderr

    def printed(self) -> str:
        """Return the tail of the bot's standard error."""
        return self._stderr

    def offer(self, setup: Setup, chair: Chair, recorded: int) -> None:
        """Be absent."""
        chair.absent(self._detail, self._stderr)

    def ask(self, ask: Ask) -> None:
        """Never happen: an absent seat is not asked."""

    def verdict(self, verdict: Verdict) -> None:
        """Hear nothing."""

    def happened(self, game: int, lines: Sequence[str]) -> None:
        """Hear nothing."""

    def over(self, over: Over) -> None:
        """Hear nothing."""
