"""Reports of plans, as text or as the object that JSON stands for."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any

from ._errors import Error, check
from ._library import planner

def taken_text(pointer: Any) -> str:
    """A text of the planner library, which is given back to it."""
    if not pointer:
        check(2, planner().arenite_plan_last_error)
    text = ctypes.string_at(pointer).decode("utf-8", "replace")
    planner().arenite_plan_free_text(pointer)
    return text


def report_of(plan: Any, kind: str) -> Any:
    """The report of a plan that this process made: of "json" an object, of other kinds text."""
    text = taken_text(planner().arenite_plan_report(plan.pointer, os.fsencode(kind)))
    return json.loads(text) if kind == "json" else text


class DoesNotFit(Error):
    """The plan does not fit its board; report(kind) shows where."""

    def __init__(self, message: str, plan: Any):
        super().__init__(message)
        self._plan = plan

    def report(self, kind: str = "text") -> Any:
        """As Program.report()."""
        return report_of(self._plan, kind)

# SPDX-License-Identifier: Apache-2.0
