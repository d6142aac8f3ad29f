// Checks that no record of a program points outside what it refers to.
//
// The records of different owners (the variants of methods, the values of variants, the operands of
// steps...) must not overlap and must come in the order of their owners. Writers do that anyway; it
// bounds the time of every check that walks from owner to records by the size of the file.
#include "core/program_records.h"

#include <cstring>

#include "core/range.h"
#include "core/refusal.h"
#include "core/shape.h"

namespace arenite {
namespace {

using format::ArenaRecord;
using format::MethodRecord;
using format::StepRecord;
using format::Table;
using format::ValueKind;
using format::ValueRecord;
using format::VariantRecord;

class RecordCheck : public Refusal {
 public:
  explicit RecordCheck(const Program& program) : program_(program) {}

  bool all();

 private:
  bool inside(uint32_t first, uint32_t count, Table table) const {
    return within(first, count, program_.count(table));
  }
  // Whether the range lies in its table and behind the range before it.
  bool follows(uint32_t first, uint32_t count, Table table);

  bool optional_records();
  bool sections();
  template <typename Record>
  bool described(const Record& record) const;
  bool constants();
  bool arenas();
  bool method(const MethodRecord& method, uint32_t first_variant);
  bool variant(const MethodRecord& method, const VariantRecord& variant);
  bool may_yield(const ValueRecord& v) const;
  bool value(const VariantRecord& variant, uint32_t index);
  bool step(const VariantRecord& variant, const StepRecord& step);
  bool io(const MethodRecord& method, const VariantRecord& variant);

  const Program& program_;
  uint32_t ends_[format::kTableCount] = {};  // by table: where the ranges so far end
};

bool RecordCheck::follows(uint32_t first, uint32_t count, Table table) {
  uint32_t& end = ends_[static_cast<uint32_t>(table)];
  const bool good = first >= end && inside(first, count, table);
  end = first + count;
  return good;
}

// Readers need not know what a record of quantisation says to run a program, but it must be whole.
bool RecordCheck::optional_records() {
  const auto files = program_.constant_files();
  if (files.size() > 1 ||
      (files.size() == 1 && !inside(files[0].name_offset, files[0].name_bytes, Table::kStrings))) {
    return refuse(Code::kBadIndex);
  }
  uint32_t index = 0;
  for (const format::QuantisationRecord& q : program_.quantisation()) {
    const auto methods = program_.methods();
    if (q.method >= methods.size() ||
        q.io >= methods[q.method].input_count + methods[q.method].output_count) {
      return refuse(Code::kBadIndex, index);
    }
    ++index;
  }
  return true;
}

bool RecordCheck::sections() {
  uint32_t index = 0;
  for (const format::SectionRecord& section : program_.sections()) {
    const auto files = program_.constant_files();
    const bool external =
        section.kind == static_cast<uint32_t>(format::SectionKind::kExternalConstants);
    const uint32_t file_bytes = !external       ? program_.header().file_bytes
                                : files.empty() ? 0
                                                : files[0].bytes;
    if (!within(section.offset, section.bytes, file_bytes)) {
      return refuse(Code::kBadRange, index);
    }
    if (section.offset % format::kSegmentAlignment != 0) {
      return refuse(Code::kBadAlignment, index);
    }
    ++index;
  }
  return index <= kMaxSections || refuse(Code::kBadTable, static_cast<uint32_t>(Table::kSections));
}

// What values and constants say of their elements alike.
template <typename Record>
bool RecordCheck::described(const Record& record) const {
  return element_bytes(static_cast<DType>(record.dtype)) != 0 && record.rank <= kMaxRank &&
         record.layout <= static_cast<uint8_t>(Layout::kPanel16);
}

bool RecordCheck::constants() {
  const auto sections = program_.sections();
  Bindings bindings;
  bindings.shapes = program_.shapes().data();
  bindings.constants = program_.constants().data();
  uint32_t operand = format::kConstantBit;
  for (const format::ConstantRecord& c : program_.constants()) {
    if (!described(c)) {
      return refuse(Code::kBadValue, operand);
    }
    if (c.section >= sections.size() || !format::holds_constants(sections[c.section].kind) ||
        !inside(c.shape, 2u * c.rank, Table::kShapes)) {
      return refuse(Code::kBadIndex, operand);
    }
    if (!within(c.offset, c.bytes, sections[c.section].bytes)) {
      return refuse(Code::kBadRange, operand);
    }
    // Elements are of 1, 2, 4 or 8 bytes.
    if ((c.offset & (element_bytes(static_cast<DType>(c.dtype)) - 1u)) != 0) {
      return refuse(Code::kBadAlignment, operand);
    }
    if (!holds_elements(tensor_of(bindings, operand))) {
      return refuse(Code::kBadValue, operand);
    }
    ++operand;
  }
  return true;
}

bool RecordCheck::arenas() {
  uint32_t index = 0;
  for (const ArenaRecord& arena : program_.arenas()) {
    if (!inside(arena.name_offset, arena.name_bytes, Table::kStrings) ||
        arena.kind > static_cast<uint32_t>(format::ArenaKind::kState)) {
      return refuse(Code::kBadIndex, index);
    }
    if (arena.alignment == 0 || (arena.alignment & (arena.alignment - 1)) != 0) {
      return refuse(Code::kBadAlignment, index);
    }
    ++index;
  }
  return true;
}

// Only readers that know of the feature can tell what a yielding value shares.
bool RecordCheck::may_yield(const ValueRecord& v) const {
  return v.kind == static_cast<uint8_t>(ValueKind::kArena) &&
         (program_.header().required_features & format::kOverlapFeature) != 0;
}

bool RecordCheck::value(const VariantRecord& variant, uint32_t index) {
  const ValueRecord* values = program_.values_of(variant).data();
  const ValueRecord& v = values[index];
  if (!described(v) || v.kind > static_cast<uint8_t>(ValueKind::kView) ||
      (v.yields != 0 && !may_yield(v))) {
    return refuse(Code::kBadValue, index);
  }
  bool good = v.place < variant.arena_count && inside(v.shape, 2u * v.rank, Table::kShapes);
  if (v.kind == static_cast<uint8_t>(ValueKind::kView)) {
    good = good && v.below_or_root < index && v.place == values[v.below_or_root].place &&
           values[v.below_or_root].kind == static_cast<uint8_t>(ValueKind::kArena);
  }
  return good || refuse(Code::kBadIndex, index);
}

bool RecordCheck::step(const VariantRecord& variant, const StepRecord& step) {
  const uint32_t count = uint32_t{step.input_count} + step.output_count + step.scratch_count;
  if (!follows(step.operand_first, count, Table::kOperands) ||
      !inside(step.attribute_first, step.attribute_words, Table::kAttributes) ||
      step.scratch_count > 1) {
    return refuse(Code::kBadIndex);
  }
  const uint32_t* operands = program_.operands().data() + step.operand_first;
  for (uint32_t k = 0; k < count; ++k) {
    if (operands[k] < variant.value_count) {
      continue;
    }
    // Only inputs may be constants or be left out.
    const bool constant = format::is_constant(operands[k]) &&
                          format::constant_index(operands[k]) < program_.count(Table::kConstants);
    if (k >= step.input_count || (operands[k] != kNoIndex && !constant)) {
      return refuse(Code::kBadIndex, operands[k]);
    }
  }
  return true;
}

// Inputs and outputs look the same in every variant of a method.
bool RecordCheck::io(const MethodRecord& method, const VariantRecord& variant) {
  const VariantRecord& first = program_.variants()[method.variant_first];
  const uint32_t* indices = program_.io().data();
  const uint32_t* shapes = program_.shapes().data();
  for (uint32_t k = 0; k < method.input_count + method.output_count; ++k) {
    const uint32_t index = indices[variant.io_first + k];
    if (index >= variant.value_count) {
      return refuse(Code::kBadIndex, index);
    }
    const ValueRecord& value = program_.values_of(variant)[index];
    const ValueRecord& same = program_.values_of(first)[indices[first.io_first + k]];
    if (value.dtype != same.dtype || value.rank != same.rank ||
        std::memcmp(shapes + value.shape, shapes + same.shape, 4u * value.rank) != 0) {
      return refuse(Code::kBadValue, index);
    }
  }
  return true;
}

bool RecordCheck::variant(const MethodRecord& method, const VariantRecord& v) {
  if (v.arena_count > kMaxArenas || !inside(v.board_offset, v.board_bytes, Table::kStrings) ||
      !follows(v.requirement_first, v.requirement_count, Table::kRequirements) ||
      !follows(v.arena_first, v.arena_count, Table::kArenas) ||
      !follows(v.value_first, v.value_count, Table::kValues) ||
      !follows(v.step_first, v.step_count, Table::kSteps) ||
      !follows(v.descriptor_set_first, v.descriptor_set_count, Table::kDescriptorSets) ||
      !follows(v.io_first, method.input_count + method.output_count, Table::kIo)) {
    return refuse(Code::kBadIndex);
  }
  for (uint32_t i = 0; i < v.value_count; ++i) {
    if (!value(v, i)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < v.step_count; ++i) {
    if (!step(v, program_.steps_of(v)[i])) {
      status_.step = i;
      return false;
    }
  }
  return io(method, v);
}

// Every variant belongs to exactly one method, which has at least one.
bool RecordCheck::method(const MethodRecord& m, uint32_t first_variant) {
  if (!inside(m.name_offset, m.name_bytes, Table::kStrings) || m.variant_count == 0 ||
      m.variant_first != first_variant ||
      !inside(m.variant_first, m.variant_count, Table::kVariants) || m.input_count > kMaxIo ||
      m.output_count > kMaxIo) {
    return refuse(Code::kBadIndex);
  }
  for (uint32_t i = 0; i < m.variant_count; ++i) {
    if (!variant(m, program_.variants()[first_variant + i])) {
      return false;
    }
  }
  return true;
}

bool RecordCheck::all() {
  if (!optional_records() || !sections() || !constants() || !arenas()) {
    return false;
  }
  uint32_t next_variant = 0;
  for (const MethodRecord& m : program_.methods()) {
    if (!method(m, next_variant)) {
      return false;
    }
    next_variant += m.variant_count;
  }
  return next_variant == program_.count(Table::kVariants) || refuse(Code::kBadIndex);
}

}  // namespace

Status check_records(const Program& program) {
  RecordCheck check(program);
  check.all();
  return check.status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
