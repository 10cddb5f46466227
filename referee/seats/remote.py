"""
A bot behind a stream, from its hello to its goodbye.

Knows: what waits to be sent to it, the games it sits in, what it may send.
Does not know: the transport. The session that owns the stream takes messages from here to the bot
(`message`) and brings back what the bot sent (`heard`); neither call waits.

Whatever waits goes out in one message: while one is on its way the next collects.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from time import monotonic
from typing import Final

from google.protobuf.message import DecodeError
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.match.ask import Ask
from referee.match.faults import FaultKind
from referee.match.setup import Seated, Setup
from referee.match.verdict import Over, Verdict
from referee.record.lines import FORMAT
from referee.seats.player import Chair
from referee.wire.asks import Squares, ask_bytes, squares_of
from referee.wire.games import add_offer, add_over, add_verdict
from referee.wire.hello import Introduction, clean

_RAW_LIMIT: Final = 256
_PAST_GAMES: Final = 1024
_ASKS_WITH_PLAYS: Final = 16
"""So many asks with all their plays go into one message, to keep it far below 4 MiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """
    What one bot may send. `unsolicited` messages that answer nothing, or things in the lists of one, are
    borne in a burst, and `unsolicited_per_second` more in the long run; the next one is a flood. More than
    `listed` things in one message cannot all have been asked for, and are not looked at.
    """

    message_bytes: int = 64 * 1024
    unsolicited: int = 64
    listed: int = 1024
    unsolicited_per_second: float = 1.0
    games_at_once: int = 256


class Goodbye(Enum):
    """Why the referee ends a stream."""

    DRAINED = "drained"  # it stops, or has no more use for the bot
    SUPERSEDED = "superseded"  # the same bot opened a newer stream
    TOO_LARGE = "too large"  # one message over the limit
    FLOOD = "flood"  # more messages that answer nothing than are borne


class RemoteBot:
    """A player that answers over a stream."""

    def __init__(self, name: str, intro: Introduction, session: str, limits: Limits) -> None:
        """Sit down as *name*, introduced by *intro*."""
        self.seated = Seated(
            seat=0,
            name=name,
            bot=intro.bot,
            version=intro.version,
            author=intro.author,
            language=intro.language,
        )
        self.session: Final = session
        self.intro: Final = intro
        self.wants_plays = intro.wants_plays
        self.wants_events = intro.wants_events
        self.wants_confirmations = intro.wants_confirmations
        self.wake: Final = asyncio.Event()
        self.ended: Final = asyncio.Event()
        """Set when the stream is to end; `goodbye` tells why, `last_word` in a sentence for the bot."""
        self.goodbye: Goodbye | None = None
        self.last_word = ""
        self.printed: Callable[[], str] = str
        """Returns what its process printed last; nothing where the process is not ours."""
        self.reserved = 0
        """Games that were promised to this bot, those it sits in included."""
        self._limits = limits
        self._chairs: dict[int, Chair] = {}
        self._past: dict[int, None] = {}
        self._asks: list[tuple[Chair, Ask]] = []
        self._whole: list[bytes] = []  # messages that wait before `_out`
        self._out = pb.PlayResponse()
        self._quiet = True  # nothing waits in `_whole` and `_out`
        self._squares: dict[int, Squares] = {}
        self._allowance = float(limits.unsolicited)
        self._allowed_at = monotonic()
        self._leaving: str | None = None
        self._declined: set[int] = set()
        self._resigned: set[int] = set()
        self._broken = False  # its stream has ended, and the reason is being looked into

    @property
    def free(self) -> int:
        """Return how many more games may be promised to it."""
        return 0 if self._leaving is not None else self.intro.games_at_once - self.reserved

    # What the games say.

    def offer(self, setup: Setup, chair: Chair, recorded: int) -> None:
        """Offer a seat."""
        if self._leaving is not None:
            chair.absent(self._leaving)
            return
        self._chairs[setup.number] = chair
        self._squares[setup.number] = squares_of(setup.ruleset)
        if self._out.game_overs:  # whoever reads the offers first would count a game too many
            self._whole.append(self._out.SerializeToString())
            self._out = pb.PlayResponse()
        add_offer(self._out, setup, chair.seat, recorded, FORMAT)
        self._loud()

    def ask(self, ask: Ask) -> None:
        """Put a question; its clock starts when it is handed to the transport."""
        chair = self._chairs[ask.game]
        if self._broken:
            asyncio.get_running_loop().call_soon(chair.hold)  # once the game waits for it
            return
        self._asks.append((chair, ask))
        self.wake.set()

    def verdict(self, verdict: Verdict) -> None:
        """Tell what became of an answer."""
        if verdict.kind is not None or self.intro.wants_confirmations:
            add_verdict(self._out, verdict)
            self._loud()

    def happened(self, game: int, lines: Sequence[str]) -> None:
        """Tell what happened."""
        for line in lines:
            self._out.events.add(game=game, json=line)
        self._loud()

    def over(self, over: Over) -> None:
        """Tell that a game is over for it."""
        if self._chairs.pop(over.game, None) is None and over.game not in self._past and over.ended is None:
            return  # it was never offered
        self._squares.pop(over.game, None)
        self._declined.discard(over.game)
        self._resigned.discard(over.game)
        self._asks = [waiting for waiting in self._asks if waiting[1].game != over.game]
        self._past[over.game] = None
        if len(self._past) > _PAST_GAMES:
            del self._past[next(iter(self._past))]
        add_over(self._out, over)
        self._loud()

    # What the house says.

    def welcome(self, referee: str) -> None:
        """Answer its hello."""
        limits = self._limits
        self._out.welcome.CopyFrom(
            pb.Welcome(
                session=self.session,
                protocol_minor=self.intro.protocol_minor,
                referee=referee,
                max_message_bytes=limits.message_bytes,
                max_unsolicited=limits.unsolicited,
                games_at_once=self.intro.games_at_once,
            )
        )
        self._loud()

    def drain(self, detail: str, retry_after_ms: int = 0) -> None:
        """Tell that the referee stops, and end the stream."""
        self._out.drain.CopyFrom(pb.Drain(detail=detail, retry_after_ms=retry_after_ms))
        self._loud()
        self._end(Goodbye.DRAINED)

    def supersede(self, session: str) -> None:
        """Tell that a newer stream of the same bot takes over, and end this one."""
        self._out.superseded.CopyFrom(pb.Superseded(session=session))
        self._loud()
        self.lost(FaultKind.GONE, f"superseded: the same bot opened the newer session {session}")
        self._end(Goodbye.SUPERSEDED, "superseded by a newer stream of the same bot")

    def hold(self) -> None:
        """Stop its clocks: the stream has broken, and the reason is being looked into."""
        self._leaving = "its stream has ended"
        self._broken = True
        self._asks.clear()
        for chair in list(self._chairs.values()):
            chair.hold()

    def lost(self, kind: FaultKind, detail: str, stderr: str = "") -> None:
        """Charge all its games with *kind*, as it can play none of them any more."""
        self._leaving = detail
        for chair in list(self._chairs.values()):
            chair.fault(kind, detail, stderr=stderr)

    def _end(self, goodbye: Goodbye, last_word: str = "") -> None:
        self._leaving = self._leaving or "its session is ending"
        self.goodbye = goodbye
        self.last_word = last_word
        self.ended.set()
        self.wake.set()

    def _loud(self) -> None:
        self._quiet = False
        self.wake.set()

    # What the session carries.

    def message(self) -> bytes | None:
        """
        Return what waits as one message, None if nothing does. To be called until then.

        It must be handed to the transport at once: the clocks of its asks start here.
        """
        asks = self._asks
        if self._whole:
            return self._whole.pop(0)
        if not asks and self._quiet:
            return None
        self._asks = []
        if self.wants_plays and len(asks) > _ASKS_WITH_PLAYS:
            self._asks = asks[_ASKS_WITH_PLAYS:]
            asks = asks[:_ASKS_WITH_PLAYS]
            self.wake.set()
        squares = self._squares
        parts = [ask_bytes(ask, squares[ask.game]) for _, ask in asks]
        if not self._quiet:
            parts.append(self._out.SerializeToString())
            self._out = pb.PlayResponse()  # a new one: a message that is cleared keeps its memory
            self._quiet = True
        data = b"".join(parts)
        now = monotonic()
        for chair, ask in asks:
            chair.sent(ask.number, now)
        return data

    def heard(self, data: bytes, now: float) -> None:
        """Take what the bot sent, which was read at *now*. May end the stream."""
        if len(data) > self._limits.message_bytes:
            self.lost(
                FaultKind.TOO_LARGE,
                f"a message of {len(data)} bytes; the limit is {self._limits.message_bytes}",
            )
            self._end(Goodbye.TOO_LARGE, f"a message may have {self._limits.message_bytes} bytes")
            return
        try:
            request = pb.PlayRequest.FromString(data)
        except DecodeError:
            self._unasked(now)
            self._astray("the bytes are no PlayRequest", data[:_RAW_LIMIT].hex())
            return
        listed = len(request.answers) + len(request.readies) + len(request.declines) + len(request.resigns)
        if listed > self._limits.listed:
            self._unasked(now, listed)
            return
        asked_for = False
        strays = 0
        chairs = self._chairs
        for answer in request.answers:
            game = answer.game
            chair = chairs.get(game)
            if chair is None:
                if game not in self._past:
                    strays += 1
                    self._astray(f"game {game} is none of this bot's games", f"game {game}")
            elif chair.answered(answer.ask, answer.steps, now):
                asked_for = True
            else:
                strays += 1
        if request.readies or request.declines or request.resigns:
            heeded, idle = self._comes_or_goes(request)
            asked_for = asked_for or heeded
            strays += idle
        if strays or not asked_for:
            self._unasked(now, max(strays, 1))

    def _comes_or_goes(self, request: pb.PlayRequest) -> tuple[bool, int]:
        """
        Take what the bot said about its seats.

        Return whether any of it had been asked for, and how much had not; what concerns games that are
        over is neither, as it may have been on its way.
        """
        idle = [ready.game for ready in request.readies if not self._accepts(ready.game)]
        for decline in request.declines:
            if (chair := self._leaves(decline.game, self._declined)) is not None:
                chair.absent(f"declined: {clean(decline.reason, 200) or 'no reason given'}")
            else:
                idle.append(decline.game)
        for resign in request.resigns:
            if (chair := self._leaves(resign.game, self._resigned)) is not None:
                chair.fault(FaultKind.RESIGNED, "gave up the seat")
            else:
                idle.append(resign.game)
        said = len(request.readies) + len(request.declines) + len(request.resigns)
        return len(idle) < said, sum(game not in self._past for game in idle)

    def _accepts(self, game: int) -> bool:
        """Take a ready. Return whether it was waited for."""
        chair = self._chairs.get(game)
        return chair is not None and chair.ready()

    def _leaves(self, game: int, left: set[int]) -> Chair | None:
        """Return the chair of a game that the bot gives up, the first time it says so; then None."""
        chair = None if game in left else self._chairs.get(game)
        if chair is not None:
            left.add(game)
        return chair

    def _unasked(self, now: float, count: int = 1) -> None:
        """Count what answered nothing; end the stream when there is too much of it."""
        limits = self._limits
        earned = (now - self._allowed_at) * limits.unsolicited_per_second
        self._allowance = min(self._allowance + earned, limits.unsolicited) - count
        self._allowed_at = now
        if self._allowance < 0:
            detail = f"more than {limits.unsolicited} messages, or entries in one, that answer nothing"
            self.lost(FaultKind.FLOOD, detail)
            self._end(Goodbye.FLOOD, detail)

    def _astray(self, detail: str, raw: str) -> None:
        """Charge what belongs to no game to the one whose ask has been open longest."""
        if self._chairs:
            chair = min(self._chairs.values(), key=lambda chair: chair.asked_at())
            chair.fault(FaultKind.MALFORMED, detail, raw=raw)
