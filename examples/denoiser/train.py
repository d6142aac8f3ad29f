#!/usr/bin/python3
"""Trains the denoiser on espeak-ng's voices and made noise, writes it as ONNX with states, and checks it.

Needed only to retrain or to check: Debian's python3-torch, python3-onnx and espeak-ng, and a built `arenite`.

    ./train.py             train, write denoiser.onnx, noisy.wav and reference.wav here, then check
    ./train.py --check     say by how much the model here raises the SNR of held-back voices; changes nothing
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "keywords"))
import voices  # noqa: E402

SEED = 0
SENTENCES = """The quick brown fox jumps over the lazy dog.
Please put the blue book on the small table.
We will meet at the station at half past seven.
She sells fresh fish and bread near the harbour.
A cold wind blew across the empty fields all night.
Turn left at the church and follow the river.
My brother fixed the old bicycle in the garage.
There were thirty people waiting for the last bus.
The children played in the garden until it was dark.
He could not remember where he had left his keys.
Every machine in this room was built by hand.
Open the window, it is getting warm in here.
The doctor said that you should rest for a week.
Two large ships passed under the bridge this morning.
I would like a cup of tea and a piece of cake.
They found a wooden box beneath the kitchen floor.
Nobody knows why the lights went out yesterday.
The answer to your question is on page forty.
Rain is expected in the north during the afternoon.
You have to press the green button twice to begin.
Our teacher told us a story about a clever fox.
Which of these roads leads back to the village?
Good evening, and welcome to the eight o'clock news.
The price of coffee has doubled since last summer.""".splitlines()
SENTENCES_HELD_BACK = """Can you hear me now, or is it still too loud?
Five yellow flowers grew beside the garden wall.
The train to the airport leaves from platform nine.
Keep the engine running while I check the map.""".splitlines()
RENDERS = 480
RENDERS_HELD_BACK = 40
NOISES = 240  # of SEGMENT samples each
HOP, WINDOW, BINS = 256, 512, 257  # samples, samples, frequencies
INNER, UNITS = 32, 48
SEGMENT = 128 * HOP  # samples that are trained on at once: 2 s
SHIPPED = 28000  # samples of noisy.wav
EPOCHS = 40
BATCH = 16
FLOOR = 1e-5  # added to a bin's power
WANTED_DECIBELS = 5.0


def window():
    """The square root of a Hann window, before the transform and behind it: both halves add to 1."""
    return np.sin(np.pi * np.arange(WINDOW) / WINDOW).astype(np.float32)


def decibels(wanted, found):
    """The signal-to-noise ratio of `found`."""
    return float(10 * np.log10(np.sum(wanted**2) / np.sum((found - wanted) ** 2)))


def sentences(texts, names, count, random):
    """Returns sentences with a mean square of 1, float arrays."""
    requests = [voices.request(texts[i % len(texts)], names, random) for i in range(count)]
    return [s / np.sqrt(np.mean(s**2)) for s in voices.render_all(requests)]


def mix(clean, noise, random, low, high):
    """Returns (clean, noisy) at an SNR between low and high decibels and at any loudness."""
    noise = noise * 10 ** (-random.uniform(low, high) / 20)
    loudness = 10 ** random.uniform(-2.0, -0.9)
    return clean * loudness, (clean + noise) * loudness


# --- The network and its training -----------------------------------------------------------------


def make_network():
    """Logarithms of the spectrum in, a factor for each frequency out; 32,657 weights."""
    import torch
    from torch import nn

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(BINS, INNER)
            self.memory = nn.GRU(INNER, UNITS, batch_first=True)
            self.factors = nn.Linear(UNITS, BINS)

        def forward(self, power):
            x = torch.relu(self.inner(torch.log(power + FLOOR) / 4))
            return torch.sigmoid(self.factors(self.memory(x)[0]))

    return Network()


def train():
    """Returns the trained network. One thread and one seed: the same weights each time."""
    import torch

    random = np.random.default_rng(SEED)
    speech = np.concatenate(sentences(SENTENCES, voices.variants()[0], RENDERS, random)).astype(np.float32)
    noises = np.stack([voices.noise(SEGMENT, random) for _ in range(NOISES)]).astype(np.float32)
    count = len(speech) // SEGMENT
    print(f"{count * SEGMENT / voices.RATE:.0f} s of speech to train with", flush=True)

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(SEED)
    network = make_network()
    shape = torch.from_numpy(window())
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.006, weight_decay=0.001)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.006, total_steps=EPOCHS * (count // BATCH))
    for epoch in range(EPOCHS):
        total = 0.0
        segments = np.roll(speech, random.integers(len(speech)))[: count * SEGMENT].reshape(count, SEGMENT)
        for chosen in np.array_split(random.permutation(count), count // BATCH):
            pairs = [mix(segments[i], np.roll(noises[random.integers(NOISES)], random.integers(SEGMENT)), random, -5, 15)
                     for i in chosen]
            pairs = torch.from_numpy(np.array(pairs, np.float32)).unfold(2, WINDOW, HOP)
            clean, noisy = torch.fft.rfft(pairs * shape).unbind(1)
            factors = network(noisy.real**2 + noisy.imag**2)
            error = torch.view_as_real(clean - factors * noisy).square().sum((1, 2, 3))
            loss = 10 * torch.log10(error / torch.view_as_real(clean).square().sum((1, 2, 3))).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
        print(f"epoch {epoch + 1} of {EPOCHS}: SNR {-total / count:.2f} dB", flush=True)
    return network.eval()


# --- The model: a hop of sound in, a hop of sound out ---------------------------------------------


def write_model(network, path):
    """Writes one step of the network between transforms, as ONNX opset 17 with three states.

    heard -> heard_out   the hop before, which the window reaches back to
    memory -> memory_out   the GRU's
    rest -> rest_out   what the inverse transform already knows of the next hop
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    reset_update_new = {name: np.split(weights[f"memory.{name}_l0"], 3) for name in
                        ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
    gates = {name: np.concatenate([update, reset, new]) for name, (reset, update, new) in reset_update_new.items()}
    twice = np.full((1, BINS, 1), 2, np.float32)  # for the other half of a real signal's spectrum
    twice[0, 0] = twice[0, -1] = 1
    constants = {
        "window": window()[None],
        "inner_weight": weights["inner.weight"] / 4,
        "inner_bias": weights["inner.bias"],
        "gru_w": gates["weight_ih"][None],
        "gru_r": gates["weight_hh"][None],
        "gru_b": np.concatenate([gates["bias_ih"], gates["bias_hh"]])[None],
        "factors_weight": weights["factors.weight"],
        "factors_bias": weights["factors.bias"],
        "twice": twice,
        "floor": np.float32(FLOOR),
        "frame_shape": np.array([1, WINDOW, 1]),
        "inner_shape": np.array([1, BINS]),
        "gru_shape": np.array([1, 1, INNER]),
        "units_shape": np.array([1, UNITS]),
        "bins_shape": np.array([1, BINS, 1]),
        "pads": np.array([0, 0, 0, 0, WINDOW - BINS, 0]),
        "real_from": np.array([0]), "real_to": np.array([1]), "real_axis": np.array([2]),
        "window_shape": np.array([1, WINDOW]),
        "halves": np.array([HOP, HOP]),
    }
    node = helper.make_node
    nodes = [
        node("Concat", ["heard", "sound"], ["frame"], axis=1),
        node("Identity", ["sound"], ["heard_out"]),
        node("Mul", ["frame", "window"], ["windowed"]),
        node("Reshape", ["windowed", "frame_shape"], ["signal"]),
        node("DFT", ["signal"], ["spectrum"], axis=1, onesided=1),
        node("Mul", ["spectrum", "spectrum"], ["squares"]),
        node("Split", ["squares"], ["real_squares", "imaginary_squares"], axis=2),
        node("Add", ["real_squares", "imaginary_squares"], ["power"]),
        node("Add", ["power", "floor"], ["raised"]),
        node("Log", ["raised"], ["logarithms"]),
        node("Reshape", ["logarithms", "inner_shape"], ["inner_input"]),
        node("Gemm", ["inner_input", "inner_weight", "inner_bias"], ["inner_sums"], transB=1),
        node("Relu", ["inner_sums"], ["inner"]),
        node("Reshape", ["inner", "gru_shape"], ["gru_input"]),
        node("GRU", ["gru_input", "gru_w", "gru_r", "gru_b", "", "memory"], ["", "memory_out"], hidden_size=UNITS,
             linear_before_reset=1),
        node("Reshape", ["memory_out", "units_shape"], ["units"]),
        node("Gemm", ["units", "factors_weight", "factors_bias"], ["factors_sums"], transB=1),
        node("Sigmoid", ["factors_sums"], ["factors"]),
        node("Reshape", ["factors", "bins_shape"], ["factors_of_bins"]),
        node("Mul", ["factors_of_bins", "twice"], ["doubled"]),
        node("Mul", ["spectrum", "doubled"], ["cleaned"]),
        node("Pad", ["cleaned", "pads"], ["padded"]),
        node("DFT", ["padded"], ["back"], axis=1, inverse=1),
        node("Slice", ["back", "real_from", "real_to", "real_axis"], ["real"]),
        node("Reshape", ["real", "window_shape"], ["frame_back"]),
        node("Mul", ["frame_back", "window"], ["windowed_back"]),
        node("Split", ["windowed_back", "halves"], ["first", "rest_out"], axis=1),
        node("Add", ["first", "rest"], ["clean"]),
    ]
    value = helper.make_tensor_value_info
    hop, memory = [1, HOP], [1, 1, UNITS]
    graph = helper.make_graph(
        nodes, "denoiser",
        [value("sound", TensorProto.FLOAT, hop), value("heard", TensorProto.FLOAT, hop),
         value("memory", TensorProto.FLOAT, memory), value("rest", TensorProto.FLOAT, hop)],
        [value("clean", TensorProto.FLOAT, hop), value("heard_out", TensorProto.FLOAT, hop),
         value("memory_out", TensorProto.FLOAT, memory), value("rest_out", TensorProto.FLOAT, hop)],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="examples/denoiser")
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


# --- The check ------------------------------------------------------------------------------------


def denoise(sounds, arenite):
    """Returns what the model makes of each sound, by `arenite run` on the CPU."""
    cleaned = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([arenite, "plan", HERE / "denoiser.onnx", "--board", "host", "-o", folder / "denoiser.arn",
                        "--state", "heard_out=heard", "--state", "memory_out=memory", "--state", "rest_out=rest"],
                       check=True, stdout=subprocess.DEVNULL)
        for sound in sounds:
            hops = -(-len(sound) // HOP) + 1  # the result is a hop late
            padded = np.zeros(hops * HOP, np.float32)
            padded[: len(sound)] = sound
            np.save(folder / "sound.npy", padded.reshape(hops, 1, HOP))
            subprocess.run([arenite, "run", folder / "denoiser.arn", "--device", "cpu", "--input",
                            f"sound={folder}/sound.npy", "--output-dir", folder], check=True,
                           stdout=subprocess.DEVNULL)
            cleaned.append(np.load(folder / "clean.npy").reshape(-1)[HOP:][: len(sound)])
    return cleaned


def check(arenite):
    """Prints the SNR of held-back voices before and after; returns the exit status."""
    random = np.random.default_rng(SEED + 1)
    clean = sentences(SENTENCES_HELD_BACK, voices.variants()[1], RENDERS_HELD_BACK, random)
    print(f"denoiser.onnx: {(HERE / 'denoiser.onnx').stat().st_size} bytes")
    status = 0
    for level in (-5, 0, 5, 10):
        pairs = [mix(s, voices.noise(len(s), random), random, level, level) for s in clean]
        found = denoise([noisy for _, noisy in pairs], arenite)
        after = np.mean([decibels(wanted, out) for (wanted, _), out in zip(pairs, found)])
        print(f"SNR {level:3} dB becomes {after:5.1f} dB, mean of {len(pairs)} sentences of held-back voices")
        if level == 0 and after < WANTED_DECIBELS:
            print(f"train.py: expected at least {WANTED_DECIBELS} dB", file=sys.stderr)
            status = 1
    return status


def write_sounds():
    """Writes the beginning of a sentence by a held-back voice, and the same with noise as loud as it."""
    random = np.random.default_rng(SEED + 2)
    clean = sentences(SENTENCES_HELD_BACK, voices.variants()[1], 1, random)[0][:SHIPPED]
    clean /= np.sqrt(np.mean(clean**2))
    wanted, noisy = mix(clean, voices.noise(len(clean), random), random, 0, 0)
    loudness = 0.7 / np.abs(noisy).max()
    voices.write_wav(HERE / "reference.wav", wanted * loudness)
    voices.write_wav(HERE / "noisy.wav", noisy * loudness)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="check the file here; writes nothing")
    parser.add_argument("--arenite", default=HERE.parents[1] / "build/host/arenite", help="the command to check by")
    options = parser.parse_args()
    if not options.check:
        write_model(train(), HERE / "denoiser.onnx")
        write_sounds()
    return check(options.arenite)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ImportError as error:
        sys.exit(f"train.py: {error}; install python3-torch and python3-onnx")
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"train.py: {error}")

# SPDX-License-Identifier: Apache-2.0
