"""Objects of the libraries, owned by objects of Python."""

from __future__ import annotations

from typing import Any, Callable

from ._errors import Error


class Handle:
    """An object of a library, freed when it is closed or the last that needs it goes."""

    def __init__(self, pointer: Any, free: Callable[[Any], None]):
        self._pointer, self._free = pointer, free

    @property
    def pointer(self) -> Any:
        """What the library's functions take."""
        if self._pointer is None:
            raise Error("it is closed")
        return self._pointer

    def close(self) -> None:
        """Frees it now; nothing happens the second time."""
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            self._free(pointer)

    def __del__(self) -> None:
        self.close()

# SPDX-License-Identifier: Apache-2.0
