"""Speech by espeak-ng's voices, and noise, for the training scripts of examples/keywords and examples/denoiser.

All of it is synthetic. A voice is an accent of English and one of espeak-ng's variants of the speaker. Every fourth
variant is held back: no training script hears it.
"""

import concurrent.futures
import os
import pathlib
import subprocess

import numpy as np

RATE = 16000  # samples per second of all that this module returns
ACCENTS = ["en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-gb-x-gbclan", "en-gb-x-gbcwmd", "en-029", "en-us-nyc"]
HELD_BACK_EACH = 4


def variants():
    """Returns (variants to train with, variants held back), in the order of their names."""
    said = subprocess.run(["espeak-ng", "--version"], capture_output=True, text=True, check=True).stdout
    folder = pathlib.Path(said.split("Data at:")[1].strip()) / "voices" / "!v"
    names = sorted(f.name for f in folder.iterdir() if " " not in f.name)
    held = names[HELD_BACK_EACH - 1 :: HELD_BACK_EACH]
    return [n for n in names if n not in held], held


def resample(samples, rate):
    """Returns `samples` of `rate` at RATE: the spectrum is cut at the lower of both limits."""
    count = round(len(samples) * RATE / rate)
    spectrum = np.fft.rfft(samples)[: count // 2 + 1]
    return np.fft.irfft(spectrum, count) * (count / len(samples))


def render(request):
    """Returns what a voice says as float64 samples in -1..1, without silence around it.

    `request`: (text, accent, variant, words a minute, pitch 0..99).
    """
    text, accent, variant, speed, pitch = request
    command = ["espeak-ng", "-v", f"{accent}+{variant}", "-s", str(speed), "-p", str(pitch), "--stdout", text]
    wav = subprocess.run(command, capture_output=True, check=True).stdout
    rate = int.from_bytes(wav[24:28], "little")
    samples = resample(np.frombuffer(wav[44:], "<i2") / 32768.0, rate)
    loud = np.flatnonzero(np.abs(samples) > 0.02 * np.abs(samples).max())
    return samples[loud[0] : loud[-1] + 1] if len(loud) else samples


def render_all(requests):
    """Returns what `render` returns of each request, in order."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(render, requests))


def request(text, names, random):
    """Returns a request for `text` by a voice of the variants `names`, at a random speed and pitch."""
    return (text, ACCENTS[random.integers(len(ACCENTS))], names[random.integers(len(names))],
            int(random.integers(120, 220)), int(random.integers(20, 80)))


def noise(count, random):
    """Returns `count` samples of noise with a mean square of 1.

    A sum of three: noise whose spectrum falls with a random slope (white to brown) and is loud in a random band,
    slowly swelling; a hum of a random frequency with harmonics; clicks.
    """
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 20.0)
    center, width = np.exp(random.uniform(np.log(100), np.log(6000))), random.uniform(0.3, 1.5)
    band = 1 + random.uniform(0, 8) * np.exp(-((np.log(frequency / center) / width) ** 2))
    shape = band * frequency ** -random.uniform(0.0, 1.0)
    phases = np.exp(2j * np.pi * random.random(len(frequency)))
    colored = np.fft.irfft(shape * phases * random.rayleigh(1.0, len(frequency)), count)
    time = np.arange(count) / RATE
    swell = 1 + random.uniform(0, 0.7) * np.sin(2 * np.pi * (random.uniform(0.3, 4) * time + random.random()))
    total = colored / np.sqrt(np.mean(colored**2)) * swell
    if random.random() < 0.3:
        base = random.uniform(45, 250)
        for harmonic in range(1, 8):
            tone = np.sin(2 * np.pi * (base * harmonic * time + random.random()))
            total += random.uniform(0, 0.8) / harmonic * tone
    if random.random() < 0.2:
        total += (random.random(count) < 3e-4) * random.normal(0, 20, count)
    return total / np.sqrt(np.mean(total**2))


def write_wav(path, samples):
    """Writes float samples in -1..1 as a WAV file: RATE, 16 bit, mono."""
    data = np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2").tobytes()
    head = (b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
            + (1).to_bytes(2, "little") + (1).to_bytes(2, "little") + RATE.to_bytes(4, "little")
            + (2 * RATE).to_bytes(4, "little") + (2).to_bytes(2, "little") + (16).to_bytes(2, "little")
            + b"data" + len(data).to_bytes(4, "little"))
    pathlib.Path(path).write_bytes(head + data)

# SPDX-License-Identifier: Apache-2.0
