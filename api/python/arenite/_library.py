"""The C interfaces of arenite.h and arenite_planner.h, as ctypes sees them.

The libraries are those of the installation that this package belongs to: PREFIX/lib/python3/site-packages/arenite
beside PREFIX/lib; in a wheel the package is the prefix itself.
"""

from __future__ import annotations

import ctypes
import functools
import pathlib
from typing import Any, Dict, Tuple

_PACKAGE = pathlib.Path(__file__).absolute().parent
PREFIX = _PACKAGE if (_PACKAGE / "lib").is_dir() else _PACKAGE.parents[3]


class TensorRecord(ctypes.Structure):
    """arenite_tensor"""
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int), ("rank", ctypes.c_uint32),
                ("dims", ctypes.POINTER(ctypes.c_uint32)), ("bytes", ctypes.c_size_t),
                ("data", ctypes.c_void_p), ("scale", ctypes.c_float),
                ("zero_point", ctypes.c_int32)]


class Options(ctypes.Structure):
    """arenite_options"""
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p), ("method", ctypes.c_char_p),
                ("board", ctypes.c_char_p), ("threads", ctypes.c_uint32),
                ("allow_fallback", ctypes.c_uint32), ("pipeline_cache", ctypes.c_char_p),
                ("states_of", ctypes.c_void_p)]


PAUSE: Any = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)

_VOID, _TEXT, _COUNT, _INDEX = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32
_OUT = ctypes.POINTER(ctypes.c_void_p)

_RUNTIME: Dict[str, Tuple[Any, ...]] = {
    "arenite_version": (_TEXT,),
    "arenite_last_error": (_TEXT,),
    "arenite_program_copy": (ctypes.c_int, _TEXT, _COUNT, _OUT),
    "arenite_program_free": (None, _VOID),
    "arenite_program_methods": (_INDEX, _VOID),
    "arenite_program_method": (_TEXT, _VOID, _INDEX),
    "arenite_session_create": (ctypes.c_int, _VOID, ctypes.POINTER(Options), _OUT),
    "arenite_session_free": (None, _VOID),
    "arenite_session_inputs": (_INDEX, _VOID),
    "arenite_session_outputs": (_INDEX, _VOID),
    "arenite_session_input": (_VOID, _VOID, _INDEX),
    "arenite_session_output": (_VOID, _VOID, _INDEX),
    "arenite_session_run": (ctypes.c_int, _VOID),
    "arenite_session_set_shape": (ctypes.c_int, _VOID, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32),
                                  ctypes.c_uint32),
    "arenite_session_set_pauses": (ctypes.c_int, _VOID, PAUSE, _VOID, ctypes.c_uint32),
    "arenite_session_reset_states": (ctypes.c_int, _VOID),
    "arenite_session_save_states": (ctypes.c_int, _VOID, _VOID, ctypes.POINTER(_COUNT)),
    "arenite_session_load_states": (ctypes.c_int, _VOID, _TEXT, _COUNT),
    "arenite_session_device": (_TEXT, _VOID),
    "arenite_session_fell_back": (_TEXT, _VOID),
}

_PLANNER: Dict[str, Tuple[Any, ...]] = {
    "arenite_plan_create": (ctypes.c_int, ctypes.POINTER(_TEXT), _COUNT, _OUT),
    "arenite_plan_free": (None, _VOID),
    "arenite_plan_program": (_VOID, _VOID, ctypes.POINTER(_COUNT)),
    "arenite_plan_report": (_VOID, _VOID, _TEXT),
    "arenite_plan_boards": (_VOID,),
    "arenite_plan_command": (ctypes.c_int, ctypes.POINTER(_TEXT), _COUNT, _OUT, _OUT),
    "arenite_plan_free_text": (None, _VOID),
    "arenite_plan_last_error": (_TEXT,),
}


def _open(name: str, functions: Dict[str, Tuple[Any, ...]]) -> Any:
    # A wheel has the planner under its full name alone, with the version in it.
    library = ctypes.CDLL(str(min((PREFIX / "lib").glob(name + "*"), default=PREFIX / "lib" / name)))
    for function, (result, *arguments) in functions.items():
        entry = getattr(library, function)
        entry.restype, entry.argtypes = result, arguments
    return library


@functools.lru_cache(maxsize=None)
def runtime() -> Any:
    """libarenite."""
    return _open("libarenite.so.0", _RUNTIME)


@functools.lru_cache(maxsize=None)
def planner() -> Any:
    """libarenite_planner, which running alone does not need."""
    return _open("libarenite_planner.so", _PLANNER)

# SPDX-License-Identifier: Apache-2.0
