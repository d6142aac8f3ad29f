"""Makes integer models of models of floats."""

from __future__ import annotations

import pathlib
import re
import tempfile
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence, Union

import numpy

from ._command import json_of
from ._errors import InputError
from ._words import Model, Path, Scratch, Size, words_of

# A folder of tensors and images; or a sample after the other: an array, or one for each input by name; or one array
# of all samples of a model's only input.
Samples = Union[Path, numpy.ndarray, Iterable[Union[numpy.ndarray, Mapping[str, numpy.ndarray]]]]


class Quantized:
    """An ONNX model on integers: bytes(model) is its file, which plan() takes; report says what it costs in accuracy."""

    def __init__(self, data: bytes, report: Dict[str, Any]):
        self._bytes, self.report = data, report

    def __bytes__(self) -> bytes:
        return self._bytes

    def __len__(self) -> int:
        return len(self._bytes)

    def __repr__(self) -> str:
        return (f"Quantized({len(self)} bytes, {self.report['integer_nodes']} nodes on integers, "
                f"{len(self.report['float_nodes'])} on floats)")

    def save(self, path: Path) -> None:
        """Writes the model file."""
        pathlib.Path(path).write_bytes(self._bytes)


def _write_samples(samples: Any, folder: pathlib.Path) -> None:
    folder.mkdir()
    if isinstance(samples, numpy.ndarray):
        numpy.save(folder / "samples.npy", samples)
        return
    for index, sample in enumerate(samples):
        if isinstance(sample, Mapping):
            (folder / f"{index:06}").mkdir()
            for name, array in sample.items():
                stem = re.sub(r"[^A-Za-z0-9._-]", "_", name)
                numpy.save(folder / f"{index:06}" / f"{stem}.npy", array)
        else:
            numpy.save(folder / f"{index:06}.npy", numpy.asarray(sample))


def quantize(model: Model, calibration: Samples, *, ranges: Optional[str] = None, percentile: Optional[float] = None,
             bias_correction: bool = True, shape: Optional[Mapping[str, Sequence[int]]] = None,
             dim: Optional[Mapping[str, Size]] = None, batch: Optional[Size] = None,
             fix: Optional[Mapping[str, Any]] = None, outputs: Union[None, str, Sequence[str]] = None,
             max_trips: Optional[Mapping[str, int]] = None, mean: Any = None, scale: Any = None,
             channels: Optional[str] = None, layout: Optional[str] = None, resize: bool = False,
             letterbox: Optional[int] = None, center_crop: bool = False) -> Quantized:
    """An integer model of an ONNX model of floats, as `arenite quantize` makes it.

    calibration: what the model will see: a folder of tensors and images, an array of samples, or a sample after the
    other, each an array or {"input": array}. ranges="minmax", "percentile" or "entropy"; mean, scale, channels, layout,
    resize, letterbox and center_crop say how images of a folder become inputs. Raises InputError; warns where samples
    are few.
    """
    given = {name: value for name, value in locals().items()
             if name not in ("model", "calibration", "bias_correction")}
    with tempfile.TemporaryDirectory() as folder:
        scratch = Scratch(folder)
        if isinstance(calibration, (bytes, bytearray)):
            raise InputError("calibration: expected a folder, an array or samples, found bytes")
        samples = pathlib.Path(calibration) if isinstance(calibration, (str, pathlib.PurePath)) else None
        if samples is None:
            samples = scratch.folder / "samples"
            _write_samples(calibration, samples)
            scratch.names[str(samples)] = "calibration"
        output = scratch.folder / "quantized.onnx"
        for name in ("mean", "scale"):
            if isinstance(given[name], (list, tuple)):
                given[name] = ",".join(map(str, given[name]))
        words = ["quantize", scratch.model(model, 0), "--calibration", str(samples), "-o", str(output),
                 "--bias-correction", "on" if bias_correction else "off", *words_of(given, scratch)]
        report = json_of(words, scratch.names)
        del report["model"]  # the file that goes now
        return Quantized(output.read_bytes(), report)

# SPDX-License-Identifier: Apache-2.0
