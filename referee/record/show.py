"""A recorded game, told line by line for a terminal."""

from typing import Final, TextIO

from referee import __version__
from referee.match.events import (
    Begun,
    Ended,
    Event,
    Faulted,
    FirstThrown,
    Penalised,
    Revealed,
    SeatLost,
    Stepped,
    Thrown,
    Voided,
)
from referee.record.replay import Replayed
from referee.rules.board import Board
from referee.rules.meanings import differences
from referee.rules.names import taken_for
from referee.rules.notation import position_text, square_text, use_text
from referee.rules.ruleset import Ruleset

PRINTED_LINES: Final = 12
"""So many lines of what a bot printed are shown with a fault; the record has more."""


def plain(text: str) -> str:
    """Return *text* without anything that a terminal would obey: it may come from anywhere."""
    return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def printed_lines(text: str) -> list[str]:
    """Return the last lines of what a bot printed, as `plain` text."""
    return [plain(line) for line in text.splitlines() if line.strip()][-PRINTED_LINES:]


def show(done: Replayed, to: int | None, out: TextIO) -> None:
    """Write the first *to* events of a game to *out*, all if None."""
    setup = done.setup
    names = {seated.seat: seated.name for seated in setup.seats}
    print(plain(f"{setup.game} by {setup.ruleset.name}, commitment {setup.commitment.hex()}"), file=out)
    if misnamed := name_of_others(setup.ruleset):
        print(f"  {misnamed}", file=out)
    for seated in setup.seats:
        bot = " ".join(filter(None, (seated.bot, seated.version)))
        print(f"  seat {seated.seat}: {seated.name}" + (f" ({bot})" if bot else ""), file=out)
    for number, event in enumerate(done.events[:to], 1):
        print(f"{number:5}  {plain(_told(event, names, setup.ruleset.board))}", file=out)
        if isinstance(event, Faulted):
            for line in printed_lines(event.stderr):
                print(f"           | {line}", file=out)
    if not done.finished:
        print("       the game is not finished", file=out)


def name_of_others(played: Ruleset) -> str | None:
    """
    Return what there is to say of the name of the rules that were *played*; None if it is their own.

    A name that a registered ruleset has, or is taken for, belongs to its fields. Whether somebody gave it to
    others, or the record is of a version in which the ruleset was another one, cannot be seen.
    """
    known = taken_for(played)
    if known is None:
        return None
    field, its, here = differences(known, played)[0]
    more = len(differences(known, played)) - 1
    others = (
        f", and {more} more fields differ" if more > 1 else ", and one more field differs" if more else ""
    )
    return (
        f"the rules are called {played.name!r} but are not those of {known.name} in this version, "
        f"{__version__}: {field} is {here}, not {its}{others}; either they were given that name, or they are "
        f"{known.name} as another version had it"
    )


def _told(event: Event, names: dict[int, str], board: Board) -> str:
    match event:
        case FirstThrown(seat, _, dice):
            return f"{names[seat]} throws {_dice(dice)} for the beginning"
        case Begun(seat, position, arrived):
            return f"{names[seat]} begins   {position_text(board, position, arrived)}"
        case Thrown(seat, _, dice, position, arrived):
            return f"{names[seat]} throws {_dice(dice)}   {position_text(board, position, arrived)}"
        case Penalised(seat, pawn):
            back = "nothing returns" if pawn is None else f"pawn {pawn} returns to its nest"
            return f"    third doublet of {names[seat]}: {back}"
        case Stepped():
            return f"    {_step(event, names)}"
        case Faulted(seat, _, kind, cost, detail, _, strikes, _, _):
            return (
                f"    FAULT of {names[seat]}: {kind.value}, costs {cost.value}, strikes {strikes}: {detail}"
            )
        case SeatLost(seat, kind):
            return f"    {names[seat]} loses the seat ({kind.value})"
        case Ended(seats, places, reasons, position, arrived):
            told = ", ".join(
                f"{place}. {names[seat]} ({reason.value})"
                for place, seat, reason in sorted(zip(places, seats, reasons, strict=True))
            )
            return f"the end: {told}   {position_text(board, position, arrived)}"
        case Voided(detail):
            return f"the game is void: {detail}"
        case Revealed(seed):
            return f"the seed was {seed.hex()}"


def _dice(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice))


def _step(event: Stepped, names: dict[int, str]) -> str:
    way = f"{square_text(event.origin)} to {square_text(event.square)}"
    told = f"pawn {event.pawn}: {way} with {use_text(event.use)}"
    for seat, pawn in event.captured:
        told += f", captures pawn {pawn} of {names[seat]}"
    return told if event.by.value == "bot" else f"{told} ({event.by.value})"
