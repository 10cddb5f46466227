"""
The `RulesService`: what it answers, and that nothing one can ask breaks it.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import grpc
import pytest
from parcheesi.v1 import rules_service_pb2 as pb
from parcheesi.v1.rules_service_pb2_grpc import RulesServiceStub

from referee.rules.engine import Rules
from referee.rules.ruleset import MustEnter, TeamWin, ThirdThrow
from referee.rules.rulesets import RULESETS
from referee.rules.state import BROUGHT_HOME, GAVE_UP, State, Step, arrival
from referee.server.rules_service import state_message, state_of
from tests.fakes import rules_of
from tests.server.guests import a_house, builtin, order

MIDDLE = pb.State(position="5,N,N,L3/-/22,22,H,40/-", seat=0, dice=[6, 5])
FIVES = pb.State(position="5,N,N,N/-/N,N,N,N/-", seat=0, dice=[5, 5])
START = pb.State(position="N,N,N,N/-/N,N,N,N/-", seat=2, dice=[5, 2])


@pytest.fixture
async def rules() -> AsyncIterator[Any]:
    """Return a stub of the service in an open house."""
    async with a_house() as house, grpc.aio.insecure_channel(house.address) as channel:
        yield RulesServiceStub(channel)


async def refused(call: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), caught.value.details() or ""


class TestDescribeRuleset:
    async def test_lists_all_names(self, rules: Any) -> None:
        """
        Without a name, only the list is given.
        """
        answer = await rules.DescribeRuleset(pb.DescribeRulesetRequest())

        assert list(answer.names) == sorted(RULESETS)
        assert not answer.HasField("ruleset")

    @pytest.mark.parametrize("name", sorted(RULESETS))
    async def test_describes_each(self, rules: Any, name: str) -> None:
        """
        A ruleset comes with its digest, all its fields and its board.
        """
        answer = await rules.DescribeRuleset(pb.DescribeRulesetRequest(name=name))

        assert answer.ruleset.name == name
        assert answer.ruleset.digest == RULESETS[name].digest()
        assert dict(answer.ruleset.fields) == RULESETS[name].as_text()
        assert answer.ruleset.board.ring == RULESETS[name].board.ring

    async def test_refuses_an_unknown_name_with_the_known_ones(self, rules: Any) -> None:
        """
        Whoever misspells a name is told those there are.
        """
        code, details = await refused(rules.DescribeRuleset(pb.DescribeRulesetRequest(name="winnig_moves")))

        assert code is grpc.StatusCode.NOT_FOUND
        assert all(name in details for name in RULESETS)


OWN = replace(RULESETS["winning_moves"], name="two", must_enter=MustEnter.NEVER)


class TestOwnRuleset:
    async def test_is_answered_for_before_a_game_begins(self) -> None:
        """
        A bot that waits in the lobby may ask about what will be played.
        """
        async with a_house(rulesets=[OWN]) as house, grpc.aio.insecure_channel(house.address) as channel:
            stub: Any = RulesServiceStub(channel)
            told = await stub.DescribeRuleset(pb.DescribeRulesetRequest(name="two"))
            own, sheet = [
                await stub.ListPlays(pb.ListPlaysRequest(ruleset=name, state=FIVES))
                for name in ("two", "winning_moves")
            ]

        assert list(told.names) == sorted([*RULESETS, "two"])
        assert told.ruleset.digest == OWN.digest()
        assert (len(own.steps), len(sheet.steps)) == (4, 3)

    async def test_of_a_game_is_answered_for(self) -> None:
        """
        Whatever game a house plays: a tournament's, one that was interrupted, one in a worker.
        """
        table = replace(order(1, ["racer", "random"], max_throws=4), rules=Rules(OWN))
        async with a_house(builtin(), builtin("random")) as house:
            await house.play(table)
            async with grpc.aio.insecure_channel(house.address) as channel:
                stub: Any = RulesServiceStub(channel)
                answer = await stub.ListPlays(pb.ListPlaysRequest(ruleset="two", state=FIVES))

        assert len(answer.steps) == 4

    async def test_may_be_named_by_its_digest(self) -> None:
        """
        An offer holds the digest; where two files have one name, only the digest tells them apart.
        """
        twin = replace(OWN, capture_bonus=0)
        house = a_house(rulesets=[OWN, twin, RULESETS["racket"]])
        async with house, grpc.aio.insecure_channel(house.address) as channel:
            stub: Any = RulesServiceStub(channel)
            by_digest = [
                await stub.DescribeRuleset(pb.DescribeRulesetRequest(name=each.digest().hex()))
                for each in (OWN, twin, RULESETS["racket"])
            ]
            code, details = await refused(stub.DescribeRuleset(pb.DescribeRulesetRequest(name="two")))

        assert [told.ruleset.fields["capture_bonus"] for told in by_digest] == ["20", "0", "20"]
        assert [told.ruleset.name for told in by_digest] == ["two", "two", "racket"]
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert all(each.digest().hex() in details for each in (OWN, twin))


class TestStart:
    @pytest.mark.parametrize("name", sorted(RULESETS))
    async def test_of_a_game_is_told(self, rules: Any, name: str) -> None:
        """
        Whoever walks a game begins with this state; the first seat of the list throws.
        """
        request = pb.DescribeRulesetRequest(name=name, seats=[2, 1, 0, 3])
        answer = await rules.DescribeRuleset(request)

        compiled = Rules(RULESETS[name])
        assert answer.start == state_message(compiled, compiled.start((0, 1, 2, 3), 2))

    @pytest.mark.parametrize(
        ("seats", "words"),
        [
            pytest.param([0, 1], "sit opposite each other", id="side by side"),
            pytest.param([0], "2 to 4 of the seats", id="one"),
            pytest.param([0, 4], "2 to 4 of the seats", id="a fifth"),
            pytest.param([0] * 100_000, "seats has 100000 entries", id="very many"),
        ],
    )
    async def test_by_seats_that_cannot_play_is_refused(
        self, rules: Any, seats: list[int], words: str
    ) -> None:
        """
        As a game of them is.
        """
        request = pb.DescribeRulesetRequest(name="winning_moves", seats=seats)
        code, details = await refused(rules.DescribeRuleset(request))

        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert words in details


class TestListPlays:
    async def test_lists_steps_with_texts(self, rules: Any) -> None:
        """
        Steps come in canonical order, each with its text; plays only when they are asked for.
        """
        answer = await rules.ListPlays(pb.ListPlaysRequest(ruleset="winning_moves", state=MIDDLE))

        assert answer.steps
        assert list(answer.steps) == sorted(answer.steps)
        assert len(answer.texts) == len(answer.steps)
        assert not answer.plays

    async def test_lists_plays_with_their_positions(self, rules: Any) -> None:
        """
        Every play begins with a legal step, and no two lead to one position.
        """
        request = pb.ListPlaysRequest(ruleset="winning_moves", state=MIDDLE, plays=True)
        answer = await rules.ListPlays(request)

        assert {play.steps[0] for play in answer.plays} <= set(answer.steps)
        assert len({play.position for play in answer.plays}) == len(answer.plays) > 0

    @pytest.mark.parametrize(
        ("name", "bonuses", "cut"),
        [
            pytest.param("racket", [20, 20, 20], False, id="three"),
            pytest.param("winning_moves", [10] * 4 + [20] * 12, True, id="as many as can be"),
            pytest.param("selchow_righter", [10] * 4 + [20] * 12, True, id="at any time"),
        ],
    )
    async def test_lists_plays_of_many_bonuses(
        self, rules: Any, name: str, bonuses: Sequence[int], cut: bool
    ) -> None:
        """
        Their orders multiply; what is found of them is what the rules find wherever one asks.
        """
        state = pb.State(
            position="42,8,49,17/N,N,N,N/N,N,N,N/N,N,N,N",
            dice=[3, 3],
            numbers=[3, 4, 4],
            bonuses=bonuses,
            at_throw="39,8,49,17",
        )
        answer = await rules.ListPlays(pb.ListPlaysRequest(ruleset=name, state=state, plays=True))
        plays, right = rules_of(name).plays(state_of(rules_of(name), state))

        assert [list(play.steps) for play in answer.plays] == [
            [step.code for step in play.steps] for play in plays
        ]
        assert (answer.plays_cut, right) == (cut, cut)

    async def test_lists_nothing_where_the_play_is_over(self, rules: Any) -> None:
        """
        Without a five nobody leaves the nest.
        """
        state = pb.State(position="N,N,N,N/-/N,N,N,N/-", seat=0, dice=[6, 3])
        answer = await rules.ListPlays(pb.ListPlaysRequest(ruleset="winning_moves", state=state))

        assert list(answer.steps) == []

    async def test_tells_the_state_and_what_the_dice_give(self, rules: Any) -> None:
        """
        A doublet gives its other faces too where nobody is in the nest.
        """
        state = pb.State(position="10,20,30,40/-/N,N,N,N/-", dice=[3, 3], repeats=1, last_moved=4)
        answer = await rules.ListPlays(pb.ListPlaysRequest(ruleset="winning_moves", state=state))

        assert list(answer.state.numbers) == [3, 3, 4, 4]
        assert (answer.state.at_throw, answer.state.position) == ("10,20,30,40", state.position)
        assert (answer.state.repeats, answer.state.last_moved) == (1, 4)
        assert (answer.third, answer.won, answer.HasField("next")) == (False, False, False)

    @pytest.mark.parametrize(
        ("position", "returned", "left"),
        [
            pytest.param("20,L3,H,N/-/N,N,N,N/-", 2, "20,N,H,N/-/N,N,N,N/-", id="the leader"),
            pytest.param("N,N,H,N/-/N,N,N,N/-", 0, "N,N,H,N/-/N,N,N,N/-", id="nobody"),
        ],
    )
    async def test_tells_a_third_doublet(self, rules: Any, position: str, returned: int, left: str) -> None:
        """
        It is not played: who goes back is told, what that leaves, and who throws next.
        """
        state = pb.State(position=position, dice=[5, 5], repeats=2)
        request = pb.ListPlaysRequest(ruleset="winning_moves", state=state, plays=True)
        answer = await rules.ListPlays(request)

        assert (answer.third, answer.returned) == (True, returned)
        assert not answer.steps
        assert not answer.plays
        assert answer.next == pb.State(position=left, seat=2)
        assert answer.state == answer.next

    async def test_tells_who_throws_next_where_nothing_can_be_moved(self, rules: Any) -> None:
        """
        After a doublet that is the same seat, once more.
        """
        nest = "N,N,N,N/-/N,N,N,N/-"
        for dice, expected in (([6, 3], pb.State(position=nest, seat=2)), ([6, 6], None)):
            state = pb.State(position=nest, dice=dice)
            answer = await rules.ListPlays(pb.ListPlaysRequest(ruleset="winning_moves", state=state))
            assert answer.next == (expected or pb.State(position=nest, seat=0, repeats=1))

    async def test_tells_of_a_game_that_is_won(self, rules: Any) -> None:
        """
        Nobody throws next.
        """
        state = pb.State(position="H,H,H,H/-/N,N,N,N/-", dice=[5, 2], numbers=[2], at_throw="H,H,H,L3")
        answer = await rules.ListPlays(pb.ListPlaysRequest(ruleset="winning_moves", state=state))

        assert answer.won
        assert not answer.HasField("next")


class TestApplyStep:
    async def test_tells_what_was_captured_and_earned(self, rules: Any) -> None:
        """
        The bonus can be used at once if nothing else is left, else it waits in the state.
        """
        state = pb.State(position="17,N,N,N/-/20,N,N,N/-", dice=[3, 1])
        request = pb.ApplyStepRequest(ruleset="winning_moves", state=state, step=3 << 8 | 20)
        answer = await rules.ApplyStep(request)

        assert (list(answer.captured), list(answer.earned)) == ([8], [20])
        assert list(answer.state.bonuses) == [20]
        assert answer.steps
        assert not answer.HasField("next")

    async def test_tells_who_throws_next_or_that_the_game_is_won(self, rules: Any) -> None:
        """
        Where no step follows, one of the two is told.
        """
        near = "H,H,H,L6/-/N,N,N,N/-"
        for position, die, square, won in ((near, 2, 99, True), ("9,N,N,N/-/N,N,N,N/-", 2, 11, False)):
            state = pb.State(
                position=position, dice=[5, die], numbers=[die], at_throw=position.partition("/")[0]
            )
            step = (3 if won else 0) << 16 | die << 8 | square
            answer = await rules.ApplyStep(
                pb.ApplyStepRequest(ruleset="winning_moves", state=state, step=step)
            )
            assert (answer.won, answer.HasField("next")) == (won, not won)
            assert won or answer.next == pb.State(position="11,N,N,N/-/N,N,N,N/-", seat=2)

    async def test_refuses_any_step_of_a_third_doublet(self, rules: Any) -> None:
        """
        In the words of `referee plays`.
        """
        state = pb.State(position="20,L3,H,N/-/N,N,N,N/-", dice=[5, 5], repeats=2)
        request = pb.ApplyStepRequest(ruleset="winning_moves", state=state, step=5 << 8 | 25)

        assert await refused(rules.ApplyStep(request)) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "Third throw: the third doublet of a turn is not played",
        )

    async def test_plays_a_whole_play_step_by_step(self, rules: Any) -> None:
        """
        The state that a step leads to can be asked about in turn, until the play is over.
        """
        plays = await rules.ListPlays(pb.ListPlaysRequest(ruleset="winning_moves", state=MIDDLE, plays=True))
        for play in plays.plays:
            state, steps = MIDDLE, list(plays.steps)
            for step in play.steps:
                request = pb.ApplyStepRequest(ruleset="winning_moves", state=state, step=step)
                applied = await rules.ApplyStep(request)
                state, steps = applied.state, applied.steps

            assert state.position == play.position
            assert not steps

    async def test_refuses_a_step_that_is_not_legal(self, rules: Any) -> None:
        """
        A step offered is a step accepted, and no other is.
        """
        request = pb.ApplyStepRequest(ruleset="winning_moves", state=START, step=1 << 16 | 2 << 8 | 40)
        code, details = await refused(rules.ApplyStep(request))

        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert details

    async def test_refuses_a_number_that_is_no_step(self, rules: Any) -> None:
        """
        A pawn has a number from 0 to 3.
        """
        request = pb.ApplyStepRequest(ruleset="winning_moves", state=START, step=0xFFFFFFFF)

        assert await refused(rules.ApplyStep(request)) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "4294967295 is not the number of a step",
        )


class TestWholeGame:
    @pytest.mark.parametrize("name", ["hasbro", "casual_classic", "pressman_teams"])
    async def test_is_walked_without_rules_of_ones_own(self, rules: Any, name: str) -> None:
        """
        From `start` by `next` and `state` to the end, every state is that of the engine.
        """
        random, engine = Random(20_268), Rules(RULESETS[name])
        request = pb.DescribeRulesetRequest(name=name, seats=[0, 1, 2, 3])
        begun = await rules.DescribeRuleset(request)
        state, following = engine.start((0, 1, 2, 3), 0), begun.start
        found, won = begun, False
        while not won:
            assert following == state_message(engine, state)
            dice = [random.randint(1, 6) for _ in range(int(begun.ruleset.fields["dice"]))]
            following.dice.extend(dice)
            found = await rules.ListPlays(pb.ListPlaysRequest(ruleset=name, state=following))
            state, third, _ = engine.throw(state, dice)
            assert (found.third, found.state) == (third, state_message(engine, state))
            while found.steps:
                code = random.choice(found.steps)
                asked = pb.ApplyStepRequest(ruleset=name, state=found.state, step=code)
                found = await rules.ApplyStep(asked)
                step = Step.from_code(code)
                assert step is not None
                state, captured, earned, won = engine.apply(state, step)
                assert found.state == state_message(engine, state)
                assert (list(found.earned), found.won) == (list(earned), won)
                assert list(found.captured) == [seat * 4 + pawn for seat, pawn in captured]
            if not won:
                state, following = state if third else engine.play_over(state), found.next
        assert not found.HasField("next")


class TestExplainStep:
    async def test_calls_exactly_the_listed_steps_legal(self, rules: Any) -> None:
        """
        What is listed is legal; what is not listed comes with a reason.
        """
        legal = (await rules.ListPlays(pb.ListPlaysRequest(ruleset="winning_moves", state=MIDDLE))).steps
        others = [pawn << 16 | use << 8 | 30 for pawn in range(4) for use in (5, 6)]
        for step in {*legal, *others, 7, 0xFFFFFFFF}:
            request = pb.ExplainStepRequest(ruleset="winning_moves", state=MIDDLE, step=step)
            answer = await rules.ExplainStep(request)

            assert answer.legal == (step in legal)
            assert bool(answer.detail) != answer.legal
            assert bool(answer.rule) != answer.legal

    @pytest.mark.parametrize(
        ("step", "rule"),
        [
            pytest.param(0 << 16 | 5 << 8 | 35, "Entering", id="a rule of the rule book"),
            pytest.param(0 << 16 | 3 << 8 | 33, "obstacle", id="a number that is not there"),
            pytest.param(7, "obstacle", id="no step"),
        ],
    )
    async def test_names_the_rule(self, rules: Any, step: int, rule: str) -> None:
        """
        A program need not take the sentence apart.
        """
        state = pb.State(position="30,N,N,H/-/N,N,N,N/-", dice=[5, 2])
        request = pb.ExplainStepRequest(ruleset="winning_moves", state=state, step=step)

        assert (await rules.ExplainStep(request)).rule == rule


class TestState:
    def test_travels_with_all_that_it_holds(self) -> None:
        """
        Nothing that a step may turn on is lost on the way there and back.
        """
        rules = rules_of("winning_moves")
        own = (10, 20, 1, 0)
        for past in (0, 0b0101, BROUGHT_HOME, GAVE_UP, 0b1111 | BROUGHT_HOME | GAVE_UP):
            given = State((own, None, own, None), 2, 1, 3, (4, 4), (4,), (10, 20), own, 0, past)

            assert state_of(rules, state_message(rules, given)) == given

    def test_of_a_finished_seat_tells_of_its_partner(self) -> None:
        """
        Where the partner's pawns stood when the dice fell is told in the partner's squares.
        """
        rules = Rules(replace(RULESETS["pressman_teams"], team_win=TeamWin.BOTH_MEMBERS))
        home, nest, own = (rules.board.home,) * 4, (0,) * 4, (1, 10, 0, 0)
        given = State((home, nest, own, nest), 0, 0, None, (1, 2), (1, 2), (), own)

        message = state_message(rules, given)

        assert message.at_throw == "39,48,N,N"
        assert state_of(rules, message) == given

    def test_that_has_been_won_tells_of_the_winner(self) -> None:
        """
        Where one seat wins for itself, nobody plays on with a partner's pawns.
        """
        rules = rules_of("racket")
        home = rules.board.home
        given = State(((home,) * 4, None, (0,) * 4, None), 0, 0, 0, (2, 3), (3,), (10,), (62, 70, home, home))

        message = state_message(rules, given)

        assert message.at_throw == "66,L6,H,H"
        assert state_of(rules, message) == given

    def test_says_who_came_last_in_its_position(self) -> None:
        """
        Where a ruleset asks it, a + marks the pawn.
        """
        rules = rules_of("casual_classic")
        given = State(
            ((1, 0, 0, 0), None, (35, 0, 0, 0), None),
            0,
            dice=(5,),
            numbers=(5,),
            at_throw=(1, 0, 0, 0),
            arrived=arrival(0, 0),
        )

        message = state_message(rules, given)

        assert message.position == "5+,N,N,N/-/5,N,N,N/-"
        assert state_of(rules, message) == given


class TestBadQuestion:
    @pytest.mark.parametrize(
        "state",
        [
            pytest.param(pb.State(), id="nothing at all"),
            pytest.param(pb.State(position="N,N,N,N", dice=[1, 2]), id="one seat"),
            pytest.param(pb.State(position="N,N,N,X/-/N,N,N,N/-", dice=[1, 2]), id="no square"),
            pytest.param(pb.State(position="9" * 100_000, dice=[1, 2]), id="a very long one"),
            pytest.param(pb.State(position="69,N,N,N/-/N,N,N,N/-", dice=[1, 2]), id="off the ring"),
            pytest.param(pb.State(position="N,N,N,N/-/N,N,N,N/-", seat=4, dice=[1, 2]), id="no seat"),
            pytest.param(pb.State(position="N,N,N,N/-/N,N,N,N/-", seat=1, dice=[1, 2]), id="an absent seat"),
            pytest.param(pb.State(position="N,N,N,N/-/N,N,N,N/-"), id="no dice"),
            pytest.param(pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1]), id="one die"),
            pytest.param(pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1, 7]), id="a seven"),
            pytest.param(pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1, 2, 3]), id="three dice"),
            pytest.param(
                pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1, 2], at_throw="N,N"), id="half a seat"
            ),
            pytest.param(
                pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1, 2], numbers=[6], at_throw="N,N,N,N"),
                id="numbers that were not thrown",
            ),
            pytest.param(
                pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1, 2], last_moved=9), id="a ninth pawn"
            ),
            pytest.param(
                pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1, 2], repeats=3), id="a fourth doublet"
            ),
            pytest.param(
                pb.State(
                    position="N,N,N,N/-/N,N,N,N/-",
                    dice=[1, 2],
                    numbers=[1],
                    at_throw="N,N,N,N",
                    moved=[4],
                ),
                id="a fifth pawn was moved",
            ),
            pytest.param(
                pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1, 2], moved=[1] * 100_000),
                id="a hundred thousand pawns were moved",
            ),
            pytest.param(
                pb.State(position="N,N,N,N/-/N,N,N,N/-", dice=[1] * 100_000), id="a hundred thousand dice"
            ),
        ],
    )
    async def test_is_refused_in_words(self, rules: Any, state: pb.State) -> None:
        """
        A state that cannot be is refused with what is wrong with it.
        """
        code, details = await refused(
            rules.ListPlays(pb.ListPlaysRequest(ruleset="winning_moves", state=state))
        )

        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert len(details) > 10

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            pytest.param({"state": START, "step": 1281}, "ruleset is required: one of ", id="ruleset"),
            pytest.param({"ruleset": "racket", "step": 1281}, "state is required: ", id="state"),
            pytest.param(
                {"ruleset": "racket", "state": pb.State(dice=[1, 2]), "step": 1281},
                "state.position is required: ",
                id="position",
            ),
            pytest.param(
                {"ruleset": "racket", "state": pb.State(position=START.position), "step": 1281},
                "state.dice is required: 2 of 1 to 6",
                id="dice",
            ),
            pytest.param({"ruleset": "racket", "state": START}, "step is required: ", id="step"),
        ],
    )
    async def test_without_a_field_that_is_required_is_told_which(
        self, rules: Any, fields: dict[str, Any], words: str
    ) -> None:
        """
        Each call says it, in one sentence.
        """
        calls = [
            rules.ApplyStep(pb.ApplyStepRequest(**fields)),
            rules.ExplainStep(pb.ExplainStepRequest(**fields)),
        ]
        if fields.pop("step", None):
            calls.append(rules.ListPlays(pb.ListPlaysRequest(**fields)))
        for call in calls:
            code, details = await refused(call)
            assert code is grpc.StatusCode.INVALID_ARGUMENT
            assert details.startswith(words)

    async def test_about_an_unknown_ruleset_is_refused_with_the_known_ones(self, rules: Any) -> None:
        """
        The same words as everywhere.
        """
        code, details = await refused(rules.ListPlays(pb.ListPlaysRequest(ruleset="ludo", state=START)))

        assert code is grpc.StatusCode.NOT_FOUND
        assert "winning_moves" in details

    @pytest.mark.parametrize("method", ["DescribeRuleset", "ListPlays", "ApplyStep", "ExplainStep"])
    @pytest.mark.parametrize("data", [b"\xff", b"\x0a\x01\xff", b"garbage", b"\x12\x7f"], ids=repr)
    async def test_that_is_no_message_is_told_so(self, method: str, data: bytes) -> None:
        """
        Whoever sends bytes of something else is told which message was waited for.
        """
        async with a_house() as house, grpc.aio.insecure_channel(house.address) as channel:
            call: Any = channel.unary_unary(f"/parcheesi.v1.RulesService/{method}")
            code, details = await refused(call(data))

        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert details == f"the request is no {method}Request, or compressed"

    async def test_may_count_many_doublets_but_not_any_number(self, rules: Any) -> None:
        """
        Where the third is played like any other, the next throw must still be countable.
        """
        assert RULESETS["hasbro"].third_throw is ThirdThrow.NONE
        for repeats, refusal in ((1 << 20, None), (2**32 - 1, "repeats is 4294967295; no turn has over")):
            state = pb.State(
                position="20,N,N,N/-/N,N,N,N/-", dice=[6, 6], at_throw="8,N,N,N", repeats=repeats
            )
            call = rules.ListPlays(pb.ListPlaysRequest(ruleset="hasbro", state=state))
            if refusal is None:
                assert (await call).next.repeats == repeats + 1
            else:
                code, details = await refused(call)
                assert code is grpc.StatusCode.INVALID_ARGUMENT
                assert details.startswith(refusal)

    async def test_never_breaks_the_service(self, rules: Any) -> None:
        """
        Whatever numbers and texts a question holds, the answer is an answer or a refusal.
        """
        seed = 20_261
        random = Random(seed)
        for number in range(300):
            state = a_strange_state(random)
            ruleset = random.choice(sorted(RULESETS))
            near = random.choice([0, 1, 5, 14, 20, 77, 98, 127]), random.choice([1, 5, 14, 99, 110, 255])
            step = random.choice([random.getrandbits(32), random.randrange(4) << 16 | near[1] << 8 | near[0]])
            calls = (
                rules.ListPlays(pb.ListPlaysRequest(ruleset=ruleset, state=state, plays=number % 2 == 0)),
                rules.ApplyStep(pb.ApplyStepRequest(ruleset=ruleset, state=state, step=step)),
                rules.ExplainStep(pb.ExplainStepRequest(ruleset=ruleset, state=state, step=step)),
            )
            for call in calls:
                code = await call.code()
                assert code in (grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT), (
                    f"seed {seed}, question {number}: {await call.details()}: {ruleset} {state}"
                )


def a_strange_state(random: Random) -> pb.State:
    """Return a state that is nearly right, in one or two places."""
    squares = ["N", "1", "5", "5", "22", "39", "56", "57", "68", "L1", "L5", "L7", "H", "5+"]
    strange = ["", "L8", "69", "-", "x", "5,", "\u0661", "0", "9" * 90, "9" * 5000]

    def number(most: int) -> int:
        return random.getrandbits(32) if random.random() < 0.03 else random.randint(0, most)

    def square() -> str:
        return random.choice(strange) if random.random() < 0.01 else random.choice(squares)

    def seat() -> str:
        return random.choice(["-", ""]) if random.random() < 0.2 else ",".join(square() for _ in range(4))

    at_throw = "" if random.random() < 0.5 else ",".join(square() for _ in range(4))
    return pb.State(
        position="/".join(seat() for _ in range(random.choice([4] * 9 + [3]))),
        seat=number(3),
        dice=[number(6) for _ in range(random.choice([1, 2, 2, 2, 2, 3]))],
        numbers=[number(7) for _ in range(random.randint(0, 3))],
        bonuses=[number(20) for _ in range(random.randint(0, 2))],
        at_throw=at_throw,
        repeats=number(2),
        last_moved=number(4),
        moved=[number(3) for _ in range(random.choice([0, 0, 1, 2]))],
        brought_home=random.random() < 0.1,
        gave_up=random.random() < 0.1,
    )
