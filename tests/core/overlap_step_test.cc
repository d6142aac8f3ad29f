// Outputs over inputs that die at their step: what the loader takes, and each way to be refused.
#include <gtest/gtest.h>

#include <functional>

#include "tests/core/program_builder.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

using format::ValueKind;
using format::ValueRecord;
using planner::ProgramTables;

// Value indices. x and z are inputs of the method.
constexpr uint32_t kX = 0, kZ = 1, kT = 2, kU = 3, kY = 4;

// x, z -> t = x + z (in place of x) -> u = copy of t, 8 bytes below it, serial -> y = u + u,
// elsewhere
ProgramBuilder overlapping() {
  ProgramBuilder b;
  b.method("m", 2, 1);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 64);
  b.value({.dims = {4}, .offset = 16, .yields = true});
  b.value({.dims = {4}, .offset = 32});
  b.value({.dims = {4}, .offset = 16, .last_step = 1, .yields = true});
  b.value({.dims = {4}, .offset = 8, .first_step = 1, .last_step = 2});
  b.value({.dims = {4}, .offset = 48, .first_step = 2, .last_step = 2});
  const auto attributes = words_of(BinaryAttributes{});
  b.step({.op = Op::kAdd, .inputs = {kX, kZ}, .outputs = {kT}, .attributes = attributes});
  b.step({.op = Op::kCopy, .inputs = {kT}, .outputs = {kU}, .flags = format::kSerial});
  b.step({.op = Op::kAdd, .inputs = {kU, kU}, .outputs = {kY}, .attributes = attributes});
  b.io({kX, kZ, kY});
  return b;
}

TEST(OverlapStep, RunsInPlaceAndBehindTheReads) {
  Machine machine(overlapping().file());
  ASSERT_TRUE(machine.load().ok());
  fill(machine.instance.input(0), {1, 2, 3, 4});
  fill(machine.instance.input(1), {10, 20, 30, 40});
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(machine.instance.output(0)), (std::vector<float>{22, 44, 66, 88}));
}

struct OverlapCase {
  std::string name;
  Code code;
  uint32_t step, value;
  std::function<void(ProgramTables&)> plant;
};

void PrintTo(const OverlapCase& mistake, std::ostream* out) { *out << mistake.name; }

class OverlapMistake : public testing::TestWithParam<OverlapCase> {};

TEST_P(OverlapMistake, IsRefused) {
  const OverlapCase& mistake = GetParam();
  ProgramTables tables = overlapping().tables();
  mistake.plant(tables);
  certify(tables.values, 0, static_cast<uint32_t>(tables.values.size()),
          std::span(tables.io).first(2));
  Machine machine(planner::write_program(tables));
  const Status status = machine.opened.ok() ? machine.load() : machine.opened;
  EXPECT_EQ(static_cast<uint32_t>(status.code), static_cast<uint32_t>(mistake.code));
  EXPECT_EQ(status.step, mistake.step);
  EXPECT_EQ(status.value, mistake.value);
}

const std::vector<OverlapCase>& overlap_mistakes() {
  static const std::vector<OverlapCase> all = {
      {"feature_not_named", Code::kBadValue, kNoIndex, kX,
       [](auto& t) { t.required_features = 0; }},
      {"in_place_but_moved", Code::kOverlap, 0, kX, [](auto& t) { t.values[kT].offset = 12; }},
      {"one_element_less_than_the_lead", Code::kOverlap, 1, kT,
       [](auto& t) { t.values[kU].offset = 12; }},
      {"behind_instead_of_ahead", Code::kOverlap, 1, kT, [](auto& t) { t.values[kU].offset = 24; }},
      {"not_serial", Code::kOverlap, 1, kT, [](auto& t) { t.steps[1].flags = 0; }},
      {"without_yielding", Code::kOverlap, kNoIndex, kU, [](auto& t) { t.values[kT].yields = 0; }},
      {"input_without_yielding", Code::kOverlap, kNoIndex, kT,
       [](auto& t) { t.values[kX].yields = 0; }},
      {"yields_before_its_last_step", Code::kOverlap, kNoIndex, kU,
       [](auto& t) { t.values[kT].last_step = 2; }},
      {"kernel_without_lead", Code::kOverlap, 2, kU,
       [](auto& t) {
         t.values[kU].yields = 1;
         t.values[kY].offset = 4;
         t.steps[2].flags = format::kSerial;
       }},
      {"inputs_on_each_other", Code::kOverlap, kNoIndex, kZ,
       [](auto& t) {
         t.values[kZ].offset = 16;
         t.values[kZ].yields = 1;
       }},
      {"output_that_yields", Code::kBadValue, kNoIndex, kY,
       [](auto& t) { t.values[kY].yields = 1; }},
      {"input_born_late", Code::kBadValue, kNoIndex, kT,
       [](auto& t) {
         // An input behind what the first step writes.
         std::swap(t.values[kZ], t.values[kT]);
         for (uint32_t& index : t.operands) index = index == kZ ? kT : index == kT ? kZ : index;
         t.io[1] = kT;
       }},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, OverlapMistake, testing::ValuesIn(overlap_mistakes()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
