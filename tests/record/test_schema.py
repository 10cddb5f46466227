"""The JSON Schema of a line, held against lines of real games."""

import json
from pathlib import Path
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]
import pytest

from referee.match.events import Event
from referee.match.faults import STRICT, Cost, FaultKind
from referee.match.setup import SEATS_OF
from referee.record.lines import header
from referee.rules.rulesets import RULESETS
from tests.fakes import a_setup
from tests.record.games import a_record
from tests.record.test_lines import EVENTS

SCHEMA: Final[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parents[2] / "docs" / "record.schema.json").read_text(encoding="utf-8")
)
VALIDATOR: Final = jsonschema.Draft202012Validator(SCHEMA)
LINES: Final = [header(a_setup()), *(line for _, line in EVENTS)]
IDS: Final = [json.loads(line)["type"] for line in LINES]

OPTIONAL: Final = {"stepped": {"captured"}}
"""Fields that a line may do without, for themselves alone."""


WRONG: Final[tuple[object, ...]] = (-1, 1.5, [], {}, [None], True)
"""Values that no field of a line has, but for two of the header's."""


def fits(line: object) -> bool:
    """Tell whether *line*, read, is one of a record."""
    return bool(VALIDATOR.is_valid(line))


def test_schema_is_one() -> None:
    """
    The page is a schema of the draft that it names.
    """
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


class TestLine:
    @pytest.mark.parametrize(("games", "trouble"), [(3, 0.0), (10, 0.05), (60, 0.3)])
    def test_of_a_real_game_fits(self, games: int, trouble: float) -> None:
        """
        Every line that games by chance lead to fits, faults of all kinds included.
        """
        seen = set()
        for number in range(games):
            _, _, lines = a_record(number, trouble, throws=60)
            for line in lines:
                read = json.loads(line)
                VALIDATOR.validate(read)
                seen.add((read["type"], read.get("kind")))
        if trouble > 0.1:
            assert {kind for type_, kind in seen if type_ == "faulted"} == set(FaultKind)

    @pytest.mark.parametrize("line", LINES, ids=IDS)
    def test_of_every_kind_fits(self, line: str) -> None:
        """
        Each event has a line that fits.
        """
        VALIDATOR.validate(json.loads(line))

    @pytest.mark.parametrize("name", RULESETS)
    @pytest.mark.parametrize("seats", SEATS_OF.values(), ids=str)
    def test_of_every_header_fits(self, name: str, seats: tuple[int, ...]) -> None:
        """
        Any ruleset, any number of seats.
        """
        VALIDATOR.validate(json.loads(header(a_setup(name, seats, penalties=STRICT))))

    @pytest.mark.parametrize("line", LINES, ids=IDS)
    def test_with_a_field_less_does_not_fit(self, line: str) -> None:
        """
        A reader may rely on every field that the page does not call optional.
        """
        read = json.loads(line)
        for field in read.keys() - OPTIONAL.get(read["type"], set()):
            assert not fits({key: value for key, value in read.items() if key != field}), field

    @pytest.mark.parametrize("line", LINES, ids=IDS)
    def test_with_a_field_more_does_not_fit(self, line: str) -> None:
        """
        A new field is a new version of the format.
        """
        assert not fits(json.loads(line) | {"mood": "good"})

    @pytest.mark.parametrize("line", LINES, ids=IDS)
    def test_with_a_wrong_value_does_not_fit(self, line: str) -> None:
        """
        No field takes a value of another kind.
        """
        read = json.loads(line)
        for field in read:
            for wrong in WRONG:
                if (field, wrong) in (("ask_forced", True), ("fields", {})):
                    continue
                assert not fits(read | {field: wrong}), (field, wrong)


class TestSchema:
    def test_knows_every_event(self) -> None:
        """
        A kind of event that the schema does not know is not finished.
        """
        types = {option["$ref"].rpartition("/")[2] for option in SCHEMA["oneOf"]}

        assert types == set(IDS)
        assert len(types) == len(Event.__args__) + 1

    def test_knows_every_fault_and_cost(self) -> None:
        """
        A kind of fault that the schema does not know is not finished.
        """
        assert SCHEMA["$defs"]["fault"]["enum"] == list(FaultKind)
        assert SCHEMA["$defs"]["cost"]["enum"] == list(Cost)
        assert SCHEMA["$defs"]["game"]["properties"]["penalties"]["properties"]["costs"]["required"] == list(
            FaultKind
        )

    @pytest.mark.parametrize("type_", sorted(set(IDS)))
    def test_has_the_fields_in_the_order_of_a_line(self, type_: str) -> None:
        """
        Whoever reads the schema reads the line.
        """
        fields = [field for line in LINES if (read := json.loads(line))["type"] == type_ for field in read]

        assert list(SCHEMA["$defs"][type_]["properties"]) == list(dict.fromkeys(fields))
