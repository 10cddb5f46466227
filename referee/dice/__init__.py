"""
Where throws come from: a pure function of the seed, the seat and the count of its throws.

The derivation is spelled out in docs/dice.md, with test vectors, so that anyone can check a game.
"""

import secrets
from hashlib import sha256
from typing import Final, Protocol

SEED_BYTES: Final = 32

# The two ways in which HMAC changes its key, byte by byte.
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


class Dice(Protocol):
    """A source of throws."""

    def throw(self, seat: int, number: int, count: int) -> tuple[int, ...]:
        """Return *count* dice of throw *number* of *seat* in this game, counted from 1."""


class SeededDice:
    """
    Dice that follow from a secret seed of 32 bytes.

    Block i of a throw is HMAC-SHA256 with the seed as key over the text
    `parcheesi-dice-v1|seat|number|i`, i from 0. Its bytes are taken in order: 252 and above are
    passed over, any other byte b gives the die b mod 6 + 1.
    """

    def __init__(self, seed: bytes) -> None:
        """Keep *seed*, which must be 32 bytes."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        # What HMAC makes of the key is the same for all throws: hashed once, then copied.
        key = seed.ljust(sha256().block_size, b"\0")
        self._inner = sha256(key.translate(_INNER))
        self._outer = sha256(key.translate(_OUTER))

    def __repr__(self) -> str:
        """Return a text without the seed, so that no log can tell it."""
        return "SeededDice(secret)"

    def throw(self, seat: int, number: int, count: int) -> tuple[int, ...]:
        """Return *count* dice of throw *number* of *seat*, counted from 1."""
        dice: list[int] = []
        block = 0
        while True:
            for byte in self._hmac(b"parcheesi-dice-v1|%d|%d|%d" % (seat, number, block)):
                if byte < 252:
                    dice.append(byte % 6 + 1)
                    if len(dice) == count:
                        return tuple(dice)
            block += 1

    def _hmac(self, text: bytes) -> bytes:
        inner = self._inner.copy()
        inner.update(text)
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()


def commitment(seed: bytes) -> bytes:
    """Return SHA-256 of *seed*, which is published before the first throw."""
    return sha256(seed).digest()


def new_seed() -> bytes:
    """Return a fresh seed from the system's source of secrets."""
    return secrets.token_bytes(SEED_BYTES)
