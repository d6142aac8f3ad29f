#!/usr/bin/env python3
"""Tests `arenite memplan`."""

import json
import os
import pty
import random
import signal
import subprocess

from cli_common import Binaries, CliTest, main, write


def cut_rectangle(pieces, steps=400, height=100000):
    """A problem that fills a rectangle without a hole: no quick search finds that again."""
    dice = random.Random(pieces)
    parts = [(0, steps, 0, height)]
    while len(parts) < pieces:
        first, last, low, high = parts.pop(dice.randrange(len(parts)))
        if dice.random() < 0.5 and last - first > 1:
            at = dice.randrange(first + 1, last)
            parts += [(first, at, low, high), (at, last, low, high)]
        elif high - low > 1:
            at = dice.randrange(low + 1, high)
            parts += [(first, last, low, at), (first, last, at, high)]
        else:
            parts.append((first, last, low, high))
    rows = [f"{i},{first},{last},{high - low}" for i, (first, last, low, high) in enumerate(parts)]
    return ("id,lower,upper,size\n" + "\n".join(rows) + "\n").encode()


class Memplan(CliTest):
    PROBLEM = b"id,lower,upper,size\na,0,2,100\nb,1,3,50\nc,2,4,100\n"

    def test_json_fields(self):
        problem = write(self.folder / "p.csv", self.PROBLEM)
        result = self.json_of("memplan", problem, "-o", "solution.csv", "--algorithm",
                              "greedy_by_size")
        self.assertEqual(result["algorithm"], "greedy_by_size")
        self.assertEqual((result["height"], result["lower_bound"], result["optimal"]),
                         (150, 150, True))
        self.assertGreaterEqual(result["seconds"], 0)
        rows = (self.folder / "solution.csv").read_text().split()
        self.assertEqual(rows[0], "id,lower,upper,size,offset")
        self.assertEqual(len(rows), 4)
        naive = self.json_of("memplan", problem, "--algorithm", "naive")
        self.assertEqual((naive["algorithm"], naive["height"], naive["optimal"]),
                         ("naive", 250, False))
        done = self.arenite("memplan", problem)
        self.assertEqual(done.returncode, 0)
        self.assertIn("150", done.stdout)

    def test_capacity(self):
        problem = write(self.folder / "p.csv", self.PROBLEM)
        self.assertEqual(self.json_of("memplan", problem, "--capacity", "150")["height"], 150)
        error = self.json_of("memplan", problem, "--capacity", "149", "-o", "never.csv", status=1)
        self.assertIn("1 byte short", error["error"])
        self.assertFalse((self.folder / "never.csv").exists())

    def test_memories(self):
        problem = write(self.folder / "p.csv",
                        b"id,lower,upper,size,reads,writes\na,0,2,100,1,1\nb,1,3,50,2,1\n")
        memories = write(self.folder / "m.json", b'{"memories": [{"name": "fast", "bytes": 100},'
                                                 b' {"name": "slow", "bytes": 1000}]}')
        result = self.json_of("memplan", problem, "--memories", memories)
        self.assertEqual([(m["name"], m["peak_bytes"]) for m in result["memories"]],
                         [("fast", 100), ("slow", 50)])
        self.assertEqual((result["slow_traffic_bytes"], result["slow_traffic_bound_bytes"],
                          result["total_traffic_bytes"]), (150, 150, 350))
        self.assert_fails(self.arenite("memplan", problem, "--memories", memories, "--capacity",
                                       "100"), 2, "--capacity")

    def test_gaps_and_columns_of_others(self):
        problem = write(self.folder / "p.csv", b"buffer,start,end,size,gaps,op\n"
                                               b"a,0,9,20,3-6,conv\nb,3,6,20,,pool\n")
        done = self.arenite("memplan", problem, "-o", "s.csv", "--report", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("column 'op' is not known; it is carried along", done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual((result["height"], result["lower_bound"], result["optimal"]),
                         (20, 20, True))
        self.assertEqual(result["unknown_columns"], ["op"])
        self.assertEqual(result["buffers"][0]["uses"],
                         [{"first_step": 0, "last_step": 2, "begin": 0, "end": 20},
                          {"first_step": 7, "last_step": 9, "begin": 0, "end": 20}])
        self.assertNotIn("uses", result["buffers"][1])
        self.assertEqual((self.folder / "s.csv").read_text(),
                         "id,lower,end,size,gaps,op,offset\na,0,9,20,3-6,conv,0\nb,3,6,20,,pool,0\n")
        # A buffer with an offset stays there; one without is free.
        placed = write(self.folder / "q.csv", b"id,lower,upper,size,offset\na,0,2,10,5\nb,1,3,4,\n")
        self.assertEqual(self.json_of("memplan", placed, "-o", "t.csv")["height"], 15)
        self.assertIn("a,0,2,10,5\nb,1,3,4,0\n", (self.folder / "t.csv").read_text())

    def test_check(self):
        problem = write(self.folder / "p.csv", self.PROBLEM)
        good = write(self.folder / "good.csv", b"buffer,offset\nc,0\na,0\nb,100\n")
        result = self.json_of("memplan", problem, "--check", good)
        self.assertEqual((result["valid"], result["why"], result["height"], result["lower_bound"],
                          result["optimal"]), (True, None, 150, 150, True))
        done = self.arenite("memplan", problem, "--check", good)
        self.assertIn("valid: ", done.stdout)
        bad = write(self.folder / "bad.csv", b"id,offset\na,0\nb,60\nc,0\n")
        result = self.json_of("memplan", problem, "--check", bad, status=1)
        self.assertEqual((result["valid"], result["optimal"]), (False, False))
        self.assertNotIn("height", result)
        for text in ("bad.csv, row 3", "'b'", "[60, 110)", "'a'", "[0, 100)", "at step 1", "row 2"):
            self.assertIn(text, result["why"])
        fault = result["faults"][0]
        self.assertEqual((fault["kind"], fault["step"]), ("overlap", 1))
        self.assertEqual([(b["id"], b["row"], b["offset"], b["bytes"], b["first_step"],
                           b["last_step"]) for b in fault["buffers"]],
                         [("b", 3, 60, 50, 1, 2), ("a", 2, 0, 100, 0, 1)])
        # A wrong plan is drawn; standard error says what is wrong.
        for kind in ("svg", "html"):
            done = self.arenite("memplan", problem, "--check", bad, "--report", kind)
            self.assert_fails(done, 1, "invalid: ", "'a'", "'b'")
            self.assertIn("Invalid: ", done.stdout)
            self.assertIn("bad.csv", done.stdout)
        odd = write(self.folder / "odd.csv", b"id,offset\na,\nb,x\n")
        done = self.arenite("memplan", problem, "--check", odd, "--report", "svg")
        self.assert_fails(done, 1, "row 2: buffer 'a' has no offset",
                          "row 3: buffer 'b': offset 'x' is not a whole number",
                          "no row for buffer 'c'")
        self.assertEqual(done.stdout, "")
        done = self.arenite("memplan", problem, "--check", odd)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("invalid: "), 3)

    def test_what_check_takes(self):
        problem = write(self.folder / "p.csv", self.PROBLEM)
        both = self.folder / "both.csv"
        self.assertEqual(self.arenite("memplan", problem, "-o", both).returncode, 0)
        self.assertTrue(self.json_of("memplan", problem, "--check", both)["valid"])
        self.assertTrue(self.json_of("memplan", "--check", both)["valid"])
        self.assertTrue(self.json_of("memplan", both, "--check", both)["valid"])
        piped = subprocess.run([Binaries.arenite, "memplan", "--check", "-"], input=both.read_bytes(),
                               capture_output=True, check=False)
        self.assertIn(b"valid: - places 3 buffers", piped.stdout)
        for words in (("--algorithm", "naive"), ("--seed", "1"), ("--time-limit", "1"),
                      ("-o", "x.csv")):
            self.assert_fails(self.arenite("memplan", problem, "--check", both, *words), 2,
                              "--check exclude each other")
        self.assert_fails(self.arenite("memplan"), 2, "PROBLEM is required")
        self.assert_fails(self.arenite("memplan", problem, "--check", problem, "--json"), 2,
                          "column 'offset' is missing")

    def test_time_limit(self):
        problem = write(self.folder / "cut.csv", cut_rectangle(1500))
        done = self.arenite("memplan", problem, "--time-limit", "1", "--json", "-o", "s.csv")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "")  # nothing is drawn where there is no terminal
        result = json.loads(done.stdout)
        self.assertEqual((result["stopped"], result["optimal"]), ("time limit", False))
        self.assertGreater(result["height"], result["lower_bound"])
        self.assertTrue(self.json_of("memplan", problem, "--check", "s.csv")["valid"])

    def test_interrupt_and_progress(self):
        problem = write(self.folder / "cut.csv", cut_rectangle(1500))
        ours, theirs = pty.openpty()
        with subprocess.Popen([Binaries.arenite, "memplan", str(problem), "--time-limit", "250",
                               "--json", "-o", "best.csv"], stdout=subprocess.PIPE, stderr=theirs,
                              cwd=self.folder, env=dict(self.environment, TERM="xterm")) as planning:
            os.close(theirs)
            shown = b""
            while b", lower bound 100000" not in shown:
                shown += os.read(ours, 4096)
            planning.send_signal(signal.SIGINT)
            out = planning.communicate()[0]
        try:
            while more := os.read(ours, 4096):
                shown += more
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(planning.returncode, 130)
        self.assertIn(b"memplan: ", shown)
        self.assertIn(b"note: interrupted; this is the best plan found so far", shown)
        result = json.loads(out)
        self.assertEqual((result["stopped"], result["optimal"]), ("interrupt", False))
        checked = self.json_of("memplan", problem, "--check", "best.csv")
        self.assertEqual((checked["valid"], checked["height"]), (True, result["height"]))

    def test_an_optimum_is_proved_or_not_claimed(self):
        # c fits below b, where a is dead; the planners keep groups whole, and do not find it.
        problem = write(self.folder / "g.csv", b"id,lower,upper,size,group,rel_offset\n"
                                               b"a,0,1,10,g,0\nb,5,6,10,g,10\nc,5,6,10,,\n")
        best = write(self.folder / "best.csv", b"id,offset\na,0\nb,10\nc,0\n")
        checked = self.json_of("memplan", problem, "--check", best)
        self.assertEqual((checked["height"], checked["optimal"]), (20, True))
        for algorithm in ("naive", "greedy_first_fit", "greedy_by_size", "portfolio", "search"):
            result = self.json_of("memplan", problem, "--algorithm", algorithm)
            self.assertEqual(result["lower_bound"], 20)
            self.assertEqual(result["optimal"], result["height"] == 20)

    def test_units_of_capacity(self):
        problem = write(self.folder / "p.csv", self.PROBLEM)
        self.assertEqual(self.json_of("memplan", problem, "--capacity", "1K")["height"], 150)
        self.assert_fails(self.arenite("memplan", problem, "--capacity", "1X"), 2, "--capacity", "1X")

    def test_bad_headers(self):
        for text in (b"ID,Lower,Upper,Size\na,0,2,1\n", b"id;lower;upper;size\na;0;2;1\n",
                     b"0,0,2,1\n1,0,2,1\n"):
            bad = write(self.folder / "bad.csv", text)
            self.assert_fails(self.arenite("memplan", bad), 2, "bad.csv, row 1",
                              "names of the columns", text.split(b"\n")[0].decode())
        bad = write(self.folder / "bad.csv", b"id,lower,upper\n")
        self.assert_fails(self.arenite("memplan", bad), 2, "'size' is missing; found id,lower,upper")

    def test_bad_input(self):
        problem = write(self.folder / "p.csv", self.PROBLEM)
        self.assert_fails(self.arenite("memplan", problem, "--algorithm", "magic"), 2, "magic",
                          "greedy_by_size")
        self.assert_fails(self.arenite("memplan", problem, "--time-limit", "0"), 2, "time-limit")
        self.assert_fails(self.arenite("memplan", problem, "--memories", "absent.json"), 2, "absent")
        for text in (b"", b"id,lower,upper\na,0,1\n", self.PROBLEM + b"d,3,2,10\n",
                     self.PROBLEM + b"a,0,1,10\n", self.PROBLEM + b"d,0,1\n"):
            bad = write(self.folder / "bad.csv", text)
            self.assert_fails(self.arenite("memplan", bad), 2, "bad.csv")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
