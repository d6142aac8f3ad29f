#!/usr/bin/env python3
"""Writes networks of torchvision, with random weights, as ONNX models of an image of 224 by 224.

usage: export_torchvision.py FOLDER [NETWORK...]

Needs Debian's python3-torch and python3-torchvision, and so Debian's Python; says so where they are missing. cpu.py times what
is written. Weights are those of seed 1234: times do not depend on them.
"""
import argparse
import sys
from pathlib import Path

NETWORKS = ("squeezenet1_1", "mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "shufflenet_v2_x1_0", "efficientnet_b0",
            "resnet18", "resnet50")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("networks", nargs="*", metavar="NETWORK")
    options = parser.parse_intermixed_args()
    try:
        import torch
        import torchvision
    except ImportError as error:
        print(f"{error}: install python3-torch and python3-torchvision, and run this with /usr/bin/python3", file=sys.stderr)
        return 1
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.networks or NETWORKS:
        torch.manual_seed(1234)
        network = getattr(torchvision.models, name)(weights=None).eval()
        file = options.folder / f"{name}.onnx"
        torch.onnx.export(network, torch.zeros(1, 3, 224, 224), str(file), opset_version=13, input_names=["input"],
                          output_names=["output"])
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
