// Appends records to the tables of the current method, variant and step.
#include "tests/core/program_builder.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace arenite::tests {

using format::ValueKind;
using format::ValueRecord;

namespace {

template <typename T>
uint32_t count_of(const std::vector<T>& list) {
  return static_cast<uint32_t>(list.size());
}

template <typename T>
uint32_t append(std::vector<T>& to, const std::vector<T>& items) {
  const uint32_t first = count_of(to);
  to.insert(to.end(), items.begin(), items.end());
  return first;
}

std::vector<uint32_t> row_major(const std::vector<uint32_t>& dims) {
  std::vector<uint32_t> strides(dims.size());
  uint32_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

uint32_t dense_bytes(const ValueSpec& spec) {
  uint32_t bytes = element_bytes(spec.dtype);
  for (const uint32_t dim : spec.dims) {
    bytes *= dim;
  }
  return bytes;
}

}  // namespace

void ProgramBuilder::method(const std::string& name, uint32_t input_count, uint32_t output_count) {
  const planner::TextRange text = planner::add_text(tables_, name);
  tables_.methods.push_back(
      {text.offset, text.bytes, count_of(tables_.variants), 0, input_count, output_count});
}

void ProgramBuilder::variant(const std::string& board) {
  const planner::TextRange text = planner::add_text(tables_, board);
  format::VariantRecord record{};
  record.board_offset = text.offset;
  record.board_bytes = text.bytes;
  record.requirement_first = count_of(tables_.requirements);
  record.arena_first = count_of(tables_.arenas);
  record.value_first = count_of(tables_.values);
  record.step_first = count_of(tables_.steps);
  record.io_first = count_of(tables_.io);
  record.descriptor_set_first = count_of(tables_.descriptor_sets);
  record.threads_max = 1;
  tables_.variants.push_back(record);
  ++tables_.methods.back().variant_count;
}

void ProgramBuilder::requirement(Capability id, uint32_t minimum) {
  tables_.requirements.push_back({static_cast<uint32_t>(id), minimum});
  ++current().requirement_count;
}

uint32_t ProgramBuilder::arena(format::ArenaKind kind, uint32_t bytes, uint32_t alignment) {
  const planner::TextRange text = planner::add_text(tables_, "memory");
  tables_.arenas.push_back(
      {text.offset, text.bytes, static_cast<uint32_t>(kind), bytes, alignment});
  return current().arena_count++;
}

void ProgramBuilder::descriptor_sets(uint32_t layout, uint32_t sets) {
  tables_.descriptor_sets.push_back({layout, sets});
  ++current().descriptor_set_count;
}

uint32_t ProgramBuilder::constant(const std::vector<float>& numbers, std::vector<uint32_t> dims,
                                  std::optional<std::vector<uint32_t>> strides) {
  if (dims.empty()) dims = {count_of(numbers)};
  constants_.resize((constants_.size() + 15) / 16 * 16);
  const auto bytes = std::as_bytes(std::span(numbers));
  format::ConstantRecord record{};
  record.dtype = static_cast<uint8_t>(DType::kFloat32);
  record.rank = static_cast<uint8_t>(dims.size());
  record.shape = append(tables_.shapes, dims);
  append(tables_.shapes, strides.value_or(row_major(dims)));
  record.offset = count_of(constants_);
  record.bytes = static_cast<uint32_t>(bytes.size());
  tables_.constants.push_back(record);
  constants_.insert(constants_.end(), bytes.begin(), bytes.end());
  return format::kConstantBit | (count_of(tables_.constants) - 1);
}

uint32_t ProgramBuilder::value(const ValueSpec& spec) {
  ValueRecord record{};
  record.dtype = static_cast<uint8_t>(spec.dtype);
  record.rank = static_cast<uint8_t>(spec.dims.size());
  record.layout = static_cast<uint8_t>(spec.layout);
  record.kind = static_cast<uint8_t>(spec.kind);
  record.shape = append(tables_.shapes, spec.dims);
  append(tables_.shapes, spec.strides.value_or(row_major(spec.dims)));
  record.place = static_cast<uint8_t>(spec.place);
  record.offset = spec.offset;
  record.bytes = spec.bytes.value_or(dense_bytes(spec));
  record.first_step = spec.first_step;
  record.last_step = spec.last_step;
  record.below_or_root = spec.root;
  record.yields = spec.yields ? 1 : 0;
  if (spec.yields) tables_.required_features |= format::kOverlapFeature;
  tables_.values.push_back(record);
  return current().value_count++;
}

uint32_t ProgramBuilder::step(const StepSpec& spec) {
  format::StepRecord record{};
  record.op = static_cast<uint16_t>(spec.op);
  record.form = spec.form;
  record.where = static_cast<uint8_t>(spec.where) & 3u;
  record.flags = spec.flags & 63u;
  record.input_count = static_cast<uint16_t>(spec.inputs.size());
  record.output_count = static_cast<uint8_t>(spec.outputs.size());
  record.scratch_count = static_cast<uint8_t>(spec.scratch.size());
  record.operand_first = append(tables_.operands, spec.inputs);
  append(tables_.operands, spec.outputs);
  append(tables_.operands, spec.scratch);
  record.attribute_first = append(tables_.attributes, spec.attributes);
  record.attribute_words = static_cast<uint16_t>(spec.attributes.size());
  tables_.steps.push_back(record);
  return current().step_count++;
}

void ProgramBuilder::io(const std::vector<uint32_t>& values) { append(tables_.io, values); }

planner::ProgramTables ProgramBuilder::tables() const {
  planner::ProgramTables tables = tables_;
  if (!constants_.empty()) {
    tables.sections.push_back({format::SectionKind::kConstants, constants_});
  }
  for (const format::MethodRecord& method : tables.methods) {
    for (uint32_t v = 0; v < method.variant_count; ++v) {
      const format::VariantRecord& variant = tables.variants[method.variant_first + v];
      const std::span<const uint32_t> io(tables.io);
      certify(tables.values, variant.value_first, variant.value_count,
              io.subspan(variant.io_first,
                         std::min<size_t>(method.input_count, io.size() - variant.io_first)));
    }
  }
  return tables;
}

std::vector<std::byte> ProgramBuilder::file() const { return planner::write_program(tables()); }

void certify(std::vector<ValueRecord>& values, uint32_t first, uint32_t count,
             std::span<const uint32_t> inputs) {
  for (uint32_t i = 0; i < count; ++i) {
    ValueRecord& v = values[first + i];
    if (v.kind != static_cast<uint8_t>(ValueKind::kArena)) {
      continue;
    }
    v.below_or_root = kNoIndex;
    const bool given = std::find(inputs.begin(), inputs.end(), i) != inputs.end();
    const uint32_t birth = given ? 0 : v.first_step + 1;
    uint64_t highest = 0;
    for (uint32_t k = 0; k < i; ++k) {
      const ValueRecord& u = values[first + k];
      const uint64_t end = uint64_t{u.offset} + u.bytes;
      if (u.kind == v.kind && u.place == v.place && u.bytes != 0 &&
          u.last_step + 1u - u.yields >= birth && end <= v.offset && end > highest) {
        highest = end;
        v.below_or_root = k;
      }
    }
  }
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
