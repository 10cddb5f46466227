"""`referee serve`: the gateway that plays on and on."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.cli.options import clock_of, count_from, game_options
from referee.cli.shell import DONE, NO, command, on_signals
from referee.errors import ConfigError
from referee.files.rulesets import ruleset_called
from referee.match.faults import Penalties, penalties
from referee.match.setup import SEATS_OF
from referee.match.time_bank import Clock
from referee.rules.combinations import require_seats
from referee.rules.engine import Rules
from referee.seats.specs import Remote
from referee.server.hall import Entrant
from referee.server.house import House
from referee.server.lobby import Lobby
from referee.server.records import Records, Unfinished


def add_serve(commands: Any) -> None:
    """Add the command `serve`."""
    parser = command(
        commands,
        "serve",
        "Runs the gateway: bots dial in, wait, are seated, and play on and on. Without --tokens it answers "
        "questions about the rules (docs/plays.md) and seats nobody.",
        "referee serve --listen 127.0.0.1:7777 --rules winning_moves --tokens tokens.txt --records games",
        _serve,
        level="info",
    )
    parser.add_argument(
        "--listen", required=True, metavar="ADDRESS", help="address and port, as 127.0.0.1:7777"
    )
    parser.add_argument(
        "--rules",
        nargs="+",
        default=[],
        metavar="NAME",
        help="rulesets, played in turn; names of: referee rules list; or files FILE.toml",
    )
    parser.add_argument(
        "--tokens",
        type=Path,
        metavar="FILE",
        help="one bot a line: its name, a space, SHA-256 of its token in hexadecimal "
        "(default: no bots, only answers about the rules)",
    )
    parser.add_argument(
        "--seats", type=int, choices=sorted(SEATS_OF), default=2, help="seats of a game (default: 2)"
    )
    parser.add_argument(
        "--records",
        type=Path,
        default=Path("games"),
        metavar="DIR",
        help="folder of the records; unfinished games in it are gone on with (default: games)",
    )
    parser.add_argument(
        "--games",
        type=count_from(1),
        default=0,
        metavar="N",
        help="stop when N games have ended (default: none)",
    )
    game_options(parser, "tournament")


def tokens(path: Path) -> list[Entrant]:
    """
    Return the bots that a token file names.

    Raises:
        ConfigError: The line that is wrong, and what would be right.
    """
    try:
        if path.is_char_device() or path.is_block_device():
            raise ConfigError(f"{path}: cannot be read: it is a device")
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    entrants: dict[str, Entrant] = {}
    owners: dict[bytes, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, digest_text = line.strip().rpartition(" ")
        name = name.strip()
        try:
            digest = bytes.fromhex(digest_text)
        except ValueError:
            digest = b""
        where = f"{path}: line {number}"
        if not name or len(digest) != 32:
            raise ConfigError(f"{where}: should be a name, a space, and SHA-256 of a token in hexadecimal")
        if not name.isprintable() or len(name) > 64:
            raise ConfigError(f"{where}: a name is 1 to 64 characters that can be printed")
        if name in entrants:
            raise ConfigError(
                f"{where}: there is a bot called {name!r} already: each needs a name of its own"
            )
        if digest in owners:
            raise ConfigError(f"{where}: {owners[digest]!r} has that token already: each bot needs its own")
        owners[digest] = name
        entrants[name] = Entrant(name, Remote(name, digest))
    if len(entrants) < 2:
        raise ConfigError(f"{path}: names {len(entrants)} bots; at least 2 must be able to meet")
    return list(entrants.values())


def _serve(options: argparse.Namespace) -> int:
    rules = [Rules(ruleset_called(name, Path())) for name in options.rules]
    if options.tokens is None:
        asyncio.run(_answer_until_stopped(options.listen, rules))
        print("stopped")
        return DONE
    if not rules:
        raise ConfigError("--rules is missing: what the bots of --tokens play, such as winning_moves")
    for each in rules:
        require_seats(each.ruleset, options.seats)
    entrants = tokens(options.tokens)
    if len(entrants) < options.seats:
        raise ConfigError(f"{options.tokens}: names {len(entrants)} bots, a game has {options.seats} seats")
    clock, table = clock_of(options), penalties(options.penalties)
    with Records(options.records) as records:
        unfinished = records.unfinished(frozenset(entrant.name for entrant in entrants))
        lobby = asyncio.run(_serve_until_stopped(options, rules, entrants, clock, table, records, unfinished))
    print(f"stopped: {_tale(lobby, options.records)}")
    if lobby.trouble:
        print(f"referee: {lobby.trouble}", file=sys.stderr)
    return NO if lobby.trouble else DONE


async def _answer_until_stopped(listen: str, rules: Sequence[Rules]) -> None:
    """Answer questions about the registered rulesets and *rules*; no bot has a token."""
    own = [each.ruleset for each in rules]
    async with House((), clock=Clock(), rulesets=own, instances=1, listen=listen) as house:
        stopped = asyncio.Event()
        on_signals(stopped.set)
        print(
            f"listening on {house.address}; for questions about the rules, not for bots; stop with Ctrl-C",
            flush=True,
        )
        await stopped.wait()


async def _serve_until_stopped(
    options: argparse.Namespace,
    rules: Sequence[Rules],
    entrants: Sequence[Entrant],
    clock: Clock,
    table: Penalties,
    records: Records,
    unfinished: Sequence[Unfinished],
) -> Lobby:
    async with House(
        entrants,
        clock=clock,
        older=[game.order.clock for game in unfinished],
        rulesets=[each.ruleset for each in rules],
        instances=1,
        listen=options.listen,
    ) as house:
        stopped = asyncio.Event()
        on_signals(stopped.set)
        print(f"listening on {house.address}; stop with Ctrl-C", flush=True)
        lobby = Lobby(
            house,
            rules,
            seats=options.seats,
            clock=clock,
            penalties=table,
            max_throws=options.max_throws,
            records=records,
            unfinished=unfinished,
            games=options.games,
        )
        await lobby.run(stopped)
        return lobby


def _tale(lobby: Lobby, folder: Path) -> str:
    """Return what became of the games of *lobby*, whose records are in *folder*."""
    if not (lobby.ended or lobby.void or lobby.left):
        return "no game was played"
    parts = [f"{lobby.ended} {'game' if lobby.ended == 1 else 'games'} ended"]
    if lobby.void:
        parts.append(f"{lobby.void} {'is' if lobby.void == 1 else 'are'} void")
    if lobby.left:
        parts.append(f"{lobby.left} will go on at the next start")
    return f"{', '.join(parts)}; records are in {folder}"
