#!/usr/bin/env python3
"""Measures what networks cost on boards and on this machine, and writes docs/zoo.md and its two pictures.

usage: zoo.py ARENITE [--shared DIR] [--exported DIR] [--counts | --page] [--only NAME]... [--runtime DIR] [--jobs N]
              [--cache DIR] [--into DIR]

A row a model: of DIR/models, of the .onnx files that export_torchvision.py wrote to --exported, and the digits of this tree.
Rows are kept in bench/zoo.json, the page is made from them alone; rows of models that are not there, or not named by --only,
stay. --counts leaves the recorded times as they are and measures the rest: bytes, instructions, error. --page measures nothing.
Times of GPUs are those of bench/README.md.

What was measured with the same command, sources and model is taken from build/zoo, so that an interrupted run goes on. The
boards' images must have been built (tools/build cortex-m0, cortex-m4, cortex-m55). Fails where outputs are further from
their references than models.py allows.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

import cpu
from mcu import Failed, call
from models import compare, inputs_of, is_tflite_integer, run
from zoo_page import BOARDS, COUNTED_BOARDS, files_of

ROOT = Path(__file__).resolve().parents[1]
ROWS = "bench/zoo.json"
# An image is built from these.
SOURCES = ("core", "ops", "portable_fallback", "boards", "include", "schema", "toolchains", "cmake")
ROUNDS, SECONDS = 3, 0.5


def folders_of(shared):
    return sorted(file.parent for file in (shared / "models").glob("*/manifest.json"))


def shape_words(inputs):
    """The options of the dims that the model leaves open."""
    return [word for one in inputs if (one.get("declared_shape") or one["shape"]) != one["shape"]
            for word in ("--shape", f"{one['name']}={','.join(map(str, one['shape']))}")]


def models_of(args, scratch):
    """Name, file, origin, manifest (None: no reference) and folder of its inputs of each model."""
    digits = ROOT / "examples/digits"
    image = scratch / "digits.bin"
    image.write_bytes((digits / "images.npy").read_bytes()[-256:])
    found = [{"name": "digits", "file": digits / "digits.onnx", "origin": "examples/digits", "manifest": None, "words": [],
              "inputs": [{"name": "image", "dtype": "float32", "shape": [1, 1, 8, 8], "file": str(image)}]}]
    for folder in folders_of(args.shared):
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        inputs = [{**one, "file": str(folder / one["file"])} for one in manifest["inputs"]]
        found.append({"name": folder.name, "file": folder / manifest["file"], "origin": manifest["source"],
                      "manifest": manifest, "words": shape_words(manifest["inputs"]), "inputs": inputs})
    for model in cpu.exported_models(args.exported, scratch) if args.exported else ():
        found.append({**model, "origin": "bench/export_torchvision.py", "manifest": None, "words": []})
    return [model for model in found if not args.only or model["name"] in args.only]


class Store:
    """Keeps what was measured with one command, sources and model."""

    def __init__(self, folder, arenite):
        self.folder = folder
        self.base = hashlib.sha256(arenite.read_bytes())
        for name in SOURCES:
            for file in sorted((ROOT / name).rglob("*")):
                if file.is_file():
                    self.base.update(file.read_bytes())

    def of(self, model, what, measured):
        key = self.base.copy()
        key.update(model["file"].read_bytes())
        key.update(repr(model["words"]).encode())
        file = self.folder / f"{model['name']}.{what}.json"
        if file.exists():
            kept = json.loads(file.read_text(encoding="utf-8"))
            if kept["key"] == key.hexdigest():
                return kept["value"]
        value = measured()
        self.folder.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"key": key.hexdigest(), "value": value}), encoding="utf-8")
        return value


def bytes_of(arenite, model, boards=BOARDS):
    """What `arenite fit` says of each board, and the least budget of one memory."""
    words = [word for board in boards for word in ("--board", board)]
    status, report, errors = run([arenite, "fit", model["file"], *model["words"], *words, "--json"])
    if report is None or "rows" not in report:
        raise Failed(f"arenite fit: status {status}: {' '.join(errors.split())[:300]}")
    by_board, budgets = {}, []
    for row in report["rows"]:
        if row["board"] is None:
            budgets += [row["budget_bytes"]] if row["fits"] else []
            continue
        if row["unknown"]:
            raise Failed(f"no image of {row['board']}'s toolchain has been built: build it by tools/build")
        by_board[row["board"]] = {"fits": row["fits"], "arenas": row["ram_bytes"], "ram": row["ram_total_bytes"],
                                  "flash": row["flash_bytes"], "short": [one["memory"] for one in row["short"]]}
    return {"boards": by_board, "budget": min(budgets, default=None)}


def words_of_inputs(arenite, model, program):
    if model["manifest"]:
        return inputs_of(arenite, model["file"].parent, model["manifest"], program)[0]
    names = [one["name"] for one in call(arenite, "inspect", program)["methods"][0]["inputs"]]
    return [word for name, one in zip(names, model["inputs"]) for word in ("--input", f"{name}={one['file']}")]


def count_on(arenite, model, board, work):
    """Instructions of the image of this model alone, in the board's emulator; its outputs are checked too."""
    program = work / f"{model['name']}-{board}.arn"
    call(arenite, "plan", model["file"], *model["words"], "--board", board, "-o", program)
    report = call(arenite, "target", "run", program, "--board", board, "--image", "embedded", "--output-dir",
                  work / f"{model['name']}-{board}", *words_of_inputs(arenite, model, program))
    wrong = compare(model["manifest"], model["file"].parent, report["outputs"])[1] if model["manifest"] else []
    return {"run": report["instructions_per_run"], "load": report["load_instructions"], "ram": report["ram_bytes"],
            "flash": sum(report["flash"].values()), "wrong": wrong}


def error_of(arenite, model, work):
    """How far the CPU's outputs are from the model's references; None without any."""
    manifest = model["manifest"]
    if manifest is None:
        return None
    program = work / f"{model['name']}.arn"
    call(arenite, "plan", model["file"], *model["words"], "-o", program)
    report = call(arenite, "run", program, "--device", "cpu", "--output-dir", work / model["name"],
                  *words_of_inputs(arenite, model, program))
    worst, wrong = compare(manifest, model["file"].parent, report["outputs"])
    in_steps = all(is_tflite_integer(manifest, one) for one in manifest["outputs"])
    return {"worst": float(f"{worst:.3g}"), "in": "steps" if in_steps else "of the largest value", "wrong": wrong}


def times_of(arenite, model, module, work):
    """Least ms of this machine's CPU, one thread; ONNX Runtime's in turn where it takes the model and its inputs."""
    program = cpu.plan(arenite, {**model, "inputs": [one for one in model["inputs"] if model["words"]]}, work)
    names = words_of_inputs(arenite, model, program)
    own = {**model, "inputs": [{"name": word.split("=", 1)[0], "file": word.split("=", 1)[1]} for word in names[1::2]]}
    with_runtime = module and str(model["file"]).endswith(".onnx") and all(
        one["dtype"] in ("float32", "float16") for one in model["inputs"])
    peer = {**model, "inputs": own["inputs"] if model["name"] == "digits" else model["inputs"]}
    peer["inputs"] = [{**shape, **one} for shape, one in zip(model["inputs"], peer["inputs"])]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        if with_runtime:
            theirs.append(cpu.time_runtime(module, peer, 1, SECONDS)["min_ms"])
        ours.append(cpu.time_arenite(arenite, program, own, 1, SECONDS)["min_ms"])
    return {"ours": float(f"{min(ours):.3g}"), "ort": float(f"{min(theirs):.3g}") if theirs else None}


def measure_counts(arenite, model, store, work):
    counts = {"name": model["name"], "origin": model["origin"], "bytes": model["file"].stat().st_size,
              "words": model["words"], **store.of(model, "bytes", lambda: bytes_of(arenite, model))}
    counts["images"] = {board: store.of(model, board, lambda board=board: count_on(arenite, model, board, work))
                        for board in COUNTED_BOARDS if counts["boards"][board]["fits"]}
    counts["error"] = store.of(model, "error", lambda: error_of(arenite, model, work))
    parts = [(board, counts["images"][board].pop("wrong")) for board in counts["images"]]
    if counts["error"]:
        parts.append(("cpu", counts["error"].pop("wrong")))
    return counts, [f"{model['name']} on {where}: {text}" for where, texts in parts for text in texts]


def read_rows(file):
    if not file.exists():
        return {"cpu": None, "rows": []}
    return json.loads(file.read_text(encoding="utf-8"))


def write_rows(data, file):
    """A row a line, so that a change shows which."""
    rows = sorted(data["rows"], key=lambda row: row["name"])
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'{{"cpu": {json.dumps(data["cpu"])}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def name_of_cpu():
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    facts = dict(map(str.strip, line.split(":", 1)) for line in lines if ":" in line)
    with_512 = " with AVX-512" if "avx512f" in facts.get("flags", "") else ""
    return facts.get("model name", "unknown") + with_512


def measure(args, rows, work):
    """Updates rows, and returns what is wrong."""
    arenite = args.arenite.resolve()
    store, models, wrong = Store(args.cache, arenite), models_of(args, work), []
    for name in set(args.only or ()) - {model["name"] for model in models}:
        wrong.append(f"no model {name} in {args.shared / 'models'}" + (f" or {args.exported}" if args.exported else ""))
    module = None if args.counts else cpu.fetch_runtime(args.runtime.resolve())

    def counts_of(model):
        try:
            return measure_counts(arenite, model, store, work)
        except Failed as error:
            return None, [f"{model['name']}: {error}"]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for model, (counts, found) in zip(models, pool.map(counts_of, models)):
            wrong += found
            if counts:
                rows[model["name"]] = {"times": None, **rows.get(model["name"], {}), **counts}
            print(f"{model['name']}: counted" if counts else f"{model['name']}: {found[0]}", flush=True)
    for model in models if not args.counts else ():  # alone: nothing else runs
        try:
            times = store.of(model, "times", lambda model=model: times_of(arenite, model, module, work))
            rows[model["name"]]["times"] = times
            print(f"{model['name']}: {times}", flush=True)
        except RuntimeError as error:
            wrong.append(f"{model['name']}: {error}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite", type=Path)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("ARENITE_SHARED", ROOT / ".." / "shared")))
    parser.add_argument("--exported", type=Path, metavar="DIR")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this model's row (several times: these)")
    parser.add_argument("--runtime", type=Path, default=ROOT / "build" / "onnxruntime", metavar="DIR",
                        help="where ONNX Runtime is, or is fetched to")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="models counted at once (default: one a CPU)")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "zoo", metavar="DIR", help="what a later run reuses")
    parser.add_argument("--into", type=Path, default=ROOT, metavar="DIR", help="where the rows and the page lie (default: this tree)")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--counts", action="store_true", help="leave times as they are recorded")
    choice.add_argument("--page", action="store_true", help="write the page from the recorded rows")
    args = parser.parse_args()
    data, wrong = read_rows(args.into / ROWS), []
    if not args.page:
        rows = {row["name"]: row for row in data["rows"]}
        with tempfile.TemporaryDirectory() as work:
            wrong = measure(args, rows, Path(work))
        data = {"cpu": data["cpu"] if args.counts else name_of_cpu(), "rows": list(rows.values())}
        write_rows(data, args.into / ROWS)
    for file, text in files_of(data).items():
        (args.into / file).parent.mkdir(parents=True, exist_ok=True)
        (args.into / file).write_text(text, encoding="utf-8")
    for text in wrong:
        print(f"zoo: {text}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
