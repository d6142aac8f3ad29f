#!/usr/bin/env python3
"""Tests where commands write and what they read: devices, pipes, links, full disks, closed streams."""

import json
import os
import shutil
import stat
import subprocess
import threading

from cli_common import DIGITS, REPOSITORY, Binaries, CliTest, main, write

PROBLEM = b"id,lower,upper,size\na,0,2,80\nb,1,3,60\n"


class Streams(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.plan(DIGITS)
        cls.images = DIGITS.parent / "images.npy"
        cls.problem = write(cls.folder / "problem.csv", PROBLEM)

    def shell(self, line, **options):
        """Runs a line of bash; A is arenite, R is arenite-run."""
        return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False,
                              timeout=300, cwd=self.folder,
                              env=dict(self.environment, A=Binaries.arenite, R=Binaries.arenite_run,
                                       MODEL=str(DIGITS), PROGRAM=str(self.program),
                                       IMAGES=str(self.images)), **options)

    def every_output(self):
        """Each command that writes a file, up to where the file's name goes."""
        yield ["plan", DIGITS, "-o"]
        yield ["strip", self.program, "--board", "host", "-o"]
        yield ["memplan", self.problem, "-o"]

    # Files.

    def test_a_device_is_written_to_and_stays_one(self):
        for words in self.every_output():
            self.assert_fails(self.arenite(*words, "/dev/full"), 1,
                              "/dev/full: cannot be written: No space left on device")
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))
            self.assertEqual(self.arenite(*words, "/dev/null").returncode, 0)
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_a_fifo_is_written_to_and_stays_one(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for words in self.every_output():
            there = self.folder / "plain"
            self.assertEqual(self.arenite(*words, there).returncode, 0)
            read = []
            reader = threading.Thread(target=lambda to=read: to.append(fifo.read_bytes()))
            reader.start()
            done = self.arenite(*words, fifo)
            reader.join()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(read[0], there.read_bytes())
            self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))

    def test_links_stay_and_what_they_name_is_written(self):
        target = write(self.folder / "target.out", b"old")
        os.makedirs(self.folder / "links", exist_ok=True)
        one, two = self.folder / "links" / "one", self.folder / "links" / "two"
        one.symlink_to("../target.out")
        two.symlink_to(one)
        dangling = self.folder / "links" / "dangling"
        dangling.symlink_to("../made.out")
        loop = self.folder / "links" / "loop"
        loop.symlink_to("loop")
        for words in self.every_output():
            target.write_bytes(b"old")
            self.assertEqual(self.arenite(*words, two).returncode, 0)
            self.assertTrue(one.is_symlink() and two.is_symlink())
            self.assertGreater(target.stat().st_size, 3)
            self.assertEqual(self.arenite(*words, dangling).returncode, 0)
            self.assertTrue(dangling.is_symlink())
            self.assertEqual((self.folder / "made.out").read_bytes(), target.read_bytes())
            self.assert_fails(self.arenite(*words, loop), 1, "Too many levels of symbolic links")
        self.assertEqual(sorted(entry.name for entry in (self.folder / "links").iterdir()),
                         ["dangling", "loop", "one", "two"])

    def test_a_files_mode_stays(self):
        out = write(self.folder / "private.out", b"old")
        out.chmod(0o640)
        for words in self.every_output():
            self.assertEqual(self.arenite(*words, out).returncode, 0)
            self.assertEqual(stat.S_IMODE(out.stat().st_mode), 0o640)

    def test_what_can_not_be_written_is_status_1_with_the_reason(self):
        for words in self.every_output():
            self.assert_fails(self.arenite(*words, self.folder), 1, "Is a directory")
            self.assert_fails(self.arenite(*words, self.folder / "no" / "x"), 1,
                              "No such file or directory")
            self.assert_fails(self.arenite(*words, self.folder / ("x" * 300)), 1, "too long")
        blocked = write(self.folder / "blocked", b"a file where a folder should be")
        self.assert_fails(self.arenite("plan", DIGITS, "-o", "x.arn", "--emit-cc", blocked), 1,
                          "blocked")
        self.assert_fails(self.arenite("run", self.program, "--input", self.images, "--device",
                                       "cpu", "--output-dir", blocked / "x"), 1, "Not a directory")
        self.assert_fails(self.arenite_run(self.program, "--input", self.images, "--device", "cpu",
                                           "--output-dir", blocked / "x"), 1, "Not a directory")

    # Standard output.

    def test_dash_is_standard_output(self):
        for words in self.every_output():
            there = self.folder / "plain"
            self.assertEqual(self.arenite(*words, there).returncode, 0)
            for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
                done = subprocess.run([Binaries.arenite, *map(str, words), name], cwd=self.folder,
                                      stdout=subprocess.PIPE, check=True)
                self.assertEqual(done.stdout, there.read_bytes(), (words, name))
        done = self.shell('"$A" plan "$MODEL" -o >(cat >substituted) && sleep 0.5; "$A" plan '
                          '"$MODEL" -o plain >/dev/null; cmp substituted plain')
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)

    def test_dash_beside_json_or_a_report_is_bad_usage(self):
        for words in ([*self.every_output()][0], [*self.every_output()][2]):
            for name in ("-", "/dev/stdout"):
                self.assert_fails(self.arenite(*words, name, "--report", "text"), 2, "--report")
                self.assertIn("--json", self.json_of(*words, name, status=2)["error"])

    def test_a_full_standard_output_fails_and_says_why(self):
        lines = ['"$A" inspect "$PROGRAM"', '"$A" inspect --json "$PROGRAM"', '"$A" doctor',
                 '"$A" --help', '"$A" plan --help', '"$A" help run', '"$A" --version',
                 '"$A" plan "$MODEL" -o x.arn', '"$A" plan "$MODEL" -o x.arn --report html',
                 '"$A" plan "$MODEL" -o -', '"$A" strip "$PROGRAM" --board host -o y.arn',
                 '"$A" memplan problem.csv', '"$A" memplan problem.csv --json',
                 '"$A" run "$PROGRAM" --device cpu --input "$IMAGES"',
                 '"$A" run "$PROGRAM" --device cpu --input "$IMAGES" --json',
                 '"$R" "$PROGRAM" --device cpu --input "$IMAGES"', '"$R" --help']
        for line in lines:
            self.assert_fails(self.shell(line + " >/dev/full"), 1,
                              "standard output: cannot be written: No space left on device")
            self.assert_fails(self.shell(line + " >&-"), 1,
                              "standard output: cannot be written: Bad file descriptor")

    def test_a_reader_who_leaves_is_a_quiet_failure(self):
        for line in ('"$A" inspect "$PROGRAM"', '"$A" inspect --json "$PROGRAM"',
                     '"$R" "$PROGRAM" --device cpu --input "$IMAGES"', '"$A" plan "$MODEL" -o -'):
            done = self.shell(f"{{ sleep 0.3; {line}; echo $? >status; }} | true; cat status")
            self.assertEqual((done.stdout, done.stderr), ("1\n", ""), line)

    def test_a_closed_stream_is_not_taken_by_the_next_file(self):
        done = self.shell('"$A" plan "$MODEL" -o clean.arn >&- 2>&-; cmp clean.arn plain.arn')
        self.assertNotEqual(done.returncode, 0)  # nothing to compare with yet
        done = self.shell('"$A" plan "$MODEL" -o plain.arn >/dev/null && cmp clean.arn plain.arn')
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)

    def test_an_error_is_an_error_where_it_can_not_be_printed(self):
        for line in ('"$A" plan absent.onnx --json >/dev/full', '"$A" plan absent.onnx --json >&-',
                     '"$A" plan absent.onnx 2>&-', '"$A" pln 2>/dev/full'):
            self.assertEqual(self.shell(line).returncode, 2, line)

    # Inputs.

    def test_inputs_may_be_pipes(self):
        self.arenite("plan", DIGITS, "-o", "plain.arn")
        for line in ('"$A" plan <(cat "$MODEL") -o piped.arn', 'cat "$MODEL" | "$A" plan - -o piped.arn',
                     'cat "$MODEL" | "$A" plan /dev/stdin -o piped.arn'):
            done = self.shell(line + " && cmp piped.arn plain.arn; rm -f piped.arn")
            self.assertEqual(done.returncode, 0, done.stderr)
        for line in ('"$A" inspect <(cat "$PROGRAM")', 'cat "$PROGRAM" | "$A" inspect -',
                     '"$A" inspect - <"$PROGRAM"', '"$A" memplan <(cat problem.csv)',
                     'cat problem.csv | "$A" memplan /dev/stdin',
                     '"$A" strip <(cat "$PROGRAM") --board host -o y.arn',
                     '"$A" run <(cat "$PROGRAM") --device cpu --input "$IMAGES"'):
            done = self.shell(line)
            self.assertEqual(done.returncode, 0, (line, done.stderr))
            self.assertNotEqual(done.stdout, "")

    def test_a_tensor_from_a_pipe_is_known_by_its_first_bytes(self):
        write(self.folder / "one.bin", self.images.read_bytes()[128:128 + 64 * 4])
        for runner in ('"$A" run', '"$R"'):
            for source in ('<(cat "$IMAGES")', 'image=<(cat "$IMAGES")', '<(cat one.bin)',
                           '- <"$IMAGES"', '/dev/stdin <one.bin'):
                done = self.shell(f'{runner} "$PROGRAM" --device cpu --input {source}')
                self.assertEqual(done.returncode, 0, (runner, source, done.stderr))

    def test_the_lines_of_the_manual_run(self):
        manual = (REPOSITORY / "docs" / "command_line.md").read_text(encoding="utf-8")
        lines = manual.split("```bash\n")[1].split("```")[0]
        write(self.folder / "digits.onnx", DIGITS.read_bytes())
        done = self.shell('arenite() { "$A" "$@"; }; set -e -o pipefail\n' + lines)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("method main", done.stdout)
        self.assertIn("<html", (self.folder / "plan.html").read_text())

    def test_files_that_are_write_protected_stay(self):
        """As nobody: root may write everything."""
        if os.geteuid() != 0:
            self.skipTest("needs to become another user")
        nobody = {"preexec_fn": lambda: (os.setgroups([]), os.setgid(65534), os.setuid(65534))}
        open_folder = self.folder / "open"
        open_folder.mkdir(mode=0o777)
        open_folder.chmod(0o777)
        self.folder.chmod(0o755)
        problem = write(open_folder / "p.csv", PROBLEM)
        guarded = write(open_folder / "guarded.csv", b"old")
        guarded.chmod(0o444)
        closed_folder = self.folder / "closed"
        closed_folder.mkdir()
        writable = write(closed_folder / "writable.csv", b"old, and longer than what is new" * 9)
        writable.chmod(0o666)
        owned = write(open_folder / "owned.csv", b"old")
        owned.chmod(0o666)
        copy = open_folder / "arenite"
        shutil.copy(Binaries.arenite, copy)
        line = f'cd {open_folder}; ./arenite memplan {problem} -o '
        done = self.shell(line + "guarded.csv", **nobody)
        self.assert_fails(done, 1, "guarded.csv: cannot be written: Permission denied")
        self.assertEqual(guarded.read_bytes(), b"old")
        for path in (writable, owned):
            done = self.shell(line + str(path), **nobody)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(path.read_bytes().startswith(b"id,lower,upper,size,offset\n"))
            self.assertEqual(path.stat().st_uid, 0)
        self.assertEqual(sorted(entry.name for entry in open_folder.iterdir()),
                         ["arenite", "guarded.csv", "owned.csv", "p.csv"])
        copy.unlink()

    def test_a_board_or_constraints_may_be_pipes(self):
        done = self.shell('"$A" plan "$MODEL" -o x.arn --constraints <(echo \'{"constraints": []}\')')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_program_from_a_stream_needs_a_name(self):
        self.assert_fails(self.shell('"$A" plan <(cat "$MODEL")'), 2, "-o OUT.arn")

    def test_what_is_not_there_to_read(self):
        self.assert_fails(self.shell('"$A" inspect - <&-'), 2, "standard input", "Bad file descriptor")
        self.assert_fails(self.shell('"$A" inspect /proc/self/mem'), 2, "/proc/self/mem")
        huge = self.folder / "huge.arn"
        with huge.open("wb") as file:
            file.truncate(1 << 40)
        self.assert_fails(self.arenite("inspect", huge), 2, "huge.arn: holds more than")
        self.assert_fails(self.arenite("plan", huge), 2, "huge.arn: holds more than")

    def test_errors_from_streams_are_json_too(self):
        done = self.shell('"$A" plan "$MODEL" -o /dev/full --json')
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", json.loads(done.stdout)["error"])


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
