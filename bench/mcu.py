#!/usr/bin/env python3
"""Builds models as firmware for microcontrollers, runs them in QEMU, and prints what they take beside TFLM's figures.

usage: mcu.py ARENITE [--shared DIR] [--board NAME]... [--optimize memory|speed]... [--full] [--json FILE]
              [--check | --record] [--budgets FILE] [MODEL...]

One row a model, board and setting of `plan --optimize`: of DIR/models those that TFLM's figures are of, with --full all that
are listed below, or those named; `digits` is of this tree. Instructions are exact; cycles are an estimate
(docs/profiling.md). Fails where outputs differ from those of the harness image, or are further from the reference than
models.py allows, or where a run takes more stack than its bound. --json keeps the rows.

--check holds the rows to bench/mcu_budgets.tsv and fails above a budget, or where a row has none; --record writes there what
was measured, for a commit that says why.
"""
import argparse
import concurrent.futures
import json
import os
import sys
import tempfile
from pathlib import Path

from models import compare, inputs_of, run

ROOT = Path(__file__).resolve().parents[1]
BUDGETS = Path(__file__).with_name("mcu_budgets.tsv")
BOARDS = ("mps2-an386", "mps3-an547")
# Measured in QEMU, 2026-11: instructions an inference of TFLM with CMSIS-NN, and bytes of its arena; cycles of X-CUBE-AI 9
# on a real Cortex-M4 are those of the submissions to MLPerf Tiny 1.2.
TFLM_RUN = {
    "tfl_mlperf_kws_int8": {"mps2-an386": 7_696_400, "mps3-an547": 1_811_937},
    "tfl_mlperf_vww_int8": {"mps2-an386": 24_101_920, "mps3-an547": 6_557_875},
    "tfl_mlperf_ic_resnet8_int8": {"mps2-an386": 29_865_640, "mps3-an547": 4_913_687},
    "tfl_mlperf_ad_int8": {"mps2-an386": 582_960, "mps3-an547": 149_937},
    "tfl_person_detect_int8": {"mps2-an386": 22_928_440, "mps3-an547": 6_507_625},
}
TFLM_ARENA = {"tfl_mlperf_ad_int8": 2_260, "tfl_mlperf_kws_int8": 22_772, "tfl_mlperf_ic_resnet8_int8": 54_340,
              "tfl_mlperf_vww_int8": 100_660}
# AllocateTensors on the Cortex-M4.
TFLM_LOAD = {"tfl_mlperf_vww_int8": 3_110_000, "tfl_mlperf_kws_int8": 690_000}
CUBE_CYCLES = {"tfl_mlperf_ad_int8": 630_000, "tfl_mlperf_kws_int8": 5_180_000, "tfl_mlperf_vww_int8": 10_700_000,
               "tfl_mlperf_ic_resnet8_int8": 19_800_000}
MORE = ("digits", "tfl_hello_world_int8", "tfl_micro_speech_int8", "tfl_keyword_svdf_int8", "tfl_mnist_lstm_int8",
        "tfl_mww_okay_nabu_v2", "tfl_sl_kws_alexa_int8", "tfl_emza_ssd_int8", "tfl_mlperf_ad_fp32", "tfl_mlperf_kws_fp32",
        "tfl_mobilenet_v1_025_128_u8")
KEYS = ("load", "run", "code", "code_trusted", "ram")


class Failed(Exception):
    """The text says what went wrong."""


def call(arenite, *words):
    status, report, errors = run([arenite, *words, "--json"])
    if status != 0 or report is None:
        raise Failed(f"arenite {' '.join(map(str, words[:3]))}: status {status}: {' '.join(errors.split())[:300]}")
    return report


def model_of(name, shared, work):
    """The model's file, its manifest (None: it has no reference), and the folder of its inputs."""
    if name != "digits":
        folder = shared / "models" / name
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return folder / manifest["file"], manifest, folder
    folder = ROOT / "examples/digits"
    image = work / "image.bin"
    image.write_bytes((folder / "images.npy").read_bytes()[-256:])
    return folder / "digits.onnx", None, image


def run_image(arenite, program, board, inputs, out, *words):
    return call(arenite, "target", "run", program, "--board", board, "--output-dir", out, *inputs, *words)


def outputs_of(report):
    return [Path(output["file"]).read_bytes() for output in report["outputs"]]


def measure(arenite, name, board, optimize, shared, work):
    """The row, and what is wrong."""
    work = work / f"{name}-{board}-{optimize}"
    work.mkdir(parents=True)
    model, manifest, folder = model_of(name, shared, work)
    program = work / "program.arn"
    call(arenite, "plan", model, "--board", board, "--optimize", optimize, "-o", program)
    inputs = ["--input", folder] if manifest is None else inputs_of(arenite, folder, manifest, program)[0]
    image = run_image(arenite, program, board, inputs, work / "image", "--image", "embedded")
    trusted = run_image(arenite, program, board, inputs, work / "trusted", "--image", "embedded", "--without-verifier")
    harness = run_image(arenite, program, board, inputs, work / "harness")
    wrong = []
    for other, report in (("the image without the verifier", trusted), ("the harness", harness)):
        if outputs_of(report) != outputs_of(image):
            wrong.append(f"{other} has other outputs")
    if manifest is not None:
        wrong += compare(manifest, folder, image["outputs"])[1]
    if image["stack_bound_bytes"] < image["ram"]["stack"]:
        wrong.append(f"took {image['ram']['stack']:,} bytes of stack, above the bound of {image['stack_bound_bytes']:,}")
    return {"model": name, "board": board, "optimize": optimize, "run": image["instructions_per_run"],
            "load": image["load_instructions"], "load_trusted": trusted["load_instructions"],
            "code": image["code_bytes"], "code_trusted": trusted["code_bytes"], "program": image["flash"]["program"],
            "flash": image["flash"], "flash_trusted": trusted["flash"], "ram": image["ram_bytes"],
            "ram_bound": image["ram_bound_bytes"], "ram_parts": image["ram"], "stack": image["ram"]["stack"],
            "stack_bound": image["stack_bound_bytes"], "cycles": image.get("cycles_per_run")}, wrong


def number(value):
    return "-" if value is None else f"{value:,}"


def ratio(value, other):
    return "-" if other is None else f"{value / other:.2f}"


def print_table(head, lines):
    widths = [max(map(len, column)) for column in zip(head, *lines)]
    for line in (head, *lines):
        print("  ".join(cell.ljust(width) if i < 3 else cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(line, widths))).rstrip())


def print_rows(rows):
    counts, sizes = [], []
    for row in rows:
        name, board = row["model"], row["board"]
        of_row = [name.removeprefix("tfl_"), board, row["optimize"]]
        on_m4 = board == BOARDS[0]
        tflm, cube = TFLM_RUN.get(name, {}).get(board), CUBE_CYCLES.get(name) if on_m4 else None
        counts.append([*of_row, number(row["run"]), number(tflm), ratio(row["run"], tflm), number(row["cycles"]),
                       number(cube), number(row["load"]), number(TFLM_LOAD.get(name) if on_m4 else None),
                       number(row["load_trusted"]), number(row["ram"]), number(TFLM_ARENA.get(name)),
                       number(row["stack"]), number(row["stack_bound"]), ratio(row["stack_bound"], row["stack"])])
        flash = row["flash"]
        sizes.append([*of_row, number(row["program"]), *(number(flash[part]) for part in (
            "kernels", "contracts", "runtime", "tables", "startup", "libc")), number(row["code"]),
                      number(row["flash_trusted"]["runtime"]), number(row["code_trusted"])])
    print_table(["model", "board", "optimize", "run", "TFLM", "of it", "~cycles", "X-CUBE-AI", "load", "TFLM", "trusted",
                 "RAM", "TFLM arena", "stack", "bound", "of it"], counts)
    print()
    print_table(["model", "board", "optimize", "program", "kernels", "contracts", "runtime", "tables", "start-up", "libc",
                 "code", "runtime trusted", "code trusted"], sizes)


def read_budgets(file):
    rows = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            cells = line.split("\t")
            rows[tuple(cells[:3])] = dict(zip(KEYS, map(int, cells[3:])))
    return rows


def key_of(row):
    return row["model"], row["board"], row["optimize"]


def above_budget(rows, file):
    budgets, wrong = read_budgets(file), []
    for row in rows:
        budget = budgets.get(key_of(row))
        if budget is None:
            wrong.append(f"{' '.join(key_of(row))}: no budget in {file.name}: record one")
            continue
        for key in KEYS:
            if row[key] > budget[key]:
                wrong.append(f"{' '.join(key_of(row))}: {key} {row[key]:,}, budget {budget[key]:,}")
            elif row[key] < budget[key]:
                print(f"{' '.join(key_of(row))}: {key} {row[key]:,}, below its budget of {budget[key]:,}: record it")
    return wrong


def record(rows, file):
    budgets = read_budgets(file)
    budgets.update({key_of(row): {key: row[key] for key in KEYS} for row in rows})
    head = [line for line in file.read_text(encoding="utf-8").splitlines(keepends=True) if line.startswith("#")]
    lines = ["\t".join([*key, *(str(budget[name]) for name in KEYS)]) + "\n" for key, budget in sorted(budgets.items())]
    file.write_text("".join(head + lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arenite", type=Path)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("ARENITE_SHARED", ROOT / ".." / "shared")))
    parser.add_argument("--board", choices=BOARDS, action="append", help="only this one (default: both)")
    parser.add_argument("--optimize", choices=("memory", "speed"), action="append", help="only this one (default: both)")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="rows at once (default: 1)")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--budgets", type=Path, default=BUDGETS, metavar="FILE")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true")
    choice.add_argument("--record", action="store_true")
    args = parser.parse_intermixed_args()
    names = args.models or [*TFLM_RUN, *(MORE if args.full else ())]
    there = [name for name in names if name == "digits" or (args.shared / "models" / name / "manifest.json").exists()]
    for name in names:
        if name not in there:
            print(f"mcu: {name} left out, no {args.shared / 'models' / name}")
    wanted = [(name, board, optimize) for name in there for board in args.board or BOARDS
              for optimize in args.optimize or ("memory", "speed")]
    rows, wrong = [], []
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        def row_of(key):
            try:
                return measure(args.arenite.resolve(), *key, args.shared, Path(work))
            except Failed as error:
                return None, [str(error)]
        for key, (row, found) in zip(wanted, pool.map(row_of, wanted)):
            rows += [row] if row else []
            wrong += [f"{' '.join(key)}: {text}" for text in found]
    if rows:
        print_rows(rows)
    if args.json:
        args.json.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if args.record and not wrong:
        record(rows, args.budgets)
    wrong += above_budget(rows, args.budgets) if args.check else []
    for text in wrong:
        print(f"mcu: {text}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
