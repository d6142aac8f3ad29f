// Parts of a program that come from outside: a signature that is checked, constants in another
// file, and the quantization of inputs and outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "core/signature.h"
#include "planner/program/constant_file.h"
#include "tests/core/sample_programs.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using Bytes = std::vector<std::byte>;

// A signature of 8 bytes for tests: the sum of the bytes signed and their number.
struct Signer {
  uint32_t asked = 0;

  static uint64_t sum(std::span<const std::byte> bytes) {
    uint64_t sum = bytes.size() << 32;
    for (const std::byte byte : bytes) sum += std::to_integer<uint64_t>(byte);
    return sum;
  }
  static void sign(Bytes& program) {
    const uint64_t signature = sum(std::span(program).first(program.size() - 8));
    std::memcpy(program.data() + program.size() - 8, &signature, 8);
  }
  static bool check(void* context, std::span<const std::byte> covered,
                    std::span<const std::byte> signature) {
    ++static_cast<Signer*>(context)->asked;
    uint64_t found = 0;
    if (signature.size() != 8) return false;
    std::memcpy(&found, signature.data(), 8);
    return found == sum(covered);
  }
  SignatureHook hook() { return {this, check}; }
};

TEST(Signature, IsAskedForAndBelieved) {
  Signer signer;
  Bytes file = planner::with_signature(sample_builder().file(), 8);
  {
    const Machine unsigned_yet(file);
    ASSERT_TRUE(unsigned_yet.opened.ok());
    EXPECT_EQ(check_signature(unsigned_yet.program, signer.hook()).code, Code::kBadSignature);
  }
  Signer::sign(file);
  const Machine machine(file);
  ASSERT_TRUE(machine.opened.ok());
  EXPECT_TRUE(check_signature(machine.program, signer.hook()).ok());
  EXPECT_EQ(signer.asked, 2u);
  // It is under no checksum, and changes none.
  ConstantsCursor cursor;
  EXPECT_TRUE(machine.program.verify_constants(kNoIndex, cursor).ok());
}

TEST(Signature, CoversEveryByteBeforeIt) {
  Signer signer;
  Bytes file = planner::with_signature(sample_builder().file(), 8);
  Signer::sign(file);
  uint32_t opened = 0;
  for (size_t at = 0; at < file.size(); ++at) {
    Bytes changed = file;
    changed[at] ^= std::byte{1};
    const Machine machine(changed);
    if (!machine.opened.ok()) continue;
    ++opened;
    EXPECT_EQ(check_signature(machine.program, signer.hook()).code, Code::kBadSignature) << at;
  }
  EXPECT_GT(opened, 8u);  // constants and signature are not looked at when a program is opened
}

TEST(Signature, IsMissedWhereThereIsNoneOrNotLast) {
  Signer signer;
  const Machine bare(sample_builder().file());
  EXPECT_EQ(check_signature(bare.program, signer.hook()).code, Code::kBadSignature);
  planner::ProgramTables tables = sample_builder().tables();
  tables.sections.push_back({format::SectionKind::kSignature, Bytes(8)});
  tables.sections.push_back({format::SectionKind::kNames, Bytes(64)});
  const Machine early(planner::write_program(tables));
  ASSERT_TRUE(early.opened.ok());
  EXPECT_EQ(check_signature(early.program, signer.hook()).code, Code::kBadSignature);
  EXPECT_EQ(signer.asked, 0u);
  // A part of a file cannot be checked.
  Bytes file = planner::with_signature(sample_builder().file(), 8);
  Signer::sign(file);
  const Machine part(Bytes(file.begin(), file.end() - 8), FilePart::kPlan);
  ASSERT_TRUE(part.opened.ok());
  EXPECT_EQ(check_signature(part.program, signer.hook()).code, Code::kTruncated);
}

// The sample's CPU variant, its constants in a file of their own.
class ConstantFileTest : public ::testing::Test {
 protected:
  ConstantFileTest() : split_(planner::split_constants(sample_builder().file())) {}

  // Attaches bytes to the program.
  Status attach(const Bytes& bytes) {
    machine_.emplace(split_.program);
    EXPECT_TRUE(machine_->opened.ok());
    constants_.emplace(aligned_copy(bytes));
    return machine_->program.attach_constants(constants_->bytes());
  }

  planner::SplitProgram split_;
  std::optional<Machine> machine_;
  std::optional<Block> constants_;
};

TEST_F(ConstantFileTest, GivesTheSameAnswers) {
  ASSERT_TRUE(split_.constants.has_value());
  ASSERT_TRUE(attach(split_.constants->bytes).ok());
  Machine whole(sample_builder().file());
  for (Machine* machine : {&*machine_, &whole}) {
    ConstantsCursor cursor;
    EXPECT_TRUE(machine->program.verify_constants(kNoIndex, cursor).ok());
    ASSERT_TRUE(machine->load(kScale, 1).ok());
    fill(machine->instance.input(0), {1, 2, 3, 4, 5, 6, 7, 8});
    ASSERT_TRUE(machine->instance.run().ok());
  }
  EXPECT_EQ(floats(machine_->instance.output(0)), floats(whole.instance.output(0)));
}

TEST_F(ConstantFileTest, IsNamedByItsContent) {
  const planner::SplitProgram again = planner::split_constants(sample_builder().file());
  EXPECT_EQ(again.constants->name, split_.constants->name);
  EXPECT_EQ(again.constants->bytes, split_.constants->bytes);
  planner::ProgramTables tables = sample_builder().tables();
  tables.sections[0].bytes[0] ^= std::byte{1};
  EXPECT_NE(planner::split_constants(planner::write_program(tables)).constants->name,
            split_.constants->name);
  // Nothing to take out.
  const planner::SplitProgram none = planner::split_constants(twice_builder().file());
  EXPECT_FALSE(none.constants.has_value());
  EXPECT_EQ(none.program, twice_builder().file());
}

TEST_F(ConstantFileTest, IsNeededToLoad) {
  Machine machine(split_.program);
  ASSERT_TRUE(machine.opened.ok());
  ConstantsCursor cursor;
  EXPECT_EQ(machine.program.verify_constants(kNoIndex, cursor).code, Code::kTruncated);
  EXPECT_FALSE(machine.load(kScale, 1).ok());
  // A method that reads none runs without.
  EXPECT_TRUE(machine.load(kTwice).ok());
}

TEST_F(ConstantFileTest, MustBeTheRightOne) {
  const Bytes right = split_.constants->bytes;
  const auto changed = [&](size_t at) {
    Bytes bytes = right;
    bytes[at] ^= std::byte{1};
    return bytes;
  };
  EXPECT_EQ(attach({}).code, Code::kTruncated);
  EXPECT_EQ(attach({right.begin(), right.begin() + 63}).code, Code::kTruncated);
  EXPECT_EQ(attach({right.begin(), right.end() - 1}).code, Code::kTruncated);
  EXPECT_EQ(attach(changed(0)).code, Code::kBadMagic);
  EXPECT_EQ(attach(changed(20)).code, Code::kBadChecksum);
  // A whole file of constants, of another program.
  planner::ProgramTables tables = sample_builder().tables();
  tables.sections[0].bytes[0] ^= std::byte{1};
  const auto other = planner::split_constants(planner::write_program(tables));
  EXPECT_EQ(attach(other.constants->bytes).code, Code::kWrongConstants);
  // Damage in what it holds is found when checksums are asked for.
  ASSERT_TRUE(attach(changed(right.size() - 1)).ok());
  ConstantsCursor cursor;
  EXPECT_EQ(machine_->program.verify_constants(kNoIndex, cursor).code, Code::kBadChecksum);
  // A program that has its own constants takes no others.
  Machine whole(sample_builder().file());
  EXPECT_EQ(whole.program.attach_constants(constants_->bytes()).code, Code::kUnsupported);
}

TEST_F(ConstantFileTest, ReachesNoFurtherThanItSays) {
  planner::ProgramTables tables = planner::tables_of(Machine(split_.program).program);
  tables.sections[0].elsewhere->bytes += 64;
  EXPECT_EQ(Machine(planner::write_program(tables)).opened.code, Code::kBadRange);
  tables.sections[0].elsewhere->bytes -= 64;
  tables.constant_files.clear();
  EXPECT_EQ(Machine(planner::write_program(tables)).opened.code, Code::kBadRange);
  tables.constant_files.resize(2);
  EXPECT_EQ(Machine(planner::write_program(tables)).opened.code, Code::kBadTable);
}

TEST(Quantisation, IsOfAnInputOrOutputThatThereIs) {
  planner::ProgramTables tables = sample_builder().tables();
  tables.quantization = {{0, 0, std::bit_cast<uint32_t>(0.5f), -3},
                         {0, 1, std::bit_cast<uint32_t>(0.25f), 7}};
  const Machine machine(planner::write_program(tables));
  ASSERT_TRUE(machine.opened.ok());
  ASSERT_EQ(machine.program.quantization().size(), 2u);
  EXPECT_EQ(machine.program.quantization()[1].zero_point, 7);
  tables.quantization[1].io = 2;
  EXPECT_EQ(Machine(planner::write_program(tables)).opened.code, Code::kBadIndex);
  tables.quantization[1] = {2, 0, 0, 0};
  EXPECT_EQ(Machine(planner::write_program(tables)).opened.code, Code::kBadIndex);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
