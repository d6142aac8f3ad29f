"""Plans trained networks to the last byte and runs the plans.

    import arenite, numpy
    program = arenite.plan("digits.onnx")
    print(program.report())
    with program.session() as session:
        logits = session.run(numpy.zeros((1, 1, 8, 8), numpy.float32))["logits"]

Everything is done by libarenite and libarenite_planner through their C interfaces; they lie beside this package, so
one copy serves every Python 3 that has numpy. Threads: programs are constant; threads may share a session, which
runs one after the other without the interpreter's lock, and a session for each of them runs them side by side.
"""

from ._errors import Cancelled, Error, InputError
from ._library import runtime as _runtime
from ._measure import Device, bench, devices, profile
from ._plan import boards, plan
from ._program import Program, load
from ._quantize import Quantized, quantize
from ._report import DoesNotFit
from ._session import Session, Tensor

__all__ = ["plan", "load", "quantize", "bench", "profile", "devices", "boards", "Program", "Session", "Tensor",
           "Quantized", "Device", "Error", "InputError", "Cancelled", "DoesNotFit", "__version__"]

for _name in __all__[:-1]:
    globals()[_name].__module__ = __name__  # where callers find it

__version__: str = _runtime().arenite_version().decode()

# SPDX-License-Identifier: Apache-2.0
