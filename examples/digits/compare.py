#!/usr/bin/env python3
"""Compares what one program file computed on several devices over the held-back digits.

usage: compare.py LABELS.npy NAME=REPORT.json... [--integers NAME=REPORT.json...]

Each report is what `arenite run --json` or `arenite target run --json` printed. Prints a table and, when all agree,
the demo's last line. Results of integer models must be the same to the bit, and as often right as those of floats,
but for half a percent.
"""
import ast
import json
import struct
import sys

ACCURACY_LOST = 0.5  # percent


def read_npy(path):
    """The dims and the elements, flat, of a little-endian .npy file of version 1."""
    with open(path, "rb") as stream:
        data = stream.read()
    (length,) = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10:10 + length].decode())
    code = {"<f4": "f", "|u1": "B", "<i8": "q", "<i4": "i"}[header["descr"]]
    return header["shape"], list(struct.iter_unpack("<" + code, data[10 + length:]))


def logits_of(report):
    dims, flat = read_npy(report["outputs"][0]["file"])
    classes = dims[-1]
    values = [v[0] for v in flat]
    return [values[i:i + classes] for i in range(0, len(values), classes)]


def read_rows(arguments):
    rows = []
    for argument in arguments:
        name, path = argument.split("=", 1)
        with open(path, encoding="utf-8") as stream:
            report = json.load(stream)
        rows.append((name, report, logits_of(report)))
    return rows


def right_of(logits, labels):
    return sum(row.index(max(row)) == label for row, label in zip(logits, labels))


def print_row(name, report, logits, labels):
    if "instructions" in report:
        cost = f"{report['instructions'] // len(labels):,} instructions"
        peak = sum(arena["peak_bytes"] for arena in report["arenas"])
    else:
        cost = f"{report['median_ms']:.3f} ms"
        peak = sum(arena["bytes"] for arena in report["arenas"])
    print(f"{name:<17} {100 * right_of(logits, labels) / len(labels):>8.2f}% {cost:>22} {peak:>11,} "
          f"{report.get('vulkan_steps', 0):>10} {report.get('cpu_steps', 0):>10}")
    if report.get("fell_back"):
        print(f"{'':<17} fell back: {report['fell_back']}")


def compare_with_first(rows, tolerance):
    """What is wrong: logits of devices may differ by the tolerance times the largest one."""
    problems = []
    reference_name, _, reference = rows[0]
    largest = max(abs(v) for row in reference for v in row)
    for name, _, logits in rows[1:]:
        worst = max(abs(a - b) for x, y in zip(reference, logits) for a, b in zip(x, y))
        differing = sum(x.index(max(x)) != y.index(max(y)) for x, y in zip(reference, logits))
        print(f"{name} against {reference_name}: largest difference {worst:.3g} "
              f"({worst / largest:.2g} x max |logit|), {differing} classes differ")
        if differing or not worst <= tolerance * largest:
            problems.append(f"{name} disagrees with {reference_name}")
    return problems


def main():
    labels = [v[0] for v in read_npy(sys.argv[1])[1]]
    at = sys.argv.index("--integers") if "--integers" in sys.argv else len(sys.argv)
    floats, integers = read_rows(sys.argv[2:at]), read_rows(sys.argv[at + 1:])
    print(f"{'device':<17} {'accuracy':>9} {'per image':>22} {'peak bytes':>11} {'GPU steps':>10} {'CPU steps':>10}")
    problems = []
    for name, report, logits in floats + integers:
        if len(logits) != len(labels):
            problems.append(f"{name}: {len(logits)} outputs for {len(labels)} images")
        else:
            print_row(name, report, logits, labels)
    if not problems:
        problems = compare_with_first(floats, 1e-5)
        share = 100 * right_of(floats[0][2], labels) / len(labels)
    if not problems and integers:
        # The same bits everywhere, and nearly as many right.
        problems = compare_with_first(integers, 0)
        of_integers = 100 * right_of(integers[0][2], labels) / len(labels)
        if abs(share - of_integers) > ACCURACY_LOST:
            problems.append(f"{integers[0][0]}: accuracy {of_integers:.2f}%, of floats {share:.2f}%")
    for problem in problems:
        print("demo: " + problem, file=sys.stderr)
    if problems:
        return 1
    names = " ".join(name for name, _, _ in floats)
    text = f"demo: {names} agree on {len(labels)} images, accuracy {share:.2f}%"
    print(text + (f"; in int8 to the bit, {of_integers:.2f}%" if integers else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
