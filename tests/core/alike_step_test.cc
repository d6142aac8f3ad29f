// Steps that differ from one before them only in where their operands lie: what is proved of the
// one holds for the other, and what differs is proved again.
#include <gtest/gtest.h>

#include <functional>

#include "tests/core/program_builder.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using planner::ProgramTables;

constexpr uint32_t kCopies = 6;  // more than the loader looks back at

// x -> value 1 -> ... -> value kCopies, each a copy of the one before it, 8 bytes below it, serial.
// All values have one shape, and all steps the attributes of one.
ProgramTables copies() {
  ProgramBuilder b;
  b.method("m", 1, 1);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 128);
  for (uint32_t i = 0; i <= kCopies; ++i) {
    const uint32_t born = i == 0 ? 0 : i - 1;
    const uint32_t last = i == kCopies ? born : i;
    b.value({.dims = {4},
             .offset = 64 - 8 * i,
             .first_step = born,
             .last_step = last,
             .yields = i != kCopies});
  }
  for (uint32_t i = 0; i < kCopies; ++i) {
    b.step({.op = Op::kCopy, .inputs = {i}, .outputs = {i + 1}, .flags = format::kSerial});
  }
  b.io({0, kCopies});
  ProgramTables tables = b.tables();
  for (auto& value : tables.values) value.shape = tables.values[0].shape;
  for (auto& step : tables.steps) step.attribute_first = tables.steps[0].attribute_first;
  return tables;
}

TEST(AlikeStep, RunsAsTheOneBeforeIt) {
  Machine machine(planner::write_program(copies()));
  ASSERT_TRUE(machine.load().ok());
  fill(machine.instance.input(0), {1, 2, 3, 4});
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(machine.instance.output(0)), (std::vector<float>{1, 2, 3, 4}));
}

struct AlikeCase {
  std::string name;
  Code code;
  uint32_t step;
  std::function<void(ProgramTables&)> plant;
};

void PrintTo(const AlikeCase& mistake, std::ostream* out) { *out << mistake.name; }

class AlikeMistake : public testing::TestWithParam<AlikeCase> {};

TEST_P(AlikeMistake, IsRefused) {
  const AlikeCase& mistake = GetParam();
  ProgramTables tables = copies();
  mistake.plant(tables);
  certify(tables.values, 0, static_cast<uint32_t>(tables.values.size()),
          std::span(tables.io).first(1));
  Machine machine(planner::write_program(tables));
  ASSERT_TRUE(machine.opened.ok());
  const Status status = machine.load();
  EXPECT_EQ(static_cast<uint32_t>(status.code), static_cast<uint32_t>(mistake.code));
  EXPECT_EQ(status.step, mistake.step);
}

const std::vector<AlikeCase>& alike_mistakes() {
  static const std::vector<AlikeCase> all = {
      {"nearer_than_the_safe_distance", Code::kOverlap, 3,
       [](auto& t) {
         for (uint32_t i = 4; i <= kCopies; ++i) t.values[i].offset += 4;
       }},
      {"behind_its_input", Code::kOverlap, 5, [](auto& t) { t.values[6].offset = 32; }},
      {"not_serial", Code::kOverlap, 2, [](auto& t) { t.steps[2].flags = 0; }},
      {"other_shape", Code::kBadShape, 5,
       [](auto& t) {
         t.values[6].shape = static_cast<uint32_t>(t.shapes.size());
         t.shapes.insert(t.shapes.end(), {3, 1});
       }},
      {"other_type", Code::kBadType, 5,
       [](auto& t) { t.values[6].dtype = static_cast<uint8_t>(DType::kInt32); }},
      {"other_operator", Code::kBadOperandCount, 4,
       [](auto& t) { t.steps[4].op = static_cast<uint16_t>(Op::kAdd); }},
      {"input_left_out", Code::kBadOperandCount, 4,
       [](auto& t) { t.operands[t.steps[4].operand_first] = kNoIndex; }},
      {"reads_what_is_dead", Code::kBadStep, 4,
       [](auto& t) { t.operands[t.steps[4].operand_first] = 1; }},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, AlikeMistake, testing::ValuesIn(alike_mistakes()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
