#!/usr/bin/python3
"""Trains the digit classifier of the demo, writes it as ONNX with its held-back images, and checks it.

Needed only to retrain or to check: Debian's python3-torch, python3-sklearn and python3-onnx.

    ./train.py             train, export digits.onnx, images.npy, labels.npy, logits.npy and calibration/ here
    ./train.py --choose    compare the candidate networks on folds of the training part alone
    ./train.py --check     recompute the accuracy of the files here with numpy; changes nothing
"""

import argparse
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SEED = 0
EPOCHS = 60
BATCH = 32
FOLDS = 5
WANTED_ACCURACY = 0.97
MAX_ONNX_BYTES = 100_000
CALIBRATION = 64  # images of the training part that integers are scaled by


def load_split():
    """Returns (train images, train labels, held-back images, held-back labels).

    Images are float32 [N,1,8,8] in 0..1 (the data's 0..16 over 16), labels uint8 [N].
    """
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    digits = load_digits()
    images = (digits.images / 16.0).astype(np.float32)[:, None]
    labels = digits.target.astype(np.uint8)
    train_x, held_x, train_y, held_y = train_test_split(
        images, labels, test_size=0.2, stratify=labels, random_state=SEED
    )
    return train_x, train_y, held_x, held_y


# --- The network and its training -----------------------------------------------------------------


def conv_block(channels_in, channels_out, kernel, groups=1):
    """Convolution, batch normalization, ReLU; the normalization's shift makes a bias useless."""
    from torch import nn

    return [
        nn.Conv2d(channels_in, channels_out, kernel, padding=kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(),
    ]


def plain_network():
    """Two dense convolutions and one linear layer over all positions."""
    from torch import nn

    return nn.Sequential(
        *conv_block(1, 16, 3),
        nn.MaxPool2d(2),
        *conv_block(16, 32, 3),
        nn.Flatten(),
        nn.Linear(32 * 4 * 4, 10),
    )


def separable_network():
    """Depthwise-separable: dense, depthwise and pointwise convolutions, both kinds of pooling."""
    from torch import nn

    return nn.Sequential(
        *conv_block(1, 16, 3),
        *conv_block(16, 16, 3, groups=16),
        *conv_block(16, 32, 1),
        nn.MaxPool2d(2),
        *conv_block(32, 32, 3, groups=32),
        *conv_block(32, 64, 1),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(64, 10),
    )


CANDIDATES = {"plain": plain_network, "separable": separable_network}
CHOSEN = "separable"  # best by --choose with `plain`, at fewer weights and with more kinds of layer


def jitter(batch, generator):
    """Turns, scales and shifts each image a little: 1,437 pictures are few."""
    import torch
    from torch.nn import functional

    def uniform(limit):
        return (torch.rand(len(batch), generator=generator) * 2 - 1) * limit

    angle, scale = uniform(0.2), 1 + uniform(0.1)
    cos, sin = scale * torch.cos(angle), scale * torch.sin(angle)
    # Grid units: the image is 2 wide, so 0.15 is 0.6 pixels.
    rows = [torch.stack([cos, -sin, uniform(0.15)], 1), torch.stack([sin, cos, uniform(0.15)], 1)]
    grid = functional.affine_grid(torch.stack(rows, 1), batch.shape, align_corners=False)
    return functional.grid_sample(batch, grid, align_corners=False)


def train(make_network, images, labels, epochs=EPOCHS):
    """Returns the network trained on `images` [N,1,8,8] and `labels` [N], in inference mode."""
    import torch
    from torch.nn import functional

    # One thread and one seed: sums are taken in the same order each time.
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)

    network = make_network()
    x, y = torch.from_numpy(images), torch.from_numpy(labels.astype(np.int64))
    batches = -(-len(x) // BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=epochs * batches)
    network.train()
    for _ in range(epochs):
        for chosen in torch.randperm(len(x), generator=generator).split(BATCH):
            loss = functional.cross_entropy(
                network(jitter(x[chosen], generator)), y[chosen], label_smoothing=0.05
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return network.eval()


def run_torch(network, images):
    """Returns the logits float32 [N,10]."""
    import torch

    with torch.no_grad():
        return network(torch.from_numpy(images)).numpy()


def accuracy(logits, labels):
    """Returns (how many are right, the share of them in 0..1)."""
    right = int((logits.argmax(1) == labels).sum())
    return right, right / len(labels)


def choose():
    """Prints cross-validated accuracy of each candidate; the held-back fifth is not looked at."""
    from sklearn.model_selection import StratifiedKFold

    images, labels, _, _ = load_split()
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    for name, make_network in CANDIDATES.items():
        for epochs in (EPOCHS // 2, EPOCHS):
            right = 0
            for fit, validate in folds.split(images, labels):
                network = train(make_network, images[fit], labels[fit], epochs)
                right += accuracy(run_torch(network, images[validate]), labels[validate])[0]
            print(f"{name}, {epochs} epochs: {right} of {len(labels)} right in {FOLDS} folds "
                  f"of the training part ({100 * right / len(labels):.2f}%)", flush=True)


def export(network, path):
    """Writes `network` as ONNX opset 13 with a batch of one and its BatchNormalization nodes kept.

    PRESERVE keeps them: the exporter would fold them into the convolutions, which is our planner's
    work to do.
    """
    import torch

    torch.onnx.export(
        network,
        torch.zeros(1, 1, 8, 8),
        str(path),
        opset_version=13,
        input_names=["image"],
        output_names=["logits"],
        training=torch.onnx.TrainingMode.PRESERVE,
        do_constant_folding=False,
    )


# --- The check: the exported file, evaluated by numpy alone ---------------------------------------


def windows(x, kernel, pads, strides, fill):
    """Returns x [N,C,H,W] cut into windows [N,C,OH,OW,KH,KW] after padding with `fill`."""
    top, left, bottom, right = pads
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, tuple(kernel), axis=(2, 3))
    return view[:, :, :: strides[0], :: strides[1]]


def conv(x, weight, pads, strides, group):
    """ONNX Conv in 2-D without bias or dilation."""
    n, c = x.shape[:2]
    m = weight.shape[0]
    patches = windows(x, weight.shape[2:], pads, strides, 0.0)
    patches = patches.reshape(n, group, c // group, *patches.shape[2:])
    weight = weight.reshape(group, m // group, *weight.shape[1:])
    out = np.einsum("ngcyxij,gmcij->ngmyx", patches, weight, optimize=True)
    return out.reshape(n, m, *out.shape[3:])


def evaluate(node, attributes, values):
    """Returns the output of one node; knows exactly the operators that export() writes."""
    kind = node.op_type
    x, *rest = (values[name] for name in node.input)
    if kind == "Conv" and len(rest) == 1 and attributes["dilations"] == [1, 1]:
        return conv(x, rest[0], attributes["pads"], attributes["strides"], attributes["group"])
    if kind == "BatchNormalization":
        scale, shift, mean, variance = (r[None, :, None, None] for r in rest)
        return (x - mean) / np.sqrt(variance + attributes["epsilon"]) * scale + shift
    if kind == "Relu":
        return np.maximum(x, 0)
    if kind == "MaxPool" and not attributes.get("ceil_mode"):
        pads, strides = attributes["pads"], attributes["strides"]
        return windows(x, attributes["kernel_shape"], pads, strides, -np.inf).max((4, 5))
    if kind == "GlobalAveragePool":
        return x.mean((2, 3), keepdims=True)
    if kind == "Flatten" and attributes.get("axis", 1) == 1:
        return x.reshape(len(x), -1)
    if kind == "Gemm" and attributes.get("transB") and not attributes.get("transA"):
        return x @ rest[0].T * attributes["alpha"] + rest[1] * attributes["beta"]
    raise ValueError(f"node {node.name}: no numpy form of {kind} with {attributes}")


def run_onnx(path, images):
    """Returns (logits float64 [N,10], parameters, multiplications per image) of the ONNX file.

    Double precision, so that it is a truth other evaluations may be compared with.
    """
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(path))
    onnx.checker.check_model(model)
    weights = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    values = {name: w.astype(np.float64) for name, w in weights.items()}
    values["image"] = images.astype(np.float64)
    macs = 0
    for node in model.graph.node:
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        out = values[node.output[0]] = evaluate(node, attributes, values)
        if node.op_type == "Conv":
            macs += weights[node.input[1]].size * out.shape[2] * out.shape[3]
        elif node.op_type == "Gemm":
            macs += weights[node.input[1]].size
    return values["logits"], sum(w.size for w in weights.values()), macs


def check():
    """Checks the files here against each other and the data set; returns the exit status."""
    train_x, _, held_x, held_y = load_split()
    samples = np.load(HERE / "calibration" / "images.npy")
    images, labels, stored = (np.load(HERE / f"{n}.npy") for n in ("images", "labels", "logits"))
    images, stored = images[:, 0], stored[:, 0]
    onnx_bytes = (HERE / "digits.onnx").stat().st_size
    logits, parameters, macs = run_onnx(HERE / "digits.onnx", images)
    right, share = accuracy(logits, labels)
    difference = float(np.abs(logits - stored).max() / np.abs(logits).max())
    top = np.sort(logits, axis=1)
    print(f"digits.onnx: {onnx_bytes} bytes, {parameters} parameters, {macs} MACs per image")
    print(f"held-back accuracy: {right} of {len(labels)} right ({100 * share:.2f}%)")
    print(f"logits.npy: at most {difference:.1e} x max |logit| from numpy in double precision")
    print(f"closest call: the two best logits are {(top[:, -1] - top[:, -2]).min():.4f} apart "
          f"(max |logit| {np.abs(logits).max():.2f})")
    problems = []
    if not np.array_equal(images, held_x) or not np.array_equal(labels, held_y):
        problems.append("images.npy or labels.npy is not the held-back fifth of scikit-learn's digits")
    if not np.array_equal(samples[:, 0], train_x[:CALIBRATION]):
        problems.append(f"calibration/images.npy is not the first {CALIBRATION} images to train with")
    if share < WANTED_ACCURACY:
        problems.append(f"accuracy: expected at least {WANTED_ACCURACY}, found {share:.4f}")
    if difference > 1e-5:
        problems.append(f"logits.npy: expected within 1e-5 of numpy's logits, found {difference:.1e}")
    if onnx_bytes >= MAX_ONNX_BYTES:
        problems.append(f"digits.onnx: expected under {MAX_ONNX_BYTES} bytes, found {onnx_bytes}")
    for problem in problems:
        print(f"train.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--choose", action="store_true", help="compare candidates; writes nothing")
    parser.add_argument("--check", action="store_true", help="check the files here; writes nothing")
    options = parser.parse_args()
    if options.choose:
        choose()
        return 0
    if not options.check:
        train_x, train_y, held_x, held_y = load_split()
        network = train(CANDIDATES[CHOSEN], train_x, train_y)
        export(network, HERE / "digits.onnx")
        # A stack of inputs: one more leading dimension than the model's [1,1,8,8].
        np.save(HERE / "images.npy", np.ascontiguousarray(held_x[:, None]))
        np.save(HERE / "labels.npy", held_y)
        (HERE / "calibration").mkdir(exist_ok=True)
        np.save(HERE / "calibration" / "images.npy", train_x[:CALIBRATION, None])
        np.save(HERE / "logits.npy", run_torch(network, held_x)[:, None])
    return check()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ImportError as error:
        sys.exit(f"train.py: {error}; install python3-torch, python3-sklearn and python3-onnx")
    except (OSError, ValueError) as error:
        sys.exit(f"train.py: {error}")

# SPDX-License-Identifier: Apache-2.0
