"""
The built-in strategies: who plays when no bot is at hand.

Knows: three ways to choose among legal steps, exactly as sample_bots/STRATEGIES.md defines them.
Does not know: who asks, what time it is, the wire.

A strategy is a pure function, so a game between built-in players can be repeated, and a bot in
any language that follows the page gives the same answers. All sums are whole numbers, and of
equals the first in the order of the ask wins.

What differs between rulesets is asked of their fields, once: `Eyes` is the board as one seat sees it. A
seat that has finished plays with its partner's pawns, and sees the board as the partner does.

`careful` looks at the position after each legal play. Its theory: the pawns of the others do not
move during a play, they are only captured; so what a square is worth to an own pawn is computed
once for each state of the others (`Eyes.outlook`), and a play is then judged by four look-ups.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from referee.errors import UnknownName
from referee.match.ask import Ask
from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_HOME, Board
from referee.rules.engine import Rules
from referee.rules.ruleset import Capture, EntryCapture, Partner, Ruleset, Teams
from referee.rules.state import Pawns, Position, Step

Strategy = Callable[[Rules, Ask], Sequence[Step]]
"""Returns the steps of an answer, one or more, the first of them one of the ask's."""

WORD: Final = 0xFFFFFFFF
"""Sums of `random` are taken modulo 2 to the 32."""

COMES_HOME: Final = 300
CAPTURES: Final = 200
ENTERS: Final = 100
"""What `racer` adds to a pawn's progress."""

CHANCES: Final = 36
"""All throws of two dice; `careful` counts in 36ths of a square."""
HITS: Final[Mapping[tuple[int, bool], tuple[int, ...]]] = {
    (2, False): (11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1),
    (1, False): (6, 6, 6, 6, 6, 6),
    (2, True): (36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1),
    (1, True): (36, 30, 24, 18, 12, 6),
}
"""
In how many of 36 throws a pawn comes to a square that lies 1, 2, 3 … ahead, by how many dice fall.

With one number or the sum of both; where pawns are captured in passing (True), by as much or more.
"""
HITS_FROM_NEST: Final = {2: 15, 1: 6}
"""In how many of 36 throws there is a five, on a die or as a sum, by how many dice fall."""
HOME: Final = 360
"""What `careful` adds for a pawn at home, ten squares;"""
WON: Final = 1_000_000
"""for all four;"""
SAFE: Final = 180
"""for a pawn on a safe square or in a pair, five squares."""

Outlook = tuple[list[int], list[int], int]
"""
What the pawns of the others make of the board: what each progress is worth to a pawn that stands there
alone, then to one in a pair, then what the progress of the others counts.
"""


def random(rules: Rules, ask: Ask) -> Sequence[Step]:
    """Return one step that looks random: a hash of the game and the ask chooses it."""
    return (ask.steps[scrambled(ask.game, ask.number) % len(ask.steps)],)


def scrambled(game: int, number: int) -> int:
    """Return 32 bits that depend on every bit of *game* and *number*."""
    h = game * 2654435761 + number * 40503 & WORD
    h ^= h >> 15
    h = h * 2246822519 & WORD
    return h ^ h >> 13


def racer(rules: Rules, ask: Ask) -> Sequence[Step]:
    """Return one step: home, else over an opponent, else out of the nest, else with the pawn furthest on."""
    position = ask.state.position
    seat = rules.mover(position, ask.state.seat)
    eyes, own = _eyes(rules.ruleset, seat), position[seat]
    assert own is not None
    squares = eyes.squares_of_others(position)
    opponents = frozenset(square for other in eyes.opponents for square in squares[other])
    on_entry = sum(theirs.count(eyes.entry) for theirs in squares)
    best: Step | None = None
    most = 0
    for step in ask.steps:
        at = own[step.pawn]
        score = come = eyes.come_on(step.square)
        if step.square == SQUARE_HOME:
            score += COMES_HOME
        if at == NEST:
            score += ENTERS
            captures = eyes.entry in opponents and eyes.entering_captures(on_entry + own.count(1))
        else:
            captures = come > eyes.come[at] and not opponents.isdisjoint(eyes.hunted(at, step.square))
        if captures:
            score += CAPTURES
        if best is None or score > most:
            best, most = step, score
    assert best is not None
    return (best,)


def careful(rules: Rules, ask: Ask) -> Sequence[Step]:
    """Return the whole play after which the seat stands best."""
    plays = rules.plays(ask.state)[0] if ask.plays is None else ask.plays
    eyes = _eyes(rules.ruleset, rules.mover(ask.state.position, ask.state.seat))
    best: Sequence[Step] = ask.steps[:1]
    most: int | None = None
    for play in plays:
        value = eyes.standing(play.position)
        if most is None or value > most:
            best, most = play.steps, value
    return best


def standing(ruleset: Ruleset, seat: int, position: Position) -> int:
    """Return how well *seat* stands, in 36ths of a square."""
    return _eyes(ruleset, seat).standing(position)


class Eyes:
    """A ruleset's board as the pawns of one seat see it."""

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        board = ruleset.board
        self.seat: Final = seat
        self.board: Final[Board] = board
        teams = ruleset.teams is not Teams.NONE
        self.partner: Final = (seat + 2) % len(SEATS) if teams else seat
        """The seat that wins together with this one; itself where nobody does."""
        self.opponents: Final = tuple(other for other in SEATS if other not in (seat, self.partner))
        self.come: Final = tuple(
            progress if progress <= board.home else progress - board.last
            for progress in range(board.last + 1)
        )
        """How far a pawn has come, by its progress: 0 and less before its second lap."""
        self.entry: Final = board.entries[seat]
        self.outlook: Final = lru_cache(maxsize=4096)(self._outlook)
        self._squares: Final = tuple(
            tuple(board.square(other, progress) for progress in range(board.last + 1)) for other in SEATS
        )
        self._entry_capture: Final = ruleset.entry_capture
        self._captures: Final = ruleset.capture is not Capture.NONE
        self._passing: Final = ruleset.capture is Capture.PASSING
        self._hits: Final = HITS[ruleset.dice, self._passing]
        self._hits_from_nest: Final = HITS_FROM_NEST[ruleset.dice]
        self._pairs_with_partner: Final = teams and ruleset.partner is Partner.PAIR
        self._captor_gains: Final = ruleset.capture_bonus

    def come_on(self, square: int) -> int:
        """Return how far a pawn of the seat has come that stands on *square*."""
        progress = self.board.progress(self.seat, square, lap=True)
        assert progress is not None
        return self.come[progress]

    def squares_of_others(self, position: Position) -> list[tuple[int, ...]]:
        """Return the ring squares on which the pawns of each seat stand, none for the seat itself."""
        ring = range(1, self.board.ring + 1)
        return [
            ()
            if pawns is None or other == self.seat
            else tuple(square for at in pawns if (square := self._squares[other][at]) in ring)
            for other, pawns in enumerate(position)
        ]

    def entering_captures(self, pawns: int) -> bool:
        """Tell whether entering captures an opponent on the entry, which holds so many *pawns*."""
        if self._entry_capture is EntryCapture.WHEN_FULL:
            return pawns == 2
        return self._entry_capture is EntryCapture.ALONE

    def hunted(self, at: int, square: int) -> Sequence[int]:
        """Return the squares on which a pawn captures that advances to *square* from its progress *at*."""
        board = self.board
        origin = self._squares[self.seat][at]
        last = square if square <= board.ring else board.tips[self.seat]
        if not self._captures or not 1 <= origin <= board.ring:
            return ()
        if self._passing:
            ahead = ((origin + n) % board.ring + 1 for n in range((last - origin) % board.ring))
            return [passed for passed in ahead if passed not in board.safe]
        return (square,) if square == last and square not in board.safe else ()

    def standing(self, position: Position) -> int:
        """Return how well the seat stands, in 36ths of a square."""
        seat, own = self.seat, position[self.seat]
        assert own is not None
        alone, paired, value = self.outlook(position[:seat] + position[seat + 1 :])
        for progress in own:
            value += alone[progress] if own.count(progress) == 1 else paired[progress]
        return value + WON if own.count(self.board.home) == len(PAWNS) else value

    def _outlook(self, others: tuple[Pawns | None, ...]) -> Outlook:
        """Return what *others*, the pawns of the other seats in order, make of the board."""
        board = self.board
        position = {
            other: pawns
            for other, pawns in zip((o for o in SEATS if o != self.seat), others, strict=True)
            if pawns is not None
        }
        squares = {other: [self._squares[other][at] for at in pawns] for other, pawns in position.items()}
        taken = {square for theirs in squares.values() for square in theirs}
        beside = set(squares.get(self.partner, ())) if self._pairs_with_partner else set()
        hunters = [(other, position[other]) for other in self.opponents if other in position]
        on_ring, on_entry = self._hits_of(hunters, taken)
        alone = [CHANCES * come for come in self.come]
        alone[board.home] += HOME
        paired = alone.copy()
        for progress, square in enumerate(self._squares[self.seat]):
            if not 1 <= square <= board.ring:
                continue
            paired[progress] += SAFE
            if square in beside:
                alone[progress] = paired[progress]
                continue
            hits = on_entry[square]
            if square in board.safe:
                alone[progress] += SAFE
            else:
                hits += on_ring[square]
            alone[progress] -= min(hits, CHANCES) * (self.come[progress] + self._captor_gains)
        weight = CHANCES // max(1, len(hunters))
        helped = sum(self.come[at] for at in position.get(self.partner, ()))
        return alone, paired, weight * (helped - sum(self.come[at] for _, pawns in hunters for at in pawns))

    def _hits_of(self, hunters: Sequence[tuple[int, Pawns]], taken: set[int]) -> tuple[list[int], list[int]]:
        """Return by square in how many of 36 throws *hunters* advance to it, and enter on it to capture."""
        board = self.board
        on_ring = [0] * (board.ring + 1)
        on_entry = [0] * (board.ring + 1)
        for other, pawns in hunters:
            entry = board.entries[other]
            if NEST in pawns and self._captures_beside(entry in taken):
                on_entry[entry] = self._hits_from_nest
            for at in pawns if self._captures else ():
                square, to_tip = self._squares[other][at], board.ring_steps - self.come[at]
                if 1 <= square <= board.ring:
                    for n, hits in enumerate(self._hits[:to_tip]):
                        on_ring[(square + n) % board.ring + 1] += hits
        return on_ring, on_entry

    def _captures_beside(self, taken: bool) -> bool:
        """Tell whether who enters captures a lone pawn on the entry, where another seat's may stand too."""
        if self._entry_capture is EntryCapture.WHEN_FULL:
            return taken
        return self._entry_capture is EntryCapture.ALONE


@lru_cache
def _eyes(ruleset: Ruleset, seat: int) -> Eyes:
    return Eyes(ruleset, seat)


STRATEGIES: Final[Mapping[str, Strategy]] = {"random": random, "racer": racer, "careful": careful}


def strategy(name: str) -> Strategy:
    """
    Return the strategy called *name*.

    Raises:
        UnknownName: There is none; the message lists those there are.
    """
    try:
        return STRATEGIES[name]
    except KeyError:
        raise UnknownName("built-in player", name, STRATEGIES) from None
