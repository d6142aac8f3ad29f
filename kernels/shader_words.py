#!/usr/bin/env python3
# Writes what a shader and its dispatch rule share, for both, from the table at the head of the shader.
"""shader_words.py SHADERS_DEF GLSL_DIR ROOT GLSL_OUT HEADERS_OUT

shader_tables.py describes a table. GLSL_OUT gets NAME.words.glsl of each shader, with the tables that
it uses; HEADERS_OUT NAME.h with a struct of the shader's name, none of whose fields can be left out
or be of another type, and shared/NAME.h of an include. What did not change is not written again.
"""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources' folder stays as it is
from shader_tables import WALK_DIMS, Table, camel, fail  # noqa: E402

CPP = {"uint": "uint32_t", "int": "int32_t", "float": "float", "bool": "bool", "Op": "Op"}
TAG = "// SPDX-License-Identifier: Apache-2.0\n"


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
            lines += [f"#define WALK_OPERANDS {field.count}", f"const uint kWalkDims = {WALK_DIMS}u;",
                      f"const uint kWalk = {at}u;"]
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
            lines.append(f"  static_assert(sizeof({name}) == {table.words_of(block)} * sizeof(uint32_t));")
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
