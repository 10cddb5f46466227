"""
The slow checker: sections 5 and 6 of the rule book, word by word.

Knows: what is legal, by listing every sequence of possible steps and striking out sequences; who is next.
Does not know: speed, and the engine, which it is there to judge.

The rule book says "take all sequences of possible steps, from the throw until the seat stops",
and then keeps some, by seven rules. So does this file: `Checker.sequences` takes them all, each of
the seven functions in `FILTERS` keeps some, and a step is legal when a sequence that is left begins
with it. A sequence may stop anywhere; it is the rules that say where it may not.

From a state in the middle of a throw the sequences begin there. What the seat has done before is
in the state as far as the rules ask for it: where its pawns were at the throw, what is left, and what
the numbers have done (`State.past`).
"""

from collections.abc import Iterable, Iterator, Sequence

from referee.rules.ruleset import (
    BonusTiming,
    ExtraThrow,
    ExtraThrowIf,
    Ruleset,
    Teams,
    ThirdThrow,
    TurnOrder,
)
from referee.rules.state import GAVE_UP, Applied, Position, State, Step
from tests.oracle.filters import FILTERS, doublet_home, same_pair
from tests.oracle.possible import Moment, Move, Moves, Possible, first_steps, is_doublet
from tests.oracle.squares import (
    Man,
    Men,
    arrived_in,
    entry,
    home,
    moved,
    nest,
    place_of,
    position_of,
    squares_to_go,
)
from tests.oracle.support import refuse_what_cannot_be_played

RULE_NAMES = {
    "all": "Bonus timing",
    "same_pair": "Same pair",
    "doublet_home": "Home with a doublet",
    "fourteen": "Fourteen",
    "must_enter": "Entering",
    "must_open": "Opening",
    "use": "Using the throw",
    "single_number": "One of two",
}
"""What the rule book calls each stage; what is possible and in no sequence, `bonus_timing` did not let in."""


class TooMany(Exception):
    """There are more sequences than the checker was told to take."""


class Checker(Possible):
    """
    One ruleset, to be asked what is legal.

    *most* limits the number of sequences from one state.
    """

    def __init__(self, ruleset: Ruleset, most: int = 300_000) -> None:
        refuse_what_cannot_be_played(ruleset)
        super().__init__(ruleset)
        self.most = most
        # A state is asked about several times, and then those that its throw leads to.
        self.listed: tuple[object, Sequences] = None, Sequences(self)
        self.staged: tuple[State | None, list[tuple[str, list[Moves]]]] = None, []
        self.allowed: tuple[State | None, list[Move]] = None, []

    # Section 5: all sequences, by bonus_timing.

    def sequences(self, state: State) -> list[Moves]:
        """
        Return all sequences of possible steps from *state*, the empty one included.

        Raises:
            TooMany: There are more than the checker was told to take.
        """
        moment = self.moment(state)
        throw = moment.seat, moment.dice, moment.at_throw
        if self.listed[0] != throw:
            self.listed = throw, Sequences(self)
        return self.listed[1].of(moment)

    def stages(self, state: State) -> list[tuple[str, list[Moves]]]:
        """Return all sequences, then those that each rule keeps of them, under the rule's name."""
        if self.staged[0] != state:
            self.staged = state, self.struck_out(state)
        return self.staged[1]

    def struck_out(self, state: State) -> list[tuple[str, list[Moves]]]:
        """Return what `stages` does, found anew."""
        moment = self.moment(state)
        kept = self.sequences(state)
        stages = [("all", kept)]
        for name, rule in FILTERS.items():
            kept = rule(self, moment, kept)
            stages.append((name, kept))
        return stages

    def plays(self, state: State) -> list[Moves]:
        """Return every legal sequence from *state*; the empty one alone where nothing is legal."""
        return self.stages(state)[-1][1]

    def steps(self, state: State) -> tuple[Step, ...]:
        """Return the legal steps in canonical order."""
        return first_steps(self.plays(state))

    def struck_by(self, state: State, step: Step) -> str | None:
        """
        Return which rule struck out the last sequence that begins with *step*, by its name in the rule book.

        The step is one of those possible; None if it is legal.
        """
        for name, kept in self.stages(state):
            if all(moves[0].step != step for moves in kept if moves):
                return RULE_NAMES[name]
        return None

    def possible(self, state: State) -> list[Move]:
        """Return what section 4 allows, whatever section 5 says of it."""
        if self.allowed[0] != state:
            moment = self.moment(state)
            self.allowed = state, [*self.moves_by_number(moment), *self.moves_by_bonus(moment)]
        return self.allowed[1]

    def apply(self, state: State, step: Step) -> Applied:
        """Return what *step*, one of those possible, does."""
        move = next(move for move in self.possible(state) if move.step == step)
        plays_on = move.finishes and not move.wins
        after = self.standing(state, move.after.men)._replace(
            last_moved=None if plays_on else step.pawn,
            numbers=move.after.numbers,
            bonuses=move.after.bonuses,
            past=move.after.past,
        )
        return Applied(after, tuple((m.seat, m.pawn) for m in move.captured), move.earned, move.wins)

    def standing(self, state: State, men: Men) -> State:
        """Return *state* with *men* on the board."""
        return state._replace(
            position=position_of(self.board, men), arrived=arrived_in(men) if self.keeps_arrived else 0
        )

    # Section 6: throws and turns.

    def start(self, seats: Iterable[int], seat: int) -> State:
        """Return the state before the first throw of a game between *seats*, in which *seat* begins."""
        men: Men = {}
        for owner in seats:
            for pawn in range(4):
                is_out = pawn < self.rules.pawns_out_at_start
                men = moved(men, Man(owner, pawn), entry(self.board, owner) if is_out else nest(owner))
        return self.standing(State((None, None, None, None), seat), men)

    def throw(self, state: State, dice: tuple[int, ...]) -> State:
        """Return *state* after *dice* fell: in mid-throw, or with the turn ended by a third doublet."""
        if self.counts(dice) and state.repeats >= 2 and self.rules.third_throw is not ThirdThrow.NONE:
            return self.next_turn(self.penalised(state))
        pawns = state.position[self.hand(state.position, state.seat)]
        assert pawns is not None
        return state._replace(dice=dice, numbers=self.numbers(pawns, dice), at_throw=pawns)

    def counts(self, dice: tuple[int, ...]) -> bool:
        """Return whether the throw is one of which a turn has no third: a doublet, or with one die a six."""
        return is_doublet(dice) or dice == (6,)

    def penalised(self, state: State) -> State:
        """Return *state* with the pawn in its nest that a third doublet costs, if it costs one."""
        men = self.men(state.position, state.arrived)
        hand = self.hand(state.position, state.seat)
        if self.rules.third_throw is ThirdThrow.NEAREST_HOME:
            returns = self.nearest_home(men, hand)
        else:
            returns = self.moved_last(men, hand, state.last_moved)
        return self.standing(state, moved(men, returns, nest(hand))) if returns else state

    def nearest_home(self, men: Men, seat: int) -> Man | None:
        """Return the pawn of *seat* nearest home, of two the higher number; None if none is out."""
        out = [
            (-squares_to_go(self.board, seat, place), man)
            for place, there in men.items()
            for man in there
            if man.seat == seat and place.kind in ("ring", "lane")
        ]
        return max(out)[1] if out else None

    def moved_last(self, men: Men, seat: int, pawn: int | None) -> Man | None:
        """Return the *pawn* of *seat* that was moved last, None if none was or it is in the lane or home."""
        if pawn is None or place_of(men, Man(seat, pawn)).kind in ("lane", "home"):
            return None
        return Man(seat, pawn)

    def play_over(self, state: State) -> State:
        """Return who throws next, when the play that answered this throw is over."""
        if self.gives_extra_throw(state):
            return state._replace(
                repeats=state.repeats + 1, dice=(), numbers=(), bonuses=(), at_throw=(), past=0
            )
        return self.next_turn(state)

    def gives_extra_throw(self, state: State) -> bool:
        """Return whether the seat throws again after the play that left *state*."""
        match self.rules.extra_throw:
            case ExtraThrow.NONE:
                return False
            case ExtraThrow.DOUBLET if not is_doublet(state.dice):
                return False
            case ExtraThrow.SIX if state.dice != (6,):
                return False
        match self.rules.extra_throw_if:
            case ExtraThrowIf.ALWAYS:
                return True
            case ExtraThrowIf.PLAYED:
                return state.numbers != self.numbers(state.at_throw, state.dice)
            case ExtraThrowIf.ALL_USED:
                return not state.numbers and not state.past & GAVE_UP

    def next_turn(self, state: State) -> State:
        """Return the beginning of the turn of the next seat that is present."""
        ahead = 1 if self.rules.turn_order is TurnOrder.WITH else -1
        seat = next(
            seat
            for seat in ((state.seat + ahead * turns) % 4 for turns in range(1, 5))
            if state.position[seat] is not None
        )
        return State(state.position, seat, arrived=state.arrived)

    def lose_seat(self, state: State, seat: int) -> State:
        """Return *state* without the pawns of *seat*, whose turn, if it was its turn, is over."""
        men = {
            place: kept
            for place, there in self.men(state.position, state.arrived).items()
            if (kept := tuple(man for man in there if man.seat != seat))
        }
        after = self.standing(state, men)
        return self.next_turn(after) if seat == state.seat else after

    def places(self, position: Position, winner: int | None, lost: Sequence[int]) -> dict[int, int]:
        """Return the place of each seat; those of *lost*, in the order in which they were lost, are last."""
        men = self.men(position, 0)
        playing = sorted({man.seat for there in men.values() for man in there} - set(lost))
        if self.rules.teams is Teams.PAIRS:
            sides = [tuple(seat for seat in playing if seat % 2 == team) for team in (0, 1)]
        else:
            sides = [(seat,) for seat in playing]

        def is_before(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
            if winner in (*a, *b):
                return winner in a
            at_home = [sum(len(men.get(home(seat), ())) for seat in side) for side in (a, b)]
            if at_home[0] != at_home[1]:
                return at_home[0] > at_home[1]
            return self.to_go(men, a) < self.to_go(men, b)

        places = {
            seat: 1 + sum(is_before(other, side) for other in sides if other and other != side)
            for side in sides
            for seat in side
        }
        return places | {seat: len(playing) + len(lost) - order for order, seat in enumerate(lost)}

    def to_go(self, men: Men, seats: Sequence[int]) -> int:
        """Return how many squares the pawns of *seats* have to go in all."""
        return sum(
            squares_to_go(self.board, man.seat, place)
            for place, there in men.items()
            for man in there
            if man.seat in seats
        )


class Sequences:
    """
    All sequences from a moment of one throw.

    Two ways to the same moment have the same sequences before them, so each moment is asked once.
    """

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self.known: dict[object, list[Moves]] = {}

    def of(self, moment: Moment) -> list[Moves]:
        """Return all sequences from *moment*, the empty one first."""
        if moment.key not in self.known:
            self.known[moment.key] = [(), *self.list_from(moment)]
        return self.known[moment.key]

    def list_from(self, moment: Moment) -> list[Moves]:
        """Return those that are not empty, by `bonus_timing`."""
        by_number = self.checker.moves_by_number(moment)
        by_bonus = self.checker.moves_by_bonus(moment)
        match self.checker.rules.bonus_timing:
            case BonusTiming.ANY_TIME:
                return [*self.beginning_with(by_number), *self.beginning_with(by_bonus)]
            case BonusTiming.AFTER_NUMBERS:
                first = self.beginning_with(by_number)
                return first if self.can_be_used(moment, first) else [*first, *self.beginning_with(by_bonus)]
            case BonusTiming.AT_ONCE:
                first = self.beginning_with(by_bonus)
                return first if self.can_be_used(moment, first) else [*first, *self.beginning_with(by_number)]

    def beginning_with(self, moves: Iterator[Move]) -> list[Moves]:
        sequences: list[Moves] = []
        for move in moves:
            sequences += [(move, *rest) for rest in ([()] if move.finishes else self.of(move.after))]
            if len(sequences) > self.checker.most:
                raise TooMany(f"more than {self.checker.most} sequences")
        return sequences

    def can_be_used(self, moment: Moment, sequences: list[Moves]) -> bool:
        """Return whether rules 1 and 2 keep any of *sequences*, which go on from *moment* alike."""
        return bool(doublet_home(self.checker, moment, same_pair(self.checker, moment, sequences)))
