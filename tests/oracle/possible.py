"""
What one step may do: sections 3 and 4 of the rule book, word by word.

Knows: what a throw gives, when a step is possible, what follows from it.
Does not know: which of the possible steps are legal (`filters.py`, `checker.py`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules.board import Board
from referee.rules.ruleset import BonusTiming, DoubletFaces, Ruleset
from referee.rules.state import Position, State, Step
from tests.oracle.squares import Man, Men, Place, entry, following, home, men_of, moved, nest, place_of

FIVES = {5: (5,), 14: (1, 4), 23: (2, 3)}
"""The use codes of entering, and the numbers that each of them uses."""


@dataclass(frozen=True)
class Moment:
    """A moment within a throw: who stands where, and what is still to be used, in ascending order."""

    seat: int
    men: Men
    numbers: tuple[int, ...]
    bonuses: tuple[int, ...]

    @property
    def key(self) -> object:
        """Return a value that is the same for the same moment."""
        return frozenset(self.men.items()), self.numbers, self.bonuses


class Move(NamedTuple):
    """One possible step with its circumstances; `numbers` of the throw or one bonus were used."""

    step: Step
    numbers: tuple[int, ...]
    bonus: int | None
    before: Moment
    after: Moment
    captured: tuple[Man, ...]
    earned: tuple[int, ...]

    @property
    def enters(self) -> bool:
        """Return whether a pawn came out of its nest."""
        return Man(self.before.seat, self.step.pawn) in self.before.men.get(nest(self.before.seat), ())

    @property
    def wins(self) -> bool:
        """Return whether it brought the fourth pawn home."""
        return len(self.after.men.get(home(self.after.seat), ())) == 4


Moves = tuple[Move, ...]
"""A sequence of steps, from a state until the seat stops."""


def steps_in(moves: Moves) -> tuple[Step, ...]:
    """Return the steps of *moves*; from one state they tell sequences apart."""
    return tuple(move.step for move in moves)


def first_steps(sequences: Iterable[Moves]) -> tuple[Step, ...]:
    """Return the steps with which *sequences* begin, in canonical order."""
    return tuple(sorted({moves[0].step for moves in sequences if moves}))


def without(values: tuple[int, ...], used: Sequence[int]) -> tuple[int, ...]:
    """Return *values* less one of each of *used*."""
    rest = list(values)
    for value in used:
        rest.remove(value)
    return tuple(rest)


def moment_of(board: Board, state: State) -> Moment:
    """Return the moment that *state* describes."""
    return Moment(state.seat, men_of(board, state.position), state.numbers, state.bonuses)


class Possible:
    """One ruleset, to be asked what a throw gives and which steps are possible."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules = ruleset
        self.board: Board = ruleset.board

    # Section 3: what a throw gives.

    def numbers(self, position: Position, seat: int, dice: tuple[int, ...]) -> tuple[int, ...]:
        """Return the numbers that *dice* give, ascending."""
        in_nest = men_of(self.board, position).get(nest(seat), ())
        if len(set(dice)) == 1 and self.rules.doublet_faces is DoubletFaces.BOTH and not in_nest:
            return tuple(sorted((*dice, *(7 - die for die in dice))))
        return tuple(sorted(dice))

    # Section 4: when one step is possible.

    def pair_on(self, men: Men, place: Place) -> bool:
        """Return whether a pair stands on *place*: two of one colour, on the ring or in a lane."""
        there = men.get(place, ())
        return place.kind in ("ring", "lane") and any(
            a.seat == b.seat for i, a in enumerate(there) for b in there[:i]
        )

    def advance(self, moment: Moment, pawn: int, amount: int) -> tuple[Place, tuple[Man, ...]] | None:
        """Return where *amount* leads the pawn and whom it captures, None where that is not possible."""
        place = place_of(moment.men, Man(moment.seat, pawn))
        if place.kind in ("nest", "home"):
            return None
        for _ in range(amount):
            ahead = following(self.board, moment.seat, place)
            if ahead is None or self.pair_on(moment.men, ahead):
                return None
            place = ahead
        opponents = tuple(man for man in moment.men.get(place, ()) if man.seat != moment.seat)
        if not opponents:
            return place, ()
        if place.number in self.board.safe:  # safe_sharing is false
            return None
        return place, opponents  # one, for two would be a pair

    def entering(self, moment: Moment) -> tuple[Place, tuple[Man, ...]] | None:
        """Return the entry and whom entering captures there, None where the entry is shut."""
        place = entry(self.board, moment.seat)
        there = moment.men.get(place, ())
        opponents = tuple(man for man in there if man.seat != moment.seat)
        if len(there) >= 2:
            return None
        return place, opponents  # entry_capture is "alone"

    def fives(self, moment: Moment) -> list[int]:
        """Return the use codes with which a pawn could enter at this moment."""
        if nest(moment.seat) not in moment.men or self.entering(moment) is None:
            return []
        return [use for use, needed in FIVES.items() if all(n in moment.numbers for n in needed)]

    def moves_by_number(self, moment: Moment) -> Iterator[Move]:
        """Yield every possible step with numbers of the throw."""
        for pawn in range(4):
            if place_of(moment.men, Man(moment.seat, pawn)) == nest(moment.seat):
                for use in self.fives(moment):
                    yield self.move(moment, pawn, use, FIVES[use], None, self.entering(moment))
            for number in sorted(set(moment.numbers)):
                if landing := self.advance(moment, pawn, number):
                    yield self.move(moment, pawn, number, (number,), None, landing)

    def moves_by_bonus(self, moment: Moment) -> Iterator[Move]:
        """Yield every possible step with a bonus that waits."""
        for pawn in range(4):
            for bonus in sorted(set(moment.bonuses)):
                if landing := self.advance(moment, pawn, bonus):
                    yield self.move(moment, pawn, 100 + bonus, (), bonus, landing)

    def move(
        self,
        moment: Moment,
        pawn: int,
        use: int,
        numbers: tuple[int, ...],
        bonus: int | None,
        landing: tuple[Place, tuple[Man, ...]] | None,
    ) -> Move:
        """Return the step that lands on *landing*, with what follows from it."""
        assert landing is not None
        place, captured = landing
        men = moved(moment.men, Man(moment.seat, pawn), place)
        for man in captured:
            men = moved(men, man, nest(man.seat))
        earned = [self.rules.capture_bonus] * len(captured)
        if place.kind == "home":
            earned.append(self.rules.home_bonus)
        earned = [amount for amount in earned if amount > 0]
        left = without(moment.numbers, numbers)
        if bonus is not None and self.rules.bonus_timing is BonusTiming.AFTER_NUMBERS:
            left = ()  # once a bonus has been used, no number of that throw is used any more
        waiting = moment.bonuses if bonus is None else without(moment.bonuses, (bonus,))
        after = Moment(moment.seat, men, left, tuple(sorted((*waiting, *earned))))
        return Move(Step(pawn, use, place.code), numbers, bonus, moment, after, captured, tuple(earned))
