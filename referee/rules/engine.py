"""
The rules of a game, from a throw to the ranking.

The theory. The rule book says which *sequences* of steps answer a throw, and a step is legal when a
sequence that is kept goes on with it. `Search` (search.py) decides that by looking at every
sequence, rule by rule; it is the meaning of `Rules.steps`. It is also slow, and almost never needed:
nine throws in ten leave so much room that every possible step is legal, and this can be proven at a
glance. So `steps` first finds the possible steps (section 4, and of section 5 `bonus_timing` and
rule 4, *Entering*, which look at the moment only), then tries to prove that rules 1, 3 and 6 drop none
of them, and searches when it cannot. The proofs:

- *No trouble.* Rule 1 (*Same pair*) concerns a seat that had a pair when the dice fell. Two pawns
  that stood together meet again only after moving equally far. While the pair is whole, two different
  numbers cannot do that; when it is broken, one number can only if it is the distance between them.
- *A free road.* Rules 3 (*Fourteen*) and 6 (*Using the throw*) ask whether all numbers can be used. If
  some pawn, the runner, has a free road before it for all the numbers together, then whatever is
  played first, the runner can use what is left; unless that first step makes a pair of the
  seat's own on that road. (Where rule 4 then takes a five from the runner, entering uses it.)
- *Someone must enter.* Where a five could enter a pawn, all that rule 4 leaves is to enter or, with 5 and
  another number, to play that other number first. Entering stops no other step, and no other step
  shuts the entry, so whatever can be used can be used in either order.
- *One number left.* Each step that uses it uses the most.
- *Greedy.* Rule 6 drops no first step: a sequence may stop anywhere, and the rest follows.

Rule 2 (*Home with a doublet*), 5 (*Opening*) and 7 (*One of two*) have no effect in what this version
plays; `ruleset.py` refuses the other values by name.

Knows: when a step is legal, what it does, who is next, who came where.
Does not know: texts, dice, clocks, what a seat was asked.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from referee.errors import ConfigError, PositionError, RefereeBug
from referee.rules.board import NEST, PAWNS, SEATS, Board
from referee.rules.checking import check
from referee.rules.explaining import explain
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
from referee.rules.search import NumbersOnly, Pairs, Search, must_be_whole, pairs_at_throw, violates
from referee.rules.state import BONUS, Applied, Pawns, Position, State, Step
from referee.rules.tables import ALWAYS, ENTERS, ENTRY, SPENT, SQUARES, Numbers, Plan, Side, Sight, Way, moved, numbers_of, pairs, without

new = tuple.__new__

_GIVEN: Final = {
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
        self._whole: Final = ruleset.fourteen is Fourteen.ALL_OR_NOTHING
        self._same_pair: Final = ruleset.same_pair is not SamePair.FREE
        self._faces: Final = ruleset.doublet_faces is DoubletFaces.BOTH
        self._capture_bonus: Final[Numbers] = (ruleset.capture_bonus,) if ruleset.capture_bonus else ()
        self._home_bonus: Final[Numbers] = (ruleset.home_bonus,) if ruleset.home_bonus else ()
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
            raise ConfigError(f"seats {list(seats)} cannot play: two players sit opposite each other, on 0 and 2")
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
        position, seat, repeats, last_moved, already, _, _, _ = state
        dice = tuple(dice)
        given = _GIVEN.get(dice)
        own = position[seat]
        if given is None:
            raise PositionError(f"{list(dice)} is no throw: it takes two dice of 1 to 6")
        if already or own is None:
            raise RefereeBug(f"seat {seat} has nothing to throw for: {state}")
        if repeats >= 2 and dice[0] == dice[1] and self.ruleset.third_throw is ThirdThrow.NEAREST_HOME:
            return self._third(state, own)
        numbers = given[self._faces and NEST not in own]
        return new(Thrown, (new(State, (position, seat, repeats, last_moved, dice, numbers, (), own)), False, None))

    def _third(self, state: State, own: Pawns) -> Thrown:
        """Return the pawn nearest home to its nest: the third doublet in a turn is not played."""
        racing = [pawn for pawn in PAWNS if NEST < own[pawn] < self.board.home]
        leader = max(racing, key=lambda pawn: (own[pawn], pawn), default=None)
        position = state.position
        if leader is not None:
            position = moved(position, state.seat, moved(own, leader, NEST))
        return Thrown(self._turn_over(position, state.seat), True, leader)

    def play_over(self, state: State) -> State:
        """
        Return the state after the play: an extra throw, or the next seat's turn.

        Raises:
            RefereeBug: No throw was played.
        """
        position, seat, repeats, last_moved, dice, _, _, _ = state
        if not dice:
            raise RefereeBug(f"seat {seat} has not thrown, so its play cannot be over: {state}")
        if dice[0] == dice[1] and self.ruleset.extra_throw is ExtraThrow.DOUBLET:
            return new(State, (position, seat, repeats + 1, last_moved, (), (), (), ()))
        return self._turn_over(position, seat)

    def lose_seat(self, state: State, seat: int) -> State:
        """Return *state* without the pawns of *seat*. If it was to move, the turn goes on to the next seat left."""
        position = moved(state.position, seat, None)
        if seat == state.seat:
            return self._turn_over(position, seat)
        return state._replace(position=position)

    def _turn_over(self, position: Position, seat: int) -> State:
        """Return the state in which the next seat throws; the same seat's if it has nobody left to play."""
        for following in _AFTER[seat]:
            if position[following] is not None:
                return new(State, (position, following, 0, None, (), (), (), ()))
        return State(position, seat)

    # Steps.

    def steps(self, state: State) -> tuple[Step, ...]:
        """Return the legal steps in canonical order; none when the play is over."""
        position, seat, _, _, _, numbers, bonuses, at_throw = state
        if not numbers and not bonuses:
            return ()
        own = position[seat]
        assert own is not None and at_throw
        side = self._sides[seat]
        opponents = ALWAYS
        for other, sight in side.others:
            opponents |= sight[position[other]]
        walls = opponents | pairs(own, side.pair_walls)
        rows, forced, roads = side.plans[numbers]
        entering = forced is not None and NEST in own and not walls & side.shut
        if forced is not None and entering:
            rows = forced
        found = [step for row, place in zip(rows, own) for step, stops, _ in row[place] if not walls & stops]
        if bonuses and not (found and self._bonus_waits):
            return self._steps_with_bonuses(state, own, walls, found)
        if not found:
            return ()
        together = pairs_at_throw(side, at_throw) if self._same_pair else ()
        if len(numbers) == 1 or self._any_may_be_left(state):
            proven = not together or self._may_stop(side, own, at_throw, together, found)
        elif entering:
            proven = not together or own == at_throw
        else:
            proven = self._free_road(side, state, own, roads, walls, found, together)
        if proven:
            return tuple(found)
        different = len(numbers) == 2 and numbers[0] != numbers[1]
        if self._bonus_waits and (not together or (different and own == at_throw)):
            return self._counted(state, own, opponents, found)
        return Search(self.ruleset, side, state).legal()

    def _any_may_be_left(self, state: State) -> bool:
        """Tell whether rules 3 and 6 let any first step be, whatever it leaves unused; see *Greedy*."""
        return self._greedy and not (self._whole and must_be_whole(self.ruleset, state))

    def _steps_with_bonuses(self, state: State, own: Pawns, walls: int, by_number: list[Step]) -> tuple[Step, ...]:
        """Return the legal steps at a moment when waiting bonuses may be used, and so may *by_number*."""
        side, numbers = self._sides[state.seat], state.numbers
        by_bonus = [
            step
            for bonus in sorted(set(state.bonuses))
            for row, place in zip(side.bonuses[bonus], own, strict=True)
            for step, stops, _ in row[place]
            if not walls & stops
        ]
        found = sorted(by_number + by_bonus)
        if numbers and not (self._bonus_waits or self._any_may_be_left(state)):
            return Search(self.ruleset, side, state).legal()
        if numbers and self._whole and must_be_whole(self.ruleset, state): return ()
        together = pairs_at_throw(side, state.at_throw) if self._same_pair and state.at_throw else ()
        if not together or self._may_stop(side, own, state.at_throw, together, found):
            return tuple(found)
        return Search(self.ruleset, side, state).legal()

    def _may_stop(self, side: Side, own: Pawns, at_throw: Pawns, together: Pairs, found: Sequence[Step]) -> bool:
        """Tell whether rule 1, *Same pair*, lets the seat stop after each step of *found*."""
        return not any(
            violates(moved(own, step.pawn, side.progress[step.square]), at_throw, together, side.home) for step in found
        )

    def _free_road(self, side: Side, state: State, own: Pawns, roads: Sequence[int], walls: int, found: Sequence[Step], together: Pairs) -> bool:
        """Tell whether some pawn can use all that each step of *found* leaves; see *A free road*."""
        for runner, place in enumerate(own):
            if not walls & roads[place]:
                break
        else:
            return False
        road, progress, pair_walls = roads[place], side.progress, side.pair_walls
        for step in found:
            lands = progress[step[2]]
            if lands in own and road & pair_walls[lands]:
                return False
        if not together:
            return True
        left = SPENT[state.numbers]
        for pawn, use, square in found:
            after = moved(own, pawn, progress[square])
            end = moved(after, runner, after[runner] + sum(left[use]))
            if violates(end, state.at_throw, together, side.home):
                return False
        return True

    def _counted(self, state: State, own: Pawns, opponents: int, found: Sequence[Step]) -> tuple[Step, ...]:
        """Return the steps of *found* after which the most numbers can be used, where numbers are all that counts."""
        side, left = self._sides[state.seat], SPENT[state.numbers]
        look = NumbersOnly(side, opponents)
        unused = [
            len(left[use]) - look.most(moved(own, pawn, side.progress[square]), left[use]) for pawn, use, square in found
        ]
        if self._whole and must_be_whole(self.ruleset, state):
            return tuple(step for step, n in zip(found, unused, strict=True) if n == 0)
        if min(unused) == max(unused):
            return tuple(found)
        return Search(self.ruleset, side, state).legal()

    def apply(self, state: State, step: Step) -> Applied:
        """
        Return what *step* does. It must be possible; whether it is legal is not asked again.

        Raises:
            RefereeBug: No number or bonus that is left leads this pawn to that square.
        """
        position, seat, repeats, _, dice, numbers, bonuses, at_throw = state
        pawn, use, square = step
        own = position[seat]
        side = self._sides[seat]
        assert own is not None
        lands, place = side.progress[square], own[pawn]
        if place == NEST:
            fits = lands == ENTRY and use in ENTERS
        else:
            fits = lands - place == SQUARES.get(use)
        try:
            if use < BONUS:
                numbers = SPENT[numbers][use]
            else:
                numbers = () if self._bonus_waits else numbers
                bonuses = without(bonuses, use - BONUS)
        except (KeyError, ValueError):
            fits = False
        if not fits:
            raise RefereeBug(f"{step} is no step in {state}")
        own = moved(own, pawn, lands)
        position = moved(position, seat, own)
        captured: tuple[tuple[int, int], ...] = ()
        for other, theirs in side.prey[square]:
            pawns = position[other]
            if pawns is not None and theirs in pawns:
                victim = pawns.index(theirs)
                position = moved(position, other, moved(pawns, victim, NEST))
                captured += ((other, victim),)
        earned = self._capture_bonus * len(captured)
        if lands == side.home:
            earned += self._home_bonus
        if earned:
            bonuses = tuple(sorted(bonuses + earned))
        after = new(State, (position, seat, repeats, pawn, dice, numbers, bonuses, at_throw))
        return new(Applied, (after, captured, earned, lands == side.home and own.count(lands) == len(PAWNS)))

    # Judgements.

    def plays(self, state: State, limit: int = 2000) -> tuple[list[Play], bool]:
        """
        Return one play for each position that the throw can end in, and whether there were more than *limit*.

        Each is the first in canonical order of those that lead there; the seat's own pawns count as
        alike. The plays are in canonical order. Without a legal step there are none.
        """
        plays: list[Play] = []
        reached: set[object] = set()
        seen: set[object] = set()

        def go_on(state: State, done: tuple[Step, ...]) -> bool:
            """Add the plays that go on from *state*; return whether that went past the limit."""
            steps = self.steps(state)
            if not steps and done:
                end = _unordered(state.position, state.seat)
                if end not in reached:
                    if len(plays) == limit:
                        return True
                    reached.add(end)
                    plays.append(Play(done, state.position))
                return False
            for step in steps:
                after = self.apply(state, step).state
                moment = _alike(after)
                if moment not in seen:
                    seen.add(moment)
                    if go_on(after, (*done, step)):
                        return True
            return False

        cut = go_on(state, ())
        return plays, cut

    def explain(self, state: State, step: Step) -> str | None:
        """
        Return why *step* is not legal: None if it is, else one sentence.

        It names what stands in the way on the board, or the rule that forbids the step.
        """
        if step in self.steps(state):
            return None
        return explain(self.ruleset, self._sides[state.seat], state, step)

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


def _unordered(position: Position, seat: int) -> tuple[object, ...]:
    """Return *position* with the pawns of *seat* in order of progress."""
    own = position[seat]
    assert own is not None
    return (*position[:seat], tuple(sorted(own)), *position[seat + 1 :])


def _alike(state: State) -> tuple[object, ...]:
    """Return what two states of one throw have in common when they lead to the same positions, pawns being alike."""
    own = state.position[state.seat]
    assert own is not None
    pawns = tuple(sorted(zip(own, state.at_throw, strict=True)))
    position = state.position
    return pawns, position[: state.seat], position[state.seat + 1 :], state.numbers, state.bonuses
