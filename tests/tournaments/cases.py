"""Plans and results for tests, as short as they can be said."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.match.events import Reason
from referee.match.faults import FaultKind
from referee.match.tally import SeatTally
from tournaments.plan import Plan, read
from tournaments.results import Result, SeatResult

HEAD = 'name = "cup"\nruleset = "winning_moves"\n'


def plan_text(
    bots: Sequence[str] = ("anna", "bert", "carl"), *, seats: int = 2, rounds: int = 1, more: str = ""
) -> str:
    """Return a plan in which built-in bots play under the names *bots*."""
    entrants = "".join(f'[[entrants]]\nname = "{bot}"\nbot = "builtin:random"\n' for bot in bots)
    return f"{HEAD}seats = {seats}\nrounds = {rounds}\n{more}\n{entrants}"


def plan(text: str | None = None, base: Path = Path()) -> Plan:
    """Return *text* as a plan."""
    return read("cup.toml", (text or plan_text()).encode(), base)


def result(
    number: int,
    places: Mapping[str, int],
    *,
    block: str | None = None,
    reasons: Mapping[str, Reason] | None = None,
    faults: Mapping[str, Mapping[FaultKind, int]] | None = None,
) -> Result:
    """Return a result in which entrants came to *places*; seats are numbered as they are listed."""
    usual = {name: Reason.WON if place == 1 else Reason.RACED for name, place in places.items()}
    return Result(
        number=number,
        game=f"game-{number}",
        block=block or f"block-{number}",
        throws=100,
        seats=tuple(
            SeatResult(
                seat=seat,
                name=name,
                place=place,
                reason=(reasons or {}).get(name, usual[name]),
                figures=SeatTally(
                    steps=50,
                    captures=2,
                    captured=1,
                    answers=10,
                    elapsed=10_000,
                    slowest=3_000 + seat,
                    lag=100,
                    faults=dict((faults or {}).get(name, {})),
                ),
            )
            for seat, (name, place) in enumerate(places.items())
        ),
    )
