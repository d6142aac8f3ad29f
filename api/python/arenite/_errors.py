"""What goes wrong, as exceptions whose words are those of Python's callers."""

from __future__ import annotations

import re
from typing import Callable, Dict, Mapping, NoReturn


class Error(RuntimeError):
    """It ran and failed: a device error, an index out of range, too little memory."""


class InputError(Error, ValueError):
    """A bad argument or file: says what, where, expected and found."""


class Cancelled(Error):
    """A call inside the run ended it: see Session.set_pauses."""


_KINDS: Dict[int, Callable[[str], Error]] = {2: InputError, 4: Cancelled}

# Options that are arguments here: those that take NAME=VALUE are dicts, those without a value are True.
_DICTS = {"shape", "dim", "fix", "max_trips", "state"}
_FLAGS = {"no_state", "allow_fallback", "resize", "center_crop"}
_NAMED_VALUES = {"optimize": "speed|memory", "io": "planned|caller", "constants": "in_place|near",
                 "fallback": "reserve|none", "forms": "any|exact", "io_type": "float|native",
                 "image": "embedded|harness", "precision": "fp32|fp16",
                 "memory_planner": "naive|greedy_first_fit|greedy_by_size|portfolio|search"}
_NUMBERS = {"batch", "mean", "scale", "percentile", "threads", "seconds"}
_OTHERS = {"board", "inputs", "outputs", "share_state", "constraints", "weights", "keep_fp32", "disable", "assume_code", "device",
           "method", "ranges", "bias_correction", "calibration", "channels", "layout", "letterbox", "pipeline_cache"}
_NAMES = _DICTS | _FLAGS | set(_NAMED_VALUES) | _NUMBERS | _OTHERS
_NUMBER = re.compile(r"-?\d+(\.\d+)?$")


def _value(text: str) -> str:
    """A value of the command line as Python writes it."""
    parts = text.split(",")
    if all(_NUMBER.match(part) for part in parts):
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return text if text in ("...", "array") else repr(text)


def _argument(match: "re.Match[str]") -> str:
    name, value = match[1].replace("-", "_"), match[2]
    name = "inputs" if name == "input" else name
    if name not in _NAMES:
        return match[0]
    if name in _FLAGS:
        return f"{name}=True" + (f" {value}" if value else "")
    if value is None:
        return name
    # Punctuation behind the value belongs to the sentence.
    value, end = re.fullmatch(r"(.*?=\.\.\.|.*?)([:;,)'\"]*|\.)", value).groups()  # type: ignore[union-attr]
    key, equals, entry = value.partition("=")
    if name in _DICTS and equals and key:
        return f"{name}={{{key!r}: {_value(entry)}}}{end}"
    if name in _NAMED_VALUES and re.fullmatch(_NAMED_VALUES[name], value):
        return f"{name}={value!r}{end}"
    if name in _NUMBERS and re.match(r"\d", value):
        return f"{name}={_value(value)}{end}"
    return f"{name} {match[2]}"


def python_words(text: str, files: Mapping[str, str]) -> str:
    """A message of the library with options of the command line as arguments; `files` that we wrote are called what
    callers gave."""
    for path, name in files.items():
        text = text.replace(path, name)
    return re.sub(r"--([a-z][a-z-]*[a-z])(?: (\S+))?", _argument, text)


def fail(result: int, message: bytes, files: Mapping[str, str] = {}) -> NoReturn:
    """Raises what a result of the C interface stands for."""
    raise _KINDS.get(result, Error)(python_words(message.decode("utf-8", "replace"), files))


def check(result: int, message: Callable[[], bytes], files: Mapping[str, str] = {}) -> None:
    """Raises unless the result is that of success; `message` gives the library's last error."""
    if result != 0:
        fail(result, message(), files)

# SPDX-License-Identifier: Apache-2.0
