// The bytes that the writer puts into a file: protobuf of aligned tables, sections at 64 bytes,
// always the same bytes.
#include "planner/program/writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "core/checksum.h"
#include "tests/core/sample_programs.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::Header;
using Bytes = std::vector<std::byte>;

Header header_of(const Bytes& file) {
  Header header{};
  std::memcpy(&header, file.data(), sizeof(header));
  return header;
}

// A reader of protobuf's wire format written for this test alone: where each field's payload lies.
std::multimap<uint32_t, std::pair<size_t, size_t>> fields_of(const Bytes& file) {
  const Header header = header_of(file);
  size_t at = header.plan_offset;
  const size_t end = at + header.plan_bytes;
  const auto varint = [&] {
    uint64_t value = 0;
    for (uint32_t shift = 0;; shift += 7) {
      const auto byte = std::to_integer<uint64_t>(file.at(at++));
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  };
  std::multimap<uint32_t, std::pair<size_t, size_t>> fields;
  while (at < end) {
    const uint64_t key = varint();
    if ((key & 7) == 0) {
      const uint64_t value = varint();
      fields.emplace(key >> 3, std::pair(size_t{value}, size_t{0}));
      continue;
    }
    EXPECT_EQ(key & 7, 2u);
    const size_t bytes = varint();
    fields.emplace(key >> 3, std::pair(at, bytes));
    at += bytes;
  }
  EXPECT_EQ(at, end);
  return fields;
}

TEST(Writer, TablesAreAlignedWhateverTheirLengths) {
  for (const uint32_t words : {8u, 31u, 32u, 4095u, 4096u, 600000u}) {
    planner::ProgramTables tables = sample_builder().tables();
    tables.minor_version = words / 32;
    tables.attributes.resize(words);
    const Bytes file = planner::write_program(tables);
    for (const auto& [field, place] : fields_of(file)) {
      if (field >= 2 && field <= 13) {
        EXPECT_EQ(place.first % 4, 0u) << field;
      }
      if (field == 15) {
        EXPECT_LT(place.second, 4u);
        EXPECT_TRUE(std::all_of(file.data() + place.first, file.data() + place.first + place.second,
                                [](std::byte b) { return b == std::byte{0}; }));
      }
    }
    const auto fields = fields_of(file);
    EXPECT_EQ(fields.count(1), words < 32 ? 0u : 1u);
    EXPECT_EQ(fields.find(11)->second.second, 4u * words);
  }
}

TEST(Writer, HeaderAndSections) {
  planner::ProgramTables tables = sample_builder().tables();
  tables.sections.push_back({format::SectionKind::kNames, Bytes(5, std::byte{7})});
  tables.sections.push_back({format::SectionKind::kTestVectors, {}});
  const Bytes file = planner::write_program(tables);
  const Header header = header_of(file);
  EXPECT_EQ(header.file_bytes, file.size());
  EXPECT_EQ(header.plan_offset, 64u);
  EXPECT_EQ(header.version, format::kVersion);
  const Machine machine(file);
  ASSERT_TRUE(machine.opened.ok());
  ASSERT_EQ(machine.program.sections().size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    const format::SectionRecord& record = machine.program.sections()[i];
    EXPECT_EQ(record.offset % 64, 0u);
    EXPECT_EQ(record.checksum, checksum(machine.program.section_bytes(i)));
    EXPECT_TRUE(std::ranges::equal(machine.program.section_bytes(i), tables.sections[i].bytes));
  }
  ConstantsCursor cursor;
  EXPECT_TRUE(machine.program.verify_constants(1000, cursor).ok());
  EXPECT_EQ(cursor.section, 3u);
}

TEST(Writer, TablesComeBack) {
  const Bytes file = sample_builder().file();
  EXPECT_EQ(file, sample_builder().file());
  const Machine machine(file);
  ASSERT_TRUE(machine.opened.ok());
  EXPECT_EQ(planner::write_program(planner::tables_of(machine.program)), file);
}

TEST(Writer, TextIsStoredOnce) {
  planner::ProgramTables tables;
  EXPECT_EQ(planner::add_text(tables, "memory").offset, 0u);
  EXPECT_EQ(planner::add_text(tables, "host").offset, 6u);
  EXPECT_EQ(planner::add_text(tables, "memory").offset, 0u);
  EXPECT_EQ(planner::add_text(tables, "").bytes, 0u);
  EXPECT_EQ(tables.strings.size(), 10u);
}

TEST(Writer, ResealMakesChecksumsRight) {
  Bytes file = sample_builder().file();
  const Bytes before = file;
  planner::reseal_program(file);
  EXPECT_EQ(file, before);
  file[20] ^= std::byte{1};  // optional_features
  EXPECT_FALSE(Machine(file).opened.ok());
  planner::reseal_program(file);
  EXPECT_TRUE(Machine(file).opened.ok());
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
