from parcheesi.v1 import board_pb2 as _board_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Wish(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WISH_UNSPECIFIED: _ClassVar[Wish]
    WISH_PLAYS: _ClassVar[Wish]
    WISH_EVENTS: _ClassVar[Wish]
    WISH_CONFIRMATIONS: _ClassVar[Wish]

class Ending(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENDING_UNSPECIFIED: _ClassVar[Ending]
    ENDING_FINISHED: _ClassVar[Ending]
    ENDING_SEAT_LOST: _ClassVar[Ending]
    ENDING_ADJOURNED: _ClassVar[Ending]
    ENDING_VOID: _ClassVar[Ending]
WISH_UNSPECIFIED: Wish
WISH_PLAYS: Wish
WISH_EVENTS: Wish
WISH_CONFIRMATIONS: Wish
ENDING_UNSPECIFIED: Ending
ENDING_FINISHED: Ending
ENDING_SEAT_LOST: Ending
ENDING_ADJOURNED: Ending
ENDING_VOID: Ending

class PlayRequest(_message.Message):
    __slots__ = ("hello", "answers", "readies", "declines", "resigns")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    READIES_FIELD_NUMBER: _ClassVar[int]
    DECLINES_FIELD_NUMBER: _ClassVar[int]
    RESIGNS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    readies: _containers.RepeatedCompositeFieldContainer[Ready]
    declines: _containers.RepeatedCompositeFieldContainer[Decline]
    resigns: _containers.RepeatedCompositeFieldContainer[Resign]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ..., readies: _Optional[_Iterable[_Union[Ready, _Mapping]]] = ..., declines: _Optional[_Iterable[_Union[Decline, _Mapping]]] = ..., resigns: _Optional[_Iterable[_Union[Resign, _Mapping]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("name", "version", "author", "language", "protocol_minor", "games_at_once", "wishes", "resume_token")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    GAMES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    WISHES_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    author: str
    language: str
    protocol_minor: int
    games_at_once: int
    wishes: _containers.RepeatedScalarFieldContainer[Wish]
    resume_token: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., author: _Optional[str] = ..., language: _Optional[str] = ..., protocol_minor: _Optional[int] = ..., games_at_once: _Optional[int] = ..., wishes: _Optional[_Iterable[_Union[Wish, str]]] = ..., resume_token: _Optional[str] = ...) -> None: ...

class Ready(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: int
    def __init__(self, game: _Optional[int] = ...) -> None: ...

class Decline(_message.Message):
    __slots__ = ("game", "reason")
    GAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    game: int
    reason: str
    def __init__(self, game: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("game", "ask", "steps")
    GAME_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    game: int
    ask: int
    steps: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game: _Optional[int] = ..., ask: _Optional[int] = ..., steps: _Optional[_Iterable[int]] = ...) -> None: ...

class Resign(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: int
    def __init__(self, game: _Optional[int] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("asks", "verdicts", "offers", "game_overs", "events", "welcome", "drain", "superseded")
    ASKS_FIELD_NUMBER: _ClassVar[int]
    VERDICTS_FIELD_NUMBER: _ClassVar[int]
    OFFERS_FIELD_NUMBER: _ClassVar[int]
    GAME_OVERS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    asks: _containers.RepeatedCompositeFieldContainer[Ask]
    verdicts: _containers.RepeatedCompositeFieldContainer[Verdict]
    offers: _containers.RepeatedCompositeFieldContainer[Offer]
    game_overs: _containers.RepeatedCompositeFieldContainer[GameOver]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    welcome: Welcome
    drain: Drain
    superseded: Superseded
    def __init__(self, asks: _Optional[_Iterable[_Union[Ask, _Mapping]]] = ..., verdicts: _Optional[_Iterable[_Union[Verdict, _Mapping]]] = ..., offers: _Optional[_Iterable[_Union[Offer, _Mapping]]] = ..., game_overs: _Optional[_Iterable[_Union[GameOver, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., welcome: _Optional[_Union[Welcome, _Mapping]] = ..., drain: _Optional[_Union[Drain, _Mapping]] = ..., superseded: _Optional[_Union[Superseded, _Mapping]] = ...) -> None: ...

class Ask(_message.Message):
    __slots__ = ("game", "ask", "seat", "squares", "steps", "step_pawns", "step_uses", "step_squares", "dice", "numbers", "bonuses", "time_limit_ms", "bank_ms", "strikes_left", "last_answer_us", "repeats", "at_throw", "last_moved", "came_last", "play_lengths", "play_steps", "play_squares", "plays_cut", "moved", "brought_home", "gave_up")
    GAME_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SQUARES_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    STEP_PAWNS_FIELD_NUMBER: _ClassVar[int]
    STEP_USES_FIELD_NUMBER: _ClassVar[int]
    STEP_SQUARES_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    BONUSES_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_LEFT_FIELD_NUMBER: _ClassVar[int]
    LAST_ANSWER_US_FIELD_NUMBER: _ClassVar[int]
    REPEATS_FIELD_NUMBER: _ClassVar[int]
    AT_THROW_FIELD_NUMBER: _ClassVar[int]
    LAST_MOVED_FIELD_NUMBER: _ClassVar[int]
    CAME_LAST_FIELD_NUMBER: _ClassVar[int]
    PLAY_LENGTHS_FIELD_NUMBER: _ClassVar[int]
    PLAY_STEPS_FIELD_NUMBER: _ClassVar[int]
    PLAY_SQUARES_FIELD_NUMBER: _ClassVar[int]
    PLAYS_CUT_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    BROUGHT_HOME_FIELD_NUMBER: _ClassVar[int]
    GAVE_UP_FIELD_NUMBER: _ClassVar[int]
    game: int
    ask: int
    seat: int
    squares: _containers.RepeatedScalarFieldContainer[int]
    steps: _containers.RepeatedScalarFieldContainer[int]
    step_pawns: _containers.RepeatedScalarFieldContainer[int]
    step_uses: _containers.RepeatedScalarFieldContainer[int]
    step_squares: _containers.RepeatedScalarFieldContainer[int]
    dice: _containers.RepeatedScalarFieldContainer[int]
    numbers: _containers.RepeatedScalarFieldContainer[int]
    bonuses: _containers.RepeatedScalarFieldContainer[int]
    time_limit_ms: int
    bank_ms: int
    strikes_left: int
    last_answer_us: int
    repeats: int
    at_throw: _containers.RepeatedScalarFieldContainer[int]
    last_moved: int
    came_last: _containers.RepeatedScalarFieldContainer[int]
    play_lengths: _containers.RepeatedScalarFieldContainer[int]
    play_steps: _containers.RepeatedScalarFieldContainer[int]
    play_squares: _containers.RepeatedScalarFieldContainer[int]
    plays_cut: bool
    moved: _containers.RepeatedScalarFieldContainer[int]
    brought_home: bool
    gave_up: bool
    def __init__(self, game: _Optional[int] = ..., ask: _Optional[int] = ..., seat: _Optional[int] = ..., squares: _Optional[_Iterable[int]] = ..., steps: _Optional[_Iterable[int]] = ..., step_pawns: _Optional[_Iterable[int]] = ..., step_uses: _Optional[_Iterable[int]] = ..., step_squares: _Optional[_Iterable[int]] = ..., dice: _Optional[_Iterable[int]] = ..., numbers: _Optional[_Iterable[int]] = ..., bonuses: _Optional[_Iterable[int]] = ..., time_limit_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., strikes_left: _Optional[int] = ..., last_answer_us: _Optional[int] = ..., repeats: _Optional[int] = ..., at_throw: _Optional[_Iterable[int]] = ..., last_moved: _Optional[int] = ..., came_last: _Optional[_Iterable[int]] = ..., play_lengths: _Optional[_Iterable[int]] = ..., play_steps: _Optional[_Iterable[int]] = ..., play_squares: _Optional[_Iterable[int]] = ..., plays_cut: bool = ..., moved: _Optional[_Iterable[int]] = ..., brought_home: bool = ..., gave_up: bool = ...) -> None: ...

class Verdict(_message.Message):
    __slots__ = ("game", "ask", "fault", "detail", "cost", "elapsed_us", "bank_ms", "played", "strikes_left")
    GAME_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_US_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    STRIKES_LEFT_FIELD_NUMBER: _ClassVar[int]
    game: int
    ask: int
    fault: _board_pb2.FaultKind
    detail: str
    cost: _board_pb2.Cost
    elapsed_us: int
    bank_ms: int
    played: _containers.RepeatedScalarFieldContainer[int]
    strikes_left: int
    def __init__(self, game: _Optional[int] = ..., ask: _Optional[int] = ..., fault: _Optional[_Union[_board_pb2.FaultKind, str]] = ..., detail: _Optional[str] = ..., cost: _Optional[_Union[_board_pb2.Cost, str]] = ..., elapsed_us: _Optional[int] = ..., bank_ms: _Optional[int] = ..., played: _Optional[_Iterable[int]] = ..., strikes_left: _Optional[int] = ...) -> None: ...

class Offer(_message.Message):
    __slots__ = ("game", "game_id", "seat", "seats", "names", "ruleset", "clock", "penalties", "commitment", "ask_forced", "max_throws", "recorded", "record_format")
    GAME_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    PENALTIES_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    ASK_FORCED_FIELD_NUMBER: _ClassVar[int]
    MAX_THROWS_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    RECORD_FORMAT_FIELD_NUMBER: _ClassVar[int]
    game: int
    game_id: str
    seat: int
    seats: _containers.RepeatedScalarFieldContainer[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    ruleset: _board_pb2.Ruleset
    clock: _board_pb2.Clock
    penalties: _board_pb2.Penalties
    commitment: bytes
    ask_forced: bool
    max_throws: int
    recorded: int
    record_format: int
    def __init__(self, game: _Optional[int] = ..., game_id: _Optional[str] = ..., seat: _Optional[int] = ..., seats: _Optional[_Iterable[int]] = ..., names: _Optional[_Iterable[str]] = ..., ruleset: _Optional[_Union[_board_pb2.Ruleset, _Mapping]] = ..., clock: _Optional[_Union[_board_pb2.Clock, _Mapping]] = ..., penalties: _Optional[_Union[_board_pb2.Penalties, _Mapping]] = ..., commitment: _Optional[bytes] = ..., ask_forced: bool = ..., max_throws: _Optional[int] = ..., recorded: _Optional[int] = ..., record_format: _Optional[int] = ...) -> None: ...

class GameOver(_message.Message):
    __slots__ = ("game", "ending", "seats", "places", "reasons", "seed", "detail")
    GAME_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    game: int
    ending: Ending
    seats: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    reasons: _containers.RepeatedScalarFieldContainer[_board_pb2.Reason]
    seed: bytes
    detail: str
    def __init__(self, game: _Optional[int] = ..., ending: _Optional[_Union[Ending, str]] = ..., seats: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ..., reasons: _Optional[_Iterable[_Union[_board_pb2.Reason, str]]] = ..., seed: _Optional[bytes] = ..., detail: _Optional[str] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("game", "json")
    GAME_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    game: int
    json: str
    def __init__(self, game: _Optional[int] = ..., json: _Optional[str] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("session", "resume_token", "protocol_minor", "referee", "max_message_bytes", "max_unsolicited", "games_at_once")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    REFEREE_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_UNSOLICITED_FIELD_NUMBER: _ClassVar[int]
    GAMES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    session: str
    resume_token: str
    protocol_minor: int
    referee: str
    max_message_bytes: int
    max_unsolicited: int
    games_at_once: int
    def __init__(self, session: _Optional[str] = ..., resume_token: _Optional[str] = ..., protocol_minor: _Optional[int] = ..., referee: _Optional[str] = ..., max_message_bytes: _Optional[int] = ..., max_unsolicited: _Optional[int] = ..., games_at_once: _Optional[int] = ...) -> None: ...

class Drain(_message.Message):
    __slots__ = ("retry_after_ms", "detail")
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    retry_after_ms: int
    detail: str
    def __init__(self, retry_after_ms: _Optional[int] = ..., detail: _Optional[str] = ...) -> None: ...

class Superseded(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: str
    def __init__(self, session: _Optional[str] = ...) -> None: ...
