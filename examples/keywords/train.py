#!/usr/bin/python3
"""Trains the keyword spotter on espeak-ng's voices, writes it as ONNX of floats and of int8, and checks both.

Needed only to retrain or to check: Debian's python3-torch, python3-onnx, espeak-ng and g++, and a built `arenite`.

    ./train.py             train, write keywords.onnx, keywords_int8.onnx and clips/ here, then check
    ./train.py --check     say how many clips of held-back voices both models name; changes nothing
"""

import argparse
import ctypes
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import voices

HERE = pathlib.Path(__file__).resolve().parent
SEED = 0
WORDS = ["yes", "no", "up", "down", "stop", "go"]
LABELS = ["silence", "unknown"] + WORDS
# What is no keyword: some of it sounds like one.
OTHERS = ("yet yell guess less chess snow toe so low now nose cup pup cut us but town done dawn gown found own top "
          "step stock spot store goal gold ghost good get left right on off cat dog house tree bird happy one two three "
          "four five six seven eight nine zero follow visual backward learn forward bed wow marvin sheila please hello "
          "lamp kitchen music weather timer morning water").split()
OTHERS_HELD_BACK = ("mess show coat tub brown shop glow open yesterday nobody window light radio twenty ten table "
                    "door start pause under").split()
RENDERS = 520  # of each keyword
RENDERS_HELD_BACK = 60
CLIPS_EACH = 3  # clips of each rendering: placed, filtered and disturbed in other ways
EPOCHS = 18
BATCH = 64
ROWS, BANDS, CENTER, UNIT = 49, 32, 30 * 256, 8 * 256  # of features.h
CALIBRATION = 256
WANTED_ACCURACY = 0.85


# --- Clips of one second --------------------------------------------------------------------------


def clip_of(word, random, noise_decibels):
    """Returns int16 [16000]: a rendered word (or None) somewhere in it, with noise that much weaker, at any loudness."""
    clip = np.zeros(voices.RATE)
    if word is not None:
        word = voices.resample(word, voices.RATE * random.uniform(0.87, 1.15))
        spectrum = np.fft.rfft(word)
        tilt = np.linspace(0, 1, len(spectrum))  # microphones differ
        word = np.fft.irfft(spectrum * 10 ** (random.uniform(-0.6, 0.3) * tilt), len(word))
        if len(word) > len(clip):
            word = word[(len(word) - len(clip)) // 2 :][: len(clip)]
        start = random.integers(len(clip) - len(word) + 1)
        clip[start : start + len(word)] = word / np.sqrt(np.mean(word**2))
    clip += voices.noise(len(clip), random) * 10 ** (-noise_decibels / 20)
    loudness = 10 ** random.uniform(-2.3, -0.9) * (1 if word is not None else 10 ** random.uniform(-1.5, 0))
    return np.clip(np.round(clip * loudness * 32768), -32768, 32767).astype(np.int16)


def make_clips(held_back, random):
    """Returns (clips int16 [N,16000], labels uint8 [N]) of voices to train with, or of those held back."""
    names = voices.variants()[1 if held_back else 0]
    others = OTHERS_HELD_BACK if held_back else OTHERS
    renders = RENDERS_HELD_BACK if held_back else RENDERS
    texts = [(word, 2 + i) for i, word in enumerate(WORDS) for _ in range(renders)]
    texts += [(others[i % len(others)], 1) for i in range(3 * renders)]
    rendered = voices.render_all([voices.request(text, names, random) for text, _ in texts])
    clips, labels = [], []
    for word, (_, label) in zip(rendered, texts):
        for _ in range(1 if held_back else CLIPS_EACH):
            clips.append(clip_of(word, random, random.uniform(5, 30)))
            labels.append(label)
    for _ in range(renders * (1 if held_back else CLIPS_EACH)):
        clips.append(clip_of(None, random, 0))
        labels.append(0)
    return np.stack(clips), np.array(labels, np.uint8)


def features_of(clips):
    """Returns the network's inputs float32 [N,1,49,32], by the firmware's own front end."""
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "features.so"
        subprocess.run(["c++", "-std=c++17", "-O2", "-shared", "-fPIC", "-o", library, HERE / "features.cc",
                        HERE / "clip_features.cc"], check=True)
        rows = np.zeros((len(clips), ROWS, BANDS), np.int16)
        clips = np.ascontiguousarray(clips)
        ctypes.CDLL(str(library)).clip_features(
            clips.ctypes.data_as(ctypes.c_void_p), len(clips), rows.ctypes.data_as(ctypes.c_void_p))
    return ((rows.astype(np.float32) - CENTER) / UNIT)[:, None]


# --- The network and its training -----------------------------------------------------------------


def make_network():
    """Depthwise-separable convolutions: 6,792 weights, 0.8 million multiply-accumulates."""
    from torch import nn

    def block(channels_in, channels_out, kernel, stride=1, groups=1):
        return [nn.Conv2d(channels_in, channels_out, kernel, stride, kernel // 2, groups=groups, bias=False),
                nn.BatchNorm2d(channels_out), nn.ReLU()]

    def separable(channels_in, channels_out, stride=1):
        return block(channels_in, channels_in, 3, stride, channels_in) + block(channels_in, channels_out, 1)

    return nn.Sequential(*block(1, 24, 5, 2), *separable(24, 32, 2), *separable(32, 48), *separable(48, 48),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(48, len(LABELS)))


def train(inputs, labels):
    """Returns the trained network in inference mode. One thread and one seed: the same weights each time."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)
    network = make_network().train()
    x, y = torch.from_numpy(inputs), torch.from_numpy(labels.astype(np.int64))
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=EPOCHS * -(-len(x) // BATCH))
    for epoch in range(EPOCHS):
        total = 0.0
        for chosen in torch.randperm(len(x), generator=generator).split(BATCH):
            loss = functional.cross_entropy(network(x[chosen]), y[chosen], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {total / len(x):.3f}", flush=True)
    return network.eval()


def write_models(network, inputs, arenite):
    """Writes keywords.onnx, and keywords_int8.onnx by `arenite quantize` with some of the training inputs."""
    import torch

    torch.onnx.export(network, torch.zeros(1, 1, ROWS, BANDS), str(HERE / "keywords.onnx"), opset_version=13,
                      input_names=["features"], output_names=["scores"])
    with tempfile.TemporaryDirectory() as folder:
        np.save(pathlib.Path(folder) / "features.npy", inputs[:: len(inputs) // CALIBRATION][:, None])
        subprocess.run([arenite, "quantize", HERE / "keywords.onnx", "--calibration", folder,
                        "-o", HERE / "keywords_int8.onnx"], check=True, stdout=subprocess.DEVNULL)


def write_clips():
    """Writes a clip of each word and an unknown one, of held-back voices, with noise 15 dB weaker."""
    random = np.random.default_rng(SEED + 2)
    (HERE / "clips").mkdir(exist_ok=True)
    for text in WORDS + ["window"]:
        word = voices.render(voices.request(text, voices.variants()[1], random))
        clip = clip_of(word, random, 15.0)
        voices.write_wav(HERE / "clips" / f"{text}.wav", clip / 32768.0)


# --- The check ------------------------------------------------------------------------------------


def scores_of(model, inputs, arenite):
    """Returns the model's outputs [N,8], as `arenite run` computes them on the CPU."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        np.save(folder / "features.npy", inputs[:, None])
        subprocess.run([arenite, "plan", model, "--board", "host", "-o", folder / "model.arn"], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([arenite, "run", folder / "model.arn", "--device", "cpu", "--input",
                        f"features={folder}/features.npy", "--output-dir", folder], check=True,
                       stdout=subprocess.DEVNULL)
        return np.load(folder / "scores.npy").reshape(len(inputs), len(LABELS))


def check(arenite):
    """Prints what both models make of held-back voices; returns the exit status."""
    clips, labels = make_clips(True, np.random.default_rng(SEED + 1))
    inputs, status = features_of(clips), 0
    for name in ("keywords.onnx", "keywords_int8.onnx"):
        model = HERE / name
        found = scores_of(model, inputs, arenite).argmax(1)
        right = int((found == labels).sum())
        print(f"{name}: {model.stat().st_size} bytes, {right} of {len(labels)} clips of held-back voices right "
              f"({100 * right / len(labels):.1f}%)")
        for i, label in enumerate(LABELS):
            of_label = found[labels == i]
            print(f"  {label:8} {int((of_label == i).sum()):3} of {len(of_label)}")
        if right < WANTED_ACCURACY * len(labels):
            print(f"train.py: {name}: expected at least {WANTED_ACCURACY} right", file=sys.stderr)
            status = 1
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="check the files here; writes nothing")
    parser.add_argument("--arenite", default=HERE.parents[1] / "build/host/arenite", help="the command to quantize by")
    options = parser.parse_args()
    if not options.check:
        clips, labels = make_clips(False, np.random.default_rng(SEED))
        inputs = features_of(clips)
        print(f"{len(inputs)} clips to train with", flush=True)
        write_models(train(inputs, labels), inputs, options.arenite)
        write_clips()
    return check(options.arenite)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ImportError as error:
        sys.exit(f"train.py: {error}; install python3-torch and python3-onnx")
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"train.py: {error}")

# SPDX-License-Identifier: Apache-2.0
