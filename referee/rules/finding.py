"""
All plays of a throw: one for each position that the throw can end in.

The theory. Steps lead from state to state, and many orders of the same steps lead to one. Two states of
a throw are one *moment* (`moments.py`) when the same positions follow from both; each moment is gone on from
once. A step is *quiet* where it takes a pawn to a square and nothing else happens. The moment after it is
known before it is carried out, which spares the work for those met before, and the position at the end of
the throw need not be made up step by step.

At most throws most steps are quiet, and the rules that look further back than what is left have no say:
such a throw is *calm* (`Special.is_calm`). The others stay where they are, so the walls that they are stay,
too, and what follows is a matter of own pawns and of what is left. So plays are found there in a *walk* that
carries these alone. It sees at a glance that every possible step is legal where `Rules.steps` does: with one
number left, where one that can enter must, where a pawn has a free road, and with bonuses alone (engine.py).
Elsewhere, and where what is left may be special by itself, `Rules.steps` is asked which steps are legal.

A step that is not quiet is carried out, and the walk goes on from where it leads. Where the throw is not
calm, or is no more when bonuses have been used, plays are found state by state.

The walk tells moments apart by places alone, which is right where pawns on one place are alike. Where it
matters who stood together, it begins when the dice have just fallen and ends with the first bonus. Such
a throw gives two numbers, so at most one quiet step comes before the last: pawns that it could have taken
from one place to another stood there together, and whichever of them went, the same kinds are where they are.

Knows: how the plays of a throw go on from each other. Does not know: which steps are legal otherwise.
"""

from collections.abc import Callable, Sequence
from typing import Final

from referee.rules.board import NEST
from referee.rules.moments import Around, Moments
from referee.rules.moves import Moves
from referee.rules.plays import Found, Met, Play
from referee.rules.quiet import NOTHING_LEFT, PLACES, ByPlace, Left, QuietPlans
from referee.rules.search import counts_numbers
from referee.rules.special import Special
from referee.rules.state import BONUS, Pawns, Position, State, Step, new
from referee.rules.tables import LEFT, Side, moved, pairs, without
from referee.rules.walls import Standing

Legal = Callable[[State], tuple[Step, ...]]
"""Tells the legal steps of a state."""

FreeRoad = Callable[[Side, Pawns, Sequence[int], int, int | Standing], bool]
"""Tells whether some pawn has a free road: of the roads of a plan, among walls and what others are."""


class Finder:
    """Finds plays by one ruleset."""

    def __init__(self, moves: Moves, special: Special, legal: Legal, free_road: FreeRoad) -> None:
        """Make ready to be asked."""
        waits = moves.bonus_waits
        self.moves: Final = moves
        self.special: Final = special
        self.legal: Final = legal
        self.free_road: Final = free_road
        self.counts: Final = counts_numbers(moves.ruleset)
        self._quiet: Final = tuple(QuietPlans(side, side.plans, waits=waits) for side in moves.sides)
        self._quiet_short_of_home: Final = tuple(
            QuietPlans(side, side.plans_short_of_home, waits=waits) for side in moves.sides
        )

    def plays(self, state: State, limit: int) -> tuple[list[Play], bool]:
        """Return up to *limit* plays from *state*, and whether there are more."""
        if not state.dice:
            return [], False
        search = _Throw(self, state, limit)
        return search.found.plays, search.cut

    def quiet(self, side: Side, *, short_of_home: bool) -> QuietPlans:
        """Return what *side* may do quietly."""
        return (self._quiet_short_of_home if short_of_home else self._quiet)[side.seat]


class _Throw:
    """One throw, of which the plays are found."""

    def __init__(self, finder: Finder, state: State, limit: int) -> None:
        moves, special = finder.moves, finder.special
        side = moves.sides[moves.mover(state.position, state.seat)]
        plans = moves.plans(state, side)
        self._finder: Final = finder
        self._moves: Final = moves
        self._special: Final = special
        self._legal: Final = finder.legal
        self._side: Final = side
        self._quiet: Final = finder.quiet(side, short_of_home=plans is not side.plans)
        self._moments: Final = Moments(moves, special, state, plans)
        self.found: Final = Found(limit)
        calm = self._moments.go_by_places(state) and special.is_calm(state, side, plans)
        self._stays_calm: Final = calm and special.stays_calm(state, side, plans)
        """Whether the throw is calm still when bonuses have been used."""
        self._walks_with_bonuses: Final = self._stays_calm and not moves.at_once
        self.cut: Final = self._go_on(state, (), self._moments.around(state.position), calm=calm)
        """Whether there are more plays than were looked for."""

    # What adds plays returns whether there are more than are looked for. *done* are the steps that were
    # taken, *around* is what others are, and it is *calm* as long as the throw is and nothing changed that.

    def _go_on(self, state: State, done: tuple[Step, ...], around: Around, *, calm: bool) -> bool:
        """Add the plays that go on from *state*."""
        position, _, _, _, _, numbers, bonuses, _, arrived, past = state
        if not calm or (bonuses and not self._walks_with_bonuses):
            return self._go_on_by_states(state, done, around, calm=calm)
        own = position[self._side.seat]
        assert own is not None
        moments = self._moments
        met = self.found.met(around, moments.last(own, arrived), past)
        return self._walk(state, own, (numbers, bonuses), moments.places(own), done, around, met)

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
        Add the plays that go on calmly with what is *left* from where *own* pawns are.

        All else is as in *state*, from which quiet steps have led here. *places* is the sum for *own*.
        """
        side, quiet, found, moments = self._side, self._quiet, self.found, self._moments
        _, before, behind, eventful, standing = around
        if isinstance(standing, tuple):
            walls = self._moves.walls(standing, side, own)
        elif places & quiet.pairs:
            walls = standing | pairs(own, side.pair_walls)
        else:
            walls = standing
        numbers, bonuses = left
        ways, forced, roads, rests = quiet[left]
        entering = bool(forced) and NEST in own and not walls & side.shut
        if (len(numbers) > 1 or bonuses or numbers in self._special.numbers) and not (
            self._are_legal(own, left, entering, roads, walls, standing)
        ):
            ways = self._legal_ways(self._after(state, own, left, done), own, ways)
        elif entering:
            ways = forced
        marks, stuck = self._moves.marks, True
        for pawn, place in enumerate(own):
            for stops, steps, use, square, lands, change in ways[place]:
                if walls & stops:
                    continue
                stuck = False
                if square in eventful or (marks and moments.mixes(own, place, lands, eventful)):
                    if moments.all_alike and own.index(place) != pawn:
                        continue  # a pawn that is alike has taken this step
                    now = self._after(state, own, left, done)
                    if self._carry_out(now, steps[pawn], done, calm=True):
                        return True
                    continue
                rest = rests[use]
                known, sum_then = met[rest], places + change
                if sum_then in known:
                    continue
                pawns, then_done = [*own], (*done, steps[pawn])
                pawns[pawn] = lands
                then: Pawns = tuple(pawns)  # type: ignore[assignment]
                if rest == NOTHING_LEFT:
                    end: Position = (*before, then, *behind)  # type: ignore[assignment]
                    if found.end(known, sum_then, then_done, end, state.arrived):
                        return True
                elif found.go_on_from(known, sum_then) or self._walk(
                    state, then, rest, sum_then, then_done, around, met
                ):
                    return True
        if not stuck:
            return False
        now = self._after(state, own, left, done)
        if numbers and bonuses:  # numbers that cannot be used are given up for the bonuses
            return self._go_on_by_states(now, done, around, calm=True)
        return bool(done) and found.end(met[NOTHING_LEFT], places, done, now.position, now.arrived)

    def _are_legal(
        self,
        own: Pawns,
        left: Left,
        entering: bool,
        roads: Sequence[int],
        walls: int,
        standing: int | Standing,
    ) -> bool:
        """Tell whether it is seen at a glance that all possible steps are legal, where that is in doubt."""
        numbers, bonuses = left
        special, finder = self._special, self._finder
        if not numbers:
            return True
        if numbers in special.numbers and (NEST in own or special.in_between):
            return False
        if not finder.counts:
            return True
        if bonuses and not self._moves.bonus_waits:
            return False
        return len(numbers) == 1 or entering or finder.free_road(self._side, own, roads, walls, standing)

    def _legal_ways(self, state: State, own: Pawns, ways: ByPlace) -> ByPlace:
        """Return those of *ways* that are legal in *state*: of pawns on one place, the same ones."""
        legal = {(own[pawn], use, square) for pawn, use, square in self._legal(state)}
        return {place: tuple(way for way in ways[place] if (place, way[2], way[3]) in legal) for place in own}

    def _after(self, state: State, own: Pawns, left: Left, done: Sequence[Step]) -> State:
        """Return what quiet steps have made of *state*, the last of those that are *done*."""
        position, seat, repeats, last_moved, dice, _, _, at_throw, arrived, past = state
        for pawn, use, _ in done:
            last_moved = pawn
            if use < BONUS:
                past |= 1 << pawn & self._moves.remembers
        position = moved(position, self._side.seat, own)
        return new(State, (position, seat, repeats, last_moved, dice, *left, at_throw, arrived, past))

    def _go_on_by_states(self, state: State, done: tuple[Step, ...], around: Around, *, calm: bool) -> bool:
        """Add the plays that go on from *state*, whatever may happen."""
        steps = self._legal(state)
        position, _, _, _, _, numbers, bonuses, _, arrived, past = state
        own = position[self._side.seat]
        assert own is not None
        moves, moments, found = self._moves, self._moments, self.found
        places, met = moments.places(own), found.met(around, moments.last(own, arrived), past)
        if not steps:
            return bool(done) and found.end(met[NOTHING_LEFT], places, done, position, arrived)
        key, kinds, moved_kinds = moments.key(own, past), moments.kinds(past), moments.moved_kinds
        for step in steps:
            pawn, use, square = step
            place, lands = own[pawn], self._side.progress[square]
            if moments.all_alike and own.index(place) != pawn:
                continue  # a pawn that is alike has taken this step
            gives_up = use >= BONUS and numbers and moves.bonus_waits
            mixes = moves.marks and moments.mixes(own, place, lands, around.eventful)
            if square in around.eventful or mixes or gives_up:
                if self._carry_out(state, step, done, calm=calm):
                    return True
                continue
            if use < BONUS:
                rest, kind = (LEFT[numbers][use], () if moves.at_once else bonuses), moved_kinds[pawn]
            else:
                rest, kind = (numbers, without(bonuses, use - BONUS)), kinds[pawn]
            known, then_own, then_done = met[rest], moved(own, pawn, lands), (*done, step)
            if rest == NOTHING_LEFT:
                sum_then = places - PLACES[place] + PLACES[lands]
                end = moved(position, self._side.seat, then_own)
                if found.end(known, sum_then, then_done, end, arrived):
                    return True
                continue
            sum_then = key - kinds[pawn][place] + kind[lands]
            if sum_then in known:
                continue
            if found.go_on_from(known, sum_then):
                return True
            then = self._after(state, then_own, rest, (step,))
            if self._go_on(then, then_done, around, calm=calm and (use < BONUS or self._stays_calm)):
                return True
        return False

    def _carry_out(self, state: State, step: Step, done: tuple[Step, ...], *, calm: bool) -> bool:
        """Add the plays that go on from *state* with *step*, whatever it does."""
        moments, found = self._moments, self.found
        after = self._moves.apply(state, step).state
        position, _, _, _, _, numbers, bonuses, _, arrived, past = after
        own = position[self._side.seat]
        assert own is not None
        around, done = moments.around(position), (*done, step)
        met = found.met(around, moments.last(own, arrived), past)
        if not numbers and not bonuses:
            return found.end(met[NOTHING_LEFT], moments.places(own), done, position, arrived)
        known, key = met[numbers, bonuses], moments.key(own, past)
        if key in known:
            return False
        if found.go_on_from(known, key):
            return True
        calm = calm and (step.use < BONUS or self._stays_calm)
        return self._go_on(after, done, around, calm=calm)
