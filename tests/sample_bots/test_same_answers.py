"""The Python bots answer as the built-in players do: one definition, two programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from referee.match.ask import Ask
from referee.rules.rulesets import RULESETS
from referee.rules.state import Step
from referee.seats.strategies import standing, strategy
from tests.fakes import rules_of
from tests.sample_bots.asks import asks_of_games, asks_on_purpose, on_wire, ruleset_of
from tests.sample_bots.bots import FOLDER, PYTHON_BOTS, module_of, strategy_of


def answer(bot: ModuleType, ask: Ask, rules: str) -> list[int]:
    """Return the codes of the steps with which *bot* answers *ask*."""
    (message,) = on_wire(rules_of(rules).ruleset, ask).asks
    if bot.__name__.endswith("random"):
        return [bot.choose(message)]
    return list(bot.choose(message, ruleset_of(rules)))


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("folder", PYTHON_BOTS, ids=lambda folder: folder.name)
class TestSameAnswers:
    def test_in_whole_games(self, folder: Path, rules: str) -> None:
        """
        Every ask of a game of two, of three and of four is answered alike.
        """
        self.compare(folder, rules, asks_of_games(rules), at_least=300)

    def test_at_made_positions(self, folder: Path, rules: str) -> None:
        """
        So is every ask at positions with pairs in the way, captures in a row, pawns near home.
        """
        self.compare(folder, rules, asks_on_purpose(rules), at_least=80)

    def compare(self, folder: Path, rules: str, asks: Sequence[Ask], at_least: int) -> None:
        bot, choose = module_of(folder), strategy(strategy_of(folder))

        assert len(asks) >= at_least
        for ask in asks:
            expected = [step.code for step in choose(rules_of(rules), ask)]
            assert answer(bot, ask, rules) == expected, ask.state


@pytest.mark.parametrize("rules", RULESETS)
class TestCarefulWithLess:
    BOT = FOLDER / "python_careful"

    def test_takes_the_best_first_step_where_no_plays_are_listed(self, rules: str) -> None:
        """
        Without plays a step is judged by the position right after it.
        """
        bot, judge = module_of(self.BOT), rules_of(rules)

        for ask in (*asks_of_games(rules), *asks_on_purpose(rules)):

            def value(step: Step, ask: Ask = ask) -> int:
                after = judge.apply(ask.state, step).state.position
                return standing(judge.ruleset, judge.mover(ask.state.position, ask.state.seat), after)

            expected = max(ask.steps, key=value)
            assert answer(bot, ask._replace(plays=None), rules) == [expected.code], ask.state

    def test_takes_the_best_of_those_listed_where_plays_are_cut(self, rules: str) -> None:
        """
        A list that was cut is judged as far as it goes.
        """
        bot, judge = module_of(self.BOT), rules_of(rules)
        long = [ask for ask in asks_of_games(rules) if len(ask.plays or ()) > 2]

        assert len(long) >= 50
        for ask in long:
            short = ask._replace(plays=(ask.plays or [])[:2], cut=True)
            expected = [step.code for step in strategy("careful")(judge, short)]
            assert answer(bot, short, rules) == expected, ask.state


def test_the_shortest_bot_is_short() -> None:
    """
    People learn the protocol from it: it has less than 40 lines.
    """
    assert len((FOLDER / "python_random" / "bot.py").read_text(encoding="utf-8").splitlines()) < 40
