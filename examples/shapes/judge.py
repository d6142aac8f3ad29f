#!/usr/bin/python3
"""Says how many pictures a program names rightly.

usage: judge.py LABELS.npy SHARES.npy...

LABELS.npy holds the class of each picture, SHARES.npy what `arenite run --output-dir` wrote of them. Needs python3-numpy.
"""

import sys

import numpy as np


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: judge.py LABELS.npy SHARES.npy...")
    labels = np.load(sys.argv[1])
    for path in sys.argv[2:]:
        found = np.load(path).reshape(len(labels), -1).argmax(1)
        right = int((found == labels).sum())
        print(f"{path}: {right} of {len(labels)} right ({100 * right / len(labels):.1f}%)")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
