#!/usr/bin/python3
"""Trains the detector of shapes on drawn pictures, and writes it as ONNX with sample pictures.

Needed only to train it again: Debian's python3-torch beside python3-numpy.

    ./train.py      write detector.onnx and pictures/ here
"""

import pathlib
import sys
import warnings

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shapes"))
import pictures

SIDE = 128  # of the input, in pixels
CELL = 8  # pixels of a cell of the grid in which boxes are found
CELLS = SIDE // CELL
SEED = 0
TRAIN_PICTURES = 4000
EPOCHS = 18
BATCH = 32
# NonMaxSuppression leaves out boxes that overlap a better one by so much, and those of low scores.
FOUND_MAX = 32
OVERLAP_MAX = 0.45
SCORE_MIN = 0.05
SAMPLE_PICTURES = 2
SAMPLE_SHAPES_MIN = 4  # in a sample
SAMPLE_SIDE = 192
SAMPLE_NOISE = 0.004  # little, for small files


def make_network():
    """Depthwise-separable convolutions to a grid of 16x16 cells, which also sees a grid of 8x8.

    The result is [N,classes+4,16,16]: a logit of each class, and the logarithms of the distances from
    the cell's centre to the left, top, right and bottom of the box, in cells.
    """
    import torch
    from torch import nn

    def block(channels_in, channels_out, kernel, stride=1, groups=1):
        return nn.Sequential(
            nn.Conv2d(channels_in, channels_out, kernel, stride, kernel // 2, groups=groups, bias=False),
            nn.BatchNorm2d(channels_out),
            nn.ReLU(),
        )

    def separable(channels_in, channels_out, stride=1):
        return nn.Sequential(
            block(channels_in, channels_in, 3, stride, channels_in), block(channels_in, channels_out, 1)
        )

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.fine = nn.Sequential(
                block(3, 16, 3, 2),  # 64x64
                separable(16, 32, 2),  # 32x32
                separable(32, 48),
                separable(48, 64, 2),  # 16x16
                separable(64, 64),
            )
            self.coarse = nn.Sequential(
                separable(64, 96, 2),  # 8x8
                separable(96, 96),
                separable(96, 96),
                block(96, 64, 1),
                nn.Upsample(scale_factor=2),
            )
            self.head = nn.Sequential(
                separable(64, 64), separable(64, 64), nn.Conv2d(64, len(pictures.NAMES) + 4, 1)
            )
            with torch.no_grad():  # few cells hold a shape: begin there, not at a half
                self.head[-1].bias[: len(pictures.NAMES)] = -4.0

        def forward(self, x):
            fine = self.fine(x)
            return self.head(fine + self.coarse(fine))

    return Network()


def centres():
    """Centres of the cells, float32 [256,2] (x, y), in pixels."""
    y, x = np.mgrid[:CELLS, :CELLS] * CELL + CELL / 2
    return np.stack([x.ravel(), y.ravel()], 1).astype(np.float32)


def split(grid):
    """Logits [N,256,classes] and boxes [N,256,4] (left, top, right, bottom; in pixels) of a result."""
    import torch

    flat = grid.flatten(2).transpose(1, 2)
    count = len(pictures.NAMES)
    distance = flat[:, :, count:].exp() * CELL
    middle = torch.from_numpy(centres())[None]
    return flat[:, :, :count], torch.cat([middle - distance[:, :, :2], middle + distance[:, :, 2:]], 2)


def assign(boxes, classes):
    """Which cells have to find which shape: those within a cell of the middle of its box.

    `boxes` is [N,M,4] and `classes` [N,M], -1 where there is no shape. Returns the class of each cell
    [N,256], -1 where it has to find none, and its box [N,256,4]. Of two shapes the smaller one counts.
    """
    import torch

    middle = (boxes[:, :, :2] + boxes[:, :, 2:]) / 2
    away = (torch.from_numpy(centres())[None, None] - middle[:, :, None]).abs().amax(3)
    area = (boxes[:, :, 2:] - boxes[:, :, :2]).prod(2)[:, :, None].expand_as(away)
    area = torch.where((away < CELL) & (classes[:, :, None] >= 0), area, torch.tensor(float("inf")))
    least, which = area.min(1)
    of_cell = torch.where(least.isinf(), torch.tensor(-1), classes.gather(1, which))
    return of_cell, boxes.gather(1, which[:, :, None].expand(-1, -1, 4))


def loss_of(grid, boxes, classes):
    """Focal loss of the classes (arXiv 1708.02002) and 1 - GIoU of the boxes (arXiv 1902.09630)."""
    import torch
    from torch.nn import functional

    logits, found = split(grid)
    wanted, wanted_boxes = assign(boxes, classes)
    here = wanted >= 0
    count = here.sum().clamp(min=1)
    target = functional.one_hot(wanted.clamp(min=0), len(pictures.NAMES)) * here[:, :, None]
    entropy = functional.binary_cross_entropy_with_logits(logits, target.float(), reduction="none")
    missed = (target - logits.sigmoid()).abs()
    a, b = found[here], wanted_boxes[here]
    inner = (torch.minimum(a[:, 2:], b[:, 2:]) - torch.maximum(a[:, :2], b[:, :2])).clamp(min=0).prod(1)
    outer = (torch.maximum(a[:, 2:], b[:, 2:]) - torch.minimum(a[:, :2], b[:, :2])).prod(1)
    union = (a[:, 2:] - a[:, :2]).prod(1) + (b[:, 2:] - b[:, :2]).prod(1) - inner
    giou = inner / union - (outer - union) / outer
    return ((missed**2 * entropy).sum() + (1 - giou).sum()) / count


def vary(batch, boxes, generator):
    """Turns and mirrors a batch with its boxes, and exchanges its channels."""
    import torch

    choice = torch.randint(0, 2, (4,), generator=generator)
    batch = batch[:, torch.randperm(3, generator=generator)]
    if choice[0]:
        batch = batch.flip(3)
        boxes = torch.stack([SIDE - boxes[..., 2], boxes[..., 1], SIDE - boxes[..., 0], boxes[..., 3]], -1)
    if choice[1]:
        batch = batch.flip(2)
        boxes = torch.stack([boxes[..., 0], SIDE - boxes[..., 3], boxes[..., 2], SIDE - boxes[..., 1]], -1)
    if choice[2]:
        batch, boxes = batch.transpose(2, 3), boxes[..., [1, 0, 3, 2]]
    return (1 - batch if choice[3] else batch), boxes


def train(drawn):
    """Returns the network in inference mode; `drawn` is what pictures.several() returns."""
    import torch

    # One thread and one seed: sums are taken in the same order each time.
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)

    network = make_network()
    x = torch.from_numpy(np.stack([p for p, _, _ in drawn]).transpose(0, 3, 1, 2).copy())
    boxes = torch.zeros(len(drawn), pictures.SHAPES_MAX, 4)
    classes = torch.full((len(drawn), pictures.SHAPES_MAX), -1)
    for i, (_, b, c) in enumerate(drawn):
        boxes[i, : len(b)] = torch.from_numpy(b)
        classes[i, : len(c)] = torch.from_numpy(c.astype(np.int64))
    steps = EPOCHS * -(-len(x) // BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=steps)
    network.train()
    for epoch in range(EPOCHS):
        total = 0.0
        for chosen in torch.randperm(len(x), generator=generator).split(BATCH):
            batch, where = vary(x[chosen].float() / 255, boxes[chosen], generator)
            loss = loss_of(network(batch), where, classes[chosen])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {total / len(x):.3f}", flush=True)
    return network.eval()


def export(network, path):
    """Writes the network with what makes a list of its grid: scores, boxes, NonMaxSuppression."""
    import torch

    class Suppression(torch.autograd.Function):
        @staticmethod
        def forward(_, boxes, scores):  # what tracing sees; runs take ONNX's operator
            return torch.zeros(1, 3, dtype=torch.int64)

        @staticmethod
        def symbolic(g, boxes, scores):
            constants = torch.tensor([FOUND_MAX]), torch.tensor([OVERLAP_MAX]), torch.tensor([SCORE_MIN])
            return g.op("NonMaxSuppression", boxes, scores, *(g.op("Constant", value_t=c) for c in constants))

    class Detector(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.network = network

        def forward(self, picture):
            logits, boxes = split(self.network(picture))
            boxes = boxes / SIDE
            best = logits.sigmoid().amax(2)
            chosen = Suppression.apply(boxes, best[:, None])[:, 2]
            labels = logits.argmax(2)
            return tuple(t[0].index_select(0, chosen) for t in (boxes, best, labels))

    # PRESERVE keeps the normalizations: folding them into convolutions is the planner's work.
    names = ["boxes", "scores", "labels"]
    warnings.simplefilter("ignore")  # the exporter cannot tell how many boxes there will be
    torch.onnx.export(
        Detector().eval(),
        torch.zeros(1, 3, SIDE, SIDE),
        str(path),
        opset_version=13,
        input_names=["picture"],
        output_names=names,
        dynamic_axes={name: {0: "found"} for name in names},
        training=torch.onnx.TrainingMode.PRESERVE,
        do_constant_folding=False,
    )


def main():
    network = train(pictures.several("train", TRAIN_PICTURES, SIDE))
    export(network, HERE / "detector.onnx")
    # Larger than the network's input, as pictures are that come from elsewhere.
    (HERE / "pictures").mkdir(exist_ok=True)
    drawn = pictures.several("sample", 20, SAMPLE_SIDE, SAMPLE_NOISE)
    for i, (one, _, _) in enumerate([d for d in drawn if len(d[1]) >= SAMPLE_SHAPES_MIN][:SAMPLE_PICTURES]):
        pictures.write_png(HERE / "pictures" / f"{i}.png", one)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ImportError as error:
        sys.exit(f"train.py: {error}; install python3-torch and python3-numpy")

# SPDX-License-Identifier: Apache-2.0
