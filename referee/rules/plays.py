"""
All plays of a throw: one for each position that the throw can end in.

The theory. Steps lead from state to state, and many orders of the same steps lead to one. Two states of
a throw are one *moment* (`moments.py`) when the same positions follow from both; each moment is gone on from
once. A step is *quiet* where it takes a pawn to a square and nothing else happens. The moment after it is
known before it is carried out, which spares the work for those met before, and the position at the end of
the throw need not be made up by steps.

At most throws all goes quietly from beginning to end. Such a throw is *calm* (`Special.is_calm`): as long as
no bonus has been used and no number has brought a pawn home, rules 3, 4, 6 and 7 alone can have an effect. As
the others stay where they are, the walls that they are stay too, and each further number is a matter of own
pawns. So plays are found there in a *walk* that carries own pawns and numbers only, and leaves states alone:

- With one number left, or where one that can enter must, every step that is possible is legal; so it is where
  a pawn has a free road; engine.py tells why. Else it is asked which steps are legal, one moment at a time.
- Bonuses that wait until no number can be used change nothing before that.
- Pawns on one place are alike. Where it matters which of them stood together when the dice fell, no two
  steps of a calm throw make a difference: one number is left after the first step, and pawns that the same
  number took from one place to another had stood together.

A step that is not quiet is carried out, and the walk goes on from where it leads if that is calm.

Knows: how the plays of a throw go on from each other. Does not know: which steps are legal otherwise.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from referee.rules.board import NEST
from referee.rules.moments import Around, Moments
from referee.rules.moves import Moves
from referee.rules.quiet import NOTHING, PLACES, Left, QuietPlans
from referee.rules.search import counts_numbers
from referee.rules.special import Special
from referee.rules.state import BONUS, MOVED, Pawns, Position, State, Step, new
from referee.rules.tables import LEFT, Numbers, Side, moved, pairs, without
from referee.rules.walls import Standing

MOMENTS: Final = 2000
"""From so many moments of one throw its plays are looked for, far more than games come to."""

Legal = Callable[[State], tuple[Step, ...]]
"""Tells the legal steps of a state."""

FreeRoad = Callable[[Side, Pawns, Sequence[int], int, int | Standing], bool]
"""Tells whether some pawn has a free road, by the roads of a plan, the walls, and what others are."""

Met = defaultdict[Left, set[int]]
"""By what is left of the throw: where own pawns are in the moments, or the positions, that were met."""


class Play(NamedTuple):
    """A whole answer to a throw, and the position that it leads to."""

    steps: tuple[Step, ...]
    position: Position
    arrived: int = 0


class Finder:
    """Finds plays by one ruleset."""

    def __init__(self, moves: Moves, special: Special, legal: Legal, free_road: FreeRoad) -> None:
        """Make ready to be asked."""
        self.moves: Final = moves
        self.special: Final = special
        self.legal: Final = legal
        self.free_road: Final = free_road
        self.counts: Final = counts_numbers(moves.ruleset)
        waits = moves.bonus_waits
        self.quiet: Final = tuple(QuietPlans(side, side.plans, waits=waits) for side in moves.sides)
        self.quiet_short_of_home: Final = tuple(
            QuietPlans(side, side.plans_short_of_home, waits=waits) for side in moves.sides
        )

    def plays(self, state: State, limit: int) -> tuple[list[Play], bool]:
        """Return up to *limit* plays from *state*, and whether there are more."""
        if not state.dice:
            return [], False
        found = _Plays(self, state, limit)
        return found.found, found.cut


class _Plays:
    """The plays of one throw."""

    def __init__(self, finder: Finder, state: State, limit: int) -> None:
        moves, special = finder.moves, finder.special
        side = moves.sides[moves.mover(state.position, state.seat)]
        plans = moves.plans(state, side)
        short = plans is not side.plans
        self.found: Final[list[Play]] = []
        self._finder: Final = finder
        self._moves: Final = moves
        self._legal: Final = finder.legal
        self._limit: Final = limit
        self._side: Final = side
        self._seat: Final = side.seat
        self._quiet: Final = (finder.quiet_short_of_home if short else finder.quiet)[side.seat]
        self._special: Final = special
        self._moments: Final = Moments(moves, special, state, plans)
        self._met: Final[dict[object, Met]] = {}
        self._ended: Final[dict[object, set[int]]] = {}
        """By what others are and who came last: where own pawns are in the positions that were found."""
        self._many = 0
        """How many moments are gone on from."""
        calm = self._moments.go_by_places(state) and special.is_calm(state, side, plans)
        self._stays_calm: Final = calm and special.stays_calm(state, side, plans)
        """Whether the throw is calm still when bonuses have been used."""
        around = self._moments.around(state.position)
        self.cut: Final = self._go_on(state, (), around, calm=calm)
        """Whether there are more plays than were looked for."""

    def _go_on(self, state: State, done: tuple[Step, ...], around: Around, *, calm: bool) -> bool:
        """
        Add the plays that go on from *state*; return whether that went past the limit.

        *done* are the steps that led there, *around* what others are. It is *calm* as long as the throw is,
        no bonus has been used and no number has brought a pawn home.
        """
        position, _, _, _, _, numbers, bonuses, _, arrived, past = state
        moves = self._moves
        if not calm or (
            bonuses and (moves.at_once or not (self._stays_calm or (numbers and moves.bonus_waits)))
        ):
            return self._go_on_by_states(state, done, around, calm=calm)
        own = position[self._seat]
        assert own is not None
        met = self._met_with(around, self._moments.last(own, arrived), past)
        return self._walk(state, own, (numbers, bonuses), self._moments.places(own), done, around, met)

    def _walk(
        self,
        state: State,
        own: Pawns,
        left: Left,
        places: int,
        done: tuple[Step, ...],
        around: Around,
        met: Met,
    ) -> bool:
        """
        Add the plays that go on calmly with what is *left* from where *own* pawns are; return as `_go_on`.

        All else is as in *state*, from which quiet steps have led here. *places* is the sum for *own*.
        """
        side, finder = self._side, self._finder
        _, before, behind, eventful, standing = around
        if isinstance(standing, Standing):
            walls = self._moves.walls(standing, side, own)
        elif places & self._quiet.pairs:
            walls = standing | pairs(own, side.pair_walls)
        else:
            walls = standing
        numbers, bonuses = left
        ways, forced, roads, after = self._quiet[left]
        legal = None
        if numbers:
            entering = forced and NEST in own and not walls & side.shut
            if (
                (numbers in self._special.numbers and (NEST in own or self._special.in_between))
                or (bonuses and finder.counts and not self._moves.bonus_waits)
                or (
                    len(numbers) > 1
                    and finder.counts
                    and not entering
                    and not finder.free_road(side, own, roads, walls, standing)
                )
            ):
                legal = self._legal(self._after(state, own, left, done))
            elif entering:
                ways = forced
        marks = self._moves.marks
        stuck = True
        for pawn, place in enumerate(own):
            for stops, steps, use, square, lands, change in ways[place]:
                if walls & stops or (legal is not None and steps[pawn] not in legal):
                    continue
                stuck = False
                if square in eventful or (marks and self._moments.mixes(own, place, lands, eventful)):
                    if self._moments.all_alike and own.index(place) != pawn:
                        continue  # a pawn that is alike has taken this step
                    now = self._after(state, own, left, done)
                    if self._carry_out(now, steps[pawn], done, calm=True):
                        return True
                    continue
                rest = after[use]
                known = met[rest]
                if places + change in known:
                    continue
                moved_own = [*own]
                moved_own[pawn] = lands
                then, played = tuple(moved_own), (*done, steps[pawn])
                if rest == NOTHING:
                    if len(self.found) == self._limit:
                        return True
                    known.add(places + change)
                    self.found.append(new(Play, (played, (*before, then, *behind), state.arrived)))
                    continue
                if self._many == MOMENTS:
                    return True
                self._many += 1
                known.add(places + change)
                if rest[0] or self._stays_calm:
                    cut = self._walk(state, then, rest, places + change, played, around, met)
                else:
                    cut = self._go_on_by_states(
                        self._after(state, then, rest, played), played, around, calm=True
                    )
                if cut:
                    return True
        if not stuck:
            return False
        if bonuses and numbers:
            return self._go_on_by_states(self._after(state, own, left, done), done, around, calm=True)
        position = moved(state.position, self._seat, own)
        return bool(done) and self._end(met[NOTHING], places, position, state.arrived, done)

    def _after(self, state: State, own: Pawns, left: Left, done: Sequence[Step]) -> State:
        """Return what quiet steps have made of *state*, the last of those that are *done*."""
        position, seat, repeats, last_moved, dice, _, _, at_throw, arrived, past = state
        for pawn, use, _ in done:
            last_moved = pawn
            if use < BONUS:
                past |= 1 << pawn & self._moves.remembers
        position = moved(position, self._seat, own)
        numbers, bonuses = left
        return new(
            State, (position, seat, repeats, last_moved, dice, numbers, bonuses, at_throw, arrived, past)
        )

    def _go_on_by_states(
        self, state: State, done: tuple[Step, ...], around: Around, *, calm: bool
    ) -> bool:
        """Add the plays that go on from *state*, whatever can happen; return as `_go_on`."""
        steps = self._legal(state)
        position, seat, repeats, _, dice, numbers, bonuses, at_throw, arrived, past = state
        own = position[self._seat]
        assert own is not None
        moves, moments = self._moves, self._moments
        last = moments.last(own, arrived)
        places = moments.places(own)
        ended = self._ended_with(around, last)
        if not steps:
            return bool(done) and self._end(ended, places, position, arrived, done)
        eventful = around.eventful
        progress, alike, marks = self._side.progress, moments.all_alike, moves.marks
        key, kinds, moved_kinds = moments.key(own, past), moments.kinds(past), moments.moved_kinds
        kept = () if moves.at_once else bonuses
        for step in steps:
            pawn, use, square = step
            place = own[pawn]
            if alike and own.index(place) != pawn:
                continue  # a pawn that is alike has taken this step
            lands = progress[square]
            by_number = use < BONUS
            quiet = square not in eventful and not (
                marks and moments.mixes(own, place, lands, eventful)
            )
            if by_number:
                left, rest, kind = LEFT[numbers][use], kept, moved_kinds[pawn]
                past_then = past | 1 << pawn & moves.remembers
            else:
                left, rest, kind = numbers, without(bonuses, use - BONUS), kinds[pawn]
                past_then = past
                quiet = quiet and not (numbers and moves.bonus_waits)
            if not quiet:
                if self._carry_out(state, step, done, calm=calm):
                    return True
                continue
            if not left and not rest:
                change = PLACES[lands] - PLACES[place]
                if places + change not in ended:
                    end = moved(position, self._seat, moved(own, pawn, lands))
                    if self._end(ended, places + change, end, arrived, (*done, step)):
                        return True
                continue
            known = self._met_with(around, last, past)[left, rest]
            moment = key - kinds[pawn][place] + kind[lands]
            if moment in known:
                continue
            if self._many == MOMENTS:
                return True
            self._many += 1
            known.add(moment)
            then = moved(position, self._seat, moved(own, pawn, lands))
            after = new(
                State, (then, seat, repeats, pawn, dice, left, rest, at_throw, arrived, past_then)
            )
            if self._go_on(after, (*done, step), around, calm=calm and (by_number or self._stays_calm)):
                return True
        return False

    def _carry_out(self, state: State, step: Step, done: tuple[Step, ...], *, calm: bool) -> bool:
        """Add the plays that go on from *state* with *step*, whatever it does; return as `_go_on`."""
        moments = self._moments
        after = self._moves.apply(state, step).state
        position, _, _, _, _, numbers, bonuses, _, arrived, past = after
        own = position[self._seat]
        assert own is not None
        done = (*done, step)
        around, last = moments.around(position), moments.last(own, arrived)
        if not numbers and not bonuses:
            return self._end(self._ended_with(around, last), moments.places(own), position, arrived, done)
        known = self._met_with(around, last, past)[numbers, bonuses]
        moment = moments.key(own, past)
        if moment in known:
            return False
        if self._many == MOMENTS:
            return True
        self._many += 1
        known.add(moment)
        calm = calm and (step.use < BONUS or self._stays_calm) and not self._special.asks_who_is_home(after)
        return self._go_on(after, done, around, calm=calm)

    def _met_with(self, around: Around, last: object, past: int) -> Met:
        """Return what was met while others are so, the positions at the end of the throw among it."""
        key = around.number, last, past & ~MOVED
        met = self._met.get(key)
        if met is None:
            met = self._met[key] = defaultdict(set)
            met[NOTHING] = self._ended_with(around, last)
        return met

    def _ended_with(self, around: Around, last: object) -> set[int]:
        """Return where own pawns are in the positions that were found and leave the others so."""
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
