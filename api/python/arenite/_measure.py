"""Says what runs take here, and on which devices they can be made."""

from __future__ import annotations

import dataclasses
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Union

import numpy

from ._command import json_of
from ._program import Program
from ._words import Model, Scratch, words_of


def bench(program: Union[Program, Model], *, device: Optional[str] = None, threads: Optional[int] = None,
          method: Optional[str] = None, board: Optional[str] = None, allow_fallback: bool = False, seconds: float = 1.0,
          inputs: Optional[Mapping[str, numpy.ndarray]] = None) -> Dict[str, Any]:
    """What runs of a program, or of a model planned for this machine, take: what `arenite bench --json` prints.

    Times of loading, of the first run and of the others in milliseconds ("load_ms", "first_ms", "min_ms", "median_ms",
    "p95_ms"), bytes of memory, and "steps", dearest first. Inputs that are not given are made up. Raises InputError,
    Error.
    """
    given = {"device": device, "threads": threads, "method": method, "board": board, "allow_fallback": allow_fallback,
             "seconds": seconds, "input": inputs}
    with tempfile.TemporaryDirectory() as folder:
        scratch = Scratch(folder)
        if isinstance(program, Program):
            path = scratch.folder / "program.arn"
            path.write_bytes(bytes(program))
            scratch.names[str(path)] = "program"
            words = ["bench", str(path)]
        else:
            words = ["bench", scratch.model(program, 0)]
        return json_of([*words, *words_of(given, scratch)], scratch.names)


def profile(program: Union[Program, Model], **options: Any) -> List[Dict[str, Any]]:
    """What each step of a run takes, dearest first; options as of bench(): "name", "op", "where", "median_us", "share"
    of the run and "bytes" that it reads and writes."""
    return bench(program, **options)["steps"]


@dataclasses.dataclass(frozen=True)
class Device:
    """A device that sessions may be given by its name."""

    name: str  # for Program.session(device=...)
    description: str
    driver: str
    software: bool  # a GPU's driver that computes on the CPU
    problem: Optional[str]  # why it cannot be used


def devices() -> List[Device]:
    """The CPU, and the Vulkan devices of this machine."""
    found = [Device("cpu", "CPU", "", False, None)]
    for index, device in enumerate(json_of(["doctor"])["vulkan"]):
        found.append(Device(f"vulkan:{index}", device["name"], device["driver"], device["software"], device["problem"]))
    return found

# SPDX-License-Identifier: Apache-2.0
