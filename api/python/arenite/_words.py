"""Keyword arguments as the words of `arenite`: board=["a", "b"], shape={"x": (1, 3)}, io="caller"."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Union

import numpy

# A model: a file, or the bytes of one with all its data inside (bytes, or what has them, as quantize() gives).
Model = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Any]
Path = Union[str, "os.PathLike[str]"]
Size = Union[int, str]


def one_word(value: Any) -> str:
    """A value as the command line takes it."""
    if isinstance(value, (bool, numpy.bool_)):
        return str(bool(value)).lower()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


class Scratch:
    """A folder for what callers give as bytes and arrays, and what its files are called in messages."""

    def __init__(self, folder: Path):
        self.folder = pathlib.Path(folder)
        self.names: Dict[str, str] = {}

    def model(self, model: Model, index: int) -> str:
        """The file of a model."""
        if isinstance(model, (str, os.PathLike)):
            return os.fspath(model)
        try:
            content = bytes(memoryview(model)) if isinstance(model, (bytes, bytearray, memoryview)) else model.__bytes__()
        except AttributeError:
            raise TypeError(f"model {index}: expected a path or bytes, found {type(model).__name__}") from None
        path = self.folder / f"model_{index}{'.tflite' if content[4:8] == b'TFL3' else '.onnx'}"
        path.write_bytes(content)
        self.names[str(path)] = f"model {index}, given as bytes"
        return str(path)

    def array(self, array: numpy.ndarray) -> str:
        """The file of an array."""
        path = self.folder / f"array_{len(self.names)}.npy"
        numpy.save(path, array)
        self.names[str(path)] = "array"
        return str(path)


def words_of(options: Mapping[str, Any], scratch: Scratch) -> Iterator[str]:
    """The words of all options that are given. Arrays, as fix={"x": numpy.zeros(3)} has them, become files."""
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield option
        elif isinstance(value, Mapping):
            for key, one in value.items():
                if isinstance(one, numpy.ndarray):
                    one = scratch.array(one)
                entries: Sequence[Any] = one if isinstance(one, (list, tuple)) else (one,)
                yield from (option, f"{key}={','.join(map(one_word, entries))}")
        elif isinstance(value, (list, tuple)):
            for one in value:
                yield from (option, one_word(one))
        else:
            yield from (option, one_word(value))


def encoded(words: Sequence[str]) -> List[bytes]:
    """As the C interface takes them."""
    return [os.fsencode(word) for word in words]

# SPDX-License-Identifier: Apache-2.0
