"""
All plays of a throw: one for each position that the throw can end in.

The theory. Steps lead from state to state, and many orders of the same steps lead to one. Two states of
a throw are one *moment* (`moments.py`) when the same positions follow from both; each moment is gone on from
once. Where a step takes a pawn to a square and nothing else happens, the moment after it is known before the
step is carried out, which spares the work for those met before; and at the end of the throw such a step need
not be carried out at all.

With one number left, no bonus and none used before, every possible step is legal at a *calm* throw
(`special.py`), as rules 3, 6 and 7 have nothing to choose from. Half of all moments are such, and the steps
from them are looked up where they are needed.

Knows: how the plays of a throw go on from each other. Does not know: which steps are legal otherwise.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from referee.rules.board import NEST, SQUARE_HOME
from referee.rules.moments import PLACES, Around, Moments
from referee.rules.moves import Moves
from referee.rules.special import Special
from referee.rules.state import BONUS, MOVED, Pawns, Position, State, Step, new
from referee.rules.tables import LEFT, Numbers, moved, without

MOMENTS: Final = 2000
"""From so many moments of one throw its plays are looked for, far more than games come to."""


class Play(NamedTuple):
    """A whole answer to a throw, and the position that it leads to."""

    steps: tuple[Step, ...]
    position: Position
    arrived: int = 0


class Plays:
    """Finds the plays of one throw."""

    def __init__(
        self,
        moves: Moves,
        special: Special,
        legal: Callable[[State], tuple[Step, ...]],
        state: State,
        limit: int,
    ) -> None:
        """Make ready to find up to *limit* plays from *state*; *legal* tells the legal steps of a state."""
        self.found: Final[list[Play]] = []
        self._moves: Final = moves
        self._legal: Final = legal
        self._limit: Final = limit
        self._side: Final = moves.sides[moves.mover(state.position, state.seat)]
        self._seat: Final = self._side.seat
        self._plans: Final = moves.plans(state, self._side)
        self._special_numbers: Final = special.numbers
        self._moments: Final = Moments(moves, special, state, self._plans)
        self._calm: Final = special.is_calm(state, self._side, self._plans)
        self._ended: Final[dict[object, set[int]]] = {}
        """By what others are and who came last: where own pawns are in the positions that were found."""
        self._seen: Final[set[object]] = set()

    def find(self, state: State) -> bool:
        """Find the plays from *state*; return whether there are more than the limit."""
        return self._go_on(state, (), calm=self._calm)

    def _go_on(
        self,
        state: State,
        done: tuple[Step, ...],
        *,
        calm: bool,
        around: Around | None = None,
    ) -> bool:
        """
        Add the plays that go on from *state*; return whether that went past the limit.

        *done* are the steps that led there, *around* what others are if that is known already. It is *calm*
        as long as the throw is, no bonus has been used and no number has brought a pawn home.
        """
        steps = self._legal(state)
        position, _, _, _, _, numbers, bonuses, _, arrived, past = state
        own = position[self._seat]
        assert own is not None
        moves, moments = self._moves, self._moments
        around = around or moments.around(position)
        last = moments.last(own, arrived)
        places = moments.places(own)
        ended = self._ended_with(around, last)
        if not steps:
            return bool(done) and self._end(ended, places, position, arrived, done)
        number, eventful, _ = around
        seen, progress, alike, marks = self._seen, self._side.progress, moments.all_alike, moves.marks
        key, kinds, moved_kinds = moments.key(own, past), moments.kinds(past), moments.moved_kinds
        past &= ~MOVED
        kept = () if moves.at_once else bonuses
        for step in steps:
            pawn, use, square = step
            place = own[pawn]
            if alike and own.index(place) != pawn:
                continue  # a pawn that is alike has taken this step
            lands = progress[square]
            if use < BONUS:
                left, rest = LEFT[numbers][use], kept
            else:
                left, rest = () if moves.bonus_waits else numbers, without(bonuses, use - BONUS)
            goes_on = left or rest
            if (
                square in eventful
                or (goes_on and use >= BONUS)
                or (marks and moments.mixes(own, place, lands, eventful))
            ):
                if self._carry_out(state, step, done, calm=calm):
                    return True
                continue
            then_places = places - PLACES[place] + PLACES[lands]
            if not goes_on:
                if then_places not in ended:
                    end = moved(position, self._seat, moved(own, pawn, lands))
                    if self._end(ended, then_places, end, arrived, (*done, step)):
                        return True
                continue
            moment = number, last, left, rest, past, key - kinds[pawn][place] + moved_kinds[pawn][lands]
            if moment in seen:
                continue
            if len(seen) == MOMENTS:
                return True
            seen.add(moment)
            then = moved(own, pawn, lands)
            if calm and len(left) == 1 and not rest and not (left in self._special_numbers and NEST in then):
                if self._use_last(state, pawn, then, left, (*done, step), around, ended, then_places):
                    return True
                continue
            after = self._after(state, pawn, then, left, rest)
            if self._go_on(after, (*done, step), calm=calm, around=around):
                return True
        return False

    def _use_last(
        self,
        before: State,
        last_moved: int,
        own: Pawns,
        numbers: Numbers,
        done: tuple[Step, ...],
        around: Around,
        ended: set[int],
        places: int,
    ) -> bool:
        """
        """
        moves, side, moments = self._moves, self._side, self._moments
        _, eventful, standing = around
        progress, alike, marks = side.progress, moments.all_alike, moves.marks
        walls = moves.walls(standing, side, own)
        ways, forced, _ = self._plans[numbers]
        if forced and NEST in own and not walls & side.shut:
            ways = forced
        stuck = True
        for pawn, place in enumerate(own):
            if alike and own.index(place) != pawn:
                continue
            others = places - PLACES[place]
            for stops, steps in ways[place]:
                if walls & stops:
                    continue
                stuck = False
                step = steps[pawn]
                _, _, square = step
                lands = progress[square]
                if square in eventful or (marks and moments.mixes(own, place, lands, eventful)):
                    state = self._after(before, last_moved, own, numbers, ())
                    if self._carry_out(state, step, done, calm=True):
                        return True
                elif others + PLACES[lands] not in ended:
                    end = moved(before.position, self._seat, moved(own, pawn, lands))
                    if self._end(ended, others + PLACES[lands], end, before.arrived, (*done, step)):
                        return True
        if stuck:
            end = moved(before.position, self._seat, own)
            return self._end(ended, places, end, before.arrived, done)
        return False

    def _after(self, state: State, pawn: int, own: Pawns, numbers: Numbers, bonuses: Numbers) -> State:
        """Return the state after a step by number that moves a *pawn* and does nothing else, as `Moves.apply`."""
        position, seat, repeats, _, dice, _, _, at_throw, arrived, past = state
        position = moved(position, self._seat, own)
        past |= 1 << pawn & self._moves.remembers
        return new(
            State, (position, seat, repeats, pawn, dice, numbers, bonuses, at_throw, arrived, past)
        )

    def _carry_out(self, state: State, step: Step, done: tuple[Step, ...], *, calm: bool) -> bool:
        """Add the plays that go on from *state* with *step*, whatever it does; return as `go_on`."""
        moments, seen = self._moments, self._seen
        after = self._moves.apply(state, step).state
        position, _, _, _, _, numbers, bonuses, _, arrived, _ = after
        done = (*done, step)
        around = moments.around(position)
        if not numbers and not bonuses:
            own = position[self._seat]
            assert own is not None
            ended = self._ended_with(around, moments.last(own, arrived))
            return self._end(ended, moments.places(own), position, arrived, done)
        moment = moments.of(after, around)
        if moment in seen:
            return False
        if len(seen) == MOMENTS:
            return True
        seen.add(moment)
        calm = calm and step.use < BONUS and step.square != SQUARE_HOME
        return self._go_on(after, done, calm=calm, around=around)

    def _ended_with(self, around: Around, last: object) -> set[int]:
        """Return where own pawns are in the positions found that leave the others so."""
        return self._ended.setdefault((around.number, last), set())

    def _end(
        self, ended: set[int], places: int, position: Position, arrived: int, done: tuple[Step, ...]
    ) -> bool:
        """Add the play of the steps *done* if it ends as no other; return whether there were too many."""
        if places in ended:
            return False
        if len(self.found) == self._limit:
            return True
        ended.add(places)
        self.found.append(new(Play, (done, position, arrived)))
        return False
