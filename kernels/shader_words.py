#!/usr/bin/env python3
# Writes what a shader and its dispatch rule share, for both, from the table at the head of the shader.
"""shader_words.py SHADERS_DEF GLSL_DIR ROOT GLSL_OUT HEADERS_OUT

A table stands in a comment of kernels/glsl/NAME.comp, or of an include of several shaders:

    /* words
    use rows                               the table of include/rows.glsl, and what that uses
    enum Pass = Ends, Scales               kEnds = 0, kScales = 1; in C++ an enum class
    enum Rounding from ops/attributes.h    a C++ enum class for GLSL; "as R" puts R after each k
    constant hidden_max = 1024             kHiddenMax, "constant kName from FILE" one of C++
    struct Axis                            fields that belong together
      uint size, stride                    type name, name[count]: a line or more
    spec                                   specialisation constants 0, 1, ...
      uint pixels = 4                      with the value of a shader that nobody specialises
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
GLSL_OUT gets NAME.words.glsl of each shader, with the tables that it uses; HEADERS_OUT NAME.h with a
struct of the shader's name, none of whose fields can be left out or be of another type, and
shared/NAME.h of an include. What did not change is not written again.
"""
import re
import sys
from pathlib import Path

CPP = {"uint": "uint32_t", "int": "int32_t", "float": "float", "bool": "bool", "Op": "Op"}
LIMITS = {"spec": 8, "push": 32, "parameters": 128}  # words: kernels/dispatch/dispatch.h
WALK_DIMS = 9  # Loops::kDims of kernels/dispatch/collapse.h
TAG = "// SPDX-License-Identifier: Apache-2.0\n"


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
                        f" kernels/shader_words.py describes them, found {text!r}")
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
        if words[0] not in CPP and not self.find("enums", words[0]) and not self.find("structs", words[0]):
            fail(where, f"expected a type ({', '.join(CPP)}, an enumeration or a struct), found {words[0]!r}")
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
                    fail(field.where, f"expected single words as specialisation constants, found {field.name}")


# --- GLSL ---

def glsl_of_shared(table):
    """The enumerations and constants of one table."""
    lines = []
    for name, values in table.enums.items():
        prefix = table.prefixes.get(name, "")
        lines += [f"const uint k{prefix}{value} = {number}u;" for value, number in values]
    for name, value in table.constants.items():
        lines.append(f"const uint {name} = {value[0] if isinstance(value, tuple) else value}u;")
    return lines


def glsl_type(table, field):
    if field.type in ("uint", "int", "float"):
        return field.type
    return field.type if table.find("structs", field.type) else "uint"


def glsl_default(table, field):
    value = field.default
    if field.type == "bool":
        return value or "false"
    if field.type == "int":
        return value or "0"
    if value is None or value.isdigit():
        return f"{value or 0}u"
    return f"kOp{value}" if field.type == "Op" else f"k{value}"


def glsl_places(table, block, at, lines):
    """A constant for the place of each field of a parameter block."""
    for field in block.fields:
        struct = table.find("structs", field.type)
        if field.type == "walk":
            lines += [f"#define WALK_OPERANDS {field.count}", f"const uint kWalk = {at}u;"]
        elif struct and not field.sizes:
            glsl_places(table, struct, at, lines)
        elif field.type != "pad":
            lines.append(f"const uint k{camel(field.name)} = {at}u;")
        at += table.field_words(field)


def glsl_structs(table, blocks, in_push, lines, done):
    """Structs that fields have several of, or push constants one: their GLSL, or the places in them."""
    for block in blocks:
        for field in block.fields:
            struct = table.find("structs", field.type)
            if not struct:
                continue
            glsl_structs(table, [struct], in_push, lines, done)
            if struct.name in done:
                continue
            if in_push:
                done.add(struct.name)
                lines.append(f"struct {struct.name} {{")
                lines += [f"  {glsl_type(table, f)} {f.name};" for f in struct.fields]
                lines.append("};")
            elif field.sizes:
                done.add(struct.name)
                lines.append(f"const uint k{struct.name}Words = {table.words_of(struct)}u;")
                at = 0
                for f in struct.fields:
                    lines.append(f"const uint k{struct.name}{camel(f.name)} = {at}u;")
                    at += table.field_words(f)


def glsl_of(table, buffers):
    lines = []
    if any(field.type == "Op" for block in table.sections["spec"] for field in block.fields):
        lines.append('#include "ops.glsl"')
    for used in (*table.tables_used(), table):
        lines += glsl_of_shared(used)
    for block in table.sections["spec"]:
        for number, field in enumerate(block.fields):
            kind = "bool" if field.type == "bool" else glsl_type(table, field)
            lines.append(f"layout(constant_id = {number}) const {kind} k{camel(field.name)} ="
                         f" {glsl_default(table, field)};")
    done = set()
    glsl_structs(table, table.sections["push"], True, lines, done)
    for block in table.sections["push"]:
        lines.append("layout(push_constant) uniform Push {")
        for field in block.fields:
            sizes = "".join(f"[{size}]" for size in field.sizes)
            lines.append(f"  {glsl_type(table, field)} {field.name}{sizes};")
        lines.append("} p;")
    blocks = table.sections["parameters"]
    if blocks:
        lines += [f"#define PARAMETER_BINDING {buffers}",
                  f"#define PARAMETER_VECTORS {(table.words_of(blocks[0]) + 3) // 4}"]
        glsl_structs(table, blocks, False, lines, done)
        for block in blocks:
            glsl_places(table, block, 0, lines)
    return lines


# --- C++ ---

def cpp_field(table, field):
    if field.type == "pad":
        return f"Zeros<{field.count}> {field.name} = {{}};"
    if field.type == "walk":
        return f"WalkWords<{field.count}> walk;"
    if table.find("structs", field.type):
        return f"{field.type} {field.name}" + "".join(f"[{size}]" for size in field.sizes) + ";"
    kind = CPP.get(field.type, field.type)
    return f"Words<{kind}, {field.count}> {field.name};" if field.sizes else f"Word<{kind}> {field.name};"


def cpp_struct(table, block, name, indent):
    lines = [f"{indent}struct {name} {{"]
    for field in block.fields:
        comment = f"  // {field.comment}" if field.comment else ""
        lines.append(f"{indent}  {cpp_field(table, field)}{comment}")
    return [*lines, f"{indent}}};"]


def cpp_types(table, indent):
    static = "static" if indent else "inline"
    lines = []
    for name, values in table.enums.items():
        if name not in table.enum_files:
            values = ", ".join(f"k{value} = {number}" for value, number in values)
            lines.append(f"{indent}enum class {name} : uint32_t {{ {values} }};")
    for name, value in table.constants.items():
        if not isinstance(value, tuple):
            lines.append(f"{indent}{static} constexpr uint32_t {name} = {value};")
    for name, struct in table.structs.items():
        lines += cpp_struct(table, struct, name, indent)
    return lines


def cpp_shader(table, type_name):
    lines = [f"struct {type_name} {{", f"  static constexpr Shader kShader = Shader::k{type_name};"]
    lines += cpp_types(table, "  ")
    members = []
    for kind, blocks in table.sections.items():
        names = []
        for block in blocks:
            name = block.name or camel(kind)
            if block.name is None:
                lines += cpp_struct(table, block, name, "  ")
            elif kind != "parameters":
                lines.append(f"  using {camel(kind)} = {name};")
            names.append(name)
        if len(names) == 1:
            members.append(f"{names[0]} {kind};")
    if len(table.sections["parameters"]) > 1:
        size = (table.words_of(table.sections["parameters"][0]) + 3) // 4 * 4
        return [*lines, f"  static constexpr uint32_t kParameterWords = {size};", "};"]
    return [*lines, "", *(f"  {member}" for member in members), "};"]


def header_of(table, type_name):
    files = sorted({file for file in table.enum_files.values()})
    includes = [f'#include "{file}"' for file in files]
    includes += [f'#include "kernels/shaders/shared/{name}.h"' for name in table.uses]
    body = cpp_shader(table, type_name) if type_name else cpp_types(table, "")
    return ["// Generated by kernels/shader_words.py: the words of " + table.label + ".", "#pragma once", "",
            '#include "kernels/dispatch/words.h"', *includes, "", "namespace arenite::shaders {", "", *body, "",
            "}  // namespace arenite::shaders"]


def write(path, lines):
    text = "\n".join(lines) + "\n" + TAG
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    rows, folder, root, glsl, headers = (Path(word) for word in sys.argv[1:])
    tables = {}
    pattern = r"^ARENITE_SHADER\(\d+, (\w+), (\w+), (\d+)\)$"
    for name, type_name, buffers in re.findall(pattern, rows.read_text(encoding="utf-8"), re.MULTILINE):
        path = folder / f"{name}.comp"
        if not path.exists():
            fail(rows.name, f"expected the shader kernels/glsl/{name}.comp, found no such file")
        table = Table(path, f"kernels/glsl/{name}.comp", folder / "include", root, tables)
        if not table.there:
            fail(table.label, "expected a table of words ('/* words'), found none")
        table.check()
        note = f"// Generated by kernels/shader_words.py: the words of {table.label}."
        write(glsl / f"{name}.words.glsl", [note, *glsl_of(table, int(buffers))])
        write(headers / f"{name}.h", header_of(table, type_name))
    for path in sorted((folder / "include").glob("*.glsl")):
        table = tables.get(path.stem) or Table(path, f"kernels/glsl/include/{path.name}", folder / "include", root,
                                               tables)
        if table.there:
            write(headers / "shared" / f"{path.stem}.h", header_of(table, None))


main()
# SPDX-License-Identifier: Apache-2.0
