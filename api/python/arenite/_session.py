"""Sessions: methods of programs made ready to run, with numpy arrays in and out."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy

from ._errors import InputError, check
from ._handle import Handle
from ._library import PAUSE, Options, TensorRecord, runtime
from ._words import Path

if TYPE_CHECKING:
    from ._program import Program

# numpy has no bfloat16: its two bytes are seen as a number.
_DTYPES = {1: "f4", 2: "u1", 3: "i1", 4: "u2", 5: "i2", 6: "i4", 7: "i8", 9: "?", 10: "f2",
           11: "f8", 12: "u4", 13: "u8", 16: "u2"}

# An input: an array of the exact dtype, or numbers and lists of numbers, which become one.
Array = Union[numpy.ndarray, Sequence[Any], int, float, bool]
Results = Dict[str, numpy.ndarray]
# Arrays into which a run writes outputs: one for each output that the caller names.
Out = Union[Mapping[str, numpy.ndarray], Sequence[numpy.ndarray], numpy.ndarray]


class Tensor:
    """Name, numpy dtype and shape of an input or output.

    Integers that stand for numbers have a scale: number = (integer - zero_point) * scale; of others it is None.
    """

    def __init__(self, name: str, dtype: "numpy.dtype[Any]", shape: Tuple[int, ...], scale: Optional[float] = None,
                 zero_point: int = 0):
        self.name, self.dtype, self.shape = name, dtype, shape
        self.scale, self.zero_point = scale, zero_point

    def __repr__(self) -> str:
        return f"Tensor({self.name!r}, {self.dtype}, {self.shape})"


def _text(value: Any) -> Optional[bytes]:
    return None if value is None else os.fsencode(value)


def _lossless(value: Any, view: numpy.ndarray, name: str) -> numpy.ndarray:
    """Numbers and lists of numbers as an array of the input's dtype, which must hold them."""
    if isinstance(value, numpy.ndarray):
        return value
    array = numpy.asarray(value)
    if isinstance(value, numpy.generic) or hasattr(value, "__array__") or array.dtype == view.dtype:
        return array
    if array.dtype.kind not in "biuf":
        raise InputError(f"input {name!r}: expected numbers, found {array.dtype} from {type(value).__name__}")
    with numpy.errstate(over="ignore", invalid="ignore"):
        converted = array.astype(view.dtype)
    rounded = array.dtype.kind == "f" and view.dtype.kind == "f"  # a list's floats are doubles
    if not rounded and not numpy.array_equal(converted.astype(array.dtype), array):
        raise InputError(f"input {name!r}: {view.dtype} does not hold all numbers of the list")
    return converted


class Session:
    """A method made ready to run on a device; also a context manager, which closes it."""

    def __init__(self, program: "Program", device: Optional[str] = None, method: Optional[str] = None,
                 board: Optional[str] = None, threads: int = 0, allow_fallback: bool = False,
                 pipeline_cache: Optional[Path] = None, states_of: Optional["Session"] = None):
        self._session: Handle
        self._lock: threading.Lock
        self._inputs: Results
        self._outputs: Results
        options = Options(ctypes.sizeof(Options), _text(device), _text(method), _text(board), threads,
                          bool(allow_fallback), _text(pipeline_cache),
                          None if states_of is None else states_of._session.pointer)
        pointer = ctypes.c_void_p()
        library = runtime()
        # Inputs and outputs lie in the session: a run has it from filling them to copying them out.
        self._lock = threading.Lock() if states_of is None else states_of._lock
        with self._lock:
            check(library.arenite_session_create(program._program.pointer, ctypes.byref(options),
                                                  ctypes.byref(pointer)), library.arenite_last_error)
        self._session = Handle(pointer, library.arenite_session_free)
        self._pause = PAUSE()
        self._raised: Optional[BaseException] = None
        self._scales: Dict[str, Tuple[Optional[float], int]] = {}
        self._given = dict(self._tensors(library.arenite_session_inputs, library.arenite_session_input))
        self._found = dict(self._tensors(library.arenite_session_outputs, library.arenite_session_output))
        self._take_views()

    def close(self) -> None:
        """Frees what the session holds; it cannot be used any more."""
        with self._lock:
            self._session.close()
            self._inputs, self._outputs = {}, {}

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Session(on {self.device}: {self.inputs} -> {self.outputs})"

    def _tensors(self, count: Callable[[Any], int], at: Callable[[Any, int], Any]) -> Iterator[Tuple[str, Any]]:
        """The name of each tensor and the library's record of it, which lives as long as the session."""
        for index in range(count(self._session.pointer)):
            tensor = ctypes.cast(at(self._session.pointer, index), ctypes.POINTER(TensorRecord)).contents
            name = tensor.name.decode("utf-8", "replace")
            self._scales[name] = (tensor.scale or None, tensor.zero_point)
            yield name, tensor

    @staticmethod
    def _view(tensor: Any) -> numpy.ndarray:
        """An array over the library's memory, of the dims that the record has now."""
        shape = tuple(tensor.dims[d] for d in range(tensor.rank))
        memory = (ctypes.c_ubyte * tensor.bytes).from_address(tensor.data) if tensor.bytes else b""
        return numpy.frombuffer(memory, numpy.dtype(_DTYPES[tensor.type])).reshape(shape)

    @property
    def inputs(self) -> List[Tensor]:
        """The inputs as Tensors, in the model's order."""
        return [Tensor(name, view.dtype, view.shape, *self._scales[name]) for name, view in self._inputs.items()]

    @property
    def outputs(self) -> List[Tensor]:
        """The outputs as Tensors, in the model's order."""
        return [Tensor(name, view.dtype, view.shape, *self._scales[name]) for name, view in self._outputs.items()]

    @property
    def device(self) -> str:
        """"cpu", or the name of the Vulkan device."""
        return str(runtime().arenite_session_device(self._session.pointer).decode())

    @property
    def fell_back(self) -> Optional[str]:
        """Why a device or variant that was preferred was not used, or None."""
        reason = runtime().arenite_session_fell_back(self._session.pointer)
        return None if reason is None else reason.decode()

    def set_pauses(self, call: Optional[Callable[[], Any]], operations: int = 100_000_000) -> None:
        """Lets runs call `call()` between two pieces of their work, to show progress or to end a run.

        After at most about so many operations (multiply-adds, comparisons...) of each thread, and behind what a GPU
        does in one go. A run ends with Cancelled where it returns False, and with what it raises; so Ctrl-C ends a
        run that has one. States are then as they were, and the session runs again. `None` ends the calls. It must not
        use the session. Raises InputError.
        """
        def answer(_: Any) -> int:
            try:
                return int(call() is not False)  # type: ignore[misc]
            except BaseException as error:  # pylint: disable=broad-except
                self._raised = error
                return 0

        with self._lock:
            pause = PAUSE() if call is None else PAUSE(answer)
            check(runtime().arenite_session_set_pauses(self._session.pointer, pause, None, operations),
                  runtime().arenite_last_error)
            self._pause = pause  # which the session calls from now on

    def run(self, *arrays: Any, out: Optional[Out] = None, **named: Array) -> Any:
        """Runs once; returns {name: array}.

        Inputs by place in the model's order, by name, or as one dict: arrays of the exact dtype, or lists of numbers
        that it holds; of the exact shape or, where the program leaves sizes to its callers, of any shape that it takes.
        As run(["logits"], {"image": x}), with None for all outputs, it returns a list, as ONNX Runtime does.

        With one more leading dimension N on all of them it runs N times and stacks the outputs, with all rows that
        there may be where the data decides how many hold results; of outputs that states let grow from run to run it
        gives the last. `out`, an array for each output or some by name, takes results where callers want them; they are
        what is returned then (an input that is called "out" goes into a dict). States are kept from run to run: see
        reset_states(). Raises InputError, Error, Cancelled.
        """
        wanted: Optional[List[str]] = None
        listed = len(arrays) == 2 and isinstance(arrays[1], Mapping) and (arrays[0] is None or not isinstance(
            arrays[0], (Mapping, numpy.ndarray)) and all(isinstance(name, str) for name in arrays[0]))
        if listed:
            wanted = list(self._outputs) if arrays[0] is None else list(arrays[0])
            self._known(wanted)
            arrays = (arrays[1],)
        given = self._arrays(arrays, named)
        runs = {self._runs_of(name, array) for name, array in given.items()}
        if len(runs) > 1:
            raise InputError("inputs: give all the same leading dimension or none, found " +
                             ", ".join(f"{n} {a.shape}" for n, a in given.items()))
        count = runs.pop() if runs else None
        targets = {} if out is None else self._targets(out)
        if count is None:
            results = self._run_once(given, targets)
        else:
            for name, target in targets.items():
                if target.shape[:1] != (count,):
                    raise InputError(f"out: expected {count} rows for output {name!r}, found {list(target.shape)}")
            several = [self._run_once({name: array[i] for name, array in given.items()},
                                      {name: target[i, ...] for name, target in targets.items()}, all_rows=True)
                       for i in range(count)]
            results = {name: targets[name] if name in targets
                       else self._stack([result[name] for result in several]) if several
                       else numpy.empty((0, *view.shape), view.dtype)
                       for name, view in self._outputs.items()}
        return results if wanted is None else [results[name] for name in wanted]

    def _known(self, names: Sequence[str]) -> None:
        for name in names:
            if name not in self._outputs:
                raise InputError(f"no output {name!r}; there are: {', '.join(self._outputs)}")

    def _targets(self, out: Out) -> Results:
        """The caller's arrays by the names of outputs."""
        if isinstance(out, numpy.ndarray):
            out = [out]
        if not isinstance(out, Mapping):
            if len(out) != len(self._outputs):
                raise InputError(f"out: expected {len(self._outputs)} arrays, found {len(out)}")
            out = dict(zip(self._outputs, out))
        self._known(list(out))
        for name, array in out.items():
            if not isinstance(array, numpy.ndarray):
                raise InputError(f"out: expected an array for output {name!r}, found {type(array).__name__}")
            if not array.flags.writeable:
                raise InputError(f"out: the array for output {name!r} cannot be written")
        return dict(out)

    @staticmethod
    def _hand_over(found: Results, targets: Results) -> Results:
        """Copies results into the caller's arrays, or new ones; looks at all arrays before any is written."""
        for name, target in targets.items():
            view = found[name]
            if target.dtype != view.dtype or target.shape != view.shape:
                raise InputError(f"out: expected an array of {view.dtype}{list(view.shape)} for output {name!r}, "
                                 f"found {target.dtype}{list(target.shape)}")
        for name, target in targets.items():
            target[...] = found[name]
        return {name: targets[name] if name in targets else view.copy() for name, view in found.items()}

    @staticmethod
    def _stack(arrays: List[numpy.ndarray]) -> numpy.ndarray:
        """One array of all; where their shapes differ, as those of states that grow, the last."""
        same = all(array.shape == arrays[0].shape for array in arrays)
        return numpy.stack(arrays) if same else arrays[-1]

    def set_shape(self, name: str, shape: Sequence[int]) -> None:
        """Gives an input this shape, where the program leaves its sizes to callers; other inputs and outputs follow.

        run() does so by itself. Raises InputError, and changes nothing, for a shape that the input cannot have.
        """
        with self._lock:
            self._set_shape(name, shape)

    def _set_shape(self, name: str, shape: Sequence[int]) -> None:
        dims = (ctypes.c_uint32 * len(shape))(*shape)
        check(runtime().arenite_session_set_shape(self._session.pointer, list(self._inputs).index(name), dims,
                                                  len(shape)), runtime().arenite_last_error)
        self._take_views()

    def _take_views(self) -> None:
        self._inputs = {name: self._view(tensor) for name, tensor in self._given.items()}
        # Views of outputs hold all rows that there may be; a run may find fewer.
        self._outputs = {name: self._view(tensor) for name, tensor in self._found.items()}

    def reset_states(self) -> None:
        """Gives all that the session keeps between runs what it began with."""
        self._call(runtime().arenite_session_reset_states)
        self._take_views()

    def save_states(self) -> bytes:
        """All that is kept between runs, as bytes for load_states() of another session of the model."""
        size = ctypes.c_size_t()
        self._call(runtime().arenite_session_save_states, None, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        self._call(runtime().arenite_session_save_states, data, ctypes.byref(size))
        return data.raw[:size.value]

    def load_states(self, saved: bytes) -> None:
        """Takes what save_states() gave. Raises InputError, and changes nothing, where it is of another model."""
        self._call(runtime().arenite_session_load_states, bytes(saved), len(saved))
        self._take_views()

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        with self._lock:
            check(function(self._session.pointer, *arguments), runtime().arenite_last_error)

    def _arrays(self, arrays: Tuple[Any, ...], named: Dict[str, Any]) -> Dict[str, numpy.ndarray]:
        self._session.pointer  # pylint: disable=pointless-statement # raises where it is closed
        if len(arrays) == 1 and isinstance(arrays[0], Mapping):
            named = {**arrays[0], **named}
            arrays = ()
        if len(arrays) > len(self._inputs):
            raise InputError(f"expected {len(self._inputs)} inputs, found {len(arrays)}")
        given = dict(zip(self._inputs, arrays))
        for name, array in named.items():
            if name not in self._inputs:
                raise InputError(f"no input {name!r}; there are: {', '.join(self._inputs)}")
            given[name] = array
        missing = [name for name in self._inputs if name not in given]
        if missing:
            raise InputError("missing inputs: " + ", ".join(missing))
        return {name: _lossless(array, self._inputs[name], name) for name, array in given.items()}

    def _runs_of(self, name: str, array: numpy.ndarray) -> Optional[int]:
        """None for one run, or the leading dimension that asks for more."""
        view = self._inputs[name]
        if array.dtype == view.dtype and array.ndim in (view.ndim, view.ndim + 1):
            one = array.shape[array.ndim - view.ndim:]
            try:
                if one != view.shape:
                    self.set_shape(name, one)
                return None if array.ndim == view.ndim else array.shape[0]
            except InputError as error:
                raise InputError(f"{error}; with one more leading dimension it runs as often") from error
        raise InputError(f"input {name!r}: expected {view.dtype}{list(view.shape)}, or with one more "
                         f"leading dimension; found {array.dtype}{list(array.shape)}")

    def _run_once(self, given: Dict[str, numpy.ndarray], targets: Results, all_rows: bool = False) -> Results:
        with self._lock:
            for name, array in given.items():
                if array.shape != self._inputs[name].shape:
                    self._set_shape(name, array.shape)
            for name, array in given.items():
                if array.shape != self._inputs[name].shape:
                    raise InputError(f"input {name!r}: expected {list(self._inputs[name].shape)}, as another input has "
                                     f"it, found {list(array.shape)}")
                self._inputs[name][...] = array
            result = runtime().arenite_session_run(self._session.pointer)
            raised, self._raised = self._raised, None
            if raised is not None:
                raise raised
            check(result, runtime().arenite_last_error)
            now = {name: self._view(tensor) for name, tensor in self._found.items()}
            # More than before is what a state let grow; fewer are those that hold results.
            found = {name: (view if now[name].nbytes == view.nbytes or all_rows and now[name].nbytes < view.nbytes
                            else now[name])
                     for name, view in self._outputs.items()}
            return self._hand_over(found, targets)

# SPDX-License-Identifier: Apache-2.0
