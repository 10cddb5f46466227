"""
Which plays are legal: the seven rules of section 5 of the rule book, word by word.

Knows: what each rule keeps of the sequences that the rules before it kept.
Does not know: how the sequences came about. All of them begin in one state.
"""

from collections.abc import Callable, Mapping

from referee.rules.ruleset import DoubletFaces, Fourteen, MustEnter, SamePair, Use
from referee.rules.state import State, Step
from tests.oracle.possible import FIVES, Move, Moves, Possible, moment_of, steps_in
from tests.oracle.squares import Man, Men, place_of, way


def same_pair(possible: Possible, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 1: drop those after which a pair of the throw stands together again on another square."""
    if possible.rules.same_pair is SamePair.FREE:
        return sequences
    places = way(possible.board, state.seat)
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

    now = moment_of(possible.board, state).men
    return [s for s in sequences if not stands_again(s[-1].after.men if s else now)]


def doublet_home(possible: Possible, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 2: whether a doublet brings a pawn home; it is free in all that is built."""
    return sequences


def fourteen(possible: Possible, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 3: of four numbers, keep those that use all; if there are none, nothing moves."""
    if possible.rules.fourteen is not Fourteen.ALL_OR_NOTHING or not gave_four_numbers(possible, state):
        return sequences
    return [s for s in sequences if numbers_used(s) == len(state.numbers)] or [()]


def gave_four_numbers(possible: Possible, state: State) -> bool:
    """Return whether the throw of *state* was a doublet that gave both faces."""
    doublet = len(set(state.dice)) == 1
    in_nest = 0 in state.at_throw
    return doublet and possible.rules.doublet_faces is DoubletFaces.BOTH and not in_nest


def numbers_used(moves: Moves) -> int:
    """Return how many numbers of the throw *moves* use; a five by sum uses two."""
    return sum(len(move.numbers) for move in moves)


def must_enter(possible: Possible, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 4: drop those in which a five was used otherwise when it could enter a pawn."""
    if possible.rules.must_enter is MustEnter.NEVER:
        return sequences
    wasteful: dict[int, bool] = {}

    def wastes_a_five(move: Move) -> bool:
        if id(move) not in wasteful:
            fives = possible.fives(move.before)
            wasteful[id(move)] = not move.enters and any(
                number in FIVES[use] for number in move.numbers for use in fives
            )
        return wasteful[id(move)]

    return [s for s in sequences if not any(wastes_a_five(move) for move in s)]


def must_open(possible: Possible, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 5: whether a pair must be opened; it need not in all that is built."""
    return sequences


def use(possible: Possible, state: State, sequences: list[Moves]) -> list[Moves]:
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
        if possible.rules.use is Use.MAXIMAL:
            return numbers_used(moves) == most
        return steps not in goes_on_with_number

    return [moves for moves in sequences if keeps(moves)]


def single_number(possible: Possible, state: State, sequences: list[Moves]) -> list[Moves]:
    """Rule 7: which of two numbers; either will do in all that is built."""
    return sequences


Filter = Callable[[Possible, State, list[Moves]], list[Moves]]

FILTERS: Mapping[str, Filter] = {
    rule.__name__: rule
    for rule in (same_pair, doublet_home, fourteen, must_enter, must_open, use, single_number)
}
"""The rules in their order, by the field that each obeys."""
