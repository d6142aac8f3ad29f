#!/usr/bin/env python3
"""Sums the worst-case stack below a function from the call graphs that GCC writes.

Reads the .ci files of -fcallgraph-info=su (folders are searched for them) and prints, for each root,
the bytes of the deepest chain of calls and the chain itself.

  stack_usage.py --root REGEX... [--indirect CALLER=>TARGETS]... [--assume NAME=>BYTES]...
                 [--recursion NAME=>DEPTH]... [--budget BYTES] [--json] [@RULES] FILE|FOLDER...

Names are matched as `signature [file]`, for instance `int n::f(int) [core/f.cc]`; every regular
expression may match anywhere in that text, and of several the first that matches counts.
  --indirect   a function that calls through a pointer may reach any defined function that matches
  --assume     stack of a function that no .ci file defines (libc, compiler helpers, assembly)
  --recursion  a cycle of calls through a function that matches turns at most DEPTH times
  @RULES       a file of such options, one a line; # begins a comment

What cannot be summed is an error: a root that nothing matches, a call through a pointer without
--indirect, an undefined function without --assume, recursion without --recursion, a frame of
unbounded size. Exit status: 0, 1 above the budget, 2 an error.
"""

import argparse
import collections
import json
import pathlib
import re
import sys

INDIRECT = "__indirect_call"
NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
STACK = re.compile(r"(\d+) bytes \(([a-z,]+)\)")


class Unknown(Exception):
    """The sum does not exist; the text says why."""


class Function:
    """A function of the program; stack is None where no .ci file defines it."""

    def __init__(self, title):
        self.title = title
        self.name = title
        self.stack = None
        self.callees = set()

    def define(self, label):
        lines = label.split("\\n")
        frame = STACK.search(lines[-1]) if len(lines) > 2 else None
        if frame is None:
            if self.stack is None:
                self.name = lines[0]
            return
        if frame.group(2) == "dynamic":
            self.callees.add(("dynamic", lines[1]))
        file = lines[1].rsplit(":", 2)[0]
        self.name = f"{lines[0]} [{file}]"
        # A template's copies in several objects may differ; the linker keeps one, so the worst counts.
        self.stack = max(self.stack or 0, int(frame.group(1)))


def read_call_graph(paths):
    """Title -> Function of all .ci files."""
    files = []
    for path in map(pathlib.Path, paths):
        found = sorted(path.rglob("*.ci")) if path.is_dir() else [path]
        if not found:
            raise Unknown(f"no .ci file in {path}: compile with -fcallgraph-info=su")
        files += found
    functions = {}
    for file in files:
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if node := NODE.match(line):
                functions.setdefault(node[1], Function(node[1])).define(node[2])
            elif edge := EDGE.match(line):
                caller = functions.setdefault(edge[1], Function(edge[1]))
                functions.setdefault(edge[2], Function(edge[2]))
                caller.callees.add(edge[2])
    copies = collections.defaultdict(set)
    for title, function in functions.items():
        if function.stack is not None:
            copies[title.rsplit(":", 1)[-1]].add(title)
    for function in functions.values():
        function.callees = sorted({title for callee in function.callees
                                   for title in definitions_of(callee, functions, copies)}, key=str)
    return functions


def definitions_of(title, functions, copies):
    """The titles under which a called function is defined; its own where none is.

    What is inline or a template is `file:name` where it is defined, once for each file that has it, and only the
    name where another file calls it. Where a class has no virtual base, the complete-object form (C1, D1)
    of a constructor or destructor is an alias of the base-object form (C2, D2), which alone is defined.
    """
    if isinstance(title, tuple) or title not in functions or functions[title].stack is not None:
        return {title}
    base = re.sub(r"([CD])1(?=E|I)", r"\g<1>2", title)
    return copies.get(title) or copies.get(base) or {title}


def first_rule(rules, name):
    return next((value for pattern, value in rules if pattern.search(name)), None)


class Program:
    """The call graph with every assumption applied.

    """

    def __init__(self, functions, options):
        self.functions = functions
        self.options = options
        self.reach = {}  # title of a function that calls through pointers -> titles these may reach
        self.linked = None
        self.worst = {}  # title -> (bytes, next title on the deepest chain or None)

    def hold(self, linked):
        """From now on pointers reach only functions that an image holds: those for which linked(title)."""
        self.linked = linked
        self.worst = {}

    def callees(self, function):
        found = []
        for callee in function.callees:
            if isinstance(callee, tuple):
                raise Unknown(f"{function.name}: frame of unbounded size at {callee[1]}")
            found += self.targets(function) if callee == INDIRECT else [callee]
        return found

    def targets(self, caller):
        """What a call through a pointer may reach: of what matches, what the image holds."""
        if caller.title not in self.reach:
            self.reach[caller.title] = self.all_targets(caller)
        found = self.reach[caller.title]
        return found if self.linked is None else [title for title in found if self.linked(title)]

    def all_targets(self, caller):
        pattern = first_rule(self.options.indirect, caller.name)
        if pattern is None:
            raise Unknown(f"{caller.name} calls through a pointer: say with --indirect what it reaches")
        found = [f.title for f in self.functions.values()
                 if f.stack is not None and re.search(pattern, f.name)]
        if not found:
            raise Unknown(f"--indirect of {caller.name}: no function matches '{pattern}'")
        return found

    def frame(self, function):
        if function.stack is not None:
            return function.stack
        assumed = first_rule(self.options.assume, function.name)
        if assumed is None:
            raise Unknown(f"{function.name} is defined in no .ci file: say its stack with --assume")
        return assumed

    def reachable_components(self, root):
        """Strongly connected components below root that are not summed yet, callees first (Tarjan, without
        recursion)."""
        if root in self.worst:
            return []
        order, low, on_stack, stack, components = {}, {}, set(), [], []
        work = [(root, iter(self.callees(self.functions[root])))]
        order[root] = low[root] = 0
        stack.append(root)
        on_stack.add(root)
        while work:
            title, callees = work[-1]
            descended = False
            for callee in callees:
                if callee in self.worst:
                    continue
                if callee not in order:
                    order[callee] = low[callee] = len(order)
                    stack.append(callee)
                    on_stack.add(callee)
                    work.append((callee, iter(self.callees(self.functions[callee]))))
                    descended = True
                    break
                if callee in on_stack:
                    low[title] = min(low[title], order[callee])
            if descended:
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[title])
            if low[title] == order[title]:
                component = []
                while not component or component[-1] != title:
                    component.append(stack.pop())
                    on_stack.discard(component[-1])
                components.append(component)
        return components

    def turns(self, component):
        """How often the frames of a component can lie on the stack."""
        title = component[0]
        if len(component) == 1 and title not in self.callees(self.functions[title]):
            return 1
        names = [self.functions[t].name for t in component]
        for name in names:
            depth = first_rule(self.options.recursion, name)
            if depth is not None:
                return depth
        raise Unknown("recursion without a bound: " + " -> ".join(sorted(names)))

    def worst_below(self, root):
        for component in self.reachable_components(root):
            inside = set(component)
            own = self.turns(component) * sum(self.frame(self.functions[t]) for t in component)
            outside = [c for t in component for c in self.callees(self.functions[t])
                       if c not in inside]
            below = max(outside, key=lambda c: self.worst[c][0], default=None)
            deepest = own + (self.worst[below][0] if below else 0)
            for title in component:
                self.worst[title] = (deepest, below)
        return self.worst[root][0]

    def roots(self, pattern):
        found = [f.title for f in self.functions.values()
                 if f.stack is not None and re.search(pattern, f.name)]
        if not found:
            raise Unknown(f"no function matches --root '{pattern}'")
        return found

    def chain(self, title):
        names = []
        while title is not None:
            names.append({"function": self.functions[title].name, "bytes": self.worst[title][0]})
            title = self.worst[title][1]
        return names


def rule(convert):
    def parse(text):
        pattern, arrow, value = text.partition("=>")
        if not arrow:
            raise argparse.ArgumentTypeError(f"expected REGEX=>VALUE, found '{text}'")
        return re.compile(pattern), convert(value)
    return parse


class Parser(argparse.ArgumentParser):
    def convert_arg_line_to_args(self, arg_line):
        return [] if arg_line.startswith("#") or not arg_line.strip() else [arg_line]


def parse_options(words=None):
    parser = Parser(description=__doc__.splitlines()[0], fromfile_prefix_chars="@")
    parser.add_argument("--root", action="append", required=True)
    parser.add_argument("--indirect", action="append", type=rule(str), default=[])
    parser.add_argument("--assume", action="append", type=rule(int), default=[])
    parser.add_argument("--recursion", action="append", type=rule(int), default=[])
    parser.add_argument("--budget", type=int)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("paths", nargs="+")
    return parser.parse_args(words)


def main():
    options = parse_options()
    try:
        program = Program(read_call_graph(options.paths), options)
        results = []
        for pattern in options.root:
            worst = max(program.roots(pattern), key=program.worst_below)
            results.append({"root": program.functions[worst].name,
                            "stack_bytes": program.worst[worst][0],
                            "chain": program.chain(worst)})
    except (Unknown, OSError) as error:
        print(f"stack_usage: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"roots": results}))
    else:
        for result in results:
            print(f"{result['stack_bytes']} bytes of stack below {result['root']}")
            for link in result["chain"]:
                print(f"  {link['bytes']:6}  {link['function']}")
    over = [r for r in results if options.budget is not None and r["stack_bytes"] > options.budget]
    for result in over:
        print(f"stack_usage: {result['root']}: {result['stack_bytes']} bytes, budget "
              f"{options.budget}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
