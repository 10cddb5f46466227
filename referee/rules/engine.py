"""
The rules of a game, from a throw to the ranking.

The theory. The rule book says which *sequences* of steps answer a throw, and a step is legal when a
sequence that is kept goes on with it. `Search` (search.py) decides that by looking at every sequence,
rule by rule; it is what `Rules.steps` means. It is slow, and seldom needed: nearly always every step
that is possible is legal, and that can be seen without looking far. So `steps` finds the possible
steps (section 4, and of section 5 `bonus_timing` and rule 4, *Entering*, which look at the moment only).
Then it tries to show that the other rules drop none of them, and searches when it cannot:

- *Greedy.* Rule 6 (*Using the throw*), when greedy, drops no first step: the rest just goes on from there.
- *One number left*, or *one step* that is possible: rule 6 has nothing to choose from.
- *Someone must enter.* Where a five could enter a pawn, rule 4 leaves only to enter, or to play the other
  number first. Entering stops no other step and no other step shuts the entry, so that whatever
  can be used can be used in either order. (Not so where a pawn is about to begin a second lap.)
- *A free road.* If a pawn has a road before it for all the numbers together, with nothing on it that
  could ever stop it and no pawn of its own, then whatever is played first, that pawn can use the rest.
  (Where rule 4 then takes a five from it, entering uses that five.)
- *Counting.* Without such a road, `NumbersOnly` (counting.py) counts how many numbers can follow each step,
  bonuses left out. That settles rules 3 (*Fourteen*), 6 and 7, unless a step that they drop could win.
- *Same pair.* Rule 1 concerns a seat that had a pair when the dice fell. Two pawns that stood together
  meet again only after moving equally far: not by two different numbers while no bonus has been used. Else
  a step is shown to be legal by a sequence of numbers that goes on with it and does not end with the pair
  together. A bonus could part the two; where a count without rule 1 finds no more, it makes no difference.

The remaining rules, and what can upset these proofs, are in force in few rulesets and there at few
moments; `special.py` lists them. Those moments are searched. Where rule 2 lets no number lead home, the
tables have plans that stop short of it, and where one pawn alone may come home, counting knows which.

All plays of a throw are found by `finding.py`.

Knows: when a step is legal, what it does, who is next, who came where.
Does not know: texts, dice, clocks, what a seat was asked.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final

from referee.rules.board import NEST, Board
from referee.rules.checking import check
from referee.rules.combinations import require_playable
from referee.rules.counting import NumbersOnly, can_win, meets_again
from referee.rules.explaining import Refusal, explain
from referee.rules.finding import Finder
from referee.rules.moves import Moves
from referee.rules.plays import Play
from referee.rules.ranking import contenders, places, sides
from referee.rules.ruleset import (
    DoubletHome,
    Fourteen,
    MustEnter,
    Ruleset,
    SamePair,
    SingleNumber,
    Use,
)
from referee.rules.search import Search, counts_numbers, must_be_whole, two_numbers
from referee.rules.special import Special
from referee.rules.state import BROUGHT_HOME, Pawns, Position, State, Step
from referee.rules.tables import (
    ALWAYS,
    LEFT,
    Side,
    Together,
    moved,
    pairs,
)
from referee.rules.turns import Turns
from referee.rules.walls import Standing


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
            ConfigError: Its fields do not go together.
        """
        require_playable(ruleset)
        self.ruleset: Final = ruleset
        self.board: Final[Board] = ruleset.board
        moves = Moves(ruleset)
        turns = Turns(moves)
        self._moves: Final = moves
        # What every step and throw calls leads straight there.
        self.start: Final = turns.start
        self.throw: Final = turns.throw
        self.play_over: Final = turns.play_over
        self.lose_seat: Final = turns.lose_seat
        self.apply: Final = moves.apply
        self.mover: Final = moves.mover
        self._views: Final = tuple(
            (side, tuple((other, moves.sights[other]) for other in side.opponents), side.pair_walls)
            for side in moves.sides
        )
        """By seat: its side, what shows how each opponent stands to it, and what its own pairs are."""
        self._shared: Final = None if moves.relays else moves.shared
        self._plain: Final = moves.is_plain
        """Whether walls are those of each seat alone."""
        special = Special(moves)
        self._special: Final = special
        self._special_dice: Final = special.dice
        self._special_numbers: Final = special.numbers
        self._has_special: Final = bool(special.dice or special.numbers)
        about_pairs = special.opens or moves.second_stays
        self._is_about_pairs: Final = about_pairs and ruleset.doublet_home is DoubletHome.FREE
        """Whether a doublet or a six is special only where a pair stood when it fell."""
        self._is_plain_short_of_home: Final = not (about_pairs or moves.remembers & BROUGHT_HOME)
        """Whether nothing is special about a doublet that lets no pawn come home."""
        self._greedy: Final = ruleset.use is Use.GREEDY
        self._larger: Final = ruleset.single_number is SingleNumber.LARGER
        self._all_or_nothing: Final = ruleset.fourteen is Fourteen.ALL_OR_NOTHING
        self._uncounted: Final = not counts_numbers(ruleset)
        """Whether rules 3, 6 and 7 drop no first step: how many numbers can follow it is of no account."""
        self._same_pair: Final = ruleset.same_pair is SamePair.FORBIDDEN
        self._bonus_waits: Final = moves.bonus_waits
        self._counts_exactly: Final = moves.bonus_waits and ruleset.must_enter is not MustEnter.MOST
        """Whether `NumbersOnly` finds how many numbers can be used, not only how many at least."""
        self._drops_at_sight: Final = moves.drops_at_sight
        self._finder: Final = Finder(moves, special, self.steps, self._free_road)
        self._last_looks: dict[bool, tuple[object, NumbersOnly]] = {}
        self._last_search: tuple[object, Search] | None = None

    # Steps.

    def steps(self, state: State) -> tuple[Step, ...]:
        """Return the legal steps in canonical order; none when the play is over."""
        position, seat, _, _, dice, numbers, bonuses, at_throw, _, _ = state
        if not numbers and not bonuses:
            return ()
        if self._plain:
            side, sights, pair_walls = self._views[seat]
            own = position[seat]
            walls = ALWAYS
            for other, sight in sights:
                pawns = position[other]
                if pawns is not None:
                    walls |= sight[pawns]
            standing: int | Standing = walls
            assert own is not None
            a, b, c, d = own
            if a == b or a == c or a == d:  # as in `pairs`
                walls |= pair_walls[a]
            if b == c or b == d:
                walls |= pair_walls[b]
            if c == d:
                walls |= pair_walls[c]
        elif self._shared is not None:
            shared = self._shared[seat]
            side, own = shared.side, position[seat]
            assert own is not None
            known, standing = shared.last
            others = shared.others(position)
            if known != others:
                standing = shared.look_at(position, others)
            walls = shared.walls(standing, own)
        else:
            side, own, standing, walls = self._seen(state)
        special = self._has_special and (dice in self._special_dice or numbers in self._special_numbers)
        plans = side.plans
        if special:
            plans = self._moves.plans(state, side)
            if self._moves.is_broken(dice):
                side, own, standing, walls = self._seen(state)
            if self._is_about_pairs:
                plain = not side.together[at_throw]
            else:
                plain = plans is not side.plans and self._is_plain_short_of_home
            if plain:
                special = numbers in self._special_numbers
        ways, forced, roads = plans[numbers]
        entering = forced and NEST in own and not walls & side.shut
        if entering:
            ways = forced
        found = []
        a, b, c, d = own  # as in `possible`, which is written out pawn by pawn as nothing is asked oftener
        for stops, steps in ways[a]:
            if not walls & stops:
                found.append(steps[0])
        for stops, steps in ways[b]:
            if not walls & stops:
                found.append(steps[1])
        for stops, steps in ways[c]:
            if not walls & stops:
                found.append(steps[2])
        for stops, steps in ways[d]:
            if not walls & stops:
                found.append(steps[3])
        if special:
            if self._drops_at_sight:
                found = self._moves.kept_at_sight(state, side, found, plans)
            if self._special.opens:
                found = self._special.kept_by_opening(state, side, found)
            if self._special.must_be_searched(state, side, own, walls, plans):
                return self._searched(state)
            if most_plans := self._special.plans_of_others(state, side):
                _, _, roads = most_plans[numbers]
        if bonuses and not (found and self._bonus_waits):
            if self._moves.at_once and (self._same_pair or state.past & BROUGHT_HOME):
                return self._searched(state)
            by_bonus = self._moves.by_bonus(state)
            if by_bonus or not self._moves.at_once:
                return self._steps_with_bonuses(state, side, own, standing, found, by_bonus)
        if not found:
            return ()
        if self._same_pair and (dice[0] == dice[-1] or not (self._bonus_waits or own == at_throw)):
            assert at_throw
            if pairs(at_throw, side.pair_walls):
                return self._steps_with_pair(state, side, own, standing, found)
        if self._uncounted or len(numbers) == 1 or entering:
            return tuple(found)
        if self._free_road(side, own, roads, walls, standing):
            return tuple(found)
        return self._steps_counted(state, side, own, standing, found)

    def _seen(self, state: State) -> tuple[Side, Pawns, int | Standing, int]:
        """Return whose pawns move, where they are, what others are to them, and the walls for numbers."""
        moves, position, seat = self._moves, state.position, state.seat
        if moves.relays:
            seat = moves.mover(position, seat)
        side = moves.sides[seat]
        own = position[seat]
        assert own is not None
        broken = moves.breaks and moves.is_broken(state.dice)
        if moves.shared is None:
            walls = moves.standing(position, side, broken=broken)
            return side, own, walls, moves.walls(walls, side, own)
        shared = moves.shared[seat]
        standing = shared.standing(position, broken=broken)
        return side, own, standing, shared.walls(standing, own)

    def _free_road(
        self, side: Side, own: Pawns, roads: Sequence[int], walls: int, standing: int | Standing
    ) -> bool:
        """Tell whether a pawn has a free road before it for all numbers together; see *A free road*."""
        squares = side.pair_walls
        a, b, c, d = own
        barred = walls | squares[a] | squares[b] | squares[c] | squares[d]
        if isinstance(standing, tuple):
            _, _, _, on_the_road = standing
            barred |= on_the_road
        return not (barred & roads[a] and barred & roads[b] and barred & roads[c] and barred & roads[d])

    def _steps_counted(
        self, state: State, side: Side, own: Pawns, standing: int | Standing, found: Sequence[Step]
    ) -> tuple[Step, ...]:
        """Return the legal ones of *found* where rule 1 has no effect; see *Counting*."""
        numbers = state.numbers
        larger = self._larger and two_numbers(state)
        whole = self._all_or_nothing and must_be_whole(self.ruleset, state)
        if not whole and not larger and (self._greedy or len(found) == 1):
            return tuple(found)
        if self._roads_stay_free(side, state, own, standing, found, ()):
            return tuple(found)
        look = self._look(state, side, standing, ())
        unused = [look.unused(own, numbers, step) for step in found]
        if max(unused) == 0 or (larger and self._greedy and min(unused) == 0):
            return tuple(found)  # all numbers can follow each, or, for rule 7, both can be used somehow
        kept = self._kept_by_count(state, side, found, unused) if self._counts_exactly else None
        return self._searched(state) if kept is None else kept

    def _kept_by_count(
        self, state: State, side: Side, found: Sequence[Step], unused: Sequence[int]
    ) -> tuple[Step, ...] | None:
        """Return those of *found* that rules 3, 6 and 7 keep, by how many numbers each leaves *unused*."""
        whole = self._all_or_nothing and must_be_whole(self.ruleset, state)
        if self._greedy and not whole:
            return None  # not all that is counted is kept
        least = min(unused)
        kept = [step for step, left in zip(found, unused, strict=True) if left == least]
        if whole:
            return () if least else tuple(kept)  # rule 3, which drops a win too
        if self._larger and least == 1 and two_numbers(state):
            kept = [step for step in kept if step.use == state.numbers[-1]] or kept
        if len(kept) < len(found) and can_win(self._moves, side, state):
            for step in found:
                after, _, _, won = self._moves.apply(state, step)
                if step not in kept and (won or can_win(self._moves, side, after)):
                    return None  # a step that leads to fewer could end the game
        return tuple(kept)

    def _steps_with_pair(
        self, state: State, side: Side, own: Pawns, standing: int | Standing, found: Sequence[Step]
    ) -> tuple[Step, ...]:
        """Return the legal steps where rule 1 may drop some of *found*, or of what could follow them."""
        numbers, at_throw = state.numbers, state.at_throw
        assert at_throw
        together = side.together[at_throw]
        apart = stay_apart(found, side, own, at_throw, together)
        one_number = len(numbers) == 1
        if one_number and not state.bonuses and not meets_again(own, at_throw, together, side.home):
            return tuple(apart)
        loose = self._greedy and not (self._all_or_nothing and must_be_whole(self.ruleset, state))
        loose = loose and not (self._larger and two_numbers(state))
        if len(apart) == len(found) and (one_number or loose):
            return tuple(found)
        if not loose:
            if self._roads_stay_free(side, state, own, standing, found, together):
                return tuple(found)
            if self._counts_short_of_home(state):
                look = self._look(state, side, standing, together)
                unused = [look.unused(own, numbers, step) for step in found]
                if not any(unused):
                    return tuple(found)
                if self._counts_exactly and self._is_settled(state, side, own, standing, found, unused):
                    kept = self._kept_by_count(state, side, found, unused)
                    if kept is not None:
                        return kept
        return self._searched(state)

    def _counts_short_of_home(self, state: State) -> bool:
        """Tell whether no bonus can take a pawn so near home that rule 2 bars what is counted then."""
        return self._bonus_waits or not (self._special.home_is_barred and state.dice[0] == state.dice[-1])

    def _is_settled(
        self,
        state: State,
        side: Side,
        own: Pawns,
        standing: int | Standing,
        found: Sequence[Step],
        unused: Sequence[int],
    ) -> bool:
        """
        Tell whether the *unused* numbers, counted by rule 1, settle which steps of *found* are legal.

        A pair that the numbers leave together may be parted by a bonus that they earn. So what is counted
        without rule 1 is the least that can be left; where that is not less, the bonus makes no difference.
        """
        least = min(unused)
        freely = self._look(state, side, standing, ())
        for step, left in zip(found, unused, strict=True):
            at_least = freely.unused(own, state.numbers, step) if left else 0
            if at_least < least or at_least == least < left:
                return False
        return True

    def _roads_stay_free(
        self,
        side: Side,
        state: State,
        own: Pawns,
        standing: int | Standing,
        found: Sequence[Step],
        together: Together,
    ) -> bool:
        """
        Tell whether after each step of *found* some pawn has a free road for the rest.

        It looks closer than `_free_road`: pawns on the road count only where one of the seat is or would be.
        After the rest, the pawns *together* at the throw must not be so again.
        """
        numbers, at_throw, squares = state.numbers, state.at_throw, side.pair_walls
        assert at_throw
        # Where rule 4 takes the last five from the runner, entering uses it; no pair has moved as one then.
        plans = self._special.plans_of_others(state, side) or self._moves.plans(state, side)
        _, _, roads = plans[numbers]
        progress = side.progress
        reached = {progress[step.square] for step in found}
        barred = pairs(own, squares) | sum(squares[place] for place in reached.intersection(own))
        if isinstance(standing, tuple):
            walls, _, _, on_the_road = standing
            barred |= walls
            if on_the_road:
                barred |= on_the_road & sum(squares[place] for place in reached.union(own))
        else:
            barred |= standing
        # On a second lap the places behind home do not count up to the lane; such a pawn is no runner here.
        runners = [p for p, place in enumerate(own) if place < side.home and not barred & roads[place]]
        if not (runners and together):
            return bool(runners)
        mates = [[two if one == p else one for one, two in together if p in (one, two)] for p in runners]
        if not all(mates) and len(stay_apart(found, side, own, at_throw, together)) == len(found):
            return True
        for pawn, use, square in found:
            then = moved(own, pawn, progress[square])
            rest = sum(LEFT[numbers][use])
            ends = (moved(then, runner, then[runner] + rest) for runner in runners)
            if all(meets_again(end, at_throw, together, side.home) for end in ends):
                return False
        return True

    def _look(self, state: State, side: Side, standing: int | Standing, together: Together) -> NumbersOnly:
        """Return what looks ahead in this throw: one made for an earlier question, if there was one."""
        at_throw = state.at_throw
        assert at_throw
        plans = self._moves.plans(state, side)
        others = self._special.plans_of_others(state, side) or plans
        key = (side.seat, standing, at_throw, together, plans is side.plans, others is plans)
        last = self._last_looks.get(bool(together))
        if last is None or last[0] != key:
            walls = partial(self._moves.walls, standing, side)
            if isinstance(standing, tuple) and self._moves.shared is not None:
                walls = partial(self._moves.shared[side.seat].walls, standing)
            last = key, NumbersOnly(side, plans, others, walls, at_throw, together)
            self._last_looks[bool(together)] = last
        return last[1]

    def _searched(self, state: State) -> tuple[Step, ...]:
        """Return what the search finds: the one made for this throw before, if there was one."""
        key = (self.mover(state.position, state.seat), state.dice, state.at_throw)
        last = self._last_search
        if last is None or last[0] != key or last[1].is_full:
            self._last_search = last = key, Search(self._moves, state)
        return last[1].legal(state)

    def _steps_with_bonuses(
        self,
        state: State,
        side: Side,
        own: Pawns,
        standing: int | Standing,
        by_number: Sequence[Step],
        by_bonus: Sequence[Step],
    ) -> tuple[Step, ...]:
        """Return the legal steps at a moment when bonuses may be used."""
        numbers, at_throw = state.numbers, state.at_throw
        assert at_throw
        whole = self._all_or_nothing and must_be_whole(self.ruleset, state)
        if numbers and whole and self._bonus_waits:
            return ()
        if self._moves.at_once:
            if self._uncounted or not numbers:
                return tuple(by_bonus)
            return self._searched(state)
        found = sorted((*by_number, *by_bonus))
        together = side.together[at_throw] if self._same_pair else ()
        if len(stay_apart(found, side, own, at_throw, together)) == len(found):
            if self._bonus_waits or not numbers or (self._greedy and not whole):
                return tuple(found)
            if self._counts_short_of_home(state):
                look = self._look(state, side, standing, together)
                if not any(look.unused(own, numbers, step) for step in found):
                    return tuple(found)
        return self._searched(state)

    # Judgements.

    def plays(self, state: State, limit: int = 2000) -> tuple[list[Play], bool]:
        """
        Return one play for each position that the throw can end in, and whether there were more than *limit*.

        Where more than `plays.MOMENTS` moments would have to be looked at, there are taken to be more.
        Each play is the first in canonical order of those that lead there; the seat's own pawns count as
        alike. The plays are in canonical order. Without a legal step there are none.
        """
        return self._finder.plays(state, limit)

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
        return places(self.ruleset, position, winner, lost)

    def contenders(self, position: Position, lost: Sequence[int]) -> list[tuple[int, ...]]:
        """Return who can still win, each seat by itself or the members of a team that are left."""
        return contenders(self.ruleset, position, lost)

    def side(self, seat: int) -> tuple[int, ...]:
        """Return the seats that win together with *seat*, itself included."""
        return next(side for side in sides(self.ruleset) if seat in side)

    def check(self, state: State) -> None:
        """
        Refuse a state that cannot be.

        Raises:
            PositionError: Names what is wrong, where, and what would be right.
        """
        check(self.ruleset, state)


def stay_apart(
    found: Sequence[Step], side: Side, own: Pawns, at_throw: Pawns, together: Together
) -> Sequence[Step]:
    """Return those of *found* after which no pair of the throw stands together on another square."""
    meets: list[tuple[int, int]] = []
    for one, two in together:
        start, here, there = at_throw[one], own[one], own[two]
        if here == there:
            if here not in (start, side.home):  # it does so already: a step must part it
                found = [step for step in found if step.pawn in (one, two)]
            continue
        if there not in (start, side.home):
            meets.append((one, side.squares[there]))
        if here not in (start, side.home):
            meets.append((two, side.squares[here]))
    return [step for step in found if (step.pawn, step.square) not in meets] if meets else found


@lru_cache(maxsize=32)
def _compiled(ruleset: Ruleset) -> Rules:
    """Return *ruleset* compiled, for questions that are asked seldom."""
    return Rules(ruleset)
