#!/usr/bin/env python3
"""Tests `arenite evaluate`: folders and CSV files of samples, names of classes, what is counted, and refusals."""
import re

from cli_common import (DIGITS, REPOSITORY, CliTest, add_model, main, model, node, npy, read_npy, tensor, value_info,
                        write)
from image_files import png

SHAPES = REPOSITORY / "examples" / "shapes"
COLORS = {"red": (255, 10, 20), "green": (30, 240, 5), "blue": (0, 40, 200)}


def mean_color(outputs=1, classes=3):
    """The scores of [1,3,6,5] are the means of its channels: red, green and blue."""
    weights = [1 if i == j else 0 for i in range(3) for j in range(classes)]
    nodes = [node("GlobalAveragePool", ["image"], ["mean"], "pool"), node("Flatten", ["mean"], ["row"], "flatten"),
             node("MatMul", ["row", "w"], ["scores"], "colors")]
    infos = [value_info("scores", [1, classes])]
    if outputs == 2:
        nodes.append(node("Neg", ["scores"], ["inverse"], "inverse"))
        infos.append(value_info("inverse", [1, classes]))
    return model([value_info("image", [1, 3, 6, 5])], nodes, infos, [tensor("w", [3, classes], weights)])


class Evaluate(CliTest):
    def write_pictures(self, folder, wrong=False):
        """Three pictures a colour; with `wrong`, one more that is called red and is blue."""
        for name, color in COLORS.items():
            (self.folder / folder / name).mkdir(parents=True, exist_ok=True)
            for i in range(3):
                shade = [max(0, sample - 20 * i) for sample in color]
                write(self.folder / folder / name / f"{i}.png", png(5, 6, 3, shade * 30))
        if wrong:
            write(self.folder / folder / "red" / "9.png", png(5, 6, 3, COLORS["blue"] * 30))
        write(self.folder / "names.txt", b"red\ngreen\nblue\n")
        write(self.folder / "colors.onnx", mean_color())

    def test_what_is_counted(self):
        self.write_pictures("some", wrong=True)
        report = self.json_of("evaluate", "colors.onnx", "some", "--labels", "names.txt", "--device", "cpu", "--top", 2)
        (program,) = report["programs"]
        self.assertEqual((report["samples"], report["classes"]), (10, ["red", "green", "blue"]))
        self.assertEqual(report["classes_by"], "lines of --labels")
        self.assertEqual((program["right"], program["top1"], program["output"]), (9, 0.9, "scores"))
        # The blue picture has its least share in red: 0, 40 and 200.
        self.assertEqual((report["top"], program["right_of_top"], program["top_share"]), (2, 9, 0.9))
        self.assertEqual(program["confusion"], [
            {"class": 0, "found": 0, "samples": 3}, {"class": 0, "found": 2, "samples": 1},
            {"class": 1, "found": 1, "samples": 3}, {"class": 2, "found": 2, "samples": 3}])
        self.assertEqual(program["classes"], [{"class": 0, "samples": 4, "found": 3, "right": 3},
                                              {"class": 1, "samples": 3, "found": 3, "right": 3},
                                              {"class": 2, "samples": 3, "found": 4, "right": 3}])
        wrong = next(answer for answer in report["answers"] if answer["sample"] == "red/9.png")
        self.assertEqual((wrong["label"], wrong["programs"][0]["found"], wrong["programs"][0]["rank"]), (0, 2, 2))
        self.assertEqual((wrong["programs"][0]["score"], wrong["programs"][0]["label_score"]), (200, 0))
        self.assertEqual(program["timed_runs"], 9)  # the first is apart
        self.assertGreater(program["median_ms"], 0)
        self.assertEqual(self.json_of("evaluate", "colors.onnx", "some", "--labels", "names.txt")
                         ["programs"][0]["right_of_top"], 10)

    def test_names_of_classes(self):
        self.write_pictures("named")
        # Sorted by name: blue, green, red, which is not the model's order.
        done = self.arenite("evaluate", "colors.onnx", "named")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("9 samples of 3 classes: names of folders, sorted", done.stdout)
        self.assertIn("give it with --labels FILE", done.stderr)
        self.assertRegex(done.stdout, r"colors\.onnx +33\.33 % +3/9 +100\.00 %")
        self.assertRegex(done.stdout, r"\n +0 blue +\. +\. +3 +0\.0 %\n")
        # Numbers are indices, whatever their order as text.
        for index, name in enumerate(COLORS):
            (self.folder / "named" / name).rename(self.folder / "named" / f"{index:02}")
        report = self.json_of("evaluate", "colors.onnx", "named")
        self.assertEqual((report["classes_by"], report["programs"][0]["right"]),
                         ("folders are numbers, taken as indices", 9))
        report = self.json_of("evaluate", "colors.onnx", "named", "--labels", "names.txt")
        self.assertEqual((report["classes"], report["programs"][0]["right"]), (["red", "green", "blue"], 9))

    def test_csv(self):
        self.write_pictures("listed", wrong=True)
        rows = [f"listed/{name}/{i}.png,{name}" for name in COLORS for i in range(3)]
        for header in (["file,label"], []):
            write(self.folder / "list.csv", "\n".join([*header, *rows, '"listed/red/9.png",blue']).encode())
            report = self.json_of("evaluate", "colors.onnx", "list.csv", "--labels", "names.txt")
            self.assertEqual((report["samples"], report["programs"][0]["right"]), (10, 10))
        write(self.folder / "list.csv", b"label,of,file\n2,x,listed/red/9.png\n0,x,listed/red/0.png\n")
        report = self.json_of("evaluate", "colors.onnx", "list.csv")
        self.assertEqual((report["classes_by"], report["programs"][0]["right"]),
                         ("labels are numbers, taken as indices", 2))
        for rows, text in ((b"file,label\nlisted/red/0.png,purple\n",
                            "row 2: class 'purple' is none of the labels"),
                           (b"file,label\nlisted/red/0.png,7\n", "row 2: label 7 is out of range: --labels has 3, so "
                                                                  "expected 0 to 2"),
                           (b"file,label\nlisted/red/0.png\n", "row 2: expected a file and a label, found 1 column"),
                           (b"file,label\nlisted/red/none.png,red\n", "none.png: no such file"),
                           (b"picture,name\nlisted/red/0.png,red\n", "of a header are called file and label"),
                           (b"file,label\n,red\n", "row 2: the file is empty"), (b"", "has no sample")):
            write(self.folder / "list.csv", rows)
            self.refused(text, "colors.onnx", "list.csv", "--labels", "names.txt")
        write(self.folder / "list.csv", b"listed/red/0.png,7\n")
        self.refused("has 3 elements, and the samples have 8 classes", "colors.onnx", "list.csv")

    def test_programs_side_by_side(self):
        self.write_pictures("both", wrong=True)
        write(self.folder / "inverse.onnx", model(
            [value_info("image", [1, 3, 6, 5])],
            [node("GlobalAveragePool", ["image"], ["mean"]), node("Neg", ["mean"], ["inverse"])],
            [value_info("inverse", [1, 3, 1, 1])]))
        report = self.json_of("evaluate", "colors.onnx", "inverse.onnx", "both", "--labels", "names.txt",
                              "--report", "page.html")
        self.assertEqual([program["program"] for program in report["programs"]], ["colors.onnx", "inverse.onnx"])
        self.assertEqual([program["right"] for program in report["programs"]], [9, 1])
        self.assertEqual(report["differing"], 10)
        text = self.arenite("evaluate", "colors.onnx", "inverse.onnx", "both", "--labels", "names.txt").stdout
        self.assertIn("samples in which the programs differ: 10\n", text)
        self.assertIn("red/9.png is red: blue 200, red -0\n", text)
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<img "), 10)
        self.assertEqual(len(set(re.findall(r"base64,([^\"]+)", page))), 9)  # 2.png of blue and green differ; 9 is 0
        self.assertIn("Samples in which the programs differ: 10", page)
        self.assertNotIn("http", page)

    def test_integers_of_a_scale(self):
        """The same options make floats and, by the scale of the input, integers."""
        self.write_pictures("scaled")
        (self.folder / "calibration").mkdir()
        for name in COLORS:
            write(self.folder / "calibration" / f"{name}.png", png(5, 6, 3, COLORS[name] * 30))
        done = self.arenite("quantize", "colors.onnx", "--calibration", "calibration", "--scale", "1/255", "-o",
                            "colors_int8.onnx")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("next: arenite evaluate colors.onnx colors_int8.onnx DIR --scale 1/255", done.stdout)
        native = self.plan(self.folder / "colors_int8.onnx", "--io-type", "native")
        report = self.json_of("evaluate", "colors.onnx", "colors_int8.onnx", native, "scaled", "--scale", "1/255",
                              "--labels", "names.txt")
        self.assertEqual([p["quantized_from_floats"] for p in report["programs"]], [False, False, True])
        self.assertEqual([p["right"] for p in report["programs"]], [9, 9, 9])
        # Scores are what the integers of an output stand for.
        self.assertEqual(self.json_of("inspect", native)["methods"][0]["outputs"][0]["dtype"], "int8")
        for answer in report["answers"]:
            qdq, integers = answer["programs"][1:]
            self.assertAlmostEqual(qdq["score"], integers["score"], places=6)
            self.assertAlmostEqual(qdq["label_score"], integers["label_score"], places=6)
        # Alone it takes what `run` gives it.
        self.refused("--mean 128 moves samples there", native, "scaled", "--labels", "names.txt")
        alone = self.json_of("evaluate", native, "scaled", "--labels", "names.txt", "--mean", "128")
        self.assertFalse(alone["programs"][0]["quantized_from_floats"])

    def test_real_networks(self):
        (self.folder / "shapes").mkdir()
        for path in (SHAPES / "pictures").iterdir():
            (self.folder / "shapes" / path.stem).mkdir()
            write(self.folder / "shapes" / path.stem / path.name, path.read_bytes())
        report = self.json_of("evaluate", SHAPES / "shapes.onnx", SHAPES / "shapes_int8.onnx", "shapes", "--resize",
                              "--scale", "1/255", "--labels", SHAPES / "labels.txt")
        self.assertEqual([program["right"] for program in report["programs"]], [4, 4])
        # Tensors: a file for the samples of a class, which are drawn for the page.
        _, dims, pixels = read_npy(DIGITS.parent / "images.npy")
        _, _, labels = read_npy(DIGITS.parent / "labels.npy")
        size = len(pixels) // dims[0]
        for digit in sorted(set(labels)):
            stack = [pixels[size * i:size * (i + 1)] for i, label in enumerate(labels) if label == digit]
            (self.folder / "digits" / f"{digit}").mkdir(parents=True)
            write(self.folder / "digits" / f"{digit}" / "all.npy",
                  npy("<f4", [len(stack), 1, 1, 8, 8], [pixel for image in stack for pixel in image]))
        report = self.json_of("evaluate", DIGITS, "digits", "--report", "digits.html")
        self.assertEqual(report["samples"], len(labels))
        program = report["programs"][0]
        self.assertGreaterEqual(program["right"], len(labels) - 1)
        page = (self.folder / "digits.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<img "), len(labels) - program["right"])

    def refused(self, text, *words):
        done = self.arenite("evaluate", *words)
        self.assert_fails(done, 2, text)
        self.assertEqual(done.stdout, "")

    def test_refusals(self):
        self.write_pictures("pictures")
        self.refused("expected programs, and a folder", "colors.onnx")
        self.refused("nowhere: no such file or folder", "colors.onnx", "nowhere")
        self.refused("names.txt: expected a folder with a folder for each class", "colors.onnx", "names.txt")
        (self.folder / "empty").mkdir()
        self.refused("found an empty folder", "colors.onnx", "empty")
        self.refused("expected a folder for each class with samples in it", "colors.onnx", "pictures/red")
        write(self.folder / "two.onnx", add_model())
        self.refused("has 2 inputs ('a', 'b'): expected one", "two.onnx", "pictures")
        write(self.folder / "narrow.onnx", mean_color(classes=2))
        self.refused("has 2 elements, and the samples have 3 classes", "narrow.onnx", "pictures")
        write(self.folder / "wide.onnx", mean_color(classes=5))
        self.refused("which is which is not known; expected --labels FILE", "wide.onnx", "pictures")
        write(self.folder / "outputs.onnx", mean_color(outputs=2))
        self.refused("has 2 outputs; expected --labels OUTPUT=FILE", "outputs.onnx", "pictures")
        inverse = self.json_of("evaluate", "outputs.onnx", "pictures", "--labels", "inverse=names.txt")
        self.assertEqual(inverse["programs"][0]["right"], 0)
        write(self.folder / "plain.onnx", model([value_info("image", [1, 3, 6, 3])],
                                                [node("Neg", ["image"], ["y"])], [value_info("y", [1, 3, 6, 3])]))
        self.refused("has 18 rows of classes, expected one", "plain.onnx", "pictures")
        write(self.folder / "twice.txt", b"green\ngreen\nblue\n")
        self.refused("class 'green' is ambiguous: the labels have it in lines 1 and 2", "colors.onnx", "pictures",
                     "--labels", "twice.txt")
        (self.folder / "pictures" / "gren").mkdir()
        self.refused("class 'gren' is none of the labels; did you mean 'green'?", "colors.onnx", "pictures",
                     "--labels", "names.txt")
        (self.folder / "pictures" / "gren").rmdir()
        write(self.folder / "pictures" / "red" / "1.png", png(4, 6, 3, [1] * 72))
        self.refused("1.png: the image is 4 x 6", "colors.onnx", "pictures")
        write(self.folder / "pictures" / "red" / "1.png", b"\x89PNG\r\n\x1a\n")
        self.refused("red/1.png", "colors.onnx", "pictures")
        write(self.folder / "pictures" / "red" / "1.png", png(5, 6, 3, [1] * 90))
        write(self.folder / "pictures" / "red" / "notes.txt", b"")
        done = self.arenite("evaluate", "colors.onnx", "pictures", "--labels", "names.txt")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: pictures: skipped what is no sample: red/notes.txt\n", done.stderr)
        self.assertIn("--report", self.arenite("evaluate", "colors.onnx", "pictures", "--labels", "names.txt",
                                               "--report", "colors.onnx").stderr)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
