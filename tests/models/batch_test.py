#!/usr/bin/env python3
"""Models planned for batches of 1 to 4: each size gives what a plan for that size alone gives, to the bit.

On a device sums may be taken in another order. Models whose shapes permit no other batch are refused by name; of the others a batch is also what its samples are alone,
but for rounding.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

TYPES = {"float32": "<f4", "float16": "<f2", "int8": "i1", "uint8": "u1", "int16": "<i2", "int32": "<i4", "int64": "<i8"}
BATCH = 3
# Integers, and floats that are quantized as they come, round otherwise at another batch.
TOLERANCE = 1e-2


class Failed(Exception):
    """A model gives something else."""


class Models:
    def __init__(self, arenite, folder, device):
        self.arenite, self.folder, self.device = arenite, pathlib.Path(folder), device

    def command(self, *words):
        return subprocess.run([self.arenite, *map(str, words)], capture_output=True, text=True, check=False)

    def plan(self, model, name, *words):
        program = self.folder / f"{name}.arn"
        done = self.command("plan", model, "--board", "host", "--no-state", "-o", program, *words)
        if done.returncode not in (0, 2) or "mistake of Arenite" in done.stderr:
            raise Failed(done.stderr)
        return program if done.returncode == 0 else None

    def inputs_of(self, program):
        method = json.loads(self.command("inspect", program, "--json").stdout)["methods"][0]
        return {entry["name"]: (TYPES[entry["dtype"]], entry["shape"]) for entry in method["inputs"]}

    def run(self, program, arrays):
        out = self.folder / "out"
        words = []
        for number, (name, array) in enumerate(arrays.items()):
            numpy.save(self.folder / f"{number}.npy", array)
            words += ["--input", f"{name}={self.folder / f'{number}.npy'}"]
        done = self.command("run", program, "--device", self.device, *words, "--output-dir", out)
        if done.returncode != 0:
            raise Failed(done.stderr)
        found = {path.name: numpy.load(path) for path in sorted(out.glob("*.npy"))}
        for path in out.glob("*.npy"):
            path.unlink()
        return found

    @staticmethod
    def error(found, wanted):
        """The greatest difference, relative to the greatest number."""
        if found.shape != wanted.shape:
            return float("inf")
        scale = max(1.0, float(numpy.abs(wanted.astype(float)).max(initial=0)))
        return numpy.abs(wanted.astype(float) - found.astype(float)).max(initial=0) / scale

    def check(self, model):
        """True where the model takes batches, and gives the right answers; False where it is refused."""
        ranged = self.plan(model, "ranged", "--batch", "1..4")
        if ranged is None:
            return False
        fixed = self.plan(model, "fixed", "--batch", BATCH)
        one = self.plan(model, "one", "--batch", 1)
        random = numpy.random.default_rng(1)
        arrays = {}
        for name, (kind, shape) in self.inputs_of(fixed).items():
            whole = kind[-2] in "iu"
            arrays[name] = (random.integers(0, 100, shape) if whole else random.standard_normal(shape)).astype(kind)
        found, wanted = self.run(ranged, arrays), self.run(fixed, arrays)
        for name, output in wanted.items():
            same = found[name].shape == output.shape and found[name].tobytes() == output.tobytes()
            if not same and (self.device == "cpu" or not self.error(found[name], output) <= TOLERANCE):
                raise Failed(f"{name}: another answer than the plan for {BATCH}")
        singles = self.inputs_of(one)
        for i in range(BATCH):
            sample = {name: array[i:i + 1] if list(array.shape) != singles[name][1] else array
                      for name, array in arrays.items()}
            alone = self.run(one, sample)
            again = self.run(ranged, sample)
            for name, output in alone.items():
                error = self.error(again[name], output)
                if not error <= TOLERANCE:
                    raise Failed(f"{name}: {error} from sample {i} alone")
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arenite", required=True)
    parser.add_argument("--below", type=int, metavar="BYTES", help="only models whose files are smaller")
    parser.add_argument("--device", default="cpu", help="as of `arenite run`")
    parser.add_argument("models", type=pathlib.Path)
    options = parser.parse_args()
    taken, refused, failed = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        models = Models(options.arenite, folder, options.device)
        for path in sorted([*options.models.glob("*/*.onnx"), *options.models.glob("*/*.tflite")]):
            if options.below is not None and path.stat().st_size >= options.below:
                continue
            try:
                (taken if models.check(path) else refused).append(path.parent.name)
            except Failed as failure:
                failed.append(f"{path.parent.name}: {failure}")
    print(f"{len(taken)} models take batches of 1 to 4; refused: {', '.join(refused)}")
    print("\n".join(failed))
    return 1 if failed or len(taken) <= len(refused) else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
