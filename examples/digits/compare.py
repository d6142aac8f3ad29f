#!/usr/bin/env python3
"""Compares what one program file computed on several devices over the held-back digits.

usage: compare.py LABELS.npy NAME=REPORT.json... ; each report is what `arenite run --json` or
`arenite target run --json` printed. Prints a table and, when all agree, the demo's last line.
"""
import ast
import json
import struct
import sys


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


def main():
    labels = [v[0] for v in read_npy(sys.argv[1])[1]]
    rows = []
    for argument in sys.argv[2:]:
        name, path = argument.split("=", 1)
        with open(path, encoding="utf-8") as stream:
            report = json.load(stream)
        rows.append((name, report, logits_of(report)))
    print(f"{'device':<12} {'accuracy':>9} {'per image':>22} {'peak bytes':>11} {'GPU steps':>10} {'CPU steps':>10}")
    problems = []
    for name, report, logits in rows:
        if len(logits) != len(labels):
            problems.append(f"{name}: {len(logits)} outputs for {len(labels)} images")
            continue
        right = sum(row.index(max(row)) == label for row, label in zip(logits, labels))
        if "instructions" in report:
            cost = f"{report['instructions'] // len(labels):,} instructions"
            peak = sum(arena["peak_bytes"] for arena in report["arenas"])
        else:
            cost = f"{report['median_ms']:.3f} ms"
            peak = sum(arena["bytes"] for arena in report["arenas"])
        print(f"{name:<12} {100 * right / len(labels):>8.2f}% {cost:>22} {peak:>11,} "
              f"{report.get('vulkan_steps', 0):>10} {report.get('cpu_steps', 0):>10}")
        if report.get("fell_back"):
            print(f"{'':<12} fell back: {report['fell_back']}")
    reference_name, _, reference = rows[0]
    largest = max(abs(v) for row in reference for v in row)
    for name, _, logits in rows[1:]:
        if len(logits) != len(reference):
            continue
        worst = max(abs(a - b) for x, y in zip(reference, logits) for a, b in zip(x, y))
        differing = sum(x.index(max(x)) != y.index(max(y)) for x, y in zip(reference, logits))
        print(f"{name} against {reference_name}: largest difference {worst:.3g} "
              f"({worst / largest:.2g} x max |logit|), {differing} classes differ")
        if differing or not worst <= 1e-5 * largest:
            problems.append(f"{name} disagrees with {reference_name}")
    for problem in problems:
        print("demo: " + problem, file=sys.stderr)
    if problems:
        return 1
    right = sum(row.index(max(row)) == label for row, label in zip(reference, labels))
    names = " ".join(name for name, _, _ in rows)
    print(f"demo: {names} agree on {len(labels)} images, accuracy {100 * right / len(labels):.2f}%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
