"""
The two servers that are compared, each to be run as a process of its own.

    python -m benchmarks._serve bare --streams 32 --asks 1 [--rules]
    python -m benchmarks._serve referee --games 32 --bots 64 --records DIR

`bare` is the obvious grpc.aio server without any logic: it writes asks, reads the answers, writes the
next asks; with `--rules` it plays the steps and throws of a game for each stream, and nothing else of
what a referee does, so no referee can be faster. `referee` is the whole referee: games with clocks,
judged and recorded. Both say on standard output where they listen and by which tokens bots are let in,
serve until standard input ends, and then say what happened, each as one line of JSON.
"""

import argparse
import asyncio
import contextlib
import gc
import hashlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import count, cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.dice import SeededDice, commitment
from referee.host.outcome import Outcome
from referee.match.events import By
from referee.match.faults import FaultKind, penalties
from referee.match.match import Match
from referee.match.phases import Phase
from referee.match.setup import Seated, Setup
from referee.match.time_bank import Clock
from referee.rules.engine import Rules
from referee.rules.rulesets import ruleset
from referee.seats.specs import Remote, token_digest
from referee.server import logs
from referee.server.gateway import SERVICE
from referee.server.hall import Entrant
from referee.server.house import GameOrder, House, options as server_options
from referee.wire.asks import ask_bytes, squares_of

RULESET = "winning_moves"
SEATS = (0, 2)
PENALTIES = "tournament"
SAMPLES = 512
"""So many asks of real games are used in turn by the bare server."""

STALL = 0.050
STALL_EVERY = 0.500


def main() -> None:
    parser = argparse.ArgumentParser()
    servers = parser.add_subparsers(required=True)
    bare = servers.add_parser("bare")
    bare.add_argument("--streams", type=int, required=True)
    bare.add_argument("--asks", type=int, required=True, help="asks in one message")
    bare.add_argument("--rules", action="store_true", help="play by the rules and the dice as well")
    bare.set_defaults(serve=_bare)
    referee = servers.add_parser("referee")
    referee.add_argument("--games", type=int, required=True, help="games at once")
    referee.add_argument("--bots", type=int, required=True, help="bots that share the games")
    referee.add_argument("--records", type=Path, required=True, help="folder for the records")
    referee.add_argument("--per-move", type=float, default=10.0, help="seconds for one answer")
    referee.add_argument("--stall", action="store_true", help="stall the loop on purpose, again and again")
    referee.set_defaults(serve=_referee)
    options = parser.parse_args()
    logs.configure("console", "error")
    say(asyncio.run(options.serve(options)))


def say(words: Any) -> None:
    print(json.dumps(words), flush=True)


async def stdin_ends() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    await reader.read()


# The bare server.


def sample_asks() -> Iterator[dict[str, Any]]:
    """Yield the fields of asks, as they come up in games that are played by lot."""
    rules = Rules(ruleset(RULESET))
    squares = squares_of(rules.ruleset)
    chance = Random(1)
    for number in count(1):
        seed = chance.randbytes(32)
        match = Match(_setup(rules, number, seed), rules)
        dice = SeededDice(seed)
        while match.phase is not Phase.OVER:
            if match.phase is not Phase.CHOICE:
                match.thrown(dice.throw(*match.to_throw))
            elif len(match.legal) == 1:
                match.step(match.legal[0], By.FORCED)
            else:
                (ask,) = pb.PlayResponse.FromString(ask_bytes(match.ask(), squares)).asks
                yield {
                    field.name: value if isinstance(value, int) else list(value)
                    for field, value in ask.ListFields()
                }
                match.step(chance.choice(match.legal), By.BOT, match.asks)


def _setup(rules: Rules, number: int, seed: bytes) -> Setup:
    return Setup(
        number=number,
        game=f"game-{number}",
        ruleset=rules.ruleset,
        seats=tuple(Seated(seat=seat, name=f"bot-{seat}") for seat in SEATS),
        clock=Clock(),
        penalties=penalties(PENALTIES),
        commitment=commitment(seed),
    )


class Racing:
    """Game after game by the rules and the dice alone: nothing is timed, counted, told or kept."""

    def __init__(self, rules: Rules, chance: Random) -> None:
        self._rules = rules
        self._chance = chance
        self._begin()

    def _begin(self) -> None:
        self._state = self._rules.start(SEATS, SEATS[0])
        self._dice = SeededDice(self._chance.randbytes(32))
        self._throws = dict.fromkeys(SEATS, 0)
        self._go_on()

    def _go_on(self) -> None:
        """Throw until there is a step."""
        rules = self._rules
        while not (legal := rules.steps(self._state)):
            state = rules.play_over(self._state) if self._state.dice else self._state
            seat = state.seat
            self._throws[seat] += 1
            self._state = rules.throw(state, self._dice.throw(seat, self._throws[seat], 2)).state
        self._legal = legal

    def answered(self) -> None:
        """Take a step by lot, and whatever is forced after it."""
        while True:
            self._state, _, _, won = self._rules.apply(self._state, self._chance.choice(self._legal))
            if won:
                self._begin()
            else:
                self._go_on()
            if len(self._legal) > 1:
                return


async def _bare(options: argparse.Namespace) -> dict[str, Any]:
    samples = list(islice(sample_asks(), SAMPLES))
    rules = Rules(ruleset(RULESET))
    chance = Random(1)
    answers = 0

    async def play(_: object, context: Any) -> None:
        nonlocal answers
        asks = cycle(samples)
        racing = Racing(rules, chance) if options.rules else None
        pb.PlayRequest.FromString(await context.read())
        while True:
            response = pb.PlayResponse()
            for fields in islice(asks, options.asks):
                response.asks.add(**fields)
            await context.write(response.SerializeToString())
            data = await context.read()
            if data is grpc.aio.EOF:
                return
            request = pb.PlayRequest.FromString(data)
            for answer in request.answers:
                if answer.ask and answer.steps[0]:
                    answers += 1
                    if racing is not None:
                        racing.answered()

    server = grpc.aio.server(options=server_options([Clock()]))
    port = server.add_insecure_port("127.0.0.1:0")
    handler: Any = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),))
    await server.start()
    gc.collect()
    gc.freeze()
    say({"address": f"127.0.0.1:{port}", "tokens": ["-"] * options.streams})
    await stdin_ends()
    await server.stop(None)
    # As in `House`: the library's tasks for the streams end a moment later.
    if streams := [task for task in asyncio.all_tasks() if task.get_name() == "rpc_task"]:
        await asyncio.wait(streams)
    return {"answers": answers}


# The referee.


class Season:
    """Games without end between bots that dial in."""

    def __init__(self, house: House, bots: Sequence[str], clock: Clock, records: Path) -> None:
        self.outcomes: list[Outcome] = []
        self.finished: Path | None = None
        self._house = house
        self._bots = bots
        self._clock = clock
        self._records = records
        self._rules = Rules(ruleset(RULESET))
        self._numbers = count(1)

    async def play(self, table: int) -> None:
        """Play one game after the other until one is adjourned."""
        while True:
            number = next(self._numbers)
            seed = hashlib.sha256(b"%d" % number).digest()
            record = self._records / f"game-{number}.jsonl"
            order = GameOrder(
                number=number,
                game=f"game-{number}",
                rules=self._rules,
                seats=dict(zip(SEATS, self._pair(table), strict=True)),
                seed=seed,
                clock=self._clock,
                penalties=penalties(PENALTIES),
                record=record,
            )
            outcome = await self._house.play(order)
            self.outcomes.append(outcome)
            if outcome.adjourned:
                return
            self.finished = record

    def _pair(self, table: int) -> tuple[str, str]:
        """Return who meets at *table*: all bots sit at as many tables, opposite each of the odd ones."""
        bots = len(self._bots)
        lap, one = divmod(2 * table, bots)
        return self._bots[one], self._bots[(one + 1 + 2 * lap) % bots]

    def told(self) -> dict[str, Any]:
        faults: dict[FaultKind, int] = {}
        answers = 0
        for outcome in self.outcomes:
            for tally in outcome.tally.seats.values():
                answers += tally.answers
                for kind, times in tally.faults.items():
                    faults[kind] = faults.get(kind, 0) + times
        return {
            "answers": answers,
            "games": sum(outcome.ended is not None for outcome in self.outcomes),
            "void": sum(outcome.voided is not None for outcome in self.outcomes),
            "faults": faults,
            "record": str(self.finished) if self.finished else None,
        }


async def _referee(options: argparse.Namespace) -> dict[str, Any]:
    bots = [f"bot-{number}" for number in range(options.bots)]
    clock = Clock(
        startup=timedelta(seconds=30), per_move=timedelta(seconds=options.per_move), grace=timedelta(0)
    )
    options.records.mkdir(parents=True)
    house = House([Entrant(bot, Remote(bot, token_digest(bot))) for bot in bots], clock=clock, instances=1)
    season = Season(house, bots, clock, options.records)
    async with house:
        say({"address": house.address, "tokens": bots})
        tables = [asyncio.create_task(season.play(table)) for table in range(options.games)]
        stalls = asyncio.create_task(_stall()) if options.stall else None
        ends = asyncio.create_task(stdin_ends())
        # A table ends early only by an error, which the second wait tells.
        await asyncio.wait({ends, *tables}, return_when=asyncio.FIRST_COMPLETED)
        if stalls is not None:
            stalls.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await stalls
        house.drain()
        await asyncio.gather(*tables)
    return season.told()


async def _stall() -> None:
    """Hold the loop up, by turns as a slow disk does and as a slow computation does."""
    for turn in count():
        await asyncio.sleep(STALL_EVERY - STALL)
        if turn % 2:
            time.sleep(STALL)  # noqa: ASYNC251 - on purpose
        else:
            until = time.monotonic() + STALL
            while time.monotonic() < until:
                pass


if __name__ == "__main__":
    main()
