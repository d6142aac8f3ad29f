#!/usr/bin/env python3
"""Installs Arenite, moves the installation, puts the source tree out of reach, and uses what was installed.

The examples are built from the installed copy as their own comments say, with a moved prefix; where the machine
allows it in a private view of the file system in which the source tree is empty. No path of the source tree may
appear in anything that was installed or built.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from document import script_of
from hidden import can_hide, words_without

options = argparse.Namespace()
JOBS = str(os.cpu_count())
# There are 148 files of kernels and contracts; a keyword spotter has four operators, with fast forms of three.
KEYWORDS_FILES_MAX = 36


def output_of(*words, **more):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **more)


def processor_seconds():
    """What all commands that have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compiled_kernels(folder):
    return [f.name for f in folder.rglob("*.obj") if re.search("arenite_(ops|portable)_of_models", str(f))]


class Place:
    """The installation, moved, and a copy of its examples."""

    def __init__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="package-")
        self.folder = pathlib.Path(self.scratch.name)
        self.prefix = self.folder / "elsewhere" / "usr"
        self.prefix.parent.mkdir()
        first = self.folder / "first"
        done = output_of(options.cmake, "--install", options.build, "--prefix", first)
        if done.returncode != 0:
            raise SystemExit(f"cmake --install: {done.stdout[-2000:]}{done.stderr}")
        first.rename(self.prefix)
        self.examples = self.folder / "copied"
        shutil.copytree(self.prefix / "share/arenite/examples", self.examples)
        self.hides = can_hide(options.source)
        print(f"source tree out of reach: {'yes' if self.hides else 'no, looked for in all files'}")

    def words(self, *words):
        """The command, in a view of the file system in which the source tree is empty."""
        return words_without(options.source, words) if self.hides else list(map(str, words))

    def run(self, *words, **more):
        more.setdefault("cwd", self.folder)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ARENITE_")}
        environment.update(more.pop("environment", {}))
        return output_of(*self.words(*words), env=environment, **more)

    def files(self, folder):
        return [f for f in sorted(folder.rglob("*")) if f.is_file() and not f.is_symlink()]


class Installed(unittest.TestCase):
    """What tests of an installation share."""

    @classmethod
    def setUpClass(cls):
        cls.place = Place()
        cls.addClassCleanup(cls.place.scratch.cleanup)

    def setUp(self):
        self.started, self.used = time.monotonic(), processor_seconds()

    def tearDown(self):
        print(f"{self.id().split('.')[-1]}: {time.monotonic() - self.started:.1f} s, "
              f"{processor_seconds() - self.used:.1f} of the processor's")

    def succeed(self, *words, **more):
        done = self.place.run(*words, **more)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def configure(self, source, build, *words, **more):
        return self.place.run(options.cmake, "-G", "Ninja", "-S", source, "-B", build,
                              f"-DCMAKE_PREFIX_PATH={self.place.prefix}",
                              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *words, **more)

    def build(self, source, build, *words):
        done = self.configure(source, build, *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return self.succeed(options.cmake, "--build", build, "-j", JOBS)

    def assert_knows_no_source(self, folder):
        paths = [str(options.source).encode(), str(options.build).encode()]
        for file in self.place.files(folder):
            data = file.read_bytes()
            for path in paths:
                self.assertNotIn(path, data, f"{file} names {path}")

    def toolchain(self, name):
        return f"-DCMAKE_TOOLCHAIN_FILE={self.place.prefix}/share/arenite/toolchains/{name}.cmake"

    def run_image(self, image):
        """What an image prints on an MPS2 AN386."""
        done = self.place.run("qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
                              "-semihosting-config", "enable=on,target=native", "-kernel", image, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def run_target(self, build):
        """What the target `run` prints, which QEMU does on standard error."""
        done = self.place.run(options.cmake, "--build", build, "--target", "run", "-j", JOBS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def firmware_project(self, name, board="mps3-an547"):
        """A copy of examples/firmware beside it, for a board."""
        source = self.place.examples / name
        shutil.copytree(self.place.prefix / "share/arenite/examples/firmware", source)
        lists = source / "CMakeLists.txt"
        lists.write_text(lists.read_text(encoding="utf-8").replace("BOARD mps3-an547", f"BOARD {board}"),
                         encoding="utf-8")
        return source

    def keyword_spotter(self):
        """The project of a firmware of four operators, configured in an empty folder without a compiler cache."""
        model = pathlib.Path(options.shared) / "models/tfl_mlperf_kws_int8/model.tflite"
        if not model.exists():
            self.skipTest(f"{model} is absent")
        source = self.firmware_project("spotter")
        shutil.copy(model, source / "keywords.tflite")
        lists = source / "CMakeLists.txt"
        lists.write_text(lists.read_text(encoding="utf-8").replace("../digits/digits.onnx", "keywords.tflite"),
                         encoding="utf-8")
        shutil.copy(pathlib.Path(__file__).parent / "keywords.cc", source / "main.cc")
        done = self.configure(source, source / "build", self.toolchain("cortex-m55"), "-DCMAKE_BUILD_TYPE=MinSizeRel")
        self.assertRegex(done.stdout, r"Planned digits for mps3-an547: .* 10304 bytes of dtcm")
        return source / "build"


class Package(Installed):
    def test_1_nothing_installed_names_the_source_tree(self):
        self.assert_knows_no_source(self.place.prefix)

    def test_2_the_tool_finds_its_boards(self):
        tool = self.place.prefix / "bin/arenite"
        image = list(self.place.prefix.glob("share/arenite/images/*/boards/mps3-an547/harness.elf"))
        self.assertRegex(self.succeed(tool, "doctor"), f"board mps3-an547: {'ready' if image else 'missing'}")
        model = self.place.examples / "digits/digits.onnx"
        self.succeed(tool, "plan", model, "--board", "mps3-an547", "-o", "digits.arn")
        if image:
            report = self.succeed(tool, "target", "run", "digits.arn", "--board", "mps3-an547",
                                  "--input", model.parent / "images.npy", "--json")
            self.assertIn('"instructions_by":"counter"', report.replace(" ", ""))
        text = self.succeed(self.place.prefix / "bin/arenite-run", "--help")
        self.assertIn("arenite-run PROGRAM.arn", text)

    def test_2_links_of_pages_hold(self):
        folder = self.place.prefix / "share/doc/arenite"
        pages = [*folder.rglob("*.md"), *(folder / "examples").rglob("*.md")]
        self.assertGreater(len(pages), 50)
        for page in pages:
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / link).exists(), f"{page.relative_to(folder)}: {link}")
        licenses = (folder / "THIRD_PARTY_LICENSES").read_text(encoding="utf-8")
        self.assertGreaterEqual(licenses.count("==== "), 7)

    def test_2_the_manual_page_tells_all(self):
        page = (self.place.prefix / "share/man/man1/arenite.1").read_text(encoding="utf-8").replace("\\-", "-")
        tool = self.place.prefix / "bin/arenite"
        for command in re.findall(r"^  ((?:target )?\w+)  ", self.succeed(tool, "help").split("Options:")[0], re.MULTILINE):
            if command == "help":
                continue
            section = re.search(rf"^\.SH {command.upper()}\n(.*?)(?=^\.SH)", page, re.MULTILINE | re.DOTALL)[1]
            shown = self.succeed(tool, "help", *command.split())
            for option in re.findall(r"^  (-.*?)(?:  .*)?$", shown.split("Examples:")[0], re.MULTILINE):
                self.assertIn(f".TP\n.B {option}\n", section, command)
            self.assertIn(shown.split("Examples:\n")[1].splitlines()[0].strip(), section)
        for file in ("bash-completion/completions/arenite", "zsh/site-functions/_arenite",
                     "fish/vendor_completions.d/arenite.fish"):
            self.assertIn("complete", (self.place.prefix / "share" / file).read_text(encoding="utf-8"))

    def test_3_firmware(self):
        """What docs/firmware.md tells its reader to do, in order; then what can go wrong with the result."""
        page = (pathlib.Path(options.source) / "docs/firmware.md").read_text(encoding="utf-8")
        done = self.place.run("bash", "-c", script_of(page),
                              environment={"PREFIX": str(self.place.prefix), "CMAKE_GENERATOR": "Ninja"})
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        self.assertIn("this is a 7", said)
        print("\n".join(re.findall(r"^ +text.*\n.*firmware.*$", said, re.MULTILINE)))
        source = self.place.folder / "examples/firmware"
        header = (source / "generated/digits.h").read_text(encoding="utf-8")
        for name in re.findall(r"`(k[A-Z]\w+)`", page):
            self.assertIn(name, header)
        arena_bytes = re.search(r"kArenaDtcmBytes = (\d+);", header)[1]
        self.assertIn(f"`the {arena_bytes} bytes of arena dtcm lie elsewhere`", page)
        build = source / "build"
        self.assert_knows_no_source(build)
        names = self.succeed("arm-none-eabi-nm", build / "CMakeFiles/firmware.dir/main.cc.obj")
        self.assertNotRegex(names, "__dso_handle|atexit|_GLOBAL__sub|_ZGV")
        self.two_models(source, build)
        self.misplaced_arenas(source, build)

    def two_models(self, source, build):
        """A second model in an image: names, arenas and linker fragments do not meet, nor do header and program."""
        here = pathlib.Path(__file__).parent
        for name in ("two_models.cc", "update.cc", "several.cc", "crowded.cc"):  # with update.h, watchdog.h and several.*, of the page
            shutil.copy(here / name, source)
        shutil.copy(self.place.examples / "digits/digits.onnx", source / "other.onnx")
        with open(source / "CMakeLists.txt", "a", encoding="utf-8") as lists:
            lists.write((here / "two_models.cmake").read_text(encoding="utf-8"))
        script = (source / "mps3-an547.ld").read_text(encoding="utf-8")
        (source / "two.ld").write_text(
            script.replace("INCLUDE digits.ld", "INCLUDE digits.ld\n  INCLUDE second.ld\n"
                           "  .slot (NOLOAD) : { *(.slot) } > DTCM"),
            encoding="utf-8")
        (source / "several.ld").write_text(script.replace("INCLUDE digits.ld", "INCLUDE senses.ld"), encoding="utf-8")
        # Room for one, and other memory for the second, had they been planned together.
        board = json.loads((source / "board.json").read_text(encoding="utf-8"))
        board["memories"][0]["bytes"] = "12K"
        board["memories"].append({"name": "sram", "kind": "sram", "base": "0x11000000", "bytes": "256K"})
        (source / "small.json").write_text(json.dumps(board), encoding="utf-8")
        (source / "crowded.ld").write_text(
            script.replace("INCLUDE digits.ld", "INCLUDE small_a.ld\n  INCLUDE small_b.ld").replace("480K", "12K"),
            encoding="utf-8")
        said = self.succeed(options.cmake, "--build", build, "-j", JOBS,
                            "--target", "run_two_models", "run_update", "run_several")
        # The digits themselves are as they were.
        self.assertIn("Planned senses for mps3-an547", said)
        self.assertNotRegex(said, "Planned digits|digits.cc.obj")
        done = self.place.run(options.cmake, "--build", build, "--target", "crowded", "-j", JOBS)
        self.assertIn("Several targets in one image? Each is planned as if alone", done.stdout + done.stderr)

    def misplaced_arenas(self, source, build):
        """A linker script that forgets the arenas, takes them for .bss, or has no region for them."""
        script = (source / "mps3-an547.ld").read_text(encoding="utf-8")
        fragment = re.search(r"  INCLUDE digits\.ld.*\n", script)[0]
        bss = re.search(r"  \.bss .*?\} > RAM\n", script, re.DOTALL)[0]
        alias = re.search(r"REGION_ALIAS.*\n", script)[0]
        for text, complaint in (
                (script.replace(fragment, ""), "arenite_digits_dtcm_is_placed_by_digits_ld"),
                (script.replace(fragment, "").replace(bss, bss + fragment), "lie elsewhere"),
                (script.replace(alias, ""), "no memory region ARENITE_DTCM"),
                (script.replace('"ARENITE_DTCM", DTCM', '"ARENITE_DTCM", ROM'), "leaves the memory"),
                (script.replace("LENGTH = 480K", "LENGTH = 4K"), "overflowed")):
            (source / "mps3-an547.ld").write_text(text, encoding="utf-8")
            done = self.place.run(options.cmake, "--build", build, "--target", "firmware")
            self.assertNotEqual(done.returncode, 0, complaint)
            self.assertIn(complaint, done.stdout + done.stderr)

    def test_3_the_plan_comes_first(self):
        """A board that becomes too small is an error before anything is compiled, with either generator."""
        for generator in ("Ninja", "Unix Makefiles"):
            source = self.firmware_project("first-" + generator.split()[0], "board.json")
            board = json.loads((self.place.prefix / "share/arenite/boards/mps3-an547/board.json").read_bytes())
            (source / "board.json").write_text(json.dumps(board), encoding="utf-8")
            words = ("-G", generator, "-S", source, "-B", source / "build", self.toolchain("cortex-m55"),
                     f"-DCMAKE_PREFIX_PATH={self.place.prefix}")
            said = self.succeed(options.cmake, *words)
            self.assertRegex(said, r"Planned digits for \S+/board.json: a program of \d+ bytes, 8576 bytes of dtcm")
            self.assertNotIn("Planned", self.succeed(options.cmake, *words))  # nothing changed
            board["memories"] = [dict(board["memories"][0], bytes="4K")]
            (source / "board.json").write_text(json.dumps(board), encoding="utf-8")
            done = self.place.run(options.cmake, "--build", source / "build")
            said = done.stdout + done.stderr
            self.assertNotEqual(done.returncode, 0, said)
            self.assertRegex(said, "arenite_add_model\\(digits\\): cannot be planned:\\s+arenite: .*'dtcm' of 4096 bytes")
            self.assertNotIn("Building", said)

    def test_3_a_model_that_the_build_makes(self):
        source = self.firmware_project("made")
        lists = source / "CMakeLists.txt"
        text = lists.read_text(encoding="utf-8").replace("../digits/digits.onnx", "${CMAKE_BINARY_DIR}/made.onnx")
        command = ("add_custom_command(OUTPUT made.onnx VERBATIM COMMAND ${CMAKE_COMMAND} -E copy "
                   "${CMAKE_SOURCE_DIR}/../digits/digits.onnx made.onnx)\n")
        lists.write_text(text.replace("arenite_add_model", command + "arenite_add_model"), encoding="utf-8")
        done = self.configure(source, source / "build", self.toolchain("cortex-m55"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("Planned", done.stdout)
        self.succeed("ninja", "-C", source / "build", "arenite/digits/digits.ld")
        self.assertFalse(compiled_kernels(source / "build"))
        commands = self.succeed("ninja", "-C", source / "build", "-n", "-v", "firmware")
        for name in ("conv", "reduce"):
            self.assertIn(f"portable_fallback/reference/{name}.cc", commands)

    def test_3_a_keyword_spotter_compiles_few_files(self):
        build = self.keyword_spotter()
        commands = self.succeed("ninja", "-C", build, "-n", "-v", "firmware")
        kernels = re.findall(r"-o \S*arenite_(?:ops|portable)_of_models\S*/(\w+\.cc\.obj) ", commands)
        self.assertLessEqual(len(kernels), KEYWORDS_FILES_MAX)
        self.assertIn("quantized_conv.cc.obj", kernels)

    def test_3_a_makefile_and_c(self):
        """A firmware in C that make builds; make does nothing twice, and plans again when the model changes."""
        source = self.place.examples / "makefile"
        words = ("make", "-C", source, "-j", JOBS, f"ARENITE={self.place.prefix}")
        said = self.succeed(*words)
        self.assertEqual(said.count("bin/arenite plan"), 1)
        self.assertIn("-O2", next(line for line in said.splitlines() if "float_rows_fpu_kernel.cc -o" in line))
        self.assertEqual(self.run_image(source / "build/firmware.elf"), "this is a 7\n")
        self.assertIn("Nothing to be done", self.succeed(*words))
        (self.place.examples / "digits/digits.onnx").touch()
        said = self.succeed(*words)
        self.assertIn("bin/arenite plan", said)
        self.assertNotIn("core/model.cc -o", said)
        self.assertEqual(self.succeed("make", "-C", source, "clean", f"ARENITE={self.place.prefix}").count("plan"), 0)
        self.assertNotIn("build", [file.name for file in source.iterdir()])

    def test_4_c_on_linux(self):
        source, build = self.place.examples / "linux-c", self.place.folder / "linux-c"
        self.build(source, build)
        self.assertRegex(self.succeed(build / "digits", build / "digits.arn", "cpu"),
                         r"^this is a 7 \(cpu\)$")
        self.assert_knows_no_source(build)
        self.build(source, build / "optimized", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON")
        self.assertRegex(self.succeed(build / "optimized/digits", build / "optimized/digits.arn", "cpu"), "this is a 7")
        packages = {"PKG_CONFIG_PATH": str(self.place.prefix / "lib/pkgconfig")}
        flags = self.succeed("pkg-config", "--cflags", "--libs", "arenite", environment=packages)
        program = self.place.folder / "digits-by-hand"
        self.succeed("cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", source / "main.c",
                     "-o", program, *flags.split(), f"-Wl,-rpath,{self.place.prefix}/lib")
        self.succeed(program, build / "digits.arn", "cpu")
        # And in C++, which the header serves too.
        self.succeed("c++", "-x", "c++", "-fsyntax-only", "-Wall", "-Wextra", "-Wold-style-cast",
                     "-Werror", self.place.prefix / "include/arenite.h")

    def test_4_the_page_about_libraries(self):
        page = (pathlib.Path(options.source) / "docs/library.md").read_text(encoding="utf-8")
        folder = self.place.folder / "library"
        folder.mkdir()
        done = self.place.run("bash", "-c", script_of(page), cwd=folder,
                              environment={"PREFIX": str(self.place.prefix), "CMAKE_GENERATOR": "Ninja"})
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        for words in (": 40 bytes", "this is a 7 (cpu)", "359 of 360 right",
                      "no board 'nowhere'"):
            self.assertIn(words, said)
        self.assertIn("<!DOCTYPE html>", (folder / "digits.html").read_text(encoding="utf-8"))
        told = float(re.search(r"on Vulkan; ([0-9.]+) MB", page)[1]) * 1e6
        found = (self.place.prefix / "lib/libarenite.so").stat().st_size
        self.assertLess(abs(found - told), told / 10, f"docs/library.md says {told}, found {found} bytes")

    def test_5_errors_of_the_configuration(self):
        source = self.place.folder / "wrong"
        source.mkdir()
        head = "cmake_minimum_required(VERSION 3.25)\nproject(wrong {})\nfind_package(arenite {})\n"
        model = str(self.place.examples / "digits/digits.onnx")
        cross = self.toolchain("cortex-m55")
        for language, package, body, complaint, words in (
                ("CXX", "REQUIRED", "arenite_add_model(m BOARD host)", "expected a model", ()),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model})", "expected BOARD", ()),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model} BOARD host DATA x)",
                 "DATA: expected incbin or array, found x", ()),
                ("C", "REQUIRED", f"arenite_add_model(m {model} BOARD host)", "the runtime is C\\+\\+20",
                 ()),
                ("CXX", "REQUIRED", "arenite_add_model(m absent.onnx BOARD host)",
                 "there is no model /\\S+/wrong/absent.onnx", ()),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model} BORD host)", "unknown argument BORD; expected", ()),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model} BOARD host NAMESPACE)",
                 "NAMESPACE: expected a value", ()),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model} BOARD nowhere)", "there is no board 'nowhere'", ()),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model} BOARD host OPTIONS --optimise memory)",
                 "did you mean '--optimize'", ()),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model} BOARD host DEPENDS absent.json)",
                 "there is no file /\\S+/wrong/absent.json", ()),
                ("CXX", "REQUIRED COMPONENTS library", "", "this build for Generic", (cross,)),
                ("CXX", "9.0 REQUIRED", "", "9.0", ()),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model} BOARD mps3-an547)",
                 "no-such-tool: there is no such file",
                 (cross, "-DARENITE_HOST_TOOL=/no-such-tool")),
                ("CXX", "REQUIRED", f"arenite_add_model(m {model} BOARD mps3-an547)",
                 "false: does not run on this machine", (cross, "-DARENITE_HOST_TOOL=/bin/false"))):
            (source / "CMakeLists.txt").write_text(head.format(language, package) + body,
                                                   encoding="utf-8")
            build = self.place.folder / "wrong-build"
            shutil.rmtree(build, ignore_errors=True)
            done = self.configure(source, build, *words)
            self.assertNotEqual(done.returncode, 0, body)
            # CMake breaks lines as it likes.
            self.assertRegex(re.sub(r"\s+", " ", done.stderr), complaint)

    def new_board(self, name, like, change=None):
        """The folder of a board like another one, outside of any source tree; its call changed."""
        folder = self.place.folder / name
        self.succeed(self.place.prefix / "bin/arenite-new-board", name, "--like", like, "--folder", folder)
        lists = folder / "CMakeLists.txt"
        if change:
            text = lists.read_text(encoding="utf-8")
            self.assertIn(change[0], text)
            lists.write_text(text.replace(*change), encoding="utf-8")
        return folder

    def test_5_errors_of_a_board(self):
        cross = self.toolchain("cortex-m4")
        for number, (change, words, complaint) in enumerate((
                (None, (), "expected a build for the system Generic, found Linux"),
                (("FAMILY cortex_m", "FAMILY cortex_x"), (cross,), "expected a folder cortex_x with sources .* found neither"),
                (("UART cmsdk", "UART"), (cross,), "UART: expected a driver and an address, found 1 words"),
                (("FAMILY cortex_m ", ""), (cross,), "expected FAMILY with a value"),
                (("CLOCK_HZ", "CLOCK"), (cross,), "expected CLOCK_HZ with a value"),
                (("(wrong-4 ", "(other "), (cross,), "board.json: expected the name other, found wrong-5"),
                (("25000000)", "25000000 MODELS absent.onnx)"), (cross,), "there is no model /\\S+/absent.onnx"))):
            name = f"wrong-{number}"
            change = change and (change[0].replace("wrong-4", name), change[1])
            folder = self.new_board(name, "mps2-an386", change)
            done = self.configure(folder, folder / "build", *words)
            self.assertNotEqual(done.returncode, 0, complaint)
            self.assertRegex(re.sub(r"\s+", " ", done.stderr), complaint)
        for words, complaint in ((("Big",), "expected a NAME of small letters"), (("a", "--like", "host"), "there is no board 'host'"),
                                 (("wrong-0", "--folder", self.place.folder / "wrong-0"), "exists")):
            done = self.place.run(self.place.prefix / "bin/arenite-new-board", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(complaint, done.stderr)
        # A toolchain with a root of its own finds the installation where CMAKE_PREFIX_PATH says.
        folder = self.new_board("my-linux", "linux-aarch64")
        done = self.configure(folder, folder / "build", self.toolchain("aarch64-linux"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_6_a_runtime_without_its_tool_takes_that_in_path(self):
        bare = self.place.folder / "bare"
        shutil.copytree(self.place.prefix / "share", bare / "share")
        source = self.place.examples / "firmware"
        build = self.place.folder / "bare-build"
        words = ("-DCMAKE_PREFIX_PATH=" + str(bare), self.toolchain("cortex-m55"))
        path = os.environ["PATH"]
        done = self.configure(source, build, *words)
        self.assertIn("there is none in PATH", re.sub(r"\s+", " ", done.stderr))
        shutil.rmtree(build)
        done = self.configure(source, build, *words,
                              environment={"PATH": f"{self.place.prefix}/bin:{path}"})
        self.assertEqual(done.returncode, 0, done.stderr)


class Firmware(Installed):
    """Other firmware than that of docs/firmware.md."""

    def test_with_link_time_optimization(self):
        source = self.firmware_project("optimized")
        self.build(source, source / "build", self.toolchain("cortex-m55"), "-DCMAKE_BUILD_TYPE=MinSizeRel",
                   "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON")
        self.assertIn("this is a 7", self.run_target(source / "build"))

    def test_a_keyword_spotter(self):
        before = processor_seconds()
        build = self.keyword_spotter()
        planned = processor_seconds()
        self.assertIn("ran\n", self.run_target(build))
        print(f"keyword spotter: planned in {planned - before:.1f} s of the processor's, "
              f"built in {processor_seconds() - planned:.1f}")
        kernels = compiled_kernels(build)
        self.assertLessEqual(len(kernels), KEYWORDS_FILES_MAX)
        self.assertIn("quantized_conv.cc.obj", kernels)


class Sdks(Installed):
    """The examples for SDKs, which a stand-in takes the place of."""

    def stand_in(self, example, *words, **more):
        """Configures and builds an example against the stand-in for its SDK."""
        build = self.place.folder / example
        done = self.place.run(options.cmake, "-G", "Ninja", "-S", self.place.examples / example, "-B", build,
                              self.toolchain("cortex-m4"), "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                              f"-DARENITE_EXAMPLES={self.place.examples}", *words, **more)
        if done.returncode == 0:
            self.succeed(options.cmake, "--build", build, "-j", JOBS)
        return build, done

    def test_3_zephyr(self):
        """As a module of Zephyr; no Zephyr is here, and a stand-in has the targets of its CMake package."""
        here = self.place.folder / "stand-ins"
        shutil.copytree(pathlib.Path(__file__).parent, here, dirs_exist_ok=True)
        words = (f"-DZephyr_DIR={here / 'zephyr/cmake'}",
                 f"-DZEPHYR_EXTRA_MODULES={self.place.prefix / 'share/arenite'}")
        build, done = self.stand_in("zephyr", *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.run_image(build / "zephyr.elf"), "this is a 7\n")
        commands = (build / "compile_commands.json").read_text(encoding="utf-8")
        kernel = re.search(r'"command": "([^"]*float_rows_fpu_kernel.cc\.obj)', commands)[1]
        self.assertIn("-mcpu=cortex-m4", kernel)
        self.assertGreater(kernel.rfind("-O2"), kernel.rfind("-Os"))
        configuration = self.place.examples / "zephyr/prj.conf"
        configuration.write_text(configuration.read_text(encoding="utf-8").replace("CPP20", "CPP17"), encoding="utf-8")
        shutil.rmtree(build)
        _, done = self.stand_in("zephyr", *words)
        self.assertIn("expected CONFIG_STD_CPP20=y in prj.conf", " ".join(done.stderr.split()))

    def test_3_esp_idf(self):
        """As a component of ESP-IDF, likewise; an ESP32-C3's plan runs, as the forms for any CPU do."""
        here = self.place.folder / "stand-ins"
        shutil.copytree(pathlib.Path(__file__).parent, here, dirs_exist_ok=True)
        build, done = self.stand_in("esp-idf", f"-DEXTRA_COMPONENT_DIRS={self.place.prefix / 'share/arenite/esp-idf'}",
                                    environment={"IDF_PATH": str(here / "esp-idf")})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.run_image(build / "digits_on_esp_idf.elf"), "this is a 7\n")


class Boards(Installed):
    """The images of a board outside of the source tree, made of what was installed."""

    def test_a_board_outside(self):
        folder = self.place.folder / "my-board"
        self.succeed(self.place.prefix / "bin/arenite-new-board", "my-board", "--like", "mps2-an386", "--folder", folder)
        digits = self.place.examples / "digits"
        # With a serial port's driver of its own.
        shutil.copy(self.place.prefix / "share/arenite/runtime/boards/bare/uart/cmsdk.cc", folder / "my_uart.cc")
        lists = folder / "CMakeLists.txt"
        text = lists.read_text(encoding="utf-8").replace("UART cmsdk", "UART my_uart")
        lists.write_text(text.replace("25000000)", f"25000000 MODELS {digits / 'digits.onnx'})"), encoding="utf-8")
        self.build(folder, folder / "build", self.toolchain("cortex-m4"))
        self.assert_knows_no_source(folder / "build")
        images = {"ARENITE_IMAGES": str(folder / "build/images")}
        self.assertTrue((folder / "build/images/cortex-m4/boards/my-board/digits.elf").is_file())
        tool, board = self.place.prefix / "bin/arenite", folder / "board.json"
        words = (digits / "digits.onnx", "--board", board, "--input", digits / "images.npy")
        found = self.succeed(tool, "target", "test", *words, "--expect", digits / "logits.npy", environment=images)
        self.assertIn("\nok 1 - ", found)
        outputs = []
        for image in ("harness", "embedded"):
            out = self.place.folder / image
            report = json.loads(self.succeed(tool, "target", "run", *words, "--image", image, "--output-dir", out, "--json",
                                             environment=images))
            self.assertEqual(report["runs"], 360)
            outputs.append([file.read_bytes() for file in sorted(out.iterdir())])
        self.assertEqual(*outputs)


class Subdirectory(unittest.TestCase):
    """add_subdirectory() in a project of somebody else's."""

    def test_add_subdirectory(self):
        with tempfile.TemporaryDirectory(prefix="subdirectory-") as scratch:
            build = pathlib.Path(scratch) / "build"
            source = pathlib.Path(__file__).parent / "subdirectory"
            started = time.monotonic()
            done = output_of(options.cmake, "-G", "Ninja", "-S", source, "-B", build,
                             f"-DARENITE_SOURCE={options.source}",
                             f"-DARENITE_HOST_TOOL={options.build}/arenite",
                             f"-DARENITE_NANOPB_DIR={options.nanopb}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("application's own flags: -O0 -DOURS", done.stdout)
            done = output_of(options.cmake, "--build", build, "-j", JOBS)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            # Only what the application needs is built, and none of our tests is one of its.
            self.assertNotRegex(done.stdout, "libarenite_vk|_test|harness|binary.cc")
            tests = output_of("ctest", "--test-dir", build, "-N").stdout
            self.assertIn("Total Tests: 1", tests)
            done = output_of("ctest", "--test-dir", build, "--output-on-failure")
            self.assertEqual(done.returncode, 0, done.stdout)
            done = output_of(options.cmake, "--install", build, "--prefix", f"{scratch}/installed")
            self.assertFalse((pathlib.Path(scratch) / "installed").exists(), done.stdout)
            print(f"add_subdirectory: {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("source", "build", "cmake", "nanopb", "shared"):
        parser.add_argument(f"--{option}", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
