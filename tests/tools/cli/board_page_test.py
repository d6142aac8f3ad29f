#!/usr/bin/env python3
"""Runs the board of docs/board.md: the file as it stands there, through the commands beside it."""

import json
import re

from cli_common import DIGITS, REPOSITORY, CliTest, main, read_npy, write

PAGE = (REPOSITORY / "docs" / "board.md").read_text(encoding="utf-8")
KEYS = [REPOSITORY / "planner" / "board" / name for name in ("read_board.cc", "read_costs.cc")]


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


class BoardPage(CliTest):
    def test_the_board_of_ones_own_plans_and_runs(self):
        text = blocks("json")[0]
        board = json.loads(text)
        write(self.folder / "my-board.json", text.encode())
        write(self.folder / "model.onnx", DIGITS.read_bytes())
        write(self.folder / "x.npy", (DIGITS.parent / "images.npy").read_bytes())
        lines = next(block for block in blocks("bash") if "my-board.json" in block).splitlines()
        self.assertEqual(len(lines), 4)
        for line in lines:
            words = line.split("#")[0].split()
            self.assertEqual(words[0], "arenite")
            done = self.arenite(*words[1:])
            self.assertEqual(done.returncode, 0, (line, done.stderr))
        self.assertTrue((self.folder / "firmware").is_dir())
        host = self.plan(DIGITS, "--board", "host", "--optimize", "memory")  # by references, as a CPU without vectors
        done = self.arenite("run", host, "--device", "cpu", "--input", "x.npy", "--output-dir", "host")
        self.assertEqual(done.returncode, 0, done.stderr)
        name = next((self.folder / "out").iterdir()).name
        self.assertEqual(read_npy(self.folder / "out" / name), read_npy(self.folder / "host" / name))
        # Its memories, costs and flash are what the plan is made with.
        plan = self.json_of("plan", "model.onnx", "--board", "./my-board.json", "-o", "model.arn")
        self.assertEqual([memory["name"] for memory in plan["variants"][0]["memories"]],
                         [memory["name"] for memory in board["memories"]])
        self.assertEqual(plan["program_memories"][0]["size_bytes"], 1 << 20)

    def test_costs_decide_where_tensors_go(self):
        board = json.loads(blocks("json")[0])
        board["memories"][0]["bytes"] = "4K"
        slow = [memory["read_cost"] for memory in board["memories"] if "read_cost" in memory]
        self.assertEqual(slow, [3])
        traffic = []
        for cost in (3, 0):
            board["memories"][1]["read_cost"] = board["memories"][1]["write_cost"] = cost
            file = write(self.folder / "costs.json", json.dumps(board).encode())
            plan = self.json_of("plan", DIGITS, "--board", file, "-o", "costs.arn")
            traffic.append(plan["variants"][0]["slow_traffic_bytes"])
        self.assertLess(traffic[0], traffic[1])

    def test_measured_costs(self):
        board, costs = (json.loads(block) for block in blocks("json"))
        board["costs"] = costs
        for optimize in ("speed", "memory"):
            file = write(self.folder / "measured.json", json.dumps(board).encode())
            plan = self.json_of("plan", DIGITS, "--board", file, "-o", "measured.arn", "--optimize", optimize,
                                "--explain", "/0/Conv")
            step, = plan["variants"][0]["explained"]
            taken = [option for option in step["options"] if option["taken"]]
            self.assertEqual(step["cost_unit"], "ps")
            self.assertEqual([option["name"] for option in taken], ["Conv.float32"])
            self.assertGreater(taken[0]["cost"], 0)
            self.assertEqual(taken[0]["cost"] % 310, 0)

    def test_older_files_say_how_weights_are_packed(self):
        board = json.loads(blocks("json")[0])
        plans = []
        for weights in (None, "rows", "panel16"):
            if weights:
                board["weights"] = weights
            file = write(self.folder / "older.json", json.dumps(board).encode())
            plan = self.json_of("plan", DIGITS, "--board", file, "-o", "older.arn")
            self.assertEqual(any('"weights" is not used any more' in note for note in plan["notes"]), bool(weights))
            plans.append((self.folder / "older.arn").read_bytes())
        self.assertEqual(plans[0], plans[1])
        self.assertEqual(plans[0], plans[2])

    def test_every_key_is_on_the_page(self):
        source = "".join(file.read_text(encoding="utf-8") for file in KEYS)
        keys = set()
        for listed in re.findall(r"const (?:Json)?Object \w+\(.*?\{(.*?)\}\)", source, re.DOTALL):
            keys.update(re.findall(r'"(\w+)"', listed))
        self.assertGreater(len(keys), 25)
        for key in keys:
            self.assertIn(f"`{key}`", PAGE, key)

    def test_every_board_is_on_the_pages(self):
        readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
        for folder in (REPOSITORY / "boards").iterdir():
            if (folder / "board.json").is_file():
                self.assertIn(f"`{folder.name}`", PAGE)
                self.assertIn(f"`{folder.name}`", readme)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
