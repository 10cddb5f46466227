"""
The rules of a game, from a throw to the ranking.

The theory. The rule book says which *sequences* of steps answer a throw, and a step is legal when a
sequence that is kept goes on with it. `Search` (search.py) decides that by looking at every sequence,
rule by rule; it is what `Rules.steps` means. It is slow, and seldom needed: nearly always every step
that is possible is legal, and that can be seen without looking far. So `steps` finds the possible
steps (section 4, and of section 5 `bonus_timing` and rule 4, *Entering*, which look at the moment only).
Then it tries to show that rules 1, 3 and 6 drop none of them, and searches when it cannot:

- *Greedy.* Rule 6 (*Using the throw*), when greedy, drops no first step: the rest just goes on from there.
- *One number left*, or *one step* that is possible: rule 6 has nothing to choose from.
- *Someone must enter.* Where a five could enter a pawn, rule 4 leaves only to enter, or to play the other
  number first. Entering stops no other step and no other step shuts the entry, so that whatever
  can be used can be used in either order.
- *A free road.* If a pawn has a road before it for all the numbers together, with nothing on it that
  could ever stop it and no pawn of its own, then whatever is played first, that pawn can use the rest.
  (Where rule 4 then takes a five from it, entering uses that five.)
- *Counting.* Without such a road, `NumbersOnly` counts how many numbers can follow each step, bonuses
  left out. That settles rules 3 (*Fourteen*) and 6, unless a step that leads to fewer could end the game.
- *Same pair.* Rule 1 concerns a seat that had a pair when the dice fell. Two pawns that stood together
  meet again only after moving equally far: not by two different numbers while the pair is whole. Else
  a step is shown to be legal by a sequence that goes on with it and does not end with the pair together.

Rules 2 (*Home with a doublet*), 5 (*Opening*) and 7 (*One of two*) have no effect in what this version
plays; `ruleset.py` refuses the values that would give them one.

Knows: when a step is legal, what it does, who is next, who came where.
Does not know: texts, dice, clocks, what a seat was asked.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from referee.errors import ConfigError, PositionError, RefereeBug
from referee.rules.board import NEST, PAWNS, SEATS, Board
from referee.rules.checking import check
from referee.rules.explaining import Refusal, explain
from referee.rules.ranking import places
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    ExtraThrow,
    Fourteen,
    Ruleset,
    SamePair,
    ThirdThrow,
    Use,
    require_built,
)
from referee.rules.search import NumbersOnly, Search, Together, meets_again, must_be_whole, pairs_at_throw
from referee.rules.state import BONUS, Applied, Pawns, Position, State, Step
from referee.rules.tables import (
    ALWAYS,
    ENTERS,
    ENTRY,
    LEFT,
    SQUARES,
    Numbers,
    Side,
    Sight,
    moved,
    numbers_of,
    pairs,
    without,
)

new = tuple.__new__
"""Makes a named tuple in two thirds of the time; used for those that every step makes."""

MOMENTS: Final = 2000
"""So many moments of one throw are looked at to find its plays, far more than games come to."""

_GIVEN: Final[Mapping[tuple[int, ...], tuple[Numbers, Numbers]]] = {
    (a, b): (numbers_of((a, b), faces=False), numbers_of((a, b), faces=True))
    for a in range(1, 7)
    for b in range(1, 7)
}
"""The numbers of each throw: without opposite faces, with them."""

_AFTER: Final = tuple(tuple((seat + n) % len(SEATS) for n in (1, 2, 3, 4)) for seat in SEATS)
"""The seats in the order in which they follow each, the seat itself last."""


class Thrown(NamedTuple):
    """
    What a throw did to the state.

    `third` tells that it was the third doublet of the turn: it is not played, `state` is already the
    next seat's, and `returned` is the pawn that went back to its nest, None if there was none.
    """

    state: State
    third: bool = False
    returned: int | None = None


class Play(NamedTuple):
    """A whole answer to a throw, and the position that it leads to."""

    steps: tuple[Step, ...]
    position: Position
    arrived: int = 0


class Rules:
    """
    A ruleset compiled into tables, ready to judge.

    States that are handed in must be such as `check` accepts. Nothing that can be seen from outside
    changes: the same question has the same answer at any time.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Compile *ruleset*.

        Raises:
            NotBuilt: It has a field value that this version cannot play.
        """
        require_built(ruleset)
        self.ruleset: Final = ruleset
        self.board: Final[Board] = ruleset.board
        sights = [Sight(ruleset.board, seat) for seat in SEATS]
        self._sides: Final = tuple(Side(ruleset, seat, sights) for seat in SEATS)
        self._greedy: Final = ruleset.use is Use.GREEDY
        self._loose: Final = self._greedy and ruleset.fourteen is Fourteen.AS_POSSIBLE
        self._extra_throw: Final = ruleset.extra_throw is ExtraThrow.DOUBLET
        self._all_or_nothing: Final = ruleset.fourteen is Fourteen.ALL_OR_NOTHING
        self._same_pair: Final = ruleset.same_pair is not SamePair.FREE
        self._third_returns: Final = ruleset.third_throw is ThirdThrow.NEAREST_HOME
        self._faces: Final = ruleset.doublet_faces is DoubletFaces.BOTH
        self._capture_bonus: Final[Numbers] = (ruleset.capture_bonus,) if ruleset.capture_bonus else ()
        self._home_bonus: Final[Numbers] = (ruleset.home_bonus,) if ruleset.home_bonus else ()
        self._last_look: tuple[object, NumbersOnly] | None = None
        self._bonus_waits: Final = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS

    # Turns.

    def start(self, seats: Sequence[int], first: int) -> State:
        """
        Return the state in which *first* of *seats* throws for the first time.

        Raises:
            ConfigError: These seats cannot play a game.
        """
        if len(set(seats)) != len(seats) or not set(seats) <= set(SEATS) or len(seats) < 2:
            raise ConfigError(f"seats {list(seats)} cannot play: a game has 2 to 4 of the seats 0 to 3")
        if len(seats) == 2 and abs(seats[0] - seats[1]) != 2:
            raise ConfigError(
                f"seats {list(seats)} cannot play: two players sit opposite each other, on 0 and 2"
            )
        if first not in seats:
            raise ConfigError(f"seat {first} cannot begin: the seats are {list(seats)}")
        nest: Pawns = (NEST, NEST, NEST, NEST)
        a, b, c, d = (nest if seat in seats else None for seat in SEATS)
        return State((a, b, c, d), first)

    def throw(self, state: State, dice: Sequence[int]) -> Thrown:
        """
        Return what *dice* give the seat to move. The third doublet of a turn is never played.

        Raises:
            PositionError: Nobody throws such dice.
            RefereeBug: The state is in mid-throw.
        """
        position, seat, repeats, last_moved, already, _, _, _, arrived, _ = state
        given = _GIVEN.get(dice := tuple(dice))
        own = position[seat]
        if given is None:
            raise PositionError(f"{list(dice)} is no throw: it takes two dice of 1 to 6")
        if already or own is None:
            raise RefereeBug(f"seat {seat} has nothing to throw for: {state}")
        if repeats >= 2 and dice[0] == dice[1] and self._third_returns:
            return self._third(state, own)
        numbers = given[self._faces and NEST not in own]
        after = new(State, (position, seat, repeats, last_moved, dice, numbers, (), own, arrived, 0))
        return new(Thrown, (after, False, None))

    def _third(self, state: State, own: Pawns) -> Thrown:
        """Return the pawn nearest home to its nest: the third doublet in a turn is not played."""
        racing = [pawn for pawn in PAWNS if NEST < own[pawn] < self.board.home]
        leader = max(racing, key=lambda pawn: (own[pawn], pawn), default=None)
        position = state.position
        if leader is not None:
            position = moved(position, state.seat, moved(own, leader, NEST))
        return Thrown(_turn_over(position, state.seat, state.arrived), True, leader)

    def play_over(self, state: State) -> State:
        """
        Return the state after the play: an extra throw, or the next seat's turn.

        Raises:
            RefereeBug: No throw was played.
        """
        position, seat, repeats, last_moved, dice, _, _, _, arrived, _ = state
        if not dice:
            raise RefereeBug(f"seat {seat} has not thrown, so its play cannot be over: {state}")
        if dice[0] == dice[1] and self._extra_throw:
            return new(State, (position, seat, repeats + 1, last_moved, (), (), (), (), arrived, 0))
        return _turn_over(position, seat, arrived)

    def lose_seat(self, state: State, seat: int) -> State:
        """Return *state* without the pawns of *seat*; if it was to move, the next seat is."""
        position = moved(state.position, seat, None)
        if seat == state.seat:
            return _turn_over(position, seat, state.arrived)
        return state._replace(position=position)

    # Steps.

    def steps(self, state: State) -> tuple[Step, ...]:
        """Return the legal steps in canonical order; none when the play is over."""
        position, seat, _, _, _, numbers, bonuses, at_throw, _, _ = state
        if not numbers and not bonuses:
            return ()
        own = position[seat]
        assert own is not None
        assert at_throw
        side = self._sides[seat]
        opponents = ALWAYS
        for other, sight in side.others:
            pawns = position[other]
            if pawns is not None:
                opponents |= sight[pawns]
        walls = opponents | pairs(own, side.pair_walls)
        ways, forced, roads = side.plans[numbers]
        entering = forced and NEST in own and not walls & side.shut
        if entering:
            ways = forced
        found = []
        for pawn, place in enumerate(own):
            for stops, steps in ways[place]:
                if not walls & stops:
                    found.append(steps[pawn])
        if bonuses and not (found and self._bonus_waits):
            return self._steps_with_bonuses(state, own, walls, found)
        if not found:
            return ()
        untouched = own == at_throw
        if self._same_pair and (walls != opponents if untouched else pairs(at_throw, side.pair_walls)):
            cannot_meet = untouched and len(numbers) == 2 and numbers[0] != numbers[1]
            if not cannot_meet:
                return self._steps_with_pair(state, own, opponents, found)
        if self._loose or len(numbers) == 1 or entering or _free_road(side, own, roads, walls):
            return tuple(found)
        return self._steps_counted(state, own, opponents, found)

    def _steps_counted(
        self, state: State, own: Pawns, opponents: int, found: Sequence[Step]
    ) -> tuple[Step, ...]:
        """Return the legal ones of *found* where rule 1 has no effect; see *Counting*."""
        side, numbers = self._sides[state.seat], state.numbers
        whole = self._all_or_nothing and must_be_whole(self.ruleset, state)
        if not whole and (self._greedy or len(found) == 1):
            return tuple(found)
        if _roads_stay_free(side, state, own, opponents, found, ()):
            return tuple(found)
        look = self._look(state, opponents, ())
        unused = [look.unused(own, numbers, step) for step in found]
        if max(unused) == 0:
            return tuple(found)
        if self._bonus_waits:
            if whole:
                return tuple(step for step, left in zip(found, unused, strict=True) if not left)
            if min(unused) == max(unused):
                return tuple(found)
        return Search(self.ruleset, side, state).legal()

    def _steps_with_pair(
        self, state: State, own: Pawns, opponents: int, found: Sequence[Step]
    ) -> tuple[Step, ...]:
        """Return the legal steps where rule 1 may drop some of *found*, or of what could follow them."""
        side, numbers, at_throw = self._sides[state.seat], state.numbers, state.at_throw
        assert at_throw
        together = pairs_at_throw(side, at_throw)
        apart = [step for step in found if not together_after(step, side, own, at_throw, together)]
        one_number = len(numbers) == 1
        if one_number and not state.bonuses and not meets_again(own, at_throw, together, side.home):
            return tuple(apart)
        loose = self._greedy and not (self._all_or_nothing and must_be_whole(self.ruleset, state))
        if len(apart) == len(found) and (one_number or loose):
            return tuple(found)
        if not loose:
            if _roads_stay_free(side, state, own, opponents, found, together):
                return tuple(found)
            look = self._look(state, opponents, together)
            if not any(look.unused(own, numbers, step) for step in found):
                return tuple(found)
        return Search(self.ruleset, side, state).legal()

    def _look(self, state: State, opponents: int, together: Together) -> NumbersOnly:
        """Return what looks ahead in this throw: the one made for the step before, if there was one."""
        seat, at_throw = state.seat, state.at_throw
        assert at_throw
        key = (seat, opponents, at_throw, together)
        last = self._last_look
        if last is None or last[0] != key:
            self._last_look = last = key, NumbersOnly(self._sides[seat], opponents, at_throw, together)
        return last[1]

    def _steps_with_bonuses(
        self, state: State, own: Pawns, walls: int, by_number: Sequence[Step]
    ) -> tuple[Step, ...]:
        """Return the legal steps at a moment when bonuses may be used, and so may *by_number*."""
        side, numbers, at_throw = self._sides[state.seat], state.numbers, state.at_throw
        assert at_throw
        whole = self._all_or_nothing and must_be_whole(self.ruleset, state)
        if numbers and whole and self._bonus_waits:
            return ()
        by_bonus = (
            steps[pawn]
            for bonus in sorted(set(state.bonuses))
            for pawn, place in enumerate(own)
            for stops, steps in side.bonuses[bonus][place]
            if not walls & stops
        )
        found = sorted((*by_number, *by_bonus))
        together = pairs_at_throw(side, at_throw) if self._same_pair else ()
        none_meet = not any(together_after(step, side, own, at_throw, together) for step in found)
        if none_meet and (self._bonus_waits or not numbers or (self._greedy and not whole)):
            return tuple(found)
        return Search(self.ruleset, side, state).legal()

    def apply(self, state: State, step: Step) -> Applied:
        """
        Return what *step* does. It must be possible; whether it is legal is not asked again.

        Raises:
            RefereeBug: No number or bonus that is left leads this pawn to that square.
        """
        position, seat, repeats, _, dice, numbers, bonuses, at_throw, arrived, past = state
        pawn, use, square = step
        own = position[seat]
        assert own is not None
        side = self._sides[seat]
        lands, place = side.progress[square], own[pawn]
        try:
            if use < BONUS:
                numbers = LEFT[numbers][use]
            else:
                numbers = () if self._bonus_waits else numbers
                bonuses = without(bonuses, use - BONUS)
            fits = lands == place + SQUARES[use] if place else lands == ENTRY and use in ENTERS
        except (LookupError, ValueError):
            fits = False
        if not fits:
            raise RefereeBug(f"{step} is no step in {state}")
        own = moved(own, pawn, lands)
        position = moved(position, seat, own)
        captured: tuple[tuple[int, int], ...] = ()
        earned: Numbers = ()
        for other, theirs in side.prey[square]:
            pawns = position[other]
            if pawns is not None and theirs in pawns:
                victim = pawns.index(theirs)
                position = moved(position, other, moved(pawns, victim, NEST))
                captured += ((other, victim),)
                earned += self._capture_bonus
        won = False
        if lands == side.home:
            earned += self._home_bonus
            won = own.count(lands) == len(PAWNS)
        if earned:
            bonuses = tuple(sorted(bonuses + earned))
        after = new(State, (position, seat, repeats, pawn, dice, numbers, bonuses, at_throw, arrived, past))
        return new(Applied, (after, captured, earned, won))

    # Judgements.

    def plays(self, state: State, limit: int = 2000) -> tuple[list[Play], bool]:
        """
        Return one play for each position that the throw can end in, and whether there were more than *limit*.

        Where more than `MOMENTS` moments of the throw would have to be looked at, there are taken to be more.
        Each play is the first in canonical order of those that lead there; the seat's own pawns count as
        alike. The plays are in canonical order. Without a legal step there are none.
        """
        pair = state.at_throw and self._same_pair and pairs_at_throw(self._sides[state.seat], state.at_throw)
        alike = _alike_with_pair if pair else _alike
        plays: list[Play] = []
        reached: set[object] = set()
        seen: set[object] = set()

        def go_on(state: State, done: tuple[Step, ...]) -> bool:
            """Add the plays that go on from *state*; return whether that went past the limit."""
            steps = self.steps(state)
            if not steps and done:
                end = _unordered(state)
                if end not in reached:
                    if len(plays) == limit:
                        return True
                    reached.add(end)
                    plays.append(Play(done, state.position, state.arrived))
                return False
            for step in steps:
                after = self.apply(state, step).state
                moment = alike(after)
                if moment not in seen:
                    if len(seen) == MOMENTS:
                        return True
                    seen.add(moment)
                    if go_on(after, (*done, step)):
                        return True
            return False

        cut = go_on(state, ())
        return plays, cut

    def explain(self, state: State, step: Step) -> Refusal | None:
        """
        Return why *step* is not legal, None if it is.

        The sentence names what stands in the way on the board, or the rule that forbids the step.
        """
        if step in self.steps(state):
            return None
        return explain(self.ruleset, state, step, lambda ruleset: step in _compiled(ruleset).steps(state))

    def places(self, position: Position, winner: int | None, lost: Sequence[int]) -> dict[int, int]:
        """
        Return the place of each seat, from 1; equal places are shared.

        *lost* are the seats that were lost, in that order: the first takes the last place.
        """
        return places(self.board, position, winner, lost)

    def check(self, state: State) -> None:
        """
        Refuse a state that cannot be.

        Raises:
            PositionError: Names what is wrong, where, and what would be right.
        """
        check(self.ruleset, state)


def _turn_over(position: Position, seat: int, arrived: int) -> State:
    """Return the state in which the next seat throws; the same seat's if nobody is left to play."""
    for following in _AFTER[seat]:
        if position[following] is not None:
            seat = following
            break
    return new(State, (position, seat, 0, None, (), (), (), (), arrived, 0))


def _free_road(side: Side, own: Pawns, roads: Sequence[int], walls: int) -> bool:
    """Tell whether a pawn has a road before it that is free for all numbers together; see *A free road*."""
    squares = side.pair_walls
    a, b, c, d = own
    barred = walls | squares[a] | squares[b] | squares[c] | squares[d]
    return not (barred & roads[a] and barred & roads[b] and barred & roads[c] and barred & roads[d])


def _roads_stay_free(
    side: Side, state: State, own: Pawns, opponents: int, found: Sequence[Step], together: Together
) -> bool:
    """
    Tell whether after each step of *found* some pawn has a free road for the rest.

    It looks closer than `_free_road`: own pawns on the road count only where a step would join them. After
    the rest, the pawns *together* at the throw must not be so again.
    """
    numbers, at_throw, squares = state.numbers, state.at_throw, side.pair_walls
    assert at_throw
    # Where rule 4 takes the last five from the runner, entering uses it, and no pair has moved as one.
    _, _, roads = side.plans[numbers]
    joined = {side.progress[step.square] for step in found}.intersection(own)
    barred = opponents | pairs(own, squares) | sum(squares[place] for place in joined)
    runners = [pawn for pawn, place in enumerate(own) if not barred & roads[place]]
    if not (runners and together):
        return bool(runners)
    for pawn, use, square in found:
        then = moved(own, pawn, side.progress[square])
        rest = sum(LEFT[numbers][use])
        ends = (moved(then, runner, then[runner] + rest) for runner in runners)
        if all(meets_again(end, at_throw, together, side.home) for end in ends):
            return False
    return True


def together_after(step: Step, side: Side, own: Pawns, at_throw: Pawns, together: Together) -> bool:
    """Tell whether *step* leaves a pair of the throw standing together on another square."""
    return meets_again(moved(own, step.pawn, side.progress[step.square]), at_throw, together, side.home)


def _unordered(state: State) -> Position:
    """Return the position of *state* with the pawns of the seat to move in order of progress."""
    own = state.position[state.seat]
    assert own is not None
    a, b, c, d = sorted(own)
    return moved(state.position, state.seat, (a, b, c, d))


def _alike(state: State) -> object:
    """Return what two states of one throw share when the same positions follow, pawns being alike."""
    return _unordered(state), state.numbers, state.bonuses


def _alike_with_pair(state: State) -> object:
    """Return the same where rule 1 tells pawns apart by where they stood when the dice fell."""
    own = state.position[state.seat]
    assert own is not None
    return tuple(sorted(zip(own, state.at_throw, strict=True))), _alike(state)


@cache
def _compiled(ruleset: Ruleset) -> Rules:
    """Return *ruleset* compiled, for questions that are asked seldom."""
    return Rules(ruleset)
