"""
What becomes of a bot's next game when its process, its stream or its program went in the one before.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.host.outcome import Outcome
from referee.match.faults import TOURNAMENT, FaultKind
from referee.match.time_bank import Clock
from referee.seats.specs import Builtin, Local
from referee.server import house as houses
from referee.server.hall import Entrant
from referee.server.house import GameOrder, House
from tests.bad_bots.arena import BAD_SEAT, FAIR_SEAT, notes, program, rules, running
from tests.bad_bots.cases import CLOCK
from tests.fakes import SEED

PATIENCE = 30.0
"""Seconds after which a game that does not begin has failed."""


async def games(
    bot: Local, count: int, clock: Clock = CLOCK, after: Callable[[], None] = lambda: None
) -> Sequence[Outcome]:
    """Play so many games of *bot* against ours, one after the other; do *after* behind each."""
    outcomes = []
    entrants = [Entrant("bad", bot), Entrant("racer", Builtin("racer"))]
    async with asyncio.timeout(PATIENCE), House(entrants, clock=clock, instances=1) as house:
        for number in range(1, count + 1):
            order = GameOrder(
                number=number,
                game=f"game-{number}",
                rules=rules(),
                seats={BAD_SEAT: "bad", FAIR_SEAT: "racer"},
                seed=SEED,
                clock=clock,
                penalties=TOURNAMENT,
            )
            outcomes.append(await house.play(order))
            after()
    return outcomes


def faults(outcome: Outcome) -> dict[FaultKind, int]:
    return dict(outcome.tally.seats[BAD_SEAT].faults)


async def test_a_program_whose_launcher_has_gone_is_started_anew(tmp_path: Path) -> None:
    """
    The program that was started is the bot: when it ends, so does the bot, and the next game has a new one.

    What it had started does not stay until the house closes.
    """
    alive: list[int] = []
    first, second, third = await games(
        program("outlives_its_launcher", tmp_path),
        3,
        after=lambda: alive.append(sum(map(running, notes(tmp_path)))),
    )

    assert faults(first) == faults(second) == faults(third) == {FaultKind.GONE: 1}
    assert "a script must end with `exec`" in first.tally.faulted[0].detail
    assert max(alive) <= 1  # the last one, which is on its way out


async def test_a_bot_that_dialled_again_keeps_its_process(tmp_path: Path) -> None:
    """
    The game in which it hung up is lost; the next one is played on its new stream, undisturbed.
    """
    first, second = await games(program("dials_again", tmp_path), 2)

    assert faults(first) == {FaultKind.GONE: 1}
    assert faults(second) == {}


async def test_a_program_that_has_gone_does_not_come(tmp_path: Path) -> None:
    """
    Whose program vanishes after its first game does not show up for the second; the others' games go on.
    """
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/sh\nrm run.sh\nexec no-such-program\n")
    script.chmod(0o755)

    first, second = await games(Local("vanishes", tmp_path, ("./run.sh",)), 2)

    assert faults(first) == faults(second) == {FaultKind.NO_SHOW: 1}
    assert "the command './run.sh' was not found" in second.tally.faulted[0].detail


async def test_a_program_that_is_none_does_not_come(tmp_path: Path) -> None:
    """
    A file that this machine cannot run is the bot's trouble, not the machine's.
    """
    (tmp_path / "bot").write_bytes(b"\x7fELF of another world")
    (tmp_path / "bot").chmod(0o755)

    (outcome,) = await games(Local("alien", tmp_path, ("./bot",)), 1)

    assert faults(outcome) == {FaultKind.NO_SHOW: 1}
    assert "cannot be run: Exec format error" in outcome.tally.faulted[0].detail


def test_a_ping_is_waited_for_as_long_as_any_clock_lets_a_bot_think() -> None:
    """
    Before the first ask too, and in games that began under another clock.
    """
    clocks = {
        "startup": Clock(startup=timedelta(seconds=60)),
        "ready": Clock(ready=timedelta(seconds=60)),
        "per_move": Clock(per_move=timedelta(seconds=60)),
        "bank": Clock(bank=timedelta(seconds=60)),
    }

    for clock in clocks.values():
        for several in ([clock], [Clock(), clock]):
            assert dict(houses.options(several))["grpc.http2.ping_timeout_ms"] >= 62_000
    day = timedelta(days=1)
    assert (
        dict(houses.options([Clock(per_move=day, bank=day, increment=day)]))["grpc.keepalive_timeout_ms"]
        < 2**31
    )


async def test_a_bot_that_thinks_is_not_taken_for_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A bot that answers no ping while it thinks is waited for as long as its clock lets it think.
    """
    monkeypatch.setattr(houses, "PING_AFTER", timedelta(seconds=1))
    monkeypatch.setattr(houses, "PING_PATIENCE", timedelta(seconds=0.2))
    clock = replace(CLOCK, per_move=timedelta(seconds=5))

    (outcome,) = await games(program("thinks_without_reading", tmp_path), 1, clock)

    assert faults(outcome) == {}
    tally = outcome.tally.seats[BAD_SEAT]
    assert tally.slowest + tally.lag > 2_500_000  # what a busy machine stalled is not the bot's
