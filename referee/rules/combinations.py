"""
Which rulesets cannot be played: numbers out of range, and fields that leave each other no meaning.

Knows: why two values do not go together, and what would.
Does not know: how a rule is carried out, who wrote the ruleset or where.

What is refused here would be understood as a rule of the game, and no game could keep to it, or come to it.
Amounts may stand that nothing earns, as the sheets themselves say what a capture is worth in a game without
captures; so may a way to use the numbers of a throw that has but one. A bonus must be one that some pawn can
use, and leads no pawn to where it set out: there it would meet itself, and its own pair on the way.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from referee.errors import ConfigError
from referee.rules.board import SEATS
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    FirstPlayer,
    Fourteen,
    MustOpen,
    Pairs,
    Partner,
    Ruleset,
    SamePair,
    SingleNumber,
    SquareLimit,
    Teams,
    TeamWin,
    ThirdThrow,
)


class Clash(NamedTuple):
    """Why a ruleset cannot be played: the *fields* that do not go together, and a sentence."""

    fields: tuple[str, ...]
    sentence: str


RANGES: Final[Mapping[str, range]] = {
    "dice": range(1, 3),
    "first_player_dice": range(1, 3),
    "pawns_out_at_start": range(3),
    "capture_bonus": range(100),
    "home_bonus": range(100),
}
"""The numbers that each field with a number may hold."""

_ONE_DIE: Final[Mapping[str, tuple[frozenset[object], str]]] = {
    "doublet_faces": (frozenset({DoubletFaces.BOTH}), "top"),
    "fourteen": (frozenset({Fourteen.ALL_OR_NOTHING}), "as_possible"),
    "doublet_home": (frozenset({DoubletHome.WITH_FOURTEEN, DoubletHome.WHOLE_FOURTEEN}), "free"),
    "single_number": (frozenset({SingleNumber.LARGER}), "either"),
    "same_pair": (frozenset({SamePair.SECOND_STAYS}), "free or forbidden"),
    "must_open": (frozenset({MustOpen.ON_DOUBLET}), "none or on_six"),
    "extra_throw": (frozenset({ExtraThrow.DOUBLET}), "none or six"),
    "double_one_breaks": (frozenset({True}), "false"),
}
"""What speaks of doublets, or of two numbers, and so means nothing with one die; and what would be right."""

_TWO_DICE: Final[Mapping[str, tuple[frozenset[object], str]]] = {
    "must_open": (frozenset({MustOpen.ON_SIX}), "none or on_doublet"),
    "extra_throw": (frozenset({ExtraThrow.SIX}), "none or doublet"),
    "six_counts_seven": (frozenset({True}), "false"),
}
"""What speaks of the six of a single die; and what would be right."""


def require_playable(ruleset: Ruleset) -> None:
    """
    Refuse a ruleset that no game could keep to.

    Raises:
        ConfigError: Names the fields, why they cannot be played, and what would be right.
    """
    for clash in clashes(ruleset):
        raise ConfigError(f"ruleset {ruleset.name!r} cannot be played: {clash.sentence}")


def require_seats(ruleset: Ruleset, seats: int) -> None:
    """
    Refuse a game of so many *seats* by *ruleset*.

    Raises:
        ConfigError: The ruleset is one of teams, and these are not two of two.
    """
    if not may_seat(ruleset, seats):
        raise ConfigError(
            f"ruleset {ruleset.name!r} is for two teams of two, which take 4 seats, not {seats}"
        )


def may_seat(ruleset: Ruleset, seats: int) -> bool:
    """Tell whether so many *seats* may play by *ruleset*: teams take all four."""
    return ruleset.teams is Teams.NONE or seats == len(SEATS)


def clashes(ruleset: Ruleset) -> Iterator[Clash]:
    """Yield why *ruleset* cannot be played. Later ones rely on there being no earlier one."""
    for field, numbers in RANGES.items():
        value = getattr(ruleset, field)
        if type(value) is not int or value not in numbers:
            may = "1 or 2" if numbers[-1] == 2 and numbers[0] else f"a whole number from 0 to {numbers[-1]}"
            yield Clash((field,), f"{field} = {value!r}, where it must be {may}")
    if ruleset.dice == 1:
        yield from _dice(ruleset, _ONE_DIE, "one die throws no doublet and gives one number")
    else:
        yield from _dice(ruleset, _TWO_DICE, "a six alone is a throw of one die only")
    yield from _entries(ruleset)
    yield from _long_ways(ruleset)
    for (field, value), why, quiet in _nothing_to_say(ruleset):
        texts = ruleset.as_text()
        found = [other for other in quiet if getattr(ruleset, other) != quiet[other]]
        if found:
            there = " and ".join(f"{other} = {texts[other]}" for other in found)
            right = ", ".join(f"{other} = {quiet[other]}" for other in found)
            means = "means" if len(found) == 1 else "mean"
            yield Clash(
                (*found, field),
                f"{there} {means} nothing with {field} = {value}: {why}; right would be {right}",
            )


def _dice(
    ruleset: Ruleset, meaningless: Mapping[str, tuple[frozenset[object], str]], why: str
) -> Iterator[Clash]:
    texts = ruleset.as_text()
    found = {
        field: right for field, (values, right) in meaningless.items() if getattr(ruleset, field) in values
    }
    if found:
        there = ", ".join(f"{field} = {texts[field]}" for field in found)
        right = ", ".join(f"{field} = {value}" for field, value in found.items())
        yield Clash(
            (*found, "dice"),
            f"with dice = {ruleset.dice} it has {there}, but {why}; right would be {right}, "
            f"or dice = {3 - ruleset.dice}",
        )


def _entries(ruleset: Ruleset) -> Iterator[Clash]:
    board, entering = ruleset.board, ruleset.entry_capture
    if entering is not EntryCapture.ALONE and not board.safe.issuperset(board.entries):
        yield Clash(
            ("entry_capture", "board"),
            f"entry_capture = {entering} lets two colours share an entry, but on board = {board.name} "
            "entries are plain squares, on which pawns capture; right would be entry_capture = alone",
        )
    if entering is EntryCapture.WHEN_FULL and ruleset.square_limit is SquareLimit.TWO_OF_A_COLOUR:
        yield Clash(
            ("entry_capture", "square_limit"),
            "entry_capture = when_full captures on a square that is full with two pawns, but with "
            "square_limit = two_of_a_colour it is not full then; right would be square_limit = two, or "
            "entry_capture = alone or none",
        )


def _long_ways(ruleset: Ruleset) -> Iterator[Clash]:
    board = ruleset.board
    to_home = board.home - 1  # from the entry, where progress is 1
    longest = min(to_home, board.ring - 1) if ruleset.second_lap else to_home
    for field in ("capture_bonus", "home_bonus"):
        bonus = getattr(ruleset, field)
        if bonus <= longest:
            continue
        where = f"on board = {board.name}"
        right = f"right would be {field} = {longest} at most"
        if ruleset.second_lap and bonus >= board.ring:
            yield Clash(
                (field, "second_lap", "board"),
                f"{field} = {bonus} would lead a pawn all the way round {where}, whose ring has "
                f"{board.ring} squares, and with second_lap = true it could go there; {right}",
            )
        else:
            yield Clash(
                (field, "board"),
                f"{field} = {bonus} moves no pawn {where}, where the longest way is the {longest} squares "
                f"from entry to home; {right}",
            )


_Silence = tuple[tuple[str, str], str, Mapping[str, object]]
"""A field and its value, why that leaves others no meaning, and the value that each of these has then."""


def _nothing_to_say(ruleset: Ruleset) -> Iterator[_Silence]:
    """Yield what leaves other fields no meaning in *ruleset*."""
    if ruleset.teams is Teams.NONE:
        quiet: Mapping[str, object] = {"team_win": TeamWin.ONE_MEMBER, "partner": Partner.CAPTURE}
        yield ("teams", "none"), "there are no partners", quiet
    if ruleset.extra_throw is ExtraThrow.NONE:
        quiet = {"extra_throw_if": ExtraThrowIf.ALWAYS, "third_throw": ThirdThrow.NONE}
        yield ("extra_throw", "none"), "a turn has one throw", quiet
    if ruleset.first_player is FirstPlayer.SEAT_0:
        yield ("first_player", "seat_0"), "nobody throws for the beginning", {"first_player_dice": 1}
    if ruleset.doublet_faces is DoubletFaces.TOP:
        quiet = {"fourteen": Fourteen.AS_POSSIBLE}
        yield ("doublet_faces", "top"), "no doublet gives four numbers", quiet
    if not ruleset.capture_bonus and not ruleset.home_bonus:
        quiet = {"bonus_timing": BonusTiming.AFTER_NUMBERS}
        yield ("home_bonus", "0"), "with capture_bonus = 0 too, there are no bonuses", quiet
    if not ruleset.safe_sharing:
        quiet = {"square_limit": SquareLimit.TWO}
        if ruleset.entry_capture is EntryCapture.ALONE:
            quiet = {**quiet, "pairs": Pairs.SAME_COLOUR}
        yield ("safe_sharing", "false"), "opponents do not meet on a square that could hold more", quiet
    if ruleset.pairs is Pairs.MIXED_ON_SAFE:
        quiet = {"square_limit": SquareLimit.TWO}
        yield ("pairs", "mixed_on_safe"), "any two pawns shut a square to a third", quiet
