"""Makes programs of models."""

from __future__ import annotations

import ctypes
import tempfile
from typing import Any, List, Mapping, Optional, Sequence, Union

from ._errors import InputError, fail, python_words
from ._handle import Handle
from ._library import planner
from ._program import Program
from ._report import DoesNotFit, taken_text
from ._words import Model, Path, Scratch, Size, encoded, words_of

Sizes = Union[Size, Sequence[Size]]


def plan(*models: Union[Model, Sequence[Model]], board: Union[None, Path, Sequence[Path]] = None,
         shape: Optional[Mapping[str, Sequence[int]]] = None, dim: Optional[Mapping[str, Size]] = None,
         batch: Optional[Size] = None, fix: Optional[Mapping[str, Any]] = None,
         outputs: Union[None, str, Sequence[str]] = None, max_trips: Optional[Mapping[str, int]] = None,
         state: Optional[Mapping[str, str]] = None, share_state: Union[None, str, Sequence[str]] = None,
         no_state: bool = False, memory_planner: Optional[str] = None, fallback: Optional[str] = None,
         optimize: Optional[str] = None, constraints: Optional[Path] = None, io: Optional[str] = None,
         constants: Optional[str] = None, forms: Optional[str] = None, weights: Optional[str] = None,
         precision: Optional[str] = None, keep_fp32: Union[None, str, Sequence[str]] = None,
         io_type: Optional[str] = None, disable: Union[None, str, Sequence[str]] = None,
         assume_code: Union[None, int, str] = None, image: Optional[str] = None) -> Program:
    """Plans models into a Program, a method each.

    models: files, or bytes of ONNX or TensorFlow Lite models with all their data inside; also as one list. The options
    are those of `arenite plan` that decide what the program is: board (a name, a file, or several),
    shape={"input": (1, 3, 224, 224)}, dim={"N": 1}, fix={"rate": 16000} (a number, several, an array or a file),
    outputs=["boxes", "scores"], state={"next": "kept"} (an output that an input takes), share_state="kept" (one state of
    all methods), optimize="speed" or "memory"... Raises InputError, DoesNotFit.
    """
    given = {name: value for name, value in locals().items() if name != "models"}
    library = planner()
    listed = list(models[0]) if len(models) == 1 and isinstance(models[0], (list, tuple)) else list(models)
    if not listed:
        raise InputError("plan: expected a model")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Scratch(folder)
        paths = [scratch.model(model, index) for index, model in enumerate(listed)]
        words = encoded([*paths, *words_of(given, scratch)])
        array = (ctypes.c_char_p * len(words))(*words)
        pointer = ctypes.c_void_p()
        result = library.arenite_plan_create(array, len(words), ctypes.byref(pointer))
        names = scratch.names
    planned = Handle(pointer, library.arenite_plan_free) if pointer else None
    if planned is not None and result != 0:
        message = library.arenite_plan_last_error().decode("utf-8", "replace")
        raise DoesNotFit(python_words(message, names), planned)
    if result != 0:
        message = library.arenite_plan_last_error()
        if names and b"external data in file" in message:
            message += b"; a model given as bytes has no folder of its own: give plan() its file"
        fail(result, message, names)
    size = ctypes.c_size_t()
    data = library.arenite_plan_program(pointer, ctypes.byref(size))
    return Program(ctypes.string_at(data, size.value), planned)


def boards() -> List[str]:
    """The names of all boards that are found."""
    return taken_text(planner().arenite_plan_boards()).split()

# SPDX-License-Identifier: Apache-2.0
