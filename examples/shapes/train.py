#!/usr/bin/python3
"""Trains the classifier of shapes on drawn pictures, and writes it as ONNX with sample pictures.

Needed only to train it again: Debian's python3-torch beside python3-numpy.

    ./train.py      write shapes.onnx, labels.txt and pictures/ here
"""

import pathlib
import sys

import numpy as np

import pictures

HERE = pathlib.Path(__file__).resolve().parent
SEED = 0
TRAIN_PICTURES = 8000
EPOCHS = 20
BATCH = 64
SAMPLE_PICTURES = 4


def make_network():
    """Depthwise-separable convolutions, as in MobileNet; ends with the share of each class."""
    from torch import nn

    def block(channels_in, channels_out, kernel, stride=1, groups=1):
        return [
            nn.Conv2d(channels_in, channels_out, kernel, stride, kernel // 2, groups=groups, bias=False),
            nn.BatchNorm2d(channels_out),
            nn.ReLU(),
        ]

    layers = block(3, 16, 3, 2)  # 24x24
    for channels_in, channels_out, stride in (
        (16, 24, 1), (24, 48, 2), (48, 48, 1), (48, 96, 2), (96, 96, 1)  # 24x24, 12x12, 6x6
    ):
        layers += block(channels_in, channels_in, 3, stride, channels_in)
        layers += block(channels_in, channels_out, 1)
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(96, len(pictures.NAMES))]
    return nn.Sequential(*layers)


def vary(batch, generator):
    """Turns and mirrors a batch, and exchanges its channels: the classes stay what they are."""
    import torch

    choice = torch.randint(0, 2, (4,), generator=generator)
    batch = batch[:, torch.randperm(3, generator=generator)]
    if choice[0]:
        batch = batch.flip(2)
    if choice[1]:
        batch = batch.flip(3)
    if choice[2]:
        batch = batch.transpose(2, 3)
    return 1 - batch if choice[3] else batch


def train(samples, classes):
    """Returns the network in inference mode; `samples` is uint8 [N,side,side,3]."""
    import torch
    from torch.nn import functional

    # One thread and one seed: sums are taken in the same order each time.
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)

    network = make_network()
    x = torch.from_numpy(np.ascontiguousarray(samples.transpose(0, 3, 1, 2)))
    y = torch.from_numpy(classes.astype(np.int64))
    steps = EPOCHS * -(-len(x) // BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=steps)
    network.train()
    for epoch in range(EPOCHS):
        total = 0.0
        for chosen in torch.randperm(len(x), generator=generator).split(BATCH):
            logits = network(vary(x[chosen].float() / 255, generator))
            loss = functional.cross_entropy(logits, y[chosen], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {total / len(x):.3f}", flush=True)
    return network.eval()


def main():
    import torch

    network = train(*pictures.singles("train", TRAIN_PICTURES))
    # PRESERVE keeps the normalizations: folding them into convolutions is the planner's work.
    torch.onnx.export(
        torch.nn.Sequential(network, torch.nn.Softmax(1)),
        torch.zeros(1, 3, pictures.SIDE, pictures.SIDE),
        str(HERE / "shapes.onnx"),
        opset_version=13,
        input_names=["picture"],
        output_names=["shares"],
        training=torch.onnx.TrainingMode.PRESERVE,
        do_constant_folding=False,
    )
    (HERE / "labels.txt").write_text("\n".join(pictures.NAMES) + "\n")
    # Twice as large as the network's input, as pictures are that come from elsewhere.
    (HERE / "pictures").mkdir(exist_ok=True)
    for one, shape in zip(*pictures.singles("sample", SAMPLE_PICTURES, 2 * pictures.SIDE)):
        pictures.write_png(HERE / "pictures" / f"{pictures.NAMES[shape]}.png", one)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ImportError as error:
        sys.exit(f"train.py: {error}; install python3-torch and python3-numpy")

# SPDX-License-Identifier: Apache-2.0
