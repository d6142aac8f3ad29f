// Finds the tables of a plan message in place: nanopb walks the message, nothing is copied.
#include "core/program_tables.h"

#include <pb_decode.h>

#include <cstddef>
#include <cstring>

#include "schema/program.pb.h"

namespace arenite {
namespace {

using format::Table;
using Plan = arenite_schema_Plan;

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
#undef ARENITE_SAME_TAG

// The callbacks of the tables lie one after another, in the order of their numbers.
constexpr size_t kFirst = offsetof(Plan, sections);
constexpr size_t kLast = offsetof(Plan, strings);
static_assert(kLast - kFirst ==
              (static_cast<size_t>(Table::kStrings) - static_cast<size_t>(Table::kSections)) *
                  sizeof(pb_callback_t));

constexpr uint8_t kRecordBytes[format::kTableCount] = {
    0,
    0,
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
};

struct Search {
  std::span<const std::byte> plan;
  std::span<TableView, format::kTableCount> tables;
  uint32_t bad_table = kNoIndex;
};

// Called by nanopb with a stream that holds just the payload of one table.
bool note_table(pb_istream_t* stream, const pb_field_t* field, void** arg) {
  Search& search = *static_cast<Search*>(*arg);
  const auto* data = static_cast<const std::byte*>(stream->state);
  const uint32_t bytes = static_cast<uint32_t>(stream->bytes_left);
  const uint32_t tag = field->tag;
  TableView& table = search.tables[tag];
  // An element that is not packed reaches us in a buffer of nanopb's, not in the plan.
  const uintptr_t offset =
      reinterpret_cast<uintptr_t>(data) - reinterpret_cast<uintptr_t>(search.plan.data());
  const bool aligned = tag == static_cast<uint32_t>(Table::kStrings) || offset % 4 == 0;
  if (offset > search.plan.size() || !aligned || bytes % kRecordBytes[tag] != 0 ||
      table.data != nullptr) {
    search.bad_table = tag;
    return false;
  }
  table = {data, bytes / kRecordBytes[tag]};
  return pb_read(stream, nullptr, bytes);
}

}  // namespace

Status find_tables(std::span<const std::byte> plan,
                   std::span<TableView, format::kTableCount> tables) {
  Search search{plan, tables};
  Plan message = arenite_schema_Plan_init_zero;
  pb_callback_t callback{};
  callback.funcs.decode = note_table;
  callback.arg = &search;
  for (size_t at = kFirst; at <= kLast; at += sizeof(callback)) {
    std::memcpy(reinterpret_cast<std::byte*>(&message) + at, &callback, sizeof(callback));
  }
  pb_istream_t stream =
      pb_istream_from_buffer(reinterpret_cast<const pb_byte_t*>(plan.data()), plan.size());
  if (!pb_decode(&stream, arenite_schema_Plan_fields, &message)) {
    return search.bad_table != kNoIndex ? error(Code::kBadTable, search.bad_table)
                                        : error(Code::kBadPlan);
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
