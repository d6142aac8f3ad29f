#!/usr/bin/env python3
"""Compiles the tilings of product.comp that bench_gpu_products times.

usage: compile.py FOLDER

Writes FOLDER/ROWSxCOLUMNSxDEPTH_SUBGROUPROWSxSUBGROUPCOLUMNS_STAGES.spv for all tilings that fit 48 KiB of shared
memory. Needs glslangValidator, which the machine with the GPU may lack: the files can be copied there.
"""
import itertools
import subprocess
import sys
from pathlib import Path

SHARED_BYTES_MAX = 48 * 1024
TILES = ((64, 64), (64, 128), (128, 64), (128, 128), (128, 256), (256, 128), (256, 64), (64, 256))
DEPTHS, STAGES = (16, 32, 64), (1, 2)
SUBGROUPS = ((1, 2), (2, 1), (2, 2), (2, 4), (4, 2), (4, 4), (1, 4), (4, 1))
BLOCK = 16
SUMS_MAX = 64 * 64  # of a subgroup: 128 numbers an invocation


def fits(rows, columns, depth, subgroup_rows, subgroup_columns, stages):
    invocations = 32 * subgroup_rows * subgroup_columns
    own_rows, own_columns = rows // subgroup_rows, columns // subgroup_columns
    vectors = stages * (rows * (depth // 8 + 1) + depth * (columns // 8 + 1))
    return (vectors * 16 <= SHARED_BYTES_MAX and own_rows % BLOCK == 0 and own_columns % BLOCK == 0
            and 32 * 32 <= own_rows * own_columns <= SUMS_MAX
            and rows * depth // 8 % invocations == 0 and depth * columns // 8 % invocations == 0)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    names = ("TILE_ROWS", "TILE_COLUMNS", "TILE_DEPTH", "SUBGROUP_ROWS", "SUBGROUP_COLUMNS", "STAGES")
    count = 0
    for (rows, columns), depth, (down, across), stages in itertools.product(TILES, DEPTHS, SUBGROUPS, STAGES):
        tiling = (rows, columns, depth, down, across, stages)
        if not fits(*tiling):
            continue
        file = folder / f"{rows}x{columns}x{depth}_{down}x{across}_{stages}.spv"
        defines = [f"-D{name}={value}" for name, value in zip(names, tiling)]
        subprocess.run(["glslangValidator", "--quiet", "--target-env", "vulkan1.1", "-V", *defines, "-o", file,
                        Path(__file__).with_name("product.comp")], check=True)
        count += 1
    print(f"{count} tilings in {folder}")


main()
# SPDX-License-Identifier: Apache-2.0
