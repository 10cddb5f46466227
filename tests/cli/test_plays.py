"""`referee plays`: questions on standard input, answers on standard output."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from inspect import signature
from io import BufferedReader, BytesIO, StringIO
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import grpc
import pytest
from parcheesi.v1 import rules_service_pb2 as pb
from parcheesi.v1.rules_service_pb2_grpc import RulesServiceStub

from benchmarks.plays import questions
from referee.cli.answers import Answered, Mistake, Teller
from referee.cli.plays import DEEPEST, answer_all
from referee.cli.questions import answer as answer_to
from referee.files.rulesets import ruleset_called
from referee.rules.board import SEATS
from referee.rules.engine import Rules
from referee.rules.notation import position_text, state_from_text, state_text, step_text
from referee.rules.plays import MOMENTS
from referee.rules.ruleset import Teams
from referee.rules.rulesets import RULESETS, ruleset
from referee.rules.state import State, Step
from tests.cli.command import DONE, PATIENCE, REFEREE, ROOT, WRONG, environment, nobody_reads

PAGE = (ROOT / "docs" / "plays.md").read_text(encoding="utf-8")
FIVES = {"rules": "winning_moves", "position": "5,N,N,N/-/N,N,N,N/-", "seat": 0, "throw": [5, 5]}
LONGEST = 65_536


def blocks(language: str) -> list[str]:
    """Return the blocks of the page that are in *language*."""
    return [part.partition("```")[0] for part in PAGE.split(f"```{language}\n")[1:]]


def asked(text: str | bytes, *options: str, cwd: Path = ROOT) -> str:
    """Return what is answered to *text*; nothing may go wrong."""
    done = subprocess.run(
        [*REFEREE, "plays", *options],
        cwd=cwd,
        env=environment(),
        input=text if isinstance(text, bytes) else text.encode(),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (DONE, b"")
    return done.stdout.decode()


def answers(*questions: object) -> list[dict[str, Any]]:
    """Return the answer to each of *questions*, as a program reads them; a text is asked as it is."""
    lines = [question if isinstance(question, str) else json.dumps(question) for question in questions]
    return [json.loads(line) for line in asked("\n".join(lines), "--json").splitlines()]


@contextmanager
def running(*options: str) -> Iterator["subprocess.Popen[str]"]:
    """Return the command, running, with pipes to ask and to listen."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*REFEREE, "plays", *options],
        cwd=ROOT,
        env=environment(),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
    ) as process:
        yield process


@contextmanager
def serving_rules(*options: str) -> Iterator[str]:
    """Run `referee serve` without bots; return the address on which it listens."""
    with subprocess.Popen(
        [*REFEREE, "serve", "--listen", "127.0.0.1:0", *options],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[2].rstrip(";")
        finally:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=PATIENCE)
        assert (process.returncode, rest) == (DONE, "stopped\n")


def ask_and_wait(process: "subprocess.Popen[str]", question: object) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


Ask = Callable[..., dict[str, Any]]
"""Returns the answer to `FIVES` with other fields."""


@pytest.fixture(scope="module")
def oracle() -> Iterator[Callable[[object], dict[str, Any]]]:
    """Return what asks one process, which answers the whole module."""
    with running("--json") as process:
        yield partial(ask_and_wait, process)


@pytest.fixture(scope="module")
def ask(oracle: Callable[[object], dict[str, Any]]) -> Ask:
    """Return what asks for `FIVES` with other fields."""

    def ask(**fields: object) -> dict[str, Any]:
        return oracle(FIVES | fields)

    return ask


class TestAnswers:
    def test_are_as_the_page_shows(self) -> None:
        """
        The question of the page has the answer of the page.
        """
        question, expected = (json.loads(text) for text in blocks("json"))

        assert answers(question) == [expected]

    @pytest.mark.parametrize("name", RULESETS)
    def test_are_those_of_the_rules(self, ask: Ask, name: str) -> None:
        """
        In games of every ruleset: steps, plays and positions, as the engine has them.
        """
        rules = Rules(ruleset(name))

        for question in islice(questions(rules, 3), 60):
            found = ask(**question)
            thrown = rules.throw(state_of(rules, question), question["throw"])  # type: ignore[arg-type]
            assert found.get("third", False) == thrown.third, question
            if thrown.third:
                assert found["returned"] == thrown.returned
                assert found["position"] == position_text(rules.board, thrown.state.position)
                continue
            plays, cut = rules.plays(thrown.state)
            steps = rules.steps(thrown.state)
            assert [step["code"] for step in found["steps"]] == [step.code for step in steps], question
            assert [step["text"] for step in found["steps"]] == [
                step_text(rules.ruleset, thrown.state, step) for step in steps
            ]
            assert found["plays"] == [[step.code for step in play.steps] for play in plays]
            assert found["positions"] == [
                position_text(rules.board, play.position, play.arrived) for play in plays
            ]
            assert found["cut"] == cut

    @pytest.mark.parametrize("name", RULESETS)
    def test_go_on_in_mid_throw(self, ask: Ask, name: str) -> None:
        """
        The state after a step is asked for with all that it holds.
        """
        rules = Rules(ruleset(name))

        for state in islice(mid_throw(rules, Random(5)), 40):
            found = ask(rules=name, plays=False, **state_text(rules.ruleset, state))

            assert [step["code"] for step in found["steps"]] == [step.code for step in rules.steps(state)]

    def test_tell_each_part_of_a_step(self, ask: Ask) -> None:
        """
        A program need not take codes apart.
        """
        found = ask(position="5,L3,N,N/-/N,N,N,N/-", throw=[4, 1], plays=False)

        assert found["steps"][-1] == {
            "pawn": 3,
            "use": 14,
            "square": "5",
            "from": "N",
            "text": "3: N to 5 with 1 and 4",
            "code": Step(3, 14, 5).code,
        }
        assert found["numbers"] == [1, 4]
        assert found.keys() == {"numbers", "steps"}

    def test_are_empty_where_nothing_can_be_moved(self, ask: Ask) -> None:
        """
        No step is an answer like any other.
        """
        nest = "N,N,N,N/-/N,N,N,N/-"
        follows = {"rules": "winning_moves", "position": nest, "last_moved": None}
        nothing: dict[str, object] = {"steps": [], "plays": [], "positions": [], "cut": False}

        assert ask(position=nest, throw=[6, 2]) == nothing | {
            "numbers": [2, 6],
            "next": follows | {"seat": 2, "repeats": 0},
        }
        assert ask(position=nest, throw=[6, 6]) == nothing | {
            "numbers": [6, 6],
            "next": follows | {"seat": 0, "repeats": 1},
        }
        assert ask(
            position="H,H,H,H/-/N,N,N,N/-", at_throw="H,H,H,L3", throw=[1, 5], numbers=[]
        ) == nothing | {
            "numbers": [],
            "won": True,
        }

    def test_tell_a_third_doublet(self, ask: Ask) -> None:
        """
        It is not played: who goes back is told, and what that leaves.
        """
        third: dict[str, object] = {"third": True, "numbers": [], "steps": [], "plays": [], "positions": []}
        follows = {"rules": "winning_moves", "seat": 2, "repeats": 0, "last_moved": None}
        for before, returned, left in (("20,L3,H,N", 1, "20,N,H,N"), ("N,N,H,N", None, "N,N,H,N")):
            position = f"{left}/-/N,N,N,N/-"
            assert ask(position=f"{before}/-/N,N,N,N/-", repeats=2) == third | {
                "returned": returned,
                "position": position,
                "cut": False,
                "next": follows | {"position": position},
            }

    def test_carry_the_id_of_the_question(self) -> None:
        """
        Whatever it is, with an error too, and nothing where there was none.
        """
        deep: Any = [1, {"a": "é\n", "b": -1.5e300}]
        for _ in range(DEEPEST - 3):
            deep = [deep]
        ids = [0, "", None, deep]
        found = answers(*(FIVES | {"id": one} for one in ids), FIVES | {"id": 5, "seat": 9}, FIVES)

        assert [told["id"] for told in found[:4]] == ids
        assert found[4]["id"] == 5
        assert "error" in found[4]
        assert "id" not in found[5]

    def test_follow_a_ruleset_of_ones_own(self, ask: Ask, tmp_path: Path) -> None:
        """
        A file is taken wherever a name is.
        """
        (tmp_path / "house.toml").write_text(
            "extends = 'winning_moves'\nmust_enter = 'never'\n", encoding="utf-8"
        )

        by_sheet, by_house = ask(), ask(rules=str(tmp_path / "house.toml"))

        assert (len(by_sheet["steps"]), len(by_house["steps"])) == (3, 4)


def state_of(rules: Rules, question: dict[str, object]) -> State:
    """Return the state before the throw of *question*."""
    texts = {key: value for key, value in question.items() if key not in ("rules", "throw")}
    return state_from_text(rules.ruleset, texts)


def mid_throw(rules: Rules, random: Random) -> Iterator[State]:
    """Yield states of games of four at random, each after a step."""
    state = rules.start(SEATS, 0)
    while True:
        state = rules.throw(state, [random.randint(1, 6) for _ in range(rules.ruleset.dice)]).state
        while state.dice and (steps := rules.steps(state)):
            state, _, _, won = rules.apply(state, random.choice(steps))
            if won:
                state = rules.start(SEATS, 0)
                break
            yield state
        else:
            state = rules.play_over(state) if state.dice else state


RELAY = "extends = 'pressman_teams'\nteam_win = 'both_members'\n"


def script(name: str) -> str:
    """Return the Python of the page that begins with the comment `# name`."""
    (found,) = (text for text in blocks("python") if text.startswith(f"# {name}\n"))
    return found


class TestPage:
    def test_shows_a_script_that_walks_a_game(self, tmp_path: Path) -> None:
        """
        It works as it stands there, wherever `referee` is found.
        """
        (tmp_path / "walk.py").write_text(script("walk.py"), encoding="utf-8")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [sys.executable, "walk.py"],
            cwd=tmp_path,
            env=environment({"PATH": path}),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

        assert (done.returncode, done.stderr) == (DONE, "")
        assert re.fullmatch(r"seat (0 has won: H,H,H,H/-/.*|2 has won: .*/-/H,H,H,H)/-\n", done.stdout)

    def test_shows_a_client_of_the_service(self, tmp_path: Path) -> None:
        """
        It prints what the page says, asking a referee that serves the rules alone.
        """
        (tmp_path / "ask.py").write_text(script("ask.py"), encoding="utf-8")
        with serving_rules() as address:
            done = subprocess.run(
                [sys.executable, "ask.py"],
                cwd=tmp_path,
                env=environment({"PARCHEESI_ADDRESS": address}),
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )

        assert (done.returncode, done.stderr) == (DONE, "")
        assert [done.stdout] == blocks("text")

    def test_says_that_the_service_knows_rules_of_ones_own(self, tmp_path: Path) -> None:
        """
        A file is answered for by the name that offers tell.
        """
        own = "extends = 'winning_moves'\nmust_enter = 'never'\n"
        (tmp_path / "two.toml").write_text(own, encoding="utf-8")
        state = pb.State(position="5,N,N,N/-/N,N,N,N/-", dice=[5, 5])
        with (
            serving_rules("--rules", str(tmp_path / "two.toml")) as address,
            grpc.insecure_channel(address) as channel,
        ):
            dial: Any = RulesServiceStub
            stub = dial(channel)
            answer = stub.ListPlays(pb.ListPlaysRequest(ruleset="two", state=state), timeout=PATIENCE)

        assert len(answer.steps) == 4

    def test_tells_how_many_plays_are_looked_for(self) -> None:
        """
        The limits behind `cut` are those of the engine.
        """
        limit = signature(Rules.plays).parameters["limit"].default

        assert f"At most {limit:,} are; and the search stops after {MOMENTS:,} different states" in PAGE


class TestApply:
    @pytest.mark.parametrize("name", [*RULESETS, "relay.toml"])
    def test_walks_whole_games(
        self, oracle: Callable[[object], dict[str, Any]], tmp_path: Path, name: str
    ) -> None:
        """
        A script without rules of its own plays to the end, and every state is that of the engine.
        """
        if name not in RULESETS:
            (tmp_path / name).write_text(RELAY, encoding="utf-8")
            name = str(tmp_path / name)
        rules = Rules(ruleset_called(name, Path()))
        random = Random(20_267)
        seats = [0, 2] if rules.ruleset.teams is Teams.NONE else [1, 0, 2, 3]

        begun = oracle({"rules": name, "start": seats})
        state = rules.start(seats, seats[0])
        following = begun["next"]
        asked, found, won = following, begun, False
        while not won:
            assert following == {"rules": name, **state_text(rules.ruleset, state)}
            dice = [random.randint(1, 6) for _ in range(begun["dice"])]
            asked = following | {"throw": dice}
            found = oracle(asked | {"plays": False})
            state, third, returned = rules.throw(state, dice)
            assert (found.get("third", False), found.get("returned")) == (third, returned)
            while found["steps"]:
                assert found["numbers"] == list(state.numbers)
                assert [step["code"] for step in found["steps"]] == [step.code for step in rules.steps(state)]
                code = random.choice(found["steps"])["code"]
                found = oracle(asked | {"apply": code, "plays": False})
                step = Step.from_code(code)
                assert step is not None
                state, captured, earned, won = rules.apply(state, step)
                asked = found["after"]
                assert (found["captured"], found["earned"], found["won"]) == (
                    [list(pawn) for pawn in captured],
                    list(earned),
                    won,
                )
                assert asked == {"rules": name, **state_text(rules.ruleset, state)}
            if not won:
                state = state if third else rules.play_over(state)
                following = found["next"]
        assert "next" not in found
        assert oracle(asked)["won"]

    def test_tells_what_the_step_did_and_what_may_follow(self, ask: Ask) -> None:
        """
        All else in the answer is about the state after it, which can be asked about as it stands.
        """
        after = {
            "rules": "winning_moves",
            "position": "20,N,N,N/-/N,N,N,N/-",
            "seat": 0,
            "repeats": 0,
            "last_moved": 0,
            "throw": [3, 1],
            "numbers": [1],
            "bonuses": [20],
            "at_throw": "17,N,N,N",
        }
        for step in (Step(0, 3, 20).code, {"pawn": 0, "use": 3, "square": "20"}):
            found = ask(position="17,N,N,N/-/20,N,N,N/-", throw=[3, 1], apply=step)

            assert found.items() > {"captured": [[2, 0]], "earned": [20], "won": False}.items()
            assert found["after"] == after
            assert ask(**after).items() <= found.items()

    def test_of_a_step_that_is_not_legal_is_refused_as_explain_would(self, ask: Ask) -> None:
        """
        The error is the reason, with the rule that forbids the step.
        """
        question: dict[str, Any] = {"position": "30,N,N,H/-/N,N,N,N/-", "throw": [5, 2]}
        for step in (Step(0, 5, 35).code, 7, {"pawn": 0, "use": 3, "square": "33"}):
            refusal = ask(**question, explain=step)["explain"]
            found = ask(**question, apply=step, id=3)

            assert found.pop("line") > 1
            assert found == {"id": 3, "error": refusal["why"], "rule": refusal["rule"]}

    def test_of_a_third_doublet_is_refused(self, ask: Ask) -> None:
        """
        There is no step in it.
        """
        assert ask(repeats=2, apply=Step(1, 5, 5).code)["error"] == (
            "Third throw: the third doublet of a turn is not played"
        )
        six = {"rules": "casual_classic", "throw": [6]}
        assert ask(**six, repeats=2, apply=1)["error"] == "Third throw: the third six of a turn is not played"


class TestExplain:
    @pytest.mark.parametrize(
        ("step", "rule", "words"),
        [
            pytest.param({"pawn": 0, "use": 5, "square": "35"}, "Entering", "Entering: ", id="a rule"),
            pytest.param(Step(0, 5, 35).code, "Entering", "a five that can enter", id="by its code"),
            pytest.param(
                {"pawn": 0, "use": 3, "square": "33"}, "obstacle", "3 is not left", id="not possible"
            ),
            pytest.param(1 << 40, "obstacle", "is not the number of a step", id="no step"),
            pytest.param(-1, "obstacle", "-1 is not the number of a step", id="below"),
        ],
    )
    def test_names_the_rule_and_says_why(self, ask: Ask, step: object, rule: str, words: str) -> None:
        """
        The rule is named as in the rule book; what is not possible at all is an obstacle.
        """
        found = ask(position="30,N,N,H/-/N,N,N,N/-", throw=[5, 2], explain=step)["explain"]

        assert found["rule"] == rule
        assert words in found["why"]

    def test_is_null_for_a_legal_step(self, ask: Ask) -> None:
        """
        Whichever way the step is named, and only where it was asked for.
        """
        for step in ({"pawn": 1, "use": 5, "square": "5"}, Step(1, 5, 5).code):
            assert ask(explain=step)["explain"] is None
        assert "explain" not in ask()

    def test_of_a_third_doublet_is_that_it_is_not_played(self, ask: Ask) -> None:
        """
        No step is legal then.
        """
        assert ask(repeats=2, explain=Step(1, 5, 5).code)["explain"] == {
            "rule": "Third throw",
            "why": "Third throw: the third doublet of a turn is not played",
        }


BAD = [
    pytest.param("5, 5", "the line is not JSON: ", id="no JSON"),
    pytest.param("[]", "a question is a JSON object", id="no object"),
    pytest.param("[" * 30_000, "the line is nested too deeply", id="brackets"),
    pytest.param(
        "1" * 5000, "the line is not JSON that can be read: a number has too many", id="long number"
    ),
    pytest.param('{"id": 1e999}', "the line is not JSON: 1e999 is beyond what a number can be", id="1e999"),
    pytest.param('{"id": -1e999}', "not JSON: -1e999 is beyond what a number can be", id="-1e999"),
    pytest.param('{"id": NaN}', "the line is not JSON: NaN is no number", id="NaN"),
    pytest.param('{"seat": [Infinity]}', "the line is not JSON: Infinity is no number", id="Infinity"),
    pytest.param("-Infinity", "the line is not JSON: -Infinity is no number", id="-Infinity"),
    pytest.param('{"seat": 0, "seat": 0}', "the line has 'seat' twice in one object", id="a field twice"),
    pytest.param('{"id": {"a": 1, "a": 2}}', "the line has 'a' twice in one object", id="twice in the id"),
    *(
        pytest.param(
            json.dumps(FIVES)[:-1] + f', "{field}": {"[" * 986}1{"]" * 986}}}',
            "the line is nested too deeply",
            id=f"{field} nested",
        )
        for field in ("id", "start", "plays", "moved", "explain", "colour")
    ),
    pytest.param({"colour": 1}, "a question has no field 'colour'; it has: ", id="no such field"),
    pytest.param({"thrown": [1, 1]}, "no field 'thrown'; did you mean throw?", id="a slip"),
    pytest.param({}, "rules is null: it should be the name of a ruleset", id="nothing"),
    pytest.param({"rules": 5}, "rules is 5: it should be", id="no name"),
    pytest.param(FIVES | {"rules": "ludo"}, "no ruleset called 'ludo'; there are: ", id="no rules"),
    pytest.param(FIVES | {"rules": "no.toml"}, "no.toml: there is no such file", id="no file"),
    pytest.param({"rules": "racket"}, "throw is missing", id="no throw"),
    pytest.param({"rules": "racket", "throw": [1, 2]}, "position is missing: four squares", id="no position"),
    pytest.param({"rules": "racket", "throw": [1, 2], "position": "-"}, "seat is missing", id="no seat"),
    pytest.param(FIVES | {"position": None}, "position is null: it should be a text", id="null position"),
    pytest.param(FIVES | {"position": {"a": [None]}}, 'position is {"a": [null]}: it', id="an object"),
    pytest.param(FIVES | {"seat": True}, "seat is true: it should be a whole number", id="a truth as seat"),
    pytest.param(FIVES | {"seat": None}, "seat is null: it should be a whole number", id="null seat"),
    pytest.param(FIVES | {"throw": None}, "throw is null: it should be a list of dice", id="null throw"),
    pytest.param(FIVES | {"repeats": None}, "repeats is null: it should be a whole number", id="repeats"),
    pytest.param(FIVES | {"repeats": 1 << 21}, "repeats is 2097152; no turn has over", id="many repeats"),
    pytest.param(FIVES | {"last_moved": False}, "last_moved is false: it should be a pawn", id="last moved"),
    pytest.param(FIVES | {"plays": None}, "plays is null: it should be true or false", id="null plays"),
    pytest.param(FIVES | {"at_throw": None}, "at_throw is null: it should be a text", id="null at_throw"),
    pytest.param(
        FIVES | {"at_throw": "5,N,N,N", "numbers": [True]},
        "numbers is [true]: it should be a list",
        id="[true]",
    ),
    pytest.param(
        FIVES | {"at_throw": "5,N,N,N", "numbers": [5], "gave_up": None},
        "gave_up is null: it should be true or false",
        id="null gave_up",
    ),
    pytest.param(FIVES | {"explain": None}, "explain is null: it should be the code", id="null step"),
    pytest.param(FIVES | {"throw": [7, 1]}, "[7, 1] is no throw", id="a 7"),
    pytest.param(FIVES | {"throw": [1, 2, 3]}, "[1, 2, 3] is no throw", id="three dice"),
    pytest.param(FIVES | {"throw": [1]}, "[1] is no throw", id="one die"),
    pytest.param(FIVES | {"throw": []}, "[] is no throw", id="no dice"),
    pytest.param(FIVES | {"throw": [[1], 2]}, "it should be a list of dice", id="a list as die"),
    pytest.param(FIVES | {"throw": [True, 1]}, "it should be a list of dice", id="a truth as die"),
    pytest.param(FIVES | {"throw": "55"}, "throw is '55': it should be a list", id="dice as text"),
    pytest.param(FIVES | {"seat": 1}, "seat 1 is to move but absent", id="an absent seat"),
    pytest.param(FIVES | {"seat": 4}, "seat 4 does not exist", id="a fifth seat"),
    pytest.param(FIVES | {"position": "5,5,5,N/-/N,N,N,N/-"}, "holds two at most", id="three on one"),
    pytest.param(FIVES | {"position": "69,N,N,N/-/N,N,N,N/-"}, "squares 1 to 68", id="no square"),
    pytest.param(FIVES | {"repeats": -1}, "repeats is -1", id="fewer than no doublets"),
    pytest.param(FIVES | {"numbers": [5]}, "numbers is given without at_throw", id="half a state"),
    pytest.param(
        FIVES | {"at_throw": "5,N,N,N", "numbers": [4]}, "are not left of this throw", id="not left"
    ),
    pytest.param(FIVES | {"plays": 1}, "plays is 1: it should be true or false", id="plays"),
    pytest.param(FIVES | {"apply": "1"}, "apply is '1': it should be", id="a text to apply"),
    pytest.param(FIVES | {"apply": {"pawn": 4, "use": 5, "square": "5"}}, "apply: pawn is 4", id="apply"),
    pytest.param(FIVES | {"apply": 1, "explain": 1}, "apply are two questions", id="two questions"),
    pytest.param({"rules": "racket", "start": []}, "start is []: it should be a list", id="nobody starts"),
    pytest.param({"rules": "racket", "start": 2}, "start is 2: it should be a list", id="how many start"),
    pytest.param({"rules": "racket", "start": [0, 1]}, "sit opposite each other", id="side by side"),
    pytest.param({"rules": "racket", "start": [0] * 9}, "start has 9 seats", id="nine seats"),
    pytest.param(FIVES | {"start": [0, 2]}, "position is given with start", id="a start and a state"),
    pytest.param(FIVES | {"explain": "1"}, "explain is '1': it should be", id="a text to explain"),
    pytest.param(FIVES | {"explain": {"pawn": 1}}, "should have pawn, use and square", id="half"),
    pytest.param(FIVES | {"explain": {"pawn": 4, "use": 5, "square": "5"}}, "pawn is 4", id="a fifth pawn"),
    pytest.param(FIVES | {"explain": {"pawn": 1, "use": 0, "square": "5"}}, "use is 0", id="use of nothing"),
    pytest.param(
        FIVES | {"explain": {"pawn": 1, "use": 5, "square": 5}}, "square is 5", id="square as number"
    ),
    pytest.param(
        FIVES | {"explain": {"pawn": 1, "use": 5, "square": "X"}}, "'X' is no square", id="square X"
    ),
]
ALL_BAD = [line if isinstance(line, str) else json.dumps(line) for line, _ in (case.values for case in BAD)]


@cache
def bad_lines() -> list[dict[str, Any]]:
    """Return the answers to all bad lines, each followed by a good one."""
    return answers(*chain.from_iterable((line, FIVES) for line in ALL_BAD))


class TestBadLine:
    @pytest.mark.parametrize(("line", "words"), BAD)
    def test_is_told_on_its_line_and_the_rest_go_on(self, ask: Ask, line: object, words: str) -> None:
        """
        The error names what is wrong and the number of the line, and nothing else is told.
        """
        text = line if isinstance(line, str) else json.dumps(line)
        number = ALL_BAD.index(text)

        (wrong, after) = bad_lines()[2 * number : 2 * number + 2]

        assert words in wrong["error"]
        assert wrong.keys() == {"error", "line"}
        assert wrong["line"] == 2 * number + 1
        assert after == ask()

    def test_may_be_too_long(self, ask: Ask) -> None:
        """
        A line of 64 KiB is read; one byte more, or a megabyte, is refused and passed over.
        """
        question = json.dumps(FIVES)
        fits, over, far, after = answers(
            question.ljust(LONGEST), question.ljust(LONGEST + 1), question.ljust(1 << 20), FIVES
        )

        assert fits == after == ask()
        assert [told["line"] for told in (over, far)] == [2, 3]
        assert over["error"] == "a line of over 65536 bytes is no question"

    @pytest.mark.parametrize(
        "line", [b"\xff\xfe", b'{"rules": "\xe9"}', b'{"id": "\xed\xa0\x80"}'], ids=["FF", "Latin-1", "half"]
    )
    def test_may_be_no_text(self, line: bytes) -> None:
        """
        Bytes that are not UTF-8, and half of a character that has two, are no question either.
        """
        found = [json.loads(told) for told in asked(b"\n%s\n%s\n" % (line, line), "--json").splitlines()]

        assert found == [{"error": "the line is not UTF-8 text", "line": number} for number in (2, 3)]

    def test_may_begin_with_a_byte_order_mark(self, ask: Ask) -> None:
        """
        Some editors write it at the beginning of a file.
        """
        line = b"\xef\xbb\xbf" + json.dumps(FIVES).encode()

        assert json.loads(asked(line, "--json")) == ask()

    def test_may_be_blank(self) -> None:
        """
        Blank lines have no answer, but they count; the last line needs no end.
        """
        assert asked("\n  \r\n", "--json") == ""
        assert answers("", "x", "", "x") == [
            {"error": "the line is not JSON: Expecting value: line 1 column 1 (char 0)", "line": number}
            for number in (2, 4)
        ]

    def test_of_any_kind_ends_nothing(self) -> None:
        """
        Whatever fields and values a question has, there is an answer or an error.
        """
        random = Random(11)
        strange: list[object] = [
            None,
            True,
            -1,
            2,
            99,
            1.5,
            "",
            "N",
            "5,5,N,N",
            [],
            [1, 1],
            [1, 2],
            [20],
            {},
            "racket",
        ]
        fields = [*FIVES, "at_throw", "numbers", "bonuses", "moved", "gave_up", "last_moved", "explain"]
        lines = [
            FIVES | {random.choice(fields): random.choice(strange) for _ in range(random.randint(1, 3))}
            for _ in range(600)
        ]

        found = answers(*lines)

        assert len(found) == len(lines)
        assert {("steps" in told, "error" in told) for told in found} == {(True, False), (False, True)}

    def test_on_which_we_fail_is_told_as_our_mistake(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """
        Whatever goes wrong here over one line is said there, with its id, and costs no other line.
        """

        def answer(question: Any) -> Any:
            if question["id"] == 2:
                raise RecursionError("maximum\ndepth")
            return answer_to(question)

        monkeypatch.setattr("referee.cli.plays.answer", answer)
        lines = b"".join(b"%s\n" % json.dumps(FIVES | {"id": number}).encode() for number in (1, 2, 3))
        out = StringIO()

        flawless = answer_all(BufferedReader(BytesIO(lines)), out, Teller().json)
        found = [json.loads(line) for line in out.getvalue().splitlines()]

        what = "a mistake of this program, not of yours: RecursionError: maximum"
        assert not flawless
        assert found[1] == {"id": 2, "error": f"{what}\ndepth", "line": 2}
        assert [("steps" in told, told["id"]) for told in found] == [(True, 1), (False, 2), (True, 3)]
        assert capsys.readouterr().err == (
            f"referee: line 2: {what}\N{REPLACEMENT CHARACTER}depth; --log-level debug shows where\n"
        )

    def test_on_which_words_fail_us_is_told_too(self, capsys: pytest.CaptureFixture[str]) -> None:
        """
        An answer that cannot be put into words is our mistake like any other.
        """

        def tell(number: int, question: Any, found: Answered) -> str:
            if number == 1 and not isinstance(found, Mistake):
                raise KeyError("seat")
            return Teller().json(number, question, found)

        out = StringIO()
        flawless = answer_all(BufferedReader(BytesIO(b"%s\n" % json.dumps(FIVES).encode() * 2)), out, tell)

        first, second = (json.loads(line) for line in out.getvalue().splitlines())
        assert not flawless
        assert first == {"error": "a mistake of this program, not of yours: KeyError: 'seat'", "line": 1}
        assert "steps" in second
        assert capsys.readouterr().err.startswith("referee: line 1: a mistake of this program")


class TestConversation:
    def test_is_written_when_no_question_waits(self) -> None:
        """
        Many questions that are there at once are answered together; that costs less than one by one.
        """

        class Paper(StringIO):
            flushed: ClassVar[list[int]] = []

            def flush(self) -> None:
                self.flushed.append(self.getvalue().count("\n"))

        lines = b"".join(b"%s\n" % json.dumps(FIVES | {"id": number}).encode() for number in range(90))
        answer_all(BufferedReader(BytesIO(lines)), Paper(), Teller().json)

        assert Paper.flushed == [0, 90, 90]

    def test_takes_no_more_room_the_more_files_are_asked_about(self, tmp_path: Path) -> None:
        """
        Rulesets of files are forgotten again, those too by which steps are explained.
        """

        def room(process: "subprocess.Popen[str]") -> int:
            pages = Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE") >> 20

        seen = []
        with running("--json") as process:
            for number in range(70):
                file = tmp_path / f"{number}.toml"
                file.write_text(f"extends = 'winning_moves'\ncapture_bonus = {number}\n", encoding="utf-8")
                found = ask_and_wait(process, FIVES | {"rules": str(file), "explain": Step(0, 5, 10).code})
                assert found["explain"]["rule"] == "Entering"
                seen.append(room(process))
            process.communicate(timeout=PATIENCE)

        assert seen[-1] - seen[0] < 100
        assert seen[-1] - seen[-20] < 10

    def test_each_answer_comes_before_the_next_question(self) -> None:
        """
        A program may ask, wait, and ask again.
        """
        with running("--json") as process:
            for number in range(3):
                assert ask_and_wait(process, FIVES | {"id": number})["id"] == number
            _, err = process.communicate(timeout=PATIENCE)

        assert (process.returncode, err) == (DONE, "")

    def test_ends_quietly_with_ctrl_c(self) -> None:
        """
        Whoever has had enough is told nothing more.
        """
        with running("--json") as process:
            ask_and_wait(process, FIVES)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)

        assert (process.returncode, out, err) == (128 + signal.SIGINT, "", "")

    def test_ends_quietly_when_nobody_listens(self) -> None:
        """
        As any command of a pipe.
        """
        with nobody_reads() as writing:
            done = subprocess.run(
                [*REFEREE, "plays"],
                cwd=ROOT,
                env=environment(),
                input=json.dumps(FIVES),
                stdout=writing,
                stderr=subprocess.PIPE,
                text=True,
                timeout=PATIENCE,
                check=False,
            )

        assert (done.returncode, done.stderr) == (DONE, "")

    def test_is_refused_where_nothing_can_be_read(self, tmp_path: Path) -> None:
        """
        Standard input that is open for writing only is told by name.
        """
        with (tmp_path / "written").open("w") as writing:
            done = subprocess.run(
                [*REFEREE, "plays"],
                cwd=ROOT,
                env=environment(),
                stdin=writing,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )

        assert (done.returncode, done.stdout) == (WRONG, "")
        assert done.stderr == "referee: standard input: cannot be read: Bad file descriptor\n"


class TestForPeople:
    def test_a_few_lines_tell_all(self) -> None:
        """
        What was thrown, the legal steps, the plays and where they lead; a blank line ends it.
        """
        assert asked(json.dumps(FIVES | {"id": "a", "explain": 1290})) == (
            "a: seat 0 threw 5 5 at 5,N,N,N/-/N,N,N,N/-\n"
            "  pawn 1: N to 5 with 5\n"
            "  pawn 2: N to 5 with 5\n"
            "  pawn 3: N to 5 with 5\n"
            "  play 1: N to 5 with 5, 0: 5 to 10 with 5 > 10,5,N,N/-/N,N,N,N/-\n"
            "  Entering: a five that can enter a pawn must enter one\n"
            "\n"
        )

    def test_the_rest_of_many_plays_is_counted(self) -> None:
        """
        Nobody reads a hundred lines.
        """
        question = FIVES | {"position": "10,20,30,40/-/N,N,N,N/-", "throw": [1, 1]}
        plays = len(answers(question)[0]["plays"])

        lines = asked(json.dumps(question)).splitlines()

        assert plays > 20
        assert sum(line.startswith("  play ") for line in lines) == 20
        assert f"  and {plays - 20} plays more" in lines

    def test_a_third_doublet_nothing_to_move_and_an_error_have_their_words(self) -> None:
        """
        One line says what it is.
        """
        third = FIVES | {"position": "20,L3,H,N/-/N,N,N,N/-", "repeats": 2}
        stuck = FIVES | {"position": "N,N,N,N/-/N,N,N,N/-", "throw": [6, 2]}

        out = asked("\n".join(map(json.dumps, (third, stuck, "x\n"))))

        assert out == (
            "the third doublet of the turn is not played; pawn 1 goes back: 20,N,H,N/-/N,N,N,N/-\n"
            "  seat 2 throws next\n"
            "\n"
            "seat 0 threw 6 2 at N,N,N,N/-/N,N,N,N/-\n"
            "  no step is legal\n"
            "  seat 2 throws next\n"
            "\n"
            'line 3: a question is a JSON object, such as {"rules": "racket", ...}\n'
            "\n"
        )

    def test_a_start_and_a_step_have_their_words(self) -> None:
        """
        What the step did stands behind it, one line each.
        """
        start = {"rules": "casual_classic", "start": [0, 2], "id": "new"}
        taken = FIVES | {"position": "17,N,N,N/-/20,N,N,N/-", "throw": [3, 1], "plays": False}
        wins = FIVES | {"position": "H,H,H,L6/-/N,N,N,N/-", "throw": [5, 2], "plays": False}
        step, last = Step(0, 3, 20).code, Step(3, 2, 99).code

        out = asked("\n".join(map(json.dumps, (start, taken | {"apply": step}, wins | {"apply": last}))))

        assert out == (
            "new: seat 0 throws one die at N,N,N,N/-/N,N,N,N/-\n"
            "\n"
            "seat 0 played 0: 17 to 20 with 3: 20,N,N,N/-/N,N,N,N/-\n"
            "  it captured pawn 0 of seat 2\n"
            "  it earned a bonus of 20\n"
            "  pawn 0: 20 to 21 with 1\n"
            "\n"
            "seat 0 played 3: L6 to H with 2: H,H,H,H/-/N,N,N,N/-\n"
            "  it earned a bonus of 10\n"
            "  no step is legal\n"
            "  the game is won\n"
            "\n"
        )
