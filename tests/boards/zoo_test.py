#!/usr/bin/env python3
"""Holds docs/zoo.md to its rows, the rows' bytes to what is planned today, and runs bench/zoo.py for one model."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import zoo  # noqa: E402
import zoo_page  # noqa: E402

options = argparse.Namespace()
QUICK = ("digits", "onnx_mnist8", "onnx_tinyvit_demo", "tfl_hello_world_int8", "tfl_mlperf_ad_int8", "tfl_mlperf_kws_int8",
         "tfl_mlperf_ic_resnet8_int8")
# Stacks and code are the compiler's; the rows are measured again when they have moved by so much.
SHARE = 0.01


class Zoo(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.data = zoo.read_rows(ROOT / zoo.ROWS)

    def test_the_page_and_its_pictures_are_made_of_the_rows(self):
        for file, text in zoo_page.files_of(self.data).items():
            self.assertEqual((ROOT / file).read_text(encoding="utf-8"), text,
                             f"{file} is not what the rows make: bench/zoo.py ARENITE --page writes it")

    def test_bytes_are_those_of_today(self):
        args = argparse.Namespace(shared=pathlib.Path(options.shared), exported=None, only=QUICK)
        rows = {row["name"]: row for row in self.data["rows"]}
        boards = (*zoo_page.COUNTED_BOARDS, "linux-aarch64")
        for model in zoo.models_of(args, self.folder):
            row = rows[model["name"]]
            again = f"{model['name']}: bench/zoo.py ARENITE --counts measures the rows again"
            now = zoo.bytes_of(options.arenite, model, boards)
            self.assertEqual(now["budget"], row["budget"], again)
            for board in boards:
                then, found = row["boards"][board], now["boards"][board]
                self.assertEqual((found["fits"], found["arenas"]), (then["fits"], then["arenas"]), f"{board}, {again}")
                for key in ("ram", "flash"):
                    self.assertAlmostEqual(found[key] / then[key], 1, delta=SHARE, msg=f"{board}, {key}, {again}")

    def zoo(self, *words):
        return subprocess.run([sys.executable, ROOT / "bench/zoo.py", options.arenite, "--shared", options.shared, "--cache",
                               self.folder / "cache", "--into", self.folder, *map(str, words)], capture_output=True, text=True,
                              check=False, env={**os.environ, "ARENITE_IMAGES": options.images}, timeout=600)

    def test_a_row_is_measured_kept_and_resumed(self):
        unknown = self.zoo("--counts", "--only", "no_such_model")
        self.assertEqual((unknown.returncode, unknown.stderr), (1, f"zoo: no model no_such_model in {options.shared}/models\n"))
        # No image of the smallest board's toolchain is built by default; what would be kept of it is put there.
        [model] = zoo.models_of(argparse.Namespace(shared=self.folder, exported=None, only=["digits"]), self.folder)
        recorded = next(row for row in self.data["rows"] if row["name"] == "digits")
        store = zoo.Store(self.folder / "cache", pathlib.Path(options.arenite))
        store.of(model, "bytes", lambda: {key: recorded[key] for key in ("boards", "budget")})
        done = self.zoo("--counts", "--only", "digits")
        self.assertEqual(done.returncode, 0, done.stderr)
        [row] = json.loads((self.folder / zoo.ROWS).read_text(encoding="utf-8"))["rows"]
        self.assertEqual(set(row["images"]), set(zoo_page.COUNTED_BOARDS))
        page = (self.folder / "docs/zoo.md").read_text(encoding="utf-8")
        for board, image in row["images"].items():
            self.assertIn(f" {image['run']:,} |", page)
            # The row on the page was measured some commits ago.
            self.assertAlmostEqual(image["ram"] / recorded["images"][board]["ram"], 1, delta=0.1)
        kept = self.folder / "cache/digits.mps3-an547.json"
        known = json.loads(kept.read_text(encoding="utf-8"))
        known["value"]["run"] = 123456789
        kept.write_text(json.dumps(known), encoding="utf-8")
        self.assertEqual(self.zoo("--counts", "--only", "digits").returncode, 0)
        self.assertIn(" 123,456,789 |", (self.folder / "docs/zoo.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("arenite", "images", "shared"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    os.environ["ARENITE_IMAGES"] = options.images
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
