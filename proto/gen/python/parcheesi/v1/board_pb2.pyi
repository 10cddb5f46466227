from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_LATE: _ClassVar[FaultKind]
    FAULT_KIND_ILLEGAL: _ClassVar[FaultKind]
    FAULT_KIND_MALFORMED: _ClassVar[FaultKind]
    FAULT_KIND_STALE: _ClassVar[FaultKind]
    FAULT_KIND_GONE: _ClassVar[FaultKind]
    FAULT_KIND_NO_SHOW: _ClassVar[FaultKind]
    FAULT_KIND_FLOOD: _ClassVar[FaultKind]
    FAULT_KIND_TOO_LARGE: _ClassVar[FaultKind]
    FAULT_KIND_RESIGNED: _ClassVar[FaultKind]

class Cost(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COST_UNSPECIFIED: _ClassVar[Cost]
    COST_NOTE: _ClassVar[Cost]
    COST_STRIKE: _ClassVar[Cost]
    COST_SEAT: _ClassVar[Cost]

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_WON: _ClassVar[Reason]
    REASON_RACED: _ClassVar[Reason]
    REASON_LIMIT: _ClassVar[Reason]
    REASON_FAULT: _ClassVar[Reason]
    REASON_LAST_STANDING: _ClassVar[Reason]
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_LATE: FaultKind
FAULT_KIND_ILLEGAL: FaultKind
FAULT_KIND_MALFORMED: FaultKind
FAULT_KIND_STALE: FaultKind
FAULT_KIND_GONE: FaultKind
FAULT_KIND_NO_SHOW: FaultKind
FAULT_KIND_FLOOD: FaultKind
FAULT_KIND_TOO_LARGE: FaultKind
FAULT_KIND_RESIGNED: FaultKind
COST_UNSPECIFIED: Cost
COST_NOTE: Cost
COST_STRIKE: Cost
COST_SEAT: Cost
REASON_UNSPECIFIED: Reason
REASON_WON: Reason
REASON_RACED: Reason
REASON_LIMIT: Reason
REASON_FAULT: Reason
REASON_LAST_STANDING: Reason

class Ruleset(_message.Message):
    __slots__ = ("name", "digest", "fields", "board")
    class FieldsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    name: str
    digest: bytes
    fields: _containers.ScalarMap[str, str]
    board: Board
    def __init__(self, name: _Optional[str] = ..., digest: _Optional[bytes] = ..., fields: _Optional[_Mapping[str, str]] = ..., board: _Optional[_Union[Board, _Mapping]] = ...) -> None: ...

class Board(_message.Message):
    __slots__ = ("name", "ring", "lane", "entries", "tips", "safe")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RING_FIELD_NUMBER: _ClassVar[int]
    LANE_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    TIPS_FIELD_NUMBER: _ClassVar[int]
    SAFE_FIELD_NUMBER: _ClassVar[int]
    name: str
    ring: int
    lane: int
    entries: _containers.RepeatedScalarFieldContainer[int]
    tips: _containers.RepeatedScalarFieldContainer[int]
    safe: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, name: _Optional[str] = ..., ring: _Optional[int] = ..., lane: _Optional[int] = ..., entries: _Optional[_Iterable[int]] = ..., tips: _Optional[_Iterable[int]] = ..., safe: _Optional[_Iterable[int]] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("startup_ms", "ready_ms", "per_move_ms", "bank_ms", "increment_ms", "grace_ms", "grace_times")
    STARTUP_MS_FIELD_NUMBER: _ClassVar[int]
    READY_MS_FIELD_NUMBER: _ClassVar[int]
    PER_MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    GRACE_MS_FIELD_NUMBER: _ClassVar[int]
    GRACE_TIMES_FIELD_NUMBER: _ClassVar[int]
    startup_ms: int
    ready_ms: int
    per_move_ms: int
    bank_ms: int
    increment_ms: int
    grace_ms: int
    grace_times: int
    def __init__(self, startup_ms: _Optional[int] = ..., ready_ms: _Optional[int] = ..., per_move_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., grace_ms: _Optional[int] = ..., grace_times: _Optional[int] = ...) -> None: ...

class Penalties(_message.Message):
    __slots__ = ("name", "kinds", "costs", "strikes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    COSTS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    name: str
    kinds: _containers.RepeatedScalarFieldContainer[FaultKind]
    costs: _containers.RepeatedScalarFieldContainer[Cost]
    strikes: int
    def __init__(self, name: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[FaultKind, str]]] = ..., costs: _Optional[_Iterable[_Union[Cost, str]]] = ..., strikes: _Optional[int] = ...) -> None: ...
