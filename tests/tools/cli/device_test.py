#!/usr/bin/env python3
"""Tests the choice of a device, falling back to the CPU, and the pipeline cache."""

import os

from cli_common import DIGITS, CliTest, main, model, node, npy, read_npy, tensor, value_info, write

IMAGE = npy("<f4", (1, 1, 8, 8), read_npy(DIGITS.parent / "images.npy")[2][:64])
# Ways to have no Vulkan: a loader that is none, a loader that finds no driver.
NO_DRIVER = {"VK_DRIVER_FILES": "/nonexistent.json", "VK_ICD_FILENAMES": "/nonexistent.json"}


class Device(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.plan(DIGITS)
        cls.image = write(cls.folder / "image.npy", IMAGE)
        cls.devices = [d for d in cls.json_of("doctor")["vulkan"] if not d["problem"]]
        library = cls.folder / "no-loader"
        library.mkdir()
        for name in ("libvulkan.so.1", "libvulkan.so"):
            write(library / name, b"no library")
        # Drivers that are named are looked for where there is no GPU too.
        cls.no_loader = {"LD_LIBRARY_PATH": str(library), "VK_DRIVER_FILES": "/nonexistent.json"}

    def run_on(self, device, *words, program=None, environment=None):
        """The JSON of a run, and its logits."""
        run = self.json_of("run", program or self.program, "--input", self.image, "--device", device,
                           "--output-dir", "out", *words, environment=environment)
        return run, read_npy(self.folder / run["outputs"][0]["file"])

    def assert_close(self, found, expected):
        largest = max(abs(x) for x in expected[2])
        self.assertEqual(found[:2], expected[:2])
        for a, b in zip(found[2], expected[2]):
            self.assertLessEqual(abs(a - b), 1e-5 * largest)

    def assert_on_cpu_because(self, run, *texts):
        self.assertEqual((run["device"], run["vulkan_steps"]), ("cpu", 0))
        self.assertIsInstance(run["fell_back"], str)
        for text in texts:
            self.assertIn(text, run["fell_back"])

    def need_vulkan(self):
        if not self.devices:
            self.skipTest("this machine has no Vulkan device")

    def test_cpu(self):
        run, _ = self.run_on("cpu")
        self.assertEqual((run["device"], run["fell_back"]), ("cpu", None))

    def test_the_cpu_alone_starts_no_driver(self):
        """What a bench on the CPU reports as memory is not that of a driver that nobody asked for."""
        self.assertTrue(self.starts_vulkan("vulkan"))
        self.assertFalse(self.starts_vulkan("cpu"))

    def test_auto_starts_no_driver_where_there_is_no_gpu(self):
        self.assertTrue(self.starts_vulkan("auto", {"VK_DRIVER_FILES": "/nonexistent.json"}))
        nodes = [node for node in ("/dev/dri", "/dev/nvidiactl", "/dev/dxg") if os.path.exists(node)]
        self.assertEqual(self.starts_vulkan("auto"), bool(nodes), nodes)

    def starts_vulkan(self, device, environment=None):
        done = self.arenite("bench", self.program, "--device", device, "--allow-fallback", "--seconds", "0",
                            environment={"LD_DEBUG": "libs", **(environment or {})})
        return "libvulkan" in done.stderr

    def test_bools_that_share_words(self):
        """Parts of a concatenation that begin inside words which other steps write too."""
        self.need_vulkan()
        bools = write(self.folder / "bools.onnx", model(
            [value_info("x", [2, 5]), value_info("y", [2, 5])],
            [node("Greater", ["x", "y"], ["a"]), node("Less", ["x", "y"], ["b"]), node("Equal", ["x", "y"], ["c"]),
             node("Concat", ["a", "b", "c"], ["d"], axis=1), node("Not", ["d"], ["e"]),
             node("Transpose", ["e"], ["f"], perm=[1, 0]), node("Cast", ["number"], ["g"], to=9),
             node("Xor", ["f", "g"], ["z"])],
            [value_info("z", [15, 2], 9)], [tensor("number", [1, 2], [1, 0])]))
        program = self.plan(bools)
        x = write(self.folder / "x.npy", npy("<f4", (2, 5), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
        y = write(self.folder / "y.npy", npy("<f4", (2, 5), [2, 2, 1, 5, 5, 5, 8, 8, 8, 11]))
        found = {}
        for device in ("cpu", "vulkan"):
            run = self.json_of("run", program, "--device", device, "--input", f"x={x}", "--input", f"y={y}",
                               "--output-dir", device, environment={"ARENITE_VK_VALIDATION": "1"})
            self.assertEqual((run["fell_back"], run["validation_messages"]), (None, 0))
            found[device] = read_npy(self.folder / run["outputs"][0]["file"])
        self.assertEqual((run["vulkan_steps"], run["cpu_steps"]), (5, 0))
        self.assertEqual(found["vulkan"], found["cpu"])
        self.assertEqual(sorted(set(found["cpu"][2])), [False, True])

    def assert_refused(self, *words, texts=(), environment=None):
        """Nothing is run: exit 1, and standard error and the JSON object say why."""
        words = ("run", *words, "--input", self.image, "--output-dir", "never")
        done = self.arenite(*words, environment=environment)
        self.assert_fails(done, 1, "--device", "--allow-fallback", *texts)
        self.assertEqual(done.stdout, "")
        error = self.json_of(*words, status=1, environment=environment)["error"]
        for text in texts:
            self.assertIn(text, error)
        self.assertFalse((self.folder / "never").exists())

    def test_auto_takes_a_gpu_and_never_a_software_device(self):
        _, expected = self.run_on("cpu")
        run, logits = self.run_on("auto")
        if any(not device["software"] for device in self.devices):
            self.assertEqual((run["device"], run["fell_back"]), ("vulkan", None))
            self.assert_close(logits, expected)
        else:
            self.assert_on_cpu_because(run, "software" if self.devices else "")
            self.assertEqual(logits, expected)

    def test_vulkan_takes_the_first_variant(self):
        self.need_vulkan()
        _, expected = self.run_on("cpu")
        for device in ("vulkan", "vulkan:0", "vulkan:" + self.devices[0]["name"]):
            run, logits = self.run_on(device)
            self.assertEqual((run["device"], run["fell_back"]), ("vulkan", None))
            self.assertEqual(run["vulkan_steps"], run["steps"] - run["view_steps"])
            self.assertEqual(run["cpu_steps"], 0)
            self.assertEqual(run["dispatches"], run["vulkan_steps"])
            self.assert_close(logits, expected)
        self.assertEqual(self.run_on("vulkan:0")[0]["device_name"], self.devices[0]["name"])

    def test_part_of_a_name_chooses(self):
        for device in self.devices:
            if "llvmpipe" in device["name"]:
                self.assertIn("llvmpipe", self.run_on("vulkan:llvmpipe")[0]["device_name"])
                return
        self.skipTest("llvmpipe is not on this machine")

    def test_a_device_that_is_not_there(self):
        _, expected = self.run_on("cpu")
        for device in ("vulkan:nonesuch", "vulkan:77"):
            texts = (device.split(":")[1], *[d["name"] for d in self.devices])
            self.assert_refused(self.program, "--device", device, texts=texts)
            run, logits = self.run_on(device, "--allow-fallback")
            self.assert_on_cpu_because(run, *texts)
            self.assertEqual(logits, expected)
            done = self.arenite_run(self.program, "--input", self.image, "--device", device)
            self.assert_fails(done, 1, *texts)
            done = self.arenite_run(self.program, "--input", self.image, "--device", device,
                                    "--allow-fallback")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("fell back: ", done.stdout)

    def test_words_that_name_no_device(self):
        for device in ("gpu", "vulkan:", "cpu:0", ""):
            self.assert_fails(self.arenite("run", self.program, "--input", self.image, "--device",
                                           device), 2, "--device")

    def test_no_vulkan_at_all(self):
        _, expected = self.run_on("cpu")
        for environment, reason in ((self.no_loader, "libvulkan.so.1"), (NO_DRIVER, "")):
            for device, words in (("auto", ()), ("vulkan", ["--allow-fallback"]),
                                  ("vulkan:0", ["--allow-fallback"])):
                run, logits = self.run_on(device, *words, environment=environment)
                self.assert_on_cpu_because(run, reason)
                self.assertEqual(logits, expected)
            self.assert_refused(self.program, "--device", "vulkan", texts=[reason],
                                environment=environment)
            done = self.arenite_run(self.program, "--input", self.image, environment=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("device cpu", done.stdout)
            self.assertIn("fell back: ", done.stdout)
            doctor = self.json_of("doctor", environment=environment)
            self.assertEqual(doctor["vulkan"], [])
            self.assertIn(reason, doctor["vulkan_problem"])
        done = self.arenite("run", self.program, "--input", self.image, environment=self.no_loader)
        self.assertIn("fell back: libvulkan.so.1 is not on this machine", done.stdout)

    def test_a_program_without_a_vulkan_variant(self):
        program = self.plan(DIGITS, "--board", "mps3-an547")
        run, _ = self.run_on("auto", program=program)
        self.assertEqual((run["device"], run["fell_back"], run["board"]), ("cpu", None, "mps3-an547"))
        self.assert_refused(program, "--device", "vulkan", texts=["no Vulkan variant"])
        run, _ = self.run_on("vulkan", "--allow-fallback", program=program)
        self.assert_on_cpu_because(run, "no Vulkan variant")

    def test_needs_that_no_device_meets(self):
        self.need_vulkan()
        board = (DIGITS.parents[2] / "boards/host/board.json").read_text()
        greedy = board.replace('"shared_memory_bytes": 16384', '"shared_memory_bytes": 4000000000')
        path = write(self.folder / "greedy.json", greedy.replace('"host"', '"greedy"').encode())
        program = self.plan(DIGITS, "--board", path)
        texts = ("maxComputeSharedMemorySize", "4000000000")
        self.assert_refused(program, "--device", "vulkan", texts=texts)
        run, _ = self.run_on("vulkan", "--allow-fallback", program=program)
        self.assert_on_cpu_because(run, *texts)

    def test_pipeline_cache_is_written_fed_back_and_its_gain_shown(self):
        self.need_vulkan()
        cache = self.folder / "caches" / "pipelines"
        words = ["--pipeline-cache", cache]
        cold, _ = self.run_on("vulkan", *words)
        self.assertEqual(cold["pipeline_cache"], "cold")
        self.assertGreater(cold["pipeline_ms"], 0)
        self.assertGreater(cache.stat().st_size, 32)
        written = cache.read_bytes()
        again, logits = self.run_on("vulkan", *words)
        # Warm is only what the driver took; lavapipe takes nothing and does not tell.
        self.assertIn(again["pipeline_cache"], ("warm", "cold"))
        if again["pipeline_cache"] == "warm":
            self.assertAlmostEqual(again["pipeline_ms_cold"], cold["pipeline_ms"], places=3)
            self.assertIn("when cold", self.arenite("run", self.program, "--input", self.image,
                                                    "--device", "vulkan", *words).stdout)
        self.assertEqual(cache.read_bytes(), written)
        # Damaged or of another device: as if there were none, and written anew.
        foreign = bytearray(written)
        foreign[24 + 8] ^= 1  # the vendor in Vulkan's own header; the checksum is then wrong too
        for broken in (b"", written[:8], written[:8] + b"\xff" * 500, written[:-1], written[:20],
                       bytes(foreign), written + b"more"):
            write(cache, broken)
            run, found = self.run_on("vulkan", *words)
            self.assertEqual((run["device"], run["fell_back"]), ("vulkan", None))
            self.assertEqual(run["pipeline_cache"], "cold")
            self.assertNotIn("pipeline_ms_cold", run)
            self.assertEqual(found, logits)
            self.assertEqual(len(cache.read_bytes()), len(written))
            self.assertNotEqual(cache.read_bytes(), broken)

    def test_a_file_that_is_no_cache_stays(self):
        kept = self.program.read_bytes()
        for device in ("cpu", "vulkan"):
            for words in ([self.program], [DIGITS], [self.image]):
                for tool in (["run"], None):
                    done = (self.arenite if tool else self.arenite_run)(
                        *(tool or ()), self.program, "--input", self.image, "--device", device,
                        "--pipeline-cache", *words)
                    self.assert_fails(done, 2, "--pipeline-cache", "no pipeline cache")
        self.assertEqual(self.program.read_bytes(), kept)

    def test_a_cache_that_cannot_be_kept_costs_nothing_but_time(self):
        self.need_vulkan()
        write(self.folder / "file", b"")
        done = self.arenite("run", self.program, "--input", self.image, "--device", "vulkan",
                            "--pipeline-cache", "file/inside")
        self.assertEqual(done.returncode, 0)
        self.assertIn("pipeline cache: ", done.stderr)

    def test_the_cache_lies_in_the_users_cache_folder(self):
        self.need_vulkan()
        self.run_on("vulkan", environment={"XDG_CACHE_HOME": str(self.folder / "mine")})
        self.assertEqual([p.name for p in (self.folder / "mine/arenite").iterdir()],
                         ["pipelines-auto"])

    def test_validation_layers_are_silent(self):
        self.need_vulkan()
        run, _ = self.run_on("vulkan", environment={"ARENITE_VK_VALIDATION": "1"})
        if run["device"] == "cpu" and "VK_LAYER_KHRONOS_validation" in run["fell_back"]:
            self.skipTest("the validation layer is not installed")
        self.assertEqual(run["validation_messages"], 0)


class Doctor(CliTest):
    def test_json_fields(self):
        doctor = self.json_of("doctor")
        for device in doctor["vulkan"]:
            self.assertIsInstance(device["name"], str)
            self.assertIsInstance(device["driver"], str)
            self.assertGreaterEqual(device["limits"]["maxComputeWorkGroupInvocations"], 128)
        boards = {board["name"]: board for board in doctor["boards"]}
        self.assertLessEqual({"host", "mps3-an547"}, set(boards))
        self.assertEqual(boards["host"], {"name": "host", "ready": True, "missing": []})
        done = self.arenite("doctor")
        self.assertEqual(done.returncode, 0)
        self.assertIn("board host: ready", done.stdout)

    def test_what_is_missing_names_its_package(self):
        doctor = self.json_of("doctor", environment={"PATH": str(self.folder)})
        board = next(b for b in doctor["boards"] if b["name"] == "mps3-an547")
        self.assertFalse(board["ready"])
        self.assertIn("qemu-system-arm (package qemu-system-arm)", board["missing"])
        self.assertIn("arm-none-eabi-g++, which builds its images (tools/setup installs it)", board["missing"])
        riscv = next(b for b in doctor["boards"] if b["name"] == "virt-riscv32")
        self.assertIn("qemu-system-riscv32 (package qemu-system-misc)", riscv["missing"])
        self.assertIn("riscv64-unknown-elf-g++, which builds its images (tools/setup installs it)", riscv["missing"])

    def test_a_board_without_its_image_is_not_ready(self):
        doctor = self.json_of("doctor", environment={"ARENITE_IMAGES": str(self.folder)})
        board = next(b for b in doctor["boards"] if b["name"] == "mps3-an547")
        self.assertFalse(board["ready"])
        image = self.folder / "cortex-m55" / "boards" / "mps3-an547" / "harness.elf"
        self.assertTrue(any(f"its image, {image} (build it with" in text for text in board["missing"]), board)
        image.parent.mkdir(parents=True)
        write(image, b"")
        doctor = self.json_of("doctor", environment={"ARENITE_IMAGES": str(self.folder)})
        board = next(b for b in doctor["boards"] if b["name"] == "mps3-an547")
        self.assertFalse(any("image" in text for text in board["missing"]), board)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
