"""
The slow checker: sections 5 and 6 of the rule book, word by word.

Knows: what is legal, by listing every sequence of possible steps and striking out sequences; who is next.
Does not know: speed, and the engine, which it is there to judge.

The rule book says "take all sequences of possible steps, from the throw until the seat stops",
and then keeps some, by seven rules. So does this file: `Checker.sequences` takes them all, each of
the seven functions in `FILTERS` keeps some, and a step is legal when a sequence that is left begins
with it. A sequence may stop anywhere; it is the rules that say where it may not.

From a state in the middle of a throw the sequences begin there. What the seat has done before is
in the state as far as the rules ask for it: where its pawns were at the throw, and what is left.
"""

from collections.abc import Iterator, Sequence

from referee.rules.ruleset import BonusTiming, ExtraThrow, Ruleset, ThirdThrow
from referee.rules.state import Applied, Position, State, Step
from tests.oracle.filters import FILTERS, doublet_home, same_pair
from tests.oracle.possible import Moment, Move, Moves, Possible, first_steps, moment_of
from tests.oracle.squares import Man, Men, home, men_of, moved, nest, place_of, position_of, way
from tests.oracle.support import refuse_what_is_not_written_here


class TooMany(Exception):
    """There are more sequences than the checker was told to take."""


class Checker(Possible):
    """
    One ruleset, to be asked what is legal.

    *most* limits the number of sequences from one state.
    """

    def __init__(self, ruleset: Ruleset, most: int = 300_000) -> None:
        refuse_what_is_not_written_here(ruleset)
        super().__init__(ruleset)
        self.most = most

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
        for name, rule in FILTERS.items():
            kept = rule(self, state, kept)
            stages.append((name, kept))
        return stages

    def plays(self, state: State) -> list[Moves]:
        """Return every legal sequence from *state*; the empty one alone where nothing is legal."""
        return self.stages(state)[-1][1]

    def steps(self, state: State) -> tuple[Step, ...]:
        """Return the legal steps in canonical order."""
        return first_steps(self.plays(state))

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
