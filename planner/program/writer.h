// Writes a program file from its tables: the mirror of the loader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/format.h"
#include "core/program.h"

namespace arenite::planner {

// A section with its bytes; offset and checksum are the writer's to find. A signature gets no
// checksum: its bytes are filled in when the rest is written.
struct SectionPayload {
  format::SectionKind kind = format::SectionKind::kConstants;
  std::vector<std::byte> bytes;
  // For a section in another file (kExternalConstants): stored as it is; `bytes` is empty.
  std::optional<format::SectionRecord> elsewhere = std::nullopt;
};

// Everything a program file holds, as schema/program.proto lists it. The loader requires an order:
// methods' variants in order of their methods without gaps; each variant's requirements, arenas,
// values, steps, io words and descriptor sets, and each step's operands, in order of their owners
// and not shared.
struct ProgramTables {
  uint32_t minor_version = 0;
  uint32_t required_features = 0, optional_features = 0;
  std::vector<SectionPayload> sections;
  std::vector<format::MethodRecord> methods;
  std::vector<format::VariantRecord> variants;
  std::vector<format::RequirementRecord> requirements;
  std::vector<format::ArenaRecord> arenas;
  std::vector<format::ValueRecord> values;
  std::vector<uint32_t> shapes;
  std::vector<format::StepRecord> steps;
  std::vector<uint32_t> operands;
  std::vector<uint32_t> attributes;
  std::vector<format::ConstantRecord> constants;
  std::vector<uint32_t> io;
  std::vector<std::byte> strings;
  std::vector<format::StateRecord> states;
  std::vector<format::QuantizationRecord> quantization;
  std::vector<format::ConstantFileRecord> constant_files;
  std::vector<format::DescriptorSetRecord> descriptor_sets;
  std::vector<format::PredicateRecord> predicates;
  std::vector<format::SymbolRecord> symbols;
  std::vector<format::SymbolicVariantRecord> symbolic_variants;
  std::vector<format::ExpressionRecord> expressions;
  std::vector<format::PatchRecord> patches;
};

// A piece of text in `strings`, as records refer to it.
struct TextRange {
  uint32_t offset = 0, bytes = 0;
};

// Returns the place of `text` in tables.strings; appends it if it is not there yet.
TextRange add_text(ProgramTables& tables, std::string_view text);

// The file: header, plan, then each section on its own 64-byte boundary. The same tables always
// give the same bytes. Throws std::length_error when it would not fit in 4 GiB. Checks nothing of
// what the records mean: Program::open and Instance::load do.
std::vector<std::byte> write_program(const ProgramTables& tables);

// The tables of an opened program (FilePart::kWhole), sections included; write_program of them
// gives an equal program.
ProgramTables tables_of(const Program& program);

// Puts both checksums of the header right again after its or the plan's bytes were changed in
// place; the checksums of sections are the plan's and are left alone. `file` holds at least a
// header; a plan that leaves the file is not summed.
void reseal_program(std::vector<std::byte>& file);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
