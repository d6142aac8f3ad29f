#!/usr/bin/env python3
"""Runs ONNX's own cases on the CPU and on Vulkan: how many pass, and how many of them on Vulkan alone.

usage: conform_table.py ARENITE. Fails on a case that fails, or where fewer pass than did.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
from pathlib import Path

CASES = Path("/usr/include/onnx/backend/test/data")
# The least number of cases that must pass.
CONFORM = {"node": 867, "pytorch-converted": 82, "pytorch-operator": 35}
# The least number of them that must run on Vulkan alone.
CONFORM_ON_VULKAN = {"node": 777}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "ARENITE_VK_VALIDATION": "1"})
    if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
        raise SystemExit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return done.returncode, json.loads(done.stdout), done.stderr


def conform_rows(arenite):
    failed = 0
    for folder in CONFORM:
        if not (CASES / folder).is_dir():
            print(f"conform {folder}: skipped, no {CASES / folder}")
    rows = [(folder, device) for folder in CONFORM if (CASES / folder).is_dir() for device in ("cpu", "vulkan")]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        reports = pool.map(lambda row: run([arenite, "conform", CASES / row[0], "--device", row[1], "--json"]), rows)
        for (folder, device), (_, report, _) in zip(rows, reports):
            wanted = CONFORM[folder]
            bad = [f"{c['name']} ({c['why']})" for c in report["cases"] if c["result"] == "failed"]
            off = [c["name"] for c in report["cases"] if c["result"] == "passed" and c["cpu_steps"]]
            whole = sum(1 for c in report["cases"] if c["result"] == "passed" and c["vulkan_steps"] and not c["cpu_steps"])
            enough = report["passed"] >= wanted and (
                device == "cpu" or whole >= CONFORM_ON_VULKAN.get(folder, 0))
            print(f"conform {folder} on {device}: {report['passed']} passed (at least {wanted} expected), "
                  f"{report['failed']} failed, {report['wrong']} wrong as published, "
                  f"{report['skipped']} skipped as not supported"
                  + (f"; {whole} on Vulkan alone; {len(off)} with CPU steps: {' '.join(off)}"
                     if device == "vulkan" else ""))
            for line in bad:
                print(f"  failed: {line}")
            failed += bool(bad) or not enough
    return failed


def main():
    return 1 if conform_rows(Path(sys.argv[1]).resolve()) else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
