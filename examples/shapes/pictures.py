#!/usr/bin/python3
"""Draws pictures of shapes on cluttered backgrounds, the same ones for the same seed.

Needs python3-numpy. The classifier here and the detector beside it are trained and judged by these pictures.

    ./pictures.py --kind calibration DIR    64 PNG files in DIR, which `arenite quantize` takes
    ./pictures.py --kind held-back DIR      1,000 in DIR/images.npy (float32, sample / 255) and DIR/images_int8.npy
                                            (sample - 128), their classes in DIR/labels.npy
"""

import argparse
import pathlib
import struct
import zlib

import numpy as np

NAMES = ("circle", "triangle", "square", "hexagon", "star", "cross", "ring", "heart", "arrow", "moon")
SIDE = 48  # of the classifier's input, in pixels
SHAPES_MAX = 9  # in a picture of several; fewer where there is no room
SEEDS = {"train": 1, "calibration": 2, "held-back": 3, "sample": 10}
COUNTS = {"calibration": 64, "held-back": 1000}


def regular(corners, inner=1.0):
    """Corners [N,2] of a regular polygon in the unit circle; of a star with `inner` below 1."""
    count = corners if inner == 1 else 2 * corners
    angle = 2 * np.pi * np.arange(count) / count
    radius = np.where(np.arange(count) % 2, inner, 1.0) if inner != 1 else np.ones(count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)


def heart():
    """Corners [24,2] on the heart curve x = 16 sin^3 t, y = 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t."""
    t = 2 * np.pi * np.arange(24) / 24
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return np.stack([16 * np.sin(t) ** 3, y + 2.5], 1) / 17


def cross(half=0.28):
    quarter = np.array([[1, half], [half, half], [half, 1]])
    turn = np.array([[0, 1], [-1, 0]])
    corners = []
    for _ in range(4):
        corners.append(quarter)
        quarter = quarter @ turn
    return np.concatenate(corners)


OUTLINES = {
    "triangle": regular(3),
    "square": regular(4),
    "hexagon": regular(6),
    "star": regular(5, 0.42),
    "cross": cross(),
    "heart": heart(),
    "arrow": np.array([[1, 0], [0.1, 0.75], [0.1, 0.28], [-1, 0.28], [-1, -0.28], [0.1, -0.28], [0.1, -0.75]]),
}


def polygon_depth(corners, x, y):
    """Distance to the outline, positive inside; crossings of a ray to the right say which side."""
    x, y = x[None], y[None]
    ax, ay = (corners[:, i, None, None] for i in (0, 1))
    bx, by = (np.roll(corners, -1, 0)[:, i, None, None] for i in (0, 1))
    dx, dy = bx - ax, by - ay
    along = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0, 1)
    distance = np.sqrt(((x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2).min(0))
    span = (ay > y) != (by > y)
    right = x < ax + (y - ay) * dx / np.where(dy == 0, 1, dy)
    return np.where((span & right).sum(0) % 2 == 1, distance, -distance)


def depth(name, x, y):
    """How far inside the shape of radius 1 the points are; negative outside."""
    disc = 1 - np.hypot(x, y)
    if name == "circle":
        return disc
    if name == "ring":
        return np.minimum(disc, np.hypot(x, y) - 0.58)
    if name == "moon":
        return np.minimum(disc, np.hypot(x - 0.5, y) - 0.75)
    return polygon_depth(OUTLINES[name], x, y)


def paint(canvas, coverage, color):
    canvas += coverage[..., None] * (color - canvas)


def stroke(rng, canvas, width, color):
    """A straight line of `width` pixels between two random points, or a dot."""
    side = len(canvas)
    y, x = np.mgrid[:side, :side] + 0.5
    a, b = rng.uniform(0, side, (2, 2))
    if rng.random() < 0.3:
        b = a + 0.5
    d = b - a
    along = np.clip(((x - a[0]) * d[0] + (y - a[1]) * d[1]) / (d @ d), 0, 1)
    distance = np.hypot(x - a[0] - along * d[0], y - a[1] - along * d[1])
    paint(canvas, np.clip(width / 2 - distance + 0.5, 0, 1), color)


def overlap(a, b):
    """Intersection over union of two boxes (left, top, right, bottom)."""
    width, height = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / ((a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod() - width * height)


def place(rng, side, radii):
    """Where a shape lies: name, radius, centre, angle and stretch; all of it inside the picture."""
    radius = rng.uniform(*radii)
    margin = min(radius * 1.1 + 1, side / 2)
    centre = rng.uniform(margin, side - margin, 2)
    return NAMES[rng.integers(len(NAMES))], radius, centre, rng.uniform(0, 2 * np.pi), rng.uniform(0.87, 1.15)


def cover(side, name, radius, centre, angle, stretch):
    """Coverage [side,side] of the shape, in 0..1, and the box around it (left, top, right, bottom)."""
    low = np.maximum(np.floor(centre - radius * 1.25 - 1).astype(int), 0)
    high = np.minimum(np.ceil(centre + radius * 1.25 + 1).astype(int), side)
    y, x = np.mgrid[low[1]:high[1], low[0]:high[0]] + 0.5
    x, y = (x - centre[0]) / radius, (y - centre[1]) / radius
    cos, sin = np.cos(angle), np.sin(angle)
    inside = depth(name, (cos * x + sin * y) / stretch, (cos * y - sin * x) * stretch)
    coverage = np.zeros((side, side))
    coverage[low[1]:high[1], low[0]:high[0]] = np.clip(inside * radius + 0.5, 0, 1)
    columns, rows = (np.flatnonzero(coverage.max(axis) > 0.5) for axis in (0, 1))
    return coverage, np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], np.float32)


def picture(rng, side, count, radii, noise=0.05):
    """Draws up to `count` shapes of such radii, in pixels, with noise of up to such a deviation.

    Returns the picture, uint8 [side,side,3], the boxes around the shapes, float32 [n,4] in pixels
    (left, top, right, bottom), and their classes, uint8 [n].
    """
    ground = rng.random(3)
    y, x = (np.mgrid[:side, :side] + 0.5) / side - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    slope = (np.cos(angle) * x + np.sin(angle) * y)[..., None] * rng.uniform(-0.4, 0.4, 3)
    canvas = ground + slope
    thick = side / SIDE
    for _ in range(rng.integers(0, 7)):
        stroke(rng, canvas, rng.uniform(0.7, 3) * thick, rng.random(3))
    boxes, classes = [], []
    for _ in range(count):
        where = place(rng, side, radii)
        coverage, box = cover(side, *where)
        color = rng.random(3)
        while np.linalg.norm(color - ground) < 0.4:
            color = rng.random(3)
        if any(overlap(box, other) > 0.05 for other in boxes):
            continue
        paint(canvas, coverage, color)
        boxes.append(box)
        classes.append(NAMES.index(where[0]))
    for _ in range(rng.integers(0, 3)):
        stroke(rng, canvas, rng.uniform(0.5, 1) * thick, rng.random(3))
    canvas += rng.normal(0, rng.uniform(0, noise), canvas.shape)
    samples = np.rint(np.clip(canvas, 0, 1) * 255).astype(np.uint8)
    return samples, np.array(boxes, np.float32).reshape(-1, 4), np.array(classes, np.uint8)


def single(rng, side=SIDE):
    """A picture with one shape, large: uint8 [side,side,3], and its class."""
    samples, _, classes = picture(rng, side, 1, (0.22 * side, 0.44 * side))
    return samples, classes[0]


def several(kind, count, side, noise=0.05):
    """`count` pictures of one to SHAPES_MAX shapes each: a list of what picture() returns."""
    rng = np.random.default_rng([SEEDS[kind], side])
    radii = (side / 10, side / 5)
    return [picture(rng, side, rng.integers(1, SHAPES_MAX + 1), radii, noise) for _ in range(count)]


def singles(kind, count, side=SIDE):
    """`count` pictures, uint8 [count,side,side,3], and their classes, uint8 [count]."""
    rng = np.random.default_rng(SEEDS[kind])
    pairs = [single(rng, side) for _ in range(count)]
    return np.stack([p for p, _ in pairs]), np.array([c for _, c in pairs], np.uint8)


def write_png(path, samples):
    """Writes uint8 [height,width,3]. Each row is stored as its differences from the row above."""
    height, width, _ = samples.shape
    rows = samples.reshape(height, width * 3)
    above = np.vstack([np.zeros((1, width * 3), np.uint8), rows[:-1]])
    filtered = np.hstack([np.full((height, 1), 2, np.uint8), rows - above])

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(filtered.tobytes(), 9)) + chunk(b"IEND", b"")
    pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + data)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=sorted(COUNTS), required=True)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    samples, classes = singles(options.kind, COUNTS[options.kind])
    if options.kind == "calibration":
        for i, one in enumerate(samples):
            write_png(options.folder / f"{i:02}-{NAMES[classes[i]]}.png", one)
        return
    # A stack of inputs: one more leading dimension than the model's [1,3,48,48].
    stack = np.ascontiguousarray(samples.transpose(0, 3, 1, 2)[:, None])
    np.save(options.folder / "images.npy", stack.astype(np.float32) / 255)
    np.save(options.folder / "images_int8.npy", (stack.astype(np.int16) - 128).astype(np.int8))
    np.save(options.folder / "labels.npy", classes)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
