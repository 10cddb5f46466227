"""
A record proven: every throw recomputed from the seed, every step replayed under the rules.

Joins what `record` and `dice` must not know of each other.
"""

from pathlib import Path

from referee.dice import SEED_BYTES, SeededDice, commitment
from referee.errors import RecordError
from referee.match.events import FirstThrown, Thrown
from referee.record.replay import Replayed, replay
from referee.record.show import name_of_others
from referee.rules.engine import Rules


def verify(path: Path, rules: Rules | None = None) -> Replayed:
    """
    Return the record at *path* if all of it agrees: rules and their name, positions, commitment, dice.

    Raises:
        RecordError: What does not agree, and where.
    """
    done = replay(path, rules)
    if done.torn:
        raise RecordError(f"{path}: the last line is torn; the game is not finished")
    if done.match.events:
        raise RecordError(f"{path}: the record stops before what its last line led to")
    if done.seed is None:
        if done.match.ended is None and done.finished:
            raise RecordError(
                f"{path}: the game is void; its seed is not told and its dice cannot be checked"
            )
        raise RecordError(f"{path}: the game is not finished: its seed is not told yet")
    if commitment(done.seed) != done.setup.commitment:
        raise RecordError(f"{path}: the seed is not the one that the header committed to")
    if len(done.seed) != SEED_BYTES:
        raise RecordError(f"{path}: the seed has {len(done.seed)} bytes, not {SEED_BYTES}")
    dice = SeededDice(done.seed)
    for number, event in enumerate(done.events, 2):
        if isinstance(event, FirstThrown | Thrown):
            right = dice.throw(event.seat, event.number, len(event.dice))
            if event.dice != right:
                raise RecordError(
                    f"{path}: line {number}: seat {event.seat}'s throw {event.number} is {list(event.dice)}, "
                    f"the seed gives {list(right)}"
                )
    if misnamed := name_of_others(done.setup.ruleset):
        raise RecordError(f"{path}: line 1: {misnamed}; all else agrees")
    return done
