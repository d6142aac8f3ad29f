#!/usr/bin/env python3
"""Tests images as inputs of `arenite run`: what becomes of samples, sizes, layouts, and of files that
are none or mean harm."""

import os
import pathlib
import struct
import subprocess
import zlib

from cli_common import CliTest, Binaries, main, model, node, npy, read_npy, value_info, write
from image_files import (ADOBE_CMYK, chunk, exif, exif_segment, jpeg, png, png_header, segment)

FLOAT, UINT8, INT8, FLOAT16, INT64 = 1, 2, 3, 10, 7
# Two JPEGs of codings that image_files.py does not write, made with libjpeg: 24 x 20 pixels of
# (10 x, 12 y, x y mod 256), progressive with chroma halved and restarts; and 16 x 8 of Adobe's CMYK.
FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "images"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


class ImageTest(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.programs = {}

    def same(self, dims, dtype=FLOAT):
        """A program whose output y is its input x, flattened."""
        key = (tuple(dims), dtype)
        if key not in self.programs:
            count = 1
            for dim in dims:
                count *= dim
            self.programs[key] = self.plan(model(
                [value_info("x", dims, dtype)], [node("Flatten", ["x"], ["y"], axis=0)],
                [value_info("y", [1, count], dtype)]))
        return self.programs[key]

    def run_image(self, dims, data, *words, dtype=FLOAT, name="image.png"):
        path = write(self.folder / name, data)
        return self.arenite("run", self.same(dims, dtype), "--input", f"x={path}", "--device", "cpu",
                            "--output-dir", "out", *words)

    def tensor_of(self, dims, data, *words, **options):
        done = self.run_image(dims, data, *words, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_npy(self.folder / "out" / "y.npy")[2]

    def assert_refused(self, dims, data, *texts, words=(), **options):
        self.assert_fails(self.run_image(dims, data, *words, **options), 2, *texts)


class Memory(ImageTest):
    def test_pixels_say_how_much_may_be_unpacked(self):
        """8 x 8 pixels, with 200 MiB of zeros behind them in the packed data."""
        packer = zlib.compressobj(9)
        packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(200)) + packer.flush()
        bomb = SIGNATURE + png_header(8, 8, 8, 0) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
        path = write(self.folder / "bomb.png", bomb)
        with subprocess.Popen([Binaries.arenite, "run", self.same([1, 1, 8, 8]), "--input", f"x={path}",
                               "--device", "cpu"], stderr=subprocess.PIPE, text=True) as command:
            said = command.stderr.read()
            _, status, used = os.wait4(command.pid, 0)
            command.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(command.returncode, 2, said)
        self.assertIn("more memory than an image takes", said)
        self.assertLess(used.ru_maxrss, 50 << 10)  # KiB

    def test_noise_takes_no_less_packed(self):
        samples = [i * 40503 % 65521 for i in range(64 * 64 * 4)]
        self.assertEqual(len(self.tensor_of([1, 4, 64, 64], png(64, 64, 4, samples, 16))), 64 * 64 * 4)


class Samples(ImageTest):
    RGB = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]  # 2 x 2

    def test_layouts(self):
        image = png(2, 2, 3, self.RGB)
        planes = tuple(self.RGB[0::3] + self.RGB[1::3] + self.RGB[2::3])
        self.assertEqual(self.tensor_of([1, 3, 2, 2], image), planes)
        self.assertEqual(self.tensor_of([3, 2, 2], image), planes)
        self.assertEqual(self.tensor_of([1, 2, 2, 3], image), tuple(self.RGB))
        self.assertEqual(self.tensor_of([2, 2, 3], image), tuple(self.RGB))

    def test_width_and_height_are_not_mixed_up(self):
        image = png(5, 2, 1, range(10))
        for dims in ([1, 1, 2, 5], [1, 2, 5, 1], [2, 5], [1, 2, 5]):
            self.assertEqual(self.tensor_of(dims, image), tuple(range(10)))
            self.assert_refused(dims, png(2, 5, 1, range(10)), "the image is 2 x 5", "takes 5 x 2")

    def test_channels_that_the_image_lacks_or_has_too_many(self):
        gray, both = png(2, 1, 1, [7, 9]), png(2, 1, 2, [7, 1, 9, 2])
        rgb, rgba = png(2, 1, 3, self.RGB[:6]), png(2, 1, 4, [10, 20, 30, 0, 40, 50, 60, 77])
        self.assertEqual(self.tensor_of([2, 2, 3], png(2, 2, 3, self.RGB)), tuple(self.RGB))
        for image in (gray, both):
            self.assertEqual(self.tensor_of([1, 1, 2, 3], image, "--layout", "nhwc"),
                             (7, 7, 7, 9, 9, 9))
            self.assertEqual(self.tensor_of([1, 2], image), (7, 9))
        luma = tuple((77 * r + 150 * g + 29 * b) >> 8 for r, g, b in ((10, 20, 30), (40, 50, 60)))
        for image in (rgb, rgba):
            self.assertEqual(self.tensor_of([1, 1, 2, 3], image, "--layout", "nhwc"),
                             tuple(self.RGB[:6]))
            self.assertEqual(self.tensor_of([1, 2], image), luma)
        self.assertEqual(self.tensor_of([1, 1, 2, 4], rgba, "--layout", "nhwc"),
                         (10, 20, 30, 0, 40, 50, 60, 77))
        self.assertEqual(self.tensor_of([1, 1, 2, 4], rgb, "--layout", "nhwc"),
                         (10, 20, 30, 255, 40, 50, 60, 255))
        self.assertEqual(self.tensor_of([1, 1, 2, 4], both, "--layout", "nhwc"),
                         (7, 7, 7, 1, 9, 9, 9, 2))

    def test_formula_and_order(self):
        image = png(2, 2, 3, self.RGB)
        self.assertEqual(self.tensor_of([1, 2, 2, 3], image, "--mean", "10", "--scale", "0.5"),
                         tuple((s - 10) * 0.5 for s in self.RGB))
        mean, scale = (1, 2, 3), (1 / 2, 1 / 4, 0.125)
        words = ("--mean", "1,2,3", "--scale", "1/2,1/4,0.125")
        self.assertEqual(self.tensor_of([1, 2, 2, 3], image, *words),
                         tuple((s - mean[i % 3]) * scale[i % 3] for i, s in enumerate(self.RGB)))
        swapped = [self.RGB[i - i % 3 + 2 - i % 3] for i in range(12)]
        self.assertEqual(self.tensor_of([1, 2, 2, 3], image, "--channels", "bgr"), tuple(swapped))
        # Numbers go with the tensor's channels.
        self.assertEqual(self.tensor_of([1, 2, 2, 3], image, "--channels", "bgr", *words),
                         tuple((s - mean[i % 3]) * scale[i % 3] for i, s in enumerate(swapped)))
        self.assertEqual(self.tensor_of([1, 2, 2, 3], image, "--channels", "rgb"), tuple(self.RGB))
        self.assertEqual(self.tensor_of([1, 1, 2, 4], png(2, 1, 4, [1, 2, 3, 4, 5, 6, 7, 8]),
                                        "--layout", "nhwc", "--channels", "bgr"),
                         (3, 2, 1, 4, 7, 6, 5, 8))
        exact = self.tensor_of([2, 2, 3], image, "--scale", "1/255")
        for found, sample in zip(exact, self.RGB):
            self.assertEqual(found, struct.unpack("f", struct.pack("f", sample / 255))[0])

    def test_types(self):
        image = png(4, 1, 1, [0, 1, 254, 255])
        self.assertEqual(self.tensor_of([1, 4], image, dtype=UINT8), (0, 1, 254, 255))
        self.assertEqual(self.tensor_of([1, 4], image, "--scale", "0.5", dtype=UINT8),
                         (0, 1, 127, 128))  # halves away from 0
        self.assertEqual(self.tensor_of([1, 4], image, "--mean", "128", dtype=INT8),
                         (-128, -127, 126, 127))
        self.assertEqual(self.tensor_of([1, 4], image, "--mean", "127.5", "--scale", "1/127.5",
                                        dtype=FLOAT16)[0::3], (-1, 1))
        # Nothing is cut off in silence.
        self.assert_refused([1, 4], image, "255", "int8", "-128 to 127", "--mean 128", dtype=INT8)
        self.assert_refused([1, 4], image, "-1", "uint8", words=("--mean", "1"), dtype=UINT8)
        self.assert_refused([1, 4], image, "float16", words=("--scale", "1000"), dtype=FLOAT16)
        self.assert_refused([1, 4], image, "float32", words=("--scale", "1e38"))
        self.assert_refused([1, 4], image, "int64", "takes no image", dtype=INT64)

    def test_samples_of_16_bits(self):
        image = png(4, 1, 1, [0, 257, 257 * 100 + 128, 65535], bits=16)
        found = self.tensor_of([1, 4], image)
        self.assertEqual((found[0], found[1], found[3]), (0, 1, 255))
        self.assertAlmostEqual(found[2], 100 + 128 / 257, delta=1e-5)
        self.assertEqual(self.tensor_of([1, 4], image, dtype=UINT8), (0, 1, 100, 255))
        rgb = png(2, 1, 3, [257 * n for n in self.RGB[:6]], bits=16)
        self.assertEqual(self.tensor_of([1, 2, 3], rgb, "--layout", "nhwc"), tuple(self.RGB[:6]))

    def test_few_bits_and_palettes(self):
        rows = b"\0\x1b"  # samples 0, 1, 2, 3 of 2 bits
        gray = SIGNATURE + png_header(4, 1, 2, 0) + chunk(b"IDAT", zlib.compress(rows)) + \
            chunk(b"IEND", b"")
        self.assertEqual(self.tensor_of([1, 4], gray), (0, 85, 170, 255))
        palette = SIGNATURE + png_header(4, 1, 2, 3) + chunk(b"PLTE", bytes(range(12))) + \
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
        self.assertEqual(self.tensor_of([1, 4, 3], palette, "--layout", "nhwc"), tuple(range(12)))

    def test_jpeg(self):
        gray = jpeg(2, 1, 1, [50, 200])
        expected = tuple(([50] * 8 + [200] * 8) * 8)
        for name in ("a.jpg", "a.JPG", "a.jpeg", "really.png"):
            self.assertEqual(self.tensor_of([8, 16], gray, name=name), expected)
        colors = [76, 85, 255, 255, 128, 128]  # red and white
        found = self.tensor_of([1, 3, 8, 16], jpeg(2, 1, 3, colors), name="c.jpg")
        self.assertEqual([found[128 * c] for c in range(3)], [254, 0, 0])
        self.assertEqual([found[128 * c + 15] for c in range(3)], [255, 255, 255])

    def test_cmyk(self):
        # Adobe stores inks inverted: 255 is none. No red ink and half black; no ink at all.
        inks = [255, 0, 0, 128, 255, 255, 255, 255]
        found = self.tensor_of([1, 3, 8, 16], jpeg(2, 1, 4, inks, ADOBE_CMYK), name="cmyk.jpg")
        self.assertEqual([found[128 * c] for c in range(3)], [128, 0, 0])
        self.assertEqual([found[128 * c + 15] for c in range(3)], [255, 255, 255])
        self.assert_refused([1, 3, 8, 16], jpeg(2, 1, 4, inks), "cmyk.jpg", "Adobe", "RGB",
                            name="cmyk.jpg")
        made_by_others = (FIXTURES / "cmyk.jpg").read_bytes()
        found = self.tensor_of([1, 3, 8, 16], made_by_others, name="cmyk.jpg")
        self.assertEqual(len(found), 3 * 128)

    def test_progressive_jpeg(self):
        image = (FIXTURES / "progressive.jpg").read_bytes()
        found = self.tensor_of([20, 24], image, name="p.jpg")
        for x, y in ((2, 2), (12, 10), (20, 4), (3, 17)):
            luma = (299 * 10 * x + 587 * 12 * y + 114 * (x * y % 256)) / 1000
            self.assertAlmostEqual(found[24 * y + x], luma, delta=12)

    def test_orientation(self):
        # The upright image is 3 x 2; each orientation is how a camera would have stored it.
        upright = [1, 2, 3, 4, 5, 6]
        stored = {1: (3, 2, [1, 2, 3, 4, 5, 6]), 2: (3, 2, [3, 2, 1, 6, 5, 4]),
                  3: (3, 2, [6, 5, 4, 3, 2, 1]), 4: (3, 2, [4, 5, 6, 1, 2, 3]),
                  5: (2, 3, [1, 4, 2, 5, 3, 6]), 6: (2, 3, [3, 6, 2, 5, 1, 4]),
                  7: (2, 3, [6, 3, 5, 2, 4, 1]), 8: (2, 3, [4, 1, 5, 2, 6, 3])}
        for orientation, (width, height, samples) in stored.items():
            for order in "<>":
                image = png(width, height, 1, samples, extra=chunk(b"eXIf", exif(orientation, order)))
                self.assertEqual(self.tensor_of([2, 3], image), tuple(upright), orientation)
                blocks = jpeg(width, height, 1, [20 * s for s in samples],
                              exif_segment(orientation, order))
                found = self.tensor_of([16, 24], blocks, name="o.jpg")
                self.assertEqual([found[24 * 8 * y + 8 * x] for y in range(2) for x in range(3)],
                                 [20 * s for s in upright], orientation)
        # An orientation that makes no sense turns nothing.
        for block in (exif(0), exif(9), exif(6)[:-9], b"", b"II*\0\xff\xff\xff\xff", b"XX*\0"):
            image = png(3, 2, 1, upright, extra=chunk(b"eXIf", block))
            self.assertEqual(self.tensor_of([2, 3], image), tuple(upright))


class Sizes(ImageTest):
    def test_another_size_needs_resize(self):
        image = png(4, 3, 1, range(12))
        self.assert_refused([1, 1, 2, 5], image, "image.png: the image is 4 x 3", "'x' takes 5 x 2",
                            "--resize")
        self.assertEqual(len(self.tensor_of([1, 1, 2, 5], image, "--resize")), 10)

    def test_letterbox_keeps_all_of_an_image(self):
        wide = png(4, 2, 1, [10, 20, 30, 40, 50, 60, 70, 80])
        self.assertEqual(self.tensor_of([4, 4], wide, "--letterbox", "7"),
                         (7, 7, 7, 7, 10, 20, 30, 40, 50, 60, 70, 80, 7, 7, 7, 7))
        tall = png(2, 4, 1, [10, 20, 30, 40, 50, 60, 70, 80])
        self.assertEqual(self.tensor_of([4, 5], tall, "--letterbox", "0"),
                         (0, 10, 20, 0, 0, 0, 30, 40, 0, 0, 0, 50, 60, 0, 0, 0, 70, 80, 0, 0))
        # Bars are samples, so they go through the formula; the right size gets none.
        self.assertEqual(self.tensor_of([3, 1], png(1, 1, 1, [9]), "--letterbox", "5", "--mean", "5"), (0, 4, 0))
        self.assertEqual(self.tensor_of([2, 4], wide, "--letterbox", "7"), tuple(range(10, 90, 10)))
        self.assertEqual(len(self.tensor_of([1, 3, 8, 5], png(300, 1, 3, [1] * 900), "--letterbox", "1")), 120)

    def test_center_crop_takes_the_middle(self):
        wide = png(6, 2, 1, [10, 20, 30, 40, 50, 60, 11, 21, 31, 41, 51, 61])
        self.assertEqual(self.tensor_of([2, 2], wide, "--center-crop"), (30, 40, 31, 41))
        tall = png(1, 5, 1, [1, 2, 3, 4, 5])
        self.assertEqual(self.tensor_of([2, 1], tall, "--center-crop"), (2, 3))
        self.assertEqual(self.tensor_of([2, 2], png(4, 8, 1, [0] * 8 + [100] * 16 + [0] * 8), "--center-crop"),
                         (100, 100, 100, 100))

    def test_an_image_fits_in_one_way(self):
        image = png(4, 2, 1, range(8))
        self.assert_refused([4, 4], image, "expected one of them", words=("--resize", "--center-crop"))
        self.assert_refused([4, 4], image, "expected one of them", words=("--letterbox", "1", "--center-crop"))
        for bad in ("256", "-1", "x", "nan"):
            self.assert_refused([4, 4], image, "--letterbox: expected the sample of the bars",
                                words=(f"--letterbox={bad}",))

    def test_resize_is_bilinear(self):
        def resized(samples, dims, width, channels=1):
            return self.tensor_of(dims, png(width, len(samples) // width // channels, channels,
                                            samples), "--resize")
        # Between pixel centers; edges repeat.
        self.assertEqual(resized([0, 100], [1, 4], 2), (0, 25, 75, 100))
        self.assertEqual(resized([0, 100], [4, 1], 1), (0, 25, 75, 100))
        # Shrunk, the triangle is as wide as a target pixel on either side.
        for dims, width in (([1, 2], 4), ([2, 1], 1)):
            for found, expected in zip(resized([0, 60, 120, 180], dims, width), (37.5, 142.5)):
                self.assertAlmostEqual(found, expected, delta=1e-4)
        flat = resized([9, 90, 200] * 35, [1, 3, 13, 16], 7, 3)
        for i, found in enumerate(flat):
            self.assertAlmostEqual(found, [9, 90, 200][i // (13 * 16)], delta=1e-3)
        # An image of the right size does not change.
        self.assertEqual(resized(range(12), [3, 4], 4), tuple(range(12)))

    def test_resize_comes_before_the_formula_and_keeps_fractions(self):
        image = png(2, 1, 1, [0, 1])
        self.assertEqual(self.tensor_of([1, 4], image, "--resize", "--mean", "1", "--scale", "-4"),
                         (4, 3, 1, 0))

    def test_sizes_far_apart(self):
        tall = png(1, 60000, 1, bytes(60000))
        self.assertEqual(set(self.tensor_of([2, 300], tall, "--resize")), {0})
        self.assert_refused([1, 1, 1, 30000], tall, "1 x 60000", "30000 x 1", "too far apart",
                            words=("--resize",))

    def test_layouts_that_cannot_be_told(self):
        image = png(3, 224, 3, bytes(3 * 224 * 3))
        self.assert_refused([1, 3, 224, 3], image, "'x' float32[1,3,224,3]", "--layout nchw",
                            "--layout nhwc")
        self.assertEqual(len(self.tensor_of([1, 3, 224, 3], image, "--layout", "nchw")), 2016)
        self.assert_refused([1, 3, 224, 3], image, "takes 224 x 3", words=("--layout", "nhwc"))
        # The same either way.
        self.assertEqual(self.tensor_of([1, 1, 1, 1], png(1, 1, 1, [5])), (5,))

    def test_inputs_that_take_no_image(self):
        image = png(2, 2, 1, range(4))
        for dims in ([4], [1, 2, 2, 2], [1, 1, 1, 2, 2], [2, 2, 2]):
            self.assert_refused(dims, image, "'x'", "takes no image", ".npy")
        self.assert_refused([4, 1, 2, 2], image, "takes 4 images at once", ".npy")
        self.assert_refused([1, 1, 2, 2], image, "--layout", words=("--layout", "nhwc"))


class Usage(ImageTest):
    def test_options_without_an_image(self):
        x = write(self.folder / "x.npy", npy("<f4", (1, 4), range(4)))
        for words in (("--mean", "1"), ("--scale", "2"), ("--channels", "bgr"), ("--resize",),
                      ("--layout", "nchw")):
            done = self.arenite("run", self.same([1, 4]), "--input", x, *words)
            self.assert_fails(done, 2, words[0], "no --input is one")
            self.assertIn(words[0], self.json_of("run", self.same([1, 4]), "--input", x, *words,
                                                 status=2)["error"])

    def test_wrong_words(self):
        image = png(2, 2, 3, range(12))
        for words in (("--mean", "a"), ("--mean", "1,"), ("--scale", "1/0"), ("--scale", "inf"),
                      ("--mean", "1,2"), ("--scale", "1,2,3,4"), ("--channels", "grb"),
                      ("--layout", "chw"), ("--mean", "1;2;3"), ("--scale", "1/2/3")):
            self.assert_refused([2, 2, 3], image, words[0], words=words)
        self.assert_refused([1, 1, 2, 2], image, "--channels", "one channel",
                            words=("--channels", "bgr"))

    def test_suffixes_and_pipes(self):
        image = write(self.folder / "pipe.png", png(4, 1, 1, [1, 2, 3, 4]))
        command = (f"'{Binaries.arenite}' run '{self.same([1, 4])}' --input x=<(cat '{image}') "
                   "--device cpu --output-dir piped --scale 2")
        done = self.execute("bash", "-c", command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read_npy(self.folder / "piped" / "y.npy")[2], (2, 4, 6, 8))
        self.assert_refused([1, 4], b"GIF89a", "image.gif", ".npy", name="image.gif")
        self.assert_fails(self.arenite_run(self.same([1, 4]), "--input", image), 2, "pipe.png",
                          ".npy or .bin")
        self.assert_fails(self.arenite("run", self.same([1, 4]), "--input", "none.png"), 2,
                          "none.png")

    def test_an_image_beside_a_stack(self):
        program = self.plan(model([value_info("a", [1, 4]), value_info("b", [1, 4])],
                                  [node("Add", ["a", "b"], ["c"])], [value_info("c", [1, 4])]))
        image = write(self.folder / "a.png", png(4, 1, 1, [1, 2, 3, 4]))
        stack = write(self.folder / "b.npy", npy("<f4", (2, 1, 4), range(8)))
        self.assert_fails(self.arenite("run", program, "--input", f"a={image}", "--input",
                                       f"b={stack}"), 2, "input 'b'", "same leading dimension")


class Hostile(ImageTest):
    def assert_refused_fast(self, data, *texts, name="bad.png"):
        self.assert_refused([8, 16], data, name, *texts, words=("--resize",), name=name)

    def test_cut_short(self):
        for name, whole in (("cut.png", png(16, 8, 1, range(128))),
                            ("cut.jpg", jpeg(2, 1, 1, [50, 200], exif_segment(1))),
                            ("cut.jpg", (FIXTURES / "progressive.jpg").read_bytes())):
            self.tensor_of([8, 16], whole, "--resize", name=name)
            for size in sorted({0, 1, 2, 4, 8, 9, 20, len(whole) // 3, len(whole) // 2,
                                len(whole) - 13, len(whole) - 2, len(whole) - 1}):
                self.assert_refused_fast(whole[:size], name=name)
            self.tensor_of([8, 16], whole + b"trailing bytes", "--resize", name=name)

    def test_flipped_bits_of_a_png(self):
        whole = png(16, 8, 1, range(128))
        for at in range(8, len(whole) - 12):
            if at % 3 == 0:
                self.assert_refused_fast(whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1:])
        self.assert_refused_fast(whole[:45] + bytes([whole[45] ^ 1]) + whole[46:],
                                 "checksum", "byte 33")

    def test_bombs(self):
        data = chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
        for width, height in ((65535, 65535), (65536, 2), (2, 65536), (1 << 31, 1), (8193, 8193),
                              (0xffffffff, 0xffffffff)):
            self.assert_refused_fast(SIGNATURE + png_header(width, height, 8, 2) + data,
                                     f"{width} x {height}", "67108864 pixels")
        # As large as may be, and not there.
        self.assert_refused_fast(SIGNATURE + png_header(8192, 8192, 16, 6) + data, "decoded")
        huge = jpeg(2, 1, 1, [50, 200]).replace(struct.pack(">HH", 8, 16),
                                                struct.pack(">HH", 65535, 65535))
        self.assert_refused_fast(huge, "65535 x 65535", name="bad.jpg")

    def test_sizes_of_nothing(self):
        data = chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
        for width, height in ((0, 1), (1, 0), (0, 0)):
            self.assert_refused_fast(SIGNATURE + png_header(width, height, 8, 0) + data, "0")
            frame = jpeg(2, 1, 1, [50, 200]).replace(struct.pack(">HH", 8, 16),
                                                     struct.pack(">HH", height, width))
            self.assert_refused_fast(frame, "0", name="bad.jpg")

    def test_pngs_that_are_odd(self):
        data = chunk(b"IDAT", zlib.compress(bytes(17 * 8))) + chunk(b"IEND", b"")
        header = png_header(16, 8, 8, 0)
        self.assert_refused_fast(SIGNATURE + data, "header")
        self.assert_refused_fast(SIGNATURE + chunk(b"CgBI", bytes(4)) + header + data, "Apple")
        self.assert_refused_fast(SIGNATURE + header + header + data)
        self.assert_refused_fast(SIGNATURE + header + chunk(b"IEND", b""))
        self.assert_refused_fast(SIGNATURE + header + chunk(b"IDAT", b"no zlib") +
                                 chunk(b"IEND", b""))
        self.assert_refused_fast(SIGNATURE + png_header(16, 8, 8, 3) + data)  # without its palette
        self.assert_refused_fast(SIGNATURE + png_header(16, 8, 7, 0) + data)
        self.assert_refused_fast(b"", "PNG or JPEG")
        self.assert_refused_fast(b"BM" + bytes(100), "PNG or JPEG")

    def test_jpegs_that_are_odd(self):
        whole = jpeg(2, 1, 1, [50, 200])
        frame = whole.index(b"\xff\xc0")
        table = segment(0xc4, b"\0" + bytes([255, 255, 255]) + bytes(13) + bytes(765))
        short = segment(0xc4, bytes(9))
        for extra, text in ((table, "Huffman"), (short, "Huffman"), (whole[frame:frame + 13], "two"),
                            (b"\xff\xe0\0\1", "segment"), (segment(0xfe, b"") + b"junk", "marker")):
            self.assert_refused_fast(whole[:2] + extra + whole[2:], text, name="bad.jpg")
        self.assert_refused_fast(b"\xff\xd8\xff\xd9", "frame", name="bad.jpg")
        self.assert_refused_fast(b"\xff\xd8" + segment(0xfe, b"words") + b"\xff\xd9", "frame",
                                 name="bad.jpg")
        # A picture inside a picture's EXIF is none of ours.
        inside = segment(0xe1, b"Exif\0\0" + exif(1) + whole)
        self.assertEqual(self.tensor_of([8, 16], whole[:2] + inside + whole[2:], name="t.jpg")[0], 50)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
