"""
The port between a game and whoever answers for one of its seats.

A game speaks to a `Player`; the player speaks back through the `Chair` it was given.
"""

from collections.abc import Sequence
from typing import Protocol

from referee.match.ask import Ask
from referee.match.faults import FaultKind
from referee.match.setup import Seated, Setup
from referee.match.verdict import Over, Verdict
from referee.rules.state import Step


class Chair(Protocol):
    """A seat in a game, as the player sees it. None of its calls wait or raise on bot input."""

    seat: int

    def ready(self) -> bool:
        """Accept the offer. Return whether it was open."""

    def absent(self, detail: str, stderr: str = "") -> None:
        """Turn the offer down, or tell that nobody is there to take it."""

    def sent(self, ask: int, now: float) -> None:
        """Tell that *ask* was handed to the transport at *now*; its clock starts."""

    def answered(self, ask: int, codes: Sequence[int], now: float) -> bool:
        """Give an answer that was read at *now*. Return whether it had been asked for."""

    def asked_at(self) -> float:
        """Return when the seat's open ask was sent; the end of all time where none is open."""

    def hold(self) -> None:
        """Stop the seat's clock: its player has gone, and the reason is being looked into."""

    def fault(self, kind: FaultKind, detail: str, raw: str = "", stderr: str = "") -> None:
        """Charge the seat with a fault that only its player can see."""


class Player(Protocol):
    """Whoever answers for a seat. None of its calls wait."""

    seated: Seated
    """Who it is; `seat` is filled in by the game."""
    wants_plays: bool
    wants_events: bool
    wants_confirmations: bool

    def printed(self) -> str:
        """Return the last lines of what it printed, as far as that can be known."""

    def offer(self, setup: Setup, chair: Chair, recorded: int) -> None:
        """Offer a seat; *recorded* counts the events that the game already has."""

    def ask(self, ask: Ask) -> Sequence[Step] | None:
        """Put a question. Return the steps at once, or None to answer through the chair."""

    def verdict(self, verdict: Verdict) -> None:
        """Tell what became of an answer."""

    def happened(self, game: int, lines: Sequence[str]) -> None:
        """Tell what happened, in the words of the record; only if `wants_events`."""

    def over(self, over: Over) -> None:
        """Tell that the game is over for this player; the chair must not be used any more."""
