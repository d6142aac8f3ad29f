"""Makes docs/zoo.md and its pictures of the rows of bench/zoo.json, TFLM's figures in mcu.py and the times of GPUs in bench/README.md."""
import collections
import re
import textwrap
from pathlib import Path

from mcu import TFLM_ARENA, TFLM_RUN
from zoo_pictures import costs_picture, peers_picture

ROOT = Path(__file__).resolve().parents[1]
GPU_TABLES = ROOT / "bench/README.md"
# From the smallest.
BARE_BOARDS = ("microbit", "mps2-an386", "mps3-an547")
BOARDS = (*BARE_BOARDS, "linux-aarch64")
COUNTED_BOARDS = ("mps2-an386", "mps3-an547")
CORES = {"microbit": "Cortex-M0", "mps2-an386": "Cortex-M4", "mps3-an547": "Cortex-M55", "linux-aarch64": "AArch64 Linux"}
# The same networks in floats and in integers.
PAIRS = (("tfl_mlperf_ad_fp32", "tfl_mlperf_ad_int8"), ("tfl_mlperf_kws_fp32", "tfl_mlperf_kws_int8"),
         ("tfl_mlperf_ic_resnet8_fp32", "tfl_mlperf_ic_resnet8_int8"), ("tfl_mlperf_vww_fp32", "tfl_mlperf_vww_int8"),
         ("onnx_st_mobilenetv2_035", "onnx_st_mobilenetv2_qdq"))
# The README's tables call these models so.
GPU_NAMES = {"resnet50": "onnx_light_resnet50", "inception_v1": "onnx_light_inception_v1"}

HEAD = """# The zoo

What networks cost, and which board takes them: models that others published, networks of torchvision with seeded weights, and the digits of this
tree. `bench/zoo.py` measured the rows, keeps them in [bench/zoo.json](../bench/zoo.json), and made this page and its pictures of them. `S` stands
for the folder with the models, which are not in this tree, `T` for one with the networks that `bench/export_torchvision.py T` wrote, `B` for
`build/host`. On two cores the counts take 5 minutes, and the times as long:

```bash
tools/build host arenite; tools/build cortex-m0; tools/build cortex-m4; tools/build cortex-m55
bench/zoo.py B/arenite --shared S --exported T            # --counts leaves the times; --only NAME measures one model
```

What would a model of yours cost? `arenite fit MODEL` prints its bytes on each board, `arenite target run MODEL --board mps2-an386 --image embedded`
the instructions of a run there, `arenite bench MODEL` its time here. Before there is one, look for the model of this page that is most like it.
{pairs}

![RAM against instructions of a run, on Cortex-M4 and Cortex-M55](zoo-costs.svg)

![Our instructions, RAM and times beside those of others](zoo-peers.svg)
"""


def number(value):
    return "-" if value is None else f"{value:,}"


def ms(value):
    return "-" if value is None else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def kind_of_origin(origin):
    """The repository or package of a model."""
    kind, _, rest = origin.partition(":")
    if kind == "github":
        return rest.split("@")[0]
    if kind == "npm":
        return "npm " + (rest[0] + rest[1:].split("@")[0] if rest.startswith("@") else rest.split("@")[0])
    if kind == "debian":
        return "torchvision, seeded weights"
    if kind.startswith("derived"):
        return "quantized by ONNX Runtime's tool"
    return "torchvision, seeded weights" if "torchvision" in origin else origin


def file_of(row):
    if row["name"] == "digits":
        return "examples/digits/digits.onnx"
    if "/" in row["origin"] and row["origin"].startswith("bench/"):
        return f"T/{row['name']}.onnx"
    return f"S/models/{row['name']}/model.{'tflite' if row['name'].startswith('tfl_') else 'onnx'}"


def smallest_board(row):
    return next((board for board in BOARDS if row["boards"][board]["fits"]), None)


def table(head, rows):
    """A Markdown table; all columns but the first and those of text are right-aligned: their head ends with a colon."""
    rule = ["---:" if cell.endswith(":") else "---" for cell in head]
    return ["| " + " | ".join(cells) + " |" for cells in ([cell.rstrip(":") for cell in head], rule, *rows)]


def bytes_table(rows):
    def cell(board):
        text = f"{number(board['ram'])} + {number(board['flash'])}"
        return text if board["fits"] else f"no: {', '.join(board['short'])}"
    order = sorted(rows, key=lambda row: (BOARDS.index(smallest_board(row) or BOARDS[-1]), row["boards"]["mps2-an386"]["ram"]))
    return table(["model", "origin", "file:", "least memory:", "smallest board", *(f"{board}:" for board in BOARDS), "command"], [
        [row["name"], kind_of_origin(row["origin"]), number(row["bytes"]),
         "-" if row["budget"] is None else f"{row['budget'] // 1024}K", smallest_board(row) or "none",
         *(cell(row["boards"][board]) for board in BOARDS), f"`arenite fit {' '.join([file_of(row), *row['words']])}`"]
        for row in order])


def instructions_table(rows):
    def cells(row, board):
        image = row["images"].get(board)
        theirs = TFLM_RUN.get(row["name"], {}).get(board)
        return [number(image and image["run"]), number(theirs), f"{image['run'] / theirs:.2f}" if image and theirs else "-"]
    counted = [row for row in rows if row["images"]]
    order = sorted(counted, key=lambda row: min(image["run"] for image in row["images"].values()))
    return table(["model", "M4:", "TFLM:", "of it:", "M55:", "TFLM:", "of it:", "load, M4:", "load, M55:", "RAM, M4:",
                  "RAM, M55:", "TFLM's arena:", "command"], [
        [row["name"], *cells(row, "mps2-an386"), *cells(row, "mps3-an547"),
         *(number(row["images"].get(board, {}).get(key)) for key in ("load", "ram") for board in COUNTED_BOARDS),
         number(TFLM_ARENA.get(row["name"])), f"`bench/zoo.py B/arenite --counts --only {row['name']}`"] for row in order])


def ratio_of_times(row):
    times = row["times"]
    return times["ort"] / times["ours"] if times and times["ort"] else None


def cpu_table(rows):
    timed = [row for row in rows if row["times"]]
    order = sorted(timed, key=lambda row: row["times"]["ours"])
    return table(["model", "ours:", "ONNX Runtime:", "ONNX Runtime / ours:", "command"], [
        [row["name"], ms(row["times"]["ours"]), ms(row["times"]["ort"]),
         "-" if ratio_of_times(row) is None else f"{ratio_of_times(row):.2f}", f"`bench/zoo.py B/arenite --only {row['name']}`"]
        for row in order])


def gpu_rows():
    """Name -> times of the tables under "Vulkan on an H100" of bench/README.md; what a later table says of a model is kept."""
    section = GPU_TABLES.read_text(encoding="utf-8").split("\n## Vulkan on an H100\n")[1].split("\n## ")[0]
    found = {}
    for block in re.findall(r"```text\n(.*?)```", section, re.DOTALL):
        lines = [re.split(r" {2,}", line.strip()) for line in block.splitlines()]
        head = lines[0]
        for cells in lines[1:]:
            row = dict(zip(head, cells))
            peers = {peer: float(row[peer]) for peer in ("ncnn fp32", "CUDA graph") if row.get(peer, "-") != "-"}
            name = GPU_NAMES.get(cells[0], cells[0])
            found[name] = {"ours": float(row["ours"]), "peers": {**found.get(name, {}).get("peers", {}), **peers}}
    return found


def gpu_table(names):
    order = sorted((row for row in gpu_rows().items() if row[0] in names), key=lambda row: row[1]["ours"])
    return table(["model", "ours:", "ncnn fp32:", "PyTorch's CUDA graph:", "command"], [
        [name, f"{row['ours']:g}", *(f"{row['peers'][peer]:g}" if peer in row["peers"] else "-" for peer in ("ncnn fp32", "CUDA graph")),
         f"`bench/gpu.py B/arenite {names[name]}`"] for name, row in order])


def error_table(rows):
    judged = [row for row in rows if row["error"]]
    order = sorted(judged, key=lambda row: (row["error"]["in"] != "steps", row["error"]["worst"], row["name"]))
    return table(["model", "largest difference:", "in", "command"], [
        [row["name"], f"{row['error']['worst']:.3g}", row["error"]["in"], f"`bench/models.py B/arenite --device cpu {row['name']}`"]
        for row in order])


def short_names(rows):
    """Name -> name without the kind of file, where no other model has that."""
    short = {row["name"]: row["name"].removeprefix("onnx_").removeprefix("tfl_") for row in rows}
    count = collections.Counter(short.values())
    return {name: one if count[one] == 1 else name for name, one in short.items()}


def peers_of(rows):
    """What is compared -> (name, their cost / ours), largest first."""
    groups = {}
    for board in COUNTED_BOARDS:
        groups[f"instructions on {CORES[board]}: TensorFlow Lite Micro with CMSIS-NN"] = [
            (row["name"], TFLM_RUN[row["name"]][board] / row["images"][board]["run"]) for row in rows
            if board in TFLM_RUN.get(row["name"], {}) and board in row["images"]]
    groups["all of RAM on Cortex-M4: TensorFlow Lite Micro's arena alone"] = [
        (row["name"], TFLM_ARENA[row["name"]] / row["images"]["mps2-an386"]["ram"]) for row in rows
        if row["name"] in TFLM_ARENA and "mps2-an386" in row["images"]]
    groups["time on one thread of a CPU: ONNX Runtime 1.30"] = [
        (row["name"], ratio_of_times(row)) for row in rows if ratio_of_times(row)]
    names = short_names(rows)
    for peer, text in (("CUDA graph", "PyTorch 2.11's CUDA graph"), ("ncnn fp32", "ncnn")):
        groups[f"time on an H100 by Vulkan: {text}"] = [
            (name, row["peers"][peer] / row["ours"]) for name, row in gpu_rows().items() if name in names and peer in row["peers"]]
    return {group: [(names[name], ratio) for name, ratio in sorted(bars, key=lambda bar: -bar[1])]
            for group, bars in groups.items() if bars}


def points_of(rows):
    """(name, [(instructions, RAM), or None where the board does not take it]) of each model that was counted."""
    names = short_names(rows)
    return [(names[row["name"]], [(row["images"][board]["run"], row["images"][board]["ram"]) if board in row["images"] else None
                                  for board in COUNTED_BOARDS]) for row in rows if row["images"]]


def pairs_text(rows):
    """What integers save, by the models that are there in floats too."""
    by_name = {row["name"]: row for row in rows}
    pairs = [(by_name[a], by_name[b]) for a, b in PAIRS if a in by_name and b in by_name]

    def span(value):
        ratios = [value(b) / value(a) for a, b in pairs]
        return f"{min(ratios):.2f} to {max(ratios):.2f}"
    if not pairs:
        return ""
    m4, m55 = COUNTED_BOARDS
    return paragraph(
        f"Of {len(pairs)} networks that are here in floats and in integers, integers take {span(lambda row: row['boards'][m4]['ram'])} of the RAM on the "
        f"M4, {span(lambda row: row['boards'][m4]['flash'])} of the flash, {span(lambda row: row['images'][m4]['run'])} of the instructions there, "
        f"and {span(lambda row: row['images'][m55]['run'])} of those on the M55.")


def paragraph(text):
    return textwrap.fill(" ".join(text.split()), 148, break_long_words=False, break_on_hyphens=False)


def sections_of(data, rows):
    """Heading, text and table of each section."""
    fitting = {board: sum(row["boards"][board]["fits"] for row in rows) for board in BOARDS}
    taken = ", ".join(f"`{board}` ({CORES[board]}) takes {fitting[board]}" for board in BOARDS)
    yield "Bytes, and the smallest board", f"""RAM + flash by board. Of {len(rows)} models {taken}. RAM is all of it, with the stack below a
        model's calls ([board.md](board.md#all-of-ram)); flash is the program and the estimated code, on Linux the program alone. `no` names the memories
        that are too small. `least memory` is the smallest power of two, up to 1 MiB, that holds all of RAM as one memory.""", bytes_table(rows)
    yield "Instructions on Cortex-M4 and Cortex-M55", """Of one run, and of loading, of the image of that model alone in QEMU: exact. RAM is what that took,
        stack included. TFLM's instructions are those with CMSIS-NN, its arena is without its stack. Models that do not fit have no number.""", \
        instructions_table(rows)
    yield "Time on one thread of a CPU", f"""Least of several rounds in turn, in ms, on one thread of an x86-64 CPU ({data['cpu']}) that other work shared:
        times vary by a third, ratios less. ONNX Runtime 1.30 times ONNX models whose inputs are floats.""", cpu_table(rows)
    yield "Time on a GPU by Vulkan", """In ms from host to host on an H100, of batch 1, from the tables of
        [bench/README.md](../bench/README.md#vulkan-on-an-h100).""", gpu_table({row["name"]: file_of(row) for row in rows})
    yield "Error", """Of the CPU's outputs against those that came with the models: of integer outputs of TensorFlow Lite in steps of their scale, of
        others as a part of the largest value. Quantized ONNX models of float outputs may differ by a step of what was quantized last.""", error_table(rows)


def page_of(data, rows):
    parts = [HEAD.format(pairs=pairs_text(rows))]
    for heading, text, lines in sections_of(data, rows):
        parts += [f"## {heading}\n", paragraph(text) + "\n", "\n".join(lines) + "\n"]
    return "\n".join(parts)


def files_of(data):
    """Path in this tree -> text, of all that is made of the rows."""
    rows = sorted(data["rows"], key=lambda row: row["name"])
    return {"docs/zoo.md": page_of(data, rows), "docs/zoo-costs.svg": costs_picture(points_of(rows)),
            "docs/zoo-peers.svg": peers_picture(peers_of(rows))}

# SPDX-License-Identifier: Apache-2.0
