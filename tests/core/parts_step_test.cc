// Steps that read one part of a storage and write another: what the loader takes and refuses.
#include <gtest/gtest.h>

#include <functional>

#include "tests/core/program_builder.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::ValueKind;
using planner::ProgramTables;

// Value indices.
constexpr uint32_t kNarrow = 0, kWhole = 1, kLeft = 2, kRight = 3, kCopied = 4;

// x [2, 2] -> left half of whole [2, 4] -> right half -> y = copy of whole
ProgramBuilder halves() {
  const std::vector<uint32_t> strides = {4, 1};
  ProgramBuilder b;
  b.method("m", 1, 1);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 80);
  b.value({.dims = {2, 2}});
  b.value({.dims = {2, 4}, .offset = 16, .last_step = 2});
  b.value({.dims = {2, 2},
           .kind = ValueKind::kView,
           .offset = 16,
           .last_step = 1,
           .root = kWhole,
           .strides = strides,
           .bytes = 24});
  b.value({.dims = {2, 2},
           .kind = ValueKind::kView,
           .offset = 24,
           .first_step = 1,
           .last_step = 1,
           .root = kWhole,
           .strides = strides,
           .bytes = 24});
  b.value({.dims = {2, 4}, .offset = 48, .first_step = 2, .last_step = 2});
  b.step({.op = Op::kCopy, .inputs = {kNarrow}, .outputs = {kLeft}});
  b.step({.op = Op::kCopy, .inputs = {kLeft}, .outputs = {kRight}});
  b.step({.op = Op::kCopy, .inputs = {kWhole}, .outputs = {kCopied}});
  b.io({kNarrow, kCopied});
  return b;
}

TEST(PartsStep, RunsBesideWhatItReads) {
  Machine machine(halves().file());
  ASSERT_TRUE(machine.load().ok());
  fill(machine.instance.input(0), {1, 2, 3, 4});
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(machine.instance.output(0)), (std::vector<float>{1, 2, 1, 2, 3, 4, 3, 4}));
}

struct PartsCase {
  std::string name;
  std::function<void(ProgramTables&)> plant;
};

void PrintTo(const PartsCase& mistake, std::ostream* out) { *out << mistake.name; }

class PartsMistake : public testing::TestWithParam<PartsCase> {};

TEST_P(PartsMistake, IsRefusedAsAnOverlap) {
  ProgramTables tables = halves().tables();
  GetParam().plant(tables);
  Machine machine(planner::write_program(tables));
  ASSERT_TRUE(machine.opened.ok());
  const Status status = machine.load();
  EXPECT_EQ(static_cast<uint32_t>(status.code), static_cast<uint32_t>(Code::kOverlap));
  EXPECT_EQ(status.step, 1u);
  EXPECT_EQ(status.value, kLeft);
}

uint32_t& row_stride(ProgramTables& t, uint32_t value) {
  return t.shapes[t.values[value].shape + 2];
}

const std::vector<PartsCase>& parts_mistakes() {
  static const std::vector<PartsCase> all = {
      {"one_column_in_common", [](auto& t) { t.values[kRight].offset = 20; }},
      {"the_same_part", [](auto& t) { t.values[kRight].offset = 16; }},
      {"rows_that_wander_into_the_other", [](auto& t) { row_stride(t, kRight) = 3; }},
      {"rows_one_behind_the_other", [](auto& t) { row_stride(t, kRight) = 2; }},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, PartsMistake, testing::ValuesIn(parts_mistakes()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
