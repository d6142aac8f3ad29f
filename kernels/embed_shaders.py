#!/usr/bin/env python3
# Writes compiled shaders as constant C++ arrays, after comparing each with its row of shaders.def.
"""embed_shaders.py SHADERS_DEF SPV_DIR TABLE.cc NEEDS.cc [SHADER...]

Every row ARENITE_SHADER(number, name, Type, buffers), or of a twin, must have SPV_DIR/name.spv whose storage
buffers are bindings 0 .. buffers-1 of set 0, whose push constants fit the guaranteed 128 bytes, and
whose parameter block, if it has one, is the uniform buffer behind them and an array of uvec4. Behind
the block it may have three uniform buffers of operands, or one without a block, each declared with the guaranteed 16 KiB. TABLE.cc gets
the code, of the given shaders alone where some are given; NEEDS.cc what each shader asks of a device: its SPIR-V version and the capabilities that
not every Vulkan device has.
"""
import re
import struct
import sys
import zlib

OP_CAPABILITY, OP_TYPE_ARRAY, OP_TYPE_STRUCT, OP_TYPE_POINTER = 17, 28, 30, 32
OP_TYPE_INT, OP_TYPE_FLOAT, OP_CONSTANT, OP_VARIABLE = 21, 22, 43, 59
OP_DECORATE, OP_MEMBER_DECORATE, OP_EXECUTION_MODE, OP_TYPE_VECTOR = 71, 72, 16, 23
DECORATION_BINDING, DECORATION_SET, DECORATION_OFFSET = 33, 34, 35
STORAGE_UNIFORM, STORAGE_WORKGROUP, STORAGE_PUSH_CONSTANT, STORAGE_BUFFER = 2, 4, 9, 12
MODE_LOCAL_SIZE = 17
CAPABILITY_MATRIX, CAPABILITY_SHADER = 0, 1
# SPIR-V's capabilities by number: what core/capabilities.h calls them.
NEEDS = {
    11: "kShaderInt64",
    22: "kShaderInt16",
    61: "kSubgroupSize",  # GroupNonUniform
    63: "kSubgroupSize",  # GroupNonUniformArithmetic
    4433: "kStorage16Bit",
    5345: "kCooperativeMatrix",  # VulkanMemoryModel
    5357: "kCooperativeMatrix",  # CooperativeMatrixNV
    9: "kCooperativeMatrix",  # Float16
    6018: "kIntegerDot",  # DotProductInput4x8BitPacked
    6019: "kIntegerDot",  # DotProduct
}
# The Vulkan version whose devices take a SPIR-V version; those up to 1.3 are Vulkan 1.1's.
VULKAN_OF_SPIRV = {0x10500: 1002, 0x10600: 1003}
# Linked with whichever others are: what vk/self_test.cc computes with, and what reports indices of
# steps whatever their own shader.
ALWAYS = {"binary", "index_check"}
PUSH_BYTES_MAX = 128
UNIFORMS = 3  # kMaxUniforms of kernels/dispatch/command.h, of operands
UNIFORM_BYTES_MAX = 16384  # kMaxUniformBytes of kernels/dispatch/command.h
PARAMETER_BYTES_MAX = 512  # kMaxParameterWords of kernels/dispatch/command.h
WORKGROUP_INVOCATIONS = 64  # kWorkgroupSize of kernels/dispatch/command.h
WIDE_INVOCATIONS = 256  # of a wide twin
SHARED_BYTES_MAX = 16384  # that every device has


def fail(what):
    sys.exit(f"embed_shaders: {what}")


def instructions(words):
    at = 5
    while at < len(words):
        count = words[at] >> 16
        if count == 0 or at + count > len(words):
            fail(f"SPIR-V instruction at word {at} has length {count}")
        yield words[at] & 0xFFFF, words[at + 1:at + count]
        at += count


class Module:
    """What the runtime's descriptor and pipeline layouts must agree with."""

    def __init__(self, name, words):
        if len(words) < 5 or words[0] != 0x07230203:
            fail(f"{name}: not SPIR-V in this machine's byte order")
        self.name = name
        self.version = words[1]
        self.bindings, self.sets, self.capabilities, self.sizes = {}, {}, set(), {}
        self.local_size = None
        self.shared_bytes = 0
        structs, offsets, pointers, constants = {}, {}, {}, {}
        push = None
        self.buffers, uniforms = set(), {}  # variables
        for op, a in instructions(words):
            if op == OP_CAPABILITY:
                self.capabilities.add(a[0])
            elif op == OP_DECORATE and a[1] == DECORATION_BINDING:
                self.bindings[a[0]] = a[2]
            elif op == OP_DECORATE and a[1] == DECORATION_SET:
                self.sets[a[0]] = a[2]
            elif op == OP_MEMBER_DECORATE and a[2] == DECORATION_OFFSET:
                offsets[a[0], a[1]] = a[3]
            elif op in (OP_TYPE_INT, OP_TYPE_FLOAT):
                self.sizes[a[0]] = a[1] // 8
            elif op == OP_CONSTANT:
                constants[a[1]] = a[2]
            elif op == OP_TYPE_VECTOR:
                if a[1] in self.sizes:
                    self.sizes[a[0]] = self.sizes[a[1]] * a[2]
            elif op == OP_TYPE_ARRAY:
                if a[1] in self.sizes and a[2] in constants:
                    self.sizes[a[0]] = self.sizes[a[1]] * constants[a[2]]
            elif op == OP_TYPE_STRUCT:
                structs[a[0]] = a[1:]
                members = [(offsets.get((a[0], i)), self.sizes.get(t)) for i, t in enumerate(a[1:])]
                if members and all(o is not None and s is not None for o, s in members):
                    self.sizes[a[0]] = max(o + s for o, s in members)
            elif op == OP_TYPE_POINTER:
                pointers[a[0]] = a[2]
            elif op == OP_VARIABLE and a[2] == STORAGE_PUSH_CONSTANT:
                push = pointers[a[0]]
            elif op == OP_VARIABLE and a[2] == STORAGE_WORKGROUP:
                self.shared_bytes += self.sizes.get(pointers[a[0]], 0)
            elif op == OP_VARIABLE and a[2] == STORAGE_BUFFER:
                self.buffers.add(a[1])
            elif op == OP_VARIABLE and a[2] == STORAGE_UNIFORM:
                uniforms[a[1]] = pointers[a[0]]
            elif op == OP_EXECUTION_MODE and a[1] == MODE_LOCAL_SIZE:
                self.local_size = a[2] * a[3] * a[4]
        if push is not None and push not in self.sizes:
            fail(f"{name}: cannot tell the size of its push constants")
        self.push_bytes = self.sizes.get(push, 0)
        self.blocks = {self.bindings.get(v): self.sizes.get(t) for v, t in uniforms.items()}
        if None in self.blocks.values():
            fail(f"{name}: cannot tell the size of its uniform buffers")
        # An operand may be as large as devices take; words of the dispatch are never.
        first = self.blocks[min(self.blocks)] if self.blocks else UNIFORM_BYTES_MAX
        self.parameter_bytes = first if first != UNIFORM_BYTES_MAX else 0
        self.uniforms = len(self.blocks) - (1 if self.parameter_bytes else 0)

    def check(self, buffers):
        if any(s != 0 for s in self.sets.values()):
            fail(f"{self.name}: all buffers belong in descriptor set 0")
        found = {self.bindings.get(variable) for variable in self.buffers}
        if found != set(range(buffers)):
            fail(f"{self.name}: expected storage buffers at bindings 0 to {buffers - 1}"
                 f" (shaders.def), found {sorted(found)}")
        if self.uniforms > UNIFORMS or sorted(self.blocks) != list(range(buffers, buffers + len(self.blocks))):
            fail(f"{self.name}: expected at most {1 + UNIFORMS} uniform buffers from binding {buffers} on,"
                 f" found {sorted(self.blocks)}")
        if any(size > UNIFORM_BYTES_MAX for size in self.blocks.values()):
            fail(f"{self.name}: a uniform buffer has {max(self.blocks.values())} bytes, expected at most"
                 f" {UNIFORM_BYTES_MAX}")
        if self.parameter_bytes > PARAMETER_BYTES_MAX or self.parameter_bytes % 16 != 0:
            fail(f"{self.name}: {self.parameter_bytes} bytes of parameters; expected at most"
                 f" {PARAMETER_BYTES_MAX}, in whole vectors of four words")
        if self.push_bytes > PUSH_BYTES_MAX or self.push_bytes % 4 != 0:
            fail(f"{self.name}: {self.push_bytes} bytes of push constants; expected at most"
                 f" {PUSH_BYTES_MAX}, in whole words")
        expected = WIDE_INVOCATIONS if self.name.endswith("_wide") else WORKGROUP_INVOCATIONS
        if self.local_size != expected:
            fail(f"{self.name}: local size is {self.local_size}, expected {expected}")


    def needs(self):
        """Pairs of a name of core/capabilities.h and the least number, in a fixed order."""
        unknown = self.capabilities - {CAPABILITY_MATRIX, CAPABILITY_SHADER} - NEEDS.keys()
        if unknown:
            fail(f"{self.name}: asks for SPIR-V capabilities {sorted(unknown)}, which"
                 " core/capabilities.h has no numbers for")
        needs = {NEEDS[c]: 1 for c in self.capabilities if c in NEEDS}
        if self.local_size > WORKGROUP_INVOCATIONS:
            needs |= {"kWorkgroupInvocations": self.local_size, "kWorkgroupSizeX": self.local_size}
        if self.shared_bytes > SHARED_BYTES_MAX:
            needs["kSharedMemoryBytes"] = self.shared_bytes
        if self.version > 0x10300:
            if self.version not in VULKAN_OF_SPIRV:
                fail(f"{self.name}: is SPIR-V {self.version >> 16}.{self.version >> 8 & 255},"
                     " which no known version of Vulkan takes by itself")
            needs["kVulkanVersion"] = VULKAN_OF_SPIRV[self.version]
        return sorted(needs.items())


def read_rows(path):
    row = re.compile(r"^ARENITE_(?:SHADER|HALF_TWIN|COOPERATIVE_TWIN|WIDE_TWIN)\((\d+), (\w+), (\w+), (\d+)(?:, \w+)?\)$")
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("ARENITE_"):
                match = row.match(line.strip())
                if not match:
                    fail(f"{path}: cannot read the row {line.strip()!r}")
                rows.append((int(match[1]), match[2], match[3], int(match[4])))
    if [r[0] for r in rows] != list(range(len(rows))):
        fail(f"{path}: numbers must run from 0 without gaps, found {[r[0] for r in rows]}")
    return rows


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    rows_path, folder, out_path, needs_path = sys.argv[1:5]
    wanted = set(sys.argv[5:])
    names = [row[1] for row in read_rows(rows_path)]
    if wanted - set(names):
        fail(f"ARENITE_SHADERS: there is no shader {sorted(wanted - set(names))}, expected some of {names}")
    wanted = wanted | ALWAYS if wanted else set(names)
    linked_bytes = all_bytes = 0
    arrays, table, needs, cases = [], [], [], []
    for _, name, type_name, buffers in read_rows(rows_path):
        with open(f"{folder}/{name}.spv", "rb") as file:
            data = file.read()
        if len(data) % 4 != 0:
            fail(f"{name}: SPIR-V of {len(data)} bytes is not whole words")
        words = struct.unpack(f"<{len(data) // 4}I", data)
        module = Module(name, words)
        module.check(buffers)
        all_bytes += len(data)
        size = f"{module.push_bytes // 4}, {module.parameter_bytes // 4}, {module.uniforms}"
        if module.needs():
            items = ", ".join(f"{{Capability::{n}, {least}}}" for n, least in module.needs())
            needs.append(f"constexpr DeviceNeed k{type_name}[] = {{{items}}};\n")
            cases.append(f"    case Shader::k{type_name}:\n      return k{type_name};\n")
        if name not in wanted:
            table.append(f'  {{nullptr, 0, 0, {buffers}, {size}, "{name}"}},\n')
            continue
        linked_bytes += len(data)
        lines = [", ".join(f"0x{w:08x}" for w in words[i:i + 8]) for i in range(0, len(words), 8)]
        arrays.append(f"constexpr uint32_t k{type_name}[] = {{\n  " + ",\n  ".join(lines) + "};\n")
        table.append(f'  {{k{type_name}, {len(words)}, 0x{zlib.crc32(data):08x}, {buffers}, {size},'
                     f' "{name}"}},\n')
    with open(out_path, "w", encoding="utf-8") as out:
        out.write("// Generated by kernels/embed_shaders.py: the SPIR-V of every shader.\n")
        out.write('#include "kernels/shader_table.h"\n\nnamespace arenite {\nnamespace {\n\n')
        out.write("\n".join(arrays))
        out.write("\nconstexpr ShaderCode kShaders[] = {\n" + "".join(table) + "};\n")
        out.write("\n}  // namespace\n\nstd::span<const ShaderCode> all_shaders() { return kShaders; }")
        out.write("\n\n}  // namespace arenite\n// SPDX-License-Identifier: Apache-2.0\n")


    with open(needs_path, "w", encoding="utf-8") as out:
        out.write("// Generated by kernels/embed_shaders.py: what shaders ask of a device.\n")
        out.write('#include "kernels/dispatch/shader_needs.h"\n\nnamespace arenite {\nnamespace {\n\n')
        out.write("".join(needs))
        out.write("\n}  // namespace\n\nstd::span<const DeviceNeed> needs_of(Shader shader) {\n")
        out.write("  switch (shader) {\n" + "".join(cases) + "    default:\n      return {};\n  }\n}\n")
        out.write("\n}  // namespace arenite\n// SPDX-License-Identifier: Apache-2.0\n")
    print(f"shaders: {len(arrays)} of {len(names)} linked, {linked_bytes} of {all_bytes} bytes")


main()
# SPDX-License-Identifier: Apache-2.0
