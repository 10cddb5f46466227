"""`referee play`: one game on this machine."""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.cli.options import clock_of, game_options, seed_option
from referee.cli.shell import DONE, NO, command, on_signals
from referee.dice import new_seed
from referee.errors import ConfigError
from referee.files.rulesets import ruleset_called
from referee.host.outcome import Outcome
from referee.match.faults import penalties
from referee.match.setup import SEATS_OF
from referee.record.replay import read, replay
from referee.record.secret import forget_seed, keep_seed, kept_seed, secret_file
from referee.record.show import plain, printed_lines
from referee.rules.combinations import require_seats
from referee.rules.engine import Rules
from referee.seats.specs import parse_bot
from referee.server.hall import Entrant
from referee.server.house import GameOrder, House


def add_play(commands: Any) -> None:
    """Add the command `play`."""
    parser = command(
        commands,
        "play",
        "Plays one game on this machine.",
        "referee play --rules winning_moves --seat builtin:careful --seat builtin:racer --record game.jsonl",
        _play,
        level="error",  # what became of each bot is part of the result
    )
    parser.add_argument(
        "--rules",
        required=True,
        metavar="NAME",
        help="ruleset, a name of: referee rules list; or a file FILE.toml",
    )
    parser.add_argument(
        "--seat",
        action="append",
        required=True,
        metavar="BOT",
        help="bot folder, builtin:NAME or exec:COMMAND; 2 to 4 times",
    )
    parser.add_argument(
        "--seed",
        type=seed_option,
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
    game_options(parser, "strict")


def _play(options: argparse.Namespace) -> int:
    rules = Rules(ruleset_called(options.rules, Path()))
    if not 2 <= len(options.seat) <= 4:
        raise ConfigError(f"--seat must be given 2 to 4 times, not {len(options.seat)}")
    require_seats(rules.ruleset, len(options.seat))
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
    clock, table = clock_of(options), penalties(options.penalties)
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
        print(f"  {fault.kind.value} of {name}, costs {fault.cost.value}: {plain(fault.detail)}")
        if fault.stderr:
            print(f"    {name} printed last:")
            print("".join(f"    | {line}\n" for line in printed_lines(fault.stderr)), end="")
