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
