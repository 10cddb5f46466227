"""
The `RulesService`: what is legal, what follows, and why not, for any ruleset and any state.

It answers for the registered rulesets and for those that games here are played by, and knows no live game
and no seed. What cannot be answered ends with a status and a sentence.

A question may take a while, and anybody may ask. One thread answers all, one after the other, so that
games wait for a turn of the interpreter at the most. None takes seconds, as the rules look at so many states
of a throw and no more (`plays.MOMENTS`); what they do not come to is cut here as anywhere.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import grpc
from parcheesi.v1 import rules_service_pb2 as pb, rules_service_pb2_grpc

from referee.errors import ConfigError, PositionError, RefereeBug, UnknownName
from referee.match.situation import MOST_REPEATS, Situation, in_mid_throw, thrown, too_many_repeats
from referee.rules.board import PAWNS, SEATS
from referee.rules.engine import Rules
from referee.rules.notation import pawns_from_text, position_from_text, position_text, seat_text, step_text
from referee.rules.relay import mover_in
from referee.rules.ruleset import Ruleset
from referee.rules.rulesets import RULESETS
from referee.rules.state import BROUGHT_HOME, GAVE_UP, MOVED, State, Step
from referee.wire.asks import step_codes
from referee.wire.games import ruleset as ruleset_message

_MOST_LISTED: Final = 32
"""So many dice, numbers or bonuses are read: more are sent in error, and would fill the answer."""

_LONGEST: Final = 100

_Answer = TypeVar("_Answer")
_Question = pb.ListPlaysRequest | pb.ApplyStepRequest | pb.ExplainStepRequest


class RulesService(rules_service_pb2_grpc.RulesServiceServicer):
    """Answers questions about the rules."""

    def __init__(self, rulesets: Iterable[Ruleset] = ()) -> None:
        """Answer for *rulesets* besides the registered ones; compile each when it is first asked about."""
        self._named: Final[dict[str, dict[str, Ruleset]]] = {}
        """The rulesets by name, and of one name by digest: nothing keeps two files from having one name."""
        self._digested: Final[dict[str, Ruleset]] = {}
        self._compiled: Final[dict[Ruleset, Rules]] = {}
        self._thread: Final = ThreadPoolExecutor(1, "rules")
        for known in (*RULESETS.values(), *rulesets):
            self.offer(known)

    def offer(self, ruleset: Ruleset) -> None:
        """Answer for *ruleset* too."""
        digest = ruleset.digest().hex()
        self._digested.setdefault(digest, ruleset)
        self._named.setdefault(ruleset.name, {})[digest] = ruleset

    async def DescribeRuleset(  # noqa: N802 - named by the proto
        self, request: pb.DescribeRulesetRequest, context: Any
    ) -> pb.DescribeRulesetResponse:
        """Describe a ruleset, or list the names."""
        return await self._answered(context, lambda: self._describe(request))

    async def ListPlays(self, request: pb.ListPlaysRequest, context: Any) -> pb.ListPlaysResponse:  # noqa: N802
        """List the legal steps, and the plays where they are wished for."""
        return await self._answered(context, lambda: self._list(request))

    async def ApplyStep(self, request: pb.ApplyStepRequest, context: Any) -> pb.ApplyStepResponse:  # noqa: N802
        """Apply one legal step."""
        return await self._answered(context, lambda: self._apply(request))

    async def ExplainStep(self, request: pb.ExplainStepRequest, context: Any) -> pb.ExplainStepResponse:  # noqa: N802
        """Explain why a step is not legal."""
        return await self._answered(context, lambda: self._explain(request))

    async def _answered(self, context: Any, answer: Callable[[], _Answer]) -> _Answer:
        """Return what *answer* returns, or end the call with its refusal."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, answer)
        except UnknownName as error:
            await context.abort(grpc.StatusCode.NOT_FOUND, str(error))
        except (PositionError, ConfigError, RefereeBug) as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        raise AssertionError  # abort has raised

    def _describe(self, request: pb.DescribeRulesetRequest) -> pb.DescribeRulesetResponse:
        answer = pb.DescribeRulesetResponse(names=sorted(self._named))
        if request.name:
            ruleset = self._called(request.name)
            answer.ruleset.CopyFrom(ruleset_message(ruleset))
            if request.seats:
                if len(request.seats) > len(SEATS):
                    raise PositionError(
                        f"seats has {len(request.seats)} entries; there are {len(SEATS)} seats"
                    )
                rules = self._rules(ruleset)
                answer.start.CopyFrom(state_message(rules, rules.start(request.seats, request.seats[0])))
        elif request.seats:
            raise PositionError("seats are given without the name of the ruleset that they play by")
        return answer

    def _list(self, request: pb.ListPlaysRequest) -> pb.ListPlaysResponse:
        found = self._asked(request)
        rules, state = found.rules, found.state
        answer = pb.ListPlaysResponse(
            steps=step_codes(found.steps),
            texts=[step_text(rules.ruleset, state, step) for step in found.steps],
            state=state_message(rules, state),
            third=found.third,
            returned=0 if found.returned is None else found.returned + 1,
            next=_following(found),
            won=found.is_won,
        )
        if request.plays and found.steps:
            plays, answer.plays_cut = rules.plays(state)
            for play in plays:
                answer.plays.add(
                    steps=step_codes(play.steps),
                    position=position_text(rules.board, play.position, play.arrived),
                )
        return answer

    def _apply(self, request: pb.ApplyStepRequest) -> pb.ApplyStepResponse:
        found = self._asked(request)
        if (refusal := found.refusal(request.step)) is not None:
            raise PositionError(refusal.why)
        step = Step.from_code(request.step)
        assert step is not None
        applied, after = found.after(step)
        return pb.ApplyStepResponse(
            state=state_message(found.rules, after.state),
            captured=[seat * 4 + pawn for seat, pawn in applied.captured],
            steps=step_codes(after.steps),
            won=applied.won,
            earned=applied.earned,
            next=_following(after),
        )

    def _explain(self, request: pb.ExplainStepRequest) -> pb.ExplainStepResponse:
        refusal = self._asked(request).refusal(request.step)
        if refusal is None:
            return pb.ExplainStepResponse(legal=True)
        return pb.ExplainStepResponse(detail=refusal.why, rule=refusal.rule)

    def _asked(self, request: _Question) -> Situation:
        """
        Return what the state of *request* comes to.

        Raises:
            UnknownName: There is no such ruleset.
            ConfigError: There are several of this name.
            PositionError: The state cannot be, or something that is required is missing.
        """
        if not request.ruleset:
            raise PositionError(f"ruleset is required: one of {', '.join(sorted(self._named))}")
        rules = self._rules(self._called(request.ruleset))
        if not request.HasField("state"):
            raise PositionError("state is required: the position, the seat to move and the dice")
        if not isinstance(request, pb.ListPlaysRequest) and not request.step:
            raise PositionError("step is required: a number, pawn * 65536 + use * 256 + the square's code")
        return situation_of(rules, request.state)

    def _called(self, name: str) -> Ruleset:
        """
        Return the ruleset with this name, or with this digest in hexadecimal.

        Raises:
            UnknownName: There is none; the message lists those there are.
            ConfigError: There are several of this name; the message lists their digests.
        """
        found = self._named.get(name)
        if found is None:
            if (by_digest := self._digested.get(name.lower())) is not None:
                return by_digest
            raise UnknownName("ruleset", name, self._named)
        if len(found) > 1:
            raise ConfigError(
                f"{len(found)} rulesets here are called {name!r}: name one by digest, {' or '.join(found)}"
            )
        return next(iter(found.values()))

    def _rules(self, ruleset: Ruleset) -> Rules:
        rules = self._compiled.get(ruleset)
        if rules is None:
            rules = self._compiled[ruleset] = Rules(ruleset)
        return rules


def situation_of(rules: Rules, message: pb.State) -> Situation:
    """
    Return what the state in *message* comes to, after the throw if the dice have just fallen.

    Raises:
        PositionError: It is none, or it cannot be.
    """
    state = state_of(rules, message)
    if message.at_throw:
        return in_mid_throw(rules, state)
    return thrown(rules, state, tuple(message.dice))


def _following(found: Situation) -> pb.State | None:
    following = found.following
    return None if following is None else state_message(found.rules, following)


def state_of(rules: Rules, message: pb.State) -> State:
    """
    Return the state that *message* holds, the one before the throw if the dice have just fallen.

    Raises:
        PositionError: It is none.
    """
    if not message.position:
        raise PositionError(
            "state.position is required: four squares a seat, such as 5,N,N,L3/-/22,22,H,40/-"
        )
    if not message.dice:
        raise PositionError(f"state.dice is required: {rules.ruleset.dice} of 1 to 6")
    for name in ("dice", "numbers", "bonuses", "moved"):
        if (entries := len(getattr(message, name))) > _MOST_LISTED:
            raise PositionError(f"{name} has {entries} entries; no throw gives over {_MOST_LISTED}")
    if message.repeats > MOST_REPEATS:
        raise PositionError(too_many_repeats(message.repeats))
    if message.last_moved > len(PAWNS):
        raise PositionError(f"last_moved is {message.last_moved}; it is 0 for none, or one more than a pawn")
    for text in (message.position, message.at_throw):
        if len(text) > _LONGEST:
            raise PositionError(f"a text of {len(text)} characters is no position: none has over {_LONGEST}")
    position, arrived = position_from_text(rules.ruleset, message.position)
    if message.seat > 3:
        raise PositionError(f"seat {message.seat} does not exist: seats are 0 to 3")
    last_moved = message.last_moved - 1 if message.last_moved else None
    if not message.at_throw:
        return State(position, message.seat, message.repeats, last_moved, arrived=arrived)
    return State(
        position,
        message.seat,
        message.repeats,
        last_moved,
        tuple(message.dice),
        tuple(sorted(message.numbers)),
        tuple(sorted(message.bonuses)),
        pawns_from_text(rules.ruleset, mover_in(rules.ruleset, position, message.seat), message.at_throw),
        arrived,
        _past(message),
    )


def _past(message: pb.State) -> int:
    past = BROUGHT_HOME * message.brought_home | GAVE_UP * message.gave_up
    for pawn in message.moved:
        if pawn not in PAWNS:
            raise PositionError(f"moved names the pawn {pawn}; pawns are 0 to 3")
        past |= 1 << pawn
    return past


def state_message(rules: Rules, state: State) -> pb.State:
    """Return *state* as a message that holds all of it."""
    whose = mover_in(rules.ruleset, state.position, state.seat)
    return pb.State(
        position=position_text(rules.board, state.position, state.arrived),
        seat=state.seat,
        dice=state.dice,
        numbers=state.numbers,
        bonuses=state.bonuses,
        at_throw=seat_text(rules.board, whose, state.at_throw) if state.at_throw else "",
        repeats=state.repeats,
        last_moved=0 if state.last_moved is None else state.last_moved + 1,
        moved=[pawn for pawn in PAWNS if state.past & MOVED & 1 << pawn],
        brought_home=bool(state.past & BROUGHT_HOME),
        gave_up=bool(state.past & GAVE_UP),
    )
