"""The `referee` command: play, serve, replay, verify, rules."""

import argparse
import asyncio
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO

import structlog

from referee import __version__
from referee.dice import SEED_BYTES, new_seed
from referee.errors import ConfigError, RecordError, RefereeError
from referee.host.outcome import Outcome
from referee.host.verify import verify
from referee.match.faults import PENALTIES, Penalties, penalties
from referee.match.setup import MOST_THROWS, SEATS_OF
from referee.match.time_bank import Clock, duration
from referee.record.replay import Replayed, read, replay
from referee.record.secret import forget_seed, keep_seed, kept_seed, secret_file
from referee.record.show import printed_lines, show
from referee.rules.engine import Rules
from referee.rules.rulesets import RULESETS, ruleset
from referee.seats.specs import Remote, parse_bot
from referee.server import logs
from referee.server.hall import Entrant
from referee.server.house import GameOrder, House
from referee.server.lobby import Lobby
from referee.server.records import Records, Unfinished

DONE: Final = 0
NO: Final = 1
WRONG: Final = 2
BUG: Final = 70

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.cli")


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what was wrong."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(WRONG)


class _Remarks(io.TextIOBase):
    """Standard error for as long as somebody takes it: what is told there decides not how a command ends."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            if self._stream is not None:
                self._stream.write(text)
                self._stream.flush()
        except (OSError, ValueError):
            self._stream = None
        return len(text)

    def flush(self) -> None:
        """Keep nothing back."""

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()


def steady_streams() -> None:
    """Let a command run to its end whether or not its standard output and error are open."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lives
    if not isinstance(sys.stderr, _Remarks):
        sys.stderr = _Remarks(sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    steady_streams()
    options = _parser().parse_args(arguments)
    logs.configure(options.log, options.log_level)
    return run("referee", lambda: options.command(options))


def run(program: str, command: Callable[[], int]) -> int:
    """Run a *command* of *program*; turn what it may raise into an exit code and one line."""
    try:
        code = command()
        sys.stdout.flush()
    except RefereeError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return WRONG
    except BrokenPipeError:
        _drop_output()  # whoever read it has gone; nothing more can be told
        return DONE
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except OSError as error:
        _drop_output()
        where = error.filename or "standard output"
        print(f"{program}: {where}: {error.strerror or error}", file=sys.stderr)
        return WRONG
    except Exception as error:
        log.debug("bug", exc_info=error)
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        print(
            f"{program}: a mistake of this program, not of yours: {type(error).__name__}: {error}; "
            "what is on disk is kept; --log-level debug shows where",
            file=sys.stderr,
        )
        return BUG
    return code


def _drop_output() -> None:
    """Let what is still to be printed go nowhere, so that leaving does not try once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> Parser:
    parser = Parser(
        prog="referee",
        description="Referees games of Parcheesi between bots.",
        epilog="example: referee play --rules winning_moves --seat builtin:careful --seat builtin:racer",
    )
    parser.add_argument("--version", action="version", version=f"parcheesi-referee {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    _play_parser(commands)
    _serve_parser(commands)
    _replay_parser(commands)
    _verify_parser(commands)
    _rules_parser(commands)
    return parser


def _command(
    commands: Any, name: str, text: str, example: str, run: Callable[..., int], level: str = "warning"
) -> Parser:
    parser: Parser = commands.add_parser(name, help=text, description=text, epilog=f"example: {example}")
    parser.add_argument(
        "--log", choices=logs.FORMATS, default="console", help="how logs look (default: console)"
    )
    parser.add_argument(
        "--log-level",
        choices=logs.LEVELS,
        default=level,
        help=f"from which level on logs are shown (default: {level})",
    )
    parser.set_defaults(command=run)
    return parser


def _duration(text: str) -> timedelta:
    try:
        return duration(text)
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise argparse.ArgumentTypeError(f"a seed is {2 * SEED_BYTES} hexadecimal digits, not {text!r}")
    return seed


def _count(least: int) -> Callable[[str], int]:
    """Return what reads a whole number from *least* on, up to what a message can carry."""

    def count(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_THROWS))
        if not digits or not least <= int(text) <= MOST_THROWS:
            raise argparse.ArgumentTypeError(
                f"must be a whole number from {least} to {MOST_THROWS}, not {text[:40]!r}"
            )
        return int(text)

    return count


def _game_options(parser: Parser, table: str) -> None:
    parser.add_argument(
        "--penalties",
        default=table,
        metavar="TABLE",
        help=f"what faults cost: {' or '.join(PENALTIES)} (default: {table})",
    )
    parser.add_argument(
        "--max-throws",
        type=_count(0),
        default=0,
        metavar="N",
        help="throws of all seats together after which a game ends without a winner (default: 0, no limit)",
    )
    _clock_options(parser)


def _time_text(time: timedelta) -> str:
    seconds = time.total_seconds()
    return f"{seconds:g}s" if seconds >= 1 or not seconds else f"{seconds * 1000:g}ms"


def _clock_options(parser: Parser) -> None:
    times = parser.add_argument_group(
        "time limits", "TIME is a number and its unit, such as 250ms, 2s, 1m or 1h; without a unit, seconds."
    )
    default = Clock()
    for name, text in (
        ("startup", "from the start of a bot, or its dialling in, to its hello"),
        ("ready", "from the offer of a seat to ready"),
        ("per_move", "for one answer"),
        ("bank", "for what exceeds that, in a whole game"),
        ("increment", "added to the bank after each answer"),
        ("grace", f"forgiven {default.grace_times} times a game when the bank is empty"),
    ):
        times.add_argument(
            f"--{name.replace('_', '-')}",
            type=_duration,
            default=getattr(default, name),
            metavar="TIME",
            help=f"{text} (default: {_time_text(getattr(default, name))})",
        )


def _clock(options: argparse.Namespace) -> Clock:
    names = ("startup", "ready", "per_move", "bank", "increment", "grace")
    return Clock(**{name: getattr(options, name) for name in names})


# play


def _play_parser(commands: Any) -> None:
    parser = _command(
        commands,
        "play",
        "Plays one game on this machine.",
        "referee play --rules winning_moves --seat builtin:careful --seat builtin:racer --record game.jsonl",
        _play,
        level="error",  # what became of each bot is part of the result
    )
    parser.add_argument("--rules", required=True, metavar="NAME", help="ruleset; see: referee rules list")
    parser.add_argument(
        "--seat",
        action="append",
        required=True,
        metavar="BOT",
        help="bot folder, builtin:NAME or exec:COMMAND; 2 to 4 times",
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="HEX",
        help="seed of the dice, 64 hexadecimal digits (default: a new one, by chance)",
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="where to keep the record (default: none)"
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the unfinished game that --record names"
    )
    parser.add_argument(
        "--ask-forced", action="store_true", help="ask for single legal steps too (default: they are played)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the result as one JSON object (default: as text)"
    )
    _game_options(parser, "strict")


def _play(options: argparse.Namespace) -> int:
    rules = Rules(ruleset(options.rules))
    if not 2 <= len(options.seat) <= 4:
        raise ConfigError(f"--seat must be given 2 to 4 times, not {len(options.seat)}")
    entrants = []
    for index, text in enumerate(options.seat):
        if text.startswith("remote:"):
            raise ConfigError(
                f"--seat {text}: a bot that dials in plays in `referee serve` or a tournament; "
                "`referee play` starts its bots by itself"
            )
        bot = parse_bot(text, Path.cwd())
        entrants.append(Entrant(f"{text}#{index + 1}" if options.seat.count(text) > 1 else text, bot))
    if options.record and not options.record.name.isprintable():
        raise ConfigError(
            f"--record {str(options.record)!r}: the name holds characters that cannot be printed"
        )
    clock, table = _clock(options), penalties(options.penalties)
    seed = _play_seed(options)  # last: it leaves a file
    order = GameOrder(
        number=1,
        game=options.record.stem if options.record else "game",
        rules=rules,
        seats={seat: e.name for seat, e in zip(SEATS_OF[len(entrants)], entrants, strict=True)},
        seed=seed,
        clock=clock,
        penalties=table,
        ask_forced=options.ask_forced,
        max_throws=options.max_throws,
        record=options.record,
    )
    outcome = asyncio.run(_play_one(entrants, order))
    if options.record and not outcome.adjourned:
        forget_seed(options.record)
    _print_outcome(order, outcome, options)
    if outcome.adjourned:
        if options.record:
            again = f"go on with: the same command and --resume --record {options.record}"
            print(f"referee: stopped before the end; {again}", file=sys.stderr)
        return NO if outcome.trouble else 128 + signal.SIGINT
    return NO if outcome.voided else DONE


def _play_seed(options: argparse.Namespace) -> bytes:
    """Return the seed; keep it beside the record, for its owner's eyes, until the game is over."""
    record: Path | None = options.record
    if options.resume:
        if record is None or not record.exists():
            raise ConfigError("--resume goes with --record and the record of an unfinished game")
        if options.seed:
            return bytes(options.seed)
        begun = read(record)[0]  # nothing, where the referee died in the first line
        if begun and (told := replay(record).seed) is not None:
            return told
        if (kept := kept_seed(record)) is None:
            raise ConfigError(
                f"{secret_file(record)}: the seed of the unfinished game is not there; give it with --seed"
            )
        return kept
    seed: bytes = options.seed or new_seed()
    if record is None:
        return seed
    if record.exists():
        raise ConfigError(f"{record} exists already: name another file, or add --resume to go on with it")
    keep_seed(record, seed)
    return seed


async def _play_one(entrants: Sequence[Entrant], order: GameOrder) -> Outcome:
    house = House(entrants, clock=order.clock, instances=1)
    await house.prepare()
    async with house:
        on_signals(house.drain)
        return await house.play(order)


def on_signals(act: Callable[[], object]) -> None:
    """Do *act* when this process is asked to stop; the loop must be running."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, act)


def _print_outcome(order: GameOrder, outcome: Outcome, options: argparse.Namespace) -> None:
    places = {}
    if outcome.ended is not None:
        ended = outcome.ended
        places = {s: (p, r) for s, p, r in zip(ended.seats, ended.places, ended.reasons, strict=True)}
    rows: list[dict[str, Any]] = []
    for seat, name in sorted(order.seats.items()):
        tally = outcome.tally.seats[seat]
        place, reason = places.get(seat, (None, None))
        rows.append(
            {
                "seat": seat,
                "name": name,
                "place": place,
                "reason": reason,
                "captures": tally.captures,
                "answers": tally.answers,
                "mean_us": tally.elapsed // tally.answers if tally.answers else None,
                "slowest_us": tally.slowest if tally.answers else None,
                "faults": {kind.value: count for kind, count in tally.faults.items()},
                "details": [f.detail for f in outcome.tally.faulted if f.seat == seat],
            }
        )
    state = "ended" if outcome.ended else "void" if outcome.voided else "adjourned"
    if options.json:
        result = {"game": order.game, "state": state, "throws": outcome.throws, "seats": rows}
        if outcome.voided or outcome.trouble:
            result["detail"] = outcome.voided or outcome.trouble
        print(json.dumps(result))
        return
    print(f"{order.game}: {state} after {outcome.throws} throws (rules: {order.rules.ruleset.name})")
    if outcome.voided or outcome.trouble:
        print(f"  {outcome.voided or outcome.trouble}")
    for row in rows:
        mean = "n/a" if row["mean_us"] is None else f"{row['mean_us'] / 1000:.2f} ms"
        slowest = "n/a" if row["slowest_us"] is None else f"{row['slowest_us'] / 1000:.2f} ms"
        faults = ", ".join(f"{count} {kind}" for kind, count in row["faults"].items()) or "none"
        print(
            f"  seat {row['seat']}  place {row['place'] or '-'} ({row['reason'] or 'unfinished'})  "
            f"{row['name']}: {row['captures']} captures, {row['answers']} answers, "
            f"mean {mean}, slowest {slowest}, faults: {faults}"
        )
    for fault in outcome.tally.faulted:
        name = order.seats[fault.seat]
        print(f"  {fault.kind.value} of {name}, costs {fault.cost.value}: {fault.detail}")
        if fault.stderr:
            print(f"    {name} printed last:")
            print("".join(f"    | {line}\n" for line in printed_lines(fault.stderr)), end="")


# serve


def _serve_parser(commands: Any) -> None:
    parser = _command(
        commands,
        "serve",
        "Runs the gateway: bots dial in, wait, are seated, and play on and on.",
        "referee serve --listen 127.0.0.1:7777 --rules winning_moves --tokens tokens.txt --records games",
        _serve,
        level="info",
    )
    parser.add_argument(
        "--listen", required=True, metavar="ADDRESS", help="address and port, as 127.0.0.1:7777"
    )
    parser.add_argument("--rules", required=True, nargs="+", metavar="NAME", help="rulesets, played in turn")
    parser.add_argument(
        "--tokens",
        required=True,
        type=Path,
        metavar="FILE",
        help="one bot a line: its name, a space, SHA-256 of its token in hexadecimal",
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
        type=_count(1),
        default=0,
        metavar="N",
        help="stop when N games have ended (default: none)",
    )
    _game_options(parser, "tournament")


def tokens(path: Path) -> list[Entrant]:
    """
    Return the bots that a token file names.

    Raises:
        ConfigError: The line that is wrong, and what would be right.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    entrants = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, digest_text = line.strip().rpartition(" ")
        try:
            digest = bytes.fromhex(digest_text)
        except ValueError:
            digest = b""
        if not name.strip() or len(digest) != 32:
            raise ConfigError(
                f"{path}: line {number}: should be a name, a space, and SHA-256 of a token in hexadecimal"
            )
        if not name.isprintable():
            raise ConfigError(f"{path}: line {number}: the name holds characters that cannot be printed")
        entrants.append(Entrant(name.strip(), Remote(name.strip(), digest)))
    if len(entrants) < 2:
        raise ConfigError(f"{path}: names {len(entrants)} bots; at least 2 must be able to meet")
    return entrants


def _serve(options: argparse.Namespace) -> int:
    rules = [Rules(ruleset(name)) for name in options.rules]
    entrants = tokens(options.tokens)
    if len(entrants) < options.seats:
        raise ConfigError(f"{options.tokens}: names {len(entrants)} bots, a game has {options.seats} seats")
    clock, table = _clock(options), penalties(options.penalties)
    with Records(options.records) as records:
        unfinished = records.unfinished(frozenset(entrant.name for entrant in entrants))
        lobby = asyncio.run(_serve_until_stopped(options, rules, entrants, clock, table, records, unfinished))
    print(f"stopped: {_tale(lobby, options.records)}")
    if lobby.trouble:
        print(f"referee: {lobby.trouble}", file=sys.stderr)
    return NO if lobby.trouble else DONE


async def _serve_until_stopped(
    options: argparse.Namespace,
    rules: Sequence[Rules],
    entrants: Sequence[Entrant],
    clock: Clock,
    table: Penalties,
    records: Records,
    unfinished: Sequence[Unfinished],
) -> Lobby:
    async with House(entrants, clock=clock, instances=1, listen=options.listen) as house:
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


# replay and verify


def _replay_parser(commands: Any) -> None:
    parser = _command(
        commands,
        "replay",
        "Shows a recorded game in the terminal.",
        "referee replay game.jsonl --to 40",
        _replay,
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--to", type=int, metavar="N", help="stop after the Nth event")


def _replay(options: argparse.Namespace) -> int:
    if options.to is not None and options.to < 0:
        raise ConfigError("--to must not be negative")
    done = replay(options.file)
    if done.torn:
        print(f"referee: {options.file}: the last line was torn and is left out", file=sys.stderr)
    show(done, options.to, sys.stdout)
    return DONE


def _verify_parser(commands: Any) -> None:
    parser = _command(
        commands,
        "verify",
        "Proves records: seed, commitment, every roll, every step, every position.",
        "referee verify games/*.jsonl",
        _verify,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print one JSON object a record")
    parser.add_argument("--quiet", action="store_true", help="name only records that do not verify")


def _verify(options: argparse.Namespace) -> int:
    rules: dict[bytes, Rules] = {}
    bad = 0
    for path in options.files:
        detail = None
        try:
            done = verify(path, next(iter(rules.values()), None))
            rules.setdefault(done.setup.ruleset.digest(), done.match.rules)
            text = _proven(done)
        except RecordError as error:
            bad += 1
            detail = text = str(error)
        if options.json:
            print(json.dumps({"record": str(path), "verifies": detail is None, "detail": detail}))
        elif detail is not None:
            print(f"NO   {text}")
        elif not options.quiet:
            print(f"yes  {path}: {text}")
    if not options.json:
        print(f"{len(options.files) - bad} of {len(options.files)} records verify")
    return NO if bad else DONE


def _proven(done: Replayed) -> str:
    ended = done.match.ended
    assert ended is not None
    names = {seated.seat: seated.name for seated in done.setup.seats}
    first = [names[s] for s, place in zip(ended.seats, ended.places, strict=True) if place == 1]
    winner = ("won by " if len(first) == 1 else "first place shared by ") + ", ".join(first)
    if not first:
        winner = "nobody is left"
    return f"{done.setup.ruleset.name}, {done.match.played_throws} throws, {winner}"


# rules


def _rules_parser(commands: Any) -> None:
    parser = _command(
        commands, "rules", "Tells which rulesets there are.", "referee rules show winning_moves", _rules_list
    )
    actions = parser.add_subparsers(metavar="ACTION", parser_class=Parser)
    listing = _command(actions, "list", "Lists the rulesets.", "referee rules list", _rules_list)
    listing.add_argument("--json", action="store_true")
    showing = _command(
        actions, "show", "Shows all fields of a ruleset.", "referee rules show racket", _rules_show
    )
    showing.add_argument("name", metavar="NAME")
    showing.add_argument("--json", action="store_true")


def _rules_list(options: argparse.Namespace) -> int:
    if getattr(options, "json", False):
        print(json.dumps([{"name": r.name, "source": r.source} for r in RULESETS.values()]))
        return DONE
    width = max(map(len, RULESETS))
    for r in RULESETS.values():
        print(f"{r.name:{width}}  {r.source}")
    return DONE


def _rules_show(options: argparse.Namespace) -> int:
    r = ruleset(options.name)
    if options.json:
        texts = {"name": r.name, "source": r.source, "digest": r.digest().hex(), "fields": r.as_text()}
        print(json.dumps(texts))
        return DONE
    print(f"{r.name}: {r.source}")
    for name, text in r.as_text().items():
        print(f"  {name:20} {text}")
    print(f"  {'digest':20} {r.digest().hex()}")
    return DONE
