#!/usr/bin/env python3
"""Prints text, data and bss of images and archives, as a table or as JSON.

  size_report.py [--size TOOL] [--json] FILE...

An archive's members are summed. Exit status: 0, 2 when a file cannot be read.
"""

import argparse
import json
import pathlib
import subprocess
import sys


def sizes_of(tool, file):
    """The three sums of one file; raises ValueError when the tool cannot read it."""
    done = subprocess.run([tool, "--format=berkeley", file], capture_output=True, text=True,
                          check=False)
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    # Unreadable files leave only a complaint, and an unreadable member no row.
    if done.returncode != 0 or done.stderr or not rows:
        raise ValueError(f"{file}: {done.stderr.strip() or 'holds no sections'}")
    text, data, bss = (sum(int(row[column]) for row in rows) for column in range(3))
    return {"file": file, "text_bytes": text, "data_bytes": data, "bss_bytes": bss}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="size", help="the size tool of the target")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    try:
        rows = [sizes_of(options.size, file) for file in options.files]
    except (ValueError, OSError) as error:
        print(f"size_report: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"files": rows}))
        return 0
    print(f"{'text':>9} {'data':>9} {'bss':>9}  file")
    for row in rows:
        print(f"{row['text_bytes']:9} {row['data_bytes']:9} {row['bss_bytes']:9}  "
              f"{pathlib.Path(row['file']).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
