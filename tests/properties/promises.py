"""
What each move of the referee promises, by the fields of the ruleset: section by section of the rule book.

Knows: a state before, what was done, the state after. Each function fails where a promise is broken.
Does not know: how the engine comes to it. Nothing here asks the engine for anything.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from referee.rules.board import NEST, PAWNS, SEATS, Board
from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletFaces,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    Partner,
    Ruleset,
    SquareLimit,
    Teams,
    TeamWin,
    ThirdThrow,
    TurnOrder,
)
from referee.rules.state import BONUS, FIVE_BY_SUM, Applied, Pawns, Position, State, Step, arrival
from referee.rules.turns import Thrown

SUMS = {use: numbers for numbers, use in FIVE_BY_SUM.items()}

Man = tuple[int, int]
"""A pawn, as its seat and number."""


# Who belongs to whom.


def partner_of(ruleset: Ruleset, seat: int) -> int | None:
    """Return the other member of the team, if teams play."""
    return None if ruleset.teams is Teams.NONE else (seat + 2) % 4


def winners(ruleset: Ruleset, seat: int) -> list[int]:
    """Return who wins when *seat* does."""
    partner = partner_of(ruleset, seat)
    return [seat] if partner is None else sorted((seat, partner))


def both_must_finish(ruleset: Ruleset) -> bool:
    """Tell whether a seat that has finished plays on with its partner's pawns."""
    return ruleset.teams is not Teams.NONE and ruleset.team_win is TeamWin.BOTH_MEMBERS


def finished(board: Board, pawns: Pawns | None) -> bool:
    """Tell whether all four are home."""
    return pawns == (board.home,) * 4


def hand_of(ruleset: Ruleset, position: Position, seat: int) -> int:
    """Return whose pawns *seat* moves."""
    if both_must_finish(ruleset) and finished(ruleset.board, position[seat]):
        return (seat + 2) % 4
    return seat


def counts_as_own(ruleset: Ruleset, seat: int) -> set[int]:
    """Return the seats whose pawns count as those of *seat* on the board."""
    partner = partner_of(ruleset, seat)
    return {seat} if partner is None or ruleset.partner is Partner.CAPTURE else {seat, partner}


# What stands where.


def men_on_ring(board: Board, position: Position) -> dict[int, list[Man]]:
    """Return who stands on each square of the ring."""
    standing: dict[int, list[Man]] = {}
    for seat, pawns in enumerate(position):
        for pawn, progress in enumerate(pawns or ()):
            square = board.square(seat, progress)
            if 1 <= square <= board.ring:
                standing.setdefault(square, []).append((seat, pawn))
    return standing


def may_share(ruleset: Ruleset, square: int, colours: set[int]) -> bool:
    """Tell whether pawns of these seats can have come to stand on one square of the ring."""
    board = ruleset.board
    if len(colours) == 1 or (ruleset.safe_sharing and square in board.safe):
        return True
    if colours <= counts_as_own(ruleset, min(colours)):
        return True
    shared_by_entering = ruleset.entry_capture is not EntryCapture.ALONE
    return shared_by_entering and square in {board.entries[seat] for seat in colours}


def board_in_order(ruleset: Ruleset, state: State) -> None:
    """See that pawns are on their paths, squares not too full, colours together only where they may be."""
    board, position = ruleset.board, state.position
    last = board.last if ruleset.second_lap else board.home
    for pawns in position:
        assert pawns is None or all(NEST <= progress <= last for progress in pawns)
        for progress, many in Counter(pawns or ()).items():
            if board.ring_steps < progress < board.home:
                assert many <= (2 if ruleset.lane_pairs_block else 4)
    standing = men_on_ring(board, position)
    for square, men in standing.items():
        assert may_share(ruleset, square, {seat for seat, _ in men}), f"{men} on {square}"
        assert max(Counter(seat for seat, _ in men).values()) <= 2
        assert ruleset.square_limit is SquareLimit.TWO_OF_A_COLOUR or len(men) <= 2
    done = [seat for seat in SEATS if finished(board, position[seat])]
    assert not done or both_must_finish(ruleset)
    assert all(not finished(board, position[(seat + 2) % 4]) for seat in done)
    last_of_two(ruleset, standing, state.arrived)


def last_of_two(ruleset: Ruleset, standing: dict[int, list[Man]], arrived: int) -> None:
    """See that one of two on each square of the ring is known to have come last, where that is asked."""
    marked = {(seat, pawn) for seat in SEATS for pawn in PAWNS if arrived & arrival(seat, pawn)}
    for men in standing.values():
        last = marked.intersection(men)
        marked -= last
        assert len(last) == (len(men) == 2 and ruleset.entry_capture is EntryCapture.WHEN_FULL)
    assert not marked


# Throws and turns.


def begun(ruleset: Ruleset, seats: Sequence[int], state: State) -> None:
    """See that a game begins with as many pawns on the entry as it should."""
    out = ruleset.pawns_out_at_start
    for seat in SEATS:
        assert state.position[seat] == ((1,) * out + (NEST,) * (4 - out) if seat in seats else None)
    assert state._replace(position=(None,) * 4, seat=0, arrived=0) == State((None,) * 4, 0)


def is_special(dice: Sequence[int]) -> bool:
    """Tell whether these are a doublet, or the six of one die."""
    return dice[0] == 6 if len(dice) == 1 else dice[0] == dice[1]


def given(ruleset: Ruleset, dice: tuple[int, ...], own: Pawns) -> tuple[int, ...]:
    """Return the numbers of a throw."""
    out = NEST not in own
    if len(dice) == 1:
        return (7,) if dice == (6,) and out and ruleset.six_counts_seven else dice
    if dice[0] == dice[1] and out and ruleset.doublet_faces is DoubletFaces.BOTH:
        dice += (7 - dice[0], 7 - dice[1])
    return tuple(sorted(dice))


def thrown(ruleset: Ruleset, before: State, dice: tuple[int, ...], after: Thrown) -> None:
    """See that a throw gives its numbers, or costs what the third of its kind does."""
    hand = hand_of(ruleset, before.position, before.seat)
    own = before.position[hand]
    assert own is not None
    third = ruleset.third_throw is not ThirdThrow.NONE and before.repeats >= 2 and is_special(dice)
    assert after.third == third
    if not third:
        assert after.returned is None
        numbers = given(ruleset, dice, own)
        assert after.state == before._replace(dice=dice, numbers=numbers, at_throw=own)
        return
    returned = _last_moved if ruleset.third_throw is ThirdThrow.LAST_MOVED else _nearest_home
    assert after.returned == returned(ruleset.board, before, own)
    if after.returned is not None:
        own = with_pawn(own, after.returned, NEST)
    assert after.state.position == with_pawns(before.position, hand, own)
    turned(ruleset, before, after.state)
    kept_order(ruleset, before, after.state, None)


def _nearest_home(board: Board, before: State, own: Pawns) -> int | None:
    to_go = {pawn: squares_to_go(board, own[pawn]) for pawn in PAWNS if own[pawn] not in (NEST, board.home)}
    return max((p for p in to_go if to_go[p] == min(to_go.values())), default=None)


def _last_moved(board: Board, before: State, own: Pawns) -> int | None:
    pawn = before.last_moved
    in_lane_or_home = pawn is not None and board.ring_steps < own[pawn] <= board.home
    return None if pawn is None or own[pawn] == NEST or in_lane_or_home else pawn


def squares_to_go(board: Board, progress: int) -> int:
    """Return how many squares a pawn has to go: on its second lap those to its entry, and all of its way."""
    return board.home - progress if progress <= board.home else board.last + board.home - progress


def turned(ruleset: Ruleset, before: State, after: State) -> None:
    """See that it is the turn of the next seat that plays."""
    way = 1 if ruleset.turn_order is TurnOrder.WITH else -1
    order = [(before.seat + way * n) % 4 for n in range(1, 5)]
    playing = [seat for seat in order if after.position[seat] is not None]
    seat = playing[0] if playing else before.seat
    assert after == State(after.position, seat, arrived=after.arrived)


def played(ruleset: Ruleset, thrown: State, taken: Sequence[Step], before: State, after: State) -> None:
    """See that after the steps *taken* the seat throws again if it may, and the next seat does if not."""
    assert (after.position, after.arrived) == (before.position, before.arrived)
    used = sum(1 if step.use not in SUMS else 2 for step in taken if step.use < BONUS)
    earned = {
        ExtraThrowIf.ALWAYS: True,
        ExtraThrowIf.PLAYED: bool(taken),
        ExtraThrowIf.ALL_USED: used == len(thrown.numbers),
    }
    special = ruleset.extra_throw is not ExtraThrow.NONE and is_special(before.dice)
    if special and earned[ruleset.extra_throw_if]:
        again = State(after.position, before.seat, before.repeats + 1, before.last_moved)
        assert after == again._replace(arrived=after.arrived)
    else:
        turned(ruleset, before, after)


def lost(ruleset: Ruleset, before: State, seat: int, after: State) -> None:
    """See that the pawns of a lost *seat* left the board, and nothing else happened but to its own turn."""
    assert after.position == with_pawns(before.position, seat, None)
    kept_order(ruleset, before, after, None)
    if seat == before.seat:
        turned(ruleset, before, after)
    else:
        assert after == before._replace(position=after.position, arrived=after.arrived)


# Steps.


def with_pawn(pawns: Pawns, pawn: int, progress: int) -> Pawns:
    """Return *pawns* with one of them at *progress*."""
    a, b, c, d = (progress if p == pawn else pawns[p] for p in PAWNS)
    return a, b, c, d


def with_pawns(position: Position, seat: int, pawns: Pawns | None) -> Position:
    """Return *position* with the pawns of one seat where *pawns* tells."""
    a, b, c, d = (pawns if s == seat else position[s] for s in SEATS)
    return a, b, c, d


def ways(ruleset: Ruleset, place: int, squares: int) -> Iterator[tuple[int, ...]]:
    """Yield each way, as the places on it, that a pawn can go on from *place* by so many squares."""
    board = ruleset.board
    if squares == 0:
        yield ()
        return
    ahead = [] if place in (board.home, board.last) else [place + 1]
    if ruleset.second_lap and place == board.ring_steps:
        ahead.append(board.home + 1)
    if ruleset.second_lap and place == board.last > board.home:
        ahead = [1]
    for following in ahead:
        yield from ((following, *rest) for rest in ways(ruleset, following, squares - 1))


def stepped(ruleset: Ruleset, before: State, step: Step, applied: Applied) -> None:
    """See that *step* moved one pawn as far as it says, captured whom it met, and used what it spent."""
    board, after = ruleset.board, applied.state
    hand = hand_of(ruleset, before.position, before.seat)
    own = before.position[hand]
    assert own is not None
    target = board.progress(hand, step.square, lap=ruleset.second_lap)
    assert target is not None
    met = _met(ruleset, before, hand, step, target)
    assert sorted(applied.captured) == sorted(met)
    position = with_pawns(before.position, hand, with_pawn(own, step.pawn, target))
    for seat, pawn in met:
        pawns = position[seat]
        assert pawns is not None
        position = with_pawns(position, seat, with_pawn(pawns, pawn, NEST))
    assert after.position == position
    earned = [ruleset.capture_bonus] * len(met) + [ruleset.home_bonus] * (target == board.home)
    assert Counter(applied.earned) == Counter(filter(None, earned))
    home = finished(board, position[hand])
    partner = position[(hand + 2) % 4]
    relayed = both_must_finish(ruleset) and partner is not None and not finished(board, partner)
    assert applied.won == (home and not relayed)
    assert (after.seat, after.repeats, after.dice) == (before.seat, before.repeats, before.dice)
    assert after.at_throw == before.at_throw
    kept_order(ruleset, before, after, (hand, step.pawn))
    if home and relayed:
        assert (after.numbers, after.bonuses, after.last_moved) == ((), (), None)
    else:
        assert after.last_moved == step.pawn
    if not home:
        spent(ruleset, before, step, applied)


def _met(ruleset: Ruleset, before: State, hand: int, step: Step, target: int) -> list[Man]:
    """Return whom a step captures, and see that the pawn comes as far as the step says."""
    board = ruleset.board
    own = before.position[hand]
    assert own is not None
    standing = men_on_ring(board, before.position)
    friends = counts_as_own(ruleset, hand)
    place = own[step.pawn]
    there = standing.get(step.square, [])
    theirs = [man for man in there if man[0] not in friends]
    if place == NEST:
        assert target == 1
        assert step.use == 5 or step.use in SUMS
        return _met_on_entry(ruleset, before, there, theirs)
    squares = step.use % BONUS if step.use > BONUS else step.use
    assert step.use not in SUMS
    routes = [way for way in ways(ruleset, place, squares) if way[-1] == target]
    assert len(routes) == 1
    if ruleset.capture is Capture.NONE:
        return []
    met = theirs if step.square not in board.safe else []
    if ruleset.capture is Capture.PASSING:
        for passed in routes[0][:-1]:
            square = board.square(hand, passed)
            men = standing.get(square, [])
            if len(men) == 1 and men[0][0] not in friends and square not in board.safe:
                met = [*met, *men]
    return met


def _met_on_entry(ruleset: Ruleset, before: State, there: list[Man], theirs: list[Man]) -> list[Man]:
    """Return whom entering captures, of those *there* and of the opponents among them."""
    assert ruleset.entry_capture is EntryCapture.WHEN_FULL or len(there) < 2
    if ruleset.entry_capture is EntryCapture.ALONE:
        return theirs
    if ruleset.entry_capture is EntryCapture.NONE or len(there) < 2:
        return []
    assert theirs, "two that count as own shut the entry"
    return [man for man in theirs if len(theirs) == 1 or before.arrived & arrival(*man)]


def kept_order(ruleset: Ruleset, before: State, after: State, moved: Man | None) -> None:
    """See that of two that stood together the same one came last, and *moved* where it joined."""
    then = men_on_ring(ruleset.board, before.position)
    now = men_on_ring(ruleset.board, after.position)
    last_of_two(ruleset, now, after.arrived)
    for square, men in now.items():
        for man in men:
            was, is_last = before.arrived & arrival(*man), after.arrived & arrival(*man)
            if then.get(square) == men and moved not in men:
                assert bool(was) == bool(is_last)
            elif man == moved:
                assert bool(is_last) == (len(men) == 2 and ruleset.entry_capture is EntryCapture.WHEN_FULL)


def spent(ruleset: Ruleset, before: State, step: Step, applied: Applied) -> None:
    """See that *step* used one number, one five by sum or one bonus, and that what it earned waits."""
    numbers, bonuses = Counter(before.numbers), Counter(before.bonuses)
    after = applied.state
    if step.use > BONUS:
        bonuses[step.use - BONUS] -= 1
        gives_up = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS
        assert after.numbers == (() if gives_up else before.numbers)
    else:
        if ruleset.bonus_timing is BonusTiming.AT_ONCE:
            bonuses.clear()  # those that waited could not be used, and are lost
        numbers.subtract(SUMS.get(step.use, (step.use,)))
        assert min(numbers.values()) >= 0
        assert after.numbers == tuple(sorted(numbers.elements()))
    bonuses.update(applied.earned)
    assert min(bonuses.values(), default=0) >= 0
    assert after.bonuses == tuple(sorted(bonuses.elements()))
