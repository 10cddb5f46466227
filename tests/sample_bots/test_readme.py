"""The first bot of sample_bots/README.md works as it stands there."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.seats.specs import Local, parse_bot
from tests.fakes import rules_of
from tests.sample_bots.asks import asks_of_games, on_wire
from tests.sample_bots.bots import FOLDER, last_words, running
from tests.sample_bots.gateway import gateway

RULES = "winning_moves"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    """Return the code block of the page that begins with the comment `# name`."""
    found = re.search(rf"^```\w+\n(# {re.escape(name)}\n.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def mybot(tmp_path: Path) -> Path:
    """The bot of the page, in a folder of its own."""
    folder = tmp_path / "mybot"
    folder.mkdir()
    for file in ("bot.toml", "bot.py"):
        (folder / file).write_text(block(f"mybot/{file}"), encoding="utf-8")
    return folder


def test_the_folder_is_a_bot(mybot: Path) -> None:
    """
    A referee accepts the bot.toml of the page.
    """
    bot = parse_bot("mybot", mybot.parent)

    assert isinstance(bot, Local)
    assert (bot.name, bot.run) == ("mybot", ("python3", "bot.py"))


async def test_the_bot_plays(mybot: Path) -> None:
    """
    It takes its seat, answers every ask with an offered step, prints verdicts, and ends with its stream.
    """
    asks = asks_of_games(RULES)[:50]
    message = on_wire(rules_of(RULES).ruleset, *(ask._replace(plays=None) for ask in asks))
    offered = {(ask.game, ask.ask): list(ask.steps) for ask in message.asks}

    async with gateway() as referee, running(mybot, referee.address, "a-token") as process:
        assert (await referee.hear()).hello.name == "mybot"
        referee.say(pb.PlayResponse(offers=[pb.Offer(game=2)]))
        assert [ready.game for ready in (await referee.hear()).readies] == [2]
        referee.say(message)
        answers = await referee.hear_all(len(asks), lambda said: said.answers)
        assert all(len(a.steps) == 1 and a.steps[0] in offered[a.game, a.ask] for a in answers)
        assert {(a.game, a.ask) for a in answers} == offered.keys()
        referee.say(pb.PlayResponse(verdicts=[pb.Verdict(game=2, ask=9, detail="it was late")]))
        referee.end()
        assert await last_words(process) == (0, "game 2, ask 9: it was late\n")


def test_the_bot_captures_if_it_can(mybot: Path) -> None:
    """
    The function that an author changes first does what its first line says.
    """
    tree = ast.parse((mybot / "bot.py").read_text(encoding="utf-8"))
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    names: dict[str, object] = {}
    exec(compile(ast.Module([function], []), "bot.py", "exec"), names)
    choose = names["choose"]
    assert callable(choose)
    squares = [10, 30, 99, 0, *[127] * 4, 13, 0, 99, 71, *[127] * 4]

    ask = pb.Ask(seat=0, squares=squares, steps=[7, 8, 9], step_squares=[33, 13, 99])

    assert choose(ask) == 8
    assert choose(pb.Ask(seat=2, squares=squares, steps=[7, 8], step_squares=[71, 99])) == 8


def test_the_tournament_is_a_plan() -> None:
    """
    The plan of the page names bots that are there.
    """
    plan = tomllib.loads(block("mine.toml"))

    bots = {entrant["bot"] for entrant in plan["entrants"]}
    assert bots == {"mybot", "builtin:racer", "sample_bots/python_careful"}
    assert (FOLDER / "python_careful").is_dir()
