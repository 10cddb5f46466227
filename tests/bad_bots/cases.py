"""
The bad bots, one for each way to be bad that we know, and what each is to be charged with.

The programs are in `bots/`; a file there that is not listed here fails a test.
"""

from dataclasses import dataclass, replace
from datetime import timedelta

from referee.match.faults import FaultKind
from referee.match.time_bank import Clock

SECOND = timedelta(seconds=1)
CLOCK = Clock(startup=10 * SECOND, ready=10 * SECOND, per_move=3 * SECOND, grace=SECOND / 50)
"""For bots whose fault has nothing to do with time: they must not be late on a busy machine."""

HASTY = Clock(startup=10 * SECOND, ready=10 * SECOND, per_move=SECOND / 5, grace=SECOND / 50, grace_times=1)
"""For bots that are to be late."""

LEISURE = replace(CLOCK, per_move=20 * SECOND)
"""For bots that need a while to be bad."""

BANKED = Clock(per_move=SECOND / 10, bank=SECOND / 10, grace=SECOND / 50, grace_times=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class BadBot:
    """
    One program and its due.

    `kind` is the fault it is charged with, None if it does nothing that a game could mind; `says` a
    pattern that the fault's detail matches, `stderr` one for the tail of its standard error. `struck`
    counts the faults it commits where each costs a strike; 0: it is not shown there. A `loud` bot
    could do harm by its sheer volume; it is let in when a game is going on beside.
    """

    name: str
    kind: FaultKind | None
    says: str = ""
    stderr: str = ""
    clock: Clock = CLOCK
    struck: int = 0
    loud: bool = False


BAD_BOTS = (
    BadBot(name="sleeps", kind=FaultKind.LATE, says=r"no answer within 220 ms", clock=HASTY, struck=3),
    BadBot(name="mumbles", kind=FaultKind.LATE, says=r"limit 100, bank and grace 120", clock=BANKED),
    BadBot(name="dawdles", kind=FaultKind.LATE, says=r"no answer within 220 ms", clock=HASTY, struck=1),
    BadBot(name="trickles", kind=FaultKind.LATE, says=r"no answer within 220 ms", clock=HASTY),
    BadBot(name="freezes", kind=FaultKind.LATE, says=r"no answer within 220 ms", clock=HASTY),
    BadBot(
        name="answers_illegally",
        kind=FaultKind.ILLEGAL,
        says=r"step 1 of the answer, \d+ \(pawn \d, \d to 68\): .+",
        stderr=r"now \d+ is sent",
        struck=3,
    ),
    BadBot(
        name="answers_nonsense",
        kind=FaultKind.MALFORMED,
        says=r"4294967295 is not the number of a step",
    ),
    BadBot(name="answers_garbage", kind=FaultKind.MALFORMED, says=r"bytes are no PlayRequest", struck=3),
    BadBot(name="answers_no_steps", kind=FaultKind.MALFORMED, says=r"holds no step"),
    BadBot(
        name="answers_another_game",
        kind=FaultKind.MALFORMED,
        says=r"game 999999 is none of this bot's",
        struck=3,
    ),
    BadBot(name="answers_twice", kind=FaultKind.STALE, says=r"ask \d+ is not open", struck=3),
    BadBot(name="answers_an_old_ask", kind=FaultKind.STALE, says=r"ask 1 is not open; ask \d+ is", struck=3),
    BadBot(name="floods_answers", kind=FaultKind.STALE, says=r"ask \d+ is not open", struck=3, loud=True),
    BadBot(name="floods", kind=FaultKind.FLOOD, says=r"more than 64 messages, or entries in one", loud=True),
    BadBot(name="floods_in_a_list", kind=FaultKind.FLOOD, says=r"more than 64 messages, or entries in one"),
    BadBot(name="floods_readies", kind=FaultKind.FLOOD, says=r"more than 64 messages", loud=True),
    BadBot(name="floods_declines", kind=FaultKind.FLOOD, says=r"more than 64 messages", loud=True),
    BadBot(
        name="sends_large", kind=FaultKind.TOO_LARGE, says=r"a message of 1000\d\d bytes; the limit is 65536"
    ),
    BadBot(name="sends_huge", kind=FaultKind.TOO_LARGE, says=r"over 4 MiB", clock=LEISURE, loud=True),
    BadBot(
        name="sends_huge_and_stays", kind=FaultKind.TOO_LARGE, says=r"over 4 MiB", clock=LEISURE, loud=True
    ),
    BadBot(name="breaks_the_connection", kind=FaultKind.GONE, says=r"hung up"),
    BadBot(
        name="raises",
        kind=FaultKind.GONE,
        says=r"the process ended with exit code 1",
        stderr=r"IndexError: pawn 4 of 0 to 3",
    ),
    BadBot(name="segfaults", kind=FaultKind.GONE, says=r"the process was ended by signal 11"),
    BadBot(name="exits", kind=FaultKind.GONE, says=r"the process ended with exit code 0"),
    BadBot(name="crashes_and_leaves_a_child", kind=FaultKind.GONE, says=r"exit code 4"),
    BadBot(name="hangs_up", kind=FaultKind.GONE, says=r"hung up"),
    BadBot(name="dials_again", kind=FaultKind.GONE, says=r"hung up|superseded"),
    BadBot(name="outlives_its_launcher", kind=FaultKind.GONE, says=r"the process was ended by signal 9"),
    BadBot(name="closes_its_side", kind=FaultKind.GONE, says=r"closed its side of the stream"),
    BadBot(name="connects_twice", kind=FaultKind.GONE, says=r"superseded: .* newer session \w+"),
    BadBot(name="floods_streams", kind=FaultKind.GONE, says=r"superseded", loud=True),
    BadBot(name="floods_silent_streams", kind=FaultKind.LATE, says=r"no answer", loud=True, clock=HASTY),
    BadBot(
        name="crashes_at_start",
        kind=FaultKind.NO_SHOW,
        says=r"the process ended with exit code 3 before it said hello",
        stderr=r"there is no opening book here",
    ),
    BadBot(
        name="says_no_hello",
        kind=FaultKind.NO_SHOW,
        says=r"no hello within 2000 ms of its start",
        clock=Clock(startup=2 * SECOND),
    ),
    BadBot(
        name="speaks_another_protocol",
        kind=FaultKind.NO_SHOW,
        says=r"no hello within 2000 ms of its start",
        clock=Clock(startup=2 * SECOND),
    ),
    BadBot(
        name="is_never_ready",
        kind=FaultKind.NO_SHOW,
        says=r"no ready within 200 ms of the offer",
        clock=Clock(ready=SECOND / 5),
    ),
    BadBot(name="declines", kind=FaultKind.NO_SHOW, says=r"declined: not on a Monday"),
    BadBot(name="resigns", kind=FaultKind.RESIGNED, says=r"gave up the seat"),
    BadBot(name="chatters", kind=None, loud=True),
    BadBot(name="stays", kind=None),
    BadBot(name="leaves_a_child", kind=None),
    BadBot(name="leaves_a_child_apart", kind=None),
    BadBot(name="leaves_a_child_unmarked", kind=None),
    BadBot(name="thinks_without_reading", kind=None),
)
