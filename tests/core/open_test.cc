// Opening a program: the header, the plan, the sections and what is found in them.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

#include "tests/core/sample_programs.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::Header;
using Bytes = std::vector<std::byte>;

void change_header(Bytes& file, const std::function<void(Header&)>& change) {
  Header header{};
  std::memcpy(&header, file.data(), sizeof(header));
  change(header);
  std::memcpy(file.data(), &header, sizeof(header));
}

// The status of opening the sample after a change of its header, checksums made right.
Status open_with(const std::function<void(Header&)>& change) {
  Bytes file = sample_builder().file();
  change_header(file, change);
  planner::reseal_program(file);
  return Machine(file).opened;
}

TEST(Open, TheSample) {
  const Machine machine(sample_builder().file());
  ASSERT_TRUE(machine.opened.ok());
  const Program& p = machine.program;
  ASSERT_EQ(p.methods().size(), 2u);
  EXPECT_EQ(p.variants().size(), 3u);
  EXPECT_EQ(p.string(p.methods()[0].name_offset, p.methods()[0].name_bytes), "scale");
  EXPECT_EQ(*p.find_method("twice"), 1u);
  EXPECT_EQ(p.find_method("thrice").status().code, Code::kNoSuchMethod);
  EXPECT_EQ(p.section(format::SectionKind::kConstants).size(), 32u);
  EXPECT_TRUE(p.section(format::SectionKind::kNames).empty());
}

TEST(Open, AnEmptyProgram) {
  const Machine machine(planner::write_program({}));
  ASSERT_TRUE(machine.opened.ok());
  EXPECT_TRUE(machine.program.methods().empty());
  EXPECT_EQ(machine.program.choose_variant(0, {}).status().code, Code::kNoSuchMethod);
}

TEST(Open, BytesBehindTheFileAreIgnored) {
  Bytes file = sample_builder().file();
  const size_t bytes = file.size();
  file.resize(bytes + 100);
  const Machine machine(file);
  ASSERT_TRUE(machine.opened.ok());
  EXPECT_EQ(machine.program.file().size(), bytes);
}

TEST(Open, MisalignedMemoryIsRefused) {
  const Bytes file = sample_builder().file();
  Block block(file.size() + 1, 64);
  std::memcpy(block.bytes().data() + 1, file.data(), file.size());
  Program program;
  EXPECT_EQ(Program::open(block.bytes().subspan(1), program).code, Code::kBadAlignment);
}

TEST(Open, TruncatedAtEveryLength) {
  const Bytes file = sample_builder().file();
  for (size_t bytes = 0; bytes < file.size(); ++bytes) {
    const Machine machine(std::span<const std::byte>(file).first(bytes));
    ASSERT_EQ(machine.opened.code, Code::kTruncated) << bytes;
    ASSERT_TRUE(machine.program.methods().empty());
  }
}

TEST(Open, EveryFlippedBitOfHeaderAndPlanIsFound) {
  const Bytes file = sample_builder().file();
  const auto& header = *reinterpret_cast<const Header*>(file.data());
  for (size_t bit = 0; bit < 8 * (header.plan_offset + header.plan_bytes); ++bit) {
    Bytes flipped = file;
    flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    const Status status = Machine(flipped).opened;
    ASSERT_FALSE(status.ok()) << bit;
    ASSERT_TRUE(status.code == Code::kBadChecksum || bit < 64) << bit;
  }
}

TEST(Open, HeaderMistakes) {
  EXPECT_EQ(open_with([](Header& h) { h.magic[0] ^= 1; }).code, Code::kBadMagic);
  EXPECT_EQ(open_with([](Header& h) { h.magic[1] ^= 1; }).code, Code::kBadMagic);
  EXPECT_TRUE(open_with([](Header& h) { h.version = 9; }).ok());
  EXPECT_EQ(open_with([](Header& h) { h.min_reader = 3; }).code, Code::kBadVersion);
  EXPECT_EQ(open_with([](Header& h) { h.version = h.min_reader = 1; }).code, Code::kBadVersion);
  EXPECT_EQ(open_with([](Header& h) { h.version = h.min_reader = 1; }).value, 1u);
  EXPECT_TRUE(open_with([](Header& h) { h.optional_features = 0xffffffff; }).ok());
  EXPECT_EQ(open_with([](Header& h) { h.file_bytes += 1; }).code, Code::kTruncated);
  EXPECT_EQ(open_with([](Header& h) { h.file_bytes = 100; }).code, Code::kBadRange);
  EXPECT_EQ(open_with([](Header& h) { h.plan_offset = 0; }).code, Code::kBadRange);
  EXPECT_EQ(open_with([](Header& h) { h.reserved[4] = 1; }).code, Code::kBadValue);
  EXPECT_EQ(open_with([](Header& h) { h.plan_offset = 0xfffffffc; }).code, Code::kBadRange);
  EXPECT_EQ(open_with([](Header& h) { h.plan_offset += 2; }).code, Code::kBadAlignment);
  EXPECT_EQ(open_with([](Header& h) { h.plan_bytes = 0xffffffff; }).code, Code::kBadRange);
}

TEST(Open, UnknownFeatureIsNamedByItsBit) {
  const Status status = open_with([](Header& h) { h.required_features = 1u << 17; });
  EXPECT_EQ(status.code, Code::kUnknownFeature);
  EXPECT_EQ(status.value, 17u);
}

TEST(Open, CheckOfConstantsInPieces) {
  Bytes file = sample_builder().file();
  for (const uint32_t budget : {1u, 7u, 32u, 1000u}) {
    const Machine machine(file);
    ConstantsCursor cursor;
    int calls = 0;
    while (cursor.section < machine.program.sections().size()) {
      ASSERT_TRUE(machine.program.verify_constants(budget, cursor).ok());
      ASSERT_LT(++calls, 100);
    }
    const uint32_t words = std::max(budget / 4, 1u);
    EXPECT_EQ(calls, static_cast<int>((8 + words - 1) / words));
  }
  file.back() ^= std::byte{1};
  const Machine machine(file);
  ASSERT_TRUE(machine.opened.ok());
  ConstantsCursor cursor;
  EXPECT_TRUE(machine.program.verify_constants(20, cursor).ok());
  const Status status = machine.program.verify_constants(20, cursor);
  EXPECT_EQ(status.code, Code::kBadChecksum);
  EXPECT_EQ(status.value, 0u);
}

// Bytes that no checksum covers are zeros, and no more than alignment asks.
TEST(Open, WhatLiesBetweenSectionsIsZeros) {
  planner::ProgramTables tables = sample_builder().tables();
  tables.sections[0].bytes.resize(70);
  tables.sections.push_back({format::SectionKind::kNames, std::vector<std::byte>(5)});
  const Bytes file = planner::write_program(tables);
  const Machine whole(file);
  ASSERT_TRUE(whole.opened.ok());
  const Records<format::SectionRecord> sections = whole.program.sections();
  const auto& header = *reinterpret_cast<const Header*>(file.data());
  struct Gap {
    uint32_t from, to, section;
  };
  const Gap gaps[] = {{header.plan_offset + header.plan_bytes, sections[0].offset, 0},
                      {sections[0].offset + sections[0].bytes, sections[1].offset, 1}};
  for (const Gap& gap : gaps) {
    ASSERT_LT(gap.from, gap.to);
    for (const uint32_t at : {gap.from, gap.to - 1}) {
      Bytes damaged = file;
      damaged[at] = std::byte{0x80};
      const Machine machine(damaged);
      ASSERT_TRUE(machine.opened.ok());
      ConstantsCursor cursor;
      const Status status = machine.program.verify_constants(kNoIndex, cursor);
      EXPECT_EQ(status.code, Code::kBadChecksum) << at;
      EXPECT_EQ(status.value, gap.section);
    }
  }
}

// A file that nobody's writer makes: room for bytes that belong to nothing.
TEST(Open, RoomBetweenSectionsIsRefusedWhenVerified) {
  const Bytes file = sample_builder().file();
  const auto verified = [](const Bytes& bytes) {
    const Machine machine(bytes);
    EXPECT_TRUE(machine.opened.ok());
    ConstantsCursor cursor;
    return machine.program.verify_constants(kNoIndex, cursor);
  };
  Bytes longer = file;
  Header header{};
  for (const uint32_t more : {4u, 64u}) {
    longer.resize(file.size() + more);
    std::memcpy(&header, longer.data(), sizeof header);
    header.file_bytes = static_cast<uint32_t>(longer.size());
    std::memcpy(longer.data(), &header, sizeof header);
    planner::reseal_program(longer);
    EXPECT_EQ(verified(longer).code, more == 4 ? Code::kOk : Code::kBadRange);
    longer.back() = std::byte{1};
    const Status status = verified(longer);
    EXPECT_EQ(status.code, more == 4 ? Code::kBadChecksum : Code::kBadRange);
    EXPECT_EQ(status.value, kNoIndex);
  }
}

TEST(Open, ThePlanAlone) {
  const Bytes file = sample_builder().file();
  const Machine machine(std::span<const std::byte>(file).first(file.size() - 32), FilePart::kPlan);
  ASSERT_TRUE(machine.opened.ok());
  EXPECT_EQ(machine.program.sections().size(), 1u);
  EXPECT_TRUE(machine.program.section_bytes(0).empty());
  ConstantsCursor cursor;
  EXPECT_EQ(machine.program.verify_constants(100, cursor).code, Code::kTruncated);
  const auto& header = *reinterpret_cast<const Header*>(file.data());
  const size_t plan_end = header.plan_offset + header.plan_bytes;
  EXPECT_TRUE(Machine(std::span(file).first(plan_end), FilePart::kPlan).opened.ok());
  EXPECT_EQ(Machine(std::span(file).first(plan_end - 1), FilePart::kPlan).opened.code,
            Code::kTruncated);
}

TEST(Open, VariantsInOrderOfPreference) {
  const Machine machine(sample_builder().file());
  const Program& p = machine.program;
  Capabilities none;
  Capabilities vulkan;
  vulkan.numbers[static_cast<uint32_t>(Capability::kVulkanVersion)] = 1001;
  EXPECT_EQ(*p.choose_variant(kScale, vulkan), 0u);
  EXPECT_EQ(*p.choose_variant(kScale, vulkan, 1), 1u);
  EXPECT_EQ(*p.choose_variant(kScale, none), 1u);
  EXPECT_EQ(*p.choose_variant(kTwice, none), 0u);
  EXPECT_EQ(p.choose_variant(kScale, vulkan, 2).status().code, Code::kNoUsableVariant);
  EXPECT_EQ(p.choose_variant(2, vulkan).status().code, Code::kNoSuchMethod);
}

TEST(Open, TheRequirementMissedIsNamed) {
  ProgramBuilder b;
  b.method("m", 0, 0);
  b.variant("first");
  b.requirement(Capability::kVulkanVersion, 0);
  b.requirement(Capability::kSharedMemoryBytes, 1);
  b.variant("second");
  b.requirement(static_cast<Capability>(kFirstCpuFeatureId + 32), 0);
  const Machine machine(b.file());
  ASSERT_TRUE(machine.opened.ok());
  EXPECT_EQ(machine.program.choose_variant(0, {}).status().code, Code::kNoUsableVariant);
  EXPECT_EQ(machine.program.choose_variant(0, {}).status().value, 1u);
  // An id that is not known is a requirement that is not met.
  EXPECT_EQ(machine.program.choose_variant(0, {}, 1).status().value, 2u);
}

// The plan message itself.
Status open_plan(const Bytes& plan) {
  Header header{};
  header.magic[0] = format::kMagic0;
  header.magic[1] = format::kMagic1;
  header.version = header.min_reader = format::kVersion;
  header.plan_offset = sizeof(header);
  header.plan_bytes = static_cast<uint32_t>(plan.size());
  header.file_bytes = static_cast<uint32_t>(sizeof(header) + plan.size());
  Bytes file(sizeof(header));
  std::memcpy(file.data(), &header, sizeof(header));
  // One by one: GCC 12 sees a read beyond an empty plan in the insertion of a range.
  for (const std::byte byte : plan) {
    file.push_back(byte);
  }
  planner::reseal_program(file);
  return Machine(file).opened;
}

Bytes bytes(std::initializer_list<int> numbers) {
  Bytes out;
  for (const int n : numbers) {
    out.push_back(static_cast<std::byte>(n));
  }
  return out;
}

TEST(Open, PlanMessages) {
  EXPECT_TRUE(open_plan({}).ok());
  EXPECT_TRUE(open_plan(bytes({8, 5})).ok());                          // minor_version
  EXPECT_TRUE(open_plan(bytes({0xf8, 1, 5})).ok());                    // field 31, unknown
  EXPECT_TRUE(open_plan(bytes({0x7a, 0, 0x42, 4, 1, 2, 3, 4})).ok());  // pad, shapes of a word
  EXPECT_TRUE(open_plan(bytes({0x7a, 0, 0x42, 0})).ok());              // an empty table
  EXPECT_EQ(open_plan(bytes({0x42, 4, 1, 2, 3, 4})).code, Code::kBadTable);  // not aligned
  EXPECT_EQ(open_plan(bytes({0x42, 4, 1, 2, 3, 4})).value, 8u);
  EXPECT_EQ(open_plan(bytes({0x7a, 0, 0x42, 5, 1, 2, 3, 4, 5})).code, Code::kBadTable);
  EXPECT_EQ(open_plan(bytes({0x7a, 0, 0x4a, 4, 1, 2, 3, 4})).code, Code::kBadTable);  // 1/5 step
  EXPECT_EQ(open_plan(bytes({0x7a, 0, 0x42, 4, 1, 2, 3, 4, 0x7a, 0, 0x42, 4, 1, 2, 3, 4})).code,
            Code::kBadTable);                                                     // twice
  EXPECT_EQ(open_plan(bytes({0x45, 1, 2, 3, 4})).code, Code::kBadTable);          // not packed
  EXPECT_EQ(open_plan(bytes({0x7a, 0, 0x42, 4, 1, 2, 3})).code, Code::kBadPlan);  // ends early
  EXPECT_EQ(open_plan(bytes({0x42})).code, Code::kBadPlan);
  EXPECT_EQ(open_plan(bytes({0x42, 0xff, 0xff, 0xff, 0xff, 0x0f})).code, Code::kBadPlan);
  EXPECT_EQ(open_plan(bytes({0x43})).code, Code::kBadPlan);  // a group
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
