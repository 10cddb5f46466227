from parcheesi.v1 import board_pb2 as _board_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class State(_message.Message):
    __slots__ = ("position", "seat", "dice", "numbers", "bonuses", "at_throw", "repeats", "last_moved", "moved", "brought_home", "gave_up")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    BONUSES_FIELD_NUMBER: _ClassVar[int]
    AT_THROW_FIELD_NUMBER: _ClassVar[int]
    REPEATS_FIELD_NUMBER: _ClassVar[int]
    LAST_MOVED_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    BROUGHT_HOME_FIELD_NUMBER: _ClassVar[int]
    GAVE_UP_FIELD_NUMBER: _ClassVar[int]
    position: str
    seat: int
    dice: _containers.RepeatedScalarFieldContainer[int]
    numbers: _containers.RepeatedScalarFieldContainer[int]
    bonuses: _containers.RepeatedScalarFieldContainer[int]
    at_throw: str
    repeats: int
    last_moved: int
    moved: _containers.RepeatedScalarFieldContainer[int]
    brought_home: bool
    gave_up: bool
    def __init__(self, position: _Optional[str] = ..., seat: _Optional[int] = ..., dice: _Optional[_Iterable[int]] = ..., numbers: _Optional[_Iterable[int]] = ..., bonuses: _Optional[_Iterable[int]] = ..., at_throw: _Optional[str] = ..., repeats: _Optional[int] = ..., last_moved: _Optional[int] = ..., moved: _Optional[_Iterable[int]] = ..., brought_home: bool = ..., gave_up: bool = ...) -> None: ...

class DescribeRulesetRequest(_message.Message):
    __slots__ = ("name", "seats")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    name: str
    seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, name: _Optional[str] = ..., seats: _Optional[_Iterable[int]] = ...) -> None: ...

class DescribeRulesetResponse(_message.Message):
    __slots__ = ("ruleset", "names", "start")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    ruleset: _board_pb2.Ruleset
    names: _containers.RepeatedScalarFieldContainer[str]
    start: State
    def __init__(self, ruleset: _Optional[_Union[_board_pb2.Ruleset, _Mapping]] = ..., names: _Optional[_Iterable[str]] = ..., start: _Optional[_Union[State, _Mapping]] = ...) -> None: ...

class ListPlaysRequest(_message.Message):
    __slots__ = ("ruleset", "state", "plays")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    state: State
    plays: bool
    def __init__(self, ruleset: _Optional[str] = ..., state: _Optional[_Union[State, _Mapping]] = ..., plays: bool = ...) -> None: ...

class ListPlaysResponse(_message.Message):
    __slots__ = ("steps", "texts", "plays", "plays_cut", "state", "third", "returned", "next", "won")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    PLAYS_CUT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    THIRD_FIELD_NUMBER: _ClassVar[int]
    RETURNED_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedScalarFieldContainer[int]
    texts: _containers.RepeatedScalarFieldContainer[str]
    plays: _containers.RepeatedCompositeFieldContainer[Play]
    plays_cut: bool
    state: State
    third: bool
    returned: int
    next: State
    won: bool
    def __init__(self, steps: _Optional[_Iterable[int]] = ..., texts: _Optional[_Iterable[str]] = ..., plays: _Optional[_Iterable[_Union[Play, _Mapping]]] = ..., plays_cut: bool = ..., state: _Optional[_Union[State, _Mapping]] = ..., third: bool = ..., returned: _Optional[int] = ..., next: _Optional[_Union[State, _Mapping]] = ..., won: bool = ...) -> None: ...

class Play(_message.Message):
    __slots__ = ("steps", "position")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedScalarFieldContainer[int]
    position: str
    def __init__(self, steps: _Optional[_Iterable[int]] = ..., position: _Optional[str] = ...) -> None: ...

class ApplyStepRequest(_message.Message):
    __slots__ = ("ruleset", "state", "step")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    state: State
    step: int
    def __init__(self, ruleset: _Optional[str] = ..., state: _Optional[_Union[State, _Mapping]] = ..., step: _Optional[int] = ...) -> None: ...

class ApplyStepResponse(_message.Message):
    __slots__ = ("state", "captured", "steps", "won", "earned", "next")
    STATE_FIELD_NUMBER: _ClassVar[int]
    CAPTURED_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    EARNED_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    state: State
    captured: _containers.RepeatedScalarFieldContainer[int]
    steps: _containers.RepeatedScalarFieldContainer[int]
    won: bool
    earned: _containers.RepeatedScalarFieldContainer[int]
    next: State
    def __init__(self, state: _Optional[_Union[State, _Mapping]] = ..., captured: _Optional[_Iterable[int]] = ..., steps: _Optional[_Iterable[int]] = ..., won: bool = ..., earned: _Optional[_Iterable[int]] = ..., next: _Optional[_Union[State, _Mapping]] = ...) -> None: ...

class ExplainStepRequest(_message.Message):
    __slots__ = ("ruleset", "state", "step")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    state: State
    step: int
    def __init__(self, ruleset: _Optional[str] = ..., state: _Optional[_Union[State, _Mapping]] = ..., step: _Optional[int] = ...) -> None: ...

class ExplainStepResponse(_message.Message):
    __slots__ = ("legal", "detail", "rule")
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    legal: bool
    detail: str
    rule: str
    def __init__(self, legal: bool = ..., detail: _Optional[str] = ..., rule: _Optional[str] = ...) -> None: ...
