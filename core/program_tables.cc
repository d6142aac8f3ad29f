// Finds the tables of a plan message in place: walks its fields with nanopb, nothing is copied.
#include "core/program_tables.h"

#include <pb_decode.h>

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

}  // namespace

Status find_tables(std::span<const std::byte> plan,
                   std::span<TableView, format::kTableSlots> tables) {
  pb_istream_t stream =
      pb_istream_from_buffer(reinterpret_cast<const pb_byte_t*>(plan.data()), plan.size());
  while (stream.bytes_left != 0) {
    pb_wire_type_t type{};
    uint32_t tag = 0;
    bool end = false;
    // There is no field 0: zeros are no plan.
    if (!pb_decode_tag(&stream, &type, &tag, &end) || tag == 0) {
      return error(Code::kBadPlan);
    }
    const uint32_t slot = tag - format::kFirstTable;  // beyond all where the field is no table
    // A word of a table that is not packed.
    if (is_table(slot) && type == PB_WT_32BIT) {
      return error(Code::kBadTable, tag);
    }
    // A number, or bytes of so many: there is nothing else in plans of any version.
    uint32_t bytes = 0;
    if ((type != PB_WT_STRING && (type != PB_WT_VARINT || is_table(slot))) ||
        !pb_decode_varint32(&stream, &bytes)) {
      return error(Code::kBadPlan);
    }
    if (type == PB_WT_VARINT) {
      continue;
    }
    if (bytes > stream.bytes_left) {
      return error(Code::kBadPlan);
    }
    if (!is_table(slot)) {
      pb_read(&stream, nullptr, bytes);
      continue;
    }
    const size_t offset = plan.size() - stream.bytes_left;
    const bool aligned = slot == slot_of(Table::kStrings) || offset % 4 == 0;
    if (!aligned || bytes % kRecordBytes[slot] != 0 || tables[slot].data != nullptr) {
      return error(Code::kBadTable, tag);
    }
    tables[slot] = {plan.data() + offset, bytes / kRecordBytes[slot]};
    pb_read(&stream, nullptr, bytes);
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
