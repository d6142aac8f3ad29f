"""Programs: planned models, ready to be stored and run."""

from __future__ import annotations

import ctypes
import os
import pathlib
from typing import Any, Dict, List, Literal, Optional, Union, overload

from ._errors import InputError, check
from ._handle import Handle
from ._library import runtime
from ._report import report_of
from ._session import Session
from ._words import Path


class Program:
    """A program file: one or more methods, each a planned model. bytes(program) are the file's."""

    def __init__(self, data: bytes, planned: Optional[Handle] = None, name: str = "program given as bytes"):
        self._bytes, self._plan = data, planned
        pointer = ctypes.c_void_p()
        check(runtime().arenite_program_copy(data, len(data), ctypes.byref(pointer)), runtime().arenite_last_error,
              {"program in memory": name})
        self._program = Handle(pointer, runtime().arenite_program_free)

    def __bytes__(self) -> bytes:
        return self._bytes

    def __len__(self) -> int:
        return len(self._bytes)

    def __repr__(self) -> str:
        return f"Program({', '.join(self.methods)}: {len(self)} bytes)"

    @property
    def methods(self) -> List[str]:
        """The names of the methods."""
        pointer = self._program.pointer
        return [runtime().arenite_program_method(pointer, index).decode()
                for index in range(runtime().arenite_program_methods(pointer))]

    def save(self, path: Path) -> None:
        """Writes the program file."""
        pathlib.Path(path).write_bytes(self._bytes)

    @overload
    def report(self, kind: Literal["json"]) -> Dict[str, Any]: ...

    @overload
    def report(self, kind: Literal["text", "svg", "html"] = "text") -> str: ...

    @overload
    def report(self, kind: str) -> Any: ...

    def report(self, kind: str = "text") -> Any:
        """What the plan is, of a program that plan() made: "text", "svg" and "html" are text, "json" is an object."""
        if self._plan is None:
            raise InputError("report: the program was loaded, not planned here")
        return report_of(self._plan, kind)

    def session(self, device: Optional[str] = None, method: Optional[str] = None, board: Optional[str] = None,
                threads: int = 0, allow_fallback: bool = False, pipeline_cache: Optional[Path] = None,
                states_of: Optional[Session] = None) -> Session:
        """A Session of this program.

        device="auto", "cpu", "vulkan" or a name that devices() gives; method, board, threads (0: as many as there are
        CPUs for), allow_fallback, pipeline_cache as of `arenite run`. states_of: another session of this program, where
        methods share states: each of the two takes what the other's runs leave in these. Raises InputError, Error.
        """
        return Session(self, device=device, method=method, board=board, threads=threads,
                       allow_fallback=allow_fallback, pipeline_cache=pipeline_cache, states_of=states_of)


def load(program: Union[Path, bytes, bytearray, memoryview]) -> Program:
    """A Program from a file, or from its bytes. Raises InputError."""
    if isinstance(program, (bytes, bytearray, memoryview)):
        return Program(bytes(program))
    return Program(pathlib.Path(program).read_bytes(), name=os.fspath(program))

# SPDX-License-Identifier: Apache-2.0
