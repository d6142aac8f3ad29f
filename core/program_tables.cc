// Finds the tables of a plan message in place: walks its fields, nothing is copied.
#include "core/program_tables.h"

#include <cstddef>

#include "schema/program.pb.h"

namespace arenite {
namespace {

using format::Table;

#define ARENITE_SAME_TAG(name, Name) \
  static_assert(arenite_schema_Plan_##name##_tag == static_cast<int>(Table::Name))
ARENITE_SAME_TAG(sections, kSections);
ARENITE_SAME_TAG(methods, kMethods);
ARENITE_SAME_TAG(variants, kVariants);
ARENITE_SAME_TAG(requirements, kRequirements);
ARENITE_SAME_TAG(arenas, kArenas);
ARENITE_SAME_TAG(values, kValues);
ARENITE_SAME_TAG(shapes, kShapes);
ARENITE_SAME_TAG(steps, kSteps);
ARENITE_SAME_TAG(operands, kOperands);
ARENITE_SAME_TAG(attributes, kAttributes);
ARENITE_SAME_TAG(constants, kConstants);
ARENITE_SAME_TAG(io, kIo);
ARENITE_SAME_TAG(strings, kStrings);
ARENITE_SAME_TAG(states, kStates);
ARENITE_SAME_TAG(quantization, kQuantization);
ARENITE_SAME_TAG(constant_files, kConstantFiles);
ARENITE_SAME_TAG(descriptor_sets, kDescriptorSets);
ARENITE_SAME_TAG(predicates, kPredicates);
ARENITE_SAME_TAG(symbols, kSymbols);
ARENITE_SAME_TAG(symbolic_variants, kSymbolicVariants);
ARENITE_SAME_TAG(expressions, kExpressions);
ARENITE_SAME_TAG(patches, kPatches);
#undef ARENITE_SAME_TAG

constexpr uint8_t kRecordBytes[format::kTableSlots] = {
    sizeof(format::SectionRecord),
    sizeof(format::MethodRecord),
    sizeof(format::VariantRecord),
    sizeof(format::RequirementRecord),
    sizeof(format::ArenaRecord),
    sizeof(format::ValueRecord),
    sizeof(uint32_t),
    sizeof(format::StepRecord),
    sizeof(uint32_t),
    sizeof(uint32_t),
    sizeof(format::ConstantRecord),
    sizeof(uint32_t),
    1,
    0,
    sizeof(format::StateRecord),
    sizeof(format::QuantizationRecord),
    sizeof(format::ConstantFileRecord),
    sizeof(format::DescriptorSetRecord),
    sizeof(format::PredicateRecord),
    sizeof(format::SymbolRecord),
    sizeof(format::SymbolicVariantRecord),
    sizeof(format::ExpressionRecord),
    sizeof(format::PatchRecord),
};

constexpr uint32_t slot_of(Table table) {
  return static_cast<uint32_t>(table) - format::kFirstTable;
}

bool is_table(uint32_t slot) { return slot < format::kTableSlots && kRecordBytes[slot] != 0; }

// The low bits of the key before a field say how protobuf stores its value.
enum WireType : uint32_t { kVarint = 0, kBytes = 2, kWord = 5 };

// Reads a varint: seven bits a byte, the lowest first, the top bit where more follow. False where
// it is none of 32 bits.
bool read_varint(const std::byte*& at, const std::byte* end, uint32_t& number) {
  number = 0;
  for (uint32_t shift = 0; at != end; shift += 7) {
    const auto byte = std::to_integer<uint32_t>(*at++);
    if (shift == 28 && byte > 0xf) {
      return false;
    }
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

}  // namespace

Status find_tables(std::span<const std::byte> plan,
                   std::span<TableView, format::kTableSlots> tables) {
  const std::byte* at = plan.data();
  const std::byte* const end = at + plan.size();
  while (at != end) {
    // There is no field 0: zeros are no plan.
    uint32_t key = 0;
    if (!read_varint(at, end, key) || key >> 3 == 0) {
      return error(Code::kBadPlan);
    }
    const uint32_t type = key & 7;
    const uint32_t tag = key >> 3;
    const uint32_t slot = tag - format::kFirstTable;  // beyond all where the field is no table
    const bool table = is_table(slot);
    // A word of a table that is not packed.
    if (table && type == kWord) {
      return error(Code::kBadTable, tag);
    }
    // A number, or bytes of so many: there is nothing else in plans of any version.
    uint32_t bytes = 0;
    if ((type != kBytes && (type != kVarint || table)) || !read_varint(at, end, bytes)) {
      return error(Code::kBadPlan);
    }
    if (type == kVarint) {
      continue;
    }
    if (bytes > static_cast<size_t>(end - at)) {
      return error(Code::kBadPlan);
    }
    if (table) {
      const bool aligned = slot == slot_of(Table::kStrings) || (at - plan.data()) % 4 == 0;
      if (!aligned || bytes % kRecordBytes[slot] != 0 || tables[slot].data != nullptr) {
        return error(Code::kBadTable, tag);
      }
      tables[slot] = {at, bytes / kRecordBytes[slot]};
    }
    at += bytes;
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
