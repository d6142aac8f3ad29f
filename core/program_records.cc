// Walks the tables once, in order of owners; compares each record with the ends of what it refers
// to.
//
// The records of different owners (the variants of methods, the values of variants, the operands of
// steps...) must not overlap and must come in the order of their owners. Writers do that anyway; it
// bounds the time of every check that walks from owner to records by the size of the file.
#include "core/program_records.h"

#include <cstddef>
#include <cstring>

#include "core/contract.h"
#include "core/range.h"
#include "core/refusal.h"
#include "core/shape.h"

namespace arenite {
namespace {

using format::ArenaKind;
using format::ArenaRecord;
using format::ElementsRecord;
using format::MethodRecord;
using format::StepRecord;
using format::Table;
using format::ValueRecord;
using format::VariantRecord;

bool is_kind(const ArenaRecord& arena, ArenaKind kind) {
  return arena.kind == static_cast<uint32_t>(kind);
}

// Whether a view lies inside its root in place and time. Both ranges lie in their arena, so that
// their ends are 32-bit numbers.
bool inside_root(const ValueRecord& view, const ValueRecord& root) {
  return view.offset >= root.offset && view.offset + view.bytes <= root.offset + root.bytes &&
         view.first_step >= root.first_step && view.last_step <= root.last_step;
}

constexpr uint32_t kInfinity = 0x7f800000u;  // the bits of a float32; those of numbers are below

// The bytes and the alignment of elements.
struct Place {
  uint32_t bytes, alignment;
};

class RecordCheck : public Refusal {
 public:
  explicit RecordCheck(const Program& program) : program_(program) {}

  bool all();

 private:
  bool inside(uint32_t first, uint32_t count, Table table) const {
    return within(first, count, program_.count(table));
  }
  // Also requires that the range lies behind the one before it, which ends at `end`.
  bool follows(uint32_t first, uint32_t count, Table table, uint32_t& end) const;

  bool ranges();
  bool quantization();
  bool sections();
  Code fault_of(const ElementsRecord& record, const Place& place, bool apart);
  bool constants();
  bool arenas();
  bool methods();
  bool variant(const MethodRecord& method, const VariantRecord& variant);
  bool values(const VariantRecord& variant);
  Code fault_of(const VariantRecord& variant, const ValueRecord& value);
  bool step(const VariantRecord& variant, const StepRecord& step);
  bool io(const MethodRecord& method, const VariantRecord& variant);

  const Program& program_;
  // Only readers that know of the feature can tell what a yielding value shares.
  const uint32_t may_yield_ = program_.header().required_features & format::kOverlapFeature;
  // The same for layouts, a bit for each by its number.
  const uint32_t layouts_ =
      layout_bit(Layout::kStrided) | layout_bit(Layout::kPanel16) |
      (program_.header().required_features & (format::kPacked4Feature | format::kBlockedFeature))
          << 1;
  static_assert(layout_bit(Layout::kPacked4) == format::kPacked4Feature << 1 &&
                layout_bit(Layout::kBlocked) == format::kBlockedFeature << 1);
  // Records whose elements their bytes hold, by `apart` and by shape and type. Layers repeat, and
  // so do the biases and factors of one.
  static constexpr uint32_t kKnown = 8;
  const ElementsRecord* known_[2][kKnown] = {};
  uint32_t operand_end_ = 0;  // of the steps so far
  uint32_t io_end_ = 0;       // of the variants so far
};

bool RecordCheck::follows(uint32_t first, uint32_t count, Table table, uint32_t& end) const {
  const bool good = first >= end && inside(first, count, table);
  end = first + count;
  return good;
}

// Records that belong to each record of a table, or bytes of strings: word `word` of it is the
// index of the first, the next word their count.
struct Range {
  uint8_t from, words;  // the table, and the words of its records
  uint8_t word, to;
};
template <typename Record>
constexpr Range range(Table from, size_t offset, Table to) {
  return {static_cast<uint8_t>(from), sizeof(Record) / 4, static_cast<uint8_t>(offset / 4),
          static_cast<uint8_t>(to)};
}
constexpr Range kRanges[] = {
    range<format::ConstantFileRecord>(
        Table::kConstantFiles, offsetof(format::ConstantFileRecord, name_offset), Table::kStrings),
    range<ArenaRecord>(Table::kArenas, offsetof(ArenaRecord, name_offset), Table::kStrings),
    range<MethodRecord>(Table::kMethods, offsetof(MethodRecord, name_offset), Table::kStrings),
    range<MethodRecord>(Table::kMethods, offsetof(MethodRecord, variant_first), Table::kVariants),
    range<VariantRecord>(Table::kVariants, offsetof(VariantRecord, board_offset), Table::kStrings),
    range<VariantRecord>(Table::kVariants, offsetof(VariantRecord, requirement_first),
                         Table::kRequirements),
    range<VariantRecord>(Table::kVariants, offsetof(VariantRecord, arena_first), Table::kArenas),
    range<VariantRecord>(Table::kVariants, offsetof(VariantRecord, value_first), Table::kValues),
    range<VariantRecord>(Table::kVariants, offsetof(VariantRecord, step_first), Table::kSteps),
    range<VariantRecord>(Table::kVariants, offsetof(VariantRecord, descriptor_set_first),
                         Table::kDescriptorSets),
};

bool RecordCheck::ranges() {
  for (const Range& range : kRanges) {
    const auto to = static_cast<Table>(range.to);
    const uint32_t* words = program_.words(static_cast<Table>(range.from));
    uint32_t end = 0;
    for (uint32_t i = 0; i < program_.count(static_cast<Table>(range.from)); ++i) {
      if (!follows(words[range.word], words[range.word + 1], to, end)) {
        return refuse(Code::kBadIndex, i);
      }
      if (to == Table::kStrings) {
        end = 0;  // any text may be shared
      }
      words += range.words;
    }
  }
  return true;
}

// One at most of each input and output, in their order. Behind methods().
bool RecordCheck::quantization() {
  const auto methods = program_.methods();
  uint32_t index = 0, next_method = 0, next_io = 0;
  for (const format::QuantizationRecord& q : program_.quantization()) {
    const bool in_order = q.method > next_method || (q.method == next_method && q.io >= next_io);
    if (!in_order || q.method >= methods.size() ||
        q.io >= methods[q.method].input_count + methods[q.method].output_count) {
      return refuse(Code::kBadIndex, index);
    }
    next_method = q.method;
    next_io = q.io + 1;
    const VariantRecord& variant = program_.variants()[methods[q.method].variant_first];
    const uint32_t value = program_.io()[variant.io_first + q.io];
    const auto dtype = static_cast<DType>(program_.values_of(variant)[value].dtype);
    const bool above_zero = q.scale - 1u < kInfinity - 1u;
    if (!above_zero || !is_one_of(q.zero_point, dtype)) {
      return refuse(Code::kBadValue, index);
    }
    ++index;
  }
  return true;
}

bool RecordCheck::sections() {
  const auto files = program_.constant_files();
  if (files.size() > 1) {
    return refuse(Code::kBadTable, static_cast<uint32_t>(Table::kConstantFiles));
  }
  const uint32_t external_bytes = files.empty() ? 0 : files[0].bytes;
  uint32_t index = 0;
  for (const format::SectionRecord& section : program_.sections()) {
    const bool external =
        section.kind == static_cast<uint32_t>(format::SectionKind::kExternalConstants);
    if (!within(section.offset, section.bytes,
                external ? external_bytes : program_.header().file_bytes)) {
      return refuse(Code::kBadRange, index);
    }
    if (section.offset % format::kSegmentAlignment != 0) {
      return refuse(Code::kBadAlignment, index);
    }
    ++index;
  }
  return index <= kMaxSections || refuse(Code::kBadTable, static_cast<uint32_t>(Table::kSections));
}

// `apart`: whether each element must have bytes of its own.
Code RecordCheck::fault_of(const ElementsRecord& record, const Place& place, bool apart) {
  // 1, 2, 4 or 8, or 0.
  const uint32_t bytes = element_bytes(static_cast<DType>(record.dtype));
  if (bytes == 0) {
    return Code::kBadValue;
  }
  if (!within(record.offset, record.bytes, place.bytes)) {
    return Code::kBadRange;
  }
  if (((record.offset | place.alignment) & (bytes - 1)) != 0) {
    return Code::kBadAlignment;
  }
  const ElementsRecord*& known = known_[apart][(record.shape / 2 + record.dtype) % kKnown];
  if (known != nullptr && same_but_place(record, *known)) {
    return Code::kOk;
  }
  if (record.rank > kMaxRank || record.layout > static_cast<uint8_t>(Layout::kBlocked) ||
      (layouts_ >> record.layout & 1u) == 0) {
    return Code::kBadValue;
  }
  if (!inside(record.shape, 2u * record.rank, Table::kShapes)) {
    return Code::kBadIndex;
  }
  const uint32_t* dims = program_.shapes().data() + record.shape;
  if (!holds_elements(record, dims, bytes, apart)) {
    return Code::kBadValue;
  }
  known = &record;
  return Code::kOk;
}

bool RecordCheck::constants() {
  const auto sections = program_.sections();
  uint32_t operand = format::kConstantBit;
  for (const format::ConstantRecord& c : program_.constants()) {
    Code code = Code::kBadIndex;
    if (c.place < sections.size() && format::holds_constants(sections[c.place].kind)) {
      code = fault_of(c, {sections[c.place].bytes, format::kSegmentAlignment}, false);
    }
    if (code != Code::kOk) {
      return refuse(code, operand);
    }
    ++operand;
  }
  return true;
}

bool RecordCheck::arenas() {
  uint32_t index = 0;
  for (const ArenaRecord& arena : program_.arenas()) {
    if (arena.kind > static_cast<uint32_t>(ArenaKind::kState)) {
      return refuse(Code::kBadIndex, index);
    }
    if (arena.alignment == 0 || (arena.alignment & (arena.alignment - 1)) != 0) {
      return refuse(Code::kBadAlignment, index);
    }
    ++index;
  }
  return true;
}

Code RecordCheck::fault_of(const VariantRecord& variant, const ValueRecord& v) {
  if (v.place >= variant.arena_count) {
    return Code::kBadIndex;
  }
  const ArenaRecord& arena = program_.arenas_of(variant)[v.place];
  const bool owns = format::owns_bytes(v);
  const Code code = fault_of(v, {arena.bytes, arena.alignment}, owns);
  if (code != Code::kOk) {
    return code;
  }
  const bool lives =
      v.first_step <= v.last_step && (v.last_step < variant.step_count || v.last_step == 0);
  if (!lives || v.reserved != 0 || v.yields > may_yield_) {
    return Code::kBadValue;
  }
  if (owns) {
    return Code::kOk;
  }
  const ValueRecord* values = program_.values_of(variant).data();
  if (!format::is_view(v) || v.yields != 0) {
    return Code::kBadValue;
  }
  if (v.below_or_root >= static_cast<uint32_t>(&v - values)) {
    return Code::kBadIndex;
  }
  const ValueRecord& root = values[v.below_or_root];
  if (v.place != root.place || !format::owns_bytes(root)) {
    return Code::kBadIndex;
  }
  return inside_root(v, root) ? Code::kOk : Code::kBadValue;
}

bool RecordCheck::values(const VariantRecord& variant) {
  static_assert(kMaxArenas <= 32);
  uint32_t lent = 0;  // the caller's arenas that hold a value
  uint32_t index = 0;
  for (const ValueRecord& v : program_.values_of(variant)) {
    Code code = fault_of(variant, v);
    // One alone, so that an input's bytes are never written to.
    if (code == Code::kOk && format::owns_bytes(v) &&
        is_kind(program_.arenas_of(variant)[v.place], ArenaKind::kCaller)) {
      const uint32_t bit = uint32_t{1} << v.place;
      if ((lent & bit) != 0) code = Code::kBadValue;
      lent |= bit;
    }
    if (code != Code::kOk) {
      return refuse(code, index);
    }
    ++index;
  }
  return true;
}

bool RecordCheck::step(const VariantRecord& variant, const StepRecord& step) {
  const uint32_t count = uint32_t{step.input_count} + step.output_count + step.scratch_count;
  if (!follows(step.operand_first, count, Table::kOperands, operand_end_) ||
      !inside(step.attribute_first, step.attribute_words, Table::kAttributes) ||
      step.scratch_count > 1) {
    return refuse(Code::kBadIndex);
  }
  const bool begins = (step.flags & format::kBeginsStretch) != 0;
  if ((step.flags & ~format::kKnownStepFlags) != 0 ||
      (begins && (program_.header().required_features & format::kCutsFeature) == 0)) {
    return refuse(Code::kBadValue);
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
  const uint32_t io_count = method.input_count + method.output_count;
  if (v.arena_count > kMaxArenas || !follows(v.io_first, io_count, Table::kIo, io_end_)) {
    return refuse(Code::kBadIndex);
  }
  uint32_t unknown = v.flags & ~format::kKnownVariantFlags;
  for (const uint32_t word : v.reserved) {
    unknown |= word;
  }
  if (unknown != 0) {
    return refuse(Code::kBadValue);
  }
  if (!values(v)) {
    return false;
  }
  uint32_t index = 0;
  for (const StepRecord& s : program_.steps_of(v)) {
    if (!step(v, s)) {
      status_.step = index;
      return false;
    }
    ++index;
  }
  return io(method, v);
}

// Every variant belongs to exactly one method, which has at least one.
bool RecordCheck::methods() {
  const VariantRecord* next = program_.variants().data();
  for (const MethodRecord& m : program_.methods()) {
    if (m.variant_count == 0 || program_.variants().data() + m.variant_first != next ||
        m.input_count > kMaxIo || m.output_count > kMaxIo) {
      return refuse(Code::kBadIndex);
    }
    for (const VariantRecord* end = next + m.variant_count; next != end; ++next) {
      if (!variant(m, *next)) {
        return false;
      }
    }
  }
  return next == program_.variants().data() + program_.variants().size() || refuse(Code::kBadIndex);
}

bool RecordCheck::all() {
  return ranges() && sections() && constants() && arenas() && methods() && quantization();
}

}  // namespace

Status check_records(const Program& program) {
  RecordCheck check(program);
  check.all();
  return check.status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
