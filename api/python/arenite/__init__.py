"""Plans trained networks to the last byte and runs the plans.

    import arenite, numpy
    program = arenite.plan("digits.onnx")
    print(program.report())
    logits = program.session().run(numpy.zeros((1, 1, 8, 8), numpy.float32))["logits"]

Everything is done by libarenite and libarenite_planner through their C interfaces; they lie beside this package, so
one copy serves every Python 3 that has numpy. Threads: programs are constant; threads may share a session, which
runs one after the other without the interpreter's lock, and a session for each of them runs them side by side.
"""

import contextlib
import ctypes
import os
import pathlib
import tempfile
import threading

import numpy

from ._library import PAUSE as _PAUSE
from ._library import Tensor as _Tensor
from ._library import planner as _planner
from ._library import runtime as _runtime
from ._library import Options as _Options

__all__ = ["plan", "load", "boards", "Program", "Session", "Tensor", "Error", "InputError",
           "Cancelled", "DoesNotFit", "__version__"]


_BYTES = (bytes, bytearray, memoryview)


class Error(RuntimeError):
    """It ran and failed: a device error, an index out of range, too little memory."""


class InputError(Error, ValueError):
    """A bad argument or file: says what, where, expected and found."""


class Cancelled(Error):
    """A call inside the run ended it: see Session.set_pauses."""


class DoesNotFit(Error):
    """The plan does not fit its board; report(kind) shows where."""

    def __init__(self, message, plan):
        super().__init__(message)
        self._plan = plan

    def report(self, kind="text"):
        """As Program.report()."""
        return _report(self._plan, kind)


def _check(result, message):
    if result != 0:
        text = message().decode("utf-8", "replace")
        raise {2: InputError, 4: Cancelled}.get(result, Error)(text)


class _Handle:
    """An object of a library, freed when the last that needs it goes."""

    def __init__(self, pointer, free):
        self.pointer, self._free = pointer, free

    def __del__(self):
        self._free(self.pointer)


def _taken_text(pointer):
    if not pointer:
        _check(2, _planner().arenite_plan_last_error)
    text = ctypes.string_at(pointer).decode("utf-8", "replace")
    _planner().arenite_plan_free_text(pointer)
    return text


def _report(plan, kind):
    if plan is None:
        raise InputError("report: the program was loaded, not planned here")
    return _taken_text(_planner().arenite_plan_report(plan.pointer, os.fsencode(kind)))


def _word(value):
    if isinstance(value, (bool, numpy.bool_)):
        return str(bool(value)).lower()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _words(options, folder):
    """Keyword arguments as the words of `arenite plan`: board=["a", "b"], shape={"x": (1, 3)}, io="caller".

    Arrays, as fix={"x": numpy.zeros(3)} has them, become files in the folder.
    """
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            if value:
                yield option
        elif isinstance(value, dict):
            for number, (key, one) in enumerate(value.items()):
                if isinstance(one, numpy.ndarray):
                    path = pathlib.Path(folder) / f"{name}_{number}.npy"
                    numpy.save(path, one)
                    one = path
                entries = one if isinstance(one, (list, tuple)) else (one,)
                yield from (option, f"{key}={','.join(map(_word, entries))}")
        elif isinstance(value, (list, tuple)):
            for one in value:
                yield from (option, _word(one))
        else:
            yield from (option, _word(value))


def plan(*models, **options):
    """Plans models into a Program.

    models: files, or bytes of an ONNX model with all its data inside. options: those of `arenite plan` that decide
    what the program is, by name: board (a name, a file, or a list), shape={"input": (1, 3, 224, 224)}, dim={"N": 1},
    fix={"rate": 16000} (a number, several, an array or a file), outputs=["boxes", "scores"], state={"next": "kept"}
    (an output that an input takes), share_state="kept" (one state of all methods), no_state=True, optimize="speed" or "memory", memory_planner, io, constants,
    constraints, disable, fallback. Raises InputError, DoesNotFit.
    """
    library = _planner()
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, model in enumerate(models):
            if isinstance(model, _BYTES):
                path = pathlib.Path(folder) / f"model_{index}.onnx"
                path.write_bytes(model)
                model = path
            paths.append(os.fspath(model))
        words = [os.fsencode(word) for word in (*paths, *_words(options, folder))]
        array = (ctypes.c_char_p * len(words))(*words)
        pointer = ctypes.c_void_p()
        result = library.arenite_plan_create(array, len(words), ctypes.byref(pointer))
    planned = _Handle(pointer, library.arenite_plan_free) if pointer else None
    if planned is not None and result != 0:
        raise DoesNotFit(library.arenite_plan_last_error().decode("utf-8", "replace"), planned)
    if result != 0 and any(isinstance(model, _BYTES) for model in models):
        text = library.arenite_plan_last_error().decode("utf-8", "replace")
        if "external data in file" in text:
            raise InputError(text + "; a model given as bytes has no folder of its own: give plan() its file")
    _check(result, library.arenite_plan_last_error)
    size = ctypes.c_size_t()
    data = library.arenite_plan_program(pointer, ctypes.byref(size))
    return Program(ctypes.string_at(data, size.value), planned)


def load(program):
    """A Program from a file, or from its bytes. Raises InputError."""
    if isinstance(program, _BYTES):
        return Program(bytes(program))
    return Program(pathlib.Path(program).read_bytes())


def boards():
    """The names of all boards that are found."""
    return _taken_text(_planner().arenite_plan_boards()).split()


class Program:
    """A program file: one or more methods, each a planned model. bytes(program) are the file's."""

    def __init__(self, data, planned=None):
        self._bytes, self._plan = data, planned
        pointer = ctypes.c_void_p()
        _check(_runtime().arenite_program_copy(data, len(data), ctypes.byref(pointer)),
               _runtime().arenite_last_error)
        self._program = _Handle(pointer, _runtime().arenite_program_free)

    def __bytes__(self):
        return self._bytes

    def __len__(self):
        return len(self._bytes)

    @property
    def methods(self):
        """The names of the methods."""
        pointer = self._program.pointer
        return [_runtime().arenite_program_method(pointer, index).decode()
                for index in range(_runtime().arenite_program_methods(pointer))]

    def save(self, path):
        """Writes the program file."""
        pathlib.Path(path).write_bytes(self._bytes)

    def report(self, kind="text"):
        """What the plan is, as "text", "json", "svg" or "html", of a program that plan() made."""
        return _report(self._plan, kind)

    def session(self, **options):
        """A Session of this program: device="auto", "cpu", "vulkan", ...; method, board, threads, allow_fallback,
        pipeline_cache as of `arenite run`; states_of=another session of this program, where methods share states: each
        of the two takes what the other's runs leave in these. Raises InputError, Error."""
        return Session(self, **options)


class Tensor:
    """Name, numpy dtype and shape of an input or output.

    Integers that stand for numbers have a scale: number = (integer - zero_point) * scale; of others it is None.
    """

    def __init__(self, name, dtype, shape, scale=None, zero_point=0):
        self.name, self.dtype, self.shape = name, dtype, shape
        self.scale, self.zero_point = scale, zero_point

    def __repr__(self):
        return f"Tensor({self.name!r}, {self.dtype}, {self.shape})"


# numpy has no bfloat16: its two bytes are seen as a number.
_DTYPES = {1: "f4", 2: "u1", 3: "i1", 4: "u2", 5: "i2", 6: "i4", 7: "i8", 9: "?", 10: "f2",
           11: "f8", 12: "u4", 13: "u8", 16: "u2"}


class Session:
    """A method made ready to run on a device."""

    def __init__(self, program, device=None, method=None, board=None, threads=0,
                 allow_fallback=False, pipeline_cache=None, states_of=None):
        def text(value):
            return None if value is None else os.fsencode(value)

        options = _Options(ctypes.sizeof(_Options), text(device), text(method), text(board), threads,
                           bool(allow_fallback), text(pipeline_cache),
                           None if states_of is None else states_of._session.pointer)
        pointer = ctypes.c_void_p()
        library = _runtime()
        with contextlib.nullcontext() if states_of is None else states_of._lock:
            _check(library.arenite_session_create(program._program.pointer, ctypes.byref(options),
                                                  ctypes.byref(pointer)), library.arenite_last_error)
        self._session = _Handle(pointer, library.arenite_session_free)
        # Inputs and outputs lie in the session: a run has it from filling them to copying them out.
        self._lock = threading.Lock() if states_of is None else states_of._lock
        self._pause, self._raised = _PAUSE(), None
        self._scales = {}
        self._given = dict(self._tensors(library.arenite_session_inputs, library.arenite_session_input))
        self._found = dict(self._tensors(library.arenite_session_outputs, library.arenite_session_output))
        self._take_views()

    def _tensors(self, count, at):
        """The name of each tensor and the library's record of it, which lives as long as the session."""
        for index in range(count(self._session.pointer)):
            tensor = ctypes.cast(at(self._session.pointer, index), ctypes.POINTER(_Tensor)).contents
            name = tensor.name.decode("utf-8", "replace")
            self._scales[name] = (tensor.scale or None, tensor.zero_point)
            yield name, tensor

    @staticmethod
    def _view(tensor):
        """An array over the library's memory, of the dims that the record has now."""
        shape = tuple(tensor.dims[d] for d in range(tensor.rank))
        memory = (ctypes.c_ubyte * tensor.bytes).from_address(tensor.data) if tensor.bytes else b""
        return numpy.frombuffer(memory, numpy.dtype(_DTYPES[tensor.type])).reshape(shape)

    @property
    def inputs(self):
        """The inputs as Tensors, in the model's order."""
        return [Tensor(name, view.dtype, view.shape, *self._scales[name])
                for name, view in self._inputs.items()]

    @property
    def outputs(self):
        """The outputs as Tensors, in the model's order."""
        return [Tensor(name, view.dtype, view.shape, *self._scales[name])
                for name, view in self._outputs.items()]

    @property
    def device(self):
        """"cpu", or the name of the Vulkan device."""
        return _runtime().arenite_session_device(self._session.pointer).decode()

    @property
    def fell_back(self):
        """Why a device or variant that was preferred was not used, or None."""
        reason = _runtime().arenite_session_fell_back(self._session.pointer)
        return None if reason is None else reason.decode()

    def set_pauses(self, call, operations=100_000_000):
        """Lets runs call `call()` between two pieces of their work, to show progress or to end a run.

        After at most about so many operations (multiply-adds, comparisons...) of each thread, and behind what a GPU
        does in one go. A run ends with Cancelled where it returns False, and with what it raises; so Ctrl-C ends a
        run that has one. States are then as they were, and the session runs again. `None` ends the calls. It must not
        use the session. Raises InputError.
        """
        def answer(_):
            try:
                return int(call() is not False)
            except BaseException as error:  # pylint: disable=broad-except
                self._raised = error
                return 0

        with self._lock:
            pause = _PAUSE() if call is None else _PAUSE(answer)
            _check(_runtime().arenite_session_set_pauses(self._session.pointer, pause, None, operations),
                   _runtime().arenite_last_error)
            self._pause = pause  # which the session calls from now on

    def run(self, *arrays, **named):
        """Runs once; returns {name: array}.

        Inputs by place in the model's order, by name, or as one dict; of the exact dtype, and of the exact shape or,
        where the program leaves sizes to its callers, of any shape that it takes. With one more leading dimension N
        on all of them it runs N times and stacks the outputs, with all rows that there may be where the data decides
        how many hold results; of outputs that states let grow from run to run it gives the last. States are kept
        from run to run: see reset_states(). Raises InputError, Error, Cancelled.
        """
        given = self._arrays(arrays, named)
        runs = {self._runs_of(name, array) for name, array in given.items()}
        if len(runs) > 1:
            raise InputError("inputs: give all the same leading dimension or none, found " +
                             ", ".join(f"{n} {a.shape}" for n, a in given.items()))
        count = runs.pop() if runs else None
        if count is None:
            return self._run_once(given)
        results = [self._run_once({name: array[i] for name, array in given.items()}, all_rows=True)
                   for i in range(count)]
        return {name: self._stack([result[name] for result in results]) if results
                else numpy.empty((0, *view.shape), view.dtype)
                for name, view in self._outputs.items()}

    @staticmethod
    def _stack(arrays):
        """One array of all; where their shapes differ, as those of states that grow, the last."""
        same = all(array.shape == arrays[0].shape for array in arrays)
        return numpy.stack(arrays) if same else arrays[-1]

    def set_shape(self, name, shape):
        """Gives an input this shape, where the program leaves its sizes to callers; other inputs and outputs follow.

        run() does so by itself. Raises InputError, and changes nothing, for a shape that the input cannot have.
        """
        with self._lock:
            self._set_shape(name, shape)

    def _set_shape(self, name, shape):
        dims = (ctypes.c_uint32 * len(shape))(*shape)
        _check(_runtime().arenite_session_set_shape(self._session.pointer, list(self._inputs).index(name), dims,
                                                    len(shape)), _runtime().arenite_last_error)
        self._take_views()

    def _take_views(self):
        self._inputs = {name: self._view(tensor) for name, tensor in self._given.items()}
        # Views of outputs hold all rows that there may be; a run may find fewer.
        self._outputs = {name: self._view(tensor) for name, tensor in self._found.items()}

    def reset_states(self):
        """Gives all that the session keeps between runs what it began with."""
        self._call(_runtime().arenite_session_reset_states)
        self._take_views()

    def save_states(self):
        """All that is kept between runs, as bytes for load_states() of another session of the model."""
        size = ctypes.c_size_t()
        self._call(_runtime().arenite_session_save_states, None, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        self._call(_runtime().arenite_session_save_states, data, ctypes.byref(size))
        return data.raw[:size.value]

    def load_states(self, saved):
        """Takes what save_states() gave. Raises InputError, and changes nothing, where it is of another model."""
        self._call(_runtime().arenite_session_load_states, bytes(saved), len(saved))
        self._take_views()

    def _call(self, function, *arguments):
        with self._lock:
            _check(function(self._session.pointer, *arguments), _runtime().arenite_last_error)

    def _arrays(self, arrays, named):
        if len(arrays) == 1 and isinstance(arrays[0], dict):
            arrays, named = (), {**arrays[0], **named}
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
        return {name: numpy.asarray(array) for name, array in given.items()}

    def _runs_of(self, name, array):
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

    def _run_once(self, given, all_rows=False):
        with self._lock:
            for name, array in given.items():
                if array.shape != self._inputs[name].shape:
                    self._set_shape(name, array.shape)
            for name, array in given.items():
                if array.shape != self._inputs[name].shape:
                    raise InputError(f"input {name!r}: expected {list(self._inputs[name].shape)}, as another input has "
                                     f"it, found {list(array.shape)}")
                self._inputs[name][...] = array
            result = _runtime().arenite_session_run(self._session.pointer)
            raised, self._raised = self._raised, None
            if raised is not None:
                raise raised
            _check(result, _runtime().arenite_last_error)
            found = {name: self._view(tensor) for name, tensor in self._found.items()}
            # More than before is what a state let grow; fewer are those that hold results.
            return {name: (view if found[name].nbytes == view.nbytes or all_rows and found[name].nbytes < view.nbytes
                           else found[name]).copy()
                    for name, view in self._outputs.items()}


__version__ = _runtime().arenite_version().decode()

# SPDX-License-Identifier: Apache-2.0
