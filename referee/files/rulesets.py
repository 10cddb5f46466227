"""
An organiser's own ruleset: a TOML file, or a table in one, that says what differs from another.

Knows: which keys there are, how a file extends another, how a wrong value is told.
Does not know: what a rule means, who asks. `docs/rulesets.md` tells organisers.
"""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.errors import ConfigError
from referee.files.source import Section, Source, read_file
from referee.rules.board import BOARDS, Board
from referee.rules.combinations import RANGES, clashes
from referee.rules.names import FILE_ENDING, LONGEST, taken_for, wrong_with_name
from referee.rules.ruleset import Ruleset, kinds
from referee.rules.rulesets import RULESETS, ruleset

ENDING: Final = FILE_ENDING
LONGEST_NAME: Final = LONGEST
LONGEST_SOURCE: Final = 200
MOST_BYTES: Final = 16 << 10
"""So long may a file with a ruleset be, comments and all; every field with its value takes a tenth of it."""

MOST_FILES: Final = 16
"""So many files may extend each other, one after the other."""

_ABOUT: Final = ("extends", "name", "source")
"""The keys that are no fields of a ruleset."""


class Own(NamedTuple):
    """An organiser's *ruleset*, and the *parent* that it extends."""

    ruleset: Ruleset
    parent: Ruleset


def ruleset_called(text: str, base: Path) -> Ruleset:
    """
    Return the ruleset that *text* names: a registered one, or a file, which is looked for from *base*.

    Raises:
        ConfigError: There is none, or the file is wrong; one sentence.
    """
    return own_ruleset(base / text).ruleset if text.endswith(ENDING) else ruleset(text)


def own_ruleset(path: Path) -> Own:
    """
    Return the ruleset that the file *path* holds.

    Raises:
        ConfigError: It cannot be read or is wrong; one sentence with file, line and key.
    """
    return _in_file(path, ())


def extended(
    section: Section, base: Path, title: str, *, source: str = "", elsewhere: Sequence[str] = ()
) -> Own:
    """
    Return the ruleset that *section* holds; files that it extends are looked for from *base*.

    *title* and *source* are its name and its source if it has none of its own. Keys that are known
    *elsewhere* in the text are told to belong there.

    Raises:
        ConfigError: Anything in it is wrong; one sentence with file, line and key.
    """
    return _extended(section, base, (title, source), tuple(elsewhere), ())


def _in_file(path: Path, chain: tuple[Path, ...]) -> Own:
    return _in_text(path, read_file(path, MOST_BYTES, "a ruleset"), chain)


def _in_text(path: Path, text: bytes, chain: tuple[Path, ...]) -> Own:
    section = Source(str(path), text, "a ruleset").table()
    for key in section:
        if isinstance(section.raw(key), dict) and key not in (*_ABOUT, *kinds()):
            raise section.wrong(
                key,
                " is a table, and a file with a ruleset has none: write its keys without a [header], which "
                "belongs in the plan of a tournament",
            )
    told = (path.stem, f"{path.name}, an organiser's own")
    return _extended(section, path.parent, told, (), (*chain, path.resolve()))


def _extended(
    section: Section, base: Path, told: tuple[str, str], elsewhere: Sequence[str], chain: tuple[Path, ...]
) -> Own:
    fields = kinds()
    parent = _parent(section, base, chain)
    section.refuse_unknown((*_ABOUT, *fields), elsewhere)
    values = {key: _value(section, key, fields[key]) for key in section if key in fields}
    title, source = told
    found = replace(
        parent,
        name=_name(section, title),
        source=_source(section, source or title),
        readings=tuple((key, why) for key, why in parent.readings if key not in values),
        **values,
    )
    for clash in clashes(found):
        blamed = next((key for key in clash.fields if key in section), "extends")
        raise section.wrong(blamed, f": {clash.sentence}")
    _refuse_taken(section, found)
    return Own(found, parent)


def _parent(section: Section, base: Path, chain: tuple[Path, ...]) -> Ruleset:
    if "extends" not in section:
        raise section.wrong(
            "extends", " is missing: write extends = 'winning_moves', or what else it extends"
        )
    text = section.text("extends")
    if text.endswith(ENDING):
        path = base / text
        try:
            told = read_file(path, MOST_BYTES, "a ruleset")
        except ConfigError as error:
            raise section.wrong("extends", f": {error}") from None
        if path.resolve() in chain:
            ring = " > ".join(file.name for file in (*chain[chain.index(path.resolve()) :], path))
            raise section.wrong("extends", f": a file cannot extend itself: {ring}")
        if len(chain) >= MOST_FILES:
            raise section.wrong("extends", f": more than {MOST_FILES} files extend each other")
        return _in_text(path, told, chain).ruleset
    if text not in RULESETS:
        near = get_close_matches(text.lower(), RULESETS, n=3)
        right = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(sorted(RULESETS))}"
        shown = text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 3]}..."
        raise section.wrong("extends", f": there is no ruleset called {shown!r}; {right}")
    return RULESETS[text]


def _value(section: Section, key: str, kind: Any) -> Any:
    if kind is bool:
        return section.flag(key, default=False)
    if kind is int:
        return section.whole(key, low=RANGES[key][0], high=RANGES[key][-1])
    values = BOARDS if kind is Board else {str(value): value for value in kind}
    text = section.text(key)
    if text not in values:
        near = get_close_matches(text.lower(), values, n=1)
        right = f"; did you mean {near[0]}?" if near else ""
        shown = text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 3]}..."
        raise section.wrong(key, f" must be {' or '.join(values)}, not {shown!r}{right}")
    return values[text]


def _name(section: Section, default: str) -> str:
    text = section.text("name", default)
    if wrong := wrong_with_name(text):
        own = "" if "name" in section else ": write name = and one that is"
        raise section.wrong("name", f"{wrong}{own}")
    return text


def _source(section: Section, default: str) -> str:
    text = section.text("source", default)
    if not text or text != text.strip() or not text.isprintable() or len(text) > LONGEST_SOURCE:
        raise section.wrong(
            "source",
            f" must be 1 to {LONGEST_SOURCE} characters, without a space at either end, none of them a line "
            f"feed or another control, not {text[:LONGEST_SOURCE]!r}",
        )
    return text


def _refuse_taken(section: Section, found: Ruleset) -> None:
    known = taken_for(found)
    if known is None:
        return
    alike = "is that of" if known.name == found.name else f"can be taken for {known.name},"
    raise section.wrong(
        "name",
        f" {found.name!r} {alike} a registered ruleset with other fields: write name = and one of your own",
    )
