"""
Which plays are legal: the seven rules of section 5 of the rule book, word by word.

Knows: what each rule keeps of the sequences that the rules before it kept.
Does not know: how the sequences came about. All of them begin in one moment, which tells what the
throw has done before as far as a rule asks for it.
"""

from collections.abc import Callable, Mapping

from referee.rules.ruleset import (
    DoubletFaces,
    DoubletHome,
    Fourteen,
    MustEnter,
    MustOpen,
    SamePair,
    SingleNumber,
    Use,
)
from referee.rules.state import BROUGHT_HOME, MOVED, Step
from tests.oracle.possible import FIVES, Moment, Move, Moves, Possible, is_doublet, steps_in
from tests.oracle.squares import Man, Men, Place, place_of, way


def places_at_throw(possible: Possible, moment: Moment) -> list[Place]:
    """Return where the pawns that are moved stood when the dice fell."""
    places = way(possible.board, moment.seat)
    return [places[progress] for progress in moment.at_throw]


def pairs_at_throw(possible: Possible, moment: Moment) -> list[tuple[int, int]]:
    """Return the pairs of pawns that stood together when the dice fell, where two of them block."""
    at_throw = places_at_throw(possible, moment)
    return [
        (a, b)
        for b in range(len(at_throw))
        for a in range(b)
        if at_throw[a] == at_throw[b] and possible.can_be_blocked(at_throw[a])
    ]


def pawns_moved(past: int) -> set[int]:
    """Return the pawns that numbers of the throw have moved, of what `State.past` tells."""
    return {pawn for pawn in range(4) if past & MOVED & 1 << pawn}


def same_pair(possible: Possible, moment: Moment, sequences: list[Moves]) -> list[Moves]:
    """Rule 1: how a pair of the throw may not be moved on."""
    pairs = pairs_at_throw(possible, moment)
    if not pairs or possible.rules.same_pair is SamePair.FREE:
        return sequences
    if possible.rules.same_pair is SamePair.SECOND_STAYS:
        if not is_doublet(moment.dice):
            return sequences
        return [moves for moves in sequences if not second_follows(pairs, moment, moves)]
    at_throw = places_at_throw(possible, moment)

    def stands_again(men: Men) -> bool:
        for a, b in pairs:
            place = place_of(men, Man(moment.seat, a))
            together = place == place_of(men, Man(moment.seat, b))
            if together and place != at_throw[a] and place.kind != "home":
                return True
        return False

    return [s for s in sequences if not stands_again(s[-1].after.men if s else moment.men)]


def second_follows(pairs: list[tuple[int, int]], moment: Moment, moves: Moves) -> bool:
    """Return whether *moves* move a pawn of a pair by a number when a number has moved the other."""
    already = pawns_moved(moment.past)
    for move in moves:
        if move.bonus is None:
            pawn = move.step.pawn
            if any(pawn in pair and already & (set(pair) - {pawn}) for pair in pairs):
                return True
            already.add(pawn)
    return False


def doublet_home(possible: Possible, moment: Moment, sequences: list[Moves]) -> list[Moves]:
    """Rule 2: whether a number of a doublet brings a pawn home."""
    if possible.rules.doublet_home is DoubletHome.FREE or not is_doublet(moment.dice):
        return sequences
    if possible.rules.doublet_home is DoubletHome.WHOLE_FOURTEEN:
        return [
            moves
            for moves in sequences
            if all(
                took_all_four(possible, move) for move in moves if move.bonus is None and move.reaches_home
            )
        ]
    return [
        moves
        for moves in sequences
        if not brings_home(moment, moves) or uses_all_four(possible, moment, moves)
    ]


def took_all_four(possible: Possible, move: Move) -> bool:
    """Return whether with this number the pawn has taken all four of the throw, and no other pawn any."""
    is_last = len(move.numbers) == len(move.before.numbers)
    alone = pawns_moved(move.before.past) <= {move.step.pawn}
    return gave_four_numbers(possible, move.before) and is_last and alone


def brings_home(moment: Moment, moves: Moves) -> bool:
    """Return whether a number of the throw brings a pawn home, or has brought one."""
    return bool(moment.past & BROUGHT_HOME) or any(move.bonus is None and move.reaches_home for move in moves)


def uses_all_four(possible: Possible, moment: Moment, moves: Moves) -> bool:
    """Return whether the throw gave four numbers and *moves* use all that are left of them."""
    return gave_four_numbers(possible, moment) and numbers_used(moves) == len(moment.numbers)


def fourteen(possible: Possible, moment: Moment, sequences: list[Moves]) -> list[Moves]:
    """Rule 3: of four numbers, keep those that use all; if there are none, nothing moves."""
    if possible.rules.fourteen is not Fourteen.ALL_OR_NOTHING or not gave_four_numbers(possible, moment):
        return sequences
    return [s for s in sequences if uses_all_four(possible, moment, s)] or [()]


def gave_four_numbers(possible: Possible, moment: Moment) -> bool:
    """Return whether the throw was a doublet that gave both faces."""
    in_nest = 0 in moment.at_throw
    return is_doublet(moment.dice) and possible.rules.doublet_faces is DoubletFaces.BOTH and not in_nest


def numbers_used(moves: Moves) -> int:
    """Return how many numbers of the throw *moves* use; a five by sum uses two."""
    return sum(len(move.numbers) for move in moves)


def must_enter(possible: Possible, moment: Moment, sequences: list[Moves]) -> list[Moves]:
    """Rule 4: drop those in which a five was used otherwise when it could enter, or that enter fewer."""
    if possible.rules.must_enter is MustEnter.NEVER:
        return sequences
    if possible.rules.must_enter is MustEnter.MOST:
        most = max((pawns_entered(moves) for moves in sequences), default=0)
        return [moves for moves in sequences if pawns_entered(moves) == most]
    wasteful: dict[int, bool] = {}

    def wastes_a_five(move: Move) -> bool:
        if id(move) not in wasteful:
            fives = possible.fives(move.before)
            wasteful[id(move)] = not move.enters and any(
                number in FIVES[use] for number in move.numbers for use in fives
            )
        return wasteful[id(move)]

    return [s for s in sequences if not any(wastes_a_five(move) for move in s)]


def pawns_entered(moves: Moves) -> int:
    """Return how many pawns *moves* bring out of the nest."""
    return sum(move.enters for move in moves)


def must_open(possible: Possible, moment: Moment, sequences: list[Moves]) -> list[Moves]:
    """Rule 5: at a six, or a doublet, keep those that move a pawn of an own pair, if there are any."""
    paired = must_open_pawns(possible, moment)
    if paired & pawns_moved(moment.past):
        return sequences
    opening = [
        moves for moves in sequences if any(move.bonus is None and move.step.pawn in paired for move in moves)
    ]
    return opening or sequences


def must_open_pawns(possible: Possible, moment: Moment) -> set[int]:
    """Return the pawns of own pairs on the ring of which this throw obliges the seat to move one."""
    if not asks_to_open(possible, moment):
        return set()
    at_throw = places_at_throw(possible, moment)
    return {
        pawn for pawn, place in enumerate(at_throw) if place.kind == "ring" and at_throw.count(place) >= 2
    }


def asks_to_open(possible: Possible, moment: Moment) -> bool:
    """Return whether this is a throw that obliges a seat to open a pair."""
    match possible.rules.must_open:
        case MustOpen.ON_SIX:
            return moment.dice == (6,)
        case MustOpen.ON_DOUBLET:
            return is_doublet(moment.dice)
        case MustOpen.NONE:
            return False


def use(possible: Possible, moment: Moment, sequences: list[Moves]) -> list[Moves]:
    """Rule 6: keep those that use the throw, and all bonuses that can be used."""
    goes_on_with_number: set[tuple[Step, ...]] = set()
    goes_on_with_bonus: set[tuple[Step, ...]] = set()
    for moves in sequences:
        steps = steps_in(moves)
        for done, move in enumerate(moves):
            (goes_on_with_number if move.bonus is None else goes_on_with_bonus).add(steps[:done])
    most = max((numbers_used(moves) for moves in sequences), default=0)

    def keeps(moves: Moves) -> bool:
        if ends_the_game(moves):
            return True
        steps = steps_in(moves)
        if steps in goes_on_with_bonus:
            return False
        if possible.rules.use is Use.MAXIMAL:
            return numbers_used(moves) == most
        return steps not in goes_on_with_number

    return [moves for moves in sequences if keeps(moves)]


def ends_the_game(moves: Moves) -> bool:
    """Return whether *moves* win; rules 6 and 7 never drop those."""
    return bool(moves) and moves[-1].wins


def single_number(possible: Possible, moment: Moment, sequences: list[Moves]) -> list[Moves]:
    """Rule 7: of two different numbers of which only one can be used, the larger, if any can use it."""
    two_different = len(set(moment.dice)) == 2 and len(moment.numbers) == 2
    if possible.rules.single_number is SingleNumber.EITHER or not two_different:
        return sequences
    if any(numbers_used(moves) == 2 for moves in sequences):
        return sequences
    larger = max(moment.numbers)
    if not any(uses(moves, larger) for moves in sequences):
        return sequences
    return [moves for moves in sequences if uses(moves, larger) or ends_the_game(moves)]


def uses(moves: Moves, number: int) -> bool:
    """Return whether *moves* use *number*."""
    return any(number in move.numbers for move in moves)


Filter = Callable[[Possible, Moment, list[Moves]], list[Moves]]

FILTERS: Mapping[str, Filter] = {
    rule.__name__: rule
    for rule in (same_pair, doublet_home, fourteen, must_enter, must_open, use, single_number)
}
"""The rules in their order, by the field that each obeys."""
