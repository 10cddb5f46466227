"""
The worked examples of docs/rules.md, put to the engine line by line.

Knows: the small language of the `example` blocks, which the page explains under *How to read the examples*.
Does not know: what is legal. An answer that the engine does not give is a mistake of the page, or of ours.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from referee.rules.board import BOARDS
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, position_text, square_code, step_text, use_text
from referee.rules.ruleset import from_text, kinds
from referee.rules.rulesets import RULESETS
from referee.rules.state import BONUS, FIVE_BY_SUM, State, Step

FOLDER = Path(__file__).resolve().parents[2] / "docs"
PAGE = (FOLDER / "rules.md").read_text(encoding="utf-8")

NOTHING = "nothing can move"
OVER = "the game is over"
CASES = range(1, 24)
"""The numbers of the worked cases that a rule book of this game must answer."""

ENOUGH = 60
"""Fewer examples than this, and some were not found on the page."""


@dataclass(frozen=True)
class Example:
    """One block: its line on the page, what it is about, and the questions with their answers, in order."""

    line: int
    about: Mapping[str, str]
    answers: tuple[tuple[str, str], ...]

    @property
    def names(self) -> list[str]:
        return self.about["rules"].split(", ")

    @property
    def cases(self) -> list[int]:
        return [int(number) for number in self.about.get("case", "").split(", ") if number]


ABOUT = {"case", "rules", "with", "position", "seat", "throw", "repeats", "last_moved"}


def examples() -> Iterator[Example]:
    """Yield the examples of the page."""
    for block in re.finditer(r"^```example\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        lines = [line.partition(": ") for line in block[1].splitlines()]
        pairs = [(key, value.strip()) for key, _, value in lines]
        about = {key: value for key, value in pairs if key in ABOUT}
        line = PAGE.count("\n", 0, block.start()) + 1
        yield Example(line, about, tuple(pair for pair in pairs if pair[0] not in ABOUT))


EXAMPLES = list(examples())


@cache
def rules_of(name: str, changes: str) -> Rules:
    """Return a ruleset compiled, with *changes* such as `team_win = both_members, dice = 1`."""
    given = RULESETS[name]
    if changes:
        texts = dict(change.split(" = ") for change in changes.split(", "))
        given = from_text("house rules", {**given.as_text(), **texts})
    return Rules(given)


class Table:
    """An example laid out in one ruleset: the throw was made, and steps may have been played."""

    def __init__(self, name: str, example: Example) -> None:
        about = example.about
        self.rules = rules_of(name, about.get("with", ""))
        position, arrived = position_from_text(self.rules.ruleset, about["position"])
        last = about.get("last_moved")
        before = State(
            position,
            int(about.get("seat", "0")),
            int(about.get("repeats", "0")),
            None if last is None else int(last),
            arrived=arrived,
        )
        self.rules.check(before)
        self.thrown = self.rules.throw(before, tuple(map(int, about["throw"].split())))
        self.seat = before.seat
        self.state = self.thrown.state
        self.won = False

    # The answers, as the page writes them.

    def numbers(self, _: str) -> str:
        assert not self.thrown.third
        return ", ".join(map(str, self.state.numbers))

    def legal(self, wanted: str) -> str:
        """Return *wanted* if just these steps are legal, else those that are."""
        found = Counter(self.texts())
        if wanted == NOTHING:
            return "; ".join(found) or NOTHING
        return wanted if Counter(each(wanted)) == found else "; ".join(found) or NOTHING

    def allowed(self, wanted: str) -> str:
        """Return *wanted* if all these steps are among the legal ones, else those that are."""
        found = self.texts()
        return wanted if set(each(wanted)) <= set(found) else "; ".join(found) or NOTHING

    def forbidden(self, wanted: str) -> str:
        """Return the step of *wanted* with the rule that forbids it."""
        text = wanted.rpartition(" (")[0]
        refusal = self.rules.explain(self.state, self.step(text))
        return f"{text} ({'it is legal' if refusal is None else refusal.rule})"

    def play(self, wanted: str) -> str:
        """Play the steps of *wanted* from the throw on; each must be legal."""
        self.state = self.thrown.state
        for text in wanted.split("; "):
            named = {
                step_text(self.rules.ruleset, self.state, step): step for step in self.rules.steps(self.state)
            }
            if text not in named:
                return f"{text} is not legal, but: {'; '.join(named) or NOTHING}"
            self.state, _, _, self.won = self.rules.apply(self.state, named[text])
        return wanted

    def gives(self, _: str) -> str:
        text = position_text(self.rules.board, self.state.position, self.state.arrived)
        waiting = [f"bonus {bonus}" for bonus in self.state.bonuses]
        return ", ".join([text, *waiting])

    def ends(self, wanted: str) -> str:
        """Return *wanted* if the throw can end with the seat's pawns there, in whatever order, else where."""
        plays, cut = self.rules.plays(self.state)
        assert not cut
        found = {self.squares(play.position[self.seat]) for play in plays}
        return wanted if {tuple(sorted(s.split(","))) for s in wanted.split(" or ")} == found else str(found)

    def returns(self, _: str) -> str:
        assert self.thrown.third
        return "nobody" if self.thrown.returned is None else f"pawn {self.thrown.returned}"

    def next(self, _: str) -> str:
        """Return who throws next, however the throw is played to its end."""
        if self.won:
            return OVER
        if self.thrown.third:
            return f"seat {self.state.seat}"
        return " or ".join(
            sorted({f"seat {self.rules.play_over(end).seat}" for end in self.over(self.state)})
        )

    # What they need.

    def over(self, state: State) -> Iterator[State]:
        """Yield the states in which the play that begins at *state* can be over."""
        steps = self.rules.steps(state)
        if not steps:
            yield state
        for step in steps:
            yield from self.over(self.rules.apply(state, step).state)

    def texts(self) -> list[str]:
        return [step_text(self.rules.ruleset, self.state, step) for step in self.rules.steps(self.state)]

    def squares(self, pawns: tuple[int, ...] | None) -> tuple[str, ...]:
        text = position_text(self.rules.board, self.state.position[: self.seat] + (pawns,) + (None,) * 3)  # type: ignore[arg-type]
        return tuple(sorted(text.split("/")[self.seat].split(",")))

    def step(self, text: str) -> Step:
        """Return the step that *text* names, legal or not, from where its pawn stands."""
        found = re.fullmatch(r"(\d): (\w+) to (\w+) with (.+)", text)
        assert found, text
        pawn, origin, square, use = found.groups()
        own = self.state.position[self.seat]
        assert own is not None
        assert square_code(origin) == self.rules.board.square(self.seat, own[int(pawn)]), text
        uses = {
            use_text(code): code for code in (*range(1, 8), *FIVE_BY_SUM.values(), BONUS + 10, BONUS + 20)
        }
        return Step(int(pawn), uses[use], square_code(square))


QUESTIONS: Mapping[str, Callable[[Table, str], str]] = {
    "numbers": Table.numbers,
    "legal": Table.legal,
    "allowed": Table.allowed,
    "forbidden": Table.forbidden,
    "play": Table.play,
    "gives": Table.gives,
    "ends": Table.ends,
    "returns": Table.returns,
    "next": Table.next,
}


def each(texts: str) -> list[str]:
    """Return the steps of `0,1: N to 5 with 5; 2: 9 to 14 with 5`, one for each pawn."""
    steps = (text.partition(": ") for text in texts.split("; "))
    return [f"{pawn}: {rest}" for pawns, _, rest in steps for pawn in pawns.split(",")]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"line {example.line}")
def test_example_is_right(example: Example) -> None:
    """
    What the page tells players is what the referee does, in every ruleset that the example names.
    """
    assert example.answers
    for name in example.names:
        table = Table(name, example)
        for question, answer in example.answers:
            assert QUESTIONS[question](table, answer) == answer, f"{name}, {question}"


def test_page_has_its_examples() -> None:
    """
    Every block was read, and every worked case is among them.
    """
    assert len(EXAMPLES) == PAGE.count("```example") >= ENOUGH
    assert {case for example in EXAMPLES for case in example.cases} == set(CASES)


def test_page_shows_every_rule_that_forbids() -> None:
    """
    For each rule that can forbid a step there is an example in which it does.
    """
    rules = {
        answer.rpartition(" (")[2].rstrip(")")
        for example in EXAMPLES
        for question, answer in example.answers
        if question == "forbidden"
    }

    assert rules == {
        "obstacle",
        "Same pair",
        "Home with a doublet",
        "Fourteen",
        "Entering",
        "Opening",
        "Bonus timing",
        "Using the throw",
        "One of two",
    }


@pytest.mark.parametrize("name", RULESETS)
def test_page_tells_of_every_ruleset(name: str) -> None:
    """
    Each ruleset has a paragraph that begins with its name.
    """
    assert re.search(rf"^(### |\*\*|- )`{name}`", PAGE, re.MULTILINE)


def test_page_tells_of_every_field_and_board() -> None:
    """
    Each field of a ruleset has its table beside the rules that it changes, once; both boards are shown.
    """
    told = " ".join(re.findall(r"<!-- made: varies (.*?) -->", PAGE)).split()

    assert sorted(told) == sorted(kinds())
    assert [name for name in BOARDS if f"(boards/{name}.svg)" not in PAGE] == []


def test_page_leads_where_it_says() -> None:
    """
    Every link within the page has its heading, every link to a file its file.
    """
    headings = re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
    anchors = {"#" + re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    links = re.findall(r"\]\(([^)]+)\)", PAGE)

    assert {link for link in links if link.startswith("#")} - anchors == set()
    assert [link for link in links if link[0] != "#" and not (FOLDER / link).exists()] == []
