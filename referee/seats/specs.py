"""
What an operator writes for a bot, and what it means.

    builtin:NAME      one of our own strategies, inside this process
    exec:COMMAND      a command line, started in the folder it was named from
    remote:NAME       a bot that dials in by itself, with a token
    FOLDER            a folder with a bot.toml that says how to build and run the bot
"""

import difflib
import hashlib
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.errors import ConfigError
from referee.files.source import Source, read_file
from referee.seats.strategies import strategy
from referee.wire.hello import clean


@dataclass(frozen=True, slots=True)
class Builtin:
    """One of our own strategies."""

    strategy: str


@dataclass(frozen=True, slots=True)
class Local:
    """A program on this machine. `build` is empty where nothing is to be built."""

    name: str
    folder: Path
    run: tuple[str, ...]
    build: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remote:
    """A bot that dials in; `token_digest` is SHA-256 of its token."""

    name: str
    token_digest: bytes


BotSpec = Builtin | Local | Remote


def token_digest(token: str) -> bytes:
    """Return what is kept of a token: its SHA-256."""
    return hashlib.sha256(token.encode()).digest()


def parse_bot(text: str, base: Path, token: str | None = None) -> BotSpec:
    """
    Return what *text* means; paths are relative to *base*. *token* goes with `remote:NAME`.

    Raises:
        ConfigError: What is wrong with it, and what would be right.
    """
    if not text or not text.isprintable():
        raise ConfigError(f"bot {text!r}: a bot is named by printable characters, at least one")
    kind, colon, rest = text.partition(":")
    if colon and (way := _WAYS.get(kind)) is not None:
        return way(rest, base, token)
    folder = base / text
    if not folder.is_dir():
        raise ConfigError(
            f"bot {text!r}: there is no such folder; a bot is a folder with a bot.toml, builtin:NAME, "
            "exec:COMMAND or remote:NAME"
        )
    return _from_folder(text, folder.resolve())


def _builtin(rest: str, base: Path, token: str | None) -> BotSpec:
    strategy(rest)
    return Builtin(rest)


def _exec(rest: str, base: Path, token: str | None) -> BotSpec:
    try:
        run = tuple(shlex.split(rest))
    except ValueError as error:
        raise ConfigError(f"bot 'exec:{rest}': not a command line: {error}") from None
    if not run:
        raise ConfigError("bot 'exec:': a command must follow, such as exec:./mybot")
    local = Local(f"exec:{rest}", base.resolve(), run)
    _require_command(local, run[0])
    return local


def _remote(rest: str, base: Path, token: str | None) -> BotSpec:
    if not rest:
        raise ConfigError("bot 'remote:': a name must follow, such as remote:alice")
    if not token:
        raise ConfigError(f"bot 'remote:{rest}': it needs a token, by which it is known when it dials in")
    return Remote(rest, token_digest(token))


_WAYS: Final[Mapping[str, Callable[[str, Path, str | None], BotSpec]]] = {
    "builtin": _builtin,
    "exec": _exec,
    "remote": _remote,
}

MOST_BYTES: Final = 16 << 10
"""So long may a bot.toml be, comments and all."""

_KEYS: Final[Mapping[str, type]] = {
    "name": str,
    "version": str,
    "author": str,
    "language": str,
    "build": list,
    "run": list,
}


def _from_folder(text: str, folder: Path) -> Local:
    file = folder / "bot.toml"
    if not os.path.lexists(file):
        raise ConfigError(f"bot {text!r}: the folder has no bot.toml, which says how to run it")
    try:
        table = Source(file.name, read_file(file, MOST_BYTES, "a bot.toml"), "a bot.toml").root
    except ConfigError as error:
        raise ConfigError(f"bot {text!r}: {error}") from None
    for key, value in table.items():
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(_KEYS)}"
            raise ConfigError(f"bot {text!r}: bot.toml has the unknown key {key!r}; {hint}")
        if not isinstance(value, _KEYS[key]):
            raise ConfigError(f"bot {text!r}: bot.toml: {key} must be a {_WORDS[_KEYS[key]]}")
        if isinstance(value, str) and not value.isprintable():
            raise ConfigError(f"bot {text!r}: bot.toml: {key} holds characters that cannot be printed")
    run = _command(text, table, "run")
    if not run:
        raise ConfigError(f'bot {text!r}: bot.toml must have run, such as run = ["python3", "bot.py"]')
    build = _command(text, table, "build")
    local = Local(table.get("name") or clean(folder.name), folder, run, build)
    _require_command(local, build[0] if build else run[0])
    return local


_WORDS: Final[Mapping[type, str]] = {str: "text", list: 'list of texts, such as ["python3", "bot.py"]'}


def _command(text: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    words = table.get(key, [])
    if not all(isinstance(word, str) and "\0" not in word for word in words):
        raise ConfigError(f"bot {text!r}: bot.toml: {key} must be a {_WORDS[list]}")
    return tuple(words)


def _require_command(local: Local, word: str) -> None:
    if "/" in word and (local.folder / word).exists() and which(word, local.folder) is None:
        raise ConfigError(f"bot {local.name!r}: {word!r} is not an executable file; chmod +x makes it one")
    if which(word, local.folder) is None:
        raise ConfigError(f"bot {local.name!r}: the command {word!r} was not found on this machine")


def search_path(path: str) -> str:
    """Return the PATH of a bot: our own interpreter's folder goes before *path*."""
    return f"{Path(sys.executable).parent}:{path}" if path else str(Path(sys.executable).parent)


def which(word: str, folder: Path) -> str | None:
    """Return the program that *word* starts when run in *folder*, None if there is none."""
    if "/" in word:
        program = folder / word
        return str(program) if program.is_file() and os.access(program, os.X_OK) else None
    return shutil.which(word, path=search_path(os.environ.get("PATH", "")))
