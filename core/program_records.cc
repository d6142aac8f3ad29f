// Checks that no record of a program points outside what it refers to.
//
// The records of different owners (the variants of methods, the values of variants, the operands of
// steps...) must not overlap and must come in the order of their owners. Writers do that anyway; it
// bounds the time of every check that walks from owner to records by the size of the file.
#include "core/program_records.h"

#include <cstring>

namespace arenite {
namespace {

using format::ValueKind;

bool within(uint64_t first, uint64_t count, size_t size) { return first + count <= size; }

class RecordCheck {
 public:
  explicit RecordCheck(const Program& program) : program_(program) {}

  Status all();

 private:
  // Whether the range lies in its table and behind the range before it.
  static bool follows(uint32_t first, uint64_t count, size_t size, uint32_t& end) {
    if (first < end || !within(first, count, size)) {
      return false;
    }
    end = static_cast<uint32_t>(first + count);
    return true;
  }
  bool text(uint32_t offset, uint32_t bytes) const {
    return within(offset, bytes, program_.strings().size());
  }

  Status sections() const;
  Status constants() const;
  Status arenas() const;
  Status variant(const format::MethodRecord& method, const format::VariantRecord& variant);
  Status values(const format::VariantRecord& variant) const;
  Status steps(const format::VariantRecord& variant);
  Status io(const format::MethodRecord& method, const format::VariantRecord& variant) const;

  const Program& program_;
  uint32_t requirement_end_ = 0, arena_end_ = 0, value_end_ = 0, step_end_ = 0, io_end_ = 0;
  uint32_t operand_end_ = 0;
};

Status RecordCheck::sections() const {
  const auto sections = program_.sections();
  if (sections.size() > kMaxSections) {
    return error(Code::kBadTable, static_cast<uint32_t>(format::Table::kSections));
  }
  for (uint32_t i = 0; i < sections.size(); ++i) {
    if (!within(sections[i].offset, sections[i].bytes, program_.header().file_bytes)) {
      return error(Code::kBadRange, i);
    }
    if (sections[i].offset % format::kSegmentAlignment != 0) {
      return error(Code::kBadAlignment, i);
    }
  }
  return ok_status();
}

Status RecordCheck::constants() const {
  const auto sections = program_.sections();
  uint32_t index = 0;
  for (const format::ConstantRecord& c : program_.constants()) {
    if (c.section >= sections.size() ||
        sections[c.section].kind != static_cast<uint32_t>(format::SectionKind::kConstants)) {
      return error(Code::kBadIndex, index);
    }
    if (!within(c.offset, c.bytes, sections[c.section].bytes)) {
      return error(Code::kBadRange, index);
    }
    ++index;
  }
  return ok_status();
}

Status RecordCheck::arenas() const {
  uint32_t index = 0;
  for (const format::ArenaRecord& arena : program_.arenas()) {
    if (!text(arena.name_offset, arena.name_bytes) ||
        arena.kind > static_cast<uint32_t>(format::ArenaKind::kReadback)) {
      return error(Code::kBadIndex, index);
    }
    if (arena.alignment == 0 || (arena.alignment & (arena.alignment - 1)) != 0) {
      return error(Code::kBadAlignment, index);
    }
    ++index;
  }
  return ok_status();
}

Status RecordCheck::values(const format::VariantRecord& variant) const {
  const auto values = program_.values_of(variant);
  const size_t shape_words = program_.shapes().size();
  for (uint32_t i = 0; i < values.size(); ++i) {
    const format::ValueRecord& v = values[i];
    if (element_bytes(static_cast<DType>(v.dtype)) == 0 || v.rank > kMaxRank ||
        v.layout > static_cast<uint8_t>(Layout::kPanel16)) {
      return error(Code::kBadValue, i);
    }
    bool good = within(v.shape, 2u * v.rank, shape_words);
    switch (static_cast<ValueKind>(v.kind)) {
      case ValueKind::kConstant:
        good = good && v.place < program_.constants().size();
        break;
      case ValueKind::kArena:
        good = good && v.place < variant.arena_count;
        break;
      case ValueKind::kView:
        good = good && v.below_or_root < i && v.place == values[v.below_or_root].place &&
               values[v.below_or_root].kind == static_cast<uint8_t>(ValueKind::kArena);
        break;
      default:
        return error(Code::kBadValue, i);
    }
    if (!good) {
      return error(Code::kBadIndex, i);
    }
  }
  return ok_status();
}

Status RecordCheck::steps(const format::VariantRecord& variant) {
  const auto operands = program_.operands();
  const auto steps = program_.steps_of(variant);
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const format::StepRecord& step = steps[i];
    const uint32_t count = uint32_t{step.input_count} + step.output_count + step.scratch_count;
    if (!follows(step.operand_first, count, operands.size(), operand_end_) ||
        !within(step.attribute_first, step.attribute_words, program_.attributes().size()) ||
        step.scratch_count > 1 || step.where > static_cast<uint8_t>(format::Where::kTransfer)) {
      return {Code::kBadIndex, i, kNoIndex};
    }
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t value = operands[step.operand_first + k];
      if (value >= variant.value_count && (value != kNoIndex || k >= step.input_count)) {
        return {Code::kBadIndex, i, value};
      }
    }
  }
  return ok_status();
}

// Inputs and outputs look the same in every variant of a method.
Status RecordCheck::io(const format::MethodRecord& method,
                       const format::VariantRecord& variant) const {
  const format::VariantRecord& first = program_.variants()[method.variant_first];
  const auto values = program_.values_of(variant);
  const auto first_values = program_.values_of(first);
  const auto io = program_.io();
  const uint32_t* shapes = program_.shapes().data();
  for (uint32_t k = 0; k < method.input_count + method.output_count; ++k) {
    const uint32_t index = io[variant.io_first + k];
    if (index >= values.size()) {
      return error(Code::kBadIndex, index);
    }
    const format::ValueRecord& value = values[index];
    const format::ValueRecord& same = first_values[io[first.io_first + k]];
    if (value.dtype != same.dtype || value.rank != same.rank ||
        (value.rank != 0 &&
         std::memcmp(shapes + value.shape, shapes + same.shape, 4u * value.rank) != 0)) {
      return error(Code::kBadValue, index);
    }
  }
  return ok_status();
}

Status RecordCheck::variant(const format::MethodRecord& method, const format::VariantRecord& v) {
  const uint64_t io_count = uint64_t{method.input_count} + method.output_count;
  const Program& p = program_;
  if (v.arena_count > kMaxArenas || io_count > kMaxIo || !text(v.board_offset, v.board_bytes) ||
      !follows(v.requirement_first, v.requirement_count, p.requirements().size(),
               requirement_end_) ||
      !follows(v.arena_first, v.arena_count, p.arenas().size(), arena_end_) ||
      !follows(v.value_first, v.value_count, p.values().size(), value_end_) ||
      !follows(v.step_first, v.step_count, p.steps().size(), step_end_) ||
      !follows(v.io_first, io_count, p.io().size(), io_end_)) {
    return error(Code::kBadIndex);
  }
  ARENITE_TRY(values(v));
  ARENITE_TRY(steps(v));
  return io(method, v);
}

Status RecordCheck::all() {
  ARENITE_TRY(sections());
  ARENITE_TRY(constants());
  ARENITE_TRY(arenas());
  uint32_t next_variant = 0;
  for (const format::MethodRecord& method : program_.methods()) {
    // Every variant belongs to exactly one method, which has at least one.
    if (!text(method.name_offset, method.name_bytes) || method.variant_first != next_variant ||
        method.variant_count == 0 ||
        !within(method.variant_first, method.variant_count, program_.variants().size())) {
      return error(Code::kBadIndex);
    }
    next_variant += method.variant_count;
    for (uint32_t i = method.variant_first; i < next_variant; ++i) {
      ARENITE_TRY(variant(method, program_.variants()[i]));
    }
  }
  return next_variant == program_.variants().size() ? ok_status() : error(Code::kBadIndex);
}

}  // namespace

Status check_records(const Program& program) { return RecordCheck(program).all(); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
