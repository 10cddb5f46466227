"""Where the records of games are kept, and the register."""

from collections.abc import Mapping
from typing import Final

from referee.record.stores.file import FileStore
from referee.record.stores.memory import MemoryStore

STORES: Final[Mapping[str, type[FileStore] | type[MemoryStore]]] = {"file": FileStore, "memory": MemoryStore}
