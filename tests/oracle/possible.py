"""
What one step may do: sections 3 and 4 of the rule book, word by word.

Knows: what a throw gives, whose pawns it moves, when a step is possible, what follows from it.
Does not know: which of the possible steps are legal (`filters.py`, `checker.py`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules.board import Board
from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrowIf,
    MustOpen,
    Pairs,
    Partner,
    Ruleset,
    SamePair,
    SquareLimit,
    Teams,
    TeamWin,
)
from referee.rules.state import BROUGHT_HOME, GAVE_UP, Pawns, Position, State, Step
from tests.oracle.squares import Man, Men, Place, entry, home, men_of, moved, nest, place_of, walks

FIVES = {5: (5,), 14: (1, 4), 23: (2, 3)}
"""The use codes of entering, and the numbers that each of them uses."""


@dataclass(frozen=True)
class Moment:
    """
    A moment within a throw: who stands where, and what is still to be used, in ascending order.

    `seat` is the one whose pawns are moved. `dice` and `at_throw` tell of the throw, `past` what it has
    done so far, as far as the ruleset asks (`State`).
    """

    seat: int
    men: Men
    numbers: tuple[int, ...]
    bonuses: tuple[int, ...]
    dice: tuple[int, ...]
    at_throw: Pawns | tuple[()]
    past: int

    @property
    def key(self) -> object:
        """Return a value that is the same for the same moment of one throw."""
        return frozenset(self.men.items()), self.numbers, self.bonuses, self.past


class Landing(NamedTuple):
    """Where a step leads, and whom it captures, in the order of the way."""

    place: Place
    captured: tuple[Man, ...]


class Move(NamedTuple):
    """
    One possible step with its circumstances; `numbers` of the throw or one bonus were used.

    `wins` tells that it ends the game.
    """

    step: Step
    numbers: tuple[int, ...]
    bonus: int | None
    before: Moment
    after: Moment
    captured: tuple[Man, ...]
    earned: tuple[int, ...]
    wins: bool

    @property
    def man(self) -> Man:
        """Return the pawn that was moved."""
        return Man(self.before.seat, self.step.pawn)

    @property
    def enters(self) -> bool:
        """Return whether a pawn came out of its nest."""
        return place_of(self.before.men, self.man).kind == "nest"

    @property
    def reaches_home(self) -> bool:
        """Return whether it brought a pawn home."""
        return place_of(self.after.men, self.man).kind == "home"

    @property
    def finishes(self) -> bool:
        """Return whether it brought the fourth pawn home."""
        return all_home(self.after.men, self.after.seat)


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


def all_home(men: Men, seat: int) -> bool:
    """Return whether the four pawns of *seat* are home."""
    return len(men.get(home(seat), ())) == 4


def is_doublet(dice: tuple[int, ...]) -> bool:
    """Return whether *dice* are two that show the same."""
    return len(dice) == 2 and len(set(dice)) == 1


class Possible:
    """One ruleset, to be asked what a throw gives and which steps are possible."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules = ruleset
        self.board: Board = ruleset.board
        self.keeps_moved = (
            ruleset.same_pair is SamePair.SECOND_STAYS
            or ruleset.doublet_home is DoubletHome.WHOLE_FOURTEEN
            or ruleset.must_open is not MustOpen.NONE
        )
        self.keeps_brought_home = ruleset.doublet_home is DoubletHome.WITH_FOURTEEN
        self.bonus_voids_numbers = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS
        self.keeps_gave_up = ruleset.extra_throw_if is ExtraThrowIf.ALL_USED and (
            self.bonus_voids_numbers or self.plays_on_when_finished
        )
        self.keeps_arrived = ruleset.entry_capture is EntryCapture.WHEN_FULL

    # Whose pawns.

    def team(self, seat: int) -> tuple[int, ...]:
        """Return the seats that win together with *seat*, itself included."""
        return (seat,) if self.rules.teams is Teams.NONE else (seat, (seat + 2) % 4)

    def hand(self, position: Position, seat: int) -> int:
        """Return the seat whose pawns *seat* moves: its partner's, when its own are home and theirs count."""
        partner = (seat + 2) % 4
        finished = position[seat] == (self.board.home,) * 4
        if self.plays_on_when_finished and finished and position[partner] is not None:
            return partner
        return seat

    @property
    def plays_on_when_finished(self) -> bool:
        """Return whether a seat with four pawns home goes on with its partner's."""
        return self.rules.teams is Teams.PAIRS and self.rules.team_win is TeamWin.BOTH_MEMBERS

    def side(self, man: Man) -> int:
        """Return the colour for which a pawn counts: pawns of the same are own to each other."""
        as_one = self.rules.teams is Teams.PAIRS and self.rules.partner is Partner.PAIR
        return man.seat % 2 if as_one else man.seat

    def opponents(self, there: Iterable[Man], seat: int) -> tuple[Man, ...]:
        """Return those of *there* that are opponents of *seat*."""
        return tuple(man for man in there if self.side(man) != self.side(Man(seat, 0)))

    def men(self, position: Position, arrived: int) -> Men:
        """Return who stands where, in the order in which they came where that is asked."""
        return men_of(self.board, position, arrived if self.keeps_arrived else 0)

    def in_order(self, men: Men) -> Men:
        """Return *men* in the order that is kept of them: as they came, or else by seat and number."""
        if self.keeps_arrived:
            return men
        return {place: tuple(sorted(there)) for place, there in men.items()}

    def moment(self, state: State) -> Moment:
        """Return the moment that *state* describes."""
        return Moment(
            self.hand(state.position, state.seat),
            self.men(state.position, state.arrived),
            state.numbers,
            state.bonuses,
            state.dice,
            state.at_throw,
            state.past,
        )

    # Section 3: what a throw gives.

    def numbers(self, pawns: Pawns | tuple[()], dice: tuple[int, ...]) -> tuple[int, ...]:
        """Return the numbers that *dice* give to *pawns*, ascending."""
        none_in_nest = 0 not in pawns
        if dice == (6,) and self.rules.six_counts_seven and none_in_nest:
            return (7,)
        if is_doublet(dice) and self.rules.doublet_faces is DoubletFaces.BOTH and none_in_nest:
            return tuple(sorted((*dice, *(7 - die for die in dice))))
        return tuple(sorted(dice))

    # Section 4: when one step is possible.

    def is_safe(self, place: Place) -> bool:
        """Return whether *place* is a safe square of the ring."""
        return place.kind == "ring" and place.number in self.board.safe

    def can_be_blocked(self, place: Place) -> bool:
        """Return whether two on *place* can be a pair: on the ring, and in a lane if the ruleset says so."""
        return place.kind == "ring" or (place.kind == "lane" and self.rules.lane_pairs_block)

    def pairs_on(self, men: Men, place: Place) -> list[tuple[Man, Man]]:
        """Return the pairs on *place*: two of one colour, on a safe square of any two where those block."""
        if not self.can_be_blocked(place):
            return []
        there = men.get(place, ())
        mixed = self.rules.pairs is Pairs.MIXED_ON_SAFE and self.is_safe(place)
        return [
            (a, b) for i, a in enumerate(there) for b in there[:i] if mixed or self.side(a) == self.side(b)
        ]

    def has_room(self, men: Men, place: Place, seat: int) -> bool:
        """Return whether `square_limit` lets one more pawn of *seat* stand on *place*."""
        there = men.get(place, ())
        if place.kind == "home":
            return True
        if place.kind == "lane":
            return len(there) < 2 or not self.rules.lane_pairs_block
        if self.rules.square_limit is SquareLimit.TWO_OF_A_COLOUR:
            there = tuple(man for man in there if man.seat == seat)
        return len(there) < 2

    def landings(self, moment: Moment, pawn: int, amount: int, *, is_number: bool) -> Iterator[Landing]:
        """Yield where *amount* may lead the pawn: one place, or two where a second lap begins on the way."""
        man = Man(moment.seat, pawn)
        place = place_of(moment.men, man)
        if place.kind == "nest":
            return
        others = {at: tuple(m for m in there if m != man) for at, there in moment.men.items()}
        breaks = is_number and self.rules.double_one_breaks and moment.dice == (1, 1)
        for walk in walks(self.board, moment.seat, place, amount, second_lap=self.rules.second_lap):
            if landing := self.landing(others, moment.seat, walk, breaks=breaks):
                yield landing

    def landing(self, men: Men, seat: int, walk: Sequence[Place], *, breaks: bool) -> Landing | None:
        """
        Return where a pawn of *seat* that is lifted off the board lands after *walk*, None if it cannot.

        Where it *breaks* pairs, pairs of opponents do not stop it.
        """
        for place in walk:
            for pair in self.pairs_on(men, place):
                if not (breaks and len(self.opponents(pair, seat)) == 2):
                    return None
        captured: tuple[Man, ...] = ()
        for place in walk[:-1]:
            captured += self.captured_in_passing(men, seat, place)
        place = walk[-1]
        opponents = self.opponents(men.get(place, ()), seat)
        if opponents and self.is_safe(place):
            if not self.rules.safe_sharing or self.pairs_on(men, place):
                return None
        elif opponents:
            if self.rules.capture is Capture.NONE:
                return None
            captured += opponents
        left = {at: tuple(man for man in there if man not in captured) for at, there in men.items()}
        return Landing(place, captured) if self.has_room(left, place, seat) else None

    def captured_in_passing(self, men: Men, seat: int, place: Place) -> tuple[Man, ...]:
        """Return whom a pawn of *seat* captures that passes *place*: an opponent alone on a plain square."""
        there = men.get(place, ())
        if self.rules.capture is not Capture.PASSING or self.is_safe(place) or len(there) != 1:
            return ()
        return self.opponents(there, seat)

    def entering(self, moment: Moment) -> Landing | None:
        """Return the entry and whom entering captures there, None where the entry is shut."""
        place = entry(self.board, moment.seat)
        there = moment.men.get(place, ())
        opponents = self.opponents(there, moment.seat)
        own = len(there) - len(opponents)
        capture = self.rules.entry_capture
        match own, len(opponents):
            case (0, 0) | (1, 0):
                return Landing(place, ())
            case (0, 1):
                return Landing(place, opponents if capture is EntryCapture.ALONE else ())
            case (1, 1) | (0, 2) if capture is EntryCapture.WHEN_FULL:
                return Landing(place, opponents[-1:])
            case _:
                return None

    def fives(self, moment: Moment) -> list[int]:
        """Return the use codes with which a pawn could enter at this moment."""
        if nest(moment.seat) not in moment.men or self.entering(moment) is None:
            return []
        return [use for use, needed in FIVES.items() if all(n in moment.numbers for n in needed)]

    def moves_by_number(self, moment: Moment) -> Iterator[Move]:
        """Yield every possible step with numbers of the throw."""
        for pawn in range(4):
            if place_of(moment.men, Man(moment.seat, pawn)) == nest(moment.seat):
                entering = self.entering(moment)
                for use in self.fives(moment):
                    assert entering is not None
                    yield self.move(moment, pawn, use, FIVES[use], None, entering)
            for number in sorted(set(moment.numbers)):
                for landing in self.landings(moment, pawn, number, is_number=True):
                    yield self.move(moment, pawn, number, (number,), None, landing)

    def moves_by_bonus(self, moment: Moment) -> Iterator[Move]:
        """Yield every possible step with a bonus that waits."""
        for pawn in range(4):
            for bonus in sorted(set(moment.bonuses)):
                for landing in self.landings(moment, pawn, bonus, is_number=False):
                    yield self.move(moment, pawn, 100 + bonus, (), bonus, landing)

    def move(
        self,
        moment: Moment,
        pawn: int,
        use: int,
        numbers: tuple[int, ...],
        bonus: int | None,
        landing: Landing,
    ) -> Move:
        """Return the step that lands on *landing*, with what follows from it."""
        place, captured = landing
        men = moment.men
        for man in captured:
            men = moved(men, man, nest(man.seat))
        men = self.in_order(moved(men, Man(moment.seat, pawn), place))
        earned = [self.rules.capture_bonus] * len(captured)
        if place.kind == "home":
            earned.append(self.rules.home_bonus)
        earned = [amount for amount in earned if amount > 0]
        left, waiting = self.left_over(moment, numbers, bonus)
        past = self.past(moment, pawn, bonus, place)
        if all_home(men, moment.seat):
            past |= GAVE_UP if left and self.keeps_gave_up else 0
            left, waiting, kept = (), (), []
        else:
            kept = earned
        after = Moment(
            moment.seat,
            men,
            left,
            tuple(sorted((*waiting, *kept))),
            moment.dice,
            moment.at_throw,
            past,
        )
        wins = self.game_is_over(men, moment.seat)
        return Move(Step(pawn, use, place.code), numbers, bonus, moment, after, captured, tuple(earned), wins)

    def left_over(
        self, moment: Moment, numbers: tuple[int, ...], bonus: int | None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the numbers and the bonuses that wait when *numbers* or *bonus* have been used."""
        if bonus is None:
            # Those that wait when the next number is used are lost.
            lost = self.rules.bonus_timing is BonusTiming.AT_ONCE
            return without(moment.numbers, numbers), () if lost else moment.bonuses
        left = () if self.bonus_voids_numbers else moment.numbers
        return left, without(moment.bonuses, (bonus,))

    def past(self, moment: Moment, pawn: int, bonus: int | None, place: Place) -> int:
        """Return what the throw has done when *pawn* has come to *place* with numbers, or with *bonus*."""
        past = moment.past
        if bonus is None:
            if self.keeps_moved:
                past |= 1 << pawn
            if self.keeps_brought_home and is_doublet(moment.dice) and place.kind == "home":
                past |= BROUGHT_HOME
        elif moment.numbers and self.keeps_gave_up and not self.left_over(moment, (), bonus)[0]:
            past |= GAVE_UP  # they are void now
        return past

    def game_is_over(self, men: Men, seat: int) -> bool:
        """Return whether *seat* has won: four pawns home, and its partner's too where both must finish."""
        if not self.plays_on_when_finished:
            return all_home(men, seat)
        present = {man.seat for there in men.values() for man in there}
        return all(all_home(men, member) for member in self.team(seat) if member in present)
