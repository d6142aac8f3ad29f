"""Runs a command of `arenite` in this process and takes its JSON."""

from __future__ import annotations

import ctypes
import json
import warnings
from typing import Any, Dict, Mapping, Sequence

from ._errors import check
from ._library import planner
from ._report import taken_text
from ._words import encoded


def json_of(words: Sequence[str], files: Mapping[str, str] = {}) -> Dict[str, Any]:
    """What the command prints with --json; its warnings and notes become warnings of Python."""
    library = planner()
    listed = encoded([*words, "--json"])
    array = (ctypes.c_char_p * len(listed))(*listed)
    output, notes = ctypes.c_void_p(), ctypes.c_void_p()
    result = library.arenite_plan_command(array, len(listed), ctypes.byref(output), ctypes.byref(notes))
    check(result, library.arenite_plan_last_error, files)
    text, notes_text = taken_text(output.value), taken_text(notes.value)
    for line in notes_text.splitlines():
        for path, name in files.items():
            line = line.replace(path, name)
        warnings.warn(line, stacklevel=3)
    return json.loads(text)

# SPDX-License-Identifier: Apache-2.0
