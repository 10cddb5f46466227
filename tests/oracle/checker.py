"""
The slow checker: sections 3 to 6 of the rule book, word by word.

Knows: what is legal, by listing every sequence of possible steps and striking out sequences.
Does not know: speed, and the engine, which it is there to judge.

The rule book says "take all sequences of possible steps, from the throw until the seat stops",
and then keeps some, in seven rules. So does this file: `Checker.sequences` takes them all, each of
the seven functions in `FILTERS` keeps some, and a step is legal when a sequence that is left begins
with it. A sequence may stop anywhere; it is the rules that say where it may not.

From a state in the middle of a throw the sequences begin there. What the seat has done before is
in the state as far as the rules ask for it: where its pawns were at the throw, and what is left.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from referee.rules.board import Board
from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    Fourteen,
    MustEnter,
    MustOpen,
    Pairs,
    Ruleset,
    SamePair,
    SingleNumber,
    SquareLimit,
    Teams,
    ThirdThrow,
    TurnOrder,
    Use,
)
from referee.rules.state import Applied, Position, State, Step
from tests.oracle.squares import (
    Man,
    Men,
    Place,
    entry,
    following,
    home,
    men_of,
    moved,
    nest,
    pawns_of,
    place_of,
    position_of,
    way,
)

FIVES = {5: (5,), 14: (1, 4), 23: (2, 3)}
"""The use codes of entering, and the numbers that each of them uses."""


class TooMany(Exception):
    """There are more sequences than the checker was told to take."""


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


def without(values: tuple[int, ...], used: Sequence[int]) -> tuple[int, ...]:
    """Return *values* less one of each of *used*."""
    rest = list(values)
    for value in used:
        rest.remove(value)
    return tuple(rest)


class Checker:
    """
    One ruleset, to be asked what is legal.

    *most* limits the number of sequences from one state.
    """

    def __init__(self, ruleset: Ruleset, most: int = 300_000) -> None:
        refuse_what_is_not_written_here(ruleset)
        self.rules = ruleset
        self.board: Board = ruleset.board
        self.most = most

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

    # Section 5: all sequences, by bonus_timing.

    def sequences(self, state: State) -> list[Moves]:
        """
        Return all sequences of possible steps from *state*, the empty one included.

        Raises:
            TooMany: There are more than the checker was told to take.
        """
        return Sequences(self, state).of(moment_of(self.board, state))

    def stages(self, state: State) -> list[tuple[str, list[Moves]]]:
        """Return all sequences, then those that each rule keeps of them, under the rule's name."""
        kept = self.sequences(state)
        stages = [("all", kept)]
        for name, rule in FILTERS:
            kept = rule(self, state, kept)
            stages.append((name, kept))
        return stages

    def plays(self, state: State) -> list[Moves]:
        """Return every legal sequence from *state*; the empty one alone where nothing is legal."""
        return self.stages(state)[-1][1]

    def steps(self, state: State) -> tuple[Step, ...]:
        """Return the legal steps in canonical order."""
        return tuple(sorted({moves[0].step for moves in self.plays(state) if moves}))

    def possible(self, state: State) -> list[Move]:
        """Return what section 4 allows, whatever section 5 says of it."""
        moment = moment_of(self.board, state)
        return [*self.moves_by_number(moment), *self.moves_by_bonus(moment)]

    def apply(self, state: State, step: Step) -> Applied:
        """Return what *step*, one of those possible, does."""
        move = next(move for move in self.possible(state) if move.step == step)
        after = state._replace(
            position=position_of(self.board, move.after.men),
            last_moved=step.pawn,
            numbers=() if move.wins else move.after.numbers,
            bonuses=() if move.wins else move.after.bonuses,
        )
        return Applied(after, tuple((m.seat, m.pawn) for m in move.captured), move.earned, move.wins)

    # Section 6: throws and turns.

    def throw(self, state: State, dice: tuple[int, ...]) -> State:
        """Return *state* after *dice* fell: in mid-throw, or with the turn ended by a third doublet."""
        doublet = len(set(dice)) == 1
        if doublet and state.repeats >= 2 and self.rules.third_throw is ThirdThrow.NEAREST_HOME:
            return self.next_turn(state._replace(position=self.leader_returned(state)))
        pawns = state.position[state.seat]
        assert pawns is not None
        numbers = self.numbers(state.position, state.seat, dice)
        return state._replace(dice=dice, numbers=numbers, at_throw=pawns)

    def leader_returned(self, state: State) -> Position:
        """Return the position with the pawn nearest home, of two the higher number, in its nest."""
        men = men_of(self.board, state.position)
        for place in reversed(way(self.board, state.seat)):
            here = [man for man in men.get(place, ()) if man.seat == state.seat]
            if here and place.kind in ("ring", "lane"):
                return position_of(self.board, moved(men, max(here), nest(state.seat)))
        return state.position

    def play_over(self, state: State) -> State:
        """Return who throws next, when the play that answered this throw is over."""
        doublet = len(set(state.dice)) == 1
        if doublet and self.rules.extra_throw is ExtraThrow.DOUBLET:
            return state._replace(repeats=state.repeats + 1, dice=(), numbers=(), bonuses=(), at_throw=())
        return self.next_turn(state)

    def next_turn(self, state: State) -> State:
        """Return the beginning of the turn of the next seat that is present."""
        seat = next(
            seat
            for seat in ((state.seat + ahead) % 4 for ahead in range(1, 5))
            if state.position[seat] is not None
        )
        return State(state.position, seat)

    def lose_seat(self, state: State, seat: int) -> State:
        """Return *state* without the pawns of *seat*, whose turn, if it was its turn, is over."""
        men = {
            place: kept
            for place, there in men_of(self.board, state.position).items()
            if (kept := tuple(man for man in there if man.seat != seat))
        }
        after = state._replace(position=position_of(self.board, men))
        return self.next_turn(after) if seat == state.seat else after


    def places(self, position: Position, winner: int | None, lost: Sequence[int]) -> dict[int, int]:
        """Return the place of each seat; those of *lost*, in the order in which they were lost, are last."""
        men = men_of(self.board, position)
        playing = sorted({man.seat for there in men.values() for man in there})

        def is_before(a: int, b: int) -> bool:
            if winner in (a, b):
                return a == winner
            at_home = [len(men.get(home(seat), ())) for seat in (a, b)]
            if at_home[0] != at_home[1]:
                return at_home[0] > at_home[1]
            return self.squares_to_go(men, a) < self.squares_to_go(men, b)

        places = {
            seat: 1 + sum(is_before(other, seat) for other in playing if other != seat) for seat in playing
        }
        return places | {seat: len(playing) + len(lost) - order for order, seat in enumerate(lost)}

    def squares_to_go(self, men: Men, seat: int) -> int:
        """Return how many squares the pawns of *seat* have to go; the nest is one before the entry."""
        places = way(self.board, seat)
        return sum(places.index(home(seat)) - places.index(place_of(men, Man(seat, p))) for p in range(4))


def moment_of(board: Board, state: State) -> Moment:
    """Return the moment that *state* describes."""
    return Moment(state.seat, men_of(board, state.position), state.numbers, state.bonuses)


class Sequences:
    """
    All sequences from a state of one throw.

    Two ways to the same moment have the same sequences before them, so each moment is asked once.
    """

    def __init__(self, checker: Checker, state: State) -> None:
        self.checker = checker
        self.state = state
        self.known: dict[object, list[Moves]] = {}

    def of(self, moment: Moment) -> list[Moves]:
        """Return all sequences from *moment*, the empty one first."""
        if moment.key not in self.known:
            self.known[moment.key] = self.list_from(moment)
        return self.known[moment.key]

    def list_from(self, moment: Moment) -> list[Moves]:
        if len(moment.men.get(home(moment.seat), ())) == 4:
            return [()]  # the game is over
        by_number = self.beginning_with(self.checker.moves_by_number(moment))
        sequences = [(), *by_number]
        if self.bonuses_come_in(by_number):
            sequences += self.beginning_with(self.checker.moves_by_bonus(moment))
        return sequences

    def beginning_with(self, moves: Iterator[Move]) -> list[Moves]:
        sequences: list[Moves] = []
        for move in moves:
            sequences += [(move, *rest) for rest in self.of(move.after)]
            if len(sequences) > self.checker.most:
                raise TooMany(f"more than {self.checker.most} sequences from {self.state}")
        return sequences

    def bonuses_come_in(self, by_number: list[Moves]) -> bool:
        """Return whether `bonus_timing` lets a bonus be used, where *by_number* go on with a number."""
        if self.checker.rules.bonus_timing is BonusTiming.ANY_TIME:
            return True
        can_be_used = doublet_home(self.checker, self.state, same_pair(self.checker, self.state, by_number))
        return not can_be_used


# The seven rules, in their order.


def same_pair(checker: Checker, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 1: drop those after which a pair of the throw stands together again on another square."""
    if checker.rules.same_pair is SamePair.FREE:
        return sequences
    places = way(checker.board, state.seat)
    at_throw = [places[progress] for progress in state.at_throw]
    pairs = [
        (a, b)
        for b in range(4)
        for a in range(b)
        if at_throw[a] == at_throw[b] and at_throw[a].kind in ("ring", "lane")  # lane_pairs_block is true
    ]

    if not pairs:
        return sequences

    def stands_again(men: Men) -> bool:
        for a, b in pairs:
            place = place_of(men, Man(state.seat, a))
            together = place == place_of(men, Man(state.seat, b))
            if together and place != at_throw[a] and place.kind != "home":
                return True
        return False

    now = moment_of(checker.board, state).men
    return [s for s in sequences if not stands_again(s[-1].after.men if s else now)]


def doublet_home(checker: Checker, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 2: whether a doublet brings a pawn home; it is free in all that is built."""
    return sequences


def fourteen(checker: Checker, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 3: of four numbers, keep those that use all; if there are none, nothing moves."""
    if checker.rules.fourteen is not Fourteen.ALL_OR_NOTHING or not gave_four_numbers(checker, state):
        return sequences
    return [s for s in sequences if numbers_used(s) == len(state.numbers)] or [()]


def gave_four_numbers(checker: Checker, state: State) -> bool:
    """Return whether the throw of *state* was a doublet that gave both faces."""
    doublet = len(set(state.dice)) == 1
    in_nest = 0 in state.at_throw
    return doublet and checker.rules.doublet_faces is DoubletFaces.BOTH and not in_nest


def numbers_used(moves: Moves) -> int:
    """Return how many numbers of the throw *moves* use; a five by sum uses two."""
    return sum(len(move.numbers) for move in moves)


def must_enter(checker: Checker, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 4: drop those in which a five was used otherwise when it could enter a pawn."""
    if checker.rules.must_enter is MustEnter.NEVER:
        return sequences
    wasteful: dict[int, bool] = {}

    def wastes_a_five(move: Move) -> bool:
        if id(move) not in wasteful:
            fives = checker.fives(move.before)
            wasteful[id(move)] = not move.enters and any(
                number in FIVES[use] for number in move.numbers for use in fives
            )
        return wasteful[id(move)]

    return [s for s in sequences if not any(wastes_a_five(move) for move in s)]


def must_open(checker: Checker, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 5: whether a pair must be opened; it need not in all that is built."""
    return sequences


def use(checker: Checker, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 6: keep those that use the throw, and all bonuses that can be used."""
    goes_on_with_number: set[tuple[Step, ...]] = set()
    goes_on_with_bonus: set[tuple[Step, ...]] = set()
    for moves in sequences:
        steps = steps_in(moves)
        for done, move in enumerate(moves):
            (goes_on_with_number if move.bonus is None else goes_on_with_bonus).add(steps[:done])
    most = max((numbers_used(moves) for moves in sequences), default=0)

    def keeps(moves: Moves) -> bool:
        if moves and moves[-1].wins:
            return True
        steps = steps_in(moves)
        if steps in goes_on_with_bonus:
            return False
        if checker.rules.use is Use.MAXIMAL:
            return numbers_used(moves) == most
        return steps not in goes_on_with_number

    return [moves for moves in sequences if keeps(moves)]


def single_number(checker: Checker, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 7: which of two numbers; either will do in all that is built."""
    return sequences


Filter = Callable[[Checker, State, list[Moves]], list[Moves]]

FILTERS: Sequence[tuple[str, Filter]] = (
    ("same_pair", same_pair),
    ("doublet_home", doublet_home),
    ("fourteen", fourteen),
    ("must_enter", must_enter),
    ("must_open", must_open),
    ("use", use),
    ("single_number", single_number),
)


WRITTEN_HERE: dict[str, tuple[object, ...]] = {
    "dice": (2,),
    "turn_order": (TurnOrder.WITH,),
    "pawns_out_at_start": (0,),
    "must_enter": (MustEnter.NEVER, MustEnter.WHEN_POSSIBLE),
    "capture": (Capture.LANDING,),
    "entry_capture": (EntryCapture.ALONE,),
    "safe_sharing": (False,),
    "square_limit": (SquareLimit.TWO,),
    "pairs": (Pairs.SAME_COLOUR,),
    "lane_pairs_block": (True,),
    "bonus_timing": (BonusTiming.AFTER_NUMBERS, BonusTiming.ANY_TIME),
    "doublet_faces": tuple(DoubletFaces),
    "fourteen": tuple(Fourteen),
    "doublet_home": (DoubletHome.FREE,),
    "use": tuple(Use),
    "single_number": (SingleNumber.EITHER,),
    "same_pair": (SamePair.FREE, SamePair.FORBIDDEN),
    "must_open": (MustOpen.NONE,),
    "extra_throw": (ExtraThrow.NONE, ExtraThrow.DOUBLET),
    "extra_throw_if": (ExtraThrowIf.ALWAYS,),
    "third_throw": (ThirdThrow.NONE, ThirdThrow.NEAREST_HOME),
    "six_counts_seven": (False,),
    "second_lap": (False,),
    "double_one_breaks": (False,),
    "teams": (Teams.NONE,),
}
"""The values that the checker reads; the fields that are missing do not matter here."""


def refuse_what_is_not_written_here(ruleset: Ruleset) -> None:
    """
    Refuse a ruleset that the checker cannot judge.

    Raises:
        NotImplementedError: Names the field and its value.
    """
    for field, values in WRITTEN_HERE.items():
        if getattr(ruleset, field) not in values:
            raise NotImplementedError(f"the checker does not read {field} = {getattr(ruleset, field)}")


def variation(ruleset: Ruleset, **fields: object) -> Ruleset:
    """Return *ruleset* with other *fields*, and a name that tells them."""
    name = " ".join([ruleset.name, *(f"{field}={value}" for field, value in fields.items())])
    return replace(ruleset, name=name, **fields)  # type: ignore[arg-type]
