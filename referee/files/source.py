"""
A TOML text, and where in it each key stands.

Knows: TOML's syntax as far as it takes to find the line of a key; how a wrong value is told.
Does not know: what the text is about.

`tomllib` forgets the lines, so a scan of the text finds them again. It reads headers and the beginnings
of lines; a key inside an inline table is told with the line on which that table begins.

A key of many parts takes `tomllib` time that grows with their square: minutes for one line of a megabyte.
So another scan comes first, which refuses long keys and deep nesting. It knows texts and comments, no more:
where a file is no TOML it may be wrong about what comes behind, which `tomllib` never reaches.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path as FilePath
from typing import Any, Final

from referee.errors import ConfigError
from referee.match.time_bank import duration

Path = tuple[str | int, ...]
"""The way to a value: names of tables and keys, and indices into arrays, from 0."""

MOST_PARTS: Final = 8
"""So many parts may a dotted key have; ours have two."""

DEEPEST: Final = 16
"""So deep may arrays and inline tables lie in each other; ours lie one deep."""

_PART: Final = r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'"""
_HEADER: Final = re.compile(rf"\s*(\[\[?)\s*((?:{_PART})(?:\s*\.\s*(?:{_PART}))*)\s*\]\]?\s*(?:#|$)")
_KEY: Final = re.compile(rf"\s*((?:{_PART})(?:\s*\.\s*(?:{_PART}))*)\s*=")
_TOKEN: Final = re.compile(
    r"""(?P<text>"{3}(?:[^\\]|\\.)*?"{3,5}|'{3}.*?'{3,5})|(?P<line>"(?!"")(?:[^"\\\n]|\\.)*"|'(?!'')[^'\n]*')"""
    r"""|(?P<torn>["'])|(?P<open>[\[{])|(?P<close>[\]}])|(?P<dot>\.)|(?P<other>[\n=,]|\#[^\n]*)""",
    re.DOTALL,
)


class Source:
    """
    A TOML file, read. `name` is what messages call it, `kind` what it is.

    Raises:
        ConfigError: The text is not UTF-8, or not TOML; with line and column.
    """

    def __init__(self, name: str, text: bytes, kind: str) -> None:
        """Read *text*."""
        self.name: Final = name
        self.kind: Final = kind
        try:
            decoded = text.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            line = text.count(b"\n", 0, error.start) + 1
            raise ConfigError(f"{name}:{line}: not UTF-8 text: save the file as UTF-8") from None
        if wrong := _involved(decoded):
            raise ConfigError(f"{name}:{wrong}")
        try:
            self.root: Final = tomllib.loads(decoded)
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{name}{_syntax(str(error), decoded)}") from None
        except (RecursionError, ValueError):
            raise ConfigError(
                f"{name}: not TOML that can be read: nested too deeply, or a number too long"
            ) from None
        self._lines = dict(reversed(list(_keys(decoded))))  # of keys that stand twice, the first

    def table(self, path: Path = ()) -> "Section":
        """Return the table at *path*, which must exist and be one."""
        table: Any = self.root
        for part in path:
            table = table[part]
        return Section(self, path, table)

    def where(self, path: Path) -> str:
        """Return file and line of *path*, or of what it stands in."""
        for length in range(len(path), 0, -1):
            if line := self._lines.get(path[:length]):
                return f"{self.name}:{line}"
        return self.name

    def wrong(self, path: Path, sentence: str) -> ConfigError:
        """Return the error that *sentence*, which goes on after the key's name, is true of *path*."""
        return ConfigError(f"{self.where(path)}: {dotted(path)}{sentence}")


class Section:
    """One table of a source; each of its calls returns the value of a key or says what is wrong with it."""

    def __init__(self, source: Source, path: Path, table: Mapping[str, Any]) -> None:
        """Look at *table*, which stands at *path*."""
        self._source = source
        self._path = path
        self._table = table

    def __contains__(self, key: str) -> bool:
        """Tell whether the table has *key*."""
        return key in self._table

    def __iter__(self) -> Iterator[str]:
        """Return the keys in the order of the text."""
        return iter(self._table)

    def raw(self, key: str) -> Any:
        """Return the value as it stands, None if there is none."""
        return self._table.get(key)

    def path(self, key: str) -> Path:
        """Return the way to *key*."""
        return (*self._path, key)

    def wrong(self, key: str, sentence: str) -> ConfigError:
        """Return the error that *sentence*, which goes on after the key's name, is true of *key*."""
        return self._source.wrong(self.path(key), sentence)

    def refuse_unknown(self, known: Iterable[str], elsewhere: Iterable[str] = ()) -> None:
        """
        Refuse keys that are not *known*; those known *elsewhere* belong to the top of the file.

        Raises:
            ConfigError: Names the nearest right key, or all there are.
        """
        names = list(known)
        for key in self._table:
            if key in names:
                continue
            if self._path and key in elsewhere:
                raise self.wrong(
                    key, f" is not a key of this table: write {key} above the first [table] of the file"
                )
            near = get_close_matches(key, names, n=1)
            right = f"did you mean {near[0]}?" if near else f"the keys are: {', '.join(names)}"
            raise self.wrong(
                key, f" is not a key of {'this table' if self._path else self._source.kind}; {right}"
            )

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text; *default* None makes the key required."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, f" must be a text in quotes, not {_told(value)}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, f" must be true or false, not {_told(value)}")
        return value

    def whole(self, key: str, default: int | None = None, *, low: int, high: int) -> int:
        """Return a whole number from *low* to *high*."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, f" must be a whole number, not {_told(value)}")
        if not low <= value <= high:
            raise self.wrong(key, f" must be from {low} to {high}, not {value}")
        return value

    def duration(self, key: str, default: timedelta) -> timedelta:
        """Return a duration: a text with its unit, or a number of seconds."""
        value = self._value(key, default)
        if isinstance(value, timedelta):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = f"{Decimal(str(value)):f}"
        try:
            return duration(value if isinstance(value, str) else _told(value))
        except ConfigError as error:
            raise self.wrong(key, f" {error}") from None

    def _value(self, key: str, default: object) -> Any:
        if key in self._table:
            return self._table[key]
        if default is None:
            missing = dotted(self.path(key))
            raise ConfigError(f"{self._source.where(self._path)}: {missing} is missing")
        return default


def read_file(path: FilePath, most: int, kind: str) -> bytes:
    """
    Return what is in the file *path*, which is to be *kind* and may have *most* bytes.

    Raises:
        ConfigError: There is no such file, it cannot be read, or it is too long.
    """
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path}: cannot be read: it is no file")
        with path.open("rb") as file:
            text = file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise ConfigError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(text) > most:
        raise ConfigError(f"{path}: is too long for {kind}: {most} bytes are the most")
    return text


def _involved(text: str) -> str | None:
    """Return on which line a key has too many parts, or too much lies in each other, and what is wrong."""
    dots = depth = 0
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "text" | "line":
                continue
            case "torn":
                return None  # no TOML, and tomllib says so
            case "dot":
                dots += 1
            case "open":
                dots, depth = 0, depth + 1
            case _:
                dots, depth = 0, depth - (token.lastgroup == "close")
        if dots >= MOST_PARTS or depth > DEEPEST:
            line = text.count("\n", 0, token.start()) + 1
            if depth > DEEPEST:
                return f"{line}: nested too deeply: {DEEPEST} arrays and tables in each other are the most"
            return f"{line}: a key of too many parts: {MOST_PARTS} are the most"
    return None


def dotted(path: Path) -> str:
    """Return *path* as people write it: `entrants[2].bot`, counted from 1."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _told(value: object) -> str:
    """Return *value* as a message shows it: short, and in the words of TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else f"{value[:37]}...")
    return str(value)[:40]


def _syntax(message: str, text: str) -> str:
    """Return where and what is wrong with the syntax, from tomllib's own words."""
    what, _, at = message.rpartition(" (at ")
    if found := re.fullmatch(r"line (\d+), column (\d+)\)", at):
        return f":{found[1]}: not TOML: {what} (column {found[2]})"
    line = text.count("\n") + (not text.endswith("\n"))
    return f":{max(line, 1)}: not TOML: {what or message}"


def _keys(text: str) -> Iterator[tuple[Path, int]]:
    """Return each header and each key with its line."""
    table: Path = ()
    seen: dict[Path, int] = {}
    within = ""  # the quotes of a text over several lines that is still open
    for number, line in enumerate(text.splitlines(), start=1):
        if within:
            within = "" if within in line else within
            continue
        if header := _HEADER.match(line):
            table = tuple(_parts(header[2]))
            if header[1] == "[[":
                seen[table] = seen.get(table, -1) + 1
                yield table, number
                table = (*table, seen[table])
            yield table, number
        elif key := _KEY.match(line):
            parts = tuple(_parts(key[1]))
            for length in range(1, len(parts) + 1):
                yield (*table, *parts[:length]), number
            for quotes in ('"""', "'''"):
                if line.count(quotes) % 2:
                    within = quotes


def _parts(key: str) -> Iterator[str]:
    for part in re.findall(_PART, key):
        yield part.strip("\"'")
