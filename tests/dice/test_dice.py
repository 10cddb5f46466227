"""The derivation of throws, held against a dozen lines that share nothing with it but docs/dice.md."""

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from referee.dice import SEED_BYTES, SeededDice, commitment, new_seed

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "dice.md"

A: Final = bytes(32)
B: Final = bytes(range(32))
C: Final = hashlib.sha256(b"parcheesi").digest()


def by_the_page(seed: bytes, seat: int, number: int, count: int) -> tuple[int, ...]:
    """Return a throw as docs/dice.md spells it out, one step at a time."""
    dice: list[int] = []
    block = 0
    while len(dice) < count:
        text = f"parcheesi-dice-v1|{seat}|{number}|{block}".encode("ascii")
        for byte in hmac.new(seed, text, hashlib.sha256).digest():
            if byte < 252 and len(dice) < count:
                dice.append(byte % 6 + 1)
        block += 1
    return tuple(dice)


VECTORS: Final = [
    (A, 0, 1, (2, 6)),
    (A, 0, 2, (6, 1)),
    (A, 0, 3, (4, 5)),
    (A, 1, 1, (3, 5)),
    (A, 2, 1, (2, 5)),
    (A, 3, 1, (2, 4)),
    (A, 3, 256, (2, 1)),
    (A, 2, 1, (2,)),
    (B, 0, 1, (6, 3)),
    (B, 0, 2, (2, 2)),
    (B, 0, 3, (4, 2)),
    (B, 1, 1, (3, 6)),
    (B, 2, 1, (5, 2)),
    (B, 3, 1, (1, 5)),
    (B, 3, 256, (2, 1)),
    (B, 2, 1, (5,)),
    (C, 0, 1, (6, 4)),
    (C, 0, 2, (4, 1)),
    (C, 1, 1, (6, 6)),
    (C, 2, 1, (4, 1)),
    (C, 3, 1, (1, 6)),
    (C, 3, 256, (6, 6)),
]

COMMITMENTS: Final = {
    A: "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
    B: "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    C: "02093f139b7fefb5a6b2dfd33ffc906625838f23e21635ffb784c4fd0d640b0f",
}


def rows(heading: str) -> Iterator[list[str]]:
    """Yield the cells of the table under *heading* of docs/dice.md, without its head."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        yield [cell.strip().strip("`") for cell in line.strip("|").split("|")]


class TestThrow:
    @pytest.mark.parametrize(("seed", "seat", "number", "dice"), VECTORS, ids=range(len(VECTORS)))
    def test_is_as_the_vectors_have_it(
        self, seed: bytes, seat: int, number: int, dice: tuple[int, ...]
    ) -> None:
        """
        The vectors stay: a record of today verifies with a referee of later years.
        """
        assert SeededDice(seed).throw(seat, number, len(dice)) == dice

    @pytest.mark.parametrize("seed", [A, B, C], ids="abc")
    def test_follows_the_page(self, seed: bytes) -> None:
        """
        What is played is what docs/dice.md spells out, for every seat and many throws.
        """
        for seat, number, count in product(range(4), (*range(1, 200), 10**6), (1, 2)):
            assert SeededDice(seed).throw(seat, number, count) == by_the_page(seed, seat, number, count)

    def test_passes_over_bytes_that_would_favour_a_side(self) -> None:
        """
        A byte of 252 or more is passed over: 256 is no multiple of six.
        """
        block = hmac.new(B, b"parcheesi-dice-v1|0|3|0", hashlib.sha256).digest()
        assert block[:3] == b"\xfd\xdb\xa9"

        assert SeededDice(B).throw(0, 3, 2) == (0xDB % 6 + 1, 0xA9 % 6 + 1)

    def test_takes_another_block_when_one_does_not_do(self) -> None:
        """
        A block gives 32 dice at most; more come from the next block.
        """
        dice = SeededDice(B).throw(0, 1, 40)

        assert dice == by_the_page(B, 0, 1, 40)
        assert dice[:2] == (6, 3)
        assert dice[32:] == (5, 4, 4, 1, 5, 6, 3, 6)

    def test_does_not_depend_on_what_was_thrown_before(self) -> None:
        """
        A throw depends on its seat and its number only, so a fault never shifts the dice of anybody.
        """
        dice = SeededDice(C)
        forwards = [dice.throw(seat, number, 2) for seat in range(4) for number in range(1, 50)]

        backwards = [dice.throw(seat, number, 2) for seat in (3, 2, 1, 0) for number in range(49, 0, -1)]

        assert forwards == backwards[::-1]

    def test_of_one_die_is_the_first_of_two(self) -> None:
        """
        One die and two dice of the same throw begin alike, whatever a ruleset throws for the beginning.
        """
        for number in range(1, 100):
            assert SeededDice(C).throw(1, number, 1) == SeededDice(C).throw(1, number, 2)[:1]

    def test_favours_no_side(self) -> None:
        """
        All 36 throws of two dice come about equally often: chi-square below the 0.1 per cent bound.
        """
        dice = SeededDice(C)
        count = Counter(dice.throw(seat, number, 2) for seat in range(4) for number in range(1, 2251))

        expected = 9_000 / 36
        chi_square = sum(
            (count[throw] - expected) ** 2 / expected for throw in product(range(1, 7), repeat=2)
        )

        assert chi_square < 66.6  # 35 degrees of freedom

    def test_differs_between_seats_and_numbers(self) -> None:
        """
        Neither two seats nor two neighbouring throws share their luck.
        """
        dice = SeededDice(C)

        sequences = {tuple(dice.throw(seat, n, 2) for n in range(1, 21)) for seat in range(4)}
        shifted = {tuple(dice.throw(0, n + shift, 2) for n in range(1, 21)) for shift in range(4)}

        assert len(sequences) == len(shifted) == 4


class TestSeed:
    @pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
    def test_has_32_bytes(self, length: int) -> None:
        """
        A seed of another length is refused, with the length it has.
        """
        with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
            SeededDice(bytes(length))

    def test_is_fresh_and_of_the_right_length(self) -> None:
        """
        Two games get two seeds.
        """
        seeds = {new_seed() for _ in range(8)}

        assert len(seeds) == 8
        assert {len(seed) for seed in seeds} == {SEED_BYTES}

    def test_is_not_shown(self) -> None:
        """
        No log line that shows the dice tells their seed.
        """
        shown = f"{SeededDice(B)!r} {SeededDice(B)!s} {[SeededDice(B)]}"

        assert B.hex() not in shown
        assert repr(B) not in shown


class TestCommitment:
    @pytest.mark.parametrize(("seed", "text"), COMMITMENTS.items(), ids="abc")
    def test_is_the_seeds_sha256(self, seed: bytes, text: str) -> None:
        """
        The commitment is SHA-256 of the 32 bytes of the seed, not of its text.
        """
        assert commitment(seed).hex() == text == hashlib.sha256(seed).hexdigest()


class TestPage:
    def test_gives_the_vectors(self) -> None:
        """
        The vectors on the page are those of this test.
        """
        seeds = {"A": A, "B": B, "C": C}

        told = [
            (seeds[name], int(seat), int(number), tuple(map(int, dice.split())))
            for name, seat, number, dice in rows("Test vectors")
        ]

        assert told == VECTORS

    def test_gives_the_seeds(self) -> None:
        """
        The seeds and commitments on the page are those of this test.
        """
        assert [(seed, text) for _, seed, text in rows("Seeds of the vectors")] == [
            (seed.hex(), text) for seed, text in COMMITMENTS.items()
        ]

    def test_gives_code_that_runs(self) -> None:
        """
        The lines of Python on the page give the throws of the vectors.
        """
        text = PAGE.read_text(encoding="utf-8")
        code = re.search(r"```python\n(.*?)```", text, flags=re.DOTALL)
        assert code is not None
        names: dict[str, object] = {}
        exec(code[1], names)
        throw = names["throw"]
        assert callable(throw)

        assert [throw(seed, seat, number, len(dice)) for seed, seat, number, dice in VECTORS] == [
            list(dice) for *_, dice in VECTORS
        ]
