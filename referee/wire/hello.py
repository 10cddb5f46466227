"""A bot's introduction, read from protobuf and cut to size."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from parcheesi.v1 import bot_gateway_pb2 as pb

PROTOCOL_MINOR: Final = 0
"""The minor version of `parcheesi.v1` that this referee speaks."""

_TEXT_LIMIT: Final = 100


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a bot says of itself. Texts are at most 100 characters (code points), printable."""

    bot: str
    version: str
    author: str
    language: str
    protocol_minor: int
    games_at_once: int
    wants_plays: bool
    wants_events: bool
    wants_confirmations: bool


def introduction(hello: pb.Hello, most_games: int) -> Introduction:
    """Return *hello* with its texts cut and its games at once between 1 and *most_games*."""
    wishes = set(hello.wishes)
    return Introduction(
        bot=clean(hello.name),
        version=clean(hello.version),
        author=clean(hello.author),
        language=clean(hello.language),
        protocol_minor=min(hello.protocol_minor, PROTOCOL_MINOR),
        games_at_once=min(max(hello.games_at_once, 1), most_games),
        wants_plays=pb.WISH_PLAYS in wishes,
        wants_events=pb.WISH_EVENTS in wishes,
        wants_confirmations=pb.WISH_CONFIRMATIONS in wishes,
    )


def clean(text: str, limit: int = _TEXT_LIMIT) -> str:
    """Return *text* without what is not printable, cut to *limit* characters."""
    return "".join(_printable(text))[:limit]


def _printable(text: str) -> Iterable[str]:
    return (c if c.isprintable() else " " for c in text)
