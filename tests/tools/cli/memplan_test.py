#!/usr/bin/env python3
"""Tests `arenite memplan`."""

import json

from cli_common import CliTest, main, write


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
        # What has an offset stays there; what has none is free.
        placed = write(self.folder / "q.csv", b"id,lower,upper,size,offset\na,0,2,10,5\nb,1,3,4,\n")
        self.assertEqual(self.json_of("memplan", placed, "-o", "t.csv")["height"], 15)
        self.assertIn("a,0,2,10,5\nb,1,3,4,0\n", (self.folder / "t.csv").read_text())

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
