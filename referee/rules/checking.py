"""
Which states cannot be: section 2 of the rule book, *Refused as impossible*, throws that cannot be, and states
in which nobody moves as the game is over.

What a throw has done so far must have been possible (section 4); `check` does not ask whether it was legal
(section 5), as the rules go by what is left. Whoever asks with a state of their own is told more:
`check_asked` also refuses what rule 2 forbids whatever follows.

Knows: how many pawns and which colours a square holds, what a throw can have left, who has won already.
Does not know: what is legal, how far pawns can have come (`pasts.py`). What no game reaches in other ways is
accepted.
"""

from collections.abc import Iterator, Sequence

from referee.errors import PositionError
from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_NEST
from referee.rules.moves import remembered
from referee.rules.notation import PAST, past_value, seat_text, square_text
from referee.rules.pasts import pasts
from referee.rules.ranking import contenders
from referee.rules.relay import mover_in, relays
from referee.rules.ruleset import DoubletFaces, EntryCapture, Ruleset, SquareLimit, Teams, TeamWin, ThirdThrow
from referee.rules.state import BROUGHT_HOME, Pawns, Position, State, arrival
from referee.rules.tables import Numbers, friends_of, numbers_of


def check(ruleset: Ruleset, state: State) -> None:
    """
    Refuse *state* if it cannot be, or if the game is over in it.

    Raises:
        PositionError: Names what is wrong, where (seat, pawn, square), and what would be right.
    """
    for wrong in _wrong(ruleset, state):
        raise PositionError(wrong)


def check_asked(ruleset: Ruleset, state: State) -> None:
    """
    Refuse *state*, which `check` accepts, if what its throw has done is possible but never legal.

    Raises:
        PositionError: A number of a doublet has brought a pawn home where that takes four numbers.
    """
    gave_four = ruleset.doublet_faces is DoubletFaces.BOTH and NEST not in state.at_throw
    if state.past & BROUGHT_HOME and not gave_four:
        raise PositionError(
            f"a number has brought a pawn home, which in {ruleset.name} no number of a doublet does "
            "that gave two numbers and not four"
        )


def _wrong(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Yield what is wrong with *state*, one sentence each. Later ones rely on there being no earlier one."""
    yield from wrong_with_position(ruleset, state.position)
    yield from _wrong_with_arrivals(ruleset, state)
    if state.seat not in SEATS or state.position[state.seat] is None:
        here = [seat for seat in SEATS if state.position[seat] is not None]
        yield f"seat {state.seat} is to move but absent; the seats here are {here}"
    yield from _over(ruleset, state)
    if state.repeats < 0:
        yield f"repeats is {state.repeats}; it counts the extra throws of this turn, from 0"
    if state.repeats > 2 and ruleset.third_throw is not ThirdThrow.NONE:
        yield f"repeats is {state.repeats}; it is 2 at most, as the third {_special(ruleset)} ends the turn"
    if state.last_moved is not None and state.last_moved not in PAWNS:
        yield f"last_moved is {state.last_moved}; it is a pawn, 0 to 3, or null"
    if state.dice:
        yield from _wrong_with_throw(ruleset, state)
    elif state.numbers or state.bonuses or state.at_throw or state.past:
        yield "numbers, bonuses, at_throw and what was moved are given without the throw that they belong to"


def _over(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Yield who has won, if the game was over before the throw: nobody throws then."""
    position = state.position
    in_teams = ruleset.teams is not Teams.NONE
    # A team is four seats at the beginning, so one that is absent was lost; else it may never have played.
    lost = [seat for seat in SEATS if in_teams and position[seat] is None]
    left = contenders(ruleset, position, lost)
    home = (ruleset.board.home,) * len(PAWNS)
    need = all if ruleset.team_win is TeamWin.BOTH_MEMBERS else any
    for side in left:
        by_this_throw = state.dice and state.seat in side and state.at_throw != home
        if need(position[seat] == home for seat in side) and not by_this_throw:
            done = _seats([seat for seat in side if position[seat] == home])
            yield f"the game is over: {_seats(side)} {_has(side)} won, with all pawns of {done} home"
    if len(left) == 1:
        others = "of the other team" if in_teams else "of the others"
        missing = f"seat {lost[0]} is missing" if in_teams and lost else "nobody is left"
        yield f"the game is over: {_seats(left[0])} {_has(left[0])} won, as {missing} {others}"
    if not left:
        yield f"the game is over: nobody can win any more, as the seats {lost} are missing"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {' and '.join(map(str, seats))}"


def _has(seats: Sequence[int]) -> str:
    return "have" if len(seats) > 1 else "has"


def wrong_with_position(ruleset: Ruleset, position: Position) -> Iterator[str]:
    """Yield what is wrong with *position* in this ruleset, one sentence each."""
    board = ruleset.board
    standing: dict[int, list[int]] = {}
    for seat, pawns in enumerate(position):
        if pawns is None:
            continue
        yield from _wrong_with_pawns(ruleset, seat, pawns)
        for progress in pawns:
            square = board.square(seat, progress)
            if SQUARE_NEST < square <= board.ring:
                standing.setdefault(square, []).append(seat)
    for square, seats in standing.items():
        colours = sorted(set(seats))
        if len(colours) > 1 and not _may_share(ruleset, square, colours):
            yield (
                f"pawns of the seats {colours} stand on {square}; "
                f"two colours cannot share that square in {ruleset.name}"
            )
        if len(seats) > 2 and ruleset.square_limit is SquareLimit.TWO:
            yield f"{len(seats)} pawns stand on {square}; a square holds two at most"


def _wrong_with_arrivals(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Yield what is wrong with who came last: of two on a square of the ring one did, where that is asked."""
    if ruleset.entry_capture is not EntryCapture.WHEN_FULL:
        if state.arrived:
            yield f"it is said who came last of two on a square, which {ruleset.name} does not ask"
        return
    marked = {1 << bit for bit in range(state.arrived.bit_length()) if state.arrived >> bit & 1}
    on: dict[int, list[int]] = {}
    for seat, pawns in enumerate(state.position):
        for pawn, progress in enumerate(pawns or ()):
            square = ruleset.board.square(seat, progress)
            if SQUARE_NEST < square <= ruleset.board.ring:
                on.setdefault(square, []).append(arrival(seat, pawn))
    for square, bits in on.items():
        last = len(marked.intersection(bits))
        if last != (len(bits) > 1):
            yield f"{last} of {len(bits)} on {square} came last; of two it is one, of one none"
        marked.difference_update(bits)
    if marked:
        yield "a pawn that does not stand on the ring is said to have come last there"


def _may_share(ruleset: Ruleset, square: int, colours: Sequence[int]) -> bool:
    """Tell whether pawns of these seats can stand on one square of the ring."""
    if len(colours) == 2 and colours[1] in friends_of(ruleset, colours[0]):
        return True
    if ruleset.safe_sharing and square in ruleset.board.safe:
        return True
    owner = ruleset.board.entries.index(square) if square in ruleset.board.entries else None
    return ruleset.entry_capture is not EntryCapture.ALONE and owner in colours


def _wrong_with_pawns(ruleset: Ruleset, seat: int, pawns: Pawns) -> Iterator[str]:
    board = ruleset.board
    last = board.last if ruleset.second_lap else board.home
    if len(pawns) != len(PAWNS):
        yield f"seat {seat} has {len(pawns)} pawns; a seat has four"
    for pawn, progress in enumerate(pawns):
        if not NEST <= progress <= last:
            yield f"pawn {pawn} of seat {seat} has the progress {progress}; it runs from 0 to {last}"
            return
        holds_more = progress in (NEST, board.home) or (
            not ruleset.lane_pairs_block and board.ring_steps < progress < board.home
        )
        if pawns[: pawn + 1].count(progress) == 3 and not holds_more:
            square = square_text(board.square(seat, progress))
            yield f"seat {seat} has {pawns.count(progress)} pawns on {square}; a square holds two at most"


def _wrong_with_throw(ruleset: Ruleset, state: State) -> Iterator[str]:
    dice = state.dice
    if len(dice) != ruleset.dice or not all(1 <= die <= 6 for die in dice):
        many = "one die" if ruleset.dice == 1 else "two dice"
        yield f"{list(dice)} is no throw: it takes {many} of 1 to 6"
    special = dice == (6,) or (len(dice) == 2 and dice[0] == dice[1])
    if ruleset.third_throw is not ThirdThrow.NONE and state.repeats >= 2 and special:
        yield f"a third {_special(ruleset)} is never played, so it has no state in mid-throw"
    at_throw = state.at_throw
    if not at_throw:
        yield "at_throw is missing: the four squares of the seat when the dice fell"
        return
    # A seat that has just finished has nothing left, and its own pawns are those of the throw.
    plays_on = state.numbers or state.bonuses
    mover = mover_in(ruleset, state.position, state.seat) if plays_on else state.seat
    own = state.position[mover]
    assert own is not None
    yield from (f"at_throw: {wrong}" for wrong in _wrong_with_pawns(ruleset, mover, at_throw))
    for pawn, (then, now) in enumerate(zip(at_throw, own, strict=True)):
        if _goes_back(ruleset, then, now):
            square = square_text(ruleset.board.square(mover, then))
            yield f"pawn {pawn} of seat {mover} stands behind {square}, where it was when the dice fell"
    out = NEST not in at_throw
    faces = ruleset.doublet_faces is DoubletFaces.BOTH and out
    given = numbers_of(dice, faces=faces, seven=ruleset.six_counts_seven and out)
    if any(state.numbers.count(number) > given.count(number) for number in state.numbers):
        yield f"the numbers {list(state.numbers)} are not left of this throw, which gives {list(given)}"
    if len(state.numbers) == len(given) and own != at_throw:
        yield "all numbers of the throw are left, yet pawns have moved since the dice fell"
    if len(state.numbers) == len(given) and state.bonuses:
        yield (
            f"all numbers of the throw are left, yet the bonuses {list(state.bonuses)} wait: "
            "a bonus is earned by a step of this throw, the first of which uses a number"
        )
    yield from _wrong_with_past(ruleset, state, mover, given)
    yield from _wrong_with_bonuses(ruleset, state)
    for name, amounts in (("numbers", state.numbers), ("bonuses", state.bonuses)):
        if list(amounts) != sorted(amounts):
            yield f"{name} are {list(amounts)}; they ascend"


def _special(ruleset: Ruleset) -> str:
    return "six" if ruleset.dice == 1 else "doublet"


def _goes_back(ruleset: Ruleset, then: int, now: int) -> bool:
    """Tell whether a pawn cannot have come from *then* to *now* in one throw."""
    if not ruleset.second_lap:
        return now < then
    home = ruleset.board.home
    return now != then and (
        now == NEST or then == home or (ruleset.board.ring_steps < then < home and now < then)
    )


def _wrong_with_past(ruleset: Ruleset, state: State, mover: int, given: Numbers) -> Iterator[str]:
    """Yield what is wrong with what the throw is said to have done so far."""
    asked = remembered(ruleset)
    for name, bits in PAST.items():
        if state.past & bits & ~asked:
            yield f"{name} is given, which {ruleset.name} does not ask"
    if len(state.numbers) == len(given):
        if state.past:
            yield "all numbers of the throw are left, yet one is said to have moved a pawn"
        return
    if _may_be_partners(ruleset, state):
        return
    if not asked and (not state.numbers or state.position[mover] == state.at_throw):
        return  # whoever asks may leave numbers out of the question
    if all(past != state.past for past in pasts(ruleset, state, mover, given, asked)):
        yield _past_that_cannot_be(ruleset, state, mover, given, asked)


def _may_be_partners(ruleset: Ruleset, state: State) -> bool:
    """Tell whether a state does not tell whose pawns the throw has moved: a seat's, or its partner's too."""
    home = (ruleset.board.home,) * len(PAWNS)
    if not relays(ruleset) or state.position[state.seat] != home:
        return False
    nothing_left = not state.numbers and not state.bonuses
    return nothing_left or state.position[(state.seat + 2) % len(SEATS)] == home


def _past_that_cannot_be(ruleset: Ruleset, state: State, mover: int, given: Numbers, asked: int) -> str:
    """Return why the throw cannot have done what it is said to have, and what would be right."""
    board, own = ruleset.board, state.position[mover]
    assert own is not None
    came = (
        f"seat {mover} came from {seat_text(board, mover, state.at_throw)} to {seat_text(board, mover, own)} "
        f"with {list(state.numbers)} left of the numbers {list(given)}"
    )
    can_be = set(pasts(ruleset, state, mover, given, asked))
    if not can_be:
        return f"{came}, which neither numbers nor bonuses can have done"
    fields = {name: bits for name, bits in PAST.items() if bits & asked}
    for name, bits in fields.items():
        right = sorted({past & bits for past in can_be})
        if state.past & bits not in right:
            return (
                f"{name} is {_told(name, state.past)}, but {came}: "
                f"right would be {' or '.join(_told(name, past) for past in right)}"
            )
    said, *others = (
        ", ".join(f"{name} = {_told(name, past)}" for name in fields)
        for past in (state.past, *sorted(can_be))
    )
    return f"{said} do not go together, as {came}: right would be {' or '.join(others)}"


def _told(name: str, past: int) -> str:
    return str(past_value(name, past)).lower()


def _wrong_with_bonuses(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Yield what is wrong with the bonuses: there is one at most for each pawn that can have earned it."""
    opponents = len(SEATS) - 1  # those too whose pawns have left the board since
    at_most: dict[int, int] = {}
    for bonus, pawns in ((ruleset.capture_bonus, opponents * len(PAWNS)), (ruleset.home_bonus, len(PAWNS))):
        if bonus:
            at_most[bonus] = at_most.get(bonus, 0) + pawns
    for bonus in sorted(set(state.bonuses)):
        if bonus not in at_most:
            yield f"a bonus of {bonus} is not given in {ruleset.name}; it gives {sorted(at_most) or 'none'}"
        elif state.bonuses.count(bonus) > at_most[bonus]:
            yield f"too many bonuses of {bonus} wait; a throw earns {at_most[bonus]} at most"
