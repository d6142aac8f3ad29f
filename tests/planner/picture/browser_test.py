#!/usr/bin/python3
"""Uses the HTML and SVG reports in a headless browser: layout, mouse, keys, search, sort, themes.

browser_test.py --arenite PATH --shared DIR --screenshots DIR [unittest's words]; exit 77 (skipped)
where tools/setup browser has not been run.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

try:
    from browser import CHROMIUM, DRIVER, Browser
    from selenium.webdriver.common.keys import Keys
except ImportError as missing:
    print(f"skipped: {missing}; tools/setup browser installs it")
    sys.exit(77)

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
DIGITS = REPOSITORY / "examples" / "digits" / "digits.onnx"
WIDE, NARROW = (1400, 900), (420, 860)
options = argparse.Namespace()


def reports(folder, name, *words, form="html"):
    """Runs a command with --report; what does not fit ends with 1 and still has a report."""
    done = subprocess.run([options.arenite, *map(str, words), "--report", form], cwd=folder,
                          capture_output=True, check=False, timeout=300)
    if done.returncode not in (0, 1) or not done.stdout:
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stderr.decode()}")
    path = pathlib.Path(folder) / f"{name}.{form}"
    path.write_bytes(done.stdout)
    return path


def shared(*parts):
    path = pathlib.Path(options.shared, *parts)
    if not path.exists():
        raise unittest.SkipTest(f"{path} is not here")
    return path


def small_board(folder):
    """The smallest board there is with 4 KiB in place of its memories for arenas."""
    board = json.loads((REPOSITORY / "boards/mps3-an547/board.json").read_text(encoding="utf-8"))
    board["name"] = "small"
    own = [memory for memory in board["memories"] if "holds" in memory]
    board["memories"] = [{"name": "ram", "kind": "sram", "base": "0x20000000", "bytes": 4096,
                          "alignment": 16}, *own]
    path = pathlib.Path(folder) / "small.json"
    path.write_text(json.dumps(board), encoding="utf-8")
    return path


def many(folder, count):
    rows = "".join(f"encoder/layers.{i // 10}/self_attention/block/sub/op_{i},{i * 7 % 900},"
                   f"{i * 7 % 900 + 1 + i % 23},{64 * (1 + i * 31 % 401)}\n" for i in range(count))
    path = pathlib.Path(folder) / "many.csv"
    path.write_text("id,lower,upper,size\n" + rows, encoding="utf-8")
    return path


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = cls.scratch.name
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        pathlib.Path(options.screenshots).mkdir(parents=True, exist_ok=True)

    def setUp(self):
        self.browser.prefer("light")
        self.browser.size(*WIDE)

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [])

    def shoot(self, name):
        self.browser.picture_of(pathlib.Path(options.screenshots) / f"{name}.png")

    # --- Places in the picture.

    def spot(self, index):
        """A point inside a tensor's rectangle that no other shares, low at its left."""
        return self.browser.run("""
            const {picture, section} = arenite;
            const tensor = section.tensors[arguments[0]];
            const panel = picture.panels[tensor.memory];
            const first = Math.max(tensor.first, picture.time.low);
            for (let step = first; step <= tensor.last; ++step) {
              const x = picture.x(step + 0.5);
              for (let share = 0.05; share < 1; share += 0.05) {
                const y = picture.y(panel, tensor.offset + share * tensor.bytes);
                const found = picture.at(x, y);
                if (found && found.tensors.length === 1 && found.tensors[0] === tensor) return [x, y];
              }
            }
            return null;""", index)

    def check_layout(self, name):
        """No sideways overflow, no row higher than a line, no page without end, at both widths."""
        for label, (width, height) in (("wide", WIDE), ("narrow", NARROW)):
            self.browser.size(width, height)
            for scheme in ("light", "dark"):
                self.browser.prefer(scheme)
                with self.subTest(name=name, width=label, scheme=scheme):
                    self.check_shape(width)
                    self.shoot(f"{name}_{label}_{scheme}")
        self.browser.prefer("light")
        self.browser.size(*WIDE)

    def check_shape(self, width):
        wide, high, plot, rows = self.browser.run("""
            const rows = Array.from(document.querySelectorAll('#panes tbody tr:not(.room)'));
            const canvas = document.querySelector('canvas');
            return [document.documentElement.scrollWidth, document.documentElement.scrollHeight,
                    canvas.getBoundingClientRect().right,
                    Math.max(0, ...rows.map((row) => row.offsetHeight))];""")
        self.assertLessEqual(wide, width)
        self.assertLess(high, 6000)
        self.assertLessEqual(plot, width)
        self.assertLess(rows, 40)
        outside = self.browser.run("""
            return Array.from(document.querySelectorAll('main *')).filter((element) =>
                !element.closest('.scroll') && element.getClientRects().length > 0 &&
                element.getBoundingClientRect().right > innerWidth + 1 &&
                getComputedStyle(element).position !== 'absolute').map((e) => e.outerHTML.slice(0, 80));
            """)
        self.assertEqual(outside, [])

    def check_drawn(self):
        """The largest tensors lie where the plan says, in their colors."""
        found = self.browser.run("""
            const {section, look} = arenite;
            return section.tensors.filter((t) => t.bytes > 0)
                .sort((a, b) => b.bytes * (b.last - b.first + 1) - a.bytes * (a.last - a.first + 1))
                .slice(0, 5).map((t) => {
                  const made = document.createElement('canvas').getContext('2d');
                  made.fillStyle = look.colors.of(t);
                  made.fillRect(0, 0, 1, 1);
                  return [t.index, Array.from(made.getImageData(0, 0, 1, 1).data).slice(0, 3)];
                });""")
        self.assertTrue(found)
        seen = 0
        for index, color in found:
            spot = self.spot(index)
            if spot is None:
                continue
            # A letter or a line may lie there: some point near it has the color.
            near = [self.browser.pixel(spot[0] + dx, spot[1] + dy)
                    for dx in (-2, 0, 2) for dy in (-2, 0, 2)]
            self.assertIn(color, near, index)
            seen += 1
        self.assertGreater(seen, 0)

    # The pages.

    def test_digits_twice_on_three_boards(self):
        again = pathlib.Path(self.folder, "again.onnx")
        again.write_bytes(DIGITS.read_bytes())
        page = reports(self.folder, "digits", "plan", DIGITS, again, "--board", "host", "--board",
                       "mps3-an547", "--board", "mps2-an386", "-o", "d.arn")
        self.browser.open(page)
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').length"), 0)
        choices = self.browser.run("return arenite.choices.map((one) => one.textContent)")
        self.assertEqual(choices, [f"method {method}, board {board}" for method in ("digits", "again")
                                   for board in ("host, Vulkan", "host, CPU", "mps3-an547, CPU",
                                                 "mps2-an386, CPU")])
        for i in range(len(choices)):
            self.browser.run("arenite.choices[arguments[0]].click()", i)
            self.browser.settle()
            self.check_drawn()
        self.browser.run("arenite.choices[6].click()")
        self.check_layout("digits")

    def test_mobilenet_from_pytorch(self):
        model = shared("models", "onnx_tv_mobilenet_v2", "model.onnx")
        page = reports(self.folder, "mobilenet", "plan", model, "--board", "mps3-an547", "-o", "m.arn")
        self.browser.open(page)
        self.check_drawn()
        self.check_layout("mobilenet")
        picture = reports(self.folder, "mobilenet", "plan", model, "--board", "mps3-an547",
                          "-o", "m.arn", form="svg")
        self.browser.open(picture)
        box = self.browser.run("""
            const box = document.documentElement.viewBox.baseVal;
            const outside = Array.from(document.querySelectorAll('rect, line, text'))
                .map((e) => e.getBBox ? [e, e.getBoundingClientRect()] : null)
                .filter(([e, b]) => b.right > box.width + 1 || b.left < -1 || b.bottom > box.height + 1);
            return [box.width, box.height, outside.map(([e]) => e.outerHTML.slice(0, 120))];""")
        self.assertEqual(box[0], 1200)
        self.assertLess(box[1], 2000)
        self.assertEqual(box[2], [])
        self.browser.size(1200, round(box[1]))
        self.browser.driver.save_screenshot(str(pathlib.Path(options.screenshots) / "mobilenet_svg.png"))

    def test_a_plan_that_does_not_fit(self):
        page = reports(self.folder, "small", "plan", DIGITS, "--board", small_board(self.folder),
                       "-o", "s.arn")
        self.browser.open(page)
        warning = self.browser.text(".warning")
        self.assertIn("ram", warning)
        self.assertRegex(warning, r"[\d,]+ bytes")
        self.assertIn("short by", self.browser.text(".card.over"))
        limit = self.browser.run("""
            const {picture} = arenite;
            const panel = picture.panels[0];
            return [picture.left + 3, picture.y(panel, panel.memory.size), picture.theme.bad];""")
        red = [int(limit[2][i:i + 2], 16) for i in (1, 3, 5)]
        near = [self.browser.pixel(limit[0], round(limit[1]) + dy) for dy in (-1, 0)]
        self.assertIn(red, near)
        self.assertIn("beyond the limit", self.browser.text("#legend"))
        self.check_layout("does_not_fit")

    def test_a_hard_planning_problem(self):
        problem = shared("memplan", "challenging", "A.1048576.csv")
        page = reports(self.folder, "hard", "memplan", problem)
        self.browser.open(page)
        self.check_drawn()
        self.check_layout("challenging_a")

    def test_five_thousand_tensors(self):
        page = reports(self.folder, "many", "memplan", many(self.folder, 5000), "--algorithm",
                       "greedy_by_size")
        start = time.monotonic()
        self.browser.open(page)
        load = time.monotonic() - start
        paint = self.browser.run("""
            const {picture} = arenite;
            const start = performance.now();
            for (let i = 0; i < 5; ++i) {
              picture.paint();
              picture.context.getImageData(0, 0, 1, 1);  // waits until all is drawn
            }
            return (performance.now() - start) / 5;""")
        built = self.browser.run("return document.querySelectorAll('#pane-tensors tbody tr').length")
        print(f"5,000 tensors: {page.stat().st_size} bytes, loaded in {load:.2f} s, "
              f"drawn in {paint:.1f} ms, {built} rows built")
        # 0.3 s and 16 ms on an idle machine.
        self.assertLess(load, 10)
        self.assertLess(paint, 500)
        self.assertLess(built, 200)
        self.check_drawn()
        last = self.browser.run("""
            const scroll = document.querySelector('#pane-tensors .scroll');
            scroll.scrollTop = scroll.scrollHeight;
            return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
              const rows = scroll.querySelectorAll('tbody tr:not(.room)');
              done(rows[rows.length - 1].textContent);
            })));""")
        self.assertIn("op_4999", last)
        self.check_layout("many")

    def test_twenty_thousand_tensors_and_steps(self):
        """The page of a plan with the data of a larger one: as many steps in the network, and 6,000 weights."""
        page = reports(self.folder, "grown", "plan", DIGITS, "--board", "mps3-an547", "-o", "d.arn")
        text = page.read_text(encoding="utf-8")
        head = '<script type="application/json" id="plan">'
        begin = text.index(head) + len(head)
        end = text.index("</script>", begin)
        plan = json.loads(text[begin:end])
        section, count = plan["sections"][0], 20000
        ops = list(section["colors"])
        section["steps"] = [{"name": f"/block.{i // 10}/op_{i}", "label": None, "op": ops[i % len(ops)], "where": "cpu",
                             "serial": False, "form": "Conv.float32", "macs": i * 7919 % 10**6} for i in range(count)]
        rows = [{"name": f"tensor_{i}", "memory": 0, "offset": i * 4096 % (1 << 20), "bytes": 64 + i * 640 % 30000,
                 "first": i, "last": min(i + 1 + i % 9, count - 1), "reads": 1, "writes": 1, "fixed": False,
                 "tied_elsewhere": False, "dtype": "float32", "shape": "[1, 64]", "layout": "", "role": "result",
                 "written_by": [i], "read_by": [j for j in (i + 1, i + 1 + i % 9) if j < count]} for i in range(count)]
        section["tensors"] = {name: [row.get(name) for row in rows] for name in section["tensors"]}
        section["common"] = []
        section["memories"][0].update(peak=1 << 20, live=[[i, i, 1 << 19] for i in range(count)])
        section["weights"] = {"name": [f"weight_{i}" for i in range(6000)], "label": [None] * 6000,
                              "dtype": ["float32"] * 6000, "shape": ["[9]"] * 6000,
                              "bytes": [64 * (1 + i % 99) for i in range(6000)],
                              "read_by": [[3 * i] for i in range(6000)]}
        page.write_text(text[:begin] + json.dumps(plan) + text[end:], encoding="utf-8")
        start = time.monotonic()
        self.browser.open(page)
        self.browser.run("""
            for (const view of [arenite.picture, arenite.graph]) {
              view.paint();
              view.context.getImageData(0, 0, 1, 1);
            }""")
        seconds = time.monotonic() - start
        print(f"20,000 tensors and steps, 6,000 weights: loaded and drawn in {seconds:.2f} s")
        self.assertLess(seconds, 20)  # 1.4 s on two busy cores, the second painting included
        self.assertEqual(self.browser.run("return arenite.graph.drawing.nodes.length"), count)

    def test_the_network_is_tied_to_the_memory(self):
        self.open_mobilenet()
        graph = self.browser.run("""
            const {graph, section} = arenite;
            return {nodes: graph.drawing.nodes.filter((node) => node).map((node) => node.step),
                    steps: section.steps.filter((step) => step.where !== 'view').map((step) => step.index),
                    above: graph.drawing.edges.every((edge) => edge.from.layer < edge.to.layer)};""")
        self.assertEqual(graph["nodes"], graph["steps"])
        self.assertTrue(graph["above"])
        apart = self.browser.run("""
            return arenite.graph.drawing.layers.every((layer) =>
                layer.every((node, i) => i === 0 || node.x - layer[i - 1].x > 0.999));""")
        self.assertTrue(apart, "boxes of a layer do not overlap")
        # A click on a box pins its step, everywhere.
        x, y = self.browser.run("""
            const box = document.getElementById('graph').getBoundingClientRect();
            scrollBy(0, box.top - 100);
            const node = arenite.graph.drawing.nodes[1];
            const {left, top, width, height} = arenite.graph.boxOf(node);
            const now = document.getElementById('graph').getBoundingClientRect();
            return [now.left + left + width / 2, now.top + top + height / 2];""")
        self.browser.run("""
            for (const kind of ['pointerdown', 'pointerup']) {
              document.getElementById('graph').dispatchEvent(new PointerEvent(
                  kind, {clientX: arguments[0], clientY: arguments[1], button: 0, pointerId: 1, isPrimary: true}));
            }""", x, y)
        self.assertEqual(self.browser.run("return arenite.look.pinnedStep"), 1)
        self.assertIn("step 1", self.browser.text("#inspector"))
        self.assertIn("MACs", self.browser.text("#inspector"))
        self.assertIn("Weights", self.browser.text("#inspector"))
        # Keys go along the tensors.
        self.browser.keys("g")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "graph")
        self.browser.keys(Keys.ARROW_DOWN)
        after = self.browser.run("return arenite.look.pinnedStep")
        self.assertEqual(after, self.browser.run("return arenite.graph.drawing.nodes[1].below[0].step"))
        self.browser.keys(Keys.ARROW_UP)
        self.assertEqual(self.browser.run("return arenite.look.pinnedStep"), 1)
        scale = self.browser.run("return arenite.graph.scale")
        self.browser.keys("+")
        self.assertGreater(self.browser.run("return arenite.graph.scale"), scale)
        # A weight is pinned by its table, and found by the search.
        self.browser.run("arenite.tabs.show('weights'); document.querySelector('#pane-weights tbody tr').click()")
        self.assertTrue(self.browser.run("return arenite.look.pinned.isWeight"))
        self.assertIn("in the program", self.browser.text("#inspector"))

    def test_two_plans_side_by_side(self):
        words = ("plan", DIGITS, "--board", "mps3-an547", "-o", "d.arn")
        before = reports(self.folder, "before", *words)
        page = reports(self.folder, "compared", *words, "--memory-planner", "naive", "--before", before)
        self.browser.open(page)
        self.assertIn("before.html", self.browser.text("#before-title"))
        self.assertEqual(self.browser.run("return arenite.tabs.shown"), "changes")
        rows = self.browser.run("""
            return Array.from(document.querySelectorAll('#pane-changes tbody tr')).map((row) => row.textContent);""")
        self.assertTrue(any(row.startswith("memorydtcm") for row in rows), rows)
        self.assertTrue(any(row.startswith("moved tensor") for row in rows), rows)
        tops = self.browser.run("""
            return [arenite.picture, arenite.beforePicture].map((one) => one.panels[0].bytes.most);""")
        self.assertEqual(tops[0], tops[1], "one scale")
        self.browser.run("arenite.pin(arenite.section.tensors[2])")
        self.assertEqual(self.browser.run("return arenite.beforePicture.look.pinned.name"), self.pinned())
        self.check_layout("compared")

    def test_hostile_names_do_nothing(self):
        name = "</script><script>window.harmed=1</script><img src=x onerror=window.harmed=1>&'"
        problem = pathlib.Path(self.folder) / "hostile.csv"
        problem.write_text(f"id,lower,upper,size\n{name},0,2,100\nb,1,3,50\n",
                           encoding="utf-8")
        self.browser.open(reports(self.folder, "hostile", "memplan", problem))
        self.browser.run("arenite.pin(arenite.section.tensors[0])")
        self.assertIsNone(self.browser.run("return window.harmed || null"))
        self.assertEqual(self.browser.text("#inspector h3"), name)
        self.assertEqual(self.browser.run("return document.images.length"), 0)

    # --- Actions of a person on a page.

    def open_mobilenet(self):
        path = pathlib.Path(self.folder) / "host.html"
        if not path.exists():
            model = pathlib.Path(options.shared, "models", "onnx_tv_mobilenet_v2", "model.onnx")
            path = reports(self.folder, "host", "plan", model if model.exists() else DIGITS,
                           "--optimize", "memory", "-o", "h.arn")
        self.browser.open(path)
        self.browser.run("arenite.showSection(arenite.plan.sections.length - 1)")
        self.browser.settle()

    def pinned(self):
        return self.browser.run("return arenite.look.pinned && arenite.look.pinned.name")

    def time_shown(self):
        return self.browser.run("return arenite.picture.time.length")

    def test_search_finds_dims_and_pins(self):
        self.open_mobilenet()
        name = self.browser.run("return arenite.section.tensors[2].name")
        self.browser.keys("/")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "search")
        self.browser.keys(name)
        self.assertRegex(self.browser.text("#matches"), r"^\d+ of \d+$")
        self.assertTrue(self.browser.run("return arenite.look.isFaint(arenite.section.tensors[0])"))
        self.browser.keys(Keys.ENTER)
        self.assertEqual(self.pinned(), name)
        self.assertEqual(self.browser.text("#inspector h3"), name)
        self.shoot("search")
        self.browser.keys(Keys.ESCAPE)
        self.assertIsNone(self.pinned())
        self.browser.keys(Keys.ESCAPE)
        self.assertEqual(self.browser.text("#matches"), "")

    def test_mouse_hovers_pins_zooms_and_moves(self):
        self.open_mobilenet()
        index = 3 if self.spot(3) else 1
        spot = self.spot(index)
        name = self.browser.run("return arenite.section.tensors[arguments[0]].name", index)
        self.browser.hover(*spot)
        self.assertIn(name, self.browser.text("#tooltip"))
        whole = self.time_shown()
        self.browser.wheel(*spot, -120)
        self.assertEqual(self.time_shown(), whole, "the wheel belongs to the page until a click")
        self.browser.click(*spot)
        self.assertEqual(self.pinned(), name)
        self.assertIn("Why it lies here", self.browser.text("#inspector"))
        self.browser.wheel(*spot, -240)
        self.assertLess(self.time_shown(), whole)
        low = self.browser.run("return arenite.picture.time.low")
        self.browser.drag(*spot, -60, 0)
        self.assertGreater(self.browser.run("return arenite.picture.time.low"), low)
        self.assertEqual(self.pinned(), name, "a drag is no click")
        self.shoot("pinned_zoomed")
        self.browser.find("#zoom-all").click()
        self.assertEqual(self.time_shown(), whole)
        self.browser.find("#zoom-in").click()
        self.assertLess(self.time_shown(), whole)

    def test_two_fingers_and_control_zoom(self):
        self.open_mobilenet()
        spot = self.spot(1)
        whole = self.time_shown()
        self.browser.pinch(*spot, 60, 160)
        near = self.time_shown()
        self.assertLess(near, whole)
        self.browser.pinch(*spot, 160, 60)
        self.assertGreater(self.time_shown(), near)
        self.browser.run("arenite.picture.fit(); document.activeElement.blur()")
        self.browser.run("""
            document.querySelector('canvas').dispatchEvent(new WheelEvent(
                'wheel', {deltaY: -200, ctrlKey: true, clientX: 300, clientY: 300, cancelable: true}));
            """)
        self.assertLess(self.time_shown(), whole)

    def test_keys_alone_will_do(self):
        self.open_mobilenet()
        for _ in range(40):
            self.browser.keys(Keys.TAB)
            if self.browser.run("return document.activeElement.tagName") == "CANVAS":
                break
        self.assertEqual(self.browser.run("return document.activeElement.id"), "picture")
        first = self.browser.run(
            "return arenite.section.tensors.slice().sort((a, b) => a.first - b.first)[0].name")
        self.browser.keys("n")
        self.assertEqual(self.pinned(), first)
        self.assertIn(first, self.browser.run("return document.getElementById('said').textContent"))
        self.browser.keys("n", "n")
        whole = self.time_shown()
        self.browser.keys("z")
        near = self.time_shown()
        self.assertLess(near, whole)
        low = self.browser.run("return arenite.picture.time.low")
        self.browser.keys(Keys.ARROW_RIGHT)
        self.assertGreater(self.browser.run("return arenite.picture.time.low"), low)
        self.browser.keys("-", "-")
        self.assertGreater(self.time_shown(), near)
        self.browser.keys("0")
        self.assertEqual(self.time_shown(), whole)
        self.browser.keys("?")
        self.assertTrue(self.browser.run("return document.getElementById('help').open"))
        self.shoot("keys")
        self.browser.keys(Keys.ESCAPE)
        self.assertFalse(self.browser.run("return document.getElementById('help').open"))
        self.browser.keys(Keys.ESCAPE)
        self.assertIsNone(self.pinned())

    def test_tables_sort_filter_and_pin(self):
        self.open_mobilenet()
        cells = """
            const at = Array.from(document.querySelectorAll('#pane-tensors th'))
                .findIndex((head) => head.textContent === 'Bytes');
            return Array.from(document.querySelectorAll('#pane-tensors tbody tr'))
                .map((row) => Number(row.cells[at].textContent.replaceAll(',', '')));"""
        head = self.browser.driver.find_element("xpath", "//th[button[text()='Bytes']]")
        head.find_element("tag name", "button").click()
        self.assertEqual(head.get_attribute("aria-sort"), "descending")
        shown = self.browser.run(cells)
        self.assertEqual(shown, sorted(shown, reverse=True))
        self.assertGreater(shown[0], shown[-1])
        head.find_element("tag name", "button").send_keys(Keys.ENTER)
        self.assertEqual(head.get_attribute("aria-sort"), "ascending")
        self.assertEqual(self.browser.run(cells), sorted(shown))
        name = self.browser.run("return arenite.section.tensors[2].name")
        self.browser.find("#pane-tensors .filter").send_keys(name)
        self.browser.settle()
        self.assertRegex(self.browser.text("#pane-tensors .filters"), r"^\d+ of \d+$")
        row = self.browser.find("#pane-tensors tbody tr")
        row.send_keys(Keys.ENTER)
        self.assertEqual(self.pinned(), name)
        for tab in ("steps", "memories", "passes"):
            self.browser.find(f"#tab-{tab}").click()
            self.assertTrue(self.browser.find(f"#pane-{tab}").is_displayed())
            self.assertGreater(self.browser.run(
                "return document.querySelectorAll(arguments[0]).length", f"#pane-{tab} tbody tr"), 0)
            self.shoot(f"table_{tab}")
        self.browser.find("#tab-passes").send_keys(Keys.ARROW_RIGHT)
        self.assertTrue(self.browser.find("#pane-tensors").is_displayed())

    def test_dark_ground_follows_the_system_and_the_button(self):
        self.open_mobilenet()
        ground = "return getComputedStyle(document.querySelector('.picture')).backgroundColor"
        light = self.browser.run(ground)
        self.browser.prefer("dark")
        dark = self.browser.run(ground)
        self.assertNotEqual(light, dark)
        corner = self.browser.pixel(2, 2)
        self.assertLess(sum(corner), 200)
        self.browser.find("#theme").click()
        self.browser.settle()
        self.assertEqual(self.browser.run(ground), light)
        self.assertGreater(sum(self.browser.pixel(2, 2)), 600)
        self.browser.run("localStorage.clear()")

    def test_bytes_in_common_are_explained(self):
        self.open_mobilenet()
        index = self.browser.run("""
            const tensor = arenite.section.tensors.find((t) => t.common.some((c) => c.guest === t));
            return tensor ? tensor.index : -1;""")
        self.assertGreaterEqual(index, 0, "the model has outputs over inputs")
        self.browser.run("arenite.pin(arenite.section.tensors[arguments[0]])", index)
        why = self.browser.text("#inspector .why")
        self.assertRegex(why, r"(Overwrites .* in place|Follows the reads of ) ?")
        self.assertIn("bytes shared on purpose", self.browser.text("#legend"))
        self.browser.find("#inspector .why a").click()
        self.assertNotEqual(self.browser.run("return arenite.look.pinned.index"), index)

    def test_everything_has_a_name_for_those_who_cannot_see_it(self):
        self.open_mobilenet()
        nameless = self.browser.run("""
            return Array.from(document.querySelectorAll('button, input, select, a, canvas, table'))
                .filter((e) => e.getClientRects().length > 0)
                .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() ||
                                 (e.labels && e.labels.length > 0)))
                .map((e) => e.outerHTML.slice(0, 100));""")
        self.assertEqual(nameless, [])
        ids = self.browser.run("return Array.from(document.querySelectorAll('[id]')).map((e) => e.id)")
        self.assertEqual(len(ids), len(set(ids)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arenite", type=pathlib.Path, required=True)
    parser.add_argument("--shared", type=pathlib.Path, required=True)
    parser.add_argument("--screenshots", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    options.arenite = options.arenite.resolve()
    options.screenshots = options.screenshots.resolve()
    if not all(map(os.path.exists, (CHROMIUM, DRIVER))):
        print("skipped: no chromium or chromedriver; tools/setup browser installs them")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
