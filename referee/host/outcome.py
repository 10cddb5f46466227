"""What became of a game."""

from dataclasses import dataclass

from referee.match.events import Ended
from referee.match.tally import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """
    What became of a game: `ended`, or `voided` with the reason, or `adjourned`.

    An adjourned game's record can be gone on from; `trouble` says what stopped it where that was
    the machine (a full disk), else None.
    """

    game: str
    ended: Ended | None
    voided: str | None
    adjourned: bool
    tally: Tally
    throws: int
    trouble: str | None = None
