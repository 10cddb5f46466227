"""
What can make two rulesets differ: one frozen value, a field for each row of the rule book.

Knows: the fields, the values that each may have and their spellings, how a ruleset is written down and named
by its digest.
Does not know: what a value means in words (`meanings.py`), which values go together (`combinations.py`), how
a rule is carried out (`engine.py`), which rulesets exist (`rulesets/`).

Each enumeration is the kind of one field and says what that decides. What each of its values means is told
once, in `meanings.MEANINGS` under the name of the field, for people and for pages alike. Every value travels
under its spelling here in messages and records, so a spelling never changes.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from referee.errors import NotBuilt
from referee.rules.board import BOARDS, Board


class FirstPlayer(StrEnum):
    """Who begins."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    SEAT_0 = "seat_0"


class TurnOrder(StrEnum):
    """Which way turns go round the table: with the direction of travel, or against it."""

    WITH = "with"
    AGAINST = "against"


class MustEnter(StrEnum):
    """Whether a five must bring a pawn in."""

    NEVER = "never"
    WHEN_POSSIBLE = "when_possible"
    MOST = "most"


class Capture(StrEnum):
    """Which opponent's pawns a moving pawn captures."""

    NONE = "none"
    LANDING = "landing"
    PASSING = "passing"


class EntryCapture(StrEnum):
    """What entering does to opponents on the entry square."""

    NONE = "none"
    ALONE = "alone"
    WHEN_FULL = "when_full"


class SquareLimit(StrEnum):
    """How many pawns a square holds."""

    TWO = "two"
    TWO_OF_A_COLOUR = "two_of_a_colour"


class Pairs(StrEnum):
    """Which two pawns on a square block it."""

    SAME_COLOUR = "same_colour"
    MIXED_ON_SAFE = "mixed_on_safe"


class BonusTiming(StrEnum):
    """When a bonus may be used within its throw."""

    AFTER_NUMBERS = "after_numbers"
    AT_ONCE = "at_once"
    ANY_TIME = "any_time"


class DoubletFaces(StrEnum):
    """Whether a doublet gives its opposite faces too, when no pawn is in its nest."""

    TOP = "top"
    BOTH = "both"


class Fourteen(StrEnum):
    """Whether the four numbers of a doublet must all be used, or none."""

    AS_POSSIBLE = "as_possible"
    ALL_OR_NOTHING = "all_or_nothing"


class DoubletHome(StrEnum):
    """Whether a number of a doublet brings a pawn home."""

    FREE = "free"
    WITH_FOURTEEN = "with_fourteen"
    WHOLE_FOURTEEN = "whole_fourteen"


class Use(StrEnum):
    """How much of the throw must be used."""

    MAXIMAL = "maximal"
    GREEDY = "greedy"


class SingleNumber(StrEnum):
    """Which of two different numbers must be used where only one can be."""

    EITHER = "either"
    LARGER = "larger"


class SamePair(StrEnum):
    """Whether a pair may be moved as a pair within one throw."""

    FREE = "free"
    FORBIDDEN = "forbidden"
    SECOND_STAYS = "second_stays"


class MustOpen(StrEnum):
    """Which throw obliges a seat to open a pair of its own."""

    NONE = "none"
    ON_SIX = "on_six"
    ON_DOUBLET = "on_doublet"


class ExtraThrow(StrEnum):
    """Which throw gives another one."""

    NONE = "none"
    DOUBLET = "doublet"
    SIX = "six"


class ExtraThrowIf(StrEnum):
    """What must have been played for the extra throw to be given."""

    ALWAYS = "always"
    PLAYED = "played"
    ALL_USED = "all_used"


class ThirdThrow(StrEnum):
    """What the third doublet (six) of a turn costs."""

    NONE = "none"
    NEAREST_HOME = "nearest_home"
    LAST_MOVED = "last_moved"


class Teams(StrEnum):
    """Whether seats 0+2 play against 1+3."""

    NONE = "none"
    PAIRS = "pairs"


class TeamWin(StrEnum):
    """When a team has won."""

    ONE_MEMBER = "one_member"
    BOTH_MEMBERS = "both_members"


class Partner(StrEnum):
    """What a partner's pawns are to each other."""

    CAPTURE = "capture"
    PAIR = "pair"


ABOUT: Final = frozenset({"name", "source", "readings"})
"""Fields that tell of a ruleset and are no rules: neither texts nor digests hold them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """
    One set of rules, complete. What each field decides and each of its values means is told in `meanings.py`.

    The defaults are those of most sheets; where a field adds a rule, the value that adds nothing.
    Bonuses are squares, and 0 gives none. What else a number may be is in `combinations.RANGES`.

    `readings` says of which fields the printed sheet is silent or unclear, and why they are as they are:
    pairs of a field and a few words. Two rulesets that differ in them alone are equal.
    """

    name: str
    source: str = ""
    readings: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    board: Board
    dice: int
    first_player: FirstPlayer
    first_player_dice: int = 1
    turn_order: TurnOrder = TurnOrder.WITH
    pawns_out_at_start: int = 0
    must_enter: MustEnter
    capture: Capture = Capture.LANDING
    entry_capture: EntryCapture = EntryCapture.ALONE
    safe_sharing: bool = False
    square_limit: SquareLimit = SquareLimit.TWO
    pairs: Pairs = Pairs.SAME_COLOUR
    lane_pairs_block: bool = True
    capture_bonus: int = 20
    home_bonus: int = 10
    bonus_timing: BonusTiming = BonusTiming.AFTER_NUMBERS
    doublet_faces: DoubletFaces = DoubletFaces.TOP
    fourteen: Fourteen = Fourteen.AS_POSSIBLE
    doublet_home: DoubletHome = DoubletHome.FREE
    use: Use
    single_number: SingleNumber = SingleNumber.EITHER
    same_pair: SamePair = SamePair.FREE
    must_open: MustOpen = MustOpen.NONE
    extra_throw: ExtraThrow = ExtraThrow.DOUBLET
    extra_throw_if: ExtraThrowIf = ExtraThrowIf.ALWAYS
    third_throw: ThirdThrow = ThirdThrow.NONE
    six_counts_seven: bool = False
    second_lap: bool = False
    double_one_breaks: bool = False
    teams: Teams = Teams.NONE
    team_win: TeamWin = TeamWin.ONE_MEMBER
    partner: Partner = Partner.CAPTURE

    def as_text(self) -> dict[str, str]:
        """Return every field but those `ABOUT` the ruleset as text, in the order of the rule book."""
        return {name: _text(value) for name, value in self._items() if name not in ABOUT}

    def digest(self) -> bytes:
        """Return SHA-256 over the sorted lines `field=value`, each ended by a line feed: 32 bytes."""
        lines = sorted(f"{name}={text}\n" for name, text in self.as_text().items())
        return hashlib.sha256("".join(lines).encode()).digest()

    def _items(self) -> Iterator[tuple[str, object]]:
        return ((entry.name, getattr(self, entry.name)) for entry in fields(self))


def kinds() -> Mapping[str, Any]:
    """Return the type of every field but those `ABOUT` the ruleset, in the order of the rule book."""
    return {entry.name: entry.type for entry in fields(Ruleset) if entry.name not in ABOUT}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.name if isinstance(value, Board) else str(value)


def from_text(name: str, texts: Mapping[str, str]) -> Ruleset:
    """
    Return the ruleset called *name* that `as_text` described, as a record holds it.

    Raises:
        NotBuilt: A field or a value that this version does not know, or one that is missing.
    """
    known = kinds()
    if unknown := sorted(texts.keys() - known.keys()):
        raise NotBuilt(f"ruleset {name!r} has the field {unknown[0]!r}, which this version does not know")
    if missing := sorted(known.keys() - texts.keys()):
        raise NotBuilt(f"ruleset {name!r} lacks the field {missing[0]!r}")
    values = {key: _value(name, key, known[key], text) for key, text in texts.items()}
    return Ruleset(name=name, **values)  # type: ignore[arg-type]


def _value(ruleset: str, field: str, kind: object, text: str) -> object:
    try:
        if kind is Board:
            return BOARDS[text]
        if kind is bool:
            return {"true": True, "false": False}[text]
        assert isinstance(kind, type)
        return kind(text)
    except (KeyError, ValueError):
        raise NotBuilt(
            f"ruleset {ruleset!r} has {field} = {text!r}, which this version does not know"
        ) from None
