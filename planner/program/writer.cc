// Writes a program file from its tables: header, protobuf plan, sections.
#include "planner/program/writer.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/checksum.h"
#include "core/range.h"

namespace arenite::planner {
namespace {

using format::Header;
using format::SectionRecord;
using format::Table;

using Bytes = std::vector<std::byte>;

constexpr uint32_t kMinorVersionField = 1;
constexpr uint32_t kWireVarint = 0;
constexpr uint32_t kWireBytes = 2;

void append(Bytes& to, std::span<const std::byte> bytes) {
  // insert() would do, but GCC 12 believes that it writes past the end when it is inlined at -O3.
  const size_t at = to.size();
  to.resize(at + bytes.size());
  std::copy(bytes.begin(), bytes.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
}

// In the least bytes, or in so many more: any reader of protobuf takes up to kVarintBytesMax.
constexpr size_t kVarintBytesMax = 5;

size_t varint_bytes(uint32_t value) {
  size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) {
    ++bytes;
  }
  return bytes;
}

void append_varint(Bytes& to, uint32_t value, size_t bytes) {
  for (; bytes > 1; --bytes, value >>= 7) {
    to.push_back(static_cast<std::byte>((value & 0x7f) | 0x80));
  }
  to.push_back(static_cast<std::byte>(value));
}

uint32_t key_of(uint32_t field, uint32_t wire_type) { return field << 3 | wire_type; }

// The plan message, which starts on a 4-byte boundary of the file.
class PlanWriter {
 public:
  void number(uint32_t field, uint32_t value) {
    if (value != 0) {
      // Fields stay on 4-byte boundaries.
      append_varint(plan_, key_of(field, kWireVarint), 4 - varint_bytes(value) % 4);
      append_varint(plan_, value, varint_bytes(value));
    }
  }

  // The key and the length take a multiple of 4 bytes, and so do the words behind them.
  template <typename Record>
  void table(Table which, const std::vector<Record>& records) {
    const std::span<const std::byte> payload = std::as_bytes(std::span(records));
    if (payload.empty()) {
      return;
    }
    const uint32_t key = key_of(static_cast<uint32_t>(which), kWireBytes);
    const auto bytes = static_cast<uint32_t>(payload.size());
    const size_t both = align_up(varint_bytes(key) + varint_bytes(bytes), 4);
    const size_t of_length = std::min(both - varint_bytes(key), kVarintBytesMax);
    append_varint(plan_, key, both - of_length);
    append_varint(plan_, bytes, of_length);
    append(plan_, payload);
  }

  Bytes take() { return std::move(plan_); }

 private:
  Bytes plan_;
};

Bytes write_plan(const ProgramTables& tables, const std::vector<SectionRecord>& sections) {
  PlanWriter plan;
  plan.number(kMinorVersionField, tables.minor_version);
  plan.table(Table::kSections, sections);
  plan.table(Table::kMethods, tables.methods);
  plan.table(Table::kVariants, tables.variants);
  plan.table(Table::kRequirements, tables.requirements);
  plan.table(Table::kArenas, tables.arenas);
  plan.table(Table::kValues, tables.values);
  plan.table(Table::kShapes, tables.shapes);
  plan.table(Table::kSteps, tables.steps);
  plan.table(Table::kOperands, tables.operands);
  plan.table(Table::kAttributes, tables.attributes);
  plan.table(Table::kConstants, tables.constants);
  plan.table(Table::kIo, tables.io);
  plan.table(Table::kStates, tables.states);
  plan.table(Table::kQuantization, tables.quantization);
  plan.table(Table::kConstantFiles, tables.constant_files);
  plan.table(Table::kDescriptorSets, tables.descriptor_sets);
  plan.table(Table::kPredicates, tables.predicates);
  plan.table(Table::kSymbols, tables.symbols);
  plan.table(Table::kSymbolicVariants, tables.symbolic_variants);
  plan.table(Table::kExpressions, tables.expressions);
  plan.table(Table::kPatches, tables.patches);
  plan.table(Table::kStrings, tables.strings);  // the one that is not made of words
  return plan.take();
}

uint32_t header_checksum(const Header& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, header_checksum)));
}

template <typename View>
std::vector<typename View::value_type> copy(const View& view) {
  return {view.begin(), view.end()};
}

}  // namespace

TextRange add_text(ProgramTables& tables, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  const auto at =
      std::search(tables.strings.begin(), tables.strings.end(), bytes.begin(), bytes.end());
  const TextRange range{static_cast<uint32_t>(at - tables.strings.begin()),
                        static_cast<uint32_t>(bytes.size())};
  if (at == tables.strings.end()) {
    append(tables.strings, bytes);
  }
  return range;
}

Bytes write_program(const ProgramTables& tables) {
  // The plan's length does not depend on the offsets in it: each is a fixed32.
  std::vector<SectionRecord> records;
  for (const SectionPayload& section : tables.sections) {
    const bool has_checksum = section.kind != format::SectionKind::kSignature;
    records.push_back(section.elsewhere.value_or(SectionRecord{
        static_cast<uint32_t>(section.kind), 0, static_cast<uint32_t>(section.bytes.size()),
        has_checksum ? checksum(section.bytes) : 0}));
  }
  uint64_t end = sizeof(Header) + write_plan(tables, records).size();
  for (size_t i = 0; i < records.size(); ++i) {
    if (tables.sections[i].elsewhere.has_value()) continue;
    const uint64_t offset = align_up(end, format::kSegmentAlignment);
    end = offset + tables.sections[i].bytes.size();
    if (end > UINT32_MAX) {
      throw std::length_error("program file: expected at most 4 GiB, found " + std::to_string(end) +
                              " bytes at the end of section " + std::to_string(i));
    }
    records[i].offset = static_cast<uint32_t>(offset);
  }
  const Bytes plan = write_plan(tables, records);

  Header header{};
  header.magic[0] = format::kMagic0;
  header.magic[1] = format::kMagic1;
  header.version = format::kVersion;
  header.min_reader = format::kVersion;
  header.required_features = tables.required_features;
  header.optional_features = tables.optional_features;
  header.file_bytes = static_cast<uint32_t>(end);
  header.plan_offset = sizeof(Header);
  header.plan_bytes = static_cast<uint32_t>(plan.size());
  header.plan_checksum = checksum(plan);
  header.header_checksum = header_checksum(header);

  Bytes file;
  file.reserve(static_cast<size_t>(end));
  append(file, std::as_bytes(std::span(&header, 1)));
  append(file, plan);
  for (size_t i = 0; i < records.size(); ++i) {
    if (tables.sections[i].elsewhere.has_value()) continue;
    file.resize(records[i].offset);
    append(file, tables.sections[i].bytes);
  }
  return file;
}

void reseal_program(Bytes& file) {
  Header header{};
  std::memcpy(&header, file.data(), sizeof(header));
  if (uint64_t{header.plan_offset} + header.plan_bytes <= file.size()) {
    header.plan_checksum =
        checksum(std::span(std::as_const(file)).subspan(header.plan_offset, header.plan_bytes));
  }
  header.header_checksum = header_checksum(header);
  std::memcpy(file.data(), &header, sizeof(header));
}

ProgramTables tables_of(const Program& program) {
  ProgramTables tables;
  tables.required_features = program.header().required_features;
  tables.optional_features = program.header().optional_features;
  for (uint32_t i = 0; i < program.sections().size(); ++i) {
    const SectionRecord& record = program.sections()[i];
    const auto kind = static_cast<format::SectionKind>(record.kind);
    if (kind == format::SectionKind::kExternalConstants) {
      tables.sections.push_back({kind, {}, record});
    } else {
      tables.sections.push_back({kind, copy(program.section_bytes(i))});
    }
  }
  tables.methods = copy(program.methods());
  tables.variants = copy(program.variants());
  tables.requirements = copy(program.requirements());
  tables.arenas = copy(program.arenas());
  tables.values = copy(program.values());
  tables.shapes = copy(program.shapes());
  tables.steps = copy(program.steps());
  tables.operands = copy(program.operands());
  tables.attributes = copy(program.attributes());
  tables.constants = copy(program.constants());
  tables.io = copy(program.io());
  tables.strings = copy(program.strings());
  tables.states = copy(program.states());
  tables.quantization = copy(program.quantization());
  tables.constant_files = copy(program.constant_files());
  tables.descriptor_sets = copy(program.descriptor_sets());
  tables.predicates = copy(program.predicates());
  tables.symbols = copy(program.symbols());
  tables.symbolic_variants = copy(program.symbolic_variants());
  tables.expressions = copy(program.expressions());
  tables.patches = copy(program.patches());
  return tables;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
