"""
Positions made on purpose, where a shortcut of the engine may be taken, and next to where it may not.

Knows: what the theory of `referee/rules/engine.py` says of each shortcut; how to come near its premises.
Does not know: whether it is taken, and what is legal; `tests/rules/test_engine_shortcuts.py` counts.

The families speak as those of `tests/rules/positions.py` do, of places on the mover's own way. Each has the
name of what it is about, and the rulesets in which that can happen.
"""

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

from referee.rules.board import NEST
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    DoubletHome,
    Fourteen,
    MustEnter,
    Pairs,
    Ruleset,
    SamePair,
    SingleNumber,
    TeamWin,
    Use,
)
from tests.oracle.sheets import (
    CASUAL_SUPER,
    HASBRO,
    PRESSMAN,
    PRESSMAN_TEAMS,
    RACKET,
    SELCHOW_RIGHTER,
    WINNING_MOVES,
)
from tests.oracle.support import variation
from tests.rules.positions import (
    Family,
    Misplaced,
    Question,
    Table,
    Throw,
    any_dice,
    doublet,
    drawn,
    five_by_sum,
    pawn_somewhere,
)

FREE_MAXIMAL = variation(RACKET, use=Use.MAXIMAL, same_pair=SamePair.FREE)
FREE_WHOLE = variation(RACKET, fourteen=Fourteen.ALL_OR_NOTHING, same_pair=SamePair.FREE)
LARGER = variation(RACKET, single_number=SingleNumber.LARGER, same_pair=SamePair.FREE)
FULL_ENTRY = variation(CASUAL_SUPER, use=Use.MAXIMAL)
FULL_ENTRY_ANY_TIME = variation(CASUAL_SUPER, use=Use.MAXIMAL, bonus_timing=BonusTiming.ANY_TIME)
LAP = variation(RACKET, second_lap=True, must_enter=MustEnter.MOST)
LAP_ENTERS = variation(RACKET, second_lap=True, must_enter=MustEnter.WHEN_POSSIBLE, use=Use.MAXIMAL)
LAP_FREE = variation(RACKET, second_lap=True, use=Use.MAXIMAL, same_pair=SamePair.FREE)
MIXED_PAIRS = variation(FULL_ENTRY_ANY_TIME, pairs=Pairs.MIXED_ON_SAFE)
WITH_FOURTEEN = variation(RACKET, doublet_home=DoubletHome.WITH_FOURTEEN)
WHOLE = (
    variation(PRESSMAN, bonus_timing=BonusTiming.ANY_TIME),
    variation(PRESSMAN, fourteen=Fourteen.AS_POSSIBLE),
    variation(PRESSMAN, must_enter=MustEnter.MOST),
)
OPENS_WHOLE = variation(FULL_ENTRY, doublet_home=DoubletHome.WHOLE_FOURTEEN, doublet_faces=DoubletFaces.BOTH)
FINISHERS = variation(PRESSMAN_TEAMS, team_win=TeamWin.BOTH_MEMBERS)
FREE_TEAMS = variation(PRESSMAN_TEAMS, same_pair=SamePair.FREE)
FARTHER_LARGER = variation(WINNING_MOVES, capture_bonus=19, single_number=SingleNumber.LARGER)
BONUS_THREE = variation(WINNING_MOVES, capture_bonus=3, home_bonus=3)
BONUS_THREE_ANY_TIME = variation(BONUS_THREE, bonus_timing=BonusTiming.ANY_TIME)
BONUS_THREE_AT_ONCE = variation(BONUS_THREE, bonus_timing=BonusTiming.AT_ONCE)


def plain_places(table: Table, first: int = 1, last: int = 0) -> list[int]:
    """Return the squares of the mover's way that are not safe, from *first* to *last*, or to its tip."""
    return [at for at in range(first, (last or table.board.ring_steps) + 1) if not table.safe(at)]


def coming_round(table: Table) -> list[int]:
    """Return the mover's tip, and the places behind its entry that a second lap leads to."""
    board = table.board
    return [board.ring_steps, *(range(board.home + 1, board.last + 1) if table.ruleset.second_lap else ())]


# Greedy; one number left, or one step.


def greedy_choice_that_spoils(table: Table) -> Throw:
    """Either number can be used first, and after one of them the other cannot any more."""
    low, high = table.random.sample(range(1, 7), 2)
    stop = table.random.choice([at for at in table.safe_places(14) if at < table.board.ring_steps])
    table.own = [stop - low - high]
    table.opponent(stop)
    table.own.append(table.random.choice([stop - low, NEST, table.board.home - high]))
    if table.random.random() < 0.5:
        table.opponent(stop - high, 2)
    table.fill(table.board.home)
    return low, high


def one_step_or_one_number(table: Table) -> Throw:
    """All pawns are stopped but one, and that one soon is."""
    dice = table.random.choice([any_dice, doublet])(table.random)
    place = table.random.randint(1, table.board.ring_steps - 20)
    table.own = [place, table.board.home - table.random.randint(1, 4)]
    table.opponent(place + sum(dice), 2)
    if table.random.random() < 0.5:
        table.own.append(place + 20)
        table.opponent(place + 21, 2)
    table.fill(table.board.home)
    return dice


# Someone must enter.


def someone_must_enter(table: Table) -> Throw:
    """A five and an entry that is open, with whatever stands on it, behind it and close ahead."""
    table.own = [NEST] * table.random.choice((1, 1, 2))
    match table.random.randrange(4):
        case 0:
            table.own.append(1)
        case 1:
            table.opponent(1)
        case _:
            pass
    other = table.random.randint(1, 6)
    for _ in range(table.random.randint(0, 2)):
        table.opponent(
            1 + table.random.choice([other, table.random.randint(1, 6)]), table.random.choice((1, 2))
        )
    while len(table.own) < 4:
        table.own.append(table.random.choice([1 + other, 2, pawn_somewhere(table), table.board.home - other]))
    return table.random.choice([(5, other), (other, 5), five_by_sum(table.random)])


def entry_full_or_shared(table: Table) -> Throw:
    """A five, and two on the entry, of which one may be captured: that opens a way, or gives a bonus."""
    table.own = [NEST] * table.random.choice((1, 2))
    match table.random.randrange(4):
        case 0:
            table.opponent(1, colours=2)
        case 1:
            table.opponent(1, 2)
        case 2:
            table.own.append(1)
            table.opponent(1)
        case _:
            table.own += [1, 1]
            table.own = table.own[-4:]
    other = table.random.randint(1, 6)
    if table.random.random() < 0.5:
        table.opponent(1 + other, 2)
    if table.random.random() < 0.4:
        table.opponent(21 + table.random.choice((0, 5)))
    while len(table.own) < 4:
        table.own.append(table.random.choice([2, 1 + other, pawn_somewhere(table), table.board.home - other]))
    return table.random.choice([(5, other), (other, 5), (5, 5), five_by_sum(table.random)])


def coming_round_to_the_entry(table: Table) -> Throw:
    """Own pawns just behind the entry on a second lap, one or two on it, and a five for one in the nest."""
    board, behind = table.board, coming_round(table)
    other = table.random.randint(1, 6)
    table.own = [NEST, table.random.choice(behind)]
    table.own += table.random.choice([[1], [1], [1, 1], [table.random.choice(behind)], [NEST, 1]])
    if table.random.random() < 0.5:
        table.opponent(1 + table.random.randint(1, 6), 2)
    if table.random.random() < 0.2:
        table.opponent(1, table.random.choice((1, 2)))
    table.own = table.own[:4]
    table.fill(table.random.choice([board.home, NEST, pawn_somewhere(table)]))
    return table.random.choice([(other, 5), (5, other), (5, 5), five_by_sum(table.random)])


# A free road.


def free_road(table: Table) -> Throw:
    """One pawn with nothing before it, or only just so, and others that are stopped."""
    dice = table.random.choice([any_dice, any_dice, doublet])(table.random)
    total = 14 if dice[0] == dice[1] else sum(dice)
    runner = table.random.randint(1, table.board.home - total)
    table.own = [runner]
    table.opponent(runner + total + table.random.choice([0, 1, 1, 1]), table.random.choice((1, 2, 2)))
    stuck = table.random.choice([runner + total + 2, max(runner - 8, 1), pawn_somewhere(table)])
    table.own.append(min(stuck, table.board.home - 1))
    table.opponent(stuck + table.random.randint(1, 6), 2)
    table.fill(table.random.choice([table.board.home, NEST, pawn_somewhere(table)]))
    return dice


def road_shared_with_own_pawns(table: Table) -> Throw:
    """The only road has own pawns on it: one that another would join shuts it, one that moves on opens it."""
    dice = table.random.choice([any_dice, any_dice, doublet])(table.random)
    runner = table.random.randint(1, table.board.ring_steps - 2)
    ahead = [runner + die for die in (*dice, sum(dice), 7 - dice[0])]
    table.own = [runner, table.random.choice(ahead)]
    table.own.append(table.random.choice([runner, *ahead, runner + sum(dice) - dice[0] + 1]))
    if table.random.random() < 0.6:
        table.opponent(table.own[1] + table.random.randint(1, 8), table.random.choice((1, 2)))
    table.own = [min(at, table.board.home - 1) for at in table.own]
    table.fill(table.random.choice([table.board.home, NEST]))
    return dice


def road_shut_by_joining_another(table: Table) -> Throw:
    """On the only road another seat's pawn is alone: an own one that joins it may shut the road."""
    low, high = table.random.sample(range(1, 7), 2)
    square = table.random.choice([at for at in table.safe_places(16) if at < table.board.ring_steps - 8])
    ahead = table.random.randint(1, high)
    table.own = [square - ahead, square - low]
    partner = (table.seat + 2) % 4
    progress = table.board.progress(partner, table.board.square(table.seat, square))
    if partner in table.others and progress is not None and table.random.random() < 0.5:
        table.others[partner].append(progress)
    else:
        table.opponent(square)
    table.opponent(square + table.random.choice([high, high + 1]), table.random.choice((1, 2)))
    if table.random.random() < 0.5:
        table.opponent(square - low + high, 2)
    table.fill(table.random.choice([table.board.home, table.board.home, NEST]))
    return table.random.choice([(low, high), (high, low), (high, high)])


# Counting.


def counting_numbers(table: Table) -> Throw:
    """No road is free, and what can be used depends on what is played first."""
    dice = table.random.choice([any_dice, doublet, doublet])(table.random)
    place = table.random.randint(1, table.board.ring_steps - 14)
    table.own = [place, place + table.random.choice([0, dice[0], dice[1], 7 - dice[0]])]
    table.own.append(table.board.home - table.random.choice([dice[0], 7 - dice[0], 1, sum(dice)]))
    table.opponent(place + sum(dice) + table.random.randint(0, 3), 2)
    if table.random.random() < 0.4:
        table.opponent(place + dice[0], table.random.choice((1, 2)))
    table.fill(table.random.choice([table.board.home, table.board.home, pawn_somewhere(table)]))
    return dice


def two_captors_of_one_square(table: Table) -> Throw:
    """By a doublet two pawns could capture on one square, by different numbers or by two: it counts once."""
    die, _ = dice = doublet(table.random)
    square = table.random.choice(plain_places(table, 16, 60 if table.board.ring_steps > 60 else 48))
    backs = table.random.sample([die, 7 - die, 2 * die, 7, 14 - die, 14 - 2 * die], 2)
    table.own = [square - back for back in backs]
    table.own.append(table.random.choice([table.board.home - die, table.board.home - 1, square - backs[0]]))
    table.opponent(square)
    table.opponent(square + table.random.randint(1, 5), 2)
    partner = (table.seat + 2) % 4
    if partner in table.others and table.random.random() < 0.6:
        at = min(square + table.random.choice([-die, 7 - die, die, 1]), table.board.ring_steps)
        progress = table.board.progress(partner, table.board.square(table.seat, at))
        if progress is None or len(table.others[partner]) > 3:
            raise Misplaced
        table.others[partner].append(progress)
    table.fill(table.random.choice([table.board.home, pawn_somewhere(table)]))
    return dice


# Same pair.


def pair_meets_by_numbers(table: Table) -> Throw:
    """An own pair and a doublet, and others that could take the numbers so that the two need not meet."""
    die, _ = dice = table.random.choice([doublet, doublet, any_dice])(table.random)
    place = table.random.randint(1, table.board.home - 8)
    table.own = [place, place]
    table.own.append(table.random.choice([table.board.home - die, NEST, max(place - die, 1), place + die]))
    if table.random.random() < 0.6:
        table.opponent(place + table.random.choice([2 * die, 7, 14, die + 1]), 2)
    table.fill(table.random.choice([table.board.home, pawn_somewhere(table)]))
    return dice


def pair_meets_by_bonus(table: Table) -> Throw:
    """One of an own pair goes on by what a bonus would take the other: by a number, or by another bonus."""
    dice = table.random.choice([any_dice, doublet])(table.random)
    bonus = table.random.choice([table.ruleset.capture_bonus, table.ruleset.home_bonus])
    bonus = bonus if 0 < bonus < 24 else dice[0]
    if bonus <= 6:
        dice = table.random.choice([(bonus, dice[1]), (dice[0], bonus), (bonus, bonus)])
    place = table.random.choice(plain_places(table, 1, table.board.ring_steps - 26))
    table.own = [place, place, table.board.home - table.random.choice(dice)]
    victim = place + table.random.choice([*dice, dice[0] + dice[1], bonus])
    if not table.safe(victim):
        table.opponent(victim)
    if bonus > 6 and table.random.random() < 0.6:
        table.opponent(place + bonus + table.random.choice((0, dice[0])))
    if table.random.random() < 0.6:
        table.opponent(place + table.random.randint(1, bonus + 6), 2)
    table.fill(table.random.choice([table.board.home, NEST, table.board.home - dice[0]]))
    return dice


def pair_that_comes_round(table: Table) -> Throw:
    """An own pair on its tip, or behind the entry on a second lap, and a doublet."""
    board = table.board
    die, _ = dice = table.random.choice([doublet, doublet, any_dice])(table.random)
    place = table.random.choice(coming_round(table))
    table.own = [place, place, table.random.choice([1, 1 + die, board.home - die, *coming_round(table)])]
    if table.random.random() < 0.6:
        table.opponent(table.random.randint(1, 10), table.random.choice((1, 2)))
    table.fill(table.random.choice([board.home, board.home, NEST]))
    return dice


def pair_parted_by_a_bonus(table: Table) -> Throw:
    """A doublet takes an own pair on together, perhaps with a capture, and the bonus for it parts the two."""
    die, _ = dice = doublet(table.random)
    place = table.random.choice(plain_places(table, 1, table.board.ring_steps - 26))
    table.own = [place, place]
    if not table.safe(place + die) and table.random.random() < 0.7:
        table.opponent(place + die)
    if table.random.random() < 0.5:
        table.opponent(place + die + table.random.choice((20, table.random.randint(1, 20))), 2)
    table.own.append(table.board.home - table.random.choice((die, die + 1, 7 - die, 1)))
    table.fill(table.random.choice([NEST, table.board.home]))
    return dice


# The remaining rules.


def fewer_numbers_could_win(table: Table) -> Throw:
    """Two numbers, and a smaller one, or one that spoils the other, with which the game may be over."""
    low, high = sorted(table.random.sample(range(1, 7), 2))
    home, bonus = table.board.home, table.ruleset.capture_bonus
    ends = [home - bonus + high, home - bonus + high - 1]
    if table.random.random() < 0.7 and any(table.safe(at) for at in ends):
        # Who captures with the smaller one is brought home by the bonus, and could not have used both.
        high = next(at for at in ends if table.safe(at)) - home + bonus
        low = table.random.randint(1, max(high - 1, 1))
        table.own = [home - bonus - low]
        table.opponent(home - bonus)
        table.opponent(home - bonus + high)
    elif table.random.random() < 0.4:
        low = table.random.choice((1, 2))
        table.own = [home - (7 - low)]
        table.fill(home)
        return low, low
    else:
        last = table.random.choice([low, low, high, low + 10, table.random.randint(1, 12)])
        table.own = [home - last, home - table.random.choice([high, 10, 20, 10 + high, 3])]
        table.opponent(home - last - table.random.randint(0, 8) + high, table.random.choice((1, 2)))
    table.fill(home)
    return table.random.choice([(low, high), (high, low)])


def home_with_a_doublet(table: Table) -> Throw:
    """A doublet, a pawn fourteen from home, or nearer, others in its way, one that could take the rest."""
    home = table.board.home
    die, _ = dice = doublet(table.random)
    if table.random.random() < 0.3:
        # One pawn could take all four and is stopped, another is as far from home as the last three lead.
        place = table.random.randint(1, table.board.ring_steps - 24)
        table.own = [place, home - 14, home - (14 - die), table.random.choice([home, home - 1])]
        table.opponent(place + die + 1, 2)
        table.opponent(home - 13, 2)
        return dice
    table.own = [home - table.random.choice([14, 14, die, 7 - die, 7, 14 - die])]
    table.own.append(home - table.random.choice([14, die, 2 * die, 15, 20, table.random.randint(1, 14)]))
    if table.random.random() < 0.5:
        table.opponent(table.own[0] + table.random.randint(1, 7), table.random.choice((1, 2)))
    if table.random.random() < 0.4:
        table.own.append(pawn_somewhere(table))
        table.opponent(table.own[-1] + die)
    table.fill(table.random.choice([home, home, home, NEST]))
    return dice


def most_must_enter(table: Table) -> Throw:
    """Fives for two in the nest, or an own pair on the entry that must open first."""
    table.own = [NEST] * table.random.choice((1, 2, 2))
    table.own += table.random.choice([[1, 1], [1, 1], [1], []])
    other = table.random.randint(1, 6)
    if table.random.random() < 0.5:
        table.opponent(1 + other, table.random.choice((1, 2)))
    if table.own.count(1) == 0 and table.random.random() < 0.6:
        table.opponent(1, table.random.choice((1, 2)))
    table.own = table.own[:4]
    table.fill(table.random.choice([table.board.home, pawn_somewhere(table), 1 + other]))
    return table.random.choice([(5, 5), (5, 5), (5, other), (other, 5), five_by_sum(table.random)])


def pair_must_open(table: Table) -> Throw:
    """A doublet and an own pair that may open now, or only once another pawn has moved, or by no number."""
    die, _ = dice = doublet(table.random)
    place = table.random.randint(1, table.board.ring_steps - 14)
    table.own = [place, place, max(place - table.random.choice([die, die + 1, 7]), 1)]
    match table.random.randrange(3):
        case 0:
            table.own.append(place + die)
            table.own[2] = place + die
        case 1:
            table.opponent(place + die, 2)
        case _:
            table.opponent(max(place - die, 1) + die + table.random.randint(1, 20))
    table.fill(table.random.choice([table.board.home, pawn_somewhere(table), NEST]))
    return dice


def only_one_of_two(table: Table) -> Throw:
    """Two numbers of which one pawn can use either and no pawn both, or not until it captures."""
    low, high = sorted(table.random.sample(range(1, 7), 2))
    place = table.random.choice(plain_places(table, 8, table.board.ring_steps - 13))
    table.own = [place]
    table.opponent(place + low + high, 2)
    if table.random.random() < 0.5:
        table.opponent(place + table.random.choice((low, high)))
    table.own.append(table.board.home - table.random.choice([low, high, 10, 20, 1]))
    table.fill(table.board.home)
    return table.random.choice([(low, high), (high, low)])


def pairs_that_can_be_broken(table: Table) -> Throw:
    """1 1 before pairs of others: more numbers can be used than walls let one think, and bonuses cannot."""
    place = table.random.choice(plain_places(table, 1, table.board.ring_steps - 28))
    table.own = [place, place + table.random.choice([0, 1, 6, 7])]
    table.opponent(place + table.random.choice((1, 6, 7, 2, 8)), 2)
    table.opponent(place + table.random.choice((13, 14, 20, 21, 22)), table.random.choice((1, 2)))
    table.fill(table.random.choice([table.board.home, table.board.home, NEST, table.board.home - 1]))
    return 1, 1


def capture_that_opens_a_way(table: Table) -> Throw:
    """Who enters captures one of two that shut the way, or the entry, for others."""
    other = table.random.randint(1, 6)
    table.own = [NEST]
    table.opponent(1, *table.random.choice([(2, 1), (1, 2), (1, 1)]))
    if table.ruleset.second_lap:
        table.own.append(table.board.last + 1 - other if other > 1 else table.board.last)
        table.own += table.random.choice([[], [table.random.choice(coming_round(table))]])
    table.own.append(table.random.choice([NEST, table.board.home - 5, table.board.home - other]))
    if table.random.random() < 0.7:
        table.opponent(1 + table.random.randint(1, other), 2)
    table.fill(table.board.home)
    return table.random.choice([(5, other), (other, 5), (5, 5)])


class Near(NamedTuple):
    """A family, and the rulesets in which it comes near what it is about."""

    family: Family
    rulesets: tuple[Ruleset, ...]


SHORTCUTS: Final[Mapping[str, Near]] = {
    family.__name__: Near(family, rulesets)
    for family, rulesets in (
        (greedy_choice_that_spoils, (RACKET, CASUAL_SUPER)),
        (one_step_or_one_number, (FREE_MAXIMAL, WINNING_MOVES, HASBRO)),
        (someone_must_enter, (WINNING_MOVES, HASBRO, FULL_ENTRY, PRESSMAN_TEAMS)),
        (entry_full_or_shared, (FULL_ENTRY, FULL_ENTRY_ANY_TIME, CASUAL_SUPER)),
        (coming_round_to_the_entry, (HASBRO, LAP, LAP_ENTERS)),
        (free_road, (FREE_MAXIMAL, WINNING_MOVES, LARGER, FREE_TEAMS)),
        (road_shared_with_own_pawns, (FREE_MAXIMAL, WINNING_MOVES, HASBRO, FREE_TEAMS)),
        (road_shut_by_joining_another, (MIXED_PAIRS, FULL_ENTRY_ANY_TIME, FREE_TEAMS, PRESSMAN_TEAMS)),
        (counting_numbers, (FREE_MAXIMAL, FREE_WHOLE, WINNING_MOVES, FREE_TEAMS, LARGER)),
        (two_captors_of_one_square, (PRESSMAN_TEAMS, FREE_TEAMS, FREE_WHOLE, FINISHERS)),
        (pair_meets_by_numbers, (WINNING_MOVES, RACKET, HASBRO, PRESSMAN_TEAMS)),
        (pair_that_comes_round, (HASBRO, LAP_ENTERS)),
        (pair_meets_by_bonus, (BONUS_THREE, BONUS_THREE_ANY_TIME, BONUS_THREE_AT_ONCE, RACKET)),
        (pair_parted_by_a_bonus, (WINNING_MOVES, PRESSMAN, PRESSMAN_TEAMS)),
        (fewer_numbers_could_win, (FARTHER_LARGER, HASBRO, PRESSMAN_TEAMS)),
        (home_with_a_doublet, (PRESSMAN, SELCHOW_RIGHTER, WITH_FOURTEEN, *WHOLE, OPENS_WHOLE)),
        (most_must_enter, (SELCHOW_RIGHTER, LAP)),
        (pair_must_open, (CASUAL_SUPER, FULL_ENTRY, OPENS_WHOLE)),
        (only_one_of_two, (HASBRO, PRESSMAN, LARGER)),
        (pairs_that_can_be_broken, (HASBRO,)),
        (capture_that_opens_a_way, (FULL_ENTRY, FULL_ENTRY_ANY_TIME, LAP_ENTERS, LAP_FREE)),
    )
}
"""The families by name."""


def near(ruleset: Ruleset, family: str, seed: int) -> Question:
    """Return question number *seed* of *family* for *ruleset*, one of its own or not; the same each time."""
    return drawn(ruleset, SHORTCUTS[family].family, Random(f"{family} {seed}"))
