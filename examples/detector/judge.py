#!/usr/bin/python3
"""Says how well a program finds shapes in held-back pictures: mean average precision at an overlap of 0.5.

    ./judge.py --draw DIR    draw 300 pictures: DIR/images.npy (float32, 0 to 1), and what is in them: DIR/truth.npz
    ./judge.py DIR           judge the boxes, scores and labels that `arenite run --output-dir DIR` wrote of images.npy

Needs python3-numpy.
"""

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "shapes"))
import pictures

SIDE = 128  # of the input, in pixels
PICTURES = 300
OVERLAP_MIN = 0.5  # of a box with the one around the shape, as intersection over union


def draw(folder):
    folder.mkdir(parents=True, exist_ok=True)
    drawn = pictures.several("held-back", PICTURES, SIDE)
    stack = np.stack([p for p, _, _ in drawn]).transpose(0, 3, 1, 2)[:, None]
    np.save(folder / "images.npy", np.ascontiguousarray(stack).astype(np.float32) / 255)
    np.savez(folder / "truth.npz", boxes=np.concatenate([b for _, b, _ in drawn]),
             classes=np.concatenate([c for _, _, c in drawn]),
             picture=np.repeat(np.arange(PICTURES), [len(b) for _, b, _ in drawn]))


def read_found(folder):
    """Boxes [n,4] in pixels, scores, labels and pictures [n], of all pictures, best score first.

    Each picture has as many rows as there may be; a further output says how many hold results.
    """
    boxes, scores, labels = (np.load(folder / f"{name}.npy") for name in ("boxes", "scores", "labels"))
    counts = np.load(next(folder.glob("*count.npy"))).reshape(PICTURES)
    filled = np.arange(boxes.shape[1])[None] < counts[:, None]
    picture = np.nonzero(filled)[0]
    order = np.argsort(-scores[filled], kind="stable")
    return tuple(x[order] for x in (boxes[filled] * SIDE, scores[filled], labels[filled], picture))


def average_precision(hits, wanted):
    """Area under precision over recall, where no precision is lower than one at a higher recall."""
    right = np.cumsum(hits)
    precision = right / np.arange(1, len(hits) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return float((best * hits).sum() / wanted)


def judge(folder):
    truth = np.load(folder / "truth.npz")
    boxes, scores, labels, picture = read_found(folder)
    precisions = []
    for index, name in enumerate(pictures.NAMES):
        mine = truth["classes"] == index
        free = mine.copy()
        hits = []
        for i in np.flatnonzero(labels == index):
            places = np.flatnonzero(mine & (truth["picture"] == picture[i]))
            overlaps = [pictures.overlap(boxes[i], truth["boxes"][k]) for k in places]
            best = places[int(np.argmax(overlaps))] if overlaps else -1
            hit = best >= 0 and max(overlaps) >= OVERLAP_MIN and free[best]
            if hit:
                free[best] = False
            hits.append(hit)
        precisions.append(average_precision(np.array(hits, bool), mine.sum()))
        print(f"{name:9} {precisions[-1]:.3f} of {mine.sum()}")
    print(f"mAP@{OVERLAP_MIN}: {np.mean(precisions):.3f} over {PICTURES} pictures with {len(truth['classes'])} shapes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draw", action="store_true", help="draw the pictures instead of judging")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    draw(options.folder) if options.draw else judge(options.folder)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
