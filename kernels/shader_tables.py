# Reads the tables in which shaders name the words that their dispatch rules give them.
"""A table stands in a comment of kernels/glsl/NAME.comp, or of an include of several shaders:

    /* words
    use rows                               the table of include/rows.glsl, and what that uses
    enum Pass = Ends, Scales               kEnds = 0, kScales = 1; in C++ an enum class
    enum Rounding from ops/attributes.h    a C++ enum class for GLSL; "as R" puts R after each k
    constant hidden_max = 1024             kHiddenMax, "constant kName from FILE" one of C++
    struct Axis                            fields that belong together
      uint size, stride                    type name, name[count]: a line or more
    spec                                   specialization constants 0, 1, ...
      uint pixels = 4                      with the value of a shader that nobody specializes
    push                                   push constants, p.NAME in the shader
      float scale
    parameters                             the parameter block: kName is the place of a word
      Axis axes[3]                         kAxes, kAxisWords, and kAxisStride in each
      walk 2                               loops over two operands (walk.glsl)
      pad 1                                words without a meaning
    */

Types are uint, int, float, bool, Op, enumerations and structs. `push NAME` (spec, parameters) takes a
struct that another table has; a shader whose passes read different blocks has several `parameters`
and, in C++, says how many words these are.
"""
import re
import sys

TYPES = ("uint", "int", "float", "bool", "Op")
LIMITS = {"spec": 10, "push": 32, "parameters": 128}  # words: kernels/dispatch/command.h
WALK_DIMS = 9  # Loops::kDims of kernels/dispatch/collapse.h


def fail(where, what):
    sys.exit(f"shader_words: {where}: {what}")


def camel(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


class Field:
    def __init__(self, where, type_name, name, sizes, default=None, comment=""):
        self.where, self.type, self.name, self.sizes = where, type_name, name, sizes
        self.default, self.comment = default, comment

    @property
    def count(self):
        count = 1
        for size in self.sizes:
            count *= size
        return count


class Block:
    """Fields in their order: a struct, or a section of a shader."""

    def __init__(self, name, where):
        self.name, self.where, self.fields = name, where, []


class Table:
    """What the comment of one file says; `types` are its own, `known` also those of the tables that it uses."""

    def __init__(self, path, label, uses_folder, root, tables):
        self.label, self.stem = label, path.stem
        self.uses, self.enums, self.constants, self.structs = [], {}, {}, {}
        self.enum_files, self.prefixes = {}, {}
        self.sections = {"spec": [], "push": [], "parameters": []}
        self.folder, self.root, self.tables = uses_folder, root, tables
        lines = path.read_text(encoding="utf-8").split("\n")
        starts = [i for i, line in enumerate(lines) if line == "/* words"]
        self.there = bool(starts)
        if not starts:
            return
        if len(starts) > 1:
            fail(f"{label}:{starts[1] + 1}", f"expected one table, found another at line {starts[0] + 1}")
        ends = [i for i in range(starts[0], len(lines)) if lines[i] == "*/"]
        if not ends:
            fail(f"{label}:{starts[0] + 1}", "expected a line '*/' behind the table, found none")
        block = None
        for i in range(starts[0] + 1, ends[0]):
            text, _, comment = lines[i].partition("//")
            if text.strip():
                where = f"{label}:{i + 1}"
                if text.startswith(" "):
                    if block is None:
                        fail(where, f"expected a section before the field {text.strip()!r}, found none")
                    self.add_fields(block, text.strip(), comment.strip(), where)
                else:
                    block = self.add_line(text.strip(), where)

    def tables_used(self):
        found = []
        for name in self.uses:
            for table in (*self.tables[name].tables_used(), self.tables[name]):
                if table not in found:
                    found.append(table)
        return found

    def find(self, kind, name):
        for table in (self, *self.tables_used()):
            if name in getattr(table, kind):
                return getattr(table, kind)[name]
        return None

    def add_line(self, text, where):
        words = text.split()
        if words[0] == "use" and len(words) == 2:
            if words[1] not in self.tables:
                path = self.folder / f"{words[1]}.glsl"
                if not path.exists():
                    fail(where, f"expected a file of kernels/glsl/include, found no {words[1]}.glsl there")
                self.tables[words[1]] = None  # a ring would come by here again
                self.tables[words[1]] = Table(path, f"kernels/glsl/include/{path.name}", self.folder,
                                              self.root, self.tables)
            if self.tables[words[1]] is None or not self.tables[words[1]].there:
                fail(where, f"expected {words[1]}.glsl to have a table that doesn't use this one, found none")
            self.uses.append(words[1])
        elif words[0] == "enum" and re.fullmatch(r"enum \w+ = \w+(, \w+)*", text):
            names = text.split(" = ")[1].split(", ")
            self.enums[words[1]] = [(name, number) for number, name in enumerate(names)]
        elif words[0] == "enum" and len(words) in (4, 6) and words[2] == "from":
            self.enums[words[1]] = self.enum_of(words[3], words[1], where)
            self.enum_files[words[1]] = words[3]
            self.prefixes[words[1]] = words[5] if len(words) == 6 else ""
        elif words[0] == "constant" and re.fullmatch(r"constant [a-z]\w* = \d+", text):
            self.constants["k" + camel(words[1])] = int(words[3])
        elif words[0] == "constant" and len(words) == 4 and words[2] == "from":
            found = re.search(rf"constexpr uint32_t {words[1]} = (\d+)u?;", self.source(words[3], where))
            if not found:
                fail(where, f"expected 'constexpr uint32_t {words[1]} = NUMBER;' in {words[3]}, found none")
            self.constants[words[1]] = (int(found[1]), words[3])
        elif words[0] == "struct" and len(words) == 2:
            self.structs[words[1]] = Block(words[1], where)
            return self.structs[words[1]]
        elif words[0] in self.sections and len(words) <= 2:
            section = self.sections[words[0]]
            if section and (words[0] != "parameters" or len(words) == 1):
                fail(where, f"expected one section {words[0]}, found a second")
            if len(words) == 1:
                section.append(Block(None, where))
                return section[0]
            struct = self.find("structs", words[1])
            if struct is None:
                fail(where, f"expected a struct of this table or of one that it uses, found {words[1]}")
            section.append(struct)
        else:
            fail(where, "expected use, enum, constant, struct, spec, push or parameters as"
                        f" kernels/shader_tables.py describes them, found {text!r}")
        return None

    def source(self, name, where):
        path = self.root / name
        if not path.exists():
            fail(where, f"expected a file of the project, found no {name}")
        return path.read_text(encoding="utf-8")

    def enum_of(self, file, name, where):
        found = re.search(rf"enum class {name} : uint32_t \{{(.*?)\}};", self.source(file, where), re.DOTALL)
        if not found:
            fail(where, f"expected 'enum class {name} : uint32_t' in {file}, found none")
        text = re.sub(r"//[^\n]*", "", found[1])
        values = re.findall(r"k(\w+) = (\d+)", text)
        if len(values) != len([part for part in text.split(",") if part.strip()]):
            fail(where, f"expected a number after each name of {name} in {file}, found {text.strip()!r}")
        return [(value, int(number)) for value, number in values]

    def add_fields(self, block, text, comment, where):
        words = text.split(None, 1)
        if words[0] == "pad" and re.fullmatch(r"pad \d+", text):
            name = f"pad_{len(block.fields)}"
            block.fields.append(Field(where, "pad", name, [int(words[1])], comment=comment))
            return
        if words[0] == "walk" and re.fullmatch(r"walk [1-4]", text):
            block.fields.append(Field(where, "walk", "walk", [int(words[1])], comment=comment))
            return
        if words[0] not in TYPES and not self.find("enums", words[0]) and not self.find("structs", words[0]):
            fail(where, f"expected a type ({', '.join(TYPES)}, an enumeration or a struct), found {words[0]!r}")
        for part in (words[1] if len(words) > 1 else "").split(","):
            match = re.fullmatch(r"([a-z]\w*)((?:\[\d+\])*)(?: = (\w+))?", part.strip())
            if not match:
                fail(where, f"expected names, each with [count] or ' = default', found {part.strip()!r}")
            if any(field.name == match[1] for field in block.fields):
                fail(where, f"expected another name, found {match[1]} a second time")
            sizes = [int(size) for size in re.findall(r"\d+", match[2])]
            block.fields.append(Field(where, words[0], match[1], sizes, match[3], comment))
            comment = ""

    def words_of(self, block):
        return sum(self.field_words(field) for field in block.fields)

    def field_words(self, field):
        if field.type == "walk":
            return WALK_DIMS * (1 + field.count)
        struct = self.find("structs", field.type)
        return field.count * (self.words_of(struct) if struct else 1)

    def check(self):
        for kind, blocks in self.sections.items():
            sizes = [self.words_of(block) for block in blocks]
            for block, size in zip(blocks, sizes):
                if size > LIMITS[kind]:
                    fail(block.where, f"{kind}: expected at most {LIMITS[kind]} words, found {size}")
                if size != sizes[0]:
                    fail(block.where, f"parameters: expected {sizes[0]} words as the first block has, found {size}")
        for block in self.sections["spec"]:
            for field in block.fields:
                if field.sizes or self.find("structs", field.type) or field.type in ("walk", "pad"):
                    fail(field.where, f"expected single words as specialization constants, found {field.name}")

# SPDX-License-Identifier: Apache-2.0
